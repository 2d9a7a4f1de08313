"""Reviews: skill and luck are the result, blunders are caught, and what was no mistake is not called one."""

import json
import math

import numpy as np
import pytest

import tefuda
from tefuda import games
from tefuda.errors import Problem
from tefuda.players.resolve import resolve
from tefuda.table.judging import ERROR, FIRST_LOOK, FRESH, Judging, _loss, looks_of, rounded
from tefuda.table.played import Played, play_through
from tefuda.table.review import Review
from tefuda.table.table import Table

KUHN, KOIKOI = games.find("kuhn"), games.find("koikoi")
JACK, QUEEN, KING = range(3)
PASS, BET = 0, 1
SHORT = {"mahjong": ["length=hand"], "koikoi": ["rounds=2"]}
QUICK = {"koikoi": "random/always-stop", "mahjong": "shanten"}


def played_by(name: str, player: str = "random", deal: int = 1, changes: list[str] | None = None) -> Played:
    """A game that one player has played from all seats."""
    game = games.find(name)
    preset = "nintendo" if name == "koikoi" else None
    rules = game.rulebook.make(preset, SHORT.get(name) if changes is None else changes)
    entrant, table, actions = resolve(game, player, rules), Table(game, rules, 3, deal), []
    while not table.over:
        actions.append(table.ask(entrant))
        table.apply(actions[-1])
    return play_through(name, game, rules, [player] * game.seats, [(Table(game, rules, 3, deal), actions)])


def kuhn(card: int, *actions: int, deal: int = 0) -> Played:
    """The first deal from some number on where the first seat holds a card, played by some actions."""
    while True:
        table = Table(KUHN, None, 10, deal)
        if table.states[0].card[0] == card:
            return play_through(f"deal {deal}", KUHN, table.rules, ["0", "1"], [(table, actions)])
        deal += 1


def finished(review: Review) -> Review:
    for _ in review.run():
        pass
    assert review.finished
    assert review.done == review.of
    return review


# What a review finds


@pytest.mark.slow
@pytest.mark.parametrize("name", games.names())
def test_skill_and_luck_are_the_result_in_every_game(name):
    played = played_by(name, QUICK.get(name, "random"))
    judge = resolve(played.game, QUICK.get(name, "random"), played.rules)
    for seat in (0, played.game.seats - 1):
        review = finished(Review(played, seat, judge, worlds=3))
        assert played.scores is not None
        assert review.skill.mean + review.luck.mean == pytest.approx(review.result)
        if name == "mahjong":  # a deal without uma, in thousands of points
            assert review.result == pytest.approx(sum(each for each in review._gained if each is not None))
        else:
            assert review.result == pytest.approx(played.scores[seat])
        assert [judged.turn for judged in review.judged.values()] == played.turns_of(seat)
        assert review.skill.mean == pytest.approx(-sum(judged.loss.mean for judged in review.judged.values()))
        assert review.curve[-1] == (len(played.steps), review.result)
        assert len(review.curve) == len(review.turns) + 1


def test_what_a_blunder_costs_is_exact_where_nothing_is_open():
    """The king passes, is bet against, and folds: a call would have won two chips, and the fold costs one."""
    review = finished(Review(kuhn(KING, PASS, BET, PASS), 0, resolve(KUHN, "always-bet"), worlds=64, threshold=0.5))
    first, fold = review.judged.values()
    assert first.equal
    assert (fold.loss.mean, fold.best, fold.value.mean, fold.best_value.mean) == (3.0, BET, -1.0, 2.0)
    assert 0.5 < fold.loss.low < 3.0
    assert [judged.turn for judged in review.mistakes()] == [2]
    assert (review.result, review.skill.mean, review.luck.mean) == (-1.0, -3.0, 2.0)
    assert review.curve == [(0, 2.0), (2, 2.0), (3, -1.0)]
    assert review.mistakes(2.99) == []


def test_who_takes_the_worst_move_knowingly_is_caught():
    """Against a player who looks for the worst move of each decision, by the judge and in other worlds."""
    judge, table, actions = resolve(KOIKOI, "rule-based/always-stop"), Table(KOIKOI, None, 5, 2), []
    while not table.over:
        if table.to_move == 0:
            actions.append(tefuda.evaluate(table, "rule-based/always-stop", games=300, seed=99)[-1].action)
        else:
            actions.append(table.ask(judge))
        table.apply(actions[-1])
    played = play_through("x", KOIKOI, table.rules, ["worst", "judge"], [(Table(KOIKOI, None, 5, 2), actions)])
    review = finished(Review(played, 0, judge, worlds=128))
    chosen = [judged for judged in review.judged.values() if not judged.forced]
    assert len(review.mistakes()) >= len(chosen) / 2
    assert review.skill.high < 0
    worst = [judged.loss.mean for judged in review.mistakes()]
    assert worst == sorted(worst, reverse=True)


def equal_moves(reviews: int) -> tuple[int, int]:
    """Reviews of moves that are equal by the theory: in how many a mistake is told, and in how many another move looked
    better. In the equilibrium of Kuhn poker the first seat may bet or pass with a jack or a king: both are worth the
    same, by results that lie far apart."""
    judge, mistaken, unlike = resolve(KUHN, "equilibrium"), 0, 0
    lines = ((JACK, (BET, PASS)), (JACK, (PASS, PASS)), (KING, (BET, BET)), (KING, (PASS, PASS)))
    for number in range(reviews):
        card, actions = lines[number % 4]
        review = finished(Review(kuhn(card, *actions, deal=13 * number), 0, judge, 128, seed=number, threshold=0.0))
        mistaken += bool(review.mistakes())
        unlike += any(judged.best != judged.action for judged in review.judged.values())
    return mistaken, unlike


def best_moves(deals: int) -> tuple[int, int, int]:
    """Reviews of a player that takes what the judge values best, by many worlds of its own, at a game of many moves:
    how many there are, and the same as above."""
    judge, reviews, mistaken, unlike = resolve(KOIKOI, "random/always-stop"), 0, 0, 0
    for deal in range(deals):
        table, actions = Table(KOIKOI, None, 6, deal), []
        while not table.over:
            actions.append(tefuda.evaluate(table, "random/always-stop", games=4000, seed=7)[0].action)
            table.apply(actions[-1])
        played = play_through("x", KOIKOI, table.rules, ["best"] * 2, [(Table(KOIKOI, None, 6, deal), actions)])
        for seat in (0, 1):
            review = finished(Review(played, seat, judge, worlds=128, threshold=0.0, seed=deal))
            reviews += 1
            mistaken += bool(review.mistakes())
            unlike += any(judged.best != judged.action for judged in review.judged.values())
    return reviews, mistaken, unlike


def at_most_the_stated_rate(mistaken: int, reviews: int) -> bool:
    """Half of ERROR, with room for chance: three standard deviations."""
    return mistaken <= reviews * ERROR / 2 + 3 * math.sqrt(reviews * ERROR / 2)


@pytest.mark.slow
def test_moves_that_are_equal_by_the_theory_are_hardly_ever_mistakes():
    mistaken, unlike = equal_moves(200)
    assert unlike > 50  # by chance another move has often looked better …
    assert at_most_the_stated_rate(mistaken, 200)  # … and is not believed


@pytest.mark.slow
def test_the_judge_s_own_best_moves_are_hardly_ever_mistakes():
    reviews, mistaken, unlike = best_moves(4)
    assert unlike > 2
    assert at_most_the_stated_rate(mistaken, reviews)


@pytest.mark.full
def test_the_stated_rate_of_false_mistakes_holds_in_many_reviews():
    mistaken, unlike = equal_moves(2000)
    assert unlike > 500
    assert at_most_the_stated_rate(mistaken, 2000)
    reviews, mistaken, unlike = best_moves(60)
    assert unlike > 60
    assert at_most_the_stated_rate(mistaken, reviews)


def test_a_forced_move_loses_nothing():
    played = played_by("tricks", changes=[])
    review = finished(Review(played, 1, resolve(played.game, "random"), worlds=2))
    last = review.judged[review.turns[-1]]
    assert (last.forced, last.loss.mean, last.worlds, last.best) == (True, 0.0, 2, last.action)
    assert not last.mistaken(0.0)


def test_a_game_that_is_not_over_has_the_result_that_could_be_expected():
    judge = resolve(KUHN, "always-bet")
    review = finished(Review(kuhn(KING, PASS), 0, judge, worlds=8))
    assert (review.played.scores, review.result) == (None, 2.0)
    whole = played_by("koikoi", "random/always-stop")
    cut = play_through("x", KOIKOI, whole.rules, whole.players,
                       [(Table(KOIKOI, whole.rules, 3, 1), [step.action for step in whole.steps[:-3]])])  # fmt: skip
    review = finished(Review(cut, 0, resolve(KOIKOI, "random/always-stop"), worlds=4))
    assert review.skill.mean + review.luck.mean == pytest.approx(review.result)
    assert [each.over for each in cut.rounds] == [True, False]


# How it is judged


def test_the_loss_is_measured_in_worlds_that_had_no_part_in_the_choice():
    played = played_by("koikoi", "random/always-stop")
    turn = played.turns_of(0)[0]
    judging = Judging(played.views[turn], turn, played.steps[turn].action, resolve(KOIKOI, "random/always-stop"), 1, 9)
    judged = judging.look(64)
    assert judging.seeds[0] != judging.seeds[1]
    assert judging.choosing.worlds == 64
    if judged.best != judged.action:
        (measuring,) = judging._measuring.values()
        assert measuring.worlds == FRESH * 64
        better, own = measuring.results.T
        assert judged.loss.mean == pytest.approx((better - own).mean())
        assert judged.best_value.mean - judged.value.mean == pytest.approx(judged.loss.mean)


def test_a_few_worlds_that_agree_prove_nothing():
    few, _ = _loss(np.full(4, 2.0), 3.0)
    many, _ = _loss(np.full(400, 2.0), 3.0)
    assert few.low < 0 < many.low < 2.0 == many.mean
    nothing, error = _loss(np.zeros(5), 3.0)
    assert (nothing.low, nothing.mean, nothing.high, error) == (0.0, 0.0, 0.0, 0.0)


def test_the_intervals_of_a_longer_review_are_wider():
    played = kuhn(QUEEN, PASS, BET, BET)
    zs = [Judging(played.views[0], 0, PASS, resolve(KUHN, "random"), 1, shares).z for shares in (1, 10, 100)]
    assert zs[0] == pytest.approx(1.96, abs=0.001)
    assert zs[0] < zs[1] < zs[2]


def test_worlds_are_spent_where_it_is_not_settled():
    """The fold of the king is settled at once; what the jack does at first never is."""
    judge = resolve(KUHN, "equilibrium")
    settled = finished(Review(kuhn(KING, PASS, BET, PASS), 0, judge, worlds=2048, threshold=0.1))
    assert settled.judged[2].worlds == FIRST_LOOK
    unsettled = finished(Review(kuhn(JACK, BET, PASS), 0, judge, worlds=2048, threshold=0.0))
    assert unsettled.judged[0].worlds == 2048
    assert looks_of(2048) == [32, 128, 512, 2048]
    assert looks_of(100) == [32, 100]
    assert looks_of(5) == [5]


def test_without_a_threshold_one_is_chosen_that_fits_the_results():
    assert [rounded(each) for each in (0.0, 0.07, 0.2, 0.51, 1.0, 9.9, 43.0)] == [0.0, 0.05, 0.2, 0.5, 1.0, 5.0, 20.0]
    review = finished(Review(played_by("koikoi", "random/always-stop"), 0, worlds=8))
    assert 0.05 <= review.threshold <= 1.0
    assert finished(Review(review.played, 0, worlds=8, threshold=0.7)).threshold == 0.7


# The same review


def test_the_same_seed_gives_the_same_review_on_any_number_of_threads():
    played, judge = played_by("koikoi", "random/always-stop"), resolve(KOIKOI, "random/always-stop")
    one, two, other = (
        finished(Review(played, 0, judge, worlds=40, seed=seed, threads=threads)).data()
        for seed, threads in ((1, 1), (1, 2), (2, 1))
    )
    assert one == two
    assert one["decisions"] != other["decisions"]


@pytest.mark.parametrize("steps", [1, 5, 9])
def test_a_review_that_was_interrupted_ends_as_one_that_was_not(steps):
    played, judge = played_by("koikoi", "random/always-stop"), resolve(KOIKOI, "random/always-stop")
    whole = finished(Review(played, 1, judge, worlds=130))
    left = Review(played, 1, judge, worlds=130)
    for _, _ in zip(range(steps), left.run(), strict=False):
        pass
    assert not left.finished
    kept = json.loads(json.dumps(left.data()))
    resumed = Review(played, 1, judge, worlds=130)
    resumed.restore(kept)
    assert resumed.data() == left.data()
    assert finished(resumed).data() == whole.data()
    assert resumed.judged == whole.judged


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ({"format": "x"}, "not a review"),
        ({"seat": 1}, "another review: its seat is 1, here it is 0"),
        ({"played": "x"}, "another review: its played"),
        ({"decisions": [{}]}, "damaged"),
        ({"decisions": None}, "damaged"),
        ({"threshold": "x"}, "damaged"),
    ],
)
def test_another_review_is_not_gone_on_with(change, line):
    review = finished(Review(kuhn(KING, PASS, BET, PASS), 0, resolve(KUHN, "random"), worlds=4))
    with pytest.raises(Problem, match=line):
        review.restore(review.data() | change)
    other = json.loads(json.dumps(review.data()))
    other["decisions"][0]["action"] = 7
    with pytest.raises(Problem, match="damaged"):
        review.restore(other)
    other["decisions"][0]["turn"] = 1
    with pytest.raises(Problem, match="not taken"):
        review.restore(other)
    with pytest.raises(Problem, match="not a review"):
        review.restore([])


def test_a_review_is_made_of_what_the_seat_could_know():
    """Other cards in the hidden places give the same judgement."""
    played = played_by("tricks", changes=[])
    turn, judge = played.turns_of(2)[1], resolve(played.game, "random")
    view = played.views[turn]
    other = view.guess().view(2)
    assert other.state.tobytes() == view.state.tobytes()
    one, two = (Judging(each, turn, played.steps[turn].action, judge, 1, 9).look(8) for each in (view, other))
    assert one == two
