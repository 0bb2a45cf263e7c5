"""GPUs: what NVIDIA's management library says of a product."""

from __future__ import annotations

from dataclasses import dataclass

from tessera import data, naming
from tessera.errors import TesseraError


@dataclass(frozen=True)
class Gpu:
    """One GPU product. memory_mib: MiB as NVML reports it; marketed_gb: GB of the data sheet."""

    key: str
    product: str
    architecture: str
    brand: str
    compute_capability: str
    memory_mib: int
    marketed_gb: int


def names() -> list[str]:
    """Keys of all known GPUs, sorted."""
    return sorted(data.load("hardware/gpus.yaml"))


def gpu(key: str) -> Gpu:
    """The GPU called key. Raises TesseraError where it is unknown."""
    rows = data.load("hardware/gpus.yaml")
    if key not in rows:
        raise TesseraError(naming.unknown("GPU", key, rows))
    row = rows[key]
    return Gpu(
        key=key,
        product=row["product"],
        architecture=row["architecture"],
        brand=row["brand"],
        compute_capability=row["compute_capability"],
        memory_mib=row["memory_mib"],
        marketed_gb=row["marketed_gb"],
    )
