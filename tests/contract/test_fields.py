"""The fields of a table as Python reads them: the same numbers as those of NumPy's record."""

from typing import Any

import numpy as np
import pytest

from tefuda import games
from tefuda.contract import fields_of
from tefuda.table.table import Table


def plain(value: Any) -> Any:
    """A field of NumPy's record as whole numbers and lists."""
    if isinstance(value, np.void):
        return {name: plain(value[name]) for name in value.dtype.names or ()}
    return value.tolist()


def read(value: Any) -> Any:
    return {name: read(each) for name, each in vars(value).items()} if hasattr(value, "__dict__") else value


@pytest.mark.parametrize("name", games.names())
def test_every_field_is_what_the_record_has(name):
    table = Table(games.find(name), None, 3, 5)
    for _ in range(6):
        assert read(fields_of(table.states)) == plain(table.states[0])
        if not table.over:
            table.apply(table.legal[-1])


def test_a_table_that_has_changed_is_read_anew():
    table = Table(games.find("kuhn"), None, 3, 5)
    before = fields_of(table.states)
    assert fields_of(table.states.copy()) is before
    table.apply(table.legal[0])
    assert read(fields_of(table.states)) == plain(table.states[0]) != read(before)
