"""The paper's programs as players: they know nothing hidden, take the same games from the same seed, and fold."""

import numpy as np
import pytest

from tefuda.games.mahjong import FOLDER, actions
from tefuda.players.resolve import resolve
from tefuda.table.table import Table
from tests.games.mahjong.mahjong_scene import GAME, JUNK, MORE_JUNK, OTHER_JUNK, Scene, faces

TONPUU = GAME.rulebook.make("tonpuu")
NAMES = (
    "policy-mc", "mcp-tsumogiri", "mcp", "bcp", "bcp+penalty-self", "bcp+penalty", "bcp+penalty+search", "network-efr",
    "han-efr",
)  # fmt: skip
SHIPPED = [name for name in NAMES if any(each.name == name for each in GAME.players.named)]


def few(name: str) -> str:
    return f"{name}/simulations=4"


def test_the_earlier_program_is_shipped():
    assert "policy-mc" in SHIPPED


@pytest.mark.slow
@pytest.mark.parametrize("name", SHIPPED)
def test_hidden_tiles_change_no_choice(name):
    look_behind(few(name), 12 if "search" in name else 60)


@pytest.mark.slow
@pytest.mark.parametrize("model", ["mcp", "bcp", "han-network"])
def test_hidden_tiles_change_no_choice_of_who_goes_for_a_number_of_han(model):
    look_behind(f"{FOLDER / 'policies' / model}.npz/target=2", 60)


def look_behind(name: str, wanted: int) -> None:
    """At tables on the way through a game, a guess at all that is hidden brings the same choice."""
    player = resolve(GAME, name, TONPUU)
    table, rng, compared = Table(GAME, TONPUU, seed=3, deal=1), np.array([5], np.uint64), 0
    while not table.over and compared < wanted:
        chosen = table.ask(player)
        if len(table.legal) > 1:
            other = Table(GAME, TONPUU, 3, 1, states=table.states.copy())
            GAME.kernels.guess(other.states[0], table.to_move, rng)
            here = Table(GAME, TONPUU, 3, 1, states=table.states.copy())
            assert here.ask(player) == other.ask(player)
            compared += 1
        table.apply(chosen)
    assert compared == wanted


def asked(scene: Scene, player: str) -> int:
    rules = GAME.rulebook.make("hanchan")
    return int(Table(GAME, rules, 1, 0, states=scene.states.copy()).ask(resolve(GAME, player, rules)))


def threatened(hand: str, draw: str, river: str) -> Scene:
    """Seat 0 is in riichi with a discard, and seat 1 has just drawn."""
    scene = Scene({0: "123m456p99p12378s", 1: hand, 2: MORE_JUNK, 3: OTHER_JUNK}, draws=f"{river} {draw}")
    return scene.play("0 riichi", "0 *").pass_all()


def test_a_far_hand_folds_with_what_is_safe():
    assert asked(threatened("19m258p147s34567z", "6p", "5z"), "policy-mc") == faces("5z")[0]


def test_a_ready_dear_hand_attacks():
    assert asked(threatened("34066m340p34567s", "9m", "5z"), "policy-mc") == actions.RIICHI


def test_a_win_is_taken_and_a_lone_honour_goes_first():
    assert asked(Scene({0: "234m456p678s2355p"}, draws="4p"), "policy-mc") == actions.TSUMO
    scene = Scene({0: "12m456p23467s144z"}, draws="9p")
    assert asked(scene, "policy-mc") in (faces("1z")[0], actions.TSUMOGIRI)
    assert asked(Scene({0: JUNK}), "policy-mc") == asked(Scene({0: JUNK}), "policy")
