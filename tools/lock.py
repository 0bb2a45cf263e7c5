"""Regenerates modules/*/go.mod and go.sum from versions.toml: `python -m tools.lock`."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from tools import go, versions
from tools.errors import ToolError


def main() -> int:
    """Locks every set of Go modules; returns the exit status."""
    try:
        found = go.find()
        sets = {name: each for minor in versions.minors() for name, each in versions.module_sets(minor).items()}
        for each in sets.values():
            lock(each, found.path)
    except ToolError as error:
        print(error, file=sys.stderr)  # noqa: T201 - the developer's own command
        return 1
    return 0


def lock(modules: versions.ModuleSet, go_path: Path) -> None:
    """Writes one set's go.mod and go.sum; raises ToolError when Go can't resolve it.

    It always starts from an empty folder, so that nothing depends on what was locked before.
    """
    folder = versions.MODULES / modules.name
    with tempfile.TemporaryDirectory() as scratch:
        work = Path(scratch)
        for source in folder.glob("*.go"):
            shutil.copy(source, work)
        replaces = {**modules.replaces, **staging(modules, go_path)}
        (work / "go.mod").write_text(go_mod(modules, replaces))
        _go(go_path, work, "mod", "tidy")
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("go.mod", "go.sum"):
            shutil.copy(work / name, folder / name)


def go_mod(modules: versions.ModuleSet, replaces: Mapping[str, str]) -> str:
    """The go.mod to start from: what we ask for, before `go mod tidy` adds the rest."""
    lines = [f"module tessera.dev/tools/{modules.name}", "", f"go {versions.document()['go']['minimum']}", ""]
    # A set with its own main imports what it needs; the others name their main packages as tools.
    lines += [f"tool {tool.package}" for tool in modules.tools if tool.package != "."]
    lines += [f"require {module} {version}" for module, version in modules.requires.items()]
    lines += [f"replace {module} => {target}" for module, target in sorted(replaces.items())]
    return "\n".join(lines) + "\n"


def staging(modules: versions.ModuleSet, go_path: Path) -> dict[str, str]:
    """A replace for each module that Kubernetes keeps in its own tree and publishes as v0.minor.patch."""
    if not modules.staging_of:
        return {}
    version = modules.requires[modules.staging_of]
    library = "v0." + version.split(".", 1)[1]
    with tempfile.TemporaryDirectory() as scratch:
        where = json.loads(_go(go_path, Path(scratch), "mod", "download", "-json", f"{modules.staging_of}@{version}"))
        text = json.loads(_go(go_path, Path(scratch), "mod", "edit", "-json", where["GoMod"]))
    local = [each["Old"]["Path"] for each in text["Replace"] if each["New"]["Path"].startswith("./staging/")]
    return {module: f"{module} {library}" for module in local}


def _go(go_path: Path, folder: Path, *arguments: str) -> str:
    environment = os.environ | {"GOWORK": "off"}
    done = subprocess.run(
        [go_path, *arguments], cwd=folder, env=environment, stdout=subprocess.PIPE, text=True, check=False
    )
    if done.returncode:
        raise ToolError(f"`go {' '.join(arguments)}` failed; what Go said stands above.")
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
