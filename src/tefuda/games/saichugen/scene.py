"""A table of Saichugen as data: totals, this round's cards turn by turn, and the hands."""

from functools import cache, lru_cache

import numpy as np

from tefuda.contract import Card, Mark, Move, Name, Note, Reader, Scene, Seat, Zone, alike, fields_of, place_of
from tefuda.contract.scene import KEPT
from tefuda.games.saichugen.cards import LETTERS, NAMES, SUIT_NAMES, SUITS, cards_of
from tefuda.games.saichugen.rules import ROUNDS, SEATS, TURNS
from tefuda.games.saichugen.text import (
    HAND_OF,
    OVER,
    POINTS,
    ROUND,
    TOTAL,
    TURN,
    WON,
    cards_left,
    chance_to_score,
    in_the_middle,
    short,
)

LAID, PLAYED, NOT_DEALT = Name("出した札", "laid"), Name("前の札", "played before"), Name("余り", "not dealt")
CHANCE = Name("得点率", "chance to score")
LEGEND = (
    Mark("middle", Name("今の中位", "middle now"), "*"),
    Mark("scored", Name("得点した札", "scored"), "[]"),
    Mark("face-down", Name("他家には伏せ札", "face down to others"), "()"),
    Mark("chance", CHANCE, "→"),
)
STYLES = tuple(suit.en for suit in SUIT_NAMES)
COLOURS = {"diamonds": "red", "hearts": "red"}
REST = Zone("rest", NOT_DEALT, backs=1)


@cache
def card_of(card: int, *marks: str) -> Card:
    number, suit = divmod(card, SUITS)
    picture = LETTERS[number] + STYLES[suit][0].upper()
    return Card(card, NAMES[card], alike(short(card)), STYLES[suit], marks, picture=picture)


def scene(states: np.ndarray, reader: Reader) -> Scene:
    """The whole table as one seat sees it, or with all hands open. Zones that have not changed are those of the scene
    before."""
    state = fields_of(states)
    table = state.table
    zones = [
        _turn(seat, turn, *table[SEATS * turn : SEATS * (turn + 1)], state.turn, seat < state.seat)
        for seat in range(SEATS)
        for turn in range(TURNS)
    ]
    zones += [_hand(seat, state.hand[seat], cards_left(state, seat)) for seat in range(SEATS)]
    this_round = sum(1 << card for card in table if card >= 0)
    zones += [_played(seat, state.played[seat] & ~this_round) for seat in range(SEATS)]
    zones.append(REST)
    totals, sums = in_the_middle(state.total), in_the_middle(state.points)
    seats = tuple(
        _seat(
            state.total[seat], state.won[seat], state.points[seat],
            bool(totals[seat] and state.finished > 0), bool(sums[seat] and state.turn > 0),
        )
        for seat in range(SEATS)
    )  # fmt: skip
    title = _title(state.finished, state.turn)
    return Scene(deck="cards", title=title, seats=seats, zones=tuple(zones), legend=LEGEND, colours=COLOURS)


@cache
def _title(finished: int, turn: int) -> tuple[Note, ...]:
    if finished == ROUNDS:
        return (Note(OVER, "over"),)
    return Note(ROUND, "round", has=finished + 1, needs=ROUNDS), Note(TURN, "turn", has=turn + 1, needs=TURNS)


@lru_cache(KEPT)
def _seat(total: int, won: int, points: int, middle_total: bool, middle_points: bool) -> Seat:
    return Seat(
        total,
        notes=(
            _figure(TOTAL, "total", total, middle_total),
            _figure(WON, "won", won, False),
            _figure(POINTS, "points", points, middle_points),
        ),
    )


def _figure(name: Name, key: str, value: int, middle: bool) -> Note:
    return Note(name, key, value, marks=("middle",) if middle else ())


@lru_cache(KEPT)
def _hand(seat: int, held: int, size: int) -> Zone:
    cards = tuple(map(card_of, cards_of(held)))
    return Zone("hand", HAND_OF, seat, cards=cards, backs=size - len(cards))


@lru_cache(KEPT)
def _played(seat: int, before: int) -> Zone:
    return Zone("played", PLAYED, seat, cards=tuple(map(card_of, cards_of(before))))


@lru_cache(KEPT)
def _turn(seat: int, turn: int, first: int, second: int, third: int, now: int, has_laid: bool) -> Zone:
    """What a seat has laid in a turn of this round: turned up with the others', or face down still."""
    group, cards, backs = str(turn + 1), [first, second, third], 0
    shown: tuple[Card, ...] = ()
    if turn < now:
        shown = (card_of(cards[seat], *(["scored"] if cards[seat] == sorted(cards)[1] else [])),)
    elif turn == now and has_laid:
        shown = (card_of(cards[seat], "face-down"),) if cards[seat] >= 0 else ()
        backs = 1 - len(shown)
    return Zone("laid", LAID, seat, group, alike(group), shown, backs)


def involves(states: np.ndarray, action: int) -> Move:
    """The card that is laid, and its chance to score."""
    state = fields_of(states)
    seat = state.seat
    notes: tuple[Note, ...] = ()
    if state.finished < ROUNDS and state.hand[seat] >> action & 1:
        percent = f"{100 * chance_to_score(states, action):.0f} %"
        notes = (Note(CHANCE, "chance", percent, marks=("chance",)),)
    return Move(action, (action,), place_of("hand", seat), notes=notes)


def why_not(states: np.ndarray, action: int, reader: Reader) -> str:
    """Why a card may not be laid by the seat to move."""
    if states[0].finished == ROUNDS:
        return reader.say("対局は終わった", "the game is over")
    return reader.say(f"{short(action)} は手札にない", f"{short(action)} is not in your hand")
