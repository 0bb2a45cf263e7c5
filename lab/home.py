"""Where a lab keeps its state: one folder of its own, and who is using it."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tessera.errors import TesseraError

NAME = re.compile(r"[a-z0-9]([-a-z0-9]{0,46}[a-z0-9])?")


def state_dir() -> Path:
    """Tessera's state on this machine: $TESSERA_HOME, else $XDG_STATE_HOME/tessera, else ~/.local/state/tessera."""
    if home := os.environ.get("TESSERA_HOME"):
        return Path(home).absolute()
    base = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(base) / "tessera"


@dataclass(frozen=True)
class LabHome:
    """The folder of one lab. It holds keys, so only its owner can read it."""

    name: str
    root: Path

    @property
    def record(self) -> Path:
        """What the lab is: lab.json; a lab exists where this file does."""
        return self.root / "lab.json"

    @property
    def pki(self) -> Path:
        """Certificates and keys."""
        return self.root / "pki"

    @property
    def conf(self) -> Path:
        """Configuration written for the parts, kubeconfigs among it."""
        return self.root / "conf"

    @property
    def kubeconfig(self) -> Path:
        """The user's kubeconfig."""
        return self.root / "kubeconfig"

    @property
    def etcd(self) -> Path:
        """The data of etcd."""
        return self.root / "etcd"

    @property
    def logs(self) -> Path:
        """One log a part."""
        return self.root / "logs"

    def exists(self) -> bool:
        """Whether this lab was made and its data is still there."""
        return self.record.exists() and self.etcd.is_dir()

    def make(self) -> None:
        """Make the folders."""
        for path in (self.root, self.pki, self.conf, self.etcd, self.logs):
            path.mkdir(parents=True, exist_ok=True, mode=0o700)

    def remove(self) -> None:
        """Remove the folder and all in it."""
        if self.root.exists():
            shutil.rmtree(self.root)

    @contextmanager
    def locked(self, timeout_s: float = 60) -> Iterator[None]:
        """Hold the lab for one change at a time. Raises TesseraError after timeout_s seconds of waiting."""
        from filelock import FileLock, Timeout

        lock = self.root.parent / f".{self.name}.lock"  # beside the folder, which may be removed meanwhile
        lock.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        try:
            with FileLock(lock, timeout=timeout_s):
                yield
        except Timeout as error:
            raise TesseraError(
                f"lab {self.name!r}: another command has been changing it for {timeout_s:.0f} s; wait for it, or end it"
            ) from error


def lab_home(name: str) -> LabHome:
    """The home of the lab called name. Raises TesseraError where the name can't be a folder's."""
    if not NAME.fullmatch(name):
        raise TesseraError(f"lab name {name!r}: use small letters, digits and dashes, at most 48, such as lab-a")
    return LabHome(name, state_dir() / "labs" / name)


def lab_homes() -> list[LabHome]:
    """All labs made on this machine by this user, by name."""
    folder = state_dir() / "labs"
    found = sorted(path for path in folder.iterdir() if path.is_dir()) if folder.is_dir() else []
    return [LabHome(path.name, path) for path in found]
