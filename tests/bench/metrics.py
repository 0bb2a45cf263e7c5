"""The scheduler's own figures: its /metrics, read as histograms and counters. Nothing is interpolated."""

from __future__ import annotations

import http.client
import re
import ssl
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from lab.lifecycle import Lab
from lab.parts import SCHEDULER
from lab.ports import HOST

_LINE = re.compile(r"^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)", re.MULTILINE)
_LABEL = re.compile(r'(\w+)="((?:\\.|[^"\\])*)"')
_ESCAPES = {r"\\": "\\", r"\"": '"', r"\n": "\n"}


@dataclass(frozen=True)
class Sample:
    """One line of the text format."""

    name: str
    labels: Mapping[str, str]
    value: float


@dataclass(frozen=True)
class Histogram:
    """Counts by upper bound in seconds, as the server writes the bound; each bucket holds only its own."""

    buckets: Mapping[str, int] = field(default_factory=dict)
    total_s: float = 0.0

    @property
    def count(self) -> int:
        return sum(self.buckets.values())

    def since(self, before: Histogram) -> Histogram:
        """What came on top of an earlier reading."""
        gained = {bound: count - before.buckets.get(bound, 0) for bound, count in self.buckets.items()}
        return Histogram(gained, self.total_s - before.total_s)

    def share_up_to(self, bound_s: float) -> float | None:
        """Share in buckets whose bound is at most bound_s; None of nothing."""
        below = sum(count for bound, count in self.buckets.items() if float(bound) <= bound_s)
        return below / self.count if self.count else None

    def bound_of(self, share: float) -> str | None:
        """The smallest bound below which at least this share lies."""
        seen = 0
        for bound, count in self.buckets.items():
            seen += count
            if self.count and seen >= share * self.count:
                return bound
        return None

    def document(self) -> dict[str, Any]:
        share = self.share_up_to(0.016)
        return {
            "buckets": {bound: count for bound, count in self.buckets.items() if count},
            "count": self.count,
            "mean_ms": round(1000 * self.total_s / self.count, 2) if self.count else None,
            "share_up_to_16ms": None if share is None else round(share, 4),
            "bucket_of_99_percent_s": self.bound_of(0.99),
        }


def scrape(lab: Lab) -> str:
    """The text of the scheduler's /metrics. Its certificate is verified; who asks is nobody."""
    context = ssl.create_default_context(cafile=lab.home.pki / "ca.crt")
    connection = http.client.HTTPSConnection(HOST, lab.record.ports[SCHEDULER], timeout=10, context=context)
    try:
        connection.request("GET", "/metrics")
        answer = connection.getresponse()
        text = answer.read().decode()
        assert answer.status == http.client.OK, f"/metrics of the scheduler: {answer.status} {text[:200]}"
        return text
    finally:
        connection.close()


def parse(text: str, *names: str) -> list[Sample]:
    """Samples of the named metrics (or of all), those of histograms by their full names."""
    wanted = tuple(names)
    return [sample for sample in _samples(text) if not wanted or sample.name.startswith(wanted)]


def histogram(samples: Iterable[Sample], name: str, **labels: str) -> Histogram:
    """A histogram, summed over all label sets that have these labels."""
    found: dict[str, float] = {}
    total = 0.0
    for sample in samples:
        if not labels.items() <= sample.labels.items():
            continue
        if sample.name == f"{name}_bucket":
            found[sample.labels["le"]] = found.get(sample.labels["le"], 0) + sample.value
        elif sample.name == f"{name}_sum":
            total += sample.value
    return Histogram(dict(_own(found)), total)


def counter(samples: Iterable[Sample], name: str, **labels: str) -> int:
    """A counter, summed over all label sets that have these labels."""
    return int(sum(one.value for one in samples if one.name == name and labels.items() <= one.labels.items()))


def _own(found: Mapping[str, float]) -> Iterator[tuple[str, int]]:
    """From cumulative counts to those of each bucket alone."""
    below = 0.0
    for bound in sorted(found, key=float):
        yield bound, int(found[bound] - below)
        below = found[bound]


def _samples(text: str) -> Iterator[Sample]:
    for name, labels, value in _LINE.findall(text):
        yield Sample(name, {key: _plain(said) for key, said in _LABEL.findall(labels)}, float(value))


def _plain(said: str) -> str:
    return re.sub(r'\\[\\"n]', lambda found: _ESCAPES[found[0]], said)
