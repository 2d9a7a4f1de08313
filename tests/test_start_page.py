"""docs/howto/start.md: what a newcomer types first runs, and draws its curve."""

import re

import pytest

import tefuda

TEXT = (tefuda.FOLDER.parents[1] / "docs" / "howto" / "start.md").read_text(encoding="utf-8")
_, *REST = re.split(r"^## ", TEXT, flags=re.MULTILINE)
SECTIONS = {each.partition("\n")[0]: each for each in REST}


@pytest.mark.slow
def test_a_newcomer_gets_a_curve(tmp_path, monkeypatch, capsys):
    matplotlib = pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    matplotlib.use("svg")
    for title in ("Five lines", "A first training curve"):
        code = "\n".join(line[4:] for line in SECTIONS[title].splitlines() if line.startswith("    "))
        assert "episodes=20000" in code or "deals=200" in code
        small = code.replace("episodes=20000", "episodes=400, deals=10")
        small = re.sub(r"deals=\d{3,}", "deals=2", small)
        exec(compile(small, "docs/howto/start.md", "exec"), {"__name__": "page"})
    told = capsys.readouterr().out
    assert told.count("<match of koikoi") == 2
    assert "pine" in told  # a card on the table that was shown
    assert (tmp_path / "results" / "first" / "curve.svg").read_text(encoding="utf-8").count("<path") > 10
