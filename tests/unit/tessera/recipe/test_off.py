"""Components that a stack switches off."""

import pytest

from tessera.errors import ProblemsError
from tessera.recipe.of_stack import request
from tessera.recipe.shipped import shipped
from tessera.spec.document import read
from tessera.spec.stack import stack

TEXT = """config:
  tessera:cluster: {service: metal, kubernetes: "1.36", intent: training}
  tessera:pools:
    - {name: h100, board: hgx-h100, os: ubuntu-24.04, hosts: [{name: a, address: 10.0.0.1}]}
  tessera:components: {off: [%s]}
"""


def recipe(tmp_path, off, more=""):
    path = tmp_path / "Pulumi.x.yaml"
    path.write_text(TEXT % off + more)
    document = read(path, "stacks/Pulumi.x.yaml")
    return shipped(request(stack(document.values, document), document))


def test_they_are_gone_and_none_waits_for_them(tmp_path):
    found = recipe(tmp_path, "cert-manager, metallb")
    assert not {"cert-manager", "metallb"} & {one.name for one in found.components}
    assert not [one.name for one in found.components if "cert-manager" in one.after]
    gone = found.deleted["components.metallb"]
    assert (gone.place, gone.because) == ("stacks/Pulumi.x.yaml:5", "switched off by the stack")


@pytest.mark.parametrize(
    ("off", "more", "said"),
    [
        pytest.param(
            "cert-manger",
            "",
            "stacks/Pulumi.x.yaml:5: tessera:components.off: unknown component 'cert-manger' (did you mean",
            id="unknown",
        ),
        pytest.param(
            "metallb",
            "  tessera:overrides: {metallb: {speaker: {enabled: true}}}\n",
            "stacks/Pulumi.x.yaml:6: overrides.metallb: this component is switched off in this stack",
            id="and overridden",
        ),
    ],
)
def test_mistakes_name_their_line(tmp_path, off, more, said):
    with pytest.raises(ProblemsError) as refusal:
        recipe(tmp_path, off, more)
    assert any(one.startswith(said) for one in refusal.value.problems), refusal.value.problems
