"""Draws docs/mahjong from what is kept of the mahjong paper's largest scale: python docs/draw_mahjong.py

With folders of reports (python docs/draw_mahjong.py results/mahjong-paper …), their tables are kept first, in
docs/mahjong/tables.json; a table that a report has not stays as it was kept, and so does a row. What a report of
records alone has (`--records`) is kept under names of its own, so that both stand side by side. The hands of figures 6
and 7 are drawn with the tiles of docs/cards.svg.
"""

import json
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tefuda.intervals import Interval, rate_interval
from tefuda.papers.laboratory import bars, measured
from tefuda.papers.mahjong.hands import ABOUT, DISCARD_7, DRAW_6, FIGURE_6, FIGURE_7, GIVEN_7
from tefuda.papers.mahjong.success_rates import (
    FIGURES,
    HANS,
    MOST,
    PUBLISHED,
    TABLE_5,
    curves_of,
    kept,
    kept_curve,
    positions_of,
    shipped_point,
)
from tefuda.report.document import Block, Document, Found, Section
from tefuda.report.drawing import draw
from tefuda.report.figures import Curves, Figure
from tefuda.report.markdown import markdown
from tefuda.report.tables import Measured, Table

HERE = Path(__file__).parent / "mahjong"
TABLES = HERE / "tables.json"
BY_PEOPLE = "-people"  # behind the key of a table: its rows that rest on records of people
SHOWN = (
    "table-4", "table-5-people", "final-rank", "middle", "table-6", "table-6-people", "table-7",
    "table-7-people", "table-8", "table-8-people", "table-9", "table-9-people", "table-10", "table-10-people",
    "table-11", "table-11-people", "why", "other-records",
)  # fmt: skip
OF_RECORDS = ("table-4", "final-rank")  # a run with `--records` has all that one without has, and more
GOAL = "han-efr"
CAUSE = (
    "Against `policy` MCP and BCP miss what the paper found at 4 han. Two causes are seen. They learned from 4.5 "
    "million positions, the paper's from 100 million: against `tsumogiri` MCP was below the policy at three of four "
    "numbers of han with 10 million, and above it at all four with 21 million. And our policy, which learned from "
    "`rule-based`, wins by four han more often than the paper's did (0.103, the paper's 0.073). 100 million positions "
    "would take one H200 some two hours against `policy`, and 36 minutes against `tsumogiri`."
)
TILE, WIDE, HIGH = 'viewBox="0 0 60 80"', 81, 108  # how tiles are told from cards on the sheet, and their size there


def keep_tables(report: Path) -> None:
    """Keep the tables of a report, each with its seed, its commit and the scale of its run."""
    head = json.loads((report / "arguments.json").read_text())
    tables = json.loads(TABLES.read_text()) if TABLES.exists() else {}
    origin = {"seed": head["seed"], "commit": head["commit"], "scale": head["arguments"]["scale"]}
    if head["arguments"].get("records"):
        origin["records"] = head["arguments"]["records"]
    for key in SHOWN:
        path = report / "tables" / f"{key.removesuffix(BY_PEOPLE)}.json"
        of_people = key.endswith(BY_PEOPLE)
        if not path.exists() or ("records" in origin) != (of_people or ("records" in origin and key in OF_RECORDS)):
            continue
        table = json.loads(path.read_text()) | origin
        if of_people:
            table["title"] += ", on records of people"
            found = [group for group in groups_of(table["rows"]) if "records" in group[0][0] or "human" in group[0][0]]
            table["rows"] = [row for group in found for row in group]
        tables[key] = merged(tables[key], table, origin) if key in tables else table
    TABLES.write_text(json.dumps(tables, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def groups_of(rows: Sequence[Any]) -> list[list[Any]]:
    """Rows, each with the published ones behind it."""
    groups: list[list[Any]] = []
    for row in rows:
        if groups and str(row[0]).startswith("published"):
            groups[-1].append(row)
        else:
            groups.append([row])
    return groups


def merged(old: dict[str, Any], new: dict[str, Any], origin: dict[str, Any]) -> dict[str, Any]:
    """A table of a report in the place of the one that was kept. Where it has but some rows of it, the others stay, and
    the table says which are of another run."""
    if "columns" not in new or list(old["columns"]) != list(new["columns"]):
        return new
    before, now = ({group[0][0]: group for group in groups_of(table["rows"])} for table in (old, new))
    repeated = len(before) < len(groups_of(old["rows"]))
    if repeated or not set(now) < set(before):
        return new
    rows = [row for name, group in before.items() for row in now.get(name, group)]
    return old | {"rows": rows, "of": old.get("of", {}) | dict.fromkeys(now, origin["commit"])}


def cell_of(value: Any) -> Any:
    """A cell as it was before it was kept."""
    return Measured(**value) if isinstance(value, dict) else value


def table_of(key: str, table: dict[str, Any]) -> Table:
    """A kept table, one with published figures beside ours too."""
    given = f" --records {table['records']}" if "records" in table else ""
    command = f"tefuda reproduce mahjong --scale {table.get('scale', 'paper')} --seed {table['seed']}{given}"
    others: dict[str, list[str]] = {}
    for name, commit in table.get("of", {}).items():
        others.setdefault(commit, []).append(f"`{name}`")
    told = [f"Commit {commit} for {listed(names)}." for commit, names in others.items()]
    note = " ".join(filter(None, (table["note"], f"`{command}`, commit {table['commit']}.", *told)))
    if "columns" in table:
        rows = [[cell_of(cell) for cell in row] for row in table["rows"]]
        return Table(key, table["title"], table["columns"], rows, note, table["digits"])
    rows = [[row["what"], Measured(row["ours"], row["low"], row["high"], row["digits"], signed=False),
             row["published"]] for row in table["rows"] if row["ours"] is not None]  # fmt: skip
    return Table(key, table["title"], ("", "here", "published"), rows, note)


def listed(names: Sequence[str]) -> str:
    """Names as a sentence has them."""
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1]))) if names else "none"


def lines_of(table: Table) -> dict[str, Sequence[Any]]:
    """The rows of a table by their first cells, without the published ones."""
    return {str(row[0]): row[1:] for row in table.rows if not str(row[0]).startswith("published")}


def number(cell: Any) -> float:
    return cell.mean if isinstance(cell, Measured) else float(cell)


def says(table: Table) -> str:
    """What a table says, in a line."""
    lines = lines_of(table)
    if table.key == "table-4":
        rates = {name: row[-1].text for name, row in lines.items() if name.endswith(": discards")}
        teacher, people, learned = (rates[f"{who}: discards"] for who in (
            "the shipped policy, games of rule-based", "the shipped policy, records of people",
            "learned from records, other games of theirs",
        ))  # fmt: skip
        return (f"The shipped policy takes its teacher's discard in {teacher} %, that of strong players in {people} %. "
                f"One that learned from strong players takes theirs in {learned} %.")  # fmt: skip
    if table.key == "table-5-people":
        return f"Against `tsumogiri` a policy that learned from people wins {table.rows[0][3].text} of the deals."
    if table.key == "table-6-people":
        names = ("policy-mc-records", "bcp+penalty-human")
        return " ".join(f"`{name}` reaches {lines[name][4].text}." for name in names if name in lines)
    if table.key.endswith(BY_PEOPLE):
        return "The same, with a policy that learned from people, and BCP that learned from its games."
    if table.key == "final-rank":
        (first, second, *_) = table.rows
        return (f"A model of tonpuu games alone foretells them as well as the shipped one, of more and longer games, "
                f"does: a log loss of {first[2].text} and {second[2].text}.")  # fmt: skip
    if table.key == "middle":
        return f"Simulations of the rest of a deal bring the policy from 2.5 to {table.rows[0][1].text}."
    if table.key == "table-6":
        names = {name: row[4] for name, row in lines.items()}
        better = [f"`{name}`" for name, rank in names.items() if rank.high < 2.5]
        goal = f" `{GOAL}` reaches {names[GOAL].text}." if GOAL in names else ""
        return f"With the whole interval better than the earlier program: {listed(better)}.{goal}"
    if table.key == "table-7":
        row = lines.get(GOAL)
        return (f"`{GOAL}` wins {row[0]:.1%} of the deals and deals into {row[1]:.1%}; its opponents {row[2]:.1%} and "
                f"{row[3]:.1%}.") if row else ""  # fmt: skip
    if table.key in ("table-8", "table-9"):
        best = [max(lines, key=lambda name, place=place: number(lines[name][place])) for place in (0, 3)]  # type: ignore[misc]
        return f"Of these four, the best discard for a win of any size is {best[0]}, for four han or more {best[1]}."
    if table.key == "table-10":
        score, published = (min(lines, key=lambda name, place=place: number(lines[name][place])) for place in (0, 1))  # type: ignore[misc]
        policy = max(lines, key=lambda name: number(lines[name][2]))
        return f"Score discards {score}, in the paper {published}; the policy discards {policy}."
    if table.key == "table-11":
        (passed, passed_won), (called, called_won) = ((number(row[0]), number(row[1])) for row in lines.values())
        return (f"BCP does not know that the pon has no yaku: it gives the pon {called:.2f}, where {called_won:.3f} of "
                f"the trials are won. A pass it gives {passed:.2f}, and {passed_won:.2f} are won. The paper shows the "
                "same of its own model, and takes it for a cause of its loss.")  # fmt: skip
    if table.key == "why":
        ranks = {name: row[1].text for name, row in lines.items()}
        told = (
            ("bcp+penalty", "The paper's plan reaches {}."),
            ("bcp+penalty/margin=10000", "With openings kept near the policy's choice it reaches {}."),
            ("bcp+penalty/calls=0", "Calls left to the policy bring {}."),
            ("network-efr", "A network in place of the linear model brings {}."),
            (GOAL, "With a penalty, caution in calls and a search, `han-efr`, it is {}."),
        )  # fmt: skip
        won, near = (lines[name][2] for name in ("bcp+penalty", "bcp+penalty/margin=10000"))
        return " ".join([*(text.format(ranks[name]) for name, text in told if name in ranks),
                         f"So it lost most by its openings: near the policy's choice it wins {near:.1%} of the deals, "
                         f"by itself {won:.1%}."])  # fmt: skip
    if table.key == "other-records":
        place = list(table.columns).index("mean rank")
        ranks = {(str(row[0]), str(row[1])): row[place].text for row in table.rows}
        told = (
            ("no random action", "Without random actions in the records"),
            ("calls", "With more chances to call"),
            ("stronger opponents", "With stronger opponents, which fold too,"),
        )
        return " ".join(
            f"{with_what} mean ranks go from {ranks['BCP', 'plain']} to {ranks['BCP', records]} (BCP) and from "
            f"{ranks['network', 'plain']} to {ranks['network', records]} (network)."
            for records, with_what in told
        )
    return ""


def gained_says(rows: Sequence[dict[str, Any]]) -> str:
    """Which models beat the policy, and at how many han."""
    found: dict[str, list[str]] = {}
    for row in rows:
        name, _, rest = row["what"].partition(", ")
        found.setdefault(name, [])
        if row["low"] > 0:
            found[name].append(rest.split()[0])
    beats = [f"{name} at {listed(hans)} han" for name, hans in found.items() if hans]
    nowhere = [name for name, hans in found.items() if not hans]
    text = f"Above the policy with the whole interval: {'; '.join(beats)}."
    return text + (f" Nowhere: {listed(nowhere)}." if nowhere else "")


def with_heading(table: Table, text: str) -> Iterator[Block]:
    """A table under a heading of its own, and what it says before it."""
    yield Section(table.title, text)
    yield replace(table, title="")


def success_tables(stored: dict[str, Any]) -> tuple[Table, Table, Figure]:
    """Table 5, what models win more often than the policy, and the figure that the page begins with."""
    rows: list[list[Any]] = []
    names, found, published = [], [], []
    for model in TABLE_5:
        point = shipped_point(stored, model)
        rates = [rate_interval(round(rate * point["deals"]), point["deals"]) for rate in point["rates"]]
        positions = f"{point['positions']:,}" if model.file else "–"
        rows.append([model.name, model.opponent, positions, *(measured(rate, 3) for rate in rates),
                     *(model.published or ("–",) * len(HANS))])  # fmt: skip
        shown = model.name.removesuffix(" vs tsumogiri").removeprefix("one-player ")
        names.append(f"{shown} vs {model.opponent}")
        found.append(Interval(*(100 * end for end in (rates[-1].mean, rates[-1].low, rates[-1].high))))
        published.append(100 * model.published[-1] if model.published else None)
    table = Table(
        "table-5", "Table 5: success rates",
        ("model", "opponents", "positions", *(f"{han} han" for han in HANS),
         *(f"{han} han, published" for han in HANS)),
        rows, note="10,000 deals for each figure, seed 1.", digits=4,
    )  # fmt: skip
    gained = Table(
        "gained", "Table 5 on the same walls: what models win more often than the policy", ("", "here", "published"),
        [[row["what"].removesuffix(", more than the policy"), Measured(row["ours"], row["low"], row["high"], 3),
          row["published"].replace("-", "−")] for row in stored["more than the policy"]],
        note="Of 10,000 deals, paired; seed 1.",
    )  # fmt: skip
    figure = bars("found", "Deals won by four han or more, when going for them", "", "% of deals", names, found,
                  published)  # fmt: skip
    return table, gained, figure


def curves(stored: dict[str, Any]) -> tuple[list[Curves], Table]:
    """Figures 3 to 5, and their points as a table."""
    figures, points = [], []
    for key, title, model, opponent, rate in FIGURES:
        large = kept_curve(stored, model, opponent, rate)
        policy = next(each["points"][0]["rates"] for each in stored["curves"]
                      if (each["model"], each["opponent"]) == ("policy", opponent))  # fmt: skip
        figures.append(curves_of(key, title, large, [], policy))
        points += [[title, positions, *rates] for positions, rates in large]
        points.append([f"published: {title.partition(': ')[2]}", MOST, *PUBLISHED[title.partition(": ")[2]]])
    heads = ("figure", "positions", *(f"{han} han" for han in HANS))
    table = Table("positions", "Figures 3 to 5: success rates by the number of positions", heads, points,
                  note="One pass; the last point of each is the shipped model, in more passes. 10,000 deals for each "
                  "figure, seed 1.", digits=4)  # fmt: skip
    return figures, table


def composed() -> str:
    """What the composed hands are, with their pictures."""
    return (
        f"{ABOUT}\n\n![Figure 6: {FIGURE_6}, and {DRAW_6} just drawn](figure-6.svg)\n\nBamboos make a half flush; 78p "
        "and the pair of white dragons make a cheap hand. 5m, 7p, north and white are weighed. In table 10 it is the "
        f"last deal, and without a mangan the seat stays last.\n\n![Figure 7: {FIGURE_7}, and {GIVEN_7} discarded]"
        f"(figure-7.svg)\n\nOne from ready. North is neither the seat's wind nor the round's. With a pon of north "
        f"{DISCARD_7} would be discarded."
    )


def drawn_hand(hand: str, apart: str) -> str:
    """Tiles of a hand as a picture, those that came last a little apart, from the sheet of all tiles."""
    names = [f"{number}{suit}" for suit in "mps" for number in (*range(1, 10), 0)] + [
        f"{place}z" for place in range(1, 8)
    ]
    sheet = [line for line in (HERE.parent / "cards.svg").read_text(encoding="utf-8").split("\n") if TILE in line]
    drawings = dict(zip(names, sheet, strict=False))  # behind the tiles lie their backs
    placed, across = [], 0
    for tiles in (hand, apart):
        for tile in tiles_of(tiles):
            placed.append(re.sub(r'x="\S+" y="\S+"', f'x="{across}" y="0"', drawings[tile], count=1))
            across += WIDE
        across += WIDE // 3
    size = f'width="{across // 2}" height="{HIGH // 2}" viewBox="0 0 {across} {HIGH}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>' + "\n".join(placed) + "</svg>\n"


def tiles_of(hand: str) -> list[str]:
    """The names of the tiles of a hand."""
    return [f"{number}{numbers[-1]}" for numbers in re.findall(r"\d+[mpsz]", hand) for number in numbers[:-1]]


def document() -> Document:
    stored = kept()
    five, gained, first = success_tables(stored)
    figures, by_positions = curves(stored)
    tables = json.loads(TABLES.read_text()) if TABLES.exists() else {}
    found = {key: table_of(key, tables[key]) for key in SHOWN if key in tables}
    speed = stored["deals a second"]
    most = positions_of(next(model for model in TABLE_5 if model.file))
    text = (
        "The paper foretells by how many han a hand will be won, and plays for it. Its linear models need many "
        f"positions: with 10 million MCP did not beat the one-player policy against `tsumogiri`, with {most / 1e6:.0f} "
        "million it does. A network on fewer positions beats the policy at every number of han, against both "
        f"opponents. `{GOAL}` opens by this network and beats our rendering of the paper's earlier program; "
        "the authors' own is not public."
    )
    blocks: list[Block] = []
    for key in SHOWN:
        if key == "table-8":
            blocks.append(Section("Figures 6 and 7: the hands of tables 8 to 11", composed()))
        if key in found:
            blocks += with_heading(found[key], says(found[key]))
        if key == "table-4":
            blocks += with_heading(five, "The network wins most often at every number of han, against both opponents.")
            blocks += with_heading(gained, f"{gained_says(stored['more than the policy'])} {CAUSE}")
            blocks += [Section(by_positions.title, "Each curve ends with the shipped model, and still rises there. "
                               "Dotted lines are the policy's. Marks are the paper's figures at 100,000,000 positions, "
                               "the ends of its curves."), *figures, replace(by_positions, title="")]  # fmt: skip
    made = {
        "seed": f"positions {stored['seed']}, success rates 1",
        "commit": stored["commit"],
        "machine": stored["machine"],
        "rates": f"one H200 plays {speed['tsumogiri']['H200']:,} deals a second against `tsumogiri` and "
        f"{speed['policy']['H200']:,} against `policy`; its positions are those of the CPU, bit for bit",
        "how": f"{stored['note']} MCP or BCP: `tefuda train mahjong han --device cuda --seed 20171116` with the "
        "arguments of its policy card, which `tefuda show FILE` prints, but `positions`: there it says how many were "
        "found. The tables by the command below.",
        "files": "src/tefuda/papers/mahjong/positions.json and docs/mahjong/tables.json have all figures",
        "command": "tefuda reproduce mahjong --scale paper --seed 2",
    }
    return Document("Han prediction in the mahjong paper", "", Found(text, first), blocks, made)


def main() -> None:
    for folder in sys.argv[1:]:
        keep_tables(Path(folder))
    page = document()
    for key, hand, apart in (("figure-6", FIGURE_6, DRAW_6), ("figure-7", FIGURE_7, GIVEN_7)):
        (HERE / f"{key}.svg").write_text(drawn_hand(hand, apart), encoding="utf-8")
    for figure in page.figures:
        (HERE / f"{figure.key}.svg").write_bytes(draw(figure).svg)
    links = {figure.key: f"{figure.key}.svg" for figure in page.figures}
    (HERE / "README.md").write_text(markdown(page, links), encoding="utf-8")


if __name__ == "__main__":
    main()
