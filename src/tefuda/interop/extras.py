"""Packages of others, which are extras of this one: without them, one line says what to install."""

import importlib
from typing import Any

from tefuda.errors import Problem


def needed(module: str, extra: str, package: str = "") -> Any:
    """A module of another package, or a Problem that names the extra that brings it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        what = package or module.partition(".")[0]
        raise Problem(f"{what} is not installed: pip install 'tefuda[{extra}]' ({error})") from error
