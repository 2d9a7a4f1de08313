"""Rules as a value: what is written becomes whole numbers, and the name of some rules makes the same rules again."""

import numpy as np
import pytest

from tefuda import games
from tefuda.contract import Option, RuleBook
from tefuda.contract.rules import YES_NO
from tefuda.errors import Problem

OPTIONS = (
    Option("rounds", "how many rounds a match has", low=1, high=12, common=(1, 6, 12)),
    Option("sake", "what the sake cup counts for", {"never": 0, "always": 1, "last": 2}),
    Option("bonus", "whether seven points count twice", YES_NO),
)
PRESETS = {
    "short": {"rounds": "1", "sake": "always", "bonus": "no"},
    "long": {"rounds": "12", "sake": "last", "bonus": "yes"},
}
BOOK = RuleBook(OPTIONS, PRESETS)


def test_the_first_preset_is_the_default():
    assert BOOK.make().preset == "short"
    assert BOOK.make().values == {"rounds": 1, "sake": 1, "bonus": 0}
    assert BOOK.make() == BOOK.make("short")


def test_rules_name_what_differs_from_their_preset():
    assert str(BOOK.make("long", ["rounds=3", "sake=last"])) == "long rounds=3"  # the last one counts there already
    assert str(BOOK.make("short", ["rounds=2", "rounds=3"])) == "short rounds=3"
    assert str(BOOK.make("short", ["rounds=2", "rounds=1"])) == "short"
    assert BOOK.make("short", ["rounds=2", "rounds=1"]) == BOOK.make("short")


@pytest.mark.parametrize("name", games.names())
def test_the_name_of_rules_makes_them_again(name):
    book = games.find(name).rulebook
    drawn = book.random(20, seed=4)
    assert len({book.row(rules) for rules in drawn}) == len(drawn)
    assert [rules.preset for rules in drawn[: len(book.presets)]] == list(book.presets)
    for rules in drawn:
        preset, *changes = str(rules).split()
        assert book.make(preset, changes) == rules


def test_random_rules_have_common_values_and_all_of_them_come_up():
    drawn = BOOK.random(15, seed=1)
    assert [str(rules) for rules in drawn] == [str(rules) for rules in BOOK.random(15, seed=1)]
    assert {rules.values["rounds"] for rules in drawn} == {1, 6, 12}
    assert {rules.values["sake"] for rules in drawn} == {0, 1, 2}
    assert len(BOOK.random(99, seed=1)) == 3 * 3 * 2  # there are no more


def test_the_record_inside_a_state_has_a_field_for_each_option():
    assert BOOK.dtype.names[: len(OPTIONS)] == tuple(option.key for option in OPTIONS)
    table = np.zeros(1, BOOK.dtype)
    table[0].rounds = 12
    assert int(table["rounds"][0]) == 12


@pytest.mark.parametrize(
    ("preset", "change", "said"),
    [
        ("shrot", None, "unknown rules preset 'shrot': did you mean 'short'?"),
        (None, "round=1", "unknown option 'round': did you mean 'rounds'?"),
        (None, "rounds", "should be key=value"),
        (None, "rounds=13", "option rounds is '13', but takes a whole number from 1 to 12"),
        (None, "rounds=two", "option rounds is 'two', but takes a whole number from 1 to 12"),
        (None, "sake=often", "option sake is 'often', but takes never, always, last"),
    ],
)
def test_what_is_written_wrong_is_one_line(preset, change, said):
    with pytest.raises(Problem) as caught:
        BOOK.make(preset, [change] if change else None)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
