"""Several people at one table: invitations, secret deals, who has left, and that nobody sees another's cards."""

import contextlib

import pytest

from tefuda.web import tables
from tests.web.conftest import Page, finish


@contextlib.contextmanager
def people(served, opened):
    """All people of a table, connected, by seat."""
    keys = {opened["seat"]: opened["key"]} | {each["seat"]: each["key"] for each in opened["invitations"]}
    with contextlib.ExitStack() as stack:
        found = {seat: Page(stack.enter_context(served.sit(opened)), key) for seat, key in keys.items()}
        for page in found.values():
            page.until("turns")
        yield found


def play_on(found, decisions=1000):
    """Everybody takes the first legal move when asked, until it is over or so many were taken."""
    for _ in range(decisions):
        asked = next((page for page in found.values() if page.scene.get("moves")), None)
        if asked is None or asked.scene.get("over"):
            return
        asked.move(asked.scene["moves"][0]["action"])
        settle(found)


def settle(found):
    """Read all that is told by now: a question is answered after it. What one page has asked is done before that."""
    for _ in range(2):
        for page in found.values():
            page.say(type="unseen", turn=0)
            page.until("unseen")


def test_a_secret_deal_is_told_when_it_ends(serving):
    served = serving()
    opened = served.open(seats=["person", "person"])
    assert opened["deal"] is None
    assert [each["seat"] for each in opened["invitations"]] == [1]
    kept = served.house.store.table(opened["table"])
    assert kept.seed > 2**32
    address, headers = f"/api/tables/{opened['table']}/record", {"Authorization": f"Bearer {opened['key']}"}
    assert served.client.get(address, headers=headers).status_code == 403
    with people(served, opened) as found:
        assert all("deal" not in message for page in found.values() for message in page.all)
        play_on(found)
        for page in found.values():
            result = page.last("result")
            assert (result["deal"], result["seed"]) == (kept.deal, str(kept.seed))
            assert str(kept.seed) not in str([message for message in page.all if message["type"] != "result"])
    assert served.client.get(address, headers=headers).json()["seed"] == kept.seed
    rows = served.client.post("/api/mine", json={"keys": [opened["key"]]}).json()
    assert rows[0]["deal"] == kept.deal
    again = served.open(deal=kept.deal, seed=str(kept.seed))
    assert served.house.store.table(again["table"]).seed == kept.seed


def test_several_people_choose_no_deal_and_take_nothing_back(serving):
    served = serving()
    for more in ({"deal": 3}, {"seed": "4"}, {"practice": True}):
        answer = served.client.post("/api/tables", json={"game": "leduc", "seats": ["person", "person"], **more})
        assert answer.status_code == 422
        assert "secret" in answer.json()["why"]["en"]
    opened = served.open(seats=["person", "person"])
    with people(served, opened) as found:
        asked = next(page for page in found.values() if page.scene["moves"])
        for message in ({"type": "back", "turn": 0}, {"type": "hint", "turn": 0}):
            asked.say(**message)
            assert asked.until("refused")


def test_nobody_moves_for_another(serving):
    served = serving()
    opened = served.open(seats=["person", "person"])
    with people(served, opened) as found:
        asked = next(page for page in found.values() if page.scene.get("moves"))
        other = next(page for page in found.values() if page is not asked)
        assert not other.scene.get("moves")
        other.move(asked.scene["moves"][0]["action"])
        assert other.until("refused")["why"]["en"] == "it is not your turn"
    assert served.house.store.moves(opened["table"]) == []


@pytest.mark.slow
@pytest.mark.parametrize(("game", "preset", "seats"), [("tricks", "hearts", 4), ("mahjong", "hand", 4)])
def test_no_message_shows_a_card_that_its_seat_may_not_see(serving, game, preset, seats):
    """The layout, which the checks of the contract are written on, says which cards are hidden; it knows no scene."""
    served = serving(game, messages=(1e9, 1e9))  # these pages ask faster than people do
    opened = served.open(game, ["person"] * seats, preset=preset)
    with people(served, opened) as found:
        table = served.house.live[opened["table"]]
        layout = table.play.game.checks.layout
        shown = dict.fromkeys(found, 0)
        for _ in range(40):
            play_on(found, 1)
            for seat, page in found.items():
                for message in page.all:
                    for entry in message.get("turns", []):
                        shown[seat] += len(list(told_cards(entry["scene"])))
                states = table.play.steps[-1].after
                known = layout(states, seat)
                seen = sorted(card for card, hidden in zip(known.cards, known.hidden, strict=True) if not hidden)
                assert sorted(told_cards(page.scene)) == seen
                before = layout(table.play.steps[-1].before, seat)
                visible = set(seen) | {c for c, h in zip(before.cards, before.hidden, strict=True) if not h}
                for said in page.scene.get("said", []):
                    moved = {each["card"] for each in said.get("moved", []) if each["card"] is not None}
                    assert moved <= visible
                page.all.clear()
        assert all(many > 100 for many in shown.values())


def told_cards(scene):
    """The cards that lie in the zones of a scene."""
    for zone in scene["zones"]:
        yield from (card["id"] for card in zone.get("cards", []) if "gone" not in card.get("marks", []))


def test_a_program_plays_for_who_has_left_and_gives_the_seat_back(serving):
    served = serving("koikoi")
    opened = served.open("koikoi", ["person", "person"], preset="paper")
    with people(served, opened) as found:
        play_on(found, 2)
        leaver, stayer = found[1], found[0]
        leaver.say(type="leave")
        settle(found)
        for page in found.values():
            assert page.last("turns")["seats"][1] == {"seat": 1, "who": "program", "name": "person", "here": True}
        stayer.move(stayer.scene["moves"][0]["action"])
        settle(found)
        assert stayer.scene["moves"]  # the program has answered
        leaver.say(type="move", turn=leaver.turn, action=0)
        assert leaver.until("refused")["why"]["en"].startswith("a program plays for you")
        assert served.house.store.table(opened["table"]).left_by == [1]
        leaver.say(type="sit")
        while leaver.all[-1]["type"] != "turns" or leaver.all[-1]["seats"][1]["who"] != "person":
            leaver.next()
        assert served.house.store.table(opened["table"]).left_by == []


def test_a_program_plays_for_who_is_gone_for_too_long(serving, monkeypatch):
    monkeypatch.setattr(tables, "AWAY", 0.05)
    served = serving()
    opened = served.open(seats=["person", "person"])
    with served.sit(opened) as socket:
        page = Page(socket, opened["key"])
        page.until("turns")
        while not page.scene.get("over"):
            if page.scene.get("moves"):
                page.move(page.scene["moves"][0]["action"])
            page.until("turns")
        assert served.house.store.table(opened["table"]).left_by == [1]
    key = opened["invitations"][0]["key"]
    with served.sit(opened) as socket:
        page = Page(socket, key)
        page.until("turns")
        assert page.scene["over"]


def test_everybody_is_led_to_the_next_game(serving):
    served = serving()
    opened = served.open(seats=["person", "person"])
    with people(served, opened) as found:
        found[0].say(type="again")
        assert found[0].until("refused")["why"]["en"] == "this is possible once the game is over"
        play_on(found)
        found[1].say(type="again")
        settle(found)
        there = {seat: page.last("moved") for seat, page in found.items()}
        assert there[0]["table"] == there[1]["table"] != opened["table"]
        assert there[0]["key"] != there[1]["key"]
    with served.sit(there[0]) as socket:
        page = Page(socket, there[1]["key"])
        page.until("turns")
        assert page.scene["reader"] == 1


def test_a_person_alone_is_waited_for(serving):
    served = serving()
    opened = served.open(deal=1)
    with served.sit(opened) as socket:
        page = Page(socket, opened["key"])
        page.until("turns")
        page.say(type="leave")
        page.say(type="sit")
        finish(page)
    assert served.house.store.table(opened["table"]).left_by == []
