"""Device classes: the catalogue's service levels, read from recipes/classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tessera import data, naming
from tessera.dra.requirements import Requirement, requirement
from tessera.dra.selectors import selector
from tessera.errors import ProblemsError, TesseraError

API_VERSION = "resource.k8s.io/v1"
CLASS_LABEL = "tessera.dev/class"


@dataclass(frozen=True)
class ServiceClass:
    """One service level: its name (also the DeviceClass's), what it is, and what it requires."""

    name: str
    summary: str
    requires: Requirement


def names() -> list[str]:
    """Names of all classes in the catalogue, sorted."""
    return data.names("classes")


def service_class(name: str) -> ServiceClass:
    """The class called name. Raises TesseraError where it is unknown or its file is wrong."""
    if name not in names():
        raise TesseraError(naming.unknown("class", name, names()))
    file = f"classes/{name}.yaml"
    row = data.load(file)
    if (
        not isinstance(row, dict)
        or not isinstance(row.get("summary"), str)
        or not isinstance(row.get("requires"), dict)
    ):
        raise TesseraError(f"recipes/{file}: a class needs a summary (text) and requires (a mapping)")
    try:
        return ServiceClass(name, row["summary"], requirement(row["requires"]))
    except ProblemsError as error:
        raise ProblemsError([f"recipes/{file}: {line}" for line in error.problems]) from error


def device_class(level: ServiceClass) -> dict[str, Any]:
    """The DeviceClass (resource.k8s.io/v1) of a service level."""
    return {
        "apiVersion": API_VERSION,
        "kind": "DeviceClass",
        "metadata": {"name": level.name, "labels": {CLASS_LABEL: level.name}},
        "spec": {"selectors": [{"cel": {"expression": selector(level.requires)}}]},
    }
