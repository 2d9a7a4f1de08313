"""A match that was interrupted: the scores of its deals on disk, so that the same match goes on behind them."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from tefuda.arena.games import PlayedDeals, Seating
from tefuda.contract import Game, Rules
from tefuda.engine.loops import key_of
from tefuda.errors import Problem
from tefuda.files.archive import read_archive, write_archive
from tefuda.log import log
from tefuda.outside import is_there, json_value
from tefuda.players.identity import identity


class Unfinished:
    """The file of a match that is under way. It is gone when the match is finished."""

    def __init__(self, path: Path, game: Game, rules: Rules, seating: Seating, seed: int) -> None:
        self.path = path
        self.match: dict[str, Any] = {  # what makes it the same match
            "game": game.name, "rules": str(rules), "seed": seed, "code": key_of(game),
            "players": [[entrant.name, identity(entrant)] for entrant in seating.entrants],
            "rotations": seating.rotations.tolist(),
        }  # fmt: skip

    def load(self, seats: int, deals: int) -> tuple[list[PlayedDeals], float]:
        """The deals from the first on that were played before, and how many seconds they took."""
        if not is_there(self.path):
            return [], 0.0
        try:
            found = read_archive(self.path)
            stored = json_value(str(found["match"]))
            scores, counts = found["scores"], found["counts"]
            decisions, seconds = int(found["decisions"]), float(found["seconds"])
            shape = (len(scores), len(self.match["rotations"]), seats)
            if scores.shape != shape or scores.dtype != np.float64 or counts.dtype != np.int64 or counts.ndim != 2:
                raise ValueError
        except (Problem, KeyError, TypeError, ValueError):
            raise Problem(f"{self.path} is damaged: remove it to begin anew") from None
        if stored != self.match or len(counts) != len(self.match["players"]):
            log.warning(f"{self.path} is of another match, or of other players: beginning anew")
            return [], 0.0
        return ([PlayedDeals(scores, counts, decisions)], seconds) if 0 < len(scores) <= deals else ([], 0.0)

    def save(self, played: list[PlayedDeals], seconds: float) -> None:
        """Keep what was played so far."""
        arrays = {
            "match": np.array(json.dumps(self.match)), "scores": np.concatenate([each.scores for each in played]),
            "counts": np.sum([each.counts for each in played], axis=0), "seconds": np.array(seconds),
            "decisions": np.array(sum(each.decisions for each in played)),
        }  # fmt: skip
        write_archive(self.path, arrays)

    def remove(self) -> None:
        self.path.unlink(missing_ok=True)
