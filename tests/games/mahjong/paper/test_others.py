"""Estimates of other hands: the same from a hidden table, right by plain words, and the truth in the rows."""

import numpy as np
import pytest

from tefuda.games import find
from tefuda.games.mahjong.hiding import count_unseen
from tefuda.games.mahjong.paper import others
from tefuda.games.mahjong.players import efficient
from tefuda.games.mahjong.state import SEATS
from tefuda.games.mahjong.tiles import KINDS
from tefuda.kernel.bits import bit
from tefuda.kernel.compile import COMPILED
from tefuda.players.resolve import resolve
from tefuda.table.table import Table

GAME = find("mahjong")
HAND = GAME.rulebook.make("hand")
pytestmark = pytest.mark.kernel
DEALS = 6 if COMPILED else 1


def tables(player: str = "shanten"):
    """Tables on the way through some deals."""
    entrant = resolve(GAME, player, HAND)
    for deal in range(DEALS):
        table = Table(GAME, HAND, seed=3, deal=deal)
        while not table.over:
            yield table
            table.apply(table.ask(entrant))


def room(amounts: int, rows: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return np.zeros(rows, np.int64), np.zeros((rows, amounts), np.float32), np.zeros(rows, np.int64)


PARTS = {
    "readiness": (others.look_at_readiness, others.READINESS, SEATS),
    "waits": (others.look_at_waits, others.WAIT_AMOUNTS, SEATS * KINDS),
}


@pytest.mark.parametrize("part", PARTS)
def test_rows_tell_what_is_true_and_what_is_open(part):
    look, names, rows = PARTS[part]
    seen = 0
    for table in tables():
        state, seat = table.states[0], table.to_move
        found = room(len(names), rows)
        number = look(state, state, seat, *found)
        at = 0
        for further in (1, 2, 3):
            other = (seat + further) % 4
            ready = state.far[other] <= 0
            if part == "readiness":
                if not state.riichi[other]:
                    assert found[2][at] == ready
                    at += 1
            elif ready:
                for kind in range(KINDS):
                    if not (int(state.thrown[other]) | int(state.missed[other])) >> kind & 1:
                        assert found[2][at] == int(state.waits[other]) >> kind & 1
                        at += 1
        assert at == number
        seen += number
    assert seen > 50


def test_estimates_are_functions_of_the_view():
    weights = np.random.default_rng(1).normal(size=others.WEIGHTS)
    amounts = np.zeros(others.MOST_AMOUNTS)
    for table in tables():
        state, seat = table.states[0], table.to_move
        view = table.states.copy()
        GAME.kernels.hide(view[0], seat)
        for further in (1, 2, 3):
            other = (seat + further) % 4
            told = []
            for each in (state, view[0]):
                words, points = others.unseen_words(each, seat), np.zeros(len(others.POINTS))
                others.chances_of_points(weights, each, other, others.points_situation(each, other), amounts, points)
                told.append([
                    others.chance_ready(weights, each, other, amounts),
                    others.chance_of_progress(weights, each, other, amounts),
                    *(others.chance_to_wait(weights, each, words, other, kind, amounts) for kind in (0, 4, 13, 27, 33)),
                    *points,
                ])  # fmt: skip
            assert told[0] == told[1]
            assert all(0 <= chance <= 1 for chance in told[0])
            assert sum(told[0][-len(others.POINTS) :]) == pytest.approx(1.0)


def test_unseen_tiles_are_those_that_the_engine_counts():
    for table in tables():
        state, seat = table.states[0], table.to_move
        unseen = np.zeros(KINDS, np.int64)
        count_unseen(state, seat, unseen)
        words = others.unseen_words(state, seat)
        assert [efficient.tiles_of(words, kind) for kind in range(KINDS)] == unseen.tolist()


def test_progress_is_seen_where_a_discard_makes_a_hand_ready():
    found, made_ready = 0, 0
    before = None
    for table in tables():
        state = table.states.copy()
        if before is not None and before[0].finished == state[0].finished:
            seat = int(before[0].seat)
            rows = room(len(others.READINESS), 1)
            number = others.look_at_progress(before[0], state[0], seat, *rows)
            discarded = state[0].discards[seat] == before[0].discards[seat] + 1
            assert number == (discarded and before[0].far[seat] > 0)
            if number:
                assert rows[2][0] == (state[0].far[seat] <= 0)
                found, made_ready = found + 1, made_ready + int(rows[2][0])
        before = state
    assert found > 20
    assert made_ready >= 1


@pytest.mark.parametrize(
    ("safe", "kind", "sort"),
    [
        ([], 0, 0), ([3], 0, 1), ([], 8, 0), ([5], 8, 1), ([], 1, 2), ([4], 1, 3), ([], 6, 4), ([3], 6, 5),
        ([], 4, 6), ([1], 4, 7), ([1, 7], 4, 8), ([0], 3, 7), ([0, 6], 3, 8), ([12], 9, 1), ([3], 9, 0),
    ],
)  # fmt: skip
def test_suji_makes_the_sort_of_a_number_tile(safe, kind, sort):
    mask = np.uint64(0)
    for each in safe:
        mask |= bit(each)
    assert others.sort_of(mask, kind, 4) == sort


def test_honours_are_sorted_by_what_is_unseen():
    assert [others.sort_of(np.uint64(0), 30, unseen) for unseen in (0, 1, 2, 3, 4)] == [9, 9, 10, 11, 12]


@pytest.mark.parametrize(
    ("han", "fu", "found"),
    [(1, 30, 0), (1, 40, 0), (2, 30, 1), (1, 80, 1), (3, 30, 2), (2, 70, 2), (4, 30, 3), (3, 70, 3), (5, 30, 3),
     (6, 30, 4), (8, 30, 5), (10, 30, 5), (11, 30, 6), (13, 0, 6)],
)  # fmt: skip
def test_classes_of_wins_follow_their_points(han, fu, found):
    assert others.class_of(han, fu) == found
