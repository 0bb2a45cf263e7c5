"""Results as tables in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any


def page(results: Iterable[Mapping[str, Any]]) -> str:
    """The tables of all results, one after the other."""
    return "\n\n".join("\n".join(_tables(result)) for result in results)


def _tables(result: Mapping[str, Any]) -> Iterator[str]:
    machine = result["machine"]
    yield f"{machine['cores']} cores, {machine['architecture']}, {machine['system']}."
    if "lab" in result:
        yield from ("", *_lab(result["lab"]))
    if "scheduling" in result:
        yield from ("", *_scheduling(result["scheduling"]))
    if "saturation" in result:
        yield from ("", *_saturation(result["saturation"]))


def _lab(found: Mapping[str, Any]) -> Iterator[str]:
    rows = [(name, one["median"], one["min"], one["max"]) for name, one in found["figures"].items()]
    yield from _table(("figure", "median", "min", "max"), rows)


def _scheduling(found: Mapping[str, Any]) -> Iterator[str]:
    yield f"{found['nodes']} nodes x {found['gpus_per_node']} GPUs."
    yield ""
    head = (
        "arm",
        "arrival",
        "pods",
        "pods/s",
        "algorithm, mean ms",
        "up to 16 ms",
        "99 % within",
        "attempt up to 16 ms",
    )
    yield from _table((*head, "verdict"), [_load(row) for row in found["rows"]])
    yield ""
    yield "Buckets of the algorithm's duration (upper bound in seconds: pods):"
    yield ""
    for row in found["rows"]:
        counts = ", ".join(f"{bound}: {count}" for bound, count in row["algorithm"]["buckets"].items())
        yield f"- {row['arm']}, {_arrival(row)}, {row['pods']} pods: {counts}"


def _load(row: Mapping[str, Any]) -> Sequence[Any]:
    algorithm, attempt = row["algorithm"], row["attempt"]
    return (
        row["arm"],
        _arrival(row),
        row["pods"],
        row["pods_per_s"],
        algorithm["mean_ms"],
        _percent(algorithm["share_up_to_16ms"]),
        f"{algorithm['bucket_of_99_percent_s']} s",
        _percent(attempt["share_up_to_16ms"]),
        row["verdict"],
    )


def _arrival(row: Mapping[str, Any]) -> str:
    return f"{row['rate_per_s']:g}/s" if row["rate_per_s"] else row["arrival"]


def _saturation(found: Mapping[str, Any]) -> Iterator[str]:
    layout = ", ".join(f"{count} nodes {kind}" for kind, count in found["layout_of_static_mig"].items())
    size = f"{found['nodes']} nodes {found['board']}, {found['gpus']} GPUs, {len(found['seeds'])} seeds"
    yield f"{size}; static MIG: {layout}."
    yield ""
    head = ("arm", "demand", "allocated", "95 %", "requested", "95 %", "rounding loss", "fragmentation", "never placed")
    yield from _table((*head, "seconds"), [_line(line) for line in found["summary"]])
    yield ""
    yield found["verdict"]


def _line(line: Mapping[str, Any]) -> Sequence[Any]:
    return (
        line["arm"],
        f"{line['demand_percent']} %",
        _percent(line["allocated"]["median"]),
        _interval(line["allocated"]),
        _percent(line["requested"]["median"]),
        _interval(line["requested"]),
        _percent(line["rounding_loss"]["median"]),
        _percent(line["fragmentation"]["median"]),
        f"{line['never_placed']['median']:g}",
        f"{line['seconds']['median']:.0f}",
    )


def _interval(found: Mapping[str, float]) -> str:
    return f"{100 * found['ci95_low']:.1f} to {100 * found['ci95_high']:.1f}"


def _percent(share: float | None) -> str:
    return "none" if share is None else f"{100 * share:.1f} %"


def _table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(map(str, row))} |"
