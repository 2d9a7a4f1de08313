"""What a record states, compared with what the replay would write in the same format: nothing is left out."""

from collections.abc import Callable, Iterable, Iterator
from itertools import zip_longest
from typing import Any, NamedTuple

from tefuda.games.mahjong.records import mjai, mjlog, mjlog_write, tenhou6
from tefuda.games.mahjong.records.checked import quoted
from tefuda.games.mahjong.records.holding import Holding
from tefuda.games.mahjong.records.paifu import Deal, Statement

Difference = tuple[int, str]  # after how many events of the deal, and what differs


class Stating(NamedTuple):
    """How a format states a deal."""

    statements: Callable[[Deal, Holding], Iterable[Statement]]  # of a deal, and who held what when it ended
    same: Callable[[str, str, Any, Any], bool]  # (name, field, one, other): whether two values say the same
    complete: bool  # whether a record has all fields, at fixed places; otherwise what it lacks is not compared


STATING = {
    mjlog.FORMAT: Stating(mjlog_write.statements, mjlog_write.same, True),
    mjai.FORMAT: Stating(mjai.statements, mjai.same, False),
    tenhou6.FORMAT: Stating(tenhou6.statements, tenhou6.same, False),
}


def is_complete(format_name: str) -> bool:
    return format_name in STATING and STATING[format_name].complete


def differences(format_name: str, ours: Deal, holding: Holding, given: list[Statement]) -> Iterator[Difference]:
    """Where a record states something else than the replay does."""
    stating = STATING[format_name]
    for mine, theirs in zip_longest(stating.statements(ours, holding), given):
        if mine is None:
            yield theirs.place, f"{theirs.name} is recorded, but the deal is over"
            return
        if theirs is None or mine.name != theirs.name or (stating.complete and mine.place != theirs.place):
            recorded = "nothing more" if theirs is None else f"{theirs.name} behind event {theirs.place}"
            yield mine.place, f"{mine.name} should follow, but {recorded} is recorded"
            return
        if mine.fields != theirs.fields:
            for text in _fields(stating, mine, theirs):
                yield theirs.place, text


def _fields(stating: Stating, mine: Statement, theirs: Statement) -> Iterator[str]:
    for key in {**mine.fields, **theirs.fields}:
        if key not in mine.fields:
            yield f"{mine.name}: {key} is recorded, {quoted(theirs.fields[key])}, but there should be none"
        elif key not in theirs.fields:
            if stating.complete:
                yield f"{mine.name}: {key} should be {mine.fields[key]}, but is not recorded"
        elif not _same(stating, mine.name, key, mine.fields[key], theirs.fields[key]):
            yield f"{mine.name}: {key} is {mine.fields[key]}, recorded {quoted(theirs.fields[key])}"


def _same(stating: Stating, name: str, key: str, mine: Any, theirs: Any) -> bool:
    return mine == theirs or stating.same(name, key, mine, theirs)
