"""The seats of a scene: as a table of figures, around a trick, above their piles, or each with its melds and river."""

from typing import Literal

from rich.cells import cell_len, set_cell_size
from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from tefuda.contract import Note, Zone
from tefuda.terminal.pieces import FACE_DOWN, Pen, comma, fitted, flow

_GAP = 3  # columns between the trick and the table of figures
_BESIDE_NAME = 4  # columns around a name at the trick: the mark of who leads, and some air
_SHORT_NAME = 12  # cells that a name has before it is cut to leave the trick beside the table
_NAME_ROOM = 14  # cells of a name before points that stand under each other
_INDENT = 3  # columns before melds and a river
_PART_OF_NAME = 4  # a name before notes has at most this part of the width
_LEAST_LAID = 5  # cells of a card that was laid

Row = list[Text]


# A table of figures


def figures(pen: Pen) -> list[Row]:
    """A row of heads, then one for each seat: its points, its notes, what it has laid."""
    scene = pen.scene
    heads: dict[str, Note] = {}
    for seat in scene.seats:
        for note in seat.notes:
            heads.setdefault(note.key, note)
    laid = {zone.group: zone for zone in scene.zones_of("laid")}
    points = [scene.points_name] if scene.points_name else []
    names = [*points, *(note.name for note in heads.values()), *(zone.title or zone.name for zone in laid.values())]
    rows = [[Text(_stacked(pen.label(name), name.ja, name.en), "dim") for name in names]]
    for place in pen.seats:
        notes = {note.key: note for note in scene.seats[place].notes}
        row = [Text(pen.points(place))] if points else []
        row += [_figure(pen, notes[key]) if key in notes else Text() for key in heads]
        here = {zone.group: zone for zone in scene.zones_of("laid", place)}
        row += [_laid(pen, here[group]) if group in here else Text() for group in laid]
        rows.append(row)
    return rows


def _stacked(label: str, ja: str, en: str) -> str:
    """The head of a narrow column: in both languages, one above the other."""
    return f"{ja}\n{en}" if label == f"{ja} {en}" else label


def _figure(pen: Pen, note: Note) -> Text:
    """A note of a seat without its name, which heads the column."""
    signs = "".join(pen.scene.mark(mark).sign for mark in note.marks)
    value = "" if note.value is None else str(note.value)
    text = pen.listed(note.cards)
    return text.append(" " if note.cards and value else "").append(signs + value, "bold" if signs else "")


def _laid(pen: Pen, zone: Zone) -> Text:
    """A card that was laid, one that lies face down, or a place where one is still to come."""
    if zone.cards:
        return pen.listed(zone.cards)
    return Text(FACE_DOWN.text("en" if pen.reader.lang == "en" else "ja") if zone.backs else "·", "dim")


def _widths(rows: list[Row]) -> list[int]:
    """The cells that each column needs."""
    return [
        max(cell_len(line) for text in column for line in text.plain.split("\n")) for column in zip(*rows, strict=True)
    ]


def _columns_behind(pen: Pen, rows: list[Row]) -> tuple[list[int], int]:
    """The widths of the columns behind the names, and the columns of the screen that they need."""
    widths = _widths(rows)
    laid = len({zone.group for zone in pen.scene.zones_of("laid")})
    widths = [max(width, _LEAST_LAID) if place >= len(widths) - laid else width for place, width in enumerate(widths)]
    return widths, sum(widths) + 2 * len(widths)


def _table(pen: Pen, names: list[Text], rows: list[Row], widths: list[int]) -> Grid:
    """Rows behind the names and under their heads: numbers at the right of their columns, cards in the middle."""
    laid = len({zone.group for zone in pen.scene.zones_of("laid")})
    grid = Grid.grid(padding=(0, 2, 0, 0))
    grid.add_column(width=max(name.cell_len for name in names), no_wrap=True, vertical="bottom")
    numbers = {note.key: note.value is not None for seat in pen.scene.seats for note in seat.notes}
    sides: list[Literal["left", "right", "center"]] = ["right"] * bool(pen.scene.points_name)
    sides += ["right" if number else "left" for number in numbers.values()]
    sides += ["center"] * laid
    for side, width in zip(sides, widths, strict=True):
        grid.add_column(width=width, justify=side, no_wrap=True, vertical="bottom")
    for name, row in zip([Text(), *names], rows, strict=True):
        grid.add_row(name, *row)
    return grid


def table(pen: Pen, trick: bool) -> RenderableType:
    """The table of figures; with `trick`, beside or below the trick."""
    rows = figures(pen)
    widths, behind = _columns_behind(pen, rows)
    called = [pen.name(seat) for seat in range(len(pen.scene.seats))]
    longest = max(map(cell_len, called))
    side_by_side = (pen.width - behind - _GAP - 2 * _BESIDE_NAME) // 3  # cells left for each name
    beside = trick and side_by_side >= min(longest, _SHORT_NAME)
    room = pen.width - behind if not trick else min(pen.width // 2 - _BESIDE_NAME, pen.width - behind)
    names = [fitted(name, side_by_side if beside else max(room, 1)) for name in called]
    grid = _table(pen, [Text(names[seat], _own(pen, seat)) for seat in pen.seats], rows, widths)
    if not trick:
        return grid
    widest = max(map(cell_len, names))
    around = _around(pen, names, widest + _BESIDE_NAME)
    if not beside:
        return Group(around, grid)
    both = Grid.grid(padding=0)
    for width in (2 * (widest + _BESIDE_NAME) + _GAP, widest + behind):
        both.add_column(width=width, no_wrap=True)
    both.add_row(around, grid)
    return both


def _own(pen: Pen, seat: int) -> str:
    return "bold" if seat == pen.scene.reader else ""


# A trick between four seats


def _around(pen: Pen, names: list[str], half: int) -> Text:
    """The trick between the four seats, in twice `half` columns: the own seat below, the next one at the left."""
    blocks = []
    for seat, zone in enumerate(pen.scene.zones_of("trick")):
        empty = Text("…" if seat == pen.scene.asked else "·", "dim")
        signs = pen.signs_of(pen.scene.seats[seat])
        blocks.append((Text(signs + names[seat], _own(pen, seat)), pen.listed(zone.cards) if zone.cards else empty))
    first = pen.scene.reader or 0
    own, left, across, right = (blocks[(first + place) % 4] for place in range(4))
    lines = [
        *(_centred(line, 2 * half) for line in across),
        *(Text.assemble(_centred(one, half), _centred(two, half)) for one, two in zip(left, right, strict=True)),
        *(_centred(line, 2 * half) for line in own),
    ]
    return Text("\n").join(lines)


def _centred(text: Text, width: int) -> Text:
    text.align("center", width)
    return text


# Piles side by side


def piles(pen: Pen) -> Group:
    """The seats side by side with their captured cards by groups, then a line for the notes of each."""
    zones = pen.scene.zones_of("pile")
    titles = {zone.group: pen.label(zone.title or zone.name) for zone in zones}
    label = max(map(cell_len, titles.values())) + 2
    width = (pen.width - label) // len(pen.seats)
    grid = Grid.grid(padding=0)
    for column in (label, *([width] * len(pen.seats))):
        grid.add_column(width=column, no_wrap=True)
    grid.add_row("", *(_head(pen, seat, width - 2) for seat in pen.seats))
    for group, title in titles.items():
        held = [next(zone for zone in zones if (zone.seat, zone.group) == (seat, group)) for seat in pen.seats]
        if any(zone.cards for zone in held):  # a group that nobody has takes no line
            grid.add_row(title, *(_pile(pen, zone, width - 2) for zone in held))
    return Group(grid, _lines_of_notes(pen))


def _head(pen: Pen, seat: int, width: int) -> Text:
    """A name with its points, and how many cards are in the hand."""
    name = Text(f"{pen.signs_of(pen.scene.seats[seat])}{pen.name(seat)} {pen.points(seat)}", "bold")
    hands = pen.scene.zones_of("hand", seat)
    return flow([name, *(Text(f"{pen.label(zone.name)} {zone.size}") for zone in hands[:1])], " · ", width)


def _pile(pen: Pen, zone: Zone, width: int) -> Text:
    """How many cards there are, and which."""
    if not zone.cards:
        return Text("·", "dim")
    pieces = pen.cards(zone.cards)
    pieces[0] = Text(f"{len(zone.cards)}  ", "bold") + pieces[0]
    return flow(pieces, comma(pen.reader.lang), width)


def _lines_of_notes(pen: Pen) -> Grid:
    """A line for each seat that something is to be said of: what is paid first, then the nearest."""
    told = {}
    for seat in pen.seats:
        of_piles = [note for zone in pen.scene.zones_of("pile", seat) for note in zone.notes]
        of_piles.sort(key=lambda note: note.needs - (note.has or 0) if note.needs is not None else 0)
        notes = [*pen.scene.seats[seat].notes, *of_piles]
        if notes:
            told[seat] = notes
    keys = {note.key for notes in told.values() for note in notes if note.needs is not None or note.points is not None}
    what = " ".join(pen.label(pen.scene.mark(key).name) for key in sorted(keys))
    room = pen.width // _PART_OF_NAME
    heads = {seat: f"{what} {fitted(pen.name(seat), room)}".strip() for seat in told}
    label = max(map(cell_len, heads.values()), default=0) + 2
    grid = Grid.grid(padding=0)
    grid.add_column(width=label, no_wrap=True)
    grid.add_column(overflow="fold")
    for seat, notes in told.items():
        pieces = [pen.note(note) for note in notes]
        for piece, note in zip(pieces, notes, strict=True):
            piece.stylize("" if note.needs is not None else "bold" if note.points is not None else "bold red")
        grid.add_row(Text(heads[seat]), flow(pieces, " · ", pen.width - label))
    return grid


# A seat after another


def paragraphs(pen: Pen) -> list[Text]:
    """Each seat with its points and marks, then its melds, then its river."""
    return [_paragraph(pen, seat) for seat in pen.seats]


def _paragraph(pen: Pen, seat: int) -> Text:
    scene, own = pen.scene, pen.scene.seats[seat]
    signs = pen.signs_of(own) or "  "
    pieces = [
        Text.assemble((signs, "bold"), (set_cell_size(fitted(pen.name(seat), _NAME_ROOM), _NAME_ROOM), "cyan")),
        Text(pen.points(seat), "bold"),
        *(pen.note(note) for note in own.notes),
        *(Text(pen.label(mark.name), "bold red") for key in own.marks if not (mark := scene.mark(key)).sign),
    ]
    hands = scene.zones_of("hand", seat)
    backs = sum(zone.backs for zone in hands)
    if backs:
        pieces.append(Text(f"{backs} {pen.label(FACE_DOWN)}", "dim"))
    lines = [flow(pieces, "  ", pen.width, hanging=_INDENT)]
    if seat != scene.reader and not backs:
        held = [pen.card(card) for zone in hands for card in zone.cards]
        held += [Text("+ ") + pen.card(card) for zone in scene.zones_of("drawn", seat) for card in zone.cards]
        lines.append(flow(held, " ", pen.width, _INDENT))
    melds = [_meld(pen, zone) for zone in scene.zones_of("melds", seat)]
    river = [pen.card(card) for zone in scene.zones_of("river", seat) for card in zone.cards]
    for below, separator in ((melds, "  "), (river, " ")):
        if below:
            lines.append(flow(below, separator, pen.width, _INDENT))
    return Text("\n").join(lines)


def _meld(pen: Pen, zone: Zone) -> Text:
    """An open set, and where its claimed card came from."""
    text = Text(f"[{pen.label(zone.title or zone.name)} ").append_text(pen.listed(zone.cards))
    for note in zone.notes:
        if note.seat is not None:
            text.append(f" ← {pen.name(note.seat)}")
    return text.append("]")
