"""Draws docs/mahjong from what is kept of the mahjong paper's largest scale: python docs/draw_mahjong.py

With the folder of a report (python docs/draw_mahjong.py results/mahjong-paper), its tables are kept first, in
docs/mahjong/tables.json; a table that the report has not stays as it was kept.
"""

import json
import sys
from pathlib import Path
from typing import Any

from tefuda.intervals import rate_interval
from tefuda.papers.laboratory import measured
from tefuda.papers.mahjong_success import FIGURES, HANS, TABLE_5, Model, curves_of, kept, positions_of
from tefuda.report.document import Document, Found
from tefuda.report.drawing import draw
from tefuda.report.markdown import markdown
from tefuda.report.tables import Measured, Table

HERE = Path(__file__).parent / "mahjong"
TABLES = HERE / "tables.json"
SHOWN = (
    "agreement", "middle", "ranks", "table-6", "table-7", "table-8", "table-9", "table-10", "table-11", "why",
    "other-records",
)  # fmt: skip


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
    """Keep the tables of a report, each with its seed and commit."""
    head = json.loads((report / "arguments.json").read_text())
    tables = json.loads(TABLES.read_text()) if TABLES.exists() else {}
    for key in SHOWN:
        path = report / "tables" / f"{key}.json"
        if path.exists():
            tables[key] = json.loads(path.read_text()) | {"seed": head["seed"], "commit": head["commit"]}
    TABLES.write_text(json.dumps(tables, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def cell_of(value: Any) -> Any:
    """A cell as it was before it was kept."""
    return Measured(**{**value, "signed": False}) if isinstance(value, dict) else value


def kept_tables() -> list[Table]:
    """The tables of reports, those with published figures beside ours too."""
    stored, found = json.loads(TABLES.read_text()) if TABLES.exists() else {}, []
    for key in (each for each in SHOWN if each in stored):
        table = stored[key]
        note = " ".join(filter(None, (table["note"], f"Seed {table['seed']}, commit {table['commit']}.")))
        if "columns" in table:
            rows = [[cell_of(cell) for cell in row] for row in table["rows"]]
            found.append(Table(key, table["title"], table["columns"], rows, note, table["digits"]))
            continue
        rows = [[row["what"], Measured(row["ours"], row["low"], row["high"], row["digits"], signed=False),
                 row["published"]] for row in table["rows"] if row["ours"] is not None]  # fmt: skip
        found.append(Table(key, table["title"], ("", "here", "published"), rows, note))
    return found


def document() -> tuple[Document, list[Any]]:
    stored = kept()
    rows: list[list[Any]] = []
    for model in TABLE_5:
        point = point_of(stored, model)
        rates = [measured(rate_interval(round(rate * point["deals"]), point["deals"]), 3) for rate in point["rates"]]
        positions = f"{point['positions']:,}" if model.file else "–"
        rows.append([model.name, model.opponent, positions, *rates, *(model.published or ("–",) * len(HANS))])
    table = Table(
        "table-5", "Table 5: success rates",
        ("model", "opponents", "positions", *(f"{han} han" for han in HANS),
         *(f"{han} han, published" for han in HANS)),
        rows, note="10,000 deals for each figure, seed 1.", digits=4,
    )  # fmt: skip
    gained = Table(
        "gained", "What models win more often than the one-player policy, on the same walls",
        ("", "here", "published"),
        [[row["what"].removesuffix(", more than the policy"), Measured(row["ours"], row["low"], row["high"], 3),
          row["published"]] for row in stored["more than the policy"]],
        note="Of 10,000 deals, paired; seed 1, commit 1d5fdec.",
    )  # fmt: skip
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
    by_positions = Table("positions", "Figures 3 to 5: success rates by the number of positions", heads, points,
                         note="One pass; 10,000 deals for each figure, seed 1.", digits=4)  # fmt: skip
    speed = stored["deals a second"]
    text = (
        "The linear models of the paper, MCP and BCP, need many positions: their success still rises steeply at ten "
        "million, where MCP has just reached the one-player policy at four han (against `tsumogiri`) and misses it "
        "elsewhere; the paper had a hundred million. A network on the same positions, told the features' factors each "
        "by itself, beats the policy at every number of han, against both opponents. One H200 plays "
        f"{speed['tsumogiri']['H200']:,} deals a second against `tsumogiri` and {speed['policy']['H200']:,} against "
        "`policy`, and its positions are those of the CPU, bit for bit."
    )
    made = {
        "seed": f"positions {stored['seed']}, success rates 1",
        "commit": stored["commit"],
        "machine": stored["machine"],
        "how": stored["note"],
        "files": "src/tefuda/papers/mahjong_positions.json has all figures",
        "command": "tefuda reproduce mahjong --scale paper --seed 1",
    }
    blocks = [table, gained, *figures, by_positions, *kept_tables()]
    return Document("Han prediction in the mahjong paper", "", Found(text), blocks, made), figures


def main() -> None:
    if len(sys.argv) > 1:
        keep_tables(Path(sys.argv[1]))
    found, figures = document()
    for figure in figures:
        (HERE / f"{figure.key}.svg").write_bytes(draw(figure).svg)
    page = markdown(found, {figure.key: f"{figure.key}.svg" for figure in figures})
    (HERE / "README.md").write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
