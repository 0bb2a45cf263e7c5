"""Shortage: why a claim finds no devices: its selectors, replayed over what the slices publish."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tessera.dra.explain import Matcher, Reason
from tessera.dra.stock import Free, Holder, Object, Published, Stock
from tessera.dra.waiting import Finding

HOLDERS = 3
"""Holders that are named; the rest is counted."""

TAKEN, NO_MATCH, NO_CLASS, ERROR, SPREAD, TOGETHER = (
    "all taken", "no device matches", "no such class", "selector error", "too few on one node", "not together",
)  # fmt: skip


@dataclass(frozen=True)
class Market:
    """What there is to choose from. whole: whether claims of all namespaces are seen."""

    stock: Stock
    free: Free
    classes: Mapping[str, Sequence[str]]
    matcher: Matcher
    whole: bool = True


def shortage(claim: Object, market: Market, cel: str = "") -> Finding:
    """Why no node can satisfy a claim that has no devices. cel: the error of which the scheduler told."""
    findings = [_request(request, market, cel) for request in claim["spec"].get("devices", {}).get("requests", [])]
    definite = [finding for finding in findings if finding is not None]
    return definite[0] if definite else Finding(TOGETHER, _together(claim))


def _request(request: Object, market: Market, cel: str) -> Finding | None:
    """Why one request finds nothing; of alternatives, why none of them does."""
    if "firstAvailable" not in request:
        return _option(request.get("exactly", {}), market, cel)
    options = request["firstAvailable"]
    findings = [(option["name"], _option(option, market, cel)) for option in options]
    told = [f"{request['name']}/{name}: {finding.why}" for name, finding in findings if finding is not None]
    last = findings[-1][1]
    return Finding(last.reason, "; ".join(told)) if last is not None and len(told) == len(options) else None


def _option(option: Object, market: Market, cel: str) -> Finding | None:
    name = option.get("deviceClassName", "")
    if name not in market.classes:
        return Finding(NO_CLASS, f"class {name} does not exist")
    selectors = [*market.classes[name], *expressions(option)]
    matching: list[Published] = []
    for devices in market.stock.kinds.values():
        for same in _told_apart(selectors, devices, market.matcher):
            verdict = market.matcher.verdict(selectors, same[0])
            if isinstance(verdict, str):
                return _error(name, same[0], verdict, cel)
            matching += same if verdict else []
    if not matching:
        return Finding(NO_MATCH, _nearest(selectors, market))
    return _taken(option, matching, market)


def _told_apart(selectors: Sequence[str], devices: list[Published], matcher: Matcher) -> Iterable[list[Published]]:
    """Devices of one kind, one by one only where the selectors look at which one it is."""
    return [[device] for device in devices] if matcher.tells_apart(selectors) else [devices]


def _error(name: str, device: Published, verdict: str, cel: str) -> Finding:
    where = f"device {device.place[2]} of node {device.node or device.place[1]}"
    if cel:
        return Finding(ERROR, f"class {name}: CEL error on {where}: {cel}; it keeps the pod from every node")
    return Finding(ERROR, f"class {name} can't be evaluated on {where}: {verdict}")


def _nearest(selectors: Sequence[str], market: Market) -> str:
    """The first condition that fails on the kind of device on which the most hold."""
    kinds = list(market.stock.kinds.values())
    if not kinds:
        return "no node publishes a device"
    found = [(market.matcher.reasons(selectors, devices[0]), devices) for devices in kinds]
    reasons, devices = max(found, key=lambda row: (sum(reason.verdict is True for reason in row[0]), len(row[1])))
    failed = next(reason for reason in reasons if reason.verdict is not True)
    what = devices[0].text("productName") or devices[0].place[2]
    return f"no device matches; nearest {what}: {_failing(failed)}"


def _failing(reason: Reason) -> str:
    return f"{reason.text} does not hold" if reason.verdict is False else f"{reason.text}: {reason.verdict}"


def _taken(option: Object, matching: list[Published], market: Market) -> Finding | None:
    """Why matching devices don't serve; None where enough of them are free on some node."""
    need = _need(option)
    there = Counter(device.node for device in matching)
    if need is not None and (most := max(there.values())) < need:
        return Finding(SPREAD, f"asks {need} on one node; no node has more than {most} that match")
    if option.get("adminAccess"):
        return None
    unheld = [device for device in matching if market.free.has(device)]
    open_ = [device for device in unheld if not _tainted(device, option)]
    best = Counter(device.node for device in open_)
    if any(best[node] >= (there[node] if need is None else need) for node in best):
        return None
    if not market.whole:
        return Finding(TAKEN, f"{len(matching)} devices match; who holds them can't be seen from one namespace")
    away = _away(market.free.holders(matching), len(unheld) - len(open_))
    if not open_:
        taken = "taken, whole or in part" if market.free.in_part(matching) else "taken"
        taken += " or tainted" if unheld else ""
        return Finding(TAKEN, f"all {len(matching)} devices that match are {taken}{away}")
    asks, most = "all" if need is None else need, max(best.values())
    said = f"asks {asks} on one node; {len(open_)} of {len(matching)} that match are free, at most {most} on one{away}"
    return Finding(SPREAD, said)


def _away(holders: Counter[Holder], tainted: int) -> str:
    """Who has what is not free. tainted: count of devices that nobody has, and that the claim does not tolerate."""
    ordered = sorted(holders.items(), key=lambda row: (-row[1], row[0].device_class, row[0].namespace))
    told = [f"{count} by {holder.device_class} of {holder.namespace}" for holder, count in ordered[:HOLDERS]]
    rest = sum(count for _, count in ordered[HOLDERS:])
    told += [f"{rest} by others"] if rest else []
    told += [f"{tainted} tainted"] if tainted else []
    return ": " + ", ".join(told) if told else ""


def _need(option: Object) -> int | None:
    """How many devices of one node; None: all that match there."""
    return None if option.get("allocationMode") == "All" else int(option.get("count", 1))


def _tainted(device: Published, option: Object) -> bool:
    taints = [row for row in device.device.get("taints", []) if row.get("effect") in ("NoSchedule", "NoExecute")]
    return bool(taints) and not option.get("tolerations")


def _together(claim: Object) -> str:
    spec = claim["spec"].get("devices", {})
    same = [row.get("matchAttribute") or row.get("distinctAttribute", "") for row in spec.get("constraints", [])]
    if same:
        return f"enough devices are free, but on no node with one {', '.join(map(short, same))}"
    return "enough devices are free for each request, but not on a node that takes the whole pod"


def short(name: str) -> str:
    """An attribute without its domain."""
    return name.rpartition("/")[2]


def expressions(spec: Object) -> list[str]:
    """The CEL of a class's or a request's selectors."""
    return [row["cel"]["expression"] for row in spec.get("selectors", []) if "cel" in row]
