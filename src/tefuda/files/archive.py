"""NumPy archives: written whole. What is read has its sizes checked before anything is unpacked, and runs no code."""

import io
import math
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy

from tefuda.errors import Problem
from tefuda.files.whole import write_bytes

MOST_BYTES = 4 << 30  # of a file of our own: a checkpoint holds all tables of a run
SMALL = 64 << 20  # bytes that any file may have unpacked
MOST_PACKED = 20  # times the size of a larger file: numbers that mean something cannot be packed further
MOST_ENTRIES = 1000
KINDS = "biufU"  # of entries: numbers and texts; no objects, which would run code, and no complex numbers


def read_archive(path: Path, most: int = MOST_BYTES) -> dict[str, np.ndarray]:
    """All arrays of an archive, whose entries have at most so many bytes together. What is not so is a Problem."""
    try:
        size = path.stat().st_size
        if not path.is_file():  # a device has no end
            raise Problem(f"{path} is no plain file")
        with zipfile.ZipFile(path) as archive:
            entries = archive.infolist()
            unpacked = sum(entry.file_size for entry in entries)
            if unpacked > min(most, max(SMALL, MOST_PACKED * size)) or len(entries) > MOST_ENTRIES:
                raise Problem(f"{path} would have {unpacked >> 20:,} MiB unpacked, more than such a file has")
            return {entry.filename.removesuffix(".npy"): _array(archive, entry) for entry in entries}
    except (Problem, FileNotFoundError):
        raise
    except Exception as error:  # damaged archives fail in many ways
        raise Problem(f"{path} is damaged or another kind of file ({type(error).__name__})") from error


def write_archive(path: Path, arrays: dict[str, Any], packed: bool = False) -> None:
    """Write arrays as an archive, whole or not at all."""
    buffer = io.BytesIO()
    (np.savez_compressed if packed else np.savez)(buffer, **arrays)
    write_bytes(path, buffer.getvalue())


def _array(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> np.ndarray:
    """One entry, whose head must tell the size that the entry has."""
    with archive.open(entry) as file:
        content = file.read(entry.file_size)
    head = io.BytesIO(content)
    version = npy.read_magic(head)
    shape, _, dtype = (npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0)(head)
    if dtype.kind not in KINDS or math.prod(shape) * dtype.itemsize != len(content) - head.tell():
        raise ValueError("its head does not fit")
    return npy.read_array(io.BytesIO(content), allow_pickle=False)
