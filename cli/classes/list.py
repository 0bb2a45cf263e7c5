"""`tessera classes list`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cli.output import Json, emit

if TYPE_CHECKING:
    from tessera.dra.classes import ServiceClass

COLUMNS = ("class", "summary", "devices", "price", "priority", "queueable")


def list_classes(json: Json = False) -> None:
    """Show all classes: what each one is, what a device costs for an hour, and whether it can be queued for."""
    from tessera.dra.classes import names, service_class

    emit([_row(service_class(name)) for name in names()], COLUMNS, json)


def _row(level: ServiceClass) -> dict[str, Any]:
    with_each = "".join(f" + {one.name}" for one in level.companions)
    return {
        "class": level.name,
        "summary": level.summary,
        "devices": f"{level.count} {level.requires.device}{with_each}",
        "price": str(level.price),
        "priority": level.priority,
        "queueable": level.queueable.answer,
    }
