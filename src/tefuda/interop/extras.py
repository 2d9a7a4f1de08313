"""Packages of others, which are extras of this one: without them, one line says what to install."""

from tefuda.errors import Problem


def missing(package: str, extra: str, error: ImportError) -> Problem:
    """The line for a package that is not installed, with the extra that brings it."""
    return Problem(f"{package} is not installed: pip install 'tefuda[{extra}]' ({error})")
