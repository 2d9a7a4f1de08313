"""Saichugen in words: the table as text, the name of a move, and what a person at the table is told.

Cards are written short, as in `♠7`. A move shows behind an arrow the chance that its card scores when both others lay
any card that its owner has not seen.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from tefuda.contract import Name, Reader, Rules
from tefuda.contract.names import card_callings
from tefuda.games.saichugen import options, rules
from tefuda.games.saichugen.cards import LETTERS, NUMBERS, SUIT_NAMES, SUITS, SYMBOLS, cards_of
from tefuda.games.saichugen.players.choices import ways_to_score
from tefuda.games.saichugen.rules import HAND, ROUNDS, SEATS, TURNS
from tefuda.kernel.compile import kernel, uncompiled

ROUND, TURN, SEAT = Name("ラウンド", "round"), Name("ターン", "turn"), Name("席", "seat")
TOTAL, WON, POINTS = Name("通算", "total"), Name("勝ち", "won"), Name("得点", "points")
HAND_OF, FACE_DOWN, NONE = Name("手札", "hand"), Name("伏せ札", "face down"), Name("なし", "none")
TURNED_UP = Name("表", "turned up")
LAY, OVER = Name("札を伏せる", "lay a card"), Name("終わり", "over")


def short(card: int) -> str:
    """A card in two or three characters."""
    return f"{SYMBOLS[card % SUITS]}{LETTERS[card // SUITS]}"


def callings(states: np.ndarray, card: int) -> list[str]:
    """What a person may type for a card beside its name: QS, spade Q, ハートA and the like."""
    return card_callings(SUIT_NAMES[card % SUITS], SYMBOLS[card % SUITS], LETTERS[card // SUITS])


def listed(mask: Any, lang: str) -> str:
    """The cards of a set, highest first."""
    return " ".join(short(card) for card in reversed(cards_of(mask))) or NONE.text(lang)


def chance_to_score(states: np.ndarray, card: int) -> float:
    """The chance that a card is the middle one, over all pairs of cards that the seat to move has not seen."""
    return _chance(card, int(_unseen(states)))


@kernel
def _unseen(states):
    """The cards that the seat to move has not seen; Python hands over an array much faster than a record."""
    return rules.unseen(states[0], int(states[0].seat))


@lru_cache(1000)
def _chance(card: int, rest: int) -> float:
    """The chance that a card is the middle one, over all pairs of a set."""
    number = rest.bit_count()
    return int(ways_to_score(card, np.uint64(rest))) / (number * (number - 1) // 2)


def action_name(states: np.ndarray, action: int, lang: str = "both") -> str:
    """A card, and behind an arrow its chance to score."""
    if states["finished"][0] == ROUNDS:
        return short(action)
    return f"{short(action)} → {100 * chance_to_score(states, action):.0f} %"


def in_the_middle(values: Iterable[Any]) -> list[bool]:
    """Which seats have the middle value."""
    best = sorted(int(value) for value in values)[1]
    return [int(value) == best for value in values]


def card_on_table(state: Any, turn: int, owner: int, reader: Reader) -> str:
    """A card of this round as the reader sees it: in brackets when it scored, a dot when it is still to come."""
    now = turn == state.turn
    if turn > state.turn or (now and not rules.has_laid(state, owner)):
        return "·"
    if now:
        known = reader.seat is None or reader.seat == owner
        return (
            f"({short(int(rules.laid(state, owner)))})"
            if known
            else FACE_DOWN.text("en" if reader.lang == "en" else "ja")
        )
    cards = [int(state.table[SEATS * turn + seat]) for seat in range(SEATS)]
    return f"[{short(cards[owner])}]" if cards[owner] == sorted(cards)[1] else short(cards[owner])


def place_in_game(state: Any, reader: Reader) -> str:
    """Which round and turn it is."""
    if state.finished == ROUNDS:
        return reader.label(OVER)
    return (
        f"{reader.label(ROUND)} {int(state.finished) + 1}/{ROUNDS}   {reader.label(TURN)} {int(state.turn) + 1}/{TURNS}"
    )


def cards_left(state: Any, owner: int) -> int:
    """How many cards a seat holds."""
    return HAND - TURNS * int(state.finished) - int(state.turn) - bool(uncompiled(rules.has_laid)(state, owner))


def show(states: np.ndarray, seat: int | None = None, lang: str = "both") -> str:
    """The table as one seat sees it, or everything when no seat is given."""
    state, reader = states[0], Reader(seat, lang)
    label = reader.label
    lines = [place_in_game(state, reader)]
    if state.finished < ROUNDS:
        lines[0] += f"   {label(SEAT)} {int(state.seat)}: {label(LAY)}"
    for owner in range(SEATS):
        known = seat is None or seat == owner
        hand = listed(state.hand[owner], lang) if known else f"{cards_left(state, owner)}"
        table = " ".join(card_on_table(state, turn, owner, reader) for turn in range(TURNS))
        lines.append(
            f"{label(SEAT)} {owner}: {label(TOTAL)} {int(state.total[owner])} | {label(WON)} {int(state.won[owner])} | "
            f"{label(POINTS)} {int(state.points[owner])} | {table} | {label(HAND_OF)} {hand}"
        )
    return "\n".join(lines)


def story(before: np.ndarray, after: np.ndarray, action: int, reader: Reader) -> list[str]:
    """What one decision did: a card face down, or all three turned up and who scores."""
    seat = int(before["seat"][0])
    if seat < SEATS - 1:
        return [short(action) if reader.seat in (None, seat) else reader.label(FACE_DOWN)]
    cards = [*(int(rules.laid(before[0], owner)) for owner in range(SEATS - 1)), action]
    best = sorted(cards)[1]
    shown = "  ".join(f"{reader.names[owner]} {short(card)}" for owner, card in enumerate(cards))
    scorer, points = reader.names[cards.index(best)], int(rules.number_of(best))
    return [
        short(action),
        f"{reader.label(TURNED_UP)}: {shown}",
        reader.say(f"{scorer} が {short(best)} で {points} 点", f"{scorer} scores {points} with {short(best)}"),
    ]


def result(before: np.ndarray, after: np.ndarray, action: int, reader: Reader) -> list[str]:
    """How a round ended, and the game; nothing when the decision ended no round."""
    if after["finished"][0] == before["finished"][0]:
        return []
    state = after[0]
    winners = [seat for seat in range(SEATS) if state.last_won[seat]]
    lines = [
        f"{reader.label(ROUND)} {int(state.finished)}  {_row(reader, state.last_points)}",
        _winners(winners, reader, f": +{int(state.last_points[winners[0]])}"),
        f"{reader.label(TOTAL)}  {_row(reader, state.total)}",
    ]
    if state.finished == ROUNDS:
        middle = [seat for seat, so in enumerate(in_the_middle(state.total)) if so]
        lines.append(f"{reader.label(OVER)}: {_winners(middle, reader)}")
    return lines


def _row(reader: Reader, points: Sequence[Any]) -> str:
    return "  ".join(f"{reader.names[seat]} {int(points[seat])}" for seat in range(SEATS))


def _winners(seats: list[int], reader: Reader, more: str = "") -> str:
    names = [reader.names[seat] for seat in seats]
    return reader.say(f"中位は {'、'.join(names)}", f"{' and '.join(names)} in the middle") + more


def unseen(states: np.ndarray, reader: Reader) -> list[tuple[str, list[str]]]:
    """The cards that a seat has not seen by their number, highest first: in the other hands, or not dealt."""
    rest = cards_of(rules.unseen(states[0], reader.seat))
    groups = []
    for number in reversed(range(NUMBERS)):
        here = [SYMBOLS[card % SUITS] for card in reversed(rest) if card // SUITS == number]
        if here:
            groups.append((LETTERS[number], here))
    return groups


def explain(chosen: Rules, reader: Reader) -> list[str]:
    """The rules in force, in a player's words."""
    lines = [
        reader.say(
            "三人が一枚ずつ伏せて出し、一斉に表にする。真ん中の順位の札だけがその数字の得点になる",
            "all three lay a card face down and turn it up together; only the middle one scores, its number",
        ),
        reader.say(
            "順位は K が最高、A が最低。同じ数字なら ♠ ♥ ♦ ♣ の順",
            "kings are high, aces low; of one number ♠ ♥ ♦ ♣ in this order",
        ),
        reader.say(
            "3ターンで1ラウンド。得点が真ん中の人が勝ち、得点を通算に加える。負けた人の得点は消える",
            "three turns are a round: the middle sum wins and is kept, the others keep nothing",
        ),
        reader.say(
            "5ラウンドで1ゲーム。通算が真ん中の人が勝ち。同点なら同点者がみな勝ち（ラウンドも同じ）",
            "five rounds are a game: the middle total wins; all who share the middle win, in rounds too",
        ),
    ]
    if chosen.values["payoff"] == options.STAKE:
        lines.append(
            reader.say(
                "賭け：勝者一人なら +2 −1 −1、二人なら +1 +1 −2、三人なら 0",
                "for a stake: one winner +2 −1 −1, two winners +1 +1 −2, three 0",
            )
        )
    return lines
