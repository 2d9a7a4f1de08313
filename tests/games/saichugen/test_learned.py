"""Saichugen's `learned` player against brute force over all pairs of unseen cards. Standings, prices and the look
ahead are written anew here, from the words of the documentation."""

import random
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tefuda.arena.match import match
from tefuda.files import policy
from tefuda.games.saichugen import GAME
from tefuda.games.saichugen.cards import cards_of
from tefuda.games.saichugen.players import exact, learned
from tefuda.kernel.compile import COMPILED
from tefuda.kernel.random import DEAL, stream
from tefuda.players.entrant import Entrant
from tefuda.players.resolve import resolve
from tefuda.table.table import Table, legal_actions
from tests.games.saichugen.plain_features import PLACE, features, kind, standing, unseen_by

PAPER, STAKE = GAME.rulebook.make("paper"), GAME.rulebook.make("stake")
POLICY = GAME.players.policy("learned")
SHIPPED = ("learned", "learned-vs-random")
slow_uncompiled = pytest.mark.skipif(not COMPILED, reason="too slow uncompiled")


def dealt(deal: int, decisions: int, preset: str = "paper") -> np.ndarray:
    """A table of a random game."""
    states = GAME.blank(GAME.rulebook.make(preset))
    GAME.kernels.deal(states[0], np.array([stream(5, deal, 0, DEAL)], np.uint64))
    source = random.Random(deal)
    for _ in range(decisions):
        GAME.kernels.apply(states[0], source.choice(legal_actions(GAME, states)))
    return states


def seen_by(states: np.ndarray, seat: int) -> np.ndarray:
    view = states.copy()
    GAME.kernels.hide(view[0], seat)
    return view


@cache
def any_weights(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=learned.SIZE)


def laid_by(weights: np.ndarray, states: np.ndarray) -> int:
    """What the player of some weights lays, asked as in a match."""
    return Table(GAME, states=states).ask(Entrant("any", POLICY, weights))


def number(card: int) -> int:
    return card // 4 + 1


def events(card: int, unseen: tuple[int, ...]) -> dict[tuple[int, int], Fraction]:
    """How likely oneself (0), the next (1) or the one before (2) scores which number, over all pairs of their cards."""
    found: Counter[tuple[int, int]] = Counter()
    for cards in permutations(unseen, 2):
        middle = sorted((card, *cards))[1]
        found[(card, *cards).index(middle), number(middle)] += 1
    return {event: Fraction(ways, len(unseen) * (len(unseen) - 1)) for event, ways in found.items()}


class Round:
    """The look ahead of one seat in one round, in plain Python."""

    def __init__(self, states: np.ndarray, seat: int, weights: np.ndarray) -> None:
        state = states[0]
        order = [seat, (seat + 1) % 3, (seat + 2) % 3]
        self.points = tuple(int(state.points[who]) for who in order)
        self.game = tuple(int(state.total[who]) for who in order)
        self.ends = int(state.finished) + 1  # this round's number
        self.turns = 3 - int(state.turn)
        self.stake, self.weights = bool(state.rules.payoff), weights
        unseen = unseen_by(states, seat)
        self.hand = cards_of(state.hand[seat])
        self.events = {
            card: [(who, points, float(chance)) for (who, points), chance in events(card, unseen).items()]
            for card in self.hand
        }
        self.price = {
            card: 0.25 * weights[PLACE[kind(self.ends, card, unseen)]] if self.ends < 5 else 0.0 for card in self.hand
        }
        self.known: dict[tuple, float] = {}

    def end(self, points: tuple[int, ...]) -> float:
        """What the seat expects after the round, which ends with these points."""
        kept = [each if each == sorted(points)[1] else 0 for each in points]
        game = tuple(had + more for had, more in zip(self.game, kept, strict=True))
        if self.ends < 5:
            return sum(self.weights[PLACE[name]] for name in standing(self.ends, game))
        won = [score == sorted(game)[1] for score in game]
        wins, loses = {1: (2, -1), 2: (1, -2), 3: (0, 0)}[sum(won)] if self.stake else (1, 0)
        return wins if won[0] else loses

    def value(self, points: tuple[int, ...], turns: int) -> float:
        """The best that so many turns can bring; the hand stays as it is."""
        if (points, turns) not in self.known:
            self.known[points, turns] = max(self.cards(points, turns).values()) if turns else self.end(points)
        return self.known[points, turns]

    def cards(self, points: tuple[int, ...], turns: int) -> dict[int, float]:
        """What each card brings."""
        return {
            card: -self.price[card] + sum(
                chance * self.value((*points[:who], points[who] + more, *points[who + 1 :]), turns - 1)
                for who, more, chance in self.events[card]
            )
            for card in self.hand
        }  # fmt: skip

    @property
    def values(self) -> dict[int, float]:
        return self.cards(self.points, self.turns)


# ── chances ──


@pytest.mark.kernel
@pytest.mark.parametrize("decisions", [0, 4, 8, 11, 18, 25, 28, 35, 37, 42, 44] if COMPILED else [8, 44])
def test_chances_are_those_of_all_pairs_of_unseen_cards(decisions):
    """Of the own card to score, and of an opponent to score each number, in every round and from every seat."""
    states = dealt(decisions, decisions)
    seat = int(states[0].seat)
    hand, unseen = cards_of(states[0].hand[seat]), unseen_by(states, seat)
    first = learned.ROUND * int(states[0].finished) if states[0].finished < 4 else -1
    numbers = np.full(learned.NUMBERS_NEEDED, np.nan)
    held, size = learned.weigh_cards(seen_by(states, seat)[0], seat, any_weights(0), first, numbers)
    assert (held, size) == (len(hand), len(unseen))
    assert numbers[learned._REST : learned._REST + size].tolist() == [number(card) - 1 for card in unseen]
    after = int(states[0].finished) + 1
    for place, card in enumerate(hand):
        chances = events(card, unseen)
        assert sum(chances.values()) == 1
        assert numbers[learned._NUMBER + place] == number(card)
        assert numbers[learned._BELOW + place] == sum(other < card for other in unseen)
        assert numbers[learned._CHANCE + place] == pytest.approx(float(chances.get((0, number(card)), 0)), abs=1e-12)
        price = 0.25 * any_weights(0)[PLACE[kind(after, card, unseen)]] if after < 5 else 0.0
        assert numbers[learned._PRICE + place] == pytest.approx(price, abs=1e-12)
        for points in range(1, 14):  # only this card is free, and only one event is worth anything
            numbers[learned._PRICE : learned._PRICE + held] = 100.0
            numbers[learned._PRICE + place] = 0.0
            numbers[learned._OWN : learned._OWN + 13] = numbers[learned._SUMS : learned._SUMS + 13] = 0.0
            numbers[learned._SUMS + points - 1] = 1.0
            best, value = learned.best_of((held, size), numbers)
            assert best == place
            assert value == pytest.approx(float(chances.get((1, points), 0)), abs=1e-12)
            assert chances.get((1, points), 0) == chances.get((2, points), 0)
        learned.weigh_cards(seen_by(states, seat)[0], seat, any_weights(0), first, numbers)


@pytest.mark.kernel
def test_the_lowest_of_equal_cards_is_the_best():
    numbers = np.zeros(learned.NUMBERS_NEEDED)
    numbers[learned._BELOW : learned._BELOW + 3] = 0, 2, 2
    numbers[learned._CHANCE + 1] = numbers[learned._CHANCE + 2] = 0.5
    numbers[learned._NUMBER : learned._NUMBER + 3] = 1, 4, 4
    numbers[learned._OWN + 3] = 1.0
    assert learned.best_of((3, 4), numbers) == (1, 0.5)
    numbers[learned._OWN + 3] = -1.0
    assert learned.best_of((3, 4), numbers) == (0, 0.0)


# ── choices ──


def set_up(deal, finished, turn, seat, points, game, preset) -> np.ndarray:
    """A table of a random game; what was scored so far may be any numbers."""
    states = dealt(deal, 9 * finished + 3 * turn + seat, preset)
    if points is not None:
        states[0].points[:] = points
    if game is not None:
        states[0].total[:] = game
    return states


scored = st.none() | st.tuples(*[st.integers(0, 12)] * 3)
kept = st.none() | st.tuples(*[st.integers(0, 9)] * 3) | st.tuples(*[st.integers(17, 42)] * 3)
tables = st.builds(
    set_up, st.integers(0, 2**32), st.integers(0, 4), st.just(2), st.integers(0, 2), scored, kept,
    st.sampled_from(["paper", "stake"]),
)  # fmt: skip
earlier_tables = st.builds(
    set_up, st.integers(0, 2**32), st.integers(0, 4), st.just(1), st.integers(0, 2), scored, kept,
    st.sampled_from(["paper", "stake"]),
)  # fmt: skip


def check_choice(states: np.ndarray, weights: np.ndarray) -> dict[int, float]:
    seat = int(states[0].seat)
    values = Round(states, seat, weights).values
    chosen = laid_by(weights, states)
    assert values[chosen] == pytest.approx(max(values.values()), abs=1e-9)
    return values


@pytest.mark.slow
@pytest.mark.kernel
@settings(max_examples=250 if COMPILED else 25, deadline=None)
@given(tables, st.integers(0, 3))
def test_the_last_turn_of_a_round_is_that_of_brute_force(states, seed):
    check_choice(states, any_weights(seed))


@pytest.mark.kernel
@pytest.mark.parametrize("finished", range(4))
@pytest.mark.parametrize("rare", [0, 1, 2])
def test_every_part_of_the_weights_decides(finished, rare):
    """With only the standings, only the coarse ones or only the prices, the choice is still that of brute force."""
    parts = [
        slice(0, learned.STANDINGS), slice(learned.STANDINGS, learned.STANDINGS + learned.COARSE),
        slice(learned.STANDINGS + learned.COARSE, learned.ROUND),
    ]  # fmt: skip
    weights = np.zeros(learned.SIZE).reshape(4, learned.ROUND)
    weights[:, parts[rare]] = any_weights(7).reshape(4, learned.ROUND)[:, parts[rare]]
    for deal, game in enumerate([None, (29, 31, 44), (0, 30, 3), (40, 2, 26)]):
        states = set_up(deal, finished, 2, deal % 3, None, game, "stake")
        values = check_choice(states, weights.ravel())
        assert max(values.values()) > min(values.values()) + 1e-3


@pytest.mark.kernel
@settings(max_examples=60 if COMPILED else 10, deadline=None)
@given(
    st.integers(0, 2**32), st.integers(0, 2), st.none() | st.tuples(*[st.integers(0, 60)] * 3),
    st.sampled_from(["paper", "stake"]),
)  # fmt: skip
def test_the_last_turn_of_the_game_is_as_good_as_the_exact_end(deal, seat, game, preset):
    """No weight matters there, whatever it is."""
    states = set_up(deal, 4, 2, seat, None, game, preset)
    values = check_choice(states, any_weights(1))
    assert laid_by(any_weights(1), states) == laid_by(np.full(learned.SIZE, 1e6), states)
    ideal = exact.best_at_end(seen_by(states, seat)[0], seat, np.zeros(1, GAME.State), np.zeros(3))
    assert values[int(ideal)] == pytest.approx(values[laid_by(any_weights(1), states)], abs=1e-12)


@pytest.mark.kernel
def test_the_end_of_the_game_brings_what_the_rules_say():
    states, out = dealt(0, 36), np.zeros(3)
    states[0].finished = 5
    for payoff in (0, 1):
        states[0].rules.payoff = payoff
        for game in product((0, 3, 7, 12), repeat=3):
            states[0].total[:] = game
            GAME.kernels.scores(states[0], out)
            assert learned.won(payoff == 1, *game) == out[0]


@pytest.mark.slow
@pytest.mark.kernel
@settings(max_examples=60 if COMPILED else 6, deadline=None)
@given(earlier_tables, st.integers(0, 3))
def test_the_second_turn_looks_through_the_third(states, seed):
    check_choice(states, any_weights(seed))


@pytest.mark.slow
@pytest.mark.kernel
@pytest.mark.parametrize(
    ("finished", "seat", "preset", "game"),
    [(0, 0, "stake", None), (1, 1, "paper", (28, 0, 31)), (3, 2, "paper", None), (4, 1, "paper", None),
     (4, 2, "stake", (9, 5, 12))],
)  # fmt: skip
def test_the_first_turn_looks_through_both_others(finished, seat, preset, game):
    states = set_up(finished, finished, 0, seat, None, game, preset)
    for seed in range(2 if COMPILED else 1):
        values = check_choice(states, any_weights(seed))
        assert max(values.values()) > min(values.values()) + 1e-3


@pytest.mark.kernel
@pytest.mark.parametrize("decisions", [0, 3, 17, 36, 40, 44] if COMPILED else [3, 44])
def test_choices_stay_inside_their_scratch_space(decisions):
    """What was left there changes nothing, and nothing behind it is written to."""
    states = dealt(8, decisions)
    seat = int(states[0].seat)
    view, worlds, mask = seen_by(states, seat), np.zeros(1, GAME.State), np.zeros(1, np.uint64)
    chosen = set()
    for filling in (np.nan, 0.0, 1e9):
        numbers = np.full(learned.NUMBERS_NEEDED + 50, filling)
        GAME.kernels.legal(view[0], mask)
        chosen.add(int(learned.choose(view[0], seat, any_weights(2), np.zeros(1, np.uint64), mask, worlds, numbers)))
        assert np.array_equal(numbers[-50:], np.full(50, filling), equal_nan=True)
    assert chosen == {laid_by(any_weights(2), states)}
    assert POLICY.numbers >= learned.NUMBERS_NEEDED


def swapped(states: np.ndarray, seat: int, seed: int) -> np.ndarray:
    """The same table to a seat, with all hidden cards in other places."""
    seen, other = GAME.checks.layout(states, seat), states.copy()
    hidden = [card for card, secret in zip(seen.cards, seen.hidden, strict=True) if secret]
    random.Random(seed).shuffle(hidden)
    cards = [hidden.pop() if secret else card for card, secret in zip(seen.cards, seen.hidden, strict=True)]
    GAME.checks.rebuild(other, seen, cards)
    return other


@slow_uncompiled
def test_hidden_cards_change_no_choice_and_no_feature():
    for decisions in range(45):
        states = dealt(decisions, decisions, "stake")
        seat = int(states[0].seat)
        other = swapped(states, seat, decisions)
        assert other.tobytes() != states.tobytes()
        for weights in (any_weights(4), resolve(GAME, "learned").params):
            assert laid_by(weights, other) == laid_by(weights, states)
        if decisions in (9, 18, 27, 36):
            assert written(other, seat) == written(states, seat)


# ── what is written down between rounds ──


def written(states: np.ndarray, seat: int) -> list[tuple[int, float]]:
    active, amounts = np.full(learned.MOST + 1, -7), np.full(learned.MOST + 1, -7.0)
    many = learned.write(states[0], seat, any_weights(0), active, amounts)
    assert many <= learned.MOST == GAME.learning.round_values[0].active
    assert (active[many:] == -7).all()
    assert (amounts[many:] == -7).all()
    return list(zip(active[:many].tolist(), amounts[:many].tolist(), strict=True))


@pytest.mark.kernel
@pytest.mark.parametrize("after", [1, 2, 3, 4])
@settings(max_examples=25 if COMPILED else 4, deadline=None)
@given(st.integers(0, 2**32), kept, st.integers(0, 2))
def test_features_are_those_of_the_documentation(after, deal, game, seat):
    states = set_up(deal, after, 0, 0, None, game, "paper")
    found = written(seen_by(states, seat), seat)
    assert len(found) == 2 + 17 - 3 * after
    together: Counter[int] = Counter()
    for index, amount in found:
        assert (after - 1) * learned.ROUND <= index < after * learned.ROUND
        together[index] += amount
    assert together == features(states, seat)
    weights = any_weights(3)
    value = sum(weights[PLACE[name]] for name in standing(after, tuple(np.roll(states[0].total.astype(int), -seat))))
    value += sum(
        0.25 * weights[PLACE[kind(after, card, unseen_by(states, seat))]] for card in cards_of(states[0].hand[seat])
    )
    assert sum(weights[index] * amount for index, amount in found) == pytest.approx(value, abs=1e-9)


@pytest.mark.kernel
@pytest.mark.parametrize("deal", range(3))
def test_moments_are_the_ends_of_all_rounds_but_the_last(deal):
    source, states, moments = random.Random(deal), dealt(deal, 0), []
    for decision in range(1, 46):
        before = states.copy()
        GAME.kernels.apply(states[0], source.choice(legal_actions(GAME, states)))
        if learned.moment(before[0], states[0]):
            moments.append(decision)
    assert GAME.kernels.to_move(states[0]) < 0
    assert moments == [9, 18, 27, 36]


def test_every_weight_has_a_meaning_of_its_own():
    names = learned.names()
    assert len(names) == len(set(names)) == learned.SIZE == learned.POLICY.weights == GAME.learning.round_values[0].size
    for after in range(1, 5):
        assert {
            int(PLACE[name] // learned.ROUND) for name in standing(after, (0, 0, 0)) + standing(after, (99,) * 3)
        } == {after - 1}


# ── the shipped players ──


@pytest.mark.slow
@slow_uncompiled
@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_players_beat_random_ones(name):
    """Equal players win 37 %, weights of nothing but 0 about 47 %, the best of the paper 48 %."""
    card, weights = policy.load_for(GAME, GAME.folder / "policies" / f"{name}.npz")
    assert (card.policy, card.features, len(weights)) == ("learned", learned.FEATURES, learned.SIZE)
    assert np.isfinite(weights).all()
    assert match(GAME, [name, "random", "random"], 150, 5).rows[0].figure.low > 55
    assert match(GAME, [name, "random", "random"], 50, 5, STAKE).rows[0].figure.low > 0


@slow_uncompiled
def test_shipped_players_play_by_what_they_learned():
    """They differ from each other, and from who knows nothing."""
    asked = [dealt(decisions, decisions) for decisions in range(36)]
    choices = [[laid_by(weights, states) for states in asked] for weights in (
        *(resolve(GAME, name).params for name in SHIPPED), np.zeros(learned.SIZE),
    )]  # fmt: skip
    assert all(sum(a != b for a, b in zip(one, two, strict=True)) > 5 for one, two in
               [(choices[0], choices[1]), (choices[0], choices[2]), (choices[1], choices[2])])  # fmt: skip
