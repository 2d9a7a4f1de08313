"""The package as others install it: an sdist, the wheel made from it, and an empty environment with nothing else in it.

The libraries come from the package index, at the versions of requirements.lock. Without a network the wheel is tried
with the libraries of this environment, and extras are left out. Each extra is installed on top of the package alone,
without the others. Some bring hundreds of megabytes or more; they are tried with TEFUDA_HEAVY_EXTRAS=1.
"""

import json
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

import numpy as np
import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet")
UNPINNED = {"gpu", "peers"}  # extras that need a GPU, or are for benchmarks alone
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
NO_NETWORK = re.compile("connection|network|name resolution|timed out", re.IGNORECASE)
PAIR = "'kuhn', ['random', 'always-bet'], deals=4"
EXTRAS = {  # what each is for, in a line or two of Python that could not run without it
    "report": "from tefuda.report.drawing import draw; from tefuda.report.figures import Bars;"
    "draw(Bars('one', 'One bar', 'player', 'points', ['random'], [0.5]))",
    "train": "import tefuda; tefuda.train('kuhn', 'self-play', 'out', decisions=64, lanes=4, batch=16, deals=0)",
    "frame": f"import tefuda; assert tefuda.match({PAIR}).frame().height == 2",
    "web": "import uvicorn, websockets; from tefuda.web.starting import serve",
    "environments": "import gymnasium; import tefuda.interop.gymnasium; from tefuda.interop.pettingzoo import env;"
    "gymnasium.make('tefuda/Kuhn-v0', opponents=['random']).reset(seed=1); env('kuhn').reset(seed=1)",
    "docs": "import material, mkdocs.commands.build, mkdocstrings_handlers.python",
    "openspiel": "import pyspiel, tefuda.interop.openspiel; pyspiel.load_game('tefuda_kuhn').new_initial_state()",
    "ray": f"import tefuda; tefuda.match({PAIR}, ray='local')",
    "gpu": "import numba_cuda",
    "examples": "import sb3_contrib, nbclient, ipykernel",
    "peers": "import jax, pgx, rlcard, pygame",
    "dev": "import pytest, xdist, hypothesis, ruff, mypy, httpx, playwright, axe_playwright_python, pyspiel, mahjong;"
    "import riichienv, tree",
}
BRINGS = {  # extras that another one brings along
    "dev": {"openspiel"},
    "examples": {"train", "report"},
    "peers": {"environments"},
}
HEAVY = {"train", "ray", "gpu", "examples", "peers", "dev"}


def run(*words, **options) -> str:
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> tuple[Path, Path]:
    """The sdist of what git knows here, and the wheel that is made from the sdist alone."""
    folder = tmp_path_factory.mktemp("built")
    source = folder / "source"
    for name in run("git", "ls-files", cwd=ROOT).splitlines():
        if name.startswith("src/") or "/" not in name:
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_bytes((ROOT / name).read_bytes())
    code = f"from setuptools.build_meta import build_sdist; print(build_sdist({str(folder)!r}))"
    sdist = folder / run(sys.executable, "-c", code, cwd=source).splitlines()[-1]
    run(*PIP, "wheel", "--no-deps", "--no-index", "--no-build-isolation", "--wheel-dir", folder / "wheels", sdist)
    (wheel,) = (folder / "wheels").iterdir()
    return sdist, wheel


def empty(folder: Path) -> tuple[Path, Path]:
    """A new environment: its programs, and its libraries."""
    run(sys.executable, "-m", "venv", "--without-pip", folder)
    (packages,) = folder.rglob("site-packages")
    return folder / ("Scripts" if os.name == "nt" else "bin"), packages


def install(programs: Path, wheel: Path, extra: str) -> str:
    """Let pip install the wheel with an extra; why it could not, or nothing."""
    wanted = f"tefuda{extra and f'[{extra}]'} @ {wheel.as_uri()}"
    options = ["--no-compile", "--only-binary", ":all:", "--no-binary", "rlcard", "-c", ROOT / "requirements.lock"]
    command = map(str, (*PIP, "--python", programs / "python", "install", *options, wanted))
    done = subprocess.run(list(command), capture_output=True, text=True, check=False)
    return done.stderr if done.returncode else ""


@pytest.fixture(scope="module")
def installed(built, tmp_path_factory) -> tuple[Path, bool]:
    """The folder of programs of an empty environment with the wheel in it, and whether its libraries came from the
    index."""
    programs, packages = empty(tmp_path_factory.mktemp("install") / "fresh")
    problem = install(programs, built[1], "")
    if NO_NETWORK.search(problem):
        run(*PIP, "--python", programs / "python", "install", "--no-deps", "--no-index", built[1])
        (packages / "libraries.pth").write_text(f"{Path(np.__file__).parents[1]}\n", encoding="utf-8")
        return programs, False
    assert problem == ""
    return programs, True


OUTSIDE = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}


@pytest.fixture
def tefuda(installed, tmp_path):
    return lambda *words, program="tefuda": run(installed[0] / program, *words, cwd=tmp_path, env=OUTSIDE)


@pytest.mark.full
def test_every_file_is_in_the_wheel_and_in_the_sdist(built):
    """Policies, models, pages, templates, texts: all that git knows of the package."""
    sdist, wheel = built
    tracked = {name.removeprefix("src/") for name in run("git", "ls-files", "src/tefuda", cwd=ROOT).splitlines()}
    assert {Path(name).suffix for name in tracked} >= {".py", ".npz", ".js", ".css", ".html", ".md", ".txt", ".json"}
    assert tracked - set(zipfile.ZipFile(wheel).namelist()) == set()
    with tarfile.open(sdist) as archive:
        inside = {name.partition("/")[2] for name in archive.getnames()}
    assert {f"src/{name}" for name in tracked} - inside == set()
    assert {"LICENSE", "README.md", "requirements.lock", "pyproject.toml"} <= inside


@pytest.mark.full
def test_it_runs_where_nothing_else_is(tefuda, installed, tmp_path):
    told = tefuda("-c", "import tefuda; print(tefuda.FOLDER)", program="python")
    assert Path(told.strip()).is_relative_to(installed[0].parent)
    games = {path.parent.name for path in (ROOT / "src/tefuda/games").glob("*/__init__.py")}
    assert {each["name"] for each in json.loads(tefuda("games", "--json"))} == games
    result = json.loads(tefuda("match", "koikoi", "pg-linear", "champion", "--deals", "5", "--json"))
    assert [row["name"] for row in result["players"]] == ["pg-linear", "champion"]
    assert result["commit"].startswith("v")  # there is no commit: it names its version
    assert "unchanged" in tefuda("check", "kuhn")  # its golden playthrough is there
    assert "--port" in tefuda("web", "--help")
    tefuda("new", "player", "mine")
    assert (tmp_path / "mine.py").is_file()


@pytest.mark.full
@pytest.mark.parametrize("extra", EXTRAS)
def test_an_extra_brings_what_it_is_for(extra, built, installed, tmp_path):
    """On top of the package, which lends its libraries; the doctor sees this extra and misses the others."""
    if not installed[1]:
        pytest.skip("NO NETWORK: extras come from the package index")
    if extra in HEAVY and "TEFUDA_HEAVY_EXTRAS" not in os.environ:
        pytest.skip("HEAVY: tried with TEFUDA_HEAVY_EXTRAS=1; the other tests use it in this environment")
    programs, packages = empty(tmp_path / "more")
    (base,) = installed[0].parent.rglob("site-packages")
    (packages / "base.pth").write_text(f"{base}\n", encoding="utf-8")
    python, code = programs / "python", EXTRAS[extra]
    without = subprocess.run([str(python), "-c", code], env=OUTSIDE, cwd=tmp_path, capture_output=True, check=False)
    assert without.returncode != 0, "it runs without the extra"
    assert install(programs, built[1], extra) == ""
    run(python, "-c", code, env=OUTSIDE, cwd=tmp_path)
    told = json.loads(run(python, "-m", "tefuda", "doctor", "--json", env=OUTSIDE, cwd=tmp_path))["findings"]
    found = {each["what"]: each["state"] for each in told}
    assert {found[name] for name in ("tefuda", "Python", "numpy", "numba")} == {"good"}
    here = {
        name.removeprefix("extra ") for name, state in found.items() if name.startswith("extra ") and state == "good"
    }
    assert here <= {extra, *BRINGS.get(extra, ())}
    assert extra in here or f"extra {extra}" not in found  # the doctor does not speak of tools


def test_every_extra_is_tried():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert set(EXTRAS) == set(project["optional-dependencies"])


# --- the lock ---


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def pins() -> dict[str, str]:
    lines = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    return {plain(name): number for name, _, number in (line.partition("==") for line in lines) if number}


def applies(requirement: Requirement, extras: set[str], python: str) -> bool:
    if requirement.marker is None:
        return True
    system = {"python_version": python, "python_full_version": f"{python}.0", "sys_platform": "linux",
              "platform_system": "Linux", "platform_machine": "x86_64", "os_name": "posix"}  # fmt: skip
    return any(requirement.marker.evaluate({**system, "extra": extra}) for extra in extras or {""})


def closure(wanted: list[str], python: str) -> tuple[set[str], list[str]]:
    """All packages that some requirements bring, by what is installed here, and those that no pin fits."""
    pinned, done, wrong = pins(), set(), []
    waiting = [Requirement(each) for each in wanted]
    while waiting:
        one = waiting.pop()
        name, place = plain(one.name), (plain(one.name), tuple(sorted(one.extras)))
        if place in done or name.startswith(("nvidia-", "cuda-")) or name == "triton":  # torch with CUDA brings these
            continue
        done.add(place)
        if name not in pinned or not one.specifier.contains(pinned[name], prereleases=True):
            wrong.append(f"{one} (Python {python})")
        try:
            more = [Requirement(each) for each in requires(one.name) or []]
        except PackageNotFoundError:  # not of this environment: another Python needs it
            continue
        waiting += [each for each in more if applies(each, set(one.extras), python)]
    return {name for name, _ in done}, wrong


@pytest.mark.parametrize("python", PYTHONS)
def test_the_lock_has_a_pin_for_whatever_an_extra_brings(python):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = {"": project["dependencies"], **project["optional-dependencies"]}
    for extra, packages in extras.items():
        if extra not in UNPINNED:
            found, wrong = closure(packages, python)
            assert len(found) >= len(packages)
            assert wrong == [], f"extra {extra}"
    assert f"Programming Language :: Python :: {python}" in project["classifiers"]
