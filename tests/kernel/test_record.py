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


def test_copies_of_a_table_have_the_same_bytes():
    table = np.frombuffer(bytes(range(Outer.itemsize)), Outer)
    assert table.copy().tobytes() == table.tobytes()


def test_a_field_cannot_have_the_name_of_a_method():
    with pytest.raises(ValueError, match="cannot be called 'round'"):
        record_type([("round", np.int8)])
