"""Which Python the script beside our pulumi runs."""

import subprocess

import pytest

from tools.versions import MODULES

SCRIPT = MODULES / "pulumi" / "pulumi-language-python"


def fake_python(path, name):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'#!/bin/sh\necho {name} "$@"\n')
    path.chmod(0o755)
    return path


@pytest.mark.parametrize(
    ("where", "variable", "expected"),
    [
        pytest.param("project/deep/er", False, "venv", id="the .venv above the program"),
        pytest.param("project", False, "venv", id="the .venv beside the program"),
        pytest.param("project", True, "chosen", id="TESSERA_PYTHON before any .venv"),
        pytest.param("elsewhere", False, "path", id="python3 on PATH where there is no .venv"),
    ],
)
def test_the_python_is_found(tmp_path, where, variable, expected):
    fake_python(tmp_path / "project/.venv/bin/python", "venv")
    fake_python(tmp_path / "bin/python3", "path")
    chosen = fake_python(tmp_path / "chosen", "chosen")
    folder = tmp_path / where
    folder.mkdir(parents=True, exist_ok=True)
    environment = {"PATH": f"{tmp_path / 'bin'}:/usr/bin:/bin"} | ({"TESSERA_PYTHON": str(chosen)} if variable else {})
    said = subprocess.check_output([SCRIPT, "127.0.0.1:5", "a b"], cwd=folder, env=environment, text=True)
    assert said == f"{expected} -m tools.language_host 127.0.0.1:5 a b\n"


def test_without_any_python_it_says_what_to_set(tmp_path):
    dirname = tmp_path / "bin/dirname"
    dirname.parent.mkdir()
    dirname.symlink_to("/usr/bin/dirname")
    done = subprocess.run(
        ["/bin/sh", SCRIPT],
        cwd=tmp_path,
        env={"PATH": str(tmp_path / "bin")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("No Python for the Pulumi program: set TESSERA_PYTHON")
