"""The layers as data: each file on its own, and all of them against the page that says what their keys mean."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from tessera.recipe import layers as reader

RECIPES = Path(__file__).resolve().parents[3] / "recipes"
LAYERS = RECIPES / "layers"
FILES = sorted(LAYERS.rglob("*.yaml"))
IDS = [path.relative_to(LAYERS).with_suffix("").as_posix() for path in FILES]

SHARING = {"dra", "dynamic-mig", "mig", "time-slicing", "mps", "none"}
NAMES = {  # docs/recipe.md, Criteria
    "service": {"eks", "metal", "lab"},
    "kubernetes": {"1.34", "1.35", "1.36", "1.37"},
    "os": {"ubuntu-24.04", "ubuntu-22.04", "amazonlinux-2023", "rhel-9", "debian-12", "debian-13"},
    "intent": {"training", "inference", "interactive"},
    "framework": {"kubeflow", "dynamo", "none"},
    "sharing": SHARING,
}
FLOORS = {"580": (580, 159, 3), "595": (595, 71, 5)}
TOOLKIT_FLOOR = (1, 19, 1)
OPERATORS = {"at least", "at most", "equals", "one of", "present"}
TYPES = {
    "flag": bool,
    "count": int,
    "seconds": int,
    "bytes": int,
    "list": list,
    "text": str,
    "version": str,
    "URL": str,
}


class Leaf(NamedTuple):
    path: tuple[str, ...]
    value: Any
    because: str
    source: str | None
    layer: str

    @property
    def key(self) -> str:
        return ".".join(self.path[1:])


def read(path: Path) -> dict[str, Any]:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def leaves(
    tree: Any, because: str, layer: str, path: tuple[str, ...] = (), source: str | None = None
) -> Iterator[Leaf]:
    if isinstance(tree, dict) and {"value", "because"} <= tree.keys() <= {"value", "because", "source"}:
        yield from leaves(tree["value"], tree["because"], layer, path, tree.get("source"))
    elif isinstance(tree, dict) and tree.keys() == {"append"}:
        yield Leaf(path, tree["append"], because, source, layer)
    elif isinstance(tree, dict):
        for key, inner in tree.items():
            yield from leaves(inner, because, layer, (*path, key))
    else:
        yield Leaf(path, tree, because, source, layer)


def blocks(path: Path) -> list[dict[str, Any]]:
    return read(path)["blocks"]


def of_file(path: Path) -> list[Leaf]:
    layer = path.relative_to(LAYERS).with_suffix("").as_posix()
    return [leaf for block in blocks(path) for leaf in leaves(block["set"], block.get("because", ""), layer)]


ALL = [leaf for path in FILES for leaf in of_file(path)]
PLATFORM = "-platform"
"""Ends the name of a file that says what runs on the cluster, beside the one that says what hosts need."""
HOSTS = [leaf for leaf in ALL if leaf.path[0] == "hosts"]
CONSTRAINTS = [
    (path, block, name, rows)
    for path in FILES
    for block in blocks(path)
    for name, rows in block["set"].get("constraints", {}).items()
]


def table(heading: str) -> dict[str, str]:
    """Name and type of each row of a table of README.md."""
    text = (LAYERS / "README.md").read_text(encoding="utf-8").partition(f"## {heading}\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `([^`]+)` \| (\w+) \|", text, re.MULTILINE)
    assert not [name for name, count in Counter(name for name, _ in rows).items() if count > 1]
    return dict(rows)


def scalars(value: Any) -> Iterator[Any]:
    """A value, or all that a list or a mapping holds."""
    if isinstance(value, list | dict):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from scalars(inner)
    else:
        yield value


def plain(value: Any) -> Any:
    return value["value"] if isinstance(value, dict) else value


def numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def named(key: str, known: dict[str, str]) -> str | None:
    """The row of a key; the last part of a row may be a star, which stands for any name, dots included."""
    if key in known:
        return key
    return next((row for row in known if row.endswith(".*") and key.startswith(row[:-1])), None)


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_head_and_form(path):
    layer = read(path)
    assert layer.keys() == {"format", "layer", "scope", "blocks"}
    assert layer["format"] == 1
    assert layer["layer"] == path.relative_to(LAYERS).with_suffix("").as_posix()
    assert layer["scope"] in {"cluster", "pool"}
    assert layer["blocks"]
    for block in layer["blocks"]:
        assert block.keys() == {"when", "because", "set"}
        assert block["set"].keys() <= {"hosts", "components", "constraints", "control_plane"}
        if "hosts" in block["set"]:
            assert layer["scope"] == "pool", "hosts belong to a pool"
        if "control_plane" in block["set"]:
            assert layer["scope"] == "cluster", "a cluster has one control plane"


def test_the_resolver_reads_them_all():
    assert sorted(layer.layer for layer in reader.read(LAYERS)) == sorted(IDS)


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_every_value_has_a_reason_that_is_a_sentence(path):
    for leaf in of_file(path):
        assert re.fullmatch(r"[A-Z].{10,}\.", leaf.because), leaf
        assert leaf.source is None or (leaf.source.strip() and ".md" not in leaf.source), leaf


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_scalars_are_what_yaml_keeps_as_they_were_written(path):
    for leaf in of_file(path):
        for value in scalars(leaf.value):
            assert value is None or type(value) in {str, bool, int}, f"{leaf}: 6.10 is 6.1 without quotes"
        assert all(isinstance(part, str) for part in leaf.path), leaf


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_every_layer_asks_for_what_its_file_is_named_after(path):
    folder, _, name = path.relative_to(LAYERS).with_suffix("").as_posix().partition("/")
    for block in blocks(path):
        asked = block["when"].get("gpu" if folder == "accelerator" else folder)
        if folder == "base":
            assert not block["when"].keys() & {"service", "accelerator", "gpu"}
        elif name == "apt":
            assert set(asked) < NAMES["os"]
            assert not block["when"].keys() & {"service", "accelerator", "gpu"}
        else:
            assert asked == name.removesuffix(PLATFORM)


@pytest.mark.parametrize("folder", NAMES)
def test_one_file_per_name(folder):
    common = {"apt"} if folder == "os" else set()
    found = {path.stem for path in (LAYERS / folder).glob("*.yaml")}
    assert found - {f"{name}{PLATFORM}" for name in NAMES[folder]} == NAMES[folder] | common


def test_what_runs_on_the_cluster_is_said_for_all_pools_at_once():
    for path in FILES:
        if path.stem.endswith(PLATFORM):
            assert read(path)["scope"] == "cluster", path
            assert all(block["set"].keys() <= {"components", "constraints"} for block in blocks(path)), path


def test_one_accelerator_or_service_is_one_file():
    """No other folder than its own names an accelerator; a service is named by others for a difference only."""
    for path in FILES:
        folder = path.parent.name
        for block in blocks(path):
            assert folder == "accelerator" or not block["when"].keys() & {"accelerator", "gpu"}, path
        if folder not in {"service", "base"} and not path.stem.endswith(PLATFORM):
            assert "service" not in blocks(path)[0]["when"], f"{path}: its first block must hold on every service"


def test_blocks_for_gpu_hosts_list_every_way_to_share():
    hosts = [block for path in FILES for block in blocks(path) if "hosts" in block["set"]]
    asked = [block["when"]["sharing"] for block in hosts if "sharing" in block["when"]]
    assert all(set(ways) == SHARING for ways in asked if isinstance(ways, list))


def test_accelerators_are_the_gpus_of_the_hardware_tables():
    gpus = read(RECIPES / "hardware" / "gpus.yaml")
    found = {path.stem: path for path in (LAYERS / "accelerator").glob("*.yaml")}
    assert found.keys() == gpus.keys()
    for name, path in found.items():
        rows = {name: row for block in blocks(path) for name, row in block["set"].get("constraints", {}).items()}
        lowest = str(gpus[name].get("min_driver", "unknown"))
        assert ("driver_gpu" in rows) == (lowest != "unknown"), name
        assert lowest == "unknown" or plain(rows["driver_gpu"]["at least"]) == lowest, name
        assert ("driver_modules" in rows) == (gpus[name].get("modules") == "open"), name
        cuts = "sharing" not in rows or "mig" in plain(rows["sharing"]["one of"])
        assert cuts == any(leaf.key == "mig.mode_change" for leaf in of_file(path)), name
        assert not (cuts and gpus[name].get("mig") in {"none", "unknown"}), name


def test_host_keys_stand_in_the_readme_with_one_type():
    known = table("Keys under hosts")
    used = set()
    for leaf in HOSTS:
        if leaf.value is None:
            assert any(row.startswith(f"{leaf.key}.") for row in known), leaf
            continue
        row = named(leaf.key, known)
        assert row, f"{leaf.key} of {leaf.layer} is not in recipes/layers/README.md"
        assert type(leaf.value) is TYPES[known[row]], leaf
        if known[row] == "version":
            assert re.fullmatch(r"\d+(\.\d+){1,2}", leaf.value), leaf
        used.add(row)
    assert used == known.keys(), "keys that no layer uses any more"


def test_subjects_stand_in_the_readme_and_fit_their_operator():
    known = table("Subjects of constraints")
    used = set()
    for path, _, name, rows in CONSTRAINTS:
        operators = OPERATORS & rows.keys()
        assert len(operators) == 1, (path, name)
        assert rows.keys() <= OPERATORS | {"subject", "severity"}, (path, name)
        assert rows.get("severity", "error") in {"error", "warning"}, (path, name)
        (operator,) = operators
        kind, value = known[rows["subject"]], plain(rows[operator])
        used.add(rows["subject"])
        if operator == "present":
            assert type(value) is bool, (path, name)
        elif operator == "one of":
            assert {type(one) for one in value} == {str}, (path, name)
        else:
            assert type(value) is TYPES[kind], (path, name)
        if operator in {"at least", "at most"}:
            assert kind == "version", (path, name)
    assert used == known.keys()


def test_a_constraint_has_one_subject_and_one_operator_over_all_layers():
    """Else merging leaves two operators side by side."""
    forms: dict[str, set[tuple[str, ...]]] = {}
    for _, _, name, rows in CONSTRAINTS:
        forms.setdefault(name, set()).add((rows["subject"], *sorted(OPERATORS & rows.keys())))
    assert {name: form for name, form in forms.items() if len(form) > 1} == {}


def test_drivers_are_at_or_above_the_security_floor():
    versions = [leaf for leaf in HOSTS if leaf.key == "driver.version"]
    assert versions
    for leaf in versions:
        branch = leaf.value.partition(".")[0]
        assert numbers(leaf.value) >= FLOORS[branch], leaf
    floors = {name: plain(rows["at least"]) for _, _, name, rows in CONSTRAINTS if name.startswith("driver_security_")}
    assert {name.removeprefix("driver_security_"): numbers(at) for name, at in floors.items()} == FLOORS


def test_branch_version_and_packages_of_the_driver_agree():
    by_layer: dict[str, dict[str, Any]] = {}
    for leaf in HOSTS:
        if leaf.key in {"driver.branch", "driver.version"} and leaf.layer != "service/eks":
            by_layer.setdefault(leaf.layer, {})[leaf.key] = leaf.value
    branches = {rows["driver.branch"] for rows in by_layer.values()}
    assert all(rows["driver.version"].startswith(f"{rows['driver.branch']}.") for rows in by_layer.values())
    named_by = {}
    for leaf in HOSTS:
        if leaf.key.startswith("driver.packages."):
            named_by.setdefault(leaf.layer, set()).add(leaf.key.removeprefix("driver.packages."))
    assert named_by.keys() == {f"os/{name}" for name in NAMES["os"] - {"amazonlinux-2023"}}
    assert all(names == branches for names in named_by.values())


def test_toolkits_are_at_or_above_the_security_floor():
    versions = [leaf for leaf in HOSTS if leaf.key == "toolkit.version"]
    assert versions
    assert all(numbers(leaf.value) >= TOOLKIT_FLOOR for leaf in versions)
    floors = [rows for _, _, name, rows in CONSTRAINTS if name == "toolkit"]
    assert [numbers(plain(rows["at least"])) for rows in floors] == [TOOLKIT_FLOOR]


@pytest.mark.parametrize("name", sorted(NAMES["os"]))
def test_the_kernel_floor_is_one(name):
    """What a role refuses before its work and what a check refuses after it."""
    (floor,) = (leaf.value for leaf in of_file(LAYERS / "os" / f"{name}.yaml") if leaf.key == "kernel.minimum")
    (block,) = (block for path, block, key, _ in CONSTRAINTS if path.stem == name and key == "kernel")
    assert plain(block["set"]["constraints"]["kernel"]["at least"]) == floor
