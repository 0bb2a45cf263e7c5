"""`tessera recipe vet` of a stack tells what `pulumi preview` would refuse before it fetches a chart."""

import json

import pytest

from cli.checkout import CHECKOUT

TEXT = (CHECKOUT / "stacks" / "Pulumi.lab-platform.yaml").read_text()


@pytest.mark.parametrize(
    ("more", "said"),
    [
        pytest.param(
            "  tessera:overrides: {kube-prometheus-stack: {grafana: {adminPassword: secret://grafna}}}\n",
            "unknown secret 'grafna'; allowed: none; `pulumi config set --secret --path tessera:secrets.grafna`",
            id="secret",
        ),
        pytest.param(
            "  tessera:overrides: {cert-manager: {global: {imagePullSecrets: [{name: tessera-pull}]}}}\n",
            "component cert-manager: values name the pull secret tessera-pull, which this stack has not",
            id="pull secret",
        ),
        pytest.param("  tessera:allowMajor: [gpu-oprator]\n", "did you mean 'gpu-operator'?", id="major"),
        pytest.param(
            "  tessera:overrides: {gpu-oprator: {cdi: {enabled: true}}}\n",
            "unknown component 'gpu-oprator'",
            id="component",
        ),
    ],
)
def test_each_mistake_is_told_once(tessera, tmp_path, more, said):
    path = tmp_path / "Pulumi.x.yaml"
    path.write_text(TEXT + more)
    code, told, error = tessera("recipe", "vet", "-s", str(path))
    assert code in (1, 3)
    assert len((told + error).splitlines()) == 1, told + error
    assert said in told + error


@pytest.mark.parametrize(
    ("old", "new", "whose"),
    [
        pytest.param("research", "monitoring", "tenant monitoring", id="tenant"),
        pytest.param("namespace: research", "namespace: monitoring", "workload vision-pretraining", id="workload"),
    ],
)
def test_a_namespace_of_the_platform_is_nobody_elses(tessera, tmp_path, old, new, whose):
    path = tmp_path / "Pulumi.x.yaml"
    path.write_text(TEXT.replace(old, new))
    code, told, _ = tessera("recipe", "vet", "-s", str(path), "--json")
    (found,) = json.loads(told)
    assert (code, found["kind"], found["place"]) == (1, "platform", str(path))
    assert f"namespace 'monitoring' is that of {whose} too" in found["text"]
