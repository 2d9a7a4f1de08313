"""Checks of `guess`: it keeps what was seen, takes nothing from the true cards, is uniform over the rest."""

import random
from collections import Counter
from itertools import combinations_with_replacement, permutations

import numpy as np

from tefuda.conformance.chance import SURE, Discrepancy, one_sample, two_samples
from tefuda.conformance.study import Failed, Situation, Study, differing, hidden_slots, shuffled
from tefuda.contract import Layout
from tefuda.kernel.random import below

ENUMERATED = 6  # up to so many hidden cards, all arrangements are written out
ENTRIES = 3000  # of a comparison at most
SLOT_GROUPS = 24  # groups of one slot each are merged to at most so many


def guesses_keep_what_was_seen(study: Study) -> str:
    """For every seat: a seat that waits may also ask for a guess."""
    game = study.game
    guesses = 0
    for rules in study.rules:
        for situation in study.situations(rules, 3 * study.sizes.tables, 3000):
            for seat in range(game.seats):
                where = f"{situation.where}, seen by seat {seat}"
                if not game.checks.allowed(situation.states, seat):
                    raise Failed(f"{where}: allowed refuses the true table")
                bits = study.bits(situation.deal, situation.number)
                for number in (1, 2, 3):
                    _keeps(study, f"{where}, guess {number}", situation, seat, bits)
                    guesses += 1
    return f"{guesses:,} guesses"


def _keeps(study: Study, where: str, situation: Situation, seat: int, bits: np.ndarray) -> None:
    game = study.game
    view, seen = study.hidden(situation.states, seat), game.checks.layout(situation.states, seat)
    guess = study.guessed(view, seat, bits)
    if text := differing(view, study.hidden(guess, seat)):
        raise Failed(f"{where}: hide of the guess is not the view that it was made from, {text}")
    layout = game.checks.layout(guess, seat)
    if sorted(layout.cards) != sorted(seen.cards):
        raise Failed(f"{where}: its cards are {sorted(layout.cards)}, those of the table {sorted(seen.cards)}")
    if _visible(layout) != _visible(seen) or Counter(layout.groups) != Counter(seen.groups):
        raise Failed(f"{where}: cards that the seat sees, or the sizes of groups, are not those of the table")
    if not game.checks.allowed(guess, seat):
        raise Failed(f"{where}: the hard facts do not allow it: {layout.cards}")
    if int(game.kernels.to_move(guess[0])) != situation.seat:
        raise Failed(f"{where}: another seat is to move")
    if seat == situation.seat and study.legal(guess) != study.legal(view):
        raise Failed(f"{where}: legal are {study.legal(guess)}, in the view {study.legal(view)}")
    if study.observed(guess, seat).tobytes() != study.observed(view, seat).tobytes():
        raise Failed(f"{where}: its observation is not that of the view")


def guesses_can_be_played_on(study: Study) -> str:
    """What a search does: take a guessed table for the true one, to the end."""
    game = study.game
    tables = decisions = 0
    for rules in study.rules:
        for situation in study.situations(rules, study.sizes.walks, 8000):
            bits = study.bits(situation.deal, situation.number)
            states = study.guessed(study.hidden(situation.states, situation.seat), situation.seat, bits)
            cards = sorted(game.checks.layout(situation.states, situation.seat).cards)
            left = min(game.decisions_at_most(rules) - situation.number + 1, 4 * study.sizes.steps)
            tables += 1
            while left > 0 and game.kernels.to_move(states[0]) >= 0:
                legal = study.legal(states)
                study.where = f"{situation.where}, played on from a guess"
                if not legal:
                    raise Failed(f"{study.where}: nothing is legal, but the game is not over")
                game.kernels.apply(states[0], legal[int(below(bits, len(legal)))])
                left -= 1
                decisions += 1
            if sorted(game.checks.layout(states, situation.seat).cards) != cards:
                raise Failed(f"{study.where}: cards are lost or found")
    return f"{tables} tables, {decisions:,} decisions"


def _visible(layout: Layout) -> list[tuple[str, int]]:
    slots = zip(layout.groups, layout.cards, layout.hidden, strict=True)
    return sorted((group, card) for group, card, hidden in slots if not hidden)


def guesses_take_nothing_hidden(study: Study) -> str:
    """The same random numbers give the same guess, whatever is in the hidden slots that it starts from.

    Search may guess again from a world that was guessed before, so this holds for open tables too.
    """
    source = study.source(3)
    compared = 0
    for rules in study.rules:
        for situation in study.situations(rules, study.sizes.tables, 4000):
            for seat in range(study.game.seats):
                swapped = study.rearranged(situation.states, seat, source)
                if swapped is not None:
                    _takes_nothing(study, situation, seat, swapped)
                    compared += 1
    if compared == 0:
        raise Failed("no table had hidden cards that could be exchanged: nothing was tested")
    return f"{compared:,} tables"


def _takes_nothing(study: Study, situation: Situation, seat: int, swapped: np.ndarray) -> None:
    starts = {
        "the hidden copy": study.hidden(situation.states, seat),
        "the hidden copy with other cards": study.hidden(swapped, seat),
        "the true table": situation.states,
        "the table with other hidden cards": swapped,
    }
    first = None
    for name, start in starts.items():
        bits = study.bits(situation.deal, situation.number)
        guess = study.guessed(start, seat, bits)
        first = first or (guess, bits)
        where = f"{situation.where}, seen by seat {seat}"
        if text := differing(first[0], guess):
            raise Failed(f"{where}: a guess from {name} is another than from the hidden copy, {text}")
        if first[1][0] != bits[0]:
            raise Failed(f"{where}: a guess from {name} draws more or fewer random numbers")


def guesses_are_uniform(study: Study) -> str:
    """Compare guesses with a sampler that shuffles the hidden cards until the hard facts allow them."""
    source = study.source(4)
    sums = {"one card": Discrepancy(), "two cards together": Discrepancy()}
    tables = exact = 0
    for position, rules in enumerate(study.rules):
        # Many guesses at few tables find a bias sooner than few at many: the default rules get the most.
        wanted, share = (2, 1) if position == 0 else (1, 2) if position < len(study.game.rulebook.presets) else (1, 5)
        samples = study.sizes.samples // share
        found = 0
        for situation in study.situations(rules, 12, 5000):
            if found == wanted:
                break
            slots = hidden_slots(study.game.checks.layout(situation.states, situation.seat))
            if len(slots) < 2:
                continue
            study.where = situation.where
            if len(slots) <= ENUMERATED:
                found += _compare_with_all(study, situation, slots, samples)
                exact += 1
            else:
                comparisons = _compare_with_shuffles(study, situation, slots, samples, source)
                found += bool(comparisons)
                for name, comparison in comparisons.items():
                    sums[name] = sums[name] + comparison
        tables += found
    for name, total in sums.items():
        if total.chance < SURE:
            raise Failed(f"seed {study.seed}: over {tables} tables, {name}: a chance of {total.chance:.1g}")
    if tables == 0:
        raise Failed("no table had hidden cards that could be compared: nothing was tested")
    chances = [f"; {name} with a chance of {total.chance:.2g}" for name, total in sums.items() if total.mean]
    return f"{tables} tables, {exact} of them with all arrangements written out{''.join(chances)}"


def _compare_with_all(study: Study, situation: Situation, slots: list[int], samples: int) -> int:
    """Few hidden cards: every arrangement allowed must come up equally often. Returns 1 when compared."""
    game, states, seat = study.game, situation.states, situation.seat
    layout = game.checks.layout(states, seat)
    expected: Counter = Counter()
    for order in permutations([layout.cards[slot] for slot in slots]):
        cards = list(layout.cards)
        for slot, card in zip(slots, order, strict=True):
            cards[slot] = card
        if game.checks.allowed(study.with_cards(states, layout, cards), seat):
            expected[_arrangement(layout.groups, cards)] += 1
    view = study.hidden(states, seat)
    bits = study.bits(situation.deal, situation.number)
    counts: Counter = Counter()
    for _ in range(samples):
        guess = game.checks.layout(study.guessed(view, seat, bits), seat)
        counts[_arrangement(guess.groups, guess.cards)] += 1
    if unknown := set(counts) - set(expected):
        raise Failed(f"{situation.where}: guessed what is not among the {len(expected)} arrangements: {min(unknown)}")
    keys = sorted(expected)
    if len(keys) == 1:
        return 0
    weights = np.array([expected[key] for key in keys], float)
    wanted = weights / weights.sum() * samples
    comparison = one_sample(np.array([counts[key] for key in keys]), wanted)
    if comparison.chance < SURE:
        key, often = keys[comparison.worst], wanted[comparison.worst]
        text = f"{counts[key]} of {samples} guesses are {key}, expected {often:.0f}"
        raise Failed(f"{situation.where}: {text}; a chance of {comparison.chance:.1g}")
    return 1


def _arrangement(groups: list[str], cards: list[int]) -> tuple[tuple[str, int], ...]:
    """Which cards are in which group; their order inside is nothing."""
    return tuple(sorted(zip(groups, cards, strict=True)))


def _by_group(layout: Layout) -> list[int]:
    """The hidden cards in the order of the names of their groups."""
    slots = zip(layout.groups, layout.cards, layout.hidden, strict=True)
    return [card for _, card in sorted((group, card) for group, card, hidden in slots if hidden)]


def _compare_with_shuffles(
    study: Study, situation: Situation, slots: list[int], samples: int, source: random.Random
) -> dict[str, Discrepancy]:
    """Compare where each card is, and which two are together; not at all when shuffles are hardly allowed."""
    game, states, seat = study.game, situation.states, situation.seat
    layout = game.checks.layout(states, seat)
    reference: list[list[int]] = []
    for attempt in range(20 * samples):
        if len(reference) == samples or (attempt == 1000 and len(reference) < 50):
            break
        cards = shuffled(layout, slots, source)
        if game.checks.allowed(study.with_cards(states, layout, cards), seat):
            reference.append(_by_group(Layout(cards, layout.groups, layout.hidden)))
    if len(reference) < samples:
        return {}
    view = study.hidden(states, seat)
    bits = study.bits(situation.deal, situation.number)
    guesses: list[list[int]] = []
    for _ in range(samples):
        guess = study.guessed(view, seat, bits)
        if not game.checks.allowed(guess, seat):
            raise Failed(f"{situation.where}, guess {len(guesses) + 1}: the hard facts do not allow it")
        guesses.append(_by_group(game.checks.layout(guess, seat)))
    entries = Entries(_by_group(layout), sorted(layout.groups[slot] for slot in slots), source)
    result = {}
    for name, count, label in (
        ("one card", entries.places, entries.place),
        ("two cards together", entries.pairs, entries.pair),
    ):
        one, two = count(np.array(guesses)), count(np.array(reference))
        if one.shape[1] == 0:
            continue
        comparison = two_samples(one, two)
        if comparison.chance < SURE:
            worst = comparison.worst
            often = f"{one[:, worst].sum():.0f} and {two[:, worst].sum():.0f} of {samples} guesses and shuffles"
            text = f"{label(worst)} in {often}; over all, a chance of {comparison.chance:.1g}"
            raise Failed(f"{situation.where}: {text}")
        result[name] = comparison
    return result


class Entries:
    """What is counted of an arrangement: each card in each group, and two cards in each group of several."""

    def __init__(self, cards: list[int], groups: list[str], source: random.Random) -> None:
        sizes = Counter(groups)
        single = [group for group in dict.fromkeys(groups) if sizes[group] == 1]
        block = max(1, -(-len(single) // SLOT_GROUPS))
        merged = {group: f"{single[i - i % block]} and {block - 1} more" for i, group in enumerate(single) if block > 1}
        self.kinds = sorted(set(cards))
        self.names = list(dict.fromkeys(merged.get(group, group) for group in groups))
        self.group_of_slot = np.array([self.names.index(merged.get(group, group)) for group in groups])
        together = [self.names.index(group) for group in self.names if sizes[group] > 1]
        twice = len(self.kinds) < len(cards)  # only then can two cards of one kind be together
        self.togethers = [
            (group, one, two)
            for group in together
            for one, two in combinations_with_replacement(range(len(self.kinds)), 2)
            if one != two or twice
        ]
        if len(self.togethers) > ENTRIES:
            self.togethers = source.sample(self.togethers, ENTRIES)

    def places(self, samples: np.ndarray) -> np.ndarray:
        """How often each card is in each group: [samples, kinds * groups] from cards by slot."""
        kinds = np.searchsorted(self.kinds, samples)
        result = np.zeros((len(samples), len(self.kinds) * len(self.names)))
        rows = np.broadcast_to(np.arange(len(samples))[:, None], samples.shape)
        np.add.at(result, (rows, kinds * len(self.names) + self.group_of_slot), 1)
        return result

    def pairs(self, samples: np.ndarray) -> np.ndarray:
        """How many such pairs of cards are together in a group: [samples, pairs]."""
        held = self.places(samples).reshape(len(samples), len(self.kinds), len(self.names))
        if not self.togethers:
            return np.zeros((len(samples), 0))
        group, one, two = np.array(self.togethers).T
        same = one == two
        return held[:, one, group] * (held[:, two, group] - same) / np.where(same, 2, 1)

    def place(self, entry: int) -> str:
        return f"card {self.kinds[entry // len(self.names)]} is in {self.names[entry % len(self.names)]!r}"

    def pair(self, entry: int) -> str:
        group, one, two = self.togethers[entry]
        return f"cards {self.kinds[one]} and {self.kinds[two]} are together in {self.names[group]!r}"
