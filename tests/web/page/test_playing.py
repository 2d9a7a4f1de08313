"""Each game from the lobby to its result, by mouse and by keyboard; nothing hidden ever reaches the page."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tefuda.contract import Reader
from tefuda.games import find
from tefuda.table.scene import scene_of
from tefuda.table.table import Table

pytestmark = pytest.mark.full
SHORT = {"koikoi": "paper", "tricks": "hearts", "saichugen": "paper", "mahjong": "hand", "kuhn": None, "leduc": None}


@pytest.mark.parametrize("game", SHORT)
def test_a_game_from_the_lobby_to_its_result_by_mouse(visit, server, game):
    visitor = visit()
    visitor.sit(game, SHORT[game])
    visitor.play("mouse")
    end = visitor.page.inner_text(".end")
    assert "you" in end
    assert "Review" in end
    shown = visitor.page.query_selector_all(".end__seats li")
    assert len(shown) == find(game).seats
    result = next(message for message in visitor.received if message["type"] == "result")
    assert len(result["scores"]) == find(game).seats
    assert_nothing_hidden_was_told(visitor, server)


@pytest.mark.parametrize("game", SHORT)
def test_a_game_by_keyboard_alone(visit, game):
    visitor = visit()
    page = visitor.lobby().page
    page.evaluate("document.activeElement.blur()")
    for _ in range(60):  # Tab through the lobby to the game
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == f"game-{game}":
            break
    page.keyboard.press("Enter")
    page.wait_for_selector("#sit-down")
    if SHORT[game]:
        page.focus(f"#preset-{SHORT[game]}")
        page.keyboard.press("Space")
        page.focus("#sit-down")
    page.keyboard.press("Enter")
    page.wait_for_selector(".table")
    visitor.play("keyboard")
    assert page.query_selector(".end")


def test_nobody_else_is_asked_for_anything(visit, server):
    visitor = visit()
    visitor.sit("koikoi")
    visitor.play("mouse", most=2)
    assert visitor.asked
    assert [url for url in visitor.asked if not url.startswith(server.url)] == []


def assert_nothing_hidden_was_told(visitor: Any, server: Any) -> None:
    """Every card in what the page received lay open to its seat at that moment, by the record played again."""
    table, key = visitor.key
    answer = httpx.get(f"{server.url}api/tables/{table}/record", headers={"Authorization": f"Bearer {key}"})
    record = answer.json()
    game = find(record["game"])
    options = [f"{name}={value}" for name, value in record["rules"].items() if name != "preset"]
    truth = Table(game, game.rulebook.make(record["rules"]["preset"], options), record["seed"], record["deal"])
    seat = record["players"].index("person")
    open_at = {0: open_cards(truth, seat)}
    turn = 0
    for who, action, *_ in record["actions"]:
        heard = who == seat or not (game.spaces.unheard and game.spaces.secret(truth.states, who, action))
        truth.apply(action)
        turn += heard
        open_at[turn] = open_at.get(turn, set()) | open_cards(truth, seat)
    scenes = visitor.scenes()
    assert len(scenes) > 1
    noted, moved = 0, 0
    for scene in scenes:
        told, now = set(cards_in(scene["zones"])), open_at[scene["turn"]]
        assert told <= now, (scene["turn"], told - now)
        since = now | open_at.get(scene["turn"] - 1, set())  # a card that was played away was open just before
        for card in cards_of_notes(scene):
            noted += 1
            assert card in {number for _, number in since}, (scene["turn"], card)
        for each in (each for said in scene.get("said", []) for each in said.get("moved", [])):
            moved += each["card"] is not None
            assert each["card"] is None or {(where(each[end]), each["card"]) for end in ("from", "to")} & since, each
    assert noted or game.name != "tricks"
    assert moved or game.name in ("kuhn", "leduc")  # there cards stay where they were dealt


def where(place: str) -> str:
    """A place as `ids` has it, without the part of the zone."""
    key, *rest = place.split(":")
    return str((key, int(rest[0]) if rest and key != "field" else None))  # the field's parts are months


def cards_of_notes(part: Any) -> Iterator[int]:
    """The cards that notes show, wherever they stand. A dora is no card of the table but the kind after one, and a sign
    of a suit is none either."""
    if isinstance(part, list):
        for each in part:
            yield from cards_of_notes(each)
    elif isinstance(part, dict):
        for key, value in part.items():
            if key in ("notes", "title", "status") and isinstance(value, list):  # a zone's title is a name
                notes = [note for note in value if note.get("key") != "dora"]
                yield from (card["id"] for note in notes for card in note.get("cards", []) if card["id"] >= 0)
            if key in ("seats", "zones", "moves"):
                yield from cards_of_notes(value)


def open_cards(truth: Table, seat: int) -> set[tuple[str, int]]:
    """What lies open to a seat: all of its own, and of the whole table what is in no other hand and no stack."""
    closed = ("hand", "drawn", "wall", "dead-wall", "deck", "rest")
    zones = scene_of(truth.game, truth.states, Reader(None)).data()["zones"]
    seen = scene_of(truth.game, truth.states, Reader(seat)).data()["zones"]
    there = {card for zone in zones if zone["key"] not in closed or zone.get("seat") == seat for card in ids(zone)}
    known = {card for zone in seen if zone["key"] in ("hand", "dead-wall", "rest") for card in ids(zone)}
    return there | known


def ids(zone: dict[str, Any]) -> Iterator[tuple[str, int]]:
    """The cards of a zone: what they are in a place, so that another's card of the same face is not taken for it."""
    place = (zone["key"], zone.get("seat"))
    return ((str(place), card["id"]) for card in zone.get("cards", []))


def cards_in(zones: list[dict[str, Any]]) -> Iterator[tuple[str, int]]:
    for zone in zones:
        yield from ids(zone)
