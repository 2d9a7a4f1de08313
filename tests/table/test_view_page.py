"""docs/view.md says all that a view has, and what the games themselves say."""

from pathlib import Path

import tefuda
from tefuda.sources import load_source
from tefuda.table.events import Event

FOLDER = Path(__file__).parents[2] / "docs"
PAGE = load_source(FOLDER / "write_view.py", "page")


def test_the_page_is_what_the_games_say():
    written = (FOLDER / "view.md").read_text(encoding="utf-8")
    assert written == PAGE.text(), "run `python docs/write_view.py`"
    assert written.count("Fields of `view.plain`:") == len(tefuda.list_games())


def test_everything_that_a_view_has_is_named():
    view = tefuda.table("kuhn").view()
    assert set(PAGE.VIEW) == {name for name in dir(view) if not name.startswith("_")}
    assert list(PAGE.EVENT) == list(Event._fields)
    assert all(hasattr(tefuda.table("kuhn"), name) for name in PAGE.TABLE)


def test_every_card_of_every_game_has_a_number():
    for name in tefuda.list_games():
        assert len(tefuda.game(name).spaces.cards) >= 3, name
    assert len(tefuda.game("koikoi").spaces.cards) == 48
    assert len(tefuda.game("mahjong").spaces.cards) == 37
