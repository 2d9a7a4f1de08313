"""A ladder as people read it: a page with its heat map, in Markdown and HTML, and a page that links all ladders."""

import importlib.util
from pathlib import Path

from tefuda.arena.ladder import FORMAT, Ladder, LadderRow
from tefuda.errors import Problem
from tefuda.files.whole import read_json, write_bytes
from tefuda.intervals import Interval
from tefuda.players.entrant import Entrant
from tefuda.report.document import Document, Found
from tefuda.report.drawing import draw
from tefuda.report.figures import Heatmap
from tefuda.report.markdown import markdown
from tefuda.report.page import page
from tefuda.report.tables import Cell, Measured, PlayerName, Table, measured_or_known

INDEX = "README.md"
LONGEST = 26  # letters of a name beside the heat map
MADE = "<!-- made by `tefuda ladder` -->"  # an index without this line is somebody's own, and stays


def write(ladder: Ladder) -> list[Path]:
    """Write pages, figure and index beside the ladder's file; the paths written. Without matplotlib, no figure."""
    files: dict[Path, bytes] = {}
    document = document_of(ladder)
    drawings = {}
    if importlib.util.find_spec("matplotlib") is not None:
        drawings = {figure.key: draw(figure) for figure in document.figures}
    for drawing in drawings.values():
        files[ladder.path.with_suffix(".svg")] = drawing.svg
        files[ladder.path.with_suffix(".png")] = drawing.png
    links = dict.fromkeys(drawings, ladder.path.with_suffix(".svg").name)
    files[ladder.path.with_suffix(".md")] = markdown(document, links).encode()
    files[ladder.path.with_suffix(".html")] = page(document, drawings).encode()
    for path, content in files.items():
        write_bytes(path, content)
    index = ladder.path.parent / INDEX
    if not index.exists() or index.read_bytes().startswith(MADE.encode()):
        write_bytes(index, links_to_all(ladder.path.parent).encode())
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
        "ladder", f"Advantage of every player over every other in {headline.name}",
        "player in all other seats" if ladder.game.seats > 2 else "opponent",
        "player in one seat", names, names,
        [[each.mean if each else None for each in row] for row in found], digits=min(2, headline.digits - 1),
        note="An advantage is what the row gets beyond a fair share; blue is good for the row.",
    )  # fmt: skip


def _label(name: str) -> str:
    """A player's name beside the heat map; of the path of a file the end, or nothing is left of the map."""
    return name if len(name) <= LONGEST else f"…{name[1 - LONGEST :]}"


def document_of(ladder: Ladder) -> Document:
    """The whole page as a value."""
    headline = ladder.game.scoring.headline_under(ladder.rules)
    standings, misfit = ladder.rated()
    rows: list[list[Cell]] = []
    for place, each in enumerate(standings, 1):
        figures = (_cell(figure, headline.digits) for figure in (each.rating, each.against_all))
        rows.append([place, PlayerName(each.name), *figures])
    order = by_rating(ladder)
    cells: list[list[Cell]] = [
        [PlayerName(player.name), *(_cell(ladder.figure(player, other), headline.digits, False) for other in order)]
        for player in order
    ]
    names = [PlayerName(player.name) for player in order]
    return Document(
        f"Ladder of {ladder.game.title.en}, rules {ladder.rules}", "",
        Found(found_text(ladder, standings), heatmap(ladder)),
        [
            Table(
                "players", "Players", ("", "player", "rating", "mean advantage over all others"), rows,
                note=_about_rating(misfit, headline.name, headline.digits),
            ),
            Table("cells", "Cells", ("", *names), cells, note=_about_cells(ladder)),
        ],
        _made(ladder),
    )  # fmt: skip


def found_text(ladder: Ladder, standings: list[LadderRow]) -> str:
    """Who is first, who follows, and whom the first does not beat."""
    headline = ladder.game.scoring.headline_under(ladder.rules)
    first, *others = standings
    if first.rating is None or any(each.rating is None for each in others):
        return "There are no ratings yet: too few cells have been played to connect all players."
    rated = [
        (each.name, each.rating.text(headline.digits).replace("-", "−"))
        for each in standings
        if each.rating is not None
    ]
    text = f"`{first.name}` is first of {len(standings)}, {rated[0][1]} {headline.name} ahead of the mean player here"
    text += f"; `{rated[1][0]}` follows with {rated[1][1]}"
    text += f", and `{rated[-1][0]}` is last with {rated[-1][1]}. " if len(rated) > 2 else ". "
    players = {player.name: player for player in ladder.players}
    found = {each.name: ladder.advantage(players[first.name], players[each.name]) for each in others}
    unsure = [name for name, advantage in found.items() if advantage is None or advantage.low <= 0]
    if unsure:
        return f"{text}It has no clear advantage over {', '.join(f'`{name}`' for name in unsure)}."
    return f"{text}It has a clear advantage over every other player."


def _about_rating(misfit: float | None, unit: str, digits: int) -> str:
    if misfit is None:
        return ""
    return (
        f"A rating is the expected advantage in a seat over the mean player of this ladder, in {unit}, positive for "
        "the better: a weighted least-squares fit of one number a player to all cells (`arena/rating.py`). Its "
        "interval is of luck alone: how far it would move on other deals. What one number cannot say has a standard "
        f"deviation of {misfit:.{digits}f} a cell; the mean over all others assumes nothing."
    )


def _about_cells(ladder: Ladder) -> str:
    """What a cell says."""
    headline = ladder.game.scoring.headline_under(ladder.rules)
    better = "more is better" if headline.higher_is_better else "less is better"
    seats = "the other has the other seat" if ladder.game.seats == 2 else "the other has all other seats"
    diagonal = (
        "The diagonal is what equal players get."
        if ladder.fair is not None
        else "The diagonal was played: what equal players get depends on who they are."
    )
    return (
        f"The player of the row in one seat, {seats}, each deal in all rotations. Figures are {headline.name} "
        f"({better}) with 95 % intervals; the deal is their unit. {diagonal}"
    )


def _made(ladder: Ladder) -> dict[str, str]:
    """Where the cells came from."""
    cells = [cell for a in ladder.players for b in ladder.players if (cell := ladder.stands(a, b)) is not None]
    deals = sorted({cell.deals for cell in cells}, reverse=True)
    commits = list(dict.fromkeys(cell.commit for cell in cells))
    counted = " or ".join(f"{number:,}" for number in deals) or "none"
    fewer = ", the fewest with players that search" if len(deals) > 1 else ""
    return {
        "deals a cell": f"{counted}{fewer}",
        "seed": f"{ladder.seed}, from which each cell has its own",
        "commit": ", ".join(commits) or "–",
        "every cell": f"{ladder.path.name} has its deals, seed and commit, and who played",
        "command": ladder.command,
    }


def links_to_all(folder: Path) -> str:
    """The page that links all ladders of a folder."""
    rows = [
        [f"[{each['game']}, rules {each['rules']}]({path.with_suffix('.md').name})", len(each["players"]),
         best_of(each), each["figure"]]
        for path, each in ladders(folder)
    ]  # fmt: skip
    table = Table("ladders", "", ("ladder", "players", "first", "figure"), rows)
    found = Found("Cross tables of all players, each against each.")
    return f"{MADE}\n{markdown(Document('Ladders', '', found, [table], {}), {})}"


def ladders(folder: Path) -> list[tuple[Path, dict]]:
    """The ladders of a folder, as their files have them; what is no ladder is left out."""
    found = []
    for path in sorted(folder.glob("*.json")):
        try:
            content = read_json(path, "ladder")
            if content["format"] == FORMAT:
                best_of(content)
                found.append((path, {key: content[key] for key in ("game", "rules", "players", "figure", "seed")}))
        except (Problem, KeyError, TypeError, IndexError):
            continue
    return found


def best_of(content: dict) -> str:
    """Who is first in the file of a ladder."""
    first = content["players"][0]
    return PlayerName(first["name"]) if first["rating"] else "–"


def _cell(figure: Interval | None, digits: int, signed: bool = True) -> Measured | None:
    return None if figure is None else measured_or_known(figure, digits, signed)
