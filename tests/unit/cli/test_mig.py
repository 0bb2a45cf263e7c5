"""`tessera mig`."""

import json

import pytest
import yaml

GPUS = ("mig", "plan", "--gpu", "h100-sxm-80", "--count", "8")
WANTS = ("--want", "1g.10gb=20", "--want", "3g.40gb=4")


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
    _, told, _ = tessera("mig", "plan", "--layout", str(path), *WANTS, "--want", "1g.10gb=1", "--json")
    found = json.loads(told)
    assert [(move["do"], move["profile"]) for move in found["moves"]] == [("create", "1g.10gb")]
    _, told, _ = tessera("mig", "plan", "--layout", str(path), *WANTS, "--want", "1g.10gb=1")
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
            ("--gpu", "h100-sxm-80=4", "--count", "8", "--want", "1g.10gb=1"),
            "--count: found 8, but each --gpu has a count of its own; take one away",
            id="two counts",
        ),
    ],
)
def test_what_no_plan_is_made_of_is_refused_at_once(tessera, words, said):
    code, told, error = tessera("mig", "plan", *words)
    assert (code, told) == (3, "")
    assert said in error


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
    code, told, said = tessera("mig", "plan", *words)
    assert (code, told) == (3, "")
    assert [line.split(",")[0] for line in said.splitlines()] == [
        "tessera: --gpu: found 'a=b'",
        "unknown GPU 'h100'; allowed: a100-pcie-40"
        if "did you mean" not in said
        else said.splitlines()[1].split(",")[0],
        "--want: found '1g=x'",
        "--want: found '1g'",
        "--keep-whole: found 'x'",
        "--keep-whole: found '1' for several products; say which: --gpu",
    ]


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
