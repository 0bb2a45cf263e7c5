"""Claims: the shape that resource.k8s.io/v1 wants, and its limits (dra.md 1.3)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tessera.dra.claims import Ask, Claim, Request, Same, claim_spec, claim_template, resource_claim
from tessera.dra.requirements import Requirement
from tessera.errors import ProblemsError

ONE = Claim((Request("gpu", (Ask("light"),)),))
NAMES = st.from_regex(r"[a-z]([a-z0-9-]{0,8}[a-z0-9])?", fullmatch=True)


def problems(*requests, same=()):
    with pytest.raises(ProblemsError) as refusal:
        Claim(tuple(requests), tuple(same))
    return refusal.value.problems


def test_a_template_asks_for_exactly_one_device_in_the_shape_of_v1():
    labels = {"tessera.dev/class": "light"}
    assert claim_template("gpu-claim", "ai", ONE) == {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaimTemplate",
        "metadata": {"name": "gpu-claim", "namespace": "ai", "labels": labels},
        "spec": {
            "metadata": {"labels": labels},
            "spec": {
                "devices": {
                    "requests": [
                        {
                            "name": "gpu",
                            "exactly": {"deviceClassName": "light", "allocationMode": "ExactCount", "count": 1},
                        }
                    ]
                }
            },
        },
    }


def test_labels_reach_the_template_and_the_claims_made_from_it():
    made = claim_template("a", "b", ONE, {"team": "vision"})
    assert made["metadata"]["labels"] == made["spec"]["metadata"]["labels"]
    assert made["metadata"]["labels"] == {"tessera.dev/class": "light", "team": "vision"}


def test_a_claim_of_its_own_has_the_spec_at_once():
    made = resource_claim("gpu-claim", "ai", ONE)
    assert (made["kind"], made["spec"]) == ("ResourceClaim", claim_spec(ONE))


def test_a_class_whose_name_is_too_long_for_a_label_is_not_labelled():
    long = "a" * 64
    assert claim_template("a", "b", Claim((Request("gpu", (Ask(long),)),)))["metadata"]["labels"] == {}


def test_all_devices_of_a_node_have_no_count():
    (request,) = claim_spec(Claim((Request("gpu", (Ask("light", None),)),)))["devices"]["requests"]
    assert request["exactly"] == {"deviceClassName": "light", "allocationMode": "All"}


def test_several_asks_are_alternatives_in_their_order():
    claim = Claim((Request("gpu", (Ask("large", name="whole"), Ask("light", 2, name="cut"))),))
    (request,) = claim_spec(claim)["devices"]["requests"]
    assert "exactly" not in request
    assert [(row["name"], row["deviceClassName"], row["count"]) for row in request["firstAvailable"]] == [
        ("whole", "large", 1),
        ("cut", "light", 2),
    ]


def test_a_requirement_beside_the_class_becomes_a_selector_of_the_request():
    claim = Claim((Request("gpu", (Ask("light", requires=Requirement(architecture="Hopper")),)),))
    (request,) = claim_spec(claim)["devices"]["requests"]
    (row,) = request["exactly"]["selectors"]
    assert '.architecture == "Hopper"' in row["cel"]["expression"]


@pytest.mark.parametrize(
    ("same", "attribute"),
    [
        pytest.param("parent", "gpu.nvidia.com/parentUUID", id="slices of one GPU"),
        pytest.param("pcie-root", "resource.kubernetes.io/pcieRoot", id="one PCIe root"),
        pytest.param("numa", "resource.kubernetes.io/numaNode", id="one NUMA node"),
    ],
)
def test_what_is_common_is_a_qualified_attribute(same, attribute):
    requests = (Request("gpu", (Ask("light", 2),)), Request("nic", (Ask("nic"),)))
    whole = claim_spec(Claim(requests, (Same(same),)))["devices"]["constraints"]
    assert whole == [{"matchAttribute": attribute}]
    named = claim_spec(Claim(requests, (Same(same, ("gpu", "nic")),)))["devices"]["constraints"]
    assert named == [{"matchAttribute": attribute, "requests": ["gpu", "nic"]}]


def test_a_constraint_may_name_one_alternative():
    request = Request("gpu", (Ask("large", name="whole"), Ask("light", 2, name="cut")))
    assert Claim((request,), (Same("parent", ("gpu/cut",)),))


def test_a_quota_counts_all_as_32_and_of_alternatives_the_largest_of_each_class():
    """dra.md 1.5: a quota has to cover every alternative."""
    claim = Claim(
        (
            Request("some", (Ask("large", 2, name="a"), Ask("large", 4, name="b"), Ask("light", 7, name="c"))),
            Request("more", (Ask("light"),)),
        )
    )
    assert claim.devices() == {"large": 4, "light": 8}
    assert Claim((Request("all", (Ask("large", None),)),)).devices() == {"large": 32}
    assert claim.classes == ("large", "light")


def test_every_problem_is_told_at_once():
    found = problems(
        Request("GPU", (Ask("a", 0),)),
        Request("b", (Ask("Bad_Class"),)),
        same=[Same("planet", ("c",))],
    )
    assert [line.split(":")[0] for line in found] == [
        "request 'GPU'",
        "request GPU",
        "request b",
        "unknown common thing 'planet' (did you mean 'parent'?); allowed",
        "unknown request 'c'; allowed",
    ]


@pytest.mark.parametrize(
    ("requests", "said"),
    [
        pytest.param([], "found 0 requests, allowed 1 to 32", id="nothing"),
        pytest.param([Request(f"r{i}", (Ask("a"),)) for i in range(33)], "found 33 requests", id="33 requests"),
        pytest.param([Request("a", ())], "found 0 alternatives", id="no alternative"),
        pytest.param(
            [Request("a", tuple(Ask("a", name=f"n{i}") for i in range(9)))],
            "found 9 alternatives, allowed 1 to 8",
            id="nine alternatives",
        ),
        pytest.param([Request("a", (Ask("a"), Ask("b", name="b")))], "alternative ''", id="alternative without name"),
        pytest.param(
            [Request("a", (Ask("a", name="x"), Ask("b", name="x")))], "'x' is there twice", id="alternatives alike"
        ),
        pytest.param([Request("a", (Ask("a", name="x"),))], "its only ask is called 'x'", id="name of a lone ask"),
        pytest.param([Request("a", (Ask("a"),)), Request("a", (Ask("a"),))], "'a' is there twice", id="alike"),
        pytest.param([Request("a" * 64, (Ask("a"),))], "at most 63", id="long name"),
        pytest.param([Request("a.b", (Ask("a"),))], "request 'a.b'", id="name that is no label"),
        pytest.param([Request("a", (Ask("x" * 254),))], "at most 253", id="long class"),
        pytest.param([Request("a", (Ask("gpu..com"),))], "can't be a DeviceClass's name", id="class with two dots"),
        pytest.param([Request("a", (Ask("a", 33),))], "found a count of 33, allowed 1 to 32", id="33 devices"),
        pytest.param(
            [Request("a", (Ask("a", 20),)), Request("b", (Ask("a", 13),))],
            "found 33 devices in all requests, allowed 32",
            id="33 devices in two requests",
        ),
    ],
)
def test_what_the_api_refuses_is_refused_first(requests, said):
    assert said in "\n".join(problems(*requests))


def test_alternatives_count_by_the_smallest_for_the_limit_of_devices():
    """The scheduler goes on to the alternative that keeps the claim within 32 devices."""
    either = Request("either", (Ask("a", 32, name="many"), Ask("a", 1, name="few")))
    assert Claim((either, Request("b", (Ask("a", 31),))))


@pytest.mark.parametrize(
    ("same", "said"),
    [
        pytest.param([Same("numa")] * 33, "found 33 constraints", id="33 constraints"),
        pytest.param([Same("numa", ("gpo",))], "did you mean 'gpu'?", id="unknown request"),
        pytest.param([Same("root")], "unknown common thing 'root'", id="unknown thing"),
        pytest.param([Same("numa", ("gpu", "gpu"))], "is named twice", id="request twice"),
    ],
)
def test_a_constraint_must_make_sense(same, said):
    assert said in "\n".join(problems(Request("gpu", (Ask("a"),)), same=same))


@given(
    st.lists(st.tuples(NAMES, NAMES, st.none() | st.integers(1, 4)), min_size=1, max_size=8, unique_by=lambda r: r[0])
)
@settings(max_examples=100)
def test_a_claim_keeps_what_it_was_asked(rows):
    claim = Claim(tuple(Request(name, (Ask(device_class, count),)) for name, device_class, count in rows))
    said = claim_spec(claim)["devices"]["requests"]
    assert [(row["name"], row["exactly"]["deviceClassName"], row["exactly"].get("count")) for row in said] == rows
    assert sum(claim.devices().values()) == sum(count or 32 for _, _, count in rows)
