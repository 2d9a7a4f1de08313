"""Reading NumPy archives of others: sizes are checked before anything is unpacked, and nobody's code is run."""

import io
import math
import zipfile
from pathlib import Path

import numpy as np
from numpy.lib import format as npy

from tefuda.errors import Problem

MOST_BYTES = 4 << 30  # of a file of our own: a checkpoint holds all tables of a run
KINDS = "biufU"  # of entries: numbers and texts; no objects, which would run code, and no complex numbers


def read_archive(path: Path, most: int = MOST_BYTES, packed: bool = False) -> dict[str, np.ndarray]:
    """All arrays of an archive whose entries have at most so many bytes together; `packed`: they may be compressed.

    What is not so is a Problem. An entry that is not compressed cannot be larger than the file.
    """
    try:
        if path.stat().st_size > most:
            raise Problem(f"{path} has more than {most >> 20:,} MiB")
        with zipfile.ZipFile(path) as archive:
            entries = archive.infolist()
            if not packed and any(entry.compress_type != zipfile.ZIP_STORED for entry in entries):
                raise Problem(f"{path} is packed, which such a file never is")
            if sum(entry.file_size for entry in entries) > most:
                raise Problem(f"{path} would have more than {most >> 20:,} MiB unpacked")
            return {entry.filename.removesuffix(".npy"): _array(archive, entry) for entry in entries}
    except (Problem, FileNotFoundError):
        raise
    except Exception as error:  # damaged archives fail in many ways
        raise Problem(f"{path} is damaged or another kind of file ({type(error).__name__})") from error


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
