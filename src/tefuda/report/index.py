"""The page that leads to all others: made from what lies in the folder of results, and made again after each of them.

It begins with the published figures of all papers beside ours; then every page has its first sentences and a link.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from tefuda.errors import Problem, counted
from tefuda.files.whole import read_json, write_bytes
from tefuda.report import exploit, ladder, match
from tefuda.report.drawing import Drawing
from tefuda.report.page import cell_html, compared_cells, linked_html, name_html, rows_html, whole_html, words_html
from tefuda.report.tables import Compared

RESULTS = Path("results")  # where commands write what they find, unless they are told another place
NAME = "index.html"
MADE = "<!-- made by tefuda from what lies beside it -->"  # a page without this line is somebody's own, and stays
SCALES = ("paper", "quick", "headline")  # the largest first
JUDGED = ("hit", "miss", "unclear")


@dataclass(frozen=True)
class Reproduction:
    """The report of a paper, as its folder has it."""

    folder: Path
    title: str
    paper: str
    link: str  # where the paper is found
    name: str  # of the paper: its game
    scale: str
    seed: int
    commit: str
    text: str  # what was found
    rows: list[Compared]
    verdicts: dict[str, int]
    figure: Drawing | None


def lead_to(page: Path) -> Path | None:
    """Make the index again after a page was written; None where the page does not lie among the results."""
    return update(RESULTS) if page.resolve().is_relative_to(RESULTS.resolve()) else None


def update(folder: Path) -> Path | None:
    """Write the index of a folder; None where somebody's own page stands."""
    path = folder / NAME
    if path.exists() and MADE.encode() not in path.read_bytes():
        return None
    write_bytes(path, index(folder).encode())
    return path


def index(folder: Path) -> str:
    """The whole page."""
    found = reproductions(folder)
    parts = [
        "<header>\n<h1>tefuda 手札: results</h1>",
        summary_html(found, folder),
        "</header>\n<main>",
        '<div class="cards">' if found else "",
        *(reproduction_html(each, folder) for each in found),
        "</div>" if found else "",
        matches_html(folder),
        ladders_html(folder),
        responses_html(folder),
        "</main>",
        '<footer>\n<p class="note">Every page ends with its seed, its commit and what makes it again. This page is '
        "made from what lies beside it, whenever <code>tefuda demo</code>, <code>reproduce</code>, "
        "<code>ladder</code>, <code>exploit</code> or <code>match --out</code> adds to it.</p>\n</footer>",
    ]
    return whole_html("tefuda: results", f"{MADE}\n" + "\n".join(part for part in parts if part))


def folders(folder: Path) -> list[Path]:
    """The folder and those inside it, two deep: where pages lie."""
    inside = [path for pattern in ("*", "*/*") for path in folder.glob(pattern)]
    return [folder, *sorted(path for path in inside if path.is_dir() and not path.name.startswith("."))]


def reproductions(folder: Path) -> list[Reproduction]:
    """The reports of papers, by paper and the largest first."""
    found = [report for place in folders(folder) if (report := _reproduction(place)) is not None]
    return sorted(found, key=lambda each: (each.name, SCALES.index(each.scale), str(each.folder)))


def _reproduction(place: Path) -> Reproduction | None:
    """A report, or None where the folder has none of ours."""
    if not ((place / "arguments.json").is_file() and (place / "found.json").is_file()):
        return None
    try:
        head, found = read_json(place / "arguments.json", "report"), read_json(place / "found.json", "report")
        drawing = place / "figures" / f"{found['figure']}.svg"
        report = Reproduction(
            place, head["title"], head["paper"], head.get("link", ""), head["arguments"]["paper"],
            head["arguments"]["scale"], head["seed"], head["commit"], found["text"],
            [_compared(row) for row in found["rows"]], dict(found["verdicts"]),
            Drawing.of_file(drawing.read_bytes()) if found["figure"] and drawing.is_file() else None,
        )  # fmt: skip
    except (Problem, KeyError, TypeError, ValueError, OSError):
        return None
    return report if report.scale in SCALES else None


def _compared(row: dict[str, Any]) -> Compared:
    values = {key: value for key, value in row.items() if key != "verdict"}
    return Compared(**{**values, "target": tuple(row["target"]) if row["target"] else None})


def summary_html(found: list[Reproduction], folder: Path) -> str:
    """What was found in a few sentences, and the papers' headline figures beside ours, each at its largest scale."""
    played = [each for place in folders(folder) for _, each in match.matches(place)]
    sentences = [f"{each['title']}: {each['found']}" for each in played[:1]]
    largest: dict[str, Reproduction] = {}
    for each in found:
        largest.setdefault(each.name, each)
    rows = [(each, row) for each in largest.values() for row in each.rows]
    judged = [row.verdict for _, row in rows if row.verdict in JUDGED]
    if judged:
        unclear = judged.count("unclear")
        sentences.append(
            f"{judged.count('hit')} of {len(judged)} headline figures of the papers come out as published, within the "
            f"target of each{f'; {unclear} cannot be told yet' if unclear else ''}."
        )
    missing = [each.name for each in largest.values() if any(row.verdict == "not run" for row in each.rows)]
    if missing:
        sentences.append(f"Not reproduced yet: {', '.join(missing)}.")
    text = " ".join(sentences) or "No paper has been reproduced here yet."
    return f'<p class="found">{words_html(text)}</p>\n{headlines_html(rows, folder) if rows else ""}'


def headlines_html(rows: list[tuple[Reproduction, Compared]], folder: Path) -> str:
    """One line a headline figure, under the paper that it is from."""
    lines = []
    for report, row in rows:
        _, published, ours, _, verdict, _ = compared_cells(row)
        why = f'<span class="why">{words_html(row.reason)}</span>' if row.reason else ""
        paper = (
            f'<a class="of" href="{_link(report.folder / NAME, folder)}">{escape(report.title.partition(":")[0])}</a>'
        )
        deals = f' <span class="note">{row.deals:,} deals</span>' if row.deals else ""
        lines.append(
            (row.verdict, [f'<td class="what">{paper}{escape(row.name)}{deals}{why}</td>', published, ours, verdict])
        )
    headings = (("what", False), ("published", True), ("ours", True), ("verdict", False))
    return f'<div class="headlines">\n{rows_html(headings, lines)}\n</div>'


def reproduction_html(report: Reproduction, folder: Path) -> str:
    """What was found, in the sentences and the figure that its own page begins with."""
    figure = ""
    if report.figure is not None:
        prefix = re.sub(r"[^a-z0-9]+", "-", str(report.folder.relative_to(folder)).lower()).strip("-") or "report"
        inline = report.figure.inline(prefix, escape(f"{report.title}: published and ours"))
        figure = f'<figure>\n<div class="wide" tabindex="0">\n{inline}\n</div>\n</figure>'
    hits, judged = (sum(report.verdicts.get(each, 0) for each in names) for names in (("hit",), JUDGED))
    said = f": {hits} of {judged} targets hit" if judged else ""
    made = f"scale {report.scale}, seed {report.seed}, commit {report.commit}"
    return f"""<section>
<h2>{escape(report.title)}</h2>
<p class="about">{linked_html(report.paper, report.link)}</p>
<p>{words_html(report.text)}</p>
{figure}
<p><a href="{_link(report.folder / NAME, folder)}">All tables and figures</a>{said}
<span class="note">({escape(made)})</span></p>
</section>"""


def matches_html(folder: Path) -> str:
    """Matches that were kept: their first sentence, which is their result."""
    items = []
    for place in folders(folder):
        for path, each in match.matches(place):
            played = f"{counted(each['deals'], 'deal')} × {counted(each['rotations'], 'seat')}"
            made = f"{played}, seed {each['seed']}, commit {each['commit']}"
            link = f'<a href="{_link(path.with_suffix(".html"), folder)}">{escape(each["title"])}</a>'
            items.append(f'{link}: {words_html(each["found"])} <span class="note">({escape(made)})</span>')
    return _list("Matches", items)


def ladders_html(folder: Path) -> str:
    """Ladders, and who is first in each."""
    rows = []
    for place in folders(folder):
        for path, each in ladder.ladders(place):
            page = path.with_suffix(".html" if path.with_suffix(".html").is_file() else ".json")
            link = f'<a href="{_link(page, folder)}">{escape(each["game"])}</a>'
            cells = [f"<td>{link}, rules {escape(each['rules'])}</td>", cell_html(len(each["players"]), True)]
            first = name_html(ladder.best_of(each))
            rows.append(("", [*cells, f"<td>{first}</td>", cell_html(each["figure"], False)]))
    if not rows:
        return ""
    headings = (("ladder", False), ("players", True), ("first", False), ("figure", False))
    return f'<h2>Ladders</h2>\n<div class="wide" tabindex="0">\n{rows_html(headings, rows)}\n</div>'


def responses_html(folder: Path) -> str:
    """Folders of best responses, and what they gain."""
    items = []
    for place in folders(folder):
        found = exploit.results(place)
        if found and (place / exploit.PAGE).is_file() and place != folder:
            link = f'<a href="{_link(place / exploit.PAGE, folder)}">What best responses gain</a>'
            items.append(f"{link}: {words_html(exploit.found_text(found))}")
    return _list("Best responses", items)


def _list(title: str, items: Iterable[str]) -> str:
    lines = "\n".join(f"<li>{item}</li>" for item in items)
    return f"<h2>{title}</h2>\n<ul>\n{lines}\n</ul>" if lines else ""


def _link(path: Path, folder: Path) -> str:
    """The address of a page, seen from the index."""
    from urllib.parse import quote

    return escape(quote(str(path.relative_to(folder))))
