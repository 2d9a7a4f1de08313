"""The conformance check catches Koi-Koi that was broken on purpose: by exactly the checks that should."""

import pytest

from tefuda.conformance import play
from tefuda.games.koikoi import GAME as KOIKOI
from tefuda.games.koikoi import rules as koikoi
from tefuda.games.koikoi.cards import CARDS_IN
from tefuda.games.koikoi.hiding import hand_is_possible, hide, unseen
from tefuda.games.koikoi.state import UNKNOWN, months_in, turned
from tefuda.kernel.bits import ONE, ZERO, count, has, lowest, without_lowest
from tefuda.kernel.compile import COMPILED, kernel
from tefuda.kernel.random import below, draw
from tests.conformance.breaking import AGREE, FILLS, KEEPS, PLACES, SEATS_KNOW, TAKES, UNIFORM, broken, failing


@kernel
def blank_and_refill(state, seat):
    """Put the unseen cards into the deck in their natural order; returns the place of the first."""
    for place in range(48):
        state.deck[place] = UNKNOWN
    first = int(state.next) - int(state.cards[1 - seat])
    rest = unseen(state, seat)
    place = first
    while rest != ZERO:
        state.deck[place] = lowest(rest)
        rest = without_lowest(rest)
        place += 1
    return first


@kernel
def give_hand(state, other, first):
    """The first of the shuffled cards are the other hand."""
    state.hand[other] = koikoi.set_of(state.deck, first, int(state.next))
    for place in range(first, int(state.next)):
        state.deck[place] = UNKNOWN


@kernel
def exchange(deck, one, two):
    card = deck[one]
    deck[one] = deck[two]
    deck[two] = card


@kernel
def naive_shuffle_guess(state, seat, rng):
    """The beginner's shuffle: each place changes with any other, which is not uniform."""
    state.key[0] = draw(rng)
    state.shuffle[0] = ZERO
    while True:
        first = blank_and_refill(state, seat)
        cards = CARDS_IN[state.rules.pack]
        for place in range(first, cards):
            exchange(state.deck, place, first + below(rng, cards - first))
        give_hand(state, 1 - seat, first)
        if hand_is_possible(state, 1 - seat):
            return


@kernel
def sorted_deck_guess(state, seat, rng):
    """Deals the hand at random, and leaves the deck in order."""
    state.key[0] = draw(rng)
    state.shuffle[0] = ZERO
    while True:
        first = blank_and_refill(state, seat)
        koikoi.shuffle(state.deck, CARDS_IN[state.rules.pack], first, int(state.next), rng)
        give_hand(state, 1 - seat, first)
        if hand_is_possible(state, 1 - seat):
            return


@kernel
def months_together_guess(state, seat, rng):
    """Likes hands with cards of one month: a card alone is as likely as any other, two together are not."""
    state.key[0] = draw(rng)
    state.shuffle[0] = ZERO
    for attempt in range(200):
        first = blank_and_refill(state, seat)
        koikoi.shuffle(state.deck, CARDS_IN[state.rules.pack], first, turned(state.rules), rng)
        give_hand(state, 1 - seat, first)
        hand = state.hand[1 - seat]
        together = count(hand) - count(months_in(hand))
        if hand_is_possible(state, 1 - seat) and (together >= 3 or attempt > 20):
            return


@kernel
def careless_guess(state, seat, rng):
    """Also guesses hands that would have been dealt again."""
    state.key[0] = draw(rng)
    state.shuffle[0] = ZERO
    first = blank_and_refill(state, seat)
    koikoi.shuffle(state.deck, CARDS_IN[state.rules.pack], first, turned(state.rules), rng)
    give_hand(state, 1 - seat, first)


@kernel
def true_order_guess(state, seat, rng):
    """Shuffles the true deck where it is there: uniform, but by the same numbers it tells the true order."""
    other = 1 - seat
    known = state.deck[state.next] != UNKNOWN
    state.key[0] = draw(rng)
    state.shuffle[0] = ZERO
    first = int(state.next) - int(state.cards[other])
    if known:
        rest = state.hand[other]
        for place in range(first):
            state.deck[place] = UNKNOWN
        for place in range(first, int(state.next)):
            state.deck[place] = lowest(rest)
            rest = without_lowest(rest)
    else:
        blank_and_refill(state, seat)
    while True:
        koikoi.shuffle(state.deck, CARDS_IN[state.rules.pack], first, turned(state.rules), rng)
        hand = koikoi.set_of(state.deck, first, int(state.next))
        state.hand[other] = hand
        if hand_is_possible(state, other):
            break
    give_hand(state, other, first)


@kernel
def deck_leaking_hide(state, seat):
    state.hand[1 - seat] = ZERO
    state.key[0] = ZERO
    state.shuffle[0] = ZERO


@kernel
def dealt_leaking_hide(state, seat):
    """Blanks the deck that is still to come, and leaves the record of what was dealt."""
    for place in range(int(state.next), 48):
        state.deck[place] = UNKNOWN
    state.hand[1 - seat] = ZERO
    state.key[0] = ZERO
    state.shuffle[0] = ZERO


@kernel
def key_leaking_hide(state, seat):
    """Leaves the source of the deals to come."""
    key = state.key[0]
    hide(state, seat)
    state.key[0] = key


KOIKOI_OBSERVE = KOIKOI.kernels.observe


@kernel
def hand_leaking_observe(state, seat, out):
    KOIKOI_OBSERVE(state, seat, out)
    out[7] = out[7] + has(state.hand[1 - seat], 7) * 0.5


RULES_AT = KOIKOI.spaces.observation.rules.start


@kernel
def two_options_exchanged_observe(state, seat, out):
    KOIKOI_OBSERVE(state, seat, out)
    out[RULES_AT] = state.rules.sake / 10.0
    out[RULES_AT + 1] = state.rules.rounds / 10.0


@kernel
def one_sided_scores(state, out):
    out[0] = state.score[0]
    out[1] = 0.0


KOIKOI_PLACES = KOIKOI.learning.places


@kernel
def places_from_one(state, out):
    """1 for the first and 2 for the last: who plays for the most of it plays to lose."""
    KOIKOI_PLACES(state, out)
    for seat in range(2):
        out[seat] = 1.5 - out[seat]


@kernel
def places_turned_around(state, out):
    KOIKOI_PLACES(state, out)
    out[0], out[1] = out[1], out[0]


@kernel
def dropping_apply(state, action):
    """Now and then a card falls from the field under the table."""
    koikoi.apply(state, action)
    if count(state.field) == 9:
        state.field = state.field & (state.field - ONE)


CARDS_CHECKS = (play.games_end, play.cards_are_conserved, play.scores_add_up)
SECRECY_CHECKS = (SEATS_KNOW, KEEPS, TAKES)
BROKEN_KOIKOI = {
    "guess by true order": ({"guess": true_order_guess}, (SEATS_KNOW, KEEPS, TAKES, UNIFORM), {TAKES}),
    "sorted deck": ({"guess": sorted_deck_guess}, (KEEPS, TAKES, UNIFORM), {UNIFORM}),
    "hide that leaves the deck": ({"hide": deck_leaking_hide}, SECRECY_CHECKS, {SEATS_KNOW, KEEPS}),
    "hide that leaves what was dealt": ({"hide": dealt_leaking_hide}, SECRECY_CHECKS, {KEEPS}),
    "hide that leaves the key": ({"hide": key_leaking_hide}, SECRECY_CHECKS, {KEEPS}),
    "observe that tells the other hand": (
        {"observe": hand_leaking_observe}, (*SECRECY_CHECKS, FILLS), {SEATS_KNOW, KEEPS},
    ),
    "observe that tells two options the other way round": (
        {"observe": two_options_exchanged_observe}, (FILLS, AGREE), {AGREE},
    ),
    "scores of one side": ({"scores": one_sided_scores}, CARDS_CHECKS, {play.scores_add_up}),
    "places from 1": ({"places": places_from_one}, (PLACES, FILLS), {PLACES}),
    "places turned around": ({"places": places_turned_around}, (PLACES, FILLS), {PLACES}),
    "a card dropped": ({"apply": dropping_apply}, CARDS_CHECKS, {play.cards_are_conserved}),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.kernel
@pytest.mark.parametrize("what", BROKEN_KOIKOI)
def test_broken_koikoi_is_caught_by_the_right_checks(what, tmp_path):
    changes, checks, expected = BROKEN_KOIKOI[what]
    assert failing(broken(KOIKOI, tmp_path, what.replace(" ", "-"), **changes), *checks) == expected


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="a small bias needs more guesses than uncompiled kernels make in time")
@pytest.mark.parametrize("guess", [naive_shuffle_guess, months_together_guess, careless_guess])
def test_small_biases_of_a_guess_are_caught(guess, tmp_path):
    game = broken(KOIKOI, tmp_path, guess.__name__, guess=guess)
    assert failing(game, TAKES, UNIFORM) == {UNIFORM}
