"""What a seat of Koi-Koi cannot know: hidden, and guessed evenly."""

import math
import random
from itertools import islice

import numpy as np
import pytest
from hypothesis import given, settings

from tefuda.games.koikoi import GAME, hiding
from tefuda.games.koikoi.cards import CARDS, cards_of, mask_of
from tefuda.games.koikoi.options import RULEBOOK
from tefuda.games.koikoi.state import UNKNOWN
from tefuda.kernel.compile import COMPILED, kernel
from tefuda.kernel.random import CHECK, stream
from tests.games.koikoi import witness_koikoi as witness
from tests.games.koikoi.engine_table import (
    all_cards,
    any_action,
    any_rules,
    dealt_hand,
    final_scores,
    hidden,
    legal_actions,
    pack,
    seeds,
    walk,
)

kernel_test = pytest.mark.kernel
examples = settings(max_examples=40 if COMPILED else 8, deadline=None, derandomize=True, database=None)


def contents(states: np.ndarray) -> list[bytes]:
    """Every byte of a table, field by field: the gaps between the fields mean nothing."""
    return [states[name].tobytes() for name in GAME.State.names]


def observation(states: np.ndarray, seat: int) -> list[float]:
    out = np.zeros(GAME.spaces.observation.size, np.float32)
    GAME.kernels.observe(states[0], seat, out)
    return out.tolist()


def swap_what_is_hidden(states: np.ndarray, seat: int, chance: random.Random) -> np.ndarray:
    """Another table that looks the same to a seat: other cards in the other hand and the deck, other keys."""
    swapped = states.copy()
    state = swapped[0]
    visible = {card for mask in (state.hand[seat], *state.pile, state.field) for card in cards_of(mask)}
    unseen = [card for card in pack(state) if card not in visible and card != state.card]
    chance.shuffle(unseen)
    held = int(state.cards[1 - seat])
    state.hand[1 - seat] = mask_of(*unseen[:held])
    state.deck[state.next : len(pack(state))] = unseen[held:]
    state.deck[: state.next] = [chance.randrange(CARDS) for _ in range(state.next)]
    state.key[0] = chance.getrandbits(64)
    state.shuffle[0] = chance.getrandbits(64)
    return swapped


@pytest.mark.slow
@kernel_test
@examples
@given(any_rules(most_rounds=2), seeds)
def test_hide_removes_all_that_a_seat_cannot_see(chosen, seed):
    chance = random.Random(seed)
    for states in walk(GAME.blank(chosen), seed):
        for seat in (0, 1):
            view = hidden(states, seat)
            assert view[0].hand[1 - seat] == 0
            assert view[0].key[0] == 0
            assert view[0].shuffle[0] == 0
            assert set(view[0].deck.tolist()) == {UNKNOWN}
            assert contents(view) == contents(hidden(swap_what_is_hidden(states, seat, chance), seat))


@kernel_test
@examples
@given(any_rules(most_rounds=2), seeds)
def test_a_view_still_shows_all_that_a_seat_can_see(chosen, seed):
    """The observation and the legal actions are those of the table, and so is every visible field."""
    for states in walk(GAME.blank(chosen), seed):
        for seat in (0, 1):
            view = hidden(states, seat)
            assert observation(view, seat) == observation(states, seat)
            assert view[0].hand[seat] == states[0].hand[seat]
            for name in GAME.State.names:
                if name not in ("hand", "key", "shuffle", "deck"):
                    assert view[name].tobytes() == states[name].tobytes(), name
            if GAME.kernels.to_move(states[0]) == seat:
                assert legal_actions(view) == legal_actions(states)


@kernel_test
@examples
@given(any_rules(most_rounds=2), seeds)
def test_guess_fills_the_blanks_and_nothing_else(chosen, seed):
    chance = random.Random(seed)
    texts = {option.key: option.text(chosen.values[option.key]) for option in RULEBOOK.options}
    agreed = witness.rules_of(texts)
    for states in walk(GAME.blank(chosen), seed):
        if GAME.kernels.to_move(states[0]) < 0:
            return
        for seat in (0, 1):
            assert GAME.checks.allowed(states, seat)  # what is really there must be possible
            view = hidden(states, seat)
            guessed = view.copy()
            GAME.kernels.guess(guessed[0], seat, np.array([chance.getrandbits(64)], np.uint64))
            assert contents(hidden(guessed, seat)) == contents(view)
            assert sorted(all_cards(guessed[0])) == pack(guessed[0])
            assert len(cards_of(guessed[0].hand[1 - seat])) == states[0].cards[1 - seat]
            assert GAME.checks.allowed(guessed, seat)
            if states[0].turn > 0:  # then no hand has ended or repeated the deal
                hand = dealt_hand(guessed[0], 1 - seat)
                assert agreed.teshi == "play" or not witness.has_teshi(hand)
                assert agreed.kuttsuki == "play" or not witness.has_kuttsuki(hand)


@kernel_test
@examples
@given(any_rules(most_rounds=2), seeds)
def test_a_guessed_table_can_be_played_to_its_end(chosen, seed):
    chance = random.Random(seed)
    for number, states in enumerate(walk(GAME.blank(chosen), seed)):
        seat = GAME.kernels.to_move(states[0])
        if seat >= 0 and number % 7 == 0:
            world = hidden(states, seat)
            GAME.kernels.guess(world[0], seat, np.array([chance.getrandbits(64)], np.uint64))
            while GAME.kernels.to_move(world[0]) >= 0:
                GAME.kernels.apply(world[0], any_action(world, chance))
            assert sum(final_scores(world)) == 0
            assert sorted(all_cards(world[0])) == pack(world[0])


def _guess_many(view, seat, rng, number, world, in_hand, drawn_next):
    """Count, over many guesses, which cards the other holds and which comes next from the deck."""
    for _ in range(number):
        world[0] = view[0]
        hiding.guess(world[0], seat, rng)
        for card in range(CARDS):
            if (world[0].hand[1 - seat] >> np.uint64(card)) & np.uint64(1) != np.uint64(0):
                in_hand[card] += 1
        drawn_next[world[0].deck[world[0].next]] += 1


guess_many = kernel(_guess_many)


@kernel_test
@pytest.mark.parametrize("decisions", [0, 3, 9])
def test_guess_is_uniform(decisions):
    """Every unseen card is as often in the other hand as any other, and as often the next of the deck."""
    number = 100_000 if COMPILED else 400
    blank = GAME.blank(RULEBOOK.make("paper", ["teshi=play"]))
    states = next(islice(walk(blank, 5, koikoi=1.0), decisions, None))
    seat = int(GAME.kernels.to_move(states[0]))
    view = hidden(states, seat)
    in_hand, drawn_next = np.zeros((2, CARDS), np.int64)
    rng = np.array([stream(3, decisions, 0, CHECK)], np.uint64)
    guess_many(view, seat, rng, number, view.copy(), in_hand, drawn_next)
    unseen = cards_of(hiding.unseen(view[0], seat))
    share = int(view[0].cards[1 - seat]) / len(unseen)
    freedom = len(unseen) - 1
    for counts, part in ((in_hand, share), (drawn_next, 1 / len(unseen))):
        assert counts.sum() == counts[unseen].sum()
        assert counts.sum() == pytest.approx(number * part * len(unseen))
        # Drawn without putting back, the counts hang together; this factor makes it a chi-square.
        variance = number * part * (1 - part) * len(unseen) / freedom
        chi_square = ((counts[unseen] - number * part) ** 2 / variance).sum()
        assert abs(chi_square - freedom) < 4 * math.sqrt(2 * freedom)
