"""Judge a game that was played: what each decision of a seat lost, as the seat could know; luck and skill told apart.

    review = Review(played, seat=0)
    for judged in review.run():             # every decision soon, then better where it is not settled
        print(judged.turn, judged.loss)
    print(review.skill, review.luck, review.result)

Skill is what the judge says was lost at the seat's own decisions, luck is the rest: together they are the result. A
mistake is a loss whose whole interval lies above a threshold. All intervals of losses of a review hold together with a
chance of 95 % (see judging.py), so that a player who has lost nothing is hardly ever told of a mistake.

The same seed gives the same review, whatever the number of threads, and however often it was interrupted.
"""

import hashlib
import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from tefuda import outside
from tefuda.contract import Name
from tefuda.contract.scene import data_of
from tefuda.errors import Problem
from tefuda.files.frames import Columns, Framed
from tefuda.intervals import Z95, Interval
from tefuda.players.entrant import Entrant
from tefuda.table.evaluation import MOST_WORLDS, unit_of
from tefuda.table.judging import FRESH, Judged, Judging, looks_of, rounded
from tefuda.table.played import Played, gained, round_score
from tefuda.table.session import hint_player_of

FORMAT = "tefuda review 1"
WORLDS = 512  # that choose the best move at one decision, at most
MOST_REVIEW_WORLDS = MOST_WORLDS // FRESH
MOST_THRESHOLD = 1e6
PART = 20  # without a threshold, it is this part of how far apart results lie
ROUNDS_ADDED = Name("各局の得点の合計", "points of all rounds together")


class Review(Framed):
    """The review of one seat of one game; it gets better with every step of `run`."""

    def __init__(
        self, played: Played, seat: int | None = None, judge: Entrant | None = None, worlds: int = WORLDS,
        seed: int = 1, threshold: float | None = None, threads: int | None = None,
    ) -> None:  # fmt: skip
        """Without a seat it is the person's. `judge` plays worlds on, the game's hint player when not given. Without a
        threshold, one that fits the results of the game is chosen."""
        self.played, self.seat, self.threads = played, played.seat(seat), outside.threads(threads)
        self.judge = judge or hint_player_of(played.game, played.rules)
        self.worlds = outside.whole("worlds", worlds, 1, MOST_REVIEW_WORLDS)
        self.seed = outside.seed(seed)
        self.asked = None if threshold is None else outside.number("threshold", threshold, 0, MOST_THRESHOLD)
        self.threshold = self.asked
        self.looks = looks_of(self.worlds)
        self.turns = played.turns_of(self.seat)
        self.judged: dict[int, Judged] = {}
        self._gained = gained(played, self.seat)
        self._judgings: dict[int, Judging] = {}

    # The work

    def run(self) -> Iterator[Judged]:
        """Judge every decision once, and those that are not settled again with more worlds. Gives each decision when
        something new is known of it; who stops listening keeps what was judged."""
        for worlds in self.looks:
            for turn in self.turns:
                known = self.judged.get(turn)
                if known is None or (known.open and known.worlds < worlds):
                    yield self._look(turn, worlds)

    def _look(self, turn: int, worlds: int) -> Judged:
        judging = self._judgings.get(turn) or self._judging(turn)
        judged = judging.look(worlds)
        if self.threshold is None and not judged.forced:
            self.threshold = rounded(judging.spread / PART)
        open_ = worlds < self.worlds and self.threshold is not None and judging.is_open(judged, self.threshold)
        if open_:
            self._judgings[turn] = judging
        else:
            self._judgings.pop(turn, None)
        self.judged[turn] = replace(judged, open=open_)
        return self.judged[turn]

    def _judging(self, turn: int) -> Judging:
        played, game = self.played, self.played.game
        before = 0.0
        if game.kernels.end_here:
            number = played.round_of(turn)
            start = played.steps[played.rounds[number].first].before
            before = round_score(game, start, self.seat) - sum(each or 0.0 for each in self._gained[:number])
        shares = len(self.looks) * sum(len(played.views[turn].legal) > 1 for turn in self.turns)
        action = played.steps[turn].action
        return Judging(played.views[turn], turn, action, self.judge, self.seed, shares, before, self.threads)

    @property
    def finished(self) -> bool:
        """Whether there is nothing left to judge."""
        return all(turn in self.judged and not self.judged[turn].open for turn in self.turns)

    @property
    def done(self) -> int:
        """How many moves were tried in worlds so far, about."""
        return sum(self._cost(turn, self.judged[turn].worlds) for turn in self.turns if turn in self.judged)

    @property
    def of(self) -> int:
        """How many there will be, at most: it becomes less whenever a decision is settled early."""
        return sum(
            self._cost(turn, known.worlds if known and not known.open else self.worlds)
            for turn in self.turns
            for known in [self.judged.get(turn)]
        )

    def _cost(self, turn: int, worlds: int) -> int:
        moves = len(self.played.views[turn].legal)
        return self.looks[0] if moves == 1 else worlds * (moves + 2 * FRESH)

    # What it found

    @property
    def result(self) -> float:
        """What the seat got; in a game that is not over, what it could expect after its last decision."""
        unfinished = [number for number, each in enumerate(self._gained) if each is None]
        last = [turn for turn in self.turns if turn in self.judged]
        if unfinished and last:
            latest = self.judged[last[-1]]
            if not self.played.game.kernels.end_here or self.played.round_of(latest.turn) in unfinished:
                return latest.expected - latest.loss.mean
        return math.fsum(each or 0.0 for each in self._gained)

    @property
    def skill(self) -> Interval:
        """Minus what was lost at the seat's own decisions, with the 95 % interval of the sum."""
        lost = math.fsum(judged.loss.mean for judged in self.judged.values())
        half = Z95 * math.sqrt(math.fsum(judged.error**2 for judged in self.judged.values()))
        return Interval(0.0 - lost, -lost - half, -lost + half)

    @property
    def luck(self) -> Interval:
        """The rest of the result."""
        result, skill = self.result, self.skill
        return Interval(result - skill.mean, result - skill.high, result - skill.low)

    def mistakes(self, threshold: float | None = None) -> list[Judged]:
        """The decisions whose loss lies above a threshold with its whole interval, the worst first."""
        least = (self.threshold or 0.0) if threshold is None else threshold
        found = [judged for judged in self.judged.values() if judged.mistaken(least)]
        return sorted(found, key=lambda judged: (-judged.loss.mean, judged.turn))

    @property
    def curve(self) -> list[tuple[int, float]]:
        """The result that could be expected before each decision, and the result behind the last one."""
        points = [(turn, self.judged[turn].expected) for turn in self.turns if turn in self.judged]
        return [*points, (len(self.played.steps), self.result)]

    @property
    def unit(self) -> Name:
        """In what everything is told."""
        return (
            ROUNDS_ADDED
            if self.played.game.kernels.end_here and len(self.played.rounds) > 1
            else unit_of(self.played.game)
        )

    def columns(self) -> Columns:
        """A row for each decision that was judged."""
        rows = [self.judged[turn] for turn in self.turns if turn in self.judged]
        return {
            "turn": [judged.turn for judged in rows], "played": [judged.name.en for judged in rows],
            "best": [judged.best_name.en for judged in rows], "loss": [judged.loss.mean for judged in rows],
            "loss_low": [judged.loss.low for judged in rows], "loss_high": [judged.loss.high for judged in rows],
            "expected": [judged.expected for judged in rows], "forced": [judged.forced for judged in rows],
        }  # fmt: skip

    def heading(self) -> str:
        return f"seat {self.seat}: {len(self.judged)} decisions, judged by {self.judge.name}"

    def __repr__(self) -> str:
        return (
            f"<review of seat {self.seat}: {len(self.mistakes())} mistakes in {len(self.judged)} decisions, "
            f"skill {self.skill.text(2)}, luck {self.luck.text(2)}, result {self.result:+.2f}>"
        )

    # Keeping it

    def about(self) -> dict[str, Any]:
        """Which review this is: the same words are the same review."""
        played = self.played
        actions = ",".join(f"{step.seat}:{step.action}" for step in played.steps)
        return {
            "format": FORMAT, "game": played.game.name, "rules": str(played.rules), "players": list(played.players),
            "seat": self.seat, "judge": {"player": self.judge.name, "worlds": self.worlds, "seed": self.seed},
            "asked": self.asked, "played": hashlib.sha256(actions.encode()).hexdigest()[:16],
        }  # fmt: skip

    def data(self) -> dict[str, Any]:
        """For JSON: all that is known so far. `restore` goes on from it."""
        played = self.played
        return self.about() | {
            "name": played.name, "unit": data_of(self.unit), "threshold": self.threshold, "finished": self.finished,
            "done": self.done, "of": self.of, "over": played.scores is not None, "scores": played.scores,
            "result": self.result, "skill": self.skill.data(), "luck": self.luck.data(),
            "mistakes": [judged.turn for judged in self.mistakes()], "rounds": self._rounds(),
            "curve": [list(point) for point in self.curve],
            "decisions": [self.judged[turn].data() for turn in self.turns if turn in self.judged],
        }  # fmt: skip

    def _rounds(self) -> list[dict[str, Any]]:
        """What each round brought, and how much of it was lost by the seat itself."""
        if not self.played.game.kernels.end_here:
            return []
        found = []
        for each, brought in zip(self.played.rounds, self._gained, strict=True):
            lost = [judged.loss.mean for turn, judged in self.judged.items() if each.first <= turn < each.last]
            found.append({"first": each.first, "last": each.last, "result": brought, "skill": 0.0 - math.fsum(lost)})
        return found

    def restore(self, data: Any) -> None:
        """Go on with what `data` of an earlier run has kept; another review is refused."""
        about = self.about()
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise Problem("it is not a review of tefuda")
        other = next((key for key in about if data.get(key) != about[key]), None)
        if other is not None:
            raise Problem(f"it is another review: its {other} is {data.get(other)!r}, here it is {about[other]!r}")
        try:
            turns = [int(each["turn"]) for each in data["decisions"]]
            if not set(turns) <= set(self.turns):
                raise Problem("it is damaged: it has decisions that were not taken")
            views = [self.played.views[turn] for turn in turns]
            judged = [Judged.of(each, view) for each, view in zip(data["decisions"], views, strict=True)]
            threshold = None if data["threshold"] is None else float(data["threshold"])
        except (KeyError, TypeError, ValueError, AttributeError):
            raise Problem("it is damaged: its decisions cannot be read") from None
        self.judged = {each.turn: each for each in judged}
        self.threshold = threshold
