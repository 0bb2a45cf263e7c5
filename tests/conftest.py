"""Golden files: what a test expects, in a file whose diff is the review."""

import json
import signal
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# Examples are as many on a busy machine as on an idle one, and none is judged by its time.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")

# A shell that runs this in the background has SIGINT ignored, and what we start would inherit that: tests that
# press Ctrl-C would wait for ever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="rewrite golden files with what is found now")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, Any], None]:
    """Compares a value with golden/<name>.json beside the test, or writes that file on --update-golden."""

    def compare(name: str, value: Any) -> None:
        path = request.path.parent / "golden" / f"{name}.json"
        if request.config.getoption("--update-golden"):
            path.parent.mkdir(exist_ok=True)
            path.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
        assert value == json.loads(path.read_text(encoding="utf-8")), "run with --update-golden, and read the diff"

    return compare
