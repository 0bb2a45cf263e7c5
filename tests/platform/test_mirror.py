"""Values that name a mirror: real Helm renders each chart, and no image is left outside the mirror."""

import subprocess

import pytest
import yaml

from tessera.charts.known import known, versions
from tessera.platform.crds import brought
from tessera.platform.facts import facts
from tessera.platform.mirror import images_in, rewritten, unmapped
from tests.platform import order, standin
from tools.toolset import ensure

MIRROR = "mirror.example.com:5000/all"
CHARTS = [(chart, version) for chart, found in versions().items() for version in found]


@pytest.fixture(scope="module")
def helm():
    return str(ensure(["helm"]).path("helm"))


def rendered(helm, folder, chart, version, values):
    """Images of a stand-in, as Helm renders it with these values."""
    standin.write(folder, chart, version)
    (folder / "values.yaml").write_text(yaml.safe_dump(values))
    command = [helm, "template", "x", str(folder / f"{chart}-{version}.tgz"), "-f", str(folder / "values.yaml")]
    done = subprocess.run(command, check=True, text=True, capture_output=True, timeout=60)
    return [image for one in yaml.safe_load_all(done.stdout) for image in images_in(one)]


@pytest.mark.parametrize(("chart", "version"), [pytest.param(*one, id="-".join(one)) for one in CHARTS])
def test_no_image_of_a_chart_is_left_outside_the_mirror(helm, tmp_path, chart, version):
    rows = facts(chart).images or known(chart, version).tree.images
    values = order.ROWS.get(chart, ("", (), {}))[2]
    defaults = brought(standin.files(chart, version), values, chart).defaults
    before = rendered(helm, tmp_path, chart, version, values)
    after = rendered(helm, tmp_path, chart, version, rewritten(values, defaults, rows, MIRROR))
    assert len(after) == len(before)
    ours = {image for image in after if image != standin.PAUSE}
    assert unmapped(ours, MIRROR) == []
    assert unmapped(before, MIRROR) == sorted(set(before))
