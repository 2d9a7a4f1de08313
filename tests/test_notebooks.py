"""The notebooks of examples/: they run, and are kept with the pictures that they draw."""

from pathlib import Path
from typing import Any

import pytest

import tefuda

nbformat = pytest.importorskip("nbformat")
ROOT = tefuda.FOLDER.parents[1]
NOTEBOOKS = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))
NAMES = [path.name for path in NOTEBOOKS]


def outputs(notebook: Any) -> list[Any]:
    return [output for cell in notebook.cells for output in cell.get("outputs", [])]


def kinds(notebook: Any) -> list[list[str]]:
    """What each output is: text, a table, a picture."""
    return [sorted(output.get("data", {"text/plain": ""})) for output in outputs(notebook)]


def test_the_notebooks_were_found():
    assert NAMES == ["champion_mind.ipynb", "own_player.ipynb", "paper_figure.ipynb"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=NAMES)
def test_a_notebook_is_kept_with_its_pictures(path):
    kept = nbformat.read(path, 4)
    nbformat.validate(kept)
    assert any("image/png" in kind for kind in kinds(kept))
    assert [each for each in outputs(kept) if each.output_type == "error" or each.get("name") == "stderr"] == []
    assert all(cell.execution_count for cell in kept.cells if cell.cell_type == "code")
    assert path.stat().st_size < 200_000


@pytest.mark.full
@pytest.mark.parametrize("path", NOTEBOOKS, ids=NAMES)
def test_a_notebook_runs(path: Path, tmp_path):
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    pytest.importorskip("matplotlib")
    notebook = nbformat.read(path, 4)
    before = [output.get("text") for output in outputs(notebook) if output.get("name") == "stdout"], kinds(notebook)
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    told = [each for each in outputs(notebook) if each.get("name") != "stderr"]  # a first start says that it compiles
    after = [output.get("text") for output in told if output.get("name") == "stdout"]
    assert (after, [sorted(each.get("data", {"text/plain": ""})) for each in told]) == before
