"""The cache of compiled code: compiled once, never old rules, and never a reason to fail."""

import io
import json
import os
import pickle
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

import tefuda
from tefuda.errors import Problem
from tefuda.kernel import cache
from tefuda.kernel.compile import COMPILED

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not COMPILED, reason="nothing is compiled, so nothing is kept")]

ANNOUNCED = "tefuda: compiling for this machine"
SMALL = "from tefuda.kernel.random import stream; print(int(stream(1, 2, 3, 4)))"  # two kernels: quick to compile
CLOSURES = """
import sys
from tefuda.kernel.compile import kernel

def made(step):
    def inner(x):
        return x + step
    inner = kernel(inner)
    def outer(x):
        return 10 * inner(x)
    return kernel(outer)

kernels = [made(int(step)) for step in sys.argv[1:]]
print(*(int(each(1)) for each in kernels))
print(len({each.address(*each.signatures[0]) for each in kernels}), "addresses")
"""


def python(*arguments: str, cache: Path | str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A fresh process with a cache folder of its own choice."""
    surroundings = {**os.environ, "TEFUDA_CACHE": str(cache), **environment}
    done = subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, env=surroundings, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done


def told(done: subprocess.CompletedProcess[str]) -> dict:
    """All that a match says, but for how long it took."""
    return {**json.loads(done.stdout), "seconds": 0}


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


def files_of(folder: Path) -> list[Path]:
    """All files but the translations, which only compiling needs."""
    return sorted(path for path in folder.rglob("*") if path.is_file() and path.parent.name != cache.TRANSLATED)


def contents_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in files_of(folder)}


# --- kept from process to process ---


def test_a_kernel_is_compiled_once_and_loaded_by_the_next_process(tmp_path, expected):
    """One file: the kernel that Python called, with all that it calls."""
    first = python("-c", SMALL, cache=tmp_path)
    assert compiled(first)
    before = contents_of(tmp_path)
    assert [name.rpartition("-")[0] for name in before] == ["tefuda.kernel.random.stream"]
    second = python("-c", SMALL, cache=tmp_path)
    assert not compiled(second)
    assert first.stdout == second.stdout == expected
    assert contents_of(tmp_path) == before


def test_processes_that_compile_at_the_same_time_do_not_disturb_each_other(tmp_path, expected):
    environment = {**os.environ, "TEFUDA_CACHE": str(tmp_path)}
    command = [sys.executable, "-c", SMALL]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) for _ in range(2)]
    assert [process.communicate(timeout=100)[0] for process in processes] == [expected] * 2
    assert len(files_of(tmp_path)) == 1
    assert not compiled(python("-c", SMALL, cache=tmp_path))


def test_kernels_of_one_name_that_two_processes_compiled_do_not_take_each_others_code(tmp_path):
    """In each of them the kernel was the first of its name, for the same types: only the content tells them apart."""
    for step, said in (("1", "20"), ("2", "30")):
        done = python("-c", CLOSURES, step, cache=tmp_path)
        assert compiled(done)
        assert done.stdout.splitlines() == [said, "1 addresses"]
    for steps, said in (("1", "2"), "20 30"), (("2", "1"), "30 20"):
        done = python("-c", CLOSURES, *steps, cache=tmp_path)
        assert not compiled(done)
        assert done.stdout.splitlines() == [said, "2 addresses"]
    mixed = python("-c", CLOSURES, "2", "3", "1", cache=tmp_path)  # one of them compiled, between two that are loaded
    assert mixed.stdout.splitlines() == ["30 40 20", "3 addresses"]


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


# --- translations, which are kept for processes that compile more ---

LAYERS = """
import sys
from tefuda.kernel import compiled
from tefuda.kernel.compile import kernel

step, earlier = int(sys.argv[1]), int(sys.argv[2])
made = []
translate = compiled._InnerCompiler.compile

def told(self, *arguments):
    made.append(self.py_func.__name__)
    return translate(self, *arguments)

compiled._InnerCompiler.compile = told

for _ in range(earlier):  # Numba numbers functions as they come: later ones have other symbols
    kernel(lambda x: x)(0)

@kernel
def low(x):
    return 3 * max(x, 2)

@kernel
def middle(x):
    return low(x) + 1

def outer(x):
    return middle(x) + 100 * step

print(int(kernel(outer)(5)), *made)
"""


def test_what_was_translated_is_not_translated_again(tmp_path):
    """Each process compiles an entry of its own, on the same inner kernels."""
    kept = tmp_path / "kept"
    run = [python("-c", LAYERS, str(step), "0", cache=kept).stdout.split() for step in (1, 2)]
    assert [words[0] for words in run] == ["116", "216"]
    assert [sorted(words[1:]) for words in run] == [["low", "middle"], []]
    files = {path.name.partition("-")[0]: path for path in (kept / "compiled" / cache.TRANSLATED).iterdir()}
    assert sorted(files) == ["__main__.low", "__main__.middle"]
    foreign = pickle.dumps({"not": "a translation"})
    files["__main__.low"].write_bytes(b"damaged")
    files["__main__.middle"].write_bytes(cache.hashlib.sha256(foreign).digest() + foreign)
    run = [python("-c", LAYERS, str(step), "0", cache=kept).stdout.split() for step in (3, 4)]
    assert [words[0] for words in run] == ["316", "416"]
    assert [sorted(words[1:]) for words in run] == [["low", "middle"], []], "what was damaged is not replaced"


def test_translations_of_two_processes_that_do_not_fit_are_made_anew(tmp_path):
    """As when two processes translate at the same time, and one file is the first's and the other the second's."""
    for folder, earlier in (("one", "0"), ("two", "9")):
        python("-c", LAYERS, "1", earlier, cache=tmp_path / folder)
    one, two = (tmp_path / folder / "compiled" / cache.TRANSLATED for folder in ("one", "two"))
    low = next(path for path in one.iterdir() if ".low" in path.name)
    assert (two / low.name).read_bytes() != low.read_bytes()
    shutil.copy(two / low.name, low)
    assert python("-c", LAYERS, "2", "0", cache=tmp_path / "one").stdout.split() == ["216", "middle"]


# --- damage ---


def test_damaged_and_foreign_files_are_compiled_again(tmp_path):
    """Empty, cut off, changed, somebody else's text, another kernel's code, something else than code, and gone."""
    steps = [str(step) for step in range(8)]
    said = [" ".join(str(10 * (1 + step)) for step in range(8)), "8 addresses"]
    assert python("-c", CLOSURES, *steps, cache=tmp_path).stdout.splitlines() == said
    files = files_of(tmp_path)
    assert len(files) == 8
    whole = files[0].read_bytes()
    foreign = pickle.dumps({"not": "compiled code"})
    for path, content in zip(
        files,
        [
            b"", whole[: len(whole) // 2], whole[:-1] + bytes([whole[-1] ^ 1]), b"not compiled code\n" * 50, whole[:32],
            cache.hashlib.sha256(foreign).digest() + foreign, cache.hashlib.sha256(b"junk").digest() + b"junk",
        ],
        strict=False,
    ):  # fmt: skip
        path.write_bytes(content)
    files[7].unlink()
    again = python("-c", CLOSURES, *steps, cache=tmp_path)
    assert again.stdout.splitlines() == said
    assert compiled(again)
    assert files_of(tmp_path) == files
    assert all(cache.whole(path.read_bytes()) for path in files)
    last = python("-c", CLOSURES, *steps, cache=tmp_path)
    assert last.stdout.splitlines() == said
    assert not compiled(last), "a damaged file was not replaced"


@pytest.mark.parametrize("place", ["/proc/nowhere", "file in the way"])
def test_an_unwritable_folder_costs_only_time(place, tmp_path, expected):
    """The temporary folder that takes its place is gone with the process."""
    if place == "file in the way":
        place = str(tmp_path / "cache")
        Path(place).write_text("")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    done = python("-c", SMALL, cache=place, TMPDIR=str(temporary))
    assert done.stdout == expected
    assert compiled(done)
    assert list(temporary.iterdir()) == []


def test_a_full_disk_costs_only_time(tmp_path, expected):
    """Here no file may grow beyond 4 kB; nothing of what could not be written stays behind."""
    limit = (
        "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096));"
    )
    done = python("-B", "-c", limit + SMALL, cache=tmp_path)
    assert done.stdout == expected
    assert compiled(done)
    assert files_of(tmp_path) == []


# --- edited sources ---


def copy_of_package(folder: Path) -> Path:
    return shutil.copytree(tefuda.FOLDER, folder / "tefuda", ignore=shutil.ignore_patterns("__pycache__"))


def change(path: Path, before: str, after: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert before in text, path
    path.write_text(text.replace(before, after), encoding="utf-8")


def test_only_what_a_kernel_can_reach_compiles_it_anew(tmp_path):
    """A match of Kuhn poker, by a copy of the package that lies elsewhere and is edited."""
    kept = tmp_path / "cache"

    def play(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
        words = ["-m", "tefuda", "match", "kuhn", "random", "always-bet", "--deals", "40", "--json"]
        return python("-B", "-W", "ignore", *words, cache=kept, PYTHONPATH=str(folder), **environment)

    copy_of_package(tmp_path / "one")
    first = play(tmp_path / "one")
    assert compiled(first)
    before = contents_of(kept)

    package = copy_of_package(tmp_path / "two")
    for path in package.rglob("*.py"):  # another time, other lines, another docstring
        text = path.read_text(encoding="utf-8")
        text = re.sub(r'(\n *def \w+\([^()]*\):\n +""")', r"\1Edited. ", text)
        path.write_text(f"# a comment\n\n{text}", encoding="utf-8")
    rules = package / "games" / "kuhn" / "rules.py"
    assert '"""Edited. ' in rules.read_text(encoding="utf-8")
    for place in ("learn/training.py", "games/kuhn/text.py", "terminal/play.py"):
        with (package / place).open("a", encoding="utf-8") as file:
            file.write("\n\nNEW = 1\n\n\ndef new() -> int:\n    return NEW\n")
    second = play(package.parent)
    assert not compiled(second)
    assert told(second) == told(first)
    assert contents_of(kept) == before

    change(rules, "state.card[0] > state.card[1]", "state.card[0] < state.card[1]")
    third = play(package.parent)
    assert compiled(third)
    assert json.loads(third.stdout)["players"] != json.loads(first.stdout)["players"]
    assert told(third) == told(play(package.parent, NUMBA_DISABLE_JIT="1"))
    back = play(tmp_path / "one")
    assert told(back) == told(first)
    assert not compiled(back)  # what the first process compiled is still there


OWN = """
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
    """By itself, by a kernel in a folder below, and by a closure there; and what it reads from another module."""
    (tmp_path / "own" / "players").mkdir(parents=True)
    (tmp_path / "own" / "__init__.py").write_text("")
    (tmp_path / "own" / "players" / "__init__.py").write_text(OWN)
    rules = "from own import cards\nfrom tefuda.kernel.compile import kernel\n\n@kernel\ndef gain(x):\n    return {}\n"
    script = (
        "import own.rules, own.players as players;"
        "print(own.rules.gain(1), players.choose(1), players.closure_of(own.rules.gain)(1))"
    )
    path = os.pathsep.join(filter(None, [str(tmp_path), os.environ.get("PYTHONPATH")]))
    for constant, gain, said in (
        ("BRIGHTS = 1", "x + cards.BRIGHTS", "2 20 200"),
        ("BRIGHTS = 5", "x + cards.BRIGHTS", "6 60 600"),
        ("BRIGHTS = 5", "x - cards.BRIGHTS", "-4 -40 -400"),
        ("import numpy as np\nBRIGHTS = np.array([5, 6])", "x + cards.BRIGHTS[1]", "7 70 700"),
        ("import numpy as np\nBRIGHTS = np.array([5, 7])", "x + cards.BRIGHTS[1]", "8 80 800"),
    ):
        (tmp_path / "own" / "cards.py").write_text(constant)
        (tmp_path / "own" / "rules.py").write_text(rules.format(gain))
        done = python("-B", "-c", script, cache=tmp_path / "cache", PYTHONPATH=path)
        assert done.stdout.strip() == said
        assert compiled(done)


SEATED = """
import numpy as np
from tefuda import games
from tefuda.arena.match import match
from tefuda.contract import Policy, plain_parameters
from tefuda.kernel import cache
from tefuda.kernel.compile import kernel
from tefuda.players.entrant import Entrant

KUHN = games.find("kuhn")

def player(action):
    def choose(view, seat, params, rng, mask, worlds, numbers):
        return action
    return Entrant(f"always {action}", Policy("own", kernel(choose), plain_parameters), np.zeros(0))

def new(before=set()):
    names = {path.name for path in cache.files()}
    found = sorted(name.rpartition("-")[0].rpartition(".")[2] for name in names - before)
    before |= names
    return " ".join(found)

for players in (["random", player(0)], ["random", player(1)], [player(1), player(0)], ["random", "pimc"]):
    match(KUHN, players, 3)
    print(new())
"""


def test_seating_another_player_compiles_that_player_and_not_the_game(tmp_path):
    done = python("-c", SEATED, cache=tmp_path)
    assert done.stdout.splitlines() == ["entry entry play_deals", "entry", "", "entry"]
    assert not compiled(python("-c", SEATED, cache=tmp_path))


@pytest.mark.full
def test_an_edited_rule_of_an_own_game_is_played_at_once(tmp_path):
    """The lowest card wins from now on, by the same compiled loops; the truth is told by uncompiled play."""
    game = tmp_path / "little_poker"
    shutil.copytree(tefuda.FOLDER / "games" / "kuhn", game, ignore=shutil.ignore_patterns("__pycache__", "*.md"))
    for path in game.glob("*.py"):
        text = path.read_text(encoding="utf-8").replace("from tefuda.games.kuhn import", "from . import")
        text = text.replace("tefuda.games.kuhn.", ".").replace('name="kuhn"', 'name="little-poker"')
        path.write_text(text, encoding="utf-8")

    def play(**environment: str) -> subprocess.CompletedProcess[str]:
        arguments = ["-m", "tefuda", "match", str(game), "equilibrium", "always-bet", "--deals", "40", "--json"]
        return python("-W", "ignore", *arguments, cache=tmp_path / "cache", **environment)

    first = play()
    assert compiled(first)
    change(game / "rules.py", "state.card[0] > state.card[1]", "state.card[0] < state.card[1]")
    second = play()
    assert compiled(second)
    assert json.loads(second.stdout)["players"] != json.loads(first.stdout)["players"]
    assert told(second) == told(play(NUMBA_DISABLE_JIT="1"))
    change(game / "rules.py", "state.card[0] < state.card[1]", "state.card[0] > state.card[1]")
    back = play()
    assert told(back) == told(first)
    assert not compiled(back)


@pytest.mark.full
def test_games_that_two_processes_compile_at_once_are_the_same(tmp_path):
    """The same match by two processes, and another one that shares its kernels; a third compiles nothing."""
    environment = {**os.environ, "TEFUDA_CACHE": str(tmp_path)}

    def command(*players: str) -> list[str]:
        return [sys.executable, "-m", "tefuda", "match", "saichugen", *players, "--deals", "20", "--json"]

    pairs = [("S-base", "random"), ("S-base", "random"), ("random", "S-base")]
    processes = [subprocess.Popen(command(*pair), stdout=subprocess.PIPE, text=True, env=environment) for pair in pairs]
    said = [{**json.loads(process.communicate(timeout=300)[0]), "seconds": 0} for process in processes]
    assert [process.returncode for process in processes] == [0, 0, 0]
    assert said[0] == said[1]
    for pair, before in zip(pairs, said, strict=True):
        again = subprocess.run(command(*pair), capture_output=True, text=True, env=environment, check=True)
        assert told(again) == before
        assert not compiled(again)


# --- carried elsewhere ---


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """A cache of this process's own, with three files of code that is none."""
    place = tmp_path / "cache"
    place.mkdir()
    monkeypatch.setattr(cache, "folder", lambda: place)
    for number in range(3):
        cache.save(f"code-{number}", {"number": number})
    return place


def test_what_is_saved_is_loaded(folder):
    assert cache.load("code-1") == {"number": 1}
    assert cache.load("code-9") is None
    assert [path.name for path in cache.files()] == ["code-0", "code-1", "code-2"]


def test_a_filled_folder_that_cannot_be_written_to_is_read(folder, tmp_path, monkeypatch):
    """As on a cluster, where one installs and all use: what is missing there goes into a folder of this process."""
    shared = tmp_path / "home"
    shutil.copytree(folder, shared / "compiled")
    own = tmp_path / "own"
    own.mkdir()
    monkeypatch.setenv("TEFUDA_CACHE", str(shared))
    monkeypatch.setattr(cache, "folder", lambda: own)
    assert cache.load("code-1") == {"number": 1}
    cache.save("code-3", {"number": 3})
    assert cache.load("code-3") == {"number": 3}
    assert len(list((shared / "compiled").iterdir())) == 3


def test_a_packed_cache_is_unpacked_elsewhere(folder, tmp_path, monkeypatch):
    archive = tmp_path / "new folder" / "compiled.tar.xz"
    assert cache.pack(archive) == 3
    before = contents_of(folder)
    assert cache.clear() == 3
    assert cache.files() == []
    other = tmp_path / "other"
    other.mkdir()
    monkeypatch.setattr(cache, "folder", lambda: other)
    assert cache.unpack(archive) == 3
    assert contents_of(other) == before
    assert cache.pack(archive, cache.files()[:1]) == 1  # the archive is replaced
    cache.clear()
    assert cache.unpack(archive) == 1


def test_clearing_removes_what_killed_processes_left(folder):
    (folder / ".left").write_bytes(b"half")
    assert cache.clear() == 3
    assert list(folder.iterdir()) == []


def archive_of(path: Path, **contents: bytes) -> Path:
    with tarfile.open(path, "w:xz") as archive:
        for name, content in contents.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return path


def damaged(path: Path) -> Path:
    """The archive with one byte in its middle changed."""
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 255
    path.write_bytes(content)
    return path


def test_archives_that_are_none_are_refused_and_nothing_is_taken(folder, tmp_path):
    good = (folder / "code-0").read_bytes()
    cache.pack(tmp_path / "whole.xz")
    (tmp_path / "half.xz").write_bytes((tmp_path / "whole.xz").read_bytes()[:-100])
    (tmp_path / "text.xz").write_text("no archive")
    (tmp_path / "empty.xz").write_bytes(b"")
    cache.pack(tmp_path / "damaged.xz")
    before = contents_of(folder)
    for path in (
        tmp_path / "half.xz", tmp_path / "text.xz", tmp_path / "empty.xz", damaged(tmp_path / "damaged.xz"),
        archive_of(tmp_path / "foreign.xz", code=good, README=b"words"),
        archive_of(tmp_path / "above.xz", **{"../code": good}), archive_of(tmp_path / "hidden.xz", **{".code": good}),
    ):  # fmt: skip
        with pytest.raises(Problem, match=rf"{path.name} is not an archive of compiled code"):
            cache.unpack(path)
        assert contents_of(folder) == before
        assert not (folder.parent / "code").exists()
    with pytest.raises(Problem, match=r"cannot read .*nowhere\.xz: No such file or directory"):
        cache.unpack(tmp_path / "nowhere.xz")


def test_places_that_cannot_be_written_are_told(folder, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    with pytest.raises(Problem, match=r"cannot write .*compiled"):
        cache.pack(tmp_path / "file" / "compiled.tar.xz")
    (tmp_path / "taken").mkdir()
    with pytest.raises(Problem, match=r"cannot write .*taken"):
        cache.pack(tmp_path / "taken")
    assert list(tmp_path.glob(".*")) == []  # nothing half-written stays
    cache.pack(tmp_path / "compiled.tar.xz")
    monkeypatch.setattr(cache, "folder", lambda: tmp_path / "gone")
    with pytest.raises(Problem, match=r"cannot write to .*gone"):
        cache.unpack(tmp_path / "compiled.tar.xz")


def test_a_carried_cache_is_used(tmp_path, expected):
    """Another folder, as on another machine: nothing is compiled there."""
    python("-c", SMALL, cache=tmp_path / "here")
    archive = str(tmp_path / "compiled.tar.xz")
    python("-m", "tefuda", "cache", "pack", archive, cache=tmp_path / "here")
    python("-m", "tefuda", "cache", "unpack", archive, cache=tmp_path / "there")
    done = python("-c", SMALL, cache=tmp_path / "there")
    assert done.stdout == expected
    assert not compiled(done)
