"""The table a person sits at: draw, ask for a line, do what it says, until the game is over or left."""

import contextlib
from collections.abc import Callable, Iterator

from rich.cells import cell_len
from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from tefuda.contract import Name, Reader
from tefuda.errors import Problem
from tefuda.table.opinion import opinion_of
from tefuda.table.record import replay_command, resume_command
from tefuda.table.scene import said_of
from tefuda.table.session import Session
from tefuda.terminal import show
from tefuda.terminal.commands import HELP, HINT, QUIT, RULES, UNDO, UNSEEN, understand
from tefuda.terminal.drawing import draw
from tefuda.terminal.pieces import fitted, wrapped

HINT_SECONDS, MOST_HINT_SECONDS = 2.0, 8.0  # asked again, a hint searches as long again as it has searched so far


def run(
    session: Session, lang: str = "both", read: Callable[[str], str] = input, console: Console | None = None,
    hint_worlds: int | None = None,
) -> bool:  # fmt: skip
    """Play a session. `read` gets the prompt and gives a line; its EOFError, or Ctrl-C, leaves like `q`.

    Returns whether the game was finished. The record was written after every decision, whatever happens here.
    """
    console = console or Console(highlight=False, markup=False, emoji=False)
    if console.is_terminal:
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401 - its import lets `input` edit a line and bring back earlier ones
    try:
        with _thinking(session, session.reader(lang), console):
            session.advance()
        _draw(session, session.reader(lang, show.width_of(console)), console)
        while not session.over:
            reader = session.reader(lang, show.width_of(console))
            if not _obey(read(_prompt(reader)), session, reader, console, hint_worlds):
                _leave(session, reader, console)
                return False
    except (EOFError, KeyboardInterrupt):
        console.print()
        _leave(session, session.reader(lang, show.width_of(console)), console)
        return False
    except Problem:  # a computer player failed: what was played is kept
        _leave(session, session.reader(lang, show.width_of(console)), console)
        raise
    _finish(session, session.reader(lang, show.width_of(console)), console)
    return True


def _prompt(reader: Reader) -> str:
    return {"ja": "手（? ヒント、h 一覧）> ", "en": "move (? hint, h help) > "}.get(
        reader.lang, "手 move (? ヒント hint, h 一覧 help) > "
    )


def _obey(line: str, session: Session, reader: Reader, console: Console, hint_worlds: int | None) -> bool:
    """Do what one line says; False when the person leaves."""
    width, game = reader.width, session.game
    try:
        meant = understand(
            line, *_callings(session, reader), lambda action: _why_not(session, action, reader),
            lambda typed: _misnamed(session, typed, reader),
        )  # fmt: skip
        if meant == QUIT:
            return False
        if meant == HINT:
            _hint(session, reader, console, hint_worlds)
        elif meant == UNSEEN:
            groups = session.unseen(reader.lang)
            if groups is None:
                raise Problem(reader.say("この遊びにはない", f"{game.name} has no such list"))
            console.print(show.unseen(groups, reader), width=width)
        elif meant == RULES:
            console.print(show.rules_in_force(game, session.rules, reader), width=width)
        elif meant == HELP:
            console.print(show.help_page(reader, _shown_name(session.choices(reader.lang)[0][1])), width=width)
        elif meant == UNDO and not session.undo():
            raise Problem(reader.say("戻せる手がありません", "there is nothing to take back"))
        else:
            if isinstance(meant, int):
                with _thinking(session, reader, console):
                    session.step(meant)
            _draw(session, reader, console)
    except Problem as problem:
        if not session.waiting:  # a computer player failed: there is nothing that the person could do
            raise
        console.print(Text(str(problem), "red"), width=width)
    return True


@contextlib.contextmanager
def _thinking(session: Session, reader: Reader, console: Console) -> Iterator[None]:
    """Says that players who take their time are thinking, as long as they do."""
    slow = [reader.names[seat] for seat, each in enumerate(session.entrants) if each is not None and each.slow]
    if not slow or not console.is_terminal:
        yield
        return
    names = ", ".join(slow)
    line = fitted(reader.say(f"{names} が考えています…", f"{names}: thinking …"), console.width - 1)
    console.print(Text(line, "dim"), end="\r")  # what compiling says takes its place
    try:
        yield
    finally:
        console.print(" " * cell_len(line), end="\r")


def _hint(session: Session, reader: Reader, console: Console, worlds: int | None) -> None:
    """What each move loses. First values are shown soon, and better ones take their place; Ctrl-C is content with what
    there is. `worlds` says how many are played, instead of for how long."""
    game, width, choices = session.game, reader.width, session.choices(reader.lang)
    evaluation = session.evaluation()
    opinion = opinion_of(session.view, evaluation.player)
    said = [opinion.line(reader)] if opinion else []
    said += game.words.advice(session.view.state, reader) if game.words.advice else []
    for text in said:
        console.print(Text(text), width=width)
    seconds = min(MOST_HINT_SECONDS, max(HINT_SECONDS, evaluation.seconds))
    searching = Text(reader.say("読んでいます… Ctrl-C で止める", "searching … Ctrl-C stops it"), "dim")
    steps = evaluation.search(seconds) if worlds is None else (evaluation.more(each) for each in [worlds])
    with contextlib.suppress(KeyboardInterrupt):
        if worlds is None and console.is_terminal and not console.is_dumb_terminal:
            # The lines that compiling draws on standard error go where the line `searching` stands.
            with Live(searching, console=console, transient=True, auto_refresh=False, redirect_stderr=False) as live:
                for values in steps:
                    live.update(Group(show.hints(game, values, choices, reader), searching), refresh=True)
        else:
            console.print(searching, width=width)
            for _ in steps:
                pass
    if evaluation.worlds:
        console.print(show.hints(game, evaluation.values(), choices, reader), width=width)


def _callings(session: Session, reader: Reader) -> tuple[dict[int, list[str]], Reader, dict[int, list[str]]]:
    """What each legal move may be called, its own name and its name at this table, in all languages; the same of the
    moves that are not legal now, by their own names."""
    game, state = session.game, session.view.state
    own = {
        action: [name.ja, name.en, *(game.words.callings(state, action) if game.words.callings else [])]
        for action, name in enumerate(game.spaces.actions.names)
    }
    legal = {
        action: own.pop(action)
        + [_shown_name(game.words.action_name(state, action, lang)) for lang in ("ja", "en", "both")]
        for action, _ in session.choices()
    }
    return legal, reader, own


def _shown_name(text: str) -> str:
    """The name of a move without what it brings, which stands behind an arrow."""
    return text.partition(" → ")[0]


def _why_not(session: Session, action: int, reader: Reader) -> str:
    """Why a move is not legal now, where the game can tell."""
    told = session.game.words.why_not
    return told(session.view.state, action, reader) if told else ""


def _misnamed(session: Session, typed: str, reader: Reader) -> str:
    """Why a word that is a move at other times is none now, where the game can tell."""
    told = session.game.words.misnamed
    return told(session.view.state, typed, reader) if told else ""


def _draw(session: Session, reader: Reader, console: Console) -> None:
    """The whole screen: the table, what happened since one's last decision, and the moves."""
    game, width, scene = session.game, reader.width, session.scene(reader, moved=False)
    if console.is_terminal:
        console.clear()
    record = session.record
    console.print(show.heading(game, session.rules, record.seed, record.deal, reader), width=width, **show.ONE_LINE)
    console.print(draw(scene, reader), width=width)
    if scene.said:
        console.print()
        console.print(show.story(scene.said, reader), width=width)
    _trouble(session, reader, console)
    if scene.moves:
        console.print()
        console.print(show.moves([(move.action, reader.label(move.name)) for move in scene.moves], reader), width=width)


def _trouble(session: Session, reader: Reader, console: Console) -> bool:
    """Say why the record could not be written, where it could not."""
    if session.trouble:
        console.print(Text(session.trouble, "red"), width=reader.width)
    return bool(session.trouble)


def _leave(session: Session, reader: Reader, console: Console) -> None:
    """Say where the game is kept."""
    if not _trouble(session, reader, console):
        passing = [each.name for each in session.entrants if each is not None and not each.lasting]
        if passing:
            names = ", ".join(dict.fromkeys(passing))
            ja = f"保存しましたが、{names} は名前では見つからないため、続きは遊べません。見るには"
            en = f"saved, but the game cannot go on: no name finds {names} again; to see it"
            _say_command(reader.say(ja, en), replay_command(session.record, session.path), console)
            return
        command = resume_command(session.record, session.path)
        _say_command(reader.say("保存しました。続きは", "saved; to go on"), command, console)


def _say_command(text: str, command: str, console: Console) -> None:
    """A command on its own line, unbroken, so that it can be copied."""
    console.print(Text(f"{text}:"))
    console.print(Text(f"  {command}"), soft_wrap=True)


def _finish(session: Session, reader: Reader, console: Console) -> None:
    """The result: of every round, where there were more, the scores, and how to see it again."""
    game, scores, person = session.game, session.table.scores, session.person
    rounds = [results for step in session.steps if (results := said_of(game, step, reader).results)]
    console.print()
    if len(rounds) > 1:
        for line in (line for results in rounds for line in results):
            console.print(Text(wrapped(reader.label(line), reader.width)), width=reader.width)
        console.print()
    headline = game.scoring.headline_under(session.rules)
    figures = headline.of(scores) * (1 if headline.higher_is_better else -1)
    ahead = figures[person] - max(figures[seat] for seat in range(game.seats) if seat != person)
    outcome = Name("引き分け", "a draw")
    if ahead:
        outcome = Name("あなたの勝ち", "you win") if ahead > 0 else Name("あなたの負け", "you lose")
    final = f"{reader.label(outcome)}   {show.score_line(scores, reader)}"
    console.print(Text(final, "bold"), width=reader.width)
    if not _trouble(session, reader, console):
        command = replay_command(session.record, session.path)
        _say_command(reader.say("もう一度見るには", "to see it again"), command, console)
