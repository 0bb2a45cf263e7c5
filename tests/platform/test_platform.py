"""The platform on a real engine, a real API server and real Helm, with charts that stand in for the real ones."""

import signal
import threading

import pytest
import yaml

from components.platform.store import packed
from lab import lifecycle
from tests.platform import order, standin
from tests.waiting import wait_until

pytestmark = [pytest.mark.engine, pytest.mark.lab]
EMPTY_NAMESPACES = {"default", "kube-system", "kube-public", "kube-node-lease"}


@pytest.fixture
def charts(tmp_path):
    folder = tmp_path / "charts"
    for name in order.ROWS:
        standin.write(folder, name, standin.newest(name))
    return folder


@pytest.mark.full
def test_whole_order_comes_up_from_a_repository_and_goes_again(project, charts, served):
    url = served.repository("stable", charts)
    components = order.components(repository=url)
    project.site = {"kubeconfig": project.site["kubeconfig"], "caBundle": served.ca}
    before = project.crds()
    project.install(components)
    fetched = list(served.asked)
    project.unchanged()
    assert served.asked == fetched  # charts that are here are not fetched again

    releases = project.releases()
    assert {name: row["status"] for name, row in releases.items()} == dict.fromkeys(order.ROWS, "deployed")
    made = {name: int(row["modifiedAt"]) for name, row in releases.items()}
    for one in components:
        assert all(made[one["name"]] >= made[needed] for needed in one["after"]), one["name"]
    assert "clusterpolicies.nvidia.com" in project.crds()
    assert "nodefeatures.nfd.k8s-sigs.io" in project.crds()
    levels = {
        row["metadata"]["name"]: row["metadata"]["labels"].get("pod-security.kubernetes.io/enforce")
        for row in project.client.items("/api/v1/namespaces")
    }
    assert (levels["gpu-operator"], levels["cert-manager"], levels["kueue-system"]) == (
        "privileged",
        "restricted",
        "baseline",
    )

    project.destroy()
    assert_empty(project, before)


def assert_empty(project, before):
    assert project.export() == {}
    assert project.releases() == {}
    assert project.crds().keys() == before.keys()
    assert {row["metadata"]["name"] for row in project.client.items("/api/v1/namespaces")} == EMPTY_NAMESPACES


def test_upgrade_applies_new_crds_first_and_rollback_takes_them_back(project, tmp_path):
    standin.write(tmp_path / "charts", "kueue", "0.19.2")
    again = standin.files("kueue", "0.19.2", shown="0.19.3", crds={"new.yaml": standin.crd("kueue.x-k8s.io/Novelty")})
    again["templates/novelty.yaml"] = (
        b"apiVersion: kueue.x-k8s.io/v1\nkind: Novelty\nmetadata: {name: first, namespace: {{ .Release.Namespace }}}\n"
    )
    (tmp_path / "charts" / "kueue-0.19.3.tgz").write_bytes(packed("kueue", again))
    project.install(order.components("kueue"))
    assert "novelties.kueue.x-k8s.io" not in project.crds()
    labels = project.crds()["clusterqueues.kueue.x-k8s.io"]["metadata"]["labels"]
    assert labels["tessera.dev/stack"] == "lab"

    printed = project.install(order.components("kueue", version="0.19.3"))
    assert printed.index("novelties.kueue.x-k8s.io created") < printed.index("Release kueue updated")
    assert project.client.get("/apis/kueue.x-k8s.io/v1/namespaces/kueue-system/novelties/first")
    project.unchanged()

    project.install(order.components("kueue"))
    assert "novelties.kueue.x-k8s.io" not in project.crds()
    assert project.releases()["kueue"]["version"] == "3"
    project.unchanged()
    project.run("refresh", "-s", "lab", "--yes", "--skip-preview")
    project.unchanged()


@pytest.mark.full
def test_step_to_another_major_version_is_refused_before_anything_changes_unless_allowed(project, tmp_path):
    charts = tmp_path / "charts"
    standin.write(charts, "kueue", "0.19.2")
    standin.write(charts, "kueue", "0.19.2", shown="0.20.0", crds={"new.yaml": standin.crd("kueue.x-k8s.io/Novelty")})
    project.install(order.components("kueue"))
    wanted = order.components("kueue", version="0.20.0")
    printed = project.install(wanted, fails=True)
    assert "component kueue: 0.19.2 -> 0.20.0 is a step to another major version" in printed
    assert "novelties.kueue.x-k8s.io" not in project.crds()
    assert project.releases()["kueue"]["version"] == "1"

    project.install(wanted, allowMajor=["kueue"])
    assert "novelties.kueue.x-k8s.io" in project.crds()
    project.unchanged()


def test_failing_component_is_named_and_stops_what_needs_it_while_the_rest_stands(project, tmp_path):
    names = ("cert-manager", "jobset", "lws", "kubeflow-trainer", "kueue")
    for name in names:
        standin.write(tmp_path / "charts", name, standin.newest(name))
    components = order.components(*names)
    broken = [{**one, "values": {"controler": {}}} if one["name"] == "jobset" else one for one in components]
    printed = project.install(broken, "--continue-on-error", fails=True)
    assert "kubernetes:helm.sh/v3:Release (jobset)" in printed
    assert "controler" in printed
    assert "Traceback" not in printed
    assert set(project.releases()) == {"cert-manager", "lws"}

    project.install(components)
    project.unchanged()
    assert set(project.releases()) == set(names)


@pytest.mark.full
def test_component_that_never_gets_ready_leaves_nothing_of_itself(project, tmp_path):
    charts = tmp_path / "charts"
    standin.write(charts, "jobset", "0.12.0")
    files = standin.files("lws", "0.10.0")
    files["templates/workload.yaml"] = files["templates/workload.yaml"].replace(
        b"tolerations:", NOWHERE + b"tolerations:"
    )
    (charts / "lws-0.10.0.tgz").write_bytes(packed("lws", files))
    components = [*order.components("jobset"), order.component("lws", after=["jobset"], timeoutSeconds=5)]
    components.append(order.component("kubeflow-trainer", after=["lws"]))
    standin.write(charts, "kubeflow-trainer", "2.3.0")
    printed = project.install(components, fails=True)
    assert "kubernetes:helm.sh/v3:Release (lws)" in printed
    assert set(project.releases()) == {"jobset"}


NOWHERE = b"nodeSelector: {nowhere: here}\n      "


def test_missing_chart_is_told_with_all_others_and_nothing_is_installed(project, tmp_path):
    standin.write(tmp_path / "charts", "jobset", "0.12.0")
    printed = project.install(order.components("jobset", "lws", "kueue"), fails=True)
    assert "the platform can't be installed, and nothing of it was" in printed
    assert "component lws: chart lws 0.10.0:" in printed
    assert "component kueue: chart kueue 0.19.2:" in printed
    assert "Traceback" not in printed
    assert project.releases() == {}
    assert {row["metadata"]["name"] for row in project.client.items("/api/v1/namespaces")} == EMPTY_NAMESPACES


@pytest.mark.full
def test_objects_with_finalizers_go_before_the_controller_that_ends_them(project, tmp_path):
    standin.write(tmp_path / "charts", "kueue", "0.19.2")
    before = project.crds()
    project.install(order.components("kueue"))
    path = "/apis/kueue.x-k8s.io/v1/namespaces/kueue-system/localqueues"
    made = {
        "apiVersion": "kueue.x-k8s.io/v1",
        "kind": "LocalQueue",
        "metadata": {"name": "held", "namespace": "kueue-system", "finalizers": ["kueue.x-k8s.io/resource-in-use"]},
    }
    project.client._send("POST", path, made)
    ended = []

    def controller():
        """Ends what is asked to end, as long as its release is there."""
        for event in project.client.watch(path):
            found = (event or {}).get("object", {})
            if found.get("metadata", {}).get("deletionTimestamp"):
                ended.append("kueue" in project.releases())
                free = {"metadata": {"finalizers": None}}
                project.client._send("PATCH", f"{path}/held", free, content="application/merge-patch+json")
                return

    thread = threading.Thread(target=controller)
    thread.start()
    project.destroy()
    thread.join(timeout=30)
    assert ended == [True]
    assert_empty(project, before)


@pytest.mark.full
def test_object_that_nobody_ends_keeps_its_release_and_is_named(project, tmp_path):
    standin.write(tmp_path / "charts", "kueue", "0.19.2")
    before = project.crds()
    project.install(order.components("kueue", timeoutSeconds=3))
    path = "/apis/kueue.x-k8s.io/v1/namespaces/kueue-system/localqueues"
    made = {
        "apiVersion": "kueue.x-k8s.io/v1",
        "kind": "LocalQueue",
        "metadata": {"name": "held", "namespace": "kueue-system", "finalizers": ["kueue.x-k8s.io/resource-in-use"]},
    }
    project.client._send("POST", path, made)
    printed = project.run("destroy", "-s", "lab", "--yes", "--skip-preview", fails=True)
    assert "localqueues kueue-system/held (held by kueue.x-k8s.io/resource-in-use)" in printed
    assert set(project.releases()) == {"kueue"}
    free = {"metadata": {"finalizers": None}}
    project.client._send("PATCH", f"{path}/held", free, content="application/merge-patch+json")
    project.destroy()
    assert_empty(project, before)


@pytest.mark.full
def test_secrets_reach_the_release_but_neither_state_nor_output(project, tmp_path):
    standin.write(tmp_path / "charts", "jobset", "0.12.0")
    row = order.component("jobset", after=[], values={"controller": {"podAnnotations": {"note": "secret://note"}}})
    project.write({"components": [row], "site": project.site, "secrets": ["note"]})
    pull = '{"auths": {"registry.example.com": {"auth": "dXNlcjpodW50ZXIy"}}}'
    project.run("config", "set", "-s", "lab", "--secret", "tessera:note", "correct horse battery")
    project.run("config", "set", "-s", "lab", "--secret", "--path", "tessera:site.pullSecret", pull)
    printed = project.up()
    state = (tmp_path / "home" / "stacks" / ".pulumi" / "stacks" / "tessera" / "lab.json").read_text()
    for hidden in ("correct horse", "dXNlcjpodW50ZXIy", "client-key-data"):
        assert hidden not in printed
        assert hidden not in state
    values = project.run("stack", "export", "-s", "lab", "--show-secrets")
    assert "correct horse" in values
    secret = project.client.get("/api/v1/namespaces/jobset-system/secrets/tessera-pull")
    assert secret["type"] == "kubernetes.io/dockerconfigjson"
    project.unchanged()


@pytest.mark.full
def test_platform_on_a_lab_of_the_stack_goes_with_it(project, tmp_path):
    standin.write(tmp_path / "charts", "jobset", "0.12.0")
    lifecycle.down("lab")
    del project.site["kubeconfig"]
    project.write({"components": order.components("jobset"), "site": project.site})
    assert "kubernetes:helm.sh/v3:Release jobset create" in project.run("preview", "-s", "lab")
    project.install(order.components("jobset"))
    assert set(project.releases()) == {"jobset"}
    project.unchanged()
    project.destroy()
    assert project.export() == {}
    assert not project.home.root.exists()


@pytest.mark.full
def test_crds_that_are_there_already_are_taken_over_and_a_component_that_is_left_out_goes(project, tmp_path):
    for name in ("jobset", "lws"):
        standin.write(tmp_path / "charts", name, standin.newest(name))
    path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
    project.client._send("POST", path, yaml.safe_load(standin.crd("jobset.x-k8s.io/JobSet")))
    project.install(order.components("jobset", "lws"))
    assert project.crds()["jobsets.jobset.x-k8s.io"]["metadata"]["labels"] == {"tessera.dev/stack": "lab"}
    project.unchanged()

    project.install(order.components("lws"))
    project.unchanged()
    assert set(project.releases()) == {"lws"}
    assert "jobsets.jobset.x-k8s.io" not in project.crds()
    assert "jobset-system" not in {row["metadata"]["name"] for row in project.client.items("/api/v1/namespaces")}


@pytest.mark.full
def test_upgrade_that_fails_leaves_what_was_there(project, tmp_path):
    standin.write(tmp_path / "charts", "lws", "0.10.0")
    files = standin.files("lws", "0.10.0", shown="0.10.1")
    files["templates/workload.yaml"] = files["templates/workload.yaml"].replace(
        b"tolerations:", NOWHERE + b"tolerations:"
    )
    (tmp_path / "charts" / "lws-0.10.1.tgz").write_bytes(packed("lws", files))
    project.install(order.components("lws"))
    printed = project.install(order.components("lws", version="0.10.1", timeoutSeconds=5), fails=True)
    assert "kubernetes:helm.sh/v3:Release (lws)" in printed
    assert project.releases()["lws"]["status"] == "deployed"
    (pod,) = project.client.items("/api/v1/namespaces/lws-system/pods")
    assert pod["status"]["phase"] == "Running"
    project.install(order.components("lws"))
    project.unchanged()


@pytest.mark.full
def test_interrupted_update_is_gone_on_with(project, tmp_path):
    standin.write(tmp_path / "charts", "jobset", "0.12.0")
    files = standin.files("lws", "0.10.0")
    files["templates/workload.yaml"] = files["templates/workload.yaml"].replace(
        b"tolerations:", NOWHERE + b"tolerations:"
    )
    (tmp_path / "charts" / "lws-0.10.0.tgz").write_bytes(packed("lws", files))
    components = [*order.components("jobset"), order.component("lws", after=["jobset"])]
    project.write({"components": components, "site": project.site})
    with project.popen("up", "-s", "lab", "--yes", "--skip-preview") as process:
        wait_until(lambda: project.releases().get("lws", {}).get("status") == "pending-install", "the release")
        process.send_signal(signal.SIGINT)
        printed, _ = process.communicate(timeout=60)
    assert process.returncode, printed
    assert "Traceback" not in printed
    assert project.releases()["jobset"]["status"] == "deployed"

    standin.write(tmp_path / "charts", "lws", "0.10.0")
    project.install(components)
    project.unchanged()
    assert {row["status"] for row in project.releases().values()} == {"deployed"}
