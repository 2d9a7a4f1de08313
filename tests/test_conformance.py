"""The conformance check passes every game of the package, and catches games that are broken on purpose.

Each broken game differs from Kuhn poker or Koi-Koi in one small part; the checks meant for it must fail.
"""

import dataclasses
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tefuda import conformance
from tefuda.conformance import CHECKS, Study, check, check_all, guessing, play, secrecy, study, tables, write_golden
from tefuda.conformance.chance import one_sample, tail, two_samples
from tefuda.conformance.golden import is_unchanged
from tefuda.contract import Game, Name, NamedPlayer, Part, Policy, Space, Statistics, plain_parameters
from tefuda.errors import Problem
from tefuda.games import find, names
from tefuda.games.koikoi import GAME as KOIKOI
from tefuda.games.koikoi import rules as koikoi
from tefuda.games.kuhn import GAME as KUHN
from tefuda.games.kuhn import rules as kuhn
from tefuda.games.tricks import GAME as TRICKS
from tefuda.kernel.bits import ONE, ZERO, bit, count, has, lowest, without_lowest
from tefuda.kernel.compile import COMPILED, hash_of_sources, kernel
from tefuda.kernel.random import below, draw

NAME = {function: name for name, function in CHECKS.items()}
NEEDS_LOOPS = (play.same_bytes, play.players_are_legal, secrecy.players_know_nothing_hidden)
VERSION = hash_of_sources(Path(__file__).parent)  # in names of games: loops are compiled again when this file changes
# Less than a check of a game usually tries: what is broken here is found sooner.
SMALL = dataclasses.replace(
    study.QUICK, settings=1, many_settings=2, decisions=5000, walks=3, tables=8, texts=2, choices=100
)


def broken(game: Game, folder: Path, what: str, **changes) -> Game:
    """A game with some parts replaced, and a name and folder of its own: compiled code is kept under them."""
    golden = game.folder / "golden.txt"
    if golden.is_file():
        shutil.copy(golden, folder)
    unlearned = tuple(
        player for player in game.players.named if player.file is None
    )  # files are for the true game only
    plain = dataclasses.replace(
        game,
        name=f"{game.name}-{what}-{VERSION}",
        folder=folder,
        players=dataclasses.replace(game.players, named=unlearned, default_opponent=unlearned[0].name),
        statistics=Statistics(),
    )
    return with_changes(plain, changes)


def with_changes(game: Game, changes: dict[str, object]) -> Game:
    """A game with some fields changed, each in the part of the contract that has it."""
    for key, value in changes.items():
        owners = [
            part.name
            for part in dataclasses.fields(game)
            if dataclasses.is_dataclass(getattr(game, part.name)) and key in vars(getattr(game, part.name))
        ]
        if owners:
            value, key = dataclasses.replace(getattr(game, owners[0]), **{key: value}), owners[0]
        game = dataclasses.replace(game, **{key: value})
    return game


def failing(game: Game, *functions: Callable, patience: float = 300.0) -> set[Callable]:
    """Which checks fail; without any named, all but those for which all loops would be compiled."""
    chosen = functions or tuple(each for each in NAME if not COMPILED or each not in NEEDS_LOOPS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(study, "QUICK", SMALL)
        report = check(game, checks={NAME[each]: each for each in chosen}, patience=patience)
    assert report.findings
    for finding in report.failures:
        print(finding.name, finding.detail, sep="\n    ")
    return {CHECKS[finding.name] for finding in report.failures}


# The games that come with the package.


def test_there_are_games_to_check():
    assert len(names()) >= 2


@pytest.mark.kernel
@pytest.mark.parametrize("name", names())
def test_every_registered_game_conforms(name):
    report = check(find(name))
    assert report.passed, str(report)
    assert len(report.findings) == len(CHECKS) >= 15


def test_a_check_of_no_game_is_an_error(monkeypatch):
    monkeypatch.setattr(conformance, "names", list)
    with pytest.raises(Problem, match="no game was found"):
        check_all()


def test_all_games_are_checked(monkeypatch):
    monkeypatch.setattr(conformance, "check", lambda game, seed, thorough: (game.name, seed, thorough))
    assert check_all(5, True) == [(name, 5, True) for name in names()]


def test_a_report_without_findings_has_not_passed():
    assert not check(KUHN, checks={}).passed


# Games broken on purpose: Kuhn poker.


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


KEEPS, TAKES, UNIFORM = (
    guessing.guesses_keep_what_was_seen, guessing.guesses_take_nothing_hidden, guessing.guesses_are_uniform,
)  # fmt: skip
SEATS_KNOW, PLAYERS_KNOW = secrecy.seats_know_nothing_hidden, secrecy.players_know_nothing_hidden
FILLS, AGREE = tables.kernels_fill_their_arrays, tables.tables_agree

# What is broken, and exactly the checks that must fail.
BROKEN_KUHN = {
    "biased guess": ({"guess": biased_guess}, {UNIFORM}),
    "guess that peeks": ({"guess": peeking_guess}, {TAKES}),
    "hide that leaves a card": ({"hide": leaking_hide}, {SEATS_KNOW, KEEPS}),
    "observe that tells the other card": ({"observe": leaking_observe}, {SEATS_KNOW, KEEPS}),
    "observe that leaves a number": ({"observe": unfinished_observe}, {FILLS}),
    "scores that do not add up": ({"scores": unequal_scores}, {play.scores_add_up, is_unchanged}),
    "legal beyond the actions": ({"legal": wide_legal}, {play.games_end}),
    "legal that knows hidden cards": ({"legal": knowing_legal}, {SEATS_KNOW, KEEPS}),
    "legal that adds to what was there": ({"legal": adding_legal}, {play.games_end, FILLS}),
    "text that tells the other card": ({"show": showing_all}, {SEATS_KNOW}),
    "one name for two actions": ({"action_name": one_name}, {AGREE, is_unchanged}),
    "a deal that never changes": ({"deal": fixed_deal}, {play.streams_differ, is_unchanged}),
    "too short a limit": ({"longest": 2}, {play.games_end}),
    "another sum declared": ({"total": 1.0}, {play.scores_add_up}),
    "a default opponent that is not there": ({"default_opponent": "nobody"}, {AGREE}),
    "a headline without seats": (
        {"headline": dataclasses.replace(KUHN.scoring.headline, of=lambda scores: scores.mean(axis=-1))}, {AGREE},
    ),
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


@pytest.mark.kernel
def test_an_error_inside_a_game_is_a_finding(tmp_path):
    def raising(states, seat):
        raise ValueError("no such place")

    game = broken(KUHN, tmp_path, "raising", layout=raising)
    report = check(game, checks={"cards": play.cards_are_conserved})
    assert "ValueError: no such place" in report.findings[0].detail
    assert "test_conformance.py" in report.findings[0].detail


# Games broken on purpose: Koi-Koi.


@kernel
def blank_and_refill(state, seat):
    """Put the unseen cards into the deck in their natural order; returns the place of the first."""
    for place in range(48):
        state.deck[place] = koikoi.UNKNOWN
    first = int(state.next) - int(state.cards[1 - seat])
    rest = koikoi.unseen(state, seat)
    place = first
    while rest != ZERO:
        state.deck[place] = lowest(rest)
        rest = without_lowest(rest)
        place += 1
    return first


@kernel
def give_hand(state, other, first):
    """The first of the shuffled cards are the other hand."""
    state.hand[other] = koikoi.set_of(state.deck, first, int(state.next))
    for place in range(first, int(state.next)):
        state.deck[place] = koikoi.UNKNOWN


@kernel
def exchange(deck, one, two):
    card = deck[one]
    deck[one] = deck[two]
    deck[two] = card


@kernel
def naive_shuffle_guess(state, seat, rng):
    """The beginner's shuffle: each place changes with any other, which is not uniform."""
    state.key[0] = draw(rng)
    state.shuffle[0] = ZERO
    while True:
        first = blank_and_refill(state, seat)
        for place in range(first, 48):
            exchange(state.deck, place, first + below(rng, 48 - first))
        give_hand(state, 1 - seat, first)
        if koikoi.hand_is_possible(state, 1 - seat):
            return


@kernel
def sorted_deck_guess(state, seat, rng):
    """Deals the hand at random, and leaves the deck in order."""
    state.key[0] = draw(rng)
    state.shuffle[0] = ZERO
    while True:
        first = blank_and_refill(state, seat)
        koikoi.shuffle(state.deck, first, int(state.next), rng)
        give_hand(state, 1 - seat, first)
        if koikoi.hand_is_possible(state, 1 - seat):
            return


@kernel
def months_together_guess(state, seat, rng):
    """Likes hands with cards of one month: a card alone is as likely as any other, two together are not."""
    state.key[0] = draw(rng)
    state.shuffle[0] = ZERO
    for attempt in range(200):
        first = blank_and_refill(state, seat)
        koikoi.shuffle(state.deck, first, koikoi.TURNED, rng)
        give_hand(state, 1 - seat, first)
        hand = state.hand[1 - seat]
        together = count(hand) - count(koikoi.months_in(hand))
        if koikoi.hand_is_possible(state, 1 - seat) and (together >= 3 or attempt > 20):
            return


@kernel
def careless_guess(state, seat, rng):
    """Also guesses hands that would have been dealt again."""
    state.key[0] = draw(rng)
    state.shuffle[0] = ZERO
    first = blank_and_refill(state, seat)
    koikoi.shuffle(state.deck, first, koikoi.TURNED, rng)
    give_hand(state, 1 - seat, first)


@kernel
def true_order_guess(state, seat, rng):
    """Shuffles the true deck where it is there: uniform, but by the same numbers it tells the true order."""
    other = 1 - seat
    known = state.deck[state.next] != koikoi.UNKNOWN
    state.key[0] = draw(rng)
    state.shuffle[0] = ZERO
    first = int(state.next) - int(state.cards[other])
    if known:
        rest = state.hand[other]
        for place in range(first):
            state.deck[place] = koikoi.UNKNOWN
        for place in range(first, int(state.next)):
            state.deck[place] = lowest(rest)
            rest = without_lowest(rest)
    else:
        blank_and_refill(state, seat)
    while True:
        koikoi.shuffle(state.deck, first, koikoi.TURNED, rng)
        hand = koikoi.set_of(state.deck, first, int(state.next))
        state.hand[other] = hand
        if koikoi.hand_is_possible(state, other):
            break
    give_hand(state, other, first)


@kernel
def deck_leaking_hide(state, seat):
    state.hand[1 - seat] = ZERO
    state.key[0] = ZERO
    state.shuffle[0] = ZERO


@kernel
def dealt_leaking_hide(state, seat):
    """Blanks the deck that is still to come, and leaves the record of what was dealt."""
    for place in range(int(state.next), 48):
        state.deck[place] = koikoi.UNKNOWN
    state.hand[1 - seat] = ZERO
    state.key[0] = ZERO
    state.shuffle[0] = ZERO


@kernel
def key_leaking_hide(state, seat):
    """Leaves the source of the deals to come."""
    key = state.key[0]
    koikoi.hide(state, seat)
    state.key[0] = key


KOIKOI_OBSERVE = KOIKOI.kernels.observe


@kernel
def hand_leaking_observe(state, seat, out):
    KOIKOI_OBSERVE(state, seat, out)
    out[7] = out[7] + has(state.hand[1 - seat], 7) * 0.5


@kernel
def one_sided_scores(state, out):
    out[0] = state.score[0]
    out[1] = 0.0


@kernel
def dropping_apply(state, action):
    """Now and then a card falls from the field under the table."""
    koikoi.apply(state, action)
    if count(state.field) == 9:
        state.field = state.field & (state.field - ONE)


CARDS_CHECKS = (play.games_end, play.cards_are_conserved, play.scores_add_up)
SECRECY_CHECKS = (SEATS_KNOW, KEEPS, TAKES)

BROKEN_KOIKOI = {
    "guess by true order": ({"guess": true_order_guess}, (SEATS_KNOW, KEEPS, TAKES, UNIFORM), {TAKES}),
    "sorted deck": ({"guess": sorted_deck_guess}, (KEEPS, TAKES, UNIFORM), {UNIFORM}),
    "hide that leaves the deck": ({"hide": deck_leaking_hide}, SECRECY_CHECKS, {SEATS_KNOW, KEEPS}),
    "hide that leaves what was dealt": ({"hide": dealt_leaking_hide}, SECRECY_CHECKS, {KEEPS}),
    "hide that leaves the key": ({"hide": key_leaking_hide}, SECRECY_CHECKS, {KEEPS}),
    "observe that tells the other hand": (
        {"observe": hand_leaking_observe}, (*SECRECY_CHECKS, FILLS), {SEATS_KNOW, KEEPS},
    ),
    "scores of one side": ({"scores": one_sided_scores}, CARDS_CHECKS, {play.scores_add_up}),
    "a card dropped": ({"apply": dropping_apply}, CARDS_CHECKS, {play.cards_are_conserved}),
}  # fmt: skip


@pytest.mark.kernel
@pytest.mark.parametrize("what", BROKEN_KOIKOI)
def test_broken_koikoi_is_caught_by_the_right_checks(what, tmp_path):
    changes, checks, expected = BROKEN_KOIKOI[what]
    assert failing(broken(KOIKOI, tmp_path, what.replace(" ", "-"), **changes), *checks) == expected


@pytest.mark.skipif(not COMPILED, reason="a small bias needs more guesses than uncompiled kernels make in time")
@pytest.mark.parametrize("guess", [naive_shuffle_guess, months_together_guess, careless_guess])
def test_small_biases_of_a_guess_are_caught(guess, tmp_path):
    game = broken(KOIKOI, tmp_path, guess.__name__, guess=guess)
    assert failing(game, TAKES, UNIFORM) == {UNIFORM}


# The golden playthrough.


@pytest.mark.kernel
def test_a_changed_golden_playthrough_is_shown_as_a_difference(tmp_path):
    game = broken(KUHN, tmp_path, "golden")
    path = write_golden(game)
    assert path == tmp_path / "golden.txt"
    assert failing(game, is_unchanged) == set()
    text = path.read_text(encoding="utf-8")
    assert "decision 1, seat 0" in text
    path.write_text(text.replace("seat 0", "seat 7", 1), encoding="utf-8")
    detail = check(game, checks={"golden": is_unchanged}).findings[0].detail
    assert "seat 7" in detail
    assert "--write-golden" in detail
    assert any(line.startswith("-") for line in detail.splitlines())
    assert any(line.startswith("+") for line in detail.splitlines())


@pytest.mark.kernel
def test_a_missing_golden_playthrough_says_how_to_write_it(tmp_path):
    game = broken(KUHN, tmp_path, "no-golden")
    (tmp_path / "golden.txt").unlink(missing_ok=True)
    detail = check(game, checks={"golden": is_unchanged}).findings[0].detail
    assert f"tefuda check {tmp_path} --write-golden" in detail


# A game of a user's.


@pytest.mark.kernel
def test_a_game_given_by_its_path_conforms(tmp_path):
    folder = tmp_path / "little_poker"
    shutil.copytree(KUHN.folder, folder, ignore=shutil.ignore_patterns("__pycache__", "README.md"))
    for path in folder.glob("*.py"):
        text = path.read_text(encoding="utf-8")
        text = text.replace("from tefuda.games.kuhn import", "from . import").replace("tefuda.games.kuhn.", ".")
        path.write_text(text.replace('name="kuhn"', 'name="little-poker"'), encoding="utf-8")
    game = find(str(folder))
    assert game.name == "little-poker"
    assert game.folder == folder
    report = check(game)
    assert report.passed, str(report)


# The statistics behind the check of uniformity.


@pytest.mark.parametrize(
    ("value", "degrees", "chance"),
    [(3.841, 1, 0.05), (10.828, 1, 1e-3), (18.307, 10, 0.05), (37.697, 15, 1e-3), (149.449, 100, 1e-3)],
)
def test_the_tail_of_chi_square_agrees_with_its_tables(value, degrees, chance):
    assert tail(value, degrees) == pytest.approx(chance, rel=0.2)


def arrangements(rng: np.random.Generator, samples: int, cards: int, weight: float = 0.0) -> np.ndarray:
    """One-hot rows of which card is in which of three places; with a weight, card 0 likes the first place."""
    keys = rng.random((samples, cards))
    keys[:, 0] -= weight
    order = keys.argsort(axis=1)[:, :3]
    rows = np.zeros((samples, cards * 3))
    for place in range(3):
        rows[np.arange(samples), order[:, place] * 3 + place] = 1
    return rows


def test_equal_distributions_pass_and_a_small_bias_fails():
    rng = np.random.default_rng(1)
    chances = [two_samples(arrangements(rng, 300, 8), arrangements(rng, 300, 8)).chance for _ in range(300)]
    assert 0.4 < np.mean(chances) < 0.6
    assert 0.02 < np.mean(np.array(chances) < 0.05) < 0.09
    assert min(chances) > 1e-4
    assert two_samples(arrangements(rng, 3000, 8), arrangements(rng, 3000, 8, 0.1)).chance < 1e-9


def test_counts_against_expected_ones():
    assert one_sample(np.array([480.0, 520.0]), np.array([500.0, 500.0])).chance > 0.1
    assert one_sample(np.array([400.0, 600.0]), np.array([500.0, 500.0])).chance < 1e-7


def test_random_settings_of_all_options_are_among_the_rules():
    tried, again = Study(KOIKOI, 1).many_rules, Study(KOIKOI, 1).many_rules
    presets = list(KOIKOI.rulebook.presets)
    assert [str(rules) for rules in tried[: len(presets)]] == presets
    assert len(tried) > len(Study(KOIKOI, 1).rules) > len(presets)
    assert all(len(rules.changed) > 3 for rules in tried[len(presets) :])
    assert [str(rules) for rules in tried] == [str(rules) for rules in again]


def test_a_story_that_tells_what_is_passed_is_caught(tmp_path):
    def story(before, after, action, reader):
        return [TRICKS.words.action_name(before, action, reader.lang)]

    telling = dataclasses.replace(TRICKS.words, story=story)
    game = broken(TRICKS, tmp_path, "telling-story", words=telling)
    assert failing(game, secrecy.stories_keep_secrets) == {secrecy.stories_keep_secrets}
    assert failing(TRICKS, secrecy.stories_keep_secrets) == set()
