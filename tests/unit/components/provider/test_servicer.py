"""The provider's calls, and what the engine gets back."""

from google.protobuf import empty_pb2
from pulumi.runtime.proto import provider_pb2 as pb

from components.provider import wire
from components.provider.resource import Difference
from components.provider.wire import UNKNOWN, Secret

URN = "urn:pulumi:lab::tessera::tessera:lab:LabCluster$tessera:lab:Lab::lab-a"


def test_check_fills_in_and_gives_a_reason_for_each_wrong_property(provider, fake):
    fake.answers["check"] = ({"name": "lab", "pools": UNKNOWN}, {"name": "too long", "pools": "no such board"})
    answer = provider.Check(pb.CheckRequest(urn=URN, news=wire.encode({"pools": UNKNOWN})), timeout=10)
    assert wire.decode(answer.inputs) == {"name": "lab", "pools": UNKNOWN}
    assert {row.property: row.reason for row in answer.failures} == {"name": "too long", "pools": "no such board"}
    call, inputs = fake.calls["check"]
    assert (call.stack, call.name, inputs) == ("lab", "lab-a", {"pools": UNKNOWN})


def test_no_difference_is_none(provider, fake, log):
    fake.answers["diff"] = Difference()
    answer = provider.Diff(pb.DiffRequest(urn=URN, id="lab-a"), timeout=10)
    assert (answer.changes, list(answer.diffs), answer.deleteBeforeReplace) == (pb.DiffResponse.DIFF_NONE, [], False)
    assert log.notes == []


def test_a_change_is_an_update_with_its_paths_and_notes(provider, fake, log):
    fake.answers["diff"] = Difference(changed=("pools", "parts"), notes=("etcd is not running",))
    answer = provider.Diff(pb.DiffRequest(urn=URN, id="lab-a", news=wire.encode({"pools": []})), timeout=10)
    assert (answer.changes, set(answer.diffs)) == (pb.DiffResponse.DIFF_SOME, {"pools", "parts"})
    assert (list(answer.replaces), answer.deleteBeforeReplace) == ([], False)
    assert {path: (row.kind, row.inputDiff) for path, row in answer.detailedDiff.items()} == {
        "pools": (pb.PropertyDiff.UPDATE, True),
        "parts": (pb.PropertyDiff.UPDATE, False),
    }
    assert log.notes == [(URN, "etcd is not running")]


def test_a_replacement_deletes_before_it_creates(provider, fake):
    fake.answers["diff"] = Difference(changed=("pools",), replaced=("name",))
    answer = provider.Diff(pb.DiffRequest(urn=URN, id="lab-a", news=wire.encode({"name": "b"})), timeout=10)
    assert (list(answer.replaces), answer.deleteBeforeReplace) == (["name"], True)
    assert answer.detailedDiff["name"].kind == pb.PropertyDiff.UPDATE_REPLACE


def test_diff_hands_state_old_and_new_inputs_to_the_resource(provider, fake):
    fake.answers["diff"] = Difference()
    state, old, new = ({"size": number} for number in (1, 2, 3))
    request = pb.DiffRequest(
        urn=URN, id="lab-a", olds=wire.encode(state), old_inputs=wire.encode(old), news=wire.encode(new)
    )
    provider.Diff(request, timeout=10)
    assert fake.calls["diff"][1:] == ("lab-a", state, old, new)


def test_a_preview_of_create_makes_nothing_and_keeps_unknowns(provider, fake):
    fake.answers["plan"] = {"name": "lab-a", "server": UNKNOWN}
    request = pb.CreateRequest(urn=URN, properties=wire.encode({"name": "lab-a"}), preview=True)
    answer = provider.Create(request, timeout=10)
    assert (answer.id, wire.decode(answer.properties)) == ("", {"name": "lab-a", "server": UNKNOWN})
    assert fake.calls == {"plan": (None, {}, {"name": "lab-a"})}


def test_create_gives_id_and_state_and_shows_progress(provider, fake, log):
    def create(call, inputs):
        call.report("starting etcd")
        return "lab-a", {**inputs, "kubeconfig": Secret("k")}

    fake.answers["create"] = create
    answer = provider.Create(pb.CreateRequest(urn=URN, properties=wire.encode({"name": "lab-a"})), timeout=10)
    assert (answer.id, wire.decode(answer.properties)) == ("lab-a", {"name": "lab-a", "kubeconfig": "k"})
    assert answer.properties["kubeconfig"] != "k"  # it went as a secret
    assert log.lines == ["starting etcd"]


def test_read_tells_what_is_there(provider, fake):
    fake.answers["read"] = ({"name": "lab-a"}, {"instance": "i"})
    answer = provider.Read(pb.ReadRequest(urn=URN, id="lab-a", inputs=wire.encode({"name": "old"})), timeout=10)
    assert (answer.id, wire.decode(answer.inputs), wire.decode(answer.properties)) == (
        "lab-a",
        {"name": "lab-a"},
        {"instance": "i"},
    )
    assert fake.calls["read"][1:] == ("lab-a", {"name": "old"})


def test_read_of_what_is_gone_has_no_id(provider, fake):
    assert provider.Read(pb.ReadRequest(urn=URN, id="lab-a"), timeout=10).id == ""
    assert "read" in fake.calls


def test_update_and_its_preview_tell_the_new_state(provider, fake):
    fake.answers |= {"plan": {"server": UNKNOWN}, "update": {"server": "s"}}
    request = {"urn": URN, "id": "lab-a", "olds": wire.encode({"server": "o"}), "news": wire.encode({"size": 1})}
    preview = provider.Update(pb.UpdateRequest(**request, preview=True), timeout=10)
    assert wire.decode(preview.properties) == {"server": UNKNOWN}
    assert fake.calls == {"plan": ("lab-a", {"server": "o"}, {"size": 1})}
    assert wire.decode(provider.Update(pb.UpdateRequest(**request), timeout=10).properties) == {"server": "s"}


def test_delete_reaches_the_resource(provider, fake):
    provider.Delete(pb.DeleteRequest(urn=URN, id="lab-a"), timeout=10)
    assert fake.calls["delete"][1:] == ("lab-a",)


def test_the_provider_says_its_version_and_takes_secrets_and_previews(provider):
    empty = empty_pb2.Empty()
    assert provider.GetPluginInfo(empty, timeout=10).version == "1.2.3"
    answer = provider.Configure(pb.ConfigureRequest(), timeout=10)
    assert (answer.acceptSecrets, answer.supportsPreview) == (True, True)
