"""The matrix: which combinations of criteria the layers offer, machine by machine, and which of them are run by us."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tessera.hardware import boards, instances
from tessera.hardware.machines import machine
from tessera.recipe.conditions import WORDS, matches
from tessera.recipe.layers import FOLDERS, LayerFile

RUN_HERE = ("lab",)
"""Services whose clusters are brought up on the machine that tests Tessera; others are resolved there, and not run."""

_ASKED = ("kubernetes", "os", "sharing", "intent", "framework")


@dataclass(frozen=True)
class Offer:
    """What a service offers with one GPU. gpu: key of the product; others: values that nothing refuses."""

    service: str
    accelerator: str
    gpu: str
    kubernetes: tuple[str, ...]
    os: tuple[str, ...]
    sharing: tuple[str, ...]
    intent: tuple[str, ...]
    framework: tuple[str, ...]

    @property
    def run(self) -> str:
        """Whether such a cluster runs where Tessera is tested."""
        return "run here" if self.service in RUN_HERE else "not run here"


Rule = tuple[Mapping[str, tuple[str, ...]], str, Sequence[str]]
"""A condition, the criterion that is bound where it holds, and the values that are allowed."""


def matrix(layers: Sequence[LayerFile]) -> list[Offer]:
    """Every service with every GPU that one of its machines has, by service and name."""
    rules = list(_rules(layers))
    words = {name: _words(name, layers) for name in _ASKED}
    found = []
    for service in WORDS["service"]:
        names = instances.names() if service == "eks" else boards.names()
        for gpu, accelerator in sorted({(one.gpu.key, one.accelerator) for one in map(machine, names)}):
            known = {"service": service, "gpu": gpu, "accelerator": accelerator}
            offered = {name: tuple(_allowed(name, words[name], known, rules)) for name in _ASKED}
            if service == "lab":
                offered["os"] = ()  # its nodes have none
            found.append(Offer(service, accelerator, gpu, **offered))
    return found


def _words(criterion: str, layers: Iterable[LayerFile]) -> list[str]:
    """The values of a criterion that a layer is named after, in the order of its words."""
    named = {layer.layer.partition("/")[2] for layer in layers if layer.layer.startswith(f"{criterion}/")}
    order = WORDS.get(criterion, sorted(named))
    return [word for word in order if word in named]


def _rules(layers: Iterable[LayerFile]) -> Iterator[Rule]:
    for block in (block for layer in layers if layer.layer.partition("/")[0] in FOLDERS for block in layer.blocks):
        said: dict[str, dict[str, object]] = {}
        for write in block.writes:
            if write.path[0] == "constraints" and len(write.path) == 3:
                said.setdefault(write.path[1], {})[write.path[2]] = write.value
        for rule in said.values():
            subject, allowed = str(rule.get("subject", "")), rule.get("one of")
            if isinstance(allowed, list) and rule.get("severity", "error") == "error":
                yield block.when, subject.partition(".")[2], [str(value) for value in allowed]


def _allowed(criterion: str, words: Iterable[str], known: Mapping[str, str], rules: Iterable[Rule]) -> Iterator[str]:
    bound = [(when, allowed) for when, subject, allowed in rules if subject == criterion]
    for word in words:
        asked = {**known, criterion: word}
        if all(word in allowed for when, allowed in bound if matches(when, asked)):
            yield word
