"""Reviews for a page: asked for, listened to, looked at, kept; records of other programs; what is refused."""

import asyncio
import json
import time
from pathlib import Path

import pytest

from tefuda.games import find
from tefuda.games.mahjong.records import mjai
from tefuda.table.review import Review
from tefuda.web import reviewer, sources
from tefuda.web.house import House
from tefuda.web.security import Door, Limits
from tefuda.web.store import Store
from tests.games.mahjong.recorded import composed, played
from tests.web.conftest import HOST, ORIGIN, Page, Served

KEPT = Path(__file__).parents[1] / "files" / "kept" / "games"
LEDUC = {"game": "leduc", "seats": ["person", "honest"]}


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(reviewer, "WORLDS", 8)


def finished_table(served, game="leduc", seats=("person", "honest"), **more):
    """A table whose game was played to its end."""
    opened = served.open(game, list(seats), deal=5, **more)
    with served.sit(opened) as socket:
        page = Page(socket, opened["key"])
        page.next()
        while not page.all[-1].get("over"):
            page.move(page.scene["moves"][0]["action"])
            page.until("turns")
    return opened


def listen(served, number):
    return served.client.websocket_connect(f"ws://{HOST}/ws/reviews/{number}", headers=ORIGIN)


def whole(served, number):
    """A review to its end, and all that was told on the way."""
    told = []
    with listen(served, number) as socket:
        while True:
            told.append(json.loads(socket.receive_text()))
            if told[-1].get("state") in ("done", "failed"):
                return told


def ask(served, **body):
    return served.client.post("/api/reviews", json=body)


def test_a_game_just_played_is_reviewed(serving):
    served = serving()
    opened = finished_table(served)
    answer = ask(served, table=opened["table"], key=opened["key"], seat=0)
    assert answer.status_code == 200, answer.text
    number = answer.json()["review"]
    told = whole(served, number)
    assert told[0]["type"] == told[-1]["type"] == "review"
    last = told[-1]
    assert last["state"] == "done"
    assert last["decisions"]
    assert last["skill"][0] + last["luck"][0] == pytest.approx(last["result"])
    assert last["players"][0] == {"ja": "あなた", "en": "you"}
    assert all(len(each["loss"]) == len(each["value"]) == 3 for each in last["decisions"])
    known = served.client.get(f"/api/reviews/{number}").json()
    assert known == {key: value for key, value in last.items() if key != "type"}
    again = ask(served, table=opened["table"], key=opened["key"])  # the same review, of the key's seat
    assert again.json()["review"] == number


def test_the_table_at_a_decision_is_what_the_seat_saw(serving):
    served = serving()
    opened = finished_table(served)
    number = ask(served, table=opened["table"], key=opened["key"]).json()["review"]
    review = whole(served, number)[-1]
    for decision in review["decisions"]:
        scene = served.client.get(f"/api/reviews/{number}/scenes/{decision['turn']}").json()
        assert scene["action"] == decision["action"]
        assert scene["scene"]["reader"] == 0
        assert scene["scene"]["turn"] == decision["turn"]
        assert {each["action"] for each in scene["values"]} == {each["action"] for each in scene["scene"]["moves"]}
        hands = [zone for zone in scene["scene"]["zones"] if zone["key"] == "hand" and zone["seat"] == 1]
        assert all("cards" not in zone for zone in hands)
    end = served.client.get(f"/api/reviews/{number}/scenes/{review['steps']}").json()
    assert end["scene"]["over"] is True
    assert served.client.get(f"/api/reviews/{number}/scenes/{review['steps'] + 1}").status_code == 404


def test_a_record_is_reviewed_and_its_seats_are_asked_for(serving):
    served = serving("koikoi")
    text = (KEPT / "koikoi-finished.json").read_text(encoding="utf-8")
    found = ask(served, record=text, name="../../etc/game.json").json()
    assert whole(served, found["review"])[-1]["seat"] == 1  # the person's
    assert served.house.store.kept("record", sources.Source(**served.house.store.kept(
        "review", found["review"])["source"]).record)["name"] == "etcgame.json"  # fmt: skip
    programs = json.loads(text) | {"players": ["random", "quick"]}
    asked = ask(served, record=json.dumps(programs)).json()
    assert asked["review"] is None
    assert [each["en"] for each in asked["seats"]] == ["random", "quick"]
    assert ask(served, record=json.dumps(programs), seat=1).json()["review"]


@pytest.mark.slow
def test_records_of_other_programs_are_reviewed(serving):
    served = serving("mahjong")
    asked = ask(served, record=composed(), name="one.mjlog").json()
    assert (asked["review"], len(asked["seats"])) == (None, 4)
    review = whole(served, ask(served, record=composed(), seat=1).json()["review"])[-1]
    assert review["result"] == 2.0
    scene = served.client.get(f"/api/reviews/{review['review']}/scenes/{review['decisions'][0]['turn']}").json()
    assert scene["why"]
    assert ask(served, record=mjai.write(played(1)), seat=0).status_code == 200


def test_a_review_goes_on_after_the_server_was_killed(serving, tmp_path, monkeypatch):
    monkeypatch.setattr(reviewer, "KEEP_EVERY", 0.0)
    first = serving("koikoi", folder=tmp_path / "a")
    text = (KEPT / "koikoi-finished.json").read_text(encoding="utf-8")
    expected = whole(first, ask(first, record=text).json()["review"])[-1]

    slow = Review._look
    monkeypatch.setattr(Review, "_look", lambda *all_: (time.sleep(0.05), slow(*all_))[1])
    second = serving("koikoi", folder=tmp_path / "b")
    number = ask(second, record=text).json()["review"]
    assert number == expected["review"]
    with listen(second, number) as socket:
        while json.loads(socket.receive_text())["type"] != "decision":
            pass
    second.client.__exit__(None, None, None)  # it ends in the middle
    monkeypatch.setattr(Review, "_look", slow)
    third = serving("koikoi", folder=tmp_path / "b")
    assert whole(third, number)[-1] == expected


def test_what_is_refused(serving, monkeypatch):
    served = serving("leduc", "koikoi")
    opened = served.open(deal=5)
    over = finished_table(served)
    other = served.open(deal=6)
    text = (KEPT / "koikoi-finished.json").read_text(encoding="utf-8")
    own = json.loads(text) | {"game": "path/to/my_game"}
    wrong = json.loads(text)
    wrong["actions"][3][1] = 47
    for body, status, words in (
        ({"table": opened["table"], "key": opened["key"]}, 409, "once the game is over"),
        ({"table": over["table"], "key": other["key"]}, 404, "key does not fit"),
        ({"table": over["table"]}, 422, "either a table"),
        ({"table": over["table"], "key": over["key"], "record": "x"}, 422, "either a table"),
        ({"table": over["table"], "key": over["key"], "seat": 3}, 404, "no such seat"),
        ({"table": over["table"], "key": over["key"], "judge": "own.py:First"}, 404, "no player of this name"),
        ({"record": "nonsense"}, 422, "not a record"),
        ({"record": json.dumps(own)}, 404, "no such game"),
        ({"record": json.dumps(wrong)}, 422, "move 4"),
        ({"record": composed()}, 404, "no such game"),  # mahjong is not offered here
        ({"record": text, "seat": "1"}, 422, "as it should be"),
        ({"record": text, "path": "x"}, 422, "as it should be"),
        ({}, 422, "either a table"),
    ):
        answer = ask(served, **body)
        assert (answer.status_code, words in answer.json()["why"]["en"]) == (status, True), (body, answer.text)
    assert served.house.store.count("record") == served.house.store.count("review") == 0
    assert served.client.get("/api/reviews/nothing").status_code == 404
    with listen(served, "nothing") as socket:
        assert json.loads(socket.receive_text())["type"] == "gone"
    monkeypatch.setattr(sources, "MOST_KEPT", 0)
    assert ask(served, record=text).status_code == 503
    monkeypatch.setattr(reviewer, "MOST_WAITING", 0)
    assert ask(served, table=over["table"], key=over["key"]).status_code == 429


def test_a_page_that_does_not_read_is_told_all_anew(serving):
    served = serving()
    opened = finished_table(served)
    number = ask(served, table=opened["table"], key=opened["key"]).json()["review"]
    whole(served, number)
    job = served.client.app.state.reviewer.jobs[number]

    listener = asyncio.Queue(2)
    job.listeners.add(listener)
    for turn in range(5):
        job.say({"type": "decision", "turn": turn})
    assert "review" in [listener.get_nowait()["type"] for _ in range(listener.qsize())]


@pytest.mark.slow
def test_a_game_of_one_s_own_is_reviewed_and_asked_about(here, tmp_path):
    """A new game folder has all of it without a line of its own."""
    assert here("new", "game", "my_game").returncode == 0
    game = find("my_game")
    store = Store(tmp_path / "data")
    served = Served(House([game], store, Limits(), {game.name: "my_game"}), Door())
    with served.client:
        usual = game.players.default_opponent
        opened = finished_table(served, game.name, ["person", *[usual] * (game.seats - 1)])
        number = ask(served, table=opened["table"], key=opened["key"]).json()["review"]
        review = whole(served, number)[-1]
        assert (review["state"], review["game"]) == ("done", game.name)
        header = {"Authorization": f"Bearer {opened['key']}"}
        record = served.client.get(f"/api/tables/{opened['table']}/record", headers=header).json()
        assert record["game"] == "my_game"
        assert ask(served, record=json.dumps(record)).json()["review"]
        position = served.client.post("/api/positions", json={"review": number, "turn": 0}).json()
        assert position["hand"]
        assert served.client.get(f"/api/exports/reviews/{number}").status_code == 200
        (here.folder / "game.json").write_text(json.dumps(record), encoding="utf-8")
    done = here("review", "game.json", "--game", "my_game", "--worlds", 4, "--json")
    assert done.returncode == 0, done.stderr
    assert "my_game" in here("review", "game.json").stderr


def test_few_records_are_read_at_once(serving, monkeypatch):
    served = serving("koikoi")
    text = (KEPT / "koikoi-finished.json").read_text(encoding="utf-8")
    monkeypatch.setattr(sources, "MOST_READING", 0)
    assert ask(served, record=text).status_code == 429
    monkeypatch.setattr(sources, "MOST_READING", 1)
    assert ask(served, record=text).status_code == 200
    monkeypatch.setattr(sources, "MOST_READING", 0)
    assert ask(served, record=text).status_code == 200  # it is at hand


def test_who_has_a_key_reviews_the_own_game_without_the_token(serving):
    served = serving("koikoi", "leduc", door=Door(token="open sesame"))
    served.client.headers["Authorization"] = "Bearer open sesame"
    opened = served.open()
    text = (KEPT / "koikoi-finished.json").read_text(encoding="utf-8")
    assert ask(served, record=text).status_code == 200
    del served.client.headers["Authorization"]
    with served.sit(opened) as socket:
        page = Page(socket, opened["key"])
        page.next()
        while not page.all[-1].get("over"):
            page.move(page.scene["moves"][0]["action"])
            page.until("turns")
    assert ask(served, record=text).status_code == 401
    number = ask(served, table=opened["table"], key=opened["key"]).json()["review"]
    assert whole(served, number)[-1]["state"] == "done"
    assert served.client.get(f"/api/exports/reviews/{number}").status_code == 200
    assert served.client.post("/api/positions", json={"game": "leduc"}).status_code == 401
