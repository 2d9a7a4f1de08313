"""Starting: what tables call is compiled before anybody sits down; games of one's own have a table for nothing."""

import pytest

from tefuda.games import find
from tefuda.kernel import compiled
from tefuda.players.identity import identity
from tefuda.players.resolve import resolve
from tefuda.web import lobby
from tefuda.web.starting import found_games, get_ready, link_to
from tests.web.conftest import Page, finish


@pytest.mark.slow
def test_nothing_is_compiled_or_loaded_while_somebody_waits(serving, monkeypatch):
    games, _ = found_games(["koikoi"])
    get_ready(games)
    served = serving("koikoi")
    compile_one, called = compiled.Kernel.compile, []

    def counted(self, *arguments):
        called.append(self)
        return compile_one(self, *arguments)

    monkeypatch.setattr(compiled.Kernel, "compile", counted)
    game = games[0]
    rules = game.rulebook.make("paper")
    for player in game.players.levels_under(rules).values():
        opened = served.open("koikoi", ["person", player], preset="paper", deal=2, practice=True)
        with served.sit(opened) as socket:
            page = Page(socket, opened["key"])
            page.until("turns")
            for adviser in lobby.advisers(game, rules)[:3]:
                page.say(type="hint", turn=page.turn, adviser=adviser)
                page.until("hint")
            page.say(type="hint", turn=page.turn, on=False)
            page.say(type="why", turn=page.turn, card=47)
            page.until("why")
            page.move(page.scene["moves"][0]["action"])
            page.until("turns")
            page.say(type="back", turn=page.turn)
            page.until("turns")
            finish(page)
            page.say(type="look", seat=None)
            page.until("turns")
    assert called == []


@pytest.mark.slow
def test_a_game_of_ones_own_has_a_table(serving, tmp_path, here):
    assert here("new", "game", "mine", "--out", str(tmp_path)).returncode == 0
    path = str(tmp_path / "mine")
    games, sources = found_games([path])
    assert sources == {games[0].name: path}
    get_ready(games)
    served = serving(path)
    told = served.client.get("/api/lobby").json()["games"][0]
    assert told["levels"]
    opened = served.open(told["name"], ["person", *[told["usual"]] * (told["seats"] - 1)])
    with served.sit(opened) as socket:
        page = Page(socket, opened["key"])
        page.until("turns")
        page.say(type="hint", turn=page.turn)
        page.until("hint")
        assert finish(page)["scores"]


def test_a_table_whose_moves_fit_no_more_says_so(serving):
    """As when the rules of a game of one's own were written anew."""
    served = serving("leduc")
    opened = served.open(deal=1)
    served.house.store.submit(served.house.store.acting(opened["table"], 0, [(0, 77)])).result()
    with served.sit(opened) as socket:
        assert "rules of this game have changed" in Page(socket, opened["key"]).next()["why"]["en"]


def test_the_lobby_tells_all_games(serving):
    served = serving("koikoi", "tricks", "leduc")
    told = served.client.get("/api/lobby").json()
    assert [game["name"] for game in told["games"]] == ["koikoi", "tricks", "leduc"]
    assert 20_000_000 < told["today"]["deal"] < 100_000_000
    koikoi = told["games"][0]
    assert koikoi["deck"] == "hanafuda"
    assert [level["key"] for level in koikoi["levels"]] == ["easy", "middle", "hard", "champion"]
    champion = next(player for player in koikoi["players"] if player["name"] == "champion")
    assert champion["level"] == "champion"
    assert "by paper (" in champion["strength"]["en"]
    assert "points a game" in champion["strength"]["en"]
    names = [player["name"] for player in koikoi["players"]]
    assert len(names) == len(set(names))
    for game in told["games"]:
        for preset in game["presets"]:
            assert set(preset["advisers"]) <= set(preset["players"])
            assert {level["player"] for level in preset["levels"]} <= set(preset["players"])
            assert set(preset["options"]) == {option["name"] for option in game["options"]}
        guide = served.client.get(f"/api/guide?game={game['name']}").json()
        assert guide["lines"]
        assert all(line["ja"] and line["en"] for line in guide["lines"])
    wrong = served.client.get("/api/guide?game=koikoi&rules=paper&changed=rounds=x")
    assert wrong.status_code == 422
    assert "whole number" in wrong.json()["why"]["en"]


def test_levels_of_a_game_that_names_none():
    leduc = find("leduc")
    assert leduc.players.levels_under(leduc.rulebook.make()) == {
        "easy": "random", "middle": "honest", "hard": "equilibrium",
    }  # fmt: skip


def test_the_link_holds_the_token_behind_the_sign_that_no_log_sees():
    assert link_to("127.0.0.1", 80, None) == "http://127.0.0.1:80/"
    assert link_to("::1", 80, "abc") == "http://[::1]:80/#/enter/abc"


def test_a_network_that_plays_by_many_rules_is_kept_once(serving):
    """Guests choose rules without end, and a network can have twenty megabytes."""
    game, house = find("koikoi"), serving("koikoi").house
    for name in ("champion", "champion+search"):
        rules = [game.rulebook.make("paper", [f"rounds={rounds}"]) for rounds in (1, 2, 3)]
        first, *others = (house.entrant(game, name, each) for each in rules)
        assert first.params.nbytes > 1 << 20
        assert all(each.params is first.params for each in others)


def test_the_strength_of_a_player_is_not_that_of_another_of_its_name(monkeypatch):
    """A champion that has learned anew stands in no ladder of before."""
    game, rating = find("leduc"), {"mean": 0.25, "low": 0.125, "high": 0.375}
    rows = {
        "honest": {"identity": identity(resolve(game, "honest")), "rating": rating},
        "random": {"identity": "000000000000", "rating": rating},
    }
    monkeypatch.setattr(lobby, "_ladder", lambda *_: {"figure": "chips a game", "players": rows})
    assert lobby.strength(game, "standard", "honest") == {
        "ja": "standard で2人中1位（+0.25 ± 0.12）", "en": "number 1 of 2 by standard (+0.25 ± 0.12 chips a game)"
    }  # fmt: skip
    assert lobby.strength(game, "standard", "random") is None
    assert lobby.strength(game, "standard", "equilibrium") is None
