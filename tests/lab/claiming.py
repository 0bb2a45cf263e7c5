"""Claims in a lab, and what `tessera claims` says of them."""

import json
import os
import pty
import re
import subprocess
import sys
import termios

from lab import lifecycle
from lab.record import LabSpec, NodePool
from tests.lab.kubectl import kubectl

GPU = 'device.driver == "gpu.nvidia.com" && device.attributes["gpu.nvidia.com"].type == "gpu"'
HUGE = f'{GPU} && device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("100G")) >= 0'
TESSERA = (sys.executable, "-m", "cli.main")


def started():
    """One node with eight GPUs; its quota gives namespace ai four of them."""
    made = lifecycle.up(LabSpec("lab", "1.36", (NodePool("h100", "hgx-h100", 1),)))
    for name, selector in (("gpu", GPU), ("huge", HUGE)):
        spec = {"selectors": [{"cel": {"expression": selector}}]}
        apply(made, {"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", **named(name), "spec": spec})
    for name in ("ai", "free"):
        apply(made, {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
    hard = {"gpu.deviceclass.resource.k8s.io/devices": "4"}
    apply(made, {"apiVersion": "v1", "kind": "ResourceQuota", **named("tenant", "ai"), "spec": {"hard": hard}})
    return made


def named(name, namespace=None):
    return {"metadata": {"name": name, **({"namespace": namespace} if namespace else {})}}


def apply(lab, *manifests):
    kubectl(lab.home, "apply", "-f", "-", stdin="\n---\n".join(map(json.dumps, manifests)))


def pods(lab, namespace, *names, device_class="gpu", count=1):
    """Pods, each with a claim of its own from a template."""
    made = template(namespace, device_class, count)
    apply(lab, made, *(pod(namespace, name, device_class) for name in names))


def template(namespace, device_class, count=1):
    request = {"name": "gpu", "exactly": {"deviceClassName": device_class, "count": count}}
    kind = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaimTemplate"}
    return {**kind, **named(device_class, namespace), "spec": {"spec": {"devices": {"requests": [request]}}}}


def deployment(namespace, name, device_class, replicas):
    labels = {"app": name}
    inner = {"metadata": {"labels": labels}, "spec": pod(namespace, name, device_class)["spec"]}
    spec = {"replicas": replicas, "selector": {"matchLabels": labels}, "template": inner}
    return {"apiVersion": "apps/v1", "kind": "Deployment", **named(name, namespace), "spec": spec}


def pod(namespace, name, template, claim=None):
    source = {"resourceClaimName": claim} if claim else {"resourceClaimTemplateName": template}
    container = {"name": "main", "image": "none", "resources": {"claims": [{"name": "gpu"}]}}
    spec = {"containers": [container], "resourceClaims": [{"name": "gpu", **source}]}
    return {"apiVersion": "v1", "kind": "Pod", **named(name, namespace), "spec": spec}


def tessera(*words):
    done = subprocess.run([*TESSERA, "claims", *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def told(*words):
    return json.loads(tessera("--json", *words))


def shown(*words, columns):
    """Lines of what a terminal shows, less its colours."""
    outside, inside = pty.openpty()
    termios.tcsetwinsize(inside, (60, columns))
    environment = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "LINES")}
    command = [*TESSERA, "claims", *words]
    with subprocess.Popen(command, stdout=inside, env=environment | {"TERM": "xterm"}) as process:
        os.close(inside)
        seen = b"".join(_until_closed(outside))
    os.close(outside)
    assert process.returncode == 0
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", seen.decode()).splitlines()


def _until_closed(terminal):
    while True:
        try:
            yield os.read(terminal, 65536)
        except OSError:  # nobody has its other end any more
            return
