"""A lab's record: written whole, read with care."""

import json
import stat

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab.record import PORTS, LabRecord, LabSpec, NodePool, load, pools, rows, write
from tessera.errors import TesseraError

SETTINGS = st.sampled_from(
    [
        {},
        {"sharing": "mig", "profiles": {"1g.10gb": 7}},
        {"sharing": "mig", "layout": [{"gpus": [0, 3], "profiles": {"1g.10gb": 7}}], "slices": {"1g.10gb": 2}},
        {"sharing": "mps", "replicas": 4},
        {"sharing": "dynamic-mig"},
    ]
)
POOLS = st.lists(
    st.builds(
        lambda name, size, settings: NodePool(name, "hgx-h100", size, **settings),
        st.text(max_size=5),
        st.integers(0, 5000),
        SETTINGS,
    ),
    max_size=3,
)


def test_a_record_is_read_as_it_was_saved(home, record):
    record.save(home)
    assert load(home) == record


@given(
    kubernetes=st.text(max_size=5),
    rows=POOLS,
    ports=st.fixed_dictionaries({name: st.integers(1, 65535) for name in PORTS}),
)
@settings(max_examples=30)
def test_any_record_survives_the_round_trip(tmp_path_factory, kubernetes, rows, ports):
    from lab.home import LabHome

    home = LabHome("x", tmp_path_factory.mktemp("lab"))
    record = LabRecord(LabSpec("x", kubernetes, tuple(rows)), "i", ports)
    record.save(home)
    assert load(home) == record


def test_no_record_says_how_to_start_the_lab(home):
    with pytest.raises(TesseraError, match=r"^there is no lab 'lab-a'; start it with `tessera lab up lab-a`$"):
        load(home)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b'{"format": 1, "spec"', id="cut off"),
        pytest.param(b"[]", id="a list"),
        pytest.param(b"null", id="null"),
        pytest.param(b"{}", id="without format"),
        pytest.param(b'{"format": 1}', id="without spec"),
        pytest.param(b'{"format": 1, "spec": {"name": "a", "kubernetes": "1.36", "pools": [{"x": 1}]}}', id="odd pool"),
        pytest.param(b"\xff\xfe", id="no text"),
    ],
)
def test_a_damaged_record_says_so_and_how_to_remove_the_lab(home, text):
    home.record.write_bytes(text)
    with pytest.raises(TesseraError, match=r"lab\.json: damaged .*; `tessera lab down lab-a` removes the lab"):
        load(home)


@pytest.mark.parametrize("ports", [None, {}, [], {"etcd": "x"}])
def test_a_record_with_wrong_ports_is_damaged(home, record, ports):
    record.save(home)
    home.record.write_text(json.dumps(json.loads(home.record.read_text()) | {"ports": ports}))
    with pytest.raises(TesseraError, match="damaged"):
        load(home)


def test_a_record_of_another_format_is_left_to_the_tessera_that_wrote_it(home, record):
    record.save(home)
    home.record.write_text(json.dumps(json.loads(home.record.read_text()) | {"format": 2}))
    with pytest.raises(TesseraError, match=r"lab 'lab-a' was made by another Tessera \(format 2\); use that one"):
        load(home)


def test_a_board_that_no_longer_exists_is_told(home, record):
    record.save(home)
    home.record.write_text(home.record.read_text().replace("hgx-h100", "hgx-h10"))
    with pytest.raises(TesseraError, match="unknown board 'hgx-h10'"):
        load(home)


def test_a_spec_with_an_unknown_board_is_refused():
    with pytest.raises(TesseraError, match="unknown board 'x'"):
        LabSpec("a", "1.36", (NodePool("p", "x", 1),))


def test_pools_are_read_from_plain_rows():
    assert pools([{"name": "a", "board": "hgx-h100", "size": "2"}]) == (NodePool("a", "hgx-h100", 2),)


def test_rows_say_all_of_a_pool_and_are_read_back():
    made = (NodePool("a", "hgx-h100", 2, "mig", {"1g.10gb": 7}), NodePool("b", "pcie-l40s", 1, "mps", replicas=4))
    assert rows(made)[1] == {
        "name": "b",
        "board": "pcie-l40s",
        "size": 1,
        "sharing": "mps",
        "profiles": {},
        "replicas": 4,
        "layout": [],
        "slices": {},
    }
    assert pools(json.loads(json.dumps(rows(made)))) == made


def test_a_record_from_before_there_was_sharing_is_read(home, record):
    record.save(home)
    raw = json.loads(home.record.read_text())
    raw["spec"]["pools"] = [{"name": "h100", "board": "hgx-h100", "size": 2}]
    home.record.write_text(json.dumps(raw))
    assert load(home).spec.pools == (NodePool("h100", "hgx-h100", 2, "dra", {}, 1),)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        pytest.param({"sharing": "mgi"}, "unknown sharing 'mgi'", id="unknown sharing"),
        pytest.param({"sharing": "mig"}, "pool p: sharing mig needs profiles", id="mig without profiles"),
        pytest.param(
            {"profiles": {"1g.10gb": 1}}, "pool p: found profiles with sharing dra", id="profiles without mig"
        ),
        pytest.param(
            {"sharing": "mig", "profiles": {"4g.40gb": 2}}, "pool p: MIG layout of h100-sxm-80", id="too many devices"
        ),
        pytest.param({"sharing": "mps", "replicas": 0}, "pool p: found 0 replicas, allowed 1 or more", id="nothing"),
        pytest.param(
            {"sharing": "mig", "layout": [{"gpus": [8], "profiles": {"1g.10gb": 1}}]},
            "pool p: found GPU 8; board hgx-h100 has 8; allowed: 0 to 7",
            id="a GPU that is not there",
        ),
    ],
)
def test_a_pool_that_can_not_be_is_refused(settings, said):
    with pytest.raises(TesseraError, match=said):
        LabSpec("a", "1.36", (NodePool("p", "hgx-h100", 1, **settings),))


@pytest.mark.parametrize("found", [None, 3, ["h100"], [{"name": "a"}], [{"name": "a", "board": "b", "size": "x"}]])
def test_pools_of_another_form_are_refused(found):
    with pytest.raises(TesseraError, match=r"^pools: write a list of rows with name, board and size"):
        pools(found)


def test_a_file_is_its_owners_alone(tmp_path):
    write(tmp_path / "key", "secret")
    assert stat.S_IMODE((tmp_path / "key").stat().st_mode) == 0o600


def test_a_failed_write_leaves_the_old_file(tmp_path):
    path = tmp_path / "file"
    write(path, "old")
    with pytest.raises(UnicodeEncodeError):
        write(path, "new \udc00")
    assert path.read_text() == "old"
    write(path, "new")
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]
