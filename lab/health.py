"""Health: whether each part of a lab answers."""

from __future__ import annotations

import http.client
import ssl
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

from lab.home import LabHome
from lab.parts import Part

TIMEOUT_S = 0.7
"""A preview asks every part, and must not wait a second for a dead one."""


def serves(home: LabHome, part: Part, timeout_s: float = TIMEOUT_S) -> bool:
    """Whether the part answers its health URL with 200 within timeout_s seconds."""
    url = urlsplit(part.url)
    assert url.hostname  # noqa: S101 - lab.parts writes the URLs
    try:
        if url.scheme == "https":
            connection: http.client.HTTPConnection = http.client.HTTPSConnection(
                url.hostname, url.port, timeout=timeout_s, context=_context(home.pki, part.identity)
            )
        else:
            connection = http.client.HTTPConnection(url.hostname, url.port, timeout=timeout_s)
        try:
            connection.request("GET", url.path)
            return connection.getresponse().status == http.client.OK
        finally:
            connection.close()
    except (OSError, http.client.HTTPException):
        return False


def probe(home: LabHome, parts: tuple[Part, ...]) -> dict[str, bool]:
    """Whether each part serves, asked all at once."""
    with ThreadPoolExecutor(max(len(parts), 1)) as pool:
        return dict(zip([part.name for part in parts], pool.map(lambda part: serves(home, part), parts), strict=True))


def _context(pki: Path, identity: str) -> ssl.SSLContext:
    context = ssl.create_default_context(cafile=pki / "ca.crt")
    context.load_cert_chain(pki / f"{identity}.crt", pki / f"{identity}.key")
    return context
