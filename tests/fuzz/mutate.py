"""Mutations of good inputs: numbers, words, bytes, JSON values and arrays that nobody would write by intention."""

import copy
import io
import json
import random
import re
import zipfile
from typing import Any

import numpy as np

NUMBERS = [
    "0", "1", "2", "3", "-1", "-0", "+1", "1.5", "1e3", "1e999", "nan", "inf", "-inf", "0x10", "1_000", "١", "２",
    str(2**31), str(2**53), str(2**63 - 1), str(2**63), str(2**64), "-" + str(2**63), "9" * 23, "9" * 5000,
    "1000000000000", "", " ", "one", "null", "True", "1,2", "--1", "1e-320", "0.1",
]  # fmt: skip
WORDS = [
    "", " ", ".", "-", "--", "~", "*", "?", "[", "]", "[/]", "[/x]", "[bold]x", ":smile:", "%s", "{}",
    "{0}", "\\", "'", '"', "`", "$(x)", "\t", "\n", "a\nb", "\x1b[2J", "\r", "\u202e", "花札", "🀄", "é", "ａ",
    "None", "nan", "null", "true", "kuhn", "koikoi", "mahjong", "random", "champion", "pimc", "standard", "paper",
    "/dev/null", "/dev/zero", "/proc/nowhere/x", ".npz", ".py:", ".py:X", "x.npz", "x.py:X", ":",
    "a=b", "=", "==", "key=", "=value", "+", "a+b", "/x", "x/", "x/y/z", "/temperature=0.5", "worlds=3", "x" * 300,
    "y" * 5000, "a/" * 1500, "+".join(["worlds=1"] * 50),
]  # fmt: skip
VALUES: list[Any] = [
    None, True, False, 0, 1, -1, 2, 7, 99, 255, 10**6, 2**31, 2**63 - 1, 2**63, -(2**63), 10**30, -(10**30), 10**400,
    0.0, -0.0, 0.5, 1.0, 1e308, -1e308, 5e-324, "", " ", "x", "0", "1", "-1", "nan", "東", "🀄", "\x00", "\x1b[2J",
    "[/x]", "x" * 3000, [], {}, [[]], [None], [0], [1, 2, 3], [[1, 2], [3]], {"a": 1}, {"": None}, {"type": "none"},
]  # fmt: skip


def some_word(source: random.Random, good: list[str]) -> str:
    """A word: a number, nonsense, a good one, or two of them put together."""
    kind = source.random()
    if kind < 0.3:
        return source.choice(NUMBERS)
    if kind < 0.6:
        return source.choice(WORDS)
    if kind < 0.75:
        return source.choice(good)
    if kind < 0.9:
        return source.choice(good) + source.choice(["", "/", "=", "+", ".", ":", ","]) + source.choice(NUMBERS + WORDS)
    return scrambled(source, source.choice(good) or "x")


def scrambled(source: random.Random, text: str) -> str:
    """A text with a letter changed, left out, doubled or moved."""
    at = source.randrange(len(text)) if text else 0
    return source.choice([
        text[:at] + text[at + 1 :], text[:at] + text[at : at + 1] * 2 + text[at + 1 :], text[::-1], text.upper(),
        text[:at] + chr(source.randrange(32, 0x3000)) + text[at + 1 :], text[at:] + text[:at],
    ])  # fmt: skip


def command(source: random.Random, words: list[str], good: list[str]) -> list[str]:
    """A command line with one to three of its words changed. The name of the command stays."""
    found = list(words)
    for _ in range(source.choice([1, 1, 1, 2, 3])):
        at = source.randrange(1, len(found) + 1)
        kind = source.random()
        if at == len(found) or kind < 0.1:
            found.insert(at, some_word(source, good))
        elif kind < 0.2:
            del found[at]
        elif kind < 0.25:
            found.insert(at, found[at])
        elif kind < 0.3 and found[at].startswith("--"):
            found[at] = scrambled(source, found[at])
        elif "=" in found[at] and kind < 0.8:
            found[at] = f"{found[at].partition('=')[0]}={some_word(source, good)}"
        else:
            found[at] = some_word(source, good)
    return [word.replace("\0", "") for word in found]


def damaged(source: random.Random, content: bytes) -> bytes:
    """Bytes with some changed, cut off, doubled or left out."""
    if not content:
        return b"\x00"
    found = bytearray(content)
    kind = source.randrange(6)
    at = source.randrange(len(found))
    if kind == 0:
        return bytes(found[:at])
    if kind == 1:
        return bytes(found[at:])
    if kind == 2:
        del found[at : at + source.randrange(1, 64)]
        return bytes(found)
    if kind == 3:
        return bytes(found + found[at:])
    if kind == 4:
        found[at:at] = source.randbytes(source.randrange(1, 64))
        return bytes(found)
    for _ in range(source.randrange(1, 20)):
        found[source.randrange(len(found))] = source.randrange(256)
    return bytes(found)


def places(value: Any, here: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where the values inside a JSON value are."""
    found = [here] if here else []
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        found += places(each, (*here, key))
    return found


def changed(source: random.Random, value: Any) -> Any:
    """A JSON value with one to three of its parts replaced, left out, renamed or doubled."""
    found = copy.deepcopy(value)
    for _ in range(source.choice([1, 1, 2, 3])):
        there = places(found)
        if not there:
            return source.choice(VALUES)
        *path, key = source.choice(there)
        parent = found
        for each in path:
            parent = parent[each]
        kind = source.random()
        if kind < 0.15:
            del parent[key]
        elif kind < 0.25 and isinstance(parent, dict):
            parent[source.choice(["", "x", "type", f"{key}s"])] = parent.pop(key)
        elif kind < 0.3 and isinstance(parent, list):
            parent.insert(key, copy.deepcopy(parent[key]))
        else:
            parent[key] = copy.deepcopy(source.choice(VALUES))
    return found


def as_json(source: random.Random, value: Any) -> bytes:
    """A changed value as text, which JSON reads; now and then nested or otherwise strange."""
    kind = source.random()
    if kind < 0.05:
        return source.choice(
            [b"[" * 50_000, b'{"a":' * 50_000, b"9" * 5000, b"NaN", b'"\\ud800"', b"", b"\xef\xbb\xbf{}"]
        )
    text = json.dumps(changed(source, value), ensure_ascii=False)
    return damaged(source, text.encode()) if kind < 0.2 else text.encode()


def digits(source: random.Random, text: str) -> str:
    """A text with one to three of its numbers replaced."""
    for _ in range(source.choice([1, 1, 2, 3])):
        found = list(re.finditer(r"-?\d+", text))
        if not found:
            return text
        at = source.choice(found)
        text = text[: at.start()] + source.choice(NUMBERS) + text[at.end() :]
    return text


def lines(source: random.Random, text: str) -> str:
    """A text with lines left out, doubled, exchanged or changed in their numbers."""
    found = text.splitlines(keepends=True)
    for _ in range(source.randrange(1, 4)):
        if not found:
            break
        at, kind = source.randrange(len(found)), source.randrange(5)
        if kind == 0:
            del found[at]
        elif kind == 1:
            found.insert(at, found[at])
        elif kind == 2:
            other = source.randrange(len(found))
            found[at], found[other] = found[other], found[at]
        elif kind == 3:
            found[at] = digits(source, found[at])
        else:
            found[at] = scrambled(source, found[at])
    return "".join(found)


def archive(source: random.Random, arrays: dict[str, np.ndarray]) -> bytes:
    """An archive in which one array has another type, another size, other values or another name."""
    found = dict(arrays)
    key = source.choice(list(found))
    array = found[key]
    kind = source.randrange(9)
    if kind == 0:
        del found[key]
    elif kind == 1:
        found[source.choice(["x", "", "a/b", "identity", "weights"])] = found.pop(key)
    elif kind == 2:
        found[key] = np.zeros(
            source.choice([(), (0,), (1,), (2, 2), (array.size + 1,)]), source.choice(["f4", "i8", "U3"])
        )
    elif kind == 3:
        found[key] = source.choice([array.astype("U8"), np.asarray(array.shape, complex), np.array(["x"] * 3)])
    elif kind == 4 and array.dtype.kind in "fiu":
        found[key] = array * array.dtype.type(-1) if array.dtype.kind != "u" else array + array.dtype.type(1)
    elif kind == 5 and array.dtype.kind == "f":
        with np.errstate(over="ignore"):
            found[key] = np.full_like(array, source.choice([np.nan, np.inf, 1e30, -1e4]))
    elif kind == 6 and array.ndim:
        found[key] = source.choice([array[1:], array[:-1], array[None], array.repeat(2, axis=0)])
    elif kind == 7 and array.dtype.kind == "U" and array.ndim == 0:
        text = str(array)
        try:
            found[key] = np.array(as_json(source, json.loads(text)).decode(errors="replace"))
        except ValueError:
            found[key] = np.array(scrambled(source, text))
    buffer = io.BytesIO()
    try:
        np.savez(buffer, **found)
    except ValueError:  # a name that no file of an archive can have
        return damaged(source, zipped(arrays))
    return damaged(source, buffer.getvalue()) if kind == 8 else buffer.getvalue()


def zipped(arrays: dict[str, np.ndarray]) -> bytes:
    """An archive as it should be, packed."""
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)
    return buffer.getvalue()


def arrays_of(content: bytes) -> dict[str, np.ndarray]:
    with np.load(io.BytesIO(content), allow_pickle=False) as found:
        return {key: found[key] for key in found.files}


def bomb() -> bytes:
    """Few bytes that would be many."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as found, found.open("weights.npy", "w") as file:
        for _ in range(300):
            file.write(bytes(1 << 20))
    return buffer.getvalue()
