"""Mahjong at the terminal: why a move is not possible, what a hint says, the table, what is told, results."""

import io
import re

import numpy as np
import pytest
from rich.console import Console

from tefuda.contract import Reader
from tefuda.errors import Problem
from tefuda.games.mahjong import actions, state
from tefuda.games.mahjong.advice import advice
from tefuda.games.mahjong.reasons import notes, why_not
from tefuda.games.mahjong.telling import explain, result, story, unseen
from tefuda.games.mahjong.text import face_text
from tefuda.games.mahjong.typed import callings, misnamed
from tefuda.kernel.compile import COMPILED
from tefuda.players.resolve import resolve
from tefuda.table.record import Step
from tefuda.table.scene import said_of, scene_of
from tefuda.table.session import Session
from tefuda.terminal import show
from tefuda.terminal.commands import understand
from tefuda.terminal.drawing import draw
from tefuda.terminal.play import run
from tests.games.mahjong.mahjong_scene import GAME, JUNK, MORE_JUNK, Scene

GIVES_5S, GIVES_ONE_5S, WAITS_58S = "147m28p5599s1234z", "147m28p599s12344z", "234m345p456p67s88s"
NAMES = ("you", "Ann", "Bob", "Cid")


def reader_of(seat: int | None, lang: str = "en") -> Reader:
    return Reader(seat, lang, NAMES)


def seen_by(scene: Scene, seat: int) -> np.ndarray:
    """The table without what a seat cannot know."""
    states = scene.states.copy()
    GAME.kernels.hide(states[0], seat)
    return states


def reason(scene: Scene, words: str, lang: str = "en") -> str:
    """Why the seat to move may not make a move."""
    seat = int(scene.state.seat)
    assert not scene.may(words)
    return why_not(seen_by(scene, seat), scene.action(words), reader_of(seat, lang))


def noted(scene: Scene, seat: int, lang: str = "en") -> str:
    return "\n".join(notes(seen_by(scene, seat), seat, reader_of(seat, lang)))


def printed(what, width: int = 80) -> str:
    out = io.StringIO()
    Console(file=out, width=width, color_system=None).print(what)
    return out.getvalue()


def screen(states: np.ndarray, reader: Reader):
    """The table as the terminal draws it."""
    return draw(scene_of(GAME, states, reader), reader)


def hand_of(scene: Scene, seat: int, lang: str) -> list[str]:
    """The lines of a seat's own hand."""
    lines = [line.rstrip() for line in printed(screen(seen_by(scene, seat), reader_of(seat, lang))).splitlines()]
    return lines[next(place for place, line in enumerate(lines) if "─" in line) + 1 :]


# Why not.


def riichi_scene(**more) -> Scene:
    return Scene({0: GIVES_5S, 1: WAITS_58S, 2: JUNK, 3: MORE_JUNK}, draws="9m 9m 6z 6z 9p 9p", **more).play("0 *")


def called_scene() -> Scene:
    """Seat 1 has called 2m for 234m, and holds another 2m and a 5m."""
    hands = {0: "2m47m28p599s12344z", 1: "34m25m1379p1369s7z"}
    return Scene(hands, draws="9m").play("0 2m", "1 chi 34m")


def asked_scene(own: str, discard: str = "5s", **more) -> Scene:
    """Seat 1 is asked about a discard of the seat before it."""
    return Scene({0: GIVES_ONE_5S, 1: own, 2: JUNK, 3: MORE_JUNK}, draws="9m", **more).play(f"0 {discard}")


def near_the_end(left: int) -> Scene:
    """Seat 1 has a ready hand in its turn, and so many tiles are left."""
    scene = Scene({1: WAITS_58S})
    while scene.asking or scene.state.seat != 1 or state.left_in_wall(scene.state) > left:
        GAME.kernels.apply(scene.state, actions.PASS if scene.asking else actions.TSUMOGIRI)
    return scene


REASONS = {
    "points for riichi": (lambda: riichi_scene(points=(25000, 900, 25000, 25000)), "riichi", "it takes 1,000 points"),
    "tiles for riichi": (lambda: near_the_end(3), "riichi", "fewer than four tiles"),
    "open hand": (called_scene, "riichi", "the hand is open"),
    "not ready": (lambda: Scene({0: JUNK}, draws="9m"), "riichi", "no discard leaves the hand ready"),
    "riichi twice": (lambda: riichi_scene().play("1 riichi"), "riichi", "choose the discard"),
    "discard of riichi": (lambda: riichi_scene().play("1 riichi"), "2m", "stays ready after 9m 8s"),
    "in riichi": (
        lambda: riichi_scene().play("1 riichi", "1 *", "2 *", "3 *", "0 *"), "2m", "only the tile just drawn",
    ),
    "already in riichi": (
        lambda: riichi_scene().play("1 riichi", "1 *", "2 *", "3 *", "0 *"), "riichi", "in riichi already",
    ),
    "kuikae": (called_scene, "5m", "kuikae: after this call 2m 5m"),
    "no such tile": (called_scene, "8s", "there is no 8s"),
    "nothing drawn": (called_scene, "*", "nothing was drawn after a call"),
    "no tsumo after a call": (called_scene, "tsumo", "nothing was drawn"),
    "not complete": (lambda: Scene({0: JUNK}, draws="9m"), "tsumo", "the hand is not complete"),
    "tsumo without a yaku": (
        lambda: Scene({0: "3m47m28p599s12344z", 1: "24m345p456p67s111p", 2: JUNK}, draws="9m 9m 6z 9p 5s").play(
            "0 3m", "1 chi 24m", "1 1p", "2 *", "3 *", "0 *"
        ),
        "tsumo", "no yaku",
    ),
    "no four": (lambda: Scene({0: JUNK}, draws="9m"), "kan 9m", "not four of 9m"),
    "kan after a call": (called_scene, "kan 9m", "right after a call"),
    "kan that changes the waits": (
        lambda: Scene({1: "3334m345p456p888s"}, draws="9m 9m 6z 6z 9p 3m").play(
            "0 *", "1 riichi", "1 *", "2 *", "3 *", "0 *"
        ),
        "kan 3m", "leave the waits as they are",
    ),
    "nine": (lambda: Scene({0: "147m28p5599s1123z"}, draws="9m"), "nine", "not 9 different"),
    "nine too late": (
        lambda: Scene({0: "19m19p19s1234567z", 1: JUNK}, draws="5m 6m 6m 6m 5m").play(
            "0 *", "1 *", "2 *", "3 *"
        ),
        "nine", "only in the first turn",
    ),
    "nine by the rules": (
        lambda: Scene({0: "199m19p19s123z258m"}, draws="9m", options=["aborts=no"]), "nine", "no aborts",
    ),
    "ron in the own turn": (lambda: Scene({0: JUNK}, draws="9m"), "ron", "it is your turn"),
    "pon in the own turn": (lambda: Scene({0: JUNK}, draws="9m"), "pon", "no discard to claim"),
    "discard when asked": (lambda: asked_scene("46s1379m1379p123z"), "1m", "first answer to 5s"),
    "tsumo when asked": (lambda: asked_scene("46s1379m1379p123z"), "tsumo", "that would be ron"),
    "ron without a ready hand": (lambda: asked_scene("46s1379m1379p123z"), "ron", "not ready"),
    "ron on no wait": (lambda: asked_scene("55s34p345m678m678s"), "ron", "you wait for 2p 5p"),
    "ron without a yaku": (lambda: asked_scene("46s234p345p678m77z"), "ron", "no yaku"),
    "chi without the tiles": (lambda: asked_scene("46s1379m1379p123z"), "chi 67s", "no chi: with 5s it takes 6s 7s"),
    "pon without two": (lambda: asked_scene("46s1379m1379p123z"), "pon", "not two of 5s"),
    "kan without three": (lambda: asked_scene("55s28s2468m2468p6z"), "open kan", "not three of 5s"),
    "chi from across": (
        lambda: Scene({0: GIVES_ONE_5S, 2: "46s55s279m1379p12z"}, draws="9m").play("0 5s"),
        "chi 46s", "the seat before you",
    ),
}  # fmt: skip


@pytest.mark.kernel
@pytest.mark.parametrize("case", REASONS)
def test_the_reason_is_told_why_a_move_is_not_possible(case):
    make, words, text = REASONS[case]
    scene = make()
    assert text in reason(scene, words)
    assert not any("ぁ" <= sign <= "龠" for sign in reason(scene, words))
    assert any("ぁ" <= sign <= "龠" for sign in reason(scene, words, "ja"))


@pytest.mark.kernel
def test_every_move_that_is_not_legal_has_a_reason():
    for scene in (make() for make, _, _ in REASONS.values()):
        seat = int(scene.state.seat)
        for action in set(range(GAME.spaces.actions.size)) - set(scene.legal):
            assert why_not(seen_by(scene, seat), action, reader_of(seat)), GAME.spaces.actions.names[action].en


# Furiten in its forms, and what else stands on the screen.


@pytest.mark.kernel
def test_furiten_is_told_in_its_three_forms():
    hands = {0: "147m28p4589s1234z", 1: WAITS_58S, 2: JUNK}
    scene = Scene(hands, draws="9m 5s 7z 7z 9m").play("0 *", "1 *", "2 *", "3 *", "0 8s")
    assert "furiten: your own river has 5s" in noted(scene, 1)
    hands = {0: WAITS_58S, 1: "15s17m17p27s1234z3m", 2: "15s28m28p28s1234z4m", 3: JUNK}
    scene = Scene(hands, draws="9m 9p 9p 9m 9m").play("0 *", "1 5s", "0 pass").pass_all()
    assert "furiten until your next discard: you have let 5s pass" in noted(scene, 0)
    assert "同巡フリテン" in noted(scene, 0, "ja")
    scene = Scene({0: GIVES_5S, 1: WAITS_58S, 2: JUNK}, draws="9m 9m 1z 1z 9p 9p 2z 2z 9m 8s")
    scene.play("0 *", "1 riichi", "1 *", "2 *", "3 *", "0 5s", "1 pass").pass_all()
    assert "furiten for the rest of the deal: in riichi you let 5s pass" in noted(scene, 1)
    free = Scene({0: GIVES_5S, 1: WAITS_58S}, draws="9m")
    assert noted(free, 1) == "ready, waiting for 5s×4 8s×2"


@pytest.mark.kernel
def test_the_screen_warns_of_a_hand_without_a_yaku_of_kuikae_and_of_riichi_that_cannot_be():
    assert "no yaku: no ron on 5s" in noted(asked_scene("46s234p345p678m77z"), 1)
    assert "kuikae: after this call 2m 5m cannot be discarded" in noted(called_scene(), 1)
    assert "no riichi: it takes 1,000 points" in noted(riichi_scene(points=(25000, 900, 25000, 25000)), 1)
    assert "fewer than four tiles" in noted(near_the_end(3), 1)
    assert "riichi" not in noted(riichi_scene(), 1)


def test_the_hand_is_drawn_with_the_numbers_of_the_moves():
    scene = Scene({0: "1230m55p678s1277z"}, draws="9s", dora="1z")
    rows = hand_of(scene, 0, "both")
    assert rows[0].split()[:4] == ["一", "二", "三", "五"]
    assert rows[2].split() == ["赤"]
    assert "0m" in rows[3]
    assert rows[4].split()[-1] == str(scene.legal.index(actions.TSUMOGIRI) + 1)
    assert "赤" in hand_of(scene, 0, "ja")[2]
    english = hand_of(scene, 0, "en")
    assert english[0].split()[-4:] == ["S", "Rd", "Rd", "9s"]
    assert english[1].split() == [str(number) for number in (1, 2, 3, 11, 4, 4, 5, 6, 7, 8, 9, 10, 10, 12)]


def test_the_screen_shows_all_that_lies_on_the_table_and_no_hand_of_others():
    scene = riichi_scene(dora="3p", honba=2, sticks=1).play("1 riichi", "1 *")
    for lang in ("en", "ja", "both"):
        text = printed(screen(seen_by(scene, 2), reader_of(2, lang)))
        assert "9m*r" in text
        assert "25,000" in text
        assert all(len(line) <= 80 for line in text.splitlines())
    english = printed(screen(seen_by(scene, 2), reader_of(2)))
    assert "honba 2 · riichi sticks 2" in english
    assert "dora indicators 3p → dora 4p" in english
    assert "13 face down" in english
    hand = "2m 3m 4m 3p 4p 4p 5p 5p 6p 6s 7s 8s 8s"
    assert hand not in english
    assert hand in printed(screen(scene.states, reader_of(None)))


# Hints.


@pytest.mark.kernel
def test_a_hint_tells_shanten_and_useful_tiles_with_their_counts():
    scene = riichi_scene()
    lines = advice(seen_by(scene, 1), reader_of(1))
    assert lines[0] == "discard 9m: ready, 6 tiles: 5s×4 8s×2"
    asked = advice(seen_by(asked_scene("46s1379m1379p123z"), 1), reader_of(1))
    assert asked[0].startswith("now: 4 from ready")
    assert "4s[5s]6s chi (middle), discard" in asked[1]
    assert advice(seen_by(scene, 0), reader_of(0)) == []  # it is not this seat's turn


# What is told.


def told(scene: Scene, *moves: str, seat: int | None) -> str:
    """The story of some moves as the session tells it."""
    steps = []
    for move in moves:
        before = scene.states.copy()
        who, action = int(scene.state.seat), scene.action(move)
        GAME.kernels.apply(scene.state, action)
        steps.append(Step(who, action, before, scene.states.copy(), GAME.spaces.secret(before, who, action)))
    reader = reader_of(seat)
    return printed(show.story([said_of(GAME, step, reader) for step in steps], reader))


def test_a_story_does_not_tell_who_was_asked():
    hands = {0: "147m28p599s12344z", 1: "46s1379m1379p123z", 2: "55s28s2468m2468p6z", 3: JUNK}
    moves = ("5s", "pass", "chi 46s")  # seat 2 lets its pon pass
    text = told(Scene(hands, draws="9m"), *moves, seat=0)
    assert "Ann: chi 456s" in text
    assert "Bob" not in text
    assert "pass" in told(Scene(hands, draws="9m"), *moves, seat=2)
    assert "Bob" in told(Scene(hands, draws="9m"), *moves, seat=None)


def test_new_dora_are_told():
    scene = Scene({0: "1111m28p5599s123z"}, draws="9m", rinshan="9p")
    before = scene.states.copy()
    scene.play("0 kan 1m")
    lines = story(before, scene.states, actions.KAN, reader_of(1))
    assert lines[0] == "kan 1m"
    assert lines[1].startswith("new dora indicator ")


def ended(scene: Scene, move: str, lang: str = "en", seat: int = 1) -> list[str]:
    before = scene.states.copy()
    action = scene.action(move)
    GAME.kernels.apply(scene.state, action)
    return result(before, scene.states, action, Reader(seat, lang, NAMES, 120))


def test_the_result_tells_yaku_han_fu_and_payments():
    scene = asked_scene(WAITS_58S, dora="5z", honba=2, sticks=1)
    lines = ended(scene, "ron")
    assert lines[0] == "east 1  honba 2: Ann 5s ron ← you"
    assert lines[1] == "234m344556p6788s + 5s"
    assert lines[2] == "pinfu 1, all simples 1"
    assert lines[3] == "2 han 30 fu"
    assert lines[4] == "paid  you: -2,600  Ann: +3,600  Bob: +0  Cid: +0"
    assert lines[5] == "points  you: 22,400  Ann: 28,600  Bob: 25,000  Cid: 25,000"
    assert "平和 1, 断幺九 1" in ended(asked_scene(WAITS_58S, dora="5z"), "ron", "ja")
    assert "平和 pinfu 1, 断幺九 all simples 1" in ended(asked_scene(WAITS_58S, dora="5z"), "ron", "both")


def test_the_result_tells_limits_ura_and_draws():
    scene = riichi_scene(dora="7s", ura="7s").play("1 riichi", "1 *", "2 *", "3 *", "0 5s")
    lines = ended(scene, "ron")
    assert lines[2] == "ura indicators 7s"
    assert "double riichi 2" in lines[3]
    assert "dora 2, ura dora 2" in lines[3]
    assert lines[4] == "9 han 30 fu  baiman"
    scene = Scene({0: "199m19p19s123z258m"}, draws="9m")
    assert ended(scene, "nine")[0] == "east 1  honba 0: nine terminals and honours"
    scene = Scene({0: JUNK, 1: WAITS_58S, 2: MORE_JUNK, 3: "147m369p258s2346z"}).discard_draws()
    lines = ended(scene, "*")
    assert lines[0].endswith("the wall is exhausted")
    assert lines[1] == "Ann: ready 234m344556p6788s"


def test_unseen_tiles_and_rules():
    scene = Scene({0: "123m456p789s1122z"}, draws="5m", dora="9s")
    groups = dict(unseen(seen_by(scene, 0), reader_of(0)))
    assert list(groups) == ["characters", "circles", "bamboos", "honours"]
    assert "5m×3" in groups["characters"]
    assert "9s×2" in groups["bamboos"]
    number = sum(int(entry.partition("×")[2]) for entries in groups.values() for entry in entries)
    assert number == 136 - 14 - 1
    lines = explain(GAME.rulebook.make("tonpuu", ["red=no", "ron=head"]), reader_of(0))
    assert "the east round" in lines
    assert "one discard, one winner: the nearest" in lines
    assert not any("red" in line for line in lines)


# What is typed.

OPEN_TABLE = Scene().states


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("3m", "3m"), ("0m", "0m"), ("E", "1z"), ("east", "1z"), ("東", "1z"), ("1z", "1z"), ("wh", "5z"),
        ("*", "*"), ("riichi", "riichi"), ("リーチ", "riichi"), ("tsumo", "tsumo"), ("ron", "ron"), ("pass", "pass"),
        ("p", "pass"), ("kan 5m", "kan 5m"), ("nine", "nine"),
    ],
)  # fmt: skip
def test_moves_are_typed_as_players_write_them(typed, meant):
    names = enumerate(GAME.spaces.actions.names)
    every = {action: [name.ja, name.en, *callings(OPEN_TABLE, action)] for action, name in names}
    assert understand(typed, every, Reader()) == Scene().action(meant)


@pytest.mark.parametrize(
    ("scene", "word", "text"),
    [
        (lambda: Scene({0: JUNK}, draws="9m"), "chi", "it is your turn"),
        (lambda: Scene({0: JUNK}, draws="9m"), "pon", "it is your turn"),
        (lambda: Scene({0: JUNK}, draws="9m"), "kan", "neither four of a kind nor the fourth tile of a pon"),
        (called_scene, "kan", "no kan right after a call"),
        (lambda: asked_scene("55s1379m1379p123z"), "chi", "no chi: with 5s it takes 6s 7s or 4s 6s or 3s 4s"),
        (lambda: asked_scene("46s1379m1379p123z"), "pon", "you have not two of 5s"),
        (lambda: asked_scene("46s1379m1379p123z"), "kan", "you have not two of 5s"),
        (lambda: asked_scene("55s1379m1379p123z"), "カン", "no kan: you have not three of 5s"),
        (lambda: asked_scene("44667z379m137p19s", "4z"), "chi", "no chi: winds and dragons make no runs"),
        (
            lambda: Scene({0: GIVES_ONE_5S, 1: JUNK, 2: "55s28s2468m2468p6z", 3: MORE_JUNK}, draws="9m").play("0 5s"),
            "chi", "the seat before you alone",
        ),
    ],
)  # fmt: skip
def test_a_call_that_cannot_be_made_in_any_way_says_why(scene, word, text):
    """One reason for all that the word could mean, where there was none before."""
    table = scene()
    seat = int(table.state.seat)
    states, reader = seen_by(table, seat), reader_of(seat)
    every = {
        action: [name.ja, name.en, *callings(states, action)] for action, name in enumerate(GAME.spaces.actions.names)
    }
    legal = {action: every.pop(action) for action in table.legal}
    with pytest.raises(Problem, match=text):
        understand(
            word, legal, reader, every, lambda action: why_not(states, action, reader),
            lambda typed: misnamed(states, typed, reader),
        )  # fmt: skip


def test_a_call_is_made_by_its_word_where_it_means_one_move():
    scene = asked_scene("46s1379m1379p123z")
    legal = {action: [GAME.spaces.actions.names[action].en, *callings(scene.states, action)] for action in scene.legal}
    assert misnamed(scene.states, "chi", reader_of(1)) == ""
    for word in ("chi", "chi 46s", "46s", "チー"):
        assert understand(word, legal, reader_of(1)) == scene.action("chi 46s")
    both = asked_scene("3467s379m1379p12z")
    legal = {action: [GAME.spaces.actions.names[action].en, *callings(both.states, action)] for action in both.legal}
    with pytest.raises(Problem, match="'chi' could be 1, 2, 3"):
        understand("chi", legal, reader_of(1))


@pytest.mark.parametrize("lang", ["ja", "en", "both"])
def test_winds_and_dragons_are_written_in_one_way_on_one_screen(lang):
    """As in the hand, so in the moves, the rivers, the stories, the results, the hints and the text of a table."""
    scene = Scene({0: "1234567z123m456p", 1: "77z1379m1379p123s", 2: JUNK, 3: MORE_JUNK}, draws="9m 7z", dora="3z")
    reader, states = reader_of(0, lang), seen_by(scene, 0)
    shown = [printed(screen(states, reader)), scene_text(states, lang)]
    shown += [GAME.words.action_name(states, action, lang) for action in scene.legal]
    shown += advice(states, reader) + [" ".join(group[1]) for group in unseen(states, reader)]
    before = scene.states.copy()
    scene.play("0 7z")
    shown += story(before, scene.states, scene.action("7z"), reader)
    asked = seen_by(scene, 1)
    shown += [GAME.words.action_name(asked, action, lang) for action in scene.legal]
    scene.play("1 pon")
    shown.append(printed(screen(seen_by(scene, 0), reader)))
    shown.append(scene_text(seen_by(scene, 0), lang))
    everything = "\n".join(shown)
    assert not re.search(r"[1-7]z", everything), everything
    letters = re.findall(r"\b(?:E|S|W|N|Wh|Gr|Rd)\b", everything)
    assert not letters if lang == "ja" else len(set(letters)) == 7


def scene_text(states: np.ndarray, lang: str) -> str:
    return GAME.words.show(states, 0, lang)


def test_both_ways_to_write_winds_and_dragons_can_be_typed():
    every = {action: [name.en, *callings(OPEN_TABLE, action)] for action, name in enumerate(GAME.spaces.actions.names)}
    for number, letters in enumerate(("E", "S", "W", "N", "Wh", "Gr", "Rd"), start=1):
        kind = 26 + number
        assert understand(letters, every, Reader()) == understand(f"{number}z", every, Reader()) == kind
        assert understand(f"kan {letters}", every, Reader()) == understand(f"kan {number}z", every, Reader())


def test_the_tile_just_drawn_is_discarded_by_its_name_unless_the_hand_has_such_a_tile_too():
    for hand, drawn, meant in (("123m456p789s1234z", "6z", "*"), ("123m456p789s1236z", "6z", "6z")):
        scene = Scene({0: hand}, draws=drawn)
        legal = {action: callings(scene.states, action) for action in scene.legal}
        for word in ("6z", "Gr", "green", "發"):
            assert understand(word, legal, reader_of(0)) == scene.action(meant)
    riichi = riichi_scene().play("1 riichi", "1 *", "2 *", "3 *", "0 *")
    drawn = int(riichi.state.drawn)
    legal = {action: callings(riichi.states, action) for action in riichi.legal}
    assert understand(face_text(drawn), legal, reader_of(1)) == actions.TSUMOGIRI


def test_a_letter_plays_no_tile_that_has_it_somewhere_in_its_name():
    """`N` without a north in the hand once played a green dragon."""
    hand = {
        actions.DISCARD + kind: ["discard " + GAME.spaces.actions.names[kind].en, *callings(OPEN_TABLE, kind)]
        for kind in (27, 32)
    }
    north = {30: callings(OPEN_TABLE, 30)}
    with pytest.raises(Problem, match="no N in your hand"):
        understand("N", hand, Reader(), north, lambda action: "there is no N in your hand")
    with pytest.raises(Problem, match="no move 'g'"):
        understand("g", hand, Reader(), north)


def test_what_is_typed_but_not_possible_gets_its_reason():
    with pytest.raises(Problem, match="because it is so"):
        understand("east", {0: ["1m"]}, Reader(), {27: ["east"]}, lambda action: "because it is so")
    with pytest.raises(Problem, match="not a legal move now"):
        understand("east", {0: ["1m"]}, Reader(), {27: ["east"]})


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="the games of a hint take minutes uncompiled")
def test_a_deal_is_played_at_the_table(tmp_path):
    rules = GAME.rulebook.make("hand")
    other = resolve(GAME, "shanten", rules)
    session = Session.start(GAME, [None, other, other, other], tmp_path / "game.json", rules, 1, 2)
    lines = iter(["riichi", "?", "r", "u", "h"])
    out = io.StringIO()

    def read(prompt: str) -> str:
        return next(lines, "") or ("p" if actions.PASS in session.view.legal else "*")

    console = Console(file=out, width=80, color_system=None, highlight=False)
    assert run(session, "en", read, console, hint_worlds=10)
    text = out.getvalue()
    assert "no riichi: no discard leaves the hand ready" in text
    assert "champion would play: " in text
    assert "10 guessed worlds; then quick" in text
    assert "from ready" in text
    assert "thousands of points" in text
    assert "points  you: " in text
