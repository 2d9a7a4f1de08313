"""Draws docs/readings from what `tefuda reproduce koikoi --scale paper` has found: python docs/draw_readings.py

With a folder (`python docs/draw_readings.py results/koikoi-paper`) it takes the tables and the figure from there first.
"""

import json
import shutil
import sys
from pathlib import Path
from typing import Any

from tefuda.report.document import Document, Found
from tefuda.report.figures import Bars
from tefuda.report.markdown import markdown
from tefuda.report.tables import Measured, PlayerName, Table

HERE = Path(__file__).parent / "readings"
KEPT = ("arguments.json", "tables/rules.json", "tables/readings.json", "figures/found.json", "figures/found.svg")
COMMAND = "tefuda reproduce koikoi --scale paper --seed {}"


def table(name: str) -> Table:
    """A table as its file has it; cells with an interval are measured."""
    content = json.loads((HERE / name).read_text(encoding="utf-8"))
    content["rows"] = [[_cell(cell) for cell in row] for row in content["rows"]]
    return Table(**content)


def _cell(cell: Any) -> Any:
    if isinstance(cell, dict):
        return Measured(**cell)
    return PlayerName(cell) if isinstance(cell, str) and cell.startswith("rule-based") else cell


def document() -> Document:
    """The page: what was found, the figure, both tables."""
    rules, readings = table("rules.json"), table("readings.json")
    head = json.loads((HERE / "arguments.json").read_text(encoding="utf-8"))
    above = {str(row[0]): row[4].text.replace("-", "−") for row in rules.rows if isinstance(row[4], Measured)}
    text = (
        "The Koi-Koi paper's learner ends about 0.5 points a game above its if-then rules, as first player; the rules, "
        "the temperature and the measures of its features are not printed. By the plainest rules, "
        f"`rule-based-simple`, it ends {above['rule-based-simple']} above them here, and the paper's other two figures "
        f"fit as well. Against our own `rule-based`, which is stronger, it ends at {above['rule-based']}, and no "
        "reading of its features changes that."
    )
    made = {
        "seed": head["seed"],
        "commit": head["commit"],
        "files": "rules.json, readings.json and found.json beside this page have all figures",
        "command": COMMAND.format(head["seed"]),
    }
    bars = json.loads((HERE / "found.json").read_text(encoding="utf-8"))
    figure = Bars(**{key: value for key, value in bars.items() if key != "kind"})
    return Document("Readings of the Koi-Koi paper", "", Found(text, figure), [rules, readings], made)


def page() -> str:
    return markdown(document(), {"found": "found.svg"})


def main() -> None:
    for name in KEPT if len(sys.argv) > 1 else ():
        shutil.copyfile(Path(sys.argv[1]) / name, HERE / Path(name).name)
    (HERE / "README.md").write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
