"""The house: the games that are offered, the tables in play, the file in which all is kept, and threads for thinking.

Everything that serves a page finds its things here: `request.app.state.house`.
"""

import asyncio
import secrets
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
from starlette.requests import Request
from starlette.websockets import WebSocket

from tefuda.contract import Game, Name, Reader, Rules
from tefuda.engine.single import legal_actions
from tefuda.errors import Problem
from tefuda.files.provenance import commit
from tefuda.kernel.threads import cores
from tefuda.log import log
from tefuda.players.entrant import Entrant
from tefuda.players.identity import identity
from tefuda.players.resolve import resolve
from tefuda.table.play import Play
from tefuda.table.record import PERSON, GameRecord, record_of
from tefuda.table.scene import hidden_copy, why_not
from tefuda.table.starting import MOST_DEALS
from tefuda.table.table import Table
from tefuda.web import refusals
from tefuda.web.messages import Invitation, NewTable, Opened
from tefuda.web.refusals import Refusal
from tefuda.web.security import Limits
from tefuda.web.store import KeptTable, Store
from tefuda.web.tables import LiveTable

SEED = 0  # of numbered deals: the same number is the same deal for everybody
KEY_BYTES = 16  # 128 bits
MOST_SECRET = 10**18  # seeds of secret deals lie below, and have at most 18 digits
Result = TypeVar("Result")


class House:
    """What a server serves from."""

    def __init__(
        self,
        games: Sequence[Game],
        store: Store,
        limits: Limits | None = None,
        sources: Mapping[str, str] | None = None,
    ) -> None:
        """`sources`: what finds a game of one's own again, its path."""
        self.games = {game.name: game for game in games}
        self.sources = dict(sources or {})
        self.store, self.limits = store, limits or Limits()
        self.live: dict[str, LiveTable] = {}
        self._loading: dict[str, asyncio.Task[LiveTable]] = {}
        self._entrants: dict[tuple[str, str, str], Entrant] = {}
        self._params: dict[str, np.ndarray] = {}  # by identity: a network is kept once, by however many rules it plays
        self._tasks: set[asyncio.Task[Any]] = set()
        self.connections = 0
        self.hints = 0  # under way
        self.thinkers = ThreadPoolExecutor(max(2, cores()), thread_name_prefix="thinker")

    # Games, rules and players, by the names that a page sends

    def game(self, name: str) -> Game:
        """A game that is offered."""
        if name not in self.games:
            raise Refusal(404, refusals.UNKNOWN_GAME)
        return self.games[name]

    def rules(self, game: Game, preset: str | None, options: dict[str, str]) -> Rules:
        """Rules from outside."""
        try:
            return game.rulebook.make(preset, [f"{key}={value}" for key, value in options.items()])
        except Problem as problem:
            raise Refusal(422, refusals.of_problem(problem)) from None

    @staticmethod
    def names(game: Game) -> list[str]:
        """The players that a page may name: those of the game's own list, and the levels."""
        return list(dict.fromkeys([*(player.name for player in game.players.named), *game.players.levels.values()]))

    def entrant(self, game: Game, name: str, rules: Rules) -> Entrant:
        """A player of the game's own list, by its exact name: never a path, a file or a class."""
        if name not in self.names(game):
            raise Refusal(404, refusals.UNKNOWN_PLAYER)
        if not game.players.named_under(name, rules):
            raise Refusal(422, refusals.OTHER_RULES)
        key = (game.name, name, f"{rules.preset} {sorted(rules.values.items())}")
        if key not in self._entrants:
            try:
                found = resolve(game, name, rules)
            except Problem as problem:
                raise Refusal(422, refusals.of_problem(problem)) from None
            self._entrants[key] = replace(found, params=self._params.setdefault(identity(found), found.params))
        return self._entrants[key]

    def stand_in(self, play: Play) -> Entrant:
        """The program that plays for people who have left: the usual opponent."""
        players = play.game.players
        names = [players.default_opponent, *(player.name for player in players.named)]
        name = next(name for name in names if players.named_under(name, play.rules))
        return self.entrant(play.game, name, play.rules)

    def why_not(self, play: Play, seat: int, action: int, reader: Reader) -> Name:
        """Why an action is not legal now."""
        seen = hidden_copy(play.game, play.table.states, seat)
        if action >= play.game.spaces.actions.size or action in legal_actions(play.game, seen):
            return refusals.NOT_LEGAL
        return why_not(play.game, seen, action, reader)

    # Tables

    async def open(self, wanted: NewTable) -> Opened:
        """A new table; who opens it takes the first seat of a person."""
        game = self.game(wanted.game)
        rules = self.rules(game, wanted.preset, wanted.options)
        if len(wanted.seats) != game.seats:
            line = f"{game.name} has {game.seats} seats, but {len(wanted.seats)} were filled"
            raise Refusal(422, Name(f"席は {game.seats} つです", line))
        for name in wanted.seats:
            if name != PERSON:
                self.entrant(game, name, rules)
        people = [seat for seat, name in enumerate(wanted.seats) if name == PERSON]
        secret = len(people) > 1
        if secret and (wanted.deal is not None or wanted.seed is not None or wanted.practice):
            raise Refusal(422, refusals.NO_CHOICE_TOGETHER)
        if secret:
            seed, deal = secrets.randbelow(MOST_SECRET), secrets.randbelow(MOST_DEALS)
        else:
            seed = SEED if wanted.seed is None else int(wanted.seed)
            deal = secrets.randbelow(MOST_DEALS) if wanted.deal is None else wanted.deal
        return await self.add(game, rules, wanted.seats, seed, deal, secret, wanted.practice)

    async def add(
        self, game: Game, rules: Rules, players: list[str], seed: int, deal: int, secret: bool, practice: bool
    ) -> Opened:
        """A table that is kept, with the keys of its seats."""
        if self.store.size() >= self.limits.tables:
            raise Refusal(503, refusals.FULL)
        options = {option.key: option.text(rules.values[option.key]) for option in game.rulebook.options}
        kept = KeptTable(fresh_name(), game.name, rules.preset, options, seed, deal, secret, practice, players)
        people: list[int | None] = [seat for seat, name in enumerate(players) if name == PERSON]
        keys = [(fresh_name(), seat) for seat in people or [None]]
        await self.store.write(*Store.adding(kept, keys))
        invitations = [Invitation(seat=seat, key=key) for key, seat in keys[1:] if seat is not None]
        shown = None if secret else deal
        return Opened(table=kept.id, seat=keys[0][1], key=keys[0][0], deal=shown, invitations=invitations)

    async def again(self, table: LiveTable, own: int | None, seat: int | None) -> dict[int | None, Opened]:
        """The same deal once more; a person alone at a table may take another seat, where the program of that seat
        takes the person's. Several people get a new secret deal. What each seat of a person is led to."""
        kept, play = table.kept, table.play
        players, people = list(kept.players), table.people
        seed, deal = kept.seed, kept.deal
        if len(people) > 1:
            if not table.over:
                raise Refusal(409, refusals.NOT_OVER)
            seed, deal = secrets.randbelow(MOST_SECRET), secrets.randbelow(MOST_DEALS)
        elif own is not None and seat is not None:
            if seat >= play.game.seats:
                raise Refusal(404, refusals.NO_SEAT)
            players[own], players[seat] = players[seat], players[own]
        opened = await self.add(play.game, play.rules, players, seed, deal, kept.secret, kept.practice)
        if len(people) <= 1:
            return {own: opened}
        keys = {opened.seat: opened.key} | {each.seat: each.key for each in opened.invitations}
        return {
            each: Opened(table=opened.table, seat=each, key=key, deal=None, invitations=[])
            for each, key in keys.items()
        }

    async def table(self, number: str) -> LiveTable:
        """A table in play; one that is only kept is dealt again and its moves are taken."""
        found = self.live.get(number)
        if found is not None:
            return found
        if number not in self._loading:
            self._loading[number] = asyncio.create_task(self._load(number))
        return await self._loading[number]

    async def _load(self, number: str) -> LiveTable:
        try:
            kept = self.store.table(number)
            if kept is None or kept.game not in self.games:
                raise Refusal(404, refusals.NO_TABLE)
            moves = self.store.moves(number)
            try:
                play = await asyncio.to_thread(self._play_again, kept, moves)
            except Problem as problem:  # a game of one's own whose rules were written anew
                log.warning(f"table {number[:8]}… cannot go on: {problem}")
                raise Refusal(409, refusals.RULES_CHANGED) from None
            table = LiveTable(self, kept, play)
            table.fill_seats()
            self.live[number] = table
        finally:
            del self._loading[number]
        return table

    def _play_again(self, kept: KeptTable, moves: Sequence[tuple[int, int]]) -> Play:
        game = self.games[kept.game]
        rules = self.rules(game, kept.preset, kept.options)
        entrants = [None if name == PERSON else self.entrant(game, name, rules) for name in kept.players]
        return Play(game, rules, entrants, kept.seed, kept.deal, moves)

    def drop(self, table: LiveTable) -> None:
        """Forget a table that nobody is at: the file has it."""
        if not table.guests and not table.lock.locked() and self.live.get(table.kept.id) is table:
            del self.live[table.kept.id]

    def record(self, kept: KeptTable) -> GameRecord:
        """The record of a table, with the names of its moves."""
        game = self.games[kept.game]
        rules = self.rules(game, kept.preset, kept.options)
        table = Table(game, rules, kept.seed, kept.deal)
        record = record_of(table, kept.players, commit(), self.sources.get(kept.game))
        for seat, action in self.store.moves(kept.id):
            record.names.append(game.words.action_name(table.states, action))
            record.actions.append((seat, action))
            table.apply(action)
        record.scores = table.scores.tolist() if table.over else None
        return record

    # Work

    async def think(self, work: Callable[..., Result], *arguments: Any) -> Result:
        """Run compiled work in a thread, so that other tables are served meanwhile."""
        return await asyncio.get_running_loop().run_in_executor(self.thinkers, work, *arguments)

    def spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Run something on the side; what goes wrong there is logged."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None and not isinstance(error, Refusal):
            log.error(f"web: {type(error).__name__}: {error}", exc_info=error)

    def close(self) -> None:
        """End all work and close the file."""
        for task in list(self._tasks):
            task.cancel()
        self.thinkers.shutdown(wait=False, cancel_futures=True)
        self.store.close()


def fresh_name() -> str:
    """A name that nobody can guess."""
    return secrets.token_urlsafe(KEY_BYTES)


def house_of(request: Request | WebSocket) -> House:
    """The house that a request came to."""
    return request.app.state.house
