"""Bad messages and requests: each is answered by a line, none by a traceback, and none changes a table."""

import json
import logging
import signal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.conftest import CASES
from tests.web.conftest import ORIGIN, Page

KINDS = (
    "hello", "move", "back", "again", "hint", "why", "unseen", "play", "pause", "step", "look", "leave", "sit", "turns",
)  # fmt: skip
FIELDS = ("type", "key", "seen", "lang", "turn", "action", "adviser", "on", "card", "place", "seat", "pace", "more")
PATHS = (
    "/api/lobby", "/api/guide", "/api/enter", "/api/tables", "/api/mine", "/api/tables/x/record", "/api", "/x/y",
    "/api/reviews", "/api/reviews", "/api/reviews/x", "/api/reviews/x/scenes/1", "/api/positions", "/api/positions",
    "/api/positions/hx", "/api/positions/kx", "/api/exports/reviews/x", "/api/results", "/results/x.html",
)  # fmt: skip
NAMES = (
    "game", "preset", "options", "seats", "deal", "seed", "practice", "keys", "token", "table", "key", "record", "name",
    "seat", "judge", "review", "position", "moves", "exchanges", "turn",
)  # fmt: skip
PLAIN = (
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | st.text(max_size=30)
    | st.sampled_from((0, 1, 2, 3, 999, -1, "person", "honest", "own.py:X", "policy.npz", "ja", "../..", "\0"))
)  # fmt: skip
VALUES = st.recursive(
    PLAIN,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
MESSAGES = st.one_of(
    st.text(max_size=200),
    VALUES.map(json.dumps),
    st.builds(
        lambda kind, more: json.dumps({"type": kind, **more}),
        st.sampled_from(KINDS), st.dictionaries(st.sampled_from(FIELDS[1:]), VALUES, max_size=4),
    ),
    st.integers(1, 3000).map(lambda depth: "[" * depth),
)  # fmt: skip
BODIES = st.one_of(
    st.binary(max_size=200),
    VALUES.map(lambda value: json.dumps(value).encode()),
    st.dictionaries(st.sampled_from(NAMES), VALUES).map(lambda value: json.dumps(value).encode()),
    st.dictionaries(st.sampled_from(NAMES[9:]), VALUES, max_size=3).map(
        lambda value: json.dumps({"game": "leduc", **value}).encode()
    ),
)
EACH = {"deadline": None, "suppress_health_check": list(HealthCheck), "database": None, "derandomize": True}
AT_ONCE = 25  # bad messages, one after the other, before the answer to a good one is read


def no_errors(caplog) -> None:
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []


def messages_are_refused(serving, caplog, record_property, many: int) -> None:
    served = serving("leduc", messages=(1e9, 1e9), asked=(1e9, 1e9), wrong=10**9)
    opened = served.open(deal=7)
    kept = served.house.store.table(opened["table"])
    tried = 0
    with served.sit(opened) as socket:
        page = Page(socket, opened["key"])
        page.until("turns")
        begun = served.house.store.moves(opened["table"])

        @settings(max_examples=many // AT_ONCE, **EACH)
        @given(st.lists(MESSAGES, min_size=AT_ONCE, max_size=AT_ONCE))
        def bad(contents: list[str]) -> None:
            nonlocal tried
            for content in contents:
                if not would_move(content):
                    tried += 1
                    socket.send_text(content)
            page.say(type="unseen", turn=4711)
            while page.next() != {"type": "unseen", "turn": 4711, "groups": []}:
                assert page.all[-1]["type"] in ("refused", "turns", "hint", "why", "unseen", "moved")
            page.all.clear()

        bad()
        assert served.house.store.moves(opened["table"]) == begun
    now = served.house.store.table(opened["table"])
    assert (now.players, now.left_by, now.result, now.changed) == (kept.players, [], None, now.changed)
    assert tried > 0.9 * many
    record_property(CASES, tried)
    no_errors(caplog)


def would_move(content: str) -> bool:
    """Whether a message happens to be a good move of this table."""
    try:
        message = json.loads(content)
    except (ValueError, RecursionError):
        return False
    return isinstance(message, dict) and message.get("type") == "move" and message.get("turn") in (0, 1)


def requests_are_refused(serving, caplog, record_property, many: int) -> None:
    served = serving("leduc", requests=(1e9, 1e9))
    tried = 0

    @settings(max_examples=many, **EACH)
    @given(st.sampled_from(PATHS), st.sampled_from(("GET", "POST", "PUT", "DELETE", "HEAD")), BODIES, st.data())
    def bad(path: str, method: str, body: bytes, data) -> None:
        nonlocal tried
        tried += 1
        kind = data.draw(st.sampled_from(("application/json", "text/plain", "")))
        query = data.draw(st.dictionaries(st.sampled_from(("game", "rules", "changed", "lang")), st.text(max_size=10)))
        answer = served.client.request(
            method, path, content=body, params=query, headers=ORIGIN | ({"content-type": kind} if kind else {})
        )
        assert answer.status_code < 500, (method, path, body)
        if answer.status_code >= 400 and method != "HEAD":
            assert set(answer.json()) == {"why"}
            assert set(answer.json()["why"]) == {"ja", "en"}
            assert "Traceback" not in answer.text

    bad()
    record_property(CASES, tried)
    no_errors(caplog)


def test_bad_messages_are_refused(serving, caplog, record_property):
    messages_are_refused(serving, caplog, record_property, 150)


@pytest.mark.slow
def test_bad_requests_are_refused(serving, caplog, record_property):
    requests_are_refused(serving, caplog, record_property, 150)


@pytest.mark.full
def test_ten_thousand_bad_messages_are_refused(serving, caplog, record_property):
    signal.alarm(1200)
    messages_are_refused(serving, caplog, record_property, 11_000)


@pytest.mark.full
def test_thousands_of_bad_requests_are_refused(serving, caplog, record_property):
    signal.alarm(1200)
    requests_are_refused(serving, caplog, record_property, 3_000)
