"""The cache of compiled code: compiled once, never old rules, and never a reason to fail."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import tefuda
from tefuda.errors import Problem
from tefuda.kernel import cache as kept
from tefuda.kernel.compile import COMPILED

pytestmark = [
    pytest.mark.skipif(not COMPILED, reason="nothing is compiled, so nothing is kept"),
    pytest.mark.slow,  # processes of their own
]

ANNOUNCED = "tefuda: compiling for this machine"
SMALL = "from tefuda.kernel.random import stream; print(int(stream(1, 2, 3, 4)))"  # two kernels: quick to compile


def python(*arguments, cache, **environment) -> subprocess.CompletedProcess[str]:
    """A fresh process with a cache folder of its own choice."""
    surroundings = {**os.environ, "TEFUDA_CACHE": str(cache), **environment}
    done = subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, env=surroundings, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done


def compiled(done: subprocess.CompletedProcess[str]) -> bool:
    """Whether a process has compiled anything; it says nothing else on standard error."""
    lines = done.stderr.splitlines()
    assert all(line.startswith(ANNOUNCED) for line in lines), done.stderr
    assert len(lines) <= 1
    return len(lines) == 1


@pytest.fixture(scope="module")
def expected() -> str:
    """What SMALL prints when nothing is compiled."""
    script = [sys.executable, "-W", "ignore", "-c", SMALL]
    return subprocess.run(
        script, capture_output=True, text=True, env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, check=True
    ).stdout


@pytest.fixture(scope="module")
def filled(tmp_path_factory, expected) -> Path:
    """A cache that one process has filled."""
    cache = tmp_path_factory.mktemp("cache")
    done = python("-c", SMALL, cache=cache)
    assert compiled(done)
    assert done.stdout == expected
    return cache


@pytest.fixture
def warm(filled, tmp_path) -> Path:
    """A copy of it, to do with as one likes."""
    return shutil.copytree(filled, tmp_path / "cache")


def files_of(cache: Path) -> list[Path]:
    return sorted(path for path in cache.rglob("*") if path.is_file())


# --- kept from process to process ---


def test_a_small_kernel_is_compiled_once(warm, expected):
    before = {path: path.read_bytes() for path in files_of(warm)}
    assert before
    done = python("-c", SMALL, cache=warm)
    assert not compiled(done)
    assert done.stdout == expected
    assert {path: path.read_bytes() for path in files_of(warm)} == before


@pytest.mark.full
def test_processes_that_compile_at_the_same_time_do_not_disturb_each_other(tmp_path, expected):
    environment = {**os.environ, "TEFUDA_CACHE": str(tmp_path)}
    command = [sys.executable, "-c", SMALL]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) for _ in range(2)]
    assert [process.communicate(timeout=100)[0] for process in processes] == [expected] * 2
    assert not compiled(python("-c", SMALL, cache=tmp_path))


def test_the_cache_lies_in_the_cache_folder_of_the_user(tmp_path, expected):
    environment = {key: value for key, value in os.environ.items() if key != "TEFUDA_CACHE"}
    environment["XDG_CACHE_HOME"] = str(tmp_path)
    done = subprocess.run([sys.executable, "-c", SMALL], capture_output=True, text=True, env=environment, check=True)
    assert done.stdout == expected
    assert [path.name for path in tmp_path.iterdir()] == ["tefuda"]


def test_nothing_is_kept_when_nothing_is_compiled(tmp_path, expected):
    done = python("-W", "ignore", "-c", SMALL, cache=tmp_path, NUMBA_DISABLE_JIT="1")
    assert done.stdout == expected
    assert not compiled(done)
    assert files_of(tmp_path) == []


# --- damage ---


@pytest.mark.full
@pytest.mark.parametrize("damage", ["empty", "half", "text", "one bit"])
def test_a_damaged_file_is_compiled_again(damage, warm, expected):
    for path in files_of(warm):
        whole = path.read_bytes()
        bit = bytes([whole[-9] ^ 4])
        damaged = {"empty": b"", "half": whole[: len(whole) // 2], "text": b"not compiled code\n" * 50}
        path.write_bytes(damaged.get(damage, whole[:-9] + bit + whole[-8:]))
    done = python("-c", SMALL, cache=warm)
    assert done.stdout == expected
    assert compiled(done)
    again = python("-c", SMALL, cache=warm)
    assert again.stdout == expected
    assert not compiled(again), "the damaged file was not replaced"


@pytest.mark.full
@pytest.mark.parametrize("cache", ["/proc/nowhere", "file in the way"])
def test_an_unwritable_folder_costs_only_time(cache, tmp_path, expected):
    """The temporary folder that takes its place is gone with the process."""
    if cache == "file in the way":
        cache = tmp_path / "cache"
        cache.write_text("")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    done = python("-c", SMALL, cache=cache, TMPDIR=str(temporary))
    assert done.stdout == expected
    assert compiled(done)
    assert list(temporary.iterdir()) == []


# --- edited sources ---


def copy_of_kuhn(folder: Path) -> Path:
    """Kuhn poker as a game of one's own."""
    shutil.copytree(tefuda.FOLDER / "games" / "kuhn", folder, ignore=shutil.ignore_patterns("__pycache__", "*.md"))
    for path in folder.glob("*.py"):
        text = path.read_text(encoding="utf-8").replace("from tefuda.games.kuhn import", "from . import")
        text = text.replace("tefuda.games.kuhn.", ".").replace('name="kuhn"', 'name="little-poker"')
        path.write_text(text, encoding="utf-8")
    return folder


def test_an_edited_rule_of_an_own_game_is_played_at_once(tmp_path):
    """The lowest card wins from now on, by the same compiled loops; the truth is told by uncompiled play."""
    game = copy_of_kuhn(tmp_path / "little_poker")

    def play(**environment):
        arguments = ["-m", "tefuda", "match", str(game), "equilibrium", "always-bet", "--deals", "40", "--json"]
        return python("-W", "ignore", *arguments, cache=tmp_path / "cache", **environment)

    first = play()
    assert compiled(first)
    rules = game / "rules.py"
    before = rules.read_text(encoding="utf-8")
    after = before.replace("state.card[0] > state.card[1]", "state.card[0] < state.card[1]")
    assert after != before
    rules.write_text(after, encoding="utf-8")
    second = play()
    assert compiled(second)
    assert json.loads(second.stdout)["players"] != json.loads(first.stdout)["players"]
    assert second.stdout == play(NUMBA_DISABLE_JIT="1").stdout
    rules.write_text(before, encoding="utf-8")
    back = play()
    assert back.stdout == first.stdout
    assert not compiled(back)  # what the first process compiled is still there


def own_kernels(folder: Path, gain: str) -> Path:
    """A little package laid out as Koi-Koi is: rules beside a folder of players, which call the rules' kernels."""
    (folder / "own" / "players").mkdir(parents=True, exist_ok=True)
    (folder / "own" / "__init__.py").write_text("")
    (folder / "own" / "players" / "__init__.py").write_text("")
    (folder / "own" / "rules.py").write_text(
        f"from tefuda.kernel.compile import kernel\n\n@kernel\ndef gain(x):\n    return {gain}\n"
    )
    (folder / "own" / "players" / "search.py").write_text(PLAYERS)
    return folder


PLAYERS = """
from own.rules import gain
from tefuda.kernel.compile import kernel


@kernel
def choose(x):
    return 10 * gain(x)


def closure_of(inner):
    def outer(x):
        return 100 * inner(x)

    return kernel(outer)
"""


def test_an_edited_kernel_is_seen_by_kernels_that_call_it(tmp_path):
    """By itself, by a kernel in a folder below, and by a closure there."""
    script = (
        "import own.rules, own.players.search as players;"
        "print(own.rules.gain(1), players.choose(1), players.closure_of(own.rules.gain)(1))"
    )
    path = os.pathsep.join(filter(None, [str(tmp_path), os.environ.get("PYTHONPATH")]))
    for gain, said in (("x + 1", "2 20 200"), ("x + 5", "6 60 600")):
        own_kernels(tmp_path, gain)
        done = python("-B", "-c", script, cache=tmp_path / "cache", PYTHONPATH=path)
        assert done.stdout.strip() == said


@pytest.mark.full
def test_an_edited_game_of_the_package_is_seen_by_an_own_game_that_uses_it(tmp_path):
    """A variant of one's own may call the kernels of a game that comes with the package."""
    package = tmp_path / "package" / "tefuda"
    shutil.copytree(tefuda.FOLDER, package, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "variant.py").write_text(
        "from tefuda.games.koikoi.rules import month_of\nfrom tefuda.kernel.compile import kernel\n\n"
        "@kernel\ndef month(card):\n    return month_of(card)\n"
    )
    path = os.pathsep.join([str(package.parent), str(tmp_path / "own")])
    script = "import tefuda, variant; print(tefuda.FOLDER, int(variant.month(5)))"
    first = python("-B", "-c", script, cache=tmp_path / "cache", PYTHONPATH=path)
    assert first.stdout.split() == [str(package), str(15 << 4)]
    rules = package / "games" / "koikoi" / "rules.py"
    text = rules.read_text(encoding="utf-8")
    assert "np.uint64(15) << np.uint64(4 * (card // 4))" in text
    rules.write_text(text.replace("np.uint64(15) <<", "np.uint64(7) <<"), encoding="utf-8")
    second = python("-B", "-c", script, cache=tmp_path / "cache", PYTHONPATH=path)
    assert second.stdout.split() == [str(package), str(7 << 4)]


def test_an_edit_that_changes_no_kernel_compiles_nothing(tmp_path):
    """A comment, a docstring, a function beside it, another folder and another time are not what is compiled."""
    path = os.environ.get("PYTHONPATH", "")

    def run(folder: Path) -> subprocess.CompletedProcess[str]:
        places = os.pathsep.join(filter(None, [str(folder), path]))
        return python("-B", "-c", "import own.rules; print(own.rules.gain(1))", cache=tmp_path / "c", PYTHONPATH=places)

    assert compiled(run(own_kernels(tmp_path / "here", "x + 1")))
    elsewhere = own_kernels(tmp_path / "elsewhere", "x + 1")
    rules = elsewhere / "own" / "rules.py"
    text = rules.read_text().replace("    return", '    """What is won."""\n    # one more\n    return')
    rules.write_text(f"# A comment.\nimport math\n\n\ndef beside():\n    return math.pi\n\n\n{text}")
    done = run(elsewhere)
    assert done.stdout.strip() == "2"
    assert not compiled(done)


# --- carried to another machine ---


def test_a_packed_cache_is_unpacked_elsewhere_and_compiles_nothing(warm, tmp_path, expected, monkeypatch):
    places = iter((warm, tmp_path / "other"))
    monkeypatch.setattr(kept, "folder", lambda: place / "compiled")
    place = next(places)
    number = kept.pack(tmp_path / "packed.tar.xz")
    assert number == len(files_of(warm)) > 0
    place = next(places)
    (place / "compiled").mkdir(parents=True)
    assert kept.unpack(tmp_path / "packed.tar.xz") == number
    done = python("-c", SMALL, cache=place)
    assert done.stdout == expected
    assert not compiled(done)


@pytest.mark.parametrize("content", [b"", b"no archive", None])
def test_what_is_no_archive_gets_one_clear_line(content, tmp_path):
    path = tmp_path / "packed.tar.xz"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(Problem, match="is not an archive of compiled code, or it cannot be read"):
        kept.unpack(path)


# --- one signature ---


def test_a_kernel_is_compiled_once_for_all_whole_numbers(tmp_path):
    """Narrow fields and literals are made wide where a kernel is called, by Python and by other kernels."""
    folder = own_kernels(tmp_path, "x + 1")
    script = (
        "import numpy as np, own.rules, own.players.search as players;"
        "print([int(own.rules.gain(each(7))) for each in (int, np.int8, np.int32, np.uint8, np.uint16)]);"
        "print(len(own.rules.gain.overloads))"
    )
    path = os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH")]))
    done = python("-c", script, cache=tmp_path / "cache", PYTHONPATH=path)
    assert done.stdout.splitlines() == ["[8, 8, 8, 8, 8]", "1"]
