"""The tables of actions and observations, and the kernel that fills an observation.

Seats are relative throughout: oneself, the next one (to the left), the one across, the one before (to the right).
"""

import numpy as np

from tefuda.contract import Name, Part, Shown, Space, of_each, rules_part
from tefuda.games.tricks.cards import ALL, CARDS, NAMES, PENALTY, RANKS, SUIT_NAMES, SUITS, cards_of
from tefuda.games.tricks.hiding import sees_pass
from tefuda.games.tricks.options import OPTIONS
from tefuda.games.tricks.prospects import write_prospects
from tefuda.games.tricks.rules import to_move
from tefuda.games.tricks.state import OVER, PASS, PLAY, SEATS, suit_of
from tefuda.kernel.bits import ZERO, has
from tefuda.kernel.compile import kernel

ACTIONS = Space((Part("card", CARDS, "play this card, or pass it before the play", NAMES),))

RELATIVE = (Name("自分", "oneself"), Name("左", "left"), Name("正面", "across"), Name("右", "right"))
PHASES = {PASS: Name("渡す札を選ぶ", "pass"), PLAY: Name("札を出す", "play"), OVER: Name("終わり", "over")}
EACH = of_each(RELATIVE, NAMES)

OBSERVATION = Space(
    (
        Part("hand", CARDS, "cards in the own hand", NAMES),
        Part("passed", CARDS, "cards that oneself has chosen to pass, or has passed", NAMES),
        Part("received", CARDS, "cards that were passed to oneself", NAMES),
        Part("played", SEATS * CARDS, "cards played this deal: by oneself, left, across, right", EACH),
        Part("trick", SEATS * CARDS, "the card in the current trick of each of these seats", EACH),
        Part("void", SEATS * SUITS, "suits that each seat has shown not to hold", of_each(RELATIVE, SUIT_NAMES)),
        Part("only_penalty", SEATS, "1 for a seat that has shown to hold penalty cards only", RELATIVE),
        Part("lead", SEATS, "who leads the trick, once this is known", RELATIVE),
        Part("led", SUITS, "the suit that was led", SUIT_NAMES),
        Part("phase", 3, "pass, play, over", tuple(PHASES.values())),
        Part("direction", SEATS, "where passed cards go this deal; the first: nowhere", RELATIVE),
        Part("turn", SEATS, "who decides now", RELATIVE),
        Part("broken", 1, "1 when hearts are broken, or need not be"),
        Part("number", 1, "tricks finished this deal, of 13"),
        Part("tricks", SEATS, "tricks that each seat has taken this deal, of 13", RELATIVE),
        Part("points", SEATS, "penalty points that each seat has taken this deal, of 26", RELATIVE),
        Part("jack", SEATS, "who has taken the jack of diamonds", RELATIVE),
        Part("score", SEATS, "points of each seat in the deals before, in hundreds", RELATIVE),
        Part("deals", 1, "deals finished, in tens"),
        rules_part(OPTIONS),
        Part("playable", CARDS, "cards of the hand that oneself may play or pass now", NAMES),
        Part("takes", CARDS, "cards of the hand that would be the strongest of the trick as it lies", NAMES),
        Part("above", CARDS, "for each card of the hand, stronger cards of its suit in other hands, of 13", NAMES),
        Part("below", CARDS, "for each card of the hand, weaker cards of its suit in other hands, of 13", NAMES),
        Part("master", CARDS, "cards of the hand that are the strongest left of their suit", NAMES),
        Part("on_table", 1, "penalty points of the cards in the current trick, of 26"),
        Part("last", 1, "1 when one card is missing in the trick"),
    )
)


def _start(key: str) -> int:
    return OBSERVATION.slices[key].start


_SIZE = OBSERVATION.size
_PASSED, _RECEIVED, _PLAYED, _TRICK = _start("passed"), _start("received"), _start("played"), _start("trick")
_VOID, _ONLY, _LEAD, _LED, _PHASE = (
    _start("void"), _start("only_penalty"), _start("lead"), _start("led"), _start("phase"),
)  # fmt: skip
_DIRECTION, _TURN, _BROKEN, _NUMBER = _start("direction"), _start("turn"), _start("broken"), _start("number")
_TRICKS, _POINTS, _JACK, _SCORE = _start("tricks"), _start("points"), _start("jack"), _start("score")
_DEALS, _RULES, _PROSPECTS = _start("deals"), _start("rules"), _start("playable")


@kernel
def observe(state, seat, out):
    for i in range(_SIZE):
        out[i] = 0.0
    giver = (seat + SEATS - int(state.direction)) % SEATS
    received = state.passed[giver] if state.direction != 0 and sees_pass(state, seat, giver) else ZERO
    for card in range(CARDS):
        out[card] = has(state.hand[seat], card)
        out[_PASSED + card] = has(state.passed[seat], card)
        out[_RECEIVED + card] = has(received, card)
    for place in range(SEATS):
        other = (seat + place) % SEATS
        for card in range(CARDS):
            out[_PLAYED + CARDS * place + card] = has(state.played[other], card)
        if state.trick[other] >= 0:
            out[_TRICK + CARDS * place + int(state.trick[other])] = 1.0
        for suit in range(SUITS):
            out[_VOID + SUITS * place + suit] = suit_of(RANKS * suit) & ~state.excluded[other] == ZERO
        out[_ONLY + place] = ALL & ~PENALTY & ~state.excluded[other] == ZERO
        out[_LEAD + place] = state.phase == PLAY and state.lead == other
        out[_DIRECTION + place] = state.direction == place
        out[_TURN + place] = to_move(state) == other
        out[_TRICKS + place] = state.tricks[other] / 13.0
        out[_POINTS + place] = state.points[other] / 26.0
        out[_JACK + place] = state.jack == other
        out[_SCORE + place] = state.score[other] / 100.0
    if state.laid > 0:
        out[_LED + int(state.trick[state.lead]) // RANKS] = 1.0
    out[_PHASE + int(state.phase)] = 1.0
    out[_BROKEN] = state.broken
    out[_NUMBER] = state.number / 13.0
    out[_DEALS] = state.finished / 10.0
    rules = state.rules
    out[_RULES] = rules.goal / 10.0
    out[_RULES + 1] = rules.moon / 10.0
    out[_RULES + 2] = rules.break_hearts / 10.0
    out[_RULES + 3] = rules.queen_breaks / 10.0
    out[_RULES + 4] = rules.first_points / 10.0
    out[_RULES + 5] = rules.jack / 10.0
    out[_RULES + 6] = rules.passing / 10.0
    out[_RULES + 7] = rules.target / 10.0
    out[_RULES + 8] = rules.pack / 10.0
    write_prospects(state, seat, out[_PROSPECTS:])


def shown(before: np.ndarray, after: np.ndarray, action: int) -> list[Shown]:
    """The cards that each seat has received, once all have chosen what they pass."""
    if before["phase"][0] != PASS or after["phase"][0] == PASS:
        return []
    direction, passed = int(after["direction"][0]), after["passed"][0]
    receivers = [(giver + direction) % SEATS for giver in range(SEATS)]
    return [Shown("received", to, cards_of(passed[giver]), to) for giver, to in enumerate(receivers)]
