"""A pool as sharing sees it: its machine, and the way its GPUs are shared."""

from __future__ import annotations

from dataclasses import dataclass

from tessera.hardware import boards
from tessera.hardware.gpus import NO_MIG
from tessera.hardware.machines import Machine
from tessera.hardware.mig import cut_on_demand
from tessera.sharing.way import Way


@dataclass(frozen=True)
class SharedPool:
    """Machines of one kind, all shared alike."""

    name: str
    machine: Machine
    way: Way

    @property
    def mig_manager(self) -> bool:
        """Whether the MIG manager sees to its GPUs: not without MIG, nor where the DRA driver cuts them."""
        return self.machine.gpu.mig not in (None, NO_MIG) and self.way.kind != "dynamic-mig"

    @property
    def cut_by_gate(self) -> bool:
        """Whether the DRA driver would offer its GPUs as MIG devices too, once its gate DynamicMIG is on."""
        return self.way.allocator == "claims" and cut_on_demand(self.machine.gpu) is not False

    @property
    def trays(self) -> bool:
        """Whether its machines join NVLink domains; an instance does where a board with its GPU does."""
        found = [boards.board(key) for key in boards.names()]
        if self.machine.kind == "board":
            found = [one for one in found if one.key == self.machine.key]
        return any(one.nvlink_machines > 1 for one in found if one.gpu == self.machine.gpu)
