"""What binaries said about their versions, so that each is asked only once."""

import json
import os
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tools.root import root

TIMEOUT = 20  # seconds; a cold disk is slow, a program that waits for input must not hang us


class Memory:
    """Answers kept in the cache by path, time of change and size of the binary that gave them."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = file or root() / "answers.json"
        self._answers: dict[str, str] = self._load()

    def ask(self, path: Path, arguments: Sequence[str], note: str = "") -> str:
        """What the binary prints for these arguments; "" when it can't be run or takes too long."""
        stat = path.stat()
        key = json.dumps([str(path), stat.st_mtime_ns, stat.st_size, *arguments, note])
        if key not in self._answers:
            self.write(key, _run(path, arguments))
        return self._answers[key]

    def read(self, key: str) -> str:
        """What was kept under a key; "" for nothing."""
        return self._answers.get(key, "")

    def write(self, key: str, answer: str) -> None:
        """Keeps an answer. Of two processes that write at once one may win: the other asks again."""
        if self._answers.get(key) == answer:
            return
        self._answers[key] = answer
        self._file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=self._file.parent, prefix=".answers-", delete=False) as file:
            json.dump(self._answers, file, indent=1)
        Path(file.name).replace(self._file)

    def _load(self) -> dict[str, str]:
        try:
            loaded = json.loads(self._file.read_text())
        except (OSError, ValueError):  # not there yet, or damaged: nothing is lost but a second
            return {}
        return loaded if isinstance(loaded, dict) else {}


def _run(path: Path, arguments: Sequence[str]) -> str:
    # Pulumi asks the network whether it is up to date unless it is told not to.
    environment = os.environ | {"PULUMI_SKIP_UPDATE_CHECK": "true"}
    try:
        done = subprocess.run(
            [path, *arguments],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=TIMEOUT,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout or done.stderr
