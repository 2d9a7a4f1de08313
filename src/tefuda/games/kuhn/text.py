"""A table of Kuhn poker as text: for the terminal, for golden playthroughs, for errors."""

import numpy as np

from tefuda.contract import Name, Reader
from tefuda.games.kuhn import rules
from tefuda.games.kuhn.rules import ANTE, BET, BET_FIRST, CHECKED_BET, LEFT_OVER, NAMES, SEATS, UNKNOWN
from tefuda.games.kuhn.spaces import BETS, BETTING_NAMES, CALL, CHECK, FOLD

_BETTING, _TO_MOVE, _OVER = Name("経過", "betting"), Name("手番", "to move"), Name("終わり", "over")
_SEAT, _LEFT_OVER, _HIDDEN = Name("席", "seat"), Name("残り", "left over"), Name("伏せ札", "face down")
_ANTE, _BET = Name("アンティ", "ante"), Name("ベット", "bet")


def action_name(states: np.ndarray, action: int, lang: str = "both") -> str:
    """What an action means at this table."""
    if states["betting"][0] in (BET_FIRST, CHECKED_BET):
        return (CALL if action == BET else FOLD).text(lang)
    return (BETS if action == BET else CHECK).text(lang)


def misnamed(states: np.ndarray, typed: str, reader: Reader) -> str:
    """Why a word of the betting is no move now: what it is called depends on whether there is a bet."""
    answers = int(states[0].betting) in (BET_FIRST, CHECKED_BET)
    wrong = (CHECK, BETS) if answers else (FOLD, CALL)
    if typed not in [word for name in wrong for word in (name.ja, name.en)]:
        return ""
    if answers:
        return reader.say("ベットがあった：コールかフォールド", "there is a bet: call or fold")
    return reader.say("ベットはまだない：チェックかベット", "nobody has bet: check or bet")


def show(states: np.ndarray, seat: int | None = None, lang: str = "both") -> str:
    """The table as one seat sees it, or everything when no seat is given."""
    state = states[0]
    done = BETTING_NAMES[int(state.betting)].text(lang)
    mover = rules.to_move(state)
    if mover >= 0:
        now = f"{_TO_MOVE.text(lang)}: {_SEAT.text(lang)} {mover}"
    else:
        won = np.zeros(SEATS)
        rules.scores(state, won)
        now = f"{_OVER.text(lang)}: {won[0]:+.0f} / {won[1]:+.0f}"
    stakes = f"{_ANTE.text(lang)} {ANTE}, {_BET.text(lang)} {int(state.rules.bet)}"
    lines = [f"{stakes}  {_BETTING.text(lang)}: {done}  {now}"]
    for place in (0, 1, LEFT_OVER):
        card = int(state.card[place])
        seen = card != UNKNOWN and (seat is None or seat == place or rules.is_showdown(state))
        where = _LEFT_OVER.text(lang) if place == LEFT_OVER else f"{_SEAT.text(lang)} {place}"
        lines.append(f"{where}: {(NAMES[card] if seen else _HIDDEN).text(lang)}")
    return "\n".join(lines)
