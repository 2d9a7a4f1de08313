"""The players of Saichugen: every choice against brute force, tactics and strategies against the paper's words."""

import random
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tefuda.arena.match import match
from tefuda.engine.loops import loops_of
from tefuda.engine.seated import scratch, seated
from tefuda.errors import Problem
from tefuda.games.saichugen import GAME, PLAYERS, rules
from tefuda.games.saichugen.cards import CARDS, cards_of, mask_of
from tefuda.games.saichugen.players import choices, exact, plan, tactics
from tefuda.kernel.compile import COMPILED
from tefuda.kernel.random import CHECK, DEAL, stream
from tefuda.players.resolve import resolve
from tefuda.table.table import legal_actions

pytestmark = pytest.mark.kernel

EXAMPLES = 150 if COMPILED else 8


def rng_of(number: int) -> np.ndarray:
    return np.array([stream(2, number, 0, CHECK)], np.uint64)


def table(deal: int, decisions: int, preset: str = "paper") -> np.ndarray:
    """A table of a random game."""
    states = GAME.blank(GAME.rulebook.make(preset))
    GAME.kernels.deal(states[0], np.array([stream(2, deal, 0, DEAL)], np.uint64))
    source = random.Random(deal)
    for _ in range(decisions):
        GAME.kernels.apply(states[0], source.choice(legal_actions(GAME, states)))
    return states


def set_up(hand: list[int], points=(0, 0, 0), total=(0, 0, 0), turn: int = 0, number: int = 0) -> np.ndarray:
    """A table at which seat 0 decides with some cards; everything else is unseen by it or was played long ago."""
    states = table(0, 0)
    state = states[0]
    held = 17 - 3 * number - turn
    assert len(hand) <= held
    rest = [card for card in range(CARDS) if card not in hand]
    state.points[:], state.total[:], state.turn, state.finished = points, total, turn, number
    state.scored[:] = [value > 0 for value in points]
    state.hand[0], state.hand[1], state.hand[2] = mask_of(*hand), mask_of(*rest[:held]), mask_of(*rest[held : 2 * held])
    return states


def laid_by(name: str, states: np.ndarray, number: int = 0) -> int:
    """What a player lays at a table, asked as in a match."""
    entrant = resolve(GAME, name)
    tables = np.repeat(states, 2)
    rngs = np.repeat(rng_of(number), 3)
    _, _, mask, worlds, numbers, _ = scratch(GAME, [entrant])
    seat = int(GAME.kernels.to_move(states[0]))
    return int(loops_of(GAME).ask(tables, seat, 0, seated(GAME, [entrant]), rngs, mask, worlds, numbers))


def all_laid_by(name: str, states: np.ndarray) -> set[int]:
    """All that a player lays at a table, with many streams of random numbers."""
    return {laid_by(name, states, number) for number in range(120)}


# ── brute force: the paper's definitions, written with lists ──


def unseen_by(states: np.ndarray, seat: int) -> list[int]:
    """Section 5.1: all cards less those turned up and those of the own hand."""
    state = states[0]
    known = set(cards_of(state.hand[seat])).union(*(cards_of(mask) for mask in state.played))
    return [card for card in range(CARDS) if card not in known]


def ways(card: int, unseen: list[int]) -> int:
    """How many pairs of the opponents' cards let a card score."""
    return sum(one < card < two or two < card < one for one, two in permutations(unseen, 2))


def choice1(cards: list[int], unseen: list[int]) -> int:
    return max(sorted(cards), key=lambda card: ways(card, unseen))  # max and min give the first of equals, the lowest


def choice2(cards: list[int], unseen: list[int]) -> int:
    return min(sorted(cards), key=lambda card: ways(card, unseen))


def number(card: int) -> int:
    return card // 4 + 1


def would_be(states: np.ndarray, seat: int, card: int) -> str:
    """Where a seat's round would end if a card of it scored in the last turn: middle, above or below."""
    own = int(states[0].points[seat]) + number(card)
    others = [int(states[0].points[other]) for other in range(3) if other != seat]
    return "above" if own > max(others) else "below" if own < min(others) else "middle"


def expected_of(tactic: str, states: np.ndarray, seat: int) -> set[int]:
    """The cards that a tactic may lay, by the words of sections 5.2 to 5.4 and the default readings."""
    state = states[0]
    hand, unseen = cards_of(state.hand[seat]), unseen_by(states, seat)
    scored = state.points[seat] > 0
    others = [other for other in range(3) if other != seat]
    take, avoid = {choice1(hand, unseen)}, {choice2(hand, unseen)}
    if tactic in ("T-take", "T-take+3t") and not (tactic == "T-take+3t" and state.turn == 2):
        return avoid if scored else take
    if tactic in ("T-nottake", "T-nottake+3t") and not (tactic == "T-nottake+3t" and state.turn == 2):
        return take if scored else avoid
    if tactic == "T-take+3t":
        fitting = [card for card in hand if would_be(states, seat, card) == "middle"]
    elif tactic == "T-nottake+3t":
        above = [card for card in hand if would_be(states, seat, card) == "above"]
        below = [card for card in hand if would_be(states, seat, card) == "below"]
        fitting = above or below
        if not fitting:
            return set(hand)
    else:
        wanted = sorted(int(state.total[other]) - int(state.total[seat]) for other in others)
        if state.turn < 2:
            if scored:
                return avoid
            fitting = [card for card in hand if number(card) <= wanted[1]]
        else:
            fitting = [
                card for card in hand
                if would_be(states, seat, card) == "middle"
                and wanted[0] <= int(state.points[seat]) + number(card) <= wanted[1]
            ]  # fmt: skip
    return {choice1(fitting, unseen)} if fitting else avoid


# ── choices ──


@pytest.mark.slow
@settings(max_examples=EXAMPLES, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 44))
def test_choices_are_those_of_brute_force(deal, decisions):
    states = table(deal, decisions)
    seat = int(states[0].seat)
    hand, unseen = cards_of(states[0].hand[seat]), unseen_by(states, seat)
    assert all(2 * choices.ways_to_score(card, mask_of(*unseen)) == ways(card, unseen) for card in hand)
    assert laid_by("choice1", states) == choice1(hand, unseen)
    assert laid_by("choice2", states) == choice2(hand, unseen)
    assert laid_by("choice3", states) == min(hand)
    assert laid_by("choice4", states) == max(hand)
    assert laid_by("choice0", states, deal) in hand


def test_equal_chances_are_settled_by_the_lower_card():
    unseen = [0, 1, 50, 51]  # every card between has four pairs around it
    assert choices.pick(choices.MOST, mask_of(40, 20, 30), mask_of(*unseen), rng_of(0)) == 20
    assert choices.pick(choices.LEAST, mask_of(40, 20, 30), mask_of(*unseen), rng_of(0)) == 20


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.integers(-20, 40), st.integers(-20, 40))
def test_cards_between_two_numbers_of_points(low, high):
    assert cards_of(choices.between(low, high)) == [card for card in range(CARDS) if low <= number(card) <= high]


def test_random_cards_are_all_cards_of_the_hand():
    states = set_up([3, 17, 30, 44])
    assert all_laid_by("choice0", states) == all_laid_by("random", states) == {3, 17, 30, 44}


# ── tactics ──

TACTICS = ("T-take", "T-nottake", "T-take+3t", "T-nottake+3t", "T-takepoint")


@pytest.mark.slow
@pytest.mark.parametrize("tactic", TACTICS)
@settings(max_examples=EXAMPLES, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 44))
def test_tactics_are_those_of_the_papers_words(tactic, deal, decisions):
    states = table(deal, decisions)
    allowed = expected_of(tactic, states, int(states[0].seat))
    assert laid_by(tactic, states, deal) in allowed
    if len(allowed) == len(cards_of(states[0].hand[int(states[0].seat)])) > 1 and COMPILED:
        assert len(all_laid_by(tactic, states)) > 1  # no card fits: any card, not always the same


def test_one_point_is_a_score():
    """An ace that scored counts as having scored, in the round and in the game."""
    hand = [12, 24, 51]
    states = set_up(hand, points=(1, 0, 0), turn=1)
    assert laid_by("T-take", states) == choice2(hand, unseen_by(states, 0)) == 51
    assert laid_by("T-nottake", states) == choice1(hand, unseen_by(states, 0)) == 24
    assert laid_by("S-base", set_up(hand, total=(1, 0, 0), number=1)) == 51
    assert laid_by("S-base", set_up(hand, total=(0, 1, 0), number=1)) == 24


# Cards are 4 × (number − 1) + suit, so that 13 is ♦4 and 30 is ♥8. Here all other cards are unseen.
def test_the_papers_examples_of_the_third_turn():
    """Section 5.3: with 0 points against 5 and 8 a four is no use; against 3 and 10, aces, twos and pictures lose."""
    four, five, king = 15, 16, 51
    states = set_up([four, five, king], points=(0, 5, 8), turn=2)
    assert laid_by("T-take", states) == four
    assert laid_by("T-take+3t", states) == five
    states = set_up([four, king], points=(0, 5, 8), turn=2)
    assert laid_by("T-take+3t", states) == king  # no card fits, so it rather does not score
    assert all_laid_by("T-take+3t/none=random", states) == {four, king}
    three, two, jack = 8, 4, 40
    states = set_up([three, two, 30], points=(0, 3, 10), turn=2)
    assert laid_by("T-nottake+3t", states) == two
    states = set_up([three, two, jack, king, 30], points=(0, 3, 10), turn=2)
    assert laid_by("T-nottake+3t", states) == jack  # rather above both, with the likelier card
    assert laid_by("T-nottake+3t/lose=below", states) == two
    assert laid_by("T-nottake+3t/lose=either", states) == choice1([two, jack, king], unseen_by(states, 0))
    assert laid_by("T-nottake+3t/lose_card=least", states) == king
    assert all_laid_by("T-nottake+3t/lose_card=random", states) == {jack, king}
    assert all_laid_by("T-nottake+3t", set_up([three, 30], points=(0, 3, 10), turn=2)) == {three, 30}


def test_readings_of_the_third_turn():
    hand = [12, 24, 51]
    for points in ((9, 2, 5), (0, 9, 10)):  # above both others, and out of reach: no card leads to the middle
        states = set_up(hand, points=points, turn=2)
        assert laid_by("T-take+3t", states) == choice2(hand, unseen_by(states, 0)) == 51
        assert laid_by("T-take+3t/none=most", states) == choice1(hand, unseen_by(states, 0)) == 24
        assert all_laid_by("T-take+3t/none=random", states) == set(hand)
    states = set_up(hand, points=(0, 0, 13), turn=2)  # no card of the hand loses
    assert all_laid_by("T-nottake+3t", states) == set(hand)
    assert laid_by("T-nottake+3t/none_loses=least", states) == 51
    assert laid_by("T-nottake+3t/none_loses=most", states) == 24


def test_takepoint_aims_at_the_points_that_lead_to_the_middle():
    ace, three, six, queen = 0, 8, 20, 44
    hand = [ace, three, six, queen]
    states = set_up(hand, total=(2, 5, 9), number=3)  # 3 to 7 points lead to the middle
    assert laid_by("T-takepoint", states) == six
    assert laid_by("T-takepoint", set_up([ace, queen], total=(2, 5, 9), number=3)) == ace  # any points up to 7
    states = set_up([three, queen], total=(2, 6, 9), number=3)
    assert laid_by("T-takepoint", states) == three
    assert laid_by("T-takepoint/points=n1", states) == choice2([three, queen], unseen_by(states, 0)) == queen
    assert all_laid_by("T-takepoint/points=n1,none=random", states) == {three, queen}
    states = set_up(hand, points=(4, 0, 0), total=(2, 5, 9), number=3, turn=1)
    assert laid_by("T-takepoint", states) == choice2(hand, unseen_by(states, 0))
    states = set_up(hand, points=(0, 2, 4), total=(2, 5, 9), number=3, turn=2)  # the middle is 2 to 4, wanted 3 to 7
    assert laid_by("T-takepoint", states) == three


# ── strategies ──


@pytest.mark.parametrize("name", ["S-random", "S-base", "S-base+3t", "S-base+3t+4r"])
@settings(max_examples=EXAMPLES, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 44))
def test_strategies_pick_tactics_by_round_and_game_score(name, deal, decisions):
    states = table(deal, decisions)
    state = states[0]
    seat = int(state.seat)
    more = "" if name == "S-base" else "+3t"
    tactic = f"T-nottake{more}" if state.total[seat] > 0 else f"T-take{more}"
    if name == "S-base+3t+4r" and state.finished >= 3:
        ahead = state.total[seat] > 0 and state.total[seat] == max(state.total)
        tactic = "T-nottake+3t" if ahead else "T-takepoint"
    if name == "S-random":
        tactic = "T-random"
    assert laid_by(name, states, deal) == laid_by(tactic, states, deal)


@pytest.mark.parametrize(
    ("total", "tactic"),
    [
        ((0, 0, 0), "T-takepoint"), ((0, 4, 0), "T-takepoint"), ((3, 5, 9), "T-takepoint"), ((7, 5, 12), "T-takepoint"),
        ((9, 5, 9), "T-nottake+3t"), ((12, 5, 9), "T-nottake+3t"), ((5, 0, 0), "T-nottake+3t"),
    ],
)  # fmt: skip
def test_late_tactics_by_the_standing_in_the_game(total, tactic):
    """Level with or above both others, points lead away from the middle."""
    for turn in range(3):
        states = set_up([0, 9, 21, 33, 50], total=total, turn=turn, number=3)
        other = ({"T-takepoint", "T-nottake+3t"} - {tactic}).pop()
        laid = {name: all_laid_by(f"{name}/none=random", states) for name in ("S-base+3t+4r", tactic, other)}
        assert laid["S-base+3t+4r"] == laid[tactic]
        if turn == 0:
            assert laid["S-base+3t+4r"] != laid[other]


def test_plans_write_out_the_tables():
    written = tactics.plan_of(tactics.STRATEGIES["S-base+3t+4r"], "nottake").reshape(5, 3, 3, 2)
    assert written[0, plan.WITHOUT].tolist() == [list(turn) for turn in tactics.TACTICS["T-take+3t"].turns]
    assert written[2, plan.AHEAD].tolist() == [list(turn) for turn in tactics.TACTICS["T-nottake+3t"].turns]
    assert written[4, plan.WITH].tolist() == [list(turn) for turn in tactics.TACTICS["T-takepoint"].turns]
    other = tactics.plan_of(tactics.STRATEGIES["S-base+3t+4r"], "takepoint").reshape(5, 3, 3, 2)
    assert other[4, plan.AHEAD].tolist() == other[4, plan.WITH].tolist() != written[4, plan.AHEAD].tolist()
    assert (other[:3] == written[:3]).all()


def test_every_name_and_reading_is_a_player():
    names = {"random", *(f"choice{each}" for each in range(6)), "T-random", *TACTICS}
    planned = {player.name for player in PLAYERS if player.file is None}
    assert names | {"S-random", "S-base", "S-base+3t", "S-base+3t+4r"} == planned
    readings = {**{key: reading.values for key, reading in tactics.READINGS.items()}, "ahead": tactics.AHEAD_TACTICS}
    different = {tuple(resolve(GAME, "S-base+3t+4r").params)}
    for key, values in readings.items():
        for place, value in enumerate(values):
            params = tuple(resolve(GAME, f"S-base+3t+4r/{key}={value}").params)
            assert (params in different) == (place == 0)  # the first value is the default, the others are not
            different.add(params)
    both = resolve(GAME, "S-base/none=most,end=exact").params
    assert (both[plan.NONE], both[plan.EXACT_END]) == (choices.MOST, 1)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("S-base/nonsense=1", "unknown reading of S-base"),
        ("S-base/none", "unknown reading of S-base"),
        ("S-base/none=some", "none takes least, random, most"),
        ("random/end=exact", "takes no variant"),
        ("S-bse", "S-base"),
    ],
)
def test_wrong_names_are_told(name, said):
    with pytest.raises(Problem, match=said):
        resolve(GAME, name)


# ── the exact end ──


def value_at_end(states: np.ndarray, seat: int, card: int) -> float:
    """The mean score of a card in the last turn, with the rules of a game written anew."""
    state = states[0]
    unseen = unseen_by(states, seat)
    total = 0.0
    pairs = list(permutations(unseen, 2))
    for one, two in pairs:
        cards = {seat: card, (seat + 1) % 3: one, (seat + 2) % 3: two}
        scorer = next(who for who in cards if cards[who] == sorted(cards.values())[1])
        points = [int(state.points[who]) + (number(cards[who]) if who == scorer else 0) for who in range(3)]
        kept = [points[who] if points[who] == sorted(points)[1] else 0 for who in range(3)]
        game = [int(state.total[who]) + kept[who] for who in range(3)]
        winners = [who for who in range(3) if game[who] == sorted(game)[1]]
        stakes = {1: (2, -1), 2: (1, -2), 3: (0, 0)}[len(winners)] if state.rules.payoff else (1, 0)
        total += stakes[0] if seat in winners else stakes[1]
    return total / len(pairs)


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["paper", "stake"])
@settings(max_examples=EXAMPLES, deadline=None)
@given(st.integers(0, 2**32), st.integers(42, 44))
def test_the_exact_end_is_that_of_brute_force(preset, deal, decisions):
    states = table(deal, decisions, preset)
    seat = int(states[0].seat)
    view, worlds, numbers = states.copy(), np.zeros(1, GAME.State), np.zeros(3)
    GAME.kernels.hide(view[0], seat)
    hand = cards_of(view[0].hand[seat])
    values = {card: value_at_end(states, seat, card) for card in hand}
    for card in hand:
        found = exact.total_at_end(view[0], seat, card, worlds, numbers) / 42
        assert found == pytest.approx(values[card], abs=1e-12)
    chosen = laid_by("S-base/end=exact", states)
    assert values[chosen] == pytest.approx(max(values.values()), abs=1e-12)
    assert chosen == min(card for card in hand if values[card] == pytest.approx(max(values.values()), abs=1e-12))


def test_the_exact_end_is_for_the_last_turn_only():
    for decisions in range(45):
        states = table(decisions, decisions)
        assert bool(exact.is_last_turn(states[0])) == (decisions >= 42)
        if decisions < 42:
            assert laid_by("S-base/end=exact", states, 7) == laid_by("S-base", states, 7)


def test_guessed_pairs_are_as_likely_as_the_exact_end_believes():
    """The belief of the exact end is that of `guess`: every ordered pair of unseen cards alike."""
    states = table(4, 44)
    view, bits, often = states.copy(), rng_of(4), np.zeros((CARDS, CARDS))
    GAME.kernels.hide(view[0], 2)
    samples = 8400 if COMPILED else 420
    for _ in range(samples):
        guess = view.copy()
        GAME.kernels.guess(guess[0], 2, bits)
        often[int(rules.laid(guess[0], 0)), int(rules.laid(guess[0], 1))] += 1
    pairs = [often[one, two] for one, two in permutations(unseen_by(states, 2), 2)]
    assert sum(pairs) == samples
    assert max(abs(count / samples - 1 / 42) for count in pairs) < 5 * (1 / 42 / samples) ** 0.5


# ── strength ──

# Against two random players, 300,000 games each: see README.md. The paper has 37.054 and 48.416 % at both ends.
MEASURED = {"S-random": 37.05, "S-base": 43.1, "S-base+3t": 44.9, "S-base+3t+4r": 48.3}


@pytest.mark.skipif(not COMPILED, reason="too slow uncompiled")
@pytest.mark.parametrize("name", sorted(MEASURED))
def test_strategies_are_as_strong_as_measured(name):
    row = match(GAME, [name, "random", "random"], 8000, 5).rows[0]
    assert row.figure.mean == pytest.approx(MEASURED[name], abs=1.2)


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="too slow uncompiled")
def test_tactics_succeed_as_in_figures_3_and_4():
    """The third turn is worth about five points to who wins rounds, and little to who loses them."""
    more = {name: match(GAME, [name, "random", "random"], 8000, 5).rows[0].more for name in ("T-random", *TACTICS)}
    won = {name: 100 * each["round_win_rate"] for name, each in more.items()}
    zero = {name: 100 * each["zero_rate"] for name, each in more.items()}
    assert 4 < won["T-take+3t"] - won["T-take"] < 6
    assert won["T-take"] - won["T-random"] > 10
    assert 0.5 < zero["T-nottake+3t"] - zero["T-nottake"] < 2.6
    assert zero["T-nottake"] - zero["T-random"] > 9


@pytest.mark.skipif(not COMPILED, reason="too slow uncompiled")
def test_the_exact_end_wins_more():
    plain, better = "S-base+3t+4r", "S-base+3t+4r/end=exact"
    rates = [match(GAME, [name, "random", "random"], 8000, 6).rows[0].figure.mean for name in (plain, better)]
    assert rates[1] > rates[0] + 1
