"""The lobby explains presets, options and players in Japanese too, for every game."""

import re

import pytest

from tefuda.games import find, names

KANA = re.compile(r"[぀-ヿ一-鿿]")


@pytest.mark.parametrize("name", names())
def test_everything_in_the_lobby_is_explained_in_japanese(name):
    game = find(name)
    known = {*game.rulebook.presets, *(option.key for option in game.rulebook.options)}
    known |= {player.name for player in game.players.named}
    known |= {
        f"{option.key}={value}"
        for option in game.rulebook.options
        for value in option.values or ()
        if value not in ("yes", "no") and not value[0].isdecimal()
    }
    assert sorted(known - set(game.words.japanese)) == []
    assert sorted(set(game.words.japanese) - known) == []
    assert [key for key, text in game.words.japanese.items() if not KANA.search(text)] == []


def test_without_japanese_the_english_is_told():
    words = find("koikoi").words
    assert words.about("nobody", "somebody new").ja == "somebody new"
    assert words.about("rounds", "rounds in a match").ja != "rounds in a match"
