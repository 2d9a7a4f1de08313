"""The exact solver against plain recursion on other people's tables."""

import random
from fractions import Fraction

import numpy as np
import pytest

from tefuda import games
from tefuda.games.tricks import GAME
from tefuda.games.tricks.cards import CARDS, CLUBS, DIAMONDS, HEARTS, SPADES, card_of, cards_of
from tefuda.kernel.compile import COMPILED
from tefuda.search.pimc import DEPTH
from tefuda.table.table import legal_actions
from tests.search.searching import SOLVE_KUHN, dealt, play_until, solved

pytestmark = pytest.mark.kernel
KUHN = games.find("kuhn")
ENDINGS = 100 if COMPILED else 8  # of each set of rules
slow_uncompiled = pytest.mark.skipif(not COMPILED, reason="too slow uncompiled")


def max_n(position, all_equals: bool = True) -> list[Fraction]:
    """What each seat gets when all take what is best for themselves; the mean over equally good actions."""
    if position.over:
        return [Fraction(score) for score in position.scores]
    lines = [max_n(position.after(action), all_equals) for action in position.legal]
    best = max(line[position.seat] for line in lines)
    good = [line for line in lines if line[position.seat] == best][: None if all_equals else 1]
    return [sum(column, Fraction(0)) / len(good) for column in zip(*good, strict=True)]


class Ending:
    """The end of a deal in sets and lists, after the first trick."""

    def __init__(self, state: np.ndarray) -> None:
        self.options = {key: int(state.rules[key]) for key in state.rules.dtype.names if not key.startswith("gap")}
        self.hands = [frozenset(cards_of(hand)) for hand in state.hand]
        self.lead = int(state.lead)
        order = [(self.lead + place) % 4 for place in range(int(state.laid))]
        self.trick = [int(state.trick[seat]) for seat in order]
        self.broken = bool(state.broken)
        self.points, self.tricks, self.jack = state.points.tolist(), state.tricks.tolist(), int(state.jack)

    @property
    def hearts(self) -> bool:
        return self.options["goal"] == 1

    @property
    def over(self) -> bool:
        return not any(self.hands)

    @property
    def seat(self) -> int:
        return (self.lead + len(self.trick)) % 4

    @property
    def legal(self) -> list[int]:
        hand = self.hands[self.seat]
        if self.trick:
            wanted = [card for card in hand if card // 13 == self.trick[0] // 13]
        else:
            wanted = [card for card in hand if card // 13 != HEARTS] if self.hearts and not self.broken else []
        return sorted(wanted or hand)

    def after(self, card: int) -> "Ending":
        twin = Ending.__new__(Ending)
        twin.__dict__.update(
            {key: list(value) if isinstance(value, list) else value for key, value in vars(self).items()}
        )
        twin.hands[self.seat] = self.hands[self.seat] - {card}
        twin.trick.append(card)
        queen = card_of(SPADES, "Q")
        twin.broken = self.broken or card // 13 == HEARTS or (self.options["queen_breaks"] == 1 and card == queen)
        if len(twin.trick) == 4:
            _, place = max(
                (each % 13, place) for place, each in enumerate(twin.trick) if each // 13 == twin.trick[0] // 13
            )
            winner = (self.lead + place) % 4
            twin.tricks[winner] += 1
            twin.points[winner] += sum((each // 13 == HEARTS) + 13 * (each == queen) for each in twin.trick)
            if card_of(DIAMONDS, "J") in twin.trick:
                twin.jack = winner
            twin.lead, twin.trick = winner, []
        return twin

    @property
    def scores(self) -> list[int]:
        if not self.hearts:
            return self.tricks
        points = list(self.points)
        if 26 in points and self.options["moon"] > 0:
            shooter = points.index(26)
            if self.options["moon"] == 1:
                points = [0 if seat == shooter else 26 for seat in range(4)]
            else:
                points[shooter] = -26
        if self.options["jack"] and self.jack >= 0:
            points[self.jack] -= 10
        return [-number for number in points]


class Spiel:
    """A state of OpenSpiel; scores = returns - `shift`."""

    def __init__(self, state, shift: int) -> None:
        self.state, self.shift = state, shift

    over = property(lambda self: self.state.is_terminal())
    seat = property(lambda self: self.state.current_player())
    legal = property(lambda self: self.state.legal_actions())
    scores = property(lambda self: [int(score) - self.shift for score in self.state.returns()])

    def after(self, action: int) -> "Spiel":
        return Spiel(self.state.child(action), self.shift)


@pytest.mark.slow
@pytest.mark.parametrize(
    "chosen",
    [
        ("plain", "target=50"), ("hearts",), ("hearts", "moon=others"), ("hearts", "moon=self", "jack=yes"),
        ("hearts", "queen_breaks=yes", "moon=others"), ("hearts-as-run",),
    ],
)  # fmt: skip
def test_solve_is_max_n_with_means_over_equals(chosen):
    """Endings of 4 to 11 decisions; half of those in Hearts have all points at one seat, where the moon is near."""
    source, shared, moons = random.Random(1), 0, 0
    for deal in range(ENDINGS):
        states = dealt(*chosen, deal=deal)
        play_until(states, source.randint(4, 11 if COMPILED else 6), source)
        state = states[0]
        GAME.kernels.end_here(state)
        if deal % 2:
            total, seat = int(state.points.sum()), source.randrange(4)
            state.points[:] = 0
            state.points[seat] = total
        expected = max_n(Ending(state))
        assert solved(states) == pytest.approx([float(value) for value in expected], abs=1e-9)
        shared += expected != max_n(Ending(state), all_equals=False)
        moons += min(expected) <= -26 or max(expected) >= 26
    if COMPILED:
        assert shared > 0  # where several actions are best, it matters which
        assert moons > 0 or "moon" not in str(chosen)


SPIEL_SUITS = (CLUBS, DIAMONDS, HEARTS, SPADES)  # OpenSpiel: card = 4 * rank + suit, suits C D H S
TO_SPIEL = [4 * (card % 13) + SPIEL_SUITS.index(card // 13) for card in range(CARDS)]


@pytest.mark.slow
def test_solve_agrees_with_recursion_on_open_spiels_hearts():
    """OpenSpiel's own states tell what is legal, who is next and what the end pays; it always scores the moon."""
    pyspiel = pytest.importorskip("pyspiel")
    game = pyspiel.load_game("hearts(pass_cards=false,qs_breaks_hearts=false)")
    source = random.Random(2)
    for deal in range(ENDINGS):
        states = dealt("hearts", "moon=others", deal=deal)
        theirs = game.new_initial_state()
        theirs.apply_action(0)
        hands = [[TO_SPIEL[card] for card in cards_of(hand)] for hand in states[0].hand]
        for number in range(13):
            for seat in range(4):
                theirs.apply_action(hands[seat][number])
        left = source.randint(4, 11 if COMPILED else 6)
        high = source.randrange(8)
        while GAME.kernels.left(states[0]) > left:
            legal = legal_actions(GAME, states)
            seat = int(states[0].seat)
            card = max(legal, key=lambda card: card % 13) if seat == high else source.choice(legal)
            GAME.kernels.apply(states[0], card)
            theirs.apply_action(TO_SPIEL[card])
        expected = [float(value) for value in max_n(Spiel(theirs, 26))]
        assert solved(states) == pytest.approx(expected, abs=1e-9)


def test_solve_agrees_with_recursion_on_open_spiels_kuhn_poker():
    """With open cards; the solver needs no `left`, and all 30 tables of the game are tried."""
    pyspiel = pytest.importorskip("pyspiel")
    game = pyspiel.load_game("kuhn_poker")
    tried = 0
    for first in range(3):
        for second in {0, 1, 2} - {first}:
            theirs = game.new_initial_state()
            theirs.apply_action(first)
            theirs.apply_action(second)
            states = KUHN.blank()
            states[0].card[:] = (first, second, 3 - first - second)
            waiting = [(states, theirs)]
            while waiting:
                ours, spiel = waiting.pop()
                expected = [float(value) for value in max_n(Spiel(spiel, 0))]
                assert solved(ours, KUHN, SOLVE_KUHN, 3) == pytest.approx(expected, abs=1e-9)
                tried += 1
                for action in spiel.legal_actions():
                    after = ours.copy()
                    KUHN.kernels.apply(after[0], action)
                    waiting.append((after, spiel.child(action)))
    assert tried == 6 * 9


def test_solve_writes_the_scores_of_a_table_that_is_over():
    states = dealt("hearts", deal=3)
    play_until(states, 0, random.Random(3))
    assert GAME.kernels.to_move(states[0]) == -1
    assert solved(states, left=0).tolist() == (-states[0].score).tolist()
    assert sum(solved(states, left=0)) == -26


@slow_uncompiled
def test_solve_reaches_the_declared_depth():
    """16 decisions, the most that a search asks for, fit into their scratch space; the values add up."""
    for deal in range(3):
        states = dealt("plain", deal=deal)
        play_until(states, DEPTH, random.Random(deal))
        assert solved(states).sum() == pytest.approx(13)
