"""A table of Koi-Koi as data: piles by kind with the yaku on their way, the field by month, the hands."""

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

import numpy as np

from tefuda.contract import Card, Mark, Move, Moved, Name, Note, Reader, Scene, Seat, Zone, fields_of, place_of
from tefuda.contract.scene import CAPTURABLE, KEPT
from tefuda.games.koikoi.cards import (
    BLUE_RIBBONS,
    CARDS,
    FLOWERS,
    HIKARI,
    KIND,
    KINDS,
    NAMES,
    PACKS,
    RED_POEMS,
    TANE,
    cards_of,
    mask_of,
)
from tefuda.games.koikoi.options import RULEBOOK
from tefuda.games.koikoi.progress import BegunYaku, progress
from tefuda.games.koikoi.state import AGARI, CALL, DRAWN, HAND, KOIKOI, MATCH, OVER, SEATS, month_of
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
OF_KIND = tuple(sum(1 << card for card in range(CARDS) if KIND[card] == kind) for kind in range(len(KINDS)))
NO_FIELD = Zone("field", FIELD)


def style_of(card: int) -> str:
    """A word for the look of a card: its kind, and for ribbons of a yaku the ribbon's own."""
    if mask_of(card) & RED_POEMS:
        return "red"
    return "blue" if mask_of(card) & BLUE_RIBBONS else GROUPS[KIND[card]]


def _cards(held: int, shorts: Sequence[Name], mark: str = "", marked: int = 0) -> tuple[Card, ...]:
    """Some cards, those of a set with a mark."""
    return tuple(_card(card, shorts[card], (mark,) if marked >> card & 1 else ()) for card in cards_of(held))


@cache
def _card(card: int, in_short: Name, marks: tuple[str, ...]) -> Card:
    return Card(card, short(NAMES[card]), in_short, style_of(card), marks, picture=f"{_month(card)}-{card % 4 + 1}")


def _month(card: int) -> str:
    """The group of the field where a card lies."""
    return str(card // 4 + 1)


def scene(states: np.ndarray, reader: Reader) -> Scene:
    """The whole table as one seat sees it, or with both hands open. Zones that have not changed are those of the scene
    before."""
    state, options = fields_of(states), states["rules"].tobytes()
    own = reader.seat if reader.seat is not None else 0
    held = 0 if reader.seat is None else state.hand[reader.seat]
    seen, zones = state.field | held, list[Zone]()
    for seat in (1 - own, own):
        zones += _piles(seat, state.pile[seat], state.pile[1 - seat], state.calls[seat], seen, options)
    zones += [_field(month, cards, fits) for month, cards, fits in _by_month(state.field, held)] or [NO_FIELD]
    zones += [_hand(seat, state.hand[seat], state.cards[seat]) for seat in (1 - own, own)]
    if state.card >= 0:
        zones.append(Zone("waiting", WAITING, cards=_cards(1 << state.card, PLAIN)))
    zones.append(_deck(4 * PACKS[state.rules.pack].months - state.next))
    title = (_round_note(state.finished, state.rules.rounds, reader), Note(DEALER, "dealer", seat=state.dealer))
    seats = tuple(_seat(state.score[seat], state.calls[seat], state.dealer == seat) for seat in range(SEATS))
    return Scene(
        deck="hanafuda", title=title, seats=seats, zones=tuple(zones), legend=LEGEND, colours=COLOURS, signed=True
    )


@lru_cache(KEPT)
def _round_note(finished: int, last: int, reader: Reader) -> Note:
    number = min(finished + 1, last)
    return Note(reader.tell(lambda told: f"{round_name(number, told)}/{last}"), "round")


@lru_cache(KEPT)
def _seat(score: int, calls: int, dealer: bool) -> Seat:
    called = (Note(CALLED, "call", value=f"×{calls}"),) if calls else ()
    return Seat(score, ("dealer",) if dealer else (), called)


@lru_cache(KEPT)
def _piles(seat: int, pile: int, other: int, calls: int, seen: int, options: bytes) -> tuple[Zone, ...]:
    """The captured cards of a seat by kind, with the yaku that are made of them or on their way."""
    made, begun = _yaku_of(pile, other, calls, options)
    told: dict[int, list[Note]] = {}
    for which, points in made:
        told.setdefault(YAKU[which].group, []).append(Note(YAKU[which].name, "yaku", points=points))
    for row in begun:
        told.setdefault(YAKU[row.which].group, []).append(_toward(row, seen))
    return tuple(_pile(seat, kind, pile & OF_KIND[kind], tuple(told.get(kind, ()))) for kind in range(len(KINDS)))


@lru_cache(KEPT)
def _yaku_of(pile: int, other: int, calls: int, options: bytes) -> tuple[list[tuple[int, int]], list[BegunYaku]]:
    """The yaku that are made of a pile with their points, and those on their way."""
    record, held = np.frombuffer(options, RULEBOOK.dtype)[0], np.uint64(pile)
    points = [(which, int(points_of(which, held, calls, record))) for which in range(FROM_PILE)]
    return [(which, paid) for which, paid in points if paid], progress(held, np.uint64(other), calls, record)


@lru_cache(KEPT)
def _pile(seat: int, kind: int, captured: int, notes: tuple[Note, ...]) -> Zone:
    shorts = PICTURES if kind in (HIKARI, TANE) else FLOWER_OF  # ribbons and chaff are known by their flower
    return Zone("pile", PILE_OF, seat, GROUPS[kind], KINDS[kind], _cards(captured, shorts), notes=notes)


def _toward(row: BegunYaku, in_sight: int) -> Note:
    """A yaku on its way, with the cards that are missing where it matters which."""
    shorts = FLOWER_OF if row.which in (AKATAN, AOTAN) else PICTURES
    missing = () if row.any_will_do else _cards(int(row.missing), shorts, "in-sight", in_sight)
    return Note(YAKU[row.which].name, "yaku", has=row.have, needs=row.need, missing=missing)


def _by_month(field: int, held: int) -> Iterator[tuple[int, int, bool]]:
    """The months of which cards lie on the field: the first card, those that lie there, whether one of a hand fits."""
    for first in range(0, CARDS, 4):
        month = 15 << first
        if field & month:
            yield first, field & month, bool(held & month)


@lru_cache(KEPT)
def _field(first: int, cards: int, fits: bool) -> Zone:
    told = _cards(cards, PICTURES, CAPTURABLE, cards if fits else 0)
    return Zone("field", FIELD, group=_month(first), title=FLOWER_OF[first], cards=told)


@lru_cache(KEPT)
def _hand(seat: int, held: int, size: int) -> Zone:
    cards = _cards(held, PLAIN)
    return Zone("hand", HAND_OF, seat, cards=cards, backs=size - len(cards))


@cache
def _deck(left: int) -> Zone:
    return Zone("deck", DECK, backs=left)


def involves(states: np.ndarray, action: int) -> Move:
    """The card of an action, and what it takes."""
    state = states[0]
    if action == AGARI and state.phase == CALL:
        return Move(action, notes=(Note(YAKU_MADE, "yaku", points=payment(state)),))
    if action >= AGARI:
        return Move(action)
    if state.phase in (MATCH, DRAWN):
        return Move(action, (int(state.card),), "waiting", (action,), place_of("field", group=_month(action)))
    taken = tuple(cards_of(month_of(action) & state.field)) if state.phase == HAND else ()
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
