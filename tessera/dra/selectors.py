"""Selectors: CEL made from requirements, never typed by hand.

Every selector starts with the driver's name: NVIDIA publishes two drivers on the same nodes, and a
missing attribute on one device of one node keeps the pod pending everywhere.
"""

from __future__ import annotations

from tessera.dra.requirements import Requirement

DRIVER = "gpu.nvidia.com"


def conjuncts(wanted: Requirement) -> tuple[str, ...]:
    """The conditions of a requirement, cheapest first; all must hold."""
    attributes, capacity = f'device.attributes["{DRIVER}"]', f'device.capacity["{DRIVER}"]'
    parts = [f'device.driver == "{DRIVER}"', f'{attributes}.type == "{wanted.device}"']
    if wanted.memory is not None:
        parts.append(f'"memory" in {capacity}')  # omitted where NVML can't tell it
        parts.append(f'{capacity}.memory.compareTo(quantity("{wanted.memory}")) >= 0')
    if wanted.compute_capability is not None:
        parts.append(f'{attributes}.cudaComputeCapability.compareTo(semver("{wanted.compute_capability}")) >= 0')
    return tuple(parts)


def selector(wanted: Requirement) -> str:
    """One CEL expression for a requirement, for DeviceClass.spec.selectors[].cel.expression."""
    return " &&\n".join(conjuncts(wanted))


def split(expression: str) -> tuple[str, ...]:
    """The conjuncts of an expression: its parts between && outside brackets and strings."""
    parts, depth, quote, start, at = [], 0, "", 0, 0
    while at < len(expression):
        char = expression[at]
        if quote:
            at += char == "\\"
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        elif char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
        elif depth == 0 and expression.startswith("&&", at):
            parts.append(expression[start:at].strip())
            at += 1
            start = at + 1
        elif depth == 0 and (expression.startswith("||", at) or char == "?"):
            return (expression.strip(),)  # weaker than &&: the whole is one condition
        at += 1
    return (*parts, expression[start:].strip())
