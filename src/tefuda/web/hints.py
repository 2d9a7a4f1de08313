"""Hints: what each move loses, streamed while worlds are played. A hint takes a slice of a thread at a time, so that
many hints share the cores and each shows first values soon."""

import asyncio
from typing import Any

from tefuda.contract import Rules
from tefuda.intervals import Interval
from tefuda.players.entrant import Entrant
from tefuda.table.evaluation import Evaluation, Values
from tefuda.table.table import View
from tefuda.web import lobby, refusals, telling
from tefuda.web.house import House
from tefuda.web.refusals import Refusal
from tefuda.web.tables import Guest

SECONDS = 4.0  # of thinking
MOST_WORLDS = 20_000


def values_data(values: Values) -> list[dict[str, Any]]:
    """Values of moves for a page."""
    return [
        {
            "action": valued.action, "value": _triple(valued.value), "loss": _triple(valued.loss),
            "equal": valued.equal,
        }
        for valued in values
    ]  # fmt: skip


def _triple(interval: Interval) -> list[float]:
    """Mean, low and high."""
    return [interval.mean, interval.low, interval.high]


def adviser_of(house: House, view: View, rules: Rules, name: str | None) -> Entrant:
    """The player that plays worlds on."""
    known = lobby.advisers(view.game, rules)
    if name is not None and name not in known:
        raise Refusal(404, refusals.UNKNOWN_PLAYER)
    return house.entrant(view.game, name or known[0], rules)


async def hint(house: House, guest: Guest, turn: int, name: str | None) -> None:
    """Tell a guest the values of its moves, again and again, until they are good enough. Cancelling ends it."""
    table = guest.table
    play, seat = table.play, guest.seat
    if seat is None:
        raise Refusal(403, refusals.ONLY_WATCHING)
    if table.kept.secret:
        raise Refusal(403, refusals.NO_HINTS)
    if table.lock.locked() or turn != table.turn_of(guest) or play.asked != seat:
        raise Refusal(409, refusals.NOT_YOUR_TURN)
    if house.hints >= house.limits.hints:
        raise Refusal(429, refusals.TOO_MANY)
    view = play.table.view(seat)
    adviser = adviser_of(house, view, play.rules, name)
    told = {
        "type": "hint", "turn": turn, "adviser": adviser.name, "unit": lobby.unit_of(play.game).en,
        "advice": advice_of(view, guest),
    }  # fmt: skip
    house.hints += 1
    try:
        evaluation = Evaluation(view, adviser, len(play.steps), 1, this_round=True)
        steps = evaluation.search(SECONDS, MOST_WORLDS)
        done = False
        while not done:
            values = await house.think(next, steps, None)
            if values is None:
                break
            done = evaluation.worlds >= MOST_WORLDS or evaluation.seconds >= SECONDS or len(values) == 1
            guest.say(told | {"worlds": values.worlds, "done": done, "values": values_data(values)})
            await asyncio.sleep(0)
    finally:
        house.hints -= 1


def advice_of(view: View, guest: Guest) -> list[dict[str, str]]:
    """What the game itself says beside the values."""
    words = view.game.words.advice
    return telling.lines_in_both(lambda reader: words(view.state, reader), guest.telling.reader) if words else []
