"""The tables of actions and observations, and the kernel that fills an observation."""

from tefuda.contract import Name, Part, Space
from tefuda.games.kuhn.rules import (
    BETTINGS,
    CARDS,
    DECISIONS,
    INFORMATION_SETS,
    NAMES,
    information_set,
    is_showdown,
    to_move,
)
from tefuda.kernel.compile import kernel

CHECK, BETS, FOLD, CALL = (
    Name("チェック", "check"), Name("ベット", "bet"), Name("フォールド", "fold"), Name("コール", "call"),
)  # fmt: skip

# What was done, in the order of the betting (rules.py).
SEQUENCES = (
    (), (CHECK,), (BETS,), (CHECK, BETS), (CHECK, CHECK), (BETS, CALL), (CHECK, BETS, CALL), (BETS, FOLD),
    (CHECK, BETS, FOLD),
)  # fmt: skip
BETTING_NAMES = tuple(
    Name("・".join(step.ja for step in steps) or "開始", ", ".join(step.en for step in steps) or "start")
    for steps in SEQUENCES
)

ACTIONS = Space(
    (
        Part("pass", 1, "check, or fold to a bet", (Name("パス", "pass"),)),
        Part("bet", 1, "bet, or call a bet", (BETS,)),
    )
)

OBSERVATION = Space(
    (
        Part(
            "information_set", INFORMATION_SETS,
            "when oneself decides: at the start, after a check, a bet, a check and a bet; "
            "each with jack, queen, king",
            tuple(Name(f"{done.ja}・{card.ja}", f"{done.en}; {card.en}")
                  for done in BETTING_NAMES[:DECISIONS] for card in NAMES),
        ),
        Part("card", CARDS, "the own card", NAMES),
        Part("other_card", CARDS, "the card of the other, once a showdown has opened it", NAMES),
        Part("betting", BETTINGS, "what has been done: " + "; ".join(name.en for name in BETTING_NAMES),
             BETTING_NAMES),
        Part("first", 1, "1 when oneself acts first"),
        Part("bet", 1, "chips of the bet, in tens"),
    )
)  # fmt: skip


def _start(key: str) -> int:
    return OBSERVATION.slices[key].start


_SIZE = OBSERVATION.size
_CARD, _OTHER, _BETTING, _FIRST, _BET = (
    _start("card"), _start("other_card"), _start("betting"), _start("first"), _start("bet"),
)  # fmt: skip


@kernel
def observe(state, seat, out):
    for i in range(_SIZE):
        out[i] = 0.0
    if to_move(state) == seat:
        out[information_set(state, seat)] = 1.0
    out[_CARD + int(state.card[seat])] = 1.0
    if is_showdown(state):
        out[_OTHER + int(state.card[1 - seat])] = 1.0
    out[_BETTING + int(state.betting)] = 1.0
    out[_FIRST] = seat == 0
    out[_BET] = state.rules.bet / 10.0
