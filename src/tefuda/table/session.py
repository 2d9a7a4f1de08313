"""A game between one person and computer players that is kept in a file: the state of play without any screen."""

import os
from collections.abc import Sequence
from pathlib import Path

from tefuda import games
from tefuda.contract import Game, Name, Reader, Rules, Scene, alike
from tefuda.errors import Problem
from tefuda.files.provenance import commit
from tefuda.log import log
from tefuda.players.entrant import Entrant
from tefuda.players.resolve import resolve
from tefuda.table import record as game_record
from tefuda.table.evaluation import Evaluation
from tefuda.table.play import Play
from tefuda.table.record import PERSON, GameRecord, Step
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


class Session(Play):
    """A game of one person, whose record is written after every decision; `start` or `resume` makes one."""

    def __init__(
        self, record: GameRecord, game: Game, rules: Rules, entrants: Sequence[Entrant | None],
        path: Path, hint_player: Entrant | None = None,
    ) -> None:  # fmt: skip
        self.record = record
        self.path = Path(path)
        self.person = list(entrants).index(None)
        self.hint_player = hint_player
        self.trouble = ""  # why the last write of the record failed
        self._evaluation: tuple[bytes, Evaluation] | None = None  # the last one, and the view that it is of
        super().__init__(game, rules, entrants, record.seed, record.deal, record.actions)

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
        while self.asks_program:
            self.program_takes(self.ask())
            self._save()
        return self.steps[begun:]

    def step(self, action: int) -> list[Step]:
        """Take the person's decision and let the others answer; an illegal one changes nothing."""
        if not self.waiting:
            raise Problem("it is not the person's turn")
        begun = len(self.steps)
        self.take(action)
        self._save()
        self.advance()
        return self.steps[begun:]

    def undo(self) -> bool:
        """Go back to the person's last decision, as if it had not been taken; False when there is none."""
        if not self.has_decided(self.person):
            return False
        self.go_back(self.since_own(self.person))
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
        return self.steps[self.since_own(self.person) :]

    # How it is done

    def rebuild(self, moves: Sequence[tuple[int, int]]) -> None:
        """Deal again and take some moves, and write the record anew."""
        moves, self.record.names = list(moves), []
        super().rebuild(moves)
        self._write_down()

    def take(self, action: int) -> Step:
        """Take a decision, and keep what it was called at this table."""
        name = self.game.words.action_name(self.table.states, action) if action in self.table.legal else ""
        step = super().take(action)
        self.record.names.append(name)
        return step

    def _write_down(self) -> None:
        self.record.actions = self.moves
        self.record.scores = self.table.scores.tolist() if self.over else None

    def _save(self) -> None:
        """Write the record. A full disk during a game is told, but does not end it."""
        self._write_down()
        try:
            game_record.save(self.path, self.record)
            self.trouble = ""
        except Problem as problem:
            self.trouble = str(problem)
