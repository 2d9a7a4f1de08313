"""Positions: of deals, records, tables and reviews; changed by hand; shared by links; what is refused."""

import json
from pathlib import Path

import pytest

from tefuda.table.table import Table
from tefuda.web.shared import Shared, name_of, shared_by
from tests.games.mahjong.recorded import composed
from tests.web.conftest import HOST, ORIGIN

KEPT = Path(__file__).parents[1] / "files" / "kept" / "games"


def ask(served, **body):
    return served.client.post("/api/positions", json=body)


def values(served, number, *messages):
    """What is told of a position until its search is done."""
    with served.client.websocket_connect(f"ws://{HOST}/ws/positions/{number}", headers=ORIGIN) as socket:
        for message in messages:
            socket.send_text(message)
        told = [json.loads(socket.receive_text())]
        while not (told[-1].get("done") or told[-1]["type"] == "gone"):
            told.append(json.loads(socket.receive_text()))
    return told


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    from tefuda.web import hints

    monkeypatch.setattr(hints, "MOST_WORLDS", 40)


def test_a_deal_and_its_moves_are_a_position_that_its_link_holds(serving, tmp_path):
    served = serving("koikoi")
    table = Table(served.house.games["koikoi"], None, 0, 77)
    moves = table.legal[:1]
    found = ask(served, game="koikoi", deal=77, moves=moves).json()
    table.apply(moves[0])
    assert (found["seat"], found["turn"], found["moves"], found["link"]) == (table.to_move, 1, moves, True)
    assert sorted(move["action"] for move in found["scene"]["moves"]) == table.legal
    told = values(served, found["position"])
    assert told[-1]["worlds"] == 40
    assert sorted(each["action"] for each in told[-1]["values"]) == table.legal
    assert len(told[-1]["values"][0]["loss"]) == 3
    other = serving("koikoi", folder=tmp_path / "other")  # another house, which has never heard of it
    assert other.client.get(f"/api/positions/{found['position']}").json() == found
    assert values(other, found["position"])[-1]["values"] == told[-1]["values"]


def test_a_hand_is_changed_card_by_card(serving):
    served = serving("koikoi")
    found = ask(served, game="koikoi", deal=77).json()
    out, come = found["hand"][0]["id"], found["can"][0]["id"]
    changed = ask(served, position=found["position"], exchanges=[[out, come]]).json()
    hand = {card["id"] for card in found["hand"]}
    assert {card["id"] for card in changed["hand"]} == hand - {out} | {come}
    assert changed["position"] != found["position"]
    assert served.client.get(f"/api/positions/{changed['position']}").json() == changed
    assert come in {move["action"] for move in changed["scene"]["moves"]}
    refused = ask(served, position=found["position"], exchanges=[[come, out]])
    assert (refused.status_code, "sees where it is" in refused.json()["why"]["en"]) == (422, True)
    laid = ask(served, position=found["position"], exchanges=[[found["table"][0]["id"], come]]).json()
    assert laid["hand"] == found["hand"]
    assert come in {card["id"] for card in laid["table"]}


def test_positions_of_records_and_reviews(serving, monkeypatch):
    from tefuda.web import reviewer

    monkeypatch.setattr(reviewer, "WORLDS", 2)
    served = serving("koikoi", "mahjong")
    text = (KEPT / "koikoi-finished.json").read_text(encoding="utf-8")
    actions = [action for _, action, _ in json.loads(text)["actions"]]
    found = ask(served, record=text, turn=4).json()
    assert (found["link"], found["moves"], found["preset"]) == (True, actions[:4], "nintendo")
    review = served.client.post("/api/reviews", json={"record": text}).json()["review"]
    assert ask(served, review=review, turn=4).json() == found
    assert ask(served, record=text).json()["turn"] == len(actions) - 1
    assert ask(served, record=text, turn=len(actions)).status_code == 404
    kept = ask(served, record=composed(), turn=1).json()
    assert (kept["link"], kept["moves"], kept["turn"], kept["game"]) == (False, None, 1, "mahjong")
    assert served.client.get(f"/api/positions/{kept['position']}").json() == kept


def test_another_adviser_and_nonsense(serving):
    served = serving("leduc")
    found = ask(served, game="leduc", deal=3).json()
    wanted = json.dumps({"type": "hint", "adviser": "random"})
    told = values(served, found["position"], '{"type": "hint", "on": false}', "nonsense", wanted)
    assert told[-1]["adviser"] == "random"
    assert "refused" in [message["type"] for message in told]


def test_what_is_refused(serving):
    served = serving("leduc")
    for body, status in (
        ({}, 422),
        ({"game": "leduc", "review": "x"}, 422),
        ({"game": "chess"}, 404),
        ({"game": "leduc", "preset": "none"}, 422),
        ({"game": "leduc", "moves": [99]}, 422),
        ({"game": "leduc", "moves": [1, 1, 1, 1, 1, 1, 1, 1]}, 422),
        ({"game": "leduc", "exchanges": [[1]]}, 422),
        ({"game": "leduc", "exchanges": [[500, 501]]}, 422),
        ({"position": "hnonsense"}, 404),
        ({"position": "k" + "0" * 32}, 404),
        ({"review": "nothing"}, 404),
        ({"table": "A" * 22, "key": "B" * 22}, 404),
    ):
        answer = ask(served, **body)
        assert answer.status_code == status, (body, answer.text)
        assert set(answer.json()["why"]) == {"ja", "en"}
    assert served.client.get("/api/positions/hnonsense").status_code == 404
    assert values(served, "hnonsense")[-1]["type"] == "gone"


def test_a_link_is_taken_apart_with_care():
    found = Shared("koikoi", "paper", [], 3, 77, [1, 2, 3], [[4, 5]])
    assert shared_by(name_of(found)) == found
    assert shared_by(name_of(found)[:-3]) is None
    import base64
    import zlib

    for content in (b"[]", b"{}", b"[1,2,3,4,5,6,7]", b"[" * 10**6, b'["koikoi","paper",[],-1,0,[],[]]', b"0" * 10**7):
        assert shared_by("h" + base64.urlsafe_b64encode(zlib.compress(content)).decode().rstrip("=")) is None


def test_bad_messages_about_a_position_are_refused(serving, caplog):
    served = serving("leduc")
    number = ask(served, game="leduc", deal=3).json()["position"]
    bad = ["", "x", "[]", "1", '{"type": 1}', '{"on": "x"}', '{"adviser": "own.py:X"}', '{"more": 1}', "[" * 5000]
    with served.client.websocket_connect(f"ws://{HOST}/ws/positions/{number}", headers=ORIGIN) as socket:
        for content in bad:
            socket.send_text(content)
        socket.send_bytes(b"\0")
        refused = 0
        while refused < len(bad) + 1:
            message = json.loads(socket.receive_text())
            assert message["type"] in ("hint", "refused")
            refused += message["type"] == "refused"
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []
