"""A table of tricks as data: the trick, what each seat has taken and shown, the hands by suit, what was passed."""

from functools import cache

import numpy as np

from tefuda.contract import Card, Mark, Move, Name, Note, Reader, Scene, Seat, Zone, alike, place_of
from tefuda.contract.scene import NO_CARD
from tefuda.games.tricks import rules
from tefuda.games.tricks.cards import (
    JACK_OF_DIAMONDS,
    LETTERS,
    NAMES,
    RANKS,
    SUIT_NAMES,
    SYMBOLS,
    cards_of,
    mask_of,
)
from tefuda.games.tricks.rules import OVER, PASS, PLAY, SEATS
from tefuda.games.tricks.spaces import PHASES, RELATIVE
from tefuda.games.tricks.text import BROKEN, GIVEN, POINTS, RECEIVED, SCORE, TAKEN, TRICK, deal_name, listed, short
from tefuda.kernel.bits import ZERO, count, has

HAND, VOID, LEAD, WINNING = Name("手札", "hand"), Name("切れ", "void"), Name("リード", "lead"), Name("勝ち", "winning")
UNBROKEN, PASSING = Name("ハート解禁前", "hearts not broken"), Name("三枚渡す", "pass three")
CHOSEN, PLAYED = Name("選んだ札", "chosen"), Name("出た札", "played")
LEGEND = (Mark("leads", LEAD, "▶"), Mark("winning", WINNING, "[]"), Mark("chosen", CHOSEN, "[]"))
STYLES = tuple(suit.en for suit in SUIT_NAMES)
COLOURS = {"diamonds": "red", "hearts": "red"}  # black is the drawing's own colour


@cache
def card_of(card: int, *marks: str) -> Card:
    suit, rank = divmod(card, RANKS)
    picture = LETTERS[rank] + STYLES[suit][0].upper()
    return Card(card, NAMES[card], alike(short(card)), STYLES[suit], marks, picture=picture)


def _cards(held: np.uint64, mark: str = "", marked: np.uint64 = ZERO) -> tuple[Card, ...]:
    """Some cards, weakest first, those of a set with a mark."""
    bits = int(marked)
    return tuple(card_of(card, mark) if bits >> card & 1 else card_of(card) for card in cards_of(held))


def scene(states: np.ndarray, reader: Reader) -> Scene:
    """The whole table as one seat sees it, or with all hands open."""
    state = states[0]
    zones: list[Zone] = []
    if state.phase == PLAY:
        best = int(rules.winning_card(state)) if state.laid else NO_CARD
        for seat, card in enumerate(map(int, state.trick)):
            laid = (card_of(card, *(["winning"] if card == best else [])),) if card >= 0 else ()
            zones.append(Zone("trick", TRICK, seat, cards=laid))
    for seat in range(SEATS):
        zones += _hand(state, seat)
    for seat in range(SEATS):
        done = state.played[seat] & ~mask_of(*(int(card) for card in state.trick if card >= 0))
        zones.append(Zone("played", PLAYED, seat, cards=_cards(done)))
    return Scene(
        deck="cards", title=tuple(_title(state, reader)), status=tuple(_status(state, reader)),
        notes=tuple(_passes(state, reader)), seats=tuple(_seat(state, seat) for seat in range(SEATS)),
        zones=tuple(zones), legend=LEGEND, colours=COLOURS,
    )  # fmt: skip


def _title(state: np.record, reader: Reader) -> list[Note]:
    """The deal, the trick, and whether hearts may be led."""
    number = int(state.finished) + (state.phase != OVER)
    notes = [Note(reader.tell(lambda told: deal_name(number, told)), "deal")]
    if state.phase == PLAY:
        notes.append(Note(TRICK, "trick", has=int(state.number) + 1, needs=int(rules.hand_size(state))))
        if rules.is_hearts(state) and state.rules.break_hearts:
            notes.append(Note(BROKEN if state.broken else UNBROKEN, "broken"))
    elif state.phase == OVER:
        notes.append(Note(PHASES[OVER], "over"))
    return notes


def _status(state: np.record, reader: Reader) -> list[Note]:
    """What the seat in turn has before it: where cards are passed to, or who leads and which card is the best."""
    if state.phase == OVER:
        return []
    if state.phase == PASS:
        seat = reader.seat if reader.seat is not None else int(state.seat)
        receiver = (seat + int(state.direction)) % SEATS
        chosen = _cards(state.passed[seat], "chosen", state.passed[seat])
        passing = Note(PASSING, "passing", value=RELATIVE[int(state.direction)], seat=receiver, way="to")
        return [passing, Note(CHOSEN, "chosen", has=len(chosen), needs=int(rules.to_pass(state)), cards=chosen)]
    notes = [Note(LEAD, "leads", seat=int(state.lead))]
    if state.laid:
        best = int(rules.winning_card(state))
        holder = next(seat for seat in range(SEATS) if state.trick[seat] == best)
        notes.append(Note(WINNING, "winning", cards=(card_of(best, "winning"),), seat=holder))
        points = int(rules.penalty_on_table(state)) if rules.is_hearts(state) else 0
        if points:
            notes.append(Note(POINTS, "points", points=points))
    return notes


def _seat(state: np.record, seat: int) -> Seat:
    """A seat with what it has taken in this deal and in the match, and the suits that it has shown not to hold."""
    hearts, target = bool(rules.is_hearts(state)), int(state.rules.target)
    notes = [Note(TAKEN, "tricks", int(state.tricks[seat]))]
    if hearts:
        jack = (card_of(JACK_OF_DIAMONDS),) if state.rules.jack and state.jack == seat else ()
        notes.append(Note(POINTS, "points", int(state.points[seat]), cards=jack))
    if target:
        notes.append(Note(Name(f"{SCORE.ja}/{target}", f"{SCORE.en}/{target}"), "score", int(state.score[seat])))
    notes.append(Note(VOID, "void", cards=tuple(_shown_void(state, seat))))
    points = state.score[seat] if target else state.points[seat] if hearts else state.tricks[seat]
    leads = state.phase == PLAY and state.lead == seat
    return Seat(int(points), ("leads",) if leads else (), tuple(notes))


def _shown_void(state: np.record, seat: int) -> list[Card]:
    """The suits that a seat has shown not to hold; `♠(Q)`: none of this suit but perhaps that card."""
    signs = []
    for suit, name in enumerate(SUIT_NAMES):
        whole = rules.suit_of(RANKS * suit) & rules.pack_of(state)
        if state.excluded[seat] & whole != ZERO:
            rest = "".join(LETTERS[card % RANKS] for card in cards_of(whole & ~state.excluded[seat]))
            sign = alike(SYMBOLS[suit] + (f"({rest})" if rest else ""))
            signs.append(Card(NO_CARD, name, sign, STYLES[suit]))
    return signs


def _hand(state: np.record, seat: int) -> list[Zone]:
    """A hand by suits. Of another's, what the reader has passed to it is known; the rest are backs."""
    chosen = state.passed[seat] if state.phase == PASS else ZERO
    held = state.hand[seat]
    zones = []
    for suit, name in enumerate(SUIT_NAMES):
        here = held & rules.suit_of(RANKS * suit)
        if here:
            cards = _cards(here, "chosen", chosen)
            zones.append(Zone("hand", HAND, seat, STYLES[suit], name, cards))
    backs = int(rules.hand_size(state)) - int(count(state.played[seat])) - int(count(held))
    return [*zones, Zone("hand", HAND, seat, backs=backs)] if backs or not zones else zones


def _passes(state: np.record, reader: Reader) -> list[Note]:
    """What the reader has passed and not yet seen again; in the first trick also what it has received."""
    seat = reader.seat
    if seat is None or state.phase != PLAY or state.direction == 0:
        return []
    receiver, giver = (seat + int(state.direction)) % SEATS, (seat - int(state.direction)) % SEATS
    given = _cards(state.passed[seat] & ~state.played[receiver])
    notes = [Note(GIVEN, "given", cards=given, seat=receiver, way="to")] if given else []
    if state.number == 0:
        notes.append(Note(RECEIVED, "received", cards=_cards(state.passed[giver]), seat=giver, way="from"))
    return notes


def involves(states: np.ndarray, action: int) -> Move:
    """The card that is played or passed."""
    return Move(action, (action,), place_of("hand", int(states[0].seat), STYLES[action // RANKS]))


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
            first = short(int(rules.first_card(state)))
            return reader.say(f"最初は {first} をリードする", f"{first} leads the first trick")
        return reader.say("ハート解禁前：ほかのスートをリードする", "hearts are not broken: lead another suit")
    led = int(state.trick[state.lead]) // RANKS
    if state.hand[seat] & rules.suit_of(RANKS * led) != ZERO:
        held = listed(state.hand[seat] & rules.suit_of(RANKS * led), reader.lang)
        return reader.say(
            f"{SUIT_NAMES[led].ja}がリードされた：持っている {held} から出す",
            f"{SUIT_NAMES[led].en} were led: follow suit with {held}",
        )
    return reader.say("最初のトリックでは失点札を出せない", "no penalty cards in the first trick")
