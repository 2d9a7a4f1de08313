"""From Python, a class or an object plays wherever a name does; what lives how long is what the docs say."""

import functools
import io
import sys
from types import SimpleNamespace

import numpy as np
import pytest

import tefuda
from tefuda import games
from tefuda.arena.match import match
from tefuda.errors import Problem
from tefuda.learn.method import compiled_player
from tefuda.players.identity import identity
from tefuda.players.resolve import entrant_of

KUHN = games.find("kuhn")


class First:
    """Takes the first legal action."""

    def act(self, view):
        return view.legal[0]


class Placed:
    def __init__(self, place=0):
        self.place = place
        self.asked = 0

    def act(self, view):
        self.asked += 1
        return view.legal[self.place]


class FirstOfBatch:
    made = 0

    def __init__(self):
        type(self).made += 1

    def choose(self, observations, masks):
        return masks.argmax(axis=1)


def figures(result):
    return [row.figure for row in result.rows]


EXPECTED = figures(match(KUHN, ["always-pass", "random"], 130, seed=9))


@pytest.mark.parametrize(
    "player", [First, First(), Placed, Placed(0), functools.partial(Placed, place=0), FirstOfBatch, FirstOfBatch()]
)
def test_a_class_or_an_object_plays_a_match(player):
    result = tefuda.match("kuhn", [player, "random"], deals=130, seed=9)
    assert figures(result) == EXPECTED
    assert result.rows[0].name in ("First", "Placed", "FirstOfBatch")


def test_different_players_of_one_name_are_told_apart():
    result = tefuda.match("kuhn", [Placed(0), Placed(-1)], deals=50, seed=27)
    assert [row.name for row in result.rows] == ["Placed", "Placed#2"]
    assert figures(result) == figures(match(KUHN, ["always-pass", "always-bet"], 50, seed=27))
    same = Placed(0)
    assert [row.name for row in tefuda.match("kuhn", [same, same], deals=3).rows] == ["Placed"]


def test_an_object_lives_as_long_as_it_is_kept_and_a_class_gives_one_for_each_seat_of_each_game():
    kept = Placed(-1)
    result = tefuda.match("kuhn", [kept, "always-bet"], deals=20)
    assert kept.asked == 2 * 20  # each deal in two rotations: it calls, or bets and is called
    assert result.decisions == 2 * kept.asked
    made = []

    class Counted(Placed):
        def __init__(self):
            super().__init__(-1)
            made.append(self)

    tefuda.match("kuhn", [Counted, "always-bet"], deals=20)
    assert len(made) == 40
    assert {each.asked for each in made} == {1}


def test_a_batch_class_gives_one_object_for_a_whole_match():
    FirstOfBatch.made = 0
    tefuda.match("kuhn", [FirstOfBatch, "random"], deals=250)  # three pieces
    assert FirstOfBatch.made == 1
    tefuda.match("kuhn", [FirstOfBatch, First], deals=5)
    assert FirstOfBatch.made == 2


@pytest.mark.parametrize("other", ["random", First], ids=["lanes", "tables"])
def test_a_batch_player_is_told_its_lanes(other):
    seen = []

    class Remembering:
        def choose(self, observations, masks, lanes):
            assert len(lanes) == len(masks)
            seen.extend((int(lane["deal"]), int(lane["rotation"]), int(lane["seat"])) for lane in lanes)
            first = observations[:, KUHN.spaces.observation.slices["first"]][:, 0]
            assert np.array_equal(lanes["seat"] == 0, first == 1)
            return masks.argmax(axis=1)

    result = tefuda.match("kuhn", [Remembering, other], deals=120, seed=3)
    assert {deal for deal, _, _ in seen} == set(range(120))
    assert {(rotation, seat) for _, rotation, seat in seen} == {(0, 0), (1, 1)}
    if other == "random":
        assert figures(result) == figures(match(KUHN, ["always-pass", "random"], 120, seed=3))


def test_a_table_asks_anybody():
    table = tefuda.table("kuhn", seed=3)
    assert table.ask("always-pass") == table.ask(First) == table.ask(Placed(0)) == table.ask(FirstOfBatch) == 0
    assert table.ask("always-bet") == table.ask(Placed(-1)) == 1
    while not table.over:
        table.apply(table.ask(Placed))
    with pytest.raises(Problem, match="the game is over"):
        table.ask(First)


def test_the_table_function_stays_although_a_package_has_its_name():
    assert tefuda.table("kuhn", deal=1).deal == 1
    assert tefuda.table("kuhn", deal=2).deal == 2
    assert "tefuda.table.table" in sys.modules


def test_a_ladder_of_classes_objects_and_names(tmp_path):
    ladder = tefuda.ladder("kuhn", ["random", First, Placed(-1)], deals=60, slow_deals=20)
    assert sorted(player.name for player in ladder.players) == ["First", "Placed", "random"]
    assert len(ladder.cells) == 6
    cell = ladder.cells["First", "Placed"]
    assert cell.figure == match(KUHN, ["always-pass", "always-bet"], 20, cell.seed).rows[0].figure
    assert list(tmp_path.iterdir()) == []
    assert "Placed" in repr(ladder)
    assert len(repr(ladder)) < 400
    assert ladder._repr_html_().count("<tr>") == 4
    kept = tefuda.ladder("kuhn", ["random", First], deals=10, out=tmp_path)
    assert kept.path.exists()
    with pytest.raises(Problem, match="two players or more"):
        tefuda.ladder("kuhn", [First])


def test_a_player_kept_in_a_ladder_is_known_again_by_its_source_and_what_it_holds():
    assert identity(entrant_of(KUHN, First)) == identity(entrant_of(KUHN, First))
    assert identity(entrant_of(KUHN, Placed(0))) == identity(entrant_of(KUHN, Placed(0)))
    assert identity(entrant_of(KUHN, Placed(0))) != identity(entrant_of(KUHN, Placed(1)))
    assert identity(entrant_of(KUHN, First)) != identity(entrant_of(KUHN, Placed))
    unreadable = SimpleNamespace(act=lambda view: view.legal[0])
    assert identity(entrant_of(KUHN, unreadable)) != identity(entrant_of(KUHN, unreadable))


def test_one_sits_down_against_a_class(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", io.StringIO("1\n1\n1\n"))
    tefuda.play("kuhn", [First], deal=3)
    assert "First" in capsys.readouterr().out
    assert list((tmp_path / "games").iterdir())


class Needing:
    def __init__(self, worlds):
        self.worlds = worlds

    def act(self, view):
        return view.legal[0]


@pytest.mark.parametrize(
    ("player", "said"),
    [
        (None, "or an object of one, not None"), (3, "a player is a name, a class .* not 3"),
        (["random"], "not .'random'."), (dict, "dict has no method act"),
        (Needing, "Needing needs the setting worlds"),
    ],
)  # fmt: skip
def test_what_cannot_play_is_refused(player, said):
    with pytest.raises(Problem, match=said):
        tefuda.match("kuhn", [player, "random"], deals=2)


class Raising:
    """Whoever looks at it fails."""

    @property
    def act(self):
        raise RuntimeError("not yet")


class Leaving:
    name = property(lambda self: sys.exit(0))

    def act(self, view):
        return view.legal[0]


@pytest.mark.parametrize(("player", "said"), [(Raising(), "RuntimeError: not yet"), (Leaving(), "SystemExit: 0")])
def test_a_player_that_fails_when_it_is_looked_at_is_one_line(player, said):
    with pytest.raises(Problem, match=f"{type(player).__name__} cannot play: {said}"):
        tefuda.match("kuhn", [player, "random"], deals=2)


def test_a_class_with_arguments_plays_as_an_object():
    assert figures(tefuda.match("kuhn", [Needing(3), "random"], deals=130, seed=9)) == EXPECTED


@pytest.mark.slow
def test_exploit_is_a_function_too(tmp_path):
    pytest.importorskip("torch")
    found = tefuda.exploit("kuhn", "always-bet", tmp_path / "run", deals=20, decisions=2000, lanes=16, units=(8,))
    assert found.player == "always-bet"
    assert "always-bet" in repr(found)
    assert found.columns()["what"][0] == "gain"
    assert "<table>" in found._repr_html_()


class Slotted:
    """An object without a dictionary."""

    __slots__ = ()

    def act(self, view):
        return view.legal[0]


def test_an_object_without_a_dictionary_plays():
    assert match(KUHN, [Slotted(), "random"], 3).deals == 3


def test_only_compiled_players_are_learned_against_and_valued_exactly(tmp_path):
    for player in (First, First(), FirstOfBatch):
        with pytest.raises(Problem, match=r"^First\w* cannot be valued exactly: only compiled players can$"):
            tefuda.exact("kuhn", player)
        with pytest.raises(Problem, match=r"^First\w* cannot be learned against: only compiled players can"):
            tefuda.train("koikoi", "pg-linear", tmp_path / "out", opponent=player)
        with pytest.raises(Problem, match=r"^First\w* cannot be learned against: only compiled players can$"):
            compiled_player(KUHN, player, KUHN.rulebook.make())
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_a_class_is_not_exploited(tmp_path):
    pytest.importorskip("torch")
    with pytest.raises(Problem, match=r"^First cannot be learned against: only compiled players can$"):
        tefuda.exploit("kuhn", First, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_game_against_a_class_says_that_it_cannot_be_resumed(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for opponent, said in (
        (
            First,
            "saved, but the game cannot go on: no name finds First again; to see it:\n  tefuda replay games/a.json",
        ),
        ("random", "saved; to go on:\n  tefuda play --resume games/a.json"),
    ):
        monkeypatch.setattr(sys, "stdin", io.StringIO("q\n"))
        tefuda.play("kuhn", [opponent], deal=3, lang="en", record="games/a.json")
        assert said in capsys.readouterr().out
        (tmp_path / "games" / "a.json").unlink()
