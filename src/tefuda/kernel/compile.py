"""Compiling kernels with Numba, with a cache on disk that never plays old rules.

A kernel is a small function of scalars, fixed-size arrays and one state record. `kernel` compiles it for the CPU;
numba-cuda compiles the same object again when a CUDA kernel calls it.

Numba's own cache watches only the file in which a function is written, and it cannot name a loop that closes over
other kernels twice the same way in two processes. Here the cache folder is named after a hash of all the sources
that games share, the file after a hash of all the sources of its game, and every closure carries a key that names
what it closes over. So no old rules are played, and a change in one game compiles no other anew.
"""

import atexit
import contextlib
import hashlib
import os
import shutil
import sys
import tempfile
from functools import cache, lru_cache
from pathlib import Path

import numba
import numpy as np
from numba.core import caching, config

COMPILED = not config.DISABLE_JIT  # type: ignore[attr-defined]  # False under NUMBA_DISABLE_JIT=1: every kernel is then plain Python

if not COMPILED:
    np.seterr(over="ignore")  # uint64 arithmetic wraps around on purpose; only uncompiled NumPy scalars warn


def record(fields: list) -> np.dtype:
    """A record whose fields have names in compiled and in plain code, aligned: without that, tables copy slowly."""
    for name, *_ in fields:
        if hasattr(np.record, name):  # plain code would find the method of NumPy's, not the field
            raise ValueError(
                f"a field of a record cannot be called {name!r}: NumPy's records have a method of that name"
            )
    aligned = np.dtype(fields, align=True)
    filled: list = []
    end = 0
    for name, shape in zip(aligned.names or (), fields, strict=True):
        offset = aligned.fields[name][1]  # type: ignore[index]
        if offset > end:
            filled.append((f"gap_{end}", np.uint8, offset - end))
        filled.append(shape)
        end = offset + aligned.fields[name][0].itemsize  # type: ignore[index]
    if aligned.itemsize > end:  # gaps have names, or NumPy would not copy them and equal tables differ in bytes
        filled.append((f"gap_{end}", np.uint8, aligned.itemsize - end))
    return np.dtype((np.record, np.dtype(filled, align=True)))


PACKAGE = Path(__file__).parents[1]
SHARED = ("kernel/*.py", "search/*.py", "learn/*.py")  # the sources whose kernels all games use
GAMES = PACKAGE / "games"


@cache
def hash_of_sources(folder: Path, patterns: tuple[str, ...] = ()) -> str:
    """A short hash over the names and contents of Python files below a folder: those of some patterns, or all.

    Below a folder that is no package (no `__init__.py`) only the files right in it count: it may be anybody's home.
    """
    digest = hashlib.sha256()
    patterns = patterns or ("**/*.py" if (folder / "__init__.py").exists() else "*.py",)
    for path in sorted(path for pattern in patterns for path in folder.glob(pattern)):
        digest.update(str(path.relative_to(folder)).encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def sources_beside(file: Path) -> str:
    """Names the sources that a kernel in a file may depend on beside the shared ones: its game's, or its folder's."""
    if file.is_relative_to(GAMES) and file.parent != GAMES:
        return hash_of_sources(GAMES / file.relative_to(GAMES).parts[0])
    if file.is_relative_to(PACKAGE):
        return ""
    folder = file.parent
    while (folder / "__init__.py").exists() and (folder.parent / "__init__.py").exists():
        folder = folder.parent
    return hash_of_sources(folder) + hash_of_sources(GAMES)


@lru_cache(maxsize=1)
def cache_folder() -> Path:
    """Where compiled code is kept: TEFUDA_CACHE, or the user's cache folder, or a temporary one when unwritable."""
    home = os.environ.get("TEFUDA_CACHE") or os.path.join(
        os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache"), "tefuda"
    )
    folder = Path(home) / "compiled" / hash_of_sources(PACKAGE, SHARED)
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
    if not (folder.is_dir() and os.access(folder, os.W_OK)):
        folder = Path(tempfile.mkdtemp(prefix="tefuda-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


_announced = False


def _announce() -> None:
    """Say once a process that compiling takes place, so that nobody wonders about the wait."""
    global _announced
    if not _announced:
        _announced = True
        print("tefuda: compiling for this machine (once; later runs start at once) …", file=sys.stderr, flush=True)


class _Locator(caching._CacheLocator):
    """Puts the cache into `cache_folder`, and tells files apart by a key instead of a line number."""

    key = ""

    def get_cache_path(self):
        return str(cache_folder())

    def get_source_stamp(self):
        return ""  # the folder's name is the stamp

    def get_disambiguator(self):
        return hashlib.sha256(self.key.encode()).hexdigest()[:12]

    @classmethod
    def from_function(cls, py_func, py_file):
        locator = cls()
        locator.key = f"{py_func.__module__}.{py_func.__qualname__}:{getattr(py_func, '_tefuda_key', '')}"
        locator.key += ":" + sources_beside(Path(py_file))
        return locator


class _Implementation(caching.CompileResultCacheImpl):
    _locator_classes = [_Locator]  # type: ignore[list-item]  # noqa: RUF012 - the name and the type are Numba's


class _Files(caching.IndexDataCacheFile):
    """Names compiled code after what it was compiled for. Numba counts instead, and of two processes that compile a
    function for different types at the same time, one could then take the other's code for its own."""

    def save(self, key, data):
        named = hashlib.sha256(repr(key).encode()).hexdigest()[:16]
        name = self._index_name.removesuffix(".nbi") + f".{named}.nbc"
        self._save_data(name, data)
        self._save_index({**self._load_index(), key: name})


class _Cache(caching.FunctionCache):
    _impl_class = _Implementation

    def __init__(self, function):
        super().__init__(function)
        locator = self._impl.locator
        self._cache_file = _Files(locator.get_cache_path(), self._impl.filename_base, locator.get_source_stamp())

    def _index_key(self, sig, codegen):
        return (sig, codegen.magic_tuple())  # what is closed over is named by the key in the file's name

    def load_overload(self, sig, target_context):
        try:
            found = super().load_overload(sig, target_context)
        except Exception:  # a damaged cache file is compiled again, never a reason to stop
            found = None
            with contextlib.suppress(OSError):
                os.unlink(self._cache_file._index_path)
        if found is None:
            _announce()
        return found

    def save_overload(self, sig, data):
        with contextlib.suppress(OSError):  # a full disk costs the next start its speed, not this run its result
            super().save_overload(sig, data)


def kernel(function, key: str = "", inline: bool = False):
    """Compile a function for kernels. A function that closes over others gives a `key` that names them all.

    Compiled code releases the GIL, so that threads run it side by side, and divides like C.
    """
    if not COMPILED:
        return function
    function._tefuda_key = key
    dispatcher = numba.njit(nogil=True, error_model="numpy", forceinline=inline)(function)
    dispatcher._cache = _Cache(function)  # type: ignore[attr-defined]
    return dispatcher
