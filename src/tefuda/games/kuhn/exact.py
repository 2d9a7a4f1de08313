"""Kuhn poker solved by writing out all of it: 6 deals × 5 ways to bet, walked through the game's own rules.

A table holds twelve chances to bet, in the order of the information sets (rules.py), six for each seat.
Tables of fractions give results without rounding.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from typing import NamedTuple

import numpy as np

from tefuda.games.kuhn import rules
from tefuda.games.kuhn.rules import BET, CARDS, INFORMATION_SETS, PASS, SEATS

Number = Fraction | float
Table = Sequence[Number] | np.ndarray

DEALS = tuple(permutations(range(CARDS)))  # card of the first seat, of the second, the one left over


class Ending(NamedTuple):
    """One way in which a game can go."""

    gain: int  # chips that the first seat wins
    steps: tuple[tuple[int, int, int], ...]  # (seat, information set, action)


def _walk(states: np.ndarray, steps: tuple[tuple[int, int, int], ...], found: list[Ending]) -> None:
    state = states[0]
    seat = rules.to_move(state)
    if seat < 0:
        won = np.zeros(SEATS)
        rules.scores(state, won)
        found.append(Ending(round(won[0]), steps))
        return
    for action in (PASS, BET):
        after = states.copy()
        rules.apply(after[0], action)
        _walk(after, (*steps, (seat, rules.information_set(state, seat), action)), found)


@cache
def endings(bet: int = 1) -> tuple[Ending, ...]:
    """All 30 ways in which a game can go; each deal comes up once in six."""
    found: list[Ending] = []
    for cards in DEALS:
        states = np.zeros(1, rules.State)
        states["rules"]["bet"] = bet
        states["card"] = cards
        states["betting"] = rules.START
        _walk(states, (), found)
    return tuple(found)


def value(first: Table, second: Table, bet: int = 1) -> Number:
    """What the first seat wins on average, in chips a game, when each seat plays by its table."""
    total: Number = Fraction(0)
    for gain, steps in endings(bet):
        chance: Number = Fraction(1)
        for seat, place, action in steps:
            to_bet = (first, second)[seat][place]
            chance *= to_bet if action == BET else 1 - to_bet
        total += gain * chance
    return total / len(DEALS)


def best_response_value(table: Table, seat: int, bet: int = 1) -> Number:
    """The most that a seat can win on average against the table: the best of the 64 ways to play by rote."""
    own = sorted({place for ending in endings(bet) for mover, place, _ in ending.steps if mover == seat})
    best: Number | None = None
    response = [0] * INFORMATION_SETS
    for choices in product((PASS, BET), repeat=len(own)):
        for place, choice in zip(own, choices, strict=True):
            response[place] = choice
        gain = value(response, table, bet) if seat == 0 else -value(table, response, bet)
        best = gain if best is None else max(best, gain)
    assert best is not None
    return best


def exploitability(table: Table, bet: int = 1) -> Number:
    """What a best response gains over the table against itself, mean of both seats, in chips a game.

    The value of the table against itself counts for one seat and against the other, and falls out.
    """
    return (best_response_value(table, 0, bet) + best_response_value(table, 1, bet)) / 2
