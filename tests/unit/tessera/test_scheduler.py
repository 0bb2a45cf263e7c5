"""The scheduler's settings, and the file that is made of them."""

import pytest

from tessera.errors import ProblemsError
from tessera.scheduler import configuration, scheduler


def test_nothing_said_leaves_all_to_kubernetes():
    made = configuration(scheduler({}), "/conf")
    assert made["profiles"] == [{"schedulerName": "default-scheduler"}]
    assert not {"percentageOfNodesToScore", "parallelism"} & made.keys()
    assert made["clientConnection"]["kubeconfig"] == "/conf"


def test_settings_become_the_words_of_the_file():
    values = {"percentage_of_nodes_to_score": 5, "parallelism": 2, "filter_timeout_s": 0}
    made = configuration(scheduler({**values, "profiles": {"packed": {"scoring": "pack"}}}), "/conf")
    assert (made["percentageOfNodesToScore"], made["parallelism"]) == (5, 2)
    assert [profile["schedulerName"] for profile in made["profiles"]] == ["default-scheduler", "packed"]
    (timeout, fit) = made["profiles"][1]["pluginConfig"]
    assert timeout == {"name": "DynamicResources", "args": {"filterTimeout": "0s"}}
    assert fit["args"]["scoringStrategy"]["type"] == "MostAllocated"


def test_every_mistake_is_told_at_once():
    with pytest.raises(ProblemsError) as refusal:
        scheduler({"percentage_of_nodes_to_score": 101, "paralelism": 2, "profiles": {"p": {"scoring": "random"}}})
    said = refusal.value.problems
    assert len(said) == 3
    assert all(line.startswith("control_plane.scheduler: ") for line in said)
    assert any("did you mean 'parallelism'" in line for line in said)
