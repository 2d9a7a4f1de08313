"""A table of Koi-Koi as text: for the terminal, for golden playthroughs, for errors."""

import numpy as np

from tefuda.games.koikoi import rules
from tefuda.games.koikoi.cards import KIND, KINDS, NAMES, cards_of
from tefuda.games.koikoi.rules import AGARI, CALL, DRAWN, KOIKOI, MATCH
from tefuda.games.koikoi.spaces import ACTIONS, PHASES
from tefuda.games.koikoi.yaku import FROM_PILE, YAKU, points_of, yaku_points

_WORDS = {
    "both": {"seat": "席 seat", "round": "局 round", "turn": "手番 turn", "hand": "手札 hand", "pile": "取り札 pile",
             "field": "場 field", "deck": "山 deck", "cards": "枚", "calls": "こいこい calls", "waiting": "出た札 waiting",
             "points": "文 points", "none": "なし none", "score": "得点 score"},
    "ja": {"seat": "席", "round": "局", "turn": "手番", "hand": "手札", "pile": "取り札", "field": "場", "deck": "山",
           "cards": "枚", "calls": "こいこい", "waiting": "出た札", "points": "文", "none": "なし", "score": "得点"},
    "en": {"seat": "seat", "round": "round", "turn": "turn", "hand": "hand", "pile": "pile", "field": "field",
           "deck": "deck", "cards": "cards", "calls": "koi-koi calls", "waiting": "waiting", "points": "points",
           "none": "none", "score": "score"},
}  # fmt: skip


def card_list(mask, lang: str) -> str:
    words = _WORDS[lang]
    return ", ".join(NAMES[card].text(lang) for card in cards_of(mask)) or words["none"]


def pile_by_kind(mask, lang: str) -> str:
    """Captured cards grouped as players lay them out: brights, animals, ribbons, chaff."""
    held = cards_of(mask)
    groups = []
    for kind, name in enumerate(KINDS):
        here = [card for card in held if KIND[card] == kind]
        if here:
            groups.append(f"{name.text(lang)} {len(here)}: " + ", ".join(NAMES[card].text(lang) for card in here))
    return "; ".join(groups) or _WORDS[lang]["none"]


def yaku_list(pile, calls: int, rule_record, lang: str) -> str:
    """The yaku of a pile with their points."""
    made = []
    for which in range(FROM_PILE):
        points = points_of(which, pile, calls, rule_record)
        if points > 0:
            made.append(f"{YAKU[which].text(lang)} {points}")
    return ", ".join(made) or _WORDS[lang]["none"]


def show(states: np.ndarray, seat: int | None = None, lang: str = "both") -> str:
    """The table as one seat sees it, or everything when no seat is given."""
    state = states[0]
    words = _WORDS[lang]
    lines = [
        f"{words['round']} {int(state.finished) + 1}/{int(state.rules.rounds)}  {words['turn']} {int(state.turn) + 1}"
        f"  {words['score']} {int(state.score[0])}:{int(state.score[1])}"
        f"  {words['deck']} {48 - int(state.next)}  {words['seat']} {int(state.seat)}: "
        f"{PHASES[int(state.phase)].text(lang)}"
    ]
    lines.append(f"{words['field']}: {card_list(state.field, lang)}")
    if state.card >= 0:
        lines.append(f"{words['waiting']}: {NAMES[int(state.card)].text(lang)}")
    for owner in (0, 1):
        hand = (
            card_list(state.hand[owner], lang)
            if seat is None or seat == owner
            else f"{int(state.cards[owner])} {words['cards']}"
        )
        lines.append(f"{words['seat']} {owner} {words['hand']}: {hand}")
        lines.append(f"{words['seat']} {owner} {words['pile']}: {pile_by_kind(state.pile[owner], lang)}")
        calls = int(state.calls[owner])
        points = yaku_points(state.pile[owner], calls, state.rules)
        if points or calls:
            made = yaku_list(state.pile[owner], calls, state.rules, lang)
            lines.append(f"{words['seat']} {owner} {points} {words['points']}: {made}; {words['calls']} {calls}")
    return "\n".join(lines)


def action_name(states: np.ndarray, action: int, lang: str = "both") -> str:
    """What an action means at this table."""
    state = states[0]
    if action in (AGARI, KOIKOI) or state.phase == CALL:
        return ACTIONS.names[action].text(lang)
    name = NAMES[action].text(lang)
    if state.phase in (MATCH, DRAWN):
        waiting = NAMES[int(state.card)].text(lang)
        return {"ja": f"{waiting}で{name}を取る", "en": f"take {name} with {waiting}"}.get(
            lang, f"take {name} with {waiting}"
        )
    fitting = rules.month_of(action) & state.field
    return name if not int(fitting) else f"{name} → {card_list(fitting, lang)}"
