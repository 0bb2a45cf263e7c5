"""Whether there is room for what has to be built, before minutes go into it."""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tools import go as gos
from tools.errors import ToolError
from tools.go import Go
from tools.root import root
from tools.versions import ModuleSet, Tool


@dataclass(frozen=True, slots=True)
class Need:
    """How much a folder has to take, in MiB, and what it is for."""

    folder: Path
    mib: int
    purpose: str


def check(tools: Sequence[Tool], sets: Sequence[ModuleSet], go: Go) -> None:
    """Raises ToolError when a file system has too little free space for building these tools."""
    disks: dict[int, list[Need]] = {}
    for need in needs(tools, sets, go):
        disks.setdefault(_existing(need.folder).stat().st_dev, []).append(need)
    for together in disks.values():
        free = shutil.disk_usage(_existing(together[0].folder)).free // 2**20
        if free < sum(need.mib for need in together):
            raise ToolError(_sentence(together, free))


def needs(tools: Sequence[Tool], sets: Sequence[ModuleSet], go: Go) -> list[Need]:
    """What building these tools takes where; modules that are already downloaded take nothing."""
    folders = gos.settings(go)
    names = {tool.modules for tool in tools}
    absent = [each for each in sets if each.name in names and not _downloaded(each, folders["GOMODCACHE"])]
    every = [
        Need(folders["GOCACHE"], sum(tool.compiled_mib for tool in tools), "Go's build cache"),
        Need(folders["GOMODCACHE"], sum(each.downloaded_mib for each in absent), "Go's modules"),
        Need(root(), sum(tool.built_mib for tool in tools), "Tessera's cache"),
    ]
    return [need for need in every if need.mib]


def _downloaded(modules: ModuleSet, folder: Path) -> bool:
    return all((folder / f"{name}@{version}").is_dir() for name, version in modules.requires.items())


def _existing(folder: Path) -> Path:
    return next(each for each in (folder, *folder.parents) if each.exists())


def _sentence(together: Sequence[Need], free: int) -> str:
    where = ", ".join(f"{_gib(need.mib)} in {need.folder} ({need.purpose})" for need in together)
    return (
        f"Not enough space on the disk: building needs about {_gib(sum(need.mib for need in together))} there and "
        f"{_gib(free)} is free. It goes to {where}. Free some space, or set GOCACHE, GOMODCACHE or TESSERA_CACHE to "
        "a folder on a larger disk."
    )


def _gib(mib: int) -> str:
    return f"{mib / 1024:.1f} GiB"
