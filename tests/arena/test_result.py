"""What a match says beside each player's figure: differences, seatings, scores of every deal, data frames."""

import csv
import json
from types import ModuleType

import numpy as np
import pytest

import tefuda
from tefuda import games
from tefuda.arena.match import match
from tefuda.errors import Problem
from tefuda.files import frames
from tefuda.intervals import interval_of

KUHN, SAICHUGEN, TRICKS = games.find("kuhn"), games.find("saichugen"), games.find("tricks")


def figures_by_player(result) -> dict[str, np.ndarray]:
    """The mean figure of each player on each deal, from the scores themselves."""
    found = {}
    for name in {name for rotation in result.seating for name in rotation}:
        sits = np.array([[each == name for each in rotation] for rotation in result.seating])
        found[name] = result.headline.of(result.scores)[:, sits].mean(axis=1)
    return found


def test_differences_are_of_the_same_deals():
    names = ["S-base+3t+4r", "T-random", "random"]
    result = match(SAICHUGEN, names, 60, seed=4)
    by_player = figures_by_player(result)
    assert [(each.player, each.minus) for each in result.differences] == [
        (names[0], names[1]), (names[0], names[2]), (names[1], names[2]),
    ]  # fmt: skip
    for each in result.differences:
        assert each.figure == interval_of(by_player[each.player] - by_player[each.minus])
    rows = {row.name: row.figure for row in result.rows}
    first = result.differences[0]
    assert first.figure.mean == pytest.approx(rows[names[0]].mean - rows[names[1]].mean)
    data = json.loads(json.dumps(result.data()))
    assert data["differences"][0] == {"player": names[0], "minus": names[1], **first.figure.data()}
    assert data["decisions"] == result.decisions == 60 * 3 * 45
    assert data["seconds"] > 0


def test_each_player_has_one_row():
    result = match(SAICHUGEN, ["S-base+3t+4r", "random"], 4)
    assert [row.name for row in result.rows] == ["S-base+3t+4r", "random"]
    assert [player["name"] for player in result.data()["players"]] == ["S-base+3t+4r", "random"]


def test_the_command_prints_differences(here):
    done = here("match", "saichugen", "T-random", "random", "--deals", "5", COLUMNS="120")
    assert "T-random − random" in done.stdout
    assert "decisions in" in done.stdout
    assert sum(line.startswith(" random ") for line in done.stdout.splitlines()) == 1


@pytest.mark.parametrize(
    ("seating", "arrangements"),
    [
        ("AABB,ABAB", {"AABB", "ABBA", "BBAA", "BAAB", "ABAB", "BABA"}), ("abab", {"ABAB", "BABA"}),
        ("ABBB", {"ABBB", "BABB", "BBAB", "BBBA"}),
    ],
)  # fmt: skip
def test_two_against_two(seating, arrangements):
    result = match(TRICKS, ["rule-based", "random"], 3, seating=seating)
    letters = {"rule-based": "A", "random": "B"}
    assert {"".join(letters[name] for name in rotation) for rotation in result.seating} == arrangements
    assert result.rotations == len(arrangements)
    assert len(result.rows) == 2


def test_a_seating_of_one_against_three_is_the_usual_match():
    usual, said = match(TRICKS, ["rule-based", "random"], 5), match(TRICKS, ["rule-based", "random"], 5, seating="ABBB")
    assert np.array_equal(usual.scores, said.scores)


@pytest.mark.parametrize("seating", ["AAB", "AABC", "AAAA", "", "AABB,AB", "12AB"])
def test_a_wrong_seating_is_told(seating, here):
    done = here("match", "tricks", "rule-based", "random", "--deals", "2", "--seating", seating)
    assert done.returncode == 2
    assert "should have 4 letters, one for each seat of tricks, with each of A, B" in done.stderr


def test_points_a_round_stand_where_a_game_has_rounds(here):
    rules = ["--rules", "nintendo", "--set", "rounds=3"]
    done = here("match", "koikoi", "random", "rule-based/always-stop", "--deals", "4", *rules, "--json")
    first = json.loads(done.stdout)["players"][0]
    assert first["a_round"]["mean"] == pytest.approx(first["mean"] / 3)
    assert first["a_round"]["high"] == pytest.approx(first["high"] / 3)
    assert "a round" in here("match", "koikoi", "random", "rule-based/always-stop", "--deals", "4", *rules).stdout
    single = here("match", "koikoi", "random", "rule-based/always-stop", "--deals", "4", "--json")
    assert "a_round" not in json.loads(single.stdout)["players"][0]


def test_the_scores_of_every_deal_are_written(here):
    done = here("match", "kuhn", "equilibrium", "random", "--deals", "6", "--seed", "2", "--scores", "deep/scores.csv")
    assert done.returncode == 0, done.stderr
    with (here.folder / "deep" / "scores.csv").open() as file:
        rows = list(csv.DictReader(file))
    result = match(KUHN, ["equilibrium", "random"], 6, seed=2)
    assert len(rows) == 6 * 2 * 2
    for row in rows:
        deal, rotation, seat = int(row["deal"]), int(row["rotation"]), int(row["seat"])
        assert row["player"] == result.seating[rotation][seat]
        assert float(row["score"]) == result.scores[deal, rotation, seat]
    mean = np.mean([float(row["score"]) for row in rows if row["player"] == "equilibrium"])
    assert mean == pytest.approx(result.rows[0].figure.mean)


@pytest.mark.parametrize(
    ("file", "said"),
    [("scores.txt", "should end with .csv or .parquet"), ("scores", "should end with"), (".", "should end with")],
)
def test_scores_that_cannot_be_written_are_told_before_the_match(file, said, here):
    done = here("match", "kuhn", "equilibrium", "random", "--deals", "2", "--scores", file)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr


class Frame:
    def __init__(self, columns):
        self.columns = columns

    def write_parquet(self, buffer):
        buffer.write(b"PAR1" + json.dumps(self.columns).encode())


@pytest.fixture
def installed(monkeypatch):
    """installed("polars") makes these packages the ones that are there."""

    def choose(*names):
        monkeypatch.setattr(frames, "_installed", lambda package: package in names)
        for name in names:
            module = ModuleType(name)
            module.DataFrame = Frame
            monkeypatch.setitem(frames.importlib.sys.modules, name, module)

    return choose


@pytest.mark.parametrize("package", ["polars", "pandas"])
def test_a_result_is_a_data_frame(package, installed):
    installed(package)
    result = tefuda.match("kuhn", ["equilibrium", "random"], deals=5)
    assert list(result.frame().columns) == ["player", "mean", "low", "high", "wins", "draws"]
    assert result.frame().columns["player"] == ["equilibrium", "random"]
    assert result.frame().columns["mean"] == [row.figure.mean for row in result.rows]
    assert len(result.score_frame().columns["score"]) == 20


def test_without_polars_and_pandas_there_is_one_clear_line(installed, here):
    installed()
    with pytest.raises(Problem, match="takes polars or pandas, but neither is installed: `pip install polars`"):
        tefuda.match("kuhn", ["equilibrium", "random"], deals=5).frame()
    done = here("match", "kuhn", "equilibrium", "random", "--deals", "2", "--scores", "scores.parquet")
    assert done.returncode == 2
    assert "Parquet takes polars or pyarrow, but neither is installed; write a .csv instead" in done.stderr
    assert not (here.folder / "scores.parquet").exists()


def test_scores_as_parquet(installed, tmp_path):
    installed("polars")
    result = match(KUHN, ["equilibrium", "random"], 3)
    frames.write_columns(tmp_path / "scores.parquet", result.score_columns())
    content = (tmp_path / "scores.parquet").read_bytes()
    assert content.startswith(b"PAR1")
    assert json.loads(content[4:])["player"][:2] == ["equilibrium", "random"]


def test_a_result_is_short_in_a_shell_and_a_table_in_a_notebook():
    result = tefuda.match("kuhn", ["equilibrium", "random"], deals=5, seed=3)
    assert repr(result).startswith("<match of kuhn, rules standard, chips a game, 5 deals × 2 rotations, seed 3:")
    assert "equilibrium " in repr(result)
    assert len(repr(result)) < 250
    table = result._repr_html_()
    assert table.count("<tr>") == 3
    assert "equilibrium" in table
    found = tefuda.exact("kuhn", "equilibrium")
    assert "exploitability 0.000000" in repr(found)
    assert found._repr_html_().count("<tr>") == 3


def test_names_are_escaped_in_a_notebook():
    class Odd:
        name = "<b>odd</b>"

        def act(self, view):
            return view.legal[0]

    assert "&lt;b&gt;odd" in tefuda.match("kuhn", [Odd(), "random"], deals=2)._repr_html_()
