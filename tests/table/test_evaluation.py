"""The value of actions: the same worlds for all of them, what each loses, and who may play on."""

import json
import math

import numpy as np
import pytest

import tefuda
from tefuda import games
from tefuda.errors import Problem
from tefuda.intervals import Z95, interval_of
from tefuda.kernel.random import SEARCH, stream
from tefuda.players.resolve import resolve
from tefuda.table.evaluation import FIRST_WORLDS, Evaluation, evaluate
from tefuda.table.table import Table

KOIKOI = games.find("koikoi")
KUHN = games.find("kuhn")

OWN_PLAYERS = """
class AlwaysBet:
    '''Plays like always-bet.'''

    def act(self, view):
        return 1


class First:
    '''Takes the first legal action, and keeps what it was shown.'''

    seen = []

    def act(self, view):
        self.seen.append((view.seat, view.state.tobytes(), view.random.random()))
        return view.legal[0]


class FirstOfMany:
    made = []

    def __init__(self):
        self.made.append(self)

    def choose(self, observations, masks):
        return masks.argmax(axis=1)


class Failing:
    def act(self, view):
        raise RuntimeError("no idea")
"""


@pytest.fixture
def own(tmp_path):
    (tmp_path / "own.py").write_text(OWN_PLAYERS)
    return lambda name: f"{tmp_path / 'own.py'}:{name}"


def table_of_kuhn(card: int, *actions: int) -> Table:
    """The first deal where the seat to move holds a card, after some actions."""
    for deal in range(100):
        table = Table(KUHN, None, 10, deal)
        for action in actions:
            table.apply(action)
        if table.states[0].card[table.to_move] == card:
            return table
    raise AssertionError("no such deal")


def by_action(values):
    return {valued.action: valued for valued in values}


# Values


@pytest.mark.kernel
def test_the_value_of_an_action_is_exact_where_nothing_is_open():
    """Against one who always bets: the king wins two chips, the jack loses two, and a fold costs one."""
    always_bet = resolve(KUHN, "always-bet")
    for card, passed, bet in ((2, 2, 2), (0, -2, -2)):
        found = by_action(evaluate(table_of_kuhn(card).view(), always_bet, games=50))
        assert (found[0].value.mean, found[0].value.low, found[0].value.high) == (passed,) * 3
        assert (found[1].value.mean, found[1].value.low, found[1].value.high) == (bet,) * 3
        assert found[0].equal
        assert found[1].equal
    best, worst = evaluate(table_of_kuhn(0, 1).view(), always_bet, games=50)
    assert (best.action, best.value.mean, best.loss.mean, best.equal) == (0, -1, 0, True)
    assert (worst.action, worst.value.mean, worst.loss.mean, worst.equal) == (1, -2, 1, False)


def test_the_value_of_an_action_agrees_with_the_guesses_of_a_view():
    """The queen bets: half of the guessed worlds hold a jack that always calls, half a king."""
    found = by_action(evaluate(table_of_kuhn(1).view(), resolve(KUHN, "always-bet"), 2000, 3))[1].value
    assert found.low < 0 < found.high
    assert found.high - found.low == pytest.approx(2 * Z95 * 2 / math.sqrt(2000), rel=0.01)
    view = Table(KOIKOI, None, 11, 0).view()
    one, two, three = (evaluate(view, resolve(KOIKOI, "random/always-stop"), 50, seed, threads=threads)
                       for seed, threads in ((1, 1), (1, 2), (2, 1)))  # fmt: skip
    assert one == two != three
    assert sorted(each.action for each in one) == view.legal
    assert [each.value.mean for each in one] == sorted((each.value.mean for each in one), reverse=True)


@pytest.mark.parametrize("name", games.names())
def test_all_actions_are_tried_in_the_same_worlds(name):
    """Each world is played again action by action, by the rules alone, and every outcome comes out the same."""
    game = games.find(name)
    player = resolve(game, "random/always-stop" if name == "koikoi" else "random")
    rules = game.rulebook.make(None, ["length=hand"] if name == "mahjong" else [])
    table = Table(game, rules, 3, 1)
    while len(table.legal) < 2:
        table.apply(table.legal[0])
    view = table.view()
    together = Evaluation(view, player, seed=5)
    together.more(6)
    for place, action in enumerate(view.legal):
        for world in range(6):
            state = view.state.copy()
            game.kernels.guess(state[0], view.seat, np.array([stream(5, world, view.seat, SEARCH)], np.uint64))
            alone = Table(game, rules, 5, world, states=state)
            alone.rngs[:] = [stream(5, world, seat, 2) for seat in range(game.seats)]
            alone.apply(action)
            while not alone.over:
                alone.apply(alone.ask(player))
            assert together.results[world, place] == alone.scores[view.seat], (action, world)


def test_a_loss_is_the_paired_difference_and_known_better_than_the_values():
    evaluation = Evaluation(Table(KOIKOI, None, 1, 7).view(), resolve(KOIKOI, "rule-based/always-stop"))
    values = evaluation.more(2000)
    place = {int(action): column for column, action in enumerate(evaluation.actions)}
    best = evaluation.results[:, place[values[0].action]]
    for valued in values[1:]:
        column = evaluation.results[:, place[valued.action]]
        assert valued.loss == interval_of(best - column)
        assert valued.loss.mean == pytest.approx(values[0].value.mean - valued.value.mean)
        unpaired = math.hypot(values[0].value.high - values[0].value.mean, valued.value.high - valued.value.mean)
        assert valued.loss.high - valued.loss.mean < unpaired
        assert valued.equal == (valued.loss.low <= 0)
    assert values.equals[0] == values[0]


# Better and better values


def test_worlds_come_on_top_of_those_already_played():
    """Whatever the steps, so many worlds give the same values, and none is played twice."""
    view, player = Table(KOIKOI, None, 1, 7).view(), resolve(KOIKOI, "rule-based/always-stop")
    once = Evaluation(view, player, 4).more(60)
    steps = Evaluation(view, player, 4)
    assert [steps.more(number).worlds for number in (1, 10, 29, 20)] == [1, 11, 40, 60]
    assert steps.values() == once
    before = steps.results.copy()
    steps.more(5)
    assert (steps.results[:60] == before).all()


def test_a_search_tells_its_first_values_soon_and_then_better_ones():
    evaluation = Evaluation(Table(KOIKOI, None, 1, 7).view(), resolve(KOIKOI, "rule-based/always-stop"))
    told = list(evaluation.search(seconds=60, most=1000))
    worlds = [values.worlds for values in told]
    assert worlds[0] == FIRST_WORLDS
    assert worlds == sorted(set(worlds))
    assert worlds[-1] == 1000
    assert len(worlds) >= 2
    assert evaluation.seconds > 0
    assert list(evaluation.search(seconds=60, most=1000)) == []
    short = list(evaluation.search(seconds=1e-9))
    assert len(short) == 1  # asked to search on, it plays at least one step more
    assert short[0].worlds == 1000 + FIRST_WORLDS


def test_an_interrupted_step_loses_no_world_and_counts_none_twice(monkeypatch):
    evaluation = Evaluation(Table(KOIKOI, None, 1, 7).view(), resolve(KOIKOI, "rule-based/always-stop"))
    evaluation.more(10)

    def interrupted(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as context:
        context.setattr(evaluation, "_play_compiled", interrupted)
        with pytest.raises(KeyboardInterrupt):
            evaluation.more(10)
    assert evaluation.worlds == 10
    assert evaluation.more(10) == Evaluation(evaluation.view, evaluation.player).more(20)


def test_without_a_world_there_are_no_values():
    with pytest.raises(Problem, match="no world was played yet"):
        Evaluation(table_of_kuhn(0).view(), resolve(KUHN, "always-bet")).values()


# Who plays on


@pytest.mark.kernel
def test_a_python_player_plays_the_same_worlds_as_a_compiled_one(own):
    for card in (0, 1, 2):
        table = table_of_kuhn(card)
        compiled, python = (tefuda.evaluate(table, name, games=40, seed=2) for name in ("always-bet", own("AlwaysBet")))
        assert compiled.moves == python.moves
        assert python.player.endswith(":AlwaysBet")
        assert python != tefuda.evaluate(table, "random", games=40, seed=2)


def test_a_python_player_meets_the_same_luck_whatever_the_action(own):
    """The first one asked in each world draws the same number after every action, and another in another world."""
    table = table_of_kuhn(1)
    entrant = resolve(KUHN, own("First"))
    entrant.maker.seen.clear()
    evaluate(table.view(), entrant, games=3)
    answers = [luck for seat, _, luck in entrant.maker.seen if seat == 1]
    assert len(answers) == 6
    assert answers[0::2] == answers[1::2]
    assert len(set(answers)) == 3


def test_a_batch_player_plays_on_and_is_made_once(own):
    entrant = resolve(KUHN, own("FirstOfMany"))
    values = evaluate(table_of_kuhn(0).view(), entrant, games=20)
    assert values.moves == evaluate(table_of_kuhn(0).view(), resolve(KUHN, "always-pass"), games=20).moves
    assert len(entrant.maker.made) == 1


def test_a_class_or_an_object_plays_on_too():
    class Bets:
        def act(self, view):
            return 1

    expected = tefuda.evaluate(table_of_kuhn(1), "always-bet", games=20).moves
    for player in (Bets, Bets()):
        assert tefuda.evaluate(table_of_kuhn(1), player, games=20).moves == expected


def test_a_batch_player_is_told_in_which_world_and_after_which_action_it_plays():
    seen = []

    class Told:
        def choose(self, observations, masks, lanes):
            seen.extend(lanes.tolist())
            return masks.argmax(axis=1)

    tefuda.evaluate(table_of_kuhn(1), Told, games=3)
    assert {lane[:2] for lane in seen} == {(world, place) for world in range(3) for place in range(2)}


def test_a_player_that_fails_is_named_with_its_world(own):
    with pytest.raises(Problem, match=r"Failing, world 0, seat \d: it failed: RuntimeError: no idea"):
        tefuda.evaluate(table_of_kuhn(0), own("Failing"))


# What cannot be meant


@pytest.mark.parametrize(
    "number", [0, -5, 10**12, 10**30, pytest.param(10**6000, id="huge"), 2.5, math.nan, "300", None, True]
)
def test_a_number_of_games_that_cannot_be_played_is_refused(number):
    with pytest.raises(Problem, match="whole number from 1 to 1,000,000"):
        tefuda.evaluate(table_of_kuhn(0), "always-bet", games=number)


@pytest.mark.parametrize("wrong", [{"seed": -1}, {"seed": 2**63}, {"seed": 0.5}, {"threads": 0}, {"threads": -3}])
def test_a_seed_or_a_number_of_threads_that_cannot_be_meant_is_refused(wrong):
    with pytest.raises(Problem, match=f"{next(iter(wrong))} is .*, but takes a whole number from"):
        evaluate(table_of_kuhn(0).view(), resolve(KUHN, "always-bet"), **wrong)


def test_only_the_seat_to_move_has_actions_to_value():
    table = table_of_kuhn(0)
    with pytest.raises(Problem, match="seat 1 is not to move"):
        evaluate(table.view(1), resolve(KUHN, "always-bet"))
    while not table.over:
        table.apply(0)
    with pytest.raises(Problem, match="the game is over"):
        tefuda.evaluate(table, "always-bet")


# How it is told


def test_values_are_told_as_data_and_as_text():
    values = tefuda.evaluate(table_of_kuhn(0, 1), "always-bet", games=50, seed=9)
    told = json.loads(json.dumps(values.data(), allow_nan=False))
    assert {key: told[key] for key in ("player", "worlds", "seed")} == {"player": "always-bet", "worlds": 50, "seed": 9}
    assert told["moves"][1] == {
        "action": 1, "name": "call", "value": {"mean": -2.0, "low": -2.0, "high": -2.0},
        "loss": {"mean": 1.0, "low": 1.0, "high": 1.0}, "equal": False,
    }  # fmt: skip
    assert json.dumps(tefuda.evaluate(table_of_kuhn(0), "always-bet", games=1).data(), allow_nan=False)
    columns = values.columns()
    assert columns["move"] == ["fold", "call"]
    assert all(name.isidentifier() for name in columns)  # as in frame.loss_low
    assert (columns["loss"], columns["equal"]) == ([0.0, 1.0], [True, False])
    assert "<td>call</td>" in values._repr_html_()
    assert "50 guessed worlds, then always-bet" in values._repr_html_()
    assert repr(values) == "<2 moves in 50 worlds, best fold -1.00 ± 0.00>"
    assert [line.split()[-1] for line in str(values).splitlines()[1:]] == ["fold", "call"]


def test_tables_can_be_made_again_and_again():
    """The folder `table` of the package must not take the place of the function of that name."""
    for _ in range(2):
        assert tefuda.table("kuhn", deal=3).to_move == 0
