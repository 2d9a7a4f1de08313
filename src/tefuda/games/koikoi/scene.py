"""A table of Koi-Koi as data: piles by kind with the yaku on their way, the field by month, the hands."""

from collections.abc import Sequence
from functools import cache

import numpy as np

from tefuda.contract import Card, Mark, Move, Moved, Name, Note, Reader, Scene, Seat, Zone, place_of
from tefuda.contract.scene import CAPTURABLE
from tefuda.games.koikoi import rules
from tefuda.games.koikoi.cards import (
    BLUE_RIBBONS,
    CARDS,
    CARDS_IN,
    FLOWERS,
    HIKARI,
    KIND,
    KINDS,
    NAMES,
    RED_POEMS,
    TANE,
    cards_of,
    mask_of,
)
from tefuda.games.koikoi.progress import Progress, progress
from tefuda.games.koikoi.rules import AGARI, CALL, DRAWN, HAND, KOIKOI, MATCH, OVER, SEATS
from tefuda.games.koikoi.text import (
    DEALER,
    DECK,
    FIELD,
    HAND_OF,
    PICTURES,
    PILE_OF,
    PLAIN,
    WAITING,
    YAKU_MADE,
    laid_by,
    payment,
    round_name,
    short,
)
from tefuda.games.koikoi.yaku import AKATAN, AOTAN, FROM_PILE, YAKU, points_of
from tefuda.kernel.bits import ZERO, count

CALLED, IN_SIGHT, FITS = Name("こいこい", "koi-koi"), Name("見えている", "in sight"), Name("手札に合う", "fits a card")
LEGEND = (
    Mark("dealer", DEALER),
    Mark("yaku", YAKU_MADE),
    Mark("call", CALLED),
    Mark(CAPTURABLE, FITS),
    Mark("in-sight", IN_SIGHT),
)
COLOURS = {"bright": "yellow", "animal": "green", "ribbon": "magenta", "red": "red", "blue": "blue"}
GROUPS = tuple(kind.en for kind in KINDS)
FLOWER_OF = tuple(FLOWERS[card // 4] for card in range(CARDS))


def style_of(card: int) -> str:
    """A word for the look of a card: its kind, and for ribbons of a yaku the ribbon's own."""
    if mask_of(card) & RED_POEMS:
        return "red"
    return "blue" if mask_of(card) & BLUE_RIBBONS else GROUPS[KIND[card]]


def _cards(held: np.uint64, shorts: Sequence[Name], mark: str = "", marked: np.uint64 = ZERO) -> tuple[Card, ...]:
    """Some cards, those of a set with a mark."""
    bits = int(marked)
    return tuple(_card(card, shorts[card], (mark,) if bits >> card & 1 else ()) for card in cards_of(held))


@cache
def _card(card: int, in_short: Name, marks: tuple[str, ...]) -> Card:
    return Card(card, short(NAMES[card]), in_short, style_of(card), marks, picture=f"{_month(card)}-{card % 4 + 1}")


def _month(card: int) -> str:
    """The group of the field where a card lies."""
    return str(card // 4 + 1)


def scene(states: np.ndarray, reader: Reader) -> Scene:
    """The whole table as one seat sees it, or with both hands open."""
    state = states[0]
    own = reader.seat if reader.seat is not None else 0
    held = ZERO if reader.seat is None else state.hand[reader.seat]
    zones = [zone for seat in (1 - own, own) for zone in _piles(state, seat, held)]
    zones += _field(state, held)
    zones += [_hand(state, seat) for seat in (1 - own, own)]
    if state.card >= 0:
        zones.append(Zone("waiting", WAITING, cards=_cards(rules.waiting_card(state), PLAIN)))
    zones.append(Zone("deck", DECK, backs=int(CARDS_IN[state.rules.pack]) - int(state.next)))
    last = int(state.rules.rounds)
    number = min(int(state.finished) + 1, last)
    title = (
        Note(reader.tell(lambda told: f"{round_name(number, told)}/{last}"), "round"),
        Note(DEALER, "dealer", seat=int(state.dealer)),
    )
    seats = tuple(_seat(state, seat) for seat in range(SEATS))
    return Scene(
        deck="hanafuda", title=title, seats=seats, zones=tuple(zones), legend=LEGEND, colours=COLOURS, signed=True
    )


def _seat(state: np.record, seat: int) -> Seat:
    calls = int(state.calls[seat])
    called = (Note(CALLED, "call", value=f"×{calls}"),) if calls else ()
    return Seat(int(state.score[seat]), ("dealer",) if state.dealer == seat else (), called)


def _piles(state: np.record, seat: int, held: np.uint64) -> list[Zone]:
    """The captured cards of a seat by kind, with the yaku that are made of them or on their way."""
    pile, calls = state.pile[seat], int(state.calls[seat])
    told: dict[int, list[Note]] = {}
    for which, yaku in enumerate(YAKU[:FROM_PILE]):
        points = int(points_of(which, pile, calls, state.rules))
        if points:
            told.setdefault(yaku.group, []).append(Note(yaku.name, "yaku", points=points))
    for row in progress(pile, state.pile[1 - seat], calls, state.rules):
        told.setdefault(YAKU[row.which].group, []).append(_toward(row, state.field | held))
    zones = []
    for kind, name in enumerate(KINDS):
        captured = mask_of(*(card for card in cards_of(pile) if KIND[card] == kind))
        shorts = PICTURES if kind in (HIKARI, TANE) else FLOWER_OF  # ribbons and chaff are known by their flower
        cards, notes = _cards(captured, shorts), tuple(told.get(kind, ()))
        zones.append(Zone("pile", PILE_OF, seat, GROUPS[kind], name, cards, notes=notes))
    return zones


def _toward(row: Progress, in_sight: np.uint64) -> Note:
    """A yaku on its way, with the cards that are missing where it matters which."""
    shorts = FLOWER_OF if row.which in (AKATAN, AOTAN) else PICTURES
    missing = () if row.any_will_do else _cards(row.missing, shorts, "in-sight", in_sight)
    return Note(YAKU[row.which].name, "yaku", has=row.have, needs=row.need, missing=missing)


def _field(state: np.record, held: np.uint64) -> list[Zone]:
    """The field by month; an empty one is there too."""
    zones = []
    for first in range(0, CARDS, 4):
        month = rules.month_of(first)
        if state.field & month:
            cards = _cards(state.field & month, PICTURES, CAPTURABLE, month if held & month else ZERO)
            zones.append(Zone("field", FIELD, group=_month(first), title=FLOWER_OF[first], cards=cards))
    return zones or [Zone("field", FIELD)]


def _hand(state: np.record, seat: int) -> Zone:
    cards = _cards(state.hand[seat], PLAIN)
    return Zone("hand", HAND_OF, seat, cards=cards, backs=int(state.cards[seat]) - len(cards))


def involves(states: np.ndarray, action: int) -> Move:
    """The card of an action, and what it takes."""
    state = states[0]
    if action == AGARI and state.phase == CALL:
        return Move(action, notes=(Note(YAKU_MADE, "yaku", points=payment(state)),))
    if action >= AGARI:
        return Move(action)
    if state.phase in (MATCH, DRAWN):
        return Move(action, (int(state.card),), "waiting", (action,), place_of("field", group=_month(action)))
    taken = tuple(cards_of(rules.month_of(action) & state.field)) if state.phase == HAND else ()
    where = place_of("field", group=_month(action)) if taken else ""
    return Move(action, (action,), place_of("hand", int(state.seat)), taken, where)


def moved(before: np.ndarray, after: np.ndarray, action: int, reader: Reader) -> list[Moved]:
    """The cards that one decision moved, in their order: the one played with what it took, then the one drawn."""
    state, seat, found = before[0], int(before[0].seat), []
    for laid in laid_by(state, action):
        field = place_of("field", group=_month(laid.card))
        source = "waiting" if laid.chosen else "deck" if laid.drawn else place_of("hand", seat)
        if laid.taken is None:
            found.append(Moved(laid.card, source, "waiting"))
        elif laid.taken == ZERO:
            found.append(Moved(laid.card, source, field))
        else:
            found.append(Moved(laid.card, source, _pile_of(seat, laid.card)))
            found += [Moved(card, field, _pile_of(seat, card)) for card in cards_of(laid.taken)]
    return found


def _pile_of(seat: int, card: int) -> str:
    return place_of("pile", seat, GROUPS[KIND[card]])


def why_not(states: np.ndarray, action: int, reader: Reader) -> str:
    """Why an action is not legal at this table for the seat to move."""
    state = states[0]
    if state.phase == OVER:
        return reader.say("対局は終わった", "the game is over")
    if state.phase == CALL and action == KOIKOI:
        return reader.say("配られた役ではこいこいできない", "no koi-koi with a yaku that was dealt")
    if state.phase == CALL:
        return reader.say("まず、あがりかこいこいか", "first decide: agari or koi-koi")
    if action >= AGARI:
        return reader.say("役ができた時だけ", "only when a yaku has just been made")
    name = short(NAMES[action])  # as the screen has it
    if state.phase == HAND:
        return reader.say(f"{name.ja}は手札にない", f"{name.en} is not in your hand")
    card = PLAIN[int(state.card)]
    if count(mask_of(action) & state.field) == 0:
        return reader.say(f"{name.ja}は場にない", f"{name.en} is not on the field")
    return reader.say(f"{card.ja}とは月が違う", f"{card.en} takes a card of its own month")
