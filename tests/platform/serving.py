"""Chart repositories as their users see them: an HTTPS server with a certificate of its own authority."""

from __future__ import annotations

import base64
import datetime
import hashlib
import json
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path

import yaml
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

LAYER = "application/vnd.cncf.helm.chart.content.v1.tar+gzip"


@dataclass
class Served:
    """files: bytes by path; login: user:password that it asks for; bearer: whether it sends for a token."""

    files: dict[str, bytes] = field(default_factory=dict)
    login: str = ""
    bearer: bool = False
    asked: list[str] = field(default_factory=list)
    host: str = ""
    ca: str = ""

    @property
    def url(self) -> str:
        return f"https://{self.host}"

    def repository(self, path: str, folder: Path) -> str:
        """Serve the archives of a folder as a Helm repository; its URL."""
        entries: dict[str, list[dict]] = {}
        for file in sorted(folder.glob("*.tgz")):
            content = file.read_bytes()
            chart, version = name_of(file)
            digest = hashlib.sha256(content).hexdigest()
            row = {"name": chart, "version": version, "urls": [file.name], "digest": digest}
            entries.setdefault(chart, []).append(row)
            self.files[f"/{path}/{file.name}"] = content
        self.files[f"/{path}/index.yaml"] = yaml.safe_dump({"apiVersion": "v1", "entries": entries}).encode()
        return f"{self.url}/{path}"

    def registry(self, path: str, folder: Path) -> str:
        """Serve the archives of a folder as a registry does; its oci:// URL."""
        for file in sorted(folder.glob("*.tgz")):
            content = file.read_bytes()
            chart, version = name_of(file)
            digest = f"sha256:{hashlib.sha256(content).hexdigest()}"
            manifest = {"schemaVersion": 2, "layers": [{"mediaType": LAYER, "digest": digest, "size": len(content)}]}
            base = f"/v2/{path}/{chart}"
            self.files[f"{base}/manifests/{version}"] = json.dumps(manifest).encode()
            self.files[f"{base}/blobs/{digest}"] = content
            self.files[f"{base}/tags/list"] = json.dumps({"name": chart, "tags": [version]}).encode()
        return f"oci://{self.host}/{path}"


def name_of(file: Path) -> tuple[str, str]:
    """Chart and version of NAME-VERSION.tgz."""
    parts = file.stem.split("-")
    at = next(at for at, part in enumerate(parts) if at and part.lstrip("v")[:1].isdigit())
    return "-".join(parts[:at]), "-".join(parts[at:])


@contextmanager
def serving(folder: Path) -> Iterator[Served]:
    """An HTTPS server on a free port of this machine, until the end."""
    served = Served()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            served.asked.append(self.path)
            given = self.headers.get("Authorization", "")
            login = f"Basic {base64.b64encode(served.login.encode()).decode()}"
            if self.path.startswith("/token"):
                self._answer(200 if not served.login or given == login else 401, b'{"token": "letmein"}')
            elif served.bearer and given != "Bearer letmein":
                self._answer(401, b"", f'Bearer realm="{served.url}/token",service="r",scope="repository:x:pull"')
            elif not served.bearer and served.login and given != login:
                self._answer(401, b"", 'Basic realm="charts"')
            else:
                found = served.files.get(self.path)
                self._answer(404 if found is None else 200, found or b"")

        def _answer(self, status: int, body: bytes, challenge: str = "") -> None:
            self.send_response(status)
            if challenge:
                self.send_header("WWW-Authenticate", challenge)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        def handle_error(self, *_: object) -> None:
            """A client that does not trust the certificate hangs up."""

    served.ca, chain = certificate(folder)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(chain)
    server = Server(("127.0.0.1", 0), Handler)
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    served.host = f"127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield served
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def certificate(folder: Path) -> tuple[str, Path]:
    """PEM of an authority of our own, and the file with key and certificate of 127.0.0.1."""
    now = datetime.datetime.now(datetime.UTC)
    ca_key, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    issuer = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "authority of this test")])

    def made(name: x509.Name, of: ec.EllipticCurvePrivateKey, *, ca: bool) -> x509.CertificateBuilder:
        builder = x509.CertificateBuilder(issuer, name, of.public_key(), x509.random_serial_number())
        builder = builder.not_valid_before(now - datetime.timedelta(days=1))
        builder = builder.not_valid_after(now + datetime.timedelta(days=1))
        return builder.add_extension(x509.BasicConstraints(ca=ca, path_length=None), critical=True)

    usage = x509.KeyUsage(True, False, False, False, False, True, True, False, False)
    root = made(issuer, ca_key, ca=True).add_extension(usage, critical=True)
    root = root.add_extension(x509.SubjectKeyIdentifier.from_public_key(ca_key.public_key()), critical=False)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    leaf = made(name, key, ca=False)
    leaf = leaf.add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
    above = x509.AuthorityKeyIdentifier.from_issuer_public_key(ca_key.public_key())
    leaf = leaf.add_extension(above, critical=False)
    pem = serialization.Encoding.PEM
    plain = (pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    chain = folder / "server.pem"
    chain.write_bytes(key.private_bytes(*plain) + leaf.sign(ca_key, hashes.SHA256()).public_bytes(pem))
    return root.sign(ca_key, hashes.SHA256()).public_bytes(pem).decode(), chain
