"""A table of Koi-Koi as a terminal shows it: piles by kind, yaku in progress, the field by month."""

from typing import NamedTuple

import numpy as np
from rich.console import Group
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from tefuda.contract import Name, Reader
from tefuda.games.koikoi import cards, rules, yaku
from tefuda.games.koikoi.cards import BLUE_RIBBONS, CARDS, FLOWERS, KIND, KINDS, RED_POEMS, cards_of, mask_of
from tefuda.games.koikoi.options import INSTEAD
from tefuda.games.koikoi.text import DEALER, DECK, FIELD, HAND_OF, PICTURES, PLAIN, WAITING, round_name
from tefuda.games.koikoi.yaku import YAKU, points_of
from tefuda.kernel.bits import ZERO, bit, count

_DRY = cards.BRIGHTS & ~mask_of(cards.RAIN_MAN)
_YAKU, CALLED = Name("役", "yaku"), Name("こいこい", "koi-koi")
FLOWER_OF = tuple(FLOWERS[card // 4] for card in range(CARDS))
_KIND_STYLES = ("yellow", "green", "magenta", "")
_TO_COUNT = {yaku.TANE: 3, yaku.TAN: 3, yaku.KASU: 7}  # from how many cards on these are worth a word


def style_of(card: int) -> str:
    """The colour of a card: its kind, and for ribbons of a yaku the ribbon's own."""
    if bit(card) & RED_POEMS:
        return "red"
    return "blue" if bit(card) & BLUE_RIBBONS else _KIND_STYLES[KIND[card]]


class Progress(NamedTuple):
    """A yaku that is not there yet and can still come."""

    which: int
    have: int
    need: int
    missing: np.uint64  # cards that would help and that the other has not captured


def progress(pile, other, calls: int, rule_record) -> list[Progress]:
    """The yaku that a pile has begun and the other's pile does not rule out, the nearest first."""
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
        if _TO_COUNT.get(which, 1) <= have < need <= have + count(missing):
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


def _cards_text(mask, reader: Reader, names=PICTURES, highlight=ZERO) -> Text:
    """Some cards in their colours, those of one name counted; highlighted ones are bold."""
    by_name: dict[str, list[int]] = {}
    for card in cards_of(mask):
        by_name.setdefault(reader.label(names[card]), []).append(card)
    separator = "、" if reader.lang == "ja" else ", "
    text = Text()
    for name, here in by_name.items():
        style = style_of(here[0]) + (" bold" if bit(here[0]) & highlight else "")
        text.append(separator if text else "")
        text.append(name, style.strip())
        text.append(f" ×{len(here)}" if len(here) > 1 else "")
    return text


def _kind_text(mask, kind: int, reader: Reader) -> Text:
    """The captured cards of one kind: ribbons and chaff are known by their flower."""
    held = sum((bit(card) for card in cards_of(mask) if KIND[card] == kind), ZERO)
    if held == ZERO:
        return Text("·", "dim")
    text = Text(f"{count(held)}  ", "bold")
    if kind in (cards.HIKARI, cards.TANE):
        return text + _cards_text(held, reader)
    return text + _cards_text(held, reader, FLOWER_OF)


def _rows(reader: Reader) -> Table:
    """Rows of a label and of what both seats have, side by side."""
    grid = Table.grid(padding=(0, 2, 0, 0), expand=True)
    grid.add_column(no_wrap=True)
    grid.add_column(ratio=1)
    grid.add_column(ratio=1)
    return grid


def _piles(state, reader: Reader, seats: tuple[int, int]) -> Table:
    """Both seats side by side with their piles; a kind that nobody has takes no line."""
    grid = _rows(reader)
    heads, hands = [], []
    for seat in seats:
        heads.append(Text(f"{reader.names[seat]}  {int(state.score[seat]):+d}", "bold"))
        hands.append(Text(f"{int(state.cards[seat])}"))
        if state.calls[seat]:
            hands[-1].append(f"  {reader.label(CALLED)} ×{int(state.calls[seat])}", "bold red")
    grid.add_row("", *heads)
    grid.add_row(reader.label(HAND_OF), *hands)
    for kind, name in enumerate(KINDS):
        if any(KIND[card] == kind for seat in seats for card in cards_of(state.pile[seat])):
            grid.add_row(reader.label(name), *(_kind_text(state.pile[seat], kind, reader) for seat in seats))
    return grid


def _yaku_text(state, seat: int, reader: Reader) -> Text:
    """The yaku of a seat: made with their points, begun with what is missing; in bold what is in sight of it."""
    pile, calls = state.pile[seat], int(state.calls[seat])
    in_sight = state.field | (state.hand[reader.seat] if reader.seat is not None else ZERO)
    parts = []
    for which, name in enumerate(YAKU[: yaku.FROM_PILE]):
        points = int(points_of(which, pile, calls, state.rules))
        if points:
            parts.append(Text(f"{reader.label(name)} {points}{'' if reader.lang == 'en' else '文'}", "bold"))
    for row in progress(pile, state.pile[1 - seat], calls, state.rules):
        part = Text(f"{reader.label(YAKU[row.which])} {row.have}/{row.need}")
        if row.which not in _TO_COUNT:
            names = FLOWER_OF if row.which in (yaku.AKATAN, yaku.AOTAN) else PICTURES
            part = part + Text(" (") + _cards_text(row.missing, reader, names, in_sight) + Text(")")
        parts.append(part)
    return Text(" · ").join(parts)


def _yaku_lines(state, reader: Reader, seats: tuple[int, int]) -> Table:
    """A line for the yaku of each seat that has any."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column()
    for seat in seats:
        told = _yaku_text(state, seat, reader)
        if told:
            grid.add_row(f"{reader.label(_YAKU)} {reader.names[seat]}", told)
    return grid


def _field(state, reader: Reader) -> Table:
    """The field by month, in as many columns as there is room for."""
    columns = max(1, reader.width // 38)
    grid = Table.grid(padding=(0, 2, 0, 0), expand=True)
    for _ in range(columns):
        grid.add_column(no_wrap=True)
        grid.add_column(ratio=1)
    held = state.hand[reader.seat] if reader.seat is not None else ZERO
    cells: list[Text] = []
    for month, flower in enumerate(FLOWERS):
        here = state.field & rules.month_of(4 * month)
        if here != ZERO:
            fits = held & rules.month_of(4 * month) != ZERO
            cells.append(Text(f"{month + 1:2} {reader.label(flower)}", "bold" if fits else ""))
            cells.append(_cards_text(here, reader))
    for start in range(0, len(cells), 2 * columns):
        grid.add_row(*cells[start : start + 2 * columns])
    return grid


def _line(head: str, cards_of_it: Text) -> Text:
    return Text(f"{head}  ", "bold") + cards_of_it


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
    parts = [
        Text("   ".join(title), "dim"),
        _piles(state, reader, seats),
        _yaku_lines(state, reader, seats),
        Rule(Text(label(FIELD), "bold"), align="left", style="dim"),
        _field(state, reader),
    ]
    for seat in seats:
        choosing = state.phase == rules.HAND and state.seat == seat  # then the moves name the hand
        if reader.seat is None or (seat == reader.seat and not choosing and state.phase != rules.OVER):
            who = f"{reader.names[seat]} " if reader.seat is None else ""
            parts.append(_line(f"{who}{label(HAND_OF)}", _cards_text(state.hand[seat], reader, PLAIN)))
    if state.card >= 0:
        parts.append(_line(label(WAITING), _cards_text(bit(int(state.card)), reader, PLAIN)))
    return Group(*parts)
