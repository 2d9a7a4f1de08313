"""A game of two decisions that can be made with other options and other observations: see test_told.py.

Each seat has a card from 0 to 4 and says low (0) or high (1), one after the other; who is right gets a chip.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tefuda.contract import (
    Checks,
    Game,
    Headline,
    Kernels,
    Layout,
    Name,
    NamedPlayer,
    Option,
    Part,
    Players,
    Policy,
    RuleBook,
    Scoring,
    Space,
    Spaces,
    Words,
    plain_parameters,
    rules_part,
)
from tefuda.engine.network import with_network
from tefuda.kernel.bits import count_words, nth_of_words
from tefuda.kernel.compile import kernel, record_type
from tefuda.kernel.random import below

CARDS = 5
VALUES = {"stake": "3", "limit": "2", "bonus": "1"}  # of the options, in the only preset
CARD, SAID = Part("card", CARDS, "the own card"), Part("said", 2, "what the other has said")


@kernel
def read_stake(rules):
    return rules.stake


@kernel
def read_limit(rules):
    return rules.limit


@kernel
def read_bonus(rules):
    return rules.bonus


READ = {"stake": read_stake, "limit": read_limit, "bonus": read_bonus}


@kernel
def write_nothing(state, out):
    """Where there are no options to tell."""


def writing(before, place: int, read):
    """A kernel that tells one option more than another does."""

    def write(state, out):
        before(state, out)
        out[place] = read(state.rules) / 10.0

    return kernel(write)


@kernel
def choose_any(view, seat, params, rng, mask, worlds, numbers):
    return nth_of_words(mask, below(rng, count_words(mask)))


def small_game(options: Sequence[str], parts: Sequence[Part] = (CARD, SAID), at: int = 1, version: int = 1) -> Game:
    """The game with some options, which the observation tells before its part number `at`."""
    chosen = tuple(Option(key, f"what {key} is", low=0, high=9) for key in options)
    book = RuleBook(chosen, {"usual": {key: VALUES[key] for key in options}})
    State = record_type([("card", np.int8, 2), ("said", np.int8, 2), ("rules", book.dtype)])
    told = [rules_part(chosen)] if chosen else []
    observation = Space((*parts[:at], *told, *parts[at:]), version)
    card_at, said_at = observation.slices["card"].start, observation.slices["said"].start
    rules_at = observation.slices["rules"].start if told else 0

    def deal(state, rng):
        for seat in range(2):
            state.card[seat] = below(rng, CARDS)
            state.said[seat] = -1

    def to_move(state):
        return 0 if state.said[0] < 0 else 1 if state.said[1] < 0 else -1

    def legal(state, mask):
        mask[0] = np.uint64(3)

    def apply(state, action):
        state.said[0 if state.said[0] < 0 else 1] = action

    def scores(state, out):
        for seat in range(2):
            out[seat] = state.said[seat] == (state.card[seat] > 2)

    def hide(state, seat):
        state.card[1 - seat] = -1

    def guess(state, seat, rng):
        state.card[1 - seat] = below(rng, CARDS)

    write_rules = write_nothing
    for place, key in enumerate(options):
        write_rules = writing(write_rules, place, READ[key])

    def observe(state, seat, out):
        for card in range(CARDS):
            out[card_at + card] = state.card[seat] == card
        for said in range(2):
            out[said_at + said] = state.said[1 - seat] == said
        write_rules(state, out[rules_at:])

    kernels = Kernels(*map(kernel, (deal, to_move, legal, apply, scores, observe, hide, guess)))
    return with_network(
        Game(
            name="small",
            title=Name("小", "small"),
            seats=2,
            folder=Path(__file__).parent,
            State=State,
            kernels=kernels,
            spaces=Spaces(Space((Part("say", 2, "low or high"),)), observation),
            rulebook=book,
            players=Players(
                (Policy("random", choose_any, plain_parameters),), (NamedPlayer("random", "any", "random"),)
            ),
            scoring=Scoring(Headline("chips", True, 0.5, lambda found: found)),
            words=Words(lambda *_: "", lambda states, action, lang: str(action)),
            checks=Checks(lambda states, seat: Layout([], [], []), lambda *_: None, lambda *_: True, 2),
        )
    )
