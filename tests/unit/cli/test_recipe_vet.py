"""`tessera recipe vet` of a stack tells what `pulumi preview` would refuse before it fetches a chart."""

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


def test_a_namespace_of_the_platform_is_nobody_elses(tessera, tmp_path):
    path = tmp_path / "Pulumi.x.yaml"
    path.write_text(TEXT.replace("research", "monitoring"))
    code, told, _ = tessera("recipe", "vet", "-s", str(path))
    (line,) = told.splitlines()
    assert (code, "its namespace 'monitoring' is that of tenant monitoring too" in line) == (1, True)
