"""Selectors: CEL made from requirements, never typed by hand.

Every selector starts with the driver's name: NVIDIA publishes two drivers on the same nodes, and a
missing attribute on one device of one node keeps the pod pending everywhere.
"""

from __future__ import annotations

import re

from tessera.dra.requirements import Requirement

DRIVER = "gpu.nvidia.com"

_TOKEN = re.compile(
    r"""
    //[^\n]*                                        # a comment
    | [rR][bB]?(?:\"{3}.*?\"{3}|'{3}.*?'{3}|"[^"]*"|'[^']*')     # a raw string: a backslash is itself
    | \"{3}(?:\\.|.)*?\"{3} | '{3}(?:\\.|.)*?'{3}  # a string of three quotes
    | "(?:\\.|[^"\\])*" | '(?:\\.|[^'\\])*'      # a string
    | \.\? | \[\s*\?                               # an optional selection, no conditional
    | && | \|\| | [?()\[\]{}]
    """,
    re.VERBOSE | re.DOTALL,
)


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
    """The conjuncts of an expression: its parts between && outside brackets, strings and comments."""
    parts, depth, start = [], 0, 0
    for token in _TOKEN.finditer(expression):
        text = token[0]
        if text[0] in "([{":
            depth += 1
        elif text in (")", "]", "}"):
            depth -= 1
        elif depth == 0 and text in ("||", "?"):
            return (expression.strip(),)  # weaker than &&: the whole is one condition
        elif depth == 0 and text == "&&":
            parts.append(expression[start : token.start()].strip())
            start = token.end()
    return (*parts, expression[start:].strip())
