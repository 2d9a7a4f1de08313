"""The beginning of a deal for an mjai bot to rehearse, so that all it needs is compiled before the first real event."""

from typing import Any

from tefuda.games.mahjong.records import mjai, paifu
from tefuda.games.mahjong.records.paifu import Event
from tefuda.games.mahjong.state import SEATS


def _rehearsal() -> list[dict[str, Any]]:
    """A few events in which the bot, seat 1, draws, discards and calls, and others call and make kans."""
    own = ["1m", "2m", "3m", "4p", "5p", "6p", "7s", "8s", "E", "E", "P", "P", "9s"]
    hidden = [mjai.HIDDEN] * 13
    moves = [
        Event(paifu.DRAW, 0), Event(paifu.DISCARD, 0, 27), Event(paifu.PON, 1, 27, own=(27, 27), source=0),
        Event(paifu.DISCARD, 1, 26), Event(paifu.DRAW, 2), Event(paifu.CLOSED_KAN, 2, 28, own=(28,) * 4),
        Event(paifu.DORA, -1, 29), Event(paifu.DRAW, 2), Event(paifu.DISCARD, 2, 8, True),
        Event(paifu.CHI, 3, 8, own=(6, 7), source=2), Event(paifu.DISCARD, 3, 0), Event(paifu.DRAW, 0),
        Event(paifu.DISCARD, 0, 33, True), Event(paifu.PON, 3, 33, own=(33, 33), source=0),
        Event(paifu.DISCARD, 3, 10), Event(paifu.DRAW, 0), Event(paifu.DISCARD, 0, 11, True),
        Event(paifu.DRAW, 1, 27), Event(paifu.ADDED_KAN, 1, 27), Event(paifu.DRAW, 1, 30), Event(paifu.DORA, -1, 29),
        Event(paifu.DISCARD, 1, 30, True), Event(paifu.DRAW, 2), Event(paifu.DISCARD, 2, 12, True),
        Event(paifu.DRAW, 3), Event(paifu.ADDED_KAN, 3, 33), Event(paifu.DRAW, 3), Event(paifu.DISCARD, 3, 30, True),
    ]  # fmt: skip
    start = {
        "type": "start_kyoku", "bakaze": "E", "kyoku": 1, "honba": 0, "kyotaku": 0, "oya": 0, "dora_marker": "9m",
        "scores": [25000] * SEATS, "tehais": [hidden, own, hidden, hidden],
    }  # fmt: skip
    return [{"type": "start_game", "id": 1}, start, *(_told(event) for event in moves)]


def _told(event: Event) -> dict[str, Any]:
    """An event of the rehearsal; what another draws is hidden."""
    if event.type == paifu.DRAW and event.tile < 0:
        return {"type": "tsumo", "actor": event.seat, "pai": mjai.HIDDEN}
    return mjai.event_of(event)


REHEARSAL = _rehearsal()
