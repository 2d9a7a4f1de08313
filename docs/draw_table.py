"""Draws table.svg, the picture of the tour: a moment of `tefuda play koikoi`, exactly as the terminal shows it.

Run it from the root of a checkout, `python docs/draw_table.py`, when the screen of a table has changed.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from tefuda.games import find
from tefuda.players.resolve import resolve
from tefuda.table.session import Session
from tefuda.terminal.picture import recording, svg_of
from tefuda.terminal.play import run

PICTURE = Path(__file__).parent / "table.svg"
SEED, DEAL, WIDTH = 1, 3, 96  # a deal in which four brights are made, and a screen on which all of them fit
OPPONENT = "rule-based"
PERSON = "rule-based/always-koikoi"  # plays for the person until agari or koi-koi is asked
AGARI = 48
HINT_WORLDS = 16_000


def moment(folder: Path) -> Session:
    """A game in which the person has just made a yaku, and may stop."""
    game = find("koikoi")
    person = resolve(game, PERSON)
    session = Session.start(game, [None, resolve(game, OPPONENT)], folder / "game.json", seed=SEED, deal=DEAL)
    session.advance()
    while AGARI not in session.view.legal:
        session.step(session.table.ask(person))
    return session


def screen(session: Session) -> str:
    """What the terminal shows when a hint is asked for, as a picture."""
    console = recording(WIDTH)
    typed, drawn = iter(["?"]), []

    def read(prompt: str) -> str:
        line = next(typed, None)
        console.print(prompt + (line or ""), highlight=False)
        if line is None:
            drawn.append(svg_of(console, "tefuda play koikoi"))
            raise EOFError
        return line

    run(session, "both", read, console, HINT_WORLDS)
    return drawn[0]


def draw() -> str:
    """The picture."""
    with TemporaryDirectory() as folder:
        return screen(moment(Path(folder)))


if __name__ == "__main__":
    PICTURE.write_text(draw(), encoding="utf-8")
    print(f"{PICTURE}: {PICTURE.stat().st_size:,} bytes")
