"""The stack file as the engine hands it over, and how its mistakes are shown."""

import json

import pulumi
import pytest
import yaml

from components.stack_file import read_stack

CLUSTER, POOLS = {"service": "lab"}, [{"name": "h100", "board": "hgx-h100", "size": 1}]


@pytest.fixture
def configured(monkeypatch, tmp_path):
    """Sets the configuration of a stack called dev; its file is written where one is given."""
    monkeypatch.setattr(pulumi, "get_stack", lambda: "dev")
    monkeypatch.setattr(pulumi.runtime, "get_root_directory", lambda: str(tmp_path))

    def configure(values, file=None, secret=()):
        config = {
            f"tessera:{key}": value if isinstance(value, str) else json.dumps(value) for key, value in values.items()
        }
        pulumi.runtime.set_all_config({**config, "aws:region": "us-east-1"}, [f"tessera:{key}" for key in secret])
        if file is not None:
            (tmp_path / "stacks").mkdir()
            (tmp_path / "stacks" / "Pulumi.dev.yaml").write_text(file)
        return pulumi.Config("tessera")

    yield configure
    pulumi.runtime.set_all_config({}, [])


def written(values):
    return "# first line\n" + yaml.safe_dump({"config": {f"tessera:{key}": value for key, value in values.items()}})


def told(config):
    with pytest.raises(pulumi.RunError) as refusal:
        read_stack(config)
    return str(refusal.value).splitlines()


def test_what_is_not_there_takes_its_default(configured):
    read = read_stack(configured({"cluster": CLUSTER, "pools": POOLS}))
    assert (read.cluster.service, read.pools[0].name, read.classes) == ("lab", "h100", ())


def test_every_problem_is_a_line_below_the_files_name(configured):
    assert told(configured({"cluster": {"service": "ekss"}})) == [
        "stacks/Pulumi.dev.yaml can't be used:",
        "  tessera:cluster.service: unknown service 'ekss' (did you mean 'eks'?); allowed: eks, lab, metal",
        "  tessera:pools: missing; allowed: a list of pools",
    ]


def test_problems_name_their_line_where_the_file_is_there(configured):
    values = {"cluster": {"service": "lab"}, "pools": [POOLS[0] | {"board": "hgx-h10"}]}
    _, line = told(configured(values, written(values)))
    assert line.startswith("  stacks/Pulumi.dev.yaml:6: tessera:pools[0].board: unknown board 'hgx-h10'")


def test_a_value_from_elsewhere_has_no_line(configured):
    values = {"cluster": {"service": "lab"}, "pools": POOLS}
    wrong = {**values, "pools": [POOLS[0] | {"board": "hgx-h10"}]}
    _, line = told(configured(wrong, written(values)))
    assert line.startswith("  stacks/Pulumi.dev.yaml: tessera:pools[0].board: unknown board")


def test_a_key_that_is_none_of_ours_is_refused(configured):
    _, line = told(configured({"cluster": CLUSTER, "pools": POOLS, "classses": ["gpu-inference-light"]}))
    assert line.startswith("  tessera:classses: unknown key 'classses' (did you mean 'classes'?)")


def test_a_value_that_is_no_structure_is_told_by_its_key(configured):
    _, line = told(configured({"cluster": "lab", "pools": POOLS}))
    assert line == "  tessera:cluster: found 'lab'; allowed: a mapping"


def test_secrets_are_held_and_not_shown(configured):
    values = {"cluster": CLUSTER, "pools": POOLS, "site": {"pullSecret": "hunter2"}}
    file = written({**values, "site": {"pullSecret": {"secure": "v1:abc"}}})
    read = read_stack(configured(values, file, secret=["site"]))
    assert read.site.pull_secret.reveal() == "hunter2"
    assert "hunter2" not in repr(read)


def test_a_key_encrypted_as_a_whole_is_refused_without_its_words(configured):
    values = {"cluster": CLUSTER, "pools": POOLS, "site": {"proxy": "hunter2"}}
    lines = told(configured(values, secret=["site"]))
    assert lines[1:] == [
        "  tessera:site.proxy: can't be used; tessera:site is encrypted as a whole, so its values are not shown"
    ]


def test_a_service_that_can_not_be_brought_up_yet_is_refused(configured):
    pool = {"name": "h100", "instance": "p5.48xlarge", "os": "ubuntu-24.04", "size": 1}
    values = {"cluster": {"service": "eks"}, "pools": [pool]}
    assert told(configured(values, written(values)))[1:] == [
        "  stacks/Pulumi.dev.yaml:4: tessera:cluster.service: eks is checked, but can't be brought up yet; allowed: lab"
    ]
