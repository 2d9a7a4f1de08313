"""Ladders: which cells are played and when again, ratings and their intervals, the page, and the command."""

import json
import shlex
from dataclasses import replace
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tefuda import games
from tefuda.arena import ladder as ladders
from tefuda.arena.ladder import Ladder, begin
from tefuda.arena.match import match
from tefuda.arena.rating import Entry, rate, spread_of
from tefuda.contract import NamedPlayer
from tefuda.errors import Problem
from tefuda.files.policy import PolicyCard, save
from tefuda.games.kuhn.players import PLAYERS
from tefuda.intervals import Interval, interval_of
from tefuda.players.identity import identity
from tefuda.players.resolve import resolve
from tefuda.report import ladder as pages
from tefuda.report.markdown import markdown
from tefuda.search.pimc import with_pimc

KUHN, TRICKS, SAICHUGEN = (games.find(name) for name in ("kuhn", "tricks", "saichugen"))
FOUR = ["random", "equilibrium", "always-bet", "always-pass"]
STANDARD = KUHN.rulebook.make()
POLICIES = tuple(policy for policy in KUHN.players.policies if policy.search is None)
OWN = "class Mine:\n    def act(self, view):\n        return view.legal[{}]\n"


@pytest.fixture
def played(monkeypatch):
    """The matches that ladders play, by the names of both sides, as they come."""
    pairs = []

    def counted(game, players, *arguments, **named):
        pairs.append(tuple(player.name for player in players))
        return match(game, players, *arguments, **named)

    monkeypatch.setattr(ladders, "match", counted)
    return pairs


def stop_after(monkeypatch, matches: int) -> None:
    """Ctrl-C in the match after so many."""
    pairs = []

    def interrupted(game, players, *arguments, **named):
        if len(pairs) == matches:
            raise KeyboardInterrupt
        pairs.append(players)
        return match(game, players, *arguments, **named)

    monkeypatch.setattr(ladders, "match", interrupted)


def climb(folder, names=FOUR, deals=20, game=KUHN, rules=None, seed=1, slow_deals=5) -> Ladder:
    """A whole ladder in a folder."""
    ladder = begin(game, rules or game.rulebook.make(), seed, folder, names)
    ladder.play(deals, slow_deals, 1)
    return ladder


def stored(ladder: Ladder) -> dict:
    return json.loads(ladder.path.read_text(encoding="utf-8"))


# --- cells ---


def test_each_pair_of_a_game_for_two_is_played_once_and_mirrored(tmp_path, played):
    ladder = climb(tmp_path)
    assert played == list(combinations(FOUR, 2))
    assert len(ladder.cells) == 12
    for first, second in combinations(FOUR, 2):
        cell, mirror = ladder.cells[first, second], ladder.cells[second, first]
        rows = match(KUHN, [first, second], 20, cell.seed).rows
        assert (cell.figure, mirror.figure) == (rows[0].figure, rows[1].figure)
        assert (cell.deals, cell.rotations, cell.rules, cell.seed) == (20, 2, "standard", mirror.seed)
        assert (cell.mirror, mirror.mirror) == (False, True)


def test_every_cell_has_deals_of_its_own(tmp_path):
    cells = [cell for cell in climb(tmp_path).cells.values() if not cell.mirror]
    assert len({cell.seed for cell in cells}) == len(cells) == 6
    other = climb(tmp_path / "other", seed=2)
    assert all(other.cells[cell.player, cell.opponents].seed != cell.seed for cell in cells)


def test_at_a_larger_table_both_cells_of_a_pair_are_played(tmp_path, played):
    ladder = climb(tmp_path, ["random", "rule-based"], 6, TRICKS)
    assert played == [("random", "rule-based"), ("rule-based", "random")]
    cell = ladder.cells["rule-based", "random"]
    assert (cell.mirror, cell.rotations) == (False, 4)
    assert cell.figure == match(TRICKS, ["rule-based", "random"], 6, cell.seed).rows[0].figure
    random, rule_based = ladder.players
    assert ladder.figure(random, random) == Interval(3.25, 3.25, 3.25)
    assert ladder.advantage(rule_based, random).mean == pytest.approx(cell.mean - 3.25)
    assert ladder.advantage(random, random) is None


def test_where_less_is_better_an_advantage_is_turned_round(tmp_path):
    ladder = climb(tmp_path, ["random", "rule-based"], 40, TRICKS, TRICKS.rulebook.make("hearts"))
    random, rule_based = ladder.players
    cell, found = ladder.cells["rule-based", "random"], ladder.advantage(rule_based, random)
    assert (found.mean, found.low, found.high) == pytest.approx((6.5 - cell.mean, 6.5 - cell.high, 6.5 - cell.low))
    assert [each.name for each in ladder.rated()[0]] == ["rule-based", "random"]


def test_what_is_fair_is_played_where_it_depends_on_the_players(tmp_path, played):
    ladder = climb(tmp_path, ["random", "S-base"], 40, SAICHUGEN)
    assert played == [("random", "random"), ("S-base", "S-base"), ("random", "S-base"), ("S-base", "random")]
    assert ladder.fair is None
    random, base = ladder.players
    equals, cell = ladder.cells["random", "random"], ladder.cells["S-base", "random"]
    assert equals.figure == match(SAICHUGEN, ["random", "random"], 40, equals.seed).rows[0].figure
    assert ladder.figure(random, random) == equals.figure
    found = ladder.advantage(base, random)
    assert found.mean == pytest.approx(cell.mean - equals.mean)
    halves = ((equals.high - equals.low) / 2, (cell.high - cell.low) / 2)
    assert (found.high - found.low) / 2 == pytest.approx(np.hypot(*halves))
    assert all(each.rating for each in ladder.rated()[0])


def test_players_that_search_or_are_not_compiled_have_fewer_deals_and_come_last(tmp_path, player_file, played):
    own = f"{player_file(OWN.format(0))}:Mine"
    ladder = climb(tmp_path, ["pimc/worlds=2", own, "random", "always-bet"], 30, slow_deals=4)
    assert played[0] == ("random", "always-bet")
    assert {pair: cell.deals for pair, cell in ladder.cells.items() if not cell.mirror} == {
        pair: 30 if pair == ("random", "always-bet") else 4
        for pair in combinations(["pimc/worlds=2", own, "random", "always-bet"], 2)
    }
    assert resolve(KUHN, own).slow
    assert resolve(KUHN, "pimc/worlds=2").slow
    assert not resolve(KUHN, "random").slow


def test_all_registered_players_are_on_it_but_those_that_cannot_play_by_the_rules(tmp_path):
    names = [player.name for player in begin(KUHN, STANDARD, 1, tmp_path).players]
    assert names == list(dict.fromkeys(player.name for player in KUHN.players.named))
    for preset in ("plain", "hearts"):  # a name means another policy under each
        found = begin(TRICKS, TRICKS.rulebook.make(preset), 1, tmp_path).players
        assert len({player.name for player in found}) == len(found) == 10
    only = replace(KUHN.players.policy("always-bet"), under=lambda rules: False)
    shy = replace(
        KUHN,
        players=replace(
            KUHN.players, policies=tuple(only if each.key == "always-bet" else each for each in KUHN.players.policies)
        ),
    )
    assert [player.name for player in begin(shy, STANDARD, 1, tmp_path).players] == [
        name for name in names if name != "always-bet"
    ]


# --- going on ---


def test_an_interrupted_ladder_plays_only_what_is_missing(tmp_path, monkeypatch, played):
    whole = climb(tmp_path / "whole")
    assert len(played) == 6
    played.clear()
    with monkeypatch.context() as patched:
        stop_after(patched, 2)
        ladder = begin(KUHN, STANDARD, 1, tmp_path, FOUR)
        with pytest.raises(KeyboardInterrupt):
            ladder.play(20, 5, 1)
    assert len(stored(ladder)["cells"]) == 4  # two matches and their mirrors were on disk when it was stopped
    again = climb(tmp_path)
    assert played == list(combinations(FOUR, 2))[2:]
    assert stored(again) == stored(whole)
    played.clear()
    assert stored(climb(tmp_path)) == stored(whole)
    assert played == []


def test_a_new_player_adds_a_row_and_a_column(tmp_path, played):
    before = climb(tmp_path, FOUR[:3])
    played.clear()
    after = climb(tmp_path, ["always-pass", *FOUR[:3]])
    assert played == [("always-pass", name) for name in FOUR[:3]]
    assert {pair: after.cells[pair] for pair in before.cells} == before.cells
    assert len(after.cells) == 12


def test_players_who_are_not_named_this_time_keep_their_cells(tmp_path, played):
    whole = climb(tmp_path)
    played.clear()
    less = climb(tmp_path, FOUR[:2], 30)  # more deals: one cell is played and written
    assert played == [("random", "equilibrium")]
    assert [player["name"] for player in stored(less)["players"]] == ["equilibrium", "random"]
    assert len(stored(less)["cells"]) == 12
    assert climb(tmp_path).cells.keys() == whole.cells.keys()
    assert len(played) == 1


def test_a_policy_that_was_trained_again_is_played_again(tmp_path, played):
    file = tmp_path / "mine.npz"
    card = PolicyCard("kuhn", "table", "standard", KUHN.players.policy("table").features, 1, "", {})
    save(file, card, np.full(12, 0.25))
    names = [*FOUR[:2], str(file)]
    first = climb(tmp_path, names)
    played.clear()
    save(file, card, np.full(12, 0.75))
    second = climb(tmp_path, names)
    assert played == [("random", str(file)), ("equilibrium", str(file))]
    assert len(second.cells) == 6
    assert second.cells["random", "equilibrium"] == first.cells["random", "equilibrium"]
    assert second.cells["random", str(file)] != first.cells["random", str(file)]


def test_an_own_player_whose_file_changed_is_played_again(tmp_path, player_file, played):
    names = [f"{player_file(OWN.format(0))}:Mine", "random", "equilibrium"]
    climb(tmp_path, names)
    played.clear()
    player_file(OWN.format(1))
    climb(tmp_path, names)
    assert played == [(names[0], "random"), (names[0], "equilibrium")]


def test_more_deals_are_played_and_fewer_stand(tmp_path, played):
    climb(tmp_path, FOUR[:3], 20)
    played.clear()
    assert {cell.deals for cell in climb(tmp_path, FOUR[:3], 19).cells.values()} == {20}
    assert played == []
    assert {cell.deals for cell in climb(tmp_path, FOUR[:3], 21).cells.values()} == {21}
    assert len(played) == 3


def test_an_identity_is_the_policy_and_its_numbers():
    found = {name: identity(resolve(KUHN, name)) for name in (*FOUR, "equilibrium/0.2", "pimc", "pimc/worlds=7")}
    assert len(set(found.values())) == len(found)
    assert identity(resolve(KUHN, "random")) == found["random"]
    playout = {identity(resolve(KUHN, f"pimc/playout={name}")) for name in FOUR}
    assert len(playout) == 4


def test_the_search_player_is_the_same_when_its_game_has_a_policy_more():
    more = replace(KUHN.players.policy("random"), key="twin")
    players = (NamedPlayer("twin", "another policy with the numbers of `random`", "twin"), *PLAYERS)
    longer = with_pimc(
        replace(KUHN, players=replace(KUHN.players, policies=(more, *POLICIES), named=players)),
        worlds=50,
        playout="random",
    )
    before, after = resolve(KUHN, "pimc"), resolve(longer, "pimc")
    assert list(before.params) == list(after.params)
    assert identity(before) == identity(after) != identity(resolve(longer, "pimc/playout=twin"))


# --- ratings ---


def entries_of(truth, pairs, spread=1.0, deals=100, fair=0.0) -> list[Entry]:
    """Cells without any luck."""
    return [Entry(a, b, fair + truth[a] - truth[b], spread, deals) for a, b in pairs]


@given(st.lists(st.floats(-5, 5), min_size=2, max_size=6), st.floats(-3, 3), st.booleans())
@settings(max_examples=50, deadline=None)
def test_exact_cells_give_the_exact_ratings(truth, fair, mirrored):
    pairs = list((permutations if mirrored else combinations)(range(len(truth)), 2))
    found = rate(len(truth), entries_of(truth, pairs, fair=fair), fair)
    centred = np.array(truth) - np.mean(truth)
    assert [each.mean for each in found.ratings] == pytest.approx(centred, abs=1e-9)
    assert found.misfit == pytest.approx(0, abs=1e-9)


def test_what_is_fair_is_fitted_where_it_was_measured():
    truth, fair = [1.0, -0.5, -0.5, 0.0], [37.0, 40.0, 33.0, 50.0]
    cells = [Entry(a, b, fair[b] + truth[a] - truth[b], 1.0, 50) for a in range(4) for b in range(4)]
    assert [each.mean for each in rate(4, cells, None).ratings] == pytest.approx(truth)
    unmeasured = [cell for cell in cells if (cell.player, cell.opponents) != (3, 3)]
    assert [each.mean for each in rate(4, unmeasured, None).ratings] == pytest.approx(truth)  # by its row alone
    assert rate(4, [cell for cell in unmeasured if cell.player != 3], None) is None


def test_players_whom_no_cells_connect_have_no_ratings():
    assert rate(4, entries_of([0, 1, 2, 3], [(0, 1), (2, 3)]), 0.0) is None
    assert rate(4, entries_of([0, 1, 2, 3], [(0, 1), (2, 3), (3, 0)]), 0.0) is not None
    assert rate(1, [], 0.0) is None


def test_one_number_cannot_tell_of_a_circle():
    """Each beats the next by 1: all are alike, and nothing of it is luck."""
    circle = [Entry(a, (a + 1) % 3, 1.0, 0.01, 1000) for a in range(3)]
    found = rate(3, circle, 0.0)
    assert [each.mean for each in found.ratings] == pytest.approx([0, 0, 0], abs=1e-9)
    assert found.misfit == pytest.approx(3**0.5, rel=1e-3)  # one degree of freedom holds three squares of 1
    assert all(each.high - each.low < 0.02 for each in found.ratings)  # which is no matter of more deals


def test_the_interval_of_two_players_is_that_of_their_cell():
    values = np.random.default_rng(5).normal(0.3, 2.0, 500)
    figure = interval_of(values)
    assert spread_of(figure, 500) == pytest.approx(values.var(ddof=1), rel=1e-4)
    found = rate(2, [Entry(0, 1, figure.mean, spread_of(figure, 500), 500)], 0.0).ratings
    assert found[0].mean == pytest.approx(figure.mean / 2)
    assert found[1].mean == pytest.approx(-figure.mean / 2)
    assert found[0].high - found[0].low == pytest.approx((figure.high - figure.low) / 2, rel=0.01)


def test_a_cell_of_more_deals_counts_for_more():
    """Two cells that disagree by no more than luck: their mean, each deal counted once."""
    cells = [Entry(0, 1, 0.3, 1.0, 1000), Entry(1, 0, 0.0, 1.0, 10)]
    assert rate(2, cells, 0.0).ratings[0].mean == pytest.approx(0.3 * 1000 / 1010 / 2)
    turned = [replace(cells[0], deals=10), replace(cells[1], deals=1000)]
    assert rate(2, turned, 0.0).ratings[0].mean == pytest.approx(0.3 * 10 / 1010 / 2)


def test_a_few_deals_that_were_alike_do_not_dictate():
    cells = entries_of([0, 0, 0], permutations(range(3), 2), spread=4.0, deals=1000)
    alike = [replace(cells[0], mean=1.0, spread=0.0, deals=2), *cells[1:]]
    assert abs(rate(3, alike, 0.0).ratings[0].mean) < 0.02


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "measured"), [(2, False), (4, False), (3, True)])
def test_intervals_of_ratings_cover(seats, measured):
    """Of the 95 % intervals of made-up ladders, whose cells have luck of different sizes, 95 % hold the truth."""
    random = np.random.default_rng(seats)
    inside, players, ladders_made = [], 5, 150
    for _ in range(ladders_made):
        truth = random.normal(0, 1, players)
        truth -= truth.mean()
        fair = random.normal(0, 1, players) if measured else np.full(players, 2.0)
        cells = []
        for a, b in [(a, b) for a in range(players) for b in range(players)]:
            if (a == b and not measured) or (seats == 2 and a > b):
                continue
            deals = 20 if 0 in (a, b) else 200
            values = random.normal(fair[b] + truth[a] - truth[b], random.uniform(1, 3), deals)
            cells.append(Entry(a, b, values.mean(), values.var(ddof=1), deals))
        found = rate(players, cells, None if measured else 2.0)
        inside += [each.low <= true <= each.high for each, true in zip(found.ratings, truth, strict=True)]
    assert 0.92 < np.mean(inside) < 0.98


@pytest.mark.slow
def test_ladders_of_other_seeds_lie_within_the_intervals(tmp_path):
    """On real games too: cells are independent, so that intervals are as wide as ratings scatter."""
    found = []
    for seed in range(60):
        ladder = begin(KUHN, STANDARD, seed, tmp_path / str(seed), FOUR)
        for player, opponents, deals in ladder.missing(100, 100):
            ladder._play(player, opponents, deals, 1, None)
        found.append([each.rating for each in sorted(ladder.rated()[0], key=lambda each: each.name)])
    means = np.array([[each.mean for each in row] for row in found])
    halves = np.array([[each.high - each.mean for each in row] for row in found])
    assert 0.8 < (1.96 * means.std(axis=0, ddof=1) / halves.mean(axis=0)).mean() < 1.15


def test_the_mean_over_all_others_is_that_of_the_row(tmp_path):
    ladder = climb(tmp_path, deals=50)
    rows = {name: [ladder.cells[name, other].mean for other in FOUR if other != name] for name in FOUR}
    for each in ladder.rated()[0]:
        assert each.against_all.mean == pytest.approx(np.mean(rows[each.name]))
        cells = [ladder.cells[each.name, other] for other in FOUR if other != each.name]
        half = np.sqrt(sum((cell.high - cell.low) ** 2 for cell in cells)) / 2 / 3
        assert each.against_all.high - each.against_all.mean == pytest.approx(half)


# --- the file ---


def test_the_file_says_all_of_it(tmp_path):
    ladder = climb(tmp_path)
    content = stored(ladder)
    assert ladder.path == tmp_path / "kuhn-standard.json"
    assert (content["game"], content["rules"], content["seed"], content["fair"]) == ("kuhn", "standard", 1, 0.0)
    assert (content["figure"], content["higher_is_better"]) == ("chips a game", True)
    means = [player["rating"]["mean"] for player in content["players"]]
    assert means == sorted(means, reverse=True)
    assert sum(means) == pytest.approx(0)
    assert all(player["rating"]["low"] < player["rating"]["mean"] for player in content["players"])
    keys = "player opponents player_identity opponents_identity rules deals rotations seed commit mean low high mirror"
    assert all(list(cell) == keys.split() for cell in content["cells"])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kuhn-standard.json"]  # nothing half-written is left


def test_changed_rules_have_a_file_of_their_own(tmp_path):
    rules = KUHN.rulebook.make("standard", ["bet=2"])
    assert begin(KUHN, rules, 1, tmp_path, FOUR).path.name == "kuhn-standard-bet=2.json"


def damage(content: dict, **changes) -> str:
    return json.dumps({**content, **changes})


def test_a_file_that_is_not_this_ladder_is_refused_and_stays(tmp_path):
    ladder = climb(tmp_path, FOUR[:2], 5)
    whole = stored(ladder)
    cell = whole["cells"][0]
    for text, said in (
        ("{", "is not a ladder: it is damaged or another kind of file"),
        ("[]", "is not a ladder of the format"),
        ('{"players": []}', "is not a ladder of the format"),
        (damage(whole, format="tefuda ladder 2"), "is not a ladder of the format"),
        (damage(whole, game="koikoi"), "is a ladder with game 'koikoi', not 'kuhn'"),
        (damage(whole, rules="standard bet=2"), "is a ladder with rules 'standard bet=2', not 'standard'"),
        (damage(whole, seed=2), "is a ladder with seed 2, not 1"),
        (damage(whole, cells=None), "damaged ladder"),
        (damage(whole, cells=[{**cell, "deals": "many"}]), "damaged ladder"),
        (damage(whole, cells=[{**cell, "deals": 0}]), "damaged ladder"),
        (damage(whole, cells=[{**cell, "mean": float("nan")}]), "damaged ladder"),
        (damage(whole, cells=[{**cell, "more": 1}]), "damaged ladder"),
        (damage(whole, cells=[{"player": "random"}]), "damaged ladder"),
    ):
        ladder.path.write_text(text)
        with pytest.raises(Problem, match=said):
            begin(KUHN, STANDARD, 1, tmp_path, FOUR[:2])
        assert ladder.path.read_text() == text


# --- the page ---


def page_of(ladder: Ladder) -> str:
    """The page in Markdown."""
    return markdown(pages.document_of(ladder), {"ladder": "kuhn-standard.svg"})


def test_the_page_has_players_cells_and_where_they_came_from(tmp_path):
    ladder = climb(tmp_path, deals=50)
    ladder.command = "tefuda ladder kuhn --deals 50"
    text = page_of(ladder)
    best = ladder.rated()[0][0]
    assert f"| 1 | `{best.name}` | {best.rating.text()} | {best.against_all.text()} |" in text
    lines = {line.split("|")[1].strip(): line for line in text.split("## Cells")[1].splitlines() if "|" in line}
    order = [f"`{each.name}`" for each in ladder.rated()[0]]
    assert list(lines)[2:] == order
    figure = ladder.cells["random", "equilibrium"].figure.text(sign=False).replace("-", "−")
    row = [part.strip() for part in lines["`random`"].split("|")[2:-1]]
    assert row[order.index("`equilibrium`")] == figure
    assert row[order.index("`random`")] == "0.000"
    assert "- deals a cell: 50\n- seed: 1, from" in text
    assert text.index(f"`{best.name}` is first of 4") < text.index("svg") < text.index("| rating |")
    assert text.index("## Cells") < text.index("## How this was made") < text.index("- commit")
    assert ladder.cells["random", "equilibrium"].commit in text
    assert "    tefuda ladder kuhn --deals 50\n" in text
    assert "(kuhn-standard.svg)" in text


def test_a_page_can_be_made_of_a_ladder_that_is_not_finished(tmp_path, monkeypatch):
    stop_after(monkeypatch, 1)
    ladder = begin(KUHN, STANDARD, 1, tmp_path, FOUR)
    with pytest.raises(KeyboardInterrupt):
        ladder.play(20, 5, 1)
    text = page_of(ladder)
    assert "There are no ratings yet" in text
    assert "| `always-bet` | – | – | 0.000 | – |" in text


def test_the_heat_map_shows_advantages_the_best_player_first(tmp_path):
    ladder = climb(tmp_path, ["random", "rule-based"], 40, TRICKS, TRICKS.rulebook.make("hearts"))
    figure = pages.heatmap(ladder)
    assert figure.row_names == figure.column_names == ["rule-based", "random"]
    advantage = 6.5 - ladder.cells["rule-based", "random"].mean
    assert figure.values[0] == [None, pytest.approx(advantage)]
    assert figure.values[0][1] > 0


# --- the command ---


def ladder_of_four(here, *arguments):
    return here("ladder", "kuhn", "--players", ",".join(FOUR), "--deals", "20", *arguments, COLUMNS="120")


@pytest.mark.slow
def test_the_command_writes_table_page_and_figure(here):
    done = ladder_of_four(here)
    assert (done.returncode, done.stderr) == (0, "")
    folder = here.folder / "results/ladder"
    names = ["README.md", *(f"kuhn-standard.{form}" for form in ("html", "json", "md", "png", "svg"))]
    assert sorted(path.name for path in folder.iterdir()) == names
    assert (folder / "kuhn-standard.png").read_bytes().startswith(b"\x89PNG")
    assert "[kuhn, rules standard](kuhn-standard.md)" in (folder / "README.md").read_text()
    assert all(name in done.stdout for name in FOUR)
    assert "results/ladder/kuhn-standard.md" in done.stdout
    content = json.loads((folder / "kuhn-standard.json").read_text())
    assert f"{content['players'][0]['rating']['mean']:+.3f} ± " in done.stdout
    assert json.loads(ladder_of_four(here, "--json").stdout) == content
    again = shlex.split(content["command"])
    assert (again[0], again[again.index("--slow-deals") + 1]) == ("tefuda", "2")
    assert json.loads(here(*again[1:], "--json").stdout) == content


def test_the_index_links_all_ladders_but_leaves_a_page_of_somebody_elses(here, monkeypatch):
    monkeypatch.setattr(pages.importlib.util, "find_spec", lambda name: None)  # drawing takes its time
    ladder_of_four(here, "--out", "docs")
    ladder_of_four(here, "--out", "docs", "--set", "bet=2")
    (here.folder / "docs/foreign.json").write_text("[]")
    whole = json.loads((here.folder / "docs/kuhn-standard.json").read_text())
    (here.folder / "docs/foreign-too.json").write_text(damage(whole, format="another"))
    ladder_of_four(here, "--out", "docs")
    text = (here.folder / "docs/README.md").read_text()
    assert "(kuhn-standard.md)" in text
    assert "(kuhn-standard-bet=2.md)" in text
    assert "foreign" not in text
    (here.folder / "docs/README.md").write_text("# My project\n")
    assert ladder_of_four(here, "--out", "docs").returncode == 0
    assert (here.folder / "docs/README.md").read_text() == "# My project\n"


def test_without_matplotlib_there_is_no_figure(here, monkeypatch):
    monkeypatch.setattr(pages.importlib.util, "find_spec", lambda name: None)
    assert ladder_of_four(here).returncode == 0
    folder = here.folder / "results/ladder"
    assert not (folder / "kuhn-standard.svg").exists()
    assert ".svg" not in (folder / "kuhn-standard.md").read_text()


@pytest.mark.slow
def test_an_interrupt_shows_what_stands_and_how_to_go_on(here, monkeypatch, played):
    with monkeypatch.context() as patched:
        stop_after(patched, 4)
        done = ladder_of_four(here)
    assert done.returncode == 130
    assert done.stderr == (
        "tefuda: interrupted after 4 of 6 matches, which are kept in results/ladder/kuhn-standard.json: "
        "give the same command again to go on\n"
    )
    assert "always-bet" in done.stdout
    assert ladder_of_four(here).returncode == 0
    assert played == list(combinations(FOUR, 2))[4:]


@pytest.mark.slow
def test_rows_tell_their_deals_where_they_differ(here):
    (here.folder / "own.py").write_text(OWN.format(0))
    command = "ladder kuhn --players random,always-bet --add own.py:Mine --deals 9 --slow-deals 4"
    shown = here(*shlex.split(command)).stdout
    told = {row.split()[1]: row.partition("±")[2].split("   ")[-1].strip() for row in shown.splitlines() if "±" in row}
    assert told == {"random": "9 or 4", "always-bet": "9 or 4", "own.py:Mine": "4"}
    assert "deals a cell" in shown
    assert "deals a cell" not in ladder_of_four(here).stdout


def test_an_interrupt_before_the_first_cell_is_only_told(here, monkeypatch):
    stop_after(monkeypatch, 0)
    done = ladder_of_four(here)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "tefuda: interrupted\n")


@pytest.mark.slow
def test_a_player_of_ones_own_joins_the_registered_ones(here, player_file, played):
    own = f"{player_file(OWN.format(0))}:Mine"
    done = here("ladder", "kuhn", "--add", own, "--deals", "4", "--json")
    names = {player["name"] for player in json.loads(done.stdout)["players"]}
    assert names == {own, *(player.name for player in KUHN.players.named)}
    drawn = (here.folder / "results/ladder/kuhn-standard.svg").read_text()
    assert own not in drawn  # a path as long as the figure would leave no map
    assert f"…{own[-25:]}" in drawn
    assert "always-bet" in drawn


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("ladder koikoy", "unknown game 'koikoy': did you mean 'koikoi'?"),
        ("ladder kuhn --players random,alwys-bet", "unknown player of kuhn 'alwys-bet': did you mean 'always-bet'?"),
        ("ladder kuhn --add nowhere.npz", "no policy file nowhere.npz"),
        ("ladder kuhn --again randm", "unknown player of this ladder 'randm': did you mean 'random'?"),
        ("ladder kuhn --players random", "a ladder takes two players or more, but only random was named"),
        ("ladder kuhn --rules papr", "unknown rules preset 'papr'"),
        ("ladder kuhn --deals 1", "--deals"),
        ("ladder kuhn --slow-deals 1", "--slow-deals"),
        ("ladder kuhn --players random,always-bet --out /proc/nowhere", "cannot write /proc/nowhere"),
        ("ladder kuhn --players random,always-bet --out taken", "cannot write taken"),
    ],
)
def test_a_mistake_is_one_line(command, said, here, played):
    (here.folder / "taken").write_text("in the way")
    done = here(*shlex.split(command))
    assert (done.returncode, done.stdout, played) == (2, "", [])
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert [path.name for path in here.folder.iterdir()] == ["taken"]


@pytest.mark.slow
def test_another_seed_does_not_overwrite_a_ladder(here):
    ladder_of_four(here)
    file = here.folder / "results/ladder/kuhn-standard.json"
    before = file.read_bytes()
    done = ladder_of_four(here, "--seed", "2")
    assert (done.returncode, done.stdout) == (2, "")
    assert "is a ladder with seed 1, not 2: choose another place with --out" in done.stderr
    assert file.read_bytes() == before
