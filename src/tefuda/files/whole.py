"""Writing files so that nothing is ever half-written: into a neighbour first, then renamed."""

import contextlib
import csv
import io
import json
import os
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from tefuda.errors import Problem


def write_bytes(path: Path, content: bytes) -> None:
    """Write a whole file or leave what was there."""
    path = Path(path)
    temporary = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
        temporary = None
    except OSError as error:
        raise Problem(f"cannot write {path}: {error.strerror or error}; choose another place with --out") from error
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
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise Problem(f"cannot read {what} {path}: {error.strerror or error}") from error
    except ValueError as error:
        raise Problem(f"{path} is not a {what}: it is damaged or another kind of file") from error
