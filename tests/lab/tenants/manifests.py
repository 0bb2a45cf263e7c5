"""Manifests as a tenant writes them, right and wrong."""

OFFERED = ("gpu-training-single", "gpu-training-rdma", "gpu-inference-large", "gpu-batch-preemptible")

FORGED = {"resource.kubernetes.io/extended-resource-claim": "true"}
SAFE = {
    "allowPrivilegeEscalation": False,
    "runAsNonRoot": True,
    "capabilities": {"drop": ["ALL"]},
    "seccompProfile": {"type": "RuntimeDefault"},
}


def device_class(name, **spec):
    selectors = [{"cel": {"expression": 'device.driver == "gpu.nvidia.com"'}}]
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "DeviceClass",
        "metadata": {"name": name},
        "spec": {"selectors": selectors, **spec},
    }


def old_binding():
    """A right from before there were tenants."""
    group = {"apiGroup": "rbac.authorization.k8s.io", "kind": "Group", "name": "oidc:vision"}
    role = {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "admin"}
    metadata = {"name": "old", "namespace": "legacy"}
    kind = {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "RoleBinding"}
    return {**kind, "metadata": metadata, "roleRef": role, "subjects": [group]}


def ask(name, **more):
    return {"exactly": {"deviceClassName": name, **more}}


def first_of(*names, **more):
    return {"firstAvailable": [{"name": f"a{at}", "deviceClassName": name, **more} for at, name in enumerate(names)]}


def claim(*asks, name="c", namespace="vision", labels=None, annotations=None):
    rows = [ask(one) if isinstance(one, str) else one for one in asks]
    requests = [{"name": f"r{at}", **row} for at, row in enumerate(rows)]
    metadata = {"name": name, "namespace": namespace, "labels": labels or {}, "annotations": annotations or {}}
    kind = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim"}
    return {**kind, "metadata": metadata, "spec": {"devices": {"requests": requests}}}


def template(*asks, name="t", namespace="vision", **inner):
    spec = {"metadata": inner, "spec": claim(*asks)["spec"]}
    kind = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaimTemplate"}
    return {**kind, "metadata": {"name": name, "namespace": namespace}, "spec": spec}


def pod(name="p", namespace="vision", claims=(), resources=None, init=None, **spec):
    rows = [{"name": f"d{at}", **one} for at, one in enumerate(claims)]
    container = {"name": "a", "image": "a", "securityContext": SAFE}
    first = {**container, "resources": {**(resources or {}), "claims": [{"name": row["name"]} for row in rows]}}
    more = {"initContainers": [{**container, "name": "i", "resources": init}]} if init else {}
    whole = {"containers": [first], "resourceClaims": rows, **more, **spec}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "namespace": namespace}, "spec": whole}


def deployment(pod_manifest, name="d", replicas=1):
    labels = {"app": name}
    inner = {"metadata": {"labels": labels}, "spec": pod_manifest["spec"]}
    spec = {"replicas": replicas, "selector": {"matchLabels": labels}, "template": inner}
    metadata = {"name": name, "namespace": pod_manifest["metadata"]["namespace"]}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, "spec": spec}


def amount(name):
    return {"limits": {name: "1"}, "requests": {name: "1"}}
