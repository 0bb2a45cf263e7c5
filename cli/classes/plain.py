"""A class as plain values, for programs and for people."""

from __future__ import annotations

from typing import Any

from tessera.dra.classes import ServiceClass, device_classes
from tessera.dra.verdicts import words


def plain(level: ServiceClass) -> dict[str, Any]:
    """Everything that is known of a class, without its manifests."""
    price = level.price
    return {
        "class": level.name,
        "summary": level.summary,
        "requires": words(level.requires),
        "count": level.count,
        "with": {one.name: f"{words(one.requires)}, same {one.same}" for one in level.companions},
        "price": {
            "amount": None if price.amount is None else str(price.amount),
            "currency": price.currency,
            "unit": "device-hour",
            "date": None if price.day is None else str(price.day),
            "because": price.because,
        },
        "priority": level.priority,
        "queueable": {"answer": level.queueable.answer, "because": level.queueable.because},
        "quota": list(level.quota_keys),
        "selectors": {
            row["metadata"]["name"]: row["spec"]["selectors"][0]["cel"]["expression"] for row in device_classes(level)
        },
        "because": level.because,
    }
