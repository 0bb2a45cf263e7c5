"""Images below a mirror, by the value paths of their parts."""

import pytest

from tessera.platform.mirror import images_in, mirrored, rewritten, unmapped

MIRROR = "mirror.example.com:5000/all"


@pytest.mark.parametrize(
    ("image", "wanted"),
    [
        pytest.param("nvcr.io/nvidia/driver:1", "nvcr.io/nvidia/driver:1", id="host and path"),
        pytest.param("localhost/x", "localhost/x", id="localhost"),
        pytest.param("grafana/loki", "docker.io/grafana/loki", id="hub"),
        pytest.param("busybox:1.36", "docker.io/library/busybox:1.36", id="hub library"),
    ],
)
def test_image_keeps_its_host_as_a_folder_of_the_mirror(image, wanted):
    assert mirrored(image, MIRROR) == f"{MIRROR}/{wanted}"
    assert mirrored(f"{MIRROR}/{wanted}", MIRROR) == f"{MIRROR}/{wanted}"


@pytest.mark.parametrize(
    ("defaults", "values", "row", "wanted"),
    [
        pytest.param(
            {"driver": {"repository": "nvcr.io/nvidia", "image": "driver"}},
            {},
            "driver.repository + driver.image + driver.version",
            {"driver": {"repository": f"{MIRROR}/nvcr.io/nvidia"}},
            id="repository and image",
        ),
        pytest.param(
            {"image": {"registry": "quay.io", "repository": "a/b"}},
            {"image": {"tag": "v1"}},
            "image.registry + image.repository + image.tag",
            {"image": {"tag": "v1", "registry": f"{MIRROR}/quay.io"}},
            id="registry",
        ),
        pytest.param(
            {"image": {"registry": "docker.io", "repository": "busybox"}},
            {},
            "image.registry + image.repository",
            {"image": {"registry": f"{MIRROR}/docker.io", "repository": "library/busybox"}},
            id="hub library",
        ),
        pytest.param(
            {"image": {"registry": "", "repository": "longhornio/x"}},
            {},
            "image.registry + image.repository",
            {"image": {"registry": f"{MIRROR}/docker.io"}},
            id="registry left empty",
        ),
        pytest.param(
            {"image": {"repository": "quay.io/a/b"}},
            {"image": {"repository": "own.example.com/b"}},
            "image.repository + image.tag",
            {"image": {"repository": f"{MIRROR}/own.example.com/b"}},
            id="own value",
        ),
        pytest.param({"hook": "busybox:1"}, {}, "hook", {"hook": f"{MIRROR}/docker.io/library/busybox:1"}, id="whole"),
        pytest.param({}, {"a": 1}, "image.repository + image.tag", {"a": 1}, id="nothing said"),
    ],
)
def test_values_name_images_below_the_mirror(defaults, values, row, wanted):
    found = rewritten(values, defaults, [row], MIRROR)
    assert found == wanted
    assert rewritten(found, defaults, [row], MIRROR) == wanted


def test_images_outside_the_mirror_are_found_in_manifests():
    manifest = {"spec": {"containers": [{"image": "nginx"}, {"image": f"{MIRROR}/docker.io/library/nginx"}]}}
    assert unmapped(images_in(manifest), MIRROR) == ["nginx"]


def test_image_of_a_custom_resource_is_told_with_the_repository_beside_it():
    policy = {"driver": {"repository": f"{MIRROR}/nvcr.io/nvidia", "image": "driver"}}
    assert list(images_in(policy)) == [f"{MIRROR}/nvcr.io/nvidia/driver"]
