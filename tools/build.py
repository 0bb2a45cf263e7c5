"""Builds tools into the cache, one after the other and in one process at a time."""

import contextlib
import json
import os
import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from tools import cache, compiler, disk, faults, find
from tools import go as gos
from tools.errors import ToolError
from tools.go import Go
from tools.memory import Memory
from tools.progress import Course, Report, Step
from tools.root import root
from tools.versions import ModuleSet, Tool


def build_all(tools: Sequence[Tool], sets: Sequence[ModuleSet], go: Go, report: Report) -> None:
    """Builds what is not in the cache yet; a second process waits and then finds it there.

    Raises ToolError when the disk is too small, a download or the compiler fails. After Ctrl-C or SIGTERM nothing
    half-built is left, and a next call goes on from what Go has compiled.
    """
    with compiler.ended_by_sigterm(), alone(report):
        for tool in tools:
            cache.remove_abandoned(tool)
        missing = [tool for tool in tools if not cache.binary(tool, go).exists()]
        if missing:
            disk.check(missing, sets, go)
        course = Course(_plan(missing, sets, go), report)
        for tool in missing:
            course.start(tool.name)
            build(tool, go, course)
            course.built(tool.name)


def build(tool: Tool, go: Go, course: Course) -> None:
    """Builds one tool in a folder of its own and renames that into the cache. Raises ToolError."""
    scratch = cache.scratch(tool)
    result = scratch / "result"
    try:
        result.mkdir()
        _compile(tool, go, _source(tool, go, scratch), result, course)
        _check(tool, result / tool.name)
        for name in tool.beside:
            shutil.copy(tool.folder / name, result / name)
            (result / name).chmod(0o755)
        place = cache.binary(tool, go).parent
        _remove(place)  # there only if someone took the binary out of it
        result.rename(place)
    finally:
        _remove(scratch)


@contextlib.contextmanager
def alone(report: Report) -> Iterator[None]:
    """Holds the cache's lock; who has to wait for it says for which process."""
    from filelock import FileLock, Timeout

    root().mkdir(parents=True, exist_ok=True)
    holder = root() / "build.pid"  # not the lock itself: whoever tries to take that empties it
    lock = FileLock(root() / "build.lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        report(Step("waiting", _read(holder)))
        lock.acquire(poll_interval=0.2)
    try:
        holder.write_text(str(os.getpid()))
        yield
    finally:
        holder.unlink(missing_ok=True)
        lock.release()


def _plan(tools: Sequence[Tool], sets: Sequence[ModuleSet], go: Go) -> dict[str, float]:
    """The seconds for each: less for one that follows others with the same modules."""
    begun = {each.name for each in sets if any(cache.binary(tool, go).exists() for tool in each.tools)}
    plan: dict[str, float] = {}
    for tool in tools:
        plan[tool.name] = tool.seconds if tool.modules in begun else max(tool.seconds, tool.alone_seconds)
        begun.add(tool.modules)
    return plan


def _compile(tool: Tool, go: Go, source: Path, result: Path, course: Course) -> None:
    flags = ["-trimpath", "-buildvcs=false", "-v", "-o", str(result / tool.name), "-ldflags", tool.ldflags]
    log = _log(tool, go)
    output: list[str] = []

    def on_line(line: str) -> None:
        output.append(line)
        course.line(tool.name, line)

    status = compiler.run(
        [go.path, "build", *flags, tool.package],
        folder=source,
        # Go's own scratch goes where ours is, so that one removal takes both.
        environment=gos.environment() | {"GOTMPDIR": str(result.parent)},
        log=log,
        on_line=on_line,
    )
    if status:
        raise faults.explain(tool, "\n".join(line for line in output if line), log)


def _source(tool: Tool, go: Go, scratch: Path) -> Path:
    """The folder to run `go build` in: the locked one, or a copy with files from the tool's module."""
    if not tool.copies:
        return tool.folder
    source = scratch / "source"
    shutil.copytree(tool.folder, source)
    module = _download(tool, go)
    for name in tool.copies:
        shutil.copyfile(module / name, source / Path(name).name)
    return source


def _download(tool: Tool, go: Go) -> Path:
    """The folder of the tool's module in Go's module cache."""
    log = _log(tool, go)
    said: list[str] = []
    status = compiler.run(
        [go.path, "mod", "download", "-json", tool.module],
        folder=tool.folder,
        environment=gos.environment(),
        log=log,
        on_line=said.append,
    )
    output = "\n".join(said)
    answer = re.search(r"^\{.*^\}", output, re.MULTILINE | re.DOTALL)
    described = json.loads(answer[0]) if answer else {}
    if status or "Dir" not in described:
        raise faults.explain(tool, described.get("Error", output), log)
    return Path(described["Dir"])


def _log(tool: Tool, go: Go) -> Path:
    return root() / "logs" / f"{tool.name}-{cache.key(tool, go)}.log"


def _check(tool: Tool, binary: Path) -> None:
    version = find.read_version(tool, binary, Memory())
    if version != tool.version:
        said = f"says that it is {version}" if version else "does not say its version"
        raise ToolError(
            f"{tool.name} was built, but {said} instead of {tool.version}: versions.toml and modules/{tool.modules} "
            "do not agree. Run `python -m tools.lock`."
        )


def _remove(folder: Path) -> None:
    if folder.exists():
        shutil.rmtree(folder, ignore_errors=True)


def _read(holder: Path) -> str:
    try:
        return f"process {holder.read_text().strip()}"
    except OSError:  # it has the lock, and has not said so yet
        return "another process"
