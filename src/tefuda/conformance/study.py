"""What the checks share: the rules to try, tables on the way of random games, and how two tables differ."""

import contextlib
import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tefuda.contract import Game, Layout, Option, Rules
from tefuda.engine.single import legal_actions
from tefuda.errors import Problem
from tefuda.kernel.compile import COMPILED
from tefuda.kernel.random import CHECK, DEAL, below, stream
from tefuda.players.entrant import Entrant
from tefuda.players.resolve import resolve

SEARCHED_WORLDS = 2  # of each decision of a search player: its honesty does not depend on their number


class Failed(Exception):
    """A check found something wrong; the text says where, and what differed."""


@dataclass(frozen=True)
class Sizes:
    """How much is tried, for each set of rules unless it says otherwise."""

    settings: int  # random settings of all options, beside the presets
    many_settings: int  # the same for random play in the compiled loop
    decisions: int  # of random play in the compiled loop
    walks: int  # games watched decision by decision
    steps: int  # decisions of such a game at most
    tables: int  # tables whose hidden cards are exchanged
    texts: int  # of these, tables that are also told in words
    choices: int  # decisions of each player
    samples: int  # guesses at one table under the default rules, fewer under others
    deals: int  # for comparing streams


QUICK = Sizes(
    settings=4, many_settings=24, decisions=60_000, walks=8, steps=60, tables=12, texts=6, choices=400,
    samples=2000, deals=200,
)  # fmt: skip
THOROUGH = Sizes(
    settings=20, many_settings=200, decisions=400_000, walks=30, steps=200, tables=60, texts=18, choices=4000,
    samples=10_000, deals=1000,
)  # fmt: skip
# Uncompiled kernels are a thousand times slower; they find what compiled code hides, an index out of range.
PLAIN = Sizes(
    settings=2, many_settings=4, decisions=200, walks=2, steps=25, tables=4, texts=3, choices=8,
    samples=180, deals=60,
)  # fmt: skip


@dataclass(frozen=True)
class Situation:
    """One table of a random game, before a decision or at the end."""

    states: np.ndarray  # [1]
    seat: int  # that decides, or -1
    rules: Rules
    deal: int
    number: int  # of the decision, from 1
    where: str  # all of this for people


class Study:
    """One game under examination."""

    def __init__(self, game: Game, seed: int, thorough: bool = False) -> None:
        self.game = game
        self.seed = seed
        self.sizes = (THOROUGH if thorough else QUICK) if COMPILED else PLAIN
        self.where = f"seed {seed}"  # the place last looked at, for errors that say none

    @cached_property
    def many_rules(self) -> list[Rules]:
        """The presets, the default first, then random settings of all options."""
        book = self.game.rulebook
        source = self.source(0)
        found = [book.make(preset) for preset in book.presets]
        for _ in range(self.sizes.many_settings if book.options else 0):
            changes = [f"{option.key}={_any_value(option, source)}" for option in book.options]
            found.append(book.make(source.choice(list(book.presets)), changes))
        return found

    @property
    def rules(self) -> list[Rules]:
        """The presets and a few of the random settings, for checks that take time."""
        return self.many_rules[: len(self.game.rulebook.presets) + self.sizes.settings]

    @cached_property
    def entrants(self) -> list[Entrant]:
        """Every named player, and every policy that no name means, with random weights where it takes any.

        Of players that share a policy which takes milliseconds, one stands for all.
        """
        game = self.game
        found: list[Entrant] = []
        for player in {player.name: player for player in game.players.named}.values():
            shared = [entrant.policy for entrant in found if entrant.policy is not None and entrant.policy.brief]
            if any(policy.key == player.policy for policy in shared):
                continue
            if not COMPILED and game.players.policy(player.policy).brief:
                continue  # what takes milliseconds compiled takes minutes here
            with contextlib.suppress(Problem):  # that a name means nobody is found by another check
                found.append(_quick(game, player.name))
        named = {entrant.policy for entrant in found}
        for policy in game.players.policies:
            plain = policy.search is None and not policy.brief
            if policy not in named and plain and policy.weights is not None:
                weights = np.random.default_rng(self.seed).random(policy.weights)
                try:
                    params = policy.parameters("", weights)
                except Problem:  # not a policy for any weights; it is checked when a file with fitting ones is named
                    continue
                found.append(Entrant(f"{policy.key} with random weights", policy, params))
        return found

    def source(self, purpose: int) -> random.Random:
        """A source of its own for each check."""
        return random.Random(int(stream(self.seed, purpose, 0, CHECK)))

    def bits(self, deal: int, number: int) -> np.ndarray:
        """The state of a kernel's generator for one decision of one deal."""
        return np.array([stream(self.seed, deal, number, CHECK)], np.uint64)

    def dealt(self, rules: Rules, deal: int) -> np.ndarray:
        """A fresh table [1], dealt as everywhere."""
        states = self.game.blank(rules)
        self.game.kernels.deal(states[0], np.array([stream(self.seed, deal, 0, DEAL)], np.uint64))
        return states

    def walk(self, rules: Rules, deal: int) -> Iterator[tuple[Situation, int]]:
        """The tables of a game of random play, each with the action taken next; the last one with -1."""
        game = self.game
        states = self.dealt(rules, deal)
        bits = self.bits(deal, 0)
        for number in range(1, self.sizes.steps + 1):
            seat = int(game.kernels.to_move(states[0]))
            self.where = f"rules {rules}, seed {self.seed}, deal {deal}, decision {number}, seat {seat}"
            if not 0 <= seat < game.seats or not (legal := legal_actions(game, states)):
                yield Situation(states.copy(), -1, rules, deal, number, self.where), -1
                return
            action = legal[int(below(bits, len(legal)))]
            yield Situation(states.copy(), seat, rules, deal, number, self.where), action
            game.kernels.apply(states[0], action)

    def situations(self, rules: Rules, count: int, first: int, ends: bool = False) -> list[Situation]:
        """Some tables of random games from deal `first` on, a few of each; with their ends where wanted."""
        source = self.source(first)
        found: list[Situation] = []
        for deal in range(first, first + count):
            game = [situation for situation, _ in self.walk(rules, deal)]
            over = [situation for situation in game if situation.seat < 0]
            going = [situation for situation in game if situation.seat >= 0]
            found += source.sample(going, min(3, len(going))) + (over if ends else [])
            if len(found) >= count:
                break
        return found[:count]

    def legal(self, states: np.ndarray) -> list[int]:
        return legal_actions(self.game, states)

    def hidden(self, states: np.ndarray, seat: int) -> np.ndarray:
        """A copy of a table without what a seat cannot know."""
        copy = states.copy()
        self.game.kernels.hide(copy[0], seat)
        return copy

    def observed(self, states: np.ndarray, seat: int) -> np.ndarray:
        numbers = np.full(self.game.spaces.observation.size, np.nan, np.float32)
        self.game.kernels.observe(states[0], seat, numbers)
        return numbers

    def guessed(self, states: np.ndarray, seat: int, bits: np.ndarray) -> np.ndarray:
        """A copy of a table with a guess of its hidden cards; bits are advanced."""
        copy = states.copy()
        self.game.kernels.guess(copy[0], seat, bits)
        return copy

    def rearranged(self, states: np.ndarray, seat: int, source: random.Random) -> np.ndarray | None:
        """A copy with other cards in the slots that a seat cannot see; None when the facts leave no other."""
        layout = self.game.checks.layout(states, seat)
        slots = hidden_slots(layout)
        if len({layout.cards[slot] for slot in slots}) < 2:
            return None
        for _ in range(30):
            copy = self.with_cards(states, layout, shuffled(layout, slots, source))
            if self.game.checks.allowed(copy, seat) and differing(copy, states):
                return copy
        cards = list(layout.cards)  # strong facts: one exchange of two cards after another, where they allow it
        for _ in range(200):
            one, two = source.sample(slots, 2)
            cards[one], cards[two] = cards[two], cards[one]
            if not self.game.checks.allowed(self.with_cards(states, layout, cards), seat):
                cards[one], cards[two] = cards[two], cards[one]
        copy = self.with_cards(states, layout, cards)
        return copy if differing(copy, states) else None

    def with_cards(self, states: np.ndarray, layout: Layout, cards: list[int]) -> np.ndarray:
        """A copy of a table with these cards in its hidden slots."""
        copy = states.copy()
        self.game.checks.rebuild(copy, layout, cards)
        return copy


def hidden_slots(layout: Layout) -> list[int]:
    return [slot for slot, hidden in enumerate(layout.hidden) if hidden]


def shuffled(layout: Layout, slots: list[int], source: random.Random) -> list[int]:
    """All cards of a layout, those of some slots in random order."""
    cards = list(layout.cards)
    order = [cards[slot] for slot in slots]
    source.shuffle(order)
    for slot, card in zip(slots, order, strict=True):
        cards[slot] = card
    return cards


def differing(one: np.ndarray, two: np.ndarray) -> str:
    """The fields in which two tables differ, with the first values that do; empty when they are equal."""
    texts = []
    for name in one.dtype.names or ():
        left, right = one[name], two[name]  # [1] or [1, entries]
        if left.tobytes() == right.tobytes():
            continue
        if left.ndim == 1:
            texts.append(f"{name} is {left[0]} and {right[0]}")
        else:
            place = int(np.flatnonzero(left[0].ravel() != right[0].ravel())[:1].sum())
            texts.append(f"{name}[{place}] is {left[0].ravel()[place]} and {right[0].ravel()[place]}")
    return ", ".join(texts)


def _quick(game: Game, name: str) -> Entrant:
    """A named player under the first preset that it plays by; one that searches or simulates, briefly."""
    problem = Problem(f"{name} plays by no preset")
    for preset in game.rulebook.presets:
        rules = game.rulebook.make(preset)
        try:
            found = resolve(game, name, rules)
        except Problem as why:
            problem = why
            continue
        if found.policy is not None and found.policy.search is not None:
            return resolve(game, f"{name}/worlds={SEARCHED_WORLDS}", rules)
        return resolve(game, f"{name}/{found.policy.brief}", rules) if found.policy and found.policy.brief else found
    raise problem


def _any_value(option: Option, source: random.Random) -> str:
    """A valid value of an option, as it is written on the command line; limits come up often."""
    if option.values is not None:
        return source.choice(list(option.values))
    return str(source.choice([option.low, option.high, *(source.randint(option.low, option.high) for _ in range(2))]))
