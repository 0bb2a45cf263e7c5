"""Allocations: which pod got which device, and why, or what it waits for; read from objects, not from intent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from tessera.dra.explain import Matcher, sentence
from tessera.dra.pods import Users
from tessera.dra.rows import UNKNOWN, Device, Row, State
from tessera.dra.seen import Seen
from tessera.dra.shortage import Market, expressions, shortage
from tessera.dra.stock import Holder, Object, Place, Published, Stock
from tessera.dra.unmade import unmade
from tessera.dra.waiting import Finding, Said, said
from tessera.dra.workload import of_claim, of_pod

EXTENDED = "resource.kubernetes.io/extended-resource-claim"
POD_CLAIM = "resource.kubernetes.io/pod-claim-name"


def allocations(seen: Seen, matcher: Matcher | None = None) -> list[Row]:
    """One row per claim, per pod whose claim was never made, and per controller whose pods were refused.

    Sorted by namespace and pod. matcher: what an earlier look found; keep one while watching.
    """
    look = _Look(seen, matcher or Matcher())
    rows = [row for claim in seen.claims for row in look.claim(claim)]
    rows += unmade(seen, look.users, look.waits)
    return sorted(rows, key=lambda row: (row.namespace, row.pods, row.claim, row.key))


class _Look:
    """One look at a cluster: what is needed to tell of each claim, found once."""

    def __init__(self, seen: Seen, matcher: Matcher) -> None:
        self._seen, self._matcher = seen, matcher
        self._stock = Stock(seen.slices or ())
        self._classes = {row["metadata"]["name"]: expressions(row["spec"]) for row in seen.classes or ()}
        free = self._stock.free(dict(_taken(seen.claims)))
        self._market = Market(self._stock, free, self._classes, matcher, seen.whole)
        self._shortages: dict[str, Finding] = {}
        self._nodes = {_place(pod): pod["spec"].get("nodeName", "") for pod in seen.pods}
        self.users = Users(seen.pods)

    def claim(self, claim: Object) -> Iterator[Row]:
        """The row of a claim; a second one where pods wait for a claim that has its devices."""
        results = _results(claim)
        waiting = self.users.waiting(claim)
        if not results:
            yield self._unallocated(claim, waiting)
            return
        yield self._allocated(claim, results)
        late = [pod for pod in waiting if pod["metadata"]["name"] not in _holders(claim)]
        if late:
            finding = self._finding(said(late[0]), None)
            names = tuple(pod["metadata"]["name"] for pod in late)
            key = f"{_key(claim)}/waiting"
            yield _row(claim, key, names, of_pod(late[0]), "waiting", finding, _class_text(claim))

    def waits(self, pod: Object, claim: Object | None = None) -> Finding:
        """Why a pod waits. claim: one of its claims that has no devices, or one as it would be."""
        return self._finding(said(pod), claim)

    def _allocated(self, claim: Object, results: Sequence[Object]) -> Row:
        devices = tuple(self._device(claim, result) for result in results)
        pods = _holders(claim)
        state: State = "deleting" if _deleting(claim) else "in use" if pods else "idle"
        names = dict.fromkeys(request(claim, row["request"]).get("deviceClassName", "") for row in results)
        finding = Finding(state if state != "in use" else "", self._why(claim, results))
        nodes = dict.fromkeys(device.node for device in devices if device.node)
        node = ", ".join(nodes) or _selected(claim) or self._node_of(claim, pods)
        return _row(claim, _key(claim), pods, self._workload(claim), state, finding, ", ".join(names), devices, node)

    def _unallocated(self, claim: Object, waiting: Sequence[Object]) -> Row:
        pods = tuple(pod["metadata"]["name"] for pod in waiting)
        state: State = "deleting" if _deleting(claim) else "waiting" if pods else "unused"
        finding = self._finding(said(waiting[0]), claim) if waiting else Finding("no pod", "no pod uses it")
        return _row(claim, _key(claim), pods, self._workload(claim), state, finding, _class_text(claim))

    def _finding(self, told: Said, claim: Object | None) -> Finding:
        if claim is None or not told.about_devices:
            plain = Finding("no device", f"{told.nodes} nodes: no device for the pod's claims")
            return told.finding or plain
        devices = self._shortage(claim, told)
        if told.finding is None or told.cel:
            return devices
        return Finding(devices.reason, f"{devices.why}; {told.finding.why}")

    def _shortage(self, claim: Object, told: Said) -> Finding:
        if self._seen.slices is None or self._seen.classes is None:
            known = told.finding.why if told.finding and told.cel else f"{told.nodes} nodes: no device for its claims"
            return Finding("no device", f"{known}; more is {UNKNOWN}, for slices or classes can't be read")
        key = repr((claim["spec"], told.cel))
        if key not in self._shortages:
            self._shortages[key] = shortage(claim, self._market, told.cel)
        return self._shortages[key]

    def _device(self, claim: Object, result: Object) -> Device:
        place = (result["driver"], result["pool"], result["device"])
        name = request(claim, result["request"]).get("deviceClassName", "")
        found = self._stock.devices.get(place)
        admin = bool(result.get("adminAccess"))
        if found is None:
            product = UNKNOWN if self._seen.slices is None else ""
            return Device(result["request"], *place, name, product=product, admin=admin)
        parent = found.text("parentUUID")
        texts = found.text("productName"), found.text("profile"), self._stock.names.get(parent, parent)
        return Device(result["request"], *place, name, found.node, *texts, admin)

    def _why(self, claim: Object, results: Sequence[Object]) -> str:
        """Why these devices, told once where it is the same for several."""
        told: dict[str, dict[str, None]] = {}
        for result in results:
            told.setdefault(self._reason(claim, result), {}).setdefault(result["request"])
        if len(told) < 2:
            return next(iter(told), "")
        return "; ".join(f"{', '.join(names)}: {why}" for why, names in told.items())

    def _reason(self, claim: Object, result: Object) -> str:
        if self._seen.slices is None:
            return f"{UNKNOWN}: slices can't be read"
        device = self._stock.devices.get((result["driver"], result["pool"], result["device"]))
        if device is None:
            return "the device is in no slice any more"
        return self._because(request(claim, result["request"]), device)

    def _because(self, asked: Object, device: Published) -> str:
        selectors = [*self._classes.get(asked.get("deviceClassName", ""), ()), *expressions(asked)]
        return sentence(self._matcher.reasons(selectors, device))

    def _node_of(self, claim: Object, pods: Iterable[str]) -> str:
        namespace = claim["metadata"]["namespace"]
        return next((node for pod in pods if (node := self._nodes.get((namespace, pod)))), "")

    def _workload(self, claim: Object) -> str:
        users = self.users.of(claim)
        return of_pod(users[0]) if users else of_claim(claim)


def request(claim: Object, name: str) -> Object:
    """The request that a result names; request/subrequest names one of its alternatives."""
    main, _, alternative = name.partition("/")
    for row in _requests(claim):
        if row["name"] == main:
            options = row.get("firstAvailable", [])
            chosen = next((option for option in options if option["name"] == alternative), None)
            found: Object = chosen or row.get("exactly", {})
            return found
    return {}


def _taken(claims: Iterable[Object]) -> Iterator[tuple[Place, Holder]]:
    for claim in claims:
        for result in _results(claim):
            if not result.get("adminAccess"):
                name = request(claim, result["request"]).get("deviceClassName", "")
                holder = Holder(name, claim["metadata"]["namespace"])
                yield (result["driver"], result["pool"], result["device"]), holder


def _results(claim: Object) -> Sequence[Object]:
    found: Sequence[Object] = claim.get("status", {}).get("allocation", {}).get("devices", {}).get("results", [])
    return found


def _requests(claim: Object) -> Sequence[Object]:
    found: Sequence[Object] = claim["spec"].get("devices", {}).get("requests", [])
    return found


def _class_text(claim: Object) -> str:
    options = (option for row in _requests(claim) for option in row.get("firstAvailable", [row.get("exactly", {})]))
    return ", ".join(dict.fromkeys(option.get("deviceClassName", "") for option in options))


def _deleting(claim: Object) -> bool:
    return "deletionTimestamp" in claim["metadata"]


def _holders(claim: Object) -> tuple[str, ...]:
    return tuple(row["name"] for row in claim.get("status", {}).get("reservedFor", []))


def _selected(claim: Object) -> str:
    """The node of an allocation, for who can't read slices."""
    terms = claim["status"]["allocation"].get("nodeSelector", {}).get("nodeSelectorTerms", [])
    fields = [field for term in terms for field in term.get("matchFields", []) if field["key"] == "metadata.name"]
    return ", ".join(value for field in fields for value in field["values"])


def _place(row: Object) -> tuple[str, str]:
    return row["metadata"]["namespace"], row["metadata"]["name"]


def _key(claim: Object) -> str:
    """The same as of the pod's row before it had a claim."""
    metadata: Mapping[str, dict[str, str]] = claim["metadata"]
    notes = metadata.get("annotations", {})
    namespace, name = _place(claim)
    owners: Iterable[Object] = claim["metadata"].get("ownerReferences", [])
    pod = next((row["name"] for row in owners if row["kind"] == "Pod"), None)
    part = "extended resources" if notes.get(EXTENDED) == "true" else notes.get(POD_CLAIM)
    return f"{namespace}/pod/{pod}/{part}" if pod and part else f"{namespace}/claim/{name}"


def _row(
    claim: Object,
    key: str,
    pods: tuple[str, ...],
    workload: str,
    state: State,
    finding: Finding,
    device_class: str,
    devices: tuple[Device, ...] = (),
    node: str = "",
) -> Row:
    namespace, name = _place(claim)
    reason, why = finding.reason, finding.why
    return Row(key, namespace, name, pods, workload, device_class, state, reason, why, devices, node)
