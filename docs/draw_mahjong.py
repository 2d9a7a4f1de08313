"""Draws docs/mahjong from what is kept of the mahjong paper's largest scale: python docs/draw_mahjong.py

With folders of reports (python docs/draw_mahjong.py results/mahjong-paper …), their tables are kept first, in
docs/mahjong/tables.json; a table that a report has not stays as it was kept. What a report of records alone has
(`--records`) is kept under names of its own, so that both stand side by side.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tefuda.intervals import Interval, rate_interval
from tefuda.papers.laboratory import bars, measured
from tefuda.papers.mahjong_success import FIGURES, HANS, TABLE_5, Model, curves_of, kept, positions_of
from tefuda.report.document import Block, Document, Found, Section
from tefuda.report.drawing import draw
from tefuda.report.figures import Curves, Figure
from tefuda.report.markdown import markdown
from tefuda.report.tables import Measured, Table

HERE = Path(__file__).parent / "mahjong"
TABLES = HERE / "tables.json"
BY_PEOPLE = "-people"  # behind the key of a table: its rows that rest on records of people
SHOWN = (
    "agreement", "table-5-people", "final-rank", "middle", "table-6", "table-6-people", "table-7",
    "table-7-people", "table-8", "table-8-people", "table-9", "table-9-people", "table-10", "table-10-people",
    "table-11", "table-11-people", "why", "other-records",
)  # fmt: skip
OF_RECORDS = ("agreement", "final-rank")  # a run with `--records` has all that one without has, and more
GOAL = "han-efr"


def point_of(stored: dict[str, Any], model: Model) -> dict[str, Any]:
    """The point of a shipped model: its positions, on the walls that measure."""
    name = model.name.split()[0] if model.file else "policy"
    positions = positions_of(model) if model.file else 0
    points = [
        (each["passes"], point) for each in stored["curves"] for point in each["points"]
        if (each["model"], each["opponent"], point["positions"], point["seed"]) == (name, model.opponent, positions, 1)
    ]  # fmt: skip
    return max(points, key=lambda found: found[0])[1]


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
            table["rows"] = [row for row in table["rows"] if not row[0].startswith("published")
                             and ("records" in row[0] or "human" in row[0])]  # fmt: skip
        tables[key] = table
    TABLES.write_text(json.dumps(tables, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def cell_of(value: Any) -> Any:
    """A cell as it was before it was kept."""
    return Measured(**value) if isinstance(value, dict) else value


def table_of(key: str, table: dict[str, Any]) -> Table:
    """A kept table, one with published figures beside ours too."""
    given = f" --records {table['records']}" if "records" in table else ""
    command = f"tefuda reproduce mahjong --scale {table.get('scale', 'paper')} --seed {table['seed']}{given}"
    note = " ".join(filter(None, (table["note"], f"`{command}`, commit {table['commit']}.")))
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
    if table.key == "agreement":
        text = f"The shipped policy takes its teacher's discard in {lines['agreement on discards, %'][0].text} %."
        of_people = lines.get("agreement on discards, %, learned from records")
        return text + (f" One that learned from people takes theirs in {of_people[0].text} %." if of_people else "")
    if table.key == "table-5-people":
        return f"Against `tsumogiri` a policy that learned from people wins {table.rows[0][3].text} of the deals."
    if table.key == "table-6-people":
        names = ("policy-mc-records", "bcp+penalty-human")
        return " ".join(f"`{name}` reaches {lines[name][4].text}." for name in names if name in lines)
    if table.key.endswith(BY_PEOPLE):
        return "The same, with a policy that learned from people, and BCP that learned from its games."
    if table.key == "final-rank":
        (first, second, *_) = table.rows
        return (f"A model of tonpuu games foretells them as well as the shipped one of hanchan does: a log loss of "
                f"{first[2].text} and {second[2].text}.")  # fmt: skip
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
        return f"The best discard for a win of any size is {best[0]}, for four han or more {best[1]}."
    if table.key == "table-10":
        score, published = (min(lines, key=lambda name, place=place: number(lines[name][place])) for place in (0, 1))  # type: ignore[misc]
        policy = max(lines, key=lambda name: number(lines[name][2]))
        return f"Score discards {score}, in the paper {published}; the policy discards {policy}."
    if table.key == "table-11":
        passed, called = (number(row[0]) for row in lines.values())
        return f"BCP knows that the pon has no yaku: the chance of a win falls from {passed:.2f} to {called:.2f}."
    if table.key == "why":
        ranks = {name: row[1].text for name, row in lines.items()}
        told = (
            ("bcp+penalty", "The paper's plan reaches {}."),
            ("bcp+penalty/margin=10000", "With openings kept near the policy's choice it reaches {}: efficiency is "
             "what it lost most by."),
            ("bcp+penalty/calls=0", "Calls left to the policy bring {}."),
            ("network-efr", "A network in place of the linear model brings {}."),
            (GOAL, "With a penalty and a search, `han-efr`, it is {}."),
        )  # fmt: skip
        return " ".join(text.format(ranks[name]) for name, text in told if name in ranks)
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
        point = point_of(stored, model)
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
        wanted = (model, opponent, rate, 1)
        keys = ("model", "opponent", "rate", "passes")
        curve = next(each for each in stored["curves"] if tuple(each[key] for key in keys) == wanted)
        large = [(point["positions"], point["rates"]) for point in curve["points"] if point["seed"] == 1]
        policy = next(each["points"][0]["rates"] for each in stored["curves"]
                      if (each["model"], each["opponent"]) == ("policy", opponent))  # fmt: skip
        figures.append(curves_of(key, title, large, [], policy))
        points += [[title, positions, *rates] for positions, rates in large]
    heads = ("figure", "positions", *(f"{han} han" for han in HANS))
    table = Table("positions", "Figures 3 to 5: success rates by the number of positions", heads, points,
                  note="One pass; 10,000 deals for each figure, seed 1.", digits=4)  # fmt: skip
    return figures, table


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
        f"opponents. `{GOAL}` opens by this network and beats the paper's earlier program."
    )
    blocks: list[Block] = []
    for key in SHOWN:
        if key in found:
            blocks += with_heading(found[key], says(found[key]))
        if key == "agreement":
            blocks += with_heading(five, "The network wins most often at every number of han, against both opponents.")
            blocks += with_heading(gained, gained_says(stored["more than the policy"]))
            blocks += [Section(by_positions.title, "All curves still rise at the largest number of positions. Dotted "
                               "lines are the policy's."), *figures, replace(by_positions, title="")]  # fmt: skip
    made = {
        "seed": f"positions {stored['seed']}, success rates 1",
        "commit": stored["commit"],
        "machine": stored["machine"],
        "rates": f"one H200 plays {speed['tsumogiri']['H200']:,} deals a second against `tsumogiri` and "
        f"{speed['policy']['H200']:,} against `policy`; its positions are those of the CPU, bit for bit",
        "how": stored["note"],
        "files": "src/tefuda/papers/mahjong_positions.json and docs/mahjong/tables.json have all figures",
        "command": "tefuda reproduce mahjong --scale paper --seed 1",
    }
    return Document("Han prediction in the mahjong paper", "", Found(text, first), blocks, made)


def main() -> None:
    for folder in sys.argv[1:]:
        keep_tables(Path(folder))
    page = document()
    for figure in page.figures:
        (HERE / f"{figure.key}.svg").write_bytes(draw(figure).svg)
    links = {figure.key: f"{figure.key}.svg" for figure in page.figures}
    (HERE / "README.md").write_text(markdown(page, links), encoding="utf-8")


if __name__ == "__main__":
    main()
