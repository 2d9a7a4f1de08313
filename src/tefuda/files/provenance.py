"""Where a number came from: the commit of the code that made it."""

import os
import subprocess
from functools import lru_cache

import tefuda


@lru_cache(maxsize=1)
def commit() -> str:
    """The commit of this checkout, with `+` when files differ from it; the version when this is no checkout.

    TEFUDA_COMMIT names it for a copy of a checkout that came without its history, on a GPU machine, say.
    """
    if os.environ.get("TEFUDA_COMMIT"):
        return os.environ["TEFUDA_COMMIT"]
    try:
        described = subprocess.run(
            ["git", "-C", str(tefuda.FOLDER), "describe", "--always", "--dirty=+", "--abbrev=7", "--exclude=*"],
            capture_output=True, text=True, timeout=10, check=True,
        )  # fmt: skip
        tracked = subprocess.run(
            ["git", "-C", str(tefuda.FOLDER), "ls-files", "--error-unmatch", "__init__.py"],
            capture_output=True, timeout=10, check=False,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return f"v{tefuda.__version__}"
    return described.stdout.strip() if tracked.returncode == 0 else f"v{tefuda.__version__}"
