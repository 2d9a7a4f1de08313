"""The conformance check catches Kuhn poker that was broken on purpose: by exactly the checks that should."""

import dataclasses
import time
from pathlib import Path

import numpy as np
import pytest

from tefuda.conformance import check, play
from tefuda.conformance.golden import is_unchanged
from tefuda.contract import Name, NamedPlayer, Part, Policy, Space, plain_parameters
from tefuda.games.kuhn import GAME as KUHN
from tefuda.games.kuhn import rules as kuhn
from tefuda.kernel.bits import ZERO, bit
from tefuda.kernel.compile import COMPILED, kernel
from tefuda.kernel.random import below
from tests.conformance.breaking import (
    AGREE,
    FILLS,
    KEEPS,
    LISTED,
    NEEDS_LOOPS,
    PLAYERS_KNOW,
    SCENES,
    SEATS_KNOW,
    TAKES,
    UNIFORM,
    broken,
    failing,
)


@kernel
def biased_guess(state, seat, rng):
    own = int(state.card[seat])
    given = (own + 1 + (below(rng, 4) == 0)) % kuhn.CARDS
    state.card[1 - seat] = given
    state.card[kuhn.LEFT_OVER] = 3 - own - given


@kernel
def peeking_guess(state, seat, rng):
    """Exchanges the hidden cards or leaves them where they are: uniform, but from the true order."""
    own = int(state.card[seat])
    if state.card[1 - seat] == kuhn.UNKNOWN:
        state.card[1 - seat] = (own + 1) % kuhn.CARDS
    given = int(state.card[1 - seat])
    if below(rng, 2) == 0:
        given = 3 - own - given
    state.card[1 - seat] = given
    state.card[kuhn.LEFT_OVER] = 3 - own - given


@kernel
def forgetful_guess(state, seat, rng):
    """Forgets the own card too."""
    kuhn.guess(state, seat, rng)
    state.card[0], state.card[1] = state.card[1], state.card[0]


@kernel
def leaking_hide(state, seat):
    if not kuhn.is_showdown(state):
        state.card[1 - seat] = kuhn.UNKNOWN


@kernel
def leaking_observe(state, seat, out):
    KUHN_OBSERVE(state, seat, out)
    out[28] += state.card[1 - seat]


@kernel
def unfinished_observe(state, seat, out):
    last = out[28]
    KUHN_OBSERVE(state, seat, out)
    out[28] = last


@kernel
def overlong_observe(state, seat, out):
    KUHN_OBSERVE(state, seat, out)
    out[29] = 1.0


KUHN_OBSERVE = KUHN.kernels.observe


@kernel
def unequal_scores(state, out):
    kuhn.scores(state, out)
    out[1] = out[0]


@kernel
def losing_apply(state, action):
    kuhn.apply(state, action)
    state.card[kuhn.LEFT_OVER] = state.card[0]


@kernel
def idle_apply(state, action):
    state.betting = kuhn.START


@kernel
def empty_legal(state, mask):
    mask[0] = kuhn.BOTH if state.betting == kuhn.START else ZERO


@kernel
def wide_legal(state, mask):
    kuhn.legal(state, mask)
    mask[0] = mask[0] | bit(63)


@kernel
def knowing_legal(state, mask):
    """With the best card on the table one must bet."""
    kuhn.legal(state, mask)
    if kuhn.to_move(state) >= 0 and state.card[kuhn.LEFT_OVER] == 2:
        mask[0] = bit(kuhn.BET)


@kernel
def adding_legal(state, mask):
    if kuhn.to_move(state) >= 0:
        mask[0] = mask[0] | kuhn.BOTH


@kernel
def third_to_move(state):
    seat = kuhn.to_move(state)
    return 2 if seat == 1 else seat


@kernel
def fixed_deal(state, rng):
    state.betting = kuhn.START
    state.card[0], state.card[1], state.card[2] = 0, 1, 2


@kernel
def uncertain_deal(state, rng):
    kuhn.deal(state, rng)
    if np.random.random() < 0.5:
        state.card[1], state.card[2] = state.card[2], state.card[1]


@kernel
def choose_by_the_left_over(view, seat, params, rng, mask, worlds, numbers):
    return kuhn.BET if view.card[kuhn.LEFT_OVER] == 0 else kuhn.PASS


@kernel
def choose_by_the_scratch(view, seat, params, rng, mask, worlds, numbers):
    """Reads a world that it has not written: whatever another decision left there."""
    return kuhn.BET if worlds[0].card[1 - seat] == 0 else kuhn.PASS


@kernel
def choose_illegally(view, seat, params, rng, mask, worlds, numbers):
    return 2 if view.betting == kuhn.CHECKED else kuhn.BET if below(rng, 2) == 0 else kuhn.PASS


@kernel
def knowing_information_set(view, seat):
    return kuhn.information_set(view, seat) if view.card[1 - seat] < 2 else 0


@kernel
def one_information_set(view, seat):
    return 0


@kernel
def early_legal(state, mask):
    """One cannot bet after a check."""
    kuhn.legal(state, mask)
    if state.betting == kuhn.CHECKED:
        mask[0] = bit(kuhn.PASS)


def shortened(chances, tables):
    return chances[1:] * 1.2, tables[1:]


def weighted(chances, tables):
    return np.array([0.6, 0.08, 0.08, 0.08, 0.08, 0.08]), tables


def showing_all(states, seat=None, lang="both"):
    return KUHN.words.show(states, None, lang)


def hiding_nothing(states, seat):
    layout = KUHN.checks.layout(states, seat)
    return dataclasses.replace(layout, hidden=[False] * 3)


def one_name(states, action, lang="both"):
    return "a move"


def only_policy(choose) -> dict:
    return {
        "policies": (Policy("odd", choose, plain_parameters, worlds=1),),
        "named": (NamedPlayer("odd", "plays oddly", "odd"),),
        "default_opponent": "odd",
    }


# What is broken, and exactly the checks that must fail.
BROKEN_KUHN = {
    "biased guess": ({"guess": biased_guess}, {UNIFORM}),
    "guess that peeks": ({"guess": peeking_guess}, {TAKES}),
    "hide that leaves a card": ({"hide": leaking_hide}, {SEATS_KNOW, KEEPS, SCENES}),
    "observe that tells the other card": ({"observe": leaking_observe}, {SEATS_KNOW, KEEPS}),
    "observe that leaves a number": ({"observe": unfinished_observe}, {FILLS}),
    "scores that do not add up": ({"scores": unequal_scores}, {play.scores_add_up, is_unchanged}),
    "legal beyond the actions": ({"legal": wide_legal}, {play.games_end}),
    "legal that knows hidden cards": ({"legal": knowing_legal}, {SEATS_KNOW, KEEPS, LISTED}),
    "legal that adds to what was there": ({"legal": adding_legal}, {play.games_end, FILLS}),
    "text that tells the other card": ({"show": showing_all}, {SEATS_KNOW}),
    "one name for two actions": ({"action_name": one_name}, {AGREE, is_unchanged}),
    "a deal that never changes": ({"deal": fixed_deal}, {play.streams_differ, LISTED, is_unchanged}),
    "too short a limit": ({"longest": 2}, {play.games_end}),
    "another sum declared": ({"total": 1.0}, {play.scores_add_up}),
    "a default opponent that is not there": ({"default_opponent": "nobody"}, {AGREE}),
    "a headline without seats": (
        {"headline": dataclasses.replace(KUHN.scoring.headline, of=lambda scores: scores.mean(axis=-1))}, {AGREE},
    ),
    "a list without a deal": ({"deals": lambda blank: shortened(*kuhn.deals(blank))}, {LISTED}),
    "a list with a deal too likely": ({"deals": lambda blank: weighted(*kuhn.deals(blank))}, {LISTED}),
    "a list whose chances are too small": ({"deals": lambda blank: (np.full(6, 0.1), kuhn.deals(blank)[1])}, {LISTED}),
    "an information set by the other card": ({"information_set": knowing_information_set}, {LISTED}),
    "more information sets than declared": ({"information_sets": 11}, {LISTED}),
    "one information set for two decisions": ({"information_set": one_information_set, "legal": early_legal}, {LISTED}),
    "actions of the same name": (
        {"actions": Space(tuple(Part(key, 1, key, (Name("x", "x"),)) for key in ("pass", "bet")))},
        {AGREE},
    ),
}  # fmt: skip


@pytest.mark.kernel
@pytest.mark.parametrize("what", BROKEN_KUHN)
def test_broken_kuhn_is_caught_by_the_right_checks(what, tmp_path):
    changes, expected = BROKEN_KUHN[what]
    game = broken(KUHN, tmp_path, what.replace(" ", "-"), **changes)
    found = failing(game)
    assert found - set(NEEDS_LOOPS) == expected


# Breaks that spread: other checks fail or stop as well.
SPREADING = {
    "a card lost": ({"apply": losing_apply}, play.cards_are_conserved),
    "a game that never ends": ({"apply": idle_apply}, play.games_end),
    "nothing legal": ({"legal": empty_legal}, play.games_end),
    "a seat that is not there": ({"to_move": third_to_move}, play.games_end),
    "a guess that forgets": ({"guess": forgetful_guess}, KEEPS),
    "observe that writes too far": ({"observe": overlong_observe}, FILLS),
    "nothing hidden": ({"layout": hiding_nothing}, SEATS_KNOW),
}


@pytest.mark.kernel
@pytest.mark.parametrize("what", SPREADING)
def test_breaks_that_spread_are_caught_too(what, tmp_path):
    changes, expected = SPREADING[what]
    assert failing(broken(KUHN, tmp_path, what.replace(" ", "-"), **changes), expected) == {expected}


@pytest.mark.kernel
def test_a_deal_by_other_random_numbers_is_caught(tmp_path):
    game = broken(KUHN, tmp_path, "uncertain-deal", deal=uncertain_deal)
    assert failing(game, play.same_bytes) == {play.same_bytes}


@pytest.mark.kernel
def test_players_that_know_hidden_cards_are_caught(tmp_path):
    """Only a leak of `hide`, or scratch space read before it is written, lets a player know them."""
    checks = (SEATS_KNOW, PLAYERS_KNOW, play.players_are_legal)
    honest = broken(KUHN, tmp_path, "by-left-over", **only_policy(choose_by_the_left_over))
    assert failing(honest, *checks) == set()
    leaking = broken(KUHN, tmp_path, "leak", hide=leaking_hide, **only_policy(choose_by_the_left_over))
    assert failing(leaking, *checks) == {SEATS_KNOW, PLAYERS_KNOW}
    scratch = broken(KUHN, tmp_path, "scratch", **only_policy(choose_by_the_scratch))
    assert failing(scratch, *checks) == {PLAYERS_KNOW}


@pytest.mark.kernel
def test_players_that_move_illegally_are_caught(tmp_path):
    game = broken(KUHN, tmp_path, "illegal", **only_policy(choose_illegally))
    assert failing(game, play.players_are_legal) == {play.players_are_legal}


@pytest.mark.kernel
def test_a_check_that_hangs_is_given_up(tmp_path):
    def slow_layout(states, seat):
        time.sleep(1.0)
        return KUHN.checks.layout(states, seat)

    game = broken(KUHN, tmp_path, "slow", layout=slow_layout)
    report = check(game, checks={"one": play.cards_are_conserved, "two": is_unchanged}, patience=0.2)
    assert [finding.name for finding in report.findings] == ["one"]
    assert "did not return within 0.2 seconds" in report.findings[0].detail


def test_a_check_that_goes_on_may_take_its_time():
    def many(study):
        for number in range(8):
            study.where = f"place {number}"
            time.sleep(0.1)
        return "all places"

    assert check(KUHN, checks={"one": many}, patience=0.4).passed


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_checks_end_after_a_kernel_that_cannot_be_compiled(tmp_path):
    @kernel
    def misspelt_apply(state, action):
        state.beting = action  # this line

    game = broken(KUHN, tmp_path, "misspelt", apply=misspelt_apply)
    report = check(game)
    assert len(report.findings) == 1
    detail = report.failures[0].detail
    assert "\n" not in detail
    assert "unknown field 'beting': did you mean 'betting'?" in detail
    assert detail.endswith("; no other check was tried")
    lines = Path(__file__).read_text(encoding="utf-8").splitlines()
    number = next(number for number, line in enumerate(lines, 1) if "state.beting = action  # this" in line)
    assert f"({__file__}, line {number})" in detail


@pytest.mark.kernel
def test_an_error_inside_a_game_is_a_finding(tmp_path):
    def raising(states, seat):
        raise ValueError("no such place")

    game = broken(KUHN, tmp_path, "raising", layout=raising)
    report = check(game, checks={"cards": play.cards_are_conserved})
    assert "ValueError: no such place" in report.findings[0].detail
    assert "test_broken_kuhn.py" in report.findings[0].detail
