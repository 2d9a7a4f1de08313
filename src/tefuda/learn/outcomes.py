"""How games will end, foretold when a round begins: a softmax regression for each situation.

Whole games are played by one player in all seats. When a round begins, each seat gives a row: its situation, the
amounts that describe it, and how the game ended for it later. A tenth of the games is held out. The weights of each
situation minimise the sum over its rows of −log(chance of what came) + decay × squared weights / 2, by Newton's method.
The learner knows no game: a game's `outcomes` give the rows.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from tefuda.contract import Game, Outcomes, Rules
from tefuda.engine.loops import loops_of
from tefuda.engine.seated import TABLE, scratch, seated
from tefuda.errors import Problem
from tefuda.kernel.compile import kernel
from tefuda.kernel.threads import cores, run_chunks
from tefuda.learn.method import Method, Offer, Task, Trained, compiled_player
from tefuda.learn.run import run

PIECE = 50  # games
MOST_ROUNDS = 64  # of a game, that are looked at
EVERY = 30.0  # seconds between checkpoints, which hold all rows
HELD_OUT = 10  # one game of so many
STEPS = 30  # of Newton's method at most; it needs about eight
SMALL = 1e-6  # a step that moves no weight further ends it


@dataclass(frozen=True)
class Arguments:
    """What to learn from."""

    player: str = "rule-based"  # who plays in all seats
    games: int = 20_000  # to learn from and to measure on
    decay: float = 1.0  # how much large weights cost, in rows

    def check(self) -> None:
        """Refuse what cannot be meant."""
        if not HELD_OUT <= self.games <= 100_000_000:
            raise Problem(f"games is {self.games}, but should be {HELD_OUT} to 100,000,000")
        if not 0 < self.decay < 1e9:
            raise Problem(f"decay is {self.decay:g}, but should be above 0 and below 1e9")


@dataclass(frozen=True)
class Rows:
    """What was seen when rounds began, a row for each seat of each of them."""

    game: np.ndarray  # the number of the game
    situation: np.ndarray
    amounts: np.ndarray  # [rows, amounts], float32
    outcome: np.ndarray

    def where(self, chosen: np.ndarray) -> "Rows":
        return Rows(self.game[chosen], self.situation[chosen], self.amounts[chosen], self.outcome[chosen])


class Collecting:
    """Games that are played to learn from them; `advance` plays some more."""

    def __init__(self, task: Task, outcomes: Outcomes) -> None:
        self.task, self.outcomes = task, outcomes
        self.player = compiled_player(task.game, task.arguments.player, task.rules)
        self.played = 0
        self.pieces: list[Rows] = [_no_rows(outcomes)]

    @property
    def done(self) -> bool:
        return self.played >= self.task.arguments.games

    @property
    def rows(self) -> Rows:
        if len(self.pieces) > 1:
            columns = ([getattr(piece, name) for piece in self.pieces] for name in Rows.__dataclass_fields__)
            self.pieces = [Rows(*map(np.concatenate, columns))]
        return self.pieces[0]

    def advance(self, threads: int) -> float:
        """Play a piece on each core."""
        task = self.task
        last = min(self.played + threads * PIECE, task.arguments.games)
        firsts = range(self.played, last, PIECE)
        for _, _, found in run_chunks(self._piece, ((each, min(each + PIECE, last)) for each in firsts), threads):
            self.pieces.append(found)
        self.played = last
        return last

    def _piece(self, first: int, last: int) -> Rows:
        task, outcomes = self.task, self.outcomes
        size = (last - first) * MOST_ROUNDS * task.game.seats
        rows = Rows(
            np.empty(size, np.int64), np.empty(size, np.int64), np.empty((size, len(outcomes.amounts)), np.float32),
            np.empty(size, np.int64),
        )  # fmt: skip
        count = _look_of(task.game, outcomes)(
            task.game.blank(task.rules), task.seed, first, last, seated(task.game, [self.player]),
            scratch(task.game, [self.player]), rows.game, rows.situation, rows.amounts, rows.outcome,
        )  # fmt: skip
        return rows.where(np.arange(count))

    def state(self) -> dict[str, np.ndarray]:
        """All that a later process needs to go on."""
        rows = self.rows
        return {"played": np.array(self.played), "game": rows.game, "situation": rows.situation,
                "amounts": rows.amounts, "outcome": rows.outcome}  # fmt: skip

    def restore(self, state: dict[str, np.ndarray]) -> None:
        """Go on from a stored state."""
        self.played = int(state["played"])
        self.pieces = [Rows(state["game"], state["situation"], state["amounts"], state["outcome"])]


def _no_rows(outcomes: Outcomes) -> Rows:
    none = np.zeros(0, np.int64)
    return Rows(none, none, np.zeros((0, len(outcomes.amounts)), np.float32), none)


@cache
def _look_of(game: Game, outcomes: Outcomes) -> Any:
    """The compiled loop of one game: rows for all rounds of games first to last - 1; returns how many rows."""
    loops = loops_of(game)
    begin, ask = loops.begin, loops.ask
    to_move, apply = game.kernels.to_move, game.kernels.apply
    moment, situation, write, outcome = outcomes.moment, outcomes.situation, outcomes.write, outcomes.outcome
    State, seats = game.State, game.seats

    def look(blank, seed, first, last, seated, scratch, game_of, situations, amounts, outcomes):
        tables, rngs, mask, worlds, numbers, _ = scratch
        before = np.empty(1, State)
        rows = 0
        for number in range(first, last):
            begin(tables, blank, rngs, seed, number)
            start, rounds, begins = rows, 0, True
            while True:
                if begins and rounds < MOST_ROUNDS:
                    rounds += 1
                    for seat in range(seats):
                        game_of[rows] = number
                        situations[rows] = situation(tables[TABLE], seat)
                        write(tables[TABLE], seat, amounts[rows])
                        rows += 1
                seat = to_move(tables[TABLE])
                if seat < 0:
                    break
                action = ask(tables, seat, 0, seated, rngs, mask, worlds, numbers)
                before[0] = tables[TABLE]
                apply(tables[TABLE], action)
                begins = to_move(tables[TABLE]) >= 0 and moment(before[0], tables[TABLE])
            for row in range(start, rows):
                outcomes[row] = outcome(tables[TABLE], (row - start) % seats)
        return rows

    return kernel(look)


# --- fitting ---


def fitted(rows: Rows, outcomes: Outcomes, decay: float) -> np.ndarray:
    """The weights of all situations, in one row; those of a situation that never came are 0."""
    weights = np.zeros((outcomes.situations, len(outcomes.classes), len(outcomes.amounts)))
    for each in np.unique(rows.situation):
        here = rows.situation == each
        weights[each] = softmax_regression(
            rows.amounts[here].astype(np.float64), rows.outcome[here], len(outcomes.classes), decay
        )
    return weights.ravel()


def softmax_regression(amounts: np.ndarray, outcome: np.ndarray, classes: int, decay: float) -> np.ndarray:
    """The weights [classes, amounts] that minimise the sum over rows of −log(chance) + decay × squares / 2."""
    size = amounts.shape[1]
    weights = np.zeros((classes, size))
    came = np.eye(classes)[outcome]
    for _ in range(STEPS):
        chances = _softmax(amounts @ weights.T)
        gradient = (chances - came).T @ amounts + decay * weights
        curvature = np.zeros((classes, size, classes, size))
        for one in range(classes):
            for other in range(one, classes):
                shared = chances[:, one] * ((one == other) - chances[:, other])
                curvature[one, :, other] = curvature[other, :, one] = (amounts * shared[:, None]).T @ amounts
        square = curvature.reshape(classes * size, -1) + decay * np.eye(classes * size)
        step = np.linalg.solve(square, gradient.ravel()).reshape(classes, size)
        weights = _shorter(weights, step, amounts, outcome, decay)
        if np.abs(step).max() < SMALL:
            break
    return weights


def _shorter(
    weights: np.ndarray, step: np.ndarray, amounts: np.ndarray, outcome: np.ndarray, decay: float
) -> np.ndarray:
    """The weights after a step of Newton's, halved until the loss does not rise."""

    def loss(some: np.ndarray) -> float:
        chances = _softmax(amounts @ some.T)
        return float(-np.log(chances[np.arange(len(outcome)), outcome]).sum() + decay * np.square(some).sum() / 2)

    before, share = loss(weights), 1.0
    while share > SMALL and loss(weights - share * step) > before + 1e-9 * abs(before):
        share /= 2
    return weights - share * step


def _softmax(logits: np.ndarray) -> np.ndarray:
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    return raised / raised.sum(axis=1, keepdims=True)


def chances_of(rows: Rows, weights: np.ndarray, outcomes: Outcomes) -> np.ndarray:
    """The chance of each class in each row, by some weights."""
    shaped = weights.reshape(outcomes.situations, len(outcomes.classes), len(outcomes.amounts))
    return _softmax(np.einsum("rca,ra->rc", shaped[rows.situation], rows.amounts))


def log_loss(chances: np.ndarray, outcome: np.ndarray) -> float:
    """The mean of −log(chance of what came): 0 would be to know it."""
    return float(-np.log(np.maximum(chances[np.arange(len(outcome)), outcome], 1e-12)).mean())


# --- the learner ---


def train(task: Task) -> Trained:
    """The whole run: play, then fit; the curve tells how well the games held out are foretold, and by what share each
    class came."""
    outcomes = task.game.learning.outcomes
    assert outcomes is not None  # `offer` has seen it
    collecting = Collecting(task, outcomes)
    threads = task.threads or cores()
    run(collecting, lambda: collecting.advance(threads), task.arguments.games, "games", task.out, task.identity, EVERY)
    rows = collecting.rows
    test = rows.game % HELD_OUT == 0
    weights = fitted(rows.where(~test), outcomes, task.arguments.decay)
    held = rows.where(test)
    plain = np.bincount(rows.outcome[~test], minlength=len(outcomes.classes)) / (~test).sum()
    curve: list[tuple] = [("what", "value")]
    curve.append(("rows learned from", int((~test).sum())))
    curve.append(("rows held out", int(test.sum())))
    curve.append(("log loss of the model", log_loss(chances_of(held, weights, outcomes), held.outcome)))
    curve.append(("log loss of the plain shares", log_loss(np.tile(plain, (len(held.outcome), 1)), held.outcome)))
    return Trained(weights, curve)


def offer(game: Game, rules: Rules) -> Offer | None:
    model = game.learning.outcomes
    if model is None or game.rulebook.rounds(rules) < 2:
        return None
    return Offer(model.model, f"how games end, {model.weights:,} weights, from games of one player", model=model.model)


def check(task: Task) -> Task:
    compiled_player(task.game, task.arguments.player, task.rules)
    return task


METHOD = Method(Arguments, offer, check, train, against=None)
