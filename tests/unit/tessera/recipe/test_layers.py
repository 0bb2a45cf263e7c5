"""Layer files: read strictly, every problem with its file and line, all at once."""

from textwrap import dedent

import pytest

from tessera.errors import ProblemsError
from tessera.recipe import layers

HEAD = "format: 1\nlayer: os/rhel-9\nscope: pool\nblocks:\n"


def problems_of(text, layer="os/rhel-9", words=None):
    with pytest.raises(ProblemsError) as told:
        layers.parse(text, layer, f"recipes/layers/{layer}.yaml", words)
    return list(told.value.problems)


def block(text):
    return HEAD + dedent(text)


def test_a_leaf_knows_layer_file_line_reason_and_source(small):
    (found,) = [layer for layer in small if layer.layer == "base/platform"]
    version = next(write for write in found.blocks[0].writes if write.path[-2:] == ("gpu-operator", "version"))
    assert (version.value, version.origin.layer, version.origin.line) == ("v26.3.3", "base/platform", 16)
    assert version.origin.place == "recipe/layers/base/platform.yaml:16"
    assert (version.origin.because, version.origin.source) == ("the first with DRA by default", "release notes")
    assert found.blocks[0].writes[0].origin.because == "every GPU cluster has it"


def test_layers_stand_in_the_order_of_merging(small):
    folders = [layer.layer.split("/")[0] for layer in small]
    assert folders == sorted(folders, key=layers.FOLDERS.index)


SAID = {
    "no YAML": ("a: [", "recipes/layers/os/rhel-9.yaml:2: is not YAML: did not find expected node content"),
    "empty": ("", "recipes/layers/os/rhel-9.yaml:1: must be a mapping with the keys format, layer, scope, blocks"),
    "newer": (
        "format: 2\nwhatever: 1\n",
        "recipes/layers/os/rhel-9.yaml:1: format: made for a newer Tessera; found 2, this one reads 1; update Tessera",
    ),
    "odd format": (
        HEAD.replace("1", "yes", 1) + "- {when: {}, set: {}}",
        "recipes/layers/os/rhel-9.yaml:1: format: found True, allowed: 1",
    ),
    "unknown key": (
        HEAD + "- {when: {}, set: {}}\nblock: 1",
        "recipes/layers/os/rhel-9.yaml:6: unknown key 'block' (did you mean 'blocks'?); "
        "allowed: blocks, format, layer, scope",
    ),
    "missing key": (
        "format: 1\nlayer: os/rhel-9\nscope: pool",
        "recipes/layers/os/rhel-9.yaml:1: key 'blocks' is missing",
    ),
    "another's name": (
        HEAD.replace("rhel-9", "rhel-8") + "- {when: {}, set: {}}",
        "recipes/layers/os/rhel-9.yaml:2: layer: must be its path; found 'os/rhel-8', expected 'os/rhel-9'",
    ),
    "twice": (
        HEAD + "- {when: {}, set: {}}\nscope: pool",
        "recipes/layers/os/rhel-9.yaml:6: key 'scope' stands twice; first on line 3",
    ),
    "unknown criterion": (
        HEAD + "- {when: {oss: rhel-9}, set: {}}",
        "recipes/layers/os/rhel-9.yaml:5: when.oss: unknown criterion 'oss' (did you mean 'os'?); allowed: "
        "accelerator, architecture, framework, gpu, intent, kubernetes, os, service, sharing",
    ),
    "unknown value": (
        HEAD + "- {when: {sharing: dar}, set: {}}",
        "recipes/layers/os/rhel-9.yaml:5: when.sharing: unknown sharing 'dar' (did you mean 'dra'?); "
        "allowed: dra, dynamic-mig, mig, mps, none, time-slicing",
    ),
    "a pool's criterion in a cluster's layer": (
        HEAD.replace("pool", "cluster") + "- {when: {os: rhel-9}, set: {}}",
        "recipes/layers/os/rhel-9.yaml:5: when.os: is a pool's criterion, which a layer of scope cluster can't read; "
        "say scope: pool",
    ),
    "a number for a version": (
        HEAD + "- {when: {kubernetes: 1.36}, set: {}}",
        "recipes/layers/os/rhel-9.yaml:5: when.kubernetes: must be text; found 1.36; write it in quotes",
    ),
    "matches nothing": (
        HEAD + "- {when: {os: []}, set: {}}",
        "recipes/layers/os/rhel-9.yaml:5: when.os: an empty list matches nothing; "
        "name a value or leave the criterion out",
    ),
    "no section": (
        HEAD + "- {when: {}, set: {host: {a: 1, b: 2}}}",
        "recipes/layers/os/rhel-9.yaml:5: unknown section 'host' (did you mean 'hosts'?); "
        "allowed: artifacts, components, constraints, control_plane, hosts",
    ),
    "component key": (
        HEAD + "- {when: {}, set: {components: {a: {vales: {b: 1}}}}}",
        "recipes/layers/os/rhel-9.yaml:5: components.a: unknown key of component a 'vales' (did you mean 'values'?); "
        "allowed: after, chart, crds, enabled, namespace, repository, values, version",
    ),
    "deleted identity": (
        HEAD + "- {when: {}, set: {components: {a: {version: null}}}}",
        "recipes/layers/os/rhel-9.yaml:5: components.a.version: is what a component is, and can't be deleted",
    ),
    "deleted component": (
        HEAD + "- {when: {}, set: {components: {a: null}}}",
        "recipes/layers/os/rhel-9.yaml:5: components.a: can't be deleted; "
        "a component that should not run has `enabled: false`",
    ),
    "version as a number": (
        HEAD + "- {when: {}, set: {components: {a: {version: 1.10}}}}",
        "recipes/layers/os/rhel-9.yaml:5: components.a.version: must be text; found 1.1; write it in quotes",
    ),
    "bound as a number": (
        HEAD + "- {when: {}, set: {constraints: {a: {at least: 6.10}}}}",
        "recipes/layers/os/rhel-9.yaml:5: constraints.a.at least: found 6.1, a number in which 6.10 is 6.1; "
        "write it in quotes",
    ),
    "severity": (
        HEAD + "- {when: {}, set: {constraints: {a: {severity: warn}}}}",
        "recipes/layers/os/rhel-9.yaml:5: constraints.a.severity: unknown severity 'warn' (did you mean 'warning'?); "
        "allowed: error, warning",
    ),
    "a scalar for a mapping": (
        HEAD + "- {when: {}, set: {hosts: 5}}",
        "recipes/layers/os/rhel-9.yaml:5: hosts: must be a mapping; found 5",
    ),
    "values as text": (
        HEAD + "- {when: {}, set: {components: {a: {values: text}}}}",
        "recipes/layers/os/rhel-9.yaml:5: components.a.values: must be a mapping; found 'text'",
    ),
    "a reason that is none": (
        HEAD + "- {when: {}, set: {hosts: {a: {value: 1, because: 2}}}}",
        "recipes/layers/os/rhel-9.yaml:5: hosts.a: because must be text; found 2; write it in quotes",
    ),
    "a reason for a mapping": (
        HEAD + "- {when: {}, set: {hosts: {a: {value: {b: 1}, because: so}}}}",
        "recipes/layers/os/rhel-9.yaml:5: hosts.a: `value` beside `because` must be a scalar or a list, not a mapping",
    ),
    "charts": (
        HEAD + "- {when: {}, set: {artifacts: {charts: [a]}}}",
        "recipes/layers/os/rhel-9.yaml:5: artifacts.charts: is made from the components; "
        "set the component's chart, version and repository",
    ),
    "date": (
        HEAD + "- {when: {}, set: {hosts: {a: 2026-05-01}}}",
        "recipes/layers/os/rhel-9.yaml:5: found '2026-05-01', a timestamp; write it in quotes",
    ),
    "sixties": (
        HEAD + "- {when: {}, set: {hosts: {a: 22:22}}}",
        "recipes/layers/os/rhel-9.yaml:5: found '22:22', which YAML takes for an unusual number; write it in quotes",
    ),
    "infinity": (
        HEAD + "- {when: {}, set: {hosts: {a: .inf}}}",
        "recipes/layers/os/rhel-9.yaml:5: found '.inf', which YAML takes for an unusual number; write it in quotes",
    ),
    "alias": (
        HEAD + "- {when: {}, set: {hosts: {a: &x [1], b: *x}}}",
        "recipes/layers/os/rhel-9.yaml:5: anchors and aliases are not read; write the value out",
    ),
    "holds itself": (
        HEAD + "- {when: {}, set: {hosts: &x {a: *x}}}",
        "recipes/layers/os/rhel-9.yaml:5: anchors and aliases are not read; write the value out",
    ),
    "a key that is no text": (
        HEAD + "- {when: {}, set: {hosts: {1: 2}}}",
        "recipes/layers/os/rhel-9.yaml:5: a key must be text, not empty; found '1'; write it in quotes",
    ),
    "a tag": (
        HEAD + "- {when: {}, set: {hosts: {a: !!binary aGk=}}}",
        "recipes/layers/os/rhel-9.yaml:5: found 'aGk=', a binary; write it in quotes",
    ),
}


@pytest.mark.parametrize(("text", "said"), SAID.values(), ids=SAID.keys())
def test_a_mistake_is_told_with_its_line(text, said):
    assert problems_of(text) == [said]


def test_a_folder_that_is_unknown_is_told():
    text = HEAD.replace("os/rhel-9", "oss/a") + "- {when: {}, set: {}}"
    assert "a layer is folder/name; unknown folder 'oss' (did you mean 'os'?)" in problems_of(text, "oss/a")[0]


def test_a_word_is_known_where_it_has_a_layer_or_the_caller_knows_it():
    text = HEAD.replace("os/rhel-9", "os/fedora-42") + "- {when: {os: fedora-42, accelerator: h100}, set: {}}"
    assert layers.parse(text, "os/fedora-42", "f", {"accelerator": ["h100"]}).blocks[0].when["os"] == ("fedora-42",)
    assert (
        "unknown accelerator 'h100' (did you mean 'h200'?)"
        in problems_of(text, "os/fedora-42", {"accelerator": ["h200"]})[0]
    )


def test_all_problems_of_all_files_come_at_once(tmp_path):
    for name, text in {
        "os/a.yaml": "format: 1\nlayer: os/b\nscope: pools\nblocks: []\nmore: 1\n",
        "os/c.yml": "format: 1",
        "os/d.yaml": HEAD.replace("rhel-9", "d") + "- {set: {hosts: {a: 1}}}\n- {when: {o: x}, set: {x: 1}}\n- 5\n",
        "os/e.yaml": "a: \xff",
    }.items():
        (tmp_path / "layers" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "layers" / name).write_bytes(text.encode("latin-1"))
    with pytest.raises(ProblemsError) as told:
        layers.read(tmp_path / "layers")
    where = [problem.split("layers/")[1].split(": ")[0] for problem in told.value.problems]
    assert where == [
        *("os/a.yaml:5", "os/a.yaml:2", "os/a.yaml:3", "os/a.yaml:4"),
        "os/c.yml",
        *("os/d.yaml:5", "os/d.yaml:6", "os/d.yaml:6", "os/d.yaml:7"),
        "os/e.yaml",
    ]


def test_a_folder_without_layers_is_told(tmp_path):
    with pytest.raises(ProblemsError, match="holds no layer files"):
        layers.read(tmp_path / "layers")
