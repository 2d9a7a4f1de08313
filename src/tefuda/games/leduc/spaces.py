"""The tables of actions and observations, and the kernel that fills an observation."""

import numpy as np

from tefuda.contract import Name, Part, Shown, Space, rules_part
from tefuda.games.leduc.rules import NOBODY, RANK_NAMES, RANKS, ROUNDS, RULEBOOK, STEPS, is_showdown, rank, stake
from tefuda.kernel.compile import kernel

CHECK, BET, FOLDS, CALLS, RAISES = (
    Name("チェック", "check"), Name("ベット", "bet"), Name("フォールド", "fold"), Name("コール", "call"),
    Name("レイズ", "raise"),
)  # fmt: skip

# What was done at each step of a round (rules.py).
SEQUENCES = ((), (CHECK,), (BET,), (CHECK, BET), (BET, RAISES), (CHECK, BET, RAISES))


def said(done: tuple[Name, ...]) -> Name:
    """Several actions in words."""
    return Name("・".join(each.ja for each in done) or "開始", ", ".join(each.en for each in done) or "start")


STEP_NAMES = tuple(map(said, SEQUENCES))

ACTIONS = Space(
    (
        Part("fold", 1, "give up, after a bet", (FOLDS,)),
        Part("call", 1, "call, or check where there is no bet", (CALLS,)),
        Part("raise", 1, "raise, or bet where there is no bet", (RAISES,)),
    )
)

_STEPS = "; ".join(name.en for name in STEP_NAMES)
OBSERVATION = Space(
    (
        Part("card", RANKS, "the own card", RANK_NAMES),
        Part("public_card", RANKS, "the card for both, from the second round on", RANK_NAMES),
        Part("other_card", RANKS, "the card of the other, once a showdown has opened it", RANK_NAMES),
        Part("finished", ROUNDS + 1, "rounds of betting that are over"),
        Part("first_round", STEPS, f"what has been done in the first round: {_STEPS}", STEP_NAMES),
        Part("second_round", STEPS, "the same for the second round, once it has begun", STEP_NAMES),
        Part("folded", 2, "1 when oneself has folded; the other"),
        Part("first", 1, "1 when oneself acts first"),
        Part("stake", 2, "chips in the pot, in tens: the own; the other's"),
        rules_part(RULEBOOK.options),
    )
)


def _start(key: str) -> int:
    return OBSERVATION.slices[key].start


_SIZE = OBSERVATION.size
_CARD, _PUBLIC, _OTHER, _FINISHED, _ROUND_1, _ROUND_2, _FOLDED, _FIRST, _STAKE, _RULES = map(
    _start, (part.key for part in OBSERVATION.parts)
)


@kernel
def observe(state, seat, out):
    for i in range(_SIZE):
        out[i] = 0.0
    out[_CARD + rank(int(state.hand[seat]))] = 1.0
    out[_FINISHED + int(state.finished)] = 1.0
    out[_ROUND_1 + int(state.step[0])] = 1.0
    if state.finished > 0:
        out[_PUBLIC + rank(int(state.public))] = 1.0
        out[_ROUND_2 + int(state.step[1])] = 1.0
    if is_showdown(state):
        out[_OTHER + rank(int(state.hand[1 - seat]))] = 1.0
    if state.folded != NOBODY:
        out[_FOLDED if state.folded == seat else _FOLDED + 1] = 1.0
    out[_FIRST] = seat == 0
    out[_STAKE] = stake(state, seat) / 10.0
    out[_STAKE + 1] = stake(state, 1 - seat) / 10.0
    out[_RULES] = state.rules.first_raise / 10.0
    out[_RULES + 1] = state.rules.second_raise / 10.0


def shown(before: np.ndarray, after: np.ndarray, action: int) -> list[Shown]:
    """The public card, which the second round begins with."""
    turned = before["finished"][0] == 0 and after["finished"][0] == 1
    return [Shown("turned", None, [after["public"][0]])] if turned else []
