"""Records of mahjong for `tefuda records`: the formats, and how a match is checked and counted."""

from collections.abc import Iterable

import numpy as np

from tefuda.contract import RecordFormat, Records, Rules
from tefuda.errors import Problem
from tefuda.games.mahjong.records import mjai, mjai_read, mjlog, mjlog_write, replay, tenhou6, tenhou6_read
from tefuda.games.mahjong.records.decisions import decisions
from tefuda.games.mahjong.records.paifu import Match
from tefuda.games.mahjong.records.recorder import Recorder


def begins_mjlog(line: str) -> bool:
    return line.startswith("<mjloggm")


def begins_mjai(line: str) -> bool:
    return line.startswith("{") and '"start_game"' in line[:LOOKED_AT]


def begins_tenhou6(line: str) -> bool:
    return line.startswith("{") and '"log"' in line and '"format"' not in line[:LOOKED_AT]


LOOKED_AT = 1000  # characters of a line that tell what it begins


def verify(match: Match) -> list[replay.Disagreement]:
    """All disagreements of a match with the rules; one that is cut off is a Problem."""
    if not match.deals:
        raise Problem(f"{match.name}: the record is cut off: it has no deal")
    for number, deal in enumerate(match.deals, start=1):
        if deal.cut:
            raise Problem(f"{match.name}, deal {number}: the record of it is cut off: it has no end")
    return replay.verify(match)


def whole(match: Match) -> Match:
    """A match with all that any format tells of it. Other programs know no deal without its end."""
    if any(deal.cut for deal in match.deals):
        raise Problem(f"{match.name}: a match that was left within a deal cannot be written in another format")
    return replay.replayed(match) if match.format else match


def counts(match: Match) -> dict[str, int]:
    return {"hands": len(match.deals), "wins": sum(len(deal.wins) for deal in match.deals)}


def played(states: np.ndarray, rules: Rules, name: str, players: tuple[str, ...], actions: Iterable[int]) -> Match:
    """What was played at a table of the engine."""
    recorder = Recorder(states, rules, name, players)
    for action in actions:
        recorder.take(action)
    return recorder.match


RECORDS = Records(
    formats=(
        RecordFormat(
            "mjlog", begins_mjlog, mjlog.read, lambda match: mjlog_write.write(whole(match)), (".mjlog", ".xml")
        ),
        RecordFormat(
            "mjai", begins_mjai, mjai_read.read, lambda match: mjai.write(whole(match)), (".mjai", ".mjson", ".jsonl")
        ),
        RecordFormat(
            "tenhou6", begins_tenhou6, tenhou6_read.read, lambda match: tenhou6.write(whole(match)), (".json",)
        ),
    ),
    verify=verify,
    counts=counts,
    played=played,
    decisions=decisions,
    about=lambda match: (match.rules, match.players),
)
