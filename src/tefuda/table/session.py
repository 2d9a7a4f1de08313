"""A game between one person and computer players: the state of play without any screen.

The record is the truth: taking back and resuming deal the cards again and take the recorded actions, so no
table is ever patched. A computer player's decision then depends on the table and its place in the game alone:
before each one its random stream is set anew from (seed, deal, seat, number of the decision).
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tefuda import games
from tefuda.contract import Game, Name, Reader, Rules, Scene, alike
from tefuda.errors import Problem
from tefuda.files.provenance import commit
from tefuda.kernel.random import PLAYER, stream
from tefuda.log import log
from tefuda.players.asking import answer, made
from tefuda.players.entrant import Entrant
from tefuda.players.resolve import resolve
from tefuda.table import record as game_record
from tefuda.table.evaluation import Evaluation
from tefuda.table.record import PERSON, GameRecord, Step, take
from tefuda.table.scene import scene_of
from tefuda.table.table import Table, View

YOU, SOMEBODY = Name("あなた", "you"), Name("人", "person")


def hint_player_of(game: Game, rules: Rules | None = None) -> Entrant:
    """The player who plays on after each move when a hint is asked: the game's own choice where it plays by the rules,
    else its usual opponent."""
    rules, players = rules or game.rulebook.make(), game.players
    name = players.hint_player if players.named_under(players.hint_player, rules) else players.default_opponent
    return resolve(game, name, rules)


def short_name(name: str) -> str:
    """A player's name as the table has room for it: without its variant, and of a path only the last part."""
    if ".py:" in name:
        return name.partition(".py:")[2].partition("/")[0]
    return Path(name.partition(".npz")[0]).name if ".npz" in name else name.partition("/")[0]


def seat_titles(players: Sequence[str], person: Name) -> tuple[Name, ...]:
    """What the seats are called: players who share a name get the number of their seat."""
    shown = [person if name == PERSON else alike(short_name(name)) for name in players]
    return tuple(
        Name(f"{name.ja} {seat + 1}", f"{name.en} {seat + 1}", f"{Reader().label(name)} {seat + 1}")
        if shown.count(name) > 1
        else name
        for seat, name in enumerate(shown)
    )


class Session:
    """A game in play; `start` or `resume` makes one."""

    def __init__(
        self, record: GameRecord, game: Game, rules: Rules, entrants: Sequence[Entrant | None],
        path: Path, hint_player: Entrant | None = None,
    ) -> None:  # fmt: skip
        self.record = record
        self.game = game
        self.rules = rules
        self.entrants = list(entrants)
        self.path = Path(path)
        self.person = self.entrants.index(None)
        self.hint_player = hint_player
        self.trouble = ""  # why the last write of the record failed
        self.steps: list[Step] = []
        self._evaluation: tuple[bytes, Evaluation] | None = None  # the last one, and the view that it is of
        self._players: dict[int, Any] = {}  # players of one's own, one for each of their seats
        self._rebuild(record.actions)

    @classmethod
    def start(
        cls, game: Game, entrants: Sequence[Entrant | None], path: Path, rules: Rules | None = None,
        seed: int = 0, deal: int = 0, hint_player: Entrant | None = None, source: str | None = None,
    ) -> "Session":  # fmt: skip
        """A new game, which begins only once its record could be written.

        `entrants` has a player for each seat and None for the person's; `source` is what finds the game
        again, for a game of one's own its path.
        """
        if len(entrants) != game.seats or list(entrants).count(None) != 1:
            raise Problem(f"{game.name} has {game.seats} seats: one for the person, the others for players")
        path = Path(path)
        if os.path.exists(path):
            raise Problem(f"{path} is there already: go on with it by --resume, or choose another place with --record")
        rules = rules or game.rulebook.make()
        players = [PERSON if entrant is None else entrant.name for entrant in entrants]
        table = Table(game, rules, seed, deal)
        record = game_record.record_of(table, players, commit(), source)
        session = cls(record, game, rules, entrants, path, hint_player)
        game_record.save(path, session.record)
        return session

    @classmethod
    def resume(cls, path: Path, game: Game | None = None, hint_player: Entrant | None = None) -> "Session":
        """The unfinished game of a record, as it was left. `game` is needed only for one of one's own."""
        record = game_record.load(path)
        table, _ = game_record.play_again(record, path, game)
        if table.over:
            raise Problem(f"{path}: this game is finished; `{game_record.replay_command(record, path)}` shows it")
        if record.players.count(PERSON) != 1:
            raise Problem(
                f"{path}: no person plays in this game; `{game_record.replay_command(record, path)}` shows it"
            )
        entrants = [None if name == PERSON else resolve(table.game, name, table.rules) for name in record.players]
        if game_record.has_changed(record, table.game) and record.game not in games.names():
            log.warning(
                f"the code of {table.game.name} has changed since {path} was recorded; its moves are legal still"
            )
        record.kernels = game_record.kernels_of(table.game)  # by these all its moves were taken just now
        session = cls(record, table.game, table.rules, entrants, path, hint_player)
        game_record.save(path, session.record)  # told now, should it have become unwritable
        return session

    # What is the case

    @property
    def over(self) -> bool:
        return self.table.over

    @property
    def waiting(self) -> bool:
        """Whether the person is to decide."""
        return self.table.to_move == self.person

    @property
    def view(self) -> View:
        """What the person may know."""
        return self.table.view(self.person)

    def choices(self, lang: str = "both") -> list[tuple[int, str]]:
        """The legal actions and their names at this table."""
        view = self.view
        return [(action, self.game.words.action_name(view.state, action, lang)) for action in view.legal]

    def reader(self, lang: str = "both", width: int = 80) -> Reader:
        """The person, as a reader of this game."""
        called = seat_titles(self.record.players, YOU)
        return Reader(self.person, width=width, called=called).speaking(lang)

    def scene(self, reader: Reader, moved: bool = True) -> Scene:
        """The table as the person sees it, with all that was done since the person's last decision."""
        return scene_of(self.game, self.table.states, reader, self.last_steps(), len(self.view.history), moved)

    # What a person does

    def advance(self) -> list[Step]:
        """Let the computer players decide until it is the person's turn, or the game is over."""
        begun = len(self.steps)
        while not self.over and not self.waiting:
            seat = self.table.to_move
            action = self._ask(seat)
            try:
                self._take(action)
            except Problem as problem:
                raise Problem(f"{self.record.players[seat]}, move {len(self.steps) + 1}: {problem}") from None
            self._save()
        return self.steps[begun:]

    def step(self, action: int) -> list[Step]:
        """Take the person's decision and let the others answer; an illegal one changes nothing."""
        if not self.waiting:
            raise Problem("it is not the person's turn")
        begun = len(self.steps)
        self._take(action)
        self._save()
        self.advance()
        return self.steps[begun:]

    def undo(self) -> bool:
        """Go back to the person's last decision, as if it had not been taken; False when there is none."""
        own = [position for position, step in enumerate(self.steps) if step.seat == self.person]
        if not own:
            return False
        self._rebuild([(step.seat, step.action) for step in self.steps[: own[-1]]])
        self._save()
        return True

    def evaluation(self) -> Evaluation:
        """The values of the person's moves, in the final score or in what this round adds to it. At the same decision
        it is the same evaluation: what is searched comes on top of what was searched before."""
        view = self.view
        if self._evaluation is None or self._evaluation[0] != view.state.tobytes():
            self.hint_player = self.hint_player or hint_player_of(self.game, self.rules)
            seen = view.state.tobytes()
            self._evaluation = seen, Evaluation(view, self.hint_player, len(self.steps), this_round=True)
        return self._evaluation[1]

    def unseen(self, lang: str = "both") -> list[tuple[str, list[str]]] | None:
        """The cards that the person has not seen, in groups; None when the game cannot tell."""
        told = self.game.words.unseen
        return told(self.view.state, self.reader(lang)) if told else None

    def last_steps(self) -> list[Step]:
        """Everything since the person's last decision, with that decision."""
        own = [position for position, step in enumerate(self.steps) if step.seat == self.person]
        return self.steps[own[-1] if own else 0 :]

    # How it is done

    def _rebuild(self, moves: Sequence[tuple[int, int]]) -> None:
        """Deal again and take some moves. Players of one's own are asked again: they may remember things."""
        self.table = Table(self.game, self.rules, self.record.seed, self.record.deal)
        self.steps = []
        self.record.names = []
        self._players = {}
        for seat, entrant in enumerate(self.entrants):
            if entrant is not None and entrant.policy is None:
                self._players[seat] = made(entrant)
        for seat, action in list(moves):
            if seat in self._players:
                self._ask(seat)
            self._take(action)
        self._write_down()

    def _take(self, action: int) -> None:
        name = self.game.words.action_name(self.table.states, action) if action in self.table.legal else ""
        self.steps.append(take(self.table, action))
        self.record.names.append(name)

    def _ask(self, seat: int) -> Any:
        """What a computer player does now."""
        table, entrant = self.table, self.entrants[seat]
        assert entrant is not None
        first = np.uint64(stream(np.uint64(table.seed), np.uint64(table.deal), seat, PLAYER))
        begin = int(stream(first, np.uint64(len(self.steps)), seat, PLAYER))
        table.rngs[seat] = np.uint64(begin)
        table.randoms[seat].seed(begin)
        if entrant.policy is not None:
            return table.ask(entrant)
        where = f"player {entrant.name}, move {len(self.steps) + 1}"
        return answer(entrant, self._players[seat], table.view(seat), where)

    def _write_down(self) -> None:
        self.record.actions = [(step.seat, step.action) for step in self.steps]
        self.record.scores = self.table.scores.tolist() if self.over else None

    def _save(self) -> None:
        """Write the record. A full disk during a game is told, but does not end it."""
        self._write_down()
        try:
            game_record.save(self.path, self.record)
            self.trouble = ""
        except Problem as problem:
            self.trouble = str(problem)
