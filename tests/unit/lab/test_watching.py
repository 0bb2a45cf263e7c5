"""What `tessera claims --watch` shows when watches end, are too old, are refused, or the server is gone."""

import threading

import pytest
from kubernetes.client import ApiException

from lab import watching
from lab.watching import Source, Store
from tests.unit.lab.scripted import DEAD, Server, listed, refused, row, watched
from tests.waiting import wait_until

PODS = Source("pods", "/api/v1/pods", needed=True)
BOOKMARK = {"metadata": {"resourceVersion": "90"}}


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    """A connection is tried again without a pause."""
    monkeypatch.setattr(watching, "FIRST_PAUSE_S", 0.0)


@pytest.fixture
def following():
    """A store that follows a server with these answers, and the server."""
    before, made = set(threading.enumerate()), []

    def follow(*answers, source=PODS):
        server = Server(*answers)
        store = Store(server.client(), [source])
        made.append((server, store))
        store.load()
        store.watch()
        return store, server

    yield follow
    for server, store in made:
        store.stop()
        server.close()
    for thread in set(threading.enumerate()) - before:
        thread.join(20)


def names(store):
    return sorted(one["metadata"]["name"] for one in store.objects("pods"))


def versions(server):
    """Where each watch began."""
    return [query["resourceVersion"] for query in server.asked if "watch" in query]


def test_events_come_add_change_and_take_away(following):
    events = watched(
        ("ADDED", row("c", "11")), ("MODIFIED", row("a", "12", spec={"nodeName": "n"})), ("DELETED", row("b", "13"))
    )
    store, server = following(listed("10", row("a"), row("b")), events)
    wait_until(lambda: len(server.asked) == 3, "the next watch")
    assert names(store) == ["a", "c"]
    assert next(one for one in store.objects("pods") if one["metadata"]["name"] == "a")["spec"] == {"nodeName": "n"}


def test_a_watch_that_ends_goes_on_from_its_last_event_without_a_list(following):
    store, server = following(listed("10", row("a")), watched(("ADDED", row("b", "11"))), watched())
    wait_until(lambda: len(versions(server)) == 3, "the third watch")
    assert (len(server.asked), versions(server)) == (4, ["10", "11", "11"])
    assert store.note == ""


def test_a_bookmark_moves_the_next_watch_on_and_shows_nothing(following):
    store, server = following(listed("10", row("a")), watched(("BOOKMARK", BOOKMARK)))
    wait_until(lambda: len(versions(server)) == 2, "the second watch")
    assert versions(server) == ["10", "90"]
    assert names(store) == ["a"]
    assert store.wait(0), "of the first list"
    assert not store.wait(0), "none of the bookmark"


@pytest.mark.parametrize(
    "gone",
    [
        pytest.param(watched(("ERROR", {"code": 410, "message": "too old"})), id="in the stream"),
        pytest.param(refused(410), id="when it begins"),
    ],
)
def test_a_version_that_is_too_old_is_listed_anew_and_what_went_meanwhile_goes(following, gone):
    store, server = following(listed("10", row("a"), row("b")), gone, listed("50", row("b"), row("c")))
    wait_until(lambda: versions(server)[1:] == ["50"], "the watch of the new list")
    assert names(store) == ["b", "c"]
    assert store.note == ""


def test_an_event_of_a_kind_that_nobody_knows_says_nothing(following):
    event = ("RENAMED", {"name": "x"})
    store, server = following(listed("10", row("a")), watched(event, ("ADDED", row("b", "11"))))
    wait_until(lambda: len(versions(server)) == 2, "the second watch")
    assert names(store) == ["a", "b"]


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        pytest.param(DEAD, "ProtocolError", id="no answer"),
        pytest.param(refused(503), "503 Service Unavailable", id="a server that is not ready"),
        pytest.param(
            watched(("ERROR", {"code": 500, "message": "etcd is away"})),
            "500 etcd is away",
            id="an error in the stream",
        ),
    ],
)
def test_a_lost_connection_is_told_and_what_is_known_stays_shown(following, monkeypatch, fault, reason):
    monkeypatch.setattr(watching, "FIRST_PAUSE_S", 3600.0)
    store, _ = following(listed("10", row("a")), fault)
    wait_until(lambda: store.note, "the note")
    assert store.note == f"connection lost ({reason}); trying again"
    assert names(store) == ["a"]


def test_a_connection_that_is_there_again_is_no_longer_told_as_lost(following):
    store, server = following(listed("10", row("a")), DEAD, DEAD)
    wait_until(lambda: len(versions(server)) == 3 and not store.note, "the third watch")
    assert versions(server) == ["10"] * 3


def test_pauses_grow_while_the_server_is_away_and_end_somewhere(following, monkeypatch):
    paused = []
    monkeypatch.setattr(watching, "FIRST_PAUSE_S", 1.0)
    wait = threading.Event.wait
    record = lambda event, timeout=None: paused.append(timeout) or wait(event, 0 if timeout else None)  # noqa: E731
    monkeypatch.setattr(threading.Event, "wait", record)
    _, server = following(listed("10"), *[DEAD] * 6)
    wait_until(lambda: len(versions(server)) == 7, "the seventh watch")
    assert [seconds for seconds in paused if seconds and seconds >= 1] == [1.0, 2.0, 4.0, 8.0, 15.0, 15.0]


@pytest.mark.parametrize("code", [403, 404], ids=["forbidden", "not served"])
def test_what_is_not_needed_may_be_unreadable_and_is_not_watched(following, code):
    store, server = following(refused(code), source=Source("pods", PODS.path))
    assert store.objects("pods") is None
    assert len(server.asked) == 1


def test_what_is_needed_must_be_readable(following):
    with pytest.raises(ApiException) as refusal:
        following(refused(403))
    assert refusal.value.status == 403


def test_only_what_was_asked_for_is_listed_and_watched(following):
    _, server = following(listed("10"), source=Source("pods", PODS.path, "reason=FailedCreate", needed=True))
    wait_until(lambda: len(server.asked) == 2, "the watch")
    assert [query["fieldSelector"] for query in server.asked] == ["reason=FailedCreate"] * 2


def test_a_store_that_stops_wakes_who_waits_for_a_change(following):
    store, _ = following(listed("10"))
    store.wait()
    store.stop()
    assert store.wait()
