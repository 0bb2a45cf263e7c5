"""Whether PATH already has a tool whose version will do."""

import os
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from packaging.specifiers import SpecifierSet

from tools.memory import Memory
from tools.root import root
from tools.versions import Tool


@dataclass(frozen=True, slots=True)
class Candidate:
    """What PATH has for a tool; `refusal` says why it won't do, and is "" when it will."""

    path: Path | None
    version: str
    refusal: str


def on_path(tool: Tool, memory: Memory) -> Candidate:
    """The first binary of that name on PATH, judged by its version and by what lies beside it.

    TESSERA_TOOLS_PATH=ignore looks at nothing. Our own builds are passed over: the cache finds them by key.
    """
    if os.environ.get("TESSERA_TOOLS_PATH") == "ignore":
        return Candidate(None, "", "TESSERA_TOOLS_PATH=ignore")
    path = which(tool.name)
    if path is None:
        return Candidate(None, "", "not on PATH")
    version = read_version(tool, path, memory)
    return Candidate(path, version, _refusal(tool, path, version))


def read_version(tool: Tool, path: Path, memory: Memory) -> str:
    """The version that a binary of this tool says it has; "" when it says none."""
    match = re.search(tool.answer, memory.ask(path, tool.ask), re.MULTILINE)
    return match[1] if match else ""


def which(name: str) -> Path | None:
    """The first executable of that name on PATH that Tessera did not build itself."""
    ours = root().resolve()
    for folder in os.get_exec_path():
        found = shutil.which(name, path=folder)
        if found and not Path(found).resolve().is_relative_to(ours):
            return Path(found).absolute()
    return None


def _refusal(tool: Tool, path: Path, version: str) -> str:
    if not version:
        return f"{path} does not say its version"
    if version not in SpecifierSet(tool.accept, prereleases=True):
        return f"{path} is {version}, and {tool.accept} is needed"
    for name in tool.beside:
        if not os.access(path.resolve().with_name(name), os.X_OK) and which(name) is None:
            return f"{path} has no {name} beside it or on PATH"
    return ""
