"""A file full of mistakes: a message for each, with its line."""

import re
from pathlib import Path

import pytest

from tessera.errors import ProblemsError
from tessera.spec.stack import read_file

CASE = Path(__file__).parent / "cases" / "mistakes.yaml"
MARK = re.compile(r"  # (tessera:\S+)$")


def told():
    with pytest.raises(ProblemsError) as refusal:
        read_file(CASE)
    return refusal.value.problems


def test_every_mistake_is_told_once_with_its_file_line_and_path_in_the_order_of_the_file():
    lines = enumerate(CASE.read_text(encoding="utf-8").splitlines(), 1)
    wanted = [f"{CASE}:{at}: {mark[1]}" for at, line in lines if (mark := MARK.search(line))]
    assert len(wanted) > 20
    assert [re.match(r"\S+:\d+: tessera:(?:[^:]|:(?! ))+", line)[0] for line in told()] == wanted


def test_every_message_says_what_is_allowed_or_what_to_do():
    assert all(re.search(r"; (allowed: |take |each may |set |encrypt )", line) for line in told())


@pytest.mark.parametrize(
    ("found", "nearest"),
    [
        ("kuberntes", "kubernetes"),
        ("traning", "training"),
        ("p5.48xlarg", "p5.48xlarge"),
        ("ubunt-24.04", "ubuntu-24.04"),
        ("NoShedule", "NoSchedule"),
        ("gpu-inference-lagre", "gpu-inference-large"),
        ("gpu-inference-lar", "gpu-inference-large"),
        ("classses", "classes"),
    ],
)
def test_a_misspelt_word_comes_with_the_nearest_one(found, nearest):
    assert any(f"{found!r} (did you mean {nearest!r}?)" in line for line in told())


def test_no_message_speaks_pydantic_or_repeats_a_secret():
    everything = "\n".join(told()).lower()
    assert not re.search(r"input should|extra inputs|field required|pydantic|hunter[0-9]", everything)
