"""The stack file as the engine hands it over, and how its mistakes are shown."""

import json

import pulumi
import pytest

from components.stack_file import read_stack

CLUSTER, POOLS = json.dumps({"service": "lab"}), json.dumps([{"name": "h100", "board": "hgx-h100", "size": 1}])


@pytest.fixture
def configured(monkeypatch):
    """Sets the configuration of a stack called dev."""
    monkeypatch.setattr(pulumi, "get_stack", lambda: "dev")

    def configure(**values):
        pulumi.runtime.set_all_config({f"tessera:{key}": value for key, value in values.items()})
        return pulumi.Config("tessera")

    yield configure
    pulumi.runtime.set_all_config({})


def test_what_is_not_there_takes_its_default(configured):
    read = read_stack(configured(cluster=CLUSTER, pools=POOLS))
    assert (read.cluster.service, read.pools[0].name, read.classes) == ("lab", "h100", ())


def test_every_problem_is_a_line_below_the_files_name(configured):
    with pytest.raises(pulumi.RunError) as refusal:
        read_stack(configured(cluster=json.dumps({"service": "eks"})))
    head, *lines = str(refusal.value).splitlines()
    assert head == "stacks/Pulumi.dev.yaml can't be used:"
    assert lines == [
        "  tessera:cluster.service: input should be 'lab'; found 'eks'",
        "  tessera:pools: field required",
    ]


@pytest.mark.xfail(reason="bug: a misspelt key of the stack file is passed over in silence")
def test_a_key_that_is_none_of_ours_is_refused(configured):
    with pytest.raises(pulumi.RunError, match="classses"):
        read_stack(configured(cluster=CLUSTER, pools=POOLS, classses='["gpu-fast-inference"]'))


def test_a_value_that_is_no_structure_is_told_by_its_key(configured):
    with pytest.raises(pulumi.RunError, match="tessera:cluster"):
        read_stack(configured(cluster="lab", pools=POOLS))
