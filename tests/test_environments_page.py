"""docs/environments.md: each section of it runs, and so do the examples that it names, shortly."""

import re
import subprocess
import sys

import pytest

import tefuda

ROOT = tefuda.FOLDER.parents[1]
TEXT = (ROOT / "docs" / "environments.md").read_text(encoding="utf-8")
_, *REST = re.split(r"^## ", TEXT, flags=re.MULTILINE)
SECTIONS = {each.partition("\n")[0]: each for each in REST}
NEEDS = {
    "The vector environment": "numpy",
    "Gymnasium": "gymnasium",
    "PettingZoo": "pettingzoo",
    "OpenSpiel": "pyspiel",
}


def code_of(text: str) -> str:
    """The indented lines of a text, without commands."""
    lines = [line[4:] for line in text.splitlines() if line.startswith("    ") or not line]
    return "\n".join(line for line in lines if not line.startswith(("python ", "pip ")))


def test_all_sections_were_found():
    assert set(NEEDS) == {title for title, text in SECTIONS.items() if code_of(text).strip()}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("title", sorted(NEEDS))
def test_a_section_runs(title):
    pytest.importorskip(NEEDS[title])
    exec(compile(code_of(SECTIONS[title]), "docs/environments.md", "exec"), {"__name__": "page"})


@pytest.mark.full
@pytest.mark.parametrize(
    ("package", "arguments", "said"),
    [
        ("torch", "ppo.py --game kuhn --opponent random --decisions 4000 --lanes 16 --units 8 --deals 20", "Learned"),
        ("pyspiel", "openspiel_cfr.py kuhn 2", "our equilibrium, by CFR+: 0.0000 chips"),
        ("sb3_contrib", "maskable_ppo.py --game kuhn --decisions 512 --deals 20", "Learned"),
    ],
)
def test_an_example_runs(package, arguments, said):
    pytest.importorskip(package)
    script, *rest = arguments.split()
    command = [sys.executable, str(ROOT / "examples" / script), *rest]
    assert said in subprocess.run(command, check=True, capture_output=True, text=True).stdout
