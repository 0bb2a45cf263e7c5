"""Builds with the real Go, into a cache of its own."""

import os
import subprocess
import sys

import pytest

from tools import compiler, versions
from tools.errors import ToolError
from tools.root import root
from tools.toolset import ensure

pytestmark = pytest.mark.build


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("TESSERA_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("TESSERA_TOOLS_PATH", "ignore")


def test_kwok_is_built_and_then_found_without_go(monkeypatch):
    built = ensure(["kwok"])
    said = subprocess.check_output([built.path("kwok"), "--version"], text=True)
    assert said.startswith(f"kwok version v{built.version('kwok')} ")

    def refuse(*arguments, **named):
        raise AssertionError(f"{arguments} was run")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    assert ensure(["kwok"]) == built


def test_an_interrupted_build_leaves_nothing_and_can_be_repeated(monkeypatch):
    def interrupt(step):
        if step.stage == "work":
            raise KeyboardInterrupt

    # An empty build cache makes sure that there is something to interrupt.
    with monkeypatch.context() as patch:
        patch.setenv("GOCACHE", str(root() / "gocache"))
        patch.setattr(compiler, "TICK", 0.2)
        with pytest.raises(KeyboardInterrupt):
            ensure(["etcd"], report=interrupt)
    assert list((root() / "tools" / "etcd").iterdir()) == []
    assert processes_below(root()) == []
    assert ensure(["etcd"]).version("etcd") == versions.tools("1.36")["etcd"].version


def test_a_download_that_is_refused_names_the_module(tmp_path, monkeypatch):
    monkeypatch.setenv("GOMODCACHE", str(tmp_path / "modules"))
    monkeypatch.setenv("GOPROXY", "off")
    with pytest.raises(ToolError, match=r"sigs\.k8s\.io/kwok@v0\.8\.0 is not on this machine"):
        ensure(["kwok"])


def test_a_process_of_its_own_finds_what_another_built():
    built = ensure(["kwok"])
    code = "from tools.toolset import ensure; print(ensure(['kwok']).path('kwok'))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ)
    assert (done.stdout.strip(), done.stderr) == (str(built.path("kwok")), "")


def processes_below(folder) -> list[str]:
    """The command lines of running processes that name this folder."""
    listed = subprocess.check_output(["ps", "-eo", "args"], text=True)
    return [line for line in listed.splitlines() if str(folder) in line]
