"""Says on stderr what is being built and how long it will still take."""

import contextlib
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, TextIO

EVERY = 20.0  # seconds between two plain lines about the same build


@dataclass(frozen=True, slots=True)
class Step:
    """Where the building stands; times in seconds, `done` is the finished share of all work, 0 to 1.

    In the stage "waiting" another process builds, and `tool` names that process.
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
    """Follows the builds of several tools and makes Steps.

    `plan` has the seconds that each is expected to take, in the order of building; `clock` counts seconds.
    """

    plan: Mapping[str, float]
    report: Report
    clock: Callable[[], float] = time.monotonic
    _finished: list[str] = field(default_factory=list)
    _spent: float = 0.0
    _packages: int = 0
    _began: float = 0.0

    def start(self, tool: str) -> None:
        """The build of this tool begins."""
        self._packages, self._began = 0, self.clock()
        self._say("start", tool)

    def line(self, tool: str, line: str) -> None:
        """Go printed a line; "" when it has said nothing for a while."""
        # With -v Go prints the name of each package; everything else that it says has spaces.
        self._packages += bool(line) and " " not in line.strip()
        self._say("work", tool)

    def built(self, tool: str) -> None:
        """The build of this tool is done."""
        self._finished.append(tool)
        self._spent += self.clock() - self._began
        self._say("built", tool)

    def _say(self, stage: Literal["start", "work", "built"], tool: str) -> None:
        position = len(self._finished) + (stage != "built")
        elapsed = 0.0 if stage == "start" else self.clock() - self._began
        left = self._left(tool, elapsed)
        spent = self._spent + (elapsed if stage != "built" else 0.0)
        done = spent / (spent + left) if spent + left else 1.0
        self.report(Step(stage, tool, position, len(self.plan), self._packages, elapsed, left, done))

    def _left(self, tool: str, elapsed: float) -> float:
        # How fast the finished ones went says how fast this machine, with what Go has kept, is.
        planned = sum(self.plan[name] for name in self._finished)
        pace = self._spent / planned if planned else 1.0
        left = {name: seconds * pace for name, seconds in self.plan.items() if name not in self._finished}
        if tool in left:
            left[tool] = max(left[tool] - elapsed, 0.0)
        return sum(left.values())


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
                progress.print(sentence(step), highlight=False)

        yield report


def sentence(step: Step) -> str:
    """One line about a step."""
    if step.stage == "waiting":
        return f"Waiting for {step.tool}, which is building the tools"
    name = f"{step.tool} ({step.position} of {step.total})"
    if step.stage == "built":
        return f"Built {name} in {spell(step.elapsed)}"
    left = f"about {spell(step.left)} left" if step.left >= 1 else "longer than expected"
    if step.stage == "start":
        return f"Building {name}, {left}"
    return f"Building {name}: {step.packages} packages in {spell(step.elapsed)}, {left}"


def spell(seconds: float) -> str:
    """A duration in words, rounded."""
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"
