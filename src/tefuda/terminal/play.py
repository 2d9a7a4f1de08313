"""The table a person sits at: draw, ask for a line, do what it says, until the game is over or the person leaves."""

import shlex
from collections.abc import Callable

from rich.console import Console
from rich.text import Text

from tefuda.contract import Reader
from tefuda.errors import Problem
from tefuda.terminal import show
from tefuda.terminal.commands import HELP, HINT, QUIT, RULES, UNDO, UNSEEN, understand
from tefuda.terminal.session import Session

REPLAY_COMMAND = "tefuda replay {path}"
RESUME_COMMAND = "tefuda play --resume {path}"


def run(
    session: Session, lang: str = "both", read: Callable[[str], str] = input, console: Console | None = None,
    hint_games: int | None = None,
) -> bool:  # fmt: skip
    """Play a session. `read` gets the prompt and gives a line; its EOFError, or Ctrl-C, leaves like `q`.

    Returns whether the game was finished. The record is written after every decision, so leaving has nothing to do.
    """
    console = console or Console(highlight=False)
    try:
        session.advance()
        _draw(session, session.reader(lang, show.width_of(console)), console)
        while not session.over:
            reader = session.reader(lang, show.width_of(console))
            if not _obey(read(_prompt(reader)), session, reader, console, hint_games):
                _leave(session, reader, console)
                return False
    except (EOFError, KeyboardInterrupt):
        console.print()
        _leave(session, session.reader(lang, show.width_of(console)), console)
        return False
    _finish(session, session.reader(lang, show.width_of(console)), console)
    return True


def _prompt(reader: Reader) -> str:
    return {"ja": "手（? ヒント、h 一覧）> ", "en": "move (? hint, h help) > "}.get(
        reader.lang, "手 move (? ヒント hint, h 一覧 help) > "
    )


def _obey(line: str, session: Session, reader: Reader, console: Console, hint_games: int | None) -> bool:
    """Do what one line says; False when the person leaves."""
    width, game = reader.width, session.game
    try:
        meant = understand(line, game, session.choices(reader.lang), reader, _callings(session))
        if meant == QUIT:
            return False
        if meant == HINT:
            values = session.hint(hint_games)
            assert session.hint_player is not None
            panel = show.hints(values, session.choices(reader.lang), 2, reader, session.hint_player.name)
            console.print(panel, width=width)
        elif meant == UNSEEN:
            groups = session.unseen(reader.lang)
            if groups is None:
                raise Problem(reader.say("この遊びでは一覧がありません", f"{game.name} has no such list"))
            console.print(show.unseen(groups, reader), width=width)
        elif meant == RULES:
            console.print(show.rules_in_force(game, session.rules, reader), width=width)
        elif meant == HELP:
            console.print(show.help_page(reader), width=width)
        elif meant == UNDO and not session.undo():
            raise Problem(reader.say("戻せる手がありません", "there is nothing to take back"))
        else:
            if isinstance(meant, int):
                session.step(meant)
            _draw(session, reader, console)
    except Problem as problem:
        console.print(Text(str(problem), "red"), width=width)
    return True


def _callings(session: Session) -> dict[int, list[str]]:
    """What each legal move may be called: its own name and what it is called at this table, in both languages."""
    game, state = session.game, session.view.state
    return {
        action: [
            game.actions.names[action].ja,
            game.actions.names[action].en,
            *(game.action_name(state, action, lang).partition(" → ")[0] for lang in ("ja", "en")),
        ]
        for action, _ in session.choices()
    }


def _draw(session: Session, reader: Reader, console: Console) -> None:
    """The whole screen: the table, what happened since one's last decision, and the moves."""
    game, width, view = session.game, reader.width, session.view
    if console.is_terminal:
        console.clear()
    record = session.record
    console.print(show.heading(game, session.rules, record.seed, record.deal, reader), width=width)
    console.print(show.table(game, view.state, reader), width=width)
    steps = session.last_steps()
    if steps:
        console.print()
        console.print(show.story(game, steps, reader), width=width)
    if session.trouble:
        console.print(Text(session.trouble, "red"), width=width)
    if session.waiting:
        console.print()
        console.print(show.moves(session.choices(reader.lang), reader), width=width)


def _leave(session: Session, reader: Reader, console: Console) -> None:
    """Say where the game is kept."""
    if session.trouble:
        console.print(Text(session.trouble, "red"), width=reader.width)
        return
    command = RESUME_COMMAND.format(path=shlex.quote(str(session.path)))
    console.print(Text(reader.say(f"保存しました。続きは: {command}", f"saved; go on with: {command}")), soft_wrap=True)


def _finish(session: Session, reader: Reader, console: Console) -> None:
    """The result: every round's, where there were more, the scores, and how to see it again."""
    game, scores = session.game, session.table.scores
    rounds = [line for step in session.steps for line in show.results_of(game, step, reader)]
    console.print()
    if len(rounds) > 2:
        for line in rounds:
            console.print(Text(line), width=reader.width)
        console.print()
    figures = game.headline.of(scores) * (1 if game.headline.higher_is_better else -1)
    own, best = figures[session.person], max(figures[s] for s in range(game.seats) if s != session.person)
    outcome = (
        reader.say("あなたの勝ち", "you win") if own > best
        else reader.say("引き分け", "a draw") if own == best
        else reader.say("あなたの負け", "you lose")
    )  # fmt: skip
    console.print(Text(f"{outcome}   {show.score_line(scores, game.headline.digits, reader)}", "bold"), width=reader.width)
    if session.trouble:
        console.print(Text(session.trouble, "red"), width=reader.width)
        return
    command = REPLAY_COMMAND.format(path=shlex.quote(str(session.path)))
    console.print(Text(reader.say(f"もう一度見る: {command}", f"see it again: {command}")), soft_wrap=True)
