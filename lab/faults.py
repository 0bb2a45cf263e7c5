"""What is wrong with a lab, and what putting it right would do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from lab import health, parts, pki, processes
from lab.home import LabHome
from lab.ports import is_free
from lab.processes import Running
from lab.record import LabRecord, load

_NO_BINARIES: Mapping[str, Path] = {name: Path(name) for name in parts.NAMES}


@dataclass(frozen=True)
class PartStatus:
    """One part: its process, where there is one, and whether it answers. port: on the loopback address."""

    name: str
    port: int
    running: Running | None
    serves: bool

    @property
    def fault(self) -> str | None:
        """What is wrong, in words, or None."""
        if self.running is None:
            taken = "" if is_free(self.port, patience_s=0.1) else f", and port {self.port} is taken by another program"
            return f"{self.name} is not running{taken}"
        return None if self.serves else f"{self.name} runs (pid {self.running.pid}) but does not answer"


def examine(home: LabHome, record: LabRecord) -> tuple[PartStatus, ...]:
    """Every part's status, found in under a second."""
    expected = parts.parts(home, record.ports, _NO_BINARIES)
    running = processes.find(home)
    answers = health.probe(home, tuple(part for part in expected if part.name in running))
    return tuple(
        PartStatus(part.name, record.ports[part.name], running.get(part.name), answers.get(part.name, False))
        for part in expected
    )


def faults(home: LabHome, record: LabRecord) -> list[str]:
    """What is wrong, a sentence each; empty where all is well."""
    wrong = [status.fault for status in examine(home, record) if status.fault]
    if (home.pki / "ca.crt").exists() and pki.ends_soon(home.pki):
        wrong.append(f"its certificates end within {pki.RENEW_DAYS} days")
    return wrong


def api_moves(home: LabHome) -> bool:
    """Whether a repair will give the API server another port, because another program took its own."""
    if not home.exists():
        return False
    ports = load(home).ports
    return parts.API not in processes.find(home) and not is_free(ports[parts.API], patience_s=0.1)
