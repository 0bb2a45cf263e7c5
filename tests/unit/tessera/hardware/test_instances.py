"""Instances: cards without gaps, layouts that EC2 would take."""

import pytest

from tessera.errors import TesseraError
from tessera.hardware import instances

INSTANCES = [pytest.param(instances.instance(key), id=key) for key in instances.names()]


@pytest.mark.parametrize("one", INSTANCES)
def test_cards_are_numbered_without_gaps_and_have_slots(one):
    assert [card.index for card in one.cards] == list(range(len(one.cards)))
    assert all(card.slots >= 1 for card in one.cards)
    assert all({"interface", "efa", "efa-only"} >= set(card.interfaces) >= {"interface"} for card in one.cards)


@pytest.mark.parametrize("one", INSTANCES)
def test_layouts_fit_the_cards(one):
    """Device 0 of card 0 is the primary ENA, so EFA on card 0 needs a second slot, as does an ENA at device 1."""
    cards = {card.index: card for card in one.cards}
    assert all(cards[index].efa for index in one.efa_cards)
    assert 0 not in one.efa_cards or cards[0].slots >= 2
    assert 0 not in one.ena_cards
    assert all(cards[index].slots >= 2 for index in one.ena_cards)


@pytest.mark.parametrize("one", INSTANCES)
def test_sizes_are_plausible(one):
    assert one.count in {1, 2, 4, 8}
    assert one.vcpus % 2 == 0
    assert one.memory_mib % 1024 == 0
    assert one.nvme_count * one.nvme_gb > 0
    assert one.architecture == ("arm64" if one.key.startswith("p6e-") else "amd64")
    assert set(one.usage) <= {"on-demand", "spot", "capacity-block"}


@pytest.mark.parametrize(
    ("key", "gpu", "count", "cards", "slots", "efa"),
    [
        ("p4d.24xlarge", "a100-sxm-40", 8, 4, 15, 4),
        ("p4de.24xlarge", "a100-sxm-80", 8, 4, 15, 4),
        ("p5.4xlarge", "h100-sxm-80", 1, 1, 4, 1),
        ("p5.48xlarge", "h100-sxm-80", 8, 32, 2, 32),
        ("p5e.48xlarge", "h200-sxm-141", 8, 32, 2, 32),
        ("p5en.48xlarge", "h200-sxm-141", 8, 16, 4, 16),
        ("p6-b200.48xlarge", "b200-sxm-180", 8, 8, 4, 8),
        ("p6-b300.48xlarge", "b300-sxm-269", 8, 17, 4, 16),
        ("p6e-gb200.36xlarge", "gb200-186", 4, 17, 2, 4),
        ("g6.xlarge", "l4", 1, 1, 4, 0),
        ("g6e.24xlarge", "l40s", 4, 2, 10, 2),
        ("g7e.48xlarge", "rtx-pro-6000-se", 8, 4, 10, 4),
    ],
)
def test_cards_are_those_of_the_guide(key, gpu, count, cards, slots, efa):
    one = instances.instance(key)
    assert (one.gpu.key, one.count, len(one.cards), one.cards[0].slots, one.efa) == (gpu, count, cards, slots, efa)


def test_the_first_card_of_b300_has_no_efa():
    assert instances.instance("p6-b300.48xlarge").efa_cards == tuple(range(1, 17))


def test_odd_cards_of_gb200_have_one_slot_and_even_ones_two():
    cards = instances.instance("p6e-gb200.36xlarge").cards
    assert [card.slots for card in cards[1:]] == [1, 2] * 8
    assert cards[2].gbps is None


def test_an_unknown_instance_gets_the_nearest_word():
    with pytest.raises(TesseraError, match=r"^unknown instance 'p5\.48xlarg' \(did you mean 'p5\.48xlarge'\?\)"):
        instances.instance("p5.48xlarg")
