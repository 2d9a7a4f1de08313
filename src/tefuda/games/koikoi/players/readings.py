"""Other readings of the paper's 36 features: what its missing appendix and its silence leave open.

Each is `pg-linear` with one thing read otherwise. They are no players with names: `tefuda reproduce koikoi` learns
and measures them, and shows which of them comes nearest to the paper.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tefuda.contract import Game, LinearFeatures, Policy, fingerprint
from tefuda.games.koikoi.players import decision, linear
from tefuda.games.koikoi.players.decision import with_decision
from tefuda.games.koikoi.players.linear import candidates, candidates_by, contribution, play_by
from tefuda.games.koikoi.prospects import KINDS, early_finish, nearness
from tefuda.games.koikoi.state import DRAWN, month_of
from tefuda.games.koikoi.yaku import NEAR, YAKU
from tefuda.kernel.bits import ZERO, bit, lowest, without_lowest
from tefuda.kernel.compile import kernel

_PAYS = np.array([YAKU[which].points for which in NEAR])  # what each yaku pays that piles come near to


@kernel
def best_card(which, view, seat, cards):
    """The highest contribution of a single card."""
    best = -1.0
    while cards != ZERO:
        best = max(best, float(contribution(which, view, seat, bit(lowest(cards)))))
        cards = without_lowest(cards)
    return best


@kernel
def of_cards(which, view, seat, taken):
    """Cards are measured, not captures: the best of the field cards that are taken."""
    return best_card(which, view, seat, taken & view.field)


@kernel
def of_field(which, view, seat):
    """The best card of the whole field, which perhaps no card of the hand can take."""
    return best_card(which, view, seat, view.field)


@kernel
def of_months(which, view, seat, taken):
    """Months are measured: all cards of the month that nobody has captured yet."""
    return contribution(which, view, seat, month_of(lowest(taken)) & ~(view.pile[0] | view.pile[1]))


@kernel
def alone(which, view, seat, taken):
    """As if the other had captured nothing: no yaku is out of reach."""
    owner = seat if which < 2 else 1 - seat
    pile, pack = view.pile[owner], int(view.rules.pack)
    if which % 2 == 0:
        return linear.high_score(taken, pile, ZERO, int(view.calls[owner]), view.rules)
    return early_finish(pile | taken, ZERO, pack) - early_finish(pile, ZERO, pack)


@kernel
def nearer_points(which, view, seat, taken):
    """High score: how much nearer every yaku comes, times what it pays. Early finish as ever."""
    if which % 2 == 1:
        return contribution(which, view, seat, taken)
    owner = seat if which < 2 else 1 - seat
    pile, other_pile = view.pile[owner], view.pile[1 - owner]
    total, pack = 0, int(view.rules.pack)
    for kind in range(KINDS):
        nearer = nearness(kind, pile | taken, other_pile, pack) - nearness(kind, pile, other_pile, pack)
        total += _PAYS[kind] * nearer
    return total


@kernel
def but_drawn(view, seat, numbers):
    """No candidates for the drawn card's choice: it is left to chance, and nothing is learned from it."""
    return 0 if view.phase == DRAWN else candidates(view, seat, numbers)


def stopping(variant: str, weights: np.ndarray) -> np.ndarray:
    """Parameters of a player that stops with its first yaku, unless its name says otherwise."""
    return decision.parameters(variant or "always-stop", weights)


@dataclass(frozen=True, eq=False)
class Reading:
    """One thing read otherwise."""

    key: str
    about: str
    candidates: Any
    parameters: Callable[[str, np.ndarray], np.ndarray] = decision.parameters


READINGS = (
    Reading("cards", "the measures compare the field cards that can be taken, one by one", candidates_by(of_cards)),
    Reading("field", "the measures compare all field cards, one by one", candidates_by(of_cards, of_field)),
    Reading("months", "the measures compare months: all their cards that are not captured", candidates_by(of_months)),
    Reading("alone", "the measures do not look at the other's pile", candidates_by(alone)),
    Reading("points", "high score: what a yaku pays, times how much nearer it comes", candidates_by(nearer_points)),
    Reading("drawn", "the drawn card's choice is left to chance", but_drawn),
    Reading("stops", "the learner stops with its first yaku while it learns", candidates, stopping),
)


def with_reading(game: Game, reading: Reading) -> Game:
    """The game with `pg-linear` read otherwise: what learners of linear policies learn there."""
    key = f"pg-linear, {reading.key}"
    choose = with_decision(key, play_by(reading.candidates))
    policy = Policy(
        key, choose, reading.parameters, linear.FEATURES, fingerprint(linear.NAMES), decision.WORLDS, linear.NUMBERS
    )
    return replace(
        game,
        players=replace(game.players, policies=(*game.players.policies, policy)),
        learning=replace(
            game.learning, linear=LinearFeatures(key, linear.LINEAR.names, linear.ROWS, reading.candidates)
        ),
    )
