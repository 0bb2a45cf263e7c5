"""Values on the wire: what goes out comes back."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pulumi.runtime import rpc
from pulumi.runtime.proto import provider_pb2, status_pb2

from components.provider import wire
from components.provider.wire import UNKNOWN, Secret, decode, encode, has_unknown

KEYS = st.text(max_size=8)
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8)
    | st.just(UNKNOWN)
)
PLAIN = st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3))
WITH_SECRETS = st.recursive(
    LEAVES | st.builds(Secret, LEAVES),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3) | st.builds(Secret, inner),
)


def opened(value):
    """The value without the wrapping of its secrets."""
    if isinstance(value, Secret):
        return opened(value.value)
    if isinstance(value, dict):
        return {key: opened(part) for key, part in value.items()}
    return [opened(part) for part in value] if isinstance(value, list) else value


def kinds(value):
    """The shape of a value: True is no 1, and None no absence. A whole float counts as an int."""
    if isinstance(value, dict):
        return {key: kinds(part) for key, part in value.items()}
    if isinstance(value, list):
        return [kinds(part) for part in value]
    return int if isinstance(value, float) and value.is_integer() else type(value)


@given(st.dictionaries(KEYS, PLAIN, max_size=4))
@settings(max_examples=80)
def test_plain_values_come_back_as_they_went(values):
    back = decode(encode(values))
    assert back == values
    assert kinds(back) == kinds(values)


@given(st.dictionaries(KEYS, WITH_SECRETS, max_size=4))
@settings(max_examples=80)
def test_secrets_come_back_without_their_wrapping(values):
    assert decode(encode(values)) == opened(values)


@given(st.dictionaries(KEYS, PLAIN, max_size=4))
@settings(max_examples=50)
def test_an_unknown_value_is_found_however_deep(values):
    assert has_unknown(decode(encode(values))) == has_unknown(values)
    assert has_unknown({"rows": [values, {"deep": [UNKNOWN]}]})


def test_the_markers_are_the_sdks_own():
    struct = encode({"key": Secret("s"), "size": UNKNOWN})
    assert struct["size"] == rpc.UNKNOWN
    assert dict(struct["key"]) == {rpc._special_sig_key: rpc._special_secret_sig, "value": "s"}


@pytest.mark.parametrize(
    ("sent", "kind"),
    [
        pytest.param(2, int, id="int"),
        pytest.param(2.0, int, id="whole float"),
        pytest.param(2.5, float, id="float"),
        pytest.param(True, bool, id="bool"),
        pytest.param("2", str, id="text of a number"),
    ],
)
def test_numbers_keep_what_a_program_can_tell_apart(sent, kind):
    assert type(decode(encode({"x": sent}))["x"]) is kind


def test_a_tuple_is_a_list():
    assert decode(encode({"x": (1, (2,))})) == {"x": [1, [2]]}


class Context:
    """A call that ends with abort, as gRPC's."""

    def set_trailing_metadata(self, metadata):
        self.metadata = dict(metadata)

    def abort(self, code, message):
        self.message = message
        raise ConnectionAbortedError


def test_a_partial_failure_carries_id_state_inputs_and_reason():
    context = Context()
    with pytest.raises(ConnectionAbortedError):
        wire.fail_partly(context, "half made", "lab-a", {"key": Secret("s"), "size": 2}, {"size": 3})
    status = status_pb2.Status.FromString(context.metadata["grpc-status-details-bin"])
    detail = provider_pb2.ErrorResourceInitFailed()
    assert status.details[0].Unpack(detail)
    assert (status.message, context.message, list(detail.reasons)) == ("half made", "half made", ["half made"])
    assert detail.id == "lab-a"
    assert (decode(detail.properties), decode(detail.inputs)) == ({"key": "s", "size": 2}, {"size": 3})
    assert dict(detail.properties["key"])[rpc._special_sig_key] == rpc._special_secret_sig
