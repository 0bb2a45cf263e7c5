"""The stack: what is taken, what is assumed, and which problems are told."""

from pathlib import Path

import pytest

from tessera.errors import ProblemsError
from tessera.spec.secret import Secret
from tessera.spec.stack import KEYS, Stack, read_file, stack

STACKS = Path(__file__).resolve().parents[4] / "stacks"
WORKLOAD = {
    "name": "w",
    "namespace": "ai",
    "replicas": 1,
    "container": "c",
    "image": "engine:1",
    "claim": "gpu",
    "template": "t",
    "request": "r",
    "class": "gpu-inference-large",
}


def values(**changes):
    good = {
        "cluster": {"service": "lab"},
        "pools": [{"name": "h100", "board": "hgx-h100", "size": 2}],
        "classes": ["gpu-inference-large"],
        "workloads": [WORKLOAD],
    }
    return good | changes


def problems(**changes):
    with pytest.raises(ProblemsError) as refusal:
        stack(values(**changes))
    return list(refusal.value.problems)


def pool(**changes):
    return {"name": "h100", "board": "hgx-h100", "size": 2} | changes


@pytest.mark.parametrize("path", sorted(STACKS.glob("Pulumi.*.yaml")), ids=lambda path: path.name)
def test_every_committed_stack_file_loads_and_names_its_schema(path):
    assert read_file(path).pools
    first = path.read_text(encoding="utf-8").splitlines()[0]
    assert first == "# yaml-language-server: $schema=schema.json"


def test_the_lab_has_a_default_kubernetes_and_needs_no_classes():
    read = stack({"cluster": {"service": "lab"}, "pools": []})
    assert (read.cluster.kubernetes, read.pools, read.classes, read.workloads) == ("1.36", (), (), ())


def test_keys_are_those_of_the_stack():
    expected = "cluster pools site classes tenants workloads components overrides secrets allowMajor"
    assert " ".join(KEYS) == expected


def test_a_whole_cloud_stack_is_read():
    read = stack(
        {
            "cluster": {"service": "eks", "kubernetes": "1.37", "intent": "training", "framework": "kubeflow"},
            "pools": [
                {
                    "name": "h100",
                    "instance": "p5.48xlarge",
                    "os": "amazonlinux-2023",
                    "size": 4,
                    "efa": True,
                    "capacity": {"block": "cr-0123456789abcdef0"},
                    "labels": {"team": "vision"},
                    "taints": [{"key": "nvidia.com/gpu", "effect": "NoSchedule"}],
                },
                {
                    "name": "dev",
                    "instance": "g6e.12xlarge",
                    "os": "ubuntu-24.04",
                    "size": 0,
                    "sharing": {"time-slicing": {"replicas": 4}},
                },
            ],
            "site": {"noProxy": [".svc", "10.0.0.0/8"], "mirror": "mirror.example:5000/tessera", "dns": ["10.0.0.2"]},
            "classes": ["gpu-inference-large"],
            "tenants": [{"name": "vision", "groups": ["oidc:vision"], "quota": {"gpu-inference-large": 16}}],
            "overrides": {"gpu-operator": {"dcgmExporter": {"interval": "30s", "gone": None}}},
        }
    )
    first, second = read.pools
    assert (first.capacity_kind, first.capacity.block, first.sharing_kind) == ("block", "cr-0123456789abcdef0", "dra")
    assert (second.sharing_kind, second.sharing.time_slicing.replicas, second.capacity) == (
        "time-slicing",
        4,
        "on-demand",
    )
    assert read.site.no_proxy == (".svc", "10.0.0.0/8")
    assert read.tenants[0].quota == {"gpu-inference-large": 16}
    assert read.overrides["gpu-operator"]["dcgmExporter"]["gone"] is None


def test_the_size_of_a_pool_of_hosts_is_their_count():
    hosts = [{"name": f"n{at}", "address": f"10.0.0.{at}"} for at in range(3)]
    read = stack(
        {
            "cluster": {"service": "metal"},
            "pools": [{"name": "b200", "board": "hgx-b200", "os": "rhel-9", "hosts": hosts}],
        }
    )
    assert read.pools[0].size == 3
    assert read.pools[0].hosts[0].role == "worker"


def test_an_encrypted_value_is_taken_and_never_shown():
    read = stack(values(site={"pullSecret": Secret("tessera:site.pullSecret", "hunter2")}))
    assert read.site.pull_secret.reveal() == "hunter2"
    assert "hunter2" not in f"{read!r}{read}{read.model_dump()}"


def test_a_secret_in_clear_text_is_refused_and_not_repeated():
    (line,) = problems(site={"pullSecret": "hunter2"})
    assert line.startswith("tessera:site.pullSecret: found text that is not encrypted; allowed: an encrypted value")
    assert "hunter2" not in line


def test_values_of_hidden_keys_are_not_repeated():
    with pytest.raises(ProblemsError) as refusal:
        stack(values(site={"proxy": "hunter2", "dns": ["hunter2"]}), hidden=["site"])
    assert "hunter2" not in str(refusal.value)
    assert len(refusal.value.problems) == 2


def test_an_empty_file_lacks_just_what_must_be_there():
    with pytest.raises(ProblemsError) as refusal:
        stack({})
    assert refusal.value.problems == (
        "tessera:cluster: missing; allowed: a mapping",
        "tessera:pools: missing; allowed: a list of pools",
    )


def test_mistakes_of_form_are_all_told_with_path_and_what_was_found():
    found = problems(
        cluster={"service": "ekss", "kubernetes": 1.36, "kuberntes": "1.36"},
        pools=[pool(name="A_", size=-1), {"name": "b", "size": "two", "hosts": []}],
        workloads=[WORKLOAD | {"env": {"PORT": 8080}}],
    )
    assert found == [
        "tessera:cluster.service: unknown service 'ekss' (did you mean 'eks'?); allowed: eks, lab, metal",
        'tessera:cluster.kubernetes: found 1.36, a number; allowed: "1.36", "1.37"',
        "tessera:cluster.kuberntes: unknown key 'kuberntes' (did you mean 'kubernetes'?); "
        "allowed: framework, intent, kubernetes, service",
        "tessera:pools[0].name: found 'A_'; allowed: small letters, digits and inner dashes, at most 40 characters",
        "tessera:pools[0].size: found -1, a number; allowed: a whole number, 0 to 5000",
        "tessera:pools[1].size: found 'two'; allowed: a whole number, 0 to 5000",
        "tessera:pools[1]: found neither board nor instance; allowed: exactly one of them",
        "tessera:workloads[0].env.PORT: found 8080, a number; "
        "allowed: text, in quotes where it looks like anything else",
    ]


def test_unknown_words_are_all_told_with_path_and_the_nearest_word():
    found = problems(
        pools=[pool(), pool(name="b", board="hgx-h10")],
        classes=["gpu-inference-large", "gpu-inference-lagre"],
        workloads=[WORKLOAD | {"class": "gpu-inference-lar"}],
    )
    assert len(found) == 3
    assert found[0].startswith("tessera:pools[1].board: unknown board 'hgx-h10' (did you mean 'hgx-h100'?); allowed: ")
    assert found[1].startswith(
        "tessera:classes[1]: unknown class 'gpu-inference-lagre' (did you mean 'gpu-inference-large'"
    )
    assert found[2].startswith(
        "tessera:workloads[0].class: unknown class 'gpu-inference-lar' (did you mean 'gpu-inference-large'"
    )


def test_a_workload_may_only_use_a_class_that_its_stack_offers():
    assert problems(classes=[]) == [
        "tessera:workloads[0].class: unknown class 'gpu-inference-large'; allowed: none (tessera:classes of this stack)"
    ]


def test_a_quota_is_for_a_class_that_the_stack_offers():
    tenant = {"name": "vision", "groups": ["g"], "quota": {"gpu-inference-larg": 1}}
    (line,) = problems(tenants=[tenant])
    assert line.startswith(
        "tessera:tenants[0].quota.gpu-inference-larg: unknown class 'gpu-inference-larg' (did you mean"
    )


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        pytest.param(
            {"pools": [pool(), pool(size=1)]},
            "tessera:pools[1].name: 'h100' is taken by tessera:pools[0].name",
            id="pools",
        ),
        pytest.param(
            {"classes": ["gpu-inference-large"] * 2},
            "tessera:classes[1]: 'gpu-inference-large' is taken by tessera:classes[0]",
            id="classes",
        ),
        pytest.param(
            {"workloads": [WORKLOAD, WORKLOAD | {"template": "t2"}]},
            "tessera:workloads[1].name: 'ai/w' is taken by tessera:workloads[0].name",
            id="workloads",
        ),
        pytest.param(
            {"workloads": [WORKLOAD, WORKLOAD | {"name": "v"}]},
            "tessera:workloads[1].template: 'ai/t' is taken by tessera:workloads[0].template",
            id="templates",
        ),
        pytest.param(
            {"tenants": [{"name": "a", "groups": ["g"]}] * 2},
            "tessera:tenants[1].name: 'a' is taken by tessera:tenants[0].name",
            id="tenants",
        ),
    ],
)
def test_a_name_that_is_there_twice_is_refused(changes, line):
    assert problems(**changes) == [f"{line}; each may be there once"]


def test_one_name_in_two_namespaces_is_no_duplicate():
    assert len(stack(values(workloads=[WORKLOAD, WORKLOAD | {"namespace": "b"}])).workloads) == 2


@pytest.mark.parametrize("name", ["", "-a", "a-", "A", "a_b", "a.b", "ä", "a" * 41, "a b", "../a", "a\n", "a" * 10**6])
def test_a_name_that_kubernetes_would_refuse_is_refused_here(name):
    (line,) = problems(pools=[pool(name=name)])
    assert line.startswith("tessera:pools[0].name: ")
    assert len(line) < 250
    assert "\n" not in line


@pytest.mark.parametrize("size", [-1, 5001, 1.5, "many", None, True, "2", 10**400])
def test_a_size_that_no_pool_can_have_is_refused(size):
    (line,) = problems(pools=[pool(size=size)])
    assert line.startswith("tessera:pools[0].size: ")


def test_a_pool_may_have_no_nodes():
    assert stack(values(pools=[pool(size=0)])).pools[0].size == 0


@pytest.mark.parametrize("key", ["accelerator", "architecture"])
def test_what_is_derived_is_never_written(key):
    (line,) = problems(pools=[pool(**{key: "h100"})])
    assert line == (
        f"tessera:pools[0].{key}: is derived from the pool's instance or board and never written; take {key} out"
    )


def test_an_unknown_key_gets_the_nearest_word():
    (line,) = problems(cluster={"service": "lab", "kuberntes": "1.36"})
    assert "did you mean 'kubernetes'?" in line


def test_mistakes_of_form_and_unknown_words_are_told_together():
    assert len(problems(pools=[pool(board="hgx-h10"), pool(name="b", size=-1)])) == 2


@pytest.mark.parametrize("key", [key for key in KEYS if key not in ("components", "overrides")])
@pytest.mark.parametrize("value", [None, "text", 3, True], ids=["null", "text", "number", "flag"])
def test_a_key_of_the_wrong_kind_is_told_by_its_name(key, value):
    line = next(line for line in problems(**{key: value}) if line.startswith(f"tessera:{key}: found "))
    assert line.rpartition("; allowed: ")[2] in ("a mapping", "a list")


def test_an_empty_value_is_refused():
    assert problems(cluster={"service": "lab", "intent": None}) == [
        "tessera:cluster.intent: found nothing; write a value, or take the key out"
    ]


def test_a_stack_can_not_be_changed():
    with pytest.raises(ValueError, match="frozen"):
        stack(values()).cluster.service = "eks"
    assert isinstance(stack(values()), Stack)
