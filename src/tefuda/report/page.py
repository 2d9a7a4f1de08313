"""The report as one web page: no script, nothing loaded from elsewhere, light and dark, figures inside."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from tefuda.files.provenance import source_of
from tefuda.report.document import Block, Document, Found
from tefuda.report.drawing import COLOURS, Drawing
from tefuda.report.tables import SIGNS, Compared, Comparison, PlayerName, Table, cell_text

STYLE = """
:root { color-scheme: light dark; LIGHT --good: #0a6b4b; --bad: #b3261e; --wash: #fdecea; --shade: #f4f5f7; }
@media (prefers-color-scheme: dark) {
  :root { DARK --good: #52cf9b; --bad: #ff9488; --wash: #3a2022; --shade: #1f2227; }
  figure svg image { filter: brightness(1.7); }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; scroll-padding-top: 1rem; }
body { margin: 0 auto; padding: 2.5rem 1.25rem 5rem; max-width: 54rem; overflow-wrap: break-word;
  background: var(--paper); color: var(--ink);
  font: 1rem/1.65 system-ui, -apple-system, "Segoe UI", Roboto, "Hiragino Sans", "Yu Gothic UI", "Yu Gothic",
  "Noto Sans JP", "Noto Sans CJK JP", "IPAexGothic", sans-serif; }
h1 { font-size: 1.9rem; line-height: 1.25; margin: 0 0 .4rem; letter-spacing: -.01em; }
h2 { font-size: 1.3rem; line-height: 1.35; margin: 3.5rem 0 .8rem; padding-top: 1rem;
  border-top: 1px solid var(--rule); }
p { margin: .8rem 0; max-width: 46rem; }
a { color: var(--series-1); text-underline-offset: .15em; }
code, dd { font-size: .86em;
  font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", "Noto Sans Mono CJK JP", monospace; }
.about, .note { color: var(--muted); }
.found { font-size: 1.12rem; line-height: 1.6; }
.note { font-size: .9rem; margin: .5rem 0 0; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1.2rem;
  margin: 1.5rem 0; padding: .9rem 1.1rem; background: var(--shade); border-radius: .4rem; font-size: .9rem; }
dt { color: var(--muted); }
dd { margin: 0; align-self: center; min-width: 0; }
.verdicts { margin: 1.5rem 0; padding: .2rem 1.1rem; border-left: .3rem solid var(--good); }
.verdicts.missed { border-color: var(--bad); }
.verdicts ul { margin: .4rem 0 .8rem; padding-left: 1.2rem; }
nav ul { list-style: none; margin: .3rem 0; padding-left: 1.1rem; }
nav > ul { padding-left: 0; }
nav li li { font-size: .92rem; line-height: 1.55; }
nav a { text-decoration: none; }
nav a:hover, nav a:focus { text-decoration: underline; }
figure { margin: 2rem 0; }
figcaption { font-weight: 600; margin-bottom: .6rem; line-height: 1.4; }
.wide { overflow-x: auto; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: 0 2.2rem; }
.cards section { min-width: 0; }
.cards figure { margin: 1rem 0; }
td .of { display: block; color: var(--muted); font-size: .85rem; }
@media (max-width: 36rem) { /* what is compared on a line of its own, and the figures below it */
  .headlines tr { display: grid; grid-template-columns: 1fr 1fr 6rem; border-bottom: 1px solid var(--rule); }
  .headlines th, .headlines td { border: 0; padding: .3rem .4rem; }
  .headlines th:first-child { display: none; }
  .headlines td.what { grid-column: 1 / -1; }
  .headlines tr.miss { background: var(--wash); }
  .compared tr { grid-template-columns: 1fr 1fr 1fr; }
}
table { border-collapse: collapse; width: 100%; font-size: .92rem; line-height: 1.45;
  font-variant-numeric: tabular-nums; }
th, td { padding: .45rem .7rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--rule); }
th { color: var(--muted); font-weight: 600; border-bottom: 2px solid var(--rule); vertical-align: bottom; }
th.number, td.number { text-align: right; }
td.number, td > code { white-space: nowrap; }
td.what { min-width: 13rem; }
td.what > code { display: block; margin-top: .2rem; color: var(--muted); font-size: .78rem; white-space: normal; }
td.what code span { white-space: nowrap; }
tr.miss td { background: var(--wash); }
.verdict { white-space: nowrap; color: var(--muted); }
.verdict.hit { color: var(--good); font-weight: 600; }
.verdict.miss { color: var(--bad); font-weight: 700; }
.verdict.unclear { color: var(--ink); font-weight: 600; }
td .why { display: block; margin-top: .3rem; font-size: .85rem; }
figure svg { display: block; width: 100%; height: auto; }
figure svg * { stroke-linejoin: round; stroke-linecap: butt; }
figure svg text { font-family: inherit !important; }
"""


def page(document: Document, drawings: Mapping[str, Drawing]) -> str:
    """The whole page; `drawings` are its figures by their keys. One that is not there is left out."""
    body = "\n".join(block_html(block, index, drawings) for index, block in enumerate(document.blocks))
    about = f'<p class="about">{linked_html(document.about, document.link)}</p>' if document.about else ""
    return whole_html(
        document.title,
        f"""<header>
<h1>{escape(document.title)}</h1>
{about}
{found_html(document.found, drawings)}
{verdicts_html(document.blocks)}
{contents_html(document.blocks)}
</header>
<main>
{body}
</main>
<footer>
<h2 id="made_so">How this was made</h2>
{made_html(document.made)}
</footer>""",
    )


def whole_html(title: str, body: str) -> str:
    """A whole file of HTML with the style of all our pages."""
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<style>{style()}</style>
</head>
<body>
{body}
</body>
</html>
"""


def style() -> str:
    """The style sheet, with the colours that the figures share."""
    light, dark = (" ".join(f"--{name}: {pair[side]};" for name, pair in COLOURS.items()) for side in (0, 1))
    return STYLE.replace("LIGHT", light).replace("DARK", dark)


def words_html(text: str) -> str:
    """Text with what stands in backticks as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))


def linked_html(text: str, link: str) -> str:
    """Text that leads somewhere, where a link is known."""
    return f'<a href="{escape(link)}">{words_html(text)}</a>' if link else words_html(text)


def found_html(found: Found, drawings: Mapping[str, Drawing]) -> str:
    """What the page begins with: the sentences and the figure."""
    parts = [f'<p class="found">{words_html(part.strip())}</p>' for part in found.text.split("\n\n") if part.strip()]
    if found.figure is not None and found.figure.key in drawings:
        parts.append(drawing_html(found.figure, drawings))
    return "\n".join(parts)


def made_html(made: Mapping[str, Any]) -> str:
    """What makes the run again: seed, commit, version, and each argument."""
    lines = []
    for name, value in made.items():
        texts = value if name == "commands" else [value]
        said = (text if isinstance(text, str) else json.dumps(text, ensure_ascii=False) for text in texts)
        link = source_of(str(made.get("commit", "")), str(value) if name == "code" else "")
        cell = linked_html(str(value), link) if name in ("commit", "code") else "<br>".join(map(escape, said))
        lines.append(f"<dt>{escape(str(name))}</dt><dd>{cell}</dd>")
    return "<dl>\n" + "\n".join(lines) + "\n</dl>"


def verdicts_html(blocks: Iterable[Any]) -> str:
    """How many targets were hit, and each miss by name: nobody should have to search for one."""
    judged = [
        (block, row)
        for block in blocks if isinstance(block, Comparison)
        for row in block.rows if row.target is not None
    ]  # fmt: skip
    if not judged:
        return ""
    verdicts = Counter(row.verdict for _, row in judged)
    said = {"miss": "missed", "unclear": "unclear: their intervals reach beyond the target", "not run": "not run"}
    counts = [f"{verdicts[verdict]} {words}" for verdict, words in said.items() if verdicts[verdict]]
    head = ", ".join([f"<strong>{verdicts['hit']} of {len(judged)} targets hit</strong>", *counts])
    items = [
        f"<li>{verdict_html(row.verdict)} "
        f'<a href="#{block.key}">{escape(named_in(block, row))}</a>: published {escape(row.published)}, '
        f"ours {escape(row.ours_text.replace('-', '−'))}, target {escape(row.target_text.replace('-', '−'))}."
        f"{why_html(row)}</li>"
        for block, row in judged
        if row.verdict in ("miss", "unclear")
    ]
    listed = "\n<ul>\n" + "\n".join(items) + "\n</ul>" if items else ""
    return f'<div class="verdicts{" missed" if verdicts["miss"] else ""}">\n<p>{head}.</p>{listed}\n</div>'


def named_in(comparison: Comparison, row: Compared) -> str:
    """What was compared, with what its table is about: `hearts: random player`."""
    about, colon, _ = comparison.title.partition(":")
    return f"{about}: {row.what}" if colon else row.what


def why_html(row: Compared) -> str:
    """Why a target was not reached, as far as it is known."""
    return f' <span class="why">{words_html(row.reason)}</span>' if row.reason else ""


def verdict_html(verdict: str) -> str:
    return f'<span class="verdict {verdict.replace(" ", "-")}">{SIGNS[verdict]} {verdict}</span>'


def contents_html(blocks: Sequence[Block]) -> str:
    """The table of contents: sections, and under each its tables and figures. A short page needs none."""
    if len(blocks) < 4:
        return ""
    sections: list[tuple[str, list[str]]] = []
    for index, block in enumerate(blocks):
        if hasattr(block, "key"):
            if not sections:
                sections.append(("", []))
            sections[-1][1].append(f'<li><a href="#{block.key}">{escape(block.title)}</a></li>')
        elif block.title:
            sections.append((f'<a href="#section_{index}">{escape(block.title)}</a>', []))
    items = ""
    for name, inner in sections:
        items += f"<li>{name}<ul>{''.join(inner)}</ul></li>\n" if inner else f"<li>{name}</li>\n"
    return f'<nav aria-label="Contents">\n<strong>Contents</strong>\n<ul>\n{items}</ul>\n</nav>'


def block_html(block: Any, index: int, drawings: Mapping[str, Drawing]) -> str:
    """A block of the page; the ids of sections have an underscore, which no key has."""
    if isinstance(block, Table):
        return figure_html(block, table_html(block))
    if isinstance(block, Comparison):
        return figure_html(block, comparison_html(block))
    if hasattr(block, "key"):
        return drawing_html(block, drawings) if block.key in drawings else ""
    heading = f'<h2 id="section_{index}">{escape(block.title)}</h2>\n' if block.title else ""
    paragraphs = (part.strip() for part in block.text.split("\n\n"))
    return heading + "\n".join(f"<p>{words_html(part)}</p>" for part in paragraphs if part)


def drawing_html(figure: Any, drawings: Mapping[str, Drawing]) -> str:
    label = f"{figure.title}: {figure.y_label} by {figure.x_label}"
    return figure_html(figure, drawings[figure.key].inline(figure.key, escape(label)))


def figure_html(block: Any, inside: str) -> str:
    """A table or figure with its caption and note; what is wider than the screen scrolls by itself."""
    note = f'\n<p class="note">{words_html(block.note)}</p>' if block.note else ""
    caption = f"<figcaption>{escape(block.title)}</figcaption>" if block.title else ""
    scrolling = f'<div class="wide" tabindex="0">\n{inside}\n</div>'
    return f'<figure id="{block.key}">\n{caption}\n{scrolling}{note}\n</figure>'


def table_html(table: Table) -> str:
    rows = []
    for row in table.rows:
        cells = zip(row, table.headings, strict=True)
        rows.append(("", [cell_html(cell, right, table.digits) for cell, (_, right) in cells]))
    return rows_html(table.headings, rows)


def comparison_html(comparison: Comparison) -> str:
    """Published beside ours; the command that measures a line again stands under its name."""
    rows = rows_html(comparison.headings, [(row.verdict, compared_cells(row)) for row in comparison.rows])
    return f'<div class="headlines compared">\n{rows}\n</div>'


def compared_cells(row: Compared) -> list[str]:
    # Lines break between the words of a command only: a browser would also break -- in two.
    words = " ".join(f"<span>{escape(word)}</span>" for word in row.command.split())
    command = f"<code>{words}</code>" if words else ""
    return [
        f'<td class="what">{escape(row.name)}{command}{why_html(row)}</td>',
        cell_html(row.published, True),
        cell_html(row.ours_text, True),
        cell_html(row.target_text, True),
        f"<td>{verdict_html(row.verdict)}</td>",
        cell_html(cell_text(row.deals), True),
    ]


def cell_html(cell: Any, right: bool, digits: int = 3) -> str:
    text = name_html(cell) if isinstance(cell, str) else escape(cell_text(cell, digits))
    return f'<td class="number">{text.replace("-", "−")}</td>' if right else f"<td>{text}</td>"


def name_html(text: str) -> str:
    return f"<code>{escape(text)}</code>" if isinstance(text, PlayerName) else escape(text)


def rows_html(headings: Sequence[tuple[str, bool]], rows: Iterable[tuple[str, list[str]]]) -> str:
    """A table from (name, whether aligned at the right) of its columns, and (verdict, cells) of its rows."""
    head = ""
    for name, right in headings:
        style = ' class="number"' if right else ""
        head += f'<th scope="col"{style}>{name_html(name)}</th>'
    body = ""
    for verdict, cells in rows:
        style = ' class="miss"' if verdict == "miss" else ""
        body += f"<tr{style}>{''.join(cells)}</tr>\n"
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody>\n</table>"
