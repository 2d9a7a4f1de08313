"""Records of mahjong for `tefuda records`: the formats, and how a match is checked and counted."""

from collections.abc import Iterable, Iterator

import numpy as np

from tefuda.contract import RecordFormat, Records, Rules
from tefuda.errors import Problem
from tefuda.games.mahjong.actions import FACES
from tefuda.games.mahjong.records import mjai, mjlog, paifu, replay, tenhou6
from tefuda.games.mahjong.records.decisions import decisions
from tefuda.games.mahjong.records.paifu import Deal, Match
from tefuda.games.mahjong.records.recorder import Recorder
from tefuda.games.mahjong.state import HAND, SEATS


def begins_mjlog(line: str) -> bool:
    return line.startswith("<mjloggm")


def begins_mjai(line: str) -> bool:
    return line.startswith("{") and '"start_game"' in line


def has_end(deal: Deal) -> bool:
    """Whether it was played to its end; some programs do not write why a deal was drawn, but what was paid."""
    return deal.ended is not None or deal.paid is not None


def faults(deal: Deal) -> Iterator[str]:
    """What no deal of four can have; the compiled replay would look beyond its tables."""
    if len(deal.hands) != SEATS or len(deal.points) != SEATS:
        yield f"{len(deal.hands)} hands and points of {len(deal.points)}, but {SEATS} must play"
    for seat, hand in enumerate(deal.hands):
        if len(hand) != HAND:
            yield f"seat {seat} is dealt {len(hand)} tiles, but a hand has {HAND}"
    if not 0 <= deal.kyoku < 4 * SEATS or not 0 <= deal.honba < 256 or not 0 <= deal.sticks < 256:
        yield f"kyoku {deal.kyoku} with {deal.honba} honba and {deal.sticks} sticks cannot be"
    for number, event in enumerate(deal.events, start=1):
        if not (0 <= event.seat < SEATS or event.type == paifu.DORA):
            yield f"event {number} is of seat {event.seat}, but seats are 0 to {SEATS - 1}"
        if not (0 <= event.tile < FACES or event.type == paifu.RIICHI):
            yield f"event {number} ({paifu.EVENT_NAMES[event.type]}) has no tile"
    for win in deal.wins:
        if not (0 <= win.seat < SEATS and 0 <= win.source < SEATS):
            yield f"seat {win.seat} wins from seat {win.source}, but seats are 0 to {SEATS - 1}"
    if not has_end(deal):
        yield "the record of it is cut off: it has no end"


def verify(match: Match) -> list[replay.Disagreement]:
    """All disagreements of a match with the rules; one that is no match of four is a Problem."""
    for number, deal in enumerate(match.deals, start=1):
        for fault in faults(deal):
            raise Problem(f"{match.name}, deal {number}: {fault}")
    if not match.deals:
        raise Problem(f"{match.name}: the record is cut off: it has no deal")
    return replay.verify(match)


def whole(match: Match) -> Match:
    """A match that can be written: other programs know no deal without its end."""
    if not all(has_end(deal) for deal in match.deals):
        raise Problem(f"{match.name}: a match that was left within a deal cannot be written in another format")
    return match


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
        RecordFormat("mjlog", begins_mjlog, mjlog.read),
        RecordFormat(
            "mjai", begins_mjai, mjai.read, lambda match: mjai.write(whole(match)), (".mjai", ".mjson", ".jsonl")
        ),
        RecordFormat("tenhou6", write=lambda match: tenhou6.write(whole(match)) + "\n", suffixes=(".json",)),
    ),
    verify=verify,
    counts=counts,
    played=played,
    decisions=decisions,
)
