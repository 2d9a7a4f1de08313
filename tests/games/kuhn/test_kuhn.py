"""Kuhn poker against what is known of it: payoffs, the exact solution, and play that agrees with both."""

import doctest
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from tefuda.arena.games import Seating
from tefuda.arena.games import play as play_deals
from tefuda.errors import Problem
from tefuda.games import find, names
from tefuda.games.kuhn import GAME, players, rules
from tefuda.kernel.compile import COMPILED
from tefuda.kernel.random import CHECK, DEAL, stream
from tefuda.players.resolve import resolve
from tests.games.kuhn import tables

pytestmark = pytest.mark.kernel  # all of it is quick, uncompiled too

JACK, QUEEN, KING = 0, 1, 2
DEALS = list(permutations((JACK, QUEEN, KING)))
ALPHAS = [Fraction(0), Fraction(1, 10), Fraction(1, 5), Fraction(1, 3)]
HALF = [Fraction(1, 2)] * rules.INFORMATION_SETS
NEAR = 1e-12
SEQUENCES = {"pp": (0, 0), "pbp": (0, 1, 0), "pbb": (0, 1, 1), "bp": (1, 0), "bb": (1, 1)}
UNFINISHED = {"": (), "p": (0,), "b": (1,), "pb": (0, 1)}


def table_of(cards, actions=(), bet=1) -> np.ndarray:
    """A table with given cards, after some actions."""
    states = GAME.blank(GAME.rulebook.make(changes=[f"bet={bet}"]))
    states["card"] = cards
    states["betting"] = rules.START
    for action in actions:
        assert legal_actions(states) == [rules.PASS, rules.BET]
        GAME.kernels.apply(states[0], action)
    return states


def all_tables():
    """Every table that can occur: 6 deals × 9 ways to bet."""
    return [table_of(cards, done) for cards in DEALS for done in (UNFINISHED | SEQUENCES).values()]


def legal_actions(states) -> list[int]:
    mask = np.full(GAME.spaces.mask_words, 99, np.uint64)
    GAME.kernels.legal(states[0], mask)
    return [action for action in range(64) if int(mask[0]) >> action & 1]


def scores_of(states) -> list[float]:
    out = np.full(2, np.nan)
    GAME.kernels.scores(states[0], out)
    return out.tolist()


def view_of(states, seat) -> np.ndarray:
    view = states.copy()
    GAME.kernels.hide(view[0], seat)
    return view


def observed(states, seat) -> list[float]:
    out = np.full(GAME.spaces.observation.size, np.nan, np.float32)
    GAME.kernels.observe(states[0], seat, out)
    return out.tolist()


def rng_of(seed) -> np.ndarray:
    return np.array([stream(seed, 0, 0, CHECK)], np.uint64)


def test_is_found_by_its_folder_alone():
    assert "kuhn" in names()
    assert find("kuhn") is GAME
    assert [player.name for player in GAME.players.named] == [
        "random",
        "equilibrium",
        "equilibrium",
        "always-bet",
        "always-pass",
        "pimc",
    ]
    for bet, table in ((1, players.equilibrium()), (2, players.equilibrium(bet=2)), (9, players.equilibrium(bet=9))):
        chosen = GAME.rulebook.make(changes=[f"bet={bet}"])
        assert resolve(GAME, "equilibrium", chosen).params.tolist() == pytest.approx(table)  # the same name for both


@pytest.mark.parametrize("bet", [1, 2, 9])
def test_payoffs_of_the_five_sequences(bet):
    for cards in DEALS:
        higher = 1 if cards[0] > cards[1] else -1
        expected = {"pp": higher, "pbp": -1, "pbb": higher * (1 + bet), "bp": 1, "bb": higher * (1 + bet)}
        for sequence, actions in SEQUENCES.items():
            states = table_of(cards, actions, bet)
            assert GAME.kernels.to_move(states[0]) == -1
            assert legal_actions(states) == []
            assert scores_of(states) == [expected[sequence], -expected[sequence]]


def test_who_decides():
    for done, seat in {"": 0, "p": 1, "b": 1, "pb": 0}.items():
        states = table_of((JACK, QUEEN, KING), UNFINISHED[done])
        assert GAME.kernels.to_move(states[0]) == seat
        assert scores_of(states) == [0, 0]


def test_deals_are_uniform():
    deals = 60_000 if COMPILED else 6_000
    states = GAME.blank()
    seen = dict.fromkeys(DEALS, 0)
    for number in range(deals):
        GAME.kernels.deal(states[0], np.array([stream(1, number, 0, DEAL)], np.uint64))
        seen[tuple(states[0].card.tolist())] += 1  # a deal that is no permutation is a KeyError
    chi_square = sum((count - deals / 6) ** 2 for count in seen.values()) / (deals / 6)
    assert chi_square < 20.5  # 5 degrees of freedom, one in a thousand


@pytest.mark.slow
def test_guess_is_uniform_on_the_two_cards_of_the_other():
    guesses = 5_000 if COMPILED else 1_000
    rng = rng_of(2)
    tested = 0
    for done in [*UNFINISHED.values(), SEQUENCES["bp"], SEQUENCES["pbp"]]:
        for seat in (0, 1):
            for own in (JACK, QUEEN, KING):
                other = (own + 1) % 3
                cards = (own, other, 3 - own - other) if seat == 0 else (other, own, 3 - own - other)
                view = view_of(table_of(cards, done), seat)
                counts = dict.fromkeys({JACK, QUEEN, KING} - {own}, 0)
                for _ in range(guesses):
                    world = view.copy()
                    GAME.kernels.guess(world[0], seat, rng)
                    held = world[0].card.tolist()
                    assert sorted(held) == [JACK, QUEEN, KING]
                    assert held[seat] == own
                    counts[held[1 - seat]] += 1
                first, second = counts.values()
                assert (first - second) ** 2 / guesses < 15.1  # 1 degree of freedom, one in ten thousand
                tested += 1
    assert tested == 36


def test_nothing_leaks():
    """Whatever lies in the hidden slots: the same view, the same observation, the same guess."""
    pairs = 0
    for states in all_tables():
        for seat in (0, 1):
            view = view_of(states, seat)
            assert observed(view, seat) == observed(states, seat)
            seen = GAME.checks.layout(states, seat)
            assert sorted(seen.cards) == [JACK, QUEEN, KING]
            if not any(seen.hidden):
                assert view.tobytes() == states.tobytes()
                continue
            assert [card == rules.UNKNOWN for card in view[0].card] == seen.hidden
            swapped = states.copy()
            hidden = [card for card, is_hidden in zip(seen.cards, seen.hidden, strict=True) if is_hidden]
            cards = [hidden.pop() if is_hidden else card
                     for card, is_hidden in zip(seen.cards, seen.hidden, strict=True)]  # fmt: skip
            GAME.checks.rebuild(swapped, seen, cards)
            assert swapped[0].card.tolist() == cards != states[0].card.tolist()
            assert GAME.checks.allowed(swapped, seat)
            assert view_of(swapped, seat).tobytes() == view.tobytes()
            assert observed(swapped, seat) == observed(states, seat)
            assert GAME.words.show(swapped, seat) == GAME.words.show(states, seat) == GAME.words.show(view, seat)
            for seed in range(10):
                guesses = [table.copy() for table in (states, swapped, view)]
                for guessed in guesses:
                    GAME.kernels.guess(guessed[0], seat, rng_of(seed))
                assert len({guessed.tobytes() for guessed in guesses}) == 1
            pairs += 1
    assert pairs == 6 * 6 * 2  # six ways to bet without a showdown


def test_a_showdown_opens_the_cards_and_a_fold_does_not():
    for sequence, actions in SEQUENCES.items():
        states = table_of((QUEEN, KING, JACK), actions)
        parts = GAME.spaces.observation.by_name(np.array(observed(states, 0)))
        shown = sequence in ("pp", "pbb", "bb")
        assert parts["other_card"].tolist() == ([0, 0, 1] if shown else [0, 0, 0])
        assert scores_of(view_of(states, 0)) == scores_of(states)  # what a seat was paid is no secret
        guessed = view_of(states, 0)
        GAME.kernels.guess(guessed[0], 0, rng_of(3))
        assert not shown or guessed.tobytes() == states.tobytes()


def test_information_sets_have_one_order_everywhere():
    order = [(done, card) for done in ("", "p", "b", "pb") for card in (JACK, QUEEN, KING)]
    mask, worlds, numbers = np.array([3], np.uint64), np.empty(1, GAME.State), np.empty(2)
    for place, (done, card) in enumerate(order):
        seat = 0 if done in ("", "pb") else 1
        other = (card + 1) % 3
        cards = (card, other, 3 - card - other) if seat == 0 else (other, card, 3 - card - other)
        states = table_of(cards, UNFINISHED[done])
        assert rules.information_set(states[0], seat) == place
        information = GAME.spaces.observation.slices["information_set"]
        assert observed(states, seat)[information] == [float(i == place) for i in range(12)]
        assert sum(observed(states, 1 - seat)[information]) == 0
        for only in range(rules.INFORMATION_SETS):
            params = np.zeros(rules.INFORMATION_SETS)
            params[only] = 1
            view = view_of(states, seat)
            choose = GAME.players.policy("table").choose
            action = choose(view[0], seat, params, rng_of(only), mask, worlds, numbers)
            assert action == (rules.BET if only == place else rules.PASS)


@pytest.mark.parametrize("alpha", ALPHAS, ids=str)
def test_equilibrium_has_the_value_of_the_game_and_cannot_be_exploited(alpha):
    table = players.equilibrium(alpha)
    for other in ALPHAS:
        assert tables.value(table, players.equilibrium(other)) == pytest.approx(-1 / 18, abs=NEAR)
    assert tables.best_response_value(table, 0) == pytest.approx(-1 / 18, abs=NEAR)
    assert tables.best_response_value(table, 1) == pytest.approx(1 / 18, abs=NEAR)
    assert tables.exploitability(table) == pytest.approx(0, abs=NEAR)


@pytest.mark.parametrize("bet", range(2, 10))
def test_larger_bets_are_solved_too(bet):
    table = players.equilibrium(bet=bet)
    assert tables.value(table, table, bet) == pytest.approx(0, abs=NEAR)
    assert tables.exploitability(table, bet) == pytest.approx(0, abs=NEAR)
    assert tables.exploitability(players.equilibrium(), bet) > 0.01  # the table of bet 1 would be wrong here


def test_the_weak_can_be_exploited():
    """By hand for the uniform table: half of all bets meet a fold (+1) and half a call (2 chips either way).

    Seat 0 does best to bet everything: jack 1/2 - 1, queen 1/2 + 0, king 1/2 + 1, mean 1/2.
    Seat 1 does best to bet everything after a check, worth as much, and to call a bet with all but the jack:
    jack (-1/2 - 1) / 2, queen (1/2 + 0) / 2, king (3/2 + 2) / 2, mean 5/12.
    So the exploitability is (1/2 + 5/12) / 2 = 11/24.
    """
    assert tables.best_response_value(HALF, 0) == pytest.approx(1 / 2, abs=NEAR)
    assert tables.best_response_value(HALF, 1) == pytest.approx(5 / 12, abs=NEAR)
    assert tables.exploitability(HALF) == pytest.approx(11 / 24, abs=NEAR)
    assert tables.exploitability([1] * 12) == pytest.approx(1 / 3, abs=NEAR)
    assert tables.exploitability([0] * 12) == pytest.approx(1, abs=NEAR)


def test_a_perturbed_equilibrium_can_be_exploited():
    """One chance changed, and the others left as they were, always costs something."""
    for place in range(rules.INFORMATION_SETS):
        table = players.equilibrium(Fraction(1, 5))
        table[place] += Fraction(1, 20) if table[place] < 1 else Fraction(-1, 20)
        assert tables.exploitability(table) > 1e-4, place


def params_of(name: str, variant: str = "") -> np.ndarray:
    return GAME.players.policies[GAME.players.index(name)].parameters(variant, np.empty(0))


def play(pair, deals, bet=1, seed=7):
    """The mean of the first player in each seat by compiled play, and its standard error."""
    chosen = GAME.rulebook.make(changes=[f"bet={bet}"])
    seating = Seating([resolve(GAME, name, chosen) for name in pair], np.array([[0, 1], [1, 0]]))
    played = play_deals(GAME, chosen, seating, seed, 0, deals)
    assert 2 * 2 * deals <= played.decisions <= 2 * GAME.checks.longest * deals
    assert np.all(played.scores.sum(axis=2) == GAME.scoring.total)
    mine = np.stack([played.scores[:, 0, 0], played.scores[:, 1, 1]])
    return mine.mean(axis=1), mine.std(axis=1, ddof=1) / np.sqrt(deals)


@pytest.mark.parametrize(
    ("pair", "bet"),
    [
        (("equilibrium", "equilibrium/0.2"), 1),
        (("random", "equilibrium/0"), 1),
        (("always-bet", "random"), 1),
        (("always-pass", "equilibrium"), 1),
        (("random", "equilibrium"), 3),
    ],
)
def test_play_agrees_with_the_exact_value(pair, bet):
    deals = 500_000 if COMPILED else 2_000
    chosen = GAME.rulebook.make(changes=[f"bet={bet}"])
    given = [resolve(GAME, name, chosen).params for name in pair]
    expected = [tables.value(*given, bet), -tables.value(*reversed(given), bet)]
    mean, error = play(pair, deals, bet)
    assert np.all(error > 0)
    assert np.all(np.abs(mean - np.array(expected)) < 4 * error)


def test_play_is_the_same_for_the_same_seed():
    pair = ("equilibrium", "random")
    assert np.array_equal(play(pair, 1_000, seed=5), play(pair, 1_000, seed=5))
    assert not np.array_equal(play(pair, 1_000, seed=5), play(pair, 1_000, seed=6))


def test_parameters_are_checked():
    assert params_of("equilibrium", "0.2").tolist() == pytest.approx(players.equilibrium(0.2))
    assert params_of("equilibrium-large-bet", "0.2").tolist() == pytest.approx(players.equilibrium(bet=2))
    assert params_of("random").tolist() == [0.5] * 12
    for name, variant in [
        ("equilibrium", "0.5"), ("equilibrium", "-0.1"), ("equilibrium", "nan"), ("equilibrium", "often"),
        ("random", "0.2"), ("always-bet", "x"),
    ]:  # fmt: skip
        with pytest.raises(Problem):
            params_of(name, variant)
    table = GAME.players.policies[GAME.players.index("table")]
    assert table.weights == rules.INFORMATION_SETS
    assert table.parameters("", np.arange(12) / 12).tolist() == (np.arange(12) / 12).tolist()
    for weights in (np.zeros(11), np.full(12, 1.5), np.full(12, np.nan)):
        with pytest.raises(Problem):
            table.parameters("", weights)
    for bet in ("0", "10", "much"):
        with pytest.raises(Problem):
            GAME.rulebook.make(changes=[f"bet={bet}"])


def test_text():
    states = table_of((QUEEN, KING, JACK), UNFINISHED["pb"])
    assert [GAME.words.action_name(states, action, "en") for action in (0, 1)] == ["fold", "call"]
    assert [GAME.words.action_name(table_of((QUEEN, KING, JACK)), action, "ja") for action in (0, 1)] == [
        "チェック", "ベット"
    ]  # fmt: skip
    assert GAME.words.show(states, 0, "en").splitlines() == [
        "ante 1, bet 1  betting: check, bet  to move: seat 0", "seat 0: queen", "seat 1: face down",
        "left over: face down",
    ]  # fmt: skip
    everything = ["席 0: クイーン", "席 1: キング", "残り: ジャック"]
    assert GAME.words.show(states, None, "ja").splitlines()[1:] == everything
    over = table_of((QUEEN, KING, JACK), SEQUENCES["pbb"], bet=2)
    assert "over: -3 / +3" in GAME.words.show(over, 0, "en")
    assert "キング (king)" in GAME.words.show(over, 0)


def test_readme_agrees_with_the_game():
    readme = (GAME.folder / "README.md").read_text()
    assert GAME.spaces.actions.markdown() in readme
    assert GAME.spaces.observation.markdown() in readme
    examples = doctest.testfile(str(GAME.folder / "README.md"), module_relative=False, encoding="utf-8")
    assert examples.attempted == 4
    assert examples.failed == 0
