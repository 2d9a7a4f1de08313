"""Leduc poker in its parts. tests/search/test_tree.py compares all of its positions with OpenSpiel's."""

import doctest
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from tefuda.arena.exact import exact
from tefuda.arena.games import Seating
from tefuda.arena.games import play as play_deals
from tefuda.engine.network import NAME as NETWORK
from tefuda.engine.single import legal_actions
from tefuda.errors import Problem
from tefuda.games import find, names
from tefuda.games.leduc import GAME, rules
from tefuda.games.leduc.rules import CALL, FOLD, RAISE
from tefuda.kernel.compile import COMPILED
from tefuda.kernel.random import CHECK, stream
from tefuda.players.resolve import resolve
from tefuda.search.exact import chances_of, exploited, seated, value
from tefuda.search.tree import write_out

pytestmark = pytest.mark.kernel  # all of it is quick, uncompiled too

STANDARD = GAME.rulebook.make()
JACKS, QUEENS, KINGS = (0, 1), (2, 3), (4, 5)
LETTERS = {"f": FOLD, "c": CALL, "r": RAISE}

# What is done in both rounds, by whom seat 0 is beaten at a showdown or who folds, and the chips that are lost then.
STAKES = [
    ("rf", 1, 1), ("crf", 0, 1), ("rrf", 0, 3), ("crrf", 1, 3),
    ("cc rf", 1, 1), ("rc crf", 0, 3), ("crc rrf", 0, 7), ("rrc crrf", 1, 9), ("crrc rf", 1, 5),
    ("cc cc", None, 1), ("rc cc", None, 3), ("cc rc", None, 5), ("crrc crrc", None, 13), ("rrc crc", None, 9),
]  # fmt: skip


@pytest.fixture(scope="module")
def tree():
    return write_out(GAME, STANDARD)


def table_of(first, second, public, done="", changes=()) -> np.ndarray:
    """A table with given cards, after what was done, with a blank between rounds."""
    states = GAME.blank(GAME.rulebook.make(changes=list(changes)))
    states["hand"], states["public"], states["folded"] = (first, second), public, rules.NOBODY
    states["left"] = sum(1 << card for card in range(6) if card not in (first, second, public))
    for letter in done.replace(" ", ""):
        assert LETTERS[letter] in legal_actions(GAME, states)
        GAME.kernels.apply(states[0], LETTERS[letter])
    return states


def scores_of(states) -> list[float]:
    out = np.full(2, np.nan)
    GAME.kernels.scores(states[0], out)
    return out.tolist()


def test_is_found_by_its_folder_alone():
    assert "leduc" in names()
    assert find("leduc") is GAME
    assert [player.name for player in GAME.players.named] == [
        "random", "always-call", "always-raise", "honest", "equilibrium", "pimc",
    ]  # fmt: skip
    assert GAME.players.policy(NETWORK)


@pytest.mark.parametrize(("done", "loser", "chips"), STAKES)
def test_what_is_staked_and_lost(done, loser, chips):
    """A queen meets a king beside a jack, so that seat 0 loses a showdown."""
    states = table_of(2, 4, 0, done)
    assert GAME.kernels.to_move(states[0]) == -1
    assert legal_actions(GAME, states) == []
    gain = chips if loser == 1 else -chips
    assert scores_of(states) == [gain, -gain]
    assert rules.stake(states[0], loser or 0) == chips


def test_raises_are_as_large_as_the_rules_say():
    sizes = ("first_raise=3", "second_raise=10")
    assert scores_of(table_of(2, 4, 0, "rrc rrc", sizes)) == [-27, 27]  # 1 + 2 × 3 + 2 × 10
    assert scores_of(table_of(2, 4, 0, "rc crf", sizes)) == [-4, 4]
    for change in ("first_raise=0", "second_raise=21", "first_raise=much"):
        with pytest.raises(Problem):
            GAME.rulebook.make(changes=[change])


@pytest.mark.parametrize(
    ("first", "second", "public", "winner"),
    [
        (KINGS[0], QUEENS[0], JACKS[0], 0), (JACKS[0], QUEENS[0], KINGS[0], 1),  # the higher card
        (JACKS[0], KINGS[0], JACKS[1], 0), (KINGS[0], QUEENS[0], QUEENS[1], 1),  # a pair beats it
        (JACKS[0], JACKS[1], KINGS[0], None), (KINGS[1], KINGS[0], JACKS[0], None),  # suits mean nothing
    ],
)  # fmt: skip
def test_who_wins_a_showdown(first, second, public, winner):
    gain = {0: 1, 1: -1, None: 0}[winner]
    assert scores_of(table_of(first, second, public, "cc cc")) == [gain, -gain]
    assert scores_of(table_of(first, second, public, "rc rc")) == [7 * gain, -7 * gain]


def test_who_decides_and_what_is_legal():
    for before in ("", "cc ", "crrc "):
        for done, seat, legal in [
            ("", 0, [CALL, RAISE]), ("c", 1, [CALL, RAISE]), ("r", 1, [FOLD, CALL, RAISE]),
            ("cr", 0, [FOLD, CALL, RAISE]), ("rr", 0, [FOLD, CALL]), ("crr", 1, [FOLD, CALL]),
        ]:  # fmt: skip
            states = table_of(2, 4, 0, before + done)
            assert GAME.kernels.to_move(states[0]) == seat
            assert legal_actions(GAME, states) == legal
            assert scores_of(states) == [0, 0]  # what lies in the pot is nobody's yet


@given(some.permutations(range(6)), some.integers(0, 2**32), some.integers(0, 1))
@settings(max_examples=150, deadline=None)
def test_a_game_goes_on_as_the_rules_say_whatever_is_done(cards, seed, seat):
    """Along a random game: stakes never fall, hidden cards are blank, a guess agrees with all that was seen."""
    luck = random.Random(seed)
    states = table_of(*cards[:3])
    staked = [1, 1]
    rng = np.array([stream(seed, 0, 0, CHECK)], np.uint64)
    for _ in range(GAME.checks.longest + 1):
        now = [int(rules.stake(states[0], each)) for each in (0, 1)]
        assert all(new >= old for new, old in zip(now, staked, strict=True))
        staked = now
        view = states.copy()
        GAME.kernels.hide(view[0], seat)
        shown = bool(rules.is_showdown(states[0]))
        assert view["hand"][0].tolist() == [cards[each] if each == seat or shown else -1 for each in (0, 1)]
        assert int(view["public"][0]) == (cards[2] if states[0].finished > 0 else -1)
        assert int(view["left"][0]) == (int(states["left"][0]) if shown else 0)
        world = view.copy()
        GAME.kernels.guess(world[0], seat, rng)
        dealt = [*world["hand"][0].tolist(), int(world["public"][0])]
        assert sorted([*dealt, *(card for card in range(6) if int(world["left"][0]) >> card & 1)]) == list(range(6))
        again = world.copy()
        GAME.kernels.hide(again[0], seat)
        assert again.tobytes() == view.tobytes()
        legal = legal_actions(GAME, states)
        if not legal:
            break
        GAME.kernels.apply(states[0], luck.choice(legal))
    assert GAME.kernels.to_move(states[0]) == -1
    first, second = scores_of(states)
    assert first == -second
    assert abs(first) in (0, min(staked))


def chances_at(name: str, states: np.ndarray) -> list[float]:
    """What a player does at a table, by its own chances."""
    seat = int(GAME.kernels.to_move(states[0]))
    view, out, mask = states.copy(), np.zeros(3), np.zeros(1, np.uint64)
    GAME.kernels.hide(view[0], seat)
    GAME.kernels.legal(view[0], mask)
    entrant = resolve(GAME, name)
    entrant.policy.chances(view[0], seat, entrant.params, mask, np.empty(1, GAME.State), np.empty(3), out)
    return out.tolist()


def test_simple_players_do_what_they_say():
    for done in ("", "r", "rr", "cc r", "cc rr"):
        states = table_of(0, 3, 4, done)
        legal = legal_actions(GAME, states)
        sure = {action: [float(action == each) for each in range(3)] for action in range(3)}
        assert chances_at("always-call", states) == sure[CALL]
        assert chances_at("always-raise", states) == sure[RAISE if RAISE in legal else CALL]
        assert chances_at("random", states) == pytest.approx([(each in legal) / len(legal) for each in range(3)])
    said = {  # own card of seat 1, public card, what was done before: what honest does
        (0, 2, "c"): CALL, (0, 2, "r"): FOLD, (2, 0, "r"): CALL, (4, 0, "r"): RAISE, (4, 0, "crr"): CALL,
        (0, 1, "cc r"): RAISE, (4, 0, "cc r"): CALL, (2, 0, "cc c"): CALL, (0, 2, "cc r"): FOLD, (0, 2, "cc c"): CALL,
        (4, 5, "cc crr"): CALL,
    }  # fmt: skip
    for (own, public, done), action in said.items():
        other = next(card for card in range(6) if card not in (own, public))
        assert chances_at("honest", table_of(other, own, public, done)) == [float(action == each) for each in range(3)]


@pytest.mark.slow
def test_the_equilibrium_that_is_shipped_cannot_be_exploited():
    result = exact(GAME, "equilibrium", STANDARD)
    assert result.samples == 0
    assert 0 <= result.found.exploitability < 1e-6
    assert result.found.values == pytest.approx([-0.0856064, 0.0856064], abs=1e-6)


def test_the_equilibrium_is_for_the_standard_rules():
    with pytest.raises(Problem, match="equilibrium plays leduc with first_raise=2 second_raise=4 only"):
        resolve(GAME, "equilibrium", GAME.rulebook.make(changes=["first_raise=3"]))
    same = GAME.rulebook.make(changes=["first_raise=2"])
    assert resolve(GAME, "equilibrium", same).name == "equilibrium"
    default = GAME.players.default_opponent
    assert resolve(GAME, default, GAME.rulebook.make(changes=["first_raise=3"])).name == default  # it plays by all


@pytest.mark.parametrize("pair", [("equilibrium", "random"), ("honest", "always-raise"), ("random", "always-call")])
def test_play_agrees_with_the_exact_value(pair, tree):
    deals = 300_000 if COMPILED else 1_000
    players = [resolve(GAME, name) for name in pair]
    plays = [chances_of(tree, player.policy, player.params) for player in players]
    expected = [value(tree, seated(tree, plays))[0], value(tree, seated(tree, plays[::-1]))[1]]
    played = play_deals(GAME, STANDARD, Seating(players, np.array([[0, 1], [1, 0]])), 7, 0, deals)
    mine = np.stack([played.scores[:, 0, 0], played.scores[:, 1, 1]])
    error = mine.std(axis=1, ddof=1) / np.sqrt(deals)
    assert np.all(error > 0)
    assert np.all(np.abs(mine.mean(axis=1) - expected) < 4 * error)


def test_text():
    states = table_of(4, 1, 3, "rc cr")
    assert GAME.words.show(states, 0, "en").splitlines() == [
        "ante 1, raise 2, 4  to move: seat 0", "first round: bet, call", "second round: check, bet",
        "seat 0: king of spades  in the pot 3", "seat 1: face down  in the pot 7", "public card: queen of hearts",
        "left over: face down",
    ]  # fmt: skip
    assert [GAME.words.action_name(states, action, "en") for action in range(3)] == ["fold", "call", "raise"]
    fresh = table_of(4, 1, 3)
    assert [GAME.words.action_name(fresh, action, "ja") for action in (CALL, RAISE)] == ["チェック", "ベット"]
    assert "場札: 伏せ札" in GAME.words.show(fresh, 0, "ja")
    assert "場札: ハートのクイーン" in GAME.words.show(fresh, None, "ja")
    over = GAME.words.show(table_of(4, 1, 3, "cc cc"), 1, "en")
    assert "over: +1 / -1" in over
    assert "left over: jack of spades, queen of spades, king of hearts" in over
    folded = GAME.words.show(table_of(4, 1, 3, "rf"), 0, "en")
    assert "first round: bet, fold" in folded
    assert "second round" not in folded
    assert "public card: face down" in folded


@pytest.mark.slow
def test_readme_agrees_with_the_game(tree):
    readme = (GAME.folder / "README.md").read_text()
    assert GAME.spaces.actions.markdown() in readme
    assert GAME.spaces.observation.markdown() in readme
    for player in ("random", "always-call", "always-raise", "honest"):
        row = next(line for line in readme.splitlines() if line.startswith(f"| `{player}` |"))
        chances = chances_of(tree, GAME.players.policy(player), resolve(GAME, player).params)
        assert row.endswith(f"| {exploited(tree, chances).exploitability:.3f} |")
    examples = doctest.testfile(str(GAME.folder / "README.md"), module_relative=False, encoding="utf-8")
    assert examples.attempted == 3
    assert examples.failed == 0
