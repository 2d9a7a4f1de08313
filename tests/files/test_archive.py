"""Archives of others: what is larger than it seems, or other than numbers and texts, is refused before it is read."""

import io
import json
import resource
import zipfile
from dataclasses import asdict

import numpy as np
import pytest

from tefuda.errors import Problem
from tefuda.files.archive import SMALL, read_archive
from tefuda.files.policy import PolicyCard, load

CARD = PolicyCard("koikoi", "pg-linear", "paper", "", 1, "abc", {})


def entry(array) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


def write(path, **entries: bytes):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(f"{name}.npy", content)
    return path


def write_card(path, weights=None, **changes):
    card = {**asdict(CARD), **changes}
    row = np.zeros(36, np.float32) if weights is None else weights
    return write(path, card=entry(np.array(json.dumps(card))), weights=entry(row))


def refused(path) -> str:
    with pytest.raises(Problem) as caught:
        load(path)
    assert str(path) in str(caught.value)
    return str(caught.value)


def test_what_numpy_writes_is_read(tmp_path):
    arrays = {
        "a": np.arange(6).reshape(2, 3),
        "b": np.array("札"),
        "c": np.zeros((0, 4), np.float16),
        "d": np.array(True),
    }
    np.savez(tmp_path / "plain.npz", **arrays)
    np.savez_compressed(tmp_path / "packed.npz", **arrays)
    for name in ("plain.npz", "packed.npz"):
        found = read_archive(tmp_path / name)
        assert list(found) == list(arrays)
        for key, array in arrays.items():
            assert found[key].dtype == array.dtype
            assert np.array_equal(found[key], array)


@pytest.mark.slow
def test_a_zip_bomb_is_not_unpacked(tmp_path):
    """300 MiB of zeros in 300 KiB."""
    path = tmp_path / "bomb.npz"
    head = entry(np.zeros(0, np.float32)).replace(b"(0,)", b"(78643200,)", 1)[:128]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("card.npy", entry(np.array(json.dumps(asdict(CARD)))))
        with archive.open("weights.npy", "w", force_zip64=True) as file:
            file.write(head)
            for _ in range(300):
                file.write(bytes(1 << 20))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert "unpacked" in refused(path)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000  # kB


def test_an_entry_that_tells_a_wrong_size_is_refused(tmp_path):
    content = entry(np.zeros(3, np.float32))
    for wrong in (b"(9000000000,)", b"(4,)", b"(2,)", b"(-3,)"):
        path = write(tmp_path / "wrong.npz", a=content.replace(b"(3,)", wrong, 1))
        with pytest.raises(Problem, match="damaged"):
            read_archive(path)


def test_many_small_entries_are_refused(tmp_path):
    path = write(tmp_path / "many.npz", **{f"a{number}": b"" for number in range(2000)})
    with pytest.raises(Problem):
        read_archive(path)


@pytest.mark.slow
def test_large_numbers_that_mean_something_are_read(tmp_path):
    numbers = np.random.default_rng(1).integers(0, 2**60, SMALL // 8 + 1000)
    np.savez(tmp_path / "large.npz", numbers=numbers)
    assert np.array_equal(read_archive(tmp_path / "large.npz")["numbers"], numbers)


@pytest.mark.parametrize(
    "weights",
    [
        np.zeros(36, complex),
        np.array(["a"] * 36),
        np.zeros(36, "M8[s]"),
        np.zeros(36, [("a", "f4")]),
        np.zeros(36, bool),
    ],
    ids=["complex", "text", "dates", "records", "yes and no"],
)
def test_weights_of_another_type_are_refused(weights, tmp_path):
    assert "weights" in refused(write_card(tmp_path / "p.npz", weights)) or weights.dtype.kind in "cMV"
    refused(write_card(tmp_path / "p.npz", weights))


WRONG = [
    {"game": 3}, {"policy": None}, {"rules": ["paper"]}, {"features": {}}, {"seed": "one"}, {"seed": True},
    {"commit": 1.5}, {"arguments": "none"}, {"arguments": [1]}, {"strength": 7}, {"strength": [7]}, {"strength": [{}]},
    {"strength": [{"opponent": 1, "figure": "x", "mean": 0, "low": 0, "high": 0, "deals": 1, "seed": 1}]},
    {"strength": [{"opponent": "a", "figure": "x", "mean": "0", "low": 0, "high": 0, "deals": 1, "seed": 1}]},
    {"strength": [{"opponent": "a", "figure": "x", "mean": 0, "low": 0, "high": 0, "deals": 1.5, "seed": 1}]},
    {"about": None}, {"variant": 3}, {"options": "rounds"}, {"options": [1]},
]  # fmt: skip


@pytest.mark.parametrize("changes", WRONG, ids=str)
def test_a_policy_card_with_values_of_wrong_types_is_told(changes, tmp_path, here):
    path = write_card(tmp_path / "p.npz", **changes)
    assert f"policy card whose {next(iter(changes))}" in refused(path)
    for command in (["show", path], ["match", "koikoi", path, "random"]):
        done = here(*command)
        assert done.returncode == 2
        assert len(done.stderr.splitlines()) == 1


def test_a_nested_policy_card_is_told(tmp_path):
    path = write(tmp_path / "p.npz", card=entry(np.array("[" * 50_000)), weights=entry(np.zeros(36, np.float32)))
    assert "nested" in refused(path)
