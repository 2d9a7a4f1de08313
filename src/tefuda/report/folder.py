"""The folder of a report: replaced whole or not at all, and never a folder of somebody else's."""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from tefuda.errors import Problem

PARTS = ("arguments.json", "found.json", "index.html", "tables", "figures")  # all that a report folder has of ours


def unwritable(folder: Path, error: OSError) -> Problem:
    return Problem(f"cannot write {folder}: {error.strerror or error}; choose another place with --out")


def replaceable(folder: Path) -> Path:
    """The real path of the folder, if it is free, empty, or a report of ours; nothing else is replaced."""
    try:
        real = Path(folder).resolve()
        if not real.exists():
            return real
        if not real.is_dir():
            raise Problem(f"{folder} is a file, but a report is a folder: choose another place with --out")
        if (real / "arguments.json").is_file() or not any(real.iterdir()):
            return real
    except OSError as error:
        raise unwritable(folder, error) from None
    raise Problem(
        f"{folder} is not replaced, for it is no report of ours (it has no arguments.json): "
        "choose another place with --out, or remove it"
    )


def replace_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write the files into a folder beside, and give it the name at the end; the old one stays until then."""
    fresh = folder.with_name(f".{folder.name}.new-{os.getpid()}")
    old = folder.with_name(f".{folder.name}.old-{os.getpid()}")
    try:
        for name, content in files.items():
            path = fresh / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        had_old = folder.exists()
        if had_old:
            folder.rename(old)
        try:
            fresh.rename(folder)
        except BaseException:
            if had_old:
                old.rename(folder)
            raise
    finally:
        shutil.rmtree(fresh, ignore_errors=True)  # gone already when all went well
    if had_old:
        for entry in old.iterdir():  # what somebody else put there is not ours to delete
            if entry.name not in PARTS:
                entry.rename(folder / entry.name)
        shutil.rmtree(old, ignore_errors=True)
