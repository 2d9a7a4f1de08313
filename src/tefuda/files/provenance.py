"""Where a number came from: the commit of the code that made it."""

import os
import subprocess
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, metadata

from tefuda.sources import FOLDER
from tefuda.version import __version__


def source_of(commit: str, path: str = "") -> str:
    """Where the code of a commit can be read, if the package tells its repository; else nothing."""
    found = _repository()
    if not found or not commit:
        return ""
    place = commit.removesuffix("+")
    return f"{found}/tree/{place}/{path}".rstrip("/")


@lru_cache(maxsize=1)
def _repository() -> str:
    """The address that pyproject.toml gives under `Repository`."""
    try:
        entries = metadata("tefuda").get_all("Project-URL") or []
    except PackageNotFoundError:
        return ""
    named = dict(entry.split(", ", 1) for entry in entries if ", " in entry)
    return named.get("Repository", "").rstrip("/")


@lru_cache(maxsize=1)
def commit() -> str:
    """The commit of this checkout, with `+` when files differ from it; the version when this is no checkout.

    TEFUDA_COMMIT names it for a copy of a checkout that came without its history, on a GPU machine, say.
    """
    if os.environ.get("TEFUDA_COMMIT"):
        return os.environ["TEFUDA_COMMIT"]
    try:
        described = subprocess.run(
            ["git", "-C", str(FOLDER), "describe", "--always", "--dirty=+", "--abbrev=7", "--exclude=*"],
            capture_output=True, text=True, timeout=10, check=True,
        )  # fmt: skip
        tracked = subprocess.run(
            ["git", "-C", str(FOLDER), "ls-files", "--error-unmatch", "__init__.py"],
            capture_output=True, timeout=10, check=False,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return f"v{__version__}"
    return described.stdout.strip() if tracked.returncode == 0 else f"v{__version__}"
