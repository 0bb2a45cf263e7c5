"""The local CEL engine judges generated selectors, on every known device, as the API server and the scheduler do."""

import os
from itertools import batched, count

import pytest

from tessera.dra import cel
from tests.lab.judges import BLANK, Judges, Question
from tests.lab.made_selectors import made
from tests.lab.published import ID, PER_NODE, published

pytestmark = pytest.mark.lab

SELECTORS, SPARE, SEED = 100, 60, int(os.environ.get("TESSERA_TEST_SEED", "36"))
COST = "exceeds cost limit"
"""What the API server says of a selector whose cost it finds too high, which nothing here can tell."""

UNKNOWN = ("gpu.nvidia.com", {"name": BLANK, "attributes": {f"{ID}/id": {"string": BLANK}}})


@pytest.fixture(scope="module")
def nodes():
    """Some devices on each of a few nodes, of like kinds: an error on one of them hides the others of its node."""
    devices = published()
    return {f"judge-{number}": group for number, group in enumerate(batched(devices, _per_node(devices)))}


def _per_node(devices):
    return min(PER_NODE, -(-len(devices) // 6))


@pytest.fixture(scope="module")
def judges(lab, nodes):
    found = Judges(str(lab.home.kubeconfig))
    found.prepare(nodes)
    yield found
    found.close()


@pytest.fixture(scope="module")
def refusals(judges):
    """The API server's word by selector, of as many as wanted that it does not refuse for their cost."""
    selectors = made(SELECTORS + SPARE, SEED)
    said = dict(zip(selectors, judges.refusals(selectors), strict=True))
    judged = {selector: why for selector, why in said.items() if COST not in why}
    return dict(list(judged.items())[:SELECTORS])


@pytest.fixture(scope="module")
def accepted(refusals):
    return [selector for selector, why in refusals.items() if not why]


def verdicts(selector, devices):
    return {device["name"]: cel.evaluate(selector, device, driver) for driver, device in devices}


def ids(found, wanted):
    return frozenset(name for name, verdict in found.items() if wanted(verdict))


def erring(found):
    return ids(found, lambda verdict: isinstance(verdict, str))


def test_api_server_refuses_the_same_selectors(refusals):
    assert len(refusals) == SELECTORS
    wrong = [(one, cel.check(one), why) for one, why in refusals.items() if bool(why) != bool(cel.check(one))]
    assert not wrong, "\n".join(f"{one}\n  here: {ours}\n  API server: {why}" for one, ours, why in wrong)
    assert sum(map(bool, refusals.values())) >= 3, "some of the selectors should not compile"


def test_scheduler_finds_the_same_devices(accepted, judges, nodes):
    numbers, expected = count(), {}
    for selector in accepted:
        for node, devices in nodes.items():
            found = verdicts(selector, (*devices, UNKNOWN))
            wrong, right = erring(found), ids(found, lambda verdict: verdict is True)
            let_through = frozenset() if right and not wrong else wrong | {BLANK}
            expected[Question(next(numbers), node, selector, tuple(sorted(let_through)))] = right | let_through
    _compare(judges.allocate(list(expected)), expected)


def test_scheduler_stops_at_a_device_that_errs(accepted, judges, nodes):
    """One node is enough: where several of its devices err, any of them may be the one that stops the claim."""
    first = {selector: next(iter(_errors(selector, nodes)), None) for selector in accepted}
    _expect_errors(judges, [(selector, found[0], (BLANK,)) for selector, found in first.items() if found])


@pytest.mark.full
def test_scheduler_errs_on_each_device_that_errs_here(accepted, judges, nodes):
    """Every device but one is let through, so that one alone can have stopped the claim."""
    _expect_errors(
        judges,
        [
            (selector, node, tuple(sorted({BLANK, *(device["name"] for _, device in nodes[node])} - {name})))
            for selector in accepted
            for node, name in _errors(selector, nodes)
        ],
    )


def _errors(selector, nodes):
    """Node and device, of each device on which the selector errs here."""
    return [(node, name) for node, devices in nodes.items() for name in sorted(erring(verdicts(selector, devices)))]


def test_no_device_fits_where_the_selector_holds_for_none(judges, nodes):
    question = Question(0, next(iter(nodes)), 'device.driver == "nobody.example"')
    assert "cannot allocate all claims" in judges.allocate([question], alone=True)[question]


def _expect_errors(judges, asked):
    assert asked, "some of the selectors should err"
    numbers = count()
    for group in batched(asked, 100):
        questions = [Question(next(numbers), node, selector, let) for selector, node, let in group]
        answers = judges.allocate(questions, alone=True)
        wrong = {one: said for one, said in answers.items() if "CEL runtime error" not in said}
        assert not wrong, "\n".join(
            f"{one.expression}\n  here: an error\n  scheduler: {said}" for one, said in wrong.items()
        )


def _compare(answers, expected):
    told = [
        f"{question.expression}\n  {question.node} {name}: here {name in devices}, scheduler {answers[question]}"
        for question, devices in expected.items()
        if answers[question] != devices
        for name in _differing(answers[question], devices)
    ]
    assert not told, "\n".join(told)


def _differing(said, devices):
    return sorted(devices ^ said) if isinstance(said, frozenset) else ["every device"]
