"""Games of mahjong that were played here and written down, and a record that was composed by hand."""

import random

import numpy as np

from tefuda.games.mahjong import actions
from tefuda.games.mahjong.options import RULEBOOK
from tefuda.games.mahjong.records.paifu import Match
from tefuda.games.mahjong.records.recorder import Recorder
from tefuda.games.mahjong.starting import start_deal
from tefuda.kernel.random import CHECK, DEAL, below, stream
from tefuda.table.table import legal_actions
from tests.games.mahjong import mahjong_walls as walls
from tests.games.mahjong.mahjong_scene import GAME


def eager(legal: list[int], bits: np.ndarray) -> int:
    """Wins, declares riichi and makes kans whenever it can, and calls often; otherwise anything."""
    for action in legal:
        if action in (actions.TSUMO, actions.RON, actions.RIICHI) or actions.OPEN_KAN <= action < actions.TSUMO:
            return action
    if len(legal) > 1 and actions.PASS in legal and below(bits, 3):
        legal = [action for action in legal if action != actions.PASS]
    if actions.TSUMOGIRI in legal and below(bits, 2):
        return actions.TSUMOGIRI
    return legal[int(below(bits, len(legal)))]


def played(number: int, preset: str = "tonpuu", shanten: bool = False) -> Match:
    """A match of our own."""
    rules = RULEBOOK.make(preset)
    states = GAME.blank(rules)
    GAME.kernels.deal(states[0], np.array([stream(3, number, 0, DEAL)], np.uint64))
    bits = np.array([stream(3, number, 0, CHECK)], np.uint64)
    recorder = Recorder(states, rules, f"match {number}")
    policy = GAME.players.policy("shanten")
    numbers, none = np.zeros(policy.numbers), np.zeros(0)
    mask = np.zeros(GAME.spaces.mask_words, np.uint64)
    while GAME.kernels.to_move(states[0]) >= 0:
        seat = int(GAME.kernels.to_move(states[0]))
        if shanten:
            GAME.kernels.legal(states[0], mask)
            action = int(policy.choose(states[0], seat, none, bits, mask, states, numbers))
        else:
            action = eager(legal_actions(GAME, states), bits)
        recorder.take(action)
    return recorder.match


def stacked(number: int, preset: str = "tonpuu") -> Match:
    """A match of eager players with stacked walls, so that what seldom happens is met."""
    luck, rules = random.Random(number), RULEBOOK.make(preset)
    states = GAME.blank(rules)
    GAME.kernels.deal(states[0], np.array([stream(5, number, 0, DEAL)], np.uint64))
    bits = np.array([stream(5, number, 0, CHECK)], np.uint64)
    recorder = Recorder(states, rules, f"stacked {number}")
    deals = 0
    while GAME.kernels.to_move(states[0]) >= 0:
        if len(recorder.match.deals) > deals:  # deal it again, by another wall
            deals = len(recorder.match.deals)
            _, stack, _ = luck.choice(list(walls.WALLS.values()))
            faces = np.array([walls.face_of(tile) for tile in stack(luck)], np.uint8)
            state = states[0]
            start_deal(state, state.kyoku, state.honba, state.sticks, state.points.copy(), faces)
            recorder.match.deals.pop()
            recorder.begin()
        recorder.take(eager(legal_actions(GAME, states), bits))
    return recorder.match


MJLOG = (
    '<mjloggm ver="2.3"><GO type="169" lobby="0"/><UN n0="" n1="" n2="" n3=""/><TAIKYOKU oya="0"/>'
    '<INIT seed="0,0,0,1,1,124" ten="250,250,250,250" oya="0" hai0="{}" hai1="{}" hai2="{}" hai3="{}"/>'
    '<T32/><D90/><AGARI ba="0,0" hai="{}" machi="90" ten="30,2000,0" yaku="7,1,8,1" doraHai="124" who="1" fromWho="0" '
    'sc="250,-20,250,20,250,0,250,0"/></mjloggm>'
)


def composed() -> str:
    """A deal of our own as Tenhou would write it: the dealer discards 5s, and seat 1 wins with tanyao and pinfu."""
    dealer = (0, 12, 24, 40, 64, 90, 91, 104, 105, 108, 112, 116, 120)
    winner = (4, 8, 13, 44, 48, 53, 49, 54, 56, 92, 96, 100, 101)
    others = [tile for tile in range(136) if tile not in (*dealer, *winner, 32, 124, 126, 127) and tile % 4 > 1]
    hands = [dealer, winner, others[:13], others[20:33]]
    return MJLOG.format(*(",".join(map(str, hand)) for hand in hands), ",".join(map(str, sorted((*winner, 90)))))
