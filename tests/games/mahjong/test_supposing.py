"""Likely worlds of mahjong: what `suppose` makes of a view, and worlds turned back by `rewind`.

The witness of a world turned back is the table as it was when the seat decided.
"""

import numpy as np
import pytest

from tefuda.games.mahjong import GAME
from tefuda.games.mahjong.actions import RIICHI, TSUMOGIRI, kind_of_face
from tefuda.games.mahjong.state import NOTHING, SEATS, TURN
from tefuda.games.mahjong.tiles import KINDS
from tefuda.kernel.bits import has_word
from tefuda.kernel.random import CHECK, stream
from tefuda.players.resolve import resolve
from tefuda.table.table import Table

pytestmark = pytest.mark.kernel
KERNELS = GAME.kernels
DEALS = 3


def rng_of(number: int) -> np.ndarray:
    return np.array([stream(1, number, 0, CHECK)], np.uint64)


def choice(states: np.ndarray, seat: int, player, rng: np.ndarray) -> int:
    """What a compiled player does at a table."""
    view, mask = states.copy(), np.zeros(GAME.spaces.mask_words, np.uint64)
    KERNELS.hide(view[0], seat)
    KERNELS.legal(view[0], mask)
    scratch = np.zeros(max(1, player.policy.worlds), GAME.State), np.zeros(player.policy.numbers)
    return int(player.policy.choose(view[0], seat, player.params, rng, mask, *scratch))


@pytest.fixture(scope="module")
def deals() -> list[list[tuple[np.ndarray, int, int]]]:
    """Some deals of four `rule-based`: at each decision the table, the seat and its action."""
    rules = GAME.rulebook.make("hand")
    player, found = resolve(GAME, "rule-based", rules), []
    for number in range(DEALS):
        states, rng, played = Table(GAME, rules, 4, number).states, rng_of(number), []
        while (seat := int(KERNELS.to_move(states[0]))) >= 0:
            action = choice(states, seat, player, rng)
            played.append((states.copy(), seat, action))
            KERNELS.apply(states[0], action)
        found.append(played)
    return found


def test_supposed_worlds_keep_what_was_seen_and_take_nothing_hidden(deals):
    for played in deals:
        for states, seat, _ in played[::7]:
            view = states.copy()
            KERNELS.hide(view[0], seat)
            worlds = []
            for start in (view, states):
                world, rng = start.copy(), rng_of(seat)
                KERNELS.suppose(world[0], seat, rng)
                worlds.append(world.tobytes())
            assert worlds[0] == worlds[1]
            KERNELS.hide(world[0], seat)
            assert world.tobytes() == view.tobytes()


def test_supposed_hands_are_as_near_to_ready_as_those_of_players(deals):
    """Guessed hands are more than a tile further than those of players, supposed ones less than half a tile."""
    distances: dict[str, list[int]] = {"true": [], "guess": [], "suppose": []}
    for played in deals:
        for states, seat, _ in played[len(played) // 3 :: 3]:
            others = [other for other in range(SEATS) if other != seat and not states[0].riichi[other]]
            for name, make in (("true", None), ("guess", KERNELS.guess), ("suppose", KERNELS.suppose)):
                world = states.copy()
                if make:
                    make(world[0], seat, rng_of(len(distances["true"])))
                distances[name] += [int(world[0].far[other]) for other in others]
    far = {name: np.mean(found) for name, found in distances.items()}
    assert far["guess"] > far["true"] + 1.0
    assert abs(far["suppose"] - far["true"]) < 0.5


def tiles_of(states: np.ndarray, seat: int) -> list[int]:
    """The tiles of a hand with the one just drawn, by kind, and its red fives."""
    state = states[0]
    counts, faces = state.hand[seat].astype(int).tolist(), int(state.faces[seat]) >> KINDS
    if state.drawn != NOTHING:
        counts[int(kind_of_face(int(state.drawn)))] += 1
        faces |= 1 << int(state.drawn) >> KINDS
    return [*counts, faces]


def test_a_table_turned_back_is_the_table_as_it_was(deals):
    """From every decision of a deal, for every other seat: its last discard, as far as it chose one."""
    compared, seen = 0, set()
    for played in deals:
        for now, (states, seat, _) in enumerate(played):
            for other in range(SEATS):
                if other == seat or states[0].riichi[other] or states[0].phase != TURN:
                    continue
                discards = [
                    (before, action)
                    for before, mover, action in played[:now]
                    if mover == other and before[0].phase == TURN and action <= TSUMOGIRI
                ]
                past = states.copy()
                action = int(KERNELS.rewind(past[0], other, rng_of(now)))
                if not discards:
                    assert action == -1
                    continue
                before, chosen = discards[-1]
                if states[0].kans != before[0].kans:  # kans are not taken back
                    continue
                assert action == chosen
                assert tiles_of(past, other) == tiles_of(before, other)
                assert past[0].seat == other
                for field in ("discards", "meld_count", "melds", "riichi", "points", "sticks", "thrown", "turned"):
                    assert past[field].tolist() == before[field].tolist(), field
                mask = np.zeros(GAME.spaces.mask_words, np.uint64)
                KERNELS.legal(past[0], mask)
                assert has_word(mask, action)
                seen.add((action == TSUMOGIRI, bool(before[0].drawn == NOTHING), bool(past[0].riichi.any())))
                compared += 1
    assert compared > 100
    assert len(seen) >= 4, "too few sorts of discards were met"


def test_a_hand_in_riichi_is_turned_back_to_its_declaration(deals):
    turned = 0
    for played in deals:
        for now, (states, seat, _) in enumerate(played):
            for other in range(SEATS):
                if other == seat or not states[0].riichi[other] or states[0].phase != TURN:
                    continue
                declared = [at for at in range(now) if played[at][1:] == (other, RIICHI)]
                before, _, chosen = next(each for each in played[declared[-1] + 1 :] if each[1] == other)
                if states[0].kans != before[0].kans:
                    continue
                past = states.copy()
                assert int(KERNELS.rewind(past[0], other, rng_of(now))) == chosen
                assert tiles_of(past, other) == tiles_of(before, other)
                assert past["points"].tolist() == before["points"].tolist()
                turned += 1
    assert turned > 0


def test_nothing_is_seen_twice_in_a_table_turned_back(deals):
    """However far back: of each kind a seat sees at most four tiles."""
    unseen = GAME.spaces.observation.slices["unseen"]
    for played in deals:
        for now, (states, seat, _) in enumerate(played[::5]):
            for other in range(SEATS):
                past, rng = states.copy(), rng_of(now)
                if other != seat:
                    for _ in range(30):
                        if int(KERNELS.rewind(past[0], other, rng)) < 0:
                            break
                        seen = np.zeros(GAME.spaces.observation.size, np.float32)
                        KERNELS.observe(past[0], other, seen)
                        assert 0.0 <= seen[unseen].min()
                        assert seen[unseen].max() <= 1.0
