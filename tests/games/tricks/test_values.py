"""The features of cards against the paper's description in sets and sorted lists; choices against their sums."""

import contextlib
import math
import random
from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tefuda.conformance.chance import SURE, one_sample
from tefuda.errors import Problem
from tefuda.files import policy
from tefuda.games.tricks import GAME, values
from tefuda.games.tricks.cards import CARDS, SPADES, card_of, cards_of, mask_of
from tefuda.games.tricks.state import PASS, PLAY
from tefuda.kernel.compile import COMPILED
from tefuda.kernel.random import CHECK, DEAL, stream
from tefuda.players.entrant import Entrant
from tefuda.table.table import Table, legal_actions

pytestmark = pytest.mark.kernel

VARIANTS = ("", "before")
GAMES = 40 if COMPILED else 2
DRAWS = 12_000 if COMPILED else 800
SIZES = {"plain": 8_503, "hearts": 24_415, "usual": 24_415}


def rng_of(number: int) -> np.ndarray:
    return np.array([stream(5, number, 0, CHECK)], np.uint64)


def dealt(preset: str, *changes: str, deal: int = 0) -> np.ndarray:
    states = GAME.blank(GAME.rulebook.make(preset, changes))
    GAME.kernels.deal(states[0], np.array([stream(5, deal, 0, DEAL)], np.uint64))
    return states


def viewed(states: np.ndarray) -> np.ndarray:
    view = states.copy()
    GAME.kernels.hide(view[0], int(view[0].seat))
    return view


def positions(preset: str, games: int, seed: int, *changes: str):
    """Every decision of some games by random cards: its view and its legal cards."""
    source = random.Random(seed)
    for deal in range(games):
        states = dealt(preset, *changes, deal=1000 * seed + deal)
        while GAME.kernels.to_move(states[0]) >= 0 and states[0].finished < 2:
            legal = legal_actions(GAME, states)
            yield viewed(states), legal
            GAME.kernels.apply(states[0], source.choice(legal))


def written(view: np.ndarray, params: np.ndarray, card: int) -> list[int]:
    """The features of a card; nothing is written beyond those."""
    active = np.full(values.MOST + 2, -7, np.int64)
    number = int(values.write(view[0], int(view[0].seat), params, card, active[: values.MOST]))
    assert set(active[number:].tolist()) <= {-7}
    return active[:number].tolist()


# ── the description in plain words ──


def meaning(kind: str, n: int, m: int, card: int | None) -> str:
    """n counts the other cards; by the reading `before` the same weight is of the n + 1 unplayed ones."""
    return f"{kind}, {m} strongest beside {n}" + ("" if card is None else f", card {card}")


KINDS = ("lead", "take as second", "take as third", "take as fourth")


def described(view: np.ndarray, variant: str, card: int) -> set[str]:
    """The names of a card's features, by sets of cards and by sorting."""
    state = view[0]
    seat, hearts = int(state.seat), int(state.rules.goal) == 1
    hand = set(cards_of(state.hand[seat]))
    played = {each for cards in state.played for each in cards_of(cards)}
    passing = int(state.phase) == 0
    if passing:
        hand -= set(cards_of(state.passed[seat]))
    trick = [int(state.trick[(int(state.lead) + place) % 4]) for place in range(int(state.laid))]

    def suit(cards: set[int], number: int) -> list[int]:
        """Strongest first."""
        return sorted((each for each in cards if each // 13 == number), reverse=True)

    found = set()
    deck = set(range(CARDS))
    same_suit = [each for each in trick if each // 13 == trick[0] // 13]
    strongest = not trick or (card // 13 == trick[0] // 13 and all(card > each for each in same_suit))
    if strongest and not passing:
        before = suit(deck - played, card // 13)
        others = suit(deck - played - hand, card // 13)
        if variant == "before" and len(before) < 13:
            found.add(meaning(KINDS[len(trick)], len(before) - 1, before.index(card) + 1, card if hearts else None))
        if not variant:
            n, m = len(others), sum(each > card for each in others) + 1
            found.add(meaning(KINDS[len(trick)], min(n, 11), min(m, 12), card if hearts else None))
    if not variant:
        hand = hand - {card}
        if not passing:
            played = played | {card}
    for number in range(4):
        unplayed = suit(deck - played, number)
        if variant == "before":
            places = [each in hand for each in unplayed]
            if any(places):
                digits = "".join("01"[held] for held in places)[::-1].lstrip("0")  # down to the weakest that one holds
                found.add(f"hand {digits[1:]}")  # its weight is that of the cards above it
        else:
            digits = "".join("01"[each in hand] for each in unplayed[:12])
            found.add(f"hand {digits[::-1]}")
    return found


# ── sizes and names ──


def test_sizes_and_names():
    """78 places to lead and three times as many to take, in Hearts for each card, and 8,191 patterns of a suit."""
    assert sum(range(1, 13)) == values.PLACES == 78
    assert 78 + 234 + 8_191 == 8_503 == values.TRICKS_SIZE == values.Q_TRICKS.weights
    assert 4_056 + 12_168 + 8_191 == 24_415 == values.HEARTS_SIZE == values.Q_HEARTS.weights
    for cards, size in ((False, 8_503), (True, 24_415)):
        names = values.names(cards)
        assert len(names) == len(set(names)) == size
        assert sum(name.startswith("lead") for name in names) == (4_056 if cards else 78)
        assert sum(name.startswith("take") for name in names) == (12_168 if cards else 234)
        assert sum(name.startswith("hand") for name in names) == 8_191
    assert values.Q_TRICKS.features != values.Q_HEARTS.features
    for found, each in zip(values.VALUES, (values.Q_TRICKS, values.Q_HEARTS), strict=True):
        assert (found.learner, found.policy, found.size, found.first) == ("q-linear", each.key, each.weights, 2)


NAMES = {False: values.names(False), True: values.names(True)}


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(
    ("preset", "changes"),
    [("plain", ()), ("plain", ("passing=across",)), ("hearts", ()), ("usual", ()), ("hearts-as-run", ())],
)
def test_write_agrees_with_the_description(preset, changes, variant):
    """At every decision of some games, for every legal card; also while cards are passed."""
    hearts = preset != "plain"
    params = values.parameters(variant, np.zeros(SIZES["hearts" if hearts else "plain"]))
    tried, kinds, most = 0, Counter(), 0
    for view, legal in positions(preset, max(1, GAMES // 6), 1, *changes):
        for card in legal:
            active = written(view, params, card)
            assert all(0 <= index < len(NAMES[hearts]) for index in active)
            names = [NAMES[hearts][index] for index in active]
            assert len(set(names)) == len(names) or len({name for name in names if "hand" not in name}) <= 1
            assert set(names) == described(view, variant, card)
            kinds.update(name.split(",")[0].split(" 0")[0].split(" 1")[0] for name in names)
            most = max(most, len(active))
            tried += 1
    assert tried > (1000 if COMPILED else 100)
    assert all(kinds[kind] > 0 for kind in KINDS)
    assert most == values.MOST


@pytest.mark.parametrize("variant", VARIANTS)
def test_suits_with_the_same_pattern_count_twice(variant):
    """The patterns mean the same for all suits: two suits alike are one feature, written twice."""
    params = values.parameters(variant, np.zeros(8_503))
    twice = 0
    for view, legal in positions("plain", 3, 2):
        active = written(view, params, legal[0])
        suits = {card // 13 for card in cards_of(view[0].hand[int(view[0].seat)])}
        assert sum(index >= 312 for index in active) == (len(suits) if variant == "before" else 4)
        twice += len(set(active)) < len(active)
    assert twice > 0


# ── which features there can be ──


def state_of(preset: str, hands: list[set[int]], played: list[set[int]], trick: list[int]) -> np.ndarray:
    """A table where seat 0 led and seat len(trick) decides."""
    states = dealt(preset)
    state = states[0]
    for seat in range(4):
        state.hand[seat], state.played[seat] = mask_of(*hands[seat]), mask_of(*played[seat])
        state.trick[seat] = trick[seat] if seat < len(trick) else -1
    state.lead, state.seat, state.laid = 0, len(trick), len(trick)
    state.number = (sum(map(len, played)) - len(trick)) // 4
    state.broken = 1
    return states


def place_in_play(preset: str, kind: int, n: int, m: int, suit: int, rank: int) -> list[int] | None:
    """The features of a card of a rank at a table where the others hold n of its suit and m - 1 of them are stronger.

    None where no table has that: too few cards are stronger or weaker, or, to take, none was led.
    """
    card = 13 * suit + rank
    stronger, weaker = list(range(card + 1, 13 * suit + 13)), list(range(13 * suit, card))
    if m - 1 > len(stronger) or n - m + 1 > len(weaker) - (kind > 0):
        return None
    unplayed = {card, *stronger[: m - 1], *weaker[len(weaker) - (n - m + 1) :]}
    gone = [each for each in range(13 * suit, 13 * suit + 13) if each not in unplayed]
    others = [each for each in range(CARDS) if each // 13 != suit]
    if kind > 0:
        trick = [gone.pop(0), *(others.pop() for _ in range(kind - 1))]  # the weakest led, discards upon it
    else:
        trick = []
    tricks = -(-len(gone) // 4)  # finished before
    old = gone + [others.pop() for _ in range(4 * tricks - len(gone))]
    played = [set(old[seat::4]) | set(trick[seat : seat + 1]) for seat in range(4)]
    hands: list[set[int]] = [set() for _ in range(4)]
    hands[kind].add(card)
    rest = [each for each in range(CARDS) if each not in old and each not in trick and each != card]
    rest.sort(key=lambda each: each // 13 == suit)  # dealt from the end: the suit goes to the others
    for seat in (*(each for each in range(4) if each != kind), kind):
        while len(hands[seat]) + len(played[seat]) < 13:
            hands[seat].add(rest.pop())
    states = state_of(preset, hands, played, trick)
    size = 8_503 if preset == "plain" else 24_415
    return written(viewed(states), values.parameters("", np.zeros(size)), card)


def test_every_place_of_plain_tricks_is_reached():
    """For each of the 312 features of a place there is a table that has it, and its index is that of its name."""
    seen = set()
    for kind, n in product(range(4), range(12)):
        for m in range(1, n + 2):
            active = place_in_play("plain", kind, n, m, suit=1, rank=13 - m)
            assert active is not None
            assert NAMES[False][active[0]] == meaning(KINDS[kind], n, m, None)
            seen.add(active[0])
    assert seen == set(range(312))


@pytest.mark.slow
def test_which_features_hearts_can_have():
    """A card of rank r has at most 12 - r stronger and r weaker ones, and to take, one of those was led.

    So 6,136 of the 16,224 features of a place can be had, and all others are dead weights.
    """
    reached, dead = set(), 0
    for kind, n, card in product(range(4), range(12), range(CARDS)):
        for m in range(1, n + 2):
            possible = m - 1 <= 12 - card % 13 and n - m + 1 <= card % 13 - (kind > 0)
            if not possible:
                dead += 1
                continue
            if not COMPILED and card not in (7, 33, 51):
                continue
            active = place_in_play("hearts", kind, n, m, card // 13, card % 13)
            assert active is not None
            assert NAMES[True][active[0]] == meaning(KINDS[kind], n, m, card)
            reached.add(active[0])
    # how many of the stronger and weaker cards are unplayed: to lead not all of both, to take not all the weaker ones
    lead = sum((13 - rank) * (rank + 1) - 1 for rank in range(13))
    take = sum((13 - rank) * rank for rank in range(13))
    assert 16_224 - dead == 4 * (lead + 3 * take) == 6_136
    assert len(reached) == 6_136 or not COMPILED
    seen = set()
    for view, legal in positions("hearts", GAMES, 3):
        for card in legal:
            seen.update(written(view, values.parameters("", np.zeros(24_415)), card))
    assert not COMPILED or {index for index in seen if index < 16_224} <= reached


def test_what_lies_beyond_the_tables_counts_in_their_last_rows():
    """All others' clubs, twelve of them, count as eleven; of an untouched suit the two is left out."""
    clubs = set(range(13))
    for card, m in ((12, 1), (5, 8), (1, 12), (0, 12)):
        hands = [{card, *range(13, 25)}, clubs - {card} | {25}, set(range(26, 39)), set(range(39, 52))]
        states = state_of("plain", hands, [set()] * 4, [])
        names = [NAMES[False][index] for index in written(states, values.parameters("", np.zeros(8_503)), card)]
        held = "".join("01"[each in hands[0]] for each in range(14, 26))  # diamonds but the two, the weakest first
        assert names == [meaning("lead", 11, m, None), f"hand {'0' * 12}", f"hand {held}", *[f"hand {'0' * 12}"] * 2]


@pytest.mark.slow
def test_every_pattern_of_a_suit_is_reached():
    """All 8,191: any set of the diamonds that are unplayed may be in a hand, from none of none to 12 of 12."""
    params = values.parameters("", np.zeros(8_503))
    seen = set()
    for number in range(13):
        gone = set(range(13, 26 - number))
        for pattern in range(0, 1 << number, 1 if COMPILED else 97):
            held = {25 - place for place in range(number) if pattern >> place & 1}
            states = dealt("plain")
            states[0].seat = states[0].lead = 0
            for seat in range(4):
                states[0].played[seat] = mask_of()
            states[0].played[1] = mask_of(*gone)
            states[0].hand[0] = mask_of(0, *held)
            names = [NAMES[False][index] for index in written(states, params, 0)]
            digits = f"{pattern:0{number}b}" if number else ""
            assert f"hand {digits}" in names
            seen.add(f"hand {digits}")
    assert not COMPILED or len(seen) == 8_191


# ── choices ──


def weights_of(preset: str, number: int, levels: int = 0) -> np.ndarray:
    """Random weights; with levels, few different ones, so that equals come up."""
    source = np.random.default_rng(number)
    size = SIZES.get(preset, 24_415)
    return source.integers(0, levels, size) / 4.0 if levels else source.normal(size=size)


def sums(view: np.ndarray, params: np.ndarray, legal: list[int]) -> dict[int, float]:
    return {card: sum(params[values.FIRST + index] for index in written(view, params, card)) for card in legal}


def chosen(view: np.ndarray, params: np.ndarray, legal: list[int], rng: np.ndarray) -> int:
    mask = np.array([mask_of(*legal)], np.uint64)
    numbers = np.full(CARDS + 2, 1e300)
    card = int(
        values.choose_by_value(view[0], int(view[0].seat), params, rng, mask, view, numbers[1 : CARDS + 1])
    )  # fmt: skip
    assert numbers[0] == numbers[-1] == 1e300
    return card


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("preset", ["plain", "hearts", "usual"])
def test_the_best_sum_is_chosen(preset, variant):
    params = values.parameters(variant, weights_of(preset, 1))
    for number, (view, legal) in enumerate(positions(preset, max(1, GAMES // 10), 4)):
        found = sums(view, params, legal)
        card = chosen(view, params, legal, rng_of(number))
        assert card in legal
        assert found[card] >= max(found.values()) - 1e-12


def given_away(equals: list[int], hearts: bool) -> set[int]:
    """The last rule of the paper's lists: the weakest of a suit, in Hearts the strongest, but first high spades."""
    if hearts:
        for letter in "QKA":
            if card_of(SPADES, letter) in equals:
                return {card_of(SPADES, letter)}
    by_suit = [[card for card in equals if card // 13 == suit] for suit in range(4)]
    return {(max if hearts else min)(cards) for cards in by_suit if cards}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(
    ("preset", "changes"), [("plain", ()), ("plain", ("passing=left",)), ("hearts", ()), ("usual", ())]
)
def test_equals_are_chosen_from_by_the_documented_rule(preset, changes, variant):
    """Weights that are quarters of whole numbers, so that sums are exact: any that leads, else what is given away.

    Nothing else is ever taken, and each of these is, sooner or later.
    """
    params = values.parameters(variant, weights_of(preset, 2, levels=3))
    tried = 0
    for number, (view, legal) in enumerate(positions(preset, max(1, GAMES // 20), 5, *changes)):
        found = sums(view, params, legal)
        equals = [card for card in legal if found[card] == max(found.values())]
        leads = view[0].phase == PLAY and view[0].laid == 0
        allowed = set(equals) if leads else given_away(equals, int(view[0].rules.goal) == 1)
        rng = rng_of(number)
        few = COMPILED and len(equals) < 5  # each is drawn at least once in four times
        taken = {chosen(view, params, legal, rng) for _ in range(100 if few and len(allowed) > 1 else 3)}
        assert taken <= allowed
        if few:
            assert taken == allowed
            tried += len(allowed) > 1
    assert tried > 5 or not COMPILED


def test_a_random_cards_suit_is_drawn_by_cards():
    """Three clubs and one diamond of equal value: a club is given away three times in four."""
    states = state_of(
        "plain",
        [{39, 40}, {1, 2, 3, 13}, {41, 42, 43, 44}, {45, 46, 47, 48}],
        [{38, *range(26, 36)}, set(range(4, 13)), set(range(14, 23)), {0, 23, 24, 25, 36, 37, 49, 50, 51}],
        [38],
    )
    params = values.parameters("", np.zeros(8_503))
    rng, counts = rng_of(1), Counter()
    for _ in range(DRAWS):
        counts[chosen(states, params, [1, 2, 3, 13], rng)] += 1
    assert set(counts) == {1, 13}
    assert abs(counts[1] / DRAWS - 0.75) < 5 * (0.1875 / DRAWS) ** 0.5


@pytest.mark.parametrize("preset", ["plain", "hearts"])
def test_a_temperature_draws_by_the_softmax(preset):
    """Frequencies against exp(sum / T) in NumPy, by chi-square."""
    temperature = 0.7
    params = values.parameters(f"softmax={temperature}", weights_of(preset, 3))
    tried = 0
    for number, (view, legal) in enumerate(positions(preset, 3, 6)):
        if len(legal) < 3 or number % 9:
            continue
        found = sums(view, params, legal)
        chances = np.exp((np.array([found[card] for card in legal]) - max(found.values())) / temperature)
        chances /= chances.sum()
        if chances.min() * DRAWS < 5:
            continue
        rng, counts = rng_of(number), Counter()
        draws = DRAWS // 4
        for _ in range(draws):
            counts[chosen(view, params, legal, rng)] += 1
        comparison = one_sample(np.array([counts[card] for card in legal]), draws * chances)
        assert comparison.chance > SURE
        tried += 1
    assert tried >= (3 if COMPILED else 1)


def test_temperatures_at_their_ends():
    """A tiny one takes the best, a huge one anything; very different sums do not overflow."""
    for view, legal in positions("plain", 1, 7):
        weights = 1000 * weights_of("plain", 4)
        found = sums(view, values.parameters("", weights), legal)
        best = max(found, key=lambda card: found[card])
        cold = values.parameters("softmax=1e-300", weights)
        for number in range(3):
            assert math.isclose(found[chosen(view, cold, legal, rng_of(number))], found[best], abs_tol=1e-9)
        hot = values.parameters("softmax=1e300", weights)
        if len(legal) == 2:
            assert {chosen(view, hot, legal, rng_of(number)) for number in range(60)} == set(legal)


@pytest.mark.parametrize("preset", ["plain", "hearts", "usual"])
def test_patterns_of_the_hand_matter_only_after_the_card(preset):
    """What all cards have in common decides nothing: weights of patterns change no choice by the reading `before`."""
    weights = weights_of(preset, 5)
    other = weights.copy()
    other[-values.HANDS :] = weights_of(preset, 6)[-values.HANDS :] * 10
    for variant in VARIANTS:
        differs = 0
        one, two = (values.parameters(variant, each) for each in (weights, other))
        for number, (view, legal) in enumerate(positions(preset, max(1, GAMES // 20), 8)):
            if preset == "usual" and view[0].phase == PASS:
                assert all(index >= 16_224 for index in written(view, one, legal[0]))
            differs += chosen(view, one, legal, rng_of(number)) != chosen(view, two, legal, rng_of(number))
        assert (differs > 10) == (variant != "before")


# ── variants ──


def test_variants_are_read_into_the_front():
    weights = np.arange(8_503)
    for variant, front in (
        ("", [0, 0]), ("before", [0, 1]), ("before+softmax=0.5", [0.5, 1]), ("softmax=0.1+softmax=0", [0, 0]),
        ("softmax=2", [2, 0]),
    ):  # fmt: skip
        params = values.parameters(variant, weights)
        assert params.dtype == np.float64
        assert params[:2].tolist() == front
        assert np.array_equal(params[2:], weights)


@pytest.mark.parametrize("variant", ["after", "others", "before=1", "before after", "Softmax=1", "=", "temperature=2"])
def test_unknown_variants_are_told(variant):
    with pytest.raises(Problem, match="it is before or softmax=TEMPERATURE") as caught:
        values.parameters(variant, np.zeros(8_503))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("value", ["", "-1", "cold", "nan", "inf", "-inf", "1e999"])
def test_wrong_temperatures_are_told(value):
    with pytest.raises(Problem, match=r"takes a temperature, as in softmax=0\.1") as caught:
        values.parameters(f"before+softmax={value}", np.zeros(8_503))
    assert "\n" not in str(caught.value)


@pytest.mark.slow
@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(st.text(alphabet="abefmorstx+=.0123456789-", max_size=14))
def test_any_variant_is_read_or_told(text):
    with contextlib.suppress(Problem):
        params = values.parameters(text, np.ones(4))
        assert len(params) == 6
        assert 0 <= params[0] < math.inf
        assert params[1] in (0.0, 1.0)


def test_a_file_for_other_features_is_refused(tmp_path):
    path = tmp_path / "q.npz"
    found = GAME.players.policies[GAME.players.index("q-tricks")]
    card = policy.PolicyCard("tricks", "q-tricks", "plain", "0" * 12, 1, "", {}, variant="before")
    policy.save(path, card, np.zeros(found.weights))
    with pytest.raises(Problem, match="other features"):
        policy.load_for(GAME, path)


# ── whole games ──


def test_a_whole_game_by_values_keeps_the_rules():
    """In every variant, for plain tricks, Hearts and a match: whoever chooses by values takes legal cards only."""
    for preset in ("plain", "hearts", "usual"):
        chosen_rules = GAME.rulebook.make(preset)
        key = "q-tricks" if preset == "plain" else "q-hearts"
        for variant in ("", "before+softmax=0.3")[: 2 if COMPILED else 1]:
            params = values.parameters(variant, weights_of(preset, 7))
            entrant = Entrant("q", GAME.players.policy(key), params)
            table = Table(GAME, chosen_rules, 1, 1)
            while not table.over and table.states[0].finished < 2:
                table.apply(table.ask(entrant))
            assert table.over or table.states[0].finished == 2
