"""What is said while tools are built."""

import io

import pytest

from tools.progress import Course, Step, bar, display, lines, sentence

PLAN = {"etcd": 40.0, "kube-scheduler": 15.0, "kwok": 9.0}


class Clock:
    """Seconds that pass only when told."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_the_time_left_starts_from_what_was_measured_and_follows_this_machine(clock):
    steps: list[Step] = []
    course = Course(PLAN, steps.append, clock)
    course.start("etcd")
    assert steps[-1].left == 64
    clock.now += 80
    course.built("etcd")
    assert steps[-1].left == 48
    course.start("kube-scheduler")
    clock.now += 15
    course.line("kube-scheduler", "")
    assert steps[-1].left == 15 + 2 * 9
    assert 0 < steps[-1].done < 1


def test_a_slower_build_than_expected_never_has_negative_time_left(clock):
    steps: list[Step] = []
    course = Course({"kwok": 9.0}, steps.append, clock)
    course.start("kwok")
    clock.now += 90
    course.line("kwok", "")
    assert steps[-1].left == 0
    assert sentence(steps[-1]).endswith("longer than expected")
    course.built("kwok")
    assert steps[-1].done == 1


def test_only_packages_are_counted(clock):
    steps: list[Step] = []
    course = Course({"kwok": 9.0}, steps.append, clock)
    course.start("kwok")
    for line in ("go: downloading k8s.io/api v0.36.3", "k8s.io/api/core/v1", "", "internal/abi"):
        course.line("kwok", line)
    assert steps[-1].packages == 2


def test_a_log_gets_a_line_at_each_end_and_one_in_twenty_seconds(clock):
    stream = io.StringIO()
    course = Course({"etcd": 40.0, "kwok": 9.0}, lines(stream, clock), clock)
    for tool in ("etcd", "kwok"):
        course.start(tool)
        for _ in range(30):
            clock.now += 1
            course.line(tool, f"package/{clock.now}")
        course.built(tool)
    assert stream.getvalue().splitlines() == [
        "Building etcd (1 of 2), about 49 s left",
        "Building etcd (1 of 2): 20 packages in 20 s, about 29 s left",
        "Built etcd (1 of 2) in 30 s",
        "Building kwok (2 of 2), about 7 s left",
        "Building kwok (2 of 2): 20 packages in 20 s, longer than expected",
        "Built kwok (2 of 2) in 30 s",
    ]


def test_who_waits_says_for_whom():
    assert sentence(Step("waiting", "process 7")) == "Waiting for process 7, which is building the tools"


def test_a_bar_shows_every_stage():
    stream = io.StringIO()
    with bar(stream) as report:
        for stage in ("waiting", "start", "work", "built"):
            report(Step(stage, "etcd", 1, 2, 3, 4.0, 500.0, 0.5))
    assert "Built etcd (1 of 2) in 4 s" in stream.getvalue()


def test_what_is_not_a_terminal_gets_lines():
    stream = io.StringIO()
    with display(stream) as report:
        report(Step("start", "etcd", 1, 2, left=600))
    assert stream.getvalue() == "Building etcd (1 of 2), about 10 min left\n"
