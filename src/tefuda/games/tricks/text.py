"""Tricks in words: the table as text, the name of a move, and what a person at the table is told."""

from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from tefuda.contract import Name, Reader, Rules, fields_of
from tefuda.contract.names import card_callings
from tefuda.games.tricks import options, rules
from tefuda.games.tricks import state as state_kernels
from tefuda.games.tricks.cards import (
    HAND_OF,
    HEARTS,
    LETTERS,
    NAMES,
    POINTS_OF,
    QUEEN_OF_SPADES,
    RANKS,
    SUIT_NAMES,
    SUITS,
    SYMBOLS,
    cards_of,
)
from tefuda.games.tricks.hiding import known
from tefuda.games.tricks.spaces import PHASES, RELATIVE
from tefuda.games.tricks.state import OVER, PASS, PASSED, PLAY, SEATS, all_played, hand_size, pack_of
from tefuda.kernel.bits import ZERO, count
from tefuda.kernel.compile import uncompiled

DEAL, TRICK, SEAT = Name("局", "deal"), Name("トリック", "trick"), Name("席", "seat")
UNKNOWN, NONE, BROKEN = Name("伏せ札", "face down"), Name("なし", "none"), Name("ハート解禁", "hearts broken")
SCORE, TAKEN, POINTS = Name("得点", "score"), Name("取", "tricks"), Name("失点", "points")
GIVEN, RECEIVED = Name("渡した札", "passed"), Name("受けた札", "received")
is_hearts, winning_card = (
    uncompiled(state_kernels.is_hearts),
    uncompiled(rules.winning_card),
)  # for the fields of a table
penalty_on_table = uncompiled(rules.penalty_on_table)


def short(card: int) -> str:
    """A card in two or three characters."""
    return f"{SYMBOLS[card // RANKS]}{LETTERS[card % RANKS]}"


def callings(states: np.ndarray, card: int) -> list[str]:
    """What a person may type for a card beside its name: QS, spade Q, ハートA and the like."""
    return card_callings(SUIT_NAMES[card // RANKS], SYMBOLS[card // RANKS], LETTERS[card % RANKS])


def listed(mask: Any, lang: str) -> str:
    """The cards of a set by suits, strongest first."""
    suits = []
    for suit in range(SUITS):
        here = [card for card in reversed(cards_of(mask)) if card // RANKS == suit]
        if here:
            suits.append(SYMBOLS[suit] + " ".join(LETTERS[card % RANKS] for card in here))
    return "  ".join(suits) or NONE.text(lang)


def action_name(states: np.ndarray, action: int, lang: str = "both") -> str:
    """What an action means: a card, whether it is played or passed."""
    return _card_name(action, lang)


@cache
def _card_name(card: int, lang: str) -> str:
    return f"{short(card)} {Reader(lang=lang).label(NAMES[card])}"


def show(states: np.ndarray, seat: int | None = None, lang: str = "both") -> str:
    """The table as one seat sees it, or everything when no seat is given."""
    state, label = states[0], Reader(lang=lang).label
    hearts = bool(is_hearts(state))
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


def _hand(state: Any, owner: int, seat: int | None, lang: str) -> str:
    """A seat's cards, or their number and those that are known."""
    if seat is None or seat == owner:
        return listed(state.hand[owner], lang)
    sure = known(state, seat, owner)
    number = int(hand_size(state)) - int(count(state.played[owner]))
    return f"{number} {Reader(lang=lang).label(UNKNOWN)}" + (f" ({listed(sure, lang)})" if sure != ZERO else "")


def _passes(state: Any, seat: int | None, lang: str) -> list[str]:
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


def deal_name(number: int, reader: Reader) -> str:
    return {"ja": f"第{number}局", "en": f"deal {number}"}.get(reader.lang, f"第{number}局 deal {number}")


def story(before: np.ndarray, after: np.ndarray, action: int, reader: Reader) -> list[str]:
    """What one decision did: the card, whether it broke hearts, and who takes the trick that it completes."""
    state = fields_of(before)
    if state.phase == PASS:
        return _passing(state, action, reader)
    lines = [_card_name(action, reader.lang)]
    if is_hearts(state) and not state.broken and breaks(action, state.rules):
        lines.append(reader.label(BROKEN))
    return lines if state.laid < SEATS - 1 else [*lines, *_trick_taken(state, action, reader)]


def breaks(card: int, rule_record: Any) -> bool:
    """Whether a card, when it is played, breaks hearts."""
    return card // RANKS == HEARTS or (card == QUEEN_OF_SPADES and bool(rule_record.queen_breaks))


def _passing(state: SimpleNamespace, action: int, reader: Reader) -> list[str]:
    """A card that the reader may see goes on; of others it is told once that they pass three.

    What the reader receives is no deed of the seat that chose last: the screen shows it.
    """
    seat = state.seat
    if reader.seat in (None, seat):
        receiver = reader.names[(seat + state.direction) % SEATS]
        return [f"{_card_name(action, reader.lang)} → {receiver}"]
    if state.chosen % min(PASSED, int(HAND_OF[state.rules.pack])) == 0:
        return [reader.say("三枚を伏せて渡す", "passes three cards face down")]
    return []


def _trick_taken(state: SimpleNamespace, action: int, reader: Reader) -> list[str]:
    """Who takes the trick that a card completes, for how many points.

    Its cards are named again, unless the reader led: then it was told of each of them just before.
    """
    lead = state.lead
    trick = [action if seat == state.seat else card for seat, card in enumerate(state.trick)]
    full = SimpleNamespace(trick=trick, lead=lead)
    best = winning_card(full)
    winner = trick.index(best)
    points = penalty_on_table(full) if is_hearts(state) else 0
    more = f" (+{points})" if points else ""
    if reader.seat != lead:
        laid = [trick[(lead + place) % SEATS] for place in range(SEATS)]
        more += ": " + " ".join(f"[{short(card)}]" if card == best else short(card) for card in laid)
    return [_told(winner, "がトリックを取る", "take", "the trick", reader) + more]


def _told(seat: int, ja: str, verb: str, en: str, reader: Reader) -> str:
    """A short sentence about a seat, whose name stands in it once whatever the language."""
    name, verb = reader.names[seat], verb if seat == reader.seat else f"{verb}s"
    between = " " if name.isascii() else ""
    return {"ja": f"{name}{between}{ja}", "en": f"{name} {verb} {en}"}.get(reader.lang, f"{name} {ja} {verb} {en}")


def result(before: np.ndarray, after: np.ndarray, action: int, reader: Reader) -> list[str]:
    """How a deal ended, and the score since the first one; nothing when the decision ended no deal."""
    if after["finished"][0] == before["finished"][0]:
        return []
    state = after[0]
    lines = [_row(deal_name(int(state.finished), reader), state.paid, reader)]
    moon = int(rules.shooter(state.took, POINTS_OF[state.rules.pack])) if is_hearts(state) else -1
    if moon >= 0:
        lines.append(_all_taken(moon, bool(state.rules.moon != options.NO_MOON), reader))
    if state.rules.target > 0:
        lines.append(_row(reader.label(SCORE), state.score, reader))
    return lines


def _all_taken(seat: int, moon: bool, reader: Reader) -> str:
    """Somebody took all penalty points; with `moon`, the rules reward it."""
    if moon:
        return _told(seat, "がシュート・ザ・ムーン", "shoot", "the moon", reader)
    return _told(seat, "が失点をすべて取る", "take", "all penalty points", reader)


def _row(head: str, points: np.ndarray, reader: Reader) -> str:
    """A head and the points of every seat."""
    colon = ":" if any(name[-1:].isdigit() for name in reader.names) else ""  # `random 2 5` would be a riddle
    return "  ".join([head, *(f"{reader.names[seat]}{colon} {int(points[seat])}" for seat in range(SEATS))])


def unseen(states: np.ndarray, reader: Reader) -> list[tuple[str, list[str]]]:
    """The cards in other hands that a seat has not seen, by suit; then those that it has passed there."""
    state, seat = states[0], reader.seat or 0
    rest = pack_of(state) & ~(state.hand[seat] | all_played(state))
    given, receiver = ZERO, (seat + int(state.direction)) % SEATS
    if state.phase == PLAY and state.direction:
        given = state.passed[seat] & ~state.played[receiver]
    groups = []
    for suit in range(SUITS):
        here = [card for card in cards_of(rest & ~given) if card // RANKS == suit]
        if here:
            groups.append(
                (f"{SYMBOLS[suit]} {reader.label(SUIT_NAMES[suit])}", [LETTERS[card % RANKS] for card in here])
            )
    if given != ZERO:
        groups.append((f"→ {reader.names[receiver]}", [short(card) for card in cards_of(given)]))
    return groups


def explain(chosen: Rules, reader: Reader) -> list[str]:
    """The rules in force, in a player's words."""
    is_set = chosen.values
    hearts = is_set["goal"] == options.HEARTS_POINTS
    moon, passing, target = is_set["moon"], is_set["passing"], is_set["target"]
    full, ranks, points = is_set["pack"] == options.FULL, int(HAND_OF[is_set["pack"]]), int(POINTS_OF[is_set["pack"]])
    first = RANKS - ranks  # the lowest club
    few = Name("三枚", "three cards") if ranks >= PASSED else Name("二枚", "two cards")
    where = RELATIVE[passing] if passing in (options.LEFT, options.ACROSS, options.RIGHT) else None
    lines = [
        reader.say(
            "同じスートを持っていれば必ず出す。最も強い札が取る（A が最強）",
            "follow suit if you can; the strongest card of the suit led takes the trick, aces are high",
        )
    ]
    for so, ja, en in (
        (not full, f"各スートの上位{ranks}枚だけを使い、手札は{ranks}枚",
         f"only the {ranks} highest cards of each suit are played with, {ranks} in a hand"),
        (not hearts, "取ったトリックの数が得点", "every trick taken is a point"),
        (hearts, "ハートは1点、スペードのQは13点の失点。少ないほど良い",
         "hearts cost 1 point each, the queen of spades 13; few points are good"),
        (hearts, f"最初は{NAMES[first].ja}をリードする", f"the {NAMES[first].en} leads the first trick"),
        (hearts and is_set["break_hearts"], "ハートは、ほかになければ別として、一度出るまでリードできない",
         "hearts cannot be led before one was played, unless there is nothing else"),
        (hearts and is_set["break_hearts"] and is_set["queen_breaks"], "スペードのQが出てもハート解禁",
         "the queen of spades breaks hearts too"),
        (hearts and not is_set["first_points"], "最初のトリックでは、ほかになければ別として、失点札を出せない",
         "no penalty cards in the first trick, unless there is nothing else"),
        (hearts and is_set["jack"], "ダイヤのJは失点を10減らす", "the jack of diamonds takes 10 points off"),
        (hearts and moon == options.OTHERS_UP, f"{points}点すべてを取れば0点、ほかの三人が{points}点",
         f"who takes all {points} points gets 0, and the others {points} each"),
        (hearts and moon == options.SELF_DOWN, f"{points}点すべてを取れば{points}点減る",
         f"who takes all {points} points loses {points}"),
        (where, f"初めに{few.ja}を渡す（{where and where.ja}）", f"{few.en} are passed first ({where and where.en})"),
        (passing == options.ROTATION, f"初めに{few.ja}を渡す：左、右、正面、なしの順に局ごとに替わる",
         f"{few.en} are passed first: left, right, across, none, from deal to deal"),
        (target, f"誰かが{target}点になるまで", f"until somebody has {target} points"),
    ):  # fmt: skip
        if so:
            lines.append(reader.say(ja, en))
    return lines
