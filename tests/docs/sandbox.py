"""A copy of the checkout in which the commands of a page are run, as a reader would type them."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

from tests.docs.pages import CHECKOUT, Command
from tools.root import root

LIMIT_S = 240
OLD = 10**9  # of every copied file, so that make finds the environment newer than what it is made from


class Sandbox:
    """Tracked files and those to be tracked, the checkout's own Python environment, state in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.checkout = folder / "tessera"
        self.env = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),  # --install-completion writes to it
            "SHELL": "/bin/bash",
            "TESSERA_HOME": str(folder / "state"),
            "TESSERA_CACHE": str(root()),
        }
        self._copy_files()
        self._link_environment()

    def run(self, commands: list[Command]) -> str:
        """Run them one after the other in one shell; all that was printed. Stops at the first that goes wrong."""
        return self._bash("\n".join(_checked(command) for command in commands))

    def close(self) -> None:
        """End whatever a page left."""
        self._bash(".venv/bin/tessera lab down --all")

    def _bash(self, script: str) -> str:
        done = subprocess.run(
            ["/bin/bash", "-c", script],
            cwd=self.checkout,
            env=self.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=LIMIT_S,
            check=False,
        )
        assert done.returncode == 0, done.stdout
        return done.stdout

    def _copy_files(self) -> None:
        listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        names = subprocess.run(listed, cwd=CHECKOUT, capture_output=True, text=True, check=True).stdout
        for name in filter(None, names.split("\0")):
            source, target = CHECKOUT / name, self.checkout / name
            if source.is_file():  # else removed, and not yet committed
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(source.read_bytes())
                target.chmod(source.stat().st_mode)
                os.utime(target, (OLD, OLD))

    def _link_environment(self) -> None:
        """Links inside a folder of our own, so that nothing a page does can empty the checkout's."""
        (self.checkout / ".venv").mkdir()
        for part in (CHECKOUT / ".venv").iterdir():
            if part.name != "ready":
                (self.checkout / ".venv" / part.name).symlink_to(part)
        (self.checkout / ".venv" / "ready").touch()


def _checked(command: Command) -> str:
    # A reader is shown a preview, asked, and says yes; nobody is there to be asked here.
    text = re.sub(r"^(pulumi (?:up|refresh|destroy) -s \w+)$", r"\1 --yes --skip-preview", command.text)
    quoted = text.replace("'", "'\\''")
    wanted = f'status=$?; [ $status = {command.status} ] || {{ echo "exit status $status"; exit 1; }}'
    return f"echo '$ {quoted}'\n{text}\n{wanted}"
