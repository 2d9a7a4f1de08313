"""What the search player shows to the players of its worlds."""

import math
import random
from dataclasses import replace

import numpy as np
import pytest

from tefuda import games
from tefuda.contract import NamedPlayer, Policy, plain_parameters
from tefuda.games.tricks import GAME, rules
from tefuda.games.tricks.hiding import known
from tefuda.games.tricks.state import OVER
from tefuda.kernel.bits import ZERO, count, nth
from tefuda.kernel.compile import COMPILED, kernel
from tefuda.kernel.random import below
from tefuda.players.entrant import Entrant
from tefuda.players.resolve import resolve
from tefuda.search.pimc import DEPTH, LINE, SOLVED, VIEW, WORLD, policy_with, with_pimc
from tefuda.search.solve import numbers_for
from tefuda.table.table import legal_actions
from tests.search.searching import SEARCHED, Asked, dealt, play_until

pytestmark = pytest.mark.kernel
CALLS, SAW_CARDS, SAW_KEY, WRONG_SEAT, WRONG_MASK, GOES_ON, LEAST, LENGTH, NUMBER, LUCK, OTHER_LUCK = range(11)


@kernel
def spying(view, seat, params, rng, mask, worlds, numbers):
    """Any legal card; what it was shown is noted in its scratch space."""
    if numbers[CALLS] == 0.0:
        numbers[LEAST] = 1000.0
    numbers[CALLS] += 1.0
    for other in range(4):
        if other != seat and view.hand[other] & ~known(view, seat, other) != ZERO:
            numbers[SAW_CARDS] += 1.0
    if view.key[0] != ZERO:
        numbers[SAW_KEY] += 1.0
    if rules.to_move(view) != seat:
        numbers[WRONG_SEAT] += 1.0
    if mask[0] != rules.playable(view):
        numbers[WRONG_MASK] += 1.0
    if view.rules.target != 0:
        numbers[GOES_ON] += 1.0
    left = rules.left(view)
    numbers[LEAST] = min(numbers[LEAST], left)
    numbers[LENGTH] = params.shape[0]
    numbers[NUMBER] = params[1]
    if left == params[0]:  # the first decision after an action that is tried
        luck = np.float64(rng[0] >> np.uint64(11))
        if numbers[LUCK] != 0.0 and numbers[LUCK] != luck:
            numbers[OTHER_LUCK] += 1.0
        numbers[LUCK] = luck
    return nth(mask[0], below(rng, count(mask[0])))


FEWER = replace(GAME.players, policies=GAME.players.policies[:2], named=GAME.players.named[:2])
PLAIN_GAME = replace(GAME, name="spied", players=FEWER).with_more(
    (Policy("spy", spying, plain_parameters, weights=2, numbers=11),), (NamedPlayer("spy", "", "spy"),)
)
SPIED = with_pimc(PLAIN_GAME, worlds=5, playout="spy")


def spy_notes(states: np.ndarray, worlds: int, solve: int, number: int = 0) -> tuple[np.ndarray, Asked]:
    left = int(GAME.kernels.left(states[0]))
    policy = policy_with(SPIED, SPIED.players.policy("spy"), advised=False)
    entrant = Entrant("spied", policy, np.array([worlds, solve, 0, 0, 0, 0, left - 1, 2.25]))
    asked = Asked(states, entrant, number, SPIED)
    start = policy.numbers - SPIED.players.policy("spy").numbers
    return asked.numbers[start : start + 11], asked


def halvings(actions: int, worlds: int) -> list[tuple[int, int]]:
    """Worlds and actions of each phase: an equal share of all playouts, for ever fewer actions, until one is left."""
    share = worlds * actions // math.ceil(math.log2(actions))
    found = []
    while actions > 1:
        found.append((max(1, share // actions), actions))
        actions = math.ceil(actions / 2)
    return found


def test_halving_spends_what_was_given_and_no_more():
    assert halvings(2, 10) == [(10, 2)]
    assert halvings(8, 30) == [(10, 8), (20, 4), (40, 2)]
    for actions in range(2, 53):
        spent = sum(worlds * tried for worlds, tried in halvings(actions, 100))
        assert 0.9 * 100 * actions <= spent <= 100 * actions


@pytest.mark.parametrize("preset", ["plain", "hearts", "usual"])
def test_the_players_of_guessed_worlds_see_what_their_seat_can_know(preset):
    """Their own view, mask, numbers and luck; and so many decisions as lie before the part that is solved."""
    source = random.Random(9)
    for number in range(12 if COMPILED else 2):
        states = dealt(preset, deal=number)
        decisions = source.randint(9, 50 if COMPILED else 14)
        if preset == "usual" and number % 2 and COMPILED:
            decisions = source.randint(53, 64)  # while cards are passed
        play_until(states, decisions, source)
        left, legal = int(GAME.kernels.left(states[0])), legal_actions(GAME, states)
        if len(legal) < 2:
            continue
        for solve in (0, 3, 5) if left < 30 else (0,):
            notes, asked = spy_notes(states, 2, solve, number)
            assert notes[[SAW_CARDS, SAW_KEY, WRONG_SEAT, WRONG_MASK, GOES_ON]].tolist() == [0] * 5
            phases = halvings(len(legal), 2)
            assert notes[CALLS] == sum(worlds * tried for worlds, tried in phases) * max(0, left - 1 - solve)
            assert notes[LEAST] == solve + 1
            assert notes[[LENGTH, NUMBER]].tolist() == [2, 2.25]
            if solve == 0:
                line = asked.worlds[LINE]
                assert line.phase == OVER
                assert line.finished == states[0].finished + 1
                assert (line.score - states[0].score).sum() == line.paid.sum()
            if left - 1 > solve:
                # every world has a luck of its own, the same for all actions
                assert notes[OTHER_LUCK] == sum(worlds for worlds, _ in phases) - 1


def test_a_search_by_usual_rules_does_not_look_beyond_the_deal():
    """What a deal decides does not depend on the target, unless the target is reached: here the searches agree."""
    source = random.Random(10)
    for number in range(8 if COMPILED else 2):
        states = dealt("usual", deal=number)
        play_until(states, source.randint(12, 45 if COMPILED else 16), source)
        alone = states.copy()
        alone[0].rules.target = 0
        entrant = resolve(GAME, "pimc/worlds=3+solve=4+playout=rule-based", GAME.rulebook.make("usual"))
        assert Asked(states, entrant, number).action == Asked(alone, entrant, number).action


def test_scratch_space_is_as_declared():
    """A guess, a line, a view, what the solver needs, and what the playing policy needs."""
    for name in SEARCHED:
        game = games.find(name)
        depth = DEPTH if game.kernels.left is not None else 0
        own = 2 * game.spaces.actions.size + numbers_for(game.seats, depth)
        others = [each for each in game.players.policies if each.search is None]
        assert len(others) > 1
        assert (WORLD, LINE, VIEW, SOLVED) == (0, 1, 2, 3)
        for playing in others:
            for advised in (False, True):
                searching = policy_with(game, playing, advised)
                assert searching.worlds >= 3 + depth + 1 + playing.worlds
                assert searching.numbers >= own + playing.numbers
                if advised:
                    assert searching.numbers >= own + game.players.policy("network").numbers
