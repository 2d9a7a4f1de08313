"""Writing files so that nothing is ever half-written: into a neighbour first, then renamed."""

import contextlib
import csv
import hashlib
import io
import os
import re
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from tefuda import outside
from tefuda.errors import Problem

MOST_NAME = 200  # bytes: file systems take 255, and a suffix follows


def name_of_file(text: str) -> str:
    """A text as the name of a file or a folder: what a path may not have becomes a hyphen, a long one is cut."""
    name = re.sub(r"[^\w.+=-]+", "-", text).strip("-")
    if len(name.encode()) > MOST_NAME:
        name = (
            f"{name.encode()[: MOST_NAME - 9].decode(errors='ignore')}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"
        )
    return name


def write_bytes(path: Path, content: bytes, option: str = "--out") -> None:
    """Write a whole file or leave what was there; `option` is what names another place on the command line."""
    path = outside.place("a file", path)
    temporary = None
    try:
        if path.exists() and not path.is_file() and not path.is_dir():  # a device, as /dev/stdout, is not replaced
            path.write_bytes(content)
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
        temporary = None
    except OSError as error:
        raise Problem(f"cannot write {path}: {error.strerror or error}; choose another place with {option}") from error
    finally:
        if temporary:  # also when Ctrl-C comes while it is written
            with contextlib.suppress(OSError):
                os.unlink(temporary)


def write_rows(path: Path, rows: Iterable[Sequence[Any]]) -> None:
    """A table as CSV."""
    buffer = io.StringIO()
    csv.writer(buffer).writerows(rows)
    write_bytes(path, buffer.getvalue().encode())


def read_json(path: Path, what: str) -> Any:
    """The content of a JSON file of ours, or a Problem that names it."""
    try:
        with open(outside.place(f"a {what}", path), "rb") as file:
            content = file.read(outside.MOST_JSON + 1)
        if len(content) > outside.MOST_JSON:
            raise Problem(f"{path} is not a {what}: it has more than {outside.MOST_JSON >> 20} MiB")
        return outside.json_value(content.decode("utf-8"))
    except OSError as error:
        raise Problem(f"cannot read {what} {path}: {error.strerror or error}") from error
    except ValueError as error:
        raise Problem(f"{path} is not a {what}: it is damaged or another kind of file") from error
