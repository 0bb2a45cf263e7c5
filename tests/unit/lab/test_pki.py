"""Certificates: made once, kept, renewed in time, readable by their owner alone."""

import datetime
import ipaddress
import shutil
import stat

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from lab import pki

NAMES = [identity.file for identity in pki.IDENTITIES]
SERVERS = [identity.file for identity in pki.IDENTITIES if identity.server]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pki")
    pki.make(folder)
    return folder


@pytest.fixture
def folder(made, tmp_path):
    """A copy that a test may change."""
    return shutil.copytree(made, tmp_path / "pki")


def certificate(folder, name):
    return x509.load_pem_x509_certificate((folder / f"{name}.crt").read_bytes())


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("name", NAMES)
def test_a_certificate_is_signed_by_the_labs_authority_and_fits_its_key(made, name):
    leaf = certificate(made, name)
    leaf.verify_directly_issued_by(certificate(made, "ca"))
    assert leaf.public_key() == load_pem_private_key((made / f"{name}.key").read_bytes(), None).public_key()


@pytest.mark.parametrize("name", NAMES)
def test_only_servers_may_serve_and_only_on_the_loopback_address(made, name):
    extensions = certificate(made, name).extensions
    usages = extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    assert ExtendedKeyUsageOID.CLIENT_AUTH in usages
    assert (ExtendedKeyUsageOID.SERVER_AUTH in usages) == (name in SERVERS)
    if name in SERVERS:
        names = extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        assert "localhost" in names.get_values_for_type(x509.DNSName)
        assert ipaddress.ip_address("127.0.0.1") in names.get_values_for_type(x509.IPAddress)


def test_the_api_server_also_answers_to_its_names_inside_the_cluster(made):
    names = certificate(made, "apiserver").extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert "kubernetes.default.svc" in names.get_values_for_type(x509.DNSName)
    assert ipaddress.ip_address("10.96.0.1") in names.get_values_for_type(x509.IPAddress)


def test_only_the_bootstrap_identity_is_beyond_all_rules(made):
    groups = {
        name: [part.value for part in certificate(made, name).subject.get_attributes_for_oid(NameOID.ORGANIZATION_NAME)]
        for name in NAMES
    }
    assert [name for name in NAMES if "system:masters" in groups[name]] == ["bootstrap"]
    assert groups["admin"] == ["tessera:admins"]


def test_the_authority_can_sign_certificates_and_no_further_authorities(made):
    constraints = certificate(made, "ca").extensions.get_extension_for_class(x509.BasicConstraints)
    assert (constraints.critical, constraints.value.ca, constraints.value.path_length) == (True, True, 0)


def test_every_file_is_its_owners_alone(made):
    assert {stat.S_IMODE(path.stat().st_mode) for path in made.iterdir()} == {0o600}


def test_what_is_there_is_kept(folder):
    before = contents(folder)
    pki.make(folder)
    assert contents(folder) == before


def test_a_lost_certificate_is_made_anew_and_the_others_are_kept(folder):
    before = contents(folder)
    (folder / "kwok.crt").unlink()
    pki.make(folder)
    after = contents(folder)
    assert {name for name in after if after[name] != before[name]} == {"kwok.crt", "kwok.key"}


def test_a_lost_authority_makes_all_certificates_anew_but_no_service_account_key(folder):
    before = contents(folder)
    (folder / "ca.crt").unlink()
    pki.make(folder)
    after = contents(folder)
    assert {name for name in after if after[name] == before[name]} == {"sa.key", "sa.pub"}
    certificate(folder, "admin").verify_directly_issued_by(certificate(folder, "ca"))


def test_certificates_are_made_anew_a_month_before_their_end(folder, monkeypatch):
    before = contents(folder)
    monkeypatch.setattr(pki, "RENEW_DAYS", pki.DAYS + 1)  # so this one's month has come
    pki.make(folder)
    assert contents(folder)["ca.crt"] != before["ca.crt"]
    certificate(folder, "admin").verify_directly_issued_by(certificate(folder, "ca"))


def test_certificates_are_valid_for_a_year_and_already_now(made):
    for name in ("ca", *NAMES):
        found = certificate(made, name)
        left = found.not_valid_after_utc - datetime.datetime.now(datetime.UTC)
        assert 363 < left.days < 366
        assert found.not_valid_before_utc < datetime.datetime.now(datetime.UTC)


@pytest.mark.parametrize("lost", ["ca.key", "etcd.key", "sa.key"])
def test_a_lost_key_is_made_anew(folder, lost):
    (folder / lost).unlink()
    (folder / "kwok.crt").unlink()
    pki.make(folder)
    assert (folder / lost).exists()


def test_certificates_hold_before_the_strictest_checks(tmp_path):
    """Python 3.13 checks strictly by default: key identifiers, basic constraints, key usage."""
    import socket
    import ssl
    import threading

    pki.make(tmp_path)
    served = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    served.load_cert_chain(tmp_path / "apiserver.crt", tmp_path / "apiserver.key")
    served.load_verify_locations(tmp_path / "ca.crt")
    served.verify_mode = ssl.CERT_REQUIRED
    asked = ssl.create_default_context(cafile=tmp_path / "ca.crt")
    asked.load_cert_chain(tmp_path / "admin.crt", tmp_path / "admin.key")
    for context in (served, asked):
        context.verify_flags |= ssl.VERIFY_X509_STRICT
    near, far = socket.socketpair()
    server = threading.Thread(target=lambda: served.wrap_socket(near, server_side=True).close())
    server.start()
    with asked.wrap_socket(far, server_hostname="localhost") as secure:
        assert secure.getpeercert()["subject"]
        secure.read()  # with TLS 1.3 only the first read tells whether the server took our certificate
    server.join()
