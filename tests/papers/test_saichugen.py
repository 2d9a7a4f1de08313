"""The report of the Saichugen paper on a tiny scale: all of its parts, honest verdicts, going on where it stopped."""

import json
import random
from dataclasses import replace

import pytest

from tefuda import papers
from tefuda.arena.match import match
from tefuda.arena.result import Row
from tefuda.cli.benchmarks import FOLDER
from tefuda.contract import NamedPlayer
from tefuda.errors import Problem
from tefuda.games.saichugen import GAME
from tefuda.games.saichugen.players.tactics import STRATEGIES, TACTICS
from tefuda.intervals import Interval
from tefuda.papers import laboratory
from tefuda.papers import saichugen as paper
from tefuda.papers.laboratory import EVALUATION
from tefuda.papers.saichugen.players import choices_text, tactics_text
from tefuda.papers.saichugen.published import BEST, Scale
from tefuda.papers.saichugen.random_play import winners
from tefuda.report.report import Report

TINY = Scale(games=60, deals=20, reading_deals=5, learned_deals=3, search_deals=1)
FIGURES = ("found", "figure-1", "figure-2", "figure-3", "figure-4", "figure-5", "beyond-random", "beyond-strategy")
TABLES = (
    "winners", "random-turns", "random-rounds", "table-1", "table-2", "tactics", "readings", "readings-tactics",
    "beyond", "compared-random", "compared-tactics", "compared-strategies", "compared-beyond",
)  # fmt: skip


@pytest.fixture
def tiny(monkeypatch):
    """The paper on a tiny scale, by a search player that looks at few worlds."""
    policies = tuple(
        replace(policy, search=replace(policy.search, worlds=2)) if policy.search else policy
        for policy in GAME.players.policies
    )
    game = replace(GAME, players=replace(GAME.players, policies=policies))
    monkeypatch.setattr(paper, "PAPER", replace(paper.PAPER, game=game, scales={"quick": TINY}))


def with_players(monkeypatch, *more: NamedPlayer) -> None:
    """The game with these players instead of learned ones of its own."""
    others = tuple(each for each in GAME.players.named if not each.name.startswith("learned"))
    game = paper.PAPER.game
    with_others = replace(game, players=replace(game.players, named=(*others, *more)))
    monkeypatch.setattr(paper, "PAPER", replace(paper.PAPER, game=with_others))


def row_of(figure: Interval, alone: float, shared: float, more: dict) -> Row:
    """What a match says of a player who has won so many games alone and together with others."""
    return Row("", figure, Interval(alone, 0.0, 1.0), Interval(shared, 0.0, 1.0), [], more)


def verdicts(report: Report) -> dict[str, str]:
    return {row["what"]: row["verdict"] for table in report.data()["compared"] for row in table["rows"]}


def table(report: Report, key: str) -> dict:
    return next(each for each in report.data()["tables"] if each["key"] == key)


@pytest.mark.slow
@pytest.mark.usefixtures("tiny")
def test_a_run_writes_every_figure_and_table_and_leaves_nothing_else(tmp_path):
    out = tmp_path / "report"
    report = papers.reproduce("saichugen", "quick", out, 3, 1)
    assert {path.stem for path in (out / "figures").iterdir()} == set(FIGURES)
    assert {path.stem for path in (out / "tables").iterdir()} == set(TABLES)
    page = (out / "index.html").read_text()
    for said in ("37.054", "48.416", "about 5", "little influence"):
        assert said in page
    assert sorted(path.name for path in tmp_path.iterdir()) == ["report"]
    # a figure is what the match of its command says
    row = match(GAME, [BEST, "random"], TINY.deals, 3 + EVALUATION).rows[0]
    figure = json.loads((out / "figures" / "figure-5.json").read_text())
    assert figure["values"][-1] == row.figure.mean
    assert figure["published"] == [37.054, None, None, 48.416]
    games = [row[1]["mean"] for row in table(report, "winners")["rows"]]
    assert sum(games) == pytest.approx(100)
    rows = {tuple(row[:2]): row for row in table(report, "beyond")["rows"]}
    fair = rows[BEST, f"two {BEST}"]
    assert 100 / 3 <= fair[3]["mean"] <= 100
    assert fair[-1]["mean"] == 0.0  # a stake is only passed on


@pytest.mark.slow
@pytest.mark.usefixtures("tiny")
def test_an_interrupted_run_goes_on_and_ends_with_the_same_report(tmp_path, monkeypatch):
    calls = []

    def counted(game, players, *arguments):
        calls.append([player.name for player in players])
        if len(calls) == 9:
            raise KeyboardInterrupt
        return match(game, players, *arguments)

    monkeypatch.setattr(laboratory, "match", counted)
    with pytest.raises(Problem, match="give the same command again"):
        papers.reproduce("saichugen", "quick", tmp_path / "stopped", 3, 1)
    assert not (tmp_path / "stopped").exists()
    papers.reproduce("saichugen", "quick", tmp_path / "stopped", 3, 1)
    again = calls[8:]
    assert again[0] == again[1]  # the part that was stopped, and nothing before it
    calls[:] = [[]] * 9
    papers.reproduce("saichugen", "quick", tmp_path / "whole", 3, 1)
    assert len(calls) - 9 == 8 + len(again) - 1
    for path in sorted((tmp_path / "whole").rglob("*.json")):
        assert path.read_bytes() == (tmp_path / "stopped" / path.relative_to(tmp_path / "whole")).read_bytes()


WINS = {"S-random": 37.1, "S-base": 43.0, "S-base+3t": 45.0, BEST: 48.3, "learned": 61.0, "pimc": 65.0}
WON = {"T-take": 0.51, "T-take+3t": 0.56}
ZERO = {"T-nottake": 0.79, "T-nottake+3t": 0.8}


def measured_as(monkeypatch, wins: dict, won: dict, zero: dict, against_best: float = 45.0, half: float = 0.3) -> None:
    """Matches that say what a test wants; whoever is not named gets what is usual."""

    def measure(self, players, deals, rules=None):
        name, other = players
        if other == BEST:
            mean = 40.5 if name == other else against_best
        else:
            mean = (WINS | wins).get(name, 37.1)
        turns = {str(number): share for number, share in enumerate((0.19, 0.75, 0.06, 0.0))}
        rounds = {str(number): share for number, share in enumerate((0.05, 0.45, 0.45, 0.05, 0.0, 0.0))}
        more = {
            "rounds": 500_000,
            "round_win_rate": (WON | won).get(name, 0.39), "zero_rate": (ZERO | zero).get(name, 0.68),
            "winners_of_rounds": turns, "winners_of_games": rounds, "round_wins": turns, "game_wins": rounds,
        }  # fmt: skip
        return row_of(Interval(mean, mean - half, mean + half), 0.296, 0.075, more)

    monkeypatch.setattr(laboratory.Laboratory, "measure", measure)


@pytest.mark.slow
@pytest.mark.usefixtures("tiny")
def test_verdicts_follow_the_numbers(tmp_path, monkeypatch):
    with_players(monkeypatch, NamedPlayer("learned", "", BEST))
    measured_as(monkeypatch, {}, {}, {})
    right = verdicts(papers.reproduce("saichugen", "quick", tmp_path / "right", 1, 1))
    assert set(right.values()) == {"hit", "no target"}
    measured_as(
        monkeypatch, {"random": 38.0, "S-random": 36.0, BEST: 47.9, "learned": 59.9, "pimc": 63.9},
        {"T-take+3t": 0.54}, {"T-nottake+3t": 0.82}, 40.7,
    )  # fmt: skip
    wrong = verdicts(papers.reproduce("saichugen", "quick", tmp_path / "wrong", 1, 1))
    assert {what for what in wrong if wrong[what] == "miss"} == {
        "games won by a random player", "S-random, games won", "S-base+3t+4r, games won",
        "rounds won, T-take+3t minus T-take", "rounds with 0 points, T-nottake+3t minus T-nottake",
        "learned against two random, 60 wanted", "pimc against two random, 64 wanted",
        "learned against two S-base+3t+4r, lower end of the 95 % interval",
    }  # fmt: skip


@pytest.mark.slow
@pytest.mark.usefixtures("tiny")
def test_luck_is_not_judged(tmp_path, monkeypatch):
    measured_as(monkeypatch, {}, {}, {}, half=2.5)  # 65 is above 64, and so is much of what it may be below it
    found = verdicts(papers.reproduce("saichugen", "quick", tmp_path / "report", 1, 1))
    assert found["pimc against two random, 64 wanted"] == "no target"


@pytest.mark.slow
@pytest.mark.usefixtures("tiny")
def test_a_learned_player_is_measured_when_there_is_one(tmp_path, monkeypatch):
    measured_as(monkeypatch, {}, {}, {})
    with_players(monkeypatch)
    without = papers.reproduce("saichugen", "quick", tmp_path / "without", 1, 1)
    assert not any("learned" in row[0] for row in table(without, "beyond")["rows"])
    assert not any("learned" in what for what in verdicts(without))
    with_players(
        monkeypatch, NamedPlayer("learned", "", BEST), NamedPlayer("learned-vs-random", "", BEST)
    )  # fmt: skip
    there = papers.reproduce("saichugen", "quick", tmp_path / "there", 1, 1)
    rows = [row[0] for row in table(there, "beyond")["rows"]]
    assert rows.count("learned") == rows.count("learned-vs-random") == 2


@pytest.mark.usefixtures("tiny")
def test_kept_parts_are_those_of_the_same_numbers(tmp_path, monkeypatch):
    def measure() -> Row:
        report = Report("", tmp_path / "report", {}, 1, "", "")
        lab = laboratory.Laboratory(paper.PAPER.game, report, TINY, 1, tmp_path / "work", 1)
        return lab.measure(["learned", "random"], 20)

    with_players(monkeypatch, NamedPlayer("learned", "", "S-base"))
    before = measure()
    assert len(list((tmp_path / "work").iterdir())) == 1
    assert measure() == before
    assert len(list((tmp_path / "work").iterdir())) == 1
    with_players(monkeypatch, NamedPlayer("learned", "", "T-take"))  # the same name, now somebody else
    assert measure() != before


def test_winners_are_counted_from_games_won_alone_and_together():
    found = row_of(Interval(0.0, 0.0, 0.0), 6 / 30, (2 * 3 + 3) / 30, {})  # 6 games of one, 3 of two, 1 of three
    assert winners(found, 10) == [0.6, 0.3, 0.1]


def test_tables_1_and_2_have_the_parts_of_the_papers():
    """Names in the cells, as the paper's tables have them."""
    take = {"choice1", "choice2"}
    turns = {
        "T-random": [{"choice0"}] * 3, "T-take": [take] * 3, "T-nottake": [take] * 3,
        "T-take+3t": [take, take, {"choice5"}], "T-nottake+3t": [take, take, {"choice5"}],
    }  # fmt: skip
    for name, wanted in turns.items():
        cells = [choices_text(turn) for turn in TACTICS[name].turns]
        assert [{part.split()[0].rstrip(":") for part in cell.split("; ")} for cell in cells] == wanted
    base, base_3t = {"T-take", "T-nottake"}, {"T-take+3t", "T-nottake+3t"}
    rounds = {"S-random": [{"T-random"}] * 5, "S-base": [base] * 5, "S-base+3t": [base_3t] * 5}
    rounds[BEST] = [base_3t] * 3 + [{"T-takepoint", "T-nottake+3t"}] * 2  # the second when ahead: our reading
    for name, wanted in rounds.items():
        cells = [tactics_text(tactics) for tactics in STRATEGIES[name].rounds]
        assert [{part.split()[0] for part in cell.split("; ")} for cell in cells] == wanted


def test_an_unknown_scale_is_told():
    with pytest.raises(Problem, match="unknown scale 'huge': known are quick, paper"):
        papers.reproduce("saichugen", "huge", None, 1)


def test_the_plain_games_of_the_benchmark_are_saichugen(monkeypatch):
    monkeypatch.syspath_prepend(FOLDER)
    from saichugen import plain_game

    games = 4000
    wins = sum(len(plain_game(random.Random(deal))) for deal in range(games))
    assert 100 * wins / (3 * games) == pytest.approx(37.05, abs=1.1)  # four deviations
