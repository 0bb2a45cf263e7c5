"""Requests to chart repositories and registries: certificates, credentials, and one sentence for what went wrong."""

from __future__ import annotations

import base64
import binascii
import json
import re
import ssl
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from tessera.errors import TesseraError

TIMEOUT_S = 30
_ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')


class PlaceError(TesseraError):
    """The place itself can't be used, whatever is asked of it."""


class MissingError(TesseraError):
    """The place answers, and has not what was asked for."""


@dataclass
class Web:
    """How to reach them. ca: PEM text to trust besides the system's; logins: base64 of user:password by host.

    proxy: URL; no_proxy: hosts and domains that are reached without it.
    """

    ca: str | None = None
    logins: Mapping[str, str] = field(default_factory=dict)
    proxy: str | None = None
    no_proxy: Sequence[str] = ()
    _tokens: dict[str, str] = field(default_factory=dict)

    def get(self, url: str, accept: str = "*/*") -> bytes:
        """The body. Raises TesseraError, MissingError where the answer is 404."""
        try:
            return self._send(url, accept, self._given(url))
        except urllib.error.HTTPError as error:
            with error:
                return self._again(url, accept, error)

    def _again(self, url: str, accept: str, error: urllib.error.HTTPError) -> bytes:
        """Once more with the token that a registry's answer sends us for."""
        asked = error.headers.get("WWW-Authenticate", "")
        if error.code != 401 or not asked.lower().startswith("bearer "):
            raise _told(url, error, self._given(url) is not None) from error
        try:
            self._tokens[_scope(url)] = f"Bearer {self._token(url, asked)}"
            return self._send(url, accept, self._tokens[_scope(url)])
        except urllib.error.HTTPError as second:
            with second:
                raise _told(url, second, _host(url) in self.logins) from second

    def _token(self, url: str, asked: str) -> str:
        said = dict(_ATTRIBUTE.findall(asked))
        realm = said.pop("realm", "")
        login = self.logins.get(_host(url))
        body = self._send(f"{realm}?{urlencode(said)}", "application/json", f"Basic {login}" if login else None)
        found = json.loads(body)
        return str(found.get("token") or found.get("access_token"))

    def _given(self, url: str) -> str | None:
        login = self.logins.get(_host(url))
        return self._tokens.get(_scope(url)) or (f"Basic {login}" if login else None)

    def _send(self, url: str, accept: str, authorization: str | None) -> bytes:
        if urlsplit(url).scheme not in ("http", "https"):
            raise TesseraError(f"{url}: is no web address; name the repository as https:// or oci://")
        request = urllib.request.Request(url, headers={"Accept": accept, "User-Agent": "tessera"})  # noqa: S310
        if authorization:
            request.add_unredirected_header("Authorization", authorization)
        try:
            with self._opener(_host(url)).open(request, timeout=TIMEOUT_S) as answer:
                return bytes(answer.read())
        except urllib.error.HTTPError:
            raise
        except (urllib.error.URLError, OSError, ssl.SSLError) as error:
            raise _unreached(url, error) from error

    def _opener(self, host: str) -> urllib.request.OpenerDirector:
        context = ssl.create_default_context()
        if self.ca:
            context.load_verify_locations(cadata=self.ca)
        handlers: list[urllib.request.BaseHandler] = [urllib.request.HTTPSHandler(context=context)]
        if self.proxy and not _without(host.partition(":")[0], self.no_proxy):
            handlers.append(urllib.request.ProxyHandler({"http": self.proxy, "https": self.proxy}))
        return urllib.request.build_opener(*handlers)


def certificates(said: str | None) -> str | None:
    """PEM text of a site's caBundle, which is that text or the path of its file. Raises TesseraError."""
    if not said:
        return None
    try:
        text = said if "-----BEGIN" in said else Path(said).read_text(encoding="utf-8")
        ssl.create_default_context().load_verify_locations(cadata=text)
    except (OSError, ssl.SSLError, ValueError) as error:
        raise TesseraError(
            f"tessera:site.caBundle: holds no certificate ({error}); give PEM text or its file"
        ) from error
    return text


def logins(dockerconfig: str | None) -> dict[str, str]:
    """Base64 of user:password by host, from a .dockerconfigjson. Raises TesseraError where it is none."""
    if not dockerconfig:
        return {}
    try:
        rows = json.loads(dockerconfig)["auths"]
        return {_name(host): _login(row) for host, row in rows.items()}
    except (ValueError, KeyError, TypeError, AttributeError, binascii.Error):
        raise TesseraError("tessera:site.pullSecret: is no .dockerconfigjson; it has `auths` by host") from None


def _login(row: Mapping[str, Any]) -> str:
    if "auth" in row:
        base64.b64decode(row["auth"], validate=True)
        return str(row["auth"])
    return base64.b64encode(f"{row['username']}:{row['password']}".encode()).decode()


def _name(host: str) -> str:
    return host.partition("://")[2].partition("/")[0] if "://" in host else host.partition("/")[0]


def _host(url: str) -> str:
    return urlsplit(url).netloc


def _without(host: str, no_proxy: Sequence[str]) -> bool:
    return any(host == one or host.endswith(f".{one.lstrip('.')}") for one in no_proxy)


def _scope(url: str) -> str:
    """A registry's tokens are for one repository: all before manifests, blobs and tags."""
    return re.split(r"/(?:manifests|blobs|tags)/", url, maxsplit=1)[0]


def _told(url: str, error: urllib.error.HTTPError, logged_in: bool) -> TesseraError:
    if error.code == 404:
        return MissingError(f"{url}: is not there")
    if error.code in (401, 403):
        said = "refuses the credentials of" if logged_in else "asks for credentials, which belong into"
        return PlaceError(f"{_host(url)} {said} tessera:site.pullSecret")
    return TesseraError(f"{_host(url)} answers {error.code} {error.reason} to {url}; try again later")


def _unreached(url: str, error: Exception) -> TesseraError:
    reason = getattr(error, "reason", error)
    if isinstance(reason, ssl.SSLCertVerificationError):
        said = f"the certificate of {_host(url)} is not trusted here ({reason.verify_message})"
        return PlaceError(f"{said}; name its authority in tessera:site.caBundle")
    return PlaceError(
        f"{_host(url)} can't be reached ({reason}); check the address, the network and tessera:site.proxy"
    )
