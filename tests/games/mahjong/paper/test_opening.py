"""The opening by han prediction, and its search against the paper's equations in plain Python."""

import numpy as np
import pytest

from tefuda.games.mahjong.paper import groups, hands, inputs, middle, opening, rest, search, standing
from tefuda.games.mahjong.paper.deal_ends import RESULT, go_on, rank_after
from tefuda.games.mahjong.paper.features import ACTIVE, features
from tefuda.games.mahjong.paper.hands import CODE, CODES, DISCARD, list_candidates
from tefuda.games.mahjong.players import han, program
from tefuda.games.mahjong.shanten import shanten
from tefuda.games.mahjong.tiles import HONOURS, KINDS
from tefuda.kernel.compile import COMPILED
from tests.games.mahjong.mahjong_scene import GAME, JUNK, Scene, faces

pytestmark = pytest.mark.kernel
RANK = np.random.default_rng(1).normal(size=standing.WEIGHTS) / 4


@pytest.fixture(scope="module")
def model() -> np.ndarray:
    """The parameters of an ordered model of han with weights by lot."""
    weights = np.rint(np.random.default_rng(2).normal(size=4 * groups.SIZE) * 40)
    return np.concatenate([[opening.LINEAR], han.parameters("ordered", weights)])


class Decision:
    """A decision of seat 0, with all that the opening needs."""

    def __init__(self, scene: Scene) -> None:
        self.view = scene.states.copy()
        GAME.kernels.hide(self.view[0], 0)
        self.mask = np.zeros(2, np.uint64)
        GAME.kernels.legal(self.view[0], self.mask)
        self.work, self.active = np.zeros(hands.SIZE, np.int64), np.zeros(ACTIVE + 1, np.int64)
        self.rows, self.asked = np.zeros(middle.ROWS_SIZE, np.int64), np.zeros(opening.ASKED)
        self.facts, self.hopes = np.zeros(rest.FACTS), np.zeros(opening.HOPES)
        self.number = int(list_candidates(self.view[0], 0, self.mask, self.work))
        standing.read_standing(self.view[0], self.facts)
        opening.write_ranks(self.view[0], 0, RANK, np.zeros(0), self.facts, self.hopes)

    def score(self, model: np.ndarray, code: int) -> float:
        features(self.view[0], 0, code, self.work, self.active)
        return float(opening.score_of(self.work, self.active, model, opening.LOOKS, self.asked, self.hopes))

    def best(self, model: np.ndarray, best: int, margin: int) -> int:
        found = opening.best_code(
            self.view[0],
            0,
            model,
            self.number,
            best,
            margin,
            0.0,
            self.work,
            self.active,
            self.rows,
            self.asked,
            self.hopes,
        )
        return int(found)


def test_without_a_win_and_without_results_no_points_move():
    decision = Decision(Scene({0: JUNK}, kyoku=4, points=(31_000, 20_000, 24_000, 25_000)))
    space = np.zeros(rest.WORK)
    standing.read_standing(decision.view[0], space)
    over = go_on(space, decision.view[0].rules, False, False, False)
    expected = rank_after(RANK, space, over, decision.view[0].rules, 0, space)
    assert decision.hopes[opening.NO_WIN] == pytest.approx(expected)


def test_results_are_those_of_the_own_wind():
    decision = Decision(Scene({0: JUNK}, kyoku=7, points=(31_000, 23_000, 24_000, 22_000)))
    results = np.zeros((4, 1, RESULT))
    results[:, :, 5:7] = -1  # nobody wins
    results[1, 0, :4] = -300, 100, 100, 100  # seat 0 is south: 30,000 points are lost
    opening.write_ranks(decision.view[0], 0, RANK, results.ravel(), decision.facts, decision.hopes)
    assert decision.hopes[opening.NO_WIN] == 4.0  # the last deal is over, and somebody has the goal
    results[1, 0, :4] = 0
    opening.write_ranks(decision.view[0], 0, RANK, results.ravel(), decision.facts, decision.hopes)
    assert decision.hopes[opening.NO_WIN] == 1.0


def test_the_best_score_is_chosen_among_what_the_policy_finds_good(model):
    decision = Decision(Scene({0: JUNK}))
    codes = [int(code) for code in decision.work[CODES : CODES + decision.number]]
    scores = [decision.score(model, code) for code in codes]
    assert len(set(scores)) > 5
    assert decision.best(model, 0, opening.LARGEST) == codes[int(np.argmin(scores))]
    decision.rows[middle.SUMS : middle.SUMS + decision.number] = -100
    decision.rows[middle.SUMS + 3], decision.rows[middle.SUMS + 5] = 10, 4
    assert decision.best(model, 3, 0) == codes[3]
    both = [codes[3], codes[5]]
    assert decision.best(model, 3, 6) == both[int(np.argmin([scores[3], scores[5]]))]


def isolated(hand: list[int], kind: int) -> bool:
    near = [other for other in range(KINDS) if other // 9 == kind // 9 and 0 < abs(other - kind) <= 2]
    return kind < HONOURS and hand[kind] == 1 and not any(hand[other] for other in near)


def plain_value(
    decision: Decision,
    model: np.ndarray,
    hand: list[int],
    kept: set[int],
    draws: int,
    whole: bool,
    thrown: frozenset[int],
    red: int,
) -> float:
    """V_move of the paper, with lists: `draws` more draws before the last discard. `red` is the kind of the one red
    five of the hand, or -1."""
    if draws == 0:
        words = pack_list(hand)
        decision.work[hands.REDS] = 1 if red >= 0 else 0
        decision.work[hands.THROWN] = sum(1 << kind for kind in thrown)
        return float(
            search.score_of_words(words, model, decision.work, decision.active, decision.asked, decision.hopes)
        )
    counts = np.array(hand, np.int8)
    before, total, tiles = shanten(counts, 0), 0.0, 0
    for kind in range(KINDS):
        unseen = int(decision.work[hands.UNSEEN + kind])
        drawn = hand.copy()
        drawn[kind] += 1
        nears = any(isolated(hand, other) and other // 9 == kind // 9 and 0 < abs(other - kind) <= 2
                    for other in range(HONOURS))  # fmt: skip
        if unseen == 0 or not (shanten(np.array(drawn, np.int8), 0) < before or (nears and kind < HONOURS)):
            continue
        decision.work[hands.UNSEEN + kind] -= 1
        found = []
        for discard in sorted(kept | {kind}):
            if drawn[discard]:
                left = drawn.copy()
                left[discard] -= 1
                red_left = red if discard != red or left[discard] else -1
                found.append((left, thrown | {discard}, red_left))
        scored = sorted(found, key=lambda each: plain_value(decision, model, each[0], kept, 0, whole, *each[1:]))
        if draws > 1:
            decision.work[hands.TURN] += 1
            value = min(plain_value(decision, model, left, kept, draws - 1, whole, *more)
                        for left, *more in scored[:3])  # fmt: skip
            decision.work[hands.TURN] -= 1
        else:
            left, *more = scored[0]
            value = plain_value(decision, model, left, kept, 0, whole, *more)
        decision.work[hands.UNSEEN + kind] += 1
        total, tiles = total + unseen * value, tiles + unseen
    if whole:
        others = int(decision.work[hands.UNSEEN : hands.UNSEEN + KINDS].sum()) - tiles
        total, tiles = total + others * plain_value(decision, model, hand, kept, 0, whole, thrown, red), tiles + others
    return total / tiles


def pack_list(hand: list[int]) -> tuple:
    words = (np.int64(0),) * 4
    for kind, tiles in enumerate(hand):
        if tiles:
            words = rest.with_tiles(words, np.int64(kind), np.int64(tiles))
    return words


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("draws", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_a_search_is_what_the_equations_say(model, draws, whole):
    if draws == 2 and not COMPILED:
        pytest.skip("plain Python takes too long")
    decision = Decision(Scene({0: "123456m230p19s44z"}, draws="5z"))
    code = DISCARD * CODE + faces("5z")[0]
    features(decision.view[0], 0, code, decision.work, decision.active)
    hand = [0] * KINDS
    for face in faces("123456m235p19s44z"):
        hand[face] += 1
    kept = {faces(tile)[0] for tile in ("1s", "9s", "5p", "4z", "5z")}
    mask = np.uint64(sum(1 << kind for kind in kept))
    after = search.after_one if draws == 1 else search.after_two
    found = after(
        decision.view[0], 0, pack_list(hand), mask, whole, model, RANK, decision.work, decision.active, decision.asked,
        decision.facts, decision.hopes,
    )  # fmt: skip
    noted = decision.work[[hands.REDS, hands.HELD_REDS, hands.THROWN, hands.TURN]].tolist()
    assert noted == [1, 0b010, 1 << faces("5z")[0], 0]  # as before the search
    thrown, red = frozenset(faces("5z")), faces("5p")[0]
    assert found == pytest.approx(plain_value(decision, model, hand, kept, draws, whole, thrown, red), abs=1e-9)


def test_a_red_five_that_a_search_discards_is_dora_no_more():
    decision = Decision(Scene({0: "123456m230p19s44z"}, draws="5z"))
    work, five = decision.work, faces("5p")[0]
    features(decision.view[0], 0, DISCARD * CODE + faces("5z")[0], work, decision.active)
    one = pack_list([1 if kind == five else 0 for kind in range(KINDS)])
    two = pack_list([2 if kind == five else 0 for kind in range(KINDS)])
    search.throw(two, np.int64(five), work)  # the plain one goes first
    assert (work[hands.REDS], work[hands.HELD_REDS]) == (1, 0b010)
    before = search.throw(one, np.int64(five), work)
    assert (work[hands.REDS], work[hands.HELD_REDS]) == (0, 0)
    search.throw(one, np.int64(five), work)  # another, drawn since: there is but one red one
    assert work[hands.REDS] == 0
    search.take_back(before, work)
    assert (work[hands.REDS], work[hands.HELD_REDS]) == (1, 0b010)


def test_a_win_ends_the_search():
    decision = Decision(Scene({0: "123456m234p5678s"}, draws="5z"))
    features(decision.view[0], 0, DISCARD * CODE + faces("5z")[0], decision.work, decision.active)
    hand = [0] * KINDS
    for face in faces("123456m234p5678s"):
        hand[face] += 1
    words = pack_list(hand)
    found = search.win_rank(decision.view[0], 0, words, np.int64(faces("5s")[0]), RANK, decision.work, decision.facts)
    assert 1.0 <= found <= 4.0
    missed = search.win_rank(decision.view[0], 0, words, np.int64(faces("9s")[0]), RANK, decision.work, decision.facts)
    assert missed == 0.0


def test_settings_are_read_and_refused():
    usual, more = program.settings_of("ordered")
    assert more == "ordered"
    assert usual == [64, 0.5, 1, 0, 1, 0, -1]
    assert program.settings_of("simulations=7+depth=2+margin=90+folding=0.25") == ([7, 0.25, 2, 0, 1, 0, 90], "")
    for wrong in ("simulations=0", "simulations=1.5", "depth=4", "folding=2", "margin=x"):
        with pytest.raises(program.Problem, match="takes a"):
            program.settings_of(wrong)
    with pytest.raises(program.Problem, match="unknown setting"):
        program.settings_of("width=3")


def bytes_of(hand: str, draw: str, dora: str) -> np.ndarray:
    """What a network is told of the hand that discarding the draw leaves."""
    decision = Decision(Scene({0: hand}, draws=draw, dora=dora))
    features(decision.view[0], 0, DISCARD * CODE + faces(draw)[0], decision.work, decision.active)
    found = np.zeros(inputs.BYTES, np.int64)
    inputs.write_bytes(decision.work, found)
    return found


def test_exchanged_suits_are_the_same_hand_in_other_suits():
    found = bytes_of("123456m235p19s44z", "5z", "1m")
    for hand, dora in (("123456p235s19m44z", "1p"), ("123456s235m19p44z", "1s"), ("123456m235p19s44z", "1m")):
        inputs.exchange_suits(found)
        assert found.tolist() == bytes_of(hand, "5z", dora).tolist()
