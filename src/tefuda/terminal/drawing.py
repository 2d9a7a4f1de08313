"""A scene drawn with rich, for all games alike: zones are laid out by their keys, others as plain rows."""

from collections.abc import Callable, Sequence
from functools import partial

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.rule import Rule
from rich.table import Table as Grid
from rich.text import Text

from tefuda.contract import Note, Reader, Scene, Zone
from tefuda.terminal import hands, seats
from tefuda.terminal.pieces import FACE_DOWN, Pen, comma, fitted, flow, wrapped

STOCKS = ("deck", "wall", "dead-wall")  # told in the first line, and what is left over once it is open
LEFT_OVER = "rest"
ASIDE = ("played",)  # out of play: nobody looks at these again
_MOST_ACROSS = 4  # columns of the field
_PART_OF_NAME = 4  # a name before a hand has at most this part of the width

Row = tuple[str, Callable[[int], Text]]  # a head, and what stands behind it in a width


def draw(scene: Scene, reader: Reader) -> Group:
    """The whole table."""
    pen = Pen(scene, reader)
    parts: list[RenderableType] = [_title(pen)]
    if scene.status:
        parts.append(flow([pen.note(note) for note in scene.status], " · ", pen.width))
    parts += _seats(pen)
    rows: list[Row] = []
    for key in dict.fromkeys(zone.key for zone in scene.zones):
        zones = scene.zones_of(key)
        if key == "field":
            parts += [_rule(pen, zones[0]), _field(pen, zones)]
        elif key not in (*STOCKS, LEFT_OVER, *ASIDE, *_drawn_with_seats(pen), "hand", "drawn"):
            rows += [_row(pen, zone) for zone in zones]
    blocks = _hands(pen, rows)
    parts += _grid(pen, rows) + _notes(pen, scene.notes)
    legend = _legend(pen)
    return Group(*parts, *([legend] if legend else []), *blocks)


def _title(pen: Pen) -> Text:
    """Which round it is, and what is not dealt yet."""
    pieces = [pen.note(note) for note in pen.scene.title]
    pieces += [pen.stock(zone) for key in STOCKS for zone in pen.scene.zones_of(key)]
    pieces += [pen.stock(zone) for zone in pen.scene.zones_of(LEFT_OVER) if zone.cards]
    if pieces:
        pieces[0].stylize("bold")
    return flow(pieces, " · ", pen.width)


def _rule(pen: Pen, zone: Zone) -> Rule:
    return Rule(Text(pen.label(zone.name), "bold"), align="left", style="dim")


def _drawn_with_seats(pen: Pen) -> tuple[str, ...]:
    """The zones that are drawn together with the seats."""
    keys = {zone.key for zone in pen.scene.zones}
    if "pile" in keys:
        return ("pile",)
    return ("river", "melds") if keys & {"river", "melds"} else ("laid", *(["trick"] if _is_trick(pen) else []))


def _is_trick(pen: Pen) -> bool:
    """Whether there is a trick that four seats can sit around."""
    return len(pen.scene.zones_of("trick")) == len(pen.scene.seats) == 4


def _seats(pen: Pen) -> list[RenderableType]:
    keys = _drawn_with_seats(pen)
    if "pile" in keys:
        return [seats.piles(pen)]
    return [*seats.paragraphs(pen)] if "river" in keys else [seats.table(pen, _is_trick(pen))]


def _legend(pen: Pen) -> Text | None:
    """What the signs mean that are on the table, unless a note of the title or the status tells it."""
    scene = pen.scene
    of_seats = [note for seat in scene.seats for note in seat.notes]
    of_moves = [note for move in scene.moves for note in move.notes]
    used = {mark for zone in scene.zones for card in zone.cards for mark in card.marks}
    used |= {mark for note in (*of_seats, *of_moves) for mark in note.marks}
    told = {note.key for note in (*scene.title, *scene.status)}
    signs = [
        Text(f"{' '.join(mark.sign) if len(mark.sign) == 2 else mark.sign} {pen.label(mark.name)}", "dim")
        for mark in scene.legend
        if mark.sign and mark.key in used - told
    ]
    return flow(signs, " · ", pen.width) if signs else None


# Zones


def _head(pen: Pen, zone: Zone) -> str:
    """What a row of cards is called."""
    who = f"{pen.name(zone.seat)} " if zone.seat is not None else ""
    return who + pen.label(zone.name) + (f" {pen.label(zone.title)}" if zone.title else "")


def _row(pen: Pen, zone: Zone) -> Row:
    """The cards of a zone, and how many lie face down."""
    pieces = pen.cards(zone.cards) + ([Text(f"{zone.backs} {pen.label(FACE_DOWN)}", "dim")] if zone.backs else [])
    return _head(pen, zone), lambda width: flow(pieces or [Text("·", "dim")], comma(pen.reader.lang), width)


def _grid(pen: Pen, rows: Sequence[Row]) -> list[RenderableType]:
    """Rows of a head and something behind it."""
    if not rows:
        return []
    label = max(cell_len(head) for head, _ in rows) + 2
    grid = Grid.grid(padding=0)
    grid.add_column(width=label, no_wrap=True)
    grid.add_column(overflow="fold")
    for head, behind in rows:
        grid.add_row(Text(head, "bold"), behind(pen.width - label))
    return [grid]


def _field(pen: Pen, zones: Sequence[Zone]) -> Grid:
    """The field by groups, in as many columns as make it the least high; a group that can be taken from is bold."""
    entries = []
    for zone in zones:
        number = f"{zone.group:>2} " if zone.group.isdigit() else ""
        fits = any(card.marks for card in zone.cards)
        entries.append((Text(number + (pen.label(zone.title) if zone.title else ""), "bold" if fits else ""), zone))
    layouts = [_columns(pen, entries, across) for across in range(1, min(_MOST_ACROSS, len(entries)) + 1)]
    return min((each for each in layouts if each is not None), key=lambda each: each[0])[1]


def _columns(pen: Pen, entries: list[tuple[Text, Zone]], across: int) -> tuple[int, Grid] | None:
    """The field in some columns with its number of lines; None when a card would not fit."""
    high = -(-len(entries) // across)
    grid, columns, share = Grid.grid(padding=0), [], pen.width // across
    for start in range(0, len(entries), high):
        here = entries[start : start + high]
        label = max(head.cell_len for head, _ in here) + 2
        room = share - label - (2 if across > 1 else 0)
        pieces = [pen.cards(zone.cards) for _, zone in here]
        if across > 1 and max((piece.cell_len + 1 for each in pieces for piece in each), default=0) > room:
            return None
        grid.add_column(width=label, no_wrap=True)
        grid.add_column(width=share - label, no_wrap=True)
        texts = [flow(each, comma(pen.reader.lang), max(room, 1)) for each in pieces]
        columns.append(list(zip((head for head, _ in here), texts, strict=True)))
    lines = 0
    for row in range(high):
        pairs = [column[row] for column in columns if row < len(column)]
        grid.add_row(*(cell for pair in pairs for cell in pair))
        lines += max(text.plain.count("\n") + 1 for _, text in pairs)
    return lines, grid


# Hands and notes


def _hands(pen: Pen, rows: list[Row]) -> list[RenderableType]:
    """The reader's hand, or every seat's: narrow cards in a block of their own, names as rows among the others."""
    seat = pen.scene.reader
    if seat is None:
        return _open_hands(pen, rows)
    zones = hands.zones_of_hand(pen, seat)
    if not zones:
        return []
    notes = [Text(wrapped(pen.note(note).plain, pen.width), "magenta") for zone in zones for note in zone.notes]
    if hands.is_narrow(pen, zones):
        return [_rule(pen, zones[0]), hands.block(pen, zones, True, pen.width), *notes]
    if not hands.named_by_moves(zones):
        rows.insert(0, (pen.label(zones[0].name), lambda width: hands.names(pen, zones, width)))
    return [*notes]


def _open_hands(pen: Pen, rows: list[Row]) -> list[RenderableType]:
    """All hands behind the names of their seats, unless they were drawn with the seats."""
    held = {seat: zones for seat in pen.seats if (zones := hands.zones_of_hand(pen, seat))}
    if "river" in _drawn_with_seats(pen) or not held:
        return []
    if all(hands.is_narrow(pen, zones) for zones in held.values()):
        told = [_open_hand(pen, seat, zones) for seat, zones in held.items()]
        return [_rule(pen, next(iter(held.values()))[0]), *_grid(pen, told)]
    for seat, zones in reversed(held.items()):
        rows.insert(0, (f"{pen.name(seat)} {pen.label(zones[0].name)}", partial(hands.names, pen, zones)))
    return []


def _open_hand(pen: Pen, seat: int, zones: Sequence[Zone]) -> Row:
    name = fitted(pen.name(seat), pen.width // _PART_OF_NAME)
    return name, lambda width: hands.block(pen, zones, False, width)


def _notes(pen: Pen, notes: Sequence[Note]) -> list[RenderableType]:
    """What is worth saying of the whole table: figures in one line, sentences in lines of their own."""
    sentences = [Text(wrapped(pen.note(note).plain, pen.width)) for note in notes if not note.key]
    figures = [pen.note(note) for note in notes if note.key]
    return [*([flow(figures, " · ", pen.width)] if figures else []), *sentences]
