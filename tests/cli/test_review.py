"""`tefuda review`: records of ours and of others, what is kept, and what is refused."""

import gzip
import json
import shutil
from pathlib import Path

import pytest

import tefuda as library
from tefuda.games.mahjong.records import mjai, mjlog_write, tenhou6
from tefuda.players.resolve import resolve
from tefuda.records.played import played_in
from tefuda.table.review import Review
from tests.games.mahjong.recorded import composed, played

KEPT = Path(__file__).parents[1] / "files" / "kept" / "games"


@pytest.fixture
def record(here):
    shutil.copy(KEPT / "koikoi-finished.json", here.folder / "game.json")
    return here.folder / "game.json"


QUICK = ("--judge", "random/always-stop", "--worlds", 8)


def test_it_tells_what_a_review_finds(here, record):
    done = here("review", "game.json", "--seat", 0, *QUICK, "--seed", 3, "--json")
    assert done.returncode == 0, done.stderr
    found = played_in(record)
    review = Review(found, 0, resolve(found.game, "random/always-stop", found.rules), 8, 3)
    for _ in review.run():
        pass
    assert json.loads(done.stdout) == json.loads(json.dumps(review.data() | {"name": "game.json"}))
    same = library.review(record, 0, "random/always-stop", 8, seed=3)
    assert same.judged == review.judged


def test_it_is_told_in_words_and_in_both_languages(here, record):
    told = here("review", "game.json", *QUICK, "--threshold", 0, "--all").stdout
    assert "seat 1" in told  # the person's
    for word in ("実力 skill", "運 luck", "結果 result", "最善手 the best", "-17.00"):
        assert word in told
    japanese = here("review", "game.json", *QUICK, "--lang", "ja").stdout
    assert "実力" in japanese
    assert "skill" not in japanese


@pytest.mark.slow
def test_every_kind_of_record_is_read(here):
    match = played(1)
    files = {
        "game.mjai": mjai.write(match), "game.mjlog": mjlog_write.write(match), "game.json": tenhou6.write(match),
    }  # fmt: skip
    turns = None
    for name, text in files.items():
        (here.folder / name).write_text(text, encoding="utf-8")
        found = played_in(Path(name))
        assert (found.game.name, found.scores is not None, len(found.rounds)) == ("mahjong", True, len(match.deals))
        steps = [(step.seat, step.action) for step in found.steps]
        assert turns in (None, steps)
        turns = steps
    (here.folder / "one.mjlog.gz").write_bytes(gzip.compress(composed().encode()))
    done = here("review", "one.mjlog.gz", "--judge", "random", "--worlds", 2, "--seat", 1, "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["result"] == 2.0  # thousands of points
    assert found["skill"]["mean"] + found["luck"]["mean"] == pytest.approx(2.0)


def test_what_was_kept_is_gone_on_with(here, record):
    whole = here("review", "game.json", *QUICK, "--keep", "kept.json", "--json").stdout
    kept = json.loads((here.folder / "kept.json").read_text(encoding="utf-8"))
    assert json.loads(whole) == kept
    for number in (2, 0):  # decisions that an interrupted run had judged
        left = kept | {"decisions": kept["decisions"][:number]}
        (here.folder / "kept.json").write_text(json.dumps(left), encoding="utf-8")
        assert here("review", "game.json", *QUICK, "--keep", "kept.json", "--json").stdout == whole


def test_an_interrupted_review_shows_and_keeps_what_was_judged(here, record, monkeypatch):
    looked, look = [], Review._look

    def interrupted(self, turn, worlds):
        if len(looked) == 3:
            raise KeyboardInterrupt
        looked.append(turn)
        return look(self, turn, worlds)

    monkeypatch.setattr(Review, "_look", interrupted)
    done = here("review", "game.json", *QUICK, "--keep", "kept.json", "--json")
    assert done.returncode == 130
    assert "interrupted: 3 of 13 decisions were judged" in done.stderr
    assert [each["turn"] for each in json.loads(done.stdout)["decisions"]] == looked
    assert json.loads((here.folder / "kept.json").read_text(encoding="utf-8")) == json.loads(done.stdout)


def test_time_is_a_limit_too(here, record):
    done = here("review", "game.json", "--judge", "random/always-stop", "--seconds", 0.1, "--json")
    assert done.returncode == 0, done.stderr
    assert 1 <= len(json.loads(done.stdout)["decisions"]) <= 13


def test_many_games_are_reviewed_as_one_by_one_and_gone_on_with(here, record, monkeypatch):
    """Of a folder, and of a file with several records. What cannot be read is told, and the others are reviewed."""
    (here.folder / "games").mkdir()
    record.rename(here.folder / "games" / "one.json")
    (here.folder / "games" / "two.tsv").write_text(f"a\t{composed()}\nb\t{composed()}\n", encoding="utf-8")
    begun = json.loads((KEPT / "kuhn-left.json").read_text(encoding="utf-8")) | {"actions": [], "scores": None}
    (here.folder / "games" / "begun.json").write_text(json.dumps(begun), encoding="utf-8")
    words = ("--seat", 1, "--worlds", 4, "--threshold", 0.5, "--json")
    alone = [
        json.loads(here("review", f"games/{file}", *number, *words).stdout)
        for file, number in (("one.json", ()), ("two.tsv", ("--number", 1)), ("two.tsv", ("--number", 2)))
    ]
    all_of_them = here("review", "games", *words, "--keep", "kept")
    assert all_of_them.returncode == 0, all_of_them.stderr
    assert json.loads(all_of_them.stdout) == {"games": alone, "of": 4, "empty": 1, "unreadable": []}
    assert "1 game left out, since nothing was decided there" in all_of_them.stderr
    kept = sorted(path.name for path in (here.folder / "kept").iterdir())
    assert kept == ["games-one.json.review.json", "games-two.tsv-a.review.json", "games-two.tsv-b.review.json"]
    (here.folder / "kept" / kept[1]).unlink()
    (here.folder / "games" / "bad.json").write_text("no record", encoding="utf-8")
    looked = []
    look = Review._look
    monkeypatch.setattr(Review, "_look", lambda self, *given: looked.append(self.played.name) or look(self, *given))
    again = here("review", "games", *words, "--keep", "kept")
    assert again.returncode == 2
    assert "tefuda: 1 record could not be reviewed: games/bad.json: not a record" in again.stderr
    assert json.loads(again.stdout)["games"] == alone
    assert set(looked) == {"two.tsv a"}  # the others were kept
    table = here("review", "games/one.json", "games/two.tsv", *words[:-1], "--keep", "kept").stdout
    assert "one.json" in table
    assert "3 games, " in table


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["game.json", "--seat", 2], "seat is 2, but takes a whole number from 0 to 1"),
        (["game.json", "--worlds", 10**9], "worlds is 1000000000, but takes a whole number from 1 to 250,000"),
        (["game.json", "--judge", "quik"], "did you mean 'quick'"),
        (["game.json", "--lang", "fr"], "unknown language 'fr'"),
        (["game.json", "--keep", "no/kept.json"], "there is no folder no"),
        (["game.json", "--keep", "game.json"], "game.json: it is not a review of tefuda"),
        (["game.json", "--number", 2], "game.json has no record 2"),
        (["two.tsv", "--out", "page.html"], "--out writes the page of one game"),
        (["two.tsv", "game.json", "--number", 1], "--number chooses one record of one file"),
        (["game.json", "game.json", "--keep", "game.json"], "kept in a folder, but game.json is a file"),
        (["game.json", "--ray", "local"], "--ray is for the reviews of several games"),
        (["nothing"], "there is no record in nothing"),
        (["none.json"], "cannot read none.json"),
        (["wrong.mjlog"], "it disagrees with the rules: wrong.mjlog, deal 1"),
        (["empty.json"], "nothing was decided in it yet"),
    ],
)
def test_what_is_wrong_is_one_line(here, record, arguments, line):
    (here.folder / "two.tsv").write_text(f"1\t{composed()}\n2\t{composed()}\n", encoding="utf-8")
    wrong = composed().replace('ten="30,2000,0"', 'ten="40,2600,0"')
    (here.folder / "wrong.mjlog").write_text(wrong, encoding="utf-8")
    empty = json.loads(record.read_text(encoding="utf-8")) | {"actions": [], "scores": None}
    (here.folder / "empty.json").write_text(json.dumps(empty), encoding="utf-8")
    (here.folder / "nothing").mkdir()
    before = record.read_bytes()
    done = here("review", *arguments)
    assert done.returncode == 2
    assert line in done.stderr
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert record.read_bytes() == before
