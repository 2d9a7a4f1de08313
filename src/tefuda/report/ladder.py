"""A ladder as people read it: a page in Markdown with its heat map, and a page that links all ladders of a folder."""

import importlib.util
import re
from pathlib import Path

from tefuda.arena.ladder import FORMAT, Ladder
from tefuda.errors import Problem
from tefuda.files.whole import read_json, write_bytes
from tefuda.intervals import Interval
from tefuda.players.entrant import Entrant
from tefuda.report.drawing import draw
from tefuda.report.figures import Heatmap
from tefuda.report.tables import Measured

INDEX = "README.md"
LONGEST = 26  # letters of a name beside the heat map
MADE = "<!-- made by `tefuda ladder` -->"  # an index without this line is somebody's own, and stays


def write(ladder: Ladder) -> list[Path]:
    """Write page, figure and index beside the ladder's file; the paths written. Without matplotlib, no figure."""
    files: dict[Path, bytes] = {}
    drawn = importlib.util.find_spec("matplotlib") is not None
    if drawn:
        drawing = draw(heatmap(ladder))
        files[ladder.path.with_suffix(".svg")] = drawing.svg
        files[ladder.path.with_suffix(".png")] = drawing.png
    files[ladder.path.with_suffix(".md")] = page(ladder, drawn).encode()
    for path, content in files.items():
        write_bytes(path, content)
    index = ladder.path.parent / INDEX
    if not index.exists() or index.read_bytes().startswith(MADE.encode()):
        write_bytes(index, links(ladder.path.parent).encode())
        files[index] = b""
    return list(files)


def by_rating(ladder: Ladder) -> list[Entrant]:
    """The players, the best first."""
    entrants = {player.name: player for player in ladder.players}
    return [entrants[standing.name] for standing in ladder.rated()[0]]


def heatmap(ladder: Ladder) -> Heatmap:
    """The advantage of every row's player over every column's; blue is good for the row, in every game."""
    players = by_rating(ladder)
    names = [_label(player.name) for player in players]
    found = [[ladder.advantage(player, opponents) for opponents in players] for player in players]
    headline = ladder.game.scoring.headline_under(ladder.rules)
    return Heatmap(
        "ladder", f"{ladder.game.title.en}, rules {ladder.rules}",
        f"{'player in all other seats' if ladder.game.seats > 2 else 'opponent'} (cells: advantage in {headline.name})",
        "player in one seat", names, names,
        [[each.mean if each else None for each in row] for row in found], digits=min(2, headline.digits - 1),
    )  # fmt: skip


def _label(name: str) -> str:
    """A player's name beside the heat map; of the path of a file the end, or nothing is left of the map."""
    return name if len(name) <= LONGEST else f"…{name[1 - LONGEST :]}"


def page(ladder: Ladder, drawn: bool = True) -> str:
    """The whole page."""
    headline = ladder.game.scoring.headline_under(ladder.rules)
    standings, misfit = ladder.rated()
    better = "more is better" if headline.higher_is_better else "less is better"
    seats = "the other has the other seat" if ladder.game.seats == 2 else "the other has all other seats"
    lines = [
        f"# Ladder of {ladder.game.title.en}, rules `{ladder.rules}`", "",
        f"Every player against every other: the player of the row in one seat, {seats}, each deal in all rotations. "
        f"Figures are {headline.name} ({better}) with 95 % intervals; the deal is their unit.", "",
    ]  # fmt: skip
    if drawn:
        text = "Heat map of the advantage of every player over every other"
        lines += [f"![{text}]({ladder.path.with_suffix('.svg').name})", ""]
        lines += ["The heat map shows advantages: what the row gets beyond a fair share; blue is good for the row.", ""]
    lines += ["## Players", ""]
    rows = []
    for place, each in enumerate(standings, 1):
        figures = [_text(figure, headline.digits) for figure in (each.rating, each.against_all)]
        rows.append([str(place), _name(each.name), *figures])
    lines += _table(["", "player", "rating", "mean advantage over all others"], rows, {0, 2, 3})
    lines += ["", _about_rating(misfit, headline.name, headline.digits), ""]
    lines += ["## Cells", ""]
    players = by_rating(ladder)
    rows = [
        [_name(player.name), *(_text(ladder.figure(player, other), headline.digits, False) for other in players)]
        for player in players
    ]
    lines += _table(["", *(_name(player.name) for player in players)], rows, set(range(1, len(players) + 1)))
    lines += ["", _about_cells(ladder), "", f"    {ladder.command}", ""]
    return "\n".join(lines)


def _about_rating(misfit: float | None, unit: str, digits: int) -> str:
    if misfit is None:
        return "There are no ratings yet: too few cells have been played to connect all players."
    return (
        f"A rating is the expected advantage in a seat over the mean player of this ladder, in {unit}, positive for "
        "the better: a weighted least-squares fit of one number a player to all cells (`arena/rating.py`). Its "
        "interval is of luck alone: how far it would move on other deals. What one number cannot say has a standard "
        f"deviation of {misfit:.{digits}f} a cell; the mean over all others assumes nothing."
    )


def _about_cells(ladder: Ladder) -> str:
    """Where the cells came from."""
    cells = [cell for a in ladder.players for b in ladder.players if (cell := ladder.stands(a, b)) is not None]
    deals = sorted({cell.deals for cell in cells}, reverse=True)
    commits = list(dict.fromkeys(cell.commit for cell in cells))
    diagonal = (
        "The diagonal is what equal players get."
        if ladder.fair is not None
        else "The diagonal was played: what equal players get depends on who they are."
    )
    counted = " or ".join(f"{number:,}" for number in deals) or "no"
    fewer = ", the fewest with players that search" if len(deals) > 1 else ""
    return (
        f"{diagonal} {counted} deals a cell{fewer}, seed {ladder.seed}, from which each cell has its own; "
        f"commit {', '.join(commits) or '–'}. The number of deals, the seed and the commit of each cell, and who "
        f"played, are in [{ladder.path.name}]({ladder.path.name}). The table is made, and made longer, by"
    )


def links(folder: Path) -> str:
    """The page that links all ladders of a folder."""
    lines = [MADE, "# Ladders", "", "Cross tables of all players, each against each.", ""]
    rows = []
    for path in sorted(folder.glob("*.json")):
        try:
            content = read_json(path, "ladder")
            if content["format"] != FORMAT:
                continue
            best = content["players"][0]["name"] if content["players"][0]["rating"] else "–"
            row = [f"[{content['game']}, rules {content['rules']}]({path.with_suffix('.md').name})"]
            rows.append([*row, str(len(content["players"])), _name(best), content["figure"]])
        except (Problem, KeyError, TypeError, IndexError):
            continue  # not a ladder of ours
    return "\n".join([*lines, *_table(["ladder", "players", "first", "figure"], rows, {1}), ""])


def _table(columns: list[str], rows: list[list[str]], right: set[int]) -> list[str]:
    """A table of Markdown; columns in `right` hold numbers."""
    rule = ["---:" if index in right else "---" for index in range(len(columns))]
    return [f"| {' | '.join(row)} |" for row in (columns, rule, *rows)]


def _name(name: str) -> str:
    """A player's name inside a table of Markdown."""
    return "–" if name == "–" else f"`{re.sub(r'[|`]', '', name)}`"


def _text(figure: Interval | None, digits: int, signed: bool = True) -> str:
    if figure is None:
        return "–"
    known = figure.low == figure.high  # not measured, or every deal alike
    low, high = (None, None) if known else (figure.low, figure.high)
    return Measured(figure.mean, low, high, digits, signed).text.replace("-", "−")
