"""A table as a picture: what the terminal draws as an SVG file, and its text as pixels."""

import html
import io
import re
from itertools import groupby

import numpy as np
from rich.cells import cell_len
from rich.console import Console

from tefuda.contract import Game, Reader
from tefuda.errors import Problem
from tefuda.table.scene import scene_of
from tefuda.terminal.drawing import draw

TEXT = re.compile(r'<text class="(?P<style>[^"]*-r\d+)" x="(?P<x>[\d.]+)"(?P<y> y="[^"]*").*?>(?P<words>.*?)</text>')
CELL = 12.2  # the width of one column in rich's drawing
WIDTH = 96  # columns of a picture
DOTS, LETTER = 100, 9  # of a picture in pixels: dots an inch, and points of a letter
LINE, COLUMN = 0.165, 0.081  # inches that a line takes, and a column of it


def svg_of(console: Console, title: str) -> str:
    """What was printed on a recording console, as an SVG that asks the network for no letters."""
    picture = console.export_svg(title=title, unique_id="table")
    picture = re.sub(r"@font-face \{.*?\}\s*", "", picture, flags=re.DOTALL)
    picture = picture.replace("Fira Code, monospace", "ui-monospace, Menlo, Consolas, monospace")
    return re.sub(r' clip-path="url\(#table-line-\d+\)"', "", TEXT.sub(_spaced, picture))


def recording(width: int = WIDTH) -> Console:
    """A console that shows nothing, and can be drawn."""
    return Console(
        record=True, width=width, file=io.StringIO(), force_terminal=True, highlight=False,
        force_jupyter=False,  # in a notebook rich would show what it records
    )  # fmt: skip


def table_svg(game: Game, states: np.ndarray, reader: Reader) -> str:
    """A table [1] as a reader may see it, as an SVG."""
    console = recording(reader.width)
    console.print(draw(scene_of(game, states, reader), reader))
    return svg_of(console, reader.label(game.title))


def table_pixels(game: Game, states: np.ndarray, seat: int | None) -> np.ndarray:
    """The text of a table [1] in English as pixels [height, width, 3], as a seat may see it; None: all of it."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise Problem(f"pixels need matplotlib: pip install 'tefuda[report]' ({error})") from error
    lines = game.words.show(states, seat, "en").splitlines()
    size = (max(COLUMN * max(map(cell_len, lines)), 1.0) + 0.4, LINE * len(lines) + 0.3)
    figure = Figure(size, dpi=DOTS, facecolor="white")
    canvas = FigureCanvasAgg(figure)
    for number, line in enumerate(lines):
        height = 1.0 - (0.15 + LINE * (number + 0.8)) / size[1]
        figure.text(0.2 / size[0], height, line, family="DejaVu Sans Mono", size=LETTER, parse_math=False)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[:, :, :3].copy()


def _spaced(found: re.Match[str]) -> str:
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
