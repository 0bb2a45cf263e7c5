"""The provider's failures: one sentence, and the state of what was half made."""

import threading

import grpc
import pytest
from google.protobuf import empty_pb2
from pulumi.runtime.proto import provider_pb2 as pb
from pulumi.runtime.proto import status_pb2

from components.provider import wire
from components.provider.resource import PartialError
from tessera.errors import TesseraError
from tools.errors import ToolError

URN = "urn:pulumi:lab::tessera::tessera:lab:LabCluster$tessera:lab:Lab::lab-a"


def failure(call):
    with pytest.raises(grpc.RpcError) as error:
        call()
    return error.value


@pytest.mark.parametrize("verb", ["create", "update"])
def test_what_was_half_made_reaches_the_engine_with_id_and_state(provider, fake, verb):
    fake.answers[verb] = PartialError("kwok ended at once", "lab-a", {"instance": "i"})
    if verb == "create":
        error = failure(lambda: provider.Create(pb.CreateRequest(urn=URN, properties=wire.encode({"size": 2}))))
    else:
        error = failure(lambda: provider.Update(pb.UpdateRequest(urn=URN, id="lab-a", news=wire.encode({"size": 2}))))
    status = status_pb2.Status.FromString(dict(error.trailing_metadata())["grpc-status-details-bin"])
    detail = pb.ErrorResourceInitFailed()
    assert status.details[0].Unpack(detail)
    assert (error.details(), list(detail.reasons)) == ("kwok ended at once", ["kwok ended at once"])
    assert (detail.id, wire.decode(detail.properties), wire.decode(detail.inputs)) == (
        "lab-a",
        {"instance": "i"},
        {"size": 2},
    )


@pytest.mark.parametrize("verb", ["Read", "Delete"])
def test_a_users_mistake_is_its_one_sentence(provider, fake, verb):
    fake.answers[verb.lower()] = TesseraError("lab 'é': damaged; remove it")
    request = getattr(pb, f"{verb}Request")(urn=URN, id="lab-a")
    assert failure(lambda: getattr(provider, verb)(request)).details() == "lab 'é': damaged; remove it"


def test_a_fault_of_ours_is_one_sentence_without_a_trace(provider, fake):
    fake.answers["read"] = KeyError("board")
    told = failure(lambda: provider.Read(pb.ReadRequest(urn=URN, id="lab-a"))).details()
    assert told == "internal error, please report it: KeyError: 'board'"


def test_a_type_that_we_do_not_have_is_told_with_those_that_we_have(provider):
    urn = URN.replace("tessera:lab:Lab::", "tessera:lab:Hut::")
    told = failure(lambda: provider.Check(pb.CheckRequest(urn=urn))).details()
    assert told == "this Tessera has no resource tessera:lab:Hut; it has tessera:lab:Lab"


def test_cancel_reaches_a_create_that_is_under_way(provider, fake):
    running = threading.Event()

    def create(call, inputs):
        running.set()
        assert call.cancelled.wait(10)
        raise PartialError("cancelled", "lab-a", {})

    fake.answers["create"] = create
    call = provider.Create.future(pb.CreateRequest(urn=URN))
    assert running.wait(10)
    provider.Cancel(empty_pb2.Empty(), timeout=10)
    assert call.exception(10).details() == "cancelled"


@pytest.mark.parametrize("verb", ["create", "update", "delete"])
def test_a_tool_that_cannot_be_had_is_its_one_sentence(provider, fake, verb):
    fake.answers[verb] = ToolError("There is no Go to build kwok with; install Go 1.26.")
    kind = verb.capitalize()
    request = getattr(pb, f"{kind}Request")(urn=URN, **({} if verb == "create" else {"id": "lab-a"}))
    told = failure(lambda: getattr(provider, kind)(request)).details()
    assert told == "There is no Go to build kwok with; install Go 1.26."
