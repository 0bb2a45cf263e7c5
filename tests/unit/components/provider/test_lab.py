"""tessera:lab:Lab on hand-made labs without a process."""

import dataclasses

import pytest

from components.provider.lab import LabResource
from components.provider.resource import Call, PartialError
from components.provider.wire import UNKNOWN, Secret
from lab.home import lab_home
from lab.parts import NAMES
from lab.record import PORTS, LabRecord, LabSpec, NodePool, load
from tessera.errors import TesseraError

POOLS = [{"name": "h100", "board": "hgx-h100", "size": 2}]
INPUTS = {"name": "lab-a", "kubernetes": "1.36", "pools": POOLS}
STATE = {**INPUTS, "instance": "0123", "server": "https://127.0.0.1:2", "kubeconfig": "k", "parts": list(NAMES)}
CALL = Call("urn:pulumi:dev::tessera::tessera:lab:Lab::x", lambda line: None)


@pytest.fixture
def home():
    """A lab as it was made, with its processes dead."""
    home = lab_home("lab-a")
    home.make()
    spec = LabSpec("lab-a", "1.36", (NodePool("h100", "hgx-h100", 2),))
    LabRecord(spec, "0123", {name: 1 + at for at, name in enumerate(PORTS)}).save(home)
    home.kubeconfig.write_text("a kubeconfig")
    return home


@pytest.fixture
def healthy(home, monkeypatch):
    """The same, as if every part served."""
    monkeypatch.setattr("components.provider.lab.faults.faults", lambda home, record: [])
    return home


def diff(state=STATE, old=INPUTS, **changes):
    return LabResource().diff(CALL, "lab-a", state, old, {**INPUTS, **changes})


def check(**inputs):
    return LabResource().check(CALL, inputs)


def test_the_name_defaults_to_the_stacks():
    assert check() == ({"name": "dev", "kubernetes": "1.36", "pools": [], "scheduler": {}}, {})


def test_every_wrong_input_gets_its_reason():
    _, reasons = check(name="Lab A", pools=[{"name": "p", "board": "hgx-h10", "size": 1}])
    assert reasons["name"].startswith("lab name 'Lab A': use small letters")
    assert reasons["pools"].startswith("unknown board 'hgx-h10' (did you mean 'hgx-h100'?)")


def test_pools_are_spelt_out():
    filled, reasons = check(pools=[{"name": "p", "board": "hgx-h100", "size": 1.0, "replicas": 1.0}])
    assert reasons == {}
    assert filled["pools"] == [
        {"name": "p", "board": "hgx-h100", "size": 1, "sharing": "dra", "profiles": {}, "replicas": 1}
        | {"layout": [], "slices": {}}
    ]


def test_a_sharing_that_the_hardware_can_not_do_gets_a_reason():
    _, reasons = check(pools=[{"name": "p", "board": "pcie-l40s", "size": 1, "sharing": "mig", "profiles": {"1g": 1}}])
    assert reasons["pools"] == (
        "pool p: found mig; board pcie-l40s has no MIG (l40s); allowed: dra, none, mps, time-slicing"
    )


def test_unknown_inputs_are_not_judged_yet():
    assert check(name="Lab A", pools=[{"name": "p", "board": UNKNOWN, "size": 1}])[1] == {}


@pytest.mark.parametrize(
    "pools",
    [
        pytest.param([{"name": "p", "size": 1}], id="no board"),
        pytest.param([{"name": "p", "board": "hgx-h100", "size": "two"}], id="size in letters"),
        pytest.param("h100", id="no list"),
    ],
)
def test_pools_of_another_form_get_a_reason(pools):
    assert "pools" in check(pools=pools)[1]


def test_a_lab_as_wanted_has_no_difference(healthy):
    found = diff()
    assert (found.changed, found.replaced, found.notes) == ((), (), ())


@pytest.mark.parametrize("setting", [{"sharing": "dra"}, {"profiles": {}}, {"replicas": 1.0}])
def test_a_default_that_is_spelt_out_is_no_difference(healthy, setting):
    assert diff(pools=[{**POOLS[0], **setting}]).changed == ()


@pytest.mark.parametrize("sharing", ["dynamic-mig", "none"])
def test_another_sharing_is_a_change_and_keeps_the_lab(healthy, sharing):
    found = diff(pools=[{**POOLS[0], "sharing": sharing}])
    assert (found.changed, found.replaced) == (("pools",), ())


def test_other_pools_are_a_change(healthy):
    found = diff(pools=[{**POOLS[0], "size": 3}])
    assert (found.changed, found.replaced) == (("pools",), ())


@pytest.mark.parametrize(("key", "value"), [("name", "lab-b"), ("kubernetes", "1.37")])
def test_another_name_or_kubernetes_is_another_lab(healthy, key, value):
    assert diff(**{key: value}).replaced == (key,)


def test_dead_parts_are_a_change_with_a_note_each(home):
    found = diff()
    assert (found.changed, found.replaced) == (("parts",), ())
    assert len(found.notes) == len(NAMES)
    assert found.notes[0].startswith("etcd is not running")
    assert all(note.endswith("; an update repairs it") for note in found.notes)


@pytest.mark.parametrize("lost", ["folder", "record", "data of etcd"])
def test_a_lab_whose_data_is_gone_is_made_anew(home, lost):
    {"folder": home.remove, "record": home.record.unlink, "data of etcd": home.etcd.rmdir}[lost]()
    found = diff()
    assert (found.changed, found.replaced) == ((), ("instance",))
    assert found.notes == ("the state folder of lab lab-a is gone: the lab and all that is on it are made anew",)


@pytest.mark.parametrize("instance", ["9999", ""])
def test_a_lab_that_was_made_behind_the_stack_is_made_anew(home, instance):
    found = diff(state={**STATE, "instance": instance})
    assert found.replaced == ("instance",)
    assert found.notes == ("lab lab-a was made anew behind this stack: all that is on it is made again",)


def test_a_damaged_record_is_told_and_never_taken_for_a_lost_lab(home):
    home.record.write_text("{")
    with pytest.raises(TesseraError, match="damaged"):
        diff()


def test_a_preview_of_a_new_lab_knows_all_but_its_data():
    planned = LabResource().plan(None, {}, INPUTS)
    assert planned == {**INPUTS, "instance": UNKNOWN, "server": UNKNOWN, "kubeconfig": UNKNOWN, "parts": list(NAMES)}


def test_a_preview_of_a_repair_keeps_address_and_certificates():
    planned = LabResource().plan("lab-a", {**STATE, "parts": ["etcd"]}, INPUTS)
    assert planned == {**STATE, "kubeconfig": Secret("k")}


def test_a_preview_does_not_know_an_address_whose_port_was_taken(home, monkeypatch):
    monkeypatch.setattr("components.provider.lab.faults.api_moves", lambda home: True)
    planned = LabResource().plan("lab-a", STATE, INPUTS)
    assert (planned["server"], planned["kubeconfig"], planned["instance"]) == (UNKNOWN, UNKNOWN, "0123")


def test_read_tells_what_is_really_there(home):
    record = load(home)
    dataclasses.replace(record, spec=dataclasses.replace(record.spec, pools=())).save(home)
    inputs, state = LabResource().read(CALL, "lab-a", INPUTS)
    assert inputs == {**INPUTS, "pools": [], "scheduler": {}}
    assert state == {
        **inputs,
        "instance": "0123",
        "server": f"https://127.0.0.1:{record.ports['kube-apiserver']}",
        "kubeconfig": Secret("a kubeconfig"),
        "parts": [],
    }


def test_read_of_a_lost_lab_keeps_it_in_the_stack_without_an_instance(home):
    home.remove()
    assert LabResource().read(CALL, "lab-a", INPUTS) == (INPUTS, {**INPUTS, "instance": "", "parts": []})


def test_an_import_of_a_lab_that_is_not_there_finds_nothing():
    assert LabResource().read(CALL, "lab-a", {}) is None


def test_delete_removes_the_folder_and_forgives_a_lab_that_is_gone(home):
    for _ in range(2):
        LabResource().delete(CALL, "lab-a")
        assert not home.root.exists()


def test_a_create_that_fails_gives_id_and_state(home, monkeypatch):
    def up(spec, control):
        raise TesseraError("kwok ended at once")

    monkeypatch.setattr("components.provider.lab.lifecycle.up", up)
    with pytest.raises(PartialError, match=r"^kwok ended at once$") as failure:
        LabResource().create(CALL, INPUTS)
    assert failure.value.resource_id == "lab-a"
    assert (failure.value.state["instance"], failure.value.state["parts"]) == ("0123", [])


def test_a_lab_at_another_address_is_a_change(healthy):
    """`tessera lab up` takes new ports where others took the old ones; the stack's kubeconfig is then wrong."""
    assert diff(state={**STATE, "server": "https://127.0.0.1:9"}).changed
