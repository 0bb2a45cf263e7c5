"""The API server and the scheduler as judges of selectors: what they say of each, device by device.

Each node is given some devices and one that only its id tells (BLANK). A selector is asked of all devices of a node by
a claim of mode All with adminAccess, which takes devices whoever else has them, so one pod may bring many claims.
An error of one device stops a claim. So that the other devices are judged as well, those that are expected to err, and
BLANK, are let through beside the selector: true || error is true.
"""

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import batched

from kubernetes import client as kubernetes
from kubernetes import config

from tests.lab.published import ID
from tests.waiting import wait_until

SPACE, CLASS, BLANK = "selectors", "every-device", "blank"
GROUP, VERSION = "resource.k8s.io", "v1"
CLAIMS_PER_POD, UNPROCESSABLE = 40, 422


@dataclass(frozen=True)
class Question:
    """A selector asked of a node, by one claim. let_through: ids of devices that are not judged."""

    number: int
    node: str
    selector: str
    let_through: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return f"q{self.number}"

    @property
    def expression(self) -> str:
        if not self.let_through:
            return self.selector
        return f'({self.selector}) || device.attributes["{ID}"].id in {list(self.let_through)}'.replace("'", '"')


@dataclass
class Judges:
    """The parts of one lab that judge."""

    kubeconfig: str
    lines: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(6))

    def __post_init__(self) -> None:
        self.api = config.new_client_from_config(self.kubeconfig)
        self.core, self.custom = kubernetes.CoreV1Api(self.api), kubernetes.CustomObjectsApi(self.api)

    def prepare(self, nodes: dict[str, Sequence[tuple[str, dict]]]) -> None:
        """Nodes with devices by driver, the namespace, and the class of every device."""
        label = {"resource.kubernetes.io/admin-access": "true"}
        self.core.create_namespace({"metadata": {"name": SPACE, "labels": label}})
        self.core.create_namespaced_service_account(SPACE, {"metadata": {"name": "none"}})
        self._create("deviceclasses", {"kind": "DeviceClass", "metadata": {"name": CLASS}, "spec": {}})
        for node, devices in nodes.items():
            self.core.create_node(_node(node))
            blank = {"name": BLANK, "attributes": {f"{ID}/id": {"string": BLANK}}}
            for driver in {"gpu.nvidia.com", *(driver for driver, _ in devices)}:
                own = [device for found, device in devices if found == driver]
                self._create(
                    "resourceslices", _slice(node, driver, [*own, blank] if driver == "gpu.nvidia.com" else own)
                )

    def refusals(self, selectors: Iterable[str]) -> list[str]:
        """Why the API server refuses a DeviceClass of each selector; empty where it does not."""
        return list(self.lines.map(self._refusal, selectors))

    def _refusal(self, selector: str) -> str:
        spec = {"selectors": [{"cel": {"expression": selector}}]}
        tried = {"kind": "DeviceClass", "metadata": {"name": "tried"}, "spec": spec}
        try:
            self._create("deviceclasses", tried, dry_run="All")
        except kubernetes.ApiException as error:
            if error.status != UNPROCESSABLE:
                raise
            return error.body
        return ""

    def allocate(self, questions: Sequence[Question], alone: bool = False) -> dict[Question, frozenset[str] | str]:
        """The devices that each question's claim was given, or what the scheduler said of the claim's pod.

        alone: each claim has a pod of its own; else many share one, and those of a pod that fails are asked again.
        """
        list(self.lines.map(lambda one: self._create("resourceclaims", _claim(one), SPACE), questions))
        by_node = {node: [one for one in questions if one.node == node] for node in {one.node for one in questions}}
        size = 1 if alone else CLAIMS_PER_POD
        pods = {f"p-{group[0].name}": group for asked in by_node.values() for group in batched(asked, size)}
        list(self.lines.map(lambda pod: self.core.create_namespaced_pod(SPACE, _pod(pod, pods[pod])), pods))
        said = self._said(pods)
        given = {
            row["metadata"]["name"]: _devices(row) for row in self._claims() if "allocation" in row.get("status", {})
        }
        answers = {one: said[pod] or given[one.name] for pod, group in pods.items() for one in group}
        self._clear()
        again = [] if alone else [one for pod, group in pods.items() if said[pod] for one in group]
        return answers | (self.allocate(again, alone=True) if again else {})

    def _said(self, pods: Iterable[str]) -> dict[str, str]:
        """The scheduler's message by pod; empty where it placed the pod."""
        said: dict[str, str] = {}

        def decided() -> bool:
            for pod in self.core.list_namespaced_pod(SPACE).items:
                for one in pod.status.conditions or ():
                    if one.type == "PodScheduled":
                        said[pod.metadata.name] = "" if one.status == "True" else one.message
            return set(pods) <= said.keys()

        wait_until(decided, "a decision on every pod", deadline_s=300)
        return said

    def _clear(self) -> None:
        self.core.delete_collection_namespaced_pod(SPACE, grace_period_seconds=0)
        wait_until(lambda: not self.core.list_namespaced_pod(SPACE).items, "the end of the pods")
        self.custom.delete_collection_namespaced_custom_object(GROUP, VERSION, SPACE, "resourceclaims")
        wait_until(lambda: not self._claims(), "the end of the claims")

    def _claims(self) -> list[dict]:
        return self.custom.list_namespaced_custom_object(GROUP, VERSION, SPACE, "resourceclaims")["items"]

    def _create(self, plural: str, manifest: dict, space: str | None = None, **options: str) -> None:
        whole = {"apiVersion": f"{GROUP}/{VERSION}", **manifest}
        if space:
            self.custom.create_namespaced_custom_object(GROUP, VERSION, space, plural, whole, **options)
        else:
            self.custom.create_cluster_custom_object(GROUP, VERSION, plural, whole, **options)

    def close(self) -> None:
        self.lines.shutdown()
        self.api.close()


def _node(name: str) -> dict:
    room = {"cpu": "64", "memory": "64Gi", "pods": "5000"}
    labels, fake = {"kubernetes.io/hostname": name}, {"kwok.x-k8s.io/node": "fake"}
    return {
        "metadata": {"name": name, "labels": labels, "annotations": fake},
        "status": {"capacity": room, "allocatable": room},
    }


def _slice(node: str, driver: str, devices: list[dict]) -> dict:
    pool = {"name": node, "generation": 1, "resourceSliceCount": 1}
    spec = {"driver": driver, "nodeName": node, "pool": pool, "devices": devices}
    return {"kind": "ResourceSlice", "metadata": {"name": f"{node}-{driver}"}, "spec": spec}


def _claim(question: Question) -> dict:
    exactly = {"deviceClassName": CLASS, "allocationMode": "All", "adminAccess": True,
               "selectors": [{"cel": {"expression": question.expression}}]}  # fmt: skip
    spec = {"devices": {"requests": [{"name": "all", "exactly": exactly}]}}
    return {"kind": "ResourceClaim", "metadata": {"name": question.name}, "spec": spec}


def _pod(name: str, questions: Sequence[Question]) -> dict:
    claims = [{"name": one.name, "resourceClaimName": one.name} for one in questions]
    spec = {
        "nodeSelector": {"kubernetes.io/hostname": questions[0].node},
        "containers": [{"name": "main", "image": "example/none:1"}],
        "resourceClaims": claims,
        "serviceAccountName": "none",
        "terminationGracePeriodSeconds": 0,
    }
    return {"metadata": {"name": name}, "spec": spec}


def _devices(claim: dict) -> frozenset[str]:
    return frozenset(result["device"] for result in claim["status"]["allocation"]["devices"]["results"])
