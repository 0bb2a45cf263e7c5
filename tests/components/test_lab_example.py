"""stacks/Pulumi.lab.yaml: what each workload shows is true, as the real scheduler placed it."""

import pytest

from lab import processes
from lab.client import RESOURCE_API, Client
from tests.components.conftest import example
from tests.components.project import Project
from tests.waiting import wait_until

pytestmark = [pytest.mark.engine, pytest.mark.lab]
WAITING = 1  # of the sweep's pods


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    folder = tmp_path_factory.mktemp("example")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TESSERA_HOME", str(folder / "home"))
        (folder / "project").mkdir()
        made = Project(folder / "project", example())
        try:
            made.up()
            client = Client.of(made.home)
            wait_until(lambda: len(running(client)) == pods_wanted() - WAITING, "all but the pod that has no quota")
            yield made
        finally:
            made.close()


@pytest.fixture
def client(project):
    return Client.of(project.home)


def pods_wanted():
    return sum(workload["replicas"] for workload in example()["workloads"])


def running(client):
    return [pod for pod in client.items("/api/v1/pods") if pod["status"]["phase"] == "Running"]


def pods(client, workload):
    return client.items("/api/v1/pods", labelSelector=f"app.kubernetes.io/name={workload}")


def claims(client, workload):
    """The claims that a workload's pods use, each once."""
    names = {
        row["resourceClaimName"] for pod in pods(client, workload) for row in pod["status"]["resourceClaimStatuses"]
    }
    found = client.items(f"{RESOURCE_API}/resourceclaims")
    return [claim for claim in found if claim["metadata"]["name"] in names]


def devices(client, claim):
    """Attributes of a claim's devices as their slices publish them, less domain, and their place."""
    slices = client.items(f"{RESOURCE_API}/resourceslices")
    published = {
        (row["spec"]["driver"], row["spec"]["pool"]["name"], one["name"]): one["attributes"]
        for row in slices
        for one in row["spec"].get("devices", [])
    }
    found = []
    for row in claim["status"]["allocation"]["devices"]["results"]:
        attributes = published[row["driver"], row["pool"], row["device"]]
        plain = {key.rpartition("/")[2]: next(iter(value.values())) for key, value in attributes.items()}
        found.append({**row, **plain})
    return found


def test_each_replica_of_the_embedding_service_has_a_slice_of_its_own(client):
    found = claims(client, "llm-embedding-service")
    placed = [device for claim in found for device in devices(client, claim)]
    assert len({(device["pool"], device["device"]) for device in placed}) == 3
    assert {(device["type"], device["profile"]) for device in placed} == {("mig", "1g.24gb")}
    assert {device["request"] for device in placed} == {"gpu-slice"}


def test_four_slices_have_one_parent(client):
    (claim,) = claims(client, "reranker-ensemble")
    placed = devices(client, claim)
    assert len({device["device"] for device in placed}) == 4
    assert len({device["parentUUID"] for device in placed}) == 1


def test_eight_gpus_are_those_of_one_node(client):
    (claim,) = claims(client, "vision-pretraining")
    placed = devices(client, claim)
    assert len({device["device"] for device in placed}) == 8
    assert len({device["pool"] for device in placed}) == 1


def test_the_gpu_and_its_network_card_are_below_one_root(client):
    (claim,) = claims(client, "allreduce-benchmark")
    gpu, nic = devices(client, claim)
    assert (gpu["driver"], nic["driver"]) == ("gpu.nvidia.com", "dra.net")
    assert gpu["pcieRoot"] == nic["pcieRoot"]


def test_the_first_alternative_is_taken_where_a_node_has_it(client):
    (claim,) = claims(client, "llm-chat")
    (device,) = devices(client, claim)
    assert (device["request"], device["productName"]) == ("gpu/blackwell", "NVIDIA GB200")


def test_two_pods_share_the_long_lived_claim(client):
    claim = client.get(f"{RESOURCE_API}/namespaces/ai-platform/resourceclaims/model-cache-gpu")
    names = {pod["metadata"]["name"] for pod in pods(client, "model-cache")}
    assert {row["name"] for row in claim["status"]["reservedFor"]} == names
    assert len(names) == 2
    assert not claim["metadata"].get("ownerReferences")


def test_the_pods_of_a_job_are_on_two_trays_of_one_clique(client):
    found = claims(client, "moe-training")
    assert [len(devices(client, claim)) for claim in found] == [4, 4]
    nodes = {pod["spec"]["nodeName"] for pod in pods(client, "moe-training")}
    cliques = {client.get(f"/api/v1/nodes/{node}")["metadata"]["labels"]["nvidia.com/gpu.clique"] for node in nodes}
    assert (len(nodes), len(cliques)) == (2, 1)


def test_the_pod_beyond_the_quota_is_refused_with_class_and_numbers(client):
    phases = sorted(pod["status"]["phase"] for pod in pods(client, "hyperparameter-sweep"))
    assert phases == ["Pending", "Running", "Running"]
    key = "gpu-batch-preemptible.deviceclass.resource.k8s.io/devices"
    said = f"requested: {key}=1, used: {key}=2, limited: {key}=2"

    def refusals():
        return [row for row in client.items("/api/v1/namespaces/research/events") if said in row["message"]]

    wait_until(refusals, "the event of the refused claim")
    assert {row["involvedObject"]["kind"] for row in refusals()} == {"Pod"}


def test_nothing_is_left_to_do(project):
    project.unchanged()


def test_destroy_leaves_nothing(project):
    project.destroy()
    assert not project.home.root.exists()
    assert processes.find(project.home) == {}
    assert project.export() == {}
