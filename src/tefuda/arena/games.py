"""Playing the deals of a match, by the fastest way that its players allow.

All compiled: whole games in the compiled loop. With batch players: many lanes at once, each network asked once for
all the lanes that wait for it. With Python players: table after table. The deals and the random streams of the
seats are the same in all three.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from tefuda.contract import Game, Rules
from tefuda.engine.lanes import lane_scratch, lanes_of
from tefuda.engine.loops import loops_of
from tefuda.engine.seated import scratch, seated
from tefuda.errors import Problem
from tefuda.players.asking import answer, guarded, illegal_move, made
from tefuda.players.entrant import Entrant
from tefuda.table.table import Table


@dataclass(frozen=True)
class Seating:
    """Who plays, in which rotations of the seats."""

    entrants: list[Entrant]  # different players; equal ones stand here once
    rotations: np.ndarray  # [rotations, seats]: which of them sits where


@dataclass(frozen=True)
class Played:
    """Some deals that were played."""

    scores: np.ndarray  # [deals, rotations, seats]
    counts: np.ndarray  # [players, statistics]
    decisions: int


def seat_players(game: Game, names: list[str], entrants: list[Entrant]) -> Seating:
    """Every distinct rotation of the players; with two names at a larger table the second takes all other seats."""
    different = list(dict.fromkeys(names))
    by_name = dict(zip(names, entrants, strict=True))
    order = [different.index(name) for name in names]
    rotations: list[list[int]] = []
    for shift in range(game.seats):
        rotated = [order[(seat + shift) % game.seats] for seat in range(game.seats)]
        if rotated not in rotations:
            rotations.append(rotated)
    return Seating([by_name[name] for name in different], np.array(rotations))


def play(game: Game, rules: Rules, seating: Seating, seed: int, first: int, last: int) -> Played:
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
    return Played(scores, counts, int(decisions))


def play_on_gpu(game: Game, rules: Rules, seating: Seating, seed: int, first: int, last: int) -> Played:
    """The same deals on CUDA, by compiled players; the game's own statistics are not counted there."""
    from tefuda.engine import cuda
    from tefuda.kernel.device import wait

    for entrant in seating.entrants:
        if entrant.form != "compiled":
            raise Problem(f"{entrant.name} cannot play on CUDA: only compiled players can")
    batch = cuda.Batch(game, game.blank(rules), seating.rotations, seating.entrants, last - first)
    batch.play(seed, first)
    wait()
    return Played(batch.scores(), _no_counts(game, seating), int(batch.decisions.copy_to_host().sum()))


def _no_counts(game: Game, seating: Seating) -> np.ndarray:
    return np.zeros((len(seating.entrants), loops_of(game).counted), np.int64)


def _play_tables(game: Game, rules: Rules, seating: Seating, seed: int, first: int, last: int) -> Played:
    """One table after another. Each seat of each game gets a fresh player, so that nothing passes between them."""
    scores = np.zeros((last - first, len(seating.rotations), game.seats))
    counts = _no_counts(game, seating)
    decisions = 0
    loops = loops_of(game)
    for deal in range(first, last):
        for rotation, sitting in enumerate(seating.rotations):
            table = Table(game, rules, seed, deal)
            players = [made(seating.entrants[index]) for index in sitting]
            while not table.over:
                seat = table.to_move
                entrant = seating.entrants[sitting[seat]]
                action = table.ask(entrant) if entrant.policy else _answer(table, entrant, players[seat])
                before = table.states.copy()
                table.apply(action)
                decisions += 1
                loops.tally_all(before[0], table.states[0], sitting, counts)
            scores[deal - first, rotation] = table.scores
    return Played(scores, counts, decisions)


def _answer(table: Table, entrant: Entrant, player: Any) -> int:
    view = table.view()
    return answer(entrant, player, view, f"player {entrant.name}, deal {table.deal}, seat {view.seat}")


def _play_lanes(game: Game, rules: Rules, seating: Seating, seed: int, first: int, last: int) -> Played:
    """All games side by side: compiled players move on by themselves, the others are asked together."""
    lanes = lanes_of(game)
    rotations, entrants = seating.rotations, seating.entrants
    count = (last - first) * len(rotations)
    sitting = np.tile(rotations, (last - first, 1))
    states, rngs = np.zeros(count, game.State), np.zeros((count, game.seats), np.uint64)
    lanes.begin_some(states, rngs, game.blank(rules), seed, first, len(rotations))
    players, space = [made(entrant) for entrant in entrants], lane_scratch(game, entrants)
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
            actions = _choose(game, entrants[index], players[index], observations, masks)
            lanes.take_some(states, here, actions, sitting, counts, space)
            decisions += len(here)
    scores = np.zeros((count, game.seats))
    lanes.scores_some(states, scores)
    return Played(scores.reshape(last - first, len(rotations), game.seats), counts, decisions)


def _choose(game: Game, entrant: Entrant, player: Any, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """The actions of a batch player, checked."""
    where, rows = f"player {entrant.name}", len(masks)
    actions = guarded(f"{where}: it failed", lambda: np.asarray(player.choose(observations, masks)))
    if actions.shape != (rows,) or not np.issubdtype(actions.dtype, np.integer):
        raise Problem(f"{where}: choose must return {rows} whole numbers, one for each row")
    inside = (actions >= 0) & (actions < game.spaces.actions.size)
    fine = inside & masks[np.arange(rows), np.where(inside, actions, 0)]
    if not fine.all():
        wrong = int(np.flatnonzero(~fine)[0])
        legal = np.flatnonzero(masks[wrong]).tolist()
        raise Problem(f"{where}: {illegal_move(game, int(actions[wrong]), legal)}")
    return actions.astype(np.int64)
