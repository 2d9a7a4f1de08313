"""What one guest of a table is told: turns with their scenes, the log, the result. All of it is made for the guest's
view, from hidden copies of the table; decisions that the view may not hear of are no turns in it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tefuda.contract import Game, Reader, Rules, Said, Scene
from tefuda.contract.scene import data_of
from tefuda.table.play import Play
from tefuda.table.played import Played
from tefuda.table.record import PERSON, Step
from tefuda.table.scene import said_of, scene_of
from tefuda.table.session import SOMEBODY, YOU, seat_titles

Playing = Play | Played  # a game in play, or one that was played
LOGGED = 100  # decisions that a page is told in words when it draws a table anew
MOST_NEW = 120  # more turns than this are not shown one by one


def reader_of(players: Sequence[str], view: int | None, own: int | None) -> Reader:
    """A guest as a reader: `view` is the seat whose cards are open to it, None for all; `own` is where it sits."""
    titles = list(seat_titles(players, SOMEBODY))
    if own is not None and players[own] == PERSON:
        titles[own] = YOU
    return Reader(view, called=tuple(titles)).speaking("en")


def hears(game: Game, step: Step, view: int | None) -> bool:
    """Whether a view is told that a decision was taken."""
    return not (step.secret and game.spaces.unheard) or view in (None, step.seat)


def turn_at(play: Playing, view: int | None, place: int) -> int:
    """The number of decisions that a view has heard of, among the first `place`."""
    return sum(hears(play.game, step, view) for step in play.steps[:place])


def place_of_turn(play: Playing, view: int | None, turn: int, most: int) -> int | None:
    """The place right after the decision that was a view's turn; None where there is no such turn."""
    heard = 0
    for place in range(most):
        if heard == turn:
            return place
        heard += hears(play.game, play.steps[place], view)
    return most if heard == turn else None


class Telling:
    """What one view of a game has been told so far: the first `place` decisions, which were `turn` turns."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.place = self.turn = 0
        self.last: Scene | None = None  # the last one, without what was said

    def go_to(self, play: Playing, place: int) -> None:
        """As if all up to a place had been told."""
        self.place, self.turn = place, turn_at(play, self.reader.seat, place)

    def news(self, play: Playing, upto: int) -> list[dict[str, Any]]:
        """An entry for each turn since the last telling. Where the table has changed by a decision that the view may
        not hear of, the last turn comes again with its new scene."""
        told = []
        while self.place < upto:
            first = self.place
            heard = hears(play.game, play.steps[first], self.reader.seat)
            self.place += 1
            while self.place < upto and not hears(play.game, play.steps[self.place], self.reader.seat):
                self.place += 1
            self.turn += heard
            entry = self._entry(play, play.steps[first : self.place], heard)
            if entry is not None:
                told.append({"turn": self.turn, "scene": entry})
        return told

    def _entry(self, play: Playing, steps: Sequence[Step], heard: bool) -> Scene | None:
        """The scene after some decisions; None where nothing in it has changed for this view."""
        scene = scene_of(play.game, steps[-1].after, self.reader, steps, self.turn)
        said = tuple(each for each in scene.said if each != Said(None))
        before, self.last = self.last, replace(scene, said=())
        if not heard and not said and self.last == before:
            return None
        return replace(scene, said=said)

    def whole(self, play: Playing, upto: int) -> dict[str, Any]:
        """The table as it stands, without what came before."""
        self.go_to(play, upto)
        states = play.steps[upto - 1].after if upto else first_table(play)
        self.last = scene_of(play.game, states, self.reader, (), self.turn)
        return {"turn": self.turn, "scene": self.last}

    def log(self, play: Playing, upto: int) -> list[dict[str, Any]]:
        """The last decisions in words."""
        turn = self.turn
        told: list[dict[str, Any]] = []
        for step in reversed(play.steps[:upto]):
            if len(told) >= LOGGED:
                break
            said = said_of(play.game, step, self.reader)
            if said.lines or said.results:
                told.append({"turn": turn, **data_of(said)})
            turn -= hears(play.game, step, self.reader.seat)
        return told[::-1]


def first_table(play: Playing) -> np.ndarray:
    """The true table before the first decision."""
    if isinstance(play, Play) and not play.steps:
        return play.table.states
    return play.steps[0].before


def result_lines(play: Playing, reader: Reader) -> list[dict[str, Any]]:
    """How each round has ended, in words."""
    lines = []
    for place, step in enumerate(play.steps):
        last = place == len(play.steps) - 1
        if last or play.game.rounds_over(step.before) != play.game.rounds_over(step.after):
            said: Said = said_of(play.game, step, reader)
            lines += [data_of(line) for line in said.results]
    return lines


def places_of(game: Game, rules: Rules, scores: np.ndarray) -> list[int]:
    """The place of each seat: 1 for the best; equal figures share a place."""
    headline = game.scoring.headline_under(rules)
    figures = (headline.of(scores) * (1 if headline.higher_is_better else -1)).tolist()
    return [1 + sum(other > figure for other in figures) for figure in figures]


def lines_in_both(words: Any, reader: Reader) -> list[dict[str, str]]:
    """Some lines in each language; where a language has more lines than the other, all are one."""
    told = [words(reader.speaking(lang)) for lang in ("ja", "en")]
    if len(told[0]) != len(told[1]):
        told = [["\n".join(lines)] for lines in told]
    return [{"ja": ja, "en": en} for ja, en in zip(*told, strict=True)]
