"""A table of Saichugen as data: totals, this round's cards turn by turn, and the hands."""

from functools import cache

import numpy as np

from tefuda.contract import Card, Mark, Move, Name, Note, Reader, Scene, Seat, Zone, alike, place_of
from tefuda.games.saichugen import rules
from tefuda.games.saichugen.cards import LETTERS, NAMES, SUIT_NAMES, SUITS, cards_of, mask_of
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
from tefuda.kernel.bits import has

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


@cache
def card_of(card: int, *marks: str) -> Card:
    number, suit = divmod(card, SUITS)
    picture = LETTERS[number] + STYLES[suit][0].upper()
    return Card(card, NAMES[card], alike(short(card)), STYLES[suit], marks, picture=picture)


def scene(states: np.ndarray, reader: Reader) -> Scene:
    """The whole table as one seat sees it, or with all hands open."""
    state = states[0]
    zones = [_turn(state, turn, seat) for seat in range(SEATS) for turn in range(TURNS)]
    for seat in range(SEATS):
        cards = tuple(map(card_of, cards_of(state.hand[seat])))
        zones.append(Zone("hand", HAND_OF, seat, cards=cards, backs=cards_left(state, seat) - len(cards)))
    this_round = mask_of(*(int(card) for card in state.table if card >= 0))
    for seat in range(SEATS):
        before = tuple(map(card_of, cards_of(state.played[seat] & ~this_round)))
        zones.append(Zone("played", PLAYED, seat, cards=before))
    zones.append(Zone("rest", NOT_DEALT, backs=1))
    if state.finished == ROUNDS:
        title: tuple[Note, ...] = (Note(OVER, "over"),)
    else:
        title = (
            Note(ROUND, "round", has=int(state.finished) + 1, needs=ROUNDS),
            Note(TURN, "turn", has=int(state.turn) + 1, needs=TURNS),
        )
    totals, sums = in_the_middle(state.total), in_the_middle(state.points)
    seats = tuple(
        Seat(
            int(state.total[seat]),
            notes=(
                _figure(TOTAL, "total", int(state.total[seat]), totals[seat] and state.finished > 0),
                _figure(WON, "won", int(state.won[seat]), False),
                _figure(POINTS, "points", int(state.points[seat]), sums[seat] and state.turn > 0),
            ),
        )
        for seat in range(SEATS)
    )
    return Scene(deck="cards", title=title, seats=seats, zones=tuple(zones), legend=LEGEND, colours=COLOURS)


def _figure(name: Name, key: str, value: int, middle: bool) -> Note:
    return Note(name, key, value, marks=("middle",) if middle else ())


def _turn(state: np.record, turn: int, seat: int) -> Zone:
    """What a seat has laid in a turn of this round: turned up with the others', or face down still."""
    group, cards, backs = str(turn + 1), [int(card) for card in state.table[SEATS * turn : SEATS * (turn + 1)]], 0
    shown: tuple[Card, ...] = ()
    if turn < state.turn:
        shown = (card_of(cards[seat], *(["scored"] if cards[seat] == sorted(cards)[1] else [])),)
    elif turn == state.turn and rules.has_laid(state, seat):
        shown = (card_of(cards[seat], "face-down"),) if cards[seat] >= 0 else ()
        backs = 1 - len(shown)
    return Zone("laid", LAID, seat, group, alike(group), shown, backs)


def involves(states: np.ndarray, action: int) -> Move:
    """The card that is laid, and its chance to score."""
    state = states[0]
    seat = int(state.seat)
    notes: tuple[Note, ...] = ()
    if state.finished < ROUNDS and has(state.hand[seat], action):
        percent = f"{100 * chance_to_score(state, seat, action):.0f} %"
        notes = (Note(CHANCE, "chance", percent, marks=("chance",)),)
    return Move(action, (action,), place_of("hand", seat), notes=notes)


def why_not(states: np.ndarray, action: int, reader: Reader) -> str:
    """Why a card may not be laid by the seat to move."""
    if states[0].finished == ROUNDS:
        return reader.say("対局は終わった", "the game is over")
    return reader.say(f"{short(action)} は手札にない", f"{short(action)} is not in your hand")
