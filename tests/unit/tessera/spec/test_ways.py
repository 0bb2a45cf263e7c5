"""Ways to share in a stack file: what is taken, and every mix that can't be, all at once and with its line."""

import pytest

from tessera.errors import ProblemsError
from tessera.sharing.way import Part, Way
from tessera.spec.stack import read_file, stack
from tests.unit.tessera.spec.test_pools import LAB, problems

RTX = LAB | {"board": "pcie-rtx-pro-6000"}
CUT = {"layout": [{"gpus": [0], "profiles": {"1g.24gb": 4}}, {"gpus": [1]}]}


def way(pool, sharing):
    return stack({"cluster": {"service": "lab"}, "pools": [pool | {"sharing": sharing}]}).pools[0].way


@pytest.mark.parametrize(
    ("sharing", "read"),
    [
        pytest.param("dra", Way("dra"), id="claims"),
        pytest.param("dynamic-mig", Way("dynamic-mig"), id="claims that cut"),
        pytest.param("none", Way("none"), id="whole GPUs"),
        pytest.param({"mps": {"replicas": 4}}, Way("mps", replicas=4), id="mps"),
        pytest.param({"time-slicing": {"replicas": 4}}, Way("time-slicing", replicas=4), id="turns"),
        pytest.param({"mig": {"profiles": {"2g.48gb": 2}}}, Way("mig", {"2g.48gb": 2}), id="all GPUs alike"),
        pytest.param(
            {"mig": CUT, "time-slicing": {"replicas": 4, "profiles": {"1g.24gb": 2}}},
            Way("mig", {}, (Part((0,), {"1g.24gb": 4}), Part((1,), {})), 4, {"1g.24gb": 2}),
            id="the GPUs one by one, and turns on both",
        ),
        pytest.param(
            {"mig": {"profiles": {"1g.24gb": 4}}, "time-slicing": {"profiles": {"1g.24gb": 2}}},
            Way("mig", {"1g.24gb": 4}, (), 1, {"1g.24gb": 2}),
            id="turns on MIG devices alone",
        ),
    ],
)
def test_a_way_to_share_is_read(sharing, read):
    assert way(RTX, sharing) == read


def layout(*rows):
    return {"mig": {"layout": list(rows)}}


@pytest.mark.parametrize(
    ("pool", "sharing", "line"),
    [
        pytest.param(
            LAB | {"board": "pcie-l40s"},
            {"mig": CUT},
            ".sharing: found mig; board pcie-l40s has no MIG (l40s); allowed: dra, none, mps, time-slicing",
            id="MIG on L40S",
        ),
        pytest.param(
            RTX,
            layout({"gpus": [0], "profiles": {"1g.10gb": 1}}),
            ".sharing.mig.layout[0].profiles['1g.10gb']: unknown MIG profile '1g.10gb'",
            id="profile of another GPU",
        ),
        pytest.param(
            RTX,
            layout({"gpus": [0], "profiles": {"1g.24gb": 5}}),
            ".sharing.mig.layout[0].profiles: MIG layout of rtx-pro-6000-se: too many of 1g.24gb; found 5, allowed 4",
            id="too much on one GPU",
        ),
        pytest.param(
            RTX,
            layout({"gpus": [8], "profiles": {"1g.24gb": 4}}),
            ".sharing.mig.layout[0].gpus[0]: found GPU 8; board pcie-rtx-pro-6000 has 8; allowed: 0 to 7",
            id="GPU that is not there",
        ),
        pytest.param(
            RTX,
            layout({"gpus": [0, 1], "profiles": {"1g.24gb": 4}}, {"gpus": [1]}),
            ".sharing.mig.layout[1].gpus[0]: GPU 1 is taken by layout[0].gpus[1]; each may be there once",
            id="GPU that is there twice",
        ),
        pytest.param(RTX, layout({"gpus": [0]}), ".sharing.mig.layout: cuts no GPU; allowed:", id="cuts nothing"),
        pytest.param(RTX, layout(), ".sharing.mig.layout: is empty; cut something", id="an empty layout"),
        pytest.param(RTX, {"mig": {"profiles": {}}}, ".sharing.mig.profiles: is empty; cut something", id="no profile"),
        pytest.param(
            RTX,
            layout({"gpus": [], "profiles": {"1g.24gb": 4}}),
            ".sharing.mig.layout[0].gpus: found a list",
            id="a row without a GPU",
        ),
        pytest.param(
            RTX,
            {"mig": CUT | {"profiles": {"1g.24gb": 4}}},
            ".sharing.mig: found layout and profiles; allowed: exactly one of them",
            id="two layouts",
        ),
        pytest.param(
            RTX, {"mig": {}}, ".sharing.mig: found neither layout nor profiles; allowed: exactly one", id="no layout"
        ),
        pytest.param(
            RTX,
            {"mig": CUT, "mps": {"replicas": 2}},
            ".sharing: found mig and mps; MPS of the device plugin does not serve MIG devices; "
            "allowed: mig alone or with time-slicing",
            id="MPS with MIG devices",
        ),
        pytest.param(
            RTX | {"labels": {"team": "a", "nvidia.com/gpu.deploy.device-plugin": "true"}},
            "dra",
            ".labels['nvidia.com/gpu.deploy.device-plugin']: is set from what the pool says of sharing; take it out",
            id="a label that is the operator's",
        ),
        pytest.param(
            RTX | {"labels": {"tessera.dev/allocator": "any"}},
            "dra",
            ".labels['tessera.dev/allocator']: is set from what the pool says of sharing; take it out",
            id="a label that is ours",
        ),
        pytest.param(
            RTX,
            {"time-slicing": {"replicas": 2}, "mps": {"replicas": 2}},
            ".sharing: found mps and time-slicing; the device plugin shares the GPUs of a node in one way",
            id="time-slicing with MPS",
        ),
        pytest.param(
            RTX, {}, ".sharing: found none of its keys; allowed: one of mig, mps, time-slicing, or mig with", id="none"
        ),
        pytest.param(
            RTX,
            {"time-slicing": {"replicas": 1}},
            ".sharing.time-slicing.replicas: found 1, a number; allowed: a whole number, 2 to 1000",
            id="one turn",
        ),
        pytest.param(
            RTX,
            {"time-slicing": {}},
            ".sharing.time-slicing.replicas: missing; allowed: a whole number, 2 to 1000",
            id="no turns",
        ),
        pytest.param(
            RTX,
            {"mig": CUT, "time-slicing": {}},
            ".sharing.time-slicing: found neither replicas nor profiles; allowed:",
            id="no turns beside MIG",
        ),
        pytest.param(
            RTX,
            {"time-slicing": {"replicas": 2, "profiles": {"1g.24gb": 2}}},
            ".sharing.time-slicing.profiles: the pool has no MIG devices; allowed: beside mig only",
            id="turns on MIG devices that nobody cuts",
        ),
        pytest.param(
            RTX,
            {"mig": CUT, "time-slicing": {"profiles": {"2g.48gb": 2}}},
            ".sharing.time-slicing.profiles['2g.48gb']: no GPU of the pool is cut into 2g.48gb; allowed: 1g.24gb",
            id="turns on a profile that is not cut",
        ),
        pytest.param(
            RTX,
            {"mig": {"profiles": {"1g.24gb": 4}}, "time-slicing": {"replicas": 4}},
            ".sharing.time-slicing.replicas: found 4, which are pods on a whole GPU, but every GPU is cut; allowed:",
            id="turns on whole GPUs that are not there",
        ),
        pytest.param(
            RTX,
            {"mps": {"replicas": 49}},
            ".sharing.mps.replicas: found 49, a number; allowed: a whole number, 2 to 48",
            id="more clients than MPS has",
        ),
    ],
)
def test_a_way_that_can_not_be_is_told_with_what_is_allowed(pool, sharing, line):
    assert problems("lab", pool | {"sharing": sharing})[0].startswith(f"tessera:pools[0]{line}")


def test_trays_that_would_have_no_compute_domains_are_refused():
    tray, h100 = LAB | {"board": "gb200-nvl72-tray", "sharing": "none"}, LAB | {"name": "h100"}
    (line,) = problems("lab", h100, tray)
    assert line.startswith("tessera:pools[1].sharing: found none; its machines join NVLink domains, and h100 has GPUs")
    assert stack({"cluster": {"service": "lab"}, "pools": [tray, h100 | {"sharing": "none"}]})


def test_a_pool_is_seen_by_sharing_unless_it_has_no_gpus():
    (read,) = stack({"cluster": {"service": "lab"}, "pools": [RTX | {"sharing": "none"}]}).pools
    assert (read.shared.name, read.shared.machine.key, read.shared.way) == ("p", "pcie-rtx-pro-6000", Way("none"))
    host = {"name": "n1", "address": "10.0.0.1", "role": "control-plane"}
    bare = {"name": "p", "os": "ubuntu-24.04", "hosts": [host]}
    assert stack({"cluster": {"service": "metal"}, "pools": [bare]}).pools[0].shared is None


WRONG = """\
config:
  tessera:cluster: {service: lab}
  tessera:pools:
    - name: a
      board: pcie-l40s
      size: 1
      sharing: {mig: {profiles: {1g.10gb: 1}}}
    - name: b
      board: pcie-rtx-pro-6000
      size: 1
      sharing:
        mig:
          layout:
            - gpus: [0]
              profiles: {1g.24gb: 5}
            - gpus: [9]
        mps: {replicas: 1}
    - name: c
      board: hgx-h100
      size: 1
      sharing:
        mig: {profiles: {1g.24gb: 2}}
        time-slicing: {replicas: 4}
"""


def test_all_wrong_ways_are_told_at_once_each_with_its_line(tmp_path):
    path = tmp_path / "Pulumi.s.yaml"
    path.write_text(WRONG)
    with pytest.raises(ProblemsError) as refusal:
        read_file(path)
    told = [line.partition("Pulumi.s.yaml:")[2].split(": ")[:2] for line in refusal.value.problems]
    assert told == [
        ["7", "tessera:pools[0].sharing"],
        ["11", "tessera:pools[1].sharing"],
        ["15", "tessera:pools[1].sharing.mig.layout[0].profiles"],
        ["16", "tessera:pools[1].sharing.mig.layout[1].gpus[0]"],
        ["17", "tessera:pools[1].sharing.mps.replicas"],
        ["22", "tessera:pools[2].sharing.mig.profiles['1g.24gb']"],
        ["23", "tessera:pools[2].sharing.time-slicing.replicas"],
    ]
