"""Certificates of a lab: one authority for servers and clients, one key pair for service accounts."""

from __future__ import annotations

import datetime
import ipaddress
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from lab.record import write

DAYS = 365
RENEW_DAYS = 30
LOOPBACK = (x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1")))
SERVICE_ADDRESS = x509.IPAddress(ipaddress.ip_address("10.96.0.1"))  # the first of the service range
API_NAMES = (
    *(x509.DNSName(name) for name in ("kubernetes", "kubernetes.default", "kubernetes.default.svc")),
    SERVICE_ADDRESS,
)


@dataclass(frozen=True)
class Identity:
    """Who a certificate names. server: whether it also serves on the loopback address."""

    file: str
    common_name: str
    organization: str | None = None
    server: bool = False


IDENTITIES = (
    Identity("etcd", "etcd", server=True),
    Identity("apiserver", "kube-apiserver", server=True),
    Identity("bootstrap", "tessera-bootstrap", "system:masters"),
    Identity("admin", "tessera-admin", "tessera:admins"),
    Identity("kube-scheduler", "system:kube-scheduler", server=True),
    Identity("kube-controller-manager", "system:kube-controller-manager", server=True),
    Identity("kwok", "system:kwok", "tessera:simulators", server=True),
)


def make(folder: Path) -> bool:
    """Make every certificate and key that folder lacks; what is there stays until it nears its end.

    Whether the authority is a new one, so that whoever was started with the old one must start again.
    """
    renewed = not _is_whole(folder, "ca.crt", "ca.key") or ends_soon(folder)
    if renewed:
        for stale in folder.glob("*.crt"):  # signed by an authority that is no more
            stale.unlink()
        _make_authority(folder)
    if not _is_whole(folder, "sa.pub", "sa.key"):
        _make_service_account_keys(folder)
    authority = x509.load_pem_x509_certificate((folder / "ca.crt").read_bytes())
    key = serialization.load_pem_private_key((folder / "ca.key").read_bytes(), None)
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        raise TypeError("the lab's authority has an elliptic curve key")
    for identity in IDENTITIES:
        if not _is_whole(folder, f"{identity.file}.crt", f"{identity.file}.key"):
            _make_leaf(folder, identity, authority, key)
    return renewed


def _is_whole(folder: Path, *names: str) -> bool:
    return all((folder / name).exists() for name in names)


def ends_soon(folder: Path) -> bool:
    """Whether the certificates in folder end within RENEW_DAYS days."""
    end = x509.load_pem_x509_certificate((folder / "ca.crt").read_bytes()).not_valid_after_utc
    return end - datetime.datetime.now(datetime.UTC) < datetime.timedelta(days=RENEW_DAYS)


def _make_authority(folder: Path) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "tessera-lab-ca")])
    usage = x509.KeyUsage(True, False, False, False, False, True, True, False, False)
    builder = _builder(name, name, key, key).add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
    certificate = builder.add_extension(usage, critical=True).sign(key, hashes.SHA256())
    _write_key(folder / "ca.key", key)
    _write_certificate(folder / "ca.crt", certificate)


def _make_leaf(
    folder: Path, identity: Identity, authority: x509.Certificate, signer: ec.EllipticCurvePrivateKey
) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    parts = [x509.NameAttribute(NameOID.COMMON_NAME, identity.common_name)]
    if identity.organization:
        parts.append(x509.NameAttribute(NameOID.ORGANIZATION_NAME, identity.organization))
    usages = [ExtendedKeyUsageOID.CLIENT_AUTH]
    builder = _builder(x509.Name(parts), authority.subject, key, signer)
    builder = builder.add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
    signs = x509.KeyUsage(True, False, False, False, False, False, False, False, False)
    builder = builder.add_extension(signs, critical=True)
    if identity.server:
        usages.append(ExtendedKeyUsageOID.SERVER_AUTH)
        names = LOOPBACK + (API_NAMES if identity.file == "apiserver" else ())
        builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
    builder = builder.add_extension(x509.ExtendedKeyUsage(usages), critical=False)
    _write_key(folder / f"{identity.file}.key", key)
    _write_certificate(folder / f"{identity.file}.crt", builder.sign(signer, hashes.SHA256()))


def _make_service_account_keys(folder: Path) -> None:
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    _write_key(folder / "sa.key", key)
    public = key.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    write(folder / "sa.pub", public.decode())


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, signer: ec.EllipticCurvePrivateKey
) -> x509.CertificateBuilder:
    """With the key identifiers that RFC 5280 asks for; Python 3.13 refuses certificates without them."""
    now = datetime.datetime.now(datetime.UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(minutes=5))
        .not_valid_after(now + datetime.timedelta(days=DAYS))
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), critical=False)
    )


def _write_key(path: Path, key: ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey) -> None:
    pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    write(path, pem.decode())


def _write_certificate(path: Path, certificate: x509.Certificate) -> None:
    write(path, certificate.public_bytes(serialization.Encoding.PEM).decode())
