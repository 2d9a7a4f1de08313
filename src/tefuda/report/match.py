"""A match as people read it: its result as a file, and a page that begins with who won."""

import importlib.util
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tefuda.arena.result import MatchResult, Row
from tefuda.errors import Problem, counted
from tefuda.files.whole import name_of_file, read_json, write_bytes
from tefuda.intervals import Interval
from tefuda.report.document import Document, Found
from tefuda.report.drawing import draw
from tefuda.report.figures import Bars
from tefuda.report.page import page
from tefuda.report.tables import Cell, PlayerName, Table, measured_or_known

FORMAT = "tefuda match 1"


def write(result: MatchResult, folder: Path, command: str) -> Path:
    """Write the result and its page into a folder; the path of the page. Without matplotlib it has no figure."""
    name = file_name(result.game.name, str(result.rules), [row.name for row in result.rows], result.seed)
    document = document_of(result, command)
    drawings = {}
    if importlib.util.find_spec("matplotlib") is not None:
        drawings = {figure.key: draw(figure) for figure in document.figures}
    title = result.game.title.en
    content = {"format": FORMAT, "title": title, "found": document.found.text, "command": command, **result.data()}
    write_bytes(folder / f"{name}.json", (json.dumps(content, ensure_ascii=False, indent=1) + "\n").encode())
    write_bytes(folder / f"{name}.html", page(document, drawings).encode())
    return folder / f"{name}.html"


def file_name(game: str, rules: str, players: Sequence[str], seed: int) -> str:
    """What the files of a match are called, without a suffix."""
    return name_of_file(f"{game}-{rules}-{'-'.join(dict.fromkeys(players))}-seed{seed}")


def document_of(result: MatchResult, command: str) -> Document:
    """The whole page as a value."""
    headline = result.game.scoring.headline_under(result.rules)
    rows = result.rows
    seats = max(len(row.seats) for row in rows)
    rounds = any(row.a_round for row in rows)
    cells: list[list[Cell]] = [
        [PlayerName(row.name), measured_or_known(row.figure, headline.digits),
         *([measured_or_known(row.a_round, headline.digits) if row.a_round else None] if rounds else []),
         100 * row.win.mean, 100 * row.draw.mean, *(measured_or_known(seat, headline.digits) for seat in row.seats)]
        for row in rows
    ]  # fmt: skip
    columns = (
        "player", headline.name, *(["a round"] if rounds else []), "games won, %", "shared, %",
        *(f"in seat {seat}" for seat in range(seats)),
    )  # fmt: skip
    tables = [Table("players", "Players", columns, cells, note="Intervals are 95 %; the deal is their unit.", digits=1)]
    if result.differences:
        apart: list[list[Cell]] = [
            [PlayerName(each.player), PlayerName(each.minus), measured_or_known(each.figure, headline.digits)]
            for each in result.differences
        ]
        note = "What the first got more than the second, deal by deal: the luck of the deals falls out."
        named = ("player", "less what this one got", headline.name)
        tables.append(Table("differences", "Differences on the same deals", named, apart, note=note))
    figures = [_finite(row.figure) for row in rows]
    made = {
        "deals": f"{result.deals:,}, each in {counted(result.rotations, 'rotation')} of the seats",
        "seed": result.seed,
        "commit": result.commit,
        "command": command,
    }
    return Document(
        f"{result.game.title.en}: {' against '.join(row.name for row in rows)}", f"rules `{result.rules}`",
        Found(
            found_text(result, rows),
            Bars(
                "found", "What each player gets", "player", headline.name, [row.name for row in rows],
                [each.mean for each in figures], [each.low for each in figures], [each.high for each in figures],
            ),
        ),
        tables, made,
    )  # fmt: skip


def _finite(figure: Interval) -> Interval:
    """For a drawing: a single deal says nothing of its spread."""
    return figure if math.isfinite(figure.low) else Interval(figure.mean, figure.mean, figure.mean)


def found_text(result: MatchResult, rows: list[Row]) -> str:
    """What the first player got, and whether it is more than a fair share."""
    headline = result.game.scoring.headline_under(result.rules)
    first, others = rows[0], [f"`{row.name}`" for row in rows[1:]]
    against = f"against {', '.join(others)}" if others else "against itself"
    text = f"`{first.name}` gets {first.figure.text(headline.digits).replace('-', '−')} {headline.name} {against}"
    text += f" by the rules `{result.rules}`"
    if result.game.scoring.total_under(result.rules) is None:  # then equal players get what depends on who they are
        return f"{text}."
    fair = headline.fair
    low, high = first.figure.low - fair, first.figure.high - fair
    if not headline.higher_is_better:
        low, high = -high, -low
    verdict = "better than" if low > 0 else "worse than" if high < 0 else "not clearly apart from"
    return f"{text}, which is {verdict} the {fair:g} of equal players."


def matches(folder: Path) -> list[tuple[Path, dict[str, Any]]]:
    """The matches of a folder, as their files have them; what is no match is left out."""
    found = []
    for path in sorted(folder.glob("*.json")):
        try:
            content = read_json(path, "match")
            if content["format"] == FORMAT:
                keys = ("title", "rules", "found", "deals", "rotations", "seed", "commit")
                found.append((path, {key: content[key] for key in keys}))
        except (Problem, KeyError, TypeError):
            continue
    return found
