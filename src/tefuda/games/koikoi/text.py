"""Koi-Koi in words: the table as text, the name of a move, and what a person at the table is told.

Cards are named in Japanese, English or both, as in `松に鶴 pine crane`. Chaff of a month is all alike, so it
is counted (`松のカス pine chaff ×2`); where moves must be told apart it keeps its number.
"""

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from tefuda.contract import Name, Reader, Rules
from tefuda.games.koikoi import hiding, options
from tefuda.games.koikoi.cards import (
    CARDS,
    CARDS_IN,
    CHAFF,
    FLOWERS,
    KIND,
    KINDS,
    NAMES,
    PACK_OF,
    PACKS,
    cards_of,
    mask_of,
)
from tefuda.games.koikoi.spaces import ACTIONS, PHASES
from tefuda.games.koikoi.state import AGARI, CALL, DRAWN, HAND, KOIKOI, MATCH, OVER, has_played, month_of
from tefuda.games.koikoi.yaku import (
    AKATAN,
    AOTAN,
    DEALT_POINTS,
    FROM_PILE,
    INOSHIKACHO,
    KUTTSUKI,
    NEEDED,
    TESHI,
    YAKU,
    points_of,
    round_points,
    yaku_points,
)
from tefuda.kernel.bits import ZERO, count

ROUND, TURN, SCORE = Name("局", "round"), Name("手番", "turn"), Name("得点", "score")
SEAT, HAND_OF, PILE_OF = Name("席", "seat"), Name("手札", "hand"), Name("取り札", "pile")
FIELD, DECK, WAITING = Name("場", "field"), Name("山", "deck"), Name("出た札", "waiting")
CALLS, POINTS, NONE = Name("こいこい", "koi-koi calls"), Name("文", "points"), Name("なし", "none")
DEALER, DRAWN_ROUND, YAKU_MADE = Name("親", "dealer"), Name("流局", "nobody wins"), Name("役", "yaku")


def short(name: Name) -> Name:
    """A card's name as the screen has room for it."""
    return Name(name.ja, name.en.replace(" poem ribbon", " poem"))


def _picture(card: int) -> Name:
    """What is on a card, without its flower and without the number of a chaff."""
    name, flower = short(NAMES[card]), FLOWERS[card // 4]
    return Name(name.ja[len(flower.ja) + 1 :].rstrip("123"), name.en[len(flower.en) + 1 :].rstrip("123 "))


PICTURES = tuple(_picture(card) for card in range(CARDS))
PLAIN = tuple(Name(short(name).ja.rstrip("123"), short(name).en.rstrip("123 ")) for name in NAMES)


def callings(states: np.ndarray, action: int) -> list[str]:
    """What a person may type for an action beside its name: 鶴 or crane; of chaff, the name without its number."""
    if action >= CARDS:
        return []
    return [each for name in (PICTURES[action], PLAIN[action]) for each in (name.ja, name.en)]


def comma(lang: str) -> str:
    return "、" if lang == "ja" else ", "


def listed(mask: Any, lang: str, names: tuple[Name, ...] = PLAIN) -> str:
    """The cards of a set by their names; those of the same name are counted."""
    texts = [Reader(lang=lang).label(names[card]) for card in cards_of(mask)]
    found = dict.fromkeys(texts)
    return comma(lang).join(
        text if texts.count(text) == 1 else f"{text} ×{texts.count(text)}" for text in found
    ) or NONE.text(lang)


def yaku_made(pile: Any, calls: int, rule_record: Any, lang: str) -> list[str]:
    """The yaku of a pile, each with its points."""
    made = []
    for which in range(FROM_PILE):
        points = points_of(which, pile, calls, rule_record)
        if points > 0:
            made.append(f"{Reader(lang=lang).label(YAKU[which].name)} {points}")
    return made


def show(states: np.ndarray, seat: int | None = None, lang: str = "both") -> str:
    """The table as one seat sees it, or everything when no seat is given: a line for each place of cards."""
    state, label = states[0], Reader(lang=lang).label
    over = state.phase == OVER
    lines = [
        f"{label(ROUND)} {int(state.finished) + (not over)}/{int(state.rules.rounds)}  {label(TURN)}"
        f" {int(state.turn) + 1}  {label(SCORE)} {int(state.score[0])}:{int(state.score[1])}"
        f"  {label(DECK)} {CARDS_IN[state.rules.pack] - int(state.next)}"
        f"  {label(SEAT)} {int(state.seat)}: {label(PHASES[int(state.phase)])}",
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
            held = mask_of(*(card for card in cards_of(state.pile[owner]) if KIND[card] == kind))
            if held:
                kinds.append(f"{label(name)} {count(held)}: {listed(held, lang)}")
        lines.append(f"{place} {label(PILE_OF)}: {'; '.join(kinds) or label(NONE)}")
        calls = int(state.calls[owner])
        points = yaku_points(state.pile[owner], calls, state.rules)
        if points or calls:
            made = comma(lang).join(yaku_made(state.pile[owner], calls, state.rules, lang))
            lines.append(f"{place} {points} {label(POINTS)}: {made}; {label(CALLS)} {calls}")
    return "\n".join(lines)


def payment(state: Any) -> int:
    """What agari would be paid to the seat in turn."""
    seat = int(state.seat)
    if not has_played(state, seat):
        return DEALT_POINTS
    return int(round_points(int(state.points[seat]), int(state.calls[seat]), int(state.calls[1 - seat]), state.rules))


def action_name(states: np.ndarray, action: int, lang: str = "both") -> str:
    """What an action means at this table: a card, and behind an arrow what it takes."""
    phase = int(states["phase"][0])  # quicker than the field of a record
    if action in (AGARI, KOIKOI):
        paid = f" +{payment(states[0])}" if action == AGARI and phase == CALL else ""
        return Reader(lang=lang).label(ACTIONS.names[action]) + paid
    if phase in (MATCH, DRAWN):
        return _card_name(action, int(states["card"][0]), 0, lang)
    return _card_name(action, -1, int(states["field"][0]) & 15 << action // 4 * 4, lang)


@cache
def _card_name(card: int, waiting: int, taken: int, lang: str) -> str:
    """A card that is played, with the set that it takes; or one that the waiting card takes."""
    label = Reader(lang=lang).label
    name = label(short(NAMES[card]))
    if waiting >= 0:
        return f"{label(PLAIN[waiting])} → {name}"
    return f"{name} → {listed(np.uint64(taken), lang, PICTURES)}" if taken else name


class Laid(NamedTuple):
    """One card that went from a hand or the deck to the field, and what it took."""

    drawn: bool
    card: int
    taken: np.uint64 | None  # None: two fit, and the choice is still to come
    chosen: bool = False  # the choice between two was this decision


def laid_by(state: Any, action: int) -> list[Laid]:
    """The cards that one decision moves at a (true) table, in order."""
    if state.phase == CALL:
        return []
    field, moves = state.field, []
    if state.phase == HAND:
        taken = field & month_of(action)
        if count(taken) == 2:
            return [Laid(False, action, None)]
        moves.append(Laid(False, action, taken))
        field = field | mask_of(action) if taken == ZERO else field & ~taken
    else:
        moves.append(Laid(bool(state.phase == DRAWN), int(state.card), mask_of(action), True))
        field = field & ~mask_of(action)
    if state.phase != DRAWN:
        card = int(state.deck[state.next])
        taken = field & month_of(card)
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
    if move.chosen:
        return f"取った took {taken} ← {card}"
    start = "山から drew" if move.drawn else "手から played"
    rest = "二枚合う two fit" if move.taken is None else taken if move.taken else "場に残る stays"
    return f"{start} {card} → {rest}"


def story(before: np.ndarray, after: np.ndarray, action: int, reader: Reader) -> list[str]:
    """What one decision did: the cards played and drawn, what each took, the yaku made, or the call."""
    state, label = before[0], reader.label
    if state.phase == CALL:
        return [label(ACTIONS.names[action]) + ("！" if reader.lang == "ja" else "!")]
    lines = [_told(move, reader.lang) for move in laid_by(state, action)]
    if after[0].phase == CALL and after[0].finished == state.finished:
        seat = int(state.seat)
        made = yaku_made(after[0].pile[seat], int(after[0].calls[seat]), after[0].rules, reader.lang)
        lines.append(f"{label(YAKU_MADE)}: {comma(reader.lang).join(made)}")
    return lines


def _won_with(before: np.ndarray, after: np.ndarray, action: int, lang: str) -> tuple[list[str], int]:
    """The yaku of the round that a decision won, with their points, and the sum."""
    state, winner = before[0], int(after[0].won)
    pile = state.pile[winner]
    for move in laid_by(state, action):
        if move.taken is not None and move.taken != ZERO:
            pile = pile | mask_of(move.card) | move.taken
    calls = int(after[0].called[winner])
    for which in range(FROM_PILE, len(YAKU)):
        if int(after[0].yaku) >> which & 1:
            return [f"{Reader(lang=lang).label(YAKU[which].name)} {DEALT_POINTS}"], DEALT_POINTS
    return yaku_made(pile, calls, state.rules, lang), int(yaku_points(pile, calls, state.rules))


def result(before: np.ndarray, after: np.ndarray, action: int, reader: Reader) -> list[str]:
    """How a round ended, and the score since the first one; nothing when the decision ended no round."""
    state = after[0]
    if state.finished == before[0].finished:
        return []
    names = reader.names or tuple(f"{reader.label(SEAT)} {seat}" for seat in (0, 1))
    winner, paid, head = int(state.won), int(state.paid), round_name(int(state.finished), reader)
    if winner < 0:
        lines = [f"{head}  {reader.label(DRAWN_ROUND)}"]
    elif not state.yaku:  # the dealer is paid for a round that nobody won
        lines = [f"{head}  {reader.label(DRAWN_ROUND)}, {reader.label(DEALER)} {names[winner]} +{paid}"]
    else:
        made, total = _won_with(before, after, action, reader.lang)
        if total != paid:  # doubled, or raised for calls of koi-koi
            made[-1] += f" ({total} → {paid})"
        agari = f"{head}  {names[winner]} {reader.label(ACTIONS.names[AGARI])} +{paid}"
        lines = [f"{agari}: {comma(reader.lang).join(made)}"]
    score = "  ".join(f"{name} {int(points):+d}" for name, points in zip(names, state.score, strict=True))
    return [*lines, f"{reader.label(SCORE)}  {score}"]


def round_name(number: int, reader: Reader) -> str:
    return {"ja": f"第{number}局", "en": f"round {number}"}.get(reader.lang, f"第{number}局 round {number}")


def unseen(states: np.ndarray, reader: Reader) -> list[tuple[str, list[str]]]:
    """The cards that a seat has not seen, by month: in the other hand, or in the deck."""
    rest = hiding.unseen(states[0], reader.seat)
    groups = []
    for month, flower in enumerate(FLOWERS):
        here = rest & month_of(4 * month)
        if here != ZERO:
            groups.append((f"{month + 1:2} {reader.label(flower)}", listed_apart(here, reader.lang)))
    return groups


def listed_apart(mask: Any, lang: str) -> list[str]:
    """The pictures of some cards of one month, chaff counted."""
    chaff = mask & CHAFF
    texts = [Reader(lang=lang).label(PICTURES[card]) for card in cards_of(mask & ~CHAFF)]
    return texts + ([listed(chaff, lang, PICTURES)] if chaff != ZERO else [])


_SETS_OF_THREE = YAKU[INOSHIKACHO].cards | YAKU[AKATAN].cards | YAKU[AOTAN].cards


def smallest_pile(which: int, pack: int) -> np.uint64:
    """The smallest pile of a pack that makes a yaku, and no set of three beside it that would hide its price."""
    wanted = YAKU[which].cards & PACK_OF[pack]
    first = cards_of(wanted & ~_SETS_OF_THREE) + cards_of(wanted & _SETS_OF_THREE)
    return mask_of(*first[: NEEDED[pack, which]])


def explain(chosen: Rules, reader: Reader) -> list[str]:
    """The rules in force as a player wants them: what every yaku pays, then the choices that were made."""
    is_set = chosen.values
    record = np.zeros(1, options.RULEBOOK.dtype)
    record[0] = options.RULEBOOK.row(chosen)
    paid = {
        which: int(points_of(which, smallest_pile(which, is_set["pack"]), 0, record[0])) for which in range(FROM_PILE)
    }
    paid[TESHI] = DEALT_POINTS * (is_set["teshi"] == options.POINTS)
    paid[KUTTSUKI] = DEALT_POINTS * (is_set["kuttsuki"] == options.POINTS)
    lines = [" · ".join(f"{reader.label(YAKU[which].name)} {points}" for which, points in paid.items() if points)]
    after, limit, exhausted = is_set["sake_after_koikoi"], is_set["koikoi_limit"], is_set["exhausted"]
    extras, field, dealer = is_set["extras"], is_set["field"], is_set["next_dealer"]
    pack = PACKS[is_set["pack"]]
    for so, ja, en in (
        (pack != PACKS[options.FULL],
         f"一月から{pack.months}か月の札だけで、手札{pack.hand}枚、場札{pack.field}枚",
         f"the cards of {pack.months} months, {pack.hand} in a hand and {pack.field} on the field"),
        (True, f"タネ{pack.tane}枚・短冊{pack.tan}枚・カス{pack.kasu}枚で1文、一枚増えるごとに1文",
         f"{pack.tane} animals, {pack.tan} ribbons or {pack.kasu} chaff pay 1, and 1 for each card more"),
        (extras == options.WITH, "猪鹿蝶・赤短・青短はタネ・短冊と合算",
         "sets of three add up with animals and ribbons"),
        (extras == options.INSTEAD, "猪鹿蝶・赤短・青短は一枚増えるごとに1文、タネ・短冊は数えない",
         "sets of three: 1 for each card of the kind more, instead of animals and ribbons"),
        (extras == options.BOTH, "猪鹿蝶・赤短・青短は一枚増えるごとに1文、タネ・短冊も数える",
         "sets of three: 1 for each card of the kind more, and animals and ribbons too"),
        (after, f"花見・月見はこいこいの後{after}文", f"flower, moon viewing pay {after} after own koi-koi"),
        (is_set["sake_kasu"], "盃はカスにも数える", "the sake cup counts as chaff too"),
        (is_set["double_seven"], "7文以上は倍", "7 points and more are doubled"),
        (is_set["double_koikoi"], "相手のこいこいの後は倍", "doubled after the opponent's koi-koi"),
        (is_set["koikoi_points"], "自分のこいこいは3回まで1文ずつ、4回から（回数−2）倍",
         "own koi-koi add 1 each up to three, from the fourth on times (calls − 2)"),
        (limit, f"こいこいは二人で{limit}回まで", f"at most {limit} koi-koi a round, by both together"),
        (is_set["teshi"] == options.REDEAL, "手四は配り直し", "four of a month in a hand: dealt again"),
        (is_set["kuttsuki"] == options.REDEAL, "くっつきは配り直し", "four pairs in a hand: dealt again"),
        (field == options.FOUR, "場に同じ月が4枚は配り直し", "four of a month on the field: dealt again"),
        (field == options.THREE, "場に同じ月が3枚は配り直し", "three of a month on the field: dealt again"),
        (exhausted, f"流局は親に{exhausted}文", f"when nobody wins, the dealer takes {exhausted}"),
        (dealer == options.ALTERNATE, "親は交代", "dealers alternate"),
        (dealer == options.WINNER, "勝者が次の親、流局は親のまま",
         "the winner deals next, after a draw the same"),
        (dealer == options.WINNER_OR_OTHER, "勝者が次の親、流局は交代",
         "the winner deals next, after a draw the other"),
    ):  # fmt: skip
        if so:
            lines.append(reader.say(ja, en))
    return lines
