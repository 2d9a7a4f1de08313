"""Parts of the contract filled by name: a game's modules have what the parts ask for, under the same names."""

from dataclasses import fields
from types import ModuleType
from typing import Any, TypeVar

Part = TypeVar("Part")


def filled(part: type[Part], modules: tuple[ModuleType, ...], more: dict[str, Any]) -> Part:
    """A part of the contract from what some modules have by the names of its fields; `more` is given by hand."""
    names = {field.name for field in fields(part)}  # type: ignore[arg-type]
    found = {
        name: value
        for module in modules
        for name, value in vars(module).items()
        if name in names and not isinstance(value, ModuleType)
    }
    return part(**{**found, **more})
