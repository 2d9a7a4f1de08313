"""The tables of actions and observations, and the kernel that fills an observation.

Seats are relative throughout: oneself, the next one (to the left), the one before (to the right).
"""

import numpy as np

from tefuda.contract import Name, Part, Shown, Space, of_each, rules_part
from tefuda.games.saichugen.cards import CARDS, NAMES, NUMBERS
from tefuda.games.saichugen.options import OPTIONS
from tefuda.games.saichugen.prospects import MOST, write_prospects
from tefuda.games.saichugen.rules import ROUNDS, SEATS, TURNS, has_laid, laid, to_move
from tefuda.kernel.bits import has
from tefuda.kernel.compile import kernel

ACTIONS = Space((Part("card", CARDS, "lay this card face down", NAMES),))

RELATIVE = (Name("自分", "oneself"), Name("左", "left"), Name("右", "right"))
EACH = of_each(RELATIVE, NAMES)

OBSERVATION = Space(
    (
        Part("hand", CARDS, "cards in the own hand, without the one laid in this turn", NAMES),
        Part("laid", CARDS, "the card that oneself has laid in this turn", NAMES),
        Part("played", SEATS * CARDS, "cards turned up in the whole game: by oneself, left, right", EACH),
        Part("this_round", SEATS * CARDS, "of these, the cards of this round", EACH),
        Part("points", SEATS, "points of this round so far, of 13", RELATIVE),
        Part("scored", SEATS, "turns of this round in which each seat scored, of 3", RELATIVE),
        Part("total", SEATS, "points kept from the rounds before, of 13", RELATIVE),
        Part("won", SEATS, "rounds won, of 5", RELATIVE),
        Part("turn", TURNS, "which turn of the round it is; none when the game is over"),
        Part("round", ROUNDS, "which round it is; none when the game is over"),
        Part("has_laid", SEATS, "who has laid a card in this turn", RELATIVE),
        Part("decides", SEATS, "who decides now", RELATIVE),
        rules_part(OPTIONS, "the options in their order"),
        Part("below", CARDS, "share of the unseen cards below each card of the hand", NAMES),
        Part("scores", CARDS, "chance that it scores when both others lay any unseen card", NAMES),
        Part("round_aim", CARDS, "whether its points would bring oneself to the middle of the round", NAMES),
        Part("game_aim", CARDS, "whether they would bring oneself to the middle of the game", NAMES),
        Part("exact_points", SEATS * MOST, "points of this round so far, each number in a place of its own"),
        Part("exact_total", SEATS * MOST, "points kept from the rounds before, likewise"),
    )
)


def _start(key: str) -> int:
    return OBSERVATION.slices[key].start


_SIZE = OBSERVATION.size
_LAID, _PLAYED, _THIS_ROUND, _POINTS = _start("laid"), _start("played"), _start("this_round"), _start("points")
_SCORED, _TOTAL, _WON, _TURN, _ROUND = _start("scored"), _start("total"), _start("won"), _start("turn"), _start("round")
_HAS_LAID, _DECIDES, _RULES, _PROSPECTS = _start("has_laid"), _start("decides"), _start("rules"), _start("below")


@kernel
def observe(state, seat, out):
    for i in range(_SIZE):
        out[i] = 0.0
    for card in range(CARDS):
        out[card] = has(state.hand[seat], card)
    if has_laid(state, seat):
        out[_LAID + laid(state, seat)] = 1.0
    for place in range(SEATS):
        other = (seat + place) % SEATS
        for card in range(CARDS):
            out[_PLAYED + CARDS * place + card] = has(state.played[other], card)
        for turn in range(int(state.turn)):
            out[_THIS_ROUND + CARDS * place + int(state.table[SEATS * turn + other])] = 1.0
        out[_POINTS + place] = state.points[other] / NUMBERS
        out[_SCORED + place] = state.scored[other] / TURNS
        out[_TOTAL + place] = state.total[other] / NUMBERS
        out[_WON + place] = state.won[other] / ROUNDS
        out[_HAS_LAID + place] = has_laid(state, other)
        out[_DECIDES + place] = to_move(state) == other
    if state.finished < ROUNDS:
        out[_TURN + int(state.turn)] = 1.0
        out[_ROUND + int(state.finished)] = 1.0
    out[_RULES] = state.rules.payoff
    write_prospects(state, seat, out[_PROSPECTS:])


def shown(before: np.ndarray, after: np.ndarray, action: int) -> list[Shown]:
    """The cards of the first two seats, which the third one turns up with its own."""
    if before["seat"][0] != SEATS - 1:
        return []
    first = SEATS * int(before["turn"][0])
    return [Shown("turned", seat, [before["table"][0, first + seat]]) for seat in range(SEATS - 1)]
