"""Criteria: what a stack states, and what follows from its machines."""

from tessera.spec.criteria import ClusterCriteria, PoolCriteria, cluster_criteria, pool_criteria, stated
from tessera.spec.stack import stack


def test_criteria_of_the_cluster_are_those_it_states_or_leaves_to_defaults():
    read = stack({"cluster": {"service": "lab"}, "pools": []})
    assert cluster_criteria(read.cluster) == ClusterCriteria("lab", "1.36", None, "none")


def test_accelerator_and_architecture_follow_from_the_instance_or_the_board():
    eks = {"os": "ubuntu-24.04", "size": 1}
    read = stack(
        {
            "cluster": {"service": "eks"},
            "pools": [
                {"name": "a", "instance": "p5.48xlarge", **eks},
                {"name": "b", "instance": "g6.xlarge", "sharing": {"mps": {"replicas": 2}}, **eks},
            ],
        }
    )
    assert [pool_criteria(pool) for pool in read.pools] == [
        PoolCriteria("h100", "h100-sxm-80", "amd64", "ubuntu-24.04", "dra"),
        PoolCriteria("l4", "l4", "amd64", "ubuntu-24.04", "mps"),
    ]
    lab = stack({"cluster": {"service": "lab"}, "pools": [{"name": "a", "board": "hgx-h100", "size": 1}]})
    assert pool_criteria(lab.pools[0]) == PoolCriteria("h100", "h100-sxm-80", "amd64", None, "dra")


def test_control_plane_hosts_without_a_board_have_no_accelerator():
    host = {"name": "c", "address": "10.0.0.1", "role": "control-plane"}
    pool = {"name": "c", "os": "rhel-9", "hosts": [host]}
    (read,) = stack({"cluster": {"service": "metal"}, "pools": [pool]}).pools
    assert pool_criteria(read) == PoolCriteria(None, None, None, "rhel-9", "dra")


def test_what_is_left_to_a_default_is_not_stated():
    read = stack(
        {"cluster": {"service": "lab", "intent": "training"}, "pools": [{"name": "a", "board": "hgx-h100", "size": 1}]}
    )
    assert stated(read.cluster) == {"service", "intent"}
    assert stated(read.pools[0]) == {"accelerator", "gpu", "architecture"}
