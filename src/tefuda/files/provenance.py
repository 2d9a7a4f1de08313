"""Where a number came from: the commit of the code that made it."""

import os
import subprocess
from functools import lru_cache

from tefuda.sources import FOLDER
from tefuda.version import __version__


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
