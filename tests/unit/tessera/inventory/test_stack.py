"""The inventory of a stack: hosts, variables, groups."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tessera.errors import ProblemsError
from tessera.inventory.stack import inventory
from tessera.spec.stack import stack

CONTROL = {
    "name": "control",
    "os": "debian-13",
    "hosts": [{"name": "c1", "address": "c1.dc1", "role": "control-plane"}],
}
B200 = {
    "name": "b200-train",
    "board": "hgx-b200",
    "os": "ubuntu-24.04",
    "sharing": {"mig": {"profiles": {"1g.23gb": 7}}},
    "hosts": [{"name": "b2", "address": "10.0.0.2"}, {"name": "b1", "address": "fd00::1"}],
}
RTX = {
    "name": "dev",
    "board": "pcie-rtx-pro-6000",
    "os": "rhel-9",
    "hosts": [{"name": "r1", "address": "10.0.0.9", "role": "control-plane"}],
}
HOSTS = st.from_regex(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?", fullmatch=True)


def metal(*pools):
    return stack({"cluster": {"service": "metal"}, "pools": list(pools)})


def test_hosts_are_in_groups_of_pool_role_accelerator_and_os():
    assert dict(inventory(metal(CONTROL, B200, RTX)).groups) == {
        "accelerator_b200": ("b1", "b2"),
        "accelerator_rtx_pro_6000": ("r1",),
        "os_debian_13": ("c1",),
        "os_rhel_9": ("r1",),
        "os_ubuntu_24_04": ("b1", "b2"),
        "pool_b200_train": ("b1", "b2"),
        "pool_control": ("c1",),
        "pool_dev": ("r1",),
        "role_control_plane": ("c1", "r1"),
        "role_worker": ("b1", "b2"),
    }


def test_a_host_has_its_address_its_board_and_its_pools_criteria():
    (first, *_) = inventory(metal(B200)).hosts
    assert (first.name, first.variables) == (
        "b1",
        {
            "ansible_host": "fd00::1",
            "tessera_accelerator": "b200",
            "tessera_architecture": "amd64",
            "tessera_board": "hgx-b200",
            "tessera_gpu": "b200-sxm-180",
            "tessera_os": "ubuntu-24.04",
            "tessera_pool": "b200-train",
            "tessera_role": "worker",
            "tessera_sharing": "mig",
        },
    )


def test_a_host_without_a_board_has_the_same_variables_and_no_gpu():
    (host,) = inventory(metal(CONTROL)).hosts
    assert host.variables.keys() == inventory(metal(B200)).hosts[0].variables.keys()
    assert {key for key, value in host.variables.items() if value is None} == {
        f"tessera_{key}" for key in ("accelerator", "architecture", "board", "gpu")
    }


@pytest.mark.parametrize(
    ("service", "pool", "why"),
    [
        pytest.param(
            "lab",
            {"board": "hgx-h100", "size": 2},
            "service lab has no hosts to manage: its nodes are simulated",
            id="lab",
        ),
        pytest.param(
            "eks",
            {"instance": "p5.48xlarge", "size": 2, "os": "amazonlinux-2023"},
            "service eks has no hosts to manage: its nodes are EC2 instances, which EKS makes and replaces",
            id="eks",
        ),
    ],
)
def test_a_service_without_hosts_says_so(service, pool, why):
    found = inventory(stack({"cluster": {"service": service}, "pools": [{"name": "p", **pool}]}))
    assert (found.hosts, found.groups, found.empty) == ((), (), why)


def test_a_metal_stack_without_hosts_says_so():
    assert inventory(metal({**B200, "hosts": []})).empty == "there are no hosts to manage: no pool lists one"


def test_hosts_called_like_groups_of_ansibles_are_all_refused():
    pool = {**B200, "hosts": [{"name": name, "address": f"{name}.dc1"} for name in ("all", "b", "ungrouped")]}
    with pytest.raises(ProblemsError) as refusal:
        inventory(metal(pool))
    assert refusal.value.problems == tuple(
        f"pool 'b200-train': host name {name!r} is a group of Ansible's; allowed: any other name than all and ungrouped"
        for name in ("all", "ungrouped")
    )


@settings(deadline=None, max_examples=30)
@given(
    st.dictionaries(
        st.from_regex(r"[a-z0-9]([-a-z0-9]{0,38}[a-z0-9])?", fullmatch=True),
        st.sets(HOSTS.filter(lambda name: name not in ("all", "ungrouped")), max_size=3),
        max_size=4,
    ),
    st.randoms(),
)
def test_groups_are_valid_and_every_host_is_in_its_own(pools, random):
    names = [(pool, f"{host[:58]}{at}") for at, (pool, hosts) in enumerate(pools.items()) for host in sorted(hosts)]
    rows = [
        {**B200, "name": pool, "hosts": [{"name": name, "address": f"n{name}.dc1"} for of, name in names if of == pool]}
        for pool in pools
    ]
    found = inventory(metal(*rows))
    assert all(re.fullmatch(r"[a-z][a-z0-9]*_[a-z0-9_]+", name) for name, _ in found.groups)
    assert not {host.name for host in found.hosts} & {name for name, _ in found.groups}
    assert sorted(host.name for host in found.hosts) == sorted(name for _, name in names)
    for host in found.hosts:
        inside = [name for name, hosts in found.groups if host.name in hosts]
        assert [name.partition("_")[0] for name in inside] == ["accelerator", "os", "pool", "role"]
    assert sum(name.startswith("pool_") for name, _ in found.groups) == len(pools)
    for row in rows:
        random.shuffle(row["hosts"])
    random.shuffle(rows)
    assert inventory(metal(*rows)) == found
