"""CFR by sampling: an equilibrium of a game for two that is too large to be written out (Lanctot et al. 2009).

Each iteration deals once for each seat. That seat tries all its actions and notes its regrets; the other draws its
actions by its play of now (external sampling), which counts towards its average. Later iterations weigh more, as in
search/cfr.py (linear, Brown and Sandholm 2019).

What is known of a view is kept in a table of hashes: no view is numbered before it is met. A view is what its seat is
shown, its cards renamed where they mean the same (engine/solution.py).
"""

from functools import cache, partial
from types import SimpleNamespace

import numpy as np

from tefuda.contract import Game, Rules
from tefuda.engine.solution import rank_of, reader_of
from tefuda.errors import Problem
from tefuda.kernel.bits import next_of_words
from tefuda.kernel.compile import kernel as counted_kernel
from tefuda.kernel.random import LEARNER, drawn, stream, unit

kernel = partial(counted_kernel, counted=False)  # many arrays are handed on

WIDTH = 4  # the most legal actions of a decision
ROOM = 1 << 20  # places of the table of hashes at first
FREE = -1
TRIED, ACTIONS, PLACE = 0, 1, 2  # of a frame: actions tried, legal actions, and where its view stands in the table


class Sampler:
    """A solution on its way: `advance` as often as wanted, then take `average`."""

    def __init__(self, game: Game, rules: Rules, seed: int) -> None:
        if game.seats != 2 or game.scoring.total_under(rules) != 0 or game.rulebook.rounds(rules) != 1:
            raise Problem(f"{game.name} cannot be solved by the rules {rules}: CFR takes two seats, scores that add up "
                          f"to 0, and one round")  # fmt: skip
        self.game, self.rules, self.seed = game, rules, seed
        self.iterations = 0
        self.known = _room(ROOM)
        self.met = 0  # views in the table
        self.kernels = _kernels_of(game)
        self.blank = game.blank(rules)
        depth, actions, words = game.decisions_at_most(rules) + 1, game.spaces.actions.size, game.spaces.mask_words
        self.scratch = (
            np.zeros(depth, game.State), np.zeros(1, game.State), np.zeros((1, words), np.uint64), np.zeros(actions),
            np.zeros((depth, 3), np.int64), np.zeros((depth, WIDTH)), np.zeros((depth, WIDTH)),
            np.zeros((depth, WIDTH), np.int64), np.zeros(1, np.uint64), np.zeros(game.seats), np.zeros(2, np.int64),
        )  # fmt: skip

    def advance(self, iterations: int) -> None:
        """Play on; the table grows when it is half full."""
        last = self.iterations + iterations
        while self.iterations < last:
            self.scratch[-1][0] = self.met
            self.iterations = self.kernels.learn(self.blank, self.seed, self.iterations, last, self.known, self.scratch)
            self.met = int(self.scratch[-1][0])
            if self.scratch[-1][1]:
                raise Problem(f"{self.game.name} has more than {WIDTH} legal actions in a decision: CFR takes no more")
            if 2 * self.met >= len(self.known[0]):
                larger = _room(2 * len(self.known[0]))
                self.kernels.move(self.known, larger)
                self.known = larger

    def average(self) -> tuple[np.ndarray, np.ndarray]:
        """The play that comes near an equilibrium: hashes [rows], sorted, and chances [rows, most legal actions]."""
        hashes, _, sums = self.known
        total = sums.sum(axis=1)
        rows = np.flatnonzero((hashes != FREE) & (total > 0))
        rows = rows[np.argsort(hashes[rows])]
        width = max(1, int((sums[rows].max(axis=0, initial=0) > 0).nonzero()[0].max(initial=0)) + 1)
        return hashes[rows], sums[rows, :width] / total[rows, None]


def _room(places: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A table of hashes: hashes, regrets, and the sum of all play."""
    return np.full(places, FREE, np.int64), np.zeros((places, WIDTH)), np.zeros((places, WIDTH))


@cache
def _kernels_of(game: Game) -> SimpleNamespace:
    to_move, legal, apply, scores, hide, deal = (
        game.kernels.to_move, game.kernels.legal, game.kernels.apply, game.kernels.scores, game.kernels.hide,
        game.kernels.deal,
    )  # fmt: skip
    read = reader_of(game)

    @kernel
    def find(hashes, number):
        """Where a view stands in the table, or the free place where it would."""
        place = number % hashes.shape[0]
        while hashes[place] != FREE and hashes[place] != number:
            place = (place + 1) % hashes.shape[0]
        return place

    @kernel
    def move(known, larger):
        for old in range(known[0].shape[0]):
            if known[0][old] != FREE:
                new = find(larger[0], known[0][old])
                larger[0][new] = known[0][old]
                for rank in range(WIDTH):
                    larger[1][new, rank] = known[1][old, rank]
                    larger[2][new, rank] = known[2][old, rank]

    @kernel
    def look(table, seat, depth, known, scratch):
        """Find the view of the seat to move: its legal actions in the order of their names, and its play of now."""
        view, masks, names, frames, plays, orders, met = (
            scratch[1], scratch[2], scratch[3], scratch[4], scratch[5], scratch[7], scratch[10],
        )  # fmt: skip
        hashes, regrets, _ = known
        view[0] = table
        hide(view[0], seat)
        legal(view[0], masks[0])
        number = read(view, names)
        place = find(hashes, number)
        if hashes[place] == FREE:
            hashes[place] = number
            met[0] += 1
        action, number, total = next_of_words(masks[0], 0), 0, 0.0
        while action >= 0:
            rank = rank_of(masks[0], names, action)
            number = max(number, rank + 1)
            if rank < WIDTH:
                orders[depth, rank] = action  # of those that mean the same one will do: the deals are drawn
            action = next_of_words(masks[0], action + 1)
        if number > WIDTH:
            met[1] = number
            number = WIDTH
        for rank in range(number):
            plays[depth, rank] = max(0.0, regrets[place, rank])
            total += plays[depth, rank]
        for rank in range(number):
            plays[depth, rank] = plays[depth, rank] / total if total > 0.0 else 1.0 / number
        frames[depth, TRIED], frames[depth, ACTIONS], frames[depth, PLACE] = 0, number, place

    @kernel
    def draw_others(seat, depth, weight, known, scratch):
        """Let the other seat act by its play of now until the learner decides, or nobody; returns who."""
        stack, frames, plays, orders, rng = scratch[0], scratch[4], scratch[5], scratch[7], scratch[8]
        mover = to_move(stack[depth])
        while mover >= 0 and mover != seat:
            look(stack[depth], mover, depth, known, scratch)
            number = frames[depth, ACTIONS]
            for rank in range(number):
                known[2][frames[depth, PLACE], rank] += weight * plays[depth, rank]
            apply(stack[depth], orders[depth, drawn(plays[depth], number, unit(rng))])
            mover = to_move(stack[depth])
        return mover

    @kernel
    def try_all(seat, weight, known, scratch):
        """Try all actions of one seat in the deal at stack[0], and note its regrets."""
        stack, frames, plays, values, orders, won = (
            scratch[0], scratch[4], scratch[5], scratch[6], scratch[7], scratch[9],
        )  # fmt: skip
        depth = 0
        while depth >= 0:
            if draw_others(seat, depth, weight, known, scratch) == seat:
                look(stack[depth], seat, depth, known, scratch)
                stack[depth + 1] = stack[depth]
                apply(stack[depth + 1], orders[depth, 0])
                depth += 1
                continue
            scores(stack[depth], won)
            value = won[seat]
            depth -= 1
            while depth >= 0:
                tried = frames[depth, TRIED]
                values[depth, tried] = value
                frames[depth, TRIED] = tried + 1
                if tried + 1 < frames[depth, ACTIONS]:
                    stack[depth + 1] = stack[depth]
                    apply(stack[depth + 1], orders[depth, tried + 1])
                    depth += 1
                    break
                value = 0.0
                for rank in range(frames[depth, ACTIONS]):
                    value += plays[depth, rank] * values[depth, rank]
                for rank in range(frames[depth, ACTIONS]):
                    known[1][frames[depth, PLACE], rank] += weight * (values[depth, rank] - value)
                depth -= 1

    @kernel
    def learn(blank, seed, first, last, known, scratch):
        """Iterations from first to last, as far as the table has room; returns the next one."""
        stack, rng, met = scratch[0], scratch[8], scratch[10]
        for iteration in range(first, last):
            if 2 * met[0] >= known[0].shape[0]:
                return iteration
            for seat in range(2):
                rng[0] = stream(seed, iteration, seat, LEARNER)
                stack[0] = blank[0]
                deal(stack[0], rng)
                try_all(seat, iteration + 1.0, known, scratch)
        return last

    return SimpleNamespace(learn=learn, move=move)
