"""One decision judged: what the move played lost against the best one, as its seat could know.

The move that looks best among many, in the same few worlds, looks better than it is. So two sets of worlds are kept
apart. The first set tries every legal move and chooses the best. The second set, of fresh worlds that had no part in
this choice, tries that move and the one played: the loss is the mean of their paired differences, and if the choice was
wrong, it is too small rather than too large.

A decision is looked at again with more worlds while its loss is not settled. Each look, at each decision of a review,
may be wrong with an equal share of `ERROR`. So all intervals of losses of a review hold together.
"""

from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Any

import numpy as np

from tefuda.contract import Name
from tefuda.contract.scene import data_of
from tefuda.intervals import Interval, interval_of
from tefuda.kernel.random import SEARCH, stream
from tefuda.players.entrant import Entrant
from tefuda.table.evaluation import MOST_WORLDS, Evaluation, Valued, action_name
from tefuda.table.table import View

FIRST_LOOK = 32  # worlds that choose the best move at the first look
GROWTH = 4  # each look has so many times the worlds of the one before
FRESH = 4  # worlds that measure the loss, for each world that chooses: they try two moves only
ERROR = 0.05  # the chance that any interval of a loss in a review misses, at either end
NOTHING = Interval(0.0, 0.0, 0.0)


def looks_of(worlds: int) -> list[int]:
    """How many worlds choose the best move at each look, when there are at most `worlds`."""
    found = [min(worlds, FIRST_LOOK)]
    while found[-1] < worlds:
        found.append(min(worlds, found[-1] * GROWTH))
    return found


@dataclass(frozen=True)
class Judged:
    """A decision, with the values of its moves and what the move played has lost."""

    turn: int  # its number in the game, from 0
    seat: int
    action: int  # what was played
    name: Name
    value: Interval  # of the move played
    best: int  # the best move, as the first set of worlds says
    best_name: Name
    best_value: Interval
    loss: Interval  # of the move played against the best, by fresh worlds; its ends hold for the whole review
    error: float  # the standard error of the loss alone
    expected: float  # the result of the seat that could be expected before this decision
    forced: bool  # there was no other move
    moves: tuple[Valued, ...]  # all moves, best first: those two by fresh worlds, the others by the first set
    worlds: int  # of the first set
    open: bool = False  # more worlds could still tell on which side of the threshold the loss lies

    @property
    def equal(self) -> bool:
        """Whether the move played cannot be told apart from the best."""
        return self.loss.low <= 0.0

    def mistaken(self, threshold: float) -> bool:
        """Whether the whole interval of the loss lies above a threshold."""
        return self.loss.low > threshold

    def data(self) -> dict[str, Any]:
        """For JSON."""
        best = {"action": self.best, "name": data_of(self.best_name), "value": self.best_value.data()}
        return {
            "turn": self.turn, "seat": self.seat, "action": self.action, "name": data_of(self.name),
            "value": self.value.data(), "best": best, "loss": self.loss.data(), "error": self.error,
            "expected": self.expected, "equal": self.equal, "forced": self.forced, "worlds": self.worlds,
            "open": self.open,
            "moves": [valued.data() | {"name": data_of(valued.name)} for valued in self.moves],
        }  # fmt: skip

    @classmethod
    def of(cls, data: dict[str, Any], view: View) -> "Judged":
        """What `data` has written of the decision of a view; an action that was not legal is a KeyError."""
        names = {action: action_name(view, action) for action in view.legal}
        action, best = int(data["action"]), int(data["best"]["action"])
        moves = tuple(
            Valued(int(each["action"]), names[int(each["action"])], _interval(each["value"]), _interval(each["loss"]))
            for each in data["moves"]
        )
        return cls(
            int(data["turn"]), view.seat, action, names[action], _interval(data["value"]), best, names[best],
            _interval(data["best"]["value"]), _interval(data["loss"]), float(data["error"]), float(data["expected"]),
            len(names) == 1, moves, int(data["worlds"]), bool(data["open"]),
        )  # fmt: skip


def _interval(data: dict[str, Any]) -> Interval:
    ends = [-np.inf if data["low"] is None else data["low"], np.inf if data["high"] is None else data["high"]]
    return Interval(float(data["mean"]), *map(float, ends))


class Judging:
    """The search behind one `Judged`; it keeps the worlds that it has played."""

    def __init__(
        self, view: View, turn: int, action: int, judge: Entrant, seed: int, shares: int, before: float = 0.0,
        threads: int | None = None,
    ) -> None:  # fmt: skip
        """`shares`: among how many looks of the whole review `ERROR` is shared. `before`: what the seat had when the
        round began, less what the rounds before have brought."""
        self.view, self.turn, self.action, self.judge, self.threads = view, turn, action, judge, threads
        self.z = NormalDist().inv_cdf(1 - ERROR / 2 / max(1, shares))
        self.seeds = [int(stream(seed, turn, part, SEARCH)) >> 1 for part in (0, 1)]
        self.choosing = Evaluation(view, judge, self.seeds[0], threads, this_round=True)
        self.before = before
        self._measuring: dict[int, Evaluation] = {}  # for each move that was the best once

    def look(self, worlds: int) -> Judged:
        """Judge by so many worlds in all that choose the best move."""
        choosing, forced = self.choosing, len(self.choosing.actions) == 1
        values = choosing.more(worlds - choosing.worlds) if worlds > choosing.worlds else choosing.values()
        played = next(valued for valued in values if valued.action == self.action)
        best = played if played.loss.mean <= 0.0 else values[0]  # among equals, the one played is as good as any
        value, best_value, loss, error = played.value, best.value, NOTHING, 0.0
        if best is not played:
            better, own = self._measured(best.action, FRESH * worlds)
            loss, error = _loss(better - own, self.z)
            value, best_value = interval_of(own), interval_of(better)
        measured = {played.action: replace(played, value=value, loss=loss)}  # the others are known less well
        measured |= {best.action: replace(best, value=best_value, loss=NOTHING)}
        moves = tuple(measured.get(valued.action, valued) for valued in values)
        return Judged(
            self.turn, self.view.seat, self.action, played.name, value, best.action, best.name, best_value, loss, error,
            best_value.mean + choosing.so_far - self.before, forced, moves, worlds,
        )  # fmt: skip

    def is_open(self, judged: Judged, threshold: float) -> bool:
        """Whether more worlds could tell on which side of a threshold the loss lies."""
        if judged.forced:
            return False
        if judged.best != self.action:
            return judged.loss.low <= threshold < judged.loss.high
        results, own = self.choosing.results, list(self.choosing.actions).index(self.action)
        others = np.delete(results, own, axis=1) - results[:, own : own + 1]
        return any(interval_of(other).high > threshold for other in others.T)

    def _measured(self, best: int, worlds: int) -> tuple[np.ndarray, np.ndarray]:
        """What the best move and the one played bring in so many fresh worlds."""
        found = self._measuring.get(best)
        if found is None:
            found = self._measuring[best] = Evaluation(
                self.view, self.judge, self.seeds[1], self.threads, this_round=True, actions=[best, self.action]
            )
        if found.worlds < worlds:
            found.more(min(worlds, MOST_WORLDS) - found.worlds)
        return found.results[:, 0], found.results[:, 1]

    @property
    def spread(self) -> float:
        """How far apart the results of the worlds lie, as a standard deviation."""
        return float(self.choosing.results.std(axis=0).max())


def _loss(differences: np.ndarray, z: float) -> tuple[Interval, float]:
    """The mean of paired differences with its interval, and the standard error.

    For either end one world more is counted, which differs by as much as any has, to that side: a handful of worlds
    that agree by chance prove nothing.
    """
    furthest = np.abs(differences).max()
    low, high = (interval_of(np.append(differences, end), z) for end in (-furthest, furthest))
    error = float(differences.std(ddof=1) / np.sqrt(len(differences)))
    return Interval(float(differences.mean()), low.low, high.high), error


def rounded(value: float) -> float:
    """The next of 1, 2, 5, 10, 20, … and 0.5, 0.2, 0.1, … below a number."""
    if value <= 0.0:
        return 0.0
    power = 10.0 ** np.floor(np.log10(value))
    step = next(each for each in (5, 2, 1) if each * power <= value * (1 + 1e-9))
    return float(f"{step * power:.6g}")
