"""`tessera mig`."""

import json

import pytest
import yaml

from cli.mig.rows import emit_rows
from cli.output import emit

GPUS = ("mig", "plan", "--gpu", "h100-sxm-80", "--count", "8")
WANTS = ("--want", "1g.10gb=20", "--want", "3g.40gb=4")
MORE = ("--want", "1g.10gb=21", "--want", "3g.40gb=4")


def test_a_plan_is_drawn_and_summed_up(tessera):
    code, told, said = tessera(*GPUS, *WANTS)
    assert (code, said) == (0, "")
    assert told.count("[1g.10gb][1g.10gb][1g.10gb][1g.10gb][3g.40gb") == 4
    assert "GPUs: 5 cut, 3 whole\nslices taken: 32 of 35 compute, 36 of 40 memory" in told
    assert "moves: 24\n" in told


def test_a_plan_is_read_again_and_little_moves(tessera, tmp_path):
    path = tmp_path / "layout.json"
    path.write_text(tessera(*GPUS, *WANTS, "--json")[1])
    code, told, _ = tessera("mig", "plan", "--layout", str(path), *WANTS)
    assert (code, "moves: 0\n" in told) == (0, True)
    _, told, _ = tessera("mig", "plan", "--layout", str(path), *MORE, "--json")
    found = json.loads(told)
    assert [(move["do"], move["profile"]) for move in found["moves"]] == [("create", "1g.10gb")]
    _, told, _ = tessera("mig", "plan", "--layout", str(path), *MORE)
    assert "re-cut: h100-sxm-80-0/4; mig-parted wipes every instance" in told


def test_what_mig_parted_reads_is_yaml(tessera):
    code, told, _ = tessera(*GPUS, *WANTS, "--parted")
    assert (code, yaml.safe_load(told)["version"]) == (0, "v1")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        pytest.param(
            ("--gpu", "h100-sxm-80=99999999", "--want", "1g.10gb=1"),
            "--gpu: found 99999999 GPUs, allowed: at most 10000 in one plan",
            id="GPUs",
        ),
        pytest.param(
            ("--gpu", "h100-sxm-80", "--want", "1g.10gb=99999999"),
            "--want: found 99999999 instances, allowed: at most 70000 in one plan",
            id="instances",
        ),
        pytest.param(
            ("--gpu", "h100-sxm-80", "--count", "99999999", "--keep-whole", "1", "--want", "1g.10gb=1"),
            "--gpu: found 99999999 GPUs, allowed: at most 10000 in one plan",
            id="count",
        ),
        pytest.param(
            ("--gpu", "h100-sxm-80=6000", "--gpu", "a100-sxm-80=6000", "--want", "1g.10gb=1"),
            "--gpu: found 12000 GPUs, allowed: at most 10000 in one plan",
            id="GPUs in total",
        ),
        pytest.param(
            ("--gpu", "h100-sxm-80", "--want", "1g.10gb=50000", "--want", "2g.20gb=50000"),
            "--want: found 100000 instances, allowed: at most 70000 in one plan",
            id="instances in total",
        ),
    ],
)
def test_what_no_plan_is_made_of_is_refused_at_once(tessera, words, said):
    code, told, error = tessera("mig", "plan", *words)
    assert (code, told, error) == (3, "", f"tessera: {said}\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        pytest.param(
            ("--gpu", "h100-sxm-80=4", "--count", "8", "--want", "1g.10gb=1"),
            "--count: found 8, but each --gpu has a count of its own; take one away",
            id="two counts",
        ),
        pytest.param(
            ("--gpu", "h100-sxm-80=4", "--want", "1g.10gb=1", "--want", "1g.10gb=2"),
            "--want: found 1g.10gb twice, 1 and 2; say its total once",
            id="a want twice",
        ),
        pytest.param(
            ("--gpu", "h100-sxm-80=4", "--want", "1g.10gb=1", "--keep-whole", "1", "--keep-whole", "h100-sxm-80=2"),
            "--keep-whole: found h100-sxm-80 twice, 1 and 2; say its total once",
            id="whole twice",
        ),
        pytest.param(
            ("--gpu", "h100-sxm-80", "--want", "1g.10gb"),
            "--want: found '1g.10gb', allowed NAME=COUNT, with a count of 1 to 18 digits",
            id="no count",
        ),
        pytest.param(
            ("--gpu", "h100-sxm-80", "--want", "1g.10gb=-1"),
            "--want: found '1g.10gb=-1', allowed NAME=COUNT, with a count of 1 to 18 digits",
            id="negative",
        ),
        pytest.param(
            ("--gpu", f"h100-sxm-80={'9' * 19}", "--want", "1g.10gb=1"),
            f"--gpu: found 'h100-sxm-80={'9' * 19}', allowed NAME=COUNT, with a count of 1 to 18 digits",
            id="endless count",
        ),
    ],
)
def test_words_that_nobody_can_have_meant_are_2(tessera, words, said):
    code, told, error = tessera("mig", "plan", *words)
    assert (code, told) == (2, "")
    assert said in _unboxed(error)


def _unboxed(error: str) -> str:
    """What is said in the frame around wrong words, on one line."""
    return " ".join(error.replace("│", " ").split())


def test_one_count_may_serve_the_gpus_without_one(tessera):
    words = ("--gpu", "h100-sxm-80=1", "--gpu", "a100-sxm-80", "--count", "2", "--want", "a100-sxm-80/7g.80gb=2")
    code, told, _ = tessera("mig", "plan", *words)
    assert (code, "GPUs: 2 cut, 1 whole" in told) == (0, True)


def test_a_layout_or_a_stack_has_the_same_limit(tessera, tmp_path):
    layout = tmp_path / "layout.json"
    layout.write_text(json.dumps([{"node": "a", "index": at, "gpu": "h100-sxm-80"} for at in range(10_001)]))
    _, _, said = tessera("mig", "plan", "--layout", str(layout), "--want", "1g.10gb=1")
    assert said == "tessera: MIG plan: found 10001 GPUs, allowed: at most 10000 in one plan\n"
    stack = tmp_path / "Pulumi.many.yaml"
    stack.write_text(
        "config:\n"
        "  tessera:cluster: {service: lab, kubernetes: '1.36', intent: inference, framework: none}\n"
        "  tessera:pools:\n"
        "    - {name: cut, board: hgx-h100, size: 1251, sharing: {mig: {profiles: {1g.10gb: 4}}}}\n"
    )
    _, _, said = tessera("mig", "plan", "-s", str(stack))
    assert said == f"tessera: stack {stack}: found 10008 GPUs, allowed: at most 10000 in one plan\n"


def test_a_long_table_looks_like_a_short_one(capsys):
    rows = [{"GPU": f"node-{at}", "change": "new" * (at % 3)} for at in range(300)]
    emit_rows(rows, ("GPU", "change"))
    long = capsys.readouterr().out
    emit(rows, ("GPU", "change"), as_json=False)
    assert long == capsys.readouterr().out


def test_the_largest_plan_has_a_row_for_each_gpu_and_a_move_for_each_instance(tessera):
    code, told, _ = tessera("mig", "plan", "--gpu", "h100-sxm-80=10000", "--want", "1g.10gb=70000")
    assert (code, "GPUs: 10000 cut, 0 whole" in told) == (0, True)
    assert told.count("  new     ") == 10_000
    assert told.count("create  ") == 70_000


def test_wrong_words_are_told_all_at_once(tessera):
    words = (
        "--gpu",
        "h100=2",
        "--gpu",
        "a=b",
        "--want",
        "1g=x",
        "--want",
        "1g",
        "--keep-whole",
        "x",
        "--keep-whole",
        "1",
    )
    code, told, error = tessera("mig", "plan", *words)
    said = _unboxed(error)
    wanted = ("--gpu: found 'a=b'", "unknown GPU 'h100'", "--want: found '1g=x'", "--want: found '1g',", "found 'x'")
    assert (code, told) == (2, "")
    assert [one for one in wanted if one not in said] == []


def test_one_whole_of_several_products_has_to_say_which(tessera):
    words = ("--gpu", "h100-sxm-80", "--gpu", "a100-sxm-80", "--keep-whole", "1", "--want", "7g.80gb=1")
    code, _, error = tessera("mig", "plan", *words)
    assert code == 2
    assert "for several products; say which: h100-sxm-80=1, a100-sxm-80=1" in _unboxed(error)


@pytest.mark.parametrize(
    "words",
    [
        ("--want", "1g.10gb=1"),
        ("--gpu", "l4", "--stack", "lab"),
        ("--gpu", "h100-sxm-80"),
        (*GPUS[2:], "--parted", "--json"),
    ],
    ids=["no GPUs", "two sources", "no wants", "two outputs"],
)
def test_words_that_do_not_go_together_are_2(tessera, words):
    assert tessera("mig", "plan", *words)[0] == 2


def test_a_demand_that_does_not_fit_is_3_and_says_the_most_that_does(tessera):
    code, told, said = tessera("mig", "plan", "--gpu", "h100-sxm-80", "--want", "3g.40gb=3")
    assert (code, told) == (3, "")
    assert "the most that fits, large profiles first, is 2 of 3 x 3g.40gb" in said
    assert "or add 1 x h100-sxm-80" in said


def test_a_layout_that_is_not_there_or_no_json_is_told(tessera, tmp_path):
    path = tmp_path / "l.json"
    code, _, said = tessera("mig", "plan", "--layout", str(path), "--want", "1g.10gb=1")
    assert (code, said) == (3, f"tessera: {path}: can't be read (No such file or directory)\n")
    path.write_text("{")
    assert "is no JSON" in tessera("mig", "plan", "--layout", str(path), "--want", "1g.10gb=1")[2]


def test_a_stack_whose_pools_share_by_mig_is_planned(tessera, tmp_path):
    path = tmp_path / "Pulumi.cut.yaml"
    path.write_text(
        "config:\n"
        "  tessera:cluster: {service: lab, kubernetes: '1.36', intent: inference, framework: none}\n"
        "  tessera:pools:\n"
        "    - {name: cut, board: hgx-h100, size: 2, sharing: {mig: {profiles: {1g.10gb: 4}}}}\n"
        "    - {name: free, board: hgx-h100, size: 1}\n"
    )
    code, told, said = tessera("mig", "plan", "-s", str(path))
    assert (code, said) == (0, "")
    assert "GPUs: 10 cut, 6 whole" in told  # 64 instances, seven on a GPU
    assert "cut-1/1" in told
    code, _, said = tessera("mig", "plan", "-s", "lab")
    assert (code, "no pool shares by mig" in said) == (3, True)


def test_profiles_of_a_gpu_are_shown(tessera):
    code, told, _ = tessera("mig", "profiles", "h100-sxm-80", "--json")
    found = {row["profile"]: row for row in json.loads(told)}
    assert (code, found["3g.40gb"]["starts"], found["3g.40gb"]["compute"]) == (0, [0, 4], "3/7")
    assert tessera("mig", "profiles", "l40s")[0] == 3
