"""Kubeconfigs: everything inside, nothing to be found elsewhere."""

import base64

import pytest
import yaml

from lab import kubeconfig


@pytest.fixture
def files(home):
    for name in ("ca.crt", "admin.crt", "admin.key"):
        (home.pki / name).write_text(f"content of {name}")
    return home


def test_it_names_the_server_and_the_identitys_certificate(files):
    document = yaml.safe_load(kubeconfig.text(files, 6443, "admin"))
    (cluster,), (user,), (context,) = document["clusters"], document["users"], document["contexts"]
    assert cluster["cluster"]["server"] == "https://127.0.0.1:6443"
    told = (
        cluster["cluster"]["certificate-authority-data"],
        user["user"]["client-certificate-data"],
        user["user"]["client-key-data"],
    )
    assert [base64.b64decode(part).decode() for part in told] == [
        "content of ca.crt",
        "content of admin.crt",
        "content of admin.key",
    ]
    assert context["context"] == {"cluster": cluster["name"], "user": user["name"]}
    assert document["current-context"] == context["name"] == "tessera-lab-a"


def test_it_skips_no_verification_and_holds_no_token(files):
    text = kubeconfig.text(files, 6443, "admin")
    assert "insecure" not in text
    assert "token" not in text
