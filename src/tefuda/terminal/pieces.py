"""Pieces of text: lines that end between two pieces, cards in their colours with their signs, notes."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from tefuda.contract import Card, Name, Note, Reader, Scene, Seat, Zone
from tefuda.contract.scene import GONE, NO_CARD

FACE_DOWN = Name("伏せ", "face down")
_SEPARATORS = re.compile(r"(、|, | · |  +)")  # where a line of a game's words may end


def flow(pieces: Sequence[Text], separator: str, width: int, indent: int = 0, hanging: int = 0) -> Text:
    """Pieces one after another in lines of a width: a line ends between two pieces, never inside one.

    All lines begin with `indent` spaces, those behind the first with `hanging` more.
    """
    text, used, between, empty = Text(" " * indent), indent, cell_len(separator), True
    for place, piece in enumerate(pieces):
        behind = cell_len(separator.rstrip()) if place + 1 < len(pieces) else 0  # a broken line ends with it
        if not empty and used + between + piece.cell_len + behind > width:
            text.append(separator.rstrip() + "\n" + " " * (indent + hanging))
            used = indent + hanging
        elif not empty:
            text.append(separator)
            used += between
        text.append_text(piece)
        used += piece.cell_len
        empty = False
    return text


def wrapped(line: str, width: int) -> str:
    """A line of a game's words in lines of a width, which end behind a comma and the like where they can."""
    if cell_len(line) <= width:
        return line
    parts, lines = _SEPARATORS.split(line), [""]
    for piece, separator in zip(parts[::2], [*parts[1::2], ""], strict=True):
        if lines[-1] and cell_len(lines[-1] + piece + separator.rstrip()) > width:
            lines.append("")
        lines[-1] += piece + separator
    return "\n".join(each.rstrip() for each in lines)


def fitted(name: str, width: int) -> str:
    """A seat's name in at most so many cells; the number that tells it from others of its name stays."""
    if cell_len(name) <= width:
        return name
    start, space, number = name.rpartition(" ")
    tail = space + number if start and number.isdigit() else ""
    return set_cell_size(name, max(0, width - 1 - cell_len(tail))).rstrip() + "…" + tail


def comma(lang: str) -> str:
    return "、" if lang == "ja" else ", "


@dataclass(frozen=True)
class Pen:
    """Writes what is in a scene for a reader."""

    scene: Scene
    reader: Reader

    @property
    def width(self) -> int:
        return self.reader.width

    def label(self, name: Name) -> str:
        return self.reader.label(name)

    @property
    def seats(self) -> list[int]:
        """The seats in the order of their rows: the reader's own is the last."""
        own, number = self.scene.reader, len(self.scene.seats)
        return [(place + (own + 1 if own is not None else 0)) % number for place in range(number)]

    def name(self, seat: int) -> str:
        return self.label(self.scene.seats[seat].name)

    def points(self, seat: int) -> str:
        points = self.scene.seats[seat].points
        number = f"{points:,}" if isinstance(points, int) else f"{points:g}"
        return f"+{number}" if self.scene.signed and points >= 0 else number

    def signs_of(self, seat: Seat) -> str:
        """The signs before a name."""
        return "".join(f"{sign} " for mark in seat.marks if (sign := self.scene.mark(mark).sign))

    def card(self, card: Card, more: str = "") -> Text:
        """A card with the signs of its marks, in its colour; `more` is bold, dim and the like."""
        signs = [sign for mark in card.marks if (sign := self.scene.mark(mark).sign)]
        around = [sign for sign in signs if len(sign) == 2]
        style = f"{more or ('bold' if around else '')} {self.scene.colours.get(card.style, '')}".strip()
        text = Text(self.label(card.short), style)
        text.append("".join(sign for sign in signs if len(sign) == 1))
        for sign in around:
            text = Text.assemble(sign[0], text, sign[1])
        if GONE in card.marks:
            text.stylize("dim")
        return text

    def cards(self, cards: Iterable[Card], bold: bool = False) -> list[Text]:
        """Some cards, those that look the same counted; with `bold`, those with a mark stand out."""
        alike: dict[str, list[Card]] = {}
        for card in cards:
            alike.setdefault(self.card(card).plain, []).append(card)
        texts = []
        for here in alike.values():
            texts.append(self.card(here[0], "bold" if bold and here[0].marks else ""))
            if len(here) > 1:
                texts[-1].append(f" ×{len(here)}")
        return texts

    def listed(self, cards: Sequence[Card]) -> Text:
        """Some cards in one line, in their order."""
        between = "" if all(card.id == NO_CARD for card in cards) else " "
        return Text(between).join(self.card(card) for card in cards)

    def note(self, note: Note) -> Text:
        """A note in one piece: 短冊 ribbons 3/5, lead: ann, passed → bob ♣6, blue ribbons 2/3 (mum)."""
        sign = next((mark.sign for mark in self.scene.legend if mark.key == note.key and len(mark.sign) == 1), "")
        text = Text(f"{sign} " if sign and note.seat is not None else "").append(self.label(note.name))
        if isinstance(note.value, Name):
            text.append(f": {self.label(note.value)}")
        elif note.value is not None:
            text.append(f" {note.value}")
        if note.points is not None:
            text.append(f" {note.points:+d}")
        if note.needs is not None:
            text.append(f" {note.has}/{note.needs}")
        if note.seat is not None:
            text.append({"to": " → ", "from": " ← "}.get(note.way, ": ") + self.name(note.seat))
        if note.cards:
            text.append(": " if note.way else " ").append_text(self.listed(note.cards))
        if note.missing:
            missing = Text(comma(self.reader.lang)).join(self.cards(note.missing, bold=True))
            text = Text.assemble(text, " (", missing, ")")
        return text

    def stock(self, zone: Zone) -> Text:
        """Cards that are not dealt yet, in one piece: how many, or those that are open."""
        text = Text(f"{self.label(zone.name)} ")
        text.append_text(self.listed(zone.cards) if zone.cards else Text(str(zone.backs)))
        for note in zone.notes:
            text.append(" → ").append_text(self.note(note))
        return text
