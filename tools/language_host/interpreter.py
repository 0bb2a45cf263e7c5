"""The Python interpreter that a program or plugin asks for."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pulumi.runtime.proto.language_pb2 import ProgramInfo


class InterpreterError(Exception):
    """The virtualenv that a project names can't be used; the message says what to do."""


@dataclass(frozen=True)
class Interpreter:
    """A Python executable, and the virtualenv that it belongs to if a project names one."""

    executable: Path
    virtualenv: Path | None = None

    @classmethod
    def of(cls, info: ProgramInfo) -> Interpreter:
        """The interpreter of `runtime.options.virtualenv`; without that option, the one we run under."""
        option = dict(info.options.items()).get("virtualenv")
        if not option:
            return cls(Path(sys.executable))
        # Joining keeps an absolute option as it is. Links are not resolved: a virtualenv is its link's place.
        virtualenv = Path(info.root_directory or info.program_directory) / str(option)
        executable = virtualenv / "bin" / "python"
        if not os.access(executable, os.X_OK):
            message = (
                f"The virtualenv {option!r} named by runtime.options has no interpreter at {executable}: "
                "create it and install the requirements, or take the option out."
            )
            raise InterpreterError(message)
        return cls(executable, virtualenv)

    def environment(self, base: Mapping[str, str]) -> dict[str, str]:
        """`base` as it is after the virtualenv's activation, so that its commands are found too."""
        environment = dict(base)
        if self.virtualenv is not None:
            environment.pop("PYTHONHOME", None)
            environment["VIRTUAL_ENV"] = str(self.virtualenv)
            bin_folder = str(self.virtualenv / "bin")
            environment["PATH"] = os.pathsep.join(filter(None, [bin_folder, base.get("PATH")]))
        return environment
