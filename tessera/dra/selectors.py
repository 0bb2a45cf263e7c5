"""Selectors: CEL made from requirements, never typed by hand.

Every selector starts with the driver's name: NVIDIA publishes two drivers on the same nodes, and a
missing attribute on one device of one node keeps the pod pending everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tessera.dra.requirements import NIC, Requirement, nvlink_products
from tessera.hardware.gpus import gpu
from tessera.hardware.rows import known

DRIVER = "gpu.nvidia.com"
NIC_DRIVER = "dra.net"
"""DRANET, which publishes a node's network devices."""

_ATTRIBUTES, _CAPACITY = f'device.attributes["{DRIVER}"]', f'device.capacity["{DRIVER}"]'
_NIC = f'device.attributes["{NIC_DRIVER}"]'

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
    """The conditions of a requirement, those that exclude most first; all must hold."""
    if wanted.device == NIC:
        return (f'device.driver == "{NIC_DRIVER}"', f'"rdma" in {_NIC}', f"{_NIC}.rdma == true")
    kind = (f'device.driver == "{DRIVER}"', f'{_ATTRIBUTES}.type == "{wanted.device}"')
    return (*kind, *_names(wanted), *_sizes(wanted))


def _names(wanted: Requirement) -> Iterator[str]:
    if products := wanted.product or (nvlink_products() if wanted.nvlink else ()):
        yield _among(f"{_ATTRIBUTES}.productName", [known(gpu(key).product, key) for key in products])
    if wanted.architecture is not None:
        yield f'{_ATTRIBUTES}.architecture == "{wanted.architecture}"'
    if wanted.profile is not None:
        yield f'{_ATTRIBUTES}.profile == "{wanted.profile}"'


def _sizes(wanted: Requirement) -> Iterator[str]:
    bounds = ((wanted.memory, ">="), (wanted.memory_at_most, "<="))
    if any(bound for bound, _ in bounds):
        yield f'"memory" in {_CAPACITY}'  # omitted where NVML can't tell it
    for bound, sign in bounds:
        if bound is not None:
            yield f'{_CAPACITY}.memory.compareTo(quantity("{bound}")) {sign} 0'
    if wanted.compute_capability is not None:
        yield f'{_ATTRIBUTES}.cudaComputeCapability.compareTo(semver("{wanted.compute_capability}")) >= 0'


def _among(attribute: str, values: Sequence[str]) -> str:
    said = [f'"{value}"' for value in values]
    return f"{attribute} == {said[0]}" if len(said) == 1 else f"{attribute} in [{', '.join(said)}]"


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
