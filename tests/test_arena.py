"""Matches: pairing, rotations, intervals and sequential tests; players of one's own, and what they can see."""

import json
import math
import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from tefuda import games
from tefuda.arena import match as match_module
from tefuda.arena.games import play, seat_players
from tefuda.arena.match import complete, match
from tefuda.arena.sequential import BOUND, LEAST, Sequential
from tefuda.errors import Problem
from tefuda.games.koikoi import cards, rules, yaku
from tefuda.games.kuhn import exact
from tefuda.intervals import Z95, Interval, interval_of, rate_interval, student
from tefuda.players.resolve import resolve
from tefuda.table.evaluation import evaluate
from tefuda.table.table import Table

KOIKOI = games.find("koikoi")
KUHN = games.find("kuhn")

OWN = '''
import numpy as np


class First:
    """Takes the first legal action."""

    def act(self, view):
        return view.legal[0]


class FirstByName:
    def act(self, view):
        return list(view.legal_names)[0]


class FirstNumber:
    """Answers with a number of NumPy's."""

    def act(self, view):
        return np.int64(view.legal[0])


class FirstOfBatch:
    """The same for many tables at once."""

    def choose(self, observations, masks):
        return masks.argmax(axis=1)


class LastOfBatch:
    def choose(self, observations, masks):
        return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)


class Rolling:
    """Uses the random numbers of its seat."""

    def act(self, view):
        return view.random.choice(view.legal)


class Forgetful:
    """Takes the first legal action in its first decision, then the last: remembers nothing of other games."""

    def __init__(self):
        self.asked = 0

    def act(self, view):
        self.asked += 1
        return view.legal[0] if self.asked == 1 else view.legal[-1]


class Raising:
    def act(self, view):
        raise KeyError("no idea")


class Unmakeable:
    def __init__(self):
        raise RuntimeError("no room")

    def act(self, view):
        return view.legal[0]


class Actless:
    def decide(self, view):
        return 0


class Answering:
    answer = None

    def act(self, view):
        return self.answer(view)


class Outside(Answering):
    answer = staticmethod(lambda view: 49)


class NotInHand(Answering):
    answer = staticmethod(lambda view: next(card for card in range(48) if card not in view.legal))


class TooLarge(Answering):
    answer = staticmethod(lambda view: 1000)


class Negative(Answering):
    answer = staticmethod(lambda view: -1)


class Wordy(Answering):
    answer = staticmethod(lambda view: "the red one")


class Silent(Answering):
    answer = staticmethod(lambda view: None)


class Fractional(Answering):
    answer = staticmethod(lambda view: float(view.legal[0]))


class Truthful(Answering):
    answer = staticmethod(lambda view: True)


class ListOfBatch:
    def choose(self, observations, masks):
        return [int(mask.argmax()) for mask in masks]


class IllegalOfBatch:
    def choose(self, observations, masks):
        return masks.argmin(axis=1)


class ShortOfBatch:
    def choose(self, observations, masks):
        return masks.argmax(axis=1)[:-1]


class RealOfBatch:
    def choose(self, observations, masks):
        return masks.argmax(axis=1) + 0.0


class RaisingOfBatch:
    def choose(self, observations, masks):
        raise ValueError("no network")


class HugeOfBatch:
    def choose(self, observations, masks):
        return np.full(len(masks), 10**6)


NotAClass = 3
'''


@pytest.fixture
def own(player_file):
    """own(name) is the name of a player of one's own."""
    path = player_file(OWN)
    return lambda name: f"{path}:{name}"


def without_names(result) -> list[dict]:
    """All that a match says of its players, but for their names."""
    return [{key: value for key, value in row.items() if key != "name"} for row in result.data()["players"]]


# --- pairing and rotations ---


@pytest.mark.parametrize(
    ("game", "name"), [("koikoi", "rule-based"), ("koikoi", "pg-linear-tuned"), ("kuhn", "random")]
)
def test_a_player_against_itself_has_exactly_the_fair_share(game, name):
    game = games.find(game)
    result = match(game, [name, name], 150, seed=3)
    assert result.rotations == 1
    assert [row.name for row in result.rows] == [name, name]
    assert result.rows[0] == result.rows[1]
    figure = result.rows[0].figure
    assert (figure.mean, figure.low, figure.high) == (game.scoring.headline.fair,) * 3
    first, second = result.rows[0].seats
    assert first.mean == -second.mean != 0  # a seat alone is lucky or not


def test_equal_play_under_two_names_is_equal_on_every_deal():
    """Each seat has its own random stream, so that a deal is the same for whoever sits there."""
    result = match(KOIKOI, ["random", "random/monte-carlo:300"], 100, seed=4)
    assert result.rotations == 2
    for row in result.rows:
        assert (row.figure.mean, row.figure.low, row.figure.high) == (0, 0, 0)
        assert row.seats[0].mean == -row.seats[1].mean != 0


def test_rows_keep_the_order_given_and_the_order_changes_nothing():
    one = match(KOIKOI, ["rule-based", "random"], 200, seed=5)
    other = match(KOIKOI, ["random", "rule-based"], 200, seed=5)
    assert [row.name for row in one.rows] == ["rule-based", "random"]
    assert [row.name for row in other.rows] == ["random", "rule-based"]
    assert one.rows == other.rows[::-1]
    assert one.rows[0].figure.mean == -one.rows[1].figure.mean > 1
    assert one.decisions == other.decisions


def test_another_seed_is_another_match():
    first, again, other = (match(KUHN, ["random", "equilibrium"], 50, seed=seed).rows for seed in (1, 1, 2))
    assert first == again != other


def test_pairing_takes_luck_out_of_a_comparison():
    """The interval over both seats is much narrower than that of as many games on independent deals."""
    row = match(KOIKOI, ["rule-based", "rule-based/always-stop"], 1000, seed=6).rows[0]
    paired = row.figure.high - row.figure.low
    unpaired = (row.seats[0].high - row.seats[0].low) / math.sqrt(2)
    assert paired < 0.75 * unpaired


@pytest.mark.parametrize(
    ("names", "rotations"),
    [
        ("aa", 1), ("ab", 2), ("aaa", 1), ("abb", 3), ("abc", 3), ("aaaa", 1), ("abbb", 4), ("aabb", 4), ("abab", 2),
        ("abcd", 4),
    ],
)  # fmt: skip
def test_distinct_rotations(names, rotations):
    """Every player gets every seat equally often, and no game is played twice."""
    game = replace(KUHN, seats=len(names))
    entrants = {name: replace(resolve(KUHN, "random"), name=name) for name in names}
    seating = seat_players(game, list(names), [entrants[name] for name in names])
    assert [entrant.name for entrant in seating.entrants] == list(dict.fromkeys(names))
    assert seating.rotations.shape == (rotations, len(names))
    assert len({tuple(rotation) for rotation in seating.rotations.tolist()}) == rotations
    by_name = ["".join(seating.entrants[index].name for index in rotation) for rotation in seating.rotations]
    assert by_name[0] == names
    assert all(rotation in names + names for rotation in by_name)  # the order around the table is kept
    for name in names:
        share = names.count(name) * rotations // len(names)
        for seat in range(len(names)):
            assert sum(rotation[seat] == name for rotation in by_name) == share


def test_the_last_name_takes_the_seats_that_are_left():
    four = replace(KUHN, seats=4)
    assert complete(four, ["a", "b"]) == ["a", "b", "b", "b"]
    assert complete(four, ["a", "b", "c"]) == ["a", "b", "c", "c"]
    for names in (["a"], list("abcde")):
        with pytest.raises(Problem, match=f"seats 4 players, but {len(names)} were named"):
            complete(four, names)


@pytest.mark.parametrize("game", [KOIKOI, KUHN], ids=lambda game: game.name)
def test_results_do_not_depend_on_threads_or_pieces(game, monkeypatch):
    names = {"koikoi": ["rule-based/monte-carlo:20", "random"], "kuhn": ["equilibrium", "random"]}[game.name]
    expected = match(game, names, 60, seed=7, threads=1)
    for threads in (2, 3, 8):
        assert match(game, names, 60, seed=7, threads=threads).rows == expected.rows
    for size in (1, 7, 1000):
        monkeypatch.setattr(match_module, "_chunk_size", lambda deals, outside, size=size: size)
        again = match(game, names, 60, seed=7)
        assert again.rows == expected.rows
        assert again.decisions == expected.decisions


def test_a_deal_is_the_same_whatever_was_played_before_it():
    names = ["equilibrium", "random"]
    seating = seat_players(KUHN, names, [resolve(KUHN, name) for name in names])
    standard = KUHN.rulebook.make()
    whole = play(KUHN, standard, seating, 8, 0, 40).scores
    assert np.array_equal(whole[25:], play(KUHN, standard, seating, 8, 25, 40).scores)
    figure = match(KUHN, names, 40, seed=8).rows[0].figure
    assert figure.mean == pytest.approx((whole[:, 0, 0] + whole[:, 1, 1]).mean() / 2)


# --- three forms of a player ---


@pytest.mark.parametrize("name", ["First", "FirstByName", "FirstNumber", "FirstOfBatch"])
def test_python_and_batch_players_play_like_the_compiled_one(name, own):
    """In Kuhn poker the first legal action is always the pass; the opponent's chances come from its own stream."""
    compiled = match(KUHN, ["always-pass", "random"], 130, seed=9)
    outside = match(KUHN, [own(name), "random"], 130, seed=9)
    assert without_names(outside) == without_names(compiled)
    assert outside.decisions == compiled.decisions
    swapped = match(KUHN, ["random", own(name)], 130, seed=9)
    assert without_names(swapped) == without_names(compiled)[::-1]


def test_a_batch_player_reads_observations_as_the_compiled_one_reads_the_table(player_file, tmp_path):
    """Twelve decisions from a policy file, and the same twelve from the observation's information set."""
    from tefuda.files.policy import Card, save

    table = [0, 1, 1, 0, 1, 1, 1, 0, 1, 0, 0, 1]
    path = tmp_path / "table.npz"
    save(path, Card("kuhn", "table", "standard", "", 0, "", {}), np.array(table))
    text = f"""
import numpy as np

class Reading:
    def choose(self, observations, masks):
        return np.array({table})[observations[:, :12].argmax(axis=1)]

class ReadingAlone:
    def act(self, view):
        return {table}[int(view.observation["information_set"].argmax())]
"""
    reading = player_file(text, "reading.py")
    compiled = match(KUHN, [str(path), "random"], 110, seed=10)
    for name in ("Reading", "ReadingAlone"):
        assert without_names(match(KUHN, [f"{reading}:{name}", "random"], 110, seed=10)) == without_names(compiled)


def test_forms_agree_in_koikoi_statistics_included(own):
    """The Python form, one table after another, and the batch form, many tables at once; 120 deals are two pieces."""
    opponent = "rule-based/monte-carlo:10"
    expected = match(KOIKOI, [own("First"), opponent], 110, seed=11)
    batch = match(KOIKOI, [own("FirstOfBatch"), opponent], 110, seed=11)
    assert without_names(batch) == without_names(expected)
    assert batch.decisions == expected.decisions
    assert expected.data()["players"][0]["rounds"] == 220
    pair = match(KOIKOI, [own("First"), own("FirstOfBatch")], 10, seed=11)
    assert (pair.rows[0].figure.low, pair.rows[0].figure.high) == (0, 0)
    assert pair.rotations == 2


def test_two_batch_players_are_each_asked_for_their_own_seats(own):
    result = match(KUHN, [own("FirstOfBatch"), own("LastOfBatch")], 60, seed=12)
    assert without_names(result) == without_names(match(KUHN, ["always-pass", "always-bet"], 60, seed=12))


def test_every_seat_of_every_game_gets_a_fresh_player(own):
    result = match(KUHN, [own("Forgetful"), "always-bet"], 40, seed=13)
    # as the first seat it passes, then calls the bet; as the second it passes at once, folding to the bet
    scores = [4 if card > other else -4 for card, other in dealt(40, 13)]
    assert result.rows[0].seats[0].mean == pytest.approx(np.mean(scores) / 2)
    assert result.rows[0].seats[1].mean == -1


def dealt(deals: int, seed: int) -> list[tuple[int, int]]:
    """The cards of Kuhn poker that the first and the second seat are dealt."""
    return [tuple(int(card) for card in Table(KUHN, None, seed, deal).states[0].card[:2]) for deal in range(deals)]


def test_random_numbers_of_a_python_player_come_from_seed_deal_and_seat(own):
    one = match(KUHN, [own("Rolling"), "always-bet"], 60, seed=14)
    assert match(KUHN, [own("Rolling"), "always-bet"], 60, seed=14).rows == one.rows
    assert match(KUHN, [own("Rolling"), "always-bet"], 60, seed=15).rows != one.rows
    rolled = {Table(KUHN, None, 14, deal).randoms[seat].random() for deal in range(10) for seat in (0, 1)}
    assert len(rolled) == 20


# --- intervals ---


def test_an_interval_covers_the_mean_in_95_of_100_cases():
    generator = np.random.default_rng(1)
    covered = 0
    for _ in range(1000):
        found = interval_of(generator.normal(0.7, 3, 200))
        covered += found.low <= 0.7 <= found.high
    assert 930 <= covered <= 970  # 950 ± 20, 2.9 standard deviations


def test_the_interval_of_a_match_covers_the_exact_value():
    """Kuhn poker has an exact value, so that the intervals of 400 short matches can be counted."""
    tables = [resolve(KUHN, name).params[:12] for name in ("random", "equilibrium")]
    first, second = exact.value(*tables), -exact.value(*reversed(tables))
    truths = {"both": (first + second) / 2, "first": first, "second": second}
    covered = dict.fromkeys(truths, 0)
    for number in range(400):
        row = match(KUHN, ["random", "equilibrium"], 100, seed=16_000 + number, threads=1).rows[0]
        for (key, value), found in zip(truths.items(), (row.figure, *row.seats), strict=True):
            covered[key] += found.low <= value <= found.high
    assert all(366 <= count <= 394 for count in covered.values()), covered  # 380 ± 14, 3.2 standard deviations


def test_an_interval_by_hand():
    """Four values, with the 97.5 % point of Student's distribution for three degrees of freedom: 3.182."""
    found = interval_of(np.array([1.0, 2.0, 3.0, 6.0]))
    half = 3.182446 * math.sqrt(14 / 3 / 4)
    assert (found.mean, found.low, found.high) == pytest.approx((3, 3 - half, 3 + half), abs=0.01)
    assert Interval(3.0, 0.883, 5.117).text(2) == "+3.00 ± 2.12"
    alone = interval_of(np.array([5.0]))
    assert (alone.mean, alone.low, alone.high) == (5, -math.inf, math.inf)


@pytest.mark.parametrize(
    ("freedom", "point"),
    [
        (1, 12.706),
        (2, 4.303),
        (3, 3.182),
        (4, 2.776),
        (5, 2.571),
        (10, 2.228),
        (30, 2.042),
        (100, 1.984),
        (10**6, 1.960),
    ],
)
def test_few_values_have_the_interval_of_student(freedom, point):
    """As printed in tables of the distribution."""
    assert student(freedom) == pytest.approx(point, abs=0.01)


def test_an_interval_of_five_values_covers_the_mean_in_95_of_100_cases():
    """Learners are compared over a handful of seeds."""
    generator = np.random.default_rng(13)
    found = [interval_of(generator.normal(0.7, 3, 5)) for _ in range(2000)]
    assert 1870 <= sum(each.low <= 0.7 <= each.high for each in found) <= 1930


@pytest.mark.parametrize(("successes", "count"), [(0, 10), (3, 10), (10, 10), (1, 1), (400, 1000)])
def test_a_rate_has_the_bounds_of_wilson(successes, count):
    """At both bounds p the observed rate lies 1.96 standard deviations of p away."""
    found = rate_interval(successes, count)
    assert found.mean == successes / count
    for bound in (found.low, found.high):
        assert -1e-12 <= bound <= 1 + 1e-12
        assert (found.mean - bound) ** 2 == pytest.approx(Z95**2 * bound * (1 - bound) / count, abs=1e-12)
    assert found.low <= found.mean + 1e-12
    assert found.mean <= found.high + 1e-12


def test_a_rate_is_covered_in_95_of_100_cases():
    generator = np.random.default_rng(2)
    found = [rate_interval(successes, 80) for successes in generator.binomial(80, 0.1, 2000)]
    assert 1860 <= sum(each.low <= 0.1 <= each.high for each in found) <= 1950


def test_nothing_is_known_of_a_rate_without_cases():
    found = rate_interval(0, 0)
    assert math.isnan(found.mean)
    assert (found.low, found.high) == (0, 1)


# --- the sequential test ---


def decisions_of(mean: float, until: str, margin: float, runs: int, seed: int, game=KOIKOI) -> Counter:
    """How a test ends on simulated deals, pieces of 25, at most 5000; and never before it may."""
    generator = np.random.default_rng(seed)
    found: Counter = Counter()
    for _ in range(runs):
        test = Sequential(game.scoring.headline, until, margin)
        deals, decided = 0, False
        while not decided and deals < 5000:
            decided = test.add(generator.normal(mean, 3, 25))
            deals += 25
            assert not decided or deals >= LEAST
        verdict = test.verdict(deals)
        assert (verdict["decision"] == "undecided") == (not decided)
        assert not decided or abs(verdict["log_likelihood_ratio"]) >= BOUND
        found[verdict["decision"]] += 1
    return found


def test_a_sequential_test_errs_in_about_5_of_100_cases():
    no_difference = decisions_of(0.0, "better", 0.6, 400, 3)
    assert no_difference["better"] <= 32  # 20 expected at most; the overshoot makes it fewer
    assert no_difference["not better"] >= 360
    better = decisions_of(0.6, "better", 0.6, 400, 4)
    assert better["not better"] <= 32
    assert better["better"] >= 360
    assert decisions_of(2.0, "better", 0.6, 50, 5) == {"better": 50}
    assert decisions_of(-1.0, "better", 0.6, 50, 6) == {"not better": 50}


def test_worse_is_the_other_direction():
    assert decisions_of(-2.0, "worse", 0.6, 50, 7) == {"worse": 50}
    assert decisions_of(1.0, "worse", 0.6, 50, 8) == {"not worse": 50}


def test_better_is_lower_where_the_figure_says_so():
    """Ranks or penalty points: fair is 2.5, and less is better."""
    ranks = replace(
        KOIKOI,
        scoring=replace(KOIKOI.scoring, headline=replace(KOIKOI.scoring.headline, higher_is_better=False, fair=2.5)),
    )
    assert decisions_of(1.5, "better", 0.6, 50, 9, ranks) == {"better": 50}
    assert decisions_of(3.5, "better", 0.6, 50, 10, ranks) == {"not better": 50}
    assert decisions_of(3.5, "worse", 0.6, 50, 11, ranks) == {"worse": 50}


def test_the_bounds_are_stated_first():
    stated = Sequential(KOIKOI.scoring.headline, "better", 0.5).stated()
    assert "+0.000" in stated
    assert "+0.500" in stated
    assert f"{math.log(19):.2f}" in stated
    assert "points a game" in stated
    assert f"{LEAST} deals" in stated
    assert "\n" not in stated


def test_a_match_stops_when_its_test_is_decided():
    clear = match(
        KOIKOI, ["rule-based", "random"], 100_000, seed=17, test=Sequential(KOIKOI.scoring.headline, "better", 0.5)
    )
    assert clear.verdict["decision"] == "better"
    assert clear.deals == clear.verdict["deals"] <= 5_000
    assert clear.rows[0].more["rounds"] == 2 * clear.deals
    worse = Sequential(KOIKOI.scoring.headline, "worse", 0.5)
    reversed_names = match(KOIKOI, ["random", "rule-based"], 100_000, seed=17, test=worse)
    assert reversed_names.verdict["decision"] == "worse"
    short = match(KUHN, ["random", "equilibrium"], 60, seed=17, test=Sequential(KUHN.scoring.headline, "better", 0.01))
    assert short.verdict["decision"] == "undecided"
    assert short.deals == 60
    same = match(KUHN, ["random", "random"], 1_000, seed=17, test=Sequential(KUHN.scoring.headline, "better", 0.1))
    assert same.verdict["decision"] == "not better"


def test_a_sequential_test_ends_alike_on_any_machine(monkeypatch):
    """The same seed gives the same result, on two cores and on sixty-four."""
    results = []
    for cores in (1, 2, 16, 64):
        monkeypatch.setattr(match_module, "cores", lambda cores=cores: cores)
        test = Sequential(KOIKOI.scoring.headline, "better", 0.5)
        names = ["rule-based/always-stop", "random/always-stop"]
        results.append(match(KOIKOI, names, 4_000, seed=18, test=test).data())
    assert all(result == results[0] for result in results), [result["deals"] for result in results]


@pytest.mark.parametrize(("until", "margin"), [("sooner", 0.1), ("better", 0), ("better", -1), ("better", math.nan)])
def test_a_test_that_cannot_be_meant_is_refused(until, margin):
    with pytest.raises(Problem, match=r"--until|--margin"):
        Sequential(KOIKOI.scoring.headline, until, margin)


# --- what a match says ---


def test_the_data_of_a_match():
    result = match(KOIKOI, ["rule-based", "random"], 30, seed=19, rules=KOIKOI.rulebook.make("nintendo", ["rounds=2"]))
    data = json.loads(json.dumps(result.data(), allow_nan=False))
    assert data["game"] == "koikoi"
    assert data["rules"] == "nintendo rounds=2"
    assert (data["deals"], data["rotations"], data["seed"]) == (30, 2, 19)
    assert data["commit"]
    assert [player["name"] for player in data["players"]] == ["rule-based", "random"]
    for player in data["players"]:
        assert player["low"] < player["mean"] < player["high"]
        assert len(player["by_seat"]) == 2


@pytest.mark.parametrize("deals", [1, 2])
def test_data_is_json_for_the_shortest_match_too(deals):
    """JSON knows no infinity and no NaN."""
    for game, names in ((KUHN, ["random", "always-bet"]), (KOIKOI, ["random", "rule-based"])):
        json.dumps(match(game, names, deals, seed=20).data(), allow_nan=False)


def test_wins_and_draws_are_shares_of_games():
    names = ["rule-based", "random"]
    seating = seat_players(KOIKOI, names, [resolve(KOIKOI, name) for name in names])
    scores = play(KOIKOI, KOIKOI.rulebook.make(), seating, 21, 0, 200).scores
    mine = np.stack([scores[:, 0, 0], scores[:, 1, 1]])
    first, second = match(KOIKOI, names, 200, seed=21).rows
    assert first.win.mean == (mine > 0).sum() / 400
    assert second.win.mean == (mine < 0).sum() / 400
    assert first.draw.mean == second.draw.mean == (mine == 0).sum() / 400 > 0
    assert first.figure.mean == pytest.approx(mine.mean())
    assert first.seats[1].mean == pytest.approx(mine[1].mean())


def test_a_match_has_a_deal():
    with pytest.raises(Problem, match="at least one deal"):
        match(KUHN, ["random", "random"], 0)


# --- the statistics of Koi-Koi, counted again through the table ---


def made_by_paper(pile: int) -> set[int]:
    """The yaku of a pile under the paper's rules, written down again from its section 2."""

    def held(mask) -> int:
        return bin(pile & int(mask)).count("1")

    brights, rain = held(cards.BRIGHTS), held(cards.mask_of(cards.RAIN_MAN))
    found = set()
    if brights == 5:
        found.add(yaku.GOKO)
    elif brights == 4:
        found.add(yaku.AME_SHIKO if rain else yaku.SHIKO)
    elif brights == 3 and not rain:
        found.add(yaku.SANKO)
    for which, mask in (
        (yaku.INOSHIKACHO, cards.BOAR_DEER_BUTTERFLIES), (yaku.AKATAN, cards.RED_POEMS),
        (yaku.AOTAN, cards.BLUE_RIBBONS),
    ):  # fmt: skip
        if held(mask) == 3:
            found.add(which)
    for which, mask, needed in (
        (yaku.TANE, cards.ANIMALS, 5), (yaku.TAN, cards.RIBBONS, 5), (yaku.KASU, cards.CHAFF, 10),
    ):  # fmt: skip
        if held(mask) >= needed:
            found.add(which)
    return found


def recount(names: list[str], deals: int, seed: int) -> dict[str, Counter]:
    """Play the deals of a match of single rounds at tables in Python, and count what became of each player."""
    counted = {name: Counter() for name in names}
    for deal in range(deals):
        for order in (names, names[::-1]):
            table = Table(KOIKOI, None, seed, deal)
            entrants = [resolve(KOIKOI, name) for name in order]
            while not table.over:
                table.apply(table.ask(entrants[table.to_move]))
            for seat, name in enumerate(order):
                calls = sum(event == (seat, rules.KOIKOI) for event in table.history)
                paid = table.scores[seat]
                count = counted[name]
                count["rounds"] += 1
                count["calls"] += calls
                count["called"] += calls > 0
                if paid > 0:
                    count["won"] += 1
                    count["points"] += paid
                    count["called and won"] += calls > 0
                    count.update(made_by_paper(int(table.states[0].pile[seat])))
    return counted


def test_koikoi_statistics_agree_with_a_recount():
    names = ["rule-based/monte-carlo:30", "random/monte-carlo:30"]
    counted = recount(names, 60, 22)
    total: Counter = Counter()
    for row in match(KOIKOI, names, 60, seed=22).rows:
        count = counted[row.name]
        more = row.more
        assert more["rounds"] == count["rounds"] == 120
        assert more["agari_rate"] == count["won"] / 120 == row.win.mean
        assert more["points_per_agari"] == count["points"] / count["won"]
        assert more["koikoi_rate"] == count["called"] / 120
        assert more["koikoi_calls"] == count["calls"]
        assert more["koikoi_success"] == count["called and won"] / count["called"]
        frequencies = {f"{each.ja} {each.en}": count[which] / 120 for which, each in enumerate(yaku.YAKU)}
        assert more["yaku"] == frequencies
        total.update(count)
    assert total["called"] > 10
    assert sum(total[which] > 0 for which in range(len(yaku.YAKU))) >= 7  # rare ones may be missing


@pytest.mark.parametrize("preset", ["nintendo", "bonus"])
def test_presets_of_many_rounds(preset):
    """Statistics are of rounds, the headline figure of the whole match; a recount over the rounds of each."""
    chosen = KOIKOI.rulebook.make(preset)
    names = ["rule-based/monte-carlo:10", "random/monte-carlo:10"]
    deals, seed = 8, 23
    result = match(KOIKOI, names, deals, seed, chosen)
    counted = {name: Counter() for name in names}
    scores = {name: [] for name in names}
    for deal in range(deals):
        for order in (names, names[::-1]):
            table = Table(KOIKOI, chosen, seed, deal)
            entrants = [resolve(KOIKOI, name) for name in order]
            before = table.scores
            while not table.over:
                finished, calls = int(table.states[0].finished), table.states[0].calls.copy()
                seat = table.to_move
                action = table.ask(entrants[seat])
                calls[seat] += action == rules.KOIKOI
                table.apply(action)
                if table.states[0].finished > finished:
                    gain, before = table.scores - before, table.scores
                    exhausted = preset == "bonus" and set(np.abs(gain)) == {1} and action < rules.AGARI
                    for each, name in enumerate(order):
                        won = gain[each] > 0 and not (exhausted and table.states[0].yaku == 0)
                        points = int(gain[each]) if won else 0
                        counted[name].update(rounds=1, won=int(won), calls=int(calls[each]), points=points)
            for seat, name in enumerate(order):
                scores[name].append(table.scores[seat])
    for row in result.rows:
        assert row.more["rounds"] == counted[row.name]["rounds"] == 2 * deals * chosen.values["rounds"]
        assert row.more["agari_rate"] == counted[row.name]["won"] / row.more["rounds"]
        assert row.more["koikoi_calls"] == counted[row.name]["calls"]
        assert row.more["points_per_agari"] == pytest.approx(counted[row.name]["points"] / counted[row.name]["won"])
        assert row.figure.mean == pytest.approx(np.mean(scores[row.name]))
    assert result.rows[0].figure.mean == -result.rows[1].figure.mean > 0


# --- players of one's own: mistakes ---


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Outside", "illegal move 49 (koi-koi)"), ("NotInHand", "illegal move"), ("TooLarge", "illegal move 1000"),
        ("Negative", "illegal move -1"), ("Wordy", "illegal move 'the red one'"), ("Silent", "illegal move None"),
        ("Fractional", "illegal move"), ("Truthful", "illegal move True"), ("Raising", "raised KeyError: 'no idea'"),
    ],
)  # fmt: skip
def test_a_wrong_answer_names_player_deal_seat_move_and_legal_moves(name, said, own):
    with pytest.raises(Problem) as caught:
        match(KOIKOI, [own(name), "random"], 3, seed=24)
    line = str(caught.value)
    assert line.startswith(f"player {own(name)}, deal 0, seat 0: {said}")
    assert "\n" not in line
    if "illegal" in said:
        table = Table(KOIKOI, None, 24, 0)
        legal = ", ".join(f"{action} ({KOIKOI.spaces.actions.names[action].en})" for action in table.legal)
        assert line.endswith(f"legal are {legal}")
        assert len(table.legal) == 8


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("IllegalOfBatch", "illegal move 0 (pine crane): legal are"), ("HugeOfBatch", "illegal move 1000000"),
        ("ShortOfBatch", "one for each row"), ("RealOfBatch", "whole numbers"),
        ("RaisingOfBatch", "raised ValueError: no network"),
    ],
)  # fmt: skip
def test_a_wrong_batch_answer_is_told(name, said, own):
    with pytest.raises(Problem) as caught:
        match(KOIKOI, [own(name), "random"], 3, seed=25)
    assert own(name) in str(caught.value)
    assert said in str(caught.value)


def test_a_list_will_do_as_a_batch_answer(own):
    listed, array = (match(KUHN, [own(name), "random"], 20, seed=26) for name in ("ListOfBatch", "FirstOfBatch"))
    assert without_names(listed) == without_names(array)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Frist", "did you mean 'First'?"), ("NotAClass", "unknown class"), ("Actless", "no method act(self, view)"),
        ("", "unknown class"),
    ],
)  # fmt: skip
def test_a_class_that_cannot_play_is_refused(name, said, own):
    with pytest.raises(Problem) as caught:
        resolve(KOIKOI, own(name))
    assert said in str(caught.value)


def test_a_player_that_cannot_be_made_is_told(own):
    with pytest.raises(Problem, match="could not be made: RuntimeError: no room"):
        match(KOIKOI, [own("Unmakeable"), "random"], 1)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("class Broken:\n    def act(self, view)\n        return 0\n", "SyntaxError"),
        ("import no_such_module\n", "no_such_module"),
        ("1 / 0\n", "ZeroDivisionError"),
        ("import sys\nsys.exit(3)\n", "SystemExit"),
    ],
)
def test_a_file_that_cannot_be_loaded_is_told(text, said, player_file):
    path = player_file(text, "broken.py")
    with pytest.raises(Problem) as caught:
        resolve(KOIKOI, f"{path}:Broken")
    assert str(path) in str(caught.value)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_told(tmp_path):
    with pytest.raises(Problem, match=r"no file .*nowhere\.py: .*path/to/file\.py:ClassName"):
        resolve(KOIKOI, f"{tmp_path}/nowhere.py:First")


def test_two_files_of_one_name_are_two_players(tmp_path):
    names = []
    for folder, which in (("one", 0), ("two", -1)):
        (tmp_path / folder).mkdir()
        path = tmp_path / folder / "player.py"
        path.write_text(f"class Mine:\n    def act(self, view):\n        return view.legal[{which}]\n")
        names.append(f"{path}:Mine")
    result = match(KUHN, names, 50, seed=27)
    assert without_names(result) == without_names(match(KUHN, ["always-pass", "always-bet"], 50, seed=27))


# --- what a player sees ---


def tables_of_a_game(seed: int, deal: int, preset: str = "paper", changes=()):
    """A table of Koi-Koi before every decision of a game by random players."""
    table = Table(KOIKOI, KOIKOI.rulebook.make(preset, list(changes)), seed, deal)
    chooser = random.Random(1000 * seed + deal)
    while not table.over:
        yield table
        table.apply(chooser.choice(table.legal))


def test_a_view_shows_nothing_that_is_hidden():
    looked = 0
    for deal in range(4):
        for table in tables_of_a_game(1, deal, "nintendo", ["rounds=2"]):
            for seat in (0, 1):
                view = table.view(seat)
                state, true = view.state[0], table.states[0]
                assert state.hand[1 - seat] == 0
                assert state.hand[seat] == true.hand[seat]
                assert set(state.deck.tolist()) == {rules.UNKNOWN}
                assert (state.key[0], state.shuffle[0]) == (0, 0)
                for shown in ("pile", "field", "played", "cards", "calls", "phase", "seat", "card", "score"):
                    assert np.array_equal(state[shown], true[shown])
                looked += 1
            assert table.view().seat == table.to_move
            assert table.view().legal == table.legal
            assert table.states[0].hand[1 - table.to_move] != 0 or table.states[0].cards[1 - table.to_move] == 0
    assert looked > 200


def test_a_view_is_a_copy():
    table = Table(KOIKOI, None, 2, 0)
    before = table.states.tobytes()
    view = table.view()
    view.state["hand"] = 0
    view.history.append((0, 0))
    guessed = view.guess(random.Random(1))
    assert table.states.tobytes() == before
    assert table.history == []
    assert guessed.states.tobytes() != before


def test_the_history_of_a_view_is_public():
    table = Table(KOIKOI, None, 3, 0)
    taken = []
    while not table.over:
        assert table.view(0).history == table.view(1).history == taken
        seat, action = table.to_move, table.legal[-1]
        table.apply(action)
        taken.append((seat, action))
    assert len(taken) > 8


def test_a_secret_action_is_in_the_history_of_its_own_seat_alone():
    secretive = replace(KUHN, spaces=replace(KUHN.spaces, secret=lambda states, seat, action: seat == 1))
    table = Table(secretive, None, 4, 0)
    table.apply(0)
    table.apply(1)
    assert table.view(0).history == [(0, 0), (1, None)]
    assert table.view(1).history == [(0, 0), (1, 1)]


def test_the_observation_has_the_names_of_the_table_and_equals_that_of_the_true_table():
    for table in tables_of_a_game(5, 0):
        for seat in (0, 1):
            observation = table.view(seat).observation
            sizes = {key: len(numbers) for key, numbers in observation.items()}
            assert list(sizes.items()) == [(part.key, part.size) for part in KOIKOI.spaces.observation.parts]
            numbers = np.full(KOIKOI.spaces.observation.size, np.nan, np.float32)
            KOIKOI.kernels.observe(table.states[0], seat, numbers)
            assert np.array_equal(np.concatenate(list(observation.values())), numbers)
            assert np.flatnonzero(observation["hand"]).tolist() == cards.cards_of(table.states[0].hand[seat])


def test_a_guess_is_a_whole_table_that_agrees_with_all_that_was_seen():
    generator = random.Random(6)
    hands, guesses = set(), 0
    for table in tables_of_a_game(6, 1):
        view = table.view()
        for _ in range(3):
            guessed = view.guess(generator)
            state = guessed.states[0]
            seat = view.seat
            assert guessed.to_move == seat
            assert guessed.legal == view.legal
            again = guessed.view(seat)
            assert again.state.tobytes() == view.state.tobytes()
            unseen = cards.cards_of(state.hand[1 - seat]) + state.deck[int(state.next) :].tolist()
            seen = cards.cards_of(state.hand[seat] | state.pile[0] | state.pile[1] | state.field)
            seen += [int(state.card)] if state.card >= 0 else []
            assert sorted(unseen + seen) == list(range(48))
            assert len(cards.cards_of(state.hand[1 - seat])) == state.cards[1 - seat]
            hands.add(int(state.hand[1 - seat]))
            while not guessed.over:
                guessed.apply(generator.choice(guessed.legal))
            assert guessed.scores.sum() == 0
            guesses += 1
    assert guesses > 20
    assert len(hands) > guesses / 2
    view = Table(KOIKOI, None, 6, 2).view()
    assert view.guess(random.Random(1)).states.tobytes() == view.guess(random.Random(1)).states.tobytes()
    assert view.guess().states.tobytes() != view.guess().states.tobytes()  # by the seat's own numbers, which go on


def test_an_illegal_move_at_a_table_names_it_and_the_legal_ones():
    table = Table(KUHN, None, 7, 0)
    for action in (2, -1, "bet"):
        with pytest.raises(Problem, match=r"illegal move .*legal are 0 \(pass\), 1 \(bet\)"):
            table.apply(action)
    assert table.history == []


def test_a_copy_of_a_table_goes_its_own_way():
    table = Table(KOIKOI, None, 8, 0)
    rule_based = resolve(KOIKOI, "random/always-stop")
    for _ in range(3):
        table.apply(table.ask(rule_based))
    twin = table.copy()
    assert table.randoms[0].random() == twin.randoms[0].random()
    while not table.over:
        table.apply(table.ask(rule_based))
    assert len(twin.history) == 3
    while not twin.over:
        twin.apply(twin.ask(rule_based))
    assert twin.history == table.history
    assert np.array_equal(twin.scores, table.scores)


def test_names_of_legal_actions_are_their_own():
    for table in tables_of_a_game(9, 0):
        assert sorted(table.view().legal_names.values()) == table.legal


# --- the value of actions, for hints and reviews ---


def table_of_kuhn(card: int, *actions: int) -> Table:
    """The first deal where the seat to move holds a card, after some actions."""
    for deal in range(100):
        table = Table(KUHN, None, 10, deal)
        for action in actions:
            table.apply(action)
        if table.states[0].card[table.to_move] == card:
            return table
    raise AssertionError("no such deal")


def test_the_value_of_an_action_is_exact_where_nothing_is_open():
    """Against one who always bets: the king wins two chips, the jack loses two, and a fold costs one."""
    always_bet = resolve(KUHN, "always-bet")
    for card, passed, bet in ((2, 2, 2), (0, -2, -2)):
        found = {each.action: each.value for each in evaluate(table_of_kuhn(card).view(), always_bet, games=50)}
        assert (found[0].mean, found[0].low, found[0].high) == (passed,) * 3
        assert (found[1].mean, found[1].low, found[1].high) == (bet,) * 3
    best, worst = evaluate(table_of_kuhn(0, 1).view(), always_bet, games=50)
    assert (best.action, best.value.mean) == (0, -1)
    assert (worst.action, worst.value.mean) == (1, -2)


def test_the_value_of_an_action_agrees_with_the_guesses_of_a_view():
    """The queen bets: half of the guessed worlds hold a jack that always calls, half a king."""
    values = evaluate(table_of_kuhn(1).view(), resolve(KUHN, "always-bet"), 2000, 3)
    found = next(each.value for each in values if each.action == 1)
    assert found.low < 0 < found.high
    assert found.high - found.low == pytest.approx(2 * Z95 * 2 / math.sqrt(2000), rel=0.01)
    view = Table(KOIKOI, None, 11, 0).view()
    one, two, three = (evaluate(view, resolve(KOIKOI, "random/always-stop"), 50, seed, threads=threads)
                       for seed, threads in ((1, 1), (1, 2), (2, 1)))  # fmt: skip
    assert one == two != three
    assert sorted(each.action for each in one) == view.legal
    assert [each.value.mean for each in one] == sorted((each.value.mean for each in one), reverse=True)
