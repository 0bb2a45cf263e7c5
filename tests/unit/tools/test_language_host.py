"""The language host's service, called as the engine calls it."""

import contextlib
import os
import signal
import subprocess
import sys
import time
import traceback
import venv
from pathlib import Path

import grpc
import psutil
import pytest
from google.protobuf.empty_pb2 import Empty
from google.protobuf.struct_pb2 import Struct
from pulumi.runtime.proto import language_pb2 as pb
from pulumi.runtime.proto.language_pb2_grpc import LanguageRuntimeStub

from tools.language_host import program
from tools.language_host.__main__ import serve
from tools.language_host.server import LanguageHost

ROOT = Path(__file__).parents[3]
DEADLINE_S = 30


@pytest.fixture
def host():
    host = LanguageHost("127.0.0.1:1")
    server, port = serve(host)
    with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
        yield LanguageRuntimeStub(channel)
    host.children.stop_all()
    server.stop(None).wait()


@pytest.fixture
def folder(tmp_path):
    return Plugin(tmp_path)


class Plugin:
    """A folder with a program, and the request that runs it."""

    def __init__(self, path):
        self.path = path

    def write(self, source, name="__main__.py"):
        (self.path / name).parent.mkdir(parents=True, exist_ok=True)
        (self.path / name).write_text(source)
        return self

    def info(self, **options):
        struct = Struct()
        struct.update(options)
        path = str(self.path)
        return pb.ProgramInfo(root_directory=path, program_directory=path, entry_point=".", options=struct)

    def request(self, *args, kind="resource", env=(), **options):
        return pb.RunPluginRequest(pwd=str(self.path), kind=kind, args=args, env=env, info=self.info(**options))


def until(condition):
    deadline = time.monotonic() + DEADLINE_S
    while not condition():
        assert time.monotonic() < deadline, "still not so"
        time.sleep(0.01)


def gone(pid):
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def run(host, request):
    return host.RunPlugin(request, timeout=DEADLINE_S)


def outcome(stream):
    """All of stdout, all of stderr, the exit code."""
    messages = list(stream)
    return (
        b"".join(m.stdout for m in messages).decode(),
        b"".join(m.stderr for m in messages).decode(),
        messages[-1].exitcode if messages[-1].WhichOneof("output") == "exitcode" else None,
    )


# Starts a child that ignores every polite signal, and says its number.
STUBBORN = """
import subprocess, sys, time
grandchild = subprocess.Popen(["/bin/sh", "-c", "trap '' INT TERM; while :; do sleep 600; done"])
sys.stdout.write(f"{grandchild.pid}\\n")  # one write, so one message
time.sleep(600)
"""


def test_it_shakes_hands_and_says_the_sdks_version(host):
    host.Handshake(pb.LanguageHandshakeRequest(engine_address="127.0.0.1:2"))
    assert host.GetPluginInfo(Empty()).version.split(".")[0] == "3"


def test_it_asks_for_no_plugin_and_no_answer_and_installs_nothing(host, folder):
    info = folder.info()
    assert not host.GetRequiredPackages(pb.GetRequiredPackagesRequest(info=info)).packages
    assert not host.GetRequiredPlugins(pb.GetRequiredPluginsRequest(info=info)).plugins
    assert not host.RuntimeOptionsPrompts(pb.RuntimeOptionsRequest(info=info)).prompts
    assert list(host.InstallDependencies(pb.InstallDependenciesRequest(info=info))) == []


def test_about_names_the_programs_interpreter(host, folder):
    about = host.About(pb.AboutRequest(info=folder.info()))
    assert about.executable == sys.executable
    assert about.version.startswith(f"{sys.version_info.major}.{sys.version_info.minor}.")


def test_dependencies_are_those_installed(host, folder):
    def names(*, transitive):
        request = pb.GetProgramDependenciesRequest(info=folder.info(), transitiveDependencies=transitive)
        return {found.name: found.version for found in host.GetProgramDependencies(request).dependencies}

    every, direct = names(transitive=True), names(transitive=False)
    assert every["pulumi"].startswith("3.")
    assert direct.items() < every.items()
    assert "grpcio" in every
    assert "grpcio" not in direct  # the SDK requires it


@pytest.mark.parametrize(
    ("method", "request_type"),
    [
        ("GenerateProgram", pb.GenerateProgramRequest),
        ("GenerateProject", pb.GenerateProjectRequest),
        ("GeneratePackage", pb.GeneratePackageRequest),
        ("Pack", pb.PackRequest),
        ("Link", pb.LinkRequest),
        ("Template", pb.TemplateRequest),
    ],
)
def test_what_it_leaves_out_the_official_cli_does(host, method, request_type):
    with pytest.raises(grpc.RpcError, match="the official Pulumi CLI does it") as refusal:
        getattr(host, method)(request_type())
    assert refusal.value.code() == grpc.StatusCode.UNIMPLEMENTED


def test_a_debugger_is_left_to_the_official_cli(host, folder):
    request = folder.write("").request()
    request.attach_debugger = True
    with pytest.raises(grpc.RpcError, match="Debugging a plugin is not done"):
        list(run(host, request))


def test_a_plugins_output_comes_while_it_runs_and_the_exit_code_last(host, folder):
    folder.write(
        "import os, sys, time\n"
        "sys.stdout.write('12345\\n')\n"
        "while not os.path.exists('go'): time.sleep(0.01)\n"
        "print('well', sys.argv[1:], os.environ['COLOUR'], file=sys.stderr, flush=True)\n"
        "print('end', end='')\n"
        "sys.exit(5)\n"
    )
    stream = run(host, folder.request("a", "b", env=["PATH=/usr/bin:/bin", "COLOUR=red=ish"]))
    assert next(stream).stdout == b"12345\n"
    (folder.path / "go").touch()
    assert outcome(stream) == ("end", "well ['a', 'b'] red=ish\n", 5)


def test_a_lot_of_output_arrives_whole(host, folder):
    folder.write("import sys; sys.stdout.write('x' * 3_000_000); sys.stderr.write('y' * 3_000_000)")
    out, err, code = outcome(run(host, folder.request()))
    assert (len(out), len(err), code) == (3_000_000, 3_000_000, 0)


def test_a_plugin_that_leaves_a_process_behind_has_ended_all_the_same(host, folder):
    # The left one has left the group too, and holds the pipes open.
    folder.write(
        "import subprocess\n"
        "left = subprocess.Popen(['sleep', '600'], start_new_session=True)\n"
        "print(left.pid, flush=True)\n"
    )
    out, _, code = outcome(run(host, folder.request()))
    os.kill(int(out), signal.SIGKILL)
    assert code == 0


def test_a_plugin_that_fails_shows_its_own_traceback_only(host, folder):
    out, err, code = outcome(run(host, folder.write("x = 1\nx.nothing\n").request()))
    assert (out, code) == ("", 1)
    assert err.startswith("Traceback (most recent call last):\n  File ")
    assert f'File "{folder.path}/__main__.py", line 2' in err
    assert "lifeline" not in err
    assert "runpy" not in err


def test_a_policy_pack_is_run_by_the_sdks_policy_module(host, folder):
    folder.write("import sys; print('pack', sys.modules['pulumi.policy'].__name__)")
    out, err, code = outcome(run(host, folder.request("127.0.0.1:1", kind="analyzer")))
    assert (out, err, code) == ("pack pulumi.policy\n", "", 0)


def test_a_package_without_a_main_is_run_by_the_sdks_plugin_module(host, folder):
    folder.write('[project]\nname = "my-plugin"\n', "pyproject.toml")
    folder.write("", "my_plugin/__init__.py").write("print('served')", "my_plugin/__main__.py")
    env = [f"PYTHONPATH={folder.path}"]
    assert outcome(run(host, folder.request(env=env))) == ("served\n", "", 0)


def test_a_folder_without_a_plugin_is_refused_in_a_sentence(host, folder):
    with pytest.raises(grpc.RpcError, match=r"neither __main__\.py nor") as refusal:
        list(run(host, folder.request()))
    assert refusal.value.code() == grpc.StatusCode.FAILED_PRECONDITION


def test_the_virtualenv_of_the_options_is_used(host, folder):
    venv.create(folder.path / "env", with_pip=False, symlinks=True)
    folder.write("import os, shutil, sys; print(sys.prefix, os.environ['VIRTUAL_ENV'], shutil.which('python'))")
    env = folder.path / "env"
    out, _, code = outcome(run(host, folder.request(virtualenv="env")))
    assert (out, code) == (f"{env} {env} {env / 'bin' / 'python'}\n", 0)
    assert host.About(pb.AboutRequest(info=folder.info(virtualenv="env"))).executable.startswith(str(env))


def test_a_missing_virtualenv_is_refused_in_a_sentence(host, folder):
    for call in (
        lambda: list(run(host, folder.write("").request(virtualenv=".venv"))),
        lambda: host.Run(pb.RunRequest(info=folder.info(virtualenv=".venv"))),
    ):
        with pytest.raises(grpc.RpcError, match=r"virtualenv '\.venv' .* has no interpreter"):
            call()


def test_dropping_the_stream_kills_grandchildren(host, folder):
    stream = run(host, folder.write(STUBBORN).request())
    grandchild = int(next(stream).stdout)
    stream.cancel()
    until(lambda: gone(grandchild))


def test_a_plugin_that_ignores_the_interrupt_is_killed_too(host, folder):
    folder.write(
        "import os, signal, sys, time\n"
        "signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "sys.stdout.write(str(os.getpid()))\n"
        "time.sleep(600)\n"
    )
    stream = run(host, folder.request())
    pid = int(next(stream).stdout)
    host.Cancel(Empty())
    assert gone(pid)
    assert outcome(stream) == ("", "", -signal.SIGKILL)


def test_cancel_kills_grandchildren_and_starts_nothing_more(host, folder):
    stream = run(host, folder.write(STUBBORN).request())
    grandchild = int(next(stream).stdout)
    host.Cancel(Empty())
    until(lambda: gone(grandchild))
    out, err, code = outcome(stream)
    assert (out, err, code) == ("", "", 128 + signal.SIGINT)
    with pytest.raises(grpc.RpcError, match="cancelled") as refusal:
        list(run(host, folder.request()))
    assert refusal.value.code() == grpc.StatusCode.CANCELLED


def launched(*arguments):
    return [sys.executable, "-m", "tools.language_host", *arguments]


@contextlib.contextmanager
def process(command):
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as running:
        try:
            yield running
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(running.pid, signal.SIGKILL)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_process_says_its_port_first_and_ends_quietly_with_its_plugins(folder, number):
    flags = ["--logtostderr", "-v=9", "--tracing", "file:trace", "127.0.0.1:1"]
    with process(launched(*flags)) as running:
        port = int(running.stdout.readline())
        with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
            stream = run(LanguageRuntimeStub(channel), folder.write(STUBBORN).request())
            grandchild = int(next(stream).stdout)
            running.send_signal(number)
            assert running.wait(DEADLINE_S) == 0
            until(lambda: gone(grandchild))
        assert running.communicate() == ("", "")


def test_plugins_do_not_outlive_a_killed_host(folder):
    with process(launched("127.0.0.1:1")) as running:
        port = int(running.stdout.readline())
        with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
            stream = run(LanguageRuntimeStub(channel), folder.write(STUBBORN).request())
            grandchild = int(next(stream).stdout)
            running.kill()
            until(lambda: gone(grandchild))


def test_the_host_does_not_outlive_its_engine():
    # Without job control the shell's child stays in its group; it is the shell that is killed.
    with process(["/bin/sh", "-c", '"$@" & wait', "sh", *launched("127.0.0.1:1")]) as engine:
        int(engine.stdout.readline())
        (child,) = psutil.Process(engine.pid).children()
        engine.kill()
        until(lambda: gone(child.pid))


def test_a_users_traceback_starts_at_the_users_file(tmp_path):
    (tmp_path / "helper.py").write_text("def fail():\n    raise ValueError('boom')\n")
    main = tmp_path / "__main__.py"
    main.write_text("import helper\nhelper.fail()\n")
    sys.path.insert(0, str(tmp_path))
    try:
        program.run_file(main)
    except ValueError as error:
        shown = program.users_traceback(error).splitlines()
    finally:
        sys.path.remove(str(tmp_path))
        sys.modules.pop("helper")
    assert shown[0] == "Traceback (most recent call last):"
    # The test's own frame is a user's file to it.
    start = next(i for i, line in enumerate(shown) if "__main__.py" in line)
    assert shown[start].strip() == f'File "{main}", line 2, in <module>'
    assert "language_host" not in "".join(shown[start:])


def test_an_error_that_no_user_frame_is_part_of_is_shown_all_the_same():
    error = OSError("no route")
    assert program.users_traceback(error) == "".join(traceback.format_exception(error))
