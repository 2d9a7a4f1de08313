"""Hands: upright tiles or narrow cards with the numbers of the moves under them, or names one after another."""

from collections.abc import Sequence
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from tefuda.contract import Card, Zone
from tefuda.contract.scene import PLAYABLE
from tefuda.terminal.pieces import Pen, comma, flow

_NARROW = 3  # cells of a card that stands in a row of cards
_TILE = 3  # cells of an upright tile with its gap


def zones_of_hand(pen: Pen, seat: int) -> list[Zone]:
    """A hand in its groups, and what was just drawn."""
    return [zone for zone in (*pen.scene.zones_of("hand", seat), *pen.scene.zones_of("drawn", seat)) if zone.cards]


def is_narrow(pen: Pen, zones: Sequence[Zone]) -> bool:
    """Whether cards stand side by side with numbers under them."""
    cards = [card for zone in zones for card in zone.cards]
    return all(card.face for card in cards) or all(cell_len(pen.label(card.short)) <= _NARROW for card in cards)


def named_by_moves(zones: Sequence[Zone]) -> bool:
    """Whether the moves name every card of a hand, so that it need not be shown again."""
    return all(PLAYABLE in card.marks for zone in zones for card in zone.cards)


def numbers_of(pen: Pen) -> dict[tuple[str, int], int]:
    """The number of the move that plays a card: what the session wants typed."""
    found: dict[tuple[str, int], int] = {}
    for number, move in enumerate(pen.scene.moves, start=1):
        if len(move.cards) == 1 and not move.with_:
            found.setdefault((move.place, move.cards[0]), number)
    return found


def block(pen: Pen, zones: Sequence[Zone], numbered: bool, width: int) -> Text:
    """A hand in rows; with `numbered`, the numbers of the moves stand under the cards."""
    upright = pen.reader.lang != "en" and all(card.face for zone in zones for card in zone.cards)
    numbers = numbers_of(pen) if numbered else {}
    return _upright(pen, zones, numbers, width) if upright else _lines(pen, zones, numbers, width)


def _more(pen: Pen, card: Card, zones: Sequence[Zone]) -> str:
    """Bold what may be played, dim what may not; neither, where nothing of this hand is asked for."""
    if not any(PLAYABLE in each.marks for zone in zones for each in zone.cards):
        return ""
    signs = any(pen.scene.mark(mark).sign for mark in card.marks)
    return "bold" if PLAYABLE in card.marks or signs else "dim"


def _lines(pen: Pen, zones: Sequence[Zone], numbers: dict[tuple[str, int], int], width: int) -> Text:
    """Cards side by side. A line ends between two groups, and inside one only where the group alone is too long."""
    lines: list[tuple[Text, Text]] = [(Text(), Text())]
    for zone in zones:
        cells = [
            (pen.card(card, _more(pen, card, zones)), str(numbers.get((zone.place, card.id), "")))
            for card in zone.cards
        ]
        long = sum(name.cell_len + 1 for name, _ in cells)
        for place, (name, number) in enumerate(cells):
            used = lines[-1][0].cell_len
            gap = 0 if used == 0 else 2 if place == 0 else 1
            needed = long if place == 0 and long <= width else name.cell_len
            if used and used + gap + needed > width:
                lines.append((Text(), Text()))
                gap = 0
            above, under = lines[-1]
            above.append(" " * gap).append_text(name)
            under.append(f"{number:>{gap + name.cell_len}}", "cyan")
    rows = [row for pair in lines for row in (pair if numbers else pair[:1])]
    for row in rows:
        row.rstrip()
    return Text("\n").join(rows)


class Tile(NamedTuple):
    """An upright tile: its card, its colour, the number under it, and whether it stands apart."""

    card: Card
    style: str
    number: str
    apart: bool


def _upright(pen: Pen, zones: Sequence[Zone], numbers: dict[tuple[str, int], int], width: int) -> Text:
    """Tiles with their signs from top to bottom, in both languages with the short name below."""
    tiles = []
    for zone in zones:
        for place, card in enumerate(zone.cards):
            style = f"{_more(pen, card, zones)} {pen.scene.colours.get(card.style, '')}".strip()
            number = str(numbers.get((zone.place, card.id), ""))
            tiles.append(Tile(card, style, number, zone is not zones[0] and place == 0))
    across = max(1, (width - _TILE) // _TILE)
    lines = []
    for start in range(0, len(tiles), across):
        lines += _row_of_tiles(pen, tiles[start : start + across])
    return Text("\n").join(lines)


def _row_of_tiles(pen: Pen, tiles: Sequence[Tile]) -> list[Text]:
    height = max(len(tile.card.face) for tile in tiles)
    rows = [Text(" ") for _ in range(height + 2)]
    for tile in tiles:
        short = pen.label(tile.card.short) if pen.reader.lang == "both" else ""
        signs = [*tile.card.face, *[""] * (height - len(tile.card.face)), short, tile.number]
        for row, sign in zip(rows, signs, strict=True):
            row.append("  " if tile.apart else "")
            row.append(set_cell_size(sign, _TILE), "cyan" if row is rows[-1] else tile.style)
    for row in rows:
        row.rstrip()
    return [row for row in rows if row.plain]


def names(pen: Pen, zones: Sequence[Zone], width: int) -> Text:
    """The cards of a hand by their names."""
    return flow(pen.cards(card for zone in zones for card in zone.cards), comma(pen.reader.lang), width)
