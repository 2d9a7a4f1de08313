"""Tricks and Hearts in the terminal: the table, the stories, and that neither tells what a seat may not know."""

import io
import random
import re

import numpy as np
import pytest
from rich.cells import cell_len
from rich.console import Console

from tefuda import games
from tefuda.contract import Card, Move, Name, Reader, Scene, Zone, place_of
from tefuda.games.tricks import rules, scene, text
from tefuda.games.tricks.cards import (
    ALL,
    ALL_HEARTS,
    CARDS,
    LETTERS,
    QUEEN_OF_SPADES,
    RANKS,
    SUIT_NAMES,
    SYMBOLS,
    cards_of,
    mask_of,
)
from tefuda.games.tricks.hiding import hide
from tefuda.games.tricks.state import LONGEST, OVER, PASS, PLAY, SEATS, suit_of
from tefuda.players.resolve import resolve
from tefuda.table.scene import SHARED_MARKS, scene_of
from tefuda.table.session import Session
from tefuda.table.table import Table
from tefuda.terminal import hands
from tefuda.terminal.commands import understand
from tefuda.terminal.drawing import draw
from tefuda.terminal.pieces import Pen, fitted
from tefuda.terminal.play import run
from tefuda.terminal.replay import replay

TRICKS = games.find("tricks")
LANGUAGES = ("ja", "en", "both")
JAPANESE = re.compile(r"[\u3000-\u30ff\u4e00-\u9fff\uff01-\uff60]")
NAMES = ("ann", "bob", "cid", "dee")
RULES = (("plain", ()), ("hearts", ("jack=yes",)), ("usual", ()), ("usual", ("passing=across", "moon=self")))


def cards(written: str) -> list[int]:
    """Cards written as in `c2 sQ h10`."""
    return [RANKS * "cdsh".index(word[0]) + LETTERS.index(word[1:]) for word in written.split()]


def printed(states, reader: Reader, **options) -> str:
    """The screen as a terminal of the reader's width shows it."""
    console = Console(file=io.StringIO(), width=reader.width, highlight=False, **options)
    console.print(draw(scene_of(TRICKS, states, reader), reader), width=reader.width)
    return console.file.getvalue()


def dealt(preset="hearts", *changes, deal=1) -> Table:
    return Table(TRICKS, TRICKS.rulebook.make(preset, list(changes)), 1, deal)


def positions(number: int, seed: int):
    """Tables somewhere in the middle of random play, under all sorts of rules."""
    source = random.Random(seed)
    for place in range(number):
        preset, changes = RULES[place % len(RULES)]
        table = dealt(preset, *changes, deal=seed + place)
        for _ in range(source.randrange(LONGEST)):
            if not table.over:
                table.apply(source.choice(table.legal))
        yield table.states, source


def table_of(preset, hands, lead=0, number=None, **fields):
    """A table at which every seat holds the cards that are written; the rest was played before."""
    states = dealt(preset).states
    state = states[0]
    state.phase, state.direction, state.lead, state.seat, state.laid = PLAY, 0, lead, lead, 0
    for seat, written in enumerate(hands):
        state.hand[seat] = mask_of(*cards(written))
    gone = cards_of(ALL & ~(state.hand[0] | state.hand[1] | state.hand[2] | state.hand[3]))
    for seat in range(SEATS):
        size = RANKS - len(hands[seat].split())
        state.played[seat], gone = mask_of(*gone[:size]), gone[size:]
    state.number = RANKS - len(hands[0].split()) if number is None else number
    for key, value in fields.items():
        states[key][0] = value
    return states


def after(states, card):
    """The table after one more card."""
    states = states.copy()
    rules.apply(states[0], card)
    return states


def begin(path, preset, *changes, seat=0, opponent="rule-based", deal=3):
    other = resolve(TRICKS, opponent)
    entrants = [None if place == seat else other for place in range(SEATS)]
    return Session.start(TRICKS, entrants, path, TRICKS.rulebook.make(preset, list(changes)), 1, deal)


def typed(session, *lines, seed=0):
    """Reads these lines, then random moves by their number."""
    waiting, source = list(lines), random.Random(seed)

    def read(prompt):
        return waiting.pop(0) if waiting else str(source.randrange(len(session.choices())) + 1)

    return read


def console_of(width=80):
    return Console(file=io.StringIO(), width=width, highlight=False)


# Whole games


@pytest.mark.slow
@pytest.mark.parametrize(
    ("preset", "width", "lang"),
    [
        *(("usual", width, lang) for width in (60, 80, 120) for lang in LANGUAGES),
        *zip(3 * ["hearts"], (60, 80, 120), LANGUAGES, strict=True),
        *zip(3 * ["plain"], (120, 60, 80), LANGUAGES, strict=True),
    ],
)
def test_a_whole_game(tmp_path, preset, width, lang):
    changes = ["target=10"] if preset == "usual" else []
    session = begin(tmp_path / "game.json", preset, *changes, seat=width % 7 % 4)
    console = console_of(width)
    assert run(session, lang, typed(session, "?", "u", "r", "h"), console, hint_worlds=20) is True
    shown = console.file.getvalue()
    lines = [line.rstrip() for line in shown.splitlines() if "tefuda replay" not in line]
    assert max(map(cell_len, lines)) <= width
    assert len(re.findall(r"[+-]\d+\.\d\d +(?:\d+\.\d\d ± \d+\.\d\d|最善|best)", shown)) >= 1
    if lang == "en":
        assert not JAPANESE.search(shown)
    if lang == "ja":
        assert not re.search(r"\b(tricks?|points|score|void|hand|lead|winning|takes?|pass(ed)?|deal|hearts)\b", shown
                             .replace(f"usual {' '.join(changes)}", "").replace("規則 hearts", ""))  # fmt: skip
    console = console_of(width)
    replay(session.path, lang, console=console)
    assert max(cell_len(line.rstrip()) for line in console.file.getvalue().splitlines()) <= width


# Secrecy


def other_hidden_cards(states, seat, source):
    """A copy with the cards that a seat cannot see dealt otherwise, as far as the facts allow; None: they do not."""
    seen = TRICKS.checks.layout(states, seat)
    slots = [slot for slot, hidden in enumerate(seen.hidden) if hidden]
    written = list(seen.cards)
    for _ in range(60 if len(slots) > 1 else 0):
        one, two = source.sample(slots, 2)
        written[one], written[two] = written[two], written[one]
        copy = states.copy()
        TRICKS.checks.rebuild(copy, seen, written)
        if not TRICKS.checks.allowed(copy, seat):
            written[one], written[two] = written[two], written[one]
    copy = states.copy()
    TRICKS.checks.rebuild(copy, seen, written)
    return copy if copy.tobytes() != states.tobytes() else None


@pytest.mark.slow
def test_no_hidden_card_is_ever_shown():
    """Other cards where a seat cannot see them change no letter and no colour of its screen, nor a hidden copy."""
    compared = 0
    for states, source in positions(36, seed=11):
        for seat in range(SEATS):
            copy = other_hidden_cards(states, seat, source)
            if copy is None:
                continue
            hidden = copy.copy()
            hide(hidden[0], seat)
            reader = Reader(seat, LANGUAGES[compared % 3], NAMES, (60, 80, 120)[compared % 3])
            shown = printed(states, reader, force_terminal=True, color_system="standard")
            for other in (copy, hidden):
                assert printed(other, reader, force_terminal=True, color_system="standard") == shown
                assert text.unseen(other, reader) == text.unseen(states, reader)
            compared += 1
    assert compared > 80


def test_the_swapped_cards_would_be_noticed():
    """The test above can fail: with all hands open, other hidden cards do change the screen."""
    changed = 0
    for states, source in positions(8, seed=11):
        copy = other_hidden_cards(states, 0, source)
        if copy is not None:
            assert printed(states, Reader(None, "en", NAMES)) != printed(copy, Reader(None, "en", NAMES))
            changed += 1
    assert changed > 3


@pytest.mark.parametrize("direction", ["left", "across", "right"])
def test_what_others_pass_is_not_told(direction):
    """A pass is the same story whatever the card, but for its giver; of the others each is told once."""
    table = dealt("usual", f"passing={direction}")
    source = random.Random(4)
    while table.states[0].phase == PASS:
        before, giver = table.states.copy(), table.to_move
        for seat in range(SEATS):
            told = set()
            for card in table.legal:
                told.add(tuple(text.story(before, after(before, card), card, Reader(seat, "en", NAMES))))
            if seat == giver:
                assert len(told) == len(table.legal)
            else:
                assert told == {("passes three cards face down",) if before[0].chosen % 3 == 0 else ()}
        table.apply(source.choice(table.legal))


# The table


@pytest.mark.slow
def test_screens_keep_to_their_width():
    long = ("あなた you", "a-player-with-a-long-name 2", "a-player-with-a-long-name 3", "名前の長い打ち手 4")
    for states, source in positions(40, seed=500):
        for width in (40, 60, 80, 120):
            reader = Reader(
                source.choice([None, 0, 1, 2, 3]), source.choice(LANGUAGES), source.choice([NAMES, long]), width
            )
            lines = printed(states, reader).splitlines()
            assert max(cell_len(line.rstrip()) for line in lines) <= width, "\n".join(lines)
            if reader.names is NAMES:
                assert not any("…" in line.replace("  …", "") for line in lines)  # nothing was cut


def test_names_that_are_too_long_keep_their_number():
    assert fitted("rule-based 2", 12) == "rule-based 2"
    assert fitted("rule-based 2", 8) == "rule-… 2"
    assert fitted("名前の長い打ち手", 7) == "名前の…"
    for width in range(3, 20):
        assert cell_len(fitted("名前の長い打ち手 12", width)) <= max(width, 4)


def numbered(lines: list[str]) -> dict[int, str]:
    """The numbers under the cards of the hand, each with the card that ends where it ends."""
    found = {}
    hand = lines[next(place for place, line in enumerate(lines) if line.startswith("hand ─")) + 1 :]
    for above, under in zip(hand[::2], hand[1::2], strict=True):
        ends = {match.end(): match[0] for match in re.finditer(r"[♣♦♠♥]\w+", above)}
        for match in re.finditer(r"\d+", under):
            found[int(match[0])] = ends[match.end()]
    return found


@pytest.mark.slow
def test_legal_cards_are_numbered_as_the_session_counts_them():
    """Exactly the legal cards have a number, that of their place among the moves; at any width, in any phase."""
    found = {PASS: 0, PLAY: 0}
    for states, source in positions(80, seed=40):
        if states[0].phase == OVER:
            continue
        seat = int(states[0].seat)
        mask = np.zeros(1, np.uint64)
        rules.legal(states[0], mask)
        lines = printed(states, Reader(seat, "en", NAMES, source.choice([30, 44, 60, 80]))).splitlines()
        expected = {place: text.short(card) for place, card in enumerate(cards_of(mask[0]), start=1)}
        assert numbered(lines) == expected
        found[int(states[0].phase)] += 1
        other = printed(states, Reader((seat + 1) % 4, "en", NAMES))
        assert not re.search(r"^[ \d]+$", other.partition("hand ─")[2].partition("\n")[2], re.MULTILINE)
    assert min(found.values()) > 5


def hand_lines(held: str, playable: str = "", chosen: str = "", numbered: bool = False, width: int = 80):
    """A hand as it is drawn, with marks on some of its cards."""
    marked = dict.fromkeys(cards(playable), "playable") | dict.fromkeys(cards(chosen), "chosen")
    drawn = [scene.card_of(card, *([marked[card]] if card in marked else [])) for card in cards(held)]
    zones = [
        Zone("hand", scene.HAND, 0, style, cards=tuple(card for card in drawn if card.style == style))
        for style in scene.STYLES
    ]
    moves = tuple(Move(card, (card,), place_of("hand", 0, scene.STYLES[card // RANKS])) for card in cards(playable))
    table = Scene(zones=tuple(zones), moves=moves, legend=scene.LEGEND + SHARED_MARKS, colours=scene.COLOURS)
    return hands.block(Pen(table, Reader(0, "en", NAMES)), zones, numbered, width)


def test_legal_cards_are_bright_and_others_dim():
    held = "c2 c9 d4 sQ h3"
    shown = hand_lines(held, "c2 d4", "h3")
    assert shown.plain == "♣2 ♣9  ♦4  ♠Q  [♥3]"
    styles = {shown.plain[span.start : span.end].strip(): str(span.style) for span in shown.spans if span.style}
    assert styles == {"♣2": "bold", "♣9": "dim", "♦4": "bold red", "♠Q": "dim", "♥3": "bold red"}
    waiting = hand_lines(held)
    assert not {str(span.style) for span in waiting.spans} & {"dim", "bold"}  # not in turn: nothing is forbidden


def test_numbers_under_cards_do_not_run_together():
    narrow = [Card(card, Name("札", "card"), Name("札", "W")) for card in range(12)]
    zones = [Zone("hand", scene.HAND, 0, cards=tuple(narrow))]
    moves = tuple(Move(card, (card,), "hand:0") for card in range(12))
    table = Scene(zones=tuple(zones), moves=moves, legend=SHARED_MARKS)
    above, under = hands.block(Pen(table, Reader(0, "en", NAMES)), zones, True, 80).plain.splitlines()
    assert above == "W W W W W W W W W  W  W  W"
    assert under == "1 2 3 4 5 6 7 8 9 10 11 12"


def test_a_hand_breaks_between_suits():
    whole = "c2 c3 c4 c5 d2 d10 sA h9 h10 hJ"
    assert hand_lines(whole, width=21).plain.splitlines() == [
        "♣2 ♣3 ♣4 ♣5  ♦2 ♦10",
        "♠A  ♥9 ♥10 ♥J",
    ]
    hearts = " ".join(f"h{letter}" for letter in LETTERS)
    assert max(map(len, hand_lines(hearts, hearts, numbered=True, width=20).plain.splitlines())) <= 20


@pytest.mark.parametrize("own", range(4))
@pytest.mark.parametrize("width", [50, 80])
def test_the_seats_sit_around_the_trick(own, width):
    """One's own name at the bottom, the next seat at the left, then across, then at the right: each above its card."""
    states = table_of("hearts", ["c3 c4", "h5 h6", "c9 d2", "sK s2"], lead=0, broken=1)
    for card in cards("c3 h5 c9"):
        rules.apply(states[0], card)
    lines = printed(states, Reader(own, "en", NAMES, width)).splitlines()
    assert lines[0] == "deal 1 · trick 12/13 · hearts broken"
    assert lines[1] == "▶ lead: ann · winning: cid [♣9] · points +1"
    laid = {"ann": "♣3", "bob": "♥5", "cid": "[♣9]", "dee": "…"}
    left, across, right = (NAMES[(own + place) % 4] for place in (1, 2, 3))
    assert lines[2].replace("▶", "").split()[0] == across
    assert lines[3].split()[0] == laid[across]
    assert lines[4].replace("▶", "").split()[:2] == [left, right]
    assert lines[5].split()[:2] == [laid[left], laid[right]]
    assert lines[6].replace("▶", "").split()[0] == NAMES[own]
    assert lines[7].split()[0] == laid[NAMES[own]]
    assert sum("▶ ann" in line for line in lines[2:8]) == 1
    middle = lines[4].index(left) + len(left) / 2, lines[4].index(right, 5) + len(right) / 2
    across_at = lines[2].index(across) + len(across) / 2
    assert middle[0] < across_at < middle[1]


def row_of(name: str, states) -> list[str]:
    """The words behind a name in the table of what was taken."""
    return re.search(rf"\b{name} +(\d.*)$", printed(states, Reader(0, "en", NAMES)), re.MULTILINE)[1].split()


def test_what_was_taken_and_shown():
    states = table_of(
        "usual", ["c3", "h5", "c9", "sK"], broken=1, tricks=[3, 4, 5, 0], points=[0, 20, 5, 0], score=[7, 0, 88, 31]
    )
    assert row_of("bob", states) == ["4", "20", "0"]
    assert row_of("cid", states) == ["5", "5", "88"]
    assert "score/100" in printed(states, Reader(0, "en", NAMES))
    assert "score" not in printed(table_of("hearts", ["c3", "h5", "c9", "sK"]), Reader(0, "en", NAMES))
    assert "points" not in printed(table_of("plain", ["c3", "h5", "c9", "sK"]), Reader(0, "en", NAMES))
    states["excluded"][0, 1] = suit_of(0) | suit_of(QUEEN_OF_SPADES)
    assert row_of("bob", states) == ["4", "20", "0", "♣♠"]
    states["excluded"][0, 1] = ALL & ~ALL_HEARTS & ~mask_of(QUEEN_OF_SPADES)  # only penalty cards are left
    assert row_of("bob", states) == ["4", "20", "0", "♣♦♠(Q)"]
    states["jack"] = 2
    assert row_of("cid", states) == ["5", "5", "88"]
    states["rules"]["jack"] = 1
    assert row_of("cid", states) == ["5", "♦J", "5", "88"]


def test_a_void_is_shown_once_somebody_does_not_follow():
    states = table_of("hearts", ["c3 c4", "h5 h6", "c9 d2", "sK s2"], broken=1)
    shown = [row_of("bob", after(after(states, cards("c3")[0]), card))[2:] for card in cards("h5 h6")]
    assert shown == [["♣"], ["♣"]]
    assert row_of("bob", after(states, cards("c3")[0]))[2:] == []


def test_whether_hearts_are_broken_is_shown_where_it_matters():
    hands = ["c3 c4", "h5 h6", "c9 d2", "sK s2"]
    assert "hearts not broken" in printed(table_of("hearts", hands, broken=0), Reader(0, "en", NAMES))
    assert "· hearts broken" in printed(table_of("hearts", hands, broken=1), Reader(0, "en", NAMES))
    assert "broken" not in printed(table_of("plain", hands, broken=1), Reader(0, "en", NAMES))
    free = table_of("hearts", hands, broken=1)
    free["rules"]["break_hearts"] = 0
    assert "broken" not in printed(free, Reader(0, "en", NAMES))


# Passing


@pytest.mark.parametrize(("direction", "place"), [("left", 1), ("across", 2), ("right", 3)])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_passing(direction, place, lang):
    table = dealt("usual", f"passing={direction}")
    reader = Reader(0, lang, NAMES)
    words = {"ja": {1: "左", 2: "正面", 3: "右"}[place], "en": direction}
    words["both"] = f"{words['ja']} {direction}"
    given = []
    for number in range(3):
        shown = printed(table.states, reader)
        assert re.search(rf": {words[lang]} → {NAMES[place]} · [\w ]+ {number}/3", shown)
        assert sorted(re.findall(r"\[(\S+)\]", shown)) == sorted(2 * [text.short(card) for card in given])
        given.append(table.legal[number])
        before = table.states.copy()
        table.apply(given[-1])
        told = text.story(before, table.states, given[-1], reader)
        assert [line.partition(" → ")[2] for line in told] == [NAMES[place]]
    while table.states[0].phase == PASS:
        table.apply(table.legal[0])
    received = " ".join(text.short(card) for card in cards_of(table.states["passed"][0, 4 - place]))
    shown = printed(table.states, reader)
    assert f"→ {NAMES[place]}: {' '.join(text.short(card) for card in sorted(given))}" in shown
    assert f"← {NAMES[-place]}: {received}" in shown
    heads = dict(text.unseen(table.states, reader))
    assert heads[f"→ {NAMES[place]}"] == [text.short(card) for card in sorted(given)]
    assert sum(map(len, heads.values())) == CARDS - RANKS


def test_a_passed_card_is_remembered_until_it_is_played():
    states = table_of("hearts", ["c3 c4", "h5 c6", "c9 d2", "sK s2"], broken=1)
    states["direction"], states["passed"] = 1, [mask_of(*cards("h5 c6 cA")), 0, 0, mask_of(*cards("c3"))]
    states["played"][0, 1] |= mask_of(*cards("cA"))
    assert "passed → bob: ♣6 ♥5\n" in re.sub(" +\n", "\n", printed(states, Reader(0, "en", NAMES)))
    for card in cards("c3 c6"):
        rules.apply(states[0], card)
    shown = printed(states, Reader(0, "en", NAMES))
    assert re.search(r"passed → bob: ♥5 *\n", shown)
    assert "received" not in shown  # only in the first trick: later the hand shows it


# Stories and results


@pytest.mark.parametrize(
    ("lang", "led", "others"),
    [
        ("en", "cid takes the trick (+14)", "cid takes the trick (+14): ♣3 ♥5 [♣9] ♠Q"),
        ("ja", "cid がトリックを取る (+14)", "cid がトリックを取る (+14): ♣3 ♥5 [♣9] ♠Q"),
        ("both", "cid がトリックを取る takes the trick (+14)",
         "cid がトリックを取る takes the trick (+14): ♣3 ♥5 [♣9] ♠Q"),
    ],
)  # fmt: skip
def test_a_trick_that_is_won(lang, led, others):
    """The four cards are told to whoever has not just been told of each: that screen is gone."""
    states = table_of("hearts", ["c3 c4", "h5 h6", "c9 d2", "sQ s2"], broken=1)
    for card in cards("c3 h5 c9"):
        rules.apply(states[0], card)
    done = after(states, QUEEN_OF_SPADES)
    for seat, line in ((0, led), (1, others), (3, others), (None, others)):
        told = text.story(states, done, QUEEN_OF_SPADES, Reader(seat, lang, NAMES))
        assert told == [text.action_name(states, QUEEN_OF_SPADES, lang), line]
    own = text.story(states, done, QUEEN_OF_SPADES, Reader(2, "en", ("ann", "bob", "you", "dee")))
    assert own[1].startswith("you take the trick (+14)")
    plain = table_of("plain", ["c3", "h5", "c9", "sQ"])
    for card in cards("c3 h5 c9"):
        rules.apply(plain[0], card)
    told = text.story(plain, after(plain, QUEEN_OF_SPADES), QUEEN_OF_SPADES, Reader(0, "en", NAMES))
    assert told[1] == "cid takes the trick"


def test_broken_hearts_are_told_once():
    states = table_of("hearts", ["c3 c4", "h5 h6", "sQ d2", "hK s2"], broken=0)
    told = []
    for card in cards("c3 h5 sQ hK"):
        before = states.copy()
        rules.apply(states[0], card)
        told.append(text.story(before, states, card, Reader(0, "en", NAMES))[1:])
    assert told[:3] == [[], ["hearts broken"], []]
    assert "hearts broken" not in told[3]
    for queen_breaks in (0, 1):
        states = table_of("hearts", ["c3 c4", "sQ h6", "d5 d2", "hK s2"], broken=0)
        states["rules"]["queen_breaks"] = queen_breaks
        rules.apply(states[0], cards("c3")[0])
        done = after(states, QUEEN_OF_SPADES)
        told = text.story(states, done, QUEEN_OF_SPADES, Reader(0, "ja", NAMES))
        assert told[1:] == ["ハート解禁"] * queen_breaks == ["ハート解禁"] * int(done[0].broken)


@pytest.mark.parametrize(
    ("moon", "paid", "line"),
    [
        (0, "ann 26  bob 0  cid 0  dee 0", "ann takes all penalty points"),
        (1, "ann 0  bob 26  cid 26  dee 26", "ann shoots the moon"),
        (2, "ann -26  bob 0  cid 0  dee 0", "ann shoots the moon"),
    ],
)
def test_shooting_the_moon(moon, paid, line):
    states = table_of("hearts", ["hA", "h2", "c9", "s2"], broken=1, points=[24, 0, 0, 0])
    states["rules"]["moon"] = moon
    for card in cards("hA h2 c9"):
        rules.apply(states[0], card)
    done, last = after(states, cards("s2")[0]), cards("s2")[0]
    reader = Reader(1, "en", NAMES)
    assert text.result(states, done, last, reader) == [f"deal 1  {paid}", line]
    ours = Reader(0, "both", ("あなた you", "bob", "cid", "dee"))
    assert text.result(states, done, last, ours)[1].startswith("あなた you が")
    assert re.search(r"(take|shoot) ", text.result(states, done, last, ours)[1])
    assert "deal 1 · over" in printed(done, reader)
    states["points"] = [23, 1, 0, 0]
    assert len(text.result(states, after(states, last), last, reader)) == 1


@pytest.mark.slow
def test_the_score_of_a_match_follows_each_deal(tmp_path):
    session = begin(tmp_path / "game.json", "usual", "target=20")
    assert run(session, "en", typed(session), console_of()) is True
    reader, total, deals = session.reader("en", 200), np.zeros(4, int), 0
    for step in session.steps:
        told = text.result(step.before, step.after, step.action, reader)
        if told:
            total, deals = total + step.after[0].paid, deals + 1
            rows = [[int(number) for number in re.findall(r": (-?\d+)", told[place])] for place in (0, -1)]
            assert rows == [step.after[0].paid.tolist(), total.tolist()]
            assert told[0].startswith(f"deal {deals}  you: ")
    assert deals == session.table.states[0].finished >= 1


# What is typed


def test_cards_by_their_names(tmp_path):
    session = begin(tmp_path / "game.json", "usual", seat=1)
    begun = len(session.steps)
    for card, name in session.choices("en"):
        ja, en = TRICKS.spaces.actions.names[card].ja, TRICKS.spaces.actions.names[card].en
        suit, letter = card // RANKS, LETTERS[card % RANKS]
        for line in (
            name, f"{SYMBOLS[suit]}{letter}".lower(), f"{SYMBOLS[suit]} {letter}", ja, en.upper(),
            en.replace(" of ", " "), f"{SUIT_NAMES[suit].en} {en.split()[0]}",
        ):  # fmt: skip
            run(session, "en", typed(session, line, "q"), console_of())
            assert [step.action for step in session.steps[begun:]] == [card], line
            assert session.undo()


def test_hints_name_every_legal_card(tmp_path):
    session = begin(tmp_path / "game.json", "hearts")
    console = console_of()
    run(session, "en", typed(session, "?", "q"), console, hint_worlds=20)
    hints = console.file.getvalue().partition("points this round")[2]
    shown = re.findall(r"^ *(\d+)  (\S+) [\w ]+? +[+-]\d+\.\d\d +(?:best|\d+\.\d\d ± \d+\.\d\d)", hints, re.MULTILINE)
    places = {str(place): text.short(card) for place, (card, _) in enumerate(session.choices(), start=1)}
    assert dict(shown) == places


# What is typed


@pytest.mark.parametrize(
    ("line", "card"),
    [("QS", "♠Q"), ("qs", "♠Q"), ("spade q", "♠Q"), ("Q of spades", "♠Q"), ("♠q", "♠Q"), ("スペードQ", "♠Q"),
     ("S10", "♠10"), ("10s", "♠10"), ("ts", "♠10"), ("hA", "♥A"), ("ハートA", "♥A"), ("2c", "♣2"), ("c2", "♣2")],
)  # fmt: skip
def test_a_card_may_be_called_in_many_ways(line, card):
    every = {each: text.callings(dealt().states, each) for each in range(52)}
    assert understand(line, every, Reader()) == cards("cdsh"["♣♦♠♥".index(card[0])] + card[1:])[0]


@pytest.mark.slow
def test_every_calling_means_one_card():
    every = {
        each: [
            *text.callings(dealt().states, each),
            *(TRICKS.spaces.actions.names[each].text(lang) for lang in ("ja", "en")),
        ]
        for each in range(52)
    }
    for card, names in every.items():
        for name in names:
            assert understand(name, every, Reader()) == card, name


def test_a_card_that_may_not_be_played_is_told_from_nonsense(tmp_path):
    session = begin(tmp_path / "game.json", "plain")
    session.advance()
    hand, legal = set(cards_of(session.view.state[0].hand[0])), set(session.view.legal)
    while not hand - legal:
        session.step(session.view.legal[0])
        hand, legal = set(cards_of(session.view.state[0].hand[0])), set(session.view.legal)
    illegal = text.short(min(hand - legal))
    console = console_of()
    lines = iter([illegal, "tiger", "q"])
    run(session, "en", lambda prompt: next(lines), console)
    shown = console.file.getvalue()
    assert re.search(r"(clubs|diamonds|spades|hearts) were led: follow suit with [♣♦♠♥]\w+", shown)
    assert "no move 'tiger'" in shown
