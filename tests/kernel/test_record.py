"""Records of tables: their fields are aligned, inside each other too, and have names in compiled code."""

import numpy as np
import pytest

from tefuda.kernel.compile import kernel, record_type

pytestmark = pytest.mark.kernel

Inner = record_type([("small", np.int8), ("wide", np.int16)])
Outer = record_type([("odd", np.int8, 3), ("inner", Inner), ("last", np.int8), ("whole", np.int64)])


@kernel
def total(state):
    state.inner.wide += 1
    return int(state.odd[2]) + int(state.inner.small) + int(state.inner.wide) + int(state.last) + int(state.whole)


def test_a_record_inside_a_record_is_aligned():
    assert Outer.fields["inner"][1] == 4  # not 3, where its int16 would lie across words
    assert Outer.fields["whole"][1] % 8 == 0
    tables = np.zeros(2, Outer)
    tables["odd"][1] = (1, 2, 4)
    tables["inner"]["small"][1], tables["inner"]["wide"][1] = 8, 15
    tables["last"][1], tables["whole"][1] = 32, 64
    assert total(tables[1]) == 4 + 8 + 16 + 32 + 64
    assert tables["inner"]["wide"].tolist() == [0, 16]


Melds = record_type([("count", np.int8), ("meld", Inner, 3)])
Wide = record_type([("row", record_type([("points", np.int64), ("seat", np.int8)]), (2, 2))])
PACKED = np.dtype([("small", np.int8), ("wide", np.int16)])


@kernel
def last_of(state):
    return int(state.last)


@pytest.mark.parametrize(
    "inner", [Melds, Wide, PACKED, np.dtype((np.record, PACKED))], ids=["array", "wide", "packed", "record"]
)
@pytest.mark.parametrize("before", [1, 3, 13])
@pytest.mark.parametrize("number", [(), (2,)])
def test_any_record_can_stand_behind_an_odd_number_of_bytes(inner, before, number):
    """Also one that has an array of records, or that NumPy has packed."""
    table = record_type([("odd", np.int8, before), ("inner", inner, *number), ("last", np.int16)])
    tables = np.zeros(2, table)
    tables["last"][1] = 7
    assert last_of(tables[1]) == 7
    ends = [offset + each.itemsize for each, offset in (table.fields[name][:2] for name in table.names)]
    starts = [table.fields[name][1] for name in table.names]
    assert starts == [0, *ends[:-1]]  # gaps have names
    assert ends[-1] == table.itemsize
    assert_aligned(table, 0)


def assert_aligned(each: np.dtype, offset: int) -> None:
    """Every number lies where its size divides."""
    if each.subdtype is not None:
        base, shape = each.subdtype
        for place in range(int(np.prod(shape))):
            assert_aligned(base, offset + place * base.itemsize)
    elif each.names:
        for name in each.names:
            assert_aligned(each.fields[name][0], offset + each.fields[name][1])
    else:
        assert offset % each.alignment == 0


def test_copies_of_a_table_have_the_same_bytes():
    table = np.frombuffer(bytes(range(Outer.itemsize)), Outer)
    assert table.copy().tobytes() == table.tobytes()


def test_a_field_cannot_have_the_name_of_a_method():
    with pytest.raises(ValueError, match="cannot be called 'round'"):
        record_type([("round", np.int8)])
