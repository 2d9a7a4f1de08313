"""The check of what a seat is told of a decision: history, events and stories may say no more than its table shows.

Two decisions after which a seat's copy of the table is the same must be told to that seat in the same words: it could
not tell them apart at a real table.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from tefuda.conformance.study import Failed, Situation, Study
from tefuda.contract import Game, Reader, Rules, Said
from tefuda.table.events import Event
from tefuda.table.record import Step, take
from tefuda.table.scene import said_of
from tefuda.table.table import Table

LANGUAGES = ("both", "ja", "en")


class Sort(NamedTuple):
    """What distinguishes decisions that are told in different ways."""

    part: str  # of the actions: a rare decision mostly has one of its own
    secret: bool
    shown: tuple[str, ...]  # what is said of the cards that came to light


@dataclass(frozen=True)
class ToldDecision:
    """What one seat was told of one decision."""

    step: Step
    events: list[Event]
    said: Said | None  # None where the words are not asked for: they are slow to make

    @property
    def all(self) -> tuple[object, ...]:
        """All that must not differ. From where a card came may be seen at a table that forgets it afterwards, as of a
        tile that was just drawn; which card it was, and all of a secret decision, may not."""
        if self.said is None or self.step.secret:
            return self.events, self.said
        named = {each.card for each in self.said.moved if each.card is not None}
        return self.events, self.said.lines, self.said.results, named


def tellings_keep_secrets(study: Study) -> str:
    """Events and stories of all legal actions, at the true table and at one with other hidden cards."""
    game = study.game
    source = study.source(4)
    compared = public = secret = 0
    for rules in study.rules:
        sorts = _sorts(study, rules)
        public += sum(len(found) for sort, found in sorts.items() if not sort.secret)
        secret += sum(len(found) for sort, found in sorts.items() if sort.secret)
        share = max(1, study.sizes.tables // max(1, len(sorts)))
        chosen = [each for found in sorts.values() for each in source.sample(found, min(share, len(found)))]
        source.shuffle(chosen)
        for number, situation in enumerate(chosen):
            reading = (situation.seat + 1 + number % max(game.seats - 1, 1)) % game.seats  # one of the others
            for seat in range(game.seats):
                study.where = f"{situation.where}, told to seat {seat}"
                swapped = study.rearranged(situation.states, seat, source)
                tables = [situation.states, *([] if swapped is None else [swapped])]
                worded = seat == reading and number < study.sizes.texts
                lang = LANGUAGES[number % len(LANGUAGES)] if worded else None
                compared += _compare(study, situation, seat, tables, lang)
    return f"{public:,} decisions were public, {secret:,} secret; {compared:,} were compared with some that look alike"


def _sorts(study: Study, rules: Rules) -> dict[Sort, list[Situation]]:
    """Decisions of random games by what is told of them: cards may come to light but once in a game."""
    spaces = study.game.spaces
    found: dict[Sort, list[Situation]] = {}
    for deal in range(3000, 3000 + study.sizes.walks):
        for (situation, action), (after, _) in pairwise(study.walk(rules, deal)):
            secret = bool(spaces.secret and spaces.secret(situation.states, situation.seat, action))
            shown = spaces.shown(situation.states, after.states, action) if spaces.shown else []
            part = next(key for key, where in spaces.actions.slices.items() if where.start <= action < where.stop)
            found.setdefault(Sort(part, secret, tuple(each.what for each in shown)), []).append(situation)
    return found


def _compare(study: Study, situation: Situation, seat: int, tables: list[np.ndarray], lang: str | None) -> int:
    """How many decisions looked to a seat as another one did; one that was told in other words is a failure.

    Compared are all actions at one table, but for the seat's own, and the same action at both tables. Other actions at
    other tables may look alike once they are done: a card that was played and one that was turned, both captured.
    """
    compared = 0
    first: dict[tuple[str, int, bytes], ToldDecision] = {}
    for number, states in enumerate(tables):
        if study.hidden(states, seat).tobytes() != study.hidden(situation.states, seat).tobytes():
            continue  # that `hide` leaves too much is another check's
        for telling in _tellings(study, situation, states, seat, lang):
            seen = study.hidden(telling.step.after, seat).tobytes()
            alike = [first.setdefault(("action", telling.step.action, seen), telling)]
            if situation.seat != seat:
                alike.append(first.setdefault(("table", number, seen), telling))
            for other in alike:
                same = other.step.after.tobytes() == telling.step.after.tobytes()  # which of two was taken first, say
                if other.all != telling.all and (telling.step.secret or not same):
                    raise Failed(f"{study.where}: {_difference(study.game, other, telling)}")
                compared += other is not telling
    return compared


def _tellings(
    study: Study, situation: Situation, states: np.ndarray, seat: int, lang: str | None
) -> Iterator[ToldDecision]:
    """All legal decisions at a table, as a seat is told them. Where a round ends, the next one is dealt over it."""
    game = study.game
    for action in study.legal(states):
        table = Table(game, situation.rules, study.seed, situation.deal, states=states.copy())
        over = table.round
        step = take(table, action)
        if table.round == over:
            said = None if lang is None else said_of(game, step, Reader(seat, lang), moved=True)
            yield ToldDecision(step, table.view(seat).events, said)


def _difference(game: Game, one: ToldDecision, two: ToldDecision) -> str:
    """What a seat was told although its table does not show it, and what would keep it secret."""
    names = [game.spaces.actions.names[each.step.action].en for each in (one, two)]
    if one.events == two.events:
        assert one.said is not None
        assert two.said is not None
        return f"{_sentence(one.said)} for {names[0]}, {_sentence(two.said)} for {names[1]}"
    actions, others = ([each for each in telling.events if each.what == "action"] for telling in (one, two))
    if actions != others:
        return (
            f"the history tells {names[0]} from {names[1]} of seat {one.step.seat}, but the tables after them are the "
            "same to this seat: Spaces(secret=…) says which decisions are not public"
        )
    shown = next(each for each in (*one.events, *two.events) if each not in one.events or each not in two.events)
    cards = ", ".join(game.spaces.cards[card].en if game.spaces.cards else str(card) for card in shown.cards or ())
    return (
        f"Shown({shown.what!r}) tells {cards or 'that no card came to light'}, which the table after {names[0]} "
        "does not show to this seat: `to` of Shown names the one seat that sees the cards"
    )


def _sentence(said: Said) -> str:
    """All that was said of a decision, in one line."""
    moved = [f"{each.card} from {each.source} to {each.target}" for each in said.moved]
    return "; ".join([*(line.en for line in said.lines), *moved])
