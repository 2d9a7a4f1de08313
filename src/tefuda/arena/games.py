"""Playing the deals of a match, by the fastest way that its players allow.

All compiled: whole games in the compiled loop. With batch players: many lanes at once, each network asked once for
all the lanes that wait for it. With Python players: table after table. The deals and the random streams of the
seats are the same in all three.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tefuda import outside
from tefuda.contract import Game, Rules
from tefuda.engine.lanes import lane_scratch, lanes_of
from tefuda.engine.loops import loops_of
from tefuda.engine.seated import scratch, seated
from tefuda.errors import Problem
from tefuda.players.asking import LANES, answer, answers, made
from tefuda.players.entrant import Entrant
from tefuda.table.table import Table


@dataclass(frozen=True)
class Seating:
    """Who plays, in which rotations of the seats."""

    entrants: list[Entrant]  # different players; equal ones stand here once
    rotations: np.ndarray  # [rotations, seats]: which of them sits where
    shared: dict[int, Any] = field(default_factory=dict)  # objects of batch players, which play the whole match

    def object_of(self, index: int) -> Any:
        """The object that is asked for a player: a fresh one for a seat of a game, a batch player's for all."""
        if not self.entrants[index].batch:
            return made(self.entrants[index])
        if index not in self.shared:
            self.shared[index] = made(self.entrants[index])
        return self.shared[index]


@dataclass(frozen=True)
class PlayedDeals:
    """Some deals that were played."""

    scores: np.ndarray  # [deals, rotations, seats]
    counts: np.ndarray  # [players, statistics]
    decisions: int


def seat_players(game: Game, players: Sequence[Entrant], patterns: str | None = None) -> Seating:
    """Players for all seats in every distinct rotation; equal names are one player.

    `patterns` says who sits where by letters, A for the first of `players`: `AABB,ABAB` is two against two in all ways.
    Without it there is a player for every seat, in their order.
    """
    different = list({player.name: player for player in players}.values())
    order = [[player.name for player in different].index(player.name) for player in players]
    rotations: list[list[int]] = []
    for pattern in [order] if patterns is None else _read_patterns(game, patterns, len(different)):
        for shift in range(game.seats):
            rotated = [pattern[(seat + shift) % game.seats] for seat in range(game.seats)]
            if rotated not in rotations:
                rotations.append(rotated)
    return Seating(different, np.array(rotations))


def _read_patterns(game: Game, text: str, players: int) -> list[list[int]]:
    """Who sits where, from letters."""
    patterns = []
    for word in outside.text("a seating", text).split(","):
        pattern = [ord(letter) - ord("A") for letter in word.strip().upper()]
        if len(pattern) != game.seats or set(pattern) != set(range(players)):
            letters = ", ".join(chr(ord("A") + each) for each in range(players))
            raise Problem(
                f"the seating {word.strip()!r} should have {game.seats} letters, one for each seat of {game.name}, "
                f"with each of {letters} (the players in their order)"
            )
        patterns.append(pattern)
    return patterns


def play(game: Game, rules: Rules, seating: Seating, seed: int, first: int, last: int) -> PlayedDeals:
    """Play deals first to last - 1 in all rotations."""
    forms = {entrant.form for entrant in seating.entrants}
    if "python" in forms:
        return _play_tables(game, rules, seating, seed, first, last)
    if "batch" in forms:
        return _play_lanes(game, rules, seating, seed, first, last)
    scores = np.zeros((last - first, len(seating.rotations), game.seats))
    counts = _no_counts(game, seating)
    players = seating.entrants
    decisions = loops_of(game).play_deals(
        game.blank(rules), seed, first, last, seating.rotations, seated(game, players), scratch(game, players), scores,
        counts,
    )  # fmt: skip
    return PlayedDeals(scores, counts, int(decisions))


def play_on_gpu(game: Game, rules: Rules, seating: Seating, seed: int, first: int, last: int) -> PlayedDeals:
    """The same deals on CUDA, by compiled players; the game's own statistics are not counted there."""
    from tefuda.engine import cuda
    from tefuda.kernel.device import wait

    for entrant in seating.entrants:
        if entrant.form != "compiled":
            raise Problem(f"{entrant.name} cannot play on CUDA: only compiled players can")
    batch = cuda.Batch(game, game.blank(rules), seating.rotations, seating.entrants, last - first)
    batch.play(seed, first)
    wait()
    return PlayedDeals(batch.scores(), _no_counts(game, seating), int(batch.decisions.copy_to_host().sum()))


def _no_counts(game: Game, seating: Seating) -> np.ndarray:
    return np.zeros((len(seating.entrants), loops_of(game).counted), np.int64)


def _play_tables(game: Game, rules: Rules, seating: Seating, seed: int, first: int, last: int) -> PlayedDeals:
    """One table after another. Each seat of each game gets a fresh object, so that nothing passes between them."""
    scores = np.zeros((last - first, len(seating.rotations), game.seats))
    counts = _no_counts(game, seating)
    decisions = 0
    loops = loops_of(game)
    for deal in range(first, last):
        for rotation, sitting in enumerate(seating.rotations):
            table = Table(game, rules, seed, deal)
            players = [seating.object_of(index) for index in sitting]
            while not table.over:
                seat = table.to_move
                entrant = seating.entrants[sitting[seat]]
                action = table.ask(entrant) if entrant.policy else _answer(table, entrant, players[seat], rotation)
                before = table.states.copy()
                table.apply(action)
                decisions += 1
                loops.tally_all(before[0], table.states[0], sitting, counts)
            scores[deal - first, rotation] = table.scores
    return PlayedDeals(scores, counts, decisions)


def _answer(table: Table, entrant: Entrant, player: Any, rotation: int) -> int:
    view = table.view()
    where = f"player {entrant.name}, deal {table.deal}, seat {view.seat}"
    return answer(entrant, player, view, where, (table.deal, rotation))


def _play_lanes(game: Game, rules: Rules, seating: Seating, seed: int, first: int, last: int) -> PlayedDeals:
    """All games side by side: compiled players move on by themselves, the others are asked together."""
    lanes = lanes_of(game)
    rotations, entrants = seating.rotations, seating.entrants
    count = (last - first) * len(rotations)
    sitting = np.tile(rotations, (last - first, 1))
    states, rngs = np.zeros(count, game.State), np.zeros((count, game.seats), np.uint64)
    lanes.begin_some(states, rngs, game.blank(rules), seed, first, len(rotations))
    players, space = [seating.object_of(index) for index in range(len(entrants))], lane_scratch(game, entrants)
    games = np.zeros(count, LANES)
    games["deal"], games["rotation"] = (
        np.repeat(np.arange(first, last), len(rotations)),
        np.arange(count) % len(rotations),
    )
    compiled, counts, asked_seat = seated(game, entrants), _no_counts(game, seating), np.zeros(count, np.int64)
    decisions = 0
    while True:
        decisions += int(lanes.reach_some(states, rngs, sitting, compiled, counts, asked_seat, space))
        waiting = np.flatnonzero(asked_seat >= 0)
        if len(waiting) == 0:
            break
        asked = sitting[waiting, asked_seat[waiting]]
        for index in np.unique(asked):
            here = waiting[asked == index]
            observations = np.zeros((len(here), game.spaces.observation.size), np.float32)
            masks = np.zeros((len(here), game.spaces.actions.size), bool)
            lanes.look_some(states, here, asked_seat, observations, masks, space)
            told = games[here]
            told["seat"] = asked_seat[here]
            where = f"player {entrants[index].name}"
            actions = answers(entrants[index], players[index], game, observations, masks, told, where)
            lanes.take_some(states, here, actions, sitting, counts, space)
            decisions += len(here)
    scores = np.zeros((count, game.seats))
    lanes.scores_some(states, scores)
    return PlayedDeals(scores.reshape(last - first, len(rotations), game.seats), counts, decisions)
