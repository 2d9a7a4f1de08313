"""Koi-Koi in words: the table as text, the name of a move, and what a person at the table is told.

Cards are named in Japanese, English or both, as in `松に鶴 pine crane`. Chaff of a month is alike to a player,
so it is counted (`松のカス pine chaff ×2`); only where moves must be told apart does it keep its number.
"""

from typing import NamedTuple

import numpy as np

from tefuda.contract import Name, Reader, Rules
from tefuda.games.koikoi import rules
from tefuda.games.koikoi.cards import CARDS, CHAFF, FLOWERS, KIND, KINDS, NAMES, cards_of
from tefuda.games.koikoi.options import (
    ALTERNATE,
    BOTH,
    FOUR,
    INSTEAD,
    POINTS as PAID,
    REDEAL,
    THREE,
    WINNER,
    WINNER_OR_OTHER,
    WITH,
)
from tefuda.games.koikoi.rules import AGARI, CALL, DRAWN, HAND, KOIKOI, MATCH
from tefuda.games.koikoi.spaces import ACTIONS, PHASES
from tefuda.games.koikoi.yaku import DEALT_POINTS, FROM_PILE, YAKU, points_of, round_points, yaku_points
from tefuda.kernel.bits import ZERO, bit, count

ROUND, TURN, SCORE = Name("局", "round"), Name("手番", "turn"), Name("得点", "score")
SEAT, HAND_OF, PILE_OF = Name("席", "seat"), Name("手札", "hand"), Name("取り札", "pile")
FIELD, DECK, WAITING = Name("場", "field"), Name("山", "deck"), Name("出た札", "waiting")
CALLS, POINTS, NONE = Name("こいこい", "koi-koi calls"), Name("文", "points"), Name("なし", "none")
DEALER, DRAWN_ROUND = Name("親", "dealer"), Name("流局", "nobody wins")


def short(name: Name) -> Name:
    """A card's name as the screen has room for it."""
    return Name(name.ja, name.en.replace(" poem ribbon", " poem"))


def _picture(card: int) -> Name:
    """What is on a card, without its flower and without the number of a chaff."""
    name, flower = short(NAMES[card]), FLOWERS[card // 4]
    return Name(name.ja[len(flower.ja) + 1 :].rstrip("123"), name.en[len(flower.en) + 1 :].rstrip("123 "))


PICTURES = tuple(_picture(card) for card in range(CARDS))
PLAIN = tuple(Name(short(name).ja.rstrip("123"), short(name).en.rstrip("123 ")) for name in NAMES)


def listed(mask, lang: str, names: tuple[Name, ...] = PLAIN) -> str:
    """The cards of a set by their names; those of the same name are counted."""
    texts = [Reader(lang=lang).label(names[card]) for card in cards_of(mask)]
    found = dict.fromkeys(texts)
    return ("、" if lang == "ja" else ", ").join(
        text if texts.count(text) == 1 else f"{text} ×{texts.count(text)}" for text in found
    ) or NONE.text(lang)


def yaku_list(pile, calls: int, rule_record, lang: str) -> str:
    """The yaku of a pile with their points."""
    made = []
    for which in range(FROM_PILE):
        points = points_of(which, pile, calls, rule_record)
        if points > 0:
            made.append(f"{Reader(lang=lang).label(YAKU[which])} {points}")
    return ("、" if lang == "ja" else ", ").join(made)


def show(states: np.ndarray, seat: int | None = None, lang: str = "both") -> str:
    """The table as one seat sees it, or everything when no seat is given: a line for each place of cards."""
    state, label = states[0], Reader(lang=lang).label
    lines = [
        f"{label(ROUND)} {int(state.finished) + (state.phase != rules.OVER)}/{int(state.rules.rounds)}"
        f"  {label(TURN)} {int(state.turn) + 1}  {label(SCORE)} {int(state.score[0])}:{int(state.score[1])}"
        f"  {label(DECK)} {CARDS - int(state.next)}  {label(SEAT)} {int(state.seat)}: {label(PHASES[int(state.phase)])}",
        f"{label(FIELD)}: {listed(state.field, lang)}",
    ]
    if state.card >= 0:
        lines.append(f"{label(WAITING)}: {label(PLAIN[int(state.card)])}")
    for owner in (0, 1):
        place = f"{label(SEAT)} {owner}"
        known = seat is None or seat == owner
        hand = listed(state.hand[owner], lang) if known else f"{int(state.cards[owner])}"
        lines.append(f"{place} {label(HAND_OF)}: {hand}")
        kinds = []
        for kind, name in enumerate(KINDS):
            held = sum(bit(card) for card in cards_of(state.pile[owner]) if KIND[card] == kind)
            if held:
                kinds.append(f"{label(name)} {count(held)}: {listed(held, lang)}")
        lines.append(f"{place} {label(PILE_OF)}: {'; '.join(kinds) or label(NONE)}")
        calls = int(state.calls[owner])
        points = yaku_points(state.pile[owner], calls, state.rules)
        if points or calls:
            made = yaku_list(state.pile[owner], calls, state.rules, lang)
            lines.append(f"{place} {points} {label(POINTS)}: {made}; {label(CALLS)} {calls}")
    return "\n".join(lines)


def payment(state) -> int:
    """What agari would be paid to the seat in turn."""
    seat = int(state.seat)
    if state.cards[seat] == 8:
        return DEALT_POINTS
    return int(
        round_points(int(state.points[seat]), int(state.calls[seat]), int(state.calls[1 - seat]), state.rules)
    )


def action_name(states: np.ndarray, action: int, lang: str = "both") -> str:
    """What an action means at this table: a card, and behind an arrow what it takes."""
    state, label = states[0], Reader(lang=lang).label
    if action == AGARI:
        paid = f" +{payment(state)}" if state.phase == CALL else ""
        return label(ACTIONS.names[action]) + paid
    if action == KOIKOI:
        return label(ACTIONS.names[action])
    name = label(short(NAMES[action]))
    if state.phase in (MATCH, DRAWN):
        return f"{label(PLAIN[int(state.card)])} → {name}"
    taken = rules.month_of(action) & state.field
    return name if taken == ZERO else f"{name} → {listed(taken, lang, PICTURES)}"


class Laid(NamedTuple):
    """One card that went from a hand or the deck to the field, and what it took."""

    drawn: bool
    card: int
    taken: np.uint64 | None  # None: two fit, and the choice is still to come
    chosen: bool = False  # the choice between two was this decision


def laid_by(state, action: int) -> list[Laid]:
    """The cards that one decision moves at a (true) table, in order."""
    if state.phase == CALL:
        return []
    field, moves = state.field, []
    if state.phase == HAND:
        taken = field & rules.month_of(action)
        if count(taken) == 2:
            return [Laid(False, action, None)]
        moves.append(Laid(False, action, taken))
        field = field | bit(action) if taken == ZERO else field & ~taken
    else:
        moves.append(Laid(bool(state.phase == DRAWN), int(state.card), bit(action), True))
        field = field & ~bit(action)
    if state.phase != DRAWN:
        card = int(state.deck[state.next])
        taken = field & rules.month_of(card)
        moves.append(Laid(True, card, None if count(taken) == 2 else taken))
    return moves


def _told(move: Laid, lang: str) -> str:
    """One card's way in words."""
    card = Reader(lang=lang).label(PLAIN[move.card])
    taken = "" if move.taken is None else listed(move.taken, lang, PICTURES)
    if lang == "ja":
        if move.chosen:
            return f"{card}で{taken}を取った"
        start = f"山から{card}" if move.drawn else f"{card}を出し"
        if move.taken is None:
            return f"{start}、取れる札が二枚"
        return f"{start}、{taken}を取った" if move.taken else f"{start}、場に置いた"
    if lang == "en":
        if move.chosen:
            return f"took {taken} with {card}"
        start = f"{'drew' if move.drawn else 'played'} {card}"
        if move.taken is None:
            return f"{start}, two cards fit"
        return f"{start}, took {taken}" if move.taken else f"{start}, left on the field"
    start = "山から drew" if move.drawn else "手から played"
    if move.chosen:
        start = "取った took"
    rest = "二枚合う two fit" if move.taken is None else taken if move.taken else "場に残る stays"
    return f"{start} {card} → {rest}" if not move.chosen else f"{start} {taken} ← {card}"


def story(before: np.ndarray, after: np.ndarray, action: int, reader: Reader) -> list[str]:
    """What one decision did: the cards played and drawn, what each took, the yaku made, or the call."""
    state, label = before[0], reader.label
    if state.phase == CALL:
        return [label(ACTIONS.names[action]) + ("！" if reader.lang == "ja" else "!")]
    lines = [_told(move, reader.lang) for move in laid_by(state, action)]
    if after[0].phase == CALL and after[0].finished == state.finished:
        seat = int(state.seat)
        made = yaku_list(after[0].pile[seat], int(after[0].calls[seat]), after[0].rules, reader.lang)
        lines.append(f"{label(Name('役', 'yaku'))}: {made}")
    return lines


def _won_with(before: np.ndarray, after: np.ndarray, action: int, lang: str) -> tuple[str, int]:
    """The yaku of the round that a decision won, with their points, and the sum."""
    state, winner = before[0], int(after[0].won)
    pile = state.pile[winner]
    for move in laid_by(state, action):
        if move.taken is not None and move.taken != ZERO:
            pile = pile | bit(move.card) | move.taken
    calls = int(after[0].called[winner])
    for which in range(FROM_PILE, len(YAKU)):
        if int(after[0].yaku) >> which & 1:
            return f"{Reader(lang=lang).label(YAKU[which])} {DEALT_POINTS}", DEALT_POINTS
    return yaku_list(pile, calls, state.rules, lang), int(yaku_points(pile, calls, state.rules))


def result(before: np.ndarray, after: np.ndarray, action: int, reader: Reader) -> list[str]:
    """How a round ended, and the score since the first one; nothing when the decision ended no round."""
    state, lang = after[0], reader.lang
    if state.finished == before[0].finished:
        return []
    names = reader.names or tuple(f"{reader.label(SEAT)} {seat}" for seat in (0, 1))
    winner, paid = int(state.won), int(state.paid)
    points = reader.label(POINTS) if lang == "en" else "文"
    if winner < 0:
        told = reader.label(DRAWN_ROUND)
    elif not state.yaku:  # the dealer is paid for a round that nobody won
        told = f"{reader.label(DRAWN_ROUND)}, {reader.label(DEALER)} {names[winner]} +{paid}{points}"
    else:
        made, total = _won_with(before, after, action, lang)
        counted = f"{total} → {paid}" if total != paid else f"{paid}"
        told = f"{names[winner]} {reader.label(ACTIONS.names[AGARI])}: {made} = {counted} {points}"
    score = "  ".join(f"{name} {int(points):+d}" for name, points in zip(names, state.score, strict=True))
    return [f"{round_name(int(state.finished), reader)}  {told}", f"{reader.label(SCORE)}  {score}"]


def round_name(number: int, reader: Reader) -> str:
    return {"ja": f"第{number}局", "en": f"round {number}"}.get(reader.lang, f"第{number}局 round {number}")


def unseen(states: np.ndarray, reader: Reader) -> list[tuple[str, list[str]]]:
    """The cards that a seat has not seen, by month: in the other hand, or in the deck."""
    rest = rules.unseen(states[0], reader.seat)
    groups = []
    for month, flower in enumerate(FLOWERS):
        here = rest & rules.month_of(4 * month)
        if here != ZERO:
            groups.append((f"{month + 1:2} {reader.label(flower)}", listed_apart(here, reader.lang)))
    return groups


def listed_apart(mask, lang: str) -> list[str]:
    """The pictures of some cards of one month, chaff counted."""
    chaff = mask & CHAFF
    texts = [Reader(lang=lang).label(PICTURES[card]) for card in cards_of(mask & ~CHAFF)]
    return texts + ([listed(chaff, lang, PICTURES)] if chaff != ZERO else [])


def explain(chosen: Rules, reader: Reader) -> list[str]:
    """The rules in force as a player wants them: what every yaku pays, then the choices that were made."""
    value = chosen.values
    sake = value["sake"]
    paid = {0: 10, 1: 8, 2: 7, 3: 5, 4: 5, 5: 5, 6: 5, 7: 1, 8: 1, 9: 1}
    if sake:
        paid |= {10: sake, 11: sake}
    if value["akatan_aotan"]:
        paid[12] = value["akatan_aotan"]
    for which, key in ((13, "teshi"), (14, "kuttsuki")):
        if value[key] == PAID:
            paid[which] = DEALT_POINTS
    lines = [" · ".join(f"{reader.label(YAKU[which])} {points}" for which, points in paid.items())]
    lines.append(
        reader.say(
            "タネ5枚、短冊5枚、カス10枚で1文、一枚増えるごとに1文",
            "5 animals, 5 ribbons or 10 chaff: 1 point, and 1 for each card more",
        )
    )
    after, limit, exhausted = value["sake_after_koikoi"], value["koikoi_limit"], value["exhausted"]
    for is_so, ja, en in (
        (value["extras"] == WITH, "猪鹿蝶・赤短・青短はタネ・短冊と合算", "sets of three add up with animals and ribbons"),
        (value["extras"] == INSTEAD, "猪鹿蝶・赤短・青短は一枚増えるごとに1文、タネ・短冊は数えない",
         "sets of three: 1 for each card of the kind more, instead of animals and ribbons"),
        (value["extras"] == BOTH, "猪鹿蝶・赤短・青短は一枚増えるごとに1文、タネ・短冊も数える",
         "sets of three: 1 for each card of the kind more, and animals and ribbons as well"),
        (after, f"花見・月見はこいこいの後{after}文", f"flower and moon viewing: {after} once their holder called koi-koi"),
        (value["sake_kasu"], "盃はカスにも数える", "the sake cup counts as chaff too"),
        (value["double_seven"], "7文以上は倍", "7 points and more are doubled"),
        (value["double_koikoi"], "相手のこいこいの後は倍", "doubled when the opponent has called koi-koi"),
        (value["koikoi_points"], "自分のこいこい3回まで1回ごとに1文、4回からは（回数−2）倍",
         "own koi-koi: 1 for each up to three, from the fourth on times (calls − 2)"),
        (limit, f"こいこいは二人で{limit}回まで", f"koi-koi is called at most {limit} times a round, by both together"),
        (value["teshi"] == REDEAL, "手四は配り直し", "four of a month in a hand: dealt again"),
        (value["kuttsuki"] == REDEAL, "くっつきは配り直し", "four pairs in a hand: dealt again"),
        (value["field"] == FOUR, "場に同じ月が4枚なら配り直し", "four of a month on the field: dealt again"),
        (value["field"] == THREE, "場に同じ月が3枚以上なら配り直し", "three of a month on the field: dealt again"),
        (exhausted, f"流局は親に{exhausted}文", f"when nobody wins the dealer takes {exhausted}"),
        (value["next_dealer"] == ALTERNATE, "親は交代", "dealers alternate"),
        (value["next_dealer"] == WINNER, "勝者が親、流局は親のまま", "the winner deals next, after a draw the same"),
        (value["next_dealer"] == WINNER_OR_OTHER, "勝者が親、流局は交代", "the winner deals next, after a draw the other"),
    ):  # fmt: skip
        if is_so:
            lines.append(reader.say(ja, en))
    return lines
