"""`tefuda doctor`: what is here and what is not, and what to do about it."""

import importlib.util
import json
import re
import tomllib

import numpy as np
import pytest

import tefuda
from tefuda.cli import doctor
from tefuda.kernel import cache

ROOT = tefuda.FOLDER.parents[1]


def told(here, *words, code=0) -> dict[str, dict[str, str]]:
    done = here("doctor", "--json", *words)
    assert (done.returncode, done.stderr) == (code, "")
    return {each["what"]: each for each in json.loads(done.stdout)["findings"]}


def test_it_tells_what_is_here(here, tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "folder", lambda: tmp_path)
    monkeypatch.setattr(cache, "wanted", lambda: tmp_path)
    (tmp_path / "one.kept").write_bytes(b"x")
    monkeypatch.setattr(doctor, "_gpu", lambda: doctor.Inspection("GPU", doctor.OPTIONAL, "none is seen"))
    found = told(here)
    assert found["tefuda"]["found"].startswith(tefuda.__version__)
    assert found["numpy"] == {"what": "numpy", "state": "good", "found": np.__version__, "do": ""}
    assert str(tmp_path) in found["compiled code"]["found"]
    shown = here("doctor")
    assert shown.returncode == 0
    assert "extra environments" in shown.stdout


def test_a_missing_extra_says_what_to_install(here, monkeypatch):
    real = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "polars" else real(name))
    found = told(here)["extra frame"]
    assert (found["state"], found["found"]) == ("optional", "polars not installed")
    assert "pip install 'tefuda[frame]'" in found["do"]


def test_a_cache_that_cannot_be_written_is_wrong(here, tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "wanted", lambda: tmp_path / "elsewhere")
    found = told(here, code=1)["compiled code"]
    assert found["state"] == "wrong"
    assert "TEFUDA_CACHE" in found["do"]


@pytest.fixture(scope="module")
def project() -> dict:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_extras_are_those_of_the_package(project):
    """All but those for whoever works on tefuda itself."""
    names = {
        extra: {re.split(r"[\[>=<]", each)[0] for each in packages}
        for extra, packages in project["optional-dependencies"].items()
        if extra not in ("dev", "docs", "examples", "peers")
    }
    assert names == {extra: set(packages) for extra, (packages, _) in doctor.EXTRAS.items()}
    assert {re.split(r"[>=<]", each)[0] for each in project["dependencies"]} == set(doctor.NEEDED)


def test_the_citation_names_this_version():
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {tefuda.__version__}\n" in text


def test_shells_complete_commands(here):
    done = here(_TEFUDA_COMPLETE="complete_bash", COMP_WORDS="tefuda lad", COMP_CWORD="1")
    assert done.stdout.split() == ["ladder"]
