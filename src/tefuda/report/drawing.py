"""How figures look, once for all papers: direct labels, few lines, colours that the colour-blind tell apart.

The same figure gives the same bytes. matplotlib takes seconds to import, so `draw` loads it when called.
"""

import io
import math
import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tefuda.errors import Problem
from tefuda.report.figures import Bars, Curves, Figure, Heatmap, Scatter

NO_MATPLOTLIB = "figures need matplotlib: pip install 'tefuda[report]'"

# Name: (on light paper, on dark paper). The page has the same table as CSS variables, so that a figure in it
# changes with the reader's scheme. The series are Okabe and Ito's colours, and lighter ones for dark paper.
# Paper is a hair off white: a white number in a heatmap must not turn dark together with the paper.
COLOURS = {
    "paper": ("#fffffe", "#16181c"),
    "ink": ("#1d2025", "#e4e6ea"),
    "muted": ("#5d636d", "#a3a9b4"),
    "rule": ("#dcdfe4", "#353a42"),
    "series-1": ("#0072b2", "#58aee6"),
    "series-2": ("#d55e00", "#ff8f52"),
    "series-3": ("#009e73", "#3ccb9f"),
    "series-4": ("#cc79a7", "#e6a0c6"),
    "series-5": ("#e69f00", "#f3bb4a"),
    "series-6": ("#56b4e9", "#9ad6f7"),
}
PAPER, INK, MUTED, RULE, *SERIES = (light for light, _ in COLOURS.values())
RISING = ("#edf3f9", "#7fb3d8", "#0072b2", "#06324f")  # heatmap of one sign
AROUND_ZERO = ("#9c3d00", "#e8955a", "#f3f2f0", "#6aa9d4", "#00507d")  # heatmap of both signs
DASHES = ("-", (0, (5, 2)), (0, (1, 1.5)))  # a seventh series has the first colour again, dashed

WIDTH = 7.2  # inches, as wide as the page's column
LINE_HEIGHT, LETTER = 0.17, 0.085  # inches that a line of a label takes, and a letter

SETTINGS: Any = {
    "svg.hashsalt": "tefuda",  # without it, names inside the SVG change from run to run
    "svg.fonttype": "none",  # text stays text: it can be searched, and the page shows it in its own font
    "text.parse_math": False,  # a dollar sign in a name is a dollar sign
    "font.family": ["DejaVu Sans"],
    "font.size": 9,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": MUTED,
    "axes.facecolor": "none",
    "axes.titlesize": 9,
    "axes.titlelocation": "left",
    "axes.titlepad": 8,
    "axes.labelsize": 9,
    "axes.linewidth": 0.8,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "grid.color": RULE,
    "grid.linewidth": 0.8,
    "figure.facecolor": PAPER,
    "savefig.facecolor": PAPER,
}


@dataclass(frozen=True)
class Drawing:
    """A figure as the bytes of its two files."""

    svg: bytes
    png: bytes
    width: float  # inches

    @classmethod
    def of_file(cls, svg: bytes) -> "Drawing":
        """A figure that was drawn before, from its file; matplotlib says its width in points."""
        said = re.search(rb'<svg[^>]* width="([\d.]+)pt"', svg)
        if said is None:
            raise ValueError("no figure of ours")
        return cls(svg, b"", float(said.group(1)) / 72)

    def inline(self, prefix: str, label: str) -> str:
        """The SVG as a part of a page: its ids its own, its colours the page's. `label` is escaped."""
        text = self.svg.decode()
        text = text[text.index("<svg") :]  # the XML prolog has no place inside a page
        # matplotlib's style sheet speaks of every element: in a page, not of the figure alone. Ours has it.
        text = re.sub(r"<(metadata|style)\b.*?</\1>", "", text, flags=re.DOTALL)
        text = re.sub(r' xmlns(:xlink)?="[^"]*"', "", text).replace("xlink:href", "href")
        text = re.sub(r' id="', f' id="{prefix}-', text)
        text = re.sub(r'href="#', f'href="#{prefix}-', text)
        text = re.sub(r"url\(#", f"url(#{prefix}-", text)
        for name, (light, _) in COLOURS.items():
            text = text.replace(light, f"var(--{name})")
        # 6.4 rem an inch makes the letters of a figure as large as the small print of the page.
        # On a narrow screen a small figure shrinks a little, and a wide one scrolls rather than becoming illegible.
        width = f"max-width:{self.width * 6.4:g}rem;min-width:{min(30, self.width * 4.2):g}rem"
        opening = f'<svg role="img" aria-label="{label}" style="{width}"'
        return opening + text.removeprefix("<svg")


PUBLISHED = {"marker": "D", "s": 34, "color": SERIES[1], "edgecolors": PAPER, "zorder": 3}  # a published figure


def draw(figure: Figure) -> Drawing:
    """The figure as SVG and PNG."""
    try:
        import matplotlib
        from matplotlib.figure import Figure as Canvas
    except ImportError:
        raise Problem(NO_MATPLOTLIB) from None
    with matplotlib.rc_context():
        matplotlib.rcdefaults()  # a reader's own matplotlibrc must not change the bytes
        matplotlib.rcParams.update(SETTINGS)
        canvas = Canvas(layout="constrained")
        axes = canvas.subplots()
        PAINTERS[type(figure)](figure, canvas, axes)
        files = {}
        for form, metadata in (
            ("svg", {"Date": None, "Creator": None, "Format": None, "Type": None}),
            ("png", {"Software": None}),
        ):
            file = io.BytesIO()
            canvas.savefig(file, format=form, dpi=200, metadata=metadata)
            files[form] = file.getvalue()
    return Drawing(files["svg"], files["png"], float(canvas.get_figwidth()))


def paint_curves(figure: Curves, canvas: Any, axes: Any) -> None:
    canvas.set_size_inches(WIDTH, 3.9)
    ends = []  # (x, y, colour, name) of all that needs a label at the right
    for index, series in enumerate(figure.series):
        colour, dashes = SERIES[index % len(SERIES)], DASHES[index // len(SERIES) % len(DASHES)]
        x, y = np.asarray(series.x, float), np.asarray(series.y, float)
        if series.low is not None and series.high is not None:
            low, high = np.asarray(series.low, float), np.asarray(series.high, float)
            axes.fill_between(x, low, high, color=colour, alpha=0.2, linewidth=0)
        axes.plot(x, y, color=colour, linestyle=dashes, linewidth=1.8)
        seen = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
        if len(seen):
            ends.append((x[seen[-1]], y[seen[-1]], colour, series.name))
    for line in figure.lines:
        axes.axhline(line.y, color=MUTED, linestyle=(0, (1, 2)), linewidth=1.6)
    for point in figure.published:
        axes.scatter([point.x], [point.y], clip_on=False, **PUBLISHED)
    axes.margins(x=0)
    right = axes.get_xlim()[1]
    ends += [(right, line.y, MUTED, line.name) for line in figure.lines if np.isfinite(line.y)]
    ends += [(point.x, point.y, SERIES[1], point.name) for point in figure.published]
    axes.grid(axis="y")
    label_axes(figure, axes)
    left = axes.get_xlim()[0]
    label_ends([end for end in ends if end[0] >= right - 0.02 * (right - left)], axes, height=3.1)
    for x, y, colour, name in ends:
        if x < right - 0.02 * (right - left):  # a line to the right would look as if this curve went on
            axes.plot([x], [y], marker="o", markersize=4, color=colour)
            axes.annotate(name, xy=(x, y), xytext=(6, 0), textcoords="offset points", va="center")


def label_ends(ends: list[tuple[float, float, str, str]], axes: Any, height: float) -> None:
    """Names at the right, where the curves end: moved apart, each tied to its curve by a short line."""
    bottom, top = axes.get_ylim()
    ends = sorted(ends, key=lambda end: end[1])
    names = [textwrap.fill(name, 22) for _, _, _, name in ends]
    room = [LINE_HEIGHT * (name.count("\n") + 1) / height for name in names]  # of the height of the axes
    places = [(y - bottom) / (top - bottom) for _, y, _, _ in ends]
    for i in range(1, len(places)):
        places[i] = max(places[i], places[i - 1] + (room[i - 1] + room[i]) / 2)
    for i in reversed(range(len(places))):
        limit = 1.0 if i == len(places) - 1 else places[i + 1] - (room[i] + room[i + 1]) / 2
        places[i] = min(places[i], limit)
    tie = {"arrowstyle": "-", "linewidth": 1.2, "shrinkA": 1, "shrinkB": 0, "relpos": (0, 0.5)}
    for (x, y, colour, _), name, place in zip(ends, names, places, strict=True):
        axes.annotate(
            name, xy=(x, y), xytext=(1.04, place), textcoords="axes fraction", va="center",
            annotation_clip=False, arrowprops=tie | {"color": colour},
        )  # fmt: skip


def paint_scatter(figure: Scatter, canvas: Any, axes: Any) -> None:
    canvas.set_size_inches(5.2, 5.0)
    x, y = np.asarray(figure.x, float), np.asarray(figure.y, float)
    size, alpha = (26, 0.75) if len(x) <= 200 else (12, 0.5) if len(x) <= 2000 else (5, 0.3)
    # Thousands of points as vectors would make a page of many megabytes: they become one picture.
    axes.scatter(x, y, s=size, alpha=alpha, color=SERIES[0], linewidths=0, rasterized=len(x) > 2000)
    both = np.concatenate([x, y])
    both = both[np.isfinite(both)]
    if figure.diagonal and len(both):
        low, high = both.min(), both.max()
        margin = 0.04 * (high - low) or 1.0
        axes.plot([low, high], [low, high], color=MUTED, linestyle=(0, (1, 2)), linewidth=1.6)
        axes.set(xlim=(low - margin, high + margin), ylim=(low - margin, high + margin), aspect="equal")
    axes.grid()
    label_axes(figure, axes)


def paint_bars(figure: Bars, canvas: Any, axes: Any) -> None:
    width = min(WIDTH, max(4.2, 1.0 + 1.0 * len(figure.names)))
    canvas.set_size_inches(width, 3.6)
    values = np.asarray(figure.values, float)
    low = values if figure.low is None else np.asarray(figure.low, float)
    high = values if figure.high is None else np.asarray(figure.high, float)
    places = np.arange(len(values))
    axes.bar(places, values, width=0.62, color=SERIES[0], label="ours")
    if figure.low is not None or figure.high is not None:
        axes.vlines(places, low, high, color=INK, linewidth=1.4)
        axes.scatter([*places, *places], [*low, *high], marker="_", s=40, color=INK, linewidths=1.4)
    ends = [low, high]
    if figure.published is not None:
        published = np.array([np.nan if value is None else value for value in figure.published], float)
        axes.scatter(places, published, label="published", **PUBLISHED)
        axes.legend(frameon=False, ncols=2, reverse=True, loc="lower right", bbox_to_anchor=(1, 1), borderaxespad=0)
        ends.append(published)
    if len(values) <= 12:  # more would not be legible
        above, below = np.fmax.reduce([*ends, values]), np.fmin.reduce([*ends, values])
        largest = np.abs(values[np.isfinite(values)]).max(initial=0.0)
        decimals = max(0, 2 - math.floor(math.log10(largest))) if largest else 0  # of all bars alike
        for place, value in enumerate(values):
            if np.isfinite(value):
                edge, shift = (above[place], 4) if value >= 0 else (below[place], -4)
                axes.annotate(
                    f"{value:z,.{decimals}f}".replace("-", "−"), xy=(place, edge), xytext=(0, shift),
                    textcoords="offset points", ha="center", va="bottom" if value >= 0 else "top",
                )  # fmt: skip
    axes.margins(x=0.02, y=0.12)
    axes.axhline(0, color=MUTED, linewidth=0.8)
    axes.grid(axis="y")
    label_axes(figure, axes)
    name_ticks(axes.xaxis, figure.names, letters=int((width - 0.8) / max(1, len(figure.names)) / LETTER))


def paint_heatmap(figure: Heatmap, canvas: Any, axes: Any) -> None:
    from matplotlib.colors import LinearSegmentedColormap

    rows, columns = len(figure.row_names), len(figure.column_names)
    left = min(22, max([4, *(len(name) for name in figure.row_names)])) * LETTER + 0.4
    width = min(WIDTH, max(3.6, left + 0.95 * columns))
    below = max([0, *(len(name) - 18 for name in figure.column_names)]) * LETTER  # long names slant, and reach far down
    canvas.set_size_inches(width, min(9.0, 1.0 + 0.42 * max(rows, 2) + below))
    values = np.array([[np.nan if v is None else v for v in row] for row in figure.values], float)
    values = values.reshape(rows, columns)
    seen = values[np.isfinite(values)]
    low, high = (seen.min(), seen.max()) if len(seen) else (0.0, 1.0)
    colours: Sequence[str] = RISING
    if low < 0 < high:
        colours, low, high = AROUND_ZERO, -max(-low, high), max(-low, high)
    scale = LinearSegmentedColormap.from_list("tefuda", colours)
    if high == low:
        high = low + 1
    mesh = axes.pcolormesh(
        np.ma.masked_invalid(values), cmap=scale, vmin=low, vmax=high, edgecolors=PAPER, linewidth=1.5
    )
    if columns <= 14:
        for (row, column), value in np.ndenumerate(values):
            red, green, blue, _ = scale((value - low) / (high - low)) if np.isfinite(value) else (0, 0, 0, 0)
            dark = 0.299 * red + 0.587 * green + 0.114 * blue < 0.55
            colour = MUTED if not np.isfinite(value) else "#ffffff" if dark else "#101317"
            text = f"{value:z,.{figure.digits}f}".replace("-", "−") if np.isfinite(value) else "–"
            axes.text(column + 0.5, row + 0.5, text, ha="center", va="center", color=colour)
    else:  # numbers would not be legible in so narrow cells
        bar = canvas.colorbar(mesh, ax=axes, shrink=0.8, format=lambda value, _: tick_text(value))
        bar.outline.set_visible(False)
    axes.invert_yaxis()
    axes.set(xlabel=figure.x_label, ylabel=figure.y_label)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_yticks(np.arange(rows) + 0.5, [textwrap.fill(name, 22) for name in figure.row_names])
    axes.set_xticks(np.arange(columns) + 0.5)
    name_ticks(axes.xaxis, figure.column_names, letters=int((width - left) / max(1, columns) / LETTER), first=0.5)


PAINTERS: dict[type, Any] = {
    Curves: paint_curves,
    Scatter: paint_scatter,
    Bars: paint_bars,
    Heatmap: paint_heatmap,
}


def label_axes(figure: Figure, axes: Any) -> None:
    """Numbers with thousands marked; the label of y stands above its axis, where it reads without turning."""
    axes.xaxis.set_major_formatter(lambda value, _: tick_text(value))
    axes.yaxis.set_major_formatter(lambda value, _: tick_text(value))
    axes.set_xlabel(figure.x_label)
    if isinstance(figure, Scatter):
        axes.set_ylabel(figure.y_label)
    else:
        axes.set_title(figure.y_label)


def name_ticks(axis: Any, names: Sequence[str], letters: int, first: float = 0.0) -> None:
    """Names under the axis, each with room for some letters: on several lines, or only some, or slanting."""
    places = np.arange(len(names)) + first
    longest = max((len(name) for name in names), default=0)
    if max((len(word) for name in names for word in name.split()), default=0) <= letters:
        axis.set_ticks(places, [textwrap.fill(name, letters) for name in names])
    elif longest <= 4:  # the numbers of a distribution: the reader counts on between two of them
        step = -(-(longest + 1) // max(1, letters))
        axis.set_ticks(places[::step], names[::step])
    else:
        slant = 35 if letters > 3 else 60  # the closer they stand, the steeper, or they touch
        axis.set_ticks(places, list(names), rotation=slant, ha="right", rotation_mode="anchor")
    axis.set_tick_params(length=0)


def tick_text(value: float) -> str:
    """A number without noise in its last places: 30,000 or −0.25."""
    return f"{round(float(value), 10):z,.10g}".replace("-", "−")
