"""A table of tricks as a terminal shows it: the trick between the four seats, what each has taken, the hand.

The seats sit around the trick as at a table: the reader at the bottom, the next seat at the left. A mark `▶` stands
before who leads, brackets around the card that takes the trick so far or that is chosen to be passed. A number under
a card of the hand is what the session wants typed; a card that may not be played has none, and is dim.
"""

import numpy as np
from rich.cells import cell_len, set_cell_size
from rich.console import Group, RenderableType
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from tefuda.contract import Name, Reader
from tefuda.games.tricks import rules
from tefuda.games.tricks.cards import (
    DIAMONDS,
    HEARTS,
    JACK_OF_DIAMONDS,
    LETTERS,
    RANKS,
    SUITS,
    SYMBOLS,
    cards_of,
    mask_of,
)
from tefuda.games.tricks.rules import OVER, PASS, PASSED, PLAY, SEATS
from tefuda.games.tricks.spaces import PHASES, RELATIVE
from tefuda.games.tricks.text import BROKEN, GIVEN, POINTS, RECEIVED, SCORE, TAKEN, TRICK, deal_name, flow, short
from tefuda.kernel.bits import ZERO

HAND, VOID, LEAD, WINNING = Name("手札", "hand"), Name("切れ", "void"), Name("リード", "lead"), Name("勝ち", "winning")
UNBROKEN, PASSING = Name("ハート解禁前", "hearts not broken"), Name("三枚渡す", "pass three")
LEADS = "▶"
_GAP = 3  # columns between the trick and what the seats have taken
_BESIDE_NAME = 4  # columns around a name at the trick: the mark of who leads, and some air
_SHORT_NAME = 12  # cells that a name has before it is cut to leave the trick beside the table


def style_of(suit: int, more: str = "") -> str:
    """The colour of a suit, with something more: bold or dim. Black is the terminal's own colour."""
    return f"{more} red".strip() if suit in (DIAMONDS, HEARTS) else more


def card_text(card: int, more: str = "") -> Text:
    return Text(short(card), style_of(card // RANKS, more))


def fitted(name: str, width: int) -> str:
    """A seat's name in at most so many cells; the number that tells it from others of its name stays."""
    if cell_len(name) <= width:
        return name
    start, space, number = name.rpartition(" ")
    tail = space + number if start and number.isdigit() else ""
    return set_cell_size(name, max(0, width - 1 - cell_len(tail))).rstrip() + "…" + tail


def _in_brackets(text: Text) -> Text:
    return Text.assemble("[", text, "]")


def _title(state, reader: Reader) -> list[Text]:
    """The deal, the trick, and whether hearts may be led."""
    label, over = reader.label, state.phase == OVER
    pieces = [deal_name(int(state.finished) + (not over), reader)]
    if state.phase == PLAY:
        pieces.append(f"{label(TRICK)} {int(state.number) + 1}/{RANKS}")
        if rules.is_hearts(state) and state.rules.break_hearts:
            pieces.append(label(BROKEN if state.broken else UNBROKEN))
    elif over:
        pieces.append(label(PHASES[OVER]))
    return [Text(piece, "dim") for piece in pieces]


def _status(state, reader: Reader) -> list[Text]:
    """What the seat in turn has before it: where cards are passed to, or who leads and which card is the best."""
    label, names = reader.label, reader.names
    if state.phase == PASS:
        seat = reader.seat if reader.seat is not None else int(state.seat)
        receiver = (seat + int(state.direction)) % SEATS
        chosen = cards_of(state.passed[seat])
        where = f"{label(PASSING)} → {label(RELATIVE[int(state.direction)])}: {names[receiver]}"
        cards = Text(" ").join([Text(f"{len(chosen)}/{PASSED}"), *(_in_brackets(card_text(card)) for card in chosen)])
        return [Text(where, "bold"), cards]
    pieces = [Text(f"{LEADS} {label(LEAD)}: {names[int(state.lead)]}")]
    if state.laid:
        best = int(rules.winning_card(state))
        holder = next(seat for seat in range(SEATS) if state.trick[seat] == best)
        pieces.append(Text.assemble(_in_brackets(card_text(best, "bold")), f" {label(WINNING)}: {names[holder]}"))
        points = int(rules.penalty_on_table(state)) if rules.is_hearts(state) else 0
        if points:
            pieces.append(Text(f"{label(POINTS)} +{points}", "bold"))
    return pieces


def _around(state, reader: Reader, seats: tuple[int, ...], names: tuple[str, ...], half: int) -> Text:
    """The trick between the four seats, in twice `half` columns."""
    best = int(rules.winning_card(state)) if state.laid else -1
    blocks = []
    for seat in range(SEATS):
        card = int(state.trick[seat])
        own = "bold" if seat == reader.seat else ""
        leads = f"{LEADS} " if seat == state.lead else ""
        if card < 0:
            laid = Text("…" if seat == state.seat else "·", "dim")
        else:
            laid = _in_brackets(card_text(card, "bold")) if card == best else card_text(card)
        blocks.append((Text(leads + names[seat], own), laid))
    left, across, right, own_place = (blocks[seat] for seat in seats)
    lines = [
        *(_centred(line, 2 * half) for line in across),
        *(Text.assemble(_centred(one, half), _centred(two, half)) for one, two in zip(left, right, strict=True)),
        *(_centred(line, 2 * half) for line in own_place),
    ]
    return Text("\n").join(lines)


def _centred(text: Text, width: int) -> Text:
    text.align("center", width)
    return text


def _shown_void(state, seat: int) -> Text:
    """The suits that a seat has shown not to hold; `♠(Q)`: none of this suit but perhaps that card."""
    text = Text()
    for suit in range(SUITS):
        whole = rules.suit_of(RANKS * suit)
        if state.excluded[seat] & whole == ZERO:
            continue
        text.append(SYMBOLS[suit], style_of(suit))
        rest = cards_of(whole & ~state.excluded[seat])
        if rest:
            text.append(f"({''.join(LETTERS[card % RANKS] for card in rest)})")
    return text


def _taken(state, reader: Reader, seats: tuple[int, ...]) -> list[list[Text]]:
    """A row for each seat behind one of heads: tricks and points of this deal, score of the match, voids."""
    hearts, target = bool(rules.is_hearts(state)), int(state.rules.target)
    heads = [TAKEN] + [POINTS] * hearts
    if target:
        heads.append(Name(f"{SCORE.ja}/{target}", f"{SCORE.en}/{target}"))
    rows = [[Text(_head(name, reader), "dim") for name in [*heads, VOID]]]
    for seat in seats:
        row = [Text(str(int(state.tricks[seat])))]
        if hearts:
            row.append(Text(str(int(state.points[seat]))))
            if state.rules.jack and state.jack == seat:
                row[-1] = Text.assemble(card_text(JACK_OF_DIAMONDS), " ", row[-1])
        if target:
            row.append(Text(str(int(state.score[seat]))))
        rows.append([*row, _shown_void(state, seat)])
    return rows


def _head(name: Name, reader: Reader) -> str:
    """The head of a narrow column: in both languages, one above the other."""
    return f"{name.ja}\n{name.en}" if reader.lang == "both" else reader.label(name)


def _widths(rows: list[list[Text]]) -> list[int]:
    """The cells that each column needs."""
    return [
        max(cell_len(line) for text in column for line in text.plain.split("\n")) for column in zip(*rows, strict=True)
    ]


def _grid(names: list[Text], rows: list[list[Text]]) -> Table:
    """Rows behind the names and under their heads, the numbers at the right of their columns."""
    lines = [[name, *row] for name, row in zip([Text(), *names], rows, strict=True)]
    grid = Table.grid(padding=(0, 2, 0, 0))
    last = len(lines[0]) - 1
    for place, width in enumerate(_widths(lines)):
        grid.add_column(width=width, justify="right" if 0 < place < last else "left", no_wrap=True, vertical="bottom")
    for line in lines:
        grid.add_row(*line)
    return grid


def _middle(state, reader: Reader, seats: tuple[int, ...]) -> RenderableType:
    """The trick, and what everybody has taken at its right, or below where the screen is narrow."""
    rows = _taken(state, reader, seats)
    behind = sum(_widths(rows)) + 2 * len(rows[0])  # columns that the table needs behind the names
    longest = max(cell_len(name) for name in reader.names)
    side_by_side = (reader.width - behind - _GAP - 2 * _BESIDE_NAME) // 3  # cells left for each name
    beside = side_by_side >= min(longest, _SHORT_NAME)
    below = min(reader.width // 2 - _BESIDE_NAME, reader.width - behind)
    names = tuple(fitted(name, side_by_side if beside else max(below, 1)) for name in reader.names)
    table = _grid([Text(names[seat], "bold" if seat == reader.seat else "") for seat in seats], rows)
    if state.phase != PLAY:
        return table
    widest = max(cell_len(name) for name in names)
    half = widest + _BESIDE_NAME
    trick = _around(state, reader, seats, names, half)
    if not beside:
        return Group(trick, table)
    both = Table.grid(padding=0)
    for width in (2 * half + _GAP, widest + behind):
        both.add_column(width=width, no_wrap=True)
    both.add_row(trick, table)
    return both


def _passes(state, reader: Reader) -> list[Text]:
    """What the reader has passed and not yet seen again; in the first trick also what it has received."""
    seat = reader.seat
    if seat is None or state.phase != PLAY or state.direction == 0:
        return []
    receiver, giver = (seat + int(state.direction)) % SEATS, (seat - int(state.direction)) % SEATS
    entries = [(GIVEN, "→", receiver, state.passed[seat] & ~state.played[receiver])]
    if state.number == 0:
        entries.append((RECEIVED, "←", giver, state.passed[giver]))
    pieces = []
    for name, arrow, other, held in entries:
        if held != ZERO:
            head = Text(f"{reader.label(name)} {arrow} {reader.names[other]}:", "dim")
            pieces.append(Text(" ").join([head, *(card_text(card) for card in cards_of(held))]))
    return pieces


def hand_lines(held, legal, chosen, numbered: bool, width: int) -> Text:
    """Cards by suits, weakest first, in lines of a width; numbers stand under those that may be chosen.

    A line ends between two suits, and inside one only where the suit alone is too long.
    """
    numbers = {card: str(place) for place, card in enumerate(cards_of(legal), start=1)} if numbered else {}
    lines: list[tuple[Text, Text]] = [(Text(), Text())]
    for suit in range(SUITS):
        cells = []
        for card in cards_of(held & rules.suit_of(RANKS * suit)):
            more = "bold" if mask_of(card) & (legal | chosen) else "dim"
            name = card_text(card, more if legal else "")
            cells.append((_in_brackets(name) if mask_of(card) & chosen else name, numbers.get(card, "")))
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
    rows = [row for pair in lines for row in (pair if numbered else pair[:1])]
    for row in rows:
        row.rstrip()
    return Text("\n").join(rows)


def _hand(state, seat: int, legal, reader: Reader, width: int) -> Text:
    """One hand; the reader's own has the numbers of its moves."""
    turn = state.phase != OVER and state.seat == seat
    chosen = state.passed[seat] if state.phase == PASS else ZERO
    return hand_lines(state.hand[seat], legal if turn else ZERO, chosen, turn and seat == reader.seat, width)


def _hands(state, reader: Reader) -> RenderableType:
    """The reader's hand, or every seat's behind its name."""
    mask = np.zeros(1, np.uint64)
    rules.legal(state, mask)
    if reader.seat is not None:
        return _hand(state, reader.seat, mask[0], reader, reader.width)
    room = min(max(cell_len(name) for name in reader.names), reader.width // 4)
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(width=room, no_wrap=True)
    grid.add_column(no_wrap=True)
    for seat, name in enumerate(reader.names):
        grid.add_row(Text(fitted(name, room)), _hand(state, seat, mask[0], reader, reader.width - room - 2))
    return grid


def screen(states: np.ndarray, reader: Reader) -> Group:
    """The whole table as one seat sees it, or with all hands open."""
    state = states[0]
    own = reader.seat if reader.seat is not None else 0
    seats = tuple((own + place) % SEATS for place in (1, 2, 3, 0))
    parts: list[RenderableType] = [flow(_title(state, reader), " · ", reader.width)]
    if state.phase != OVER:
        parts.append(flow(_status(state, reader), " · ", reader.width))
    parts.append(_middle(state, reader, seats))
    passes = _passes(state, reader)
    if passes:
        parts.append(flow(passes, " · ", reader.width))
    if state.phase != OVER:
        parts += [Rule(Text(reader.label(HAND), "bold"), align="left", style="dim"), _hands(state, reader)]
    return Group(*parts)
