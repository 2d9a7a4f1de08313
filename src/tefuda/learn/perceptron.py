"""The averaged perceptron (Collins 2002): ranks the candidates of a decision as those did who are learned from.

Each candidate has a list of features that are on, and the candidate whose weights add up to most is chosen. Where that
is another than the one that was taken, or has no more than another, the weights of the one taken rise by one and those
of the other fall by one. The result is the mean of the weights over all decisions, made whole numbers.

Teachers are records of other programs (`records`), or games that a player of our own plays (`teacher`). One game in
`hold` is not learned from: there the agreement is measured. Forced decisions count nowhere.

The learner knows no game: a game's `ranking` gives the candidates, their features, and what a record teaches.
"""

from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from tefuda.contract import Game, Ranking, Rules
from tefuda.engine.seated import TABLE, VIEW
from tefuda.errors import Problem
from tefuda.kernel.compile import kernel
from tefuda.kernel.random import LEARNER, below, stream
from tefuda.learn.lessons import Lessons, from_players, from_records
from tefuda.learn.method import Method, Offer, Task, Trained, compiled_player
from tefuda.learn.run import run

SEEN, RIGHT, PARTLY = 0, 1, 2  # what is counted for each sort of decision
STEP = 64  # tables between two looks at the clock
EVERY = 30.0  # seconds between checkpoints, which are large


@dataclass(frozen=True)
class Arguments:
    """How to learn; stored with the result."""

    teacher: str = "rule-based"  # the player whose games are learned from
    games: int = 20_000  # that it plays
    records: str = ""  # a file of records to learn from instead
    passes: int = 8  # over all games
    hold: int = 10  # one game in so many is kept apart, to measure the agreement
    scale: float = 0.0  # whole numbers for a weight of one; 0: as fine as the largest weight allows

    def check(self) -> None:
        """Refuse what cannot be meant."""
        if self.games < 2 or self.passes < 1 or self.hold < 2:
            raise Problem("games and hold are at least 2, and passes at least 1")
        if not 0 <= self.scale <= 1e6:
            raise Problem("scale lies between 0 and 1,000,000")
        if self.records and not Path(self.records).is_file():
            raise Problem(f"no file {self.records}: records is a file of game records")


@dataclass(frozen=True)
class Agreement:
    """How often the one taken was chosen, for one sort of decision."""

    sort: str
    decisions: int
    right: int
    partly: int  # what matters first was right, and nothing else

    @property
    def rate(self) -> float:
        return (self.right + self.partly) / self.decisions if self.decisions else 0.0


@dataclass
class Perceptron:
    """The state of a run; `advance` moves it on. Any split into calls gives the same weights."""

    game: Game
    ranking: Ranking
    arguments: Arguments
    seed: int
    lessons: Lessons
    weights: np.ndarray = field(init=False)  # int32
    moved: np.ndarray = field(init=False)  # int64: changes, each times the number of decisions before it
    finished: int = 0  # passes
    curve: list[tuple] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.arguments.check()
        self.weights = np.zeros(self.ranking.size, np.int32)
        self.moved = np.zeros(self.ranking.size, np.int64)
        held = np.arange(int(self.lessons.games.max()) + 1) % self.arguments.hold == self.arguments.hold - 1
        self.apart = self.lessons.of_games(held)
        self.learned = self.lessons.of_games(~held)
        if not len(self.apart) or not self.lessons.decisions(self.learned):
            raise Problem(f"there are too few games to learn from and to keep one in {self.arguments.hold} apart")
        self.clock = np.zeros(2, np.int64)  # decisions learned from, tables of this pass; the compiled loop moves both
        self.counts = np.zeros((len(self.ranking.sorts), 3), np.int64)
        self.order = self._order(self.finished)
        self.work = np.zeros(self.ranking.work, np.int64)
        self.lists = np.zeros((3, self.ranking.active), np.int64)

    def _order(self, number: int) -> np.ndarray:
        """The tables of a pass, in an order of its own."""
        rng = np.array([stream(self.seed, number, 0, LEARNER)], np.uint64)
        order = self.learned.copy()
        for last in range(len(order) - 1, 0, -1):
            other = int(below(rng, last + 1))
            order[last], order[other] = order[other], order[last]
        return order

    @property
    def done(self) -> bool:
        return self.finished >= self.arguments.passes

    @property
    def tables(self) -> int:
        """Tables that were learned from so far, each as often as it was."""
        return self.finished * len(self.order) + int(self.clock[1])

    @property
    def decisions(self) -> int:
        return int(self.clock[0])

    @property
    def averaged(self) -> np.ndarray:
        """The mean of the weights over all decisions so far."""
        return self.weights - self.moved / max(1, self.decisions)

    @property
    def whole(self) -> np.ndarray:
        """The result: whole numbers."""
        mean = self.averaged
        most = float(np.abs(mean).max()) or 1.0
        scale = self.arguments.scale or self.ranking.largest / most
        return np.rint(np.clip(mean * scale, -self.ranking.largest, self.ranking.largest))

    def advance(self, tables: int) -> None:
        """Learn from some more tables. All that moves is moved by the compiled loop: Ctrl-C may come behind it."""
        first = int(self.clock[1])
        self._pass(self.order[first : first + tables], self.weights, self.moved, self.clock, True, self.counts)
        if self.clock[1] == len(self.order):
            self._end_pass()

    def _pass(self, tables: np.ndarray, weights: np.ndarray, moved: np.ndarray, clock: np.ndarray, learns: bool,
              counts: np.ndarray) -> None:  # fmt: skip
        lessons = self.lessons
        pair, mask = np.zeros(2, self.game.State), np.zeros(self.game.spaces.mask_words, np.uint64)
        _loop_of(self.game, self.ranking)(
            tables, lessons.starts, lessons.firsts, lessons.actions, lessons.codes, weights, moved, clock, learns,
            counts, pair, mask, self.work, self.lists,
        )  # fmt: skip

    def agreement(self) -> list[Agreement]:
        """How often the result so far chooses what was taken, in the games kept apart."""
        counts = np.zeros_like(self.counts)
        self._pass(self.apart, self.whole.astype(np.int32), self.moved, np.zeros(2, np.int64), False, counts)
        return [
            Agreement(sort, *map(int, row[[SEEN, RIGHT, PARTLY]]))
            for sort, row in zip(self.ranking.sorts, counts, strict=True)
        ]

    def _end_pass(self) -> None:
        """Add a line to the curve, and begin the next pass."""
        own = self.counts[:, RIGHT].sum() / max(1, self.counts[:, SEEN].sum())
        weights = int(np.count_nonzero(self.weights))
        line = (self.finished + 1, self.decisions, weights, float(own), *(each.rate for each in self.agreement()))
        clock = np.array([self.decisions, 0])
        order = self._order(self.finished + 1)
        self.finished, self.clock, self.order, self.curve, self.counts = (
            self.finished + 1, clock, order, [*self.curve, line], np.zeros_like(self.counts),
        )  # fmt: skip

    def state(self) -> dict[str, np.ndarray]:
        """All that a later process needs to go on; weights that never moved are left out."""
        touched = np.flatnonzero((self.weights != 0) | (self.moved != 0))
        return {
            "touched": touched.astype(np.int32), "weights": self.weights[touched], "moved": self.moved[touched],
            "finished": np.array(self.finished), "clock": self.clock, "counts": self.counts,
            "curve": np.array(self.curve, np.float64).reshape(len(self.curve), 4 + len(self.ranking.sorts)),
        }  # fmt: skip

    def restore(self, state: dict[str, np.ndarray]) -> None:
        """Go on from a stored state."""
        self.weights[state["touched"]] = state["weights"]
        self.moved[state["touched"]] = state["moved"]
        self.finished, self.clock, self.counts = int(state["finished"]), state["clock"], state["counts"]
        self.curve = [tuple(row) for row in state["curve"].tolist()]
        self.order = self._order(self.finished)


def lessons_of(task: Task) -> Lessons:
    """What a task learns from."""
    ranking, arguments = task.game.learning.ranking, task.arguments
    assert ranking is not None
    if arguments.records:
        return from_records(task.game, ranking, Path(arguments.records))
    teacher = compiled_player(task.game, arguments.teacher, task.rules)
    return from_players(task.game, ranking, task.rules, teacher, arguments.games, task.seed, task.threads)


def train(task: Task) -> Trained:
    """The whole run. The curve has a line for each pass: the agreement in the games that are not learned from."""
    ranking = task.game.learning.ranking
    assert ranking is not None
    learning = Perceptron(task.game, ranking, task.arguments, task.seed, lessons_of(task))

    def advance() -> float:
        learning.advance(STEP)
        return learning.tables

    total = task.arguments.passes * len(learning.order)
    run(learning, advance, total, "games or deals", task.out, task.identity, EVERY)
    rates = (f"agreement: {sort}" for sort in ranking.sorts)
    head = ("pass", "decisions", "weights", "agreement while learning", *rates)
    agreement = [{**asdict(each), "rate": each.rate} for each in learning.agreement()]
    return Trained(learning.whole, [head, *learning.curve], agreement=agreement)


def offer(game: Game, rules: Rules) -> Offer | None:
    ranking = game.learning.ranking
    if ranking is None:
        return None
    return Offer(ranking.learner, f"averaged perceptron on {ranking.size:,} features", ranking.policy)


def check(task: Task) -> Task:
    if not task.arguments.records:
        compiled_player(task.game, task.arguments.teacher, task.rules)
    return task


METHOD = Method(Arguments, offer, check, train, against=lambda task: task.game.players.default_opponent)


@cache
def _loop_of(game: Game, ranking: Ranking) -> Any:
    """The compiled loop of one game."""
    to_move, hide, legal, apply = game.kernels.to_move, game.kernels.hide, game.kernels.legal, game.kernels.apply
    candidates, features, codes_at = ranking.candidates, ranking.features, ranking.codes
    sort, alike = ranking.sort, ranking.alike

    def copy(source, number, target):
        for i in range(number):
            target[i] = source[i]

    copy = kernel(copy)

    def rank(view, seat, right, learns, rows, weights, work, lists, lengths):
        """Lists of the one chosen (row 0) and of the one taken (row 1); returns the code of the one chosen: the first
        among equals, but for a learner any other than the one taken."""
        best, most = -1, 0
        for row in range(rows):
            code = work[codes_at + row]
            number = features(view, seat, code, work, lists[2])
            total = 0
            for i in range(number):
                total += weights[lists[2, i]]
            if row == 0 or total > most or (learns and total == most and best == right):
                best, most, lengths[0] = code, total, number
                copy(lists[2], number, lists[0])
            if code == right:
                lengths[1] = number
                copy(lists[2], number, lists[1])
        return best

    rank = kernel(rank)

    def learn(
        tables, starts, firsts, actions, codes, weights, moved, clock, learns, counts, pair, mask, work, lists
    ):  # fmt: skip
        """Learn from some tables, or only count how often the one taken is chosen: counts [sorts, 3]."""
        lengths = np.empty(2, np.int64)
        for place in range(tables.shape[0]):
            table = tables[place]
            pair[TABLE] = starts[table]
            for i in range(firsts[table], firsts[table + 1]):
                right = np.int64(codes[i])
                if right >= 0:
                    seat = to_move(pair[TABLE])
                    pair[VIEW] = pair[TABLE]
                    hide(pair[VIEW], seat)
                    legal(pair[VIEW], mask)
                    rows = candidates(pair[VIEW], seat, mask, work)
                    lengths[1] = -1
                    best = right
                    if rows > 1:
                        best = rank(pair[VIEW], seat, right, learns, rows, weights, work, lists, lengths)
                    if rows > 1 and lengths[1] >= 0:
                        row = sort(right)
                        counts[row, SEEN] += 1
                        if best == right:
                            counts[row, RIGHT] += 1
                        elif alike(best, right):
                            counts[row, PARTLY] += 1
                        if learns:
                            if best != right:
                                for j in range(lengths[1]):
                                    weights[lists[1, j]] += 1
                                    moved[lists[1, j]] += clock[0]
                                for j in range(lengths[0]):
                                    weights[lists[0, j]] -= 1
                                    moved[lists[0, j]] -= clock[0]
                            clock[0] += 1
                apply(pair[TABLE], np.int64(actions[i]))
            clock[1] += 1

    return kernel(learn)
