"""RiichiEnv, a mahjong engine in Rust with Tenhou's rules, as the witness: both engines play the same walls and moves.

At every decision the legal actions of all who are asked and all that lies on the table are compared, at the end of
every deal the wins and payments, and how the match goes on. Seats have habits (see HABITS) and walls are stacked now
and then (see mahjong_walls.py), so that also what seldom happens is met; `Report.met` counts it.

    python -m tests.games.mahjong.witness_mahjong FIRST LAST SECONDS  # hanchan by number; a report at the end
"""

import json
import math
import random
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from types import SimpleNamespace

import numpy as np
from riichienv import EAST, NORTH, SOUTH, WEST, ActionType, GameRule, RiichiEnv, get_yaku_by_id
from riichienv._riichienv import Conditions, HandEvaluator  # the wrappers around these miscount hands with kans

from tefuda.games import find
from tefuda.games.mahjong import actions, hand, yaku
from tefuda.games.mahjong.actions import FACES, kind_of_face
from tefuda.games.mahjong.end import rank_of
from tefuda.games.mahjong.hiding import count_unseen
from tefuda.games.mahjong.payment import liable_for
from tefuda.games.mahjong.players.efficient import best_discard, discard_of
from tefuda.games.mahjong.starting import start_deal
from tefuda.games.mahjong.state import (
    CLAIM,
    EXHAUSTED,
    FOUR_KANS,
    FOUR_RIICHI,
    FOUR_WINDS,
    LIVE,
    NAGASHI,
    NINE_TERMINALS,
    OVER,
    RED_MARK,
    ROB,
    SEATS,
    TRIPLE_RON,
    TSUMOGIRI_MARK,
    WON,
    left_in_wall,
)
from tefuda.games.mahjong.tiles import HONOURS, KINDS, ORPHANS, kinds_of
from tests.games.mahjong import mahjong_walls as walls

GAME = find("mahjong")
HANCHAN = GAME.rulebook.make("hanchan")
KIND = [int(kind_of_face(face)) for face in range(FACES)]  # by face
OUTER = set(kinds_of(ORPHANS))
ASKING = (int(CLAIM), int(ROB))
WINDS = (EAST, SOUTH, WEST, NORTH)
FACE = [walls.face_of(tile) for tile in range(136)]

# Chances: to win, declare riichi, pon or chi, kan, abort when it can be done; and how it discards.
HABITS = {
    "fast": (1.0, 0.9, 0.0, 0.5, 0.0, "efficient"),
    "calling": (0.9, 0.5, 0.8, 0.5, 0.0, "efficient"),
    "careless": (0.3, 0.5, 0.1, 0.5, 0.0, "efficient"),  # lets wins pass: furiten
    "collector": (0.9, 0.0, 0.9, 0.9, 0.0, "pairs"),  # calls for triplets and kans, keeps honours
    "outer": (0.5, 0.0, 0.0, 0.0, 0.3, "outer"),  # discards terminals and honours first: nagashi
    "honours": (0.3, 0.0, 0.0, 0.0, 0.0, "honours"),  # discards winds and dragons first: feeds others
    "inner": (0.8, 0.5, 0.0, 0.3, 0.3, "inner"),  # keeps them: thirteen orphans
    "random": (0.5, 0.5, 0.3, 0.5, 0.5, "any"),
}
ENDS = {
    WON: "win", EXHAUSTED: "exhaustive_draw", NAGASHI: "nagashimangan", NINE_TERMINALS: "kyushu_kyuhai",
    FOUR_WINDS: "sufuurenta", FOUR_RIICHI: "suucha_riichi", FOUR_KANS: "suukansansen", TRIPLE_RON: "sanchaho",
}  # fmt: skip
MELDS = {
    "Chi": hand.CHI, "Pon": hand.PON, "Daiminkan": hand.OPEN_KAN, "Kakan": hand.ADDED_KAN, "Ankan": hand.CLOSED_KAN
}  # fmt: skip


@dataclass
class Report:
    """What was compared, and where the engines differ."""

    hanchan: int = 0
    deals: int = 0
    decisions: int = 0
    met: Counter = field(default_factory=Counter)  # how often each rule was met
    differences: Counter = field(default_factory=Counter)  # how often each known difference was met
    disagreements: list[str] = field(default_factory=list)  # all others

    def add(self, other: "Report") -> None:
        self.hanchan += other.hanchan
        self.deals += other.deals
        self.decisions += other.decisions
        self.met += other.met
        self.differences += other.differences
        self.disagreements += other.disagreements


def fields_of(states: np.ndarray) -> SimpleNamespace:
    """Views of the fields of a table, made once: to reach them through the record takes several times as long."""
    names = states.dtype.names
    return SimpleNamespace(**{name: states[name] if states[name].ndim == 1 else states[name][0] for name in names})


class Disagreement(Exception):
    """The engines differ, and cannot be played on together."""


class Match:
    """One hanchan on both engines."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.luck = random.Random(number)
        self.report = Report(hanchan=1)
        self.states = GAME.blank(HANCHAN)
        self.state = self.states[0]
        self.now = fields_of(self.states)
        GAME.kernels.deal(self.state, np.array([number], np.uint64))
        self.copies, self.before = self.states.copy(), self.states.copy()
        self.copied = fields_of(self.copies)
        self.mask = np.zeros(GAME.spaces.mask_words, np.uint64)
        self.numbers = np.zeros(KINDS)
        self.theirs = RiichiEnv(game_mode="4p-red-half", rule=GameRule.default_tenhou(), seed=number)

    # --- the other engine in the words of this one ---

    def action_of(self, seat: int, action) -> int:
        """Our number of their action."""
        kind = action.action_type
        if kind == ActionType.DISCARD:
            return int(actions.TSUMOGIRI) if action.tile == self.theirs.drawn_tile else FACE[action.tile]
        if kind in (ActionType.CHI, ActionType.PON):
            faces = [FACE[tile] for tile in action.consume_tiles]
            red = any(face >= KINDS for face in faces)
            if kind == ActionType.PON:
                return int(actions.PON) + red
            claimed = action.tile // 4
            return int(actions.CHI) + 2 * (claimed - min(claimed, *(int(kind_of_face(face)) for face in faces))) + red
        if kind in (ActionType.ANKAN, ActionType.KAKAN):
            return int(actions.KAN) + action.tile // 4
        return int({
            ActionType.DAIMINKAN: actions.OPEN_KAN, ActionType.RIICHI: actions.RIICHI, ActionType.TSUMO: actions.TSUMO,
            ActionType.RON: actions.RON, ActionType.KYUSHU_KYUHAI: actions.NINE, ActionType.PASS: actions.PASS,
        }[kind])  # fmt: skip

    # --- what is compared ---

    def same(self, what: str, ours, theirs) -> None:
        if ours != theirs:
            raise Disagreement(f"{what}: {ours} here, {theirs} there")

    def compare_table(self) -> None:
        """All that lies on the table, hidden or not."""
        now, theirs = self.now, self.theirs
        kyoku, seat_to_move, drawn = now.kyoku.item(), now.seat.item(), now.drawn.item()
        self.same("dealer, wind of the round, honba, sticks",
                  (kyoku % 4, kyoku // 4, now.honba.item(), now.sticks.item()),
                  (theirs.oya, theirs.round_wind, theirs.honba, theirs.riichi_sticks))  # fmt: skip
        self.same("points", now.points.tolist(), list(theirs.scores()))
        self.same("left in the wall", LIVE - now.next.item() - now.kans.item(), len(theirs.wall) - 14)
        self.same("dora", now.wall[walls.INDICATORS :][: now.indicators.item()].tolist(),
                  [FACE[tile] for tile in theirs.dora_indicators])  # fmt: skip
        self.same("riichi", [each > 0 for each in now.riichi.tolist()], list(theirs.riichi_declared))
        held, faces, numbers, rivers = now.hand.tolist(), now.faces.tolist(), now.discards.tolist(), now.river.tolist()
        their_hands, their_rivers, their_melds = theirs.hands, theirs.discards, theirs.melds
        for seat in range(SEATS):
            counts, reds = held[seat], faces[seat] >> KINDS
            if seat == seat_to_move and drawn >= 0:
                counts[KIND[drawn]] += 1
                reds |= 1 << drawn >> KINDS
            found, found_reds = [0] * KINDS, 0
            for tile in their_hands[seat]:
                found[tile // 4] += 1
                found_reds |= 1 << FACE[tile] >> KINDS
            self.same(f"hand of {seat}", counts, found)
            self.same(f"red fives of {seat}", reds, found_reds)
            river = [face % TSUMOGIRI_MARK for face in rivers[seat][: numbers[seat]]]
            self.same(f"river of {seat}", river, [FACE[tile] for tile in their_rivers[seat]])
            melds = [self.their_meld(seat, meld) for meld in their_melds[seat]]
            self.same(f"melds of {seat}", self.our_melds(seat), melds)

    def our_melds(self, seat: int) -> list[tuple]:
        melds, notes = self.now.melds[seat].tolist(), self.now.called[seat].tolist()
        return [(meld // 64, meld % 64, bool(note & RED_MARK), (seat + note % 4) % SEATS)
                for meld, note in zip(melds, notes, strict=True) if meld]  # fmt: skip

    def their_meld(self, seat: int, meld) -> tuple:
        kind = MELDS[str(meld.meld_type).split(".")[1]]
        red = any(FACE[tile] >= KINDS for tile in meld.tiles)
        return kind, min(meld.tiles) // 4, red, seat if meld.from_who < 0 else meld.from_who

    def our_legal(self, state) -> list[int]:
        GAME.kernels.legal(state, self.mask)
        low, high = self.mask.tolist()
        bits = low | high << 64
        return [action for action in range(bits.bit_length()) if bits >> action & 1]

    def who_is_asked(self) -> dict[int, list[int]]:
        """Our legal actions of all seats that decide now, or would if the others passed."""
        if self.now.phase.item() not in ASKING:
            return {self.now.seat.item(): self.our_legal(self.state)}
        asked = {}
        np.copyto(self.copies, self.states)
        while self.copied.phase.item() in ASKING:
            asked[self.copied.seat.item()] = self.our_legal(self.copies[0])
            GAME.kernels.apply(self.copies[0], actions.PASS)
        return asked

    # --- play ---

    def choose(self, seat: int, legal: list[int]) -> int:
        """What a seat does out of habit."""
        win, riichi, call, kan, abort, discards = HABITS[self.habits[seat]]
        chance = self.luck.random
        for chosen, probability in (
            ((actions.TSUMO, actions.RON), win),
            ((actions.NINE,), abort),
            ((actions.OPEN_KAN, *range(actions.KAN, actions.TSUMO)), kan),
            ((actions.RIICHI,), riichi),
            (range(actions.CHI, actions.OPEN_KAN), call),
        ):
            possible = [action for action in legal if action in chosen]
            if possible and chance() < probability:
                return self.luck.choice(possible)
        if actions.PASS in legal:
            return int(actions.PASS)
        possible = [action for action in legal if action <= actions.TSUMOGIRI]
        if discards == "any" or len(possible) == 1:
            return self.luck.choice(possible)
        if discards == "efficient":
            count_unseen(self.state, seat, self.numbers)
            GAME.kernels.legal(self.state, self.mask)
            return int(discard_of(self.state, self.mask, best_discard(self.state, seat, self.mask, self.numbers)))
        return min(possible, key=lambda action: self.dislike(seat, action, discards))

    def dislike(self, seat: int, action: int, how: str) -> tuple:
        """What is discarded first has the least."""
        kind = KIND[self.now.drawn.item() if action == actions.TSUMOGIRI else action]
        if how == "pairs":
            return min(self.now.hand[seat, kind].item(), 2), kind >= HONOURS, self.luck.random()
        if how == "honours":
            return kind < HONOURS, -kind, self.luck.random()
        return (kind in OUTER) == (how == "inner"), self.luck.random()

    def begin_deal(self) -> dict:
        """Deal the same wall on both, with all else as the match stands here."""
        self.habits = [self.luck.choice(list(HABITS)) for _ in range(SEATS)]
        kind = "plain"
        if self.number % 2:  # every other match has plain walls, and so lasts longer
            kind = self.luck.choices(list(walls.WALLS), [weight for weight, _, _ in walls.WALLS.values()])[0]
        _, stack, habits = walls.WALLS[kind]
        self.habits = [habit or other for habit, other in zip(habits, self.habits, strict=True)]
        turn = self.luck.randrange(SEATS)
        self.habits = [self.habits[(seat - turn) % SEATS] for seat in range(SEATS)]
        tiles = stack(self.luck)
        tiles[:52] = [tile for seat in range(SEATS) for tile in tiles[13 * ((seat - turn) % 4) :][:13]]
        state, dealer = self.state, int(self.state.kyoku) % 4
        hands = [tiles[13 * seat : 13 * seat + 13] for seat in range(SEATS)]
        rest = tiles[52:]
        ours = [tile for place in range(SEATS) for tile in hands[(dealer + place) % SEATS]] + rest
        faces = np.array([FACE[tile] for tile in ours], np.uint8)
        start_deal(state, state.kyoku, state.honba, state.sticks, state.points.copy(), faces)
        self.finished = int(state.finished)
        self.report.deals += 1
        self.report.met[f"wall: {kind}"] += 1
        return self.theirs.reset(
            oya=dealer, wall=walls.as_dealt(hands, rest, dealer), round_wind=int(state.kyoku) // 4,
            scores=state.points.tolist(), honba=int(state.honba), kyotaku=int(state.sticks),
        )  # fmt: skip

    def play(self) -> Report:
        try:
            self.observations = self.begin_deal()
            while self.now.phase.item() != OVER:
                self.decide()
            self.same("over", True, self.theirs.done())
        except Disagreement as found:
            where = f"hanchan {self.number} deal {int(self.state.finished)} decision {self.report.decisions}"
            self.report.disagreements.append(f"{where}: {found}")
        return self.report

    def decide(self) -> None:
        """One question, to one seat or to all who may claim a tile."""
        self.compare_table()
        asked = self.who_is_asked()
        offered = {seat: {self.action_of(seat, action): action for action in reversed(seen.legal_actions())}
                   for seat, seen in self.observations.items()}  # fmt: skip
        self.compare_legal(asked, {seat: sorted(each) for seat, each in offered.items()})
        self.report.decisions += len(asked)
        chosen = {seat: self.choose(seat, legal) for seat, legal in asked.items()}
        self.note_chances(asked)
        np.copyto(self.before, self.states)
        if any(action in (actions.TSUMO, actions.RON) for action in chosen.values()):
            theirs = self.theirs
            winning = theirs.drawn_tile if self.now.phase.item() not in ASKING else theirs.last_discard[1]
            self.there = theirs.hands, theirs.melds, theirs.wall, theirs.dora_indicators, winning
        self.observations = self.theirs.step({seat: offered[seat][action] for seat, action in chosen.items()})
        asking = self.now.phase.item() in ASKING
        while True:
            GAME.kernels.apply(self.state, chosen[self.now.seat.item()])
            if not asking or self.now.phase.item() not in ASKING:
                break
        self.note_actions(chosen)
        if self.now.finished.item() != self.finished:
            self.end_deal()

    def compare_legal(self, asked: dict, offered: dict) -> None:
        self.same("who is asked", sorted(asked), sorted(offered))
        for seat, legal in asked.items():
            if legal != offered[seat]:
                only_here = [GAME.spaces.actions.names[each].en for each in legal if each not in offered[seat]]
                only_there = [GAME.spaces.actions.names[each].en for each in offered[seat] if each not in legal]
                raise Disagreement(f"legal for {seat}: only here {only_here}, only there {only_there}")

    def end_deal(self) -> None:
        """Compare the wins and payments, then how the match goes on."""
        state = self.state
        log = [event for event in self.theirs.mjai_log if event["type"] in ("hora", "ryukyoku")]
        ended = int(state.ended)
        self.report.met[ENDS[ended]] += 1
        if ended == WON:
            ours = [(int(seat), int(state.win_from)) for seat in state.winners if seat >= 0]
            self.same("winners", ours, [(event["actor"], event["target"]) for event in log])
            for place, (seat, giver) in enumerate(ours):
                self.compare_win(place, seat, giver)
            self.report.met["double ron" if len(ours) == 2 else "tsumo" if ours[0][0] == ours[0][1] else "ron"] += 1
        else:
            self.same("reason", [ENDS[ended]], [event["reason"] for event in log])
        paid = [sum(event["deltas"][seat] for event in log) for seat in range(SEATS)]
        self.same("paid", state.paid.tolist(), paid)
        self.same("match over", state.phase == OVER, self.theirs.done())
        if state.phase == OVER:
            self.same("final points", state.points.tolist(), list(self.theirs.scores()))
            ranks = [int(rank_of(state, seat)) + 1 for seat in range(SEATS)]
            self.same("final places", ranks, list(self.theirs.ranks()))
            self.report.met["over: " + self.how_it_ended()] += 1
            return
        if self.theirs.done():
            return
        there = (self.theirs.round_wind * 4 + self.theirs.oya, self.theirs.honba, self.theirs.riichi_sticks)
        self.same("next deal", (int(state.kyoku), int(state.honba), int(state.sticks)), there)
        self.same("points", state.points.tolist(), list(self.theirs.scores()))
        self.observations = self.begin_deal()

    def how_it_ended(self) -> str:
        state = self.state
        if min(state.points.tolist()) < 0:
            return "bankrupt"
        if state.kyoku < 7:
            return "too many deals"
        if state.kyoku > 7:
            return "extra round"
        return "stopped" if state.winners[0] == 3 or (state.ended != WON and state.ready[3]) else "last deal"

    def compare_win(self, place: int, seat: int, giver: int) -> None:
        """Yaku, han and fu of a win against their evaluator, with the circumstances as they are here."""
        state, before = self.state, self.before[0]
        ours = yaku.numbers_of(state.win_yaku[place])
        self.report.met.update(f"yaku: {yaku.YAKU[number].name.en}" for number in ours)
        if liable_for(before, seat, state.win_yaku[place]) >= 0:
            self.report.met["liability: tsumo" if giver == seat else "liability: ron"] += 1
        self.report.met["yakuman: several"] += sum(yaku.YAKU[number].closed == 13 for number in ours) > 1
        seen = {number - (number - yaku.SEAT_EAST) % 4 if yaku.SEAT_EAST <= number <= yaku.ROUND_NORTH else number
                for number in map(int, ours)}  # they name no wind  # fmt: skip
        theirs = self.evaluate(before, seat, seat == giver)
        if int(state.win_han[place]) < 13:
            self.same("han and fu", (int(state.win_han[place]), int(state.win_fu[place])), (theirs.han, theirs.fu))
        numbers = {get_yaku_by_id(each).tenhou_id for each in theirs.yaku} - {52, 53, 54}
        self.same("yaku", seen, numbers)

    def evaluate(self, before, seat: int, tsumo: bool):
        """Their value of a win: with the circumstances as they were here before it."""
        hands, melds, wall, dora, winning = self.there
        tiles = [tile for tile in hands[seat] if tile != winning]
        under = 5 - int(before.kans)  # their wall loses a tile at the front with each kan
        ura = [wall[under + 2 * i] for i in range(len(dora))] if before.riichi[seat] else []
        last = int(left_in_wall(before)) == 0
        conditions = Conditions(
            tsumo=tsumo, riichi=bool(before.riichi[seat]), double_riichi=before.riichi[seat] == 2,
            ippatsu=bool(before.ippatsu[seat]), haitei=last and tsumo and not before.replaced,
            houtei=last and before.phase == CLAIM, rinshan=tsumo and bool(before.replaced),
            chankan=before.phase == ROB, player_wind=WINDS[(seat - int(before.kyoku)) % 4],
            round_wind=WINDS[int(before.kyoku) // 4],
            tsumo_first_turn=tsumo and bool(before.untouched) and before.discards[seat] == 0,
        )  # fmt: skip
        return HandEvaluator(tiles, melds[seat]).calc(winning, dora, ura, conditions)

    # --- what was met ---

    def note_chances(self, asked: dict) -> None:
        """Count what was possible, and why somebody could not win who waits for the tile."""
        met, now = self.report.met, self.now
        phase = now.phase.item()
        met["may: nine"] += phase not in ASKING and any(actions.NINE in legal for legal in asked.values())
        if phase == ROB:
            met["may: rob a kan"] += 1
        elif phase == CLAIM:
            met["may: ron"] += sum(actions.RON in legal for legal in asked.values())
            kind, waits = KIND[now.tile.item()], now.waits.tolist()
            for seat in range(SEATS):
                if waits[seat] >> kind & 1 and seat != now.discarder.item() and actions.RON not in asked.get(seat, ()):
                    if waits[seat] & now.thrown[seat].item():
                        met["furiten: own discard"] += 1
                    elif waits[seat] & now.missed[seat].item():
                        met["furiten: in riichi" if now.riichi[seat] else "furiten: until the next discard"] += 1
                    else:
                        met["no yaku"] += 1

    def note_actions(self, chosen: dict) -> None:
        met, before = self.report.met, self.before[0]
        for seat, action in chosen.items():
            if action == actions.RIICHI:
                met["riichi"] += 1
            elif actions.CHI <= action <= actions.OPEN_KAN:
                met["open kan" if action == actions.OPEN_KAN else "chi" if action < actions.PON else "pon"] += 1
            elif actions.KAN <= action < actions.TSUMO:
                kind = action - int(actions.KAN)
                closed = before.hand[seat, kind] >= 3
                met["closed kan in riichi" if before.riichi[seat] else "closed kan" if closed else "added kan"] += 1


def play_all(first: int, last: int, seconds: float = math.inf) -> Report:
    """Hanchan first to last - 1, as many as there is time for."""
    total, began = Report(), time.monotonic()
    for number in range(first, last):
        if time.monotonic() - began < seconds:
            total.add(Match(number).play())
    return total


if __name__ == "__main__":
    found = play_all(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]))
    print(json.dumps({**found.__dict__, "met": dict(sorted(found.met.items()))}, indent=1))
