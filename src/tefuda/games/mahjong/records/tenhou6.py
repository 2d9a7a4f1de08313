"""Write tenhou/6 JSON, which Tenhou's viewer and many reviewers open.

A deal is a list: its counters, points, indicators, ura, then for each seat the hand, what it took and what it gave,
and the result. Tiles are 11 to 19 (m), 21 to 29 (p), 31 to 39 (s), 41 to 47 (honours), 51 to 53 (red fives). A call is
text: the letter stands before the claimed tile, whose place says from whom it came; 60 is the tile just drawn.
"""

import json
from typing import Any

from tefuda.games.mahjong.actions import kind_of_face
from tefuda.games.mahjong.options import HANCHAN
from tefuda.games.mahjong.records import paifu
from tefuda.games.mahjong.records.paifu import Deal, Event, Match, Win
from tefuda.games.mahjong.score import base_points, ron_points, tsumo_points
from tefuda.games.mahjong.state import (
    EXHAUSTED,
    FOUR_KANS,
    FOUR_RIICHI,
    FOUR_WINDS,
    NAGASHI,
    NINE_TERMINALS,
    SEATS,
    TRIPLE_RON,
)
from tefuda.games.mahjong.tiles import KINDS
from tefuda.games.mahjong.yaku import LIMIT, YAKU, YAKUMAN, numbers_of

TSUMOGIRI = 60
DRAWS = {
    EXHAUSTED: "流局", NAGASHI: "流し満貫", NINE_TERMINALS: "九種九牌", FOUR_WINDS: "四風連打", FOUR_RIICHI: "四家立直",
    FOUR_KANS: "四槓散了", TRIPLE_RON: "三家和了",
}  # fmt: skip
LIMITS = ((LIMIT, "役満"), (11, "三倍満"), (8, "倍満"), (6, "跳満"), (5, "満貫"))
DORA_NAMES = ("ドラ", "赤ドラ", "裏ドラ")


def number(face: int) -> int:
    """A face as tenhou/6 writes it."""
    return 51 + face - KINDS if face >= KINDS else 10 * (face // 9 + 1) + face % 9 + 1


def write(match: Match) -> str:
    """A match as one object of JSON."""
    long = match.rules.values["length"] == HANCHAN
    red = match.rules.values["red"]
    log: dict[str, Any] = {
        "title": [match.name, ""],
        "name": list(match.players),
        "rule": {"disp": f"般{'南' if long else '東'}{'喰' if match.rules.values['open_tanyao'] else ''}{'赤' * red}",
                 "aka": red},
        "log": [deal_of(deal) for deal in match.deals],
    }  # fmt: skip
    if match.points and match.scores:
        log["sc"] = [value for pair in zip(match.points, match.scores, strict=True) for value in pair]
    return json.dumps(log, ensure_ascii=False, separators=(",", ":"))


def deal_of(deal: Deal) -> list[Any]:
    """One deal."""
    took: list[list[Any]] = [[] for _ in range(SEATS)]
    gave: list[list[Any]] = [[] for _ in range(SEATS)]
    pons: dict[tuple[int, int], Event] = {}
    riichi = False
    for event in deal.events:
        if event.type == paifu.DRAW:
            took[event.seat].append(number(event.tile))
        elif event.type == paifu.DISCARD:
            tile = TSUMOGIRI if event.tsumogiri else number(event.tile)
            gave[event.seat].append(f"r{tile}" if riichi else tile)
        elif event.type in (paifu.CHI, paifu.PON, paifu.OPEN_KAN):
            took[event.seat].append(call_text(event))
            if event.type == paifu.PON:
                pons[event.seat, int(kind_of_face(event.tile))] = event
            elif event.type == paifu.OPEN_KAN:
                gave[event.seat].append(0)  # the place of the discard that does not follow the call at once
        elif event.type == paifu.CLOSED_KAN:
            own = [number(face) for face in event.own]
            gave[event.seat].append(f"{own[3]}{own[2]}{own[1]}a{own[0]}")
        elif event.type == paifu.ADDED_KAN:
            gave[event.seat].append(added_text(event, pons[event.seat, int(kind_of_face(event.tile))]))
        riichi = event.type == paifu.RIICHI or (riichi and event.type == paifu.DORA)
    head = [
        [deal.kyoku, deal.honba, deal.sticks], list(deal.points), [number(face) for face in deal.indicators],
        [number(face) for face in deal.ura],
    ]  # fmt: skip
    for seat in range(SEATS):
        head += [[number(face) for face in deal.hands[seat]], took[seat], gave[seat]]
    return [*head, result_of(deal)]


def call_text(event: Event) -> str:
    """A call: the claimed tile stands at the left, in the middle or at the right, as it came from that side."""
    own = [str(number(face)) for face in event.own]
    distance = (event.source - event.seat) % SEATS  # 3: the seat before, at the left
    letter = {paifu.CHI: "c", paifu.PON: "p", paifu.OPEN_KAN: "m"}[event.type]
    place = 0 if distance == 3 else 1 if distance == 2 else len(own)
    own.insert(place, f"{letter}{number(event.tile)}")
    return "".join(own)


def added_text(event: Event, pon: Event) -> str:
    """The added tile lies on the one that was claimed for the pon."""
    text = call_text(pon)
    return text.replace("p", f"k{number(event.tile)}")


def result_of(deal: Deal) -> list[Any]:
    if not deal.wins:
        if deal.ended == EXHAUSTED and deal.ready is not None and sum(deal.ready) in (0, SEATS):
            return ["全員聴牌" if sum(deal.ready) else "全員不聴", list(deal.paid or (0,) * SEATS)]
        return [DRAWS.get(deal.ended or 0, "流局"), list(deal.paid or (0,) * SEATS)]
    result: list[Any] = ["和了"]
    for win in deal.wins:
        names = yaku_texts(win, is_open(deal, win.seat))
        result += [list(win.paid or ()), [win.seat, win.source, win.seat, points_text(deal, win), *names]]
    return result


def is_open(deal: Deal, seat: int) -> bool:
    calls = (paifu.CHI, paifu.PON, paifu.OPEN_KAN)
    return any(event.seat == seat and event.type in calls for event in deal.events)


def yaku_texts(win: Win, called: bool) -> list[str]:
    """Yaku with their han, dora last."""
    texts = []
    for each in numbers_of(win.yaku or 0):
        worth = YAKU[each].open if called else YAKU[each].closed
        texts.append(f"{YAKU[each].name.ja}({'役満' if worth == LIMIT else f'{worth}飜'})")
    if not (win.yaku or 0) & int(YAKUMAN):
        texts += [f"{name}({dora}飜)" for name, dora in zip(DORA_NAMES, win.dora or (0, 0, 0), strict=True) if dora]
    return texts


def points_text(deal: Deal, win: Win) -> str:
    """`30符2飜2000点`, `満貫2000-4000点`: what was paid without counters."""
    han, fu = win.han or 0, win.fu or 0
    yakuman = bin((win.yaku or 0) & int(YAKUMAN)).count("1")
    base = 8000 * yakuman if yakuman else int(base_points(han, fu, False))
    name = next((name for least, name in LIMITS if han >= least), "満貫" if base >= 2000 else f"{fu}符{han}飜")
    dealer = deal.kyoku % SEATS == win.seat
    if win.seat != win.source:
        return f"{name}{int(ron_points(base, dealer))}点"
    if dealer:
        return f"{name}{int(tsumo_points(base, True))}点∀"
    return f"{name}{int(tsumo_points(base, False))}-{int(tsumo_points(base, True))}点"
