"""The real engine, with the stand-in for the Python language host."""

import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

ROOT = Path(__file__).parents[2]
EMPTY_PACK = Path(__file__).with_name("policy-empty")
DEADLINE_S = 60

pytestmark = pytest.mark.engine


def pulumi_binary():
    """The CLI that TESSERA_TEST_PULUMI names, else the one that our tools find or build."""
    named = os.environ.get("TESSERA_TEST_PULUMI")
    if named:
        return Path(named)
    from tools.toolset import ensure

    return ensure(["pulumi"]).path("pulumi")


@pytest.fixture(scope="session")
def binaries(tmp_path_factory):
    """A folder for PATH whose pulumi is the real CLI, and whose language host is the stand-in."""
    folder = tmp_path_factory.mktemp("bin")
    (folder / "pulumi").symlink_to(pulumi_binary())
    script = folder / "pulumi-language-python"
    command = f'cd {shlex.quote(str(ROOT))} && exec {shlex.quote(sys.executable)} -m tools.language_host "$@"'
    script.write_text(f"#!/bin/sh\n{command}\n")
    script.chmod(0o755)
    return folder


class Project:
    """A Pulumi project in a folder of its own, with its own backend and PULUMI_HOME."""

    def __init__(self, path, binaries):
        self.path = path / "project"
        for name in ("project", "home", "state"):
            (path / name).mkdir()
        self.pulumi = binaries / "pulumi"
        self.env = {
            "PATH": f"{binaries}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(path / "home"),
            "PULUMI_HOME": str(path / "home"),
            "PULUMI_CONFIG_PASSPHRASE": "",
            "PULUMI_SKIP_UPDATE_CHECK": "true",
            "PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION": "true",
        }
        self.write("Pulumi.yaml", f"name: tiny\nruntime: python\nbackend: {{url: 'file://{path / 'state'}'}}\n")
        self.run("stack", "init", "lab")

    def write(self, name, text):
        (self.path / name).write_text(text)

    def start(self, *arguments):
        return subprocess.Popen(
            [self.pulumi, *arguments, "--non-interactive", "--color=never"],
            cwd=self.path,
            env=self.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def run(self, *arguments, code=0):
        with self.start(*arguments) as process:
            output, _ = process.communicate(timeout=DEADLINE_S)
        assert (process.returncode != 0) == (code != 0), output
        return output

    def up(self, *arguments, code=0):
        return self.run("up", "--yes", "--skip-preview", *arguments, code=code)


@pytest.fixture
def project(tmp_path, binaries):
    return Project(tmp_path, binaries)


def until(condition):
    deadline = time.monotonic() + DEADLINE_S
    while not condition():
        assert time.monotonic() < deadline, "still not so"
        time.sleep(0.01)


def gone(process):
    try:
        return process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def test_a_program_comes_up_stays_and_goes(project):
    project.write("helper.py", "import pulumi\nANSWER = pulumi.Config().get_int('answer')\n")
    project.write(
        "__main__.py",
        "import os, sys\nimport pulumi\nfrom helper import ANSWER\n"
        "print('said on stdout')\nprint('said on stderr', file=sys.stderr)\n"
        "pulumi.export('answer', ANSWER)\npulumi.export('stack', pulumi.get_stack())\n"
        "pulumi.export('cwd', os.getcwd())\n",
    )
    project.run("config", "set", "answer", "42")
    said = project.run("up", "--yes")  # with its preview: both runs in one engine
    assert said.count("said on stdout") >= 2
    assert "said on stderr" in said
    assert project.run("stack", "output", "answer").split() == ["42"]
    assert project.run("stack", "output", "stack").split() == ["lab"]
    assert project.run("stack", "output", "cwd").split() == [str(project.path)]
    assert "1 unchanged" in project.run("preview", "--expect-no-changes")
    assert "1 deleted" in project.run("destroy", "--yes", "--skip-preview")


def test_a_module_that_declares_resources_is_run_again_for_the_update(project):
    # Were both runs in one process, the update would find `part` imported, and its resource missing.
    project.write("part.py", "import pulumi\npulumi.ComponentResource('test:index:Part', 'part')\n")
    project.write("__main__.py", "import part\n")
    assert "2 created" in project.run("up", "--yes")


def test_an_error_shows_the_users_file_and_line_and_nothing_of_ours(project):
    project.write("broken.py", "def fail():\n    raise ValueError('boom')\n")
    project.write("__main__.py", "import broken\n\nbroken.fail()\n")
    said = project.up(code=1)
    assert f'File "{project.path}/__main__.py", line 3, in <module>' in said
    assert f'File "{project.path}/broken.py", line 2, in fail' in said
    assert "ValueError: boom" in said
    assert "language_host" not in said
    assert "runpy" not in said
    assert "unhandled" not in said  # it is said once


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        (
            "import pulumi\npulumi.Output.from_input(0).apply(lambda n:\n  1 / n)\n",
            'FOLDER/__main__.py", line 3, in <lambda>',
        ),
        ("x = (1,\n", 'FOLDER/__main__.py", line 1'),
        ("import sys\nsys.exit(3)\n", "The program called sys.exit: exited with code 3"),
        ("import sys\nsys.exit('set a region first')\n", "The program called sys.exit: set a region first"),
        ("import pulumi\nraise pulumi.RunError('no region')\n", "error: no region"),
        ("import os\nos._exit(7)\n", "The program's process exited with code 7"),
        ("import os\nos.kill(os.getpid(), 9)\n", "The program's process was killed by SIGKILL"),
        (None, "No Pulumi program: FOLDER/__main__.py does not exist"),
    ],
    ids=["apply", "syntax", "exit code", "exit text", "RunError", "_exit", "killed", "no main"],
)
def test_a_program_that_fails_fails_the_update_and_says_how(project, source, shown):
    if source is not None:
        project.write("__main__.py", source)
    said = project.up(code=1)
    assert shown.replace("FOLDER", str(project.path)) in said
    assert "language_host" not in said.replace("pulumi-language-python", "")


def test_a_program_may_end_early_with_sys_exit(project):
    project.write("__main__.py", "import pulumi, sys\npulumi.export('early', 1)\nsys.exit()\n")
    project.up()
    assert project.run("stack", "output", "early").split() == ["1"]


def test_an_empty_policy_pack_is_run(project):
    project.write("__main__.py", "import pulumi\npulumi.export('answer', 42)\n")
    said = project.up("--policy-pack", str(EMPTY_PACK))
    assert "empty@v0.0.1" in said


def test_a_mandatory_violation_fails_the_update(project, tmp_path):
    pack = tmp_path / "pack"
    pack.mkdir()
    shutil.copy(EMPTY_PACK / "PulumiPolicy.yaml", pack)
    shutil.copy(EMPTY_PACK / "__main__.py", pack / "empty.py")
    (pack / "__main__.py").write_text(
        "from empty import EmptyPack, pb, serve\n\n\n"
        "class Strict(EmptyPack):\n"
        "    def Analyze(self, request, context):\n"
        "        if request.type != 'test:index:Bad':\n"
        "            return pb.AnalyzeResponse()\n"
        "        return pb.AnalyzeResponse(diagnostics=[pb.AnalyzeDiagnostic(\n"
        "            policyName='none-bad', policyPackName='empty', policyPackVersion='0.0.1',\n"
        "            message='bad is not allowed', urn=request.urn, enforcementLevel=pb.MANDATORY)])\n\n\n"
        "serve(Strict())\n"
    )
    project.write("__main__.py", "import pulumi\npulumi.ComponentResource('test:index:Bad', 'bad')\n")
    said = project.up("--policy-pack", str(pack), code=1)
    assert "bad is not allowed" in said
    assert "mandatory" in said


def test_a_policy_pack_that_does_not_start_says_why(project, tmp_path):
    pack = tmp_path / "pack"
    pack.mkdir()
    shutil.copy(EMPTY_PACK / "PulumiPolicy.yaml", pack)
    (pack / "__main__.py").write_text("import nothing_of_that_name\n")
    project.write("__main__.py", "")
    said = project.up("--policy-pack", str(pack), code=1)
    assert "No module named 'nothing_of_that_name'" in said


def test_a_provider_in_a_folder_is_run(project, tmp_path):
    folder = tmp_path / "toy"
    folder.mkdir()
    (folder / "PulumiPlugin.yaml").write_text("runtime: python\n")
    (folder / "__main__.py").write_text(
        "import sys\n"
        "from pulumi.provider.experimental import provider as p\n"
        "from pulumi.provider.experimental.server import main\n\n\n"
        "class Toy(p.Provider):\n"
        "    async def check(self, request):\n"
        "        return p.CheckResponse(inputs=request.new_inputs)\n\n"
        "    async def create(self, request):\n"
        "        return p.CreateResponse(resource_id='one', properties=request.properties)\n\n"
        "    async def diff(self, request):\n"
        "        return p.DiffResponse(changes=False)\n\n"
        "    async def delete(self, request):\n"
        "        return None\n\n\n"
        "main(sys.argv[1:], '0.0.1', Toy())\n"
    )
    with (project.path / "Pulumi.yaml").open("a") as file:
        file.write(f"plugins: {{providers: [{{name: toy, path: '{folder}'}}]}}\n")
    project.write("__main__.py", "import pulumi\npulumi.CustomResource('toy:index:Thing', 'thing', {'size': 1})\n")
    assert "2 created" in project.up()
    assert "2 unchanged" in project.run("preview", "--expect-no-changes")
    assert "2 deleted" in project.run("destroy", "--yes", "--skip-preview")


def test_ctrl_c_leaves_no_process(project):
    project.write(
        "__main__.py",
        "import subprocess, time\n"
        "subprocess.Popen(['/bin/sh', '-c', \"trap '' INT TERM; while :; do sleep 600; done\"])\n"
        "open('waiting', 'w').close()\n"
        "time.sleep(600)\n",
    )
    with project.start("up", "--yes", "--skip-preview", "--policy-pack", str(EMPTY_PACK)) as engine:
        until((project.path / "waiting").exists)
        children = psutil.Process(engine.pid).children(recursive=True)
        assert len(children) >= 4  # the host, the pack, the program, and what that started
        engine.send_signal(signal.SIGINT)
        said, _ = engine.communicate(timeout=DEADLINE_S)
    assert engine.returncode != 0, said
    assert "Traceback" not in said
    until(lambda: all(gone(child) for child in children))
