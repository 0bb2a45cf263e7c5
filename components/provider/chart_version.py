"""tessera:platform:ChartVersion, the version of a component that a stack has installed.

Inputs: component (name), version, allowMajor. State: the same. It makes nothing: its state is what an update is held
against, so a step to another major version is refused in the preview already, before CRDs or release change.
"""

from __future__ import annotations

from components.provider.resource import Call, Difference, Values
from tessera.errors import TesseraError
from tessera.platform.version import refusal, series


class ChartVersionResource:
    """The id is the component's name."""

    def check(self, call: Call, inputs: Values) -> tuple[Values, dict[str, str]]:
        """A version must be one."""
        try:
            series(str(inputs.get("version")))
        except TesseraError as error:
            return inputs, {"version": str(error)}
        return inputs, {}

    def diff(self, call: Call, resource_id: str, state: Values, old: Values, new: Values) -> Difference:
        """Raises TesseraError where a step to another major version was not allowed."""
        was, wanted = str(state["version"]), str(new["version"])
        if said := refusal(resource_id, was, wanted, bool(new.get("allowMajor"))):
            raise TesseraError(said)
        return Difference(changed=("version",) if was != wanted else ())

    def plan(self, resource_id: str | None, state: Values, new: Values) -> Values:
        """All of it is known."""
        return new

    def create(self, call: Call, inputs: Values) -> tuple[str, Values]:
        """Note the version."""
        return str(inputs["component"]), inputs

    def read(self, call: Call, resource_id: str, old_inputs: Values) -> tuple[Values, Values] | None:
        """As it was noted."""
        return (old_inputs, old_inputs) if old_inputs else None

    def update(self, call: Call, resource_id: str, inputs: Values) -> Values:
        """Note the version."""
        return inputs

    def delete(self, call: Call, resource_id: str) -> None:
        """Nothing was made."""
