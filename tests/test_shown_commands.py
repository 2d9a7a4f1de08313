"""Every command that a document shows is run, at a size that takes seconds.

The commands run one after another in one folder, as a reader would type them, with the files that the pages speak of.
Only sizes are made smaller. What is left out is named here, with the reason.
"""

import gzip
import re
import shlex
import shutil
from pathlib import Path
from zlib import crc32

import pytest
from typer.testing import CliRunner

from tefuda import games
from tefuda.cli import app
from tefuda.players.resolve import resolve
from tefuda.table.session import Session
from tests.games.mahjong.recorded import composed
from tests.shown import DOCUMENTS, ROOT, commands

ELSEWHERE = {  # commands that other tests run
    "demo": "tests/cli/test_command_line.py",
    "bench": "tests/cli/test_benchmarks.py",
    "cache": "tests/cli/test_cache.py",
    "reproduce": "tests/papers/test_demo.py",
    "mjai": "tests/interop",
    "web": "tests/web",
}
LONG = (
    "train mahjong penalty",  # it plays until every situation has its results: tests/learn/test_ends.py
    "train mahjong one-player --arg records",  # it takes records of many games: tests/learn/test_perceptron.py
    "check --thorough",  # many minutes for all games: tests/conformance/test_thorough.py has some of them
)
NEEDS_GPU = "--device cuda"
ANY = re.compile(r"\b(?!AABB|ABAB)[A-Z]{3,}\b")  # a word that stands for any other, as GAME

GAME_FILE = "games/koikoi-seed1-deal7.json"
STAND_INS = {  # such a word, here in its place: what is put there
    r"^show FILE": "show results/mine/policy.npz",
    r"games/FILE\.json|\bFILE\b": GAME_FILE,
    r"\bPAGE\.html": "results/page.html",
    r"\bFOLDER\b": "results/folder",
    r"^(check|exact|solve|train) GAME": r"\1 kuhn",
    r"\bGAME\b": "koikoi",
    r"^new (game|player) NAME": r"new \1 own_\1",
    r"\bKEY=VALUE": "rounds=1",
    r"\b(PLAYER|OPPONENT|ROW|COLUMN)\b": "random",
}
SMALLER = {  # what stands in a command: what is run instead
    r"--deals \d+": "--deals 2",
    r"--slow-deals \d+": "--slow-deals 2",
    r"--worlds \d+": "--worlds 20",
    r"--iterations \d+": "--iterations 10",
    r"--seconds \d+": "--seconds 1",
    r"decisions=\d+": "decisions=4000",
    r"actors=\d+": "actors=2",
    r"pack=small": "pack=tiny",
    r"docs/ladder": "results/ladder",
}
TINY = "--arg lanes=16 --arg steps=4 --arg batch=64 --arg units=8 --arg blocks=1"
MORE = {  # a command that would be long: what is added to it
    r"^(match|positions) (?!.*--deals)": "--deals 2",
    r"^ladder (?!.*--deals)": "--deals 2",
    r"^ladder (?!.*--slow-deals)": "--slow-deals 2",
    r"^ladder (koikoi|mahjong|tricks) ": "--players random,rule-based",
    r"^ladder saichugen ": "--players random,S-base",
    r"^exploit (?!.*--deals)": "--deals 2",
    r"^exploit (?!.*decisions=)": "--arg decisions=4000",
    r"^exploit|^train \S+ self-play": TINY,
    r"^train \S+ self-play (?!.*decisions=)": "--arg decisions=4000",
    r"^train koikoi pg-linear": "--arg episodes=200",
    r"^train tricks q-linear": "--arg games=100",
    r"^train saichugen learned": "--arg games=20 --arg points=1",
    r"^train mahjong one-player": "--arg games=10 --arg passes=1",
    r"^train mahjong (final-rank|others)": "--arg games=60",
    r"^train mahjong han": "--arg deals=200",
    r"^train (?!.*--list)": "--deals 0",
    r"^solve (?!.*--iterations)": "--iterations 10",
    r"^review (?!.*--worlds)": "--worlds 4",
}
WORDS = {
    "cache": 3,
    "new": 3,
    "records": 3,
    "train": 3,
}  # with fewer words a command is only named
DEAR = re.compile(r" --ray \w+")  # tests/kernel/test_cluster.py starts a cluster, once
# They write what others read, or read a folder before others write there.
FIRST = ("new ", "train koikoi self-play ", "review games ")


def is_meant(words: list[str]) -> bool:
    """Whether it can be typed and run here: more than a name, no GPU."""
    text = " ".join(words)
    named = len(words) < WORDS.get(words[0] if words else "", 2)
    elsewhere = words[:1] == [] or words[0] in ELSEWHERE or text.startswith(LONG) or NEEDS_GPU in text
    return not named and not elsewhere


def small(words: list[str]) -> str:
    """A command at a size that takes seconds, without words that stand for others."""
    text = DEAR.sub("", shlex.join(words))
    for pattern, instead in STAND_INS.items():
        text = re.sub(pattern, instead, text)
    for pattern, instead in SMALLER.items():
        text = re.sub(pattern, instead, text)
    for pattern, more in MORE.items():
        text += f" {more}" if re.search(pattern, text + " ") else ""
    if re.match("(train|solve|exploit) (?!.*(--out|--list))", text):
        text += f" --out results/{crc32(text.encode())}"  # each run has a folder of its own
    return text


def shown() -> list[str]:
    """Every command once; those whose files others read come first."""
    found = dict.fromkeys(small(words) for path in DOCUMENTS for words in commands(path) if is_meant(words))
    return sorted(found, key=lambda text: not text.startswith(FIRST))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A reader's folder, with the files that the pages speak of."""
    place: Path = tmp_path_factory.mktemp("reader")
    (place / "made").mkdir()  # for what `new` writes
    shutil.copy(ROOT / "examples" / "my_player.py", place)
    (place / "log.xml").write_text(composed(), encoding="utf-8")
    (place / "log.xml.gz").write_bytes(gzip.compress(composed().encode()))
    (place / "src").symlink_to(ROOT / "src")
    (place / "results" / "mine").mkdir(parents=True)
    (place / "games").mkdir()
    shutil.copy(games.find("koikoi").folder / "policies" / "quick.npz", place / "results" / "mine" / "policy.npz")
    game = games.find("koikoi")
    rules = game.rulebook.make("nintendo")  # of twelve rounds: not over soon
    kept, entrants = place / GAME_FILE, [None, resolve(game, "rule-based", rules)]
    session = Session.start(game, entrants, kept, rules, seed=1, deal=7)
    session.advance()
    while len(session.steps) < 12:
        session.step(session.table.legal[0])
    return place


def test_commands_of_all_sorts_are_shown():
    sorts = {text.split()[0] for text in shown()}
    assert {"match", "play", "hint", "replay", "ladder", "exploit", "train", "new", "records"} <= sorts
    assert len(shown()) > 60
    assert [text for text in shown() if ANY.search(text)] == []


@pytest.mark.full
@pytest.mark.parametrize("command", shown())
def test_a_shown_command_runs(folder, monkeypatch, command):
    monkeypatch.chdir(folder / "made" if re.match("new (?!.*--out)", command) else folder)
    if "my_game.py" in command:  # a game in one bare file: what `new` wrote before
        shutil.copy(folder / "path" / "to" / "my_game" / "__init__.py", folder / "path" / "to" / "my_game.py")
    result = CliRunner().invoke(app, shlex.split(command), input="q\n")
    assert result.exit_code == 0, result.output or result.exception
