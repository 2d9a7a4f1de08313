"""Tricks in words: the table as text, the name of a move, and what a person at the table is told."""

import numpy as np

from tefuda.contract import Name, Reader, Rules
from tefuda.games.tricks import options, rules
from tefuda.games.tricks.cards import ALL, LETTERS, NAMES, RANKS, SUIT_NAMES, SUITS, SYMBOLS, cards_of
from tefuda.games.tricks.rules import OVER, PASS, SEATS
from tefuda.games.tricks.spaces import PHASES, RELATIVE
from tefuda.kernel.bits import ZERO, count

DEAL, TRICK, SEAT = Name("局", "deal"), Name("トリック", "trick"), Name("席", "seat")
UNKNOWN, NONE, BROKEN = Name("伏せ札", "face down"), Name("なし", "none"), Name("ハート解禁", "hearts broken")
SCORE, TAKEN, POINTS = Name("得点", "score"), Name("取", "tricks"), Name("失点", "points")
GIVEN, RECEIVED, PASS_ON = Name("渡した札", "passed"), Name("受けた札", "received"), Name("渡す", "pass")


def short(card: int) -> str:
    """A card in two or three characters."""
    return f"{SYMBOLS[card // RANKS]}{LETTERS[card % RANKS]}"


def listed(mask, lang: str) -> str:
    """The cards of a set by suits, strongest first."""
    suits = []
    for suit in range(SUITS):
        here = [card for card in reversed(cards_of(mask)) if card // RANKS == suit]
        if here:
            suits.append(SYMBOLS[suit] + " ".join(LETTERS[card % RANKS] for card in here))
    return "  ".join(suits) or NONE.text(lang)


def action_name(states: np.ndarray, action: int, lang: str = "both") -> str:
    """What an action means at this table."""
    label = Reader(lang=lang).label
    name = f"{short(action)} {label(NAMES[action])}"
    return f"{name} ({label(PASS_ON)})" if states[0].phase == PASS else name


def show(states: np.ndarray, seat: int | None = None, lang: str = "both") -> str:
    """The table as one seat sees it, or everything when no seat is given."""
    state, label = states[0], Reader(lang=lang).label
    hearts = bool(rules.is_hearts(state))
    over = state.phase == OVER
    head = [f"{label(DEAL)} {int(state.finished) + (not over)}", f"{label(TRICK)} {int(state.number) + (not over)}"]
    if hearts and state.broken and state.rules.break_hearts:
        head.append(label(BROKEN))
    head.append(label(PHASES[OVER]) if over else f"{label(SEAT)} {int(state.seat)}: {label(PHASES[int(state.phase)])}")
    lines = ["  ".join(head)]
    if state.finished:
        lines.append(f"{label(SCORE)}: " + "  ".join(f"{owner}: {int(state.score[owner])}" for owner in range(SEATS)))
    for owner in range(SEATS):
        taken = f"{label(TAKEN)} {int(state.tricks[owner])}"
        taken += f" | {label(POINTS)} {int(state.points[owner])}" if hearts else ""
        lines.append(f"{label(SEAT)} {owner}: {_hand(state, owner, seat, lang)} | {taken}")
    if state.direction:
        lines += _passes(state, seat, lang)
    laid = [(int(state.lead) + place) % SEATS for place in range(int(state.laid))]
    on_table = "  ".join(f"{who}: {short(int(state.trick[who]))}" for who in laid)
    lines.append(f"{label(TRICK)}: {on_table or NONE.text(lang)}")
    return "\n".join(lines)


def _hand(state, owner: int, seat: int | None, lang: str) -> str:
    """A seat's cards, or their number and those that are known."""
    if seat is None or seat == owner:
        return listed(state.hand[owner], lang)
    sure = rules.known(state, seat, owner)
    number = RANKS - int(count(state.played[owner]))
    return f"{number} {Reader(lang=lang).label(UNKNOWN)}" + (f" ({listed(sure, lang)})" if sure != ZERO else "")


def _passes(state, seat: int | None, lang: str) -> list[str]:
    """What one seat, or everybody, has passed, and what the seat has received."""
    label = Reader(lang=lang).label
    where = f"{label(GIVEN)} → {label(RELATIVE[int(state.direction)])}"
    if seat is None:
        given = (f"{owner}: {listed(state.passed[owner], lang)}" for owner in range(SEATS))
        return [f"{where}: {'  '.join(given)}"]
    lines = [f"{where}: {listed(state.passed[seat], lang)}"]
    if state.phase != PASS:
        giver = (seat + SEATS - int(state.direction)) % SEATS
        lines.append(f"{label(RECEIVED)}: {listed(state.passed[giver], lang)}")
    return lines


def story(before: np.ndarray, after: np.ndarray, action: int, reader: Reader) -> list[str]:
    """What one decision did: the card, and who takes the trick that it completes."""
    lines = [action_name(before, action, reader.lang)]
    state = before[0]
    if state.phase == PASS or state.laid < SEATS - 1:
        return lines
    full = before.copy()
    full[0].trick[int(state.seat)] = action
    best = int(rules.winning_card(full[0]))
    winner = reader.names[next(seat for seat in range(SEATS) if full[0].trick[seat] == best)]
    points = int(rules.penalty_on_table(full[0])) if rules.is_hearts(state) else 0
    more = f" (+{points})" if points else ""
    return [*lines, reader.say(f"{winner} がトリックを取った{more}", f"{winner} takes the trick{more}")]


def result(before: np.ndarray, after: np.ndarray, action: int, reader: Reader) -> list[str]:
    """How a deal ended, and the score since the first one; nothing when the decision ended no deal."""
    state = after[0]
    if state.finished == before[0].finished:
        return []
    lines = [f"{reader.label(DEAL)} {int(state.finished)}  " + _row(reader, state.paid)]
    moon = int(rules.shooter(state.took)) if rules.is_hearts(state) else -1
    if moon >= 0:
        lines.append(
            reader.say(f"{reader.names[moon]} が全失点を取った", f"{reader.names[moon]} took all penalty points")
        )
    if state.rules.target > 0:
        lines.append(f"{reader.label(SCORE)}  " + _row(reader, state.score))
    return lines


def _row(reader: Reader, points) -> str:
    return "  ".join(f"{reader.names[seat]} {int(points[seat])}" for seat in range(SEATS))


def unseen(states: np.ndarray, reader: Reader) -> list[tuple[str, list[str]]]:
    """The cards that a seat has not seen, by suit: all of them are in the other hands."""
    state = states[0]
    rest = ALL & ~(state.hand[reader.seat] | rules.all_played(state))
    groups = []
    for suit in range(SUITS):
        here = [card for card in cards_of(rest) if card // RANKS == suit]
        if here:
            groups.append(
                (f"{SYMBOLS[suit]} {reader.label(SUIT_NAMES[suit])}", [LETTERS[card % RANKS] for card in here])
            )
    return groups


def explain(chosen: Rules, reader: Reader) -> list[str]:
    """The rules in force, in a player's words."""
    is_set = chosen.values
    hearts = is_set["goal"] == options.HEARTS_POINTS
    moon, passing, target = is_set["moon"], is_set["passing"], is_set["target"]
    where = RELATIVE[passing] if passing in (options.LEFT, options.ACROSS, options.RIGHT) else None
    lines = [
        reader.say(
            "同じスートを持っていれば必ず出す。最も強い札が取る（A が最強）",
            "follow suit if you can; the strongest card of the suit led takes the trick, aces are high",
        )
    ]
    for so, ja, en in (
        (not hearts, "取ったトリックの数が得点", "every trick taken is a point"),
        (hearts, "ハートは1点、スペードのQは13点の失点。少ないほど良い",
         "hearts cost 1 point each, the queen of spades 13; few points are good"),
        (hearts, "最初はクラブの2をリードする", "the two of clubs leads the first trick"),
        (hearts and is_set["break_hearts"], "ハートは、ほかになければ別として、一度出るまでリードできない",
         "hearts cannot be led before one was played, unless there is nothing else"),
        (hearts and is_set["break_hearts"] and is_set["queen_breaks"], "スペードのQが出てもハート解禁",
         "the queen of spades breaks hearts too"),
        (hearts and not is_set["first_points"], "最初のトリックでは、ほかになければ別として、失点札を出せない",
         "no penalty cards in the first trick, unless there is nothing else"),
        (hearts and is_set["jack"], "ダイヤのJは失点を10減らす", "the jack of diamonds takes 10 points off"),
        (hearts and moon == options.OTHERS_UP, "26点すべてを取れば0点、ほかの三人が26点",
         "who takes all 26 points gets 0, and the others 26 each"),
        (hearts and moon == options.SELF_DOWN, "26点すべてを取れば26点減る", "who takes all 26 points loses 26"),
        (where, f"初めに三枚を渡す（{where and where.ja}）", f"three cards are passed first ({where and where.en})"),
        (passing == options.ROTATION, "初めに三枚を渡す：左、右、正面、なしの順に局ごとに替わる",
         "three cards are passed first: left, right, across, none, from deal to deal"),
        (target, f"誰かが{target}点になるまで", f"until somebody has {target} points"),
    ):  # fmt: skip
        if so:
            lines.append(reader.say(ja, en))
    return lines
