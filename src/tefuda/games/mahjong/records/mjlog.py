"""Read Tenhou's mjlog XML 2.3.

Tiles are 0 to 135; a call is packed into one number. Draws are <T…> to <W…> of the seats 0 to 3, discards <D…> to <G…>.
"""

from xml.etree import ElementTree

from tefuda.contract import Rules
from tefuda.errors import Problem
from tefuda.games.mahjong.actions import red_of_kind
from tefuda.games.mahjong.options import RULEBOOK
from tefuda.games.mahjong.records import paifu
from tefuda.games.mahjong.records.paifu import Deal, Event, Match, Win
from tefuda.games.mahjong.state import (
    EXHAUSTED,
    FOUR_KANS,
    FOUR_RIICHI,
    FOUR_WINDS,
    NAGASHI,
    NINE_TERMINALS,
    SEATS,
    TRIPLE_RON,
    WON,
)
from tefuda.games.mahjong.tiles import RED_FIVES

# Bits of the type of a match.
NO_RED, NO_OPEN_TANYAO, HANCHAN, THREE_PLAYERS = 0x02, 0x04, 0x08, 0x10
ENDS = {
    None: EXHAUSTED, "nm": NAGASHI, "yao9": NINE_TERMINALS, "kaze4": FOUR_WINDS, "reach4": FOUR_RIICHI,
    "kan4": FOUR_KANS, "ron3": TRIPLE_RON,
}  # fmt: skip
DORA, URA, RED = 52, 53, 54  # the yaku numbers of dora
DRAWS, DISCARDS = "TUVW", "DEFG"


def numbers(text: str | None) -> list[int]:
    return [int(part) for part in text.split(",")] if text else []


class Faces:
    """What tiles look like: with red fives or without."""

    def __init__(self, red: bool) -> None:
        self.of = [red_of_kind(tile // 4) if red and tile in RED_FIVES else tile // 4 for tile in range(136)]

    def all(self, tiles: list[int]) -> tuple[int, ...]:
        return tuple(self.of[tile] for tile in tiles)


def call_of(seat: int, packed: int, faces: Faces) -> Event:
    """A call from its packed number."""
    source = (seat + (packed & 3)) % SEATS
    if packed & 4:
        base, place = divmod(packed >> 10, 3)
        lowest = base // 7 * 9 + base % 7
        tiles = [4 * (lowest + i) + (packed >> (3 + 2 * i) & 3) for i in range(3)]
        return _claim(paifu.CHI, seat, source, tiles, place, faces)
    if packed & 24:
        kind, place = divmod(packed >> 9, 3)
        fourth = 4 * kind + (packed >> 5 & 3)
        if packed & 16:
            return Event(paifu.ADDED_KAN, seat, faces.of[fourth])
        tiles = [tile for tile in range(4 * kind, 4 * kind + 4) if tile != fourth]
        return _claim(paifu.PON, seat, source, tiles, place, faces)
    if packed & 32:
        raise Problem("a north tile was set aside: this is a record of three-player mahjong, but four must play")
    tile = packed >> 8
    tiles = list(range(tile // 4 * 4, tile // 4 * 4 + 4))
    if packed & 3 == 0:
        return Event(paifu.CLOSED_KAN, seat, tile // 4, own=faces.all(tiles))
    return _claim(paifu.OPEN_KAN, seat, source, tiles, tile % 4, faces)


def _claim(kind: int, seat: int, source: int, tiles: list[int], place: int, faces: Faces) -> Event:
    own = faces.all(tiles[:place] + tiles[place + 1 :])
    return Event(kind, seat, faces.of[tiles[place]], own=own, source=source)


def win_of(attributes: dict[str, str], faces: Faces) -> Win:
    fu, _, _ = numbers(attributes["ten"])
    yaku, han, dora = 0, 0, {DORA: 0, RED: 0, URA: 0}
    pairs = numbers(attributes.get("yaku"))
    for number, worth in zip(pairs[::2], pairs[1::2], strict=True):
        if number in dora:
            dora[number] += worth
        else:
            yaku |= 1 << number
        han += worth
    for number in numbers(attributes.get("yakuman")):
        yaku |= 1 << number
        han += 13
    yakuman = "yakuman" in attributes
    return Win(
        int(attributes["who"]), int(attributes["fromWho"]), faces.of[int(attributes["machi"])],
        tuple(100 * paid for paid in numbers(attributes["sc"])[1::2]), yaku, han, None if yakuman else fu,
        None if yakuman else (dora[DORA], dora[RED], dora[URA]),
    )  # fmt: skip


def _begin(attributes: dict[str, str], faces: Faces) -> Deal:
    kyoku, honba, sticks, _, _, indicator = numbers(attributes["seed"])
    hands = tuple(faces.all(numbers(attributes[f"hai{seat}"])) for seat in range(SEATS))
    points = tuple(100 * each for each in numbers(attributes["ten"]))
    return Deal(kyoku, honba, sticks, points, hands, [faces.of[indicator]])


def _end(deal: Deal, attributes: dict[str, str], faces: Faces, won: bool) -> None:
    paid = numbers(attributes["sc"])[1::2]
    before = deal.paid or (0,) * SEATS
    deal.paid = tuple(had + 100 * more for had, more in zip(before, paid, strict=True))
    if won:
        deal.ended = WON
        deal.wins.append(win_of(attributes, faces))
        ura = faces.all(numbers(attributes.get("doraHaiUra")))
        if len(ura) > len(deal.ura):
            deal.ura = list(ura)
        return
    deal.ended = ENDS.get(attributes.get("type"), -1)
    if deal.ended in (EXHAUSTED, NAGASHI):
        deal.ready = tuple(int(f"hai{seat}" in attributes) for seat in range(SEATS))


def rules_of(kind: int, rounded: bool) -> Rules:
    """The rules from the number that Tenhou has for them."""
    if kind & THREE_PLAYERS:
        raise Problem("this is a record of three-player mahjong, but four must play")
    changes = [f"red={'no' if kind & NO_RED else 'yes'}", f"open_tanyao={'no' if kind & NO_OPEN_TANYAO else 'yes'}"]
    changes.append(f"rounded={'yes' if rounded else 'no'}")
    return RULEBOOK.make("hanchan" if kind & HANCHAN else "tonpuu", changes)


def read(text: str, name: str = "") -> Match:
    """A match from the text of one mjlog."""
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise Problem(f"{name}: not a whole mjlog: {error}") from error
    if root.tag != "mjloggm":
        raise Problem(f"{name}: the first tag of an mjlog is mjloggm, but here it is {root.tag}")
    try:
        return _read(root, name)
    except (KeyError, IndexError, ValueError) as error:
        raise Problem(f"{name}: the mjlog is damaged: {type(error).__name__} {error}") from error


def _read(root: ElementTree.Element, name: str) -> Match:
    start = root.find("GO")
    if start is None:
        raise Problem(f"{name}: the mjlog has no GO, which names the rules")
    kind = int(start.attrib["type"])
    faces = Faces(not kind & NO_RED)
    match = Match(name, rules_of(kind, False))
    deal: Deal | None = None
    drawn = [-1] * SEATS
    for element in root:
        tag, attributes = element.tag, element.attrib
        if tag == "INIT":
            deal = _begin(attributes, faces)
            match.deals.append(deal)
        elif deal is None or tag in ("UN", "BYE"):
            continue
        elif tag == "N":
            deal.events.append(call_of(int(attributes["who"]), int(attributes["m"]), faces))
            drawn[int(attributes["who"])] = -1
        elif tag == "REACH":
            if attributes["step"] == "1":
                deal.events.append(Event(paifu.RIICHI, int(attributes["who"])))
        elif tag == "DORA":
            face = faces.of[int(attributes["hai"])]
            deal.indicators.append(face)
            deal.events.append(Event(paifu.DORA, -1, face))
        elif tag in ("AGARI", "RYUUKYOKU"):
            _end(deal, attributes, faces, tag == "AGARI")
            if "owari" in attributes:
                _finish(match, kind, attributes["owari"].split(","))
        elif tag[0] in DRAWS and tag[1:].isdigit():
            seat, tile = DRAWS.index(tag[0]), int(tag[1:])
            drawn[seat] = tile
            deal.events.append(Event(paifu.DRAW, seat, faces.of[tile]))
        elif tag[0] in DISCARDS and tag[1:].isdigit():
            seat, tile = DISCARDS.index(tag[0]), int(tag[1:])
            deal.events.append(Event(paifu.DISCARD, seat, faces.of[tile], tile == drawn[seat]))
            drawn[seat] = -1
        elif tag not in ("SHUFFLE", "GO", "TAIKYOKU"):
            raise Problem(f"{name}: the mjlog has a tag {tag}, which this reader does not know")
    return match


def _finish(match: Match, kind: int, final: list[str]) -> None:
    """The end: points in hundreds, and scores with uma; since 2019 or so these are whole thousands."""
    match.points = tuple(100 * int(each) for each in final[::2])
    match.scores = tuple(float(each) for each in final[1::2])
    uneven = any(points % 1000 for points in match.points)
    match.rules = rules_of(kind, uneven and all(score == int(score) for score in match.scores))
