"""The table in the terminal, driven by typed lines: whole games, undo, hints, leaving and coming back."""

import io
import random
import re

import numpy as np
import pytest
from rich.cells import cell_len
from rich.console import Console

from tefuda import games
from tefuda.contract import Reader
from tefuda.errors import Problem
from tefuda.games.koikoi import cards, yaku
from tefuda.games.koikoi.cards import FLOWERS, mask_of
from tefuda.games.koikoi.progress import progress
from tefuda.games.koikoi.state import AGARI
from tefuda.games.koikoi.state import KOIKOI as KOIKOI_CALL
from tefuda.players.resolve import resolve
from tefuda.table import record as game_record
from tefuda.table.evaluation import Evaluation
from tefuda.table.session import SOMEBODY, YOU, Session, hint_player_of, seat_titles, short_name
from tefuda.terminal.commands import understand
from tefuda.terminal.play import run

KOIKOI = games.find("koikoi")
JAPANESE = re.compile(r"[\u3000-\u30ff\u4e00-\u9fff\uff01-\uff60]")

OWN_PLAYER = """
class Counting:
    '''Remembers how often it was asked, and uses its random numbers.'''

    def __init__(self):
        self.asked = 0

    def act(self, view):
        self.asked += 1
        return view.legal[(self.asked + view.random.randrange(7)) % len(view.legal)]


class Failing:
    def act(self, view):
        raise RuntimeError("no idea")


class Cheating:
    def act(self, view):
        return 49 if 49 not in view.legal else 0


class Batch:
    def choose(self, observations, masks):
        assert observations.shape[0] == masks.shape[0] == 1
        return masks.argmax(axis=1)
"""


class Typed:
    """Lines as a person would type them; when they run out, the input ends."""

    def __init__(self, *lines):
        self.lines = list(lines)
        self.prompts = []

    def __call__(self, prompt):
        self.prompts.append(prompt)
        if not self.lines:
            raise EOFError
        line = self.lines.pop(0)
        if line is KeyboardInterrupt:
            raise KeyboardInterrupt
        return line


@pytest.fixture
def own_players(tmp_path):
    (tmp_path / "own.py").write_text(OWN_PLAYER)
    return lambda name: resolve(KOIKOI, f"{tmp_path / 'own.py'}:{name}")


def begin(path, opponent="random/always-stop", game=KOIKOI, seat=0, preset=None, changes=(), **options):
    """A new game of a person against one player in all other seats."""
    other = resolve(game, opponent) if isinstance(opponent, str) else opponent
    entrants = [None if place == seat else other for place in range(game.seats)]
    return Session.start(game, entrants, path, game.rulebook.make(preset, list(changes)), **options)


def screen_of(session, *lines, lang="both", width=80, **options) -> str:
    """Type some lines at a table and give all that was shown."""
    console = Console(file=io.StringIO(), width=width, highlight=False, **options)
    run(session, lang, Typed(*lines), console, hint_worlds=40)
    return "\n".join(line.rstrip() for line in console.file.getvalue().splitlines())


class Playing:
    """Types a random legal number until the game is over; leaves after some lines where told to."""

    def __init__(self, session, seed=0, leave_after=None):
        self.session, self.random, self.left = session, random.Random(seed), leave_after

    def __call__(self, prompt):
        if self.left == 0:
            return "q"
        if self.left is not None:
            self.left -= 1
        return str(self.random.randrange(len(self.session.choices())) + 1)


def quiet():
    return Console(file=io.StringIO(), width=80, highlight=False)


# Whole games


@pytest.mark.parametrize("lang", ["both", "ja", "en"])
@pytest.mark.parametrize("width", [80, pytest.param(120, marks=pytest.mark.slow)])
def test_a_whole_match_in_each_language(tmp_path, lang, width):
    session = begin(tmp_path / "game.json", preset="bonus", changes=["rounds=3"], deal=4)
    console = Console(file=io.StringIO(), width=width, highlight=False)
    assert run(session, lang, Playing(session), console) is True
    text = console.file.getvalue()
    assert session.over
    assert "\x1b" not in text  # no colour where there is no terminal
    assert max(cell_len(line.rstrip()) for line in text.splitlines() if "tefuda replay" not in line) <= width
    assert f"tefuda replay {session.path}" in text
    for number in (1, 2, 3):
        assert {"ja": f"第{number}局  ", "en": f"round {number}  "}.get(lang, f"局 round {number}  ") in text
    if lang == "en":
        assert not JAPANESE.search(text)
    if lang == "ja":
        assert not any(re.search(rf"\b{flower.en}\b", text) for flower in FLOWERS)
        assert not re.search(r"\b(round|played|hand|you|deck|score|move|hint)\b", text)
    record = game_record.load(session.path)
    assert record.scores == session.table.scores.tolist()
    assert record.actions == session.table.history


@pytest.mark.slow
def test_every_game_can_be_played(tmp_path):
    found = games.names()
    assert "koikoi" in found
    for name in found:
        game = games.find(name)
        for seat in range(game.seats):
            path = tmp_path / f"{name}-{seat}.json"
            short = ["length=hand"] if name == "mahjong" else []  # a whole match is a thousand decisions
            session = begin(path, game.players.named[0].name, game, seat, changes=short, seed=1, deal=seat)
            screen_of(session, "h", "r", "u", "?", "z", "", "nonsense")
            resumed = Session.resume(session.path)
            assert run(resumed, "both", Playing(resumed, seed=seat), quiet()) is True
            table, _ = game_record.play_again(game_record.load(session.path), session.path)
            assert table.over


def test_the_same_deal_is_the_same_table(tmp_path):
    first, second = (begin(tmp_path / f"{name}.json", seed=5, deal=9) for name in "ab")
    assert first.table.states.tobytes() == second.table.states.tobytes()
    other = begin(tmp_path / "c.json", seed=5, deal=10)
    assert first.table.states.tobytes() != other.table.states.tobytes()


# What is typed


def test_moves_by_number_and_by_name(tmp_path):
    session = begin(tmp_path / "game.json", deal=7)
    names = {action: KOIKOI.spaces.actions.names[action] for action, _ in session.choices()}
    callings = {action: [name.ja, name.en] for action, name in names.items()}
    reader = session.reader("en")
    for number, (action, name) in enumerate(names.items(), start=1):
        for typed in (str(number), f" {number} ", chr(0xFF10 + number), name.ja, name.en, name.en.upper()):
            assert understand(typed, callings, reader) == action
    phoenix = next(action for action, name in names.items() if "phoenix" in name.en)
    assert understand("phoenix paulownia", callings, reader) == phoenix
    calls = {AGARI: ["agari"], KOIKOI_CALL: ["koi-koi"]}
    assert understand("KoiKoi", calls, reader) == KOIKOI_CALL
    commands = {"?": "hint", "？": "hint", "Z": "undo", "undo": "undo", "": "table", "ｑ": "quit"}
    for typed, command in commands.items():
        assert understand(typed, callings, reader) == command


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("0", "no move 0: choose 1 to 8"),
        ("9", "no move 9: choose 1 to 8"),
        ("-1", "no move -1: choose 1 to 8"),
        ("9" * 50, "choose 1 to 8"),
        ("tiger", "no move 'tiger' (h for help)"),
        ("paulownia chaff", "'paulownia chaff' could be 7, 8"),
        ("paulownia ph", "no move 'paulownia ph': type a number (6?) or a whole name"),
        ("phoe", "no move 'phoe': type a number (6?) or a whole name"),
        ("ow", "no move 'ow': type a number ("),
        ("tan", "no move 'tan' (h for help)"),
        ("x" * 500, "no move 'xxxxxxxxxxxxxxxxxxxxxxxx…' (h for help)"),
        ("[bold]", "no move '[bold]' (h for help)"),
        ("-", "no move '-' (h for help)"),
    ],
)
def test_a_wrong_line_gets_one_line_and_is_asked_again(tmp_path, typed, answer):
    session = begin(tmp_path / "game.json", deal=7)
    before = session.table.states.tobytes()
    console = Console(file=io.StringIO(), width=80, highlight=False)
    read = Typed(typed, "q")
    run(session, "en", read, console)
    text = console.file.getvalue()
    assert len(read.prompts) == 2
    lines = text[text.rindex("chaff 2") :].splitlines()
    assert answer in lines[1]
    assert lines[2].startswith("saved")
    assert session.table.states.tobytes() == before


def test_the_opponents_move_is_told_with_the_card_that_was_drawn(tmp_path):
    session = begin(tmp_path / "game.json", "rule-based/always-stop", deal=7)
    text = screen_of(session, "1", lang="en")
    told = text[text.rindex("rule-based  played") :].splitlines()
    assert re.match(r"rule-based  played [\w ]+, (took [\w ×,]+|left on the field|two cards fit)$", told[0])
    assert re.match(r" +drew [\w ]+, (took [\w ×,]+|left on the field|two cards fit)$", told[1])


def test_colours_are_for_terminals_only(tmp_path, monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    coloured = screen_of(begin(tmp_path / "a.json"), "q", force_terminal=True, color_system="standard")
    assert "\x1b[36m" in coloured or "\x1b[1;36m" in coloured
    assert "\x1b[3" not in screen_of(begin(tmp_path / "b.json"), "q", force_terminal=True, no_color=True)
    assert "\x1b" not in screen_of(begin(tmp_path / "c.json"), "q")


# Hints, unseen cards, rules


def test_hints_are_values_with_intervals_best_first(tmp_path):
    session = begin(tmp_path / "game.json", deal=7, preset="bonus")
    before = session.table.states.tobytes()
    values = session.evaluation().more(60)
    assert sorted(valued.action for valued in values) == sorted(session.view.legal)
    means = [valued.value.mean for valued in values]
    assert means == sorted(means, reverse=True)
    assert all(valued.value.low < valued.value.mean < valued.value.high for valued in values)
    assert session.table.states.tobytes() == before
    text = screen_of(session, "?", lang="en")
    assert "points this round, more is better; 100 guessed worlds; then quick" in text  # 40 on top of 60
    assert len(re.findall(r"[+-]\d+\.\d\d +\d+\.\d\d ± \d+\.\d\d", text)) == len(values) - 1
    assert len(re.findall(r"[+-]\d+\.\d\d +best", text)) == 1


def test_hints_look_at_this_round_alone(tmp_path):
    """With a score of -40 from earlier rounds, a move is still worth what it brings now."""
    session = begin(tmp_path / "game.json", deal=7, preset="bonus")
    session.hint_player = resolve(KOIKOI, "rule-based/always-stop")  # it does not look at the score
    fresh = {valued.action: valued.value.mean for valued in session.evaluation().more(60)}
    session.table.states["score"] = (-40, 40)
    later = {valued.action: valued.value.mean for valued in session.evaluation().more(60)}
    assert later == pytest.approx(fresh)


def test_a_hint_does_not_know_hidden_cards(tmp_path):
    session = begin(tmp_path / "game.json", deal=7)
    values = session.evaluation().more(40)
    state = session.table.states[0]
    hand, drawn = int(cards.cards_of(state.hand[1])[0]), int(state.deck[state.next])
    state.hand[1] = state.hand[1] & ~mask_of(hand) | mask_of(drawn)
    state.deck[state.next] = hand
    assert Evaluation(session.view, hint_player_of(KOIKOI), this_round=True).more(40) == values


@pytest.mark.parametrize(
    ("name", "preset", "changes", "player"),
    [
        ("koikoi", "paper", [], "quick"), ("koikoi", "nintendo", [], "quick"), ("tricks", "plain", [], "quick"),
        ("tricks", "hearts", [], "quick"), ("tricks", "usual", [], "quick"), ("saichugen", None, [], "quick"),
        ("mahjong", None, [], "quick"), ("mahjong", "hand", ["red=no"], "quick"),
        ("kuhn", None, [], "equilibrium"), ("kuhn", None, ["bet=2"], "equilibrium"), ("leduc", None, [], "equilibrium"),
        ("leduc", None, ["first_raise=3"], "honest"),
    ],
)  # fmt: skip
def test_the_strongest_quick_player_of_the_rules_plays_a_hint_on(name, preset, changes, player):
    game = games.find(name)
    found = hint_player_of(game, game.rulebook.make(preset, changes))
    assert (found.name, found.form) == (player, "compiled")


def test_unseen_cards_by_month(tmp_path):
    session = begin(tmp_path / "game.json", deal=7)
    session.step(session.view.legal[0])
    groups = session.unseen("en")
    named = 0
    for _, names in groups:
        named += sum(int(count) if (count := name.partition("×")[2]) else 1 for name in names)
    state = session.view.state[0]
    held = int(state.cards[0]) + len(cards.cards_of(state.pile[0] | state.pile[1] | state.field))
    assert named == 48 - held - (state.card >= 0)
    months = [head.split()[1] for head, _ in groups]
    assert months == [flower.en for flower in FLOWERS if flower.en in months]
    assert "cards not yet seen" in screen_of(session, "u", lang="en")


@pytest.mark.parametrize("preset", list(KOIKOI.rulebook.presets))
def test_rules_in_force(tmp_path, preset):
    text = screen_of(begin(tmp_path / "game.json", preset=preset), "r", "h", lang="en")
    assert f"rules {preset}" in text
    assert "five brights 10" in text
    assert ("flower viewing" in text) == (preset != "paper")
    assert ("7 points and more are doubled" in text) == (preset == "nintendo")
    assert "take back to your previous decision" in text


# Taking back, leaving, coming back


def test_undo_goes_back_to_ones_own_decisions(tmp_path):
    session = begin(tmp_path / "game.json", deal=2)
    places, choose = [], random.Random(2)
    for _ in range(6):
        places.append((len(session.steps), session.table.states.tobytes()))
        session.step(choose.choice(session.view.legal))
    for length, state in reversed(places):
        assert session.undo() is True
        assert session.waiting
        assert (len(session.steps), session.table.states.tobytes()) == (length, state)
        assert game_record.load(session.path).actions == session.table.history
    assert session.undo() is False
    assert "there is nothing to take back" in screen_of(session, "z", lang="en")


@pytest.mark.parametrize("opponent", ["random/always-stop", "rule-based", "Counting", "Batch"])
def test_undo_and_the_same_move_gives_the_same_answer(tmp_path, opponent, own_players):
    other = own_players(opponent) if opponent[0].isupper() else opponent
    session = begin(tmp_path / "game.json", other, deal=3)
    for _ in range(3):
        session.step(session.view.legal[0])
    history = list(session.table.history)
    own = [action for seat, action in history if seat == 0]
    session.undo()
    session.undo()
    session.step(session.view.legal[-1])
    session.undo()
    for action in own[-2:]:
        session.step(action)
    assert session.table.history == history


@pytest.mark.parametrize("opponent", ["random/always-stop", "rule-based", "Counting"])
@pytest.mark.parametrize("seat", [0, 1])
def test_leaving_and_resuming_is_the_same_game(tmp_path, opponent, seat, own_players):
    other = own_players(opponent) if opponent[0].isupper() else opponent
    whole = begin(tmp_path / "whole.json", other, seat=seat, deal=8)
    assert run(whole, "both", Playing(whole, seed=seat), quiet())
    parts = begin(tmp_path / "parts.json", other, seat=seat, deal=8)
    typing = Playing(parts, seed=seat, leave_after=1)
    while not run(parts, "both", typing, quiet()):
        assert game_record.load(parts.path).scores is None
        parts = Session.resume(parts.path)
        typing.session, typing.left = parts, 1
    assert parts.table.history == whole.table.history
    assert game_record.load(parts.path) == game_record.load(whole.path)


@pytest.mark.parametrize("ending", ["q", "end of input", "interrupt"])
def test_leaving_saves_and_says_how_to_go_on(tmp_path, ending):
    session = begin(tmp_path / "game.json", deal=6)
    last = {"q": ["q"], "end of input": [], "interrupt": [KeyboardInterrupt]}[ending]
    text = screen_of(session, "2", *last, lang="en")
    assert text.splitlines()[-2:] == ["saved; to go on:", f"  tefuda play --resume {session.path}"]
    resumed = Session.resume(session.path)
    assert resumed.table.states.tobytes() == session.table.states.tobytes()
    assert [step.action for step in resumed.last_steps()] == [step.action for step in session.last_steps()]


def test_a_finished_game_is_not_resumed(tmp_path):
    session = begin(tmp_path / "game.json")
    run(session, "en", Playing(session), quiet())
    with pytest.raises(Problem, match="finished; `tefuda replay"):
        Session.resume(session.path)


def test_a_place_that_cannot_be_written_is_told_before_the_game(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(Problem, match="cannot write"):
        begin(tmp_path / "file" / "game.json")
    with pytest.raises(Problem, match="is there already"):
        begin(tmp_path / "file")
    assert (tmp_path / "file").read_text() == ""
    with pytest.raises(Problem, match="koikoi has 2 seats"):
        Session.start(KOIKOI, [None, None], tmp_path / "game.json")


def test_a_disk_that_fills_up_does_not_end_the_game(tmp_path, monkeypatch):
    session = begin(tmp_path / "game.json", deal=6)

    def full(path, record):
        raise Problem("cannot write: no space left")

    with monkeypatch.context() as context:
        context.setattr(game_record, "save", full)
        text = screen_of(session, "1", "q", lang="en")
    assert text.splitlines()[-1] == "cannot write: no space left"
    assert len(session.steps) >= 2
    assert "saved" in screen_of(session, "1", "q", lang="en")
    assert game_record.load(session.path).actions == session.table.history


# Players of one's own


def test_players_of_ones_own_that_fail_are_named(tmp_path, own_players):
    lines = {"Failing": r"Failing, move \d+: it failed: RuntimeError: no idea", "Cheating": "Cheating, move 2: illegal"}
    for name, line in lines.items():
        session = begin(tmp_path / f"{name}.json", own_players(name), deal=7)
        console = quiet()
        with pytest.raises(Problem, match=line):
            run(session, "en", Typed("1"), console)
        assert f"tefuda play --resume {session.path}" in console.file.getvalue().replace("\n", "")
        assert len(game_record.load(session.path).actions) >= 1


def test_names_at_the_table():
    assert short_name("somewhere/own.py:Counting") == "Counting"
    assert short_name("somewhere/own.py:Counting/worlds=50+text=other.py:Other") == "Counting"
    assert short_name("policies/mine.npz/always-stop") == "mine"
    assert short_name("rule-based/always-stop") == "rule-based"
    called = seat_titles(["person", "random", "random"], YOU)
    assert Reader(called=called).speaking("en").names == ("you", "random 2", "random 3")
    assert Reader(called=called).speaking("both").names == ("あなた you", "random 2", "random 3")
    persons = Reader(called=seat_titles(["person", "person"], SOMEBODY))
    assert persons.speaking("both").names == ("人 person 1", "人 person 2")
    assert persons.speaking("ja").names == ("人 1", "人 2")


# Yaku in progress


def rule_record(preset="bonus"):
    return KOIKOI.blank(KOIKOI.rulebook.make(preset))[0].rules


def begun(pile, other=(), preset="bonus"):
    rows = progress(mask_of(*pile), mask_of(*other), 0, rule_record(preset))
    return {row.which: (row.have, row.need, cards.cards_of(row.missing)) for row in rows}


def test_yaku_in_progress():
    crane, curtain, moon, rain_man, phoenix, sake = 0, 8, 28, 40, 44, 32
    assert begun([crane, curtain])[yaku.SANKO] == (2, 3, [moon, phoenix])
    assert begun([crane, curtain], [moon])[yaku.SANKO] == (2, 3, [phoenix])
    assert yaku.SANKO not in begun([crane, curtain], [moon, phoenix])
    assert begun([crane, curtain, rain_man])[yaku.AME_SHIKO] == (3, 4, [moon, phoenix])
    three = begun([crane, curtain, moon])
    assert three[yaku.SHIKO] == (3, 4, [phoenix])
    assert three[yaku.AME_SHIKO] == (3, 4, [rain_man])
    assert begun([crane, curtain, moon, phoenix])[yaku.GOKO] == (4, 5, [rain_man])
    assert begun([sake])[yaku.HANAMI] == (1, 2, [curtain])
    assert yaku.HANAMI not in begun([sake], preset="paper")
    assert begun([1, 5])[yaku.AKATAN] == (2, 3, [9])
    assert yaku.AKATAN not in begun([1, 5], [9])
    assert begun([4, 12, 16, 20])[yaku.TANE][:2] == (4, 5)
    assert yaku.TANE in begun([20, 24, 36, 4], preset="bonus")
    assert yaku.TANE not in begun([20, 24, 36, 4], preset="nintendo")
    assert begun([*cards.cards_of(cards.CHAFF)[:8], sake])[yaku.KASU][:2] == (9, 10)
    assert begun([]) == {}


@pytest.mark.slow
def test_what_is_told_of_a_round_adds_up(tmp_path):
    """The yaku that a result names sum up to what it says, whatever way the round was won."""
    told = 0
    for deal in range(6):
        path = tmp_path / f"{deal}.json"
        session = begin(path, "rule-based", preset="bonus", changes=["rounds=4"], deal=deal)
        run(session, "en", Playing(session, seed=deal), quiet())
        reader = session.reader("en", 200)
        before = np.zeros(2)
        for step in session.steps:
            lines = KOIKOI.words.result(step.before, step.after, step.action, reader)
            if not lines:
                continue
            score = step.after[0].score.astype(float)
            gain, before = np.abs(score - before).max(), score
            if "agari" in lines[0]:
                made = lines[0].partition(": ")[2]
                points = [int(number) for number in re.findall(r" (\d+)(?=,| \(|$)", made)]
                raised = re.search(r"\((\d+) → (\d+)\)", lines[0])
                assert sum(points) == (int(raised[1]) if raised else gain)
                assert int(re.search(r"agari \+(\d+)", lines[0])[1]) == gain
                told += 1
            assert lines[-1] == f"score  you {int(score[0]):+d}  rule-based {int(score[1]):+d}"
    assert told >= 12
