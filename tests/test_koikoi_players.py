"""The players of Koi-Koi: how strong they are, the koi-koi decision, the paper's 36 features, the network's inputs."""

import math
import random
from dataclasses import dataclass

import numpy as np
import pytest

from tefuda.arena.match import match
from tefuda.engine.linear import add_log_gradient, softmax
from tefuda.errors import Problem
from tefuda.files import policy
from tefuda.games.koikoi import GAME, cards, rules
from tefuda.games.koikoi.cards import cards_of, mask_of
from tefuda.games.koikoi.players import decision, linear, network, rule_based
from tefuda.games.koikoi.yaku import yaku_points
from tefuda.kernel.random import CHECK, stream
from tefuda.players.resolve import resolve
from tefuda.table.table import Table, View

KINDS = len(linear.ACTION_FEATURES)
HIGH, EARLY, OTHER_HIGH, OTHER_EARLY = range(4)
BOTH, OWN, OTHERS, NEITHER = range(4)  # situations


def generator(seed: int) -> np.ndarray:
    return np.array([stream(seed, 0, 0, CHECK)], np.uint64)


def scratch() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A mask, worlds and numbers, as policies want them."""
    return np.zeros(1, np.uint64), np.zeros(GAME.worlds, GAME.State), np.zeros(GAME.numbers)


def tables(players: list[str], deals: int, seed: int, preset: str = "paper", changes=()):
    """Tables before every decision of some games."""
    entrants = [resolve(GAME, name) for name in players]
    chosen = GAME.rulebook.make(preset, list(changes))
    for deal in range(deals):
        table = Table(GAME, chosen, seed, deal)
        while not table.over:
            yield table
            table.apply(table.ask(entrants[table.to_move]))


# --- strength ---


def test_rule_based_makes_against_random_what_the_paper_says():
    """2.52 points in the paper, over 1,000 games; ours lies between 2.3 and 2.8."""
    figure = match(GAME, ["rule-based", "random"], 6000, seed=1001).rows[0].figure
    assert 2.3 < figure.mean < 2.8
    assert figure.high - figure.low < 0.2


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
    kind = GAME.players.policies[entrant.kind]
    assert len(entrant.params) == decision.HEADER + kind.weights
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
        if table.states[0].phase == rules.CALL:
            assert table.legal == [rules.AGARI, rules.KOIKOI]
            assert table.ask(stop) == rules.AGARI
            assert table.ask(go) == rules.KOIKOI
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
        if table.states[0].phase == rules.CALL:
            assert table.legal == [rules.AGARI] == [table.ask(go)]
            shown += 1
    assert shown > 3


def playouts_through_guesses(view: View, games: int, chooser: random.Random) -> np.ndarray:
    """What the round brings by section 5.2: koi-koi, then random cards and agari at every chance, in guessed worlds."""
    gains = []
    for _ in range(games):
        world = view.guess(chooser)
        finished, before = int(world.states[0].finished), world.scores[view.seat]
        world.apply(rules.KOIKOI)
        while not world.over and world.states[0].finished == finished:
            world.apply(rules.AGARI if world.states[0].phase == rules.CALL else chooser.choice(world.legal))
        gains.append(world.scores[view.seat] - before)
    return np.array(gains)


@pytest.mark.parametrize("preset", ["paper", "bonus"])
def test_the_monte_carlo_value_agrees_with_playouts_through_guesses(preset):
    changes = [] if preset == "paper" else ["rounds=3"]
    chooser = random.Random(3001)
    mask, worlds, numbers = scratch()
    tested, decided, later = 0, set(), 0
    for table in tables(["rule-based/always-koikoi", "random/always-koikoi"], 60, 3002, preset, changes):
        if table.states[0].phase != rules.CALL or tested >= 24:
            continue
        view = table.view()
        expected = playouts_through_guesses(view, 150, chooser)
        value = decision.value_of_koikoi(view.state[0], view.seat, 20_000, generator(tested), mask, worlds, numbers)
        error = math.hypot(expected.std(ddof=1) / math.sqrt(150), expected.std(ddof=1) / math.sqrt(20_000))
        assert abs(value - expected.mean()) < 4.5 * error, (tested, value, expected.mean(), error)
        stop = decision.value_of_stopping(view.state[0], view.seat)
        taken = table.copy()
        finished = int(taken.states[0].finished)
        taken.apply(rules.AGARI)
        assert taken.scores[view.seat] - table.scores[view.seat] == stop
        if abs(value - stop) > 1.5:  # with 1000 playouts there is no doubt about it
            action = table.ask(resolve(GAME, "random/monte-carlo:1000"))
            assert action == (rules.KOIKOI if value > stop else rules.AGARI)
            decided.add(action)
        later += finished > 0
        tested += 1
    assert tested == 24
    assert decided == {rules.AGARI, rules.KOIKOI}
    assert preset == "paper" or later > 5


# --- the 36 features: hand-made positions ---


@dataclass
class Row:
    """A candidate of the policy: its action, and the features that are 1."""

    action: int
    features: set[int]


def position(hand, field, own=(), other=(), seat: int = 0, phase: int = rules.HAND, card: int = -1) -> np.ndarray:
    """A table as a seat sees it, with given cards; cards of nobody are unseen."""
    states = GAME.blank(GAME.rulebook.make("paper"))
    state = states[0]
    state.hand[seat] = mask_of(*hand)
    state.pile[seat], state.pile[1 - seat] = mask_of(*own), mask_of(*other)
    state.field = mask_of(*field)
    state.phase, state.seat, state.card, state.dealer = phase, seat, card, 0
    state.cards[:] = len(hand)
    state.next = 24
    state.deck[:] = rules.UNKNOWN
    for owner in (0, 1):
        state.points[owner] = yaku_points(state.pile[owner], 0, state.rules)
    seen = [*hand, *field, *own, *other, *([card] if card >= 0 else [])]
    assert len(set(seen)) == len(seen)
    return states


def rows_of(states, seat: int = 0) -> list[Row]:
    numbers = np.full(GAME.numbers, np.nan)
    rows = linear.candidates(states[0], seat, numbers)
    table = numbers[: rows * linear.STRIDE].reshape(rows, linear.STRIDE)
    assert set(np.unique(table[:, 1:])) <= {0.0, 1.0}
    return [Row(int(row[0]), set(np.flatnonzero(row[1:]).tolist())) for row in table]


def by_action(states, seat: int = 0) -> dict[int, set[int]]:
    rows = rows_of(states, seat)
    assert len({row.action for row in rows}) == len(rows)
    return {row.action: row.features for row in rows}


def feature(situation: int, kind: int) -> int:
    return KINDS * situation + kind


def test_there_are_36_features_with_names():
    """Four situations times the four and five features of the paper's list (its text says 32, then 36)."""
    assert linear.FEATURES == 4 * 9 == 36 == len(GAME.learning.linear.names)
    assert len(set(GAME.learning.linear.names)) == 36
    assert (
        GAME.learning.linear.names[feature(OWN, HIGH)]
        == f"{linear.ACTION_FEATURES[HIGH]}, while {linear.SITUATIONS[OWN]}"
    )


def test_a_capture_that_completes_akatan():
    """Pine and plum poems captured, the cherry poem on the field: nothing pays more, and nothing finishes sooner."""
    found = by_action(position(hand=[10, 14, 20], field=[9, 15], own=[1, 2, 5, 6]))
    assert {feature(OWN, HIGH), feature(OWN, EARLY)} <= found[10]
    assert not {feature(OWN, HIGH), feature(OWN, EARLY)} & found[14]
    assert found[20] == {feature(OWN, 8)}  # a peony given away: four are left, one in the hand


def test_a_capture_that_takes_from_the_other_what_it_needs():
    """The other has two blue ribbons; the third lies on the field, where any maple takes it."""
    found = by_action(position(hand=[38, 45], field=[37, 44], other=[21, 22, 33, 34]))
    assert found[38] == {feature(OTHERS, OTHER_HIGH), feature(OTHERS, OTHER_EARLY)}
    assert found[45] == {feature(OTHERS, HIGH), feature(OTHERS, EARLY)}  # the phoenix, for oneself


def test_high_score_and_early_finish_are_two_things():
    """A first bright is worth most in the end; a second red poem brings a yaku nearer."""
    found = by_action(position(hand=[6, 45], field=[5, 44], own=[1, 2]))
    assert {feature(NEITHER, HIGH), feature(NEITHER, EARLY)} & found[45] == {feature(NEITHER, HIGH)}
    assert {feature(NEITHER, HIGH), feature(NEITHER, EARLY)} & found[6] == {feature(NEITHER, EARLY)}


def test_equal_captures_share_a_feature():
    found = by_action(position(hand=[2, 6], field=[3, 7]))
    assert found[2] == found[6] == {feature(NEITHER, kind) for kind in (HIGH, EARLY, OTHER_HIGH, OTHER_EARLY)}


@pytest.mark.parametrize(
    ("situation", "own", "other", "field"),
    [
        (BOTH, [1, 2, 5, 6], [21, 22, 33, 34], [9, 37]),
        (OWN, [1, 2, 5, 6], [], [9, 37]),
        (OTHERS, [], [21, 22, 33, 34], [9, 37]),
        (NEITHER, [], [], [9, 37]),
        (NEITHER, [1, 2, 5, 6], [21, 22, 33, 34], [45]),  # no cherry and no maple to be had
    ],
)
def test_the_four_situations(situation, own, other, field):
    for seat in (0, 1):
        for row in rows_of(position(hand=[10, 38, 14, 24], field=field, own=own, other=other, seat=seat), seat):
            assert row.features
            assert {index // KINDS for index in row.features} == {situation}


def test_what_oneself_holds_the_other_cannot_finish_with():
    """The other needs a maple to take the deer's ribbon, and all maples are in one's own hand or piles."""
    held = position(hand=[36, 38, 39], field=[37], other=[21, 22, 33, 34])
    assert {index // KINDS for row in rows_of(held) for index in row.features} == {NEITHER}
    one_out = position(hand=[36, 38], field=[37], other=[21, 22, 33, 34])
    assert {index // KINDS for row in rows_of(one_out) for index in row.features} == {OTHERS}


def test_points_already_counted_are_no_finish():
    """After koi-koi with akatan, only a rise counts: a chaff more is none."""
    states = position(hand=[2], field=[3], own=[1, 5, 9, 10])
    assert {index // KINDS for row in rows_of(states) for index in row.features} == {NEITHER}
    states[0].points[0] = 0
    assert {index // KINDS for row in rows_of(states) for index in row.features} == {OWN}


@pytest.mark.parametrize(
    ("kind", "given", "hand", "other"),
    [
        (4, 14, [14, 15], [12, 13]),  # two left, oneself holds both
        (5, 14, [13, 14, 15], []),  # four left, oneself holds three
        (6, 14, [14], [12, 13]),  # two left, oneself holds one
        (7, 14, [14, 15], []),  # four left, oneself holds two
        (8, 14, [14], []),  # four left, oneself holds one
    ],
)
def test_the_five_features_of_giving_a_card(kind, given, hand, other):
    for swapped in (False, True):  # captured by either is no longer in the game
        piles = {"own": other} if swapped else {"other": other}
        found = by_action(position(hand=[*hand, 24], field=[45], **piles))
        assert found[given] == {feature(NEITHER, kind)}
        assert found[24] == {feature(NEITHER, 8)}


def test_giving_one_of_four_in_hand_has_no_feature():
    found = by_action(position(hand=[12, 13, 14, 15, 24], field=[45]))
    assert all(found[card] == set() for card in (12, 13, 14, 15))


def test_giving_and_taking_exclude_each_other():
    found = by_action(position(hand=[10, 14], field=[9, 45]))
    assert all(index % KINDS < 4 for index in found[10])
    assert all(index % KINDS >= 4 for index in found[14])


# --- the 36 features: written down again in plain Python, beside the kernel on many positions ---


def plainly_near(pile: set, other: set, yaku, needed: int) -> int:
    yaku = set(cards_of(yaku))
    missing = needed - len(pile & yaku)
    if missing <= 0:
        return 4096
    return 4096 // 2**missing if len(yaku - other) >= needed else 0


def plainly_early(pile: set, other: set) -> int:
    dry = cards.BRIGHTS & ~mask_of(cards.RAIN_MAN)
    yaku = [(dry, 3), (cards.RED_POEMS, 3), (cards.BLUE_RIBBONS, 3), (cards.BOAR_DEER_BUTTERFLIES, 3),
            (cards.ANIMALS, 5), (cards.RIBBONS, 5), (cards.CHAFF, 10)]  # fmt: skip
    return sum(plainly_near(pile, other, *each) for each in yaku)


def plain_rows(view: View) -> list[tuple[int, frozenset]]:
    """The candidates and their features by the README of the game, with sets instead of bits."""
    state, seat = view.state[0], view.seat
    hand, field = set(cards_of(state.hand[seat])), set(cards_of(state.field))
    piles = [set(cards_of(pile)) for pile in state.pile]
    own, other = piles[seat], piles[1 - seat]
    waiting = {int(state.card)} if state.card >= 0 else set()
    unseen = set(range(48)) - hand - field - own - other - waiting

    def fitting(card):
        same = {each for each in field if each // 4 == card // 4}
        return [{each} for each in sorted(same)] if len(same) == 2 else [same] if same else []

    def points(pile, owner):
        return yaku_points(mask_of(*pile), int(state.calls[owner]), state.rules)

    def can_finish(owner, sources):
        captures = [{card} | taken for card in sources for taken in fitting(card)]
        return any(points(piles[owner] | capture, owner) > state.points[owner] for capture in captures)

    situation = [[NEITHER, OTHERS], [OWN, BOTH]][can_finish(seat, hand | waiting)][can_finish(1 - seat, unseen)]
    actions = []
    for card in sorted(hand if state.phase == rules.HAND else waiting):
        for taken in fitting(card) or [set()]:
            actions.append((card if state.phase == rules.HAND else min(taken), card, taken))

    def measure(which, card, taken):
        owner = seat if which < 2 else 1 - seat
        mine, theirs = piles[owner], piles[1 - owner]
        gained = {card} | taken
        if which % 2:
            return plainly_early(mine | gained, theirs) - plainly_early(mine, theirs)
        worth = rule_based.worth(mask_of(*gained), mask_of(*mine), mask_of(*theirs))
        return 4096 * (points(mine | gained, owner) - points(mine, owner)) + worth

    captures = [(card, taken) for _, card, taken in actions if taken]
    best = [max((measure(which, *capture) for capture in captures), default=0) for which in range(4)]
    rows = []
    for action, card, taken in actions:
        if taken:
            kinds = [which for which in range(4) if measure(which, card, taken) == best[which]]
        else:
            month = {each for each in range(48) if each // 4 == card // 4}
            left, held = len(month - own - other), len(month & (hand | waiting))
            kinds = [{(2, 2): 4, (4, 3): 5, (2, 1): 6, (4, 2): 7, (4, 1): 8}[left, held]]
        rows.append((action, frozenset(KINDS * situation + kind for kind in kinds)))
    return rows


def test_features_agree_with_the_plain_definition():
    """For a card of the hand and for the drawn card; the second step of a pair is tested below."""
    compared, seen = 0, set()
    for table in tables(["random/always-koikoi", "rule-based/always-koikoi"], 40, 4001):
        if table.states[0].phase == rules.CALL:
            assert linear.candidates(table.view().state[0], table.to_move, np.zeros(GAME.numbers)) == 0
            continue
        if table.states[0].phase == rules.MATCH:
            continue
        view = table.view()
        found = [(row.action, frozenset(row.features)) for row in rows_of(view.state, view.seat)]
        assert sorted(found, key=repr) == sorted(plain_rows(view), key=repr)
        seen.update(*(features for _, features in found))
        compared += 1
    assert compared > 500
    assert len(seen) >= 32  # nearly all of the 36 occur


# --- the softmax over pairs ---


def pairs_of(view: View) -> list[tuple[int, int]]:
    """The pairs of played card and taken field card, in the order of the candidates; -1 where nothing is chosen."""
    state = view.state[0]
    result = []
    for card in cards_of(state.hand[view.seat]):
        fitting = [each for each in cards_of(state.field) if each // 4 == card // 4]
        result += [(card, each) for each in fitting] if len(fitting) == 2 else [(card, -1)]
    return result


def probabilities(states, seat: int, weights) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Actions, features and probabilities of the candidates."""
    numbers = np.zeros(GAME.numbers)
    rows = linear.candidates(states[0], seat, numbers)
    softmax(numbers, rows, linear.ROWS, linear.FEATURES, weights)
    table = numbers[: rows * linear.STRIDE].reshape(rows, linear.STRIDE)
    start = linear.ROWS * linear.STRIDE
    return table[:, 0].astype(int), table[:, 1:], numbers[start : start + rows].copy()


WEIGHTS = np.random.default_rng(5001).normal(0, 1.5, linear.FEATURES)


def test_probabilities_are_the_softmax_and_add_up_to_one():
    for table in tables(["random/always-stop", "random/always-stop"], 10, 5002):
        if table.states[0].phase == rules.CALL:
            continue
        view = table.view()
        _, features, chances = probabilities(view.state, view.seat, WEIGHTS)
        exponentials = np.exp(features @ WEIGHTS)
        assert chances == pytest.approx(exponentials / exponentials.sum())
        assert chances.sum() == pytest.approx(1)
        extreme = probabilities(view.state, view.seat, 1000 * WEIGHTS)[2]
        assert np.isfinite(extreme).all()
        assert extreme.sum() == pytest.approx(1)


def first_table_with_a_choice(seed: int, at_least: int) -> Table:
    """A table where some cards of the hand fit two field cards."""
    for table in tables(["random/always-stop", "random/always-stop"], 50, seed):
        if table.states[0].phase == rules.HAND:
            pairs = pairs_of(table.view())
            if sum(taken >= 0 for _, taken in pairs) >= at_least and len({card for card, _ in pairs}) >= 5:
                return table
    raise AssertionError("no such table")


def test_a_card_is_played_as_often_as_its_pairs_together():
    table = first_table_with_a_choice(5003, 4)
    view = table.view()
    actions, _, chances = probabilities(view.state, view.seat, WEIGHTS)
    assert actions.tolist() == [card for card, _ in pairs_of(view)]
    expected = np.bincount(actions, chances, 48)
    mask, worlds, numbers = scratch()
    rng, draws = generator(5004), 20_000
    taken = [linear.play(view.state[0], view.seat, WEIGHTS, rng, mask, worlds, numbers) for _ in range(draws)]
    observed = np.bincount(taken, minlength=48)
    possible = expected > 0
    assert not observed[~possible].any()
    chi_square = ((observed - draws * expected)[possible] ** 2 / (draws * expected[possible])).sum()
    assert chi_square < possible.sum() + 5 * math.sqrt(2 * possible.sum())


def choices_after_a_card(deals: int, seed: int):
    """(view before the card, card, view at its choice) for every card of a hand that fits two field cards."""
    for table in tables(["random/always-koikoi", "rule-based/always-koikoi"], deals, seed):
        if table.states[0].phase == rules.HAND:
            view = table.view()
            for card in {card for card, taken in pairs_of(view) if taken >= 0}:
                after = table.copy()
                after.apply(card)
                assert after.states[0].phase == rules.MATCH
                yield view, card, after.view()


def test_the_choice_of_a_field_card_is_drawn_from_the_same_softmax_over_pairs():
    """P(field card | card) = P(pair) / P(card): the two steps draw from one joint softmax, as the README says."""
    compared, wrong = 0, []
    for before, card, at_choice in choices_after_a_card(30, 5005):
        actions, _, chances = probabilities(before.state, before.seat, WEIGHTS)
        pairs = pairs_of(before)
        joint = {taken: chance for (played, taken), chance in zip(pairs, chances, strict=True) if played == card}
        share = chances[actions == card].sum()
        fields, _, conditional = probabilities(at_choice.state, at_choice.seat, WEIGHTS)
        assert sorted(fields.tolist()) == sorted(joint)
        compared += 1
        for field, chance in zip(fields.tolist(), conditional, strict=True):
            if chance != pytest.approx(joint[field] / share):
                wrong.append((card, field, chance, joint[field] / share))
    assert compared > 50
    assert not wrong, f"{len(wrong)} of {2 * compared}: (card, field card, P in the second step, P by pairs) {wrong[0]}"


def test_the_gradients_of_both_steps_add_up_to_that_of_the_pair():
    """∇ log P(card) + ∇ log P(field card | card) = ∇ log P(pair): the pair's features minus the mean of all pairs."""
    compared = 0
    for before, card, at_choice in choices_after_a_card(10, 5006):
        _, features, chances = probabilities(before.state, before.seat, WEIGHTS)
        for row, (played, taken) in enumerate(pairs_of(before)):
            if played == card:
                gradient = log_gradient(before, card) + log_gradient(at_choice, taken)
                assert gradient == pytest.approx(features[row] - chances @ features, abs=1e-9), (card, taken)
                compared += 1
    assert compared > 60


def log_gradient(view: View, action: int) -> np.ndarray:
    numbers, gradient = np.zeros(GAME.numbers), np.zeros(linear.FEATURES)
    rows = linear.candidates(view.state[0], view.seat, numbers)
    softmax(numbers, rows, linear.ROWS, linear.FEATURES, WEIGHTS)
    add_log_gradient(numbers, rows, linear.ROWS, linear.FEATURES, action, gradient)
    return gradient


# --- the network ---


def inputs_of(states, seat: int, action: int) -> list[int]:
    active = np.full(network.ACTIVE, -1, np.int64)
    total = network.write_inputs(states[0], seat, action, active)
    assert (active[total:] == -1).all()
    return active[:total].tolist()


def places_of(inputs: list[int]) -> dict[str, set[int]]:
    """Which cards are where, and the months passed over, from the inputs that are 1."""
    found = {place: {each % 48 for each in inputs if each < 240 and each // 48 == index}
             for index, place in enumerate(network.PLACES)}  # fmt: skip
    found["passed over"] = {each - 240 for each in inputs if each >= 240}
    return found


def expected_places(own, captured, others, field, passed=()) -> dict[str, set[int]]:
    seen = {*own, *captured, *others, *field}
    assert len(seen) == len(own) + len(captured) + len(others) + len(field)
    return {
        "in the own hand": set(own), "captured by oneself": set(captured), "captured by the other": set(others),
        "on the field": set(field), "unseen": set(range(48)) - seen, "passed over": set(passed),
    }  # fmt: skip


def test_the_inputs_have_names():
    assert network.INPUTS == 252 == len(network.NAMES) == len(set(network.NAMES))
    assert network.NAMES[0] == "pine crane in the own hand"
    assert network.NAMES[48 + 9] == "cherry red poem ribbon captured by oneself"
    assert network.NAMES[240 + 11] == "paulownia passed over by the other"


def test_the_after_state_of_a_capture():
    states = position(hand=[10, 14], field=[9, 12, 15], own=[1, 2], other=[21, 22])
    states[0].passed[1] = mask_of(0, 8)  # the other left pine and cherry
    states[0].passed[0] = mask_of(44)  # what oneself left is no input
    expected = expected_places([14], [1, 2, 9, 10], [21, 22], [12, 15], passed=[0, 2])
    assert places_of(inputs_of(states, 0, 10)) == expected


def test_the_after_state_of_a_gift():
    states = position(hand=[10, 14], field=[0, 12], other=[21, 22])
    assert places_of(inputs_of(states, 0, 10)) == expected_places([14], [], [21, 22], [0, 12, 10])


def test_the_after_state_of_a_capture_of_three():
    states = position(hand=[10, 14], field=[8, 9, 11, 40], seat=1)
    assert places_of(inputs_of(states, 1, 10)) == expected_places([14], [8, 9, 10, 11], [], [40])


def test_a_card_that_fits_two_has_no_after_state_before_the_choice():
    states = position(hand=[10, 14], field=[8, 9, 40])
    assert inputs_of(states, 0, 10) == []
    chosen = position(hand=[14], field=[8, 9, 40], phase=rules.MATCH, card=10)
    assert places_of(inputs_of(chosen, 0, 8)) == expected_places([14], [8, 10], [], [9, 40])
    assert places_of(inputs_of(chosen, 0, 9)) == expected_places([14], [9, 10], [], [8, 40])


def test_the_after_state_of_a_drawn_card():
    states = position(hand=[14, 20], field=[8, 9, 40], own=[0, 1], phase=rules.DRAWN, card=11)
    assert places_of(inputs_of(states, 0, 8)) == expected_places([14, 20], [0, 1, 8, 11], [], [9, 40])


def test_agari_or_koikoi_makes_no_after_state():
    states = position(hand=[14], field=[8], own=[1, 5, 9], phase=rules.CALL)
    assert inputs_of(states, 0, rules.AGARI) == []


def test_after_states_are_those_of_the_table_before_the_deck_changes_it():
    """The own hand after the action, the piles and the field before anything is drawn; each card in one place."""
    compared, months = 0, 0
    for table in tables(["random/always-koikoi", "random/always-koikoi"], 12, 6001):
        state, view = table.states[0], table.view()
        seat = view.seat
        if state.phase == rules.CALL:
            continue
        for action in table.legal:
            inputs = inputs_of(view.state, seat, action)
            fitting = [each for each in cards_of(state.field) if each // 4 == action // 4]
            if state.phase == rules.HAND and len(fitting) == 2:
                assert inputs == []
                continue
            card = action if state.phase == rules.HAND else int(state.card)
            taken = fitting if state.phase == rules.HAND else [action]
            field = set(cards_of(state.field)) - set(taken) | (set() if taken else {card})
            captured = set(cards_of(state.pile[seat])) | (set(taken) | {card} if taken else set())
            passed = {each // 4 for each in cards_of(state.passed[1 - seat])}
            own = set(cards_of(state.hand[seat])) - {card}
            expected = expected_places(own, captured, cards_of(state.pile[1 - seat]), field, passed)
            assert places_of(inputs) == expected
            assert sorted(each % 48 for each in inputs[:48]) == list(range(48))
            assert len(inputs) == 48 + len(passed)
            months += len(passed)
            compared += 1
    assert compared > 300
    assert months > 100


def test_months_passed_over_are_those_on_the_field_when_the_other_took_nothing():
    """Written down again from the history of a game: only a card of the hand that takes nothing counts."""
    checked = 0
    for deal in range(6):
        table = Table(GAME, None, 6002, deal)
        passed = [set(), set()]
        chooser = random.Random(deal)
        while not table.over:
            state, seat = table.states[0], table.to_move
            assert [{each // 4 for each in cards_of(mask)} for mask in state.passed] == passed
            action = chooser.choice(table.legal)
            months = {each // 4 for each in cards_of(state.field)}
            if state.phase == rules.HAND and action // 4 not in months:
                passed[seat] |= months
                checked += 1
            table.apply(action)
    assert checked > 15


def test_stages_tell_turns_and_drawn_cards_apart():
    seen = set()
    for table in tables(["random/always-koikoi", "random/always-koikoi"], 12, 6003):
        state = table.states[0]
        stage = network.stage(table.view().state[0])
        first = {rules.HAND: 1, rules.MATCH: 1, rules.DRAWN: 17}.get(int(state.phase))
        assert stage == (-1 if first is None else state.turn + first)
        seen.add(stage)
    assert seen >= set(range(1, 17))
    assert max(seen) <= GAME.learning.after_states.stages == 32


def values_by_numpy(weights: np.ndarray, inputs: list[list[int]]) -> np.ndarray:
    """The 252-200-1 network, written down again with matrices."""
    ones = np.zeros((len(inputs), 252))
    for row, active in enumerate(inputs):
        ones[row, active] = 1
    to_hidden = weights[: 252 * 200].reshape(252, 200)
    hidden = 1 / (1 + np.exp(-(ones @ to_hidden + weights[252 * 200 : 253 * 200])))
    return hidden @ weights[253 * 200 : 254 * 200] + weights[-1]


def test_ann_value_plays_the_action_of_the_highest_value():
    """Every pair of a card and what it takes is valued; the two steps of a pair agree."""
    entrant = resolve(GAME, "ann-value/always-koikoi")
    _, weights = policy.load_for(GAME, next(each.file for each in GAME.players.named if each.name == "ann-value"))
    compared = choices = 0
    for table in tables(["ann-value/always-koikoi", "random/always-koikoi"], 12, 6004):
        state, view = table.states[0], table.view()
        if state.phase == rules.CALL:
            continue
        options = []  # (action of this step, inputs)
        for action in table.legal:
            inputs = inputs_of(view.state, view.seat, action)
            if inputs:
                options.append((action, inputs))
                continue
            after = table.copy()
            after.apply(action)
            for field in after.legal:
                options.append((action, inputs_of(after.view().state, view.seat, field)))
                choices += 1
        values = values_by_numpy(weights, [inputs for _, inputs in options])
        played = table.ask(entrant)
        of_played = [value for (action, _), value in zip(options, values, strict=True) if action == played]
        assert max(of_played) == pytest.approx(values.max(), abs=1e-9)
        compared += 1
    assert compared > 150
    assert choices > 30
