"""A table of Leduc poker as text: for the terminal, for golden playthroughs, for errors."""

import numpy as np

from tefuda.contract import Name, Reader
from tefuda.games.leduc import rules
from tefuda.games.leduc.rules import ANTE, CALL, CARDS, FOLD, MOST_RAISES, NAMES, NOBODY, SEATS, UNKNOWN
from tefuda.games.leduc.spaces import BET, CALLS, CHECK, FOLDS, RAISES, SEQUENCES, said
from tefuda.kernel.compile import kernel

_TO_MOVE, _OVER = Name("手番", "to move"), Name("終わり", "over")
_SEAT, PUBLIC, LEFT = Name("席", "seat"), Name("場札", "public card"), Name("残り", "left over")
_HIDDEN, _IN_POT = Name("伏せ札", "face down"), Name("ポットに", "in the pot")
ANTE_NAME, ROUND_NAMES = (
    Name("アンティ", "ante"),
    (Name("第1ラウンド", "first round"), Name("第2ラウンド", "second round")),
)


@kernel
def _raises(states):
    """How often was raised; Python hands over an array much faster than a record."""
    return rules.raises(states[0])


def action_name(states: np.ndarray, action: int, lang: str = "both") -> str:
    """What an action means at this table."""
    if action == FOLD:
        return FOLDS.text(lang)
    answers = _raises(states) > 0
    if action == CALL:
        return (CALLS if answers else CHECK).text(lang)
    return (RAISES if answers else BET).text(lang)


def misnamed(states: np.ndarray, typed: str, reader: Reader) -> str:
    """Why a word of the betting is no move now: what it is called depends on whether there is a bet."""
    answers = rules.raises(states[0]) > 0
    wrong = (CHECK, BET) if answers else (FOLDS, CALLS, RAISES)
    if typed not in [word for name in wrong for word in (name.ja, name.en)]:
        return ""
    if not answers:
        return reader.say("ベットはまだない：チェックかベット", "nobody has bet in this round: check or bet")
    if rules.raises(states[0]) == MOST_RAISES:
        return reader.say("ベットがあった：コールかフォールド", "there is a bet: call or fold")
    return reader.say("ベットがあった：コール、レイズかフォールド", "there is a bet: call, raise or fold")


def why_not(states: np.ndarray, action: int, reader: Reader) -> str:
    """Why an action is not legal at this table for the seat to move."""
    if rules.to_move(states[0]) < 0:
        return reader.say("対局は終わった", "the game is over")
    if action == FOLD:
        return reader.say("ベットはまだない：チェックかベット", "nobody has bet in this round: check or bet")
    return reader.say(
        f"レイズは一回り{MOST_RAISES}度まで", f"a round has at most {MOST_RAISES} raises, the bet among them"
    )


def done_in(states: np.ndarray, number: int) -> Name:
    """What was done in a round, in words."""
    state = states[0]
    done = SEQUENCES[int(state.step[number])]
    if state.finished > number:
        done = (*done, CALLS if BET in done else CHECK)
    elif state.folded != NOBODY:
        done = (*done, FOLDS)
    return said(done)


def show(states: np.ndarray, seat: int | None = None, lang: str = "both") -> str:
    """The table as one seat sees it, or everything when no seat is given."""
    state = states[0]
    mover = rules.to_move(state)
    if mover >= 0:
        now = f"{_TO_MOVE.text(lang)}: {_SEAT.text(lang)} {mover}"
    else:
        won = np.zeros(SEATS)
        rules.scores(state, won)
        now = f"{_OVER.text(lang)}: {won[0]:+.0f} / {won[1]:+.0f}"
    sizes = f"{int(state.rules.first_raise)}, {int(state.rules.second_raise)}"
    lines = [f"{ANTE_NAME.text(lang)} {ANTE}, {RAISES.text(lang)} {sizes}  {now}"]
    for number in range(min(int(state.finished) + 1, rules.ROUNDS)):
        lines.append(f"{ROUND_NAMES[number].text(lang)}: {done_in(states, number).text(lang)}")

    shown = rules.is_showdown(state)

    def card(number: int, open_to: bool) -> str:
        seen = number != UNKNOWN and (seat is None or shown or open_to)
        return (NAMES[number] if seen else _HIDDEN).text(lang)

    for each in range(SEATS):
        staked = f"{_IN_POT.text(lang)} {rules.stake(state, each)}"
        lines.append(f"{_SEAT.text(lang)} {each}: {card(int(state.hand[each]), each == seat)}  {staked}")
    lines.append(f"{PUBLIC.text(lang)}: {card(int(state.public), state.finished > 0)}")
    left = [number for number in range(CARDS) if int(state.left) >> number & 1]
    if left and (seat is None or shown):
        lines.append(f"{LEFT.text(lang)}: {', '.join(NAMES[number].text(lang) for number in left)}")
    else:
        lines.append(f"{LEFT.text(lang)}: {_HIDDEN.text(lang)}")
    return "\n".join(lines)
