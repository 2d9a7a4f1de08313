"""Draws table.svg, the picture of the tour: a moment of `tefuda play koikoi`, exactly as the terminal shows it.

Run it from the root of a checkout, `python docs/draw_table.py`, when the screen of a table has changed.
"""

import html
import io
import re
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.cells import cell_len
from rich.console import Console

from tefuda.games import find
from tefuda.players.resolve import resolve
from tefuda.table.session import Session
from tefuda.terminal.play import run

PICTURE = Path(__file__).parent / "table.svg"
SEED, DEAL, WIDTH = 1, 3, 96  # a deal in which four brights are made, and a screen on which all of them fit
OPPONENT = "rule-based"
PERSON = "rule-based/always-koikoi"  # plays for the person until agari or koi-koi is asked
AGARI = 48
HINT_WORLDS = 16_000
TEXT = re.compile(r'<text class="(?P<style>[^"]*-r\d+)" x="(?P<x>[\d.]+)"(?P<y> y="[^"]*").*?>(?P<words>.*?)</text>')
CELL = 12.2  # the width of one column in rich's drawing


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
    """What the terminal shows when a hint is asked for, as rich draws it."""
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True, highlight=False)
    typed, drawn = iter(["?"]), []

    def read(prompt: str) -> str:
        line = next(typed, None)
        console.print(prompt + (line or ""), highlight=False)
        if line is None:
            drawn.append(console.export_svg(title="tefuda play koikoi", unique_id="table"))
            raise EOFError
        return line

    run(session, "both", read, console, HINT_WORLDS)
    return drawn[0]


def spaced(found: re.Match[str]) -> str:
    """One piece of text, cut so that Japanese letters take two columns and others one: rich counts all as one."""
    pieces, column = [], 0
    words = html.unescape(found["words"]).replace("\xa0", " ")
    for wide, letters in groupby(words, key=lambda letter: cell_len(letter) == 2):
        run_of = "".join(letters)
        columns = len(run_of) * (2 if wide else 1)
        if run_of.strip():
            x, length = float(found["x"]) + column * CELL, columns * CELL
            shown = html.escape(run_of).replace(" ", "&#160;")
            pieces.append(
                f'<text class="{found["style"]}" x="{x:.1f}"{found["y"]} textLength="{length:.1f}">{shown}</text>'
            )
        column += columns
    return "".join(pieces)


def draw() -> str:
    """The picture."""
    with TemporaryDirectory() as folder:
        picture = screen(moment(Path(folder)))
    picture = re.sub(r"@font-face \{.*?\}\s*", "", picture, flags=re.DOTALL)  # no picture asks the network for letters
    picture = picture.replace("Fira Code, monospace", "ui-monospace, Menlo, Consolas, monospace")
    return re.sub(r' clip-path="url\(#table-line-\d+\)"', "", TEXT.sub(spaced, picture))


if __name__ == "__main__":
    PICTURE.write_text(draw(), encoding="utf-8")
    print(f"{PICTURE}: {PICTURE.stat().st_size:,} bytes")
