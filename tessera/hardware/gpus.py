"""GPUs: what NVIDIA's management library (NVML) says of a product."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal

from tessera import naming
from tessera.errors import TesseraError
from tessera.hardware.rows import Row, table

NO_MIG = "none"
"""Gpu.mig of a product that can't be partitioned. None means that its table is unknown."""

FP8_SINCE = (8, 9)
"""Compute capability from which tensor cores have FP8: Ada is 8.9, Hopper 9.0, Blackwell 10 and later."""


@dataclass(frozen=True)
class Gpu:
    """One GPU product; None is unknown. Source and date of each row stand in recipes/hardware/gpus.yaml.

    accelerator: the word for it in a recipe's conditions; several products may share it.
    product, brand: as the DRA driver publishes them. memory_mib: MiB as NVML reports it; marketed_gb: GB (10^9
    bytes) of the data sheet. form: sxm, pcie or superchip. min_driver, mig_min_driver: the lowest driver branch or
    version, without and with MIG. modules: kernel modules it works with. mig: key of its table of profiles, or
    NO_MIG. pci: PCI device ids, four hex digits.
    """

    key: str
    accelerator: str
    product: str | None
    architecture: str
    brand: str | None
    compute_capability: str
    memory_mib: int | None
    marketed_gb: int
    form: str | None
    min_driver: str | None
    mig_min_driver: str | None
    modules: Literal["open", "both"]
    mig: str | None
    pci: tuple[str, ...]

    @property
    def fp8(self) -> bool:
        """Whether its tensor cores compute in FP8."""
        major, minor, _ = map(int, self.compute_capability.split("."))
        return (major, minor) >= FP8_SINCE

    @property
    def device_filters(self) -> tuple[str, ...]:
        """Its PCI ids as mig-parted's device-filter wants them: device, then NVIDIA's vendor id."""
        return tuple(f"0x{device}10DE" for device in self.pci)


def names() -> list[str]:
    """Keys of all known GPUs, sorted."""
    return sorted(table("gpus"))


def accelerators() -> list[str]:
    """Words for GPUs in a recipe's conditions, sorted."""
    return sorted({gpu(key).accelerator for key in names()})


@cache
def gpu(key: str) -> Gpu:
    """The GPU called key. Raises TesseraError where it is unknown."""
    rows = table("gpus")
    if key not in rows:
        raise TesseraError(naming.unknown("GPU", key, rows))
    row = rows[key]
    return Gpu(
        key=key,
        accelerator=row.text("accelerator"),
        product=row.maybe_text("product"),
        architecture=row.text("architecture"),
        brand=row.maybe_text("brand"),
        compute_capability=row.text("compute_capability"),
        memory_mib=row.maybe_number("memory_mib"),
        marketed_gb=row.number("marketed_gb"),
        form=row.maybe_text("form"),
        min_driver=row.maybe_text("min_driver"),
        mig_min_driver=row.maybe_text("mig_min_driver"),
        modules=_modules(row),
        mig=row.maybe_text("mig"),
        pci=row.texts("pci"),
    )


def _modules(row: Row) -> Literal["open", "both"]:
    found = row.text("modules")
    if found not in {"open", "both"}:
        raise TesseraError(f"{row.where}.modules: {naming.unknown('kind of kernel modules', found, ('open', 'both'))}")
    return "open" if found == "open" else "both"
