"""Matches: paired deals, rotated seats, and a mean with its interval for every player."""

import time
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from pathlib import Path

import numpy as np

from tefuda import outside
from tefuda.arena import games
from tefuda.arena.result import MatchResult, differences_of, per_deal, row_of
from tefuda.arena.sending import Deals
from tefuda.arena.sequential import Sequential
from tefuda.arena.unfinished import Unfinished
from tefuda.contract import Game, Headline, Rules
from tefuda.errors import Problem, counted
from tefuda.files.provenance import commit
from tefuda.kernel.cluster import Cluster, run_pieces
from tefuda.kernel.device import is_gpu
from tefuda.kernel.threads import chunks, cores, memory
from tefuda.kernel.watch import watch
from tefuda.log import log
from tefuda.players.resolve import Player, entrants_of
from tefuda.progress import Progress


def complete(game: Game, players: Sequence[Player]) -> list[Player]:
    """The player of every seat; the last of fewer takes the seats that are left."""
    if not 2 <= len(players) <= game.seats:
        named = f"{len(players)} {'was' if len(players) == 1 else 'were'} named"
        raise Problem(f"{game.name} seats {counted(game.seats, 'player')}, but {named}")
    return [*players, *[players[-1]] * (game.seats - len(players))]


def match(
    game: Game,
    players: Sequence[Player],
    deals: int = 1000,
    seed: int = 1,
    rules: Rules | None = None,
    threads: int | None = None,
    test: Sequential | None = None,
    device: str = "cpu",
    partial: bool = False,
    seating: str | None = None,
    keep: Path | None = None,
    cluster: Cluster | None = None,
) -> MatchResult:
    """Play a match. With a sequential test, `deals` is the most that are played.

    `partial`: Ctrl-C ends the match with the deals that were played, instead of ending everything. `keep`: a file for
    the deals of an interrupted match, from which the same match goes on.
    `cluster`: its machines play the deals, which are the same.
    `seating`: who sits where, by letters: see `seat_players`; without it the last player fills the seats that are left.
    """
    deals, seed, threads = outside.deals(deals), outside.seed(seed), outside.threads(threads)
    rules = rules or game.rulebook.make()
    headline = game.scoring.headline_under(rules)
    players = outside.sequence("players", players)
    found = entrants_of(game, players if seating is not None else complete(game, players), rules)
    seated = games.seat_players(game, found, seating)
    on_gpu = is_gpu(device)
    asked = [entrant for entrant in seated.entrants if entrant.form != "compiled"]
    _check_memory(game, deals, seated)
    if asked and threads is not None and threads > 1:
        log.warning(f"{threads} threads are not used: {asked[0].name} is asked from Python, one piece after another")
    play = Deals(game, rules, seated, seed, on_gpu)
    if not asked and cluster is None:
        play(0, 0)  # compiles, or loads what was compiled, before the clock starts
    kept = Unfinished(keep, game, rules, seated, seed) if keep is not None else None
    played, before = kept.load(game.seats, deals) if kept is not None else ([], 0.0)
    began, compiling = time.perf_counter() - before, watch.seconds
    done, decided = sum(len(each.scores) for each in played), _Looks(test, headline, seated)
    interrupted, saved = False, time.monotonic()
    names = [entrant.name for entrant in seated.entrants]
    with Progress(" vs ".join(names), deals, "deals", done) as progress:
        size = GPU_DEALS if on_gpu else _chunk_size(deals, test is not None, cluster.cores if cluster else cores())
        growing = kept is not None and not asked and not on_gpu and cluster is None
        whole = _growing(deals, size) if growing else _pieces(deals, size, {entrant.form for entrant in asked})
        work = run_pieces(play, _behind(done, whole), 1 if asked or on_gpu else threads, cluster)
        for each in played:
            decided.after(each.scores, done == deals)
        try:
            for _, last, result in work:
                played.append(result)
                done = last
                progress.update(done)
                if kept is not None and time.monotonic() - saved > EVERY:
                    kept.save(played, time.perf_counter() - began)
                    saved = time.monotonic()
                if decided.after(result.scores, done == deals):
                    break
        except KeyboardInterrupt:  # what was played counts: the deals are in order, so that it is a shorter match
            if kept is not None and played:
                kept.save(played, time.perf_counter() - began)
            if not (partial and played):
                raise
            interrupted = True
        work.close()
    if kept is not None and not interrupted:
        kept.remove()
    scores = np.concatenate([result.scores for result in played])
    counts = None if on_gpu else np.sum([result.counts for result in played], axis=0)
    rows = [row_of(game, headline, seated, index, scores, counts) for index in range(len(names))]
    return MatchResult(
        game, rules, done, len(seated.rotations), seed, commit(), rows,
        sum(result.decisions for result in played),
        time.perf_counter() - began - (watch.seconds - compiling),
        test.verdict(done) if test is not None else None,
        differences_of(headline, seated, scores), scores,
        [[names[index] for index in rotation] for rotation in seated.rotations],
    )  # fmt: skip


GPU_DEALS = 1 << 16  # in one launch
LOOK = 100  # deals between two looks of a sequential test
EVERY = 10.0  # seconds after which the deals that were played are kept
SOON = 2.0  # seconds: while pieces come sooner than this, the next ones are larger
SMALL = (1, 5, 20, 50)  # where the first pieces of a batch player end: Ctrl-C keeps something soon


def _chunk_size(deals: int, small: bool, workers: int) -> int:
    """Pieces small enough to show progress and to share out, large enough to cost nothing."""
    if small:
        return max(1, min(LOOK, deals))
    return max(1, min(1000, deals // (8 * workers)))


def _pieces(deals: int, size: int, forms: set[str]) -> Iterator[tuple[int, int]]:
    """The pieces of a match. Where somebody is asked from Python they are small: Ctrl-C loses the last one.

    They depend on nothing but the number of deals: a batch player meets the same lanes in every run.
    """
    if not forms:
        return chunks(deals, size)
    if "python" in forms:
        return chunks(deals, 1)
    ends = chain(SMALL, range(LOOK, deals + LOOK, LOOK))
    return ((first, min(last, deals)) for first, last in pairwise(chain((0,), ends)) if first < deals)


def _growing(deals: int, most: int) -> Iterator[tuple[int, int]]:
    """Pieces of a match whose deals are kept: small where players are slow, so that little is lost at an end."""
    first, size, given, before = 0, 1, 0, time.monotonic()
    while first < deals:
        last = min(first + size, deals)
        yield first, last
        first, given = last, given + 1
        if given % (2 * cores()) == 0:  # as many are asked for at once: their time says nothing
            if time.monotonic() - before < SOON:
                size = min(2 * size, most)
            before = time.monotonic()


def _behind(done: int, pieces: Iterator[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The pieces behind what was done before, which may have ended in the midst of one."""
    return ((max(first, done), last) for first, last in pieces if last > done)


class _Looks:
    """The looks of a sequential test, always after the same deals, however these came in pieces."""

    def __init__(self, test: Sequential | None, headline: Headline, seating: games.Seating) -> None:
        self.test, self.headline, self.seating = test, headline, seating
        self.waiting: list[np.ndarray] = []  # figures of deals that the test has not seen

    def after(self, scores: np.ndarray, last: bool) -> bool:
        """Take in some deals; True once the test is decided. `last`: no more will come."""
        if self.test is None:
            return False
        self.waiting.append(per_deal(self.headline, self.seating, scores, 0))
        while (number := sum(map(len, self.waiting))) >= LOOK or (last and number):
            figures = np.concatenate(self.waiting)
            self.waiting = [figures[LOOK:]]
            if self.test.add(figures[:LOOK]):
                return True
        return False


def _check_memory(game: Game, deals: int, seating: games.Seating) -> None:
    """Refuse a match whose scores this machine cannot hold, before it is played."""
    row = 2 * 8 * len(seating.rotations) * game.seats  # bytes a deal: as they come, and put together
    there = memory()
    if deals * row > there:
        raise Problem(
            f"the scores of {deals:,} deals take {deals * row >> 30:,} GiB of memory, but this machine has "
            f"{there >> 30:,}: play at most {there // row:,}"
        )
