"""tessera:lab:Lab, a control plane with simulated GPU nodes on this machine.

Inputs: name, kubernetes (minor version), pools (rows of name, board and size, and what else lab.record.NodePool has a
default for), scheduler (settings, as a recipe's control plane has them).
State: the inputs; instance (identity of its data), server (URL), kubeconfig (secret), parts (names of the
parts that serve).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from components.provider.resource import Call, Difference, PartialError, Values
from components.provider.wire import UNKNOWN, Secret, has_unknown
from lab import faults, kubeconfig, lifecycle
from lab.home import LabHome, lab_home
from lab.parts import API, NAMES
from lab.record import LabRecord, LabSpec, load, pools, rows
from tessera.errors import TesseraError
from tessera.scheduler import scheduler
from tools.progress import Step, sentence

INPUTS = ("name", "kubernetes", "pools", "scheduler")


class LabResource:
    """The id is the lab's name: two stacks that name one lab share it, one stack that lost its state adopts it."""

    def check(self, call: Call, inputs: Values) -> tuple[Values, dict[str, str]]:
        """The name defaults to the stack's; pools are spelt out, so that only what differs is a difference."""
        filled = {"name": call.stack, "kubernetes": "1.36", "pools": [], "scheduler": {}, **inputs}
        if has_unknown(filled):
            return filled, {}
        reasons = {}
        for name, act in (
            ("name", lambda: lab_home(filled["name"])),
            ("scheduler", lambda: scheduler(filled["scheduler"])),
            ("pools", lambda: _spec(filled)),
        ):
            if reason := _refusal(act):
                reasons[name] = reason
        return {**filled, "pools": _spelt_out(filled["pools"])}, reasons

    def diff(self, call: Call, resource_id: str, state: Values, old: Values, new: Values) -> Difference:
        """A lab whose data is gone is replaced; one with a dead part is repaired."""
        home = lab_home(resource_id)
        if not home.exists():
            note = f"the state folder of lab {resource_id} is gone: the lab and all that is on it are made anew"
            return Difference(replaced=("instance",), notes=(note,))
        record = load(home)
        if record.instance != state.get("instance"):
            note = f"lab {resource_id} was made anew behind this stack: all that is on it is made again"
            return Difference(replaced=("instance",), notes=(note,))
        replaced = tuple(key for key in ("name", "kubernetes") if old.get(key) != new.get(key))
        changed = ["pools"] if _spelt_out(old.get("pools")) != _spelt_out(new.get("pools")) else []
        changed += ["scheduler"] if old.get("scheduler", {}) != new.get("scheduler", {}) else []
        if state.get("server") != kubeconfig.server(record.ports[API]):
            changed.append("server")  # `tessera lab up` gave it another port meanwhile
        wrong = faults.faults(home, record)
        if wrong:
            changed.append("parts")
        notes = tuple(f"{fault}; an update repairs it" for fault in wrong)
        return Difference(tuple(changed), replaced, notes)

    def plan(self, resource_id: str | None, state: Values, new: Values) -> Values:
        """A repair keeps certificates and, unless its port was taken, the address: what depends on them stays known."""
        known = dict(state) if resource_id and not faults.api_moves(lab_home(resource_id)) else {}
        secret = Secret(known["kubeconfig"]) if "kubeconfig" in known else UNKNOWN
        return {
            **new,
            "instance": state.get("instance", UNKNOWN),
            "server": known.get("server", UNKNOWN),
            "kubeconfig": secret,
            "parts": list(NAMES),
        }

    def create(self, call: Call, inputs: Values) -> tuple[str, Values]:
        """Start it, or adopt the lab of that name."""
        name = str(inputs["name"])
        return name, self._up(call, name, inputs)

    def read(self, call: Call, resource_id: str, old_inputs: Values) -> tuple[Values, Values] | None:
        """What runs and serves now.

        A lab whose data is gone stays in the stack's state, without an instance: forgotten, it would be
        created beside objects that the engine believes to be there; so the next update replaces it and them.
        """
        home = lab_home(resource_id)
        if not home.exists():
            return (old_inputs, {**old_inputs, "instance": "", "parts": []}) if old_inputs else None
        record = load(home)
        inputs = _inputs(record)
        return inputs, _state(home, record, inputs)

    def update(self, call: Call, resource_id: str, inputs: Values) -> Values:
        """Repair it and bring its nodes to the pools."""
        return self._up(call, resource_id, inputs)

    def delete(self, call: Call, resource_id: str) -> None:
        """Stop every process and remove the folder."""
        call.report(f"stopping lab {resource_id}")
        lifecycle.down(resource_id)

    def _up(self, call: Call, name: str, inputs: Values) -> Values:
        control = lifecycle.Control(call.report, call.cancelled.is_set)

        def building(step: Step) -> None:
            control.check()  # Ctrl-C ends the build too; the next one goes on from what is compiled
            call.report(sentence(step))

        control.building = building
        try:
            made = lifecycle.up(_spec(inputs), control)
            call.report(f"up after {made.seconds:.1f} s")
        except (TesseraError, OSError) as error:
            raise PartialError(str(error), name, _partial_state(name, inputs)) from error
        return _state(made.home, made.record, inputs, parts=list(NAMES))


def _spec(inputs: Values) -> LabSpec:
    settings = inputs.get("scheduler", {})
    return LabSpec(str(inputs["name"]), str(inputs["kubernetes"]), pools(inputs["pools"]), settings)


def _inputs(record: LabRecord) -> dict[str, Any]:
    spec = record.spec
    plain = {"name": spec.name, "kubernetes": spec.kubernetes, "pools": rows(spec.pools)}
    return {**plain, "scheduler": dict(spec.scheduler)}


def _spelt_out(found: Any) -> Any:
    """The rows of pools with all their keys; what can't be read stays as it is."""
    try:
        return rows(pools(found))
    except TesseraError:
        return found


def _state(home: LabHome, record: LabRecord, inputs: Values, parts: list[str] | None = None) -> Values:
    if parts is None:
        parts = [status.name for status in faults.examine(home, record) if status.fault is None]
    text = home.kubeconfig.read_text(encoding="utf-8") if home.kubeconfig.exists() else ""
    return {
        **{key: inputs[key] for key in INPUTS if key in inputs},
        "instance": record.instance,
        "server": kubeconfig.server(record.ports[API]),
        "kubeconfig": Secret(text),
        "parts": parts,
    }


def _partial_state(name: str, inputs: Values) -> Values:
    home = lab_home(name)
    if not home.exists():
        return dict(inputs)
    try:
        return _state(home, load(home), inputs)
    except (TesseraError, OSError):
        return dict(inputs)


def _refusal(act: Callable[[], object]) -> str | None:
    try:
        act()
    except TesseraError as error:
        return str(error)
    return None
