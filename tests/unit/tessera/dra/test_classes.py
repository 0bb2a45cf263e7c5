"""Classes: the seven of the catalogue, what satisfies each, and the objects that each becomes."""

from itertools import product

import pytest

from tessera import data
from tessera.dra import classes
from tessera.dra.classes import BOARD, class_claim, device_classes, quotas, service_class
from tessera.dra.gpu_devices import gpu_device, of_instance
from tessera.dra.mig_devices import partitions
from tessera.dra.selectors import DRIVER
from tessera.dra.verdicts import misses
from tessera.errors import ProblemsError, TesseraError
from tessera.hardware import gpus
from tessera.hardware.machines import Machine

SEVEN = [
    "gpu-batch-preemptible",
    "gpu-inference-large",
    "gpu-inference-light",
    "gpu-interactive-notebook",
    "gpu-training-distributed",
    "gpu-training-rdma",
    "gpu-training-single",
]
RIGHT = """
summary: x
requires: {device: gpu}
count: 1
price: {instance: p5.48xlarge, share: "1", because: b}
priority: gpu-standard
queueable: {answer: true, because: b}
because: b
"""


@pytest.fixture
def recipe(tmp_path, monkeypatch):
    """Writes recipes/classes/odd.yaml of a catalogue of its own, RIGHT with one line in place of another."""
    (tmp_path / "classes").mkdir()
    (tmp_path / "priorities.yaml").write_text((data.RECIPES / "priorities.yaml").read_text())
    real = data.load.__wrapped__
    monkeypatch.setattr(data, "RECIPES", tmp_path)
    monkeypatch.setattr(data, "load", real)  # without its cache

    def write(old="", new="", name="odd"):
        text = RIGHT.replace(old, new) if old else RIGHT
        (tmp_path / "classes" / f"{name}.yaml").write_text(text)
        service_class.cache_clear()

    # Tables of hardware that this process has not read yet come from the real folder.
    (tmp_path / "hardware").symlink_to(classes_folder().parent / "hardware")
    yield write
    service_class.cache_clear()


def classes_folder():
    from pathlib import Path

    return Path(data.__file__).parents[1] / "recipes" / "classes"


def placed(key):
    found = gpus.gpu(key)
    return of_instance(Machine(key, "instance", found, "amd64", 1, 1, 1, None))[0]


def devices(key):
    """A GPU as a whole, and what it becomes where it can be cut on demand, by what people call them."""
    found = placed(key)
    yield key, gpu_device(found)
    for device in partitions(found) if gpus.gpu(key).mig else ():
        profile = device["attributes"].get("profile", {}).get("string", "whole, where it may be cut")
        yield f"{key} {profile}", device


def verdict(wanted, device):
    missed = misses(wanted, DRIVER, device)
    if not missed:
        return "yes"
    return "unknown" if all(miss.unknown for miss in missed) else "no"


def test_the_catalogue_has_exactly_seven_classes():
    assert classes.names() == SEVEN


def test_what_satisfies_each_class_is_the_golden_table(golden):
    """A change of a class or of the hardware tables shows here."""
    table = {}
    for name in SEVEN:
        wanted = service_class(name).requires
        rows = {what: verdict(wanted, one) for key in gpus.names() for what, one in devices(key)}.items()
        table[name] = {answer: [what for what, said in rows if said == answer] for answer in ("yes", "unknown")}
    golden("satisfied", table)


@pytest.mark.parametrize(
    ("name", "yes", "no"),
    [
        pytest.param(
            "gpu-inference-light",
            ["rtx-pro-6000-se 1g.24gb", "h100-sxm-80 3g.40gb", "h200-sxm-141 1g.35gb", "b200-sxm-180 1g.45gb"],
            ["rtx-pro-6000-se 2g.48gb", "rtx-pro-6000-se 2g.48gb+gfx", "h100-sxm-80 1g.20gb", "l40s"],
            id="light",
        ),
        pytest.param(
            "gpu-inference-large",
            ["h100-sxm-80", "a100-sxm-80", "rtx-pro-6000-se", "b200-sxm-180"],
            ["l40s", "l4", "a100-sxm-40", "h100-sxm-80 7g.80gb"],
            id="large",
        ),
        pytest.param(
            "gpu-interactive-notebook",
            ["h100-sxm-80 1g.10gb", "rtx-pro-6000-se 1g.24gb", "h200-sxm-141 1g.18gb", "b200-sxm-180 1g.23gb"],
            ["h100-sxm-80 3g.40gb", "rtx-pro-6000-se 2g.48gb", "l4"],
            id="notebook",
        ),
        pytest.param(
            "gpu-training-distributed",
            ["h100-sxm-80", "b200-sxm-180", "gb200-186"],
            ["l40s", "rtx-pro-6000-se", "h100-pcie-80"],
            id="board",
        ),
    ],
)
def test_a_class_takes_what_it_is_meant_for_and_leaves_the_rest(name, yes, no):
    wanted = service_class(name).requires
    found = {what: verdict(wanted, device) for key in gpus.names() for what, device in devices(key)}
    assert [what for what in yes if found[what] != "yes"] == []
    assert [what for what in no if found[what] != "no"] == []


@pytest.mark.parametrize("name", SEVEN)
def test_every_class_becomes_the_golden_device_classes(name, golden):
    golden(name, device_classes(service_class(name)))


@pytest.mark.parametrize("name", SEVEN)
def test_every_class_says_all_that_a_catalogue_needs(name):
    level = service_class(name)
    assert all((level.summary, level.because, level.queueable.because, level.price.because))
    assert all((level.price.amount, level.price.day))
    assert level.quota_key == f"{name}.deviceclass.resource.k8s.io/devices"
    for manifest in device_classes(level):
        (row,) = manifest["spec"]["selectors"]
        assert len(row["cel"]["expression"]) < 10 * 1024  # dra.md 1.3
        assert manifest["metadata"]["labels"] == {"tessera.dev/class": name}


@pytest.mark.parametrize("name", SEVEN)
def test_only_what_kueue_can_count_is_queueable(name):
    """Kueue takes exact counts alone: no constraints, no alternatives, no mode All."""
    level = service_class(name)
    claim = class_claim(level, 8 if level.count == BOARD else None)
    plain = not claim.same and all(len(row.asks) == 1 and row.asks[0].count for row in claim.requests)
    assert plain or not level.queueable.answer


def test_what_may_be_taken_back_costs_less_than_what_may_not():
    single, spare = service_class("gpu-training-single"), service_class("gpu-batch-preemptible")
    assert spare.price.amount * 2 == single.price.amount


def test_a_companion_has_a_class_of_its_own_and_is_counted_beside():
    level = service_class("gpu-training-rdma")
    assert level.device_class_names == ("gpu-training-rdma", "gpu-training-rdma-nic")
    assert quotas({"gpu-training-rdma": 4, "gpu-training-single": 2}) == {
        "gpu-training-rdma.deviceclass.resource.k8s.io/devices": "4",
        "gpu-training-rdma-nic.deviceclass.resource.k8s.io/devices": "4",
        "gpu-training-single.deviceclass.resource.k8s.io/devices": "2",
    }


@pytest.mark.parametrize(
    ("count", "requests", "pairs"),
    [
        pytest.param(None, ["gpu", "nic"], [("gpu", "nic")], id="one"),
        pytest.param(2, ["gpu-0", "nic-0", "gpu-1", "nic-1"], [("gpu-0", "nic-0"), ("gpu-1", "nic-1")], id="two"),
    ],
)
def test_each_gpu_shares_its_root_with_a_card_of_its_own(count, requests, pairs):
    claim = class_claim(service_class("gpu-training-rdma"), count)
    assert [row.name for row in claim.requests] == requests
    assert [(row.what, row.requests) for row in claim.same] == [("pcie-root", pair) for pair in pairs]


def test_more_pairs_than_a_claim_may_hold_are_refused():
    with pytest.raises(ProblemsError, match="found 34 requests"):
        class_claim(service_class("gpu-training-rdma"), 17)


def test_a_board_is_claimed_by_an_exact_count():
    level = service_class("gpu-training-distributed")
    assert class_claim(level, 8).devices() == {"gpu-training-distributed": 8}
    with pytest.raises(TesseraError, match="say how many"):
        class_claim(level)


def test_an_unknown_class_gets_the_nearest_word():
    with pytest.raises(TesseraError, match=r"unknown class 'gpu-inference-lite' \(did you mean 'gpu-inference-light'"):
        service_class("gpu-inference-lite")


def test_a_class_of_ones_own_is_a_file(recipe):
    recipe()
    level = service_class("odd")
    assert (level.count, str(level.price.amount), level.companions) == (1, "6.88", ())


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        pytest.param("summary: x\n", "", "summary", id="no summary"),
        pytest.param("requires: {device: gpu}\n", "", "requires", id="no requirement"),
        pytest.param("because: b\n", "", "because", id="no reason"),
        pytest.param("{device: gpu}", "{compute_capability: 8.9}", "compute_capability", id="version of two numbers"),
        pytest.param("count: 1", "count: 0", "count", id="no device"),
        pytest.param("count: 1", "count: 33", "count", id="more devices than a claim may hold"),
        pytest.param("count: 1", "count: node", "count", id="unknown count"),
        pytest.param("gpu-standard", "gpu-standart", "did you mean 'gpu-standard'", id="unknown priority"),
        pytest.param('share: "1"', 'share: "2"', "share", id="more than the whole"),
        pytest.param('share: "1"', "share: 1", "share", id="share that is no text"),
        pytest.param("p5.48xlarge", "p5.48xlagre", "p5.48xlarge", id="unknown instance"),
        pytest.param(
            "count: 1\n", "count: 1\nwith: {nic: {requires: {device: nic}, same: x}}\n", "same", id="companion"
        ),
        pytest.param("summary: x", "summary: [", "is not YAML", id="no YAML"),
    ],
)
def test_a_wrong_recipe_is_told_with_what_is_wrong(recipe, old, new, said):
    recipe(old, new)
    with pytest.raises(TesseraError, match=said.replace(".", r"\.")):
        service_class("odd")


def test_every_problem_of_a_requirement_is_told_with_its_place(recipe):
    recipe("{device: gpu}", "{memory: lots, compute_capability: '9'}")
    with pytest.raises(ProblemsError) as refusal:
        service_class("odd")
    places = [line.split(":")[0] for line in refusal.value.problems]
    assert places == ["recipes/classes/odd.yaml.requires"] * 2


@pytest.mark.parametrize("name", ["Gpu", "gpu.large", "a" * 64], ids=["capital", "dot", "long"])
def test_a_name_that_no_label_can_hold_is_refused(recipe, name):
    recipe(name=name)
    with pytest.raises(TesseraError, match="rename the file"):
        service_class(name)


def test_the_price_of_a_machine_that_no_list_names_is_unknown(recipe):
    recipe("p5.48xlarge", "p5e.48xlarge")
    price = service_class("odd").price
    assert (price.amount, str(price)) == (None, "unknown")
    assert "unknown" in price.because


def test_prices_are_computed_from_the_list(recipe):
    for instance, share in product(("p5.48xlarge", "g7e.48xlarge"), ("1", "1/4")):
        recipe('p5.48xlarge, share: "1"', f'{instance}, share: "{share}"')
        assert f"{instance}, which has 8 and costs" in service_class("odd").price.because
    assert str(service_class("odd").price) == "1.04 USD per hour (2026-07-20)"
