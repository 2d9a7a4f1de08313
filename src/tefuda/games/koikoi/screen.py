"""A table of Koi-Koi as a terminal shows it: piles by kind, yaku in progress, the field by month."""

from typing import NamedTuple

import numpy as np
from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from tefuda.contract import Name, Reader
from tefuda.games.koikoi import cards, rules, yaku
from tefuda.games.koikoi.cards import BLUE_RIBBONS, CARDS, FLOWERS, KIND, KINDS, RED_POEMS, cards_of, mask_of
from tefuda.games.koikoi.options import INSTEAD
from tefuda.games.koikoi.text import (
    DEALER,
    DECK,
    FIELD,
    HAND_OF,
    PICTURES,
    PLAIN,
    WAITING,
    comma,
    flow,
    round_name,
)
from tefuda.games.koikoi.yaku import YAKU, points_of
from tefuda.kernel.bits import ZERO, count

_DRY = cards.BRIGHTS & ~mask_of(cards.RAIN_MAN)
_YAKU, CALLED = Name("役", "yaku"), Name("こいこい", "koi-koi")
FLOWER_OF = tuple(FLOWERS[card // 4] for card in range(CARDS))
_KIND_STYLES = ("yellow", "green", "magenta", "")
_FIELD_COLUMN = {"ja": 26, "en": 38, "both": 38}  # cells that a month of the field needs
_COUNTED = (yaku.TANE, yaku.TAN, yaku.KASU)  # any cards of the kind do, so the missing ones are not named
_WORTH_A_WORD = {2: 1, 3: 2, 4: 3, 5: 3, 10: 7}  # cards needed: from how many on it is told


def style_of(card: int) -> str:
    """The colour of a card: its kind, and for ribbons of a yaku the ribbon's own."""
    if mask_of(card) & RED_POEMS:
        return "red"
    return "blue" if mask_of(card) & BLUE_RIBBONS else _KIND_STYLES[KIND[card]]


class Progress(NamedTuple):
    """A yaku that is not there yet and can still come."""

    which: int
    have: int
    need: int
    missing: np.uint64  # cards that would help and that the other has not captured


def progress(pile, other, calls: int, rule_record) -> list[Progress]:
    """The yaku that a pile has well begun and the other's does not rule out, the nearest first."""
    animals, ribbons, chaff = cards.ANIMALS, cards.RIBBONS, cards.CHAFF
    if rule_record.sake_kasu:
        chaff = chaff | mask_of(cards.SAKE_CUP)
    sets = [
        *_next_bright(pile),
        (yaku.INOSHIKACHO, cards.BOAR_DEER_BUTTERFLIES, 3),
        (yaku.AKATAN, RED_POEMS, 3),
        (yaku.AOTAN, BLUE_RIBBONS, 3),
        (yaku.TANE, animals, 5),
        (yaku.TAN, ribbons, 5),
        (yaku.KASU, chaff, 10),
    ]
    if rule_record.sake > 0 or (calls > 0 and rule_record.sake_after_koikoi > 0):
        sets += [(yaku.HANAMI, cards.FLOWER_VIEWING, 2), (yaku.TSUKIMI, cards.MOON_VIEWING, 2)]
    if rule_record.extras == INSTEAD:  # then further cards count on these, and the plain yaku is not paid
        boars, reds, blues = cards.BOAR_DEER_BUTTERFLIES & ~pile, RED_POEMS & ~pile, BLUE_RIBBONS & ~pile
        replaced = {yaku.TANE: boars == ZERO, yaku.TAN: reds == ZERO or blues == ZERO}
        sets = [row for row in sets if not replaced.get(row[0])]
    begun = []
    for which, wanted, need in sets:
        have, missing = count(pile & wanted), wanted & ~pile & ~other
        if _WORTH_A_WORD[need] <= have < need <= have + count(missing):
            begun.append(Progress(which, have, need, missing))
    return sorted(begun, key=lambda row: (row.need - row.have, row.which))


def _next_bright(pile) -> list[tuple[int, np.uint64, int]]:
    """The bright yaku that come next: which, of which cards, how many."""
    made = yaku.bright_yaku(pile)
    if made == yaku.SANKO:
        return [(yaku.SHIKO, _DRY, 4), (yaku.AME_SHIKO, pile & _DRY | mask_of(cards.RAIN_MAN), 4)]
    if made >= 0:
        return [(yaku.GOKO, cards.BRIGHTS, 5)] if made != yaku.GOKO else []
    if count(pile & cards.BRIGHTS) == 3:  # two and the rain man: another makes it four
        return [(yaku.AME_SHIKO, cards.BRIGHTS, 4)]
    return [(yaku.SANKO, _DRY, 3)]


def _names(mask, reader: Reader, names=PICTURES, in_sight=ZERO) -> list[Text]:
    """Some cards in their colours, those of one name counted; those in sight are bold."""
    by_name: dict[str, list[int]] = {}
    for card in cards_of(mask):
        by_name.setdefault(reader.label(names[card]), []).append(card)
    texts = []
    for name, here in by_name.items():
        bold = " bold" if mask_of(here[0]) & in_sight else ""
        texts.append(Text(name, (style_of(here[0]) + bold).strip()))
        if len(here) > 1:
            texts[-1].append(f" ×{len(here)}")
    return texts


def _kind_text(mask, kind: int, reader: Reader, width: int) -> Text:
    """The captured cards of one kind: ribbons and chaff are known by their flower."""
    held = mask_of(*(card for card in cards_of(mask) if KIND[card] == kind))
    if held == ZERO:
        return Text("·", "dim")
    pieces = _names(held, reader, PICTURES if kind in (cards.HIKARI, cards.TANE) else FLOWER_OF)
    pieces[0] = Text(f"{count(held)}  ", "bold") + pieces[0]
    return flow(pieces, comma(reader.lang), width)


def _piles(state, reader: Reader, seats: tuple[int, int]) -> Table:
    """Both seats side by side with their piles; a kind that nobody has takes no line."""
    label = max(cell_len(reader.label(name)) for name in KINDS) + 2
    width = (reader.width - label) // 2
    grid = Table.grid(padding=0)
    for column in (label, width, width):
        grid.add_column(width=column, no_wrap=True)
    heads = []
    for seat in seats:
        heads.append(Text(f"{reader.names[seat]} {int(state.score[seat]):+d}", "bold"))
        heads[-1].append(f" · {reader.label(HAND_OF)} {int(state.cards[seat])}", "not bold")
    grid.add_row("", *heads)
    for kind, name in enumerate(KINDS):
        if any(KIND[card] == kind for seat in seats for card in cards_of(state.pile[seat])):
            held = (_kind_text(state.pile[seat], kind, reader, width - 2) for seat in seats)
            grid.add_row(reader.label(name), *held)
    return grid


def _yaku_pieces(state, seat: int, reader: Reader) -> list[Text]:
    """The yaku of a seat: made with their points, begun with how far, and what is missing."""
    pile, calls = state.pile[seat], int(state.calls[seat])
    in_sight = state.field | (state.hand[reader.seat] if reader.seat is not None else ZERO)
    pieces = [Text(f"{reader.label(CALLED)} ×{calls}", "bold red")] if calls else []
    for which, name in enumerate(YAKU[: yaku.FROM_PILE]):
        points = int(points_of(which, pile, calls, state.rules))
        if points:
            pieces.append(Text(f"{reader.label(name)} {points}{'' if reader.lang == 'en' else '文'}", "bold"))
    for row in progress(pile, state.pile[1 - seat], calls, state.rules):
        piece = Text(f"{reader.label(YAKU[row.which])} {row.have}/{row.need}")
        if row.which not in _COUNTED:
            names = FLOWER_OF if row.which in (yaku.AKATAN, yaku.AOTAN) else PICTURES
            missing = Text(comma(reader.lang)).join(_names(row.missing, reader, names, in_sight))
            piece = piece + Text(" (") + missing + Text(")")
        pieces.append(piece)
    return pieces


def _yaku_lines(state, reader: Reader, seats: tuple[int, int]) -> Table:
    """A line for the yaku of each seat that has any."""
    heads = [f"{_YAKU.en if reader.lang == 'en' else _YAKU.ja} {reader.names[seat]}" for seat in seats]
    label = max(cell_len(head) for head in heads) + 2
    grid = Table.grid(padding=0)
    grid.add_column(width=label, no_wrap=True)
    grid.add_column(no_wrap=True)
    for head, seat in zip(heads, seats, strict=True):
        pieces = _yaku_pieces(state, seat, reader)
        if pieces:
            grid.add_row(Text(head), flow(pieces, " · ", reader.width - label))
    return grid


def _field(state, reader: Reader) -> Table:
    """The field by month, in as many columns as there is room for; bold where a card of the hand fits."""
    held = state.hand[reader.seat] if reader.seat is not None else ZERO
    heads, names = [], []
    for month, flower in enumerate(FLOWERS):
        here = state.field & rules.month_of(4 * month)
        if here:
            fits = held & rules.month_of(4 * month) != ZERO
            heads.append(Text(f"{month + 1:2} {reader.label(flower)}", "bold" if fits else ""))
            names.append(_names(here, reader))
    across = max(1, reader.width // _FIELD_COLUMN[reader.lang])
    rows = -(-len(heads) // across)
    grid = Table.grid(padding=0)
    columns = []
    for start in range(0, len(heads), max(1, rows)):
        label = max(head.cell_len for head in heads[start : start + rows]) + 2
        room = reader.width // across - label
        grid.add_column(width=label, no_wrap=True)
        grid.add_column(width=room, no_wrap=True)
        entries = [flow(pieces, comma(reader.lang), room - 2) for pieces in names[start : start + rows]]
        columns.append(list(zip(heads[start : start + rows], entries, strict=True)))
    for row in range(rows):
        pairs = [column[row] for column in columns if row < len(column)]
        grid.add_row(*(cell for pair in pairs for cell in pair))
    return grid


def _lines(rows: list[tuple[str, np.uint64]], reader: Reader) -> Table:
    """Rows of a head and some cards behind it."""
    label = max((cell_len(head) for head, _ in rows), default=0) + 2
    grid = Table.grid(padding=0)
    grid.add_column(width=label, no_wrap=True)
    grid.add_column(no_wrap=True)
    for head, held in rows:
        pieces = _names(held, reader, PLAIN)
        grid.add_row(Text(head, "bold"), flow(pieces, comma(reader.lang), reader.width - label))
    return grid


def screen(states: np.ndarray, reader: Reader) -> Group:
    """The whole table as one seat sees it, or with both hands open."""
    state, label = states[0], reader.label
    own = reader.seat if reader.seat is not None else 0
    seats = (1 - own, own)
    last = int(state.rules.rounds)
    title = [
        f"{round_name(min(int(state.finished) + 1, last), reader)}/{last}",
        f"{label(DEALER)} {reader.names[int(state.dealer)]}",
        f"{label(DECK)} {CARDS - int(state.next)}",
    ]
    parts: list[RenderableType] = [
        Text("   ".join(title), "dim"),
        _piles(state, reader, seats),
        _yaku_lines(state, reader, seats),
        Rule(Text(label(FIELD), "bold"), align="left", style="dim"),
        _field(state, reader),
    ]
    lines = []
    for seat in seats:
        choosing = state.phase == rules.HAND and state.seat == seat  # then the moves name the hand
        if reader.seat is None or (seat == reader.seat and not choosing and state.phase != rules.OVER):
            who = f"{reader.names[seat]} " if reader.seat is None else ""
            lines.append((f"{who}{label(HAND_OF)}", state.hand[seat]))
    if state.card >= 0:
        lines.append((label(WAITING), mask_of(int(state.card))))
    return Group(*parts, _lines(lines, reader))
