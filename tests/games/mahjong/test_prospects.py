"""What networks are told of a hand's prospects, of danger and of the match, against the same said in plain words."""

from itertools import permutations
from math import comb

import numpy as np
import pytest

from tefuda.games.mahjong import GAME
from tefuda.games.mahjong.calls import other_two
from tefuda.games.mahjong.hiding import count_unseen
from tefuda.games.mahjong.players import danger, plans, rule_based
from tefuda.games.mahjong.shanten import pack, shanten, standard
from tefuda.games.mahjong.state import CLAIM, INDICATORS, dealer_of, left_in_wall, wind_of
from tefuda.games.mahjong.tiles import KINDS, dora_of, kinds_of
from tefuda.players.resolve import resolve
from tefuda.table.table import Table

PARAMS = rule_based.parameters("", np.zeros(0))
CHANCES, POINTS = plans.tables()[: -len(plans.POINTS)], plans.POINTS


def tables(preset: str, every: int, deals: int = 4, most: int = 60):
    """Some of the tables that players meet, each with who decides."""
    rules = GAME.rulebook.make(preset)
    player = resolve(GAME, "rule-based", rules)
    number = 0
    for deal in range(deals):
        table = Table(GAME, rules, 31, deal)
        while not table.over and number < most * every:
            number += 1
            if number % every == 0:
                yield table
            table.apply(table.ask(player))


def kind_of(face: int) -> int:
    return face if face < KINDS else 4 + 9 * (face - KINDS)


class Seen:
    """What a seat sees, as lists."""

    def __init__(self, state, seat: int) -> None:
        self.state, self.seat, self.melds = state, seat, int(state.meld_count[seat])
        unseen = np.zeros(KINDS)
        count_unseen(state, seat, unseen)
        self.unseen = unseen.astype(int).tolist()
        self.in_turn = bool(state.seat == seat and state.phase <= 1)
        self.hand = state.hand[seat].astype(int).tolist()
        self.reds = {suit for suit in range(3) if int(state.faces[seat]) >> (KINDS + suit) & 1}
        if self.in_turn and state.drawn >= 0:
            self.hand[kind_of(int(state.drawn))] += 1
            self.reds |= {int(state.drawn) - KINDS} - set(range(-KINDS, 0))
        shown = [kind_of(int(state.wall[INDICATORS + i])) for i in range(int(state.indicators))]
        self.dora = [int(dora_of(each)) for each in shown]

    def without(self, *kinds: int) -> list[int]:
        left = list(self.hand)
        for kind in kinds:
            left[kind] -= 1
        return left

    def useful(self, hand: list[int], melds: int) -> set[int]:
        """The kinds that bring a hand nearer to ready."""
        now = far(hand, melds)
        return {kind for kind in range(KINDS) if hand[kind] < 4 and far(plus(hand, kind), melds) < now}

    def tiles(self, kinds: set[int]) -> int:
        return sum(self.unseen[kind] for kind in kinds)


def plus(hand: list[int], kind: int) -> list[int]:
    return [held + (each == kind) for each, held in enumerate(hand)]


def far(hand: list[int], melds: int, of=shanten) -> int:
    return int(of(np.array(hand, np.int8), melds))


@pytest.mark.slow
@pytest.mark.kernel
def test_discards_tell_shanten_and_useful_tiles():
    met = set()
    for table in tables("hanchan", 7):
        seen, told = Seen(table.states[0], table.to_move), table.view(table.to_move).observation
        if not seen.in_turn or table.states[0].riichi[seen.seat]:
            assert not any(told[key].any() for key in ("keeps", "useful", "loses"))
            met.add("no discard to choose")
            continue
        held = [kind for kind in range(KINDS) if seen.hand[kind]]
        distance = {kind: far(seen.without(kind), seen.melds) for kind in held}
        least = min(distance.values())
        for kind in range(KINDS):
            keeps = distance.get(kind) == least
            assert told["keeps"][kind] == keeps
            tiles = seen.tiles(seen.useful(seen.without(kind), seen.melds)) if keeps else 0
            assert told["useful"][kind] == pytest.approx(tiles / 20)
        assert told["hand_useful"][0] == told["useful"].max()
        assert not any(told[key].any() for key in ("wanted", "calls"))
        met |= {("melds", seen.melds > 0), ("least", least)}
    assert {"no discard to choose", ("melds", True), ("melds", False), ("least", 0), ("least", 3)} <= met


def plan_worth(
    seen: Seen, hand: list[int], reds: set[int], plan: int, distance: int, called: int, closed: bool
) -> float:
    """The chance to win by a plan, times the points, as plans.py has both in tables."""
    state, seat = seen.state, seen.seat
    counting = {4, 5, 6, int(wind_of(state, seat)), int(state.kyoku) // 4}
    triplets = called + sum(hand[27 + place] >= 3 for place in counting)
    pairs = sum(hand[27 + place] == 2 for place in counting)
    kinds = set(kinds_of(plans.kinds_of_plan(plan)))
    melds = [int(meld) for meld in state.melds[seat] if meld]
    in_melds = [kind for meld in melds for kind in tiles_of_meld(meld)]
    dora = sum(hand[each] * (each in kinds) + in_melds.count(each) for each in seen.dora) + int(state.open_reds[seat])
    dora += sum(9 * suit + 4 in kinds for suit in reds)
    turns, extra = min(18, (int(left_in_wall(state)) + 3) // 4), 500 + 300 * int(state.honba) + 1000 * int(state.sticks)
    found = [0.0]
    for hidden in (False, True):
        if (plan == plans.READY and not hidden) or (hidden and not closed) or distance > 6:
            continue
        halves = int(plans.halves_of(plan, hidden, triplets, pairs)) + 2 * dora
        points = POINTS[min(halves, len(POINTS) - 1)] * (3 if seat == dealer_of(state) else 2) // 2 + extra
        row = max(0, distance) * 19 + turns + (0 if hidden else len(CHANCES) // 2)
        found.append(CHANCES[row] * points / 1024)
    return max(found)


def tiles_of_meld(meld: int) -> list[int]:
    kind, type_ = meld & 63, meld >> 6
    return [kind, kind + 1, kind + 2] if type_ == 1 else [kind] * (3 if type_ == 2 else 4)


@pytest.mark.slow
def test_discards_tell_what_the_best_plan_loses():
    met = set()
    for table in tables("hanchan", 9):
        state, seat = table.states[0], table.to_move
        seen, told = Seen(state, seat), table.view(seat).observation
        if not seen.in_turn or state.riichi[seat]:
            continue
        counting = plans.counting_honours(wind_of(state, seat), int(state.kyoku) // 4)
        possible, called, closed = plans.plans_of_melds(state.melds[seat], seen.melds, counting)
        unseen = np.array(seen.unseen, np.float64)

        def distance(hand, plan, counting=counting, called=called, melds=seen.melds, unseen=unseen):
            return int(plans.how_far(pack(np.array(hand, np.int8)), melds, plan, counting, called, unseen))

        followed = {plan: distance(seen.hand, plan) for plan in range(plans.PLANS) if int(possible) >> plan & 1}
        near = [0.5 ** max(0, followed[plan]) if followed.get(plan, 9) <= 5 else 0 for plan in range(plans.PLANS)]
        assert [each if each >= 0.5**5 else 0 for each in told["plans"].tolist()] == near
        nearest = min([8, *followed.values()])
        followed = {plan: at for plan, at in followed.items() if at <= min(5, nearest + 2)}
        worths = {}
        for kind in range(KINDS):
            if not seen.hand[kind]:
                continue
            left = seen.without(kind)
            reds = seen.reds - ({kind // 9} if kind < 27 and kind % 9 == 4 and seen.hand[kind] == 1 else set())
            reached = {plan: distance(left, plan) for plan in followed}
            each = {plan: plan_worth(seen, left, reds, plan, reached[plan], called, closed) for plan in followed}
            best = max(each, key=each.get, default=plans.READY)
            worth = each.get(best, 0.0)
            if told["keeps"][kind] and worth and best != plans.TRIPLETS:
                kinds = seen.useful(left, seen.melds) & set(kinds_of(plans.kinds_of_plan(best)))
                usual = int(plans.typical(reached[best]))
                tiles = min(seen.tiles(kinds), 2 * usual)
                worth *= (usual + 9 * tiles) / (10 * usual) if reached[best] <= 0 else 0.6 + 0.4 * tiles / usual
            worths[kind] = worth / 1000
            met.add(int(best))
        most = max(worths.values())
        assert told["hand_worth"][0] == pytest.approx(most, abs=0.002)
        for kind, worth in worths.items():
            lost = most - worth
            assert told["loses"][kind] == pytest.approx(lost / (lost + 0.1), abs=0.02)
    assert {int(plans.READY), int(plans.HONOUR), int(plans.SIMPLES)} <= met


@pytest.mark.slow
def test_calls_tell_what_they_leave():
    met = set()
    for table in tables("hand", 1, 30, 400):
        state, seat = table.states[0], table.to_move
        if state.phase != CLAIM:
            continue
        seen, told = Seen(state, seat), table.view(seat).observation
        rows, tile = told["calls"].reshape(5, 5), kind_of(int(state.tile))
        legal = set(table.legal)
        kinds = seen.useful(seen.hand, seen.melds)
        assert told["wanted"].tolist() == [seen.unseen[kind] / 4 if kind in kinds else 0 for kind in range(KINDS)]
        assert told["hand_useful"][0] == pytest.approx(seen.tiles(kinds) / 20)
        for form, row in enumerate(rows):
            actions = {39 + 2 * form, 40 + 2 * form} if form < 4 else {47}
            assert row[0] == bool(actions & legal)
            if not row[0]:
                assert not row.any()
                continue
            own = list(map(int, other_two(tile, form))) if form < 3 else [tile] * (form - 1)
            left = seen.without(*own)
            assert row[1] == far(seen.hand, seen.melds, standard) - far(left, seen.melds + 1)
            assert row[2] == pytest.approx(seen.tiles(seen.useful(left, seen.melds + 1)) / 20)
            assert row[4] == sum(seen.dora.count(kind) for kind in [tile, *own])
            met |= {("form", form), ("nearer", int(row[1]))}
    assert {("form", 0), ("form", 1), ("form", 2), ("form", 3), ("nearer", 0), ("nearer", 1)} <= met


def all_shapes(unseen: list[int]):
    """Everything that a ready hand may wait by: its weight, and what it waits for."""
    for kind, here in enumerate(unseen):
        yield danger.PAIRS * comb(here, 2), {kind}
        yield danger.SINGLE * here, {kind}
        place = kind % 9
        if kind < 27 and place < 8:
            waits = {each for each in (kind - 1, kind + 2) if 0 <= each - (kind - place) < 9}
            yield (danger.TWO_SIDED if len(waits) == 2 else danger.EDGE) * here * unseen[kind + 1], waits
        if kind < 27 and place < 7:
            yield danger.MIDDLE * here * unseen[kind + 2], {kind + 1}


@pytest.mark.slow
@pytest.mark.kernel
def test_danger_counts_the_shapes_that_no_safe_tile_rules_out():
    met = set()
    for table in tables("hanchan", 11):
        state, seat = table.states[0], table.to_move
        seen, told = Seen(state, seat), table.view(seat).observation
        costs = np.zeros(KINDS)
        danger.read_danger(state, seat, np.array(seen.unseen, np.float64), costs)
        for place in range(3):
            other = (seat + 1 + place) % 4
            safe = set(kinds_of(state.thrown[other] | state.missed[other]))
            weights = np.zeros(KINDS)
            for weight, waits in all_shapes(seen.unseen):
                if not waits & safe:
                    weights[sorted(waits)] += weight
            chances = np.minimum(weights * 1.8 / max(1, weights.sum()), 300 / 1024)
            assert told["danger"].reshape(3, KINDS)[place] == pytest.approx(10 * chances, abs=1e-4)
            assert told["threat"][place] == pytest.approx(danger.readiness(state, other) / 1024)
            met |= {("riichi", bool(state.riichi[other])), ("safe", len(safe) > 4)}
        assert told["cost"] == pytest.approx(costs / 1000, abs=0.03)  # rule-based reckons in whole numbers
    assert {("riichi", True), ("riichi", False), ("safe", True)} <= met


@pytest.mark.slow
def test_expected_places_end_as_the_places_and_add_up_to_nothing():
    rules = GAME.rulebook.make("hanchan")
    table, player, out = Table(GAME, rules, 5, 0), resolve(GAME, "rule-based", rules), np.zeros(4)
    gaps = set()
    while True:
        GAME.learning.places(table.states[0], out)
        points = table.states[0].points.astype(float)
        assert out.sum() == pytest.approx(0, abs=1e-9)
        assert all(out[a] >= out[b] for a, b in permutations(range(4), 2) if points[a] > points[b])
        if table.over:
            break
        told = table.view(0).observation
        assert told["expected"] == pytest.approx(out, abs=1e-6)
        left = max(1, 8 - int(table.states[0].kyoku))
        assert (told["deals_left"][0], told["last_deal"][0]) == (left / 8, left == 1)
        gap = points[0] - points[1]
        assert told["gaps"][:3] == pytest.approx([gap / (abs(gap) + half) for half in (1000, 4000, 16000)], abs=1e-6)
        gaps.add(np.sign(gap))
        table.apply(table.ask(player))
    assert out.tolist() == [1.5 - sorted(points, reverse=True).index(each) for each in points]
    assert {-1, 1} <= gaps


# --- the suits are alike ---


def exchanged(states: np.ndarray, order: tuple[int, ...]) -> np.ndarray:
    """A table whose suits stand in another order: suit s becomes order[s]."""
    result, state = states.copy(), states[0]
    face = [9 * order[k // 9] + k % 9 if k < 27 else k if k < KINDS else KINDS + order[k - KINDS] for k in range(37)]
    new = result[0]

    def mask(bits):
        return np.uint64(sum(1 << face[each] for each in range(37) if int(bits) >> each & 1))

    for key in ("waits", "faces", "thrown", "missed"):
        for seat in range(4):
            new[key][seat] = mask(state[key][seat])
    new.forbidden = mask(state.forbidden)
    for seat in range(4):
        for kind in range(KINDS):
            new.hand[seat, face[kind]] = state.hand[seat, kind]
        for place, tile in enumerate(state.river[seat]):
            if place < state.discards[seat]:
                new.river[seat, place] = face[tile % 64] + tile // 64 * 64
        for slot, meld in enumerate(state.melds[seat]):
            new.melds[seat, slot] = face[meld & 63] + (meld >> 6 << 6) if meld else 0
    for place, tile in enumerate(state.wall):
        new.wall[place] = face[tile] if tile < 37 else tile
    for key in ("tile", "drawn"):
        new[key] = face[int(state[key])] if state[key] >= 0 else state[key]
    return result


@pytest.mark.slow
def test_a_table_with_exchanged_suits_is_seen_and_played_as_the_symmetry_says():
    symmetry, spaces = GAME.learning.symmetry, GAME.spaces
    moved = set()
    for table in tables("hanchan", 13):
        seat = table.to_move
        for order in permutations(range(3)):
            other = exchanged(table.states, order)
            for rows, size, look in (
                (symmetry.observation, spaces.observation.size, GAME.kernels.observe),
                (symmetry.actions, spaces.actions.size, None),
            ):
                there = np.arange(size)
                there[rows] = rows[list(order)]
                numbers = np.zeros((2, size), np.float32)
                for row, states in zip(numbers, (table.states, other), strict=True):
                    if look is not None:
                        look(states[0], seat, row)
                    else:
                        row[legal_of(states)] = 1
                assert numbers[1][there] == pytest.approx(numbers[0], abs=1e-6)
                moved |= set(np.flatnonzero(numbers[0] != numbers[1]))
    assert len(moved) > 100


def legal_of(states: np.ndarray) -> list[int]:
    mask = np.zeros(GAME.spaces.mask_words, np.uint64)
    GAME.kernels.legal(states[0], mask)
    return [action for action in range(GAME.spaces.actions.size) if int(mask[action // 64]) >> action % 64 & 1]


def test_every_entry_stands_in_one_suit_at_most():
    for rows, space in (
        (GAME.learning.symmetry.observation, GAME.spaces.observation),
        (GAME.learning.symmetry.actions, GAME.spaces.actions),
    ):
        assert len(np.unique(rows)) == rows.size
        assert rows.shape[0] == 3
        assert rows.max() < space.size
