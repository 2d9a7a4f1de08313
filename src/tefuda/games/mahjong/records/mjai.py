"""Write mjai: one event a line as JSON, the protocol of mahjong programs.

Tiles are 1m to 9s, 5mr for a red five, E S W N for the winds, P F C for the white, green and red dragon. There are
lean writers of mjai and full ones. We write all that both have; what a record leaves out is not compared.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from tefuda.games.mahjong.legal import STICK
from tefuda.games.mahjong.options import HANCHAN, RULEBOOK
from tefuda.games.mahjong.records import paifu
from tefuda.games.mahjong.records.holding import KIND, WITH_RED, WITHOUT_RED, Holding, held_at_end, numbered, with_dora
from tefuda.games.mahjong.records.outcome import points_of, riichi_paid, shown_at_draw, with_riichi, yaku_of_win
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

FORMAT = "mjai"
TILES = [f"{number}{suit}" for suit in "mps" for number in range(1, 10)] + list("ESWNPFC") + ["5mr", "5pr", "5sr"]
FACES = {name: face for face, name in enumerate(TILES)}
HIDDEN = "?"
WINDS = "ESWN"
REASONS = {
    EXHAUSTED: "fanpai", NAGASHI: "nagashimangan", NINE_TERMINALS: "kyushukyuhai", FOUR_WINDS: "sufonrenta",
    FOUR_RIICHI: "suchareach", FOUR_KANS: "sukaikan", TRIPLE_RON: "sanchaho",
}  # fmt: skip
CALLS = {paifu.CHI: "chi", paifu.PON: "pon", paifu.OPEN_KAN: "daiminkan"}
YAKU = (  # by Tenhou's numbers, as the first server of mjai spells them
    "menzenchin_tsumoho", "reach", "ippatsu", "chankan", "rinshankaiho", "haiteiraoyue", "hoteiraoyui", "pinfu",
    "tanyaochu", "ipeko", *["jikaze"] * 4, *["bakaze"] * 4, *["sangenpai"] * 3, "double_reach", "chitoitsu",
    "honchantaiyao", "ikkitsukan", "sanshokudojun", "sanshokudoko", "sankantsu", "toitoiho", "sananko", "shosangen",
    "honroto", "ryanpeko", "junchantaiyao", "honiso", "chiniso", "renho", "tenho", "chiho", "daisangen", "suanko",
    "suanko", "tsuiso", "ryuiso", "chinroto", "churenpoton", "churenpoton", "kokushimuso", "kokushimuso", "daisushi",
    "shosushi", "sukantsu",
)  # fmt: skip
DORA = ("dora", "akadora", "uradora")
TONPUU_FIRST = 4  # kyoku_first of a match of the east round only
YAKUMAN_FAN = 100  # some writers count a yakuman so
YAKUMAN_HAN = 13


def names(faces: Iterable[int]) -> list[str]:
    return [TILES[face] for face in faces]


def write(match: Match) -> str:
    """A match as lines of mjai."""
    return "".join(json.dumps(event, separators=(",", ":"), ensure_ascii=False) + "\n" for event in events(match))


def events(match: Match) -> Iterator[dict[str, Any]]:
    """The events of a match."""
    values = match.rules.values
    first, red = 0 if values["length"] == HANCHAN else TONPUU_FIRST, bool(values["red"])
    start: dict[str, Any] = {
        "type": "start_game", "names": list(match.players), "kyoku_first": first, "aka_flag": red
    }  # fmt: skip
    if RULEBOOK.make(*plain_rules(first, red)).values != values:
        start["rules"] = str(match.rules)  # what mjai has no words for
    yield start
    for deal in match.deals:
        deal.numbers = deal.numbers or numbered(deal, bool(values["red"]))
        for statement in statements(deal, held_at_end(deal, deal.numbers), with_indicators=True):
            yield {"type": statement.name, **_told(deal, statement)}
        yield {"type": "end_kyoku"}
    yield {"type": "end_game", **({"scores": list(match.points)} if match.points else {})}


def ending(deal: Deal, red: bool) -> Iterator[dict[str, Any]]:
    """The events that end a deal: each win, or that it is drawn."""
    deal.numbers = deal.numbers or numbered(deal, red)
    for statement in statements(deal, held_at_end(deal, deal.numbers)):
        if statement.name in ("hora", "ryukyoku"):
            yield {"type": statement.name, **_told(deal, statement)}


def plain_rules(kyoku_first: int = 0, aka_flag: bool = True) -> tuple[str, list[str]]:
    """The preset and its changes, as far as start_game can tell them."""
    return "tonpuu" if kyoku_first == TONPUU_FIRST else "hanchan", [f"red={'yes' if aka_flag else 'no'}"]


def _told(deal: Deal, statement: Statement) -> dict[str, Any]:
    """What is written of a statement: at a draw, the hands that are not shown are hidden."""
    if statement.name != "ryukyoku":
        return statement.fields
    hands, shown = statement.fields["tehais"], shown_at_draw(deal)
    told = [hand if seat in shown else [HIDDEN] * len(hand) for seat, hand in enumerate(hands)]
    return {**statement.fields, "tehais": told}


def start_of(deal: Deal) -> dict[str, Any]:
    return {
        "bakaze": WINDS[deal.kyoku // SEATS], "dora_marker": TILES[deal.indicators[0]], "kyoku": deal.kyoku % SEATS + 1,
        "honba": deal.honba, "kyotaku": deal.sticks, "oya": deal.kyoku % SEATS, "scores": list(deal.points),
        "tehais": [names(hand) for hand in deal.hands],
    }  # fmt: skip


def statements(deal: Deal, holding: Holding, with_indicators: bool = False) -> Iterator[Statement]:
    """All events of a deal that is over; `holding` is who held what then. Servers differ in when they turn indicators,
    so that these are left out where records are compared: how many there are is compared apart."""
    yield Statement(0, "start_kyoku", start_of(deal))
    paid, seats = riichi_paid(deal), []
    move, place = -1, 0
    for place, event, own in with_dora(deal):
        if event.type == paifu.DORA:
            if with_indicators:
                yield Statement(place, "dora", fields_of(event))
            continue
        move += 1
        fields = fields_of(event)
        if event.type == paifu.ADDED_KAN:
            pon = holding.added_to(event.seat, own[0]).event
            fields["consumed"] = names((pon.tile, *pon.own))
        yield Statement(place, type_of(event), fields)
        if event.type == paifu.DISCARD and move in paid:
            seats.append(event.seat)
            deltas = [-STICK if seat == event.seat else 0 for seat in range(SEATS)]
            scores = list(with_riichi(deal.points, seats))
            yield Statement(place, "reach_accepted", {"actor": event.seat, "deltas": deltas, "scores": scores})
    yield from _end(deal, holding, place, with_riichi(deal.points, seats))


def _end(deal: Deal, holding: Holding, place: int, points: tuple[int, ...]) -> Iterator[Statement]:
    faces = WITH_RED if any(face >= KINDS for face in _all_faces(deal)) else WITHOUT_RED
    hands = [names(faces[number] for number in sorted(hand)) for hand in holding.hands]
    for win in deal.wins:
        points = tuple(map(sum, zip(points, win.paid, strict=True)))
        hand = list(hands[win.seat])
        if win.seat == win.source:
            hand.remove(TILES[win.tile])
        hand.append(TILES[win.tile])
        called = any(meld.event.type in paifu.CALLS for meld in holding.melds[win.seat])
        yield Statement(place, "hora", {
            "actor": win.seat, "target": win.source, "pai": TILES[win.tile],
            "ura_markers": names(deal.ura) if win.riichi else [], "hora_tehais": hand, "yakus": _yaku(win, called),
            "fu": win.fu, "fan": win.han, "hora_points": points_of(win, deal.kyoku % SEATS), "deltas": list(win.paid),
            "scores": list(points),
        })  # fmt: skip
    if not deal.wins:
        points = tuple(map(sum, zip(points, deal.paid, strict=True)))
        fields: dict[str, Any] = {"reason": REASONS[deal.ended or EXHAUSTED], "tehais": hands}
        if deal.ready:
            fields["tenpais"] = [bool(each) for each in deal.ready]
        yield Statement(place, "ryukyoku", {**fields, "deltas": list(deal.paid), "scores": list(points)})


def _all_faces(deal: Deal) -> Iterator[int]:
    for hand in deal.hands:
        yield from hand
    yield from (event.tile for event in deal.events)


def _yaku(win: Win, called: bool) -> list[list[Any]]:
    """Names and han, dora last."""
    found, dora = yaku_of_win(win, called)
    return [[YAKU[number], han] for number, han in found] + [
        [name, han] for name, han in zip(DORA, dora, strict=True) if han
    ]


def type_of(event: Event) -> str:
    return {
        paifu.DRAW: "tsumo", paifu.DISCARD: "dahai", paifu.RIICHI: "reach", paifu.DORA: "dora",
        paifu.CLOSED_KAN: "ankan", paifu.ADDED_KAN: "kakan", **CALLS,
    }[event.type]  # fmt: skip


def fields_of(event: Event) -> dict[str, Any]:
    """What one event says, but for its type."""
    if event.type == paifu.DORA:
        return {"dora_marker": TILES[event.tile]}
    fields: dict[str, Any] = {"actor": event.seat}
    if event.type in CALLS:
        fields["target"] = event.source
    if event.type not in (paifu.RIICHI, paifu.CLOSED_KAN):
        fields["pai"] = TILES[event.tile]
    if event.type == paifu.DISCARD:
        fields["tsumogiri"] = event.tsumogiri
    if event.type in CALLS or event.type == paifu.CLOSED_KAN:
        fields["consumed"] = names(event.own)
    elif event.type == paifu.ADDED_KAN:
        fields["consumed"] = _others(event.tile)
    return fields


def event_of(event: Event) -> dict[str, Any]:
    """One event of a deal."""
    return {"type": type_of(event), **fields_of(event)}


def _others(face: int) -> list[str]:
    """The three tiles to which a fourth is added."""
    kind = KIND[face]
    red = kind < 27 and kind % 9 == 4 and face < KINDS
    return [TILES[kind], TILES[kind], TILES[KINDS + kind // 9] if red else TILES[kind]]


# Comparing.


def same(name: str, key: str, mine: Any, theirs: Any) -> bool:
    """Whether two values of a field say the same."""
    if (name, key) == ("ryukyoku", "tehais"):
        return len(theirs) == SEATS and all(map(_same_hand, mine, theirs))
    if key == "tehais":
        return [sorted(hand) for hand in mine] == [sorted(hand) for hand in theirs]
    if key == "hora_tehais":  # some writers leave the winning tile out, which is our last
        return sorted(theirs) in (sorted(mine), sorted(mine[:-1]))
    if key == "consumed":
        return sorted(mine) == sorted(theirs)
    if key == "fan":
        return mine == _han(theirs)
    if key == "yakus":
        given = sorted([name, _han(han)] for name, han in theirs)
        known = all(name in YAKU or name in DORA for name, _ in given)
        return sorted(mine) == given if known else sum(han for _, han in mine) == sum(han for _, han in given)
    return key == "reason" and theirs == ""


def _same_hand(mine: list[str], theirs: list[str]) -> bool:
    """A hand that is not shown is empty, or hidden tiles."""
    hidden = not set(theirs) - {HIDDEN} and len(theirs) in (0, len(mine))
    return hidden or sorted(mine) == sorted(theirs)


def _han(han: int) -> int:
    return YAKUMAN_HAN * (han // YAKUMAN_FAN) if han >= YAKUMAN_FAN else han
