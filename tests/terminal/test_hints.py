"""A hint at the table: it says that it searches, shows first values soon, can be stopped, and searches on."""

import io
import os
import re
import select
import signal
import subprocess
import sys
import time

import pytest
from rich.console import Console

from tefuda import games
from tefuda.contract import Name
from tefuda.intervals import Interval
from tefuda.players.resolve import resolve
from tefuda.table import record as game_record
from tefuda.table.evaluation import Evaluation, Valued, Values
from tefuda.table.session import Session
from tefuda.terminal import show
from tefuda.terminal.play import HINT_SECONDS, run

KUHN = games.find("kuhn")
WORLDS = re.compile(r"([\d,]+) guessed worlds")
PROMPT = "move (? hint, h help) > "


def begin(path) -> Session:
    return Session.start(KUHN, [None, resolve(KUHN, "equilibrium")], path, seed=1, deal=3)


def typed(session, *lines, terminal=False) -> str:
    """All that a table shows when some lines are typed."""
    waiting = list(lines)

    def read(prompt):
        if not waiting:
            raise EOFError
        return waiting.pop(0)

    console = Console(file=io.StringIO(), width=80, highlight=False, force_terminal=terminal, color_system=None)
    run(session, "en", read, console)
    return console.file.getvalue()


@pytest.fixture
def limited(monkeypatch):
    """Searches that are over after some worlds, and what they were asked for."""
    asked, search = [], Evaluation.search

    def some(self, seconds, most=0):
        asked.append(seconds)
        yield from search(self, seconds=60, most=self.worlds + 20)
        self.seconds = sum(asked)

    monkeypatch.setattr(Evaluation, "search", some)
    return asked


def test_a_hint_says_that_it_searches_and_tells_its_values_as_they_come(tmp_path, limited):
    session = begin(tmp_path / "game.json")
    shown = typed(session, "?", terminal=True)
    told = [int(number.replace(",", "")) for number in WORLDS.findall(shown)]
    assert shown.index("searching … Ctrl-C stops it") < shown.index("guessed worlds")
    assert told[0] == 8
    assert told == sorted(told)
    assert told[-1] == 20
    plainly = typed(begin(tmp_path / "other.json"), "?")
    assert WORLDS.findall(plainly) == ["20"]  # where lines cannot be drawn again, only the last values
    assert plainly.index("searching") < plainly.index("guessed worlds")


def test_asked_again_it_searches_on_and_longer(tmp_path, limited):
    session = begin(tmp_path / "game.json")
    assert WORLDS.findall(typed(session, "?", "?", "?", "?")) == ["20", "40", "60", "80"]
    assert limited == [HINT_SECONDS, HINT_SECONDS, 2 * HINT_SECONDS, 4 * HINT_SECONDS]
    assert "? searches on" in typed(session, "?")
    session.step(session.view.legal[0])
    if not session.over:
        assert WORLDS.findall(typed(session, "?")) == ["20"]  # another decision, another search
        session.undo()


def test_a_hint_that_is_stopped_shows_what_it_has_and_the_game_goes_on(tmp_path, monkeypatch):
    search = Evaluation.search

    def interrupted(self, seconds):
        yield from search(self, seconds=60, most=8)
        raise KeyboardInterrupt

    monkeypatch.setattr(Evaluation, "search", interrupted)
    session = begin(tmp_path / "game.json")
    shown = typed(session, "?", "2", terminal=True)
    assert "8 guessed worlds" in shown
    assert [step.action for step in session.steps if step.seat == 0] == [session.steps[0].action]
    assert "saved; to go on" not in shown.partition("8 guessed worlds")[0]

    def at_once(self, seconds):
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr(Evaluation, "search", at_once)
    session = begin(tmp_path / "second.json")
    assert "guessed worlds" not in typed(session, "?", "1")
    assert session.steps


def values_of(*losses: tuple[float, float]) -> Values:
    """Moves that lose so much, give or take."""
    moves = tuple(
        Valued(place, Name(f"手{place}", f"move {place}"), Interval(-loss, -loss - 1, -loss + 1),
               Interval(loss, loss - half, loss + half))
        for place, (loss, half) in enumerate(losses)
    )  # fmt: skip
    return Values(moves, 100, "quick", 0)


@pytest.mark.parametrize(
    ("losses", "line"),
    [
        ([(0, 0)], "there is no other move"),
        ([(0, 0), (0.5, 0.3)], "1 is best (? searches on)"),
        ([(0, 0), (0.5, 0.5), (0.9, 0.2)], "1, 2 cannot be told apart: equal so far (? searches on)"),
        ([(0, 0), (0, 0), (0.9, 0.2)], "1, 2 are equal in every world (? searches on)"),
        ([(0, 0)] + 5 * [(0.1, 0.2)], "the best and those with = (6 moves) cannot be told apart: equal so far"),
    ],
)
def test_moves_that_cannot_be_told_apart_are_named_as_equal(losses, line):
    values, reader = values_of(*losses), games_reader()
    console = Console(file=io.StringIO(), width=100, highlight=False)
    console.print(show.hints(KUHN, values, [(valued.action, valued.name.en) for valued in values], reader))
    text = console.file.getvalue()
    assert line in text
    rows = [row.rstrip() for row in text.splitlines() if re.match(r" *\d+  move", row)]
    assert [row.endswith("=") for row in rows] == [False, *(loss <= half for loss, half in losses[1:])]
    assert rows[0].endswith("best")


def games_reader():
    from tefuda.contract import Reader

    return Reader(0, "en", width=100)


# What else a person is told


def test_a_player_that_takes_its_time_is_said_to_think(tmp_path):
    def shown(player, folder, terminal=True):
        session = Session.start(
            KUHN, [None, resolve(KUHN, player)], folder / f"{player}-{terminal}.json", seed=1, deal=3
        )
        return typed(session, "1", terminal=terminal)

    assert "pimc: thinking …" in shown("pimc", tmp_path)
    assert "thinking" not in shown("pimc", tmp_path, terminal=False)
    assert "thinking" not in shown("equilibrium", tmp_path)


def test_the_help_has_a_move_as_an_example_and_exit_leaves(tmp_path):
    shown = typed(begin(tmp_path / "game.json"), "h", "exit", "1")
    assert "the move of that name, as in: check" in shown
    assert "what each move loses; again: search on" in shown
    assert "saved; to go on" in shown
    assert not game_record.load(tmp_path / "game.json").actions


# In a terminal of its own


class Terminal:
    """`tefuda play` in a pseudo-terminal."""

    def __init__(self, folder, *arguments: str) -> None:
        pty = pytest.importorskip("pty")
        self.screen, inside = pty.openpty()
        environment = {**os.environ, "TERM": "xterm", "COLUMNS": "80", "LINES": "40"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tefuda", *arguments], stdin=inside, stdout=inside, stderr=inside, cwd=folder,
            env=environment, start_new_session=True,
        )  # fmt: skip
        os.close(inside)
        self.text = ""

    def until(self, wanted: str, seconds: float = 240) -> str:
        """What comes until something is shown."""
        begun, end = len(self.text), time.monotonic() + seconds
        while wanted not in self.text[begun:]:
            assert time.monotonic() < end, f"{wanted!r} did not come:\n{self.text[begun:]}"
            if select.select([self.screen], [], [], 1)[0]:
                self.text += os.read(self.screen, 65536).decode("utf-8", "replace")
        return self.text[begun:]

    def type(self, line: str) -> None:
        os.write(self.screen, line.encode() + b"\n")

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        os.close(self.screen)


@pytest.mark.slow
def test_a_game_that_was_killed_goes_on_where_it_was(tmp_path):
    arguments = ("play", "tricks", "random", "--rules", "plain", "--deal", "3", "--lang", "en", "--record", "game.json")
    table = Terminal(tmp_path, *arguments)
    table.until(PROMPT)
    table.type("xyzzy")
    assert "no move 'xyzzy' (h for help)" in table.until(PROMPT)
    table.type("?")
    hint = table.until(PROMPT)
    assert "searching" in hint
    assert "is best" in hint or "cannot be told apart" in hint
    table.type("1")
    table.until(PROMPT)
    left = game_record.load(tmp_path / "game.json").actions
    assert len(left) >= 4
    table.kill()
    again = Terminal(tmp_path, "play", "--resume", "game.json", "--lang", "en")
    again.until(PROMPT)
    assert game_record.load(tmp_path / "game.json").actions == left
    again.type("z")
    again.until(PROMPT)
    assert len(game_record.load(tmp_path / "game.json").actions) < len(left)
    again.type("q")
    assert "tefuda play --resume game.json" in again.until("--resume game.json")
    again.process.wait(60)
    assert again.process.returncode == 0
