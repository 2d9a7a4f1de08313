"""A table of tricks as data: the trick, what each seat has taken and shown, the hands by suit, what was passed."""

from functools import cache, lru_cache
from types import SimpleNamespace

import numpy as np

from tefuda.contract import Card, Mark, Move, Name, Note, Reader, Scene, Seat, Zone, alike, fields_of, place_of
from tefuda.contract.scene import KEPT, NO_CARD
from tefuda.games.tricks.cards import (
    HAND_OF,
    JACK_OF_DIAMONDS,
    LETTERS,
    NAMES,
    PACK_OF,
    RANKS,
    SUIT_NAMES,
    SYMBOLS,
    cards_of,
)
from tefuda.games.tricks.spaces import PHASES, RELATIVE
from tefuda.games.tricks.state import OVER, PASS, PASSED, PLAY, SEATS, first_card, suit_of
from tefuda.games.tricks.text import (
    BROKEN,
    GIVEN,
    POINTS,
    RECEIVED,
    SCORE,
    TAKEN,
    TRICK,
    deal_name,
    is_hearts,
    listed,
    penalty_on_table,
    short,
    winning_card,
)
from tefuda.kernel.bits import ZERO, has

HAND, VOID, LEAD, WINNING = Name("手札", "hand"), Name("切れ", "void"), Name("リード", "lead"), Name("勝ち", "winning")
UNBROKEN, PASSING = Name("ハート解禁前", "hearts not broken"), Name("三枚渡す", "pass three")
CHOSEN, PLAYED = Name("選んだ札", "chosen"), Name("出た札", "played")
LEGEND = (Mark("leads", LEAD, "▶"), Mark("winning", WINNING, "[]"), Mark("chosen", CHOSEN, "[]"))
STYLES = tuple(suit.en for suit in SUIT_NAMES)
COLOURS = {"diamonds": "red", "hearts": "red"}  # black is the drawing's own colour
WHOLE_SUITS = tuple(((1 << RANKS) - 1) << RANKS * suit for suit in range(len(SUIT_NAMES)))  # as sets
BROKEN_NOTE, UNBROKEN_NOTE, OVER_NOTE = Note(BROKEN, "broken"), Note(UNBROKEN, "broken"), Note(PHASES[OVER], "over")


@cache
def card_of(card: int, *marks: str) -> Card:
    suit, rank = divmod(card, RANKS)
    picture = LETTERS[rank] + STYLES[suit][0].upper()
    return Card(card, NAMES[card], alike(short(card)), STYLES[suit], marks, picture=picture)


def _cards(held: int, mark: str = "", marked: int = 0) -> tuple[Card, ...]:
    """Some cards, weakest first, those of a set with a mark."""
    return tuple(card_of(card, mark) if marked >> card & 1 else card_of(card) for card in cards_of(held))


def scene(states: np.ndarray, reader: Reader) -> Scene:
    """The whole table as one seat sees it, or with all hands open. Zones and seats that have not changed are those of
    the scene before."""
    state = fields_of(states)
    zones: list[Zone] = []
    best = winning_card(state) if state.phase == PLAY and state.laid else NO_CARD
    if state.phase == PLAY:
        zones += [_trick(seat, card, card == best) for seat, card in enumerate(state.trick)]
    for seat in range(SEATS):
        chosen = state.passed[seat] if state.phase == PASS else 0
        zones += _hand(seat, state.hand[seat], chosen, int(HAND_OF[state.rules.pack]) - state.played[seat].bit_count())
    on_table = sum(1 << card for card in state.trick if card >= 0)
    zones += [_played(seat, state.played[seat] & ~on_table) for seat in range(SEATS)]
    return Scene(
        deck="cards", title=tuple(_title(state, reader)), status=tuple(_status(state, reader, best)),
        notes=tuple(_passes(state, reader)), seats=tuple(_seat_of(state, seat) for seat in range(SEATS)),
        zones=tuple(zones), legend=LEGEND, colours=COLOURS,
    )  # fmt: skip


def _title(state: SimpleNamespace, reader: Reader) -> list[Note]:
    """The deal, the trick, and whether hearts may be led."""
    notes = [_deal_note(state.finished + (state.phase != OVER), reader)]
    if state.phase == PLAY:
        notes.append(_trick_note(state.number, int(HAND_OF[state.rules.pack])))
        if is_hearts(state) and state.rules.break_hearts:
            notes.append(BROKEN_NOTE if state.broken else UNBROKEN_NOTE)
    elif state.phase == OVER:
        notes.append(OVER_NOTE)
    return notes


@lru_cache(KEPT)
def _deal_note(number: int, reader: Reader) -> Note:
    return Note(reader.tell(lambda told: deal_name(number, told)), "deal")


@cache
def _trick_note(number: int, tricks: int) -> Note:
    return Note(TRICK, "trick", has=number + 1, needs=tricks)


def _status(state: SimpleNamespace, reader: Reader, best: int) -> list[Note]:
    """What the seat in turn has before it: where cards are passed to, or who leads and which card is the best."""
    if state.phase == OVER:
        return []
    if state.phase == PASS:
        seat = reader.seat if reader.seat is not None else state.seat
        receiver = (seat + state.direction) % SEATS
        chosen = _cards(state.passed[seat], "chosen", state.passed[seat])
        passing = Note(PASSING, "passing", value=RELATIVE[state.direction], seat=receiver, way="to")
        needs = min(PASSED, int(HAND_OF[state.rules.pack]))
        return [passing, Note(CHOSEN, "chosen", has=len(chosen), needs=needs, cards=chosen)]
    notes = [Note(LEAD, "leads", seat=state.lead)]
    if state.laid:
        holder = state.trick.index(best)
        notes.append(Note(WINNING, "winning", cards=(card_of(best, "winning"),), seat=holder))
        points = penalty_on_table(state) if is_hearts(state) else 0
        if points:
            notes.append(Note(POINTS, "points", points=points))
    return notes


def _seat_of(state: SimpleNamespace, seat: int) -> Seat:
    hearts, target = is_hearts(state), state.rules.target
    points = state.points[seat] if hearts else None
    score = state.score[seat] if target else None
    jack = bool(hearts and state.rules.jack and state.jack == seat)
    leads = state.phase == PLAY and state.lead == seat
    return _seat(state.tricks[seat], points, jack, score, target, state.excluded[seat], leads, state.rules.pack)


@lru_cache(KEPT)
def _seat(
    tricks: int, points: int | None, jack: bool, score: int | None, target: int, excluded: int, leads: bool, pack: int
) -> Seat:
    """A seat with what it has taken in this deal and in the match, and the suits that it has shown not to hold."""
    notes = [Note(TAKEN, "tricks", tricks)]
    if points is not None:
        notes.append(Note(POINTS, "points", points, cards=(card_of(JACK_OF_DIAMONDS),) if jack else ()))
    if score is not None:
        notes.append(Note(Name(f"{SCORE.ja}/{target}", f"{SCORE.en}/{target}"), "score", score))
    notes.append(Note(VOID, "void", cards=tuple(_shown_void(excluded, pack))))
    figure = score if score is not None else points if points is not None else tricks
    return Seat(figure, ("leads",) if leads else (), tuple(notes))


def _shown_void(excluded: int, pack: int) -> list[Card]:
    """The suits that a seat has shown not to hold; `♠(Q)`: none of this suit but perhaps that card."""
    signs = []
    for suit, name in enumerate(SUIT_NAMES):
        whole = WHOLE_SUITS[suit] & int(PACK_OF[pack])
        if excluded & whole:
            rest = "".join(LETTERS[card % RANKS] for card in cards_of(whole & ~excluded))
            sign = alike(SYMBOLS[suit] + (f"({rest})" if rest else ""))
            signs.append(Card(NO_CARD, name, sign, STYLES[suit]))
    return signs


@lru_cache(KEPT)
def _trick(seat: int, card: int, best: bool) -> Zone:
    """What a seat has laid in the trick."""
    cards = (card_of(card, *(["winning"] if best else [])),) if card >= 0 else ()
    return Zone("trick", TRICK, seat, cards=cards)


@lru_cache(KEPT)
def _hand(seat: int, held: int, chosen: int, size: int) -> tuple[Zone, ...]:
    """A hand by suits. Of another's, what the reader has passed to it is known; the rest are backs."""
    zones = []
    for suit, name in enumerate(SUIT_NAMES):
        here = held & WHOLE_SUITS[suit]
        if here:
            zones.append(Zone("hand", HAND, seat, STYLES[suit], name, _cards(here, "chosen", chosen)))
    backs = size - held.bit_count()
    return (*zones, Zone("hand", HAND, seat, backs=backs)) if backs or not zones else tuple(zones)


@lru_cache(KEPT)
def _played(seat: int, done: int) -> Zone:
    return Zone("played", PLAYED, seat, cards=_cards(done))


def _passes(state: SimpleNamespace, reader: Reader) -> list[Note]:
    """What the reader has passed and not yet seen again; in the first trick also what it has received."""
    seat = reader.seat
    if seat is None or state.phase != PLAY or state.direction == 0:
        return []
    receiver, giver = (seat + state.direction) % SEATS, (seat - state.direction) % SEATS
    given = _cards(state.passed[seat] & ~state.played[receiver])
    notes = [Note(GIVEN, "given", cards=given, seat=receiver, way="to")] if given else []
    if state.number == 0:
        notes.append(Note(RECEIVED, "received", cards=_cards(state.passed[giver]), seat=giver, way="from"))
    return notes


def involves(states: np.ndarray, action: int) -> Move:
    """The card that is played or passed."""
    return Move(action, (action,), place_of("hand", int(states["seat"][0]), STYLES[action // RANKS]))


def why_not(states: np.ndarray, action: int, reader: Reader) -> str:
    """Why a card may not be played or passed by the seat to move."""
    state = states[0]
    seat = int(state.seat)
    if state.phase == OVER:
        return reader.say("対局は終わった", "the game is over")
    if not has(state.hand[seat], action):
        return reader.say(f"{short(action)} は手札にない", f"{short(action)} is not in your hand")
    if state.phase == PASS:
        return reader.say(f"{short(action)} はもう選んだ", f"{short(action)} is chosen already")
    if state.laid == 0:
        if state.number == 0:
            first = short(int(first_card(state)))
            return reader.say(f"最初は {first} をリードする", f"{first} leads the first trick")
        return reader.say("ハート解禁前：ほかのスートをリードする", "hearts are not broken: lead another suit")
    led = int(state.trick[state.lead]) // RANKS
    if state.hand[seat] & suit_of(RANKS * led) != ZERO:
        held = listed(state.hand[seat] & suit_of(RANKS * led), reader.lang)
        return reader.say(
            f"{SUIT_NAMES[led].ja}がリードされた：持っている {held} から出す",
            f"{SUIT_NAMES[led].en} were led: follow suit with {held}",
        )
    return reader.say("最初のトリックでは失点札を出せない", "no penalty cards in the first trick")
