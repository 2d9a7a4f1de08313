"""Hints: what each move loses, streamed while worlds are played. A hint takes a slice of a thread at a time, so that
many hints share the cores and each shows first values soon."""

import asyncio
from collections.abc import Callable, Iterable
from random import Random
from typing import Any

from tefuda.contract import Game, Reader, Rules
from tefuda.intervals import Interval
from tefuda.players.entrant import Entrant
from tefuda.table.evaluation import Evaluation, Valued, unit_of
from tefuda.table.table import View
from tefuda.web import lobby, refusals
from tefuda.web.guests import Guest
from tefuda.web.house import House
from tefuda.web.messages import name_data
from tefuda.web.refusals import Refusal
from tefuda.web.reviewed import advice_of, opinion_lines

SECONDS = 4.0  # of thinking
MOST_WORLDS = 20_000


def values_data(values: Iterable[Valued]) -> list[dict[str, Any]]:
    """Values of moves for a page."""
    return [
        {
            "action": valued.action, "name": name_data(valued.name), "value": triple(valued.value),
            "loss": triple(valued.loss), "equal": valued.equal,
        }
        for valued in values
    ]  # fmt: skip


def triple(interval: Interval) -> list[float]:
    """Mean, low and high."""
    return [interval.mean, interval.low, interval.high]


def adviser_of(house: House, game: Game, rules: Rules, name: str | None) -> Entrant:
    """The player that advises."""
    known = [*lobby.advisers(game, rules), *lobby.searchers(game, rules)]
    if name is not None and name not in known:
        raise Refusal(404, refusals.UNKNOWN_PLAYER)
    return house.entrant(game, name or known[0], rules)


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
    view = play.table.view(seat)
    adviser = adviser_of(house, view.game, play.rules, name)
    await tell_values(house, view, adviser, len(play.steps), turn, guest.telling.reader, guest.say)


async def tell_values(
    house: House, view: View, adviser: Entrant, seed: int, turn: int, reader: Reader,
    say: Callable[[dict[str, Any]], None],
) -> None:  # fmt: skip
    """Tell the values of the moves of a view after every step of the search. An adviser that searches itself would take
    too long to play worlds on: the game's quick one does that, and the adviser says what it would do."""
    if house.hints >= house.limits.hints:
        raise Refusal(429, refusals.TOO_MANY)
    told: dict[str, Any] = {
        "type": "hint", "turn": turn, "adviser": adviser.name, "unit": name_data(unit_of(view.game)),
        "advice": advice_of(view, reader),
    }  # fmt: skip
    playing, choosing = adviser, None
    if adviser.slow:
        playing = house.entrant(view.game, lobby.advisers(view.game, view.rules)[0], view.rules)
        choosing = asyncio.ensure_future(house.think(_choice, view, adviser, seed))
    house.hints += 1
    try:
        told["advice"] = [*await house.think(opinion_lines, view, adviser, reader), *told["advice"]]
        evaluation = Evaluation(view, playing, seed, 1, this_round=True)
        steps = evaluation.search(SECONDS, MOST_WORLDS)
        done = False
        while not done:
            values = await house.think(next, steps, None)
            if values is None:
                break
            done = evaluation.worlds >= MOST_WORLDS or evaluation.seconds >= SECONDS or len(values) == 1
            if choosing is not None and (done or choosing.done()):
                told["advice"] = [_would(adviser, view, await choosing), *told["advice"]]
                choosing = None
            say(told | {"worlds": values.worlds, "done": done, "values": values_data(values)})
            await asyncio.sleep(0)
    finally:
        house.hints -= 1
        if choosing is not None:
            choosing.cancel()


def _choice(view: View, adviser: Entrant, seed: int) -> int:
    """What a player would do. It is asked at a table that agrees with the view, of which it sees no more."""
    return view.guess(Random(seed)).ask(adviser)


def _would(adviser: Entrant, view: View, action: int) -> dict[str, str]:
    ja, en = (view.game.words.action_name(view.state, action, lang) for lang in ("ja", "en"))
    return {"ja": f"{adviser.name} なら：{ja}", "en": f"{adviser.name} would play: {en}"}
