"""Says on stderr what is being built and how long it will still take."""

import contextlib
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, TextIO

from tools.versions import Tool

EVERY = 20.0  # seconds between two plain lines about the same build


@dataclass(frozen=True, slots=True)
class Step:
    """Where the building stands; times in seconds, `done` is the finished share of all work, 0 to 1.

    In the stage "waiting" another process builds, and `tool` is "process N".
    """

    stage: Literal["waiting", "start", "work", "built"]
    tool: str
    position: int = 0
    total: int = 0
    packages: int = 0
    elapsed: float = 0.0
    left: float = 0.0
    done: float = 0.0


type Report = Callable[[Step], None]


@dataclass(slots=True)
class Course:
    """Follows the builds of several tools and makes Steps; `clock` counts seconds."""

    tools: Sequence[Tool]
    report: Report
    clock: Callable[[], float] = time.monotonic
    _position: int = 0
    _packages: int = 0
    _began: float = 0.0
    _spent: float = 0.0
    _planned: float = field(default=0.0)

    def start(self, tool: Tool) -> None:
        """The build of this tool begins."""
        self._position += 1
        self._packages, self._began = 0, self.clock()
        self._say("start", tool)

    def line(self, tool: Tool, line: str) -> None:
        """Go printed a line; "" when it has said nothing for a while."""
        # With -v Go prints the name of each package; everything else that it says has spaces.
        self._packages += bool(line) and " " not in line.strip()
        self._say("work", tool)

    def built(self, tool: Tool) -> None:
        """The build of this tool is done."""
        self._spent += self.clock() - self._began
        self._planned += tool.seconds
        self._say("built", tool)

    def _say(self, stage: Literal["start", "work", "built"], tool: Tool) -> None:
        elapsed = self.clock() - self._began
        # How fast the finished ones went says how fast this machine, with what Go has kept, is.
        pace = self._spent / self._planned if self._planned else 1.0
        rest = self.tools[self._position :]
        left = sum(each.seconds for each in rest) * pace
        if stage != "built":
            left += max(tool.seconds * pace - elapsed, 0.0)
        spent = self._spent + (elapsed if stage != "built" else 0.0)
        done = spent / (spent + left) if spent + left else 1.0
        step = Step(stage, tool.name, self._position, len(self.tools), self._packages, elapsed, left, done)
        self.report(step)


@contextlib.contextmanager
def display(stream: TextIO | None = None) -> Iterator[Report]:
    """A Report for people: a bar on a terminal, and lines where a log is kept; on stderr unless told else."""
    stream = stream or sys.stderr
    if stream.isatty():
        with bar(stream) as report:
            yield report
    else:
        yield lines(stream)


def lines(stream: TextIO | None = None, clock: Callable[[], float] = time.monotonic) -> Report:
    """A Report that writes a line when something starts or ends, and else at most one in EVERY seconds."""
    stream = stream or sys.stderr
    last = clock()

    def report(step: Step) -> None:
        nonlocal last
        if step.stage == "work" and clock() - last < EVERY:
            return
        last = clock()
        stream.write(sentence(step) + "\n")
        stream.flush()

    return report


@contextlib.contextmanager
def bar(stream: TextIO) -> Iterator[Report]:
    """A Report that moves one bar for all the work."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn

    columns = (SpinnerColumn(), BarColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=Console(file=stream), transient=True) as progress:
        task = progress.add_task("", total=1.0)

        def report(step: Step) -> None:
            progress.update(task, completed=step.done, description=sentence(step))
            if step.stage == "built":
                progress.print(sentence(step))

        yield report


def sentence(step: Step) -> str:
    """One line about a step."""
    if step.stage == "waiting":
        return f"Waiting for {step.tool}, which is building the tools"
    name = f"{step.tool} ({step.position} of {step.total})"
    if step.stage == "built":
        return f"Built {name} in {spell(step.elapsed)}"
    left = f"about {spell(step.left)} left" if step.left >= 1 else "nearly done"
    if step.stage == "start":
        return f"Building {name}, {left}"
    return f"Building {name}: {step.packages} packages in {spell(step.elapsed)}, {left}"


def spell(seconds: float) -> str:
    """A duration in words, rounded."""
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"
