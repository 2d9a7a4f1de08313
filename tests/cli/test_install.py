"""The package as others install it: a wheel in a fresh environment, which holds nothing of this checkout."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.full


def run(*words, **options) -> str:
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> Path:
    """The folder of programs of an environment with the wheel in it; libraries are those of this environment."""
    folder = tmp_path_factory.mktemp("install")
    source, wheels, fresh = folder / "source", folder / "wheels", folder / "fresh"
    shutil.copytree(ROOT / "src", source / "src", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check")
    run(*pip, "wheel", "--no-deps", "--no-index", "--no-build-isolation", "--wheel-dir", wheels, source)
    run(sys.executable, "-m", "venv", "--without-pip", fresh)
    run(*pip, "--python", fresh / "bin" / "python", "install", "--no-deps", "--no-index", *wheels.iterdir())
    packages = next((fresh / "lib").glob("python*")) / "site-packages"
    (packages / "libraries.pth").write_text(f"{Path(np.__file__).parents[1]}\n", encoding="utf-8")
    return fresh / "bin"


@pytest.fixture
def tefuda(installed, tmp_path):
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    return lambda *words: run(installed / "tefuda", *words, cwd=tmp_path, env=environment)


def test_it_is_the_wheel_that_runs(installed, tmp_path):
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    told = run(installed / "python", "-c", "import tefuda; print(tefuda.FOLDER)", cwd=tmp_path, env=environment)
    assert Path(told.strip()).is_relative_to(installed.parent)


def test_every_game_with_its_policies_and_texts_is_in_it(tefuda):
    games = {path.parent.name for path in (ROOT / "src/tefuda/games").glob("*/__init__.py")}
    assert {each["name"] for each in json.loads(tefuda("games", "--json"))} == games
    result = json.loads(tefuda("match", "koikoi", "pg-linear", "champion", "--deals", "5", "--json"))
    assert [row["name"] for row in result["players"]] == ["pg-linear", "champion"]
    assert "unchanged" in tefuda("check", "kuhn")  # its golden playthrough is there


def test_it_names_its_version_where_there_is_no_commit(tefuda):
    result = json.loads(tefuda("match", "kuhn", "random", "equilibrium", "--deals", "5", "--json"))
    assert result["commit"].startswith("v")
