"""Checks of the part `chance`: the list of deals is what `deal` deals, and information sets are numbered soundly."""

from collections import Counter, defaultdict

import numpy as np

from tefuda.conformance.chance import SURE, one_sample
from tefuda.conformance.study import Failed, Study
from tefuda.contract import Chance, Rules
from tefuda.search.tree import write_out

MOST_COMPARED = 20_000  # deals of a list that is compared


def deals_are_listed(study: Study) -> str:
    chance = study.game.chance
    if chance is None:
        return "the game does not list its deals"
    some = [rules for rules in study.many_rules if study.game.listed(rules, MOST_COMPARED)]
    listed = 0
    for rules in some[: len(study.rules)]:
        listed = _compare(study, chance, rules)
    rules = study.rules[0]
    if chance.information_set is None or study.game.listed(rules, MOST_COMPARED) is None:
        return f"{listed} deals by one of {len(some)} sets of rules" if some else "too many deals to compare them"
    study.where = f"rules {rules}, written out whole"
    tree = write_out(study.game, rules)
    legal: dict[int, list[bool]] = {}
    for view, seat, allowed in zip(tree.views, tree.owner, tree.legal, strict=True):
        number = int(chance.information_set(view, int(seat)))
        if not 0 <= number < chance.information_sets:
            raise Failed(f"{study.where}: information_set gives {number}, but there are {chance.information_sets}")
        if legal.setdefault(number, allowed.tolist()) != allowed.tolist():
            raise Failed(f"{study.where}: information set {number} stands for views with different legal actions")
    for situation in study.situations(rules, study.sizes.tables, 9000):
        numbers = {
            int(chance.information_set(table[0], situation.seat))
            for table in (situation.states, study.hidden(situation.states, situation.seat))
        }
        if len(numbers) > 1:
            raise Failed(f"{situation.where}: information_set reads what is hidden: {numbers}")
    return f"{listed} deals, {tree.sets:,} information sets with {len(legal):,} numbers, {len(tree.parent):,} positions"


def _content(study: Study, table: np.ndarray) -> tuple:
    """What a deal is: how it looks to each seat, and where every card lies. The source of the deal does not count."""
    views = tuple(study.hidden(table, seat).tobytes() for seat in range(study.game.seats))
    places = study.game.checks.layout(table, 0)
    return *views, *sorted(zip(places.cards, places.groups, strict=True))


def _compare(study: Study, chance: Chance, rules: Rules) -> int:
    """Compare the list with what the kernel deals; returns the number of deals."""
    where = f"rules {rules}, seed {study.seed}"
    chances, tables = chance.deals(study.game.blank(rules))
    expected: dict[tuple, float] = defaultdict(float)
    for each, table in zip(chances, np.split(tables, len(tables)), strict=True):
        expected[_content(study, table)] += each
    if min(expected.values()) <= 0 or abs(sum(expected.values()) - 1) > 1e-9:
        raise Failed(f"{where}: the chances of the deals are not all above 0, or add up to {sum(expected.values()):g}")
    samples = study.sizes.samples
    dealt = Counter(_content(study, study.dealt(rules, deal)) for deal in range(samples))
    if unknown := set(dealt) - set(expected):
        raise Failed(f"{where}: {len(unknown)} of {samples} deals are not in the list of {len(expected)}")
    keys = sorted(expected)
    comparison = one_sample(np.array([dealt[key] for key in keys]), np.array([expected[key] * samples for key in keys]))
    if comparison.chance < SURE:
        raise Failed(f"{where}: {samples} deals differ from the list's chances; a chance of {comparison.chance:.1g}")
    return len(expected)
