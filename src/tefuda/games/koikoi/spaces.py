"""The tables of actions and observations, and the kernel that fills an observation."""

import numpy as np

from tefuda.contract import Name, Part, Shown, Space, rules_part
from tefuda.games.koikoi.cards import CARDS, FLOWERS, MONTHS, NAMES
from tefuda.games.koikoi.options import OPTIONS
from tefuda.games.koikoi.prospects import KINDS, write_prospects
from tefuda.games.koikoi.rules import to_move
from tefuda.games.koikoi.state import CALL, DRAWN, HAND, MATCH, OVER, waiting_card
from tefuda.games.koikoi.yaku import NEAR, YAKU, yaku_points
from tefuda.kernel.bits import has
from tefuda.kernel.compile import kernel

ACTIONS = Space(
    (
        Part("card", CARDS, "play this card from the hand, or take it from the field when two fit", NAMES),
        Part("agari", 1, "take the points and end the round", (Name("あがり", "agari"),)),
        Part("koikoi", 1, "play on for more", (Name("こいこい", "koi-koi"),)),
    )
)

YAKU_KINDS = tuple(YAKU[which].name for which in NEAR)

OBSERVATION = Space(
    (
        Part("hand", CARDS, "cards in the own hand", NAMES),
        Part("pile", CARDS, "cards captured by oneself", NAMES),
        Part("other_pile", CARDS, "cards captured by the other", NAMES),
        Part("field", CARDS, "cards on the field", NAMES),
        Part("waiting", CARDS, "the card just played or drawn that waits for a choice", NAMES),
        Part("passed", MONTHS, "months on the field when oneself played and took nothing", FLOWERS),
        Part("other_passed", MONTHS, "months on the field when the other played and took nothing", FLOWERS),
        Part("phase", 5, "play a card, take for it, take for the drawn card, agari or koi-koi, over"),
        Part("own_turn", 1, "1 when oneself decides now"),
        Part("dealer", 1, "1 when oneself began the round"),
        Part("turn", 1, "turns taken in the round, of 16"),
        Part("cards", 2, "cards in the own and the other hand, of 8"),
        Part("points", 2, "own and other yaku points, in tens"),
        Part("calls", 2, "own and other koi-koi calls"),
        Part("round", 1, "rounds left after this one, in dozens"),
        Part("score", 1, "own points won less points lost in the rounds before, in tens"),
        rules_part(OPTIONS),
        Part("fits", CARDS, "hand cards that take something, or the cards that the waiting card can take", NAMES),
        Part("gain", CARDS, "yaku points that playing or taking this card brings at once, in tens", NAMES),
        Part("nearer", CARDS, "by how much it brings oneself nearer to yaku", NAMES),
        Part("other_gain", CARDS, "yaku points that the other may get for it from the field, in tens", NAMES),
        Part("other_nearer", CARDS, "by how much that may bring the other nearer to yaku", NAMES),
        Part("near", KINDS, "nearness of the own pile to each kind of yaku: halves with each missing card", YAKU_KINDS),
        Part("other_near", KINDS, "nearness of the other pile", YAKU_KINDS),
    )
)


def _start(key: str) -> int:
    return OBSERVATION.slices[key].start


_PASSED, _PHASE, _REST, _RULES = _start("passed"), _start("phase"), _start("own_turn"), _start("rules")
_PROSPECTS = _start("fits")


@kernel
def observe(state, seat, out):
    other = 1 - seat
    waiting = waiting_card(state)
    for card in range(CARDS):
        out[card] = has(state.hand[seat], card)
        out[CARDS + card] = has(state.pile[seat], card)
        out[2 * CARDS + card] = has(state.pile[other], card)
        out[3 * CARDS + card] = has(state.field, card)
        out[4 * CARDS + card] = has(waiting, card)
    for month in range(MONTHS):
        out[_PASSED + month] = has(state.passed[seat], 4 * month)
        out[_PASSED + MONTHS + month] = has(state.passed[other], 4 * month)
    for phase in range(5):
        out[_PHASE + phase] = state.phase == phase
    out[_REST] = to_move(state) == seat
    out[_REST + 1] = state.dealer == seat
    out[_REST + 2] = state.turn / 16.0
    out[_REST + 3] = state.cards[seat] / 8.0
    out[_REST + 4] = state.cards[other] / 8.0
    out[_REST + 5] = yaku_points(state.pile[seat], int(state.calls[seat]), state.rules) / 10.0
    out[_REST + 6] = yaku_points(state.pile[other], int(state.calls[other]), state.rules) / 10.0
    out[_REST + 7] = state.calls[seat]
    out[_REST + 8] = state.calls[other]
    out[_REST + 9] = (int(state.rules.rounds) - 1 - int(state.finished)) / 12.0
    out[_REST + 10] = state.score[seat] / 10.0
    rules = state.rules
    out[_RULES] = rules.rounds / 10.0
    out[_RULES + 1] = rules.sake / 10.0
    out[_RULES + 2] = rules.sake_after_koikoi / 10.0
    out[_RULES + 3] = rules.sake_kasu / 10.0
    out[_RULES + 4] = rules.extras / 10.0
    out[_RULES + 5] = rules.akatan_aotan / 10.0
    out[_RULES + 6] = rules.double_seven / 10.0
    out[_RULES + 7] = rules.double_koikoi / 10.0
    out[_RULES + 8] = rules.koikoi_points / 10.0
    out[_RULES + 9] = rules.koikoi_limit / 10.0
    out[_RULES + 10] = rules.teshi / 10.0
    out[_RULES + 11] = rules.kuttsuki / 10.0
    out[_RULES + 12] = rules.field / 10.0
    out[_RULES + 13] = rules.exhausted / 10.0
    out[_RULES + 14] = rules.next_dealer / 10.0
    out[_RULES + 15] = rules.pack / 10.0
    write_prospects(state, seat, out[_PROSPECTS:])


def shown(before: np.ndarray, after: np.ndarray, action: int) -> list[Shown]:
    """The card that was turned up from the deck, if the decision turned one up."""
    phase = int(before["phase"][0])
    first = action // 4 * 4
    waits = phase == HAND and (int(before["field"][0]) >> first & 15).bit_count() == 2  # which of two is to be chosen
    if phase not in (HAND, MATCH) or waits:
        return []
    return [Shown("turned", int(before["seat"][0]), [before["deck"][0, before["next"][0]]])]


PHASES = {
    HAND: Name("手札を出す", "play a card"),
    MATCH: Name("取る札を選ぶ", "choose what it takes"),
    DRAWN: Name("山札で取る札を選ぶ", "choose what the drawn card takes"),
    CALL: Name("あがりかこいこいか", "agari or koi-koi"),
    OVER: Name("終わり", "over"),
}
