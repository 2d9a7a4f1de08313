"""Compiled code on disk: one file for each finished function, named after its content and the machine.

Nothing in a name depends on where the sources lie or when they were written, so that files can be carried to another
machine of the same kind: `pack` puts all of them into one file, `unpack` takes them out.
"""

import atexit
import contextlib
import hashlib
import lzma
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
TRANSLATED = "translated"  # the folder of inner kernels: only compiling needs them, and no archive holds them
DIGEST = 32  # bytes of hash at the beginning of a file
MOST_UNPACKED = 1 << 30  # bytes of an archive; all games together have some 50 MiB
_VERSIONS = f"{FORMAT} {numba.__version__} {llvmlite.__version__} {np.__version__} {platform.python_version()}"


def wanted() -> Path:
    """Where compiled code should be kept: in TEFUDA_CACHE, or in the user's cache folder."""
    home = os.environ.get("TEFUDA_CACHE") or os.path.join(
        os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache"), "tefuda"
    )
    return Path(home) / "compiled"


@lru_cache(maxsize=1)
def folder() -> Path:
    """Where compiled code is kept: a temporary folder where the wanted one cannot be written to."""
    place = wanted()
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
    """What was saved under a name, or None; a damaged file counts as none. A folder may be read and not written to."""
    for place in dict.fromkeys((folder(), wanted())):
        with contextlib.suppress(Exception):  # unpickling a file of another version fails in many ways
            content = (place / name).read_bytes()
            if whole(content):
                return pickle.loads(content[DIGEST:])
    return None


def save(name: str, value: Any, dumps: Callable[[Any], bytes] = serialize.dumps) -> None:
    """Keep something; a full disk costs the next start its speed, not this run its result."""
    body = dumps(value)
    write(name, hashlib.sha256(body).digest() + body)


def whole(content: bytes) -> bool:
    """Whether a file is one that `save` has written, undamaged: its first bytes are a hash of the others."""
    return len(content) > DIGEST and hashlib.sha256(content[DIGEST:]).digest() == content[:DIGEST]


def write(name: str, content: bytes) -> bool:
    """Write a file whole or not at all; whether it was."""
    temporary = None
    with contextlib.suppress(OSError):
        target = folder() / name
        if target.parent != folder():
            target.parent.mkdir(exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=".")
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.replace(temporary, target)
        return True
    if temporary:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
    return False


def files() -> list[Path]:
    """All files of compiled code."""
    return sorted(path for path in folder().iterdir() if path.is_file() and not path.name.startswith("."))


def pack(target: Path, chosen: Iterable[Path] | None = None) -> int:
    """Put files into one archive, all when none are chosen; returns how many."""
    some = list(files() if chosen is None else chosen)
    temporary = target.parent / f".{target.name}.part"
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tarfile.open(temporary, "w:xz") as archive:
            for path in some:
                archive.add(path, path.name)
        os.replace(temporary, target)
    except OSError as error:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise Problem(f"cannot write {target}: {error.strerror or error}") from error
    return len(some)


def unpack(source: Path) -> int:
    """Take the files of an archive into the cache; returns how many. What it holds will be run, as any program is."""
    found: dict[str, bytes] = {}
    try:
        with tarfile.open(source, "r:xz") as archive:
            size = 0
            for member in archive:
                size += member.size
                if size > MOST_UNPACKED:
                    raise Problem(f"{source} would have more than {MOST_UNPACKED >> 20:,} MiB unpacked")
                file = archive.extractfile(member) if member.isfile() else None
                found[member.name] = file.read() if file is not None else b""
    except (tarfile.TarError, lzma.LZMAError, EOFError) as error:
        raise Problem(f"{source} is not an archive of compiled code, or it is damaged: {error}") from error
    except OSError as error:
        raise Problem(f"cannot read {source}: {error.strerror or error}") from error
    for name, content in found.items():
        if name != Path(name).name or name.startswith(".") or not whole(content):
            raise Problem(f"{source} is not an archive of compiled code: it holds {name!r}")
    for name, content in found.items():
        if not write(name, content):
            raise Problem(f"cannot write to {folder()}")
    return len(found)


def clear() -> int:
    """Remove all files of compiled code, and what was kept for compiling; returns how many the former were."""
    some = files()
    shutil.rmtree(folder() / TRANSLATED, ignore_errors=True)
    for path in [*some, *folder().glob(".*")]:  # those with a dot were being written when a process was killed
        path.unlink(missing_ok=True)
    return len(some)
