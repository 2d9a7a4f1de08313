"""Good inputs, from which bad ones are made: files of every kind that is read, and a command line of every command."""

import json
import lzma
import random
from dataclasses import dataclass
from pathlib import Path

import tefuda
from tefuda import games
from tefuda.arena.ladder import begin
from tefuda.files.policy import load
from tefuda.games.mahjong.records import mjai, tenhou6
from tefuda.kernel import cache
from tefuda.learn import run as runs
from tefuda.records import foreign
from tefuda.table import record as game_record
from tefuda.table.table import Table
from tests.games.mahjong.recorded import composed, played

KUHN = games.find("kuhn")

COMMANDS = """
demo --out demo --seed 1 --threads 1 --json
games --json
players kuhn --json
rules koikoi --json
show policy.npz --weights --json
match kuhn random always-bet --deals 5 --seed 3 --rules standard --threads 1 --device cpu --json
match kuhn policy.npz own.py:First --deals 5 --out matches
match koikoi random rule-based --deals 3 --rules nintendo --set rounds=1 --set teshi=play
match kuhn random equilibrium/0.1 --until better --margin 0.5 --deals 200
web kuhn --host 127.0.0.1 --port 0 --token abcdefgh --data tables --no-open
match kuhn pimc/worlds=3+playout=random random --deals 3
match tricks random rule-based --rules hearts --seating AABB,ABAB --deals 2 --scores scores.csv --json
match kuhn random always-bet --deals 5 --ray 127.0.0.1:1 --json
play kuhn random --seed 1 --deal 2 --seat 1 --lang en --rules standard --record game.json
play koikoi rule-based --seed 1 --deal 2 --seat 1 --lang ja --set rounds=1 --record koikoi.json
play --resume left.json --lang both
replay saved.json --lang en --json
replay left.json --lang ja --step
replay saved.json --game kuhn
hint left.json --move 3 --worlds 20 --player random --seed 1 --lang en --json
hint left.json --worlds 20 --threads 1 --game kuhn
review saved.json --seat 0 --judge random --worlds 4 --threshold 0.1 --seed 1 --threads 1 --lang en --all --json
review record.mjlog --judge random --seconds 0.1 --game mahjong --number 1 --keep kept.review.json --out review.html
review saved.json record.mjlog --judge random --worlds 2 --seat 1 --keep reviews --json
review saved.json record.mjlog --judge random --worlds 2 --ray 127.0.0.1:1
replay saved.json --out game.html --json
ladder kuhn --players random,always-bet --add equilibrium --deals 4 --slow-deals 2 --seed 1 --out ladder --threads 1
ladder koikoi --players random --deals 2 --rules nintendo --set rounds=1 --out ladder-of-one --ray 127.0.0.1:1 --json
ladder kuhn --players random,always-bet --again random --deals 2 --out ladder --threads 1
exploit kuhn random --arg decisions=64 --arg lanes=4 --arg steps=4 --arg units=4 --deals 4 --seed 1 --out exploit
exploit koikoi random --rules nintendo --set rounds=1 --device cpu --threads 1 --ray 127.0.0.1:1 --out rounds --json
exact kuhn always-bet --rules standard --set bet=2 --samples 5 --seed 1 --json --seat 0 --threads 1
solve kuhn --iterations 3 --out solved --rules standard --set bet=2 --seed 1 --threads 1 --json
train kuhn --list --json
train koikoi pg-linear --arg opponent=random --arg episodes=3 --arg batch=2 --deals 0 --seed 1 --out run --device cpu
train tricks q-linear --arg games=3 --arg step=0.1 --rules hearts --set jack=yes --threads 1 --deals 0 --out q
train kuhn self-play --arg decisions=64 --arg lanes=4 --arg steps=4 --arg units=4 --arg batch=8 --deals 0 --out net
train kuhn nfsp --arg decisions=64 --arg lanes=4 --arg steps=4 --arg units=4 --arg ring=64 --deals 0 --out nf
positions mahjong --deals 3 --player tsumogiri --opponent tsumogiri --seed 1 --out positions --threads 1 --json
positions mahjong --deals 3 --device cpu --exploring calls --out positions-of-hands
positions mahjong --deals 3 --ray 127.0.0.1:1 --out positions-far-away
train kuhn self-play --arg decisions=64 --arg lanes=4 --arg steps=4 --arg units=4 --ray 127.0.0.1:1 --out far
reproduce koikoi --scale quick --out paper --seed 1 --threads 1
reproduce mahjong --scale quick --records record.mjai --json
bench kuhn --device cpu --seconds 0.1 --threads 1 --json
check kuhn --seed 1 --thorough --write-golden --json
records verify record.mjlog record.mjai --game mahjong --threads 1 --json
records rates record.mjlog record.mjai --by-name --game mahjong --threads 1 --json
records convert record.mjai out.json --to tenhou6 --game mahjong --json
mjai --player shanten --seat 1 --rules hanchan --set red=no --seed 1
new player mine --game kuhn --out made --json
new game mine --out made --json
doctor --json
cache --json
cache clear
cache pack packed.tar.xz
cache unpack archive.tar.xz
""".strip().splitlines()

OWN = """
class First:
    def act(self, view):
        return view.legal[0]
"""


@dataclass(frozen=True)
class Good:
    """A folder with good files, by what reads them."""

    folder: Path
    policies: list[bytes]
    checkpoint: bytes
    saved: list[dict]
    ladder: dict
    records: dict[str, str]
    events: str  # of mjai, for a bot
    archive: bytes  # of compiled code

    @property
    def words(self) -> list[str]:
        """Words of the command lines."""
        return sorted({word for line in COMMANDS for word in line.split()})


def saved_game(name: str, moves: int | None, deal: int) -> dict:
    """A game against random, as `play` keeps it."""
    game = games.find(name)
    table = Table(game, game.rulebook.make(), 1, deal)
    source, names = random.Random(deal), []
    record = game_record.record_of(table, ["person", *["random"] * (game.seats - 1)], "abc1234")
    while not table.over and (moves is None or len(names) < moves):
        action = source.choice(table.legal)
        names.append(game.words.action_name(table.states, action))
        record.actions.append((table.to_move, action))
        table.apply(action)
    record.names = names
    record.scores = table.scores.tolist() if table.over else None
    game_record.save(Path("made.json"), record)
    return json.loads(Path("made.json").read_text(encoding="utf-8"))


def make(folder: Path) -> Good:
    """Write the good files into a folder, which is the working folder. This also compiles what the cases use."""
    tefuda.solve("kuhn", folder / "solved", 3)
    tefuda.train("koikoi", "pg-linear", folder / "pg", deals=0, episodes=3)
    tefuda.train("kuhn", "self-play", folder / "net", deals=0, decisions=64, lanes=4, steps=4, units=4, batch=8)
    policies = [(folder / each / "policy.npz").read_bytes() for each in ("solved", "pg", "net")]
    (folder / "policy.npz").write_bytes(policies[0])
    (folder / "own.py").write_text(OWN)
    ladder = begin(KUHN, KUHN.rulebook.make(), 1, folder / "ladder", ["random", "always-bet"])
    ladder.play(4, 2)
    saved = [saved_game("kuhn", None, 1), saved_game("koikoi", None, 2), saved_game("koikoi", 5, 3)]
    (folder / "saved.json").write_text(json.dumps(saved[0]), encoding="utf-8")
    (folder / "left.json").write_text(json.dumps(saved[2]), encoding="utf-8")
    match = played(1)
    records = {"mjlog": composed(), "mjai": mjai.write(match), "json": tenhou6.write(match)}
    for suffix, text in records.items():
        (folder / f"record.{suffix}").write_text(text, encoding="utf-8")
    assert foreign.verify([folder / f"record.{suffix}" for suffix in records], threads=1).games == 3
    cache.pack(folder / "archive.tar.xz", cache.files()[:2])
    assert load(folder / "policy.npz")[0].game == "kuhn"
    assert runs.prepare(folder / "pg", _identity(folder / "pg")) is not None
    return Good(
        folder, policies, (folder / "pg" / "checkpoint.npz").read_bytes(), saved, json.loads(ladder.path.read_text()),
        records, records["mjai"], (folder / "archive.tar.xz").read_bytes(),
    )  # fmt: skip


def _identity(folder: Path) -> dict:
    """Which run a checkpoint is of."""
    from tefuda.files.archive import read_archive

    return json.loads(str(read_archive(folder / "checkpoint.npz")["identity"]))


def unpacked(content: bytes) -> bytes:
    return lzma.decompress(content)
