"""Pools that their service or their machines can't be."""

import pytest

from tessera.errors import ProblemsError
from tessera.spec.stack import stack

EKS = {"name": "p", "instance": "p5.48xlarge", "os": "amazonlinux-2023", "size": 1}
GRAPHICS = EKS | {"instance": "g6e.12xlarge"}
HOST = {"name": "n1", "address": "10.0.0.1"}
METAL = {"name": "p", "board": "hgx-h100", "os": "ubuntu-24.04", "hosts": [HOST]}
LAB = {"name": "p", "board": "hgx-h100", "size": 1}


def read(service, *pools):
    return stack({"cluster": {"service": service}, "pools": list(pools)})


def problems(service, *pools):
    with pytest.raises(ProblemsError) as refusal:
        read(service, *pools)
    return list(refusal.value.problems)


def without(pool, key):
    return {name: value for name, value in pool.items() if name != key}


@pytest.mark.parametrize(
    ("service", "pool"),
    [
        pytest.param("eks", EKS | {"efa": True}, id="efa"),
        pytest.param("eks", EKS | {"capacity": "spot"}, id="spot"),
        pytest.param("eks", EKS | {"capacity": {"reservation": "cr-0123456789abcdef0"}}, id="reservation"),
        pytest.param("eks", GRAPHICS | {"efa": False}, id="no efa"),
        pytest.param("eks", EKS | {"sharing": {"mig": {"profiles": {"3g.40gb": 1, "1g.10gb": 3}}}}, id="mig"),
        pytest.param("eks", GRAPHICS | {"sharing": {"mps": {"replicas": 8}}}, id="mps"),
        pytest.param("eks", EKS | {"sharing": "dynamic-mig"}, id="dynamic mig"),
        pytest.param("metal", METAL, id="metal"),
        pytest.param("metal", METAL | {"hosts": [HOST | {"address": "n1.example"}]}, id="host by name"),
        pytest.param("metal", METAL | {"hosts": [HOST | {"address": "fd00::1"}]}, id="host by IPv6"),
        pytest.param(
            "metal", without(METAL, "board") | {"hosts": [HOST | {"role": "control-plane"}]}, id="control plane"
        ),
        pytest.param("lab", LAB, id="lab"),
        pytest.param("lab", LAB | {"os": "amazonlinux-2023"}, id="lab with an os"),
    ],
)
def test_a_right_pool_is_taken(service, pool):
    assert read(service, pool).pools[0].name == "p"


@pytest.mark.parametrize(
    ("service", "pool", "line"),
    [
        pytest.param(
            "eks",
            EKS | {"os": "rhel-9"},
            ".os: service eks has no rhel-9; allowed: amazonlinux-2023, ubuntu-22.04, ubuntu-24.04",
            id="os of racks on eks",
        ),
        pytest.param(
            "metal",
            METAL | {"os": "amazonlinux-2023"},
            ".os: service metal has no amazonlinux-2023; "
            "allowed: debian-12, debian-13, rhel-9, ubuntu-22.04, ubuntu-24.04",
            id="os of eks in racks",
        ),
        pytest.param(
            "eks",
            without(EKS, "os"),
            ".os: missing; allowed: amazonlinux-2023, ubuntu-22.04, ubuntu-24.04 (service eks)",
            id="no os",
        ),
        pytest.param(
            "eks", EKS | {"board": "hgx-h100"}, ".board: service eks takes no board; allowed: instance", id="board"
        ),
        pytest.param(
            "eks",
            without(EKS, "instance"),
            ".instance: missing; allowed: the name of one instance (service eks)",
            id="no instance",
        ),
        pytest.param("eks", EKS | {"hosts": [HOST]}, ".hosts: service eks takes no hosts; allowed: size", id="hosts"),
        pytest.param(
            "metal",
            without(METAL, "hosts"),
            ".hosts: missing; allowed: a list of hosts (service metal)",
            id="no hosts",
        ),
        pytest.param("metal", METAL | {"size": 1}, ".size: service metal takes no size; allowed: hosts", id="size"),
        pytest.param(
            "metal",
            without(METAL, "board"),
            ".board: missing; allowed: the name of one board (service metal)",
            id="workers without a board",
        ),
        pytest.param(
            "lab",
            LAB | {"efa": True},
            ".efa: service lab takes no efa; allowed: on service eks only",
            id="efa in a lab",
        ),
        pytest.param(
            "metal",
            METAL | {"capacity": "spot"},
            ".capacity: service metal takes no capacity; allowed: on service eks only",
            id="racks for rent",
        ),
        pytest.param(
            "eks",
            EKS | {"instance": "g6.xlarge", "efa": True},
            ".efa: found true; instance g6.xlarge has no EFA; allowed: false",
            id="no efa",
        ),
        pytest.param(
            "eks",
            GRAPHICS | {"capacity": {"block": "cr-0123456789abcdef0"}},
            ".capacity: found block; instance g6e.12xlarge can't be had so; allowed: on-demand, spot, reservation",
            id="no capacity blocks",
        ),
        pytest.param(
            "eks",
            GRAPHICS | {"sharing": {"mig": {"profiles": {"1g.10gb": 1}}}},
            ".sharing: found mig; instance g6e.12xlarge has no MIG (l40s); allowed: dra, none, mps, time-slicing",
            id="no mig",
        ),
        pytest.param(
            "eks",
            GRAPHICS | {"sharing": "dynamic-mig"},
            ".sharing: found dynamic-mig; instance g6e.12xlarge has no MIG (l40s); "
            "allowed: dra, none, mps, time-slicing",
            id="no dynamic mig without mig",
        ),
        pytest.param(
            "eks",
            EKS | {"instance": "p4d.24xlarge", "sharing": "dynamic-mig"},
            ".sharing: found dynamic-mig; instance p4d.24xlarge changes its MIG mode by a reset only (a100-sxm-40); "
            "allowed: dra, mig, none, mps, time-slicing",
            id="no dynamic mig on ampere",
        ),
        pytest.param(
            "lab",
            LAB | {"sharing": {"mig": {"profiles": {"1g.10gb": 1}, "mps": {}}}},
            ".sharing.mig.mps: unknown key 'mps'; allowed: layout, profiles",
            id="key in the wrong place",
        ),
        pytest.param(
            "lab",
            LAB | {"sharing": {"mps": {"replicas": 2}, "time-slicing": {"replicas": 2}}},
            ".sharing: found mps and time-slicing; the device plugin shares the GPUs of a node in one way; "
            "allowed: one of them",
            id="two ways to share",
        ),
        pytest.param(
            "eks",
            EKS | {"capacity": {}},
            ".capacity: found none of its keys; allowed: exactly one of block, reservation",
            id="no way to buy",
        ),
        pytest.param(
            "lab",
            LAB | {"sharing": "mps"},
            ".sharing: sharing 'mps' needs settings; allowed: dra, dynamic-mig, none, {mig: {profiles: {1g.10gb: 7}}}, "
            "{mps: {replicas: 4}}, {time-slicing: {replicas: 4}}",
            id="way to share without settings",
        ),
        pytest.param(
            "eks",
            EKS | {"capacity": "spto"},
            ".capacity: unknown capacity 'spto' (did you mean 'spot'?); "
            "allowed: on-demand, spot, {block: cr-...}, {reservation: cr-...}",
            id="misspelt way to buy",
        ),
        pytest.param(
            "lab",
            LAB | {"sharing": {"time-slicing": {"replica": 4}}},
            ".sharing.time-slicing.replica: unknown key 'replica' (did you mean 'replicas'?); allowed: profiles",
            id="misspelt setting",
        ),
        pytest.param(
            "metal",
            METAL | {"hosts": [HOST | {"address": "10.0.0.300"}]},
            ".hosts[0].address: found '10.0.0.300'; allowed: an IP address or a DNS name",
            id="wrong address",
        ),
        pytest.param(
            "metal",
            METAL | {"hosts": [HOST, HOST | {"name": "n2"}]},
            ".hosts[1].address: '10.0.0.1' is taken by tessera:pools[0].hosts[0].address; each may be there once",
            id="address of another host",
        ),
        pytest.param(
            "lab",
            LAB | {"labels": {"a b": "c"}},
            ".labels['a b']: key: found 'a b'; allowed: a label's key, such as",
            id="label",
        ),
    ],
)
def test_a_wrong_pool_is_told_with_what_is_allowed(service, pool, line):
    assert problems(service, pool)[0].startswith(f"tessera:pools[0]{line}")


def test_a_mig_layout_that_does_not_fit_is_refused():
    pool = LAB | {"sharing": {"mig": {"profiles": {"4g.40gb": 1, "7g.80gb": 1}}}}
    assert all("pools[0].sharing.mig.profiles: MIG layout of" in line for line in problems("lab", pool))


def test_a_mig_profile_of_another_board_is_refused():
    (line,) = problems("lab", LAB | {"sharing": {"mig": {"profiles": {"1g.5gb": 1}}}})
    assert "tessera:pools[0].sharing.mig.profiles['1g.5gb']: unknown MIG profile '1g.5gb'" in line


def test_hosts_of_two_pools_have_names_of_their_own():
    (line,) = problems("metal", METAL, METAL | {"name": "q", "hosts": [HOST | {"address": "10.0.0.2"}]})
    assert (
        line
        == "tessera:pools[1].hosts[0].name: 'n1' is taken by tessera:pools[0].hosts[0].name; each may be there once"
    )


@pytest.mark.parametrize(
    ("pool", "found"),
    [
        pytest.param(without(EKS, "instance"), "neither board nor instance", id="no machine"),
        pytest.param(EKS | {"board": "hgx-h100"}, "board and instance", id="two machines"),
        pytest.param(EKS | {"hosts": []}, "hosts and size", id="two sizes"),
        pytest.param(without(EKS, "size"), "neither hosts nor size", id="no size"),
    ],
)
def test_a_pool_names_one_machine_whatever_the_service(pool, found):
    _, line = problems("esk", pool)
    assert line == f"tessera:pools[0]: found {found}; allowed: exactly one of them"
