"""Simulations of the rest of a deal: with models that are sure of something, their ends are known."""

import numpy as np
import pytest

from tefuda.files.policy import load_any
from tefuda.games.mahjong import MODELS
from tefuda.games.mahjong.paper import hands, middle, others, rest, standing
from tefuda.games.mahjong.paper.deal_ends import rank_after, take_base, take_draw
from tefuda.games.mahjong.paper.hands import CODE, DISCARD, list_candidates
from tefuda.games.mahjong.state import left_in_wall
from tefuda.games.mahjong.tiles import KINDS
from tefuda.kernel.bits import bit
from tests.games.mahjong.mahjong_scene import GAME, JUNK, Scene, faces

pytestmark = pytest.mark.kernel
RANK = np.random.default_rng(1).normal(size=standing.WEIGHTS) / 4
TONPUU = GAME.rulebook.make("tonpuu")


class Middle:
    """A decision of seat 0, with what is estimated of the others set by hand."""

    def __init__(self, scene: Scene) -> None:
        self.view = scene.states.copy()
        GAME.kernels.hide(self.view[0], 0)
        self.mask = np.zeros(2, np.uint64)
        GAME.kernels.legal(self.view[0], self.mask)
        self.work, self.facts = np.zeros(hands.SIZE, np.int64), np.zeros(rest.FACTS)
        self.tiles, self.rng = np.zeros(136, np.int64), np.array([7], np.uint64)
        list_candidates(self.view[0], 0, self.mask, self.work)
        middle.read_facts(self.view[0], 0, np.zeros(others.WEIGHTS), self.facts)
        self.facts[rest.READY : rest.WAITS] = 0.0  # nobody is ready, nobody becomes so, nobody folds
        self.facts[rest.WAITS : rest.WINS] = 0.0
        self.facts[rest.WINS : rest.RISK] = 1.0  # all others win the least

    def mean(self, kind: int, plan: int, declares: bool = False, number: int = 8) -> float:
        return middle.mean_rank(
            self.view[0], 0, DISCARD * CODE + kind, plan, declares, number, np.uint64(3), self.work, self.tiles,
            self.facts, RANK, self.rng,
        )  # fmt: skip

    def after(self, take, *arguments) -> float:
        """The expected final rank of seat 0 when the present standing is changed."""
        return self.after_with(RANK, take, *arguments)

    def after_with(self, weights: np.ndarray, take, *arguments) -> float:
        """The same by other weights."""
        space = np.zeros(rest.WORK)
        standing.read_standing(self.view[0], space)
        over = take(space, *arguments, self.view[0].rules)
        return rank_after(weights, space, over, self.view[0].rules, 0, space)


def test_who_discards_what_all_wait_for_pays():
    table = Middle(Scene({0: JUNK}))
    kind = faces(JUNK)[0]
    table.facts[rest.READY + 2] = 1.0
    table.facts[rest.WAITS + 2 * KINDS : rest.WAITS + 3 * KINDS] = 1.0
    assert table.mean(kind, rest.ATTACK) == pytest.approx(table.after(take_base, others.TYPICAL[0], 2, 0))


def test_one_who_waits_for_nothing_of_ours_wins_by_its_own_draw_or_from_another():
    table = Middle(Scene({0: JUNK}))
    kind = faces(JUNK)[0]
    table.facts[rest.READY + 1] = 1.0
    table.facts[rest.WAITS + KINDS : rest.WAITS + 2 * KINDS] = 1.0
    table.facts[rest.WAITS + KINDS + kind] = 0.0
    drawn = table.after(take_base, others.TYPICAL[0], 1, 1)
    given = table.after(take_base, others.TYPICAL[0], 1, 3)
    found = [table.mean(kind, rest.ATTACK, number=1)]
    assert all(each == pytest.approx(drawn) or each == pytest.approx(given) for each in found)


def test_a_hand_that_cannot_win_ends_at_the_end_of_the_wall():
    table = Middle(Scene({0: JUNK}))
    nobody = table.after(take_draw, 0)
    assert table.mean(faces(JUNK)[0], rest.FOLD) == pytest.approx(nobody)


def test_who_folds_is_not_ready_at_the_end():
    ready = "234m456p678s2355p"
    table = Middle(Scene({0: ready}, draws="9m"))
    folded = table.mean(faces("9m")[0], rest.FOLD, number=32)
    assert folded == pytest.approx(table.after(take_draw, 0))
    assert table.mean(faces("9m")[0], rest.ATTACK, number=32) != pytest.approx(folded)


def test_a_ready_hand_wins_more_often_with_more_tiles_to_draw():
    """A win by a wide wait: the mean lies between that of a win and that of a drawn deal, and nearer to the win."""
    table = Middle(Scene({0: "234m456p678s2355p"}, draws="9m"))
    number = 200
    found = table.mean(faces("9m")[0], rest.ATTACK, number=number)
    again = table.mean(faces("9m")[0], rest.ATTACK, number=number)
    assert found == again  # equal starts, equal luck
    declared = table.mean(faces("9m")[0], rest.ATTACK, True, number)
    assert declared != found


def test_ura_and_riichi_make_a_hand_dearer():
    table = Middle(Scene({0: "234m456p678s2355p"}, draws="9m"))
    middle.mean_rank(
        table.view[0], 0, DISCARD * CODE + faces("9m")[0], rest.ATTACK, False, 1, np.uint64(3), table.work,
        table.tiles, table.facts, RANK, table.rng,
    )  # fmt: skip
    words = tuple(table.work[rest.WORDS : rest.WORDS + 4])
    last = int(rest.list_tiles(table.work, table.tiles)) - 1
    four = faces("4p")[0]
    plain = rest.base_of(words, four, 0, table.work, table.tiles, last)
    riichi = rest.base_of(words, four, int(rest.RIICHI), table.work, table.tiles, last)
    assert 0 < plain < riichi
    assert rest.base_of(words, faces("1z")[0], 0, table.work, table.tiles, last) == 0


@pytest.mark.parametrize(
    ("hand", "kind", "giver", "can"),
    [("55z", "5z", 1, True), ("5z", "5z", 3, False), ("24m", "3m", 3, True), ("24m", "3m", 2, False),
     ("89m", "7m", 3, True), ("89m", "1p", 3, False), ("12m", "3m", 3, True), ("79m", "8m", 1, False)],
)  # fmt: skip
def test_calls_need_a_pair_or_a_run_from_the_seat_before(hand, kind, giver, can):
    words = (np.int64(0),) * 4
    for each in faces(hand):
        words = rest.with_tiles(words, np.int64(each), np.int64(1))
    assert rest.can_call(words, np.int64(faces(kind)[0]), np.int64(giver)) == can


def test_the_safest_tile_is_the_one_with_the_least_risk():
    words = (np.int64(0),) * 4
    for each in faces("159m5z"):
        words = rest.with_tiles(words, np.int64(each), np.int64(1))
    facts = np.zeros(rest.FACTS)
    facts[rest.RISK : rest.RISK + KINDS] = 5.0
    facts[rest.RISK + faces("5m")[0]] = 1.0
    assert rest.safest(words, facts, np.uint64(0)) == faces("5m")[0]
    assert rest.safest(words, facts, bit(faces("5z")[0])) == faces("5z")[0]


def test_the_middle_game_begins_with_riichi_and_with_the_last_tiles():
    table = Middle(Scene({0: JUNK}))
    assert not middle.is_pressed(table.view[0], 0, table.mask)
    assert middle.is_pressed(Middle(Scene({0: "234m456p678s2355p"}, draws="9m")).view[0], 0, ready_mask())
    riichi = table.view.copy()
    riichi[0].riichi[2] = 1
    assert middle.is_pressed(riichi[0], 0, table.mask)
    late = table.view.copy()
    late[0].next += left_in_wall(late[0]) - middle.LATE
    assert middle.is_pressed(late[0], 0, table.mask)
    late[0].next -= 1
    assert not middle.is_pressed(late[0], 0, table.mask)


def ready_mask() -> np.ndarray:
    return Middle(Scene({0: "234m456p678s2355p"}, draws="9m")).mask


def test_the_middle_game_begins_with_danger():
    table = Middle(Scene({0: JUNK}))
    code, place = DISCARD * CODE + faces(JUNK)[0], rest.WAITS + KINDS + faces(JUNK)[0]
    table.facts[rest.READY + 1] = 0.5
    table.facts[place] = 0.039
    flat = np.zeros(standing.WEIGHTS)  # no end changes the expected rank, as long as the match goes on
    assert not middle.is_dangerous(table.view[0], 0, code, flat, table.facts)
    table.facts[place] = 0.041
    assert middle.is_dangerous(table.view[0], 0, code, flat, table.facts)
    table.facts[place] = 0.0
    assert not middle.is_dangerous(table.view[0], 0, hands.PASSED * CODE, flat, table.facts)


def test_the_middle_game_begins_where_a_discard_costs_the_place():
    """Condition 4: condition 3 does not hold, and what the other may win tells."""
    table = Middle(Scene({0: JUNK}))
    code, place = DISCARD * CODE + faces(JUNK)[0], rest.WAITS + KINDS + faces(JUNK)[0]
    table.facts[rest.READY + 1] = 0.5
    table.facts[place] = 0.038
    weights = load_any(GAME, MODELS / "final-rank.npz")
    assert not middle.is_dangerous(table.view[0], 0, code, weights, table.facts)  # all others win the least
    table.facts[rest.WINS : rest.RISK] = 0.0
    table.facts[rest.WINS + middle.POINTS - 1 : rest.RISK : middle.POINTS] = 1.0  # all others win the most
    now = middle.rank_now(table.view[0], 0, weights, table.facts)
    lost = table.after_with(weights, take_base, others.TYPICAL[-1], 1, 0)
    assert 0.019 * (lost - now) > middle.WORSE
    assert middle.is_dangerous(table.view[0], 0, code, weights, table.facts)
    table.facts[rest.READY + 1] = 0.5 * 0.9 * middle.WORSE / (0.019 * (lost - now))
    assert not middle.is_dangerous(table.view[0], 0, code, weights, table.facts)
