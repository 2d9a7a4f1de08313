"""One connection of a page to a table: its messages are read and obeyed one by one, and what is new is sent."""

import asyncio
import contextlib

from starlette.websockets import WebSocket, WebSocketDisconnect

from tefuda.contract.scene import written
from tefuda.log import log
from tefuda.table.scene import hidden_copy, illegal_moves
from tefuda.web import hints, messages, refusals
from tefuda.web.guests import Guest
from tefuda.web.house import House
from tefuda.web.messages import from_page, gone, name_data
from tefuda.web.refusals import Refusal
from tefuda.web.security import Bucket

LONGEST_SEND = 20.0  # seconds after which a page that does not read is given up
CLOSED, NOT_ALLOWED, TRY_LATER = 1000, 1008, 1013


async def serve(house: House, socket: WebSocket, number: str) -> None:
    """A connection from its beginning to its end."""
    if house.connections >= house.limits.connections:
        await socket.close(TRY_LATER)
        return
    house.connections += 1
    guest: Guest | None = None
    try:
        await socket.accept()
        guest = await _greet(house, socket, number)
        await Connection(house, socket, guest).run()
    except Refusal as refusal:
        with contextlib.suppress(Exception):
            await socket.send_text(written(gone(refusal.why)))
            await socket.close(NOT_ALLOWED)
    except WebSocketDisconnect:
        pass
    finally:
        house.connections -= 1
        if guest is not None:
            guest.table.leave(guest)


async def _greet(house: House, socket: WebSocket, number: str) -> Guest:
    """The first message must be hello, with a key of this table."""
    try:
        content = await asyncio.wait_for(_received(socket), house.limits.silence)
    except TimeoutError:
        raise Refusal(408, refusals.TOO_LATE) from None
    hello = from_page(content) if len(content) <= house.limits.message else None
    if not isinstance(hello, messages.Hello):
        raise Refusal(400, refusals.HELLO_FIRST)
    opens, seat = house.store.seat_of(number, hello.key)
    if not opens:
        raise Refusal(404, refusals.NO_TABLE)
    table = await house.table(number)
    if sum(guest.seat == seat for guest in table.guests) >= house.limits.per_seat:
        raise Refusal(429, refusals.FULL)
    guest = Guest(table, seat)
    guest.begin(hello.seen)
    table.enter(guest)
    house.spawn(table.begin())
    return guest


async def _received(socket: WebSocket) -> str:
    """The next message as text; bytes are none."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", CLOSED))
    return message.get("text") or ""


def _seen(task: asyncio.Task[None]) -> None:
    if not task.cancelled():
        task.exception()


class Connection:
    """A guest that is served."""

    def __init__(self, house: House, socket: WebSocket, guest: Guest) -> None:
        self.house, self.socket, self.guest = house, socket, guest
        self.bucket, self.told_of_flood = Bucket(*house.limits.messages), Bucket(1.0, 1.0)
        self.costly = Bucket(*house.limits.asked)
        self.wrong = 0  # messages that were refused unread
        self.hint: asyncio.Task[None] | None = None

    async def run(self) -> None:
        """Read and send until the page has gone, or is given up."""
        sending = asyncio.create_task(self._send())
        reading = asyncio.create_task(self._read())
        try:
            done, _ = await asyncio.wait({sending, reading}, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            for task in (sending, reading):
                task.add_done_callback(_seen)  # both may have found the page gone
                task.cancel()
            self._stop_hint()

    async def _send(self) -> None:
        while True:
            await self.guest.woken.wait()
            self.guest.woken.clear()
            for message in self.guest.messages():
                try:
                    await asyncio.wait_for(self.socket.send_text(written(message)), LONGEST_SEND)
                except TimeoutError:
                    raise WebSocketDisconnect(NOT_ALLOWED) from None

    async def _read(self) -> None:
        while True:
            content = await _received(self.socket)
            if not self.bucket.take():
                self._refuse_flood()
                continue
            message = from_page(content) if len(content) <= self.house.limits.message else None
            if message is None or isinstance(message, messages.Hello):
                self._count_wrong()
                self.guest.say(messages.refused(None, refusals.NOT_UNDERSTOOD))
                continue
            try:
                await self._obey(message)
            except Refusal as refusal:
                self.guest.say(messages.refused(getattr(message, "turn", None), refusal.why))
            except Exception as error:
                log.error(f"web: a message {message.type} failed: {type(error).__name__}: {error}", exc_info=error)
                self.guest.say(messages.refused(getattr(message, "turn", None), refusals.FAILED))

    def _refuse_flood(self) -> None:
        """A flood is answered once a second, and ends the connection when it does not stop."""
        self._count_wrong()
        if self.told_of_flood.take():
            self.guest.say(messages.refused(None, refusals.TOO_MANY))

    def _count_wrong(self) -> None:
        self.wrong += 1
        if self.wrong > self.house.limits.wrong:
            raise Refusal(429, refusals.TOO_MANY)

    async def _obey(self, message: messages.FromPage) -> None:
        guest, table = self.guest, self.guest.table
        if isinstance(message, messages.Again | messages.HintWanted | messages.Why) and not self.costly.take():
            raise Refusal(429, refusals.TOO_MANY)
        match message:
            case messages.MoveMade():
                self._stop_hint()
                await table.move(guest, message.turn, message.action)
            case messages.Back():
                self._stop_hint()
                await table.back(guest, message.turn)
            case messages.Again():
                await self._again(message.seat)
            case messages.HintWanted():
                self._stop_hint()
                if message.on:
                    self.hint = asyncio.create_task(self._hint(message))
            case messages.Why():
                self._tell_why(message)
            case messages.Unseen():
                self._tell_unseen(message.turn)
            case messages.Run():
                table.run(guest, message.pace)
            case messages.Pause():
                table.pause(guest)
            case messages.OneStep():
                await table.step(guest)
            case messages.Look():
                table.look(guest, message.seat)
            case messages.Leave():
                await table.go_away(guest)
            case messages.Sit():
                await table.sit(guest)

    def _stop_hint(self) -> None:
        if self.hint is not None:
            self.hint.cancel()
            self.hint = None

    async def _hint(self, message: messages.HintWanted) -> None:
        try:
            await hints.hint(self.house, self.guest, message.turn, message.adviser)
        except Refusal as refusal:
            self.guest.say(messages.refused(message.turn, refusal.why))
        except Exception as error:
            log.error(f"web: a hint failed: {type(error).__name__}: {error}", exc_info=error)
            self.guest.say(messages.refused(message.turn, refusals.FAILED))

    async def _again(self, seat: int | None) -> None:
        """Lead everybody to the table of the next game."""
        guest = self.guest
        opened = await self.house.again(guest.table, guest.seat, seat)
        for other in guest.table.guests:
            if other.seat in opened:
                there = opened[other.seat]
                other.say({"type": "moved", "table": there.table, "key": there.key, "seat": there.seat})

    def _tell_why(self, message: messages.Why) -> None:
        """Why a card cannot be played: the reason of the move that it would be."""
        guest, play = self.guest, self.guest.table.play
        why = refusals.NOT_YOUR_TURN
        if guest.seat is not None and play.asked == guest.seat:
            why = refusals.NOT_LEGAL
            reader = guest.telling.reader
            seen = hidden_copy(play.game, play.table.states, guest.seat)
            for move in illegal_moves(play.game, seen, reader):
                if message.card in move.cards and message.place in ("", move.place) and move.why_not is not None:
                    why = move.why_not
                    break
        told = {"turn": message.turn, "card": message.card, "place": message.place, "why": name_data(why)}
        guest.say({"type": "why", **told})

    def _tell_unseen(self, turn: int) -> None:
        """The cards that the guest's seat has not seen, in groups; none where the game cannot tell."""
        guest, play = self.guest, self.guest.table.play
        words, groups = play.game.words.unseen, []
        if words is not None and guest.view is not None:
            seen = hidden_copy(play.game, play.table.states, guest.view)
            reader = guest.telling.reader
            both = zip(words(seen, reader.speaking("ja")), words(seen, reader.speaking("en")), strict=True)
            for (ja, cards_ja), (en, cards_en) in both:
                cards = [{"ja": one, "en": other} for one, other in zip(cards_ja, cards_en, strict=True)]
                groups.append({"name": {"ja": ja, "en": en}, "cards": cards})
        guest.say({"type": "unseen", "turn": turn, "groups": groups})
