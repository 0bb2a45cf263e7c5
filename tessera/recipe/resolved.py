"""The resolved recipe: the one contract between the domain and the hands."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from tessera.errors import ProblemsError, TesseraError
from tessera.recipe import canonical, schema
from tessera.recipe.provenance import Provenance

Tree = Mapping[str, Any]
"""Plain JSON values. Callers must not change them."""


@dataclass(frozen=True)
class Component:
    """What runs on the cluster. after: names of components that must be ready before."""

    name: str
    chart: str
    version: str
    namespace: str
    repository: str | None = None
    crds: Any = None
    values: Tree = field(default_factory=dict)
    after: tuple[str, ...] = ()

    def document(self) -> dict[str, Any]:
        """As JSON holds it."""
        return {**vars(self), "after": list(self.after)}


@dataclass(frozen=True)
class Pool:
    """Nodes of one kind. size: count of nodes; hosts: what each of them needs; machine: instance type or board."""

    name: str
    size: int
    criteria: Mapping[str, str]
    hosts: Tree
    constraints: Mapping[str, Tree]
    machine: str | None = None


@dataclass(frozen=True)
class ResolvedRecipe:
    """What a stack resolves to.

    components: in order; control_plane: settings by part; provenance, deleted: by path of a value.
    """

    criteria: Mapping[str, str]
    pools: tuple[Pool, ...]
    components: tuple[Component, ...]
    control_plane: Mapping[str, Any]
    constraints: Mapping[str, Tree]
    artifacts: Mapping[str, Any]
    provenance: Mapping[str, Provenance]
    deleted: Mapping[str, Provenance]

    def substance(self) -> dict[str, Any]:
        """What the digest covers: all but where it came from."""
        return {
            "format": schema.FORMAT,
            "criteria": dict(self.criteria),
            "pools": [dict(vars(pool)) for pool in self.pools],
            "components": [component.document() for component in self.components],
            "control_plane": dict(self.control_plane),
            "constraints": dict(self.constraints),
            "artifacts": dict(self.artifacts),
        }

    @cached_property
    def digest(self) -> str:
        """sha256 of the canonical JSON without provenance."""
        return canonical.digest(self.substance())

    def document(self) -> dict[str, Any]:
        """All of it, as JSON holds it."""
        return {
            **self.substance(),
            "provenance": {path: found.document() for path, found in self.provenance.items()},
            "deleted": {path: found.document() for path, found in self.deleted.items()},
            "digest": self.digest,
        }

    def to_json(self) -> str:
        """Canonical JSON: the same byte for byte on every machine."""
        return canonical.text(self.document())

    @classmethod
    def from_json(cls, text: str) -> ResolvedRecipe:
        """The recipe of a text that to_json wrote.

        Raises TesseraError where it is not JSON, of a newer Tessera, or changed; ProblemsError that names all
        that breaks the schema.
        """
        try:
            said = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise TesseraError(f"a resolved recipe: is not JSON: {error}") from error
        made = said.get("format") if isinstance(said, dict) else None
        if isinstance(made, int) and made > schema.FORMAT:
            raise TesseraError(f"a resolved recipe: made for a newer Tessera; found format {made}; update Tessera")
        problems = [f"a resolved recipe: {problem}" for problem in schema.problems(said)]
        if problems:
            raise ProblemsError(problems)
        found = cls.read(said)
        if found.digest != said["digest"]:
            raise TesseraError("a resolved recipe: its digest is not that of its content; resolve it anew")
        return found

    @classmethod
    def read(cls, said: Mapping[str, Any]) -> ResolvedRecipe:
        """The recipe of a document that is known to be right."""
        return cls(
            criteria=said["criteria"],
            pools=tuple(Pool(**pool) for pool in said["pools"]),
            components=tuple(Component(**{**one, "after": tuple(one["after"])}) for one in said["components"]),
            control_plane=said["control_plane"],
            constraints=said["constraints"],
            artifacts=said["artifacts"],
            provenance={path: Provenance.read(one) for path, one in said["provenance"].items()},
            deleted={path: Provenance.read(one) for path, one in said["deleted"].items()},
        )
