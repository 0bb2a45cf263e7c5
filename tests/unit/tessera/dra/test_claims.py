"""Claims: the template that gives each pod a device for itself."""

from tessera.dra.claims import claim_template


def test_a_template_asks_for_exactly_one_device_in_the_shape_of_v1():
    assert claim_template("gpu-claim", "ai", "gpu", "gpu-fast-inference") == {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaimTemplate",
        "metadata": {"name": "gpu-claim", "namespace": "ai", "labels": {"tessera.dev/class": "gpu-fast-inference"}},
        "spec": {
            "spec": {
                "devices": {
                    "requests": [
                        {
                            "name": "gpu",
                            "exactly": {
                                "deviceClassName": "gpu-fast-inference",
                                "allocationMode": "ExactCount",
                                "count": 1,
                            },
                        }
                    ]
                }
            }
        },
    }
