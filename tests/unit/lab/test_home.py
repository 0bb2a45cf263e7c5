"""Where a lab lives, and which names can be a lab's."""

import stat
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab.home import lab_home, lab_homes, state_dir
from tessera.errors import TesseraError


@pytest.mark.parametrize("name", ["a", "lab", "lab-a", "0", "a" * 48, "a--b"])
def test_a_good_name_is_a_folder_below_labs(state, name):
    assert lab_home(name).root == state / "labs" / name


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("", id="empty"),
        pytest.param(".", id="here"),
        pytest.param("..", id="above"),
        pytest.param("../a", id="path upwards"),
        pytest.param("/a", id="absolute path"),
        pytest.param("a/b", id="path downwards"),
        pytest.param("a\\b", id="backslash"),
        pytest.param("a\0", id="zero byte"),
        pytest.param("a\n", id="end of line"),
        pytest.param("-a", id="leading dash"),
        pytest.param("a-", id="trailing dash"),
        pytest.param("A", id="capital"),
        pytest.param("a_b", id="underscore"),
        pytest.param("a.b", id="dot"),
        pytest.param("a:b", id="colon"),
        pytest.param("ä", id="umlaut"),
        pytest.param("а", id="Cyrillic a"),
        pytest.param("٣", id="Arabic digit"),
        pytest.param("a" * 49, id="too long"),
    ],
)
def test_a_name_that_is_no_folders_is_refused_with_an_example(name):
    with pytest.raises(TesseraError, match="use small letters, digits and dashes, at most 48, such as lab-a"):
        lab_home(name)


@given(st.text(alphabet="ab09-./\\:A_ é\n\0~", max_size=50))
@settings(max_examples=100)
def test_whatever_the_name_the_folder_is_directly_below_labs(name):
    try:
        assert lab_home(name).root.resolve().parent == (state_dir() / "labs").resolve()
    except TesseraError as error:
        assert repr(name) in str(error)  # noqa: PT017 - either outcome is right


@pytest.mark.parametrize(
    ("environment", "folder"),
    [
        pytest.param({"TESSERA_HOME": "/t", "XDG_STATE_HOME": "/x"}, "/t", id="Tessera's own variable"),
        pytest.param({"XDG_STATE_HOME": "/x"}, "/x/tessera", id="the desktop's variable"),
        pytest.param({}, "/h/.local/state/tessera", id="neither"),
        pytest.param({"TESSERA_HOME": "", "XDG_STATE_HOME": ""}, "/h/.local/state/tessera", id="both empty"),
    ],
)
def test_state_is_where_the_environment_says(monkeypatch, environment, folder):
    for name in ("TESSERA_HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"HOME": "/h", **environment}.items():
        monkeypatch.setenv(name, value)
    assert str(state_dir()) == folder


def test_a_relative_state_folder_is_taken_from_where_we_are(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TESSERA_HOME", "here")
    assert state_dir() == tmp_path / "here"


def test_only_the_owner_can_look_into_a_lab(home):
    for path in (home.root, home.pki, home.conf, home.etcd, home.logs):
        assert stat.S_IMODE(path.stat().st_mode) == 0o700


def test_a_lab_exists_where_its_record_and_its_data_do(home):
    assert not home.exists()
    home.record.touch()
    assert home.exists()
    home.etcd.rmdir()
    assert not home.exists()


def test_making_and_removing_may_be_repeated(home):
    home.make()
    home.remove()
    home.remove()
    assert not home.root.exists()


def test_labs_are_listed_by_name_without_their_locks():
    assert lab_homes() == []
    for name in ("b", "a"):
        lab_home(name).make()
        with lab_home(name).locked():
            pass
    assert [home.name for home in lab_homes()] == ["a", "b"]


def test_a_lab_that_is_being_changed_is_not_changed_by_another(home):
    held, done = threading.Event(), threading.Event()

    def hold():
        with home.locked():
            held.set()
            done.wait(10)

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait(10)
    try:
        with pytest.raises(TesseraError, match="lab 'lab-a': another command has been changing it"), home.locked(0.05):
            pass
    finally:
        done.set()
        thread.join()
    with home.locked(1):
        pass
