"""Read Tenhou's mjlog XML 2.3.

Tiles are 0 to 135; a call is packed into one number (packed.py). Draws are <T…> to <W…> of the seats 0 to 3, discards
<D…> to <G…>. Everything that a record says is kept as statements, which the replay compares with its own.
"""

import re
from typing import NamedTuple, NoReturn
from urllib.parse import unquote
from xml.etree import ElementTree

from tefuda.contract import Rules
from tefuda.errors import Problem
from tefuda.games.mahjong.options import RULEBOOK
from tefuda.games.mahjong.records import packed, paifu
from tefuda.games.mahjong.records.checked import MOST_COUNTERS, MOST_POINTS, quoted
from tefuda.games.mahjong.records.holding import WITH_RED, WITHOUT_RED
from tefuda.games.mahjong.records.paifu import Deal, Event, Match, Numbers, Statement, Win
from tefuda.games.mahjong.state import (
    EXHAUSTED,
    FOUR_KANS,
    FOUR_RIICHI,
    FOUR_WINDS,
    HAND,
    NAGASHI,
    NINE_TERMINALS,
    SEATS,
    TRIPLE_RON,
    WON,
)
from tefuda.games.mahjong.tiles import TILES

FORMAT = "mjlog"
# Bits of the type of a match.
NO_RED, NO_OPEN_TANYAO, HANCHAN, THREE_PLAYERS = 0x02, 0x04, 0x08, 0x10
ENDS = {
    "": EXHAUSTED, "nm": NAGASHI, "yao9": NINE_TERMINALS, "kaze4": FOUR_WINDS, "reach4": FOUR_RIICHI,
    "kan4": FOUR_KANS, "ron3": TRIPLE_RON,
}  # fmt: skip


class Move(NamedTuple):
    """A draw or a discard: the event, the same as a discard of the tile just drawn, and the number of the tile."""

    event: Event
    tsumogiri: Event
    numbers: tuple[int]


def _moves(faces: list[int]) -> dict[str, Move]:
    """All draws and discards by their tags."""
    return {
        f"{letter}{tile}": Move(Event(each, seat, face), Event(each, seat, face, each == paifu.DISCARD), (tile,))
        for each, letters in ((paifu.DRAW, "TUVW"), (paifu.DISCARD, "DEFG"))
        for seat, letter in enumerate(letters)
        for tile, face in enumerate(faces)
    }


MOVES = {True: _moves(WITH_RED), False: _moves(WITHOUT_RED)}  # by whether there are red fives
IGNORED = {"UN", "BYE", "SHUFFLE", "GO"}  # people and the connection, the seed of the wall, the rules once more
_DIGITS = {str(digit): digit for digit in range(10)}
_NUMBERS = re.compile(r"-?[0-9]{1,9}(?:,-?[0-9]{1,9})*")
_DECIMALS = re.compile(r"-?[0-9]{1,9}(?:\.[0-9]{1,3})?(?:,-?[0-9]{1,9}(?:\.[0-9]{1,3})?)*")


def numbers(text: str) -> list[int]:
    """The whole numbers of an attribute; none where it is empty."""
    if text and not _NUMBERS.fullmatch(text):
        raise ValueError
    return [int(part) for part in text.split(",")] if text else []


def rules_of(flags: int, rounded: bool = False) -> Rules:
    """The rules from the number that Tenhou has for them."""
    if flags & THREE_PLAYERS:
        raise Problem("this is a record of three-player mahjong, but four must play")
    changes = [f"red={'no' if flags & NO_RED else 'yes'}", f"open_tanyao={'no' if flags & NO_OPEN_TANYAO else 'yes'}"]
    changes.append(f"rounded={'yes' if rounded else 'no'}")
    return RULEBOOK.make("hanchan" if flags & HANCHAN else "tonpuu", changes)


def is_rounded(points: tuple[int, ...], scores: tuple[float, ...]) -> bool:
    """Whether the final scores are rounded, as Tenhou's are since 2019 or so: whole thousands for uneven points."""
    return any(each % 1000 for each in points) and all(score == int(score) for score in scores)


def read(text: str, name: str = "") -> Match:
    """A match from the text of one mjlog."""
    if "<!DOCTYPE" in text[:1000]:
        raise Problem(f"{name}: not an mjlog, which has no DOCTYPE")
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise Problem(f"{name}: not a whole mjlog: {error}") from error
    except (ValueError, RecursionError) as error:
        raise Problem(f"{name}: not a whole mjlog") from error
    if root.tag != "mjloggm":
        raise Problem(f"{name}: the first tag of an mjlog is mjloggm, but here it is {quoted(root.tag)}")
    try:
        return _Reading(root, name).match
    except Problem as problem:
        raise Problem(f"{name}: {problem}") from None


class _Reading:
    """A match while it is read."""

    def __init__(self, root: ElementTree.Element, name: str) -> None:
        start = root.find("GO")
        if start is None:
            raise Problem("the mjlog has no GO, which names the rules")
        self.attributes, self.tag = start.attrib, "GO"
        self.flags = self.number("type", 0, 0xFFFF)
        self.match = Match(name, rules_of(self.flags), format=FORMAT)
        self.faces = WITHOUT_RED if self.flags & NO_RED else WITH_RED
        self.moves = MOVES[not self.flags & NO_RED]
        self.deal: Deal | None = None
        self.drawn = -1
        for number, element in enumerate(root, start=1):
            self.tag, self.attributes = element.tag, element.attrib
            move = self.moves.get(self.tag)
            if move is not None and self.deal is not None and self.deal.cut and not len(element):
                self._move(self.deal, move)
                continue
            if len(element):
                raise Problem(f"tag {number} of the mjlog, {quoted(self.tag)}, has tags inside, but none may have any")
            try:
                self.take()
            except Problem as problem:
                raise Problem(f"tag {number} of the mjlog, {quoted(self.tag)}: {problem}") from None

    # What a tag says.

    def wrong(self, key: str, should: str) -> NoReturn:
        if key not in self.attributes:
            raise Problem(f"it has no {key}, but it should be {should}")
        raise Problem(f"its {key} is {quoted(self.attributes[key])}, but it should be {should}")

    def several(self, key: str, length: int, low: int, high: int) -> list[int]:
        """The whole numbers of an attribute."""
        try:
            found = numbers(self.attributes[key])
        except (KeyError, ValueError):
            found = []
        if len(found) != length or not all(low <= each <= high for each in found):
            self.wrong(key, f"{length} whole numbers from {low} to {high}" if length > 1 else f"from {low} to {high}")
        return found

    def number(self, key: str, low: int, high: int) -> int:
        text = self.attributes.get(key, "")
        if text in _DIGITS and low <= _DIGITS[text] <= high:  # most are
            return _DIGITS[text]
        return self.several(key, 1, low, high)[0]

    def take(self) -> None:
        """Take one tag."""
        tag = self.tag
        if tag == "UN" and len(self.attributes) >= SEATS:  # who comes back stands alone
            self.match.players = tuple(unquote(self.attributes.get(f"n{seat}", "")) for seat in range(SEATS))
        if tag in IGNORED:
            return
        if self.match.points is not None:
            raise Problem("it stands behind the end of the match")
        if tag == "INIT":
            self._begin()
        elif tag == "TAIKYOKU":
            self.number("oya", 0, 0)
        elif self.deal is None:
            if tag in self.moves or tag in ("N", "REACH", "DORA", "AGARI", "RYUUKYOKU"):
                raise Problem("it stands before the first INIT")
            raise Problem("this reader does not know such a tag")
        elif not self.deal.cut and tag != "AGARI":
            raise Problem("it stands behind the end of a deal")
        elif tag == "N":
            event, tiles = packed.unpack(self.number("who", 0, 3), self.number("m", 0, packed.MOST), self.faces)
            self.add(event, tiles)
            self.drawn = -1
        elif tag == "REACH":
            seat = self.number("who", 0, 3)
            if self.number("step", 1, 2) == 1:
                self.add(Event(paifu.RIICHI, seat), ())
            else:
                self.state()
        elif tag == "DORA":
            self._turn(self.number("hai", 0, TILES - 1))
        elif tag in ("AGARI", "RYUUKYOKU"):
            self._end(self.deal, tag == "AGARI")
        else:
            raise Problem("this reader does not know such a tag")

    def state(self) -> None:
        """Keep what the tag says."""
        assert self.deal is not None
        assert self.deal.stated is not None
        self.deal.stated.append(Statement(len(self.deal.events), self.tag, self.attributes))

    def add(self, event: Event, tiles: tuple[int, ...]) -> None:
        assert self.deal is not None
        assert self.deal.numbers is not None
        self.deal.events.append(event)
        self.deal.numbers.events.append(tiles)
        self.state()

    def _begin(self) -> None:
        kyoku, honba, sticks, *dice, indicator = self.several("seed", 6, 0, MOST_COUNTERS)
        if kyoku >= 4 * SEATS or max(dice) > 5 or indicator >= TILES:
            self.wrong("seed", f"kyoku (below {4 * SEATS}), honba, sticks, two dice (0 to 5) and an indicator")
        hands = tuple(tuple(self.several(f"hai{seat}", HAND, 0, TILES - 1)) for seat in range(SEATS))
        points = tuple(100 * each for each in self.several("ten", SEATS, -MOST_POINTS // 100, MOST_POINTS // 100))
        faces = tuple(tuple(self.faces[tile] for tile in hand) for hand in hands)
        self.deal = Deal(kyoku, honba, sticks, points, faces, [self.faces[indicator]], cut=True)
        self.deal.numbers, self.deal.stated = Numbers(hands, [indicator], [], []), []
        self.match.deals.append(self.deal)
        self.state()

    def _move(self, deal: Deal, move: Move) -> None:
        """A draw or a discard. Its tag says no more than the event, so that it is no statement."""
        assert deal.numbers is not None
        deal.numbers.events.append(move.numbers)
        if move.event.type == paifu.DRAW:
            self.drawn = move.numbers[0]
            deal.events.append(move.event)
        else:
            deal.events.append(move.tsumogiri if self.drawn == move.numbers[0] else move.event)
            self.drawn = -1

    def _turn(self, tile: int) -> None:
        assert self.deal is not None
        assert self.deal.numbers is not None
        self.deal.indicators.append(self.faces[tile])
        self.deal.numbers.indicators.append(tile)
        self.add(Event(paifu.DORA, -1, self.faces[tile]), (tile,))

    def _end(self, deal: Deal, won: bool) -> None:
        if won:
            if not deal.cut and deal.ended != WON:
                raise Problem("it stands behind the end of a deal")
            deal.ended = WON
            deal.wins.append(Win(self.number("who", 0, 3), self.number("fromWho", 0, 3)))
            self._ura(deal)
        else:
            ending = self.attributes.get("type", "")
            if ending not in ENDS:
                self.wrong("type", f"one of {', '.join(filter(None, ENDS))}, or left out")
            deal.ended = ENDS[ending]
        deal.cut = False
        final = self.attributes.pop("owari", None)
        self.state()
        if final is not None:
            self._finish(final)

    def _ura(self, deal: Deal) -> None:
        text = self.attributes.get("doraHaiUra", "")
        ura = self.several("doraHaiUra", text.count(",") + 1, 0, TILES - 1) if text else []
        assert deal.numbers is not None
        if len(ura) > len(deal.ura):
            deal.ura[:] = [self.faces[tile] for tile in ura]
            deal.numbers.ura[:] = ura

    def _finish(self, text: str) -> None:
        """The end of the match: points in hundreds, and scores with uma."""
        final = [float(part) for part in text.split(",")] if _DECIMALS.fullmatch(text) else []
        if len(final) != 2 * SEATS or any(points != int(points) for points in final[::2]):
            raise Problem(
                f"its owari is {quoted(text)}, but it should be the points (in hundreds) and score of each seat"
            )
        self.match.points = tuple(100 * int(each) for each in final[::2])
        self.match.scores = tuple(final[1::2])
        self.match.rules = rules_of(self.flags, is_rounded(self.match.points, self.match.scores))
