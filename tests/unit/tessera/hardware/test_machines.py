"""Machines: one view of instances and boards."""

import pytest

from tessera.errors import TesseraError
from tessera.hardware import boards, instances, machines


def test_no_name_is_an_instance_and_a_board():
    assert not set(instances.names()) & set(boards.names())
    assert machines.names() == sorted({*instances.names(), *boards.names()})


@pytest.mark.parametrize("name", machines.names())
def test_every_machine_leads_to_an_accelerator(name):
    found = machines.machine(name)
    assert (found.key, found.accelerator) == (name, found.gpu.accelerator)
    assert found.architecture in {"amd64", "arm64"}
    assert min(found.count, found.cpu, found.memory_mib) > 0


def test_a_board_knows_its_seats_and_an_instance_does_not():
    board, instance = machines.machine("hgx-h100"), machines.machine("p5.48xlarge")
    assert (board.kind, instance.kind) == ("board", "instance")
    assert len(board.seats) == board.count == instance.count == 8
    assert instance.seats is None
    assert board.gpu == instance.gpu
    assert board.memory_mib == instance.memory_mib == 2048 * 1024


def test_gb200_is_arm_wherever_it_stands():
    found = {machines.machine(name).architecture for name in ("gb200-nvl72-tray", "p6e-gb200.36xlarge")}
    assert found == {"arm64"}


@pytest.mark.parametrize(("name", "near"), [("hgx-h20", "hgx-h200"), ("p5en.48xlarg", "p5en.48xlarge")])
def test_an_unknown_machine_gets_the_nearest_word(name, near):
    with pytest.raises(TesseraError, match=rf"^unknown instance or board '{name}' \(did you mean '{near}'\?\)"):
        machines.machine(name)
