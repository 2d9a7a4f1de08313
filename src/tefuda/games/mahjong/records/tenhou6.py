"""Write tenhou/6 JSON, which Tenhou's viewer and many reviewers open.

A deal is a list: its counters, points, indicators, ura, then for each seat the hand, what it took and what it gave,
and the result. Tiles are 11 to 19 (m), 21 to 29 (p), 31 to 39 (s), 41 to 47 (honours), 51 to 53 (red fives). A call is
text: the letter stands before the claimed tile, whose place says from whom it came; 60 is the tile just drawn.
"""

import json
from collections.abc import Iterator
from typing import Any

from tefuda.games.mahjong.options import HANCHAN, RULEBOOK
from tefuda.games.mahjong.records import paifu
from tefuda.games.mahjong.records.holding import KIND, Holding
from tefuda.games.mahjong.records.outcome import limit_of, points_of, shares_of, yaku_of_win
from tefuda.games.mahjong.records.paifu import Deal, Event, Match, Statement, Win
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
from tefuda.games.mahjong.yaku import LIMIT, YAKU

FORMAT = "tenhou6"
TSUMOGIRI = 60
NO_DISCARD = 0  # after an open kan, the place of the discard that does not follow the call at once
WON, ALL_READY, NONE_READY = "和了", "全員聴牌", "全員不聴"
DRAWS = {
    EXHAUSTED: "流局", NAGASHI: "流し満貫", NINE_TERMINALS: "九種九牌", FOUR_WINDS: "四風連打", FOUR_RIICHI: "四家立直",
    FOUR_KANS: "四槓散了", TRIPLE_RON: "三家和了",
}  # fmt: skip
OTHER_NAMES = {"四開槓": "四槓散了", "三家和": "三家和了"}  # of draws, by other writers
LIMITS = ("", "満貫", "跳満", "倍満", "三倍満", "役満")
DORA_NAMES = ("ドラ", "赤ドラ", "裏ドラ")
NO_HAN = "(0飜)"
LETTERS = {paifu.CHI: "c", paifu.PON: "p", paifu.OPEN_KAN: "m"}
PARTS = (
    "counters", "points", "dora indicators", "ura indicators",
    *(f"{what} of seat {seat}" for seat in range(SEATS) for what in ("hand", "draws and calls", "discards and kans")),
    "result",
)  # fmt: skip


def number(face: int) -> int:
    """A face as tenhou/6 writes it."""
    return 51 + face - KINDS if face >= KINDS else 10 * (face // 9 + 1) + face % 9 + 1


def plain_rules(disp: str, red: bool) -> tuple[str, list[str]]:
    """The preset and its changes, as far as the name of the rules tells them."""
    told = "東" in disp or "南" in disp
    open_tanyao = "喰" in disp or not told
    preset = "tonpuu" if "東" in disp and "南" not in disp else "hanchan"
    return preset, [f"red={'yes' if red else 'no'}", f"open_tanyao={'yes' if open_tanyao else 'no'}"]


def write(match: Match) -> str:
    """A match as one line of JSON."""
    values = match.rules.values
    red = values["red"]
    disp = f"般{'南' if values['length'] == HANCHAN else '東'}{'喰' if values['open_tanyao'] else ''}{'赤' * red}"
    rule: dict[str, Any] = {"disp": disp, "aka": red}
    preset, changes = plain_rules(disp, bool(red))
    if RULEBOOK.make(preset, [*changes, f"rounded={'yes' if values['rounded'] else 'no'}"]).values != values:
        rule["rules"] = str(match.rules)  # what tenhou/6 has no words for
    log: dict[str, Any] = {
        "title": [match.name, ""],
        "name": list(match.players),
        "rule": rule,
        "log": [deal_of(deal) for deal in match.deals],
    }
    if match.points and match.scores:
        log["sc"] = [value for pair in zip(match.points, match.scores, strict=True) for value in pair]
    return json.dumps(log, ensure_ascii=False, separators=(",", ":")) + "\n"


def statements(deal: Deal, holding: Holding) -> Iterator[Statement]:
    """A deal as one statement of all its parts; no hand is shown when it ends."""
    yield Statement(len(deal.events), "the deal", dict(zip(PARTS, deal_of(deal), strict=True)))


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
        elif event.type in LETTERS:
            took[event.seat].append(call_text(event))
            if event.type == paifu.PON:
                pons[event.seat, KIND[event.tile]] = event
            elif event.type == paifu.OPEN_KAN:
                gave[event.seat].append(NO_DISCARD)
        elif event.type == paifu.CLOSED_KAN:
            own = [number(face) for face in event.own]
            gave[event.seat].append(f"{own[3]}{own[2]}{own[1]}a{own[0]}")
        elif event.type == paifu.ADDED_KAN:
            gave[event.seat].append(added_text(event, pons[event.seat, KIND[event.tile]]))
        riichi = event.type == paifu.RIICHI or (riichi and event.type == paifu.DORA)
    head = [
        [deal.kyoku, deal.honba, deal.sticks], list(deal.points), [number(face) for face in deal.indicators],
        [number(face) for face in deal.ura] if any(win.riichi for win in deal.wins) else [],
    ]  # fmt: skip
    for seat in range(SEATS):
        head += [[number(face) for face in deal.hands[seat]], took[seat], gave[seat]]
    return [*head, result_of(deal)]


def call_text(event: Event) -> str:
    """A call: the claimed tile stands at the left, in the middle or at the right, as it came from that side."""
    own = [str(number(face)) for face in event.own]
    distance = (event.source - event.seat) % SEATS  # 3: the seat before, at the left
    place = 0 if distance == 3 else 1 if distance == 2 else len(own)
    own.insert(place, f"{LETTERS[event.type]}{number(event.tile)}")
    return "".join(own)


def added_text(event: Event, pon: Event) -> str:
    """The added tile lies on the one that was claimed for the pon."""
    text = call_text(pon)
    return text.replace("p", f"k{number(event.tile)}")


def result_of(deal: Deal) -> list[Any]:
    if not deal.wins:
        if deal.ended == EXHAUSTED and sum(deal.ready) in (0, SEATS):
            return [ALL_READY if sum(deal.ready) else NONE_READY, list(deal.paid)]
        return [DRAWS[deal.ended or EXHAUSTED], list(deal.paid)]
    result: list[Any] = [WON]
    for win in deal.wins:
        names = yaku_texts(win, is_open(deal, win.seat))
        liable = win.liable if win.liable >= 0 else win.seat
        result += [list(win.paid), [win.seat, win.source, liable, points_text(deal, win), *names]]
    return result


def is_open(deal: Deal, seat: int) -> bool:
    return any(event.seat == seat and event.type in paifu.CALLS for event in deal.events)


def yaku_texts(win: Win, called: bool) -> list[str]:
    """Yaku with their han, dora last."""
    found, dora = yaku_of_win(win, called)
    texts = [f"{YAKU[each].name.ja}({'役満' if han == LIMIT else f'{han}飜'})" for each, han in found]
    return texts + [f"{name}({han}飜)" for name, han in zip(DORA_NAMES, dora, strict=True) if han]


def points_text(deal: Deal, win: Win) -> str:
    """`30符2飜2000点`, `満貫2000-4000点`: what was paid without counters."""
    dealer = deal.kyoku % SEATS
    name = LIMITS[limit_of(win)] or f"{win.fu}符{win.han}飜"
    if win.seat != win.source:
        return f"{name}{points_of(win, dealer)}点"
    others, of_dealer = shares_of(win, dealer)
    return f"{name}{others}点∀" if win.seat == dealer else f"{name}{others}-{of_dealer}点"


# Comparing.


def same(name: str, key: str, mine: Any, theirs: Any) -> bool:
    """Whether two values of a part of a deal say the same."""
    if key.startswith("hand"):
        return sorted(mine) == sorted(theirs)
    return key == "result" and (canonical(mine) == canonical(theirs) or _same_draw(mine, theirs))


def canonical(result: list[Any]) -> list[Any]:
    """A result without what says nothing: the order of yaku, and ura that there are none of."""
    if result[0] != WON:
        return [OTHER_NAMES.get(result[0], result[0]), *result[1:]]
    told: list[Any] = [WON]
    for paid, worth in zip(result[1::2], result[2::2], strict=True):
        yaku = sorted(each for each in worth[4:] if not each.endswith(NO_HAN))
        told += [paid, worth[:4], yaku]
    return told


def _same_draw(mine: list[Any], theirs: list[Any]) -> bool:
    """A draw at which nobody pays may be told without payments, and not whether all or none were ready."""
    if WON in (mine[0], theirs[0]) or any(mine[1]):
        return False
    name = OTHER_NAMES.get(theirs[0], theirs[0])
    plain = mine[0] in (ALL_READY, NONE_READY) and name == DRAWS[EXHAUSTED]
    return (name == mine[0] or plain) and theirs[1:] in ([], [mine[1]])
