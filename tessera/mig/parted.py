"""A plan as mig-parted reads it: configuration format v1, one named configuration per different node."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import yaml

from tessera.errors import ProblemsError
from tessera.hardware.gpus import Gpu
from tessera.hardware.mig import gpus_with
from tessera.mig.cut import Cut

_WIDTH = 10**6
"""Columns; no value is folded."""


@dataclass(frozen=True)
class Parted:
    """Entries by the configuration's name, and the configuration of each node.

    A name is made from its entries, so a node whose layout stays keeps its name when others change.
    """

    configs: Mapping[str, Sequence[Mapping[str, Any]]]
    nodes: Mapping[str, str]

    def text(self) -> str:
        """The file, with the node label that selects each configuration in comments."""
        said = [f"# {node}: nvidia.com/mig.config={name}" for node, name in self.nodes.items()]
        configs = {name: [_flowing(row) for row in rows] for name, rows in self.configs.items()}
        tree = {"version": "v1", "mig-configs": configs}
        return "\n".join(said) + "\n" + yaml.dump(tree, Dumper=_Dumper, sort_keys=False, width=_WIDTH)


def parted(cuts: Iterable[Cut]) -> Parted:
    """The configurations of a plan's GPUs.

    mig-parted wipes all instances of a GPU whose layout changes. Raises ProblemsError where one of them is in use.
    """
    nodes: dict[str, list[Cut]] = {}
    for one in cuts:
        nodes.setdefault(one.gpu.node, []).append(one)
    problems = [
        f"GPU {one.gpu.name}: has instances in use and would get others beside them; mig-parted would wipe them all; "
        "plan without filling GPUs in use, or create the instances with nvidia-smi"
        for rows in nodes.values()
        for one in rows
        if one.recut and one.gpu.in_use
    ]
    if problems:
        raise ProblemsError(problems)
    configs, named = dict[str, Sequence[Mapping[str, Any]]](), {}
    for node, rows in nodes.items():
        entries = _entries(rows)
        named[node] = _name(entries)
        configs[named[node]] = entries
    return Parted(configs, named)


def _entries(rows: Iterable[Cut]) -> list[dict[str, Any]]:
    """One entry for all GPUs of a node that are cut alike."""
    alike: dict[tuple[tuple[str, ...], tuple[tuple[str, int], ...]], list[int]] = {}
    for one in sorted(rows, key=lambda row: row.gpu.index):
        counts = Counter(placement.profile for placement in one.order)
        alike.setdefault((_filters(one.gpu.gpu, counts), tuple(counts.items())), []).append(one.gpu.index)
    return [_entry(filters, indexes, dict(counts)) for (filters, counts), indexes in alike.items()]


def _entry(filters: tuple[str, ...], indexes: list[int], counts: dict[str, int]) -> dict[str, Any]:
    filtered = {"device-filter": filters[0] if len(filters) == 1 else list(filters)} if filters else {}
    return {**filtered, "devices": indexes, "mig-enabled": bool(counts), "mig-devices": counts}


def _filters(gpu: Gpu, names: Iterable[str]) -> tuple[str, ...]:
    """The GPU's PCI ids, where a profile's name means another share on another GPU."""
    return gpu.device_filters if any(len({one.share for one in gpus_with(name).values()}) > 1 for name in names) else ()


def _name(entries: Sequence[Mapping[str, Any]]) -> str:
    digest = hashlib.sha256(json.dumps(entries, sort_keys=True).encode()).hexdigest()
    return f"tessera-{digest[:8]}"


class _Flow(list[Any]):
    """A list that is written on one line."""


class _Dumper(yaml.SafeDumper):
    """Writes PCI ids in quotes: YAML reads 0x233010DE as a number."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002 - PyYAML's
        """Every entry is written out."""
        return True


def _list(dumper: yaml.SafeDumper, data: _Flow) -> yaml.SequenceNode:
    return dumper.represent_sequence("tag:yaml.org,2002:seq", data, flow_style=True)


def _text(dumper: yaml.SafeDumper, data: str) -> yaml.ScalarNode:
    quoted = data[:2] == "0x"
    return dumper.represent_scalar("tag:yaml.org,2002:str", data, style='"' if quoted else None)


_Dumper.add_representer(_Flow, _list)
_Dumper.add_representer(str, _text)


def _flowing(row: Mapping[str, Any]) -> dict[str, Any]:
    return {key: _Flow(value) if isinstance(value, list) else value for key, value in row.items()}
