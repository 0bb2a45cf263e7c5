"""Which binaries on PATH will do."""

import pytest

from tools import find, versions
from tools.memory import Memory
from tools.toolset import ensure, listing


@pytest.mark.parametrize(
    ("name", "said"),
    [
        pytest.param("kubectl", "Client Version: v1.36.9-eks-0f2a1", id="kubectl of the same minor"),
        pytest.param("etcd", "etcd Version: 3.6.1", id="etcd of the same minor"),
        pytest.param("kwok", "kwok version 0.8.3 go1.26", id="a newer patch of kwok"),
        pytest.param("helm", "v4.0.1+g12500dd", id="an older Helm 4"),
        pytest.param("kube-apiserver", "Kubernetes v1.36.3", id="exactly our API server"),
        pytest.param("pulumi-resource-kubernetes", "4.34.2", id="exactly our provider"),
    ],
)
def test_a_binary_that_fits_is_used(program, name, said):
    path = program(name, f"echo '{said}'")
    found = ensure([name], kubernetes="1.36")
    assert (found.path(name), found.source(name)) == (path, "PATH")
    assert found.version(name) in said


@pytest.mark.parametrize(
    ("name", "body", "reason"),
    [
        pytest.param("kubectl", "echo Client Version: v1.32.4", "is 1.32.4, and ==1.36.* is needed", id="old kubectl"),
        pytest.param("kube-scheduler", "echo Kubernetes v1.36.2", "==1.36.3 is needed", id="another patch of a server"),
        pytest.param("helm", "echo v3.22.0+g1", ">=4,<5 is needed", id="Helm 3"),
        pytest.param("pulumi", "echo v3.240.0", ">=3.250,<4 is needed", id="old pulumi"),
        pytest.param("pulumi", "echo v3.260.0", "no pulumi-language-python beside it", id="pulumi without Python"),
        pytest.param("etcd", "exit 3", "does not say its version", id="one that fails"),
        pytest.param("etcd", "echo hello", "does not say its version", id="something else of that name"),
    ],
)
def test_a_binary_that_does_not_fit_is_refused_with_the_reason(program, name, body, reason):
    path = program(name, body)
    status = next(each for each in listing("1.36") if each.name == name)
    assert status.source == "missing"
    assert status.refusal.startswith(str(path))
    assert reason in status.refusal


def test_an_official_pulumi_brings_its_own_language_host(program):
    path = program("pulumi", "echo v3.260.0")
    program("pulumi-language-python", "exit 0")
    assert ensure(["pulumi"]).path("pulumi") == path


def test_path_is_ignored_on_demand(program, monkeypatch):
    program("kubectl", "echo Client Version: v1.36.3")
    monkeypatch.setenv("TESSERA_TOOLS_PATH", "ignore")
    status = next(each for each in listing("1.36") if each.name == "kubectl")
    assert (status.path, status.source, status.refusal) == (None, "missing", "")


def test_our_own_builds_on_path_are_left_to_the_cache(machine, program, monkeypatch):
    built = machine / "cache" / "tools" / "kwok" / "old-key" / "kwok"
    built.parent.mkdir(parents=True)
    program("kwok", "echo kwok version v0.8.0").rename(built)
    (machine / "bin" / "kwok").symlink_to(built)
    assert find.which("kwok") is None


def test_a_binary_is_asked_for_its_version_once(machine, program):
    program("kwok", f"echo asked >> {machine}/asked; echo kwok version v0.8.0")
    for _ in range(3):
        ensure(["kwok"])
    assert (machine / "asked").read_text().split() == ["asked"]


def test_a_binary_that_changed_is_asked_again(program):
    program("kwok", "echo kwok version v0.8.0")
    assert ensure(["kwok"]).version("kwok") == "0.8.0"
    program("kwok", "echo kwok version v0.8.17")
    assert ensure(["kwok"]).version("kwok") == "0.8.17"


def test_a_damaged_memory_is_forgotten(machine, program):
    path = program("kwok", "echo kwok version v0.8.0")
    (machine / "cache").mkdir()
    (machine / "cache" / "answers.json").write_text("{ half a li")
    assert find.read_version(versions.tools("1.36")["kwok"], path, Memory()) == "0.8.0"
