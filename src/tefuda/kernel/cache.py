"""Compiled code on disk: one file for each finished function, named after its content and the machine.

Nothing in a name depends on where the sources lie or when they were written, so that files can be carried to another
machine of the same kind: `pack` puts all of them into one file, `unpack` takes them out.
"""

import atexit
import contextlib
import hashlib
import os
import pickle
import platform
import shutil
import tarfile
import tempfile
from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
from numba.core import serialize

from tefuda.errors import Problem

FORMAT = 1  # of the files
_VERSIONS = f"{FORMAT} {numba.__version__} {llvmlite.__version__} {np.__version__} {platform.python_version()}"


@lru_cache(maxsize=1)
def folder() -> Path:
    """Where compiled code is kept: TEFUDA_CACHE, or the user's cache folder, or a temporary one when unwritable."""
    home = os.environ.get("TEFUDA_CACHE") or os.path.join(
        os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache"), "tefuda"
    )
    place = Path(home) / "compiled"
    with contextlib.suppress(OSError):
        place.mkdir(parents=True, exist_ok=True)
    if not (place.is_dir() and os.access(place, os.W_OK)):
        place = Path(tempfile.mkdtemp(prefix="tefuda-"))
        atexit.register(shutil.rmtree, place, ignore_errors=True)
    return place


def name_of(what: str, *parts: str) -> str:
    """A file name: what it is for people, then a hash of all that makes it what it is."""
    digest = hashlib.sha256("\n".join((_VERSIONS, *parts)).encode()).hexdigest()[:24]
    plain = "".join(letter if letter.isalnum() or letter in "._-" else "-" for letter in what)
    return f"{plain[-80:]}-{digest}"


def load(name: str) -> Any:
    """What was saved under a name, or None; a damaged file counts as none."""
    try:
        content = (folder() / name).read_bytes()
        digest, body = content[:32], content[32:]
        return pickle.loads(body) if hashlib.sha256(body).digest() == digest else None
    except Exception:  # unpickling a file of another version fails in many ways
        return None


def save(name: str, value: Any, dumps: Callable[[Any], bytes] = serialize.dumps) -> None:
    """Keep something; a full disk costs the next start its speed, not this run its result."""
    body = dumps(value)
    write(name, hashlib.sha256(body).digest() + body)


def write(name: str, content: bytes) -> None:
    """Write a file whole or not at all."""
    temporary = None
    with contextlib.suppress(OSError):
        handle, temporary = tempfile.mkstemp(dir=folder(), prefix=".")
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.replace(temporary, folder() / name)
        return
    if temporary:
        with contextlib.suppress(OSError):
            os.unlink(temporary)


def files() -> list[Path]:
    """All files of compiled code."""
    return sorted(path for path in folder().iterdir() if path.is_file() and not path.name.startswith("."))


def pack(target: Path, chosen: Iterable[Path] | None = None) -> int:
    """Put files into one archive, all when none are chosen; returns how many."""
    some = list(files() if chosen is None else chosen)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary = target.with_name(f".{target.name}.part")
        with tarfile.open(temporary, "w:xz") as archive:
            for path in some:
                archive.add(path, path.name)
        os.replace(temporary, target)
    except OSError as error:
        raise Problem(f"cannot write {target}: {error.strerror or error}") from error
    return len(some)


def unpack(source: Path) -> int:
    """Take the files of an archive into the cache; returns how many."""
    try:
        with tarfile.open(source, "r:*") as archive:
            members = [each for each in archive.getmembers() if each.isfile() and each.name == Path(each.name).name]
            for member in members:
                content = archive.extractfile(member)
                assert content is not None
                write(member.name, content.read())
    except (OSError, tarfile.TarError, EOFError) as error:
        raise Problem(f"{source} is not an archive of compiled code, or it cannot be read: {error}") from error
    return len(members)


def clear() -> int:
    """Remove all files of compiled code; returns how many."""
    some = files()
    for path in some:
        path.unlink(missing_ok=True)
    return len(some)
