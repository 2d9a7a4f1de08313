"""Playing the deals of a match, by the fastest way that its players allow.

All compiled: whole games in the compiled loop. With batch players: many lanes at once, each network asked once for
all the lanes that wait for it. With Python players: table after table. The deals and the random streams of the
seats are the same in all three.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from tefuda.contract import Game, Rules, legal_actions
from tefuda.engine.loops import loops_of
from tefuda.errors import Problem
from tefuda.players.resolve import Entrant
from tefuda.table.table import Table, illegal_move


@dataclass(frozen=True)
class Seating:
    """Who plays, in which rotations of the seats."""

    entrants: list[Entrant]  # different players; equal ones stand here once
    rotations: np.ndarray  # [rotations, seats]: which of them sits where

    @property
    def kinds(self) -> np.ndarray:
        return np.array([entrant.kind for entrant in self.entrants])

    @property
    def starts(self) -> np.ndarray:
        return np.cumsum([0, *(len(entrant.params) for entrant in self.entrants)])

    @property
    def params(self) -> np.ndarray:
        return np.concatenate([*(entrant.params for entrant in self.entrants), np.zeros(1)])


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
    decisions = loops_of(game).play_deals(
        game.blank(rules), seed, first, last, seating.rotations, seating.kinds, seating.starts, seating.params,
        scores, counts,
    )  # fmt: skip
    return Played(scores, counts, int(decisions))


def play_on_gpu(game: Game, rules: Rules, seating: Seating, seed: int, first: int, last: int) -> Played:
    """The same deals on CUDA, by compiled players; the game's own statistics are not counted there."""
    from tefuda.engine import cuda

    for entrant in seating.entrants:
        if entrant.form != "compiled":
            raise Problem(f"{entrant.name} cannot play on CUDA: only compiled players can")
    arrays = (seating.rotations, seating.kinds, seating.starts, seating.params)
    batch = cuda.Batch(game, game.blank(rules), *arrays, last - first)
    batch.play(seed, first)
    cuda.wait()
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
            players = [make(seating.entrants[index]) for index in sitting]
            while not table.over:
                seat = table.to_move
                entrant = seating.entrants[sitting[seat]]
                action = table.ask(entrant) if players[seat] is None else act(table, entrant, players[seat])
                before = table.states.copy()
                table.apply(action)
                decisions += 1
                loops.note_all(before, table.states, sitting, counts)
            scores[deal - first, rotation] = table.scores
    return Played(scores, counts, decisions)


def make(entrant: Entrant) -> Any:
    """A player's object for one seat of one game; None for a compiled player."""
    if entrant.form == "compiled":
        return None
    try:
        return entrant.maker()
    except Exception as error:
        raise Problem(f"player {entrant.name} could not be made: {type(error).__name__}: {error}") from error


def act(table: Table, entrant: Entrant, player: Any) -> int:
    """Ask a Python or batch player at one table, and check what it answers."""
    view = table.view()
    where = f"player {entrant.name}, deal {table.deal}, seat {view.seat}"
    try:
        if entrant.form == "python":
            answer = player.act(view)
        else:
            numbers = np.concatenate(list(view.observation.values()))
            mask = np.zeros(table.game.spaces.actions.size, bool)
            mask[view.legal] = True
            answer = player.choose(numbers[None, :], mask[None, :])[0]
    except Exception as error:
        raise Problem(f"{where}: raised {type(error).__name__}: {error}") from error
    if isinstance(answer, str):
        answer = view.legal_names.get(answer, answer)
    legal = view.legal
    if isinstance(answer, bool) or not isinstance(answer, int | np.integer) or answer not in legal:
        raise Problem(f"{where}: {illegal_move(table.game, view.state, answer, legal)}")
    return int(answer)


def _play_lanes(game: Game, rules: Rules, seating: Seating, seed: int, first: int, last: int) -> Played:
    """All games side by side: compiled players move on by themselves, the others are asked together."""
    loops = loops_of(game)
    rotations = seating.rotations
    lanes = (last - first) * len(rotations)
    sitting = np.tile(rotations, (last - first, 1))
    states = np.zeros(lanes, game.State)
    rngs = np.zeros((lanes, game.seats), np.uint64)
    for lane in range(lanes):
        deal = first + lane // len(rotations)
        loops.begin(states[lane : lane + 1], game.blank(rules), rngs[lane], seed, deal)
    players = [make(entrant) for entrant in seating.entrants]
    counts = _no_counts(game, seating)
    decisions = 0
    while True:
        arguments = (seating.kinds, seating.starts, seating.params)
        decisions += int(loops.advance(states, rngs, sitting, *arguments, counts))
        seats = np.array([game.kernels.to_move(state) for state in states])
        waiting = np.flatnonzero(seats >= 0)
        if len(waiting) == 0:
            break
        asked = sitting[waiting, seats[waiting]]
        for index in np.unique(asked):
            here = waiting[asked == index]
            observations = np.zeros((len(here), game.spaces.observation.size), np.float32)
            masks = np.zeros((len(here), game.spaces.actions.size), bool)
            loops.look(states, here, observations, masks)
            actions = _choose(game, states, here, seating.entrants[index], players[index], observations, masks)
            loops.take(states, here, actions, sitting, counts)
            decisions += len(here)
    scores = np.zeros((lanes, game.seats))
    for lane in range(lanes):
        game.kernels.scores(states[lane], scores[lane])
    return Played(scores.reshape(last - first, len(rotations), game.seats), counts, decisions)


def _choose(game, states, lanes, entrant: Entrant, player: Any, observations, masks) -> np.ndarray:
    """The actions of a batch player, checked."""
    try:
        actions = np.asarray(player.choose(observations, masks))
    except Exception as error:
        raise Problem(f"player {entrant.name}: raised {type(error).__name__}: {error}") from error
    if actions.shape != (len(lanes),) or not np.issubdtype(actions.dtype, np.integer):
        raise Problem(f"player {entrant.name}: choose must return {len(lanes)} whole numbers, one for each row")
    inside = (actions >= 0) & (actions < game.spaces.actions.size)
    fine = inside & masks[np.arange(len(lanes)), np.where(inside, actions, 0)]
    if not fine.all():
        wrong = int(np.flatnonzero(~fine)[0])
        table = states[lanes[wrong] : lanes[wrong] + 1]
        legal = legal_actions(game, table)
        raise Problem(f"player {entrant.name}: {illegal_move(game, table, int(actions[wrong]), legal)}")
    return actions.astype(np.int64)
