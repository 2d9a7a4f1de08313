"""The players of Koi-Koi: how strong they are, and how they decide between agari and koi-koi."""

import math
import random

import numpy as np
import pytest

from tefuda.arena.match import match
from tefuda.errors import Problem
from tefuda.games.koikoi import GAME
from tefuda.games.koikoi.cards import mask_of
from tefuda.games.koikoi.players import decision, rule_based
from tefuda.games.koikoi.state import AGARI, CALL, KOIKOI
from tefuda.players.resolve import resolve
from tefuda.table.table import Table, View
from tests.games.koikoi.positions import generator, position, space, tables

# --- strength ---


@pytest.mark.slow
def test_rule_based_makes_against_random_what_the_paper_says():
    """2.52 points in the paper, over 1,000 games; ours lies between 2.3 and 2.8."""
    figure = match(GAME, ["rule-based", "random"], 6000, seed=1001).rows[0].figure
    assert 2.3 < figure.mean < 2.8
    assert figure.high - figure.low < 0.2


@pytest.mark.slow
def test_the_learned_policy_beats_rule_based():
    figure = match(GAME, ["pg-linear-tuned", "rule-based"], 20_000, seed=1002).rows[0].figure
    assert figure.low > 0


@pytest.mark.parametrize(("name", "at_least"), [("pg-linear", 1.5), ("pg-linear-tuned", 2.0), ("ann-value", 2.0)])
def test_learned_players_beat_random_clearly(name, at_least):
    figure = match(GAME, [name, "random/always-stop"], 400, seed=1003).rows[0].figure
    assert figure.low > at_least


def test_rule_based_follows_its_three_rules():
    """Completing a yaku comes before all, then worth, then what is worth least is given."""
    entrant = resolve(GAME, "rule-based")
    completes = position(hand=[10, 45, 14], field=[9, 44, 15], own=[1, 5, 2, 6])
    assert entrant_plays(entrant, completes) == 10  # akatan, rather than the phoenix
    captures = position(hand=[10, 45, 14, 20], field=[9, 44, 15])
    assert entrant_plays(entrant, captures) == 45  # a bright before a red poem
    gives = position(hand=[0, 10, 21, 24], field=[45])
    assert entrant_plays(entrant, gives) == 10  # chaff, when nothing can be taken
    safe = position(hand=[10, 14], field=[45], other=[12, 13])
    assert entrant_plays(entrant, safe) == 14  # of a month of which less is left
    assert rule_based.worth(mask_of(8), mask_of(), mask_of()) > rule_based.worth(mask_of(9), mask_of(), mask_of())


def entrant_plays(entrant, states) -> int:
    return Table(GAME, GAME.rulebook.make(), 1, 1, states=states).ask(entrant)


# --- agari or koi-koi ---

DECIDES = ("random", "rule-based", "pg-linear", "ann-value")  # policies whose name may say how this is decided


@pytest.mark.parametrize(
    ("variant", "head"),
    [
        ("", [decision.MONTE_CARLO, 300]), ("/monte-carlo", [decision.MONTE_CARLO, 300]),
        ("/monte-carlo:1000", [decision.MONTE_CARLO, 1000]), ("/monte-carlo:1", [decision.MONTE_CARLO, 1]),
        ("/always-stop", [decision.ALWAYS_STOP, 300]), ("/always-koikoi", [decision.ALWAYS_KOIKOI, 300]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("name", [player.name for player in GAME.players.named if player.policy in DECIDES])
def test_variants_of_every_player(name, variant, head):
    entrant = resolve(GAME, name + variant)
    assert entrant.params[:2].tolist() == head
    assert len(entrant.params) == decision.HEADER + entrant.policy.weights
    assert entrant.name == name + variant
    assert np.array_equal(entrant.params[2:], resolve(GAME, name).params[2:])


@pytest.mark.parametrize(
    "variant",
    ["always", "stop", "monte-carlo:", "monte-carlo:0", "monte-carlo:-5", "monte-carlo:1.5", "monte-carlo:many",
     "monte-carlo:10000000", "always-stop:3", "always-koikoi:1", "monte-carlo:5:6", "monte-carlo/5", ":5"],
)  # fmt: skip
def test_wrong_variants_are_refused(variant):
    with pytest.raises(Problem, match="known are always-stop, always-koikoi, monte-carlo and monte-carlo:N"):
        resolve(GAME, f"rule-based/{variant}")


@pytest.mark.parametrize("name", ["random", "rule-based", "pg-linear", "ann-value"])
def test_always_stop_and_always_koikoi_do_what_they_say(name):
    asked = 0
    stop, go = (resolve(GAME, f"{name}/{way}") for way in ("always-stop", "always-koikoi"))
    for table in tables([f"{name}/always-koikoi"] * 2, 40, 2001):
        if table.states[0].phase == CALL:
            assert table.legal == [AGARI, KOIKOI]
            assert table.ask(stop) == AGARI
            assert table.ask(go) == KOIKOI
            asked += 1
    assert asked > 10
    stopping, going = match(GAME, [f"{name}/always-stop", f"{name}/always-koikoi"], 40, seed=2002).rows
    assert stopping.more["koikoi_calls"] == 0
    assert going.more["koikoi_calls"] > 10


def test_whoever_has_no_choice_stops():
    """A dealt yaku that is paid can only be shown, even by who always calls koi-koi."""
    shown = 0
    go = resolve(GAME, "random/always-koikoi")
    chosen = GAME.rulebook.make("paper", ["teshi=points", "kuttsuki=points"])
    for deal in range(400):
        table = Table(GAME, chosen, 2003, deal)
        if table.states[0].phase == CALL:
            assert table.legal == [AGARI] == [table.ask(go)]
            shown += 1
    assert shown > 3


def playouts_through_guesses(view: View, games: int, chooser: random.Random) -> np.ndarray:
    """What the round brings by section 5.2: koi-koi, then random cards and agari at every chance, in guessed worlds."""
    gains = []
    for _ in range(games):
        world = view.guess(chooser)
        finished, before = int(world.states[0].finished), world.scores[view.seat]
        world.apply(KOIKOI)
        while not world.over and world.states[0].finished == finished:
            world.apply(AGARI if world.states[0].phase == CALL else chooser.choice(world.legal))
        gains.append(world.scores[view.seat] - before)
    return np.array(gains)


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["paper", "bonus"])
def test_the_monte_carlo_value_agrees_with_playouts_through_guesses(preset):
    changes = [] if preset == "paper" else ["rounds=3"]
    chooser = random.Random(3001)
    mask, worlds, numbers = space()
    tested, decided, later = 0, set(), 0
    for table in tables(["rule-based/always-koikoi", "random/always-koikoi"], 60, 3002, preset, changes):
        if table.states[0].phase != CALL or tested >= 24:
            continue
        view = table.view()
        expected = playouts_through_guesses(view, 150, chooser)
        value = decision.value_of_koikoi(view.state[0], view.seat, 20_000, generator(tested), mask, worlds, numbers)
        error = math.hypot(expected.std(ddof=1) / math.sqrt(150), expected.std(ddof=1) / math.sqrt(20_000))
        assert abs(value - expected.mean()) < 4.5 * error, (tested, value, expected.mean(), error)
        stop = decision.value_of_stopping(view.state[0], view.seat)
        taken = table.copy()
        finished = int(taken.states[0].finished)
        taken.apply(AGARI)
        assert taken.scores[view.seat] - table.scores[view.seat] == stop
        if abs(value - stop) > 1.5:  # with 1000 playouts there is no doubt about it
            action = table.ask(resolve(GAME, "random/monte-carlo:1000"))
            assert action == (KOIKOI if value > stop else AGARI)
            decided.add(action)
        later += finished > 0
        tested += 1
    assert tested == 24
    assert decided == {AGARI, KOIKOI}
    assert preset == "paper" or later > 5
