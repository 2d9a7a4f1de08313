"""Matches: paired deals, rotated seats, and a mean with its interval for every player."""

import time
from collections.abc import Sequence

import numpy as np

from tefuda.arena import games
from tefuda.arena.result import MatchResult, differences_of, per_deal, row_of
from tefuda.arena.sequential import Sequential
from tefuda.contract import Game, Rules
from tefuda.errors import Problem, unknown
from tefuda.files.provenance import commit
from tefuda.kernel.threads import chunks, cores, run_chunks
from tefuda.kernel.watch import watch
from tefuda.players.resolve import Player, entrants_of
from tefuda.progress import Progress


def complete(game: Game, players: Sequence[Player]) -> list[Player]:
    """The player of every seat; the last of fewer takes the seats that are left."""
    if not 2 <= len(players) <= game.seats:
        raise Problem(f"{game.name} seats {game.seats} players, but {len(players)} were named")
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
) -> MatchResult:
    """Play a match. With a sequential test, `deals` is the most that are played.

    `partial`: Ctrl-C ends the match with the deals that were played, instead of ending everything.
    `seating`: who sits where, by letters: see `seat_players`; without it the last player fills the seats that are left.
    """
    if deals < 1:
        raise Problem(f"a match has at least one deal, not {deals}")
    rules = rules or game.rulebook.make()
    headline = game.scoring.headline_under(rules)
    found = entrants_of(game, players if seating is not None else complete(game, players), rules)
    seated = games.seat_players(game, found, seating)
    on_gpu = _on_gpu(device)
    outside = any(entrant.form != "compiled" for entrant in seated.entrants)
    size = GPU_DEALS if on_gpu else _chunk_size(deals, outside or test is not None)
    play = games.play_on_gpu if on_gpu else games.play
    if not outside:
        play(game, rules, seated, seed, 0, 0)  # compiles, or loads what was compiled, before the clock starts
    began, compiling = time.perf_counter(), watch.seconds
    played: list[games.Played] = []
    done = 0
    names = [entrant.name for entrant in seated.entrants]
    with Progress(" vs ".join(names), deals, "deals") as progress:
        pieces = chunks(deals, size)
        work = run_chunks(
            lambda first, last: play(game, rules, seated, seed, first, last), pieces,
            1 if outside or on_gpu else threads,
        )  # fmt: skip
        try:
            for _, last, result in work:
                played.append(result)
                done = last
                progress.update(done)
                if test is not None and test.add(per_deal(headline, seated, result.scores, 0)):
                    break
        except KeyboardInterrupt:  # what was played counts: the deals are in order, so that it is a shorter match
            if not (partial and played):
                raise
        work.close()
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


def _on_gpu(device: str) -> bool:
    if device not in ("cpu", "cuda"):
        raise unknown("device", device, ("cpu", "cuda"))
    if device == "cuda":
        from tefuda.kernel.device import driver

        driver()  # says at once when there is no GPU
    return device == "cuda"


def _chunk_size(deals: int, small: bool) -> int:
    """Pieces small enough to show progress and to share out, large enough to cost nothing."""
    if small:
        return max(1, min(100, deals))
    return max(1, min(1000, deals // (8 * cores())))
