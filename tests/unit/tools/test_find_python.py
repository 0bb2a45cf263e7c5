"""The Python that make sets up the environment with."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[3] / "tools" / "find_python.sh"


def find(folder):
    """Exit status, output and error with only this folder on PATH, and pyenv in it."""
    for name in ("ls", "sort"):
        (folder / name).symlink_to(shutil.which(name))
    env = {"PATH": str(folder), "PYENV_ROOT": str(folder / "pyenv"), "HOME": str(folder)}
    done = subprocess.run(["/bin/sh", str(SCRIPT)], env=env, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout.strip(), done.stderr


def link(path, target):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(target)


def test_without_a_python_it_says_in_one_sentence_what_to_install(tmp_path):
    status, told, said = find(tmp_path)
    assert (status, told) == (1, "")
    assert said.startswith("tessera: no Python 3.12 or newer on PATH or under pyenv; install one")
    assert said.count("\n") == 1


def test_an_old_python_is_passed_over(tmp_path):
    old = tmp_path / "python3"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    assert find(tmp_path)[0] == 1


def test_the_base_of_an_environment_is_taken_and_not_the_environment(tmp_path):
    """It may be the very one that is about to be made anew."""
    link(tmp_path / "python3.13", sys.executable)
    status, told, _ = find(tmp_path)
    assert status == 0
    assert Path(told).samefile(os.path.realpath(sys.executable))
    assert ".venv" not in told


def test_pyenv_is_looked_into_where_path_has_none(tmp_path):
    link(tmp_path / "pyenv" / "versions" / "3.13.0" / "bin" / "python", os.path.realpath(sys.executable))
    status, told, _ = find(tmp_path)
    assert (status, Path(told).exists()) == (0, True)
