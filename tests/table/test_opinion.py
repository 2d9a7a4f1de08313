"""What a player would do at a view: its chances, and the place that it expects."""

import numpy as np
import pytest

from tefuda import games
from tefuda.contract import Reader
from tefuda.games.mahjong.starting import start_deal
from tefuda.kernel.compile import COMPILED
from tefuda.players.resolve import resolve
from tefuda.table.evaluation import Evaluation
from tefuda.table.opinion import opinion_of
from tefuda.table.table import Table

MAHJONG = games.find("mahjong")
CHAMPION = resolve(MAHJONG, "champion")


def test_the_equilibrium_of_kuhn_poker_has_the_chances_of_the_theory():
    """By the theory the second player calls a bet with the king always, with the jack never, with the queen in a third
    of all cases. https://en.wikipedia.org/wiki/Kuhn_poker"""
    kuhn, found = games.find("kuhn"), {}
    player = resolve(kuhn, "equilibrium")
    for deal in range(40):
        table = Table(kuhn, None, 1, deal)
        table.apply(kuhn_action(table, "bet"))
        opinion = opinion_of(table.view(), player)
        assert opinion.place is None
        assert sum(move.chance for move in opinion.moves) == pytest.approx(1.0)
        found[table.view().plain["card"][1]] = {move.name.en: move.chance for move in opinion.moves}
    calls = [next(chance for name, chance in found[card].items() if "call" in name) for card in sorted(found)]
    assert calls == pytest.approx([0.0, 1 / 3, 1.0])


def kuhn_action(table: Table, word: str) -> int:
    return next(action for name, action in table.view().legal_names.items() if word in name.lower())


def test_players_that_tell_no_chances_have_no_opinion():
    assert opinion_of(Table(MAHJONG, None, 1, 1).view(), resolve(MAHJONG, "rule-based")) is None


def test_the_champion_is_asked_where_the_quick_player_plays_worlds_on():
    saichugen, koikoi = games.find("saichugen"), games.find("koikoi")
    for name, asked in (("quick", "champion"), ("champion", "champion"), ("exploiter", "exploiter")):
        assert opinion_of(Table(saichugen, None, 1, 1).view(), resolve(saichugen, name)).player == asked
    assert opinion_of(Table(koikoi, None, 1, 1).view(), resolve(koikoi, "champion")).player == "champion"


def test_a_network_that_takes_its_first_choice_says_how_sure_it_is():
    view = Table(games.find("saichugen"), None, 1, 1).view()
    usual, first = (opinion_of(view, resolve(view.game, f"champion/temperature={each}")) for each in (1, 0))
    assert [move.chance for move in first.moves] == [move.chance for move in usual.moves]
    assert 0.0 < first.moves[1].chance < first.moves[0].chance < 1.0


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="the network of mahjong takes seconds a decision uncompiled")
def test_the_opinion_of_mahjongs_champion_is_blind_to_hidden_tiles_and_knows_how_the_match_stands():
    table, told = Table(MAHJONG, None, 1, 1), []
    for _ in range(60):
        view = table.view()
        opinion = opinion_of(view, CHAMPION)
        assert sorted(move.action for move in opinion.moves) == view.legal
        assert sum(move.chance for move in opinion.moves) == pytest.approx(1.0, abs=1e-5)
        world = view.guess()
        assert world.states.tobytes() != table.states.tobytes()
        assert opinion_of(world.view(view.seat), CHAMPION) == opinion
        told.append(opinion.place)
        table.apply(opinion.moves[0].action)
    assert all(1.0 < place < 4.0 for place in told)
    by_view, by_world = (Evaluation(each, CHAMPION, this_round=True).more(2) for each in (view, world.view(view.seat)))
    assert by_view == by_world
    line = opinion.line(Reader(0, lang="en"))
    assert line.startswith(f"champion would play: {opinion.moves[0].name.en} ")
    assert line.endswith(f"(it expects place {opinion.place:.2f} in the end)")
    assert "最終順位の見込み" in opinion.line(Reader(0, lang="ja"))

    points, wall = np.array([70000, 10000, 10000, 10000], np.int64), table.states["wall"][0].copy()
    last = Table(MAHJONG, None, 1, 2)
    start_deal(last.states[0], 7, 0, 0, points, wall)  # the last deal of the south round: seat 3 deals
    while last.to_move != 0:
        trailing = opinion_of(last.view(), CHAMPION)
        last.apply(last.legal[0])
    assert opinion_of(last.view(), CHAMPION).place < 1.5 < trailing.place
    one_deal = Table(MAHJONG, MAHJONG.rulebook.make("hand"), 1, 1)
    assert opinion_of(one_deal.view(), CHAMPION).place is None
