"""What versions.toml says: the tools of a Kubernetes minor, and the Go modules that lock them."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from tools.errors import ToolError

FILE = Path(__file__).with_name("versions.toml")
MODULES = Path(__file__).with_name("modules")


@dataclass(frozen=True, slots=True)
class Tool:
    """One binary as versions.toml wants it; times in seconds, sizes in MiB."""

    name: str
    version: str
    module: str
    modules: str
    package: str
    accept: str
    ask: tuple[str, ...]
    answer: str
    seconds: float
    compiled_mib: int
    built_mib: int
    alone_seconds: float = 0.0
    module_version: str = ""
    variables: Mapping[str, str] = field(default_factory=dict, hash=False)
    beside: tuple[str, ...] = ()
    copies: tuple[str, ...] = ()

    @property
    def ldflags(self) -> str:
        """The linker's flags: no symbol table, and the variables that hold the version."""
        return " ".join(["-s -w", *(f"-X {name}={value}" for name, value in self.variables.items())])

    @property
    def folder(self) -> Path:
        """The folder with the go.mod and go.sum that this tool is compiled from."""
        return MODULES / self.modules


@dataclass(frozen=True, slots=True)
class ModuleSet:
    """One Go module under modules/: what its go.mod is generated from; sizes in MiB."""

    name: str
    tools: tuple[Tool, ...]
    downloaded_mib: int
    replaces: Mapping[str, str] = field(default_factory=dict)
    staging_of: str = ""

    @property
    def requires(self) -> dict[str, str]:
        """The version of each Go module that the tools are in."""
        return {tool.module: tool.module_version for tool in self.tools}


@cache
def document() -> dict[str, Any]:
    """versions.toml as it is written."""
    return tomllib.loads(FILE.read_text())


def minors() -> tuple[str, ...]:
    """The Kubernetes minors to choose from, the default one first."""
    kubernetes = document()["kubernetes"]
    return tuple(sorted(kubernetes["minors"], key=lambda minor: (minor != kubernetes["default"], minor)))


@cache
def tools(kubernetes: str) -> dict[str, Tool]:
    """All tools for a Kubernetes minor such as "1.36", by name, in the order in which they are built.

    Raises ToolError when versions.toml has no such minor.
    """
    if kubernetes not in minors():
        raise ToolError(
            f"Kubernetes {kubernetes} is not one of the versions Tessera knows: choose {' or '.join(minors())}."
        )
    versions = document()["kubernetes"]["minors"][kubernetes]
    return {raw["name"]: _tool(raw, versions, kubernetes) for raw in document()["tool"]}


def select(names: Iterable[str], kubernetes: str) -> list[Tool]:
    """The tools of those names, each once, in the order in which they are built.

    Raises ToolError when there is no tool of a name, or no such Kubernetes minor.
    """
    every = tools(kubernetes)
    wanted = set(names)
    for name in sorted(wanted - every.keys()):
        raise ToolError(f"There is no tool named {name}: Tessera's tools are {', '.join(every)}.")
    return [tool for name, tool in every.items() if name in wanted]


@cache
def module_sets(kubernetes: str) -> dict[str, ModuleSet]:
    """The Go modules that lock the tools of a Kubernetes minor, by the name of their folder."""
    every = tools(kubernetes).values()
    return {
        name: ModuleSet(name=name, tools=tuple(tool for tool in every if tool.modules == name), **raw)
        for name, raw in ((name.replace("{minor}", kubernetes), raw) for name, raw in document()["modules"].items())
    }


def _tool(raw: Mapping[str, Any], versions: Mapping[str, str], kubernetes: str) -> Tool:
    version = raw["version"].format(**versions)
    major, minor, _ = version.split(".")
    own = {"version": version, "major": major, "minor": minor}
    values: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in raw.items()}
    values |= {
        "version": version,
        "modules": raw["modules"].format(minor=kubernetes),
        "module_version": raw.get("module_version", f"v{version}"),
        "accept": raw["accept"].format(**own),
        "variables": {name: text.format(**own) for name, text in raw.get("variables", {}).items()},
    }
    return Tool(**values)
