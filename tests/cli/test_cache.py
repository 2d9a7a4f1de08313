"""`tefuda cache`: where compiled code is, and how it is carried elsewhere."""

import json
from pathlib import Path

import pytest

from tefuda.kernel import cache


@pytest.fixture
def place(tmp_path, monkeypatch) -> Path:
    """A cache with two files."""
    folder = tmp_path / "kept" / "compiled"
    folder.mkdir(parents=True)
    monkeypatch.setenv("TEFUDA_CACHE", str(tmp_path / "kept"))
    monkeypatch.setattr(cache, "folder", lambda: folder)
    for name in ("one", "two"):
        cache.save(name, name)
    return folder


def test_the_cache_is_shown(here, place):
    done = here("cache")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{place}: 2 files, 0.0 MiB\n"
    size = sum(path.stat().st_size for path in place.iterdir())
    assert json.loads(here("cache", "--json").stdout) == {"folder": str(place), "files": 2, "bytes": size}


def test_it_is_packed_cleared_and_unpacked(here, place):
    before = {path.name: path.read_bytes() for path in place.iterdir()}
    packed = here("cache", "pack", "new/compiled.tar.xz")
    assert packed.stdout == "new/compiled.tar.xz: 2 files, 0.0 MiB\n"
    assert [path.name for path in (here.folder / "new").iterdir()] == ["compiled.tar.xz"]
    assert here("cache", "clear").stdout == f"{place}: 2 files removed\n"
    assert list(place.iterdir()) == []
    assert here("cache", "clear").stdout == f"{place}: 0 files removed\n"
    unpacked = here("cache", "unpack", "new/compiled.tar.xz")
    assert (unpacked.returncode, unpacked.stdout) == (0, f"{place}: 2 files unpacked\n")
    assert {path.name: path.read_bytes() for path in place.iterdir()} == before


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("unpack", "nowhere.tar.xz"), "cannot read nowhere.tar.xz: No such file or directory"),
        (("unpack", "text"), "text is not an archive of compiled code, or it is damaged"),
        (("unpack", "half.tar.xz"), "half.tar.xz is not an archive of compiled code, or it is damaged"),
        (("unpack", "."), "cannot read .: Is a directory"),
        (("unpack",), "Missing argument"),
        (("pack",), "Missing argument"),
        (("pack", "text/compiled.tar.xz"), "cannot write text/compiled.tar.xz: File exists"),
        (("pack", "."), "cannot write"),
        (("empty",), "No such command 'empty'"),
    ],
)
def test_mistakes_are_told_in_one_line(here, place, words, said):
    (here.folder / "text").write_text("some words\n" * 100)
    cache.pack(here.folder / "half.tar.xz")
    whole = (here.folder / "half.tar.xz").read_bytes()
    (here.folder / "half.tar.xz").write_bytes(whole[: len(whole) // 2])
    done = here("cache", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("tefuda: ")
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert sorted(path.name for path in place.iterdir()) == ["one", "two"]
    assert sorted(path.name for path in here.folder.iterdir()) == ["half.tar.xz", "text"]


def test_an_empty_cache_is_not_packed(here, place):
    cache.clear()
    done = here("cache", "pack", "compiled.tar.xz")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"tefuda: there is no compiled code in {place} yet: play a match first\n"
    assert list(here.folder.iterdir()) == []


def test_nothing_is_unpacked_into_a_folder_that_is_gone_with_the_process(here, place, tmp_path, monkeypatch):
    assert here("cache", "pack", "compiled.tar.xz").returncode == 0
    monkeypatch.setenv("TEFUDA_CACHE", str(tmp_path / "unwritable"))
    done = here("cache", "unpack", "compiled.tar.xz")
    assert (done.returncode, done.stdout) == (2, "")
    wanted = tmp_path / "unwritable" / "compiled"
    assert done.stderr == f"tefuda: cannot write to {wanted}: name another folder by TEFUDA_CACHE\n"


def test_the_help_has_examples(here):
    for words in ((), ("pack",), ("unpack",), ("clear",)):
        done = here("cache", *words, "--help")
        assert done.returncode == 0
        assert f"tefuda cache {' '.join(words)}".strip() in " ".join(done.stdout.split())
        assert "Example" in done.stdout
