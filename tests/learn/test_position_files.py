"""Positions on disk: the same from files as played, whole files only, and other files refused in one line."""

import json

import numpy as np
import pytest

from tefuda.errors import Problem
from tefuda.learn import position_files
from tefuda.learn.position_files import check, entry_of, made_by, make, name_of, read
from tefuda.learn.sampled import Arguments, Sampling
from tefuda.players.resolve import resolve
from tests.learn.test_sampled import GAME, SAMPLED, piece, run, sampling

polars = pytest.importorskip("polars")
PLAYER = resolve(GAME, "random")
SEATS = (PLAYER, PLAYER)


@pytest.fixture(autouse=True)
def small_files(monkeypatch):
    monkeypatch.setattr(position_files, "PIECE", 300)
    monkeypatch.setattr(position_files, "AT_ONCE", 70)


def made(folder, deals=700, seed=4, threads=1):
    return make(GAME, SAMPLED, SEATS, seed, deals, folder, threads)


def test_files_hold_what_was_played_on_any_number_of_cores(tmp_path):
    found = made(tmp_path / "one")
    made(tmp_path / "two", threads=2)
    assert found == {"deals": 700, "positions": 466, "files": 3, "files there before": 0}
    files = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert files == [name_of(first) for first in (0, 300, 600)]
    for name in files:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    wanted, kept = piece(GAME, PLAYER, PLAYER, 4, 300, 600), read(tmp_path / "one" / name_of(300), 3)
    for key in ("numbers", "rows", "plain", "came"):
        np.testing.assert_array_equal(getattr(kept, key), getattr(wanted, key))


def test_a_run_goes_on_behind_whole_files(tmp_path, monkeypatch):
    made(tmp_path, deals=600)
    before = {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()}

    def full(path, content, option="--out"):
        raise Problem(f"cannot write {path}: No space left on device; choose another place with {option}")

    with monkeypatch.context() as context:
        context.setattr(position_files, "write_bytes", full)
        with pytest.raises(Problem, match="No space left"):
            made(tmp_path, deals=1200)
    assert {path.name for path in tmp_path.iterdir()} == set(before)
    assert made(tmp_path, deals=1200)["files there before"] == 2
    assert all((tmp_path / name).stat().st_mtime_ns == when for name, when in before.items())


def test_learning_from_files_is_learning_from_play(tmp_path):
    made(tmp_path, deals=900)
    played = run(sampling(deals=900, passes=2), step=200)
    arguments = Arguments(deals=900, passes=2, positions=str(tmp_path))
    kept = run(Sampling(GAME, SAMPLED, arguments, 4, SEATS, 1), step=333)
    np.testing.assert_array_equal(kept.whole, played.whole)
    assert played.whole.any()


def test_other_positions_are_refused(tmp_path):
    made(tmp_path)
    with pytest.raises(Problem, match="its seed is 4, not 5"):
        made(tmp_path, seed=5)
    maker = made_by(GAME, SAMPLED, SEATS, 4)
    with pytest.raises(Problem, match="its opponent is"):
        check(tmp_path / name_of(0), {**maker, "opponent": "another"}, 0, 300)
    with pytest.raises(Problem, match="its last is 300, not 200; remove it, or choose another folder"):
        make(GAME, SAMPLED, SEATS, 4, 200, tmp_path)
    with pytest.raises(Problem, match="its exploring is 'random', not 'second'"):
        make(GAME, SAMPLED.exploring_by("second"), SEATS, 4, 700, tmp_path)
    with pytest.raises(Problem, match="has no positions of numbers 900 to"):
        position_files.piece_of(tmp_path, maker, 900, 1200, 3)


def written_anew(path, frame, entry):
    """Write a file of other columns, or that says something else of itself; without a seal, as files of before."""
    unsealed = {key: value for key, value in entry.items() if key != "seal"}
    frame.write_parquet(path, metadata={"tefuda": json.dumps(unsealed)})


def test_files_of_before_were_made_by_random_actions(tmp_path):
    """They do not say how they explored."""
    made(tmp_path, deals=300)
    path = tmp_path / name_of(0)
    entry = entry_of(path)
    assert entry.pop("exploring") == "random"
    written_anew(path, polars.read_parquet(path), entry)
    assert made(tmp_path, deals=300)["files there before"] == 1


def test_damaged_files_and_other_schemas_are_refused(tmp_path):
    made(tmp_path)
    path = tmp_path / name_of(0)
    whole = path.read_bytes()
    for content in (b"", b"PAR1", whole[: len(whole) // 2], b"x" * 400):
        path.write_bytes(content)
        with pytest.raises(Problem, match="damaged"):
            made(tmp_path)
    path.write_bytes(whole)
    frame = polars.read_parquet(path)
    entry = entry_of(path)
    written_anew(path, frame, {**entry, "schema": "tefuda positions 0"})
    with pytest.raises(Problem, match="made by another version"):
        made(tmp_path)
    changed = frame.with_columns((polars.col("came") * 0).alias("came"))
    written_anew(path, changed, entry)
    with pytest.raises(Problem, match="damaged: remove it"):
        read(path, 3)
    frame.write_parquet(path)
    with pytest.raises(Problem):
        entry_of(path)


def test_every_changed_byte_is_noticed(tmp_path):
    """Also when files are made, where their columns are not read."""
    made(tmp_path, deals=300)
    path = tmp_path / name_of(0)
    whole = path.read_bytes()
    seal = whole.index(position_files.SEAL) + len(position_files.SEAL)
    for place in (*np.random.default_rng(1).integers(0, len(whole), 60).tolist(), seal, seal + 63):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0x5A]) + whole[place + 1 :])
        with pytest.raises(Problem, match="damaged: remove it"):
            made(tmp_path, deals=300)
    path.write_bytes(whole)
    assert len(read(path, 3).came) == made(tmp_path, deals=300)["positions"]


def test_every_changed_byte_of_a_file_of_before_is_noticed_or_harmless(tmp_path):
    """What reads Parquet may give up by a panic."""
    made(tmp_path, deals=300)
    path = tmp_path / name_of(0)
    right = read(path, 3)
    written_anew(path, polars.read_parquet(path), entry_of(path))
    whole, rng = path.read_bytes(), np.random.default_rng(1)
    refused = 0
    for place, byte in zip(rng.integers(0, len(whole), 300), rng.integers(0, 256, 300), strict=True):
        path.write_bytes(whole[:place] + bytes([byte]) + whole[place + 1 :])
        try:
            found = read(path, 3)
        except Problem:
            refused += 1
        else:
            np.testing.assert_array_equal(found.came, right.came)
    assert refused > 100


def test_a_panic_of_what_reads_parquet_is_a_damaged_file(tmp_path, monkeypatch):
    made(tmp_path, deals=300)

    def panics(*_):
        raise polars.exceptions.PanicException("assertion failed")

    with monkeypatch.context() as context:
        context.setattr(polars, "read_parquet_metadata", panics)
        with pytest.raises(Problem, match="damaged"):
            entry_of(tmp_path / name_of(0))
    monkeypatch.setattr(polars, "read_parquet", panics)
    with pytest.raises(Problem, match="damaged"):
        read(tmp_path / name_of(0), 3)
