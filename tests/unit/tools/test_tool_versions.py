"""versions.toml agrees with the locks and with what else names a version."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet
from packaging.version import Version

from tools import versions
from tools.errors import ToolError
from tools.lock import go_mod

CHECKOUT = Path(__file__).parents[3]
EVERY_SET = [(minor, name) for minor in versions.minors() for name in versions.module_sets(minor)]
EVERY_TOOL = [(minor, name) for minor in versions.minors() for name in versions.tools(minor)]


@pytest.mark.parametrize(("minor", "name"), EVERY_SET)
def test_the_lock_holds_what_versions_toml_asks_for(minor, name):
    modules = versions.module_sets(minor)[name]
    locked = directives((versions.MODULES / name / "go.mod").read_text())
    asked = directives(go_mod(modules, modules.replaces))
    assert locked["module"] == asked["module"]
    assert locked["tool"] == asked["tool"]
    assert locked["require"] >= asked["require"]
    assert locked["replace"] >= asked["replace"]
    assert Version(first(locked["go"])) >= Version(first(asked["go"]))


@pytest.mark.parametrize("minor", versions.minors())
def test_every_kubernetes_library_is_replaced_by_the_one_of_its_release(minor):
    locked = directives((versions.MODULES / f"kubernetes-{minor}" / "go.mod").read_text())
    library = "v0." + versions.tools(minor)["kube-apiserver"].version.split(".", 1)[1]
    replaced = {line.split()[0] for line in locked["replace"]}
    libraries = {line.split()[0] for line in locked["require"] if re.fullmatch(rf"k8s.io/\S+ {library}", line)}
    assert len(replaced) >= 33
    assert libraries <= replaced
    assert all(re.fullmatch(rf"(k8s.io/\S+) => \1 {re.escape(library)}", line) for line in locked["replace"])


@pytest.mark.parametrize(("minor", "name"), EVERY_TOOL)
def test_the_version_that_we_build_is_one_that_we_accept(minor, name):
    tool = versions.tools(minor)[name]
    assert tool.version in SpecifierSet(tool.accept)


@pytest.mark.parametrize(("minor", "name"), EVERY_TOOL)
def test_every_tool_has_its_lock(minor, name):
    tool = versions.tools(minor)[name]
    assert tool.folder == versions.MODULES / tool.modules
    assert (tool.folder / "go.sum").is_file()


@pytest.mark.parametrize("minor", versions.minors())
def test_the_servers_learn_the_version_of_their_minor(minor):
    flags = versions.tools(minor)["kube-apiserver"].ldflags
    version = versions.tools(minor)["kube-apiserver"].version
    assert f"-X k8s.io/component-base/version.gitVersion=v{version}" in flags
    assert version.startswith(f"{minor}.")


def test_the_kubernetes_provider_is_of_its_sdks_version():
    pinned = re.search(r"^pulumi-kubernetes==(\S+)", (CHECKOUT / "requirements.in").read_text(), re.MULTILINE)
    assert pinned[1] == versions.tools("1.36")["pulumi-resource-kubernetes"].version


def test_the_oldest_python_is_the_projects():
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())["project"]
    assert project["requires-python"] == f">={versions.document()['python']['minimum']}"


def test_the_default_minor_comes_first():
    assert versions.minors()[0] == versions.document()["kubernetes"]["default"]


def test_tools_are_selected_once_and_in_building_order():
    assert [tool.name for tool in versions.select(["kwok", "etcd", "kwok"], "1.36")] == ["etcd", "kwok"]


def test_an_unknown_tool_is_refused_with_the_known_ones():
    with pytest.raises(ToolError, match=r"no tool named kubeadm: Tessera's tools are etcd, kube-apiserver"):
        versions.select(["kubeadm"], "1.36")


def test_an_unknown_minor_is_refused_with_the_known_ones():
    with pytest.raises(ToolError, match=r"Kubernetes 1\.30 is not .* choose 1\.36 or 1\.37"):
        versions.tools("1.30")


def first(lines: set[str]) -> str:
    return next(iter(lines))


def directives(text: str) -> dict[str, set[str]]:
    """The lines of a go.mod by their directive, less their comments."""
    found: dict[str, set[str]] = {name: set() for name in ("module", "go", "tool", "require", "replace")}
    block = ""
    for raw in text.splitlines():
        line = raw.split("//")[0].strip()
        if line.endswith("("):
            block = line.removesuffix("(").strip()
        elif line == ")":
            block = ""
        elif line:
            directive, _, rest = (block, "", line) if block else line.partition(" ")
            found[directive].add(rest)
    return found
