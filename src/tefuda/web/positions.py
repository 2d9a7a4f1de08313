"""Ask about a position (何切る): of a deal and its moves, of a game that was played, or changed by hand.

The name of a position of a numbered deal holds all of it, so that its link works in any house. One of a record of
another program has no deal that could be numbered: this house keeps where it is from.
"""

import asyncio
import contextlib
import json
from typing import Annotated, Any

from fastapi import APIRouter, Request, WebSocket
from pydantic import Field, ValidationError
from starlette.websockets import WebSocketDisconnect

from tefuda.contract import Name, Reader, alike
from tefuda.contract.scene import data_of
from tefuda.errors import Problem
from tefuda.table.evaluation import unit_of
from tefuda.table.scene import scene_of
from tefuda.table.session import YOU
from tefuda.table.setting import exchanged, open_cards, own_cards, unseen_cards
from tefuda.table.table import Table, View
from tefuda.web import hints, refusals
from tefuda.web.house import SEED, House, house_of
from tefuda.web.messages import Action, Deal, Key, Message, Options, Text, Turn, gone, name_data, refused
from tefuda.web.refusals import Refusal
from tefuda.web.reviewer import Reviewer
from tefuda.web.reviews import NOT_ALLOWED, Record, ReviewName, reviewer_of
from tefuda.web.shared import Exchange, Shared, name_of, shared_by
from tefuda.web.sources import MOST_DECISIONS, Source, keep_record, of_table, played_from

router = APIRouter()
KIND = "position"  # under which the store keeps those of other programs' records
MOST_KEPT = 50_000
MOST_MESSAGES = 500  # of one page
HINT_SEED = 1
PositionName = Annotated[str, Field(min_length=1, max_length=8000, pattern=r"^[A-Za-z0-9_-]+$")]


class NewPosition(Message):
    """Where a position is found: one of the five ways, and what is changed by hand."""

    game: Text | None = None
    preset: Text | None = None
    options: Options = Field(default_factory=dict)
    deal: Deal | None = None
    seed: Annotated[str, Field(pattern=r"^[0-9]{1,18}$")] | None = None  # None: that of numbered deals
    moves: list[Action] | None = Field(default=None, max_length=MOST_DECISIONS)
    review: ReviewName | None = None
    record: Record | None = None
    name: Annotated[str, Field(max_length=200)] = "record"
    table: Key | None = None
    key: Key | None = None
    position: PositionName | None = None  # one that is there, to be changed
    turn: Turn | None = None  # of a game that was played; None: its last decision
    exchanges: list[Exchange] = Field(default_factory=list, max_length=40)


class ValuesWanted(Message):
    """Begin or end the search for values."""

    type: str = "hint"
    turn: Turn | None = None
    adviser: Text | None = None
    on: bool = True


@router.post("/api/positions")
async def find(request: Request, wanted: NewPosition) -> dict[str, Any]:
    """A position, with its scene and what can be changed in it."""
    house = house_of(request)
    ways = [wanted.game, wanted.review, wanted.record, wanted.table, wanted.position]
    if sum(each is not None for each in ways) != 1:
        raise Refusal(422, refusals.ONE_POSITION)
    found = await _found(house, reviewer_of(request), wanted)
    view = await _view(house, found)
    if found.source is not None and house.store.kept(KIND, name_of(found)) is None:
        if house.store.count(KIND) >= MOST_KEPT:
            raise Refusal(503, refusals.FULL)
        await house.store.keep(KIND, name_of(found), found.data())
    return await house.think(_data, found, view)


@router.get("/api/positions/{number}")
async def known(request: Request, number: PositionName) -> dict[str, Any]:
    """A position by its name."""
    house = house_of(request)
    found = _by_name(house, number)
    return await house.think(_data, found, await _view(house, found))


async def _found(house: House, reviewer: Reviewer, wanted: NewPosition) -> Shared:
    """What somebody asks about."""
    exchanges = wanted.exchanges
    if wanted.game is not None:
        rules = house.rules(house.game(wanted.game), wanted.preset, wanted.options)
        deal = 0 if wanted.deal is None else wanted.deal
        seed = SEED if wanted.seed is None else int(wanted.seed)
        return Shared(wanted.game, rules.preset, list(rules.changed), seed, deal, wanted.moves or [], exchanges)
    if wanted.position is not None:
        return _by_name(house, wanted.position).changed(exchanges, wanted.moves)
    if wanted.table is not None:
        source, played, _ = await of_table(house, wanted.table, wanted.key or "")
    elif wanted.review is not None:
        job = await reviewer.job(wanted.review)
        source, played = job.source, job.review.played
    else:
        source, played = await keep_record(house, wanted.record or "", wanted.name)
    turn = len(played.steps) - 1 if wanted.turn is None else wanted.turn
    if turn >= len(played.steps):
        raise Refusal(404, refusals.NO_POSITION)
    record, name = played.record, played.game.name
    if record is not None:
        moves = [step.action for step in played.steps[:turn]]
        return Shared(name, played.rules.preset, list(played.rules.changed), record.seed, record.deal, moves, exchanges)
    return Shared(name, "", [], 0, 0, [], exchanges, source.data(), turn)


def _by_name(house: House, number: str) -> Shared:
    """A position whose name holds it, or that is kept."""
    found = shared_by(number)
    if found is None:
        value = house.store.kept(KIND, number)
        if value is None:
            raise Refusal(404, refusals.NO_POSITION)
        found = Shared(**value)
    return found


async def _view(house: House, found: Shared) -> View:
    """What the seat that decides may know."""
    if found.source is not None:
        played = await played_from(house, Source(**found.source))
        view = played.views[found.turn]
        return await house.think(_changed, view, found.exchanges)
    return await house.think(_dealt, house, found)


def _dealt(house: House, found: Shared) -> View:
    game = house.game(found.game)
    try:
        rules = game.rulebook.make(found.preset, found.changes)
        table = Table(game, rules, found.seed, found.deal)
        for place, action in enumerate(found.moves, start=1):
            try:
                table.apply(action)
            except Problem as problem:
                raise Problem(f"move {place}: {problem}") from None
    except Problem as problem:
        raise Refusal(422, refusals.of_problem(problem)) from None
    if table.over:
        raise Refusal(409, refusals.OVER)
    return _changed(table.view(), found.exchanges)


def _changed(view: View, exchanges: list[Exchange]) -> View:
    """A view with cards of its hand exchanged, one after another."""
    for out, come in exchanges:
        try:
            view = exchanged(view, out, come).view(view.seat)
        except Problem as problem:
            raise Refusal(422, refusals.of_problem(problem)) from None
    return view


def _reader(view: View) -> Reader:
    called = tuple(
        YOU if seat == view.seat else Name(f"席{seat + 1}", f"seat {seat + 1}") for seat in range(view.game.seats)
    )
    return Reader(view.seat, called=called).speaking("both")


def _data(found: Shared, view: View) -> dict[str, Any]:
    """A position for a page."""
    game, numbered = view.game, found.source is None
    options = {option.key: option.text(view.rules.values[option.key]) for option in game.rulebook.options}

    def cards(numbers: list[int]) -> list[dict[str, Any]]:
        names = game.spaces.cards
        return [
            {"id": card, "name": data_of(names[card] if card < len(names) else alike(str(card)))} for card in numbers
        ]

    return {
        "position": name_of(found), "link": numbered, "game": game.name, "title": data_of(game.title),
        "preset": view.rules.preset, "options": options, "deal": found.deal if numbered else None,
        "seed": str(found.seed) if numbered else None, "seat": view.seat,
        "turn": len(found.moves) if numbered else found.turn, "moves": found.moves if numbered else None,
        "exchanges": found.exchanges, "unit": name_data(unit_of(game)),
        "scene": scene_of(game, view.state, _reader(view), turn=len(found.moves)).data(),
        "hand": cards(own_cards(view)), "table": cards(open_cards(view)), "can": cards(unseen_cards(view)),
    }  # fmt: skip


@router.websocket("/ws/positions/{number}")
async def listen(socket: WebSocket, number: str) -> None:
    """Tell a page the values of all moves, better and better; it may ask for another adviser."""
    house = house_of(socket)
    await socket.accept()
    try:
        if house.connections >= house.limits.connections:
            raise Refusal(429, refusals.FULL)
        view = await _view(house, _by_name(house, number))
    except Refusal as refusal:
        with contextlib.suppress(Exception):
            await socket.send_text(json.dumps(gone(refusal.why), ensure_ascii=False))
            await socket.close(NOT_ALLOWED)
        return
    house.connections += 1
    asking = Asking(house, socket, view)
    try:
        await asking.run()
    except (WebSocketDisconnect, RuntimeError):
        pass
    finally:
        asking.stop()
        house.connections -= 1


class Asking:
    """A page that looks at one position."""

    def __init__(self, house: House, socket: WebSocket, view: View) -> None:
        self.house, self.socket, self.view = house, socket, view
        self.search: asyncio.Task[None] | None = None

    async def run(self) -> None:
        """Search, and obey the page until it has gone."""
        self.begin(ValuesWanted())
        for _ in range(MOST_MESSAGES):
            message = await self.socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            text = message.get("text") or ""
            try:
                content = json.loads(text) if len(text) <= self.house.limits.message else None
                wanted = ValuesWanted.model_validate(content)
            except (ValueError, ValidationError, RecursionError):
                await self.say(refused(None, refusals.NOT_UNDERSTOOD))
                continue
            if wanted.type == "hint":
                self.stop()
                if wanted.on:
                    self.begin(wanted)
        await self.socket.close(NOT_ALLOWED)

    def begin(self, wanted: ValuesWanted) -> None:
        self.search = asyncio.create_task(self._search(wanted))

    def stop(self) -> None:
        if self.search is not None:
            self.search.cancel()

    async def say(self, message: dict[str, Any]) -> None:
        await self.socket.send_text(json.dumps(message, ensure_ascii=False))

    async def _search(self, wanted: ValuesWanted) -> None:
        try:
            adviser = hints.adviser_of(self.house, self.view.game, self.view.rules, wanted.adviser)
            turn, reader = wanted.turn or 0, _reader(self.view)
            told: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
            sending = asyncio.create_task(self._send(told))
            try:
                await hints.tell_values(self.house, self.view, adviser, HINT_SEED, turn, reader, told.put_nowait)
            finally:
                told.put_nowait(None)
                await sending
        except Refusal as refusal:
            await self.say(refused(wanted.turn, refusal.why))

    async def _send(self, told: "asyncio.Queue[dict[str, Any] | None]") -> None:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            while (message := await told.get()) is not None:
                await self.say(message)
