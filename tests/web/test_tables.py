"""Tables over the WebSocket: moves, repeated moves, reconnecting, taking back, the same deal again, watching."""

import json

import pytest
from starlette.websockets import WebSocketDisconnect

from tests.web.conftest import ORIGIN, Page, finish


def actions(served, opened):
    """What is kept of a table."""
    return served.house.store.moves(opened["table"])


def test_a_game_is_played_to_its_result(serving):
    served = serving()
    opened = served.open(deal=5)
    with served.sit(opened) as socket:
        page = Page(socket, opened["key"])
        first = page.next()
        assert first["from"] is None
        assert first["deal"] == 5
        assert (first["game"], first["preset"]) == ("leduc", "standard")
        result = finish(page)
    assert sum(result["scores"]) == 0
    assert sorted(result["places"]) in ([1, 2], [1, 1])
    assert served.house.store.table(opened["table"]).result == {
        "scores": result["scores"], "places": result["places"],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("game", "seats", "preset"),
    [
        ("koikoi", ["person", "rule-based"], "paper"),
        ("tricks", ["rule-based", "rule-based", "person", "rule-based"], "hearts"),
        ("saichugen", ["person", "random", "random"], "stake"),
        ("mahjong", ["rule-based", "person", "rule-based", "rule-based"], "hand"),
        ("kuhn", ["random", "person"], "standard"),
    ],
)
@pytest.mark.slow
def test_every_game_tells_each_decision_once(serving, game, seats, preset):
    served = serving(game)
    opened = served.open(game, seats, preset=preset, deal=2)
    with served.sit(opened) as socket:
        page = Page(socket, opened["key"])
        page.until("turns")
        finish(page)
        told = [entry["turn"] for message in page.all if message["type"] == "turns" for entry in message["turns"]]
        assert told == sorted(told)
        assert told[-1] == page.turn
        assert set(range(1, page.turn + 1)) <= set(told) | {0}
    record = served.client.get(
        f"/api/tables/{opened['table']}/record", headers={"Authorization": f"Bearer {opened['key']}"}
    ).json()
    assert [tuple(move[:2]) for move in record["actions"]] == actions(served, opened)
    assert record["scores"] is not None


def test_a_move_that_comes_twice_or_late_changes_nothing(serving):
    served = serving("koikoi")
    opened = served.open("koikoi", ["person", "rule-based"], deal=1)
    with served.sit(opened) as socket:
        page = Page(socket, opened["key"])
        page.until("turns")
        action = page.scene["moves"][0]["action"]
        turn = page.turn
        page.move(action)
        page.until("turns")
        kept = actions(served, opened)
        for late in (turn, turn + 1000):
            page.say(type="move", turn=late, action=action)
            answer = page.until("turns", "refused")
            assert answer["type"] == "turns"
            assert answer["turns"] == []
        assert actions(served, opened) == kept


def test_a_move_that_is_not_legal_says_why(serving):
    served = serving("tricks")
    opened = served.open("tricks", ["person", *["rule-based"] * 3], preset="hearts", deal=3)
    with served.sit(opened) as socket:
        page = Page(socket, opened["key"])
        page.until("turns")
        legal = [move["action"] for move in page.scene["moves"]]
        page.move(next(action for action in range(52) if action not in legal))
        refused = page.until("refused", "turns")
        assert refused["type"] == "refused"
        assert refused["why"]["en"] == "♣2 leads the first trick"
        page.move(999)
        assert page.until("refused")["why"]["en"] == "this is not a legal move now"
    assert all(seat != 0 for seat, _ in actions(served, opened))


def test_a_page_that_comes_back_is_told_what_followed(serving):
    served = serving("koikoi")
    opened = served.open("koikoi", ["person", "rule-based"], deal=1)
    with served.sit(opened) as socket:
        page = Page(socket, opened["key"])
        page.until("turns")
        seen = page.turn
        for _ in range(2):
            page.move(page.scene["moves"][0]["action"])
            page.until("turns")
        scene = page.scene
    assert opened["table"] not in served.house.live  # nobody is there
    with served.sit(opened) as socket:
        page = Page(socket, opened["key"], seen=seen)
        message = page.until("turns")
        assert message["from"] == seen
        assert [entry["turn"] for entry in message["turns"]] == list(range(seen + 1, page.turn + 1))
        assert page.scene == scene
    with served.sit(opened) as socket:
        page = Page(socket, opened["key"], seen=900)  # of another table, or taken back
        message = page.until("turns")
        assert message["from"] is None
        assert [line["turn"] for line in message["log"]] == list(range(1, page.turn + 1))
        assert page.scene["moves"] == scene["moves"]


def test_two_pages_of_one_seat_see_the_same(serving):
    served = serving()
    opened = served.open(deal=1)
    with served.sit(opened) as one, served.sit(opened) as other:
        first, second = Page(one, opened["key"]), Page(other, opened["key"])
        first.until("turns"), second.until("turns")
        first.move(first.scene["moves"][0]["action"])
        first.until("turns")
        while second.turn < first.turn:
            second.until("turns")
        assert second.scene == first.scene


def test_taking_back_in_practice_alone(serving):
    served = serving("koikoi")
    opened = served.open("koikoi", ["person", "rule-based"], deal=1, practice=True)
    with served.sit(opened) as socket:
        page = Page(socket, opened["key"])
        page.until("turns")
        page.say(type="back", turn=page.turn)
        assert page.until("refused")["why"]["en"] == "there is nothing to take back"
        before = page.scene
        first = page.scene["moves"][0]["action"]
        page.move(first)
        page.until("turns")
        after = page.scene
        page.say(type="back", turn=page.turn)
        assert page.until("turns")["from"] is None
        assert page.scene["moves"] == before["moves"]
        assert [seat for seat, _ in actions(served, opened)] == [1] * page.turn
        page.move(first)
        page.until("turns")
        assert {**page.scene, "said": after["said"]} == after  # programs decide as before
    opened = served.open("koikoi", ["person", "rule-based"], deal=1)
    with served.sit(opened) as socket:
        page = Page(socket, opened["key"])
        page.until("turns")
        page.move(first)
        page.until("turns")
        kept = actions(served, opened)
        page.say(type="back", turn=page.turn)
        assert "practice" in page.until("refused")["why"]["en"]
        assert actions(served, opened) == kept


def test_the_same_deal_again_as_another_seat(serving):
    served = serving("tricks")
    opened = served.open("tricks", ["person", "random", "rule-based", "rule-based"], preset="plain", deal=9)
    with served.sit(opened) as socket:
        page = Page(socket, opened["key"])
        page.until("turns")
        page.say(type="again", seat=2)
        moved = page.until("moved")
        page.say(type="again", seat=7)
        assert page.until("refused")["why"]["en"] == "there is no such seat"
    there = served.house.store.table(moved["table"])
    assert there.players == ["rule-based", "random", "person", "rule-based"]
    assert (there.seed, there.deal) == (0, 9)
    with served.sit(moved) as socket:
        page = Page(socket, moved["key"])
        assert page.until("turns")["deal"] == 9
        assert page.scene["reader"] == 2


def test_watching_step_by_step_and_running(serving):
    served = serving("koikoi")
    opened = served.open("koikoi", ["rule-based", "random"], deal=4)
    assert opened["seat"] is None
    with served.sit(opened) as socket:
        page = Page(socket, opened["key"])
        page.until("turns")
        assert page.scene["reader"] is None
        assert all("backs" not in zone for zone in page.scene["zones"] if zone["key"] == "hand")
        for turn in (1, 2):
            page.say(type="step")
            page.until("turns")
            assert page.turn == turn
        page.say(type="look", seat=1)
        page.until("turns")
        assert page.scene["reader"] == 1
        assert [zone["backs"] for zone in page.scene["zones"] if zone["key"] == "hand" and zone["seat"] == 0] == [7]
        page.say(type="play", pace=0.05)
        while page.turn < 6:
            page.until("turns")
        page.say(type="pause")
        page.say(type="move", turn=page.turn, action=0)
        assert "watching" in page.until("refused")["why"]["en"]


def test_hands_are_shown_to_a_person_only_when_the_game_is_over(serving):
    served = serving("koikoi")
    opened = served.open("koikoi", ["person", "rule-based"], preset="paper", deal=1)
    with served.sit(opened) as socket:
        page = Page(socket, opened["key"])
        page.until("turns")
        for seat in (None, 1):
            page.say(type="look", seat=seat)
            assert "secret" in page.until("refused")["why"]["en"]
        page.say(type="step")
        assert page.until("refused")
        finish(page)
        page.say(type="look", seat=None)
        page.until("turns")
        assert page.scene["reader"] is None


@pytest.mark.slow
def test_a_hint_streams_values_and_a_move_ends_it(serving):
    served = serving("koikoi")
    opened = served.open("koikoi", ["person", "rule-based"], deal=1)
    with served.sit(opened) as socket:
        page = Page(socket, opened["key"])
        page.until("turns")
        legal = {move["action"] for move in page.scene["moves"]}
        page.say(type="hint", turn=page.turn, adviser="rule-based")
        first = page.until("hint")
        assert first["adviser"] == "rule-based"
        assert {value["action"] for value in first["values"]} == legal
        assert first["values"][0]["loss"] == [0.0, 0.0, 0.0]
        assert all(low <= mean <= high for mean, low, high in (value["loss"] for value in first["values"]))
        assert page.until("hint")["worlds"] > first["worlds"]
        page.say(type="hint", turn=page.turn)
        advice = page.until("hint")["advice"][0]
        assert (advice["en"][:21], advice["ja"][:12]) == ("champion would play: ", "champion なら：")
        page.move(min(legal))
        page.until("turns")
        page.say(type="hint", turn=page.turn, adviser="champion+search")
        while not page.until("hint")["done"]:
            pass
        assert page.all[-1]["advice"][0]["en"].startswith("champion+search would play: ")
        page.say(type="hint", turn=page.turn, adviser="champion+search/worlds=900000")
        assert page.until("refused")["why"]["en"].startswith("there is no player of this name")
        page.say(type="hint", turn=page.turn + 1)
        assert page.until("refused")["why"]["en"] == "it is not your turn"


def test_a_card_that_cannot_be_played_says_why(serving):
    served = serving("tricks")
    opened = served.open("tricks", ["person", *["rule-based"] * 3], preset="hearts", deal=3)
    with served.sit(opened) as socket:
        page = Page(socket, opened["key"])
        page.until("turns")
        page.move(page.scene["moves"][0]["action"])
        while True:
            page.until("turns")
            playable = {card for move in page.scene["moves"] for card in move["cards"]}
            hand = [zone for zone in page.scene["zones"] if zone["key"] == "hand" and zone["seat"] == 0]
            held = [card["id"] for zone in hand for card in zone.get("cards", [])]
            if set(held) - playable:
                break
            page.move(page.scene["moves"][0]["action"])
        page.say(type="why", turn=page.turn, card=min(set(held) - playable))
        why = page.until("why")["why"]
        assert "led" in why["en"] or "broken" in why["en"] or "trick" in why["en"] or "chosen" in why["en"]
        page.say(type="unseen", turn=page.turn)
        assert page.until("unseen")["groups"]


def test_who_has_no_key_is_told_nothing(serving):
    served = serving()
    opened, other = served.open(), served.open()
    for key in (other["key"], "A" * 22):
        with served.sit(opened) as socket:
            Page(socket, key)
            assert json.loads(socket.receive_text())["type"] == "gone"
            with pytest.raises(WebSocketDisconnect):
                socket.receive_text()
    with served.sit(opened) as socket:
        socket.send_text(json.dumps({"type": "move", "turn": 0, "action": 0}))
        assert "hello" in json.loads(socket.receive_text())["why"]["en"]
    assert actions(served, opened) == []


def test_the_games_of_a_browser(serving):
    served = serving("koikoi", "leduc")
    left, ended = served.open("koikoi", ["person", "rule-based"], deal=3), served.open(deal=8)
    with served.sit(ended) as socket:
        page = Page(socket, ended["key"])
        page.until("turns")
        result = finish(page)
    rows = served.client.post("/api/mine", json={"keys": [left["key"], ended["key"], "B" * 22]}).json()
    assert [(row["table"], row["over"]) for row in rows] == [(ended["table"], True), (left["table"], False)]
    assert rows[0]["result"]["scores"] == result["scores"]
    assert rows[1]["key"] == left["key"]


def test_a_record_is_read_by_the_other_commands(serving, tmp_path):
    from tefuda.table.record import load, play_again

    served = serving()
    opened = served.open(deal=8)
    address = f"/api/tables/{opened['table']}/record"
    with served.sit(opened) as socket:
        page = Page(socket, opened["key"])
        page.until("turns")
        finish(page)
    assert served.client.get(address, headers=ORIGIN).status_code == 401
    assert served.client.get(address, headers={"Authorization": f"Bearer {'C' * 22}"}).status_code == 404
    record = served.client.get(address, headers={"Authorization": f"Bearer {opened['key']}"})
    path = tmp_path / "record.json"
    path.write_text(record.text, encoding="utf-8")
    table, _ = play_again(load(path), path)
    assert table.over
