"""What the parts of a control plane are started with."""

import re
from pathlib import Path

import pytest
import yaml

from lab import parts, pki
from lab.parts import API, CONTROLLERS, ETCD, KWOK, NAMES, SCHEDULER

BINARIES = {name: Path("/bin") / name for name in NAMES}


@pytest.fixture
def found(home, record):
    return {part.name: part for part in parts.parts(home, record.ports, BINARIES)}


def test_parts_come_in_the_order_in_which_they_start(home, record):
    assert tuple(part.name for part in parts.parts(home, record.ports, BINARIES)) == NAMES
    assert NAMES[:2] == (ETCD, API)


def test_the_same_inputs_give_the_same_arguments(home, record):
    assert parts.parts(home, record.ports, BINARIES) == parts.parts(home, record.ports, BINARIES)


@pytest.mark.parametrize("name", NAMES)
def test_a_part_runs_its_own_binary_under_its_own_name(found, name):
    """The process table is searched by that name."""
    assert Path(found[name].argv[0]).name == name


@pytest.mark.parametrize("name", NAMES)
def test_a_part_listens_on_the_loopback_address_alone(found, name):
    told = " ".join(found[name].argv[1:])
    assert "0.0.0.0" not in told
    assert set(re.findall(r"(\d+\.\d+\.\d+\.\d+)(?!/|\d)", told)) == {"127.0.0.1"}


@pytest.mark.parametrize("name", [API, SCHEDULER, CONTROLLERS])
def test_a_part_of_kubernetes_is_bound_and_serves_with_its_certificate(found, home, name):
    argv = found[name].argv
    assert "--bind-address=127.0.0.1" in argv
    assert f"--client-ca-file={home.pki / 'ca.crt'}" in argv
    assert [word for word in argv if word.startswith("--tls-cert-file=") and word.endswith(".crt")]


def test_the_api_server_asks_for_rights_and_knows_no_token_file(found):
    told = found[API].argv
    assert "--authorization-mode=Node,RBAC" in told
    assert not [word for word in told if "token-auth-file" in word or "AlwaysAllow" in word or "insecure" in word]


def test_etcd_talks_only_to_who_has_a_certificate(found):
    told = found[ETCD].argv
    assert {"--client-cert-auth", "--peer-client-cert-auth"} <= set(told)
    assert not [word for word in told if "http://" in word]


def test_every_port_is_listened_on_by_one_part_alone(found, record):
    listening = [
        word
        for part in found.values()
        for word in part.argv
        if re.match(r"--(listen-(client|peer)-urls|secure-port|server-address)=", word)
    ]
    ports = [int(re.search(r"(\d+)$", word).group(1)) for word in listening]
    assert sorted(ports) == sorted(record.ports.values())


@pytest.mark.parametrize("name", NAMES)
def test_a_parts_health_is_asked_at_its_own_port(found, record, name):
    assert f":{record.ports[name]}/" in found[name].url
    assert found[name].identity in {identity.file for identity in pki.IDENTITIES}


def test_every_certificate_that_is_named_is_one_that_is_made(found, home):
    pki.make(home.pki)
    words = [Path(word.partition("=")[2]) for part in found.values() for word in part.argv if "/pki/" in word]
    assert words
    assert all(path.exists() for path in words)


def test_configuration_that_is_named_is_written_and_stays_the_same(found, home, record):
    pki.make(home.pki)
    parts.configure(home, record.ports)
    words = [Path(word.partition("=")[2]) for part in found.values() for word in part.argv if "/conf/" in word]
    assert words
    before = {path: path.read_bytes() for path in (*words, home.kubeconfig)}
    assert {path.stat().st_mode & 0o777 for path in before} == {0o600}
    parts.configure(home, record.ports)
    assert {path: path.read_bytes() for path in before} == before


def test_the_schedulers_configuration_can_be_read_and_names_a_kubeconfig(home, record):
    pki.make(home.pki)
    parts.configure(home, record.ports)
    document = yaml.safe_load((home.conf / "scheduler.yaml").read_text())
    assert Path(document["clientConnection"]["kubeconfig"]).exists()
    assert document["leaderElection"] == {"leaderElect": False}


def test_kwok_touches_only_nodes_that_say_they_are_fake(found):
    assert "--manage-nodes-with-annotation-selector=kwok.x-k8s.io/node=fake" in found[KWOK].argv
