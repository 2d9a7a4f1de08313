"""Reviews for a page: asked for, looked at, listened to."""

import asyncio
import contextlib
import json
from typing import Annotated, Any

from fastapi import APIRouter, Request, WebSocket
from pydantic import Field
from starlette.websockets import WebSocketDisconnect

from tefuda.web import refusals
from tefuda.web.house import House, house_of
from tefuda.web.messages import Key, Message, SeatNumber, Text, Turn, gone, name_data
from tefuda.web.refusals import Refusal
from tefuda.web.reviewed import scene_data
from tefuda.web.reviewer import MOST_LISTENERS, Reviewer
from tefuda.web.security import cookie_of
from tefuda.web.sources import MOST_RECORD, keep_record, of_table, seat_wanted
from tefuda.web.telling import reader_of

router = APIRouter()
WAITING_MESSAGES = 100  # that a page has not read yet
NOT_ALLOWED = 1008
ReviewName = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
Record = Annotated[str, Field(min_length=1, max_length=MOST_RECORD)]


class NewReview(Message):
    """A game that somebody wants to look at: a table with a key of it, or the text of a record."""

    table: Key | None = None
    key: Key | None = None
    record: Record | None = None
    name: Annotated[str, Field(max_length=200)] = "record"
    seat: SeatNumber | None = None
    judge: Text | None = None  # None: the game's own choice


def reviewer_of(request: Request | WebSocket) -> Reviewer:
    """The reviewer that a request came to."""
    return request.app.state.reviewer


@router.post("/api/reviews")
async def begin(request: Request, wanted: NewReview) -> dict[str, Any]:
    """Begin a review. Where nothing tells whose decisions are meant, the seats to choose from come back."""
    house, own = house_of(request), None
    if wanted.table is not None and wanted.key is not None and wanted.record is None:
        source, played, own = await of_table(house, wanted.table, wanted.key)
    elif wanted.record is not None and wanted.table is None and wanted.key is None:
        if not request.app.state.door.lets_in(request.headers, cookie_of(request.headers)):
            raise Refusal(401, refusals.TOKEN_NEEDED)  # a key is for the games of its table
        source, played = await keep_record(house, wanted.record, wanted.name)
    else:
        raise Refusal(422, refusals.TABLE_OR_RECORD)
    seats = [name_data(name) for name in reader_of(played.players, None, None).called]
    seat = seat_wanted(played, wanted.seat, own)
    if seat is None:
        return {"review": None, "seats": seats}
    job = await reviewer_of(request).add(source, played, seat, wanted.judge)
    return {"review": job.id, "seats": seats}


@router.get("/api/reviews/{number}")
async def all_known(request: Request, number: ReviewName) -> dict[str, Any]:
    """All that is known of a review so far."""
    job = await reviewer_of(request).job(number)
    return job.told()


@router.get("/api/reviews/{number}/scenes/{turn}")
async def scene(request: Request, number: ReviewName, turn: Turn) -> dict[str, Any]:
    """The table before a decision, as the seat of the review saw it; with the values of the moves, where it was its
    own. The turn behind the last decision is how it ended."""
    job = await reviewer_of(request).job(number)
    if turn > len(job.review.played.steps):
        raise Refusal(404, refusals.NOT_FOUND)
    return await house_of(request).think(scene_data, job.review, job.data, turn)


@router.websocket("/ws/reviews/{number}")
async def listen(socket: WebSocket, number: str) -> None:
    """Tell a page how a review goes on."""
    house = house_of(socket)
    await socket.accept()
    try:
        job = await reviewer_of(socket).job(number)
        if len(job.listeners) >= MOST_LISTENERS or house.connections >= house.limits.connections:
            raise Refusal(429, refusals.FULL)
    except Refusal as refusal:
        with contextlib.suppress(Exception):
            await socket.send_text(_written(gone(refusal.why)))
            await socket.close(NOT_ALLOWED)
        return
    news: asyncio.Queue[dict[str, Any]] = asyncio.Queue(WAITING_MESSAGES)
    job.listeners.add(news)
    house.connections += 1
    try:
        await socket.send_text(_written({"type": "review", **job.told()}))
        await served(house, socket, news)
    finally:
        job.listeners.discard(news)
        house.connections -= 1


async def served(house: House, socket: WebSocket, news: "asyncio.Queue[dict[str, Any]]") -> None:
    """Send what is new until the page has gone. What the page says is read and not needed."""
    sending = asyncio.create_task(_send(socket, news))
    reading = asyncio.create_task(_read(house, socket))
    try:
        done, _ = await asyncio.wait({sending, reading}, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    except (WebSocketDisconnect, RuntimeError):
        pass
    finally:
        for task in (sending, reading):
            task.add_done_callback(lambda ended: ended.cancelled() or ended.exception())  # both may find it gone
            task.cancel()


async def _send(socket: WebSocket, news: "asyncio.Queue[dict[str, Any]]") -> None:
    while True:
        await socket.send_text(_written(await news.get()))


async def _read(house: House, socket: WebSocket) -> None:
    """Wait for the end of a connection; one that says too much is ended."""
    for _ in range(house.limits.wrong):
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return
    await socket.close(NOT_ALLOWED)


def _written(message: dict[str, Any]) -> str:
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))
