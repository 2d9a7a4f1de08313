"""Calls as mjlog packs them: one number with the tiles, which of them was claimed, and from whom.

The lowest two bits say how many seats further the tile came from. Then there is one of five shapes:

    chi         4, the copies of its three tiles (2 bits each from bit 3), 3 × run + place from bit 10
    pon         8, the copy that is not in it (2 bits from bit 5), 3 × kind + place from bit 9
    added kan   16, otherwise as its pon
    north       32, three-player mahjong only
    open kan    the claimed tile from bit 8; a closed kan is one that came from nowhere
"""

from tefuda.errors import Problem
from tefuda.games.mahjong.records import paifu
from tefuda.games.mahjong.records.holding import Meld
from tefuda.games.mahjong.records.paifu import Event
from tefuda.games.mahjong.state import SEATS
from tefuda.games.mahjong.tiles import COPIES, KINDS

CHI_BIT, PON_BIT, ADDED_BIT, NORTH_BIT = 4, 8, 16, 32
MOST = 0xFFFF


def unpack(seat: int, packed: int, faces: list[int]) -> tuple[Event, tuple[int, ...]]:
    """A call, and the numbers of its tiles."""
    source = (seat + (packed & 3)) % SEATS
    if packed & CHI_BIT:
        base, place = divmod(packed >> 10, 3)
        lowest = base // 7 * 9 + base % 7
        copies = [packed >> (3 + 2 * each) & 3 for each in range(3)]
        return _claim(paifu.CHI, seat, source, [4 * (lowest + i) + copies[i] for i in range(3)], place, faces)
    if packed & (PON_BIT | ADDED_BIT):
        kind, place = divmod(packed >> 9, 3)
        fourth = COPIES * _kind(kind) + (packed >> 5 & 3)
        if packed & ADDED_BIT:
            return Event(paifu.ADDED_KAN, seat, faces[fourth], source=source), (fourth,)
        tiles = [tile for tile in range(COPIES * kind, COPIES * kind + COPIES) if tile != fourth]
        return _claim(paifu.PON, seat, source, tiles, place, faces)
    if packed & NORTH_BIT:
        raise Problem("a north tile was set aside: this is a record of three-player mahjong, but four must play")
    kind, place = divmod(packed >> 8, COPIES)
    tiles = list(range(COPIES * _kind(kind), COPIES * kind + COPIES))
    if source == seat:
        return Event(paifu.CLOSED_KAN, seat, kind, own=tuple(faces[tile] for tile in tiles)), tuple(tiles)
    return _claim(paifu.OPEN_KAN, seat, source, tiles, place, faces)


def _kind(kind: int) -> int:
    if kind >= KINDS:
        raise Problem(f"a call is of the kind {kind}, but kinds are 0 to {KINDS - 1}")
    return kind


def _claim(
    event_type: int, seat: int, source: int, tiles: list[int], place: int, faces: list[int]
) -> tuple[Event, tuple[int, ...]]:
    if tiles[-1] >= len(faces):
        raise Problem(f"a call has the tile {tiles[-1]}, but tiles are 0 to {len(faces) - 1}")
    numbers = (tiles[place], *tiles[:place], *tiles[place + 1 :])
    own = tuple(faces[number] for number in numbers[1:])
    return Event(event_type, seat, faces[numbers[0]], own=own, source=source), numbers


def pack(meld: Meld) -> int:
    """The number of a set as it lies on the table now."""
    event, numbers = meld.event, meld.numbers
    distance = (event.source - event.seat) % SEATS
    if event.type == paifu.CLOSED_KAN:
        return min(numbers) << 8
    if event.type == paifu.OPEN_KAN:
        return distance | numbers[0] << 8
    tiles = sorted(numbers)
    kind, place = tiles[0] // COPIES, tiles.index(numbers[0])
    if event.type == paifu.CHI:
        copies = sum(tile % COPIES << (3 + 2 * each) for each, tile in enumerate(tiles))
        return distance | CHI_BIT | copies | (3 * (kind // 9 * 7 + kind % 9) + place) << 10
    fourth = 6 - sum(tile % COPIES for tile in tiles)
    return distance | (PON_BIT if meld.added < 0 else ADDED_BIT) | fourth << 5 | (3 * kind + place) << 9
