"""Scenes in the terminal: every game at every width and in every language, and zones of a key that nobody knows."""

import io
import random
import re

import pytest
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from tefuda import games
from tefuda.contract import Card, Mark, Name, Note, Reader, Scene, Seat, Zone, alike
from tefuda.table.scene import scene_of
from tefuda.table.table import Table
from tefuda.terminal.drawing import draw
from tefuda.terminal.pieces import flow, wrapped

LANGUAGES = ("ja", "en", "both")
JAPANESE = re.compile(r"[\u3000-\u30ff\u4e00-\u9fff\uff01-\uff60]")
CALLED = (Name("あなた", "you"), alike("rule-based 2"), alike("Bob"), alike("quick"))
HAND = Name("手札", "hand")


def printed(scene: Scene, reader: Reader) -> list[str]:
    console = Console(file=io.StringIO(), width=reader.width, highlight=False)
    console.print(draw(scene, reader), width=reader.width)
    return [line.rstrip() for line in console.file.getvalue().splitlines()]


def plain_card(number: int, *marks: str) -> Card:
    return Card(number, Name(f"札{number}", f"card {number}"), Name(f"札{number}", f"card {number}"), marks=marks)


@pytest.mark.parametrize("name", games.names())
def test_no_table_is_wider_than_the_screen_nor_cut(name):
    game, source = games.find(name), random.Random(2)
    for deal in range(6):
        table = Table(game, game.rulebook.make(list(game.rulebook.presets)[deal % len(game.rulebook.presets)]), 1, deal)
        for _ in range(source.randrange(60)):
            if not table.over:
                table.apply(source.choice(table.legal))
        for lang in LANGUAGES:
            for width in (60, 80, 120):
                seat = source.choice([None, *range(game.seats)])
                reader = Reader(seat, width=width, called=CALLED[: game.seats]).speaking(lang)
                lines = printed(scene_of(game, table.states, reader), reader)
                assert max(map(cell_len, lines)) <= width, "\n".join(lines)
                text = "\n".join(lines)
                assert not re.search(r"\S…", text), text
                if lang == "en":
                    assert not JAPANESE.search(text), text
                if lang == "ja":
                    assert not re.search(r"\b(hand|field|deck|round|points|dealer|seat|face down)\b", text), text
                assert all(reader.names[each] in text for each in range(game.seats))


def test_a_zone_of_a_key_that_nobody_knows_is_a_plain_row():
    cards = (plain_card(1), plain_card(2), plain_card(3))
    zones = (
        Zone("board", Name("場札", "board"), cards=cards, backs=2),
        Zone("bag", Name("袋", "bag"), 1, cards=()),
        Zone("hand", HAND, 0, cards=(plain_card(7),)),
    )
    seats = (Seat(1, name=Name("あなた", "you")), Seat(2, name=Name("相手", "other")))
    scene = Scene(reader=0, seats=seats, zones=zones, points_name=Name("得点", "points"))
    lines = printed(scene, Reader(0, "en", ("you", "other"), 60))
    assert "board      card 1, card 2, card 3, 2 face down" in lines
    assert "other bag  ·" in lines
    assert "hand       card 7" in lines
    assert any(line.split() == ["other", "2"] for line in lines)


def test_cards_that_look_the_same_are_counted_and_marks_have_their_signs():
    chaff = tuple(Card(number, Name("カス", "chaff"), Name("カス", "chaff")) for number in range(2))
    marked = (plain_card(5, "won"), plain_card(6, "late"))
    scene = Scene(
        seats=(Seat(0, name=Name("甲", "ann")),),
        zones=(Zone("board", Name("場札", "board"), cards=(*chaff, *marked)),),
        legend=(
            Mark("won", Name("勝ち", "won"), "[]"),
            Mark("late", Name("遅い", "late"), "*"),
            Mark("odd", HAND, "?"),
        ),
    )
    lines = printed(scene, Reader(None, "en", ("ann",), 60))
    assert "board  chaff ×2, [card 5], card 6*" in lines
    assert lines[-1] == "[ ] won · * late"  # what is not on the table is not explained


def test_notes_say_how_far_something_has_come():
    missing = (plain_card(1, "near"), plain_card(2))
    notes = (
        Note(Name("短冊", "ribbons"), "yaku", has=3, needs=5),
        Note(Name("赤短", "red poems"), "yaku", has=2, needs=3, missing=missing),
        Note(Name("渡した札", "passed"), "given", cards=(plain_card(4),), seat=1, way="to"),
        Note(Name("次は", "next")),
    )
    seats = (Seat(0, name=Name("甲", "ann")), Seat(0, name=Name("乙", "bob")))
    scene = Scene(seats=seats, notes=notes, legend=(Mark("near", HAND),))
    lines = printed(scene, Reader(None, "en", ("ann", "bob"), 100))
    assert "ribbons 3/5 · red poems 2/3 (card 1, card 2) · passed → bob: card 4" in lines
    assert "next" in lines


def test_lines_end_between_pieces():
    text = flow([Text("four brights"), Text("three brights"), Text("chaff")], ", ", 20)
    assert text.plain.split("\n") == ["four brights,", "three brights, chaff"]
    assert wrapped("rainy four brights 7, three brights 5 · boar", 24).split("\n") == [
        "rainy four brights 7,",
        "three brights 5 · boar",
    ]
    assert wrapped("松に鶴、梅に鶯、桜に幕", 15).split("\n") == ["松に鶴、", "梅に鶯、桜に幕"]
    assert wrapped("short", 40) == "short"
