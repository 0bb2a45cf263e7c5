"""The stack file's values: cluster, pools, classes, workloads.

Read from stacks/Pulumi.<environment>.yaml, keys tessera:cluster, tessera:pools, tessera:classes and
tessera:workloads; docs/stack-file.md shows them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from tessera import naming
from tessera.dra import classes as catalogue
from tessera.dra.workloads import ClaimingService
from tessera.errors import ProblemsError
from tessera.hardware import boards

Name = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", max_length=40)]
"""A DNS label, short enough to carry a node's number behind it."""

MAX_NODES = 5000
"""The largest cluster that Kubernetes promises to run."""


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True)


class Cluster(_Model):
    """What the cluster runs on. kubernetes: the minor version; tools/versions.toml has the exact one."""

    service: Literal["lab"]
    kubernetes: Literal["1.36", "1.37"] = "1.36"


class Pool(_Model):
    """Machines of one board. size: count of nodes."""

    name: Name
    board: str
    size: Annotated[int, Field(ge=0, le=MAX_NODES)]


class Workload(_Model):
    """A Deployment whose pods each claim one device of a class through a template."""

    name: Name
    namespace: Name
    replicas: Annotated[int, Field(ge=0, le=MAX_NODES)]
    labels: dict[str, str] = Field(default_factory=dict)
    container: Name
    image: str
    env: dict[str, str] = Field(default_factory=dict)
    claim: Name
    template: Name
    request: Name
    device_class: Annotated[str, Field(alias="class")]

    def service(self) -> ClaimingService:
        """The same in the words of tessera.dra."""
        return ClaimingService(**self.model_dump())


class Stack(_Model):
    """One environment."""

    cluster: Cluster
    pools: tuple[Pool, ...]
    classes: tuple[str, ...] = ()
    workloads: tuple[Workload, ...] = ()


KEYS = tuple(Stack.model_fields)
"""Configuration keys of a stack, without the project's prefix."""


def stack(values: Mapping[str, Any]) -> Stack:
    """The typed stack of a file's values, by key. Raises ProblemsError that names every problem at once."""
    try:
        read = Stack.model_validate(values)
    except ValidationError as error:
        raise ProblemsError([_problem(row) for row in error.errors()]) from error
    problems = [*_unknown_words(read), *_duplicates(read)]
    if problems:
        raise ProblemsError(problems)
    return read


def _problem(row: Mapping[str, Any]) -> str:
    path = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in row["loc"]).lstrip(".")
    found = "" if row["type"] == "missing" else f"; found {row['input']!r}"
    return f"tessera:{path}: {row['msg'][0].lower()}{row['msg'][1:]}{found}"


def _unknown_words(read: Stack) -> Iterator[str]:
    for at, pool in enumerate(read.pools):
        if pool.board not in boards.names():
            yield f"tessera:pools[{at}].board: {naming.unknown('board', pool.board, boards.names())}"
    for at, name in enumerate(read.classes):
        if name not in catalogue.names():
            yield f"tessera:classes[{at}]: {naming.unknown('class', name, catalogue.names())}"
    for at, workload in enumerate(read.workloads):
        if workload.device_class not in read.classes:
            said = naming.unknown("class", workload.device_class, read.classes)
            yield f"tessera:workloads[{at}].class: {said} (tessera:classes of this stack)"


def _duplicates(read: Stack) -> Iterator[str]:
    for key, found in (
        ("pools", [pool.name for pool in read.pools]),
        ("classes", list(read.classes)),
        ("workloads", [f"{workload.namespace}/{workload.name}" for workload in read.workloads]),
    ):
        for name, count in Counter(found).items():
            if count > 1:
                yield f"tessera:{key}: {name!r} is there {count} times; names must differ"
