"""The contract: what a game gives, so that everything else can be written once for all games.

A game is one folder whose `__init__.py` has a `GAME`, made of this module's parts. Its kernels work on one state
record (a NumPy dtype; a batch is an array of them) and call nothing but other kernels:

    deal(state, rng)              a fresh game; the rules are in the state already
    to_move(state)                the seat that decides now, or -1 when it is over
    legal(state, mask)            which actions that seat may take, as bits of uint64 words
    apply(state, action)          one decision, and all that follows without a decision
    scores(state, out)            points for each seat at the end, float64
    observe(state, seat, out)     what that seat can know, as float32 numbers
    hide(state, seat)             blank, in a copy, all that the seat cannot know
    guess(state, seat, rng)       fill the blanks, uniformly over what the hard facts allow

A policy is one more kernel: choose(view, seat, params, rng, mask, worlds, numbers) -> action. `view` is a copy
that went through `hide`, `mask` holds its legal actions, `params` are the policy's weights; `worlds` (states) and
`numbers` are scratch space, since kernels allocate nothing; `mask` may be overwritten too.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from tefuda.errors import Problem, unknown
from tefuda.kernel.compile import record as aligned


@dataclass(frozen=True)
class Name:
    """A thing's name in both languages."""

    ja: str
    en: str

    def __str__(self) -> str:
        return f"{self.ja} ({self.en})" if self.ja != self.en else self.en

    def text(self, lang: str = "both") -> str:
        """The name in one language, or `both`."""
        return {"ja": self.ja, "en": self.en}.get(lang, str(self))


@dataclass(frozen=True)
class Part:
    """A run of equal entries in a space: `size` numbers with one meaning."""

    key: str
    size: int
    meaning: str
    names: tuple[Name, ...] = ()  # one for each entry, where entries have names


@dataclass(frozen=True)
class Space:
    """Actions or observations described once; sizes, names and documentation come from here."""

    parts: tuple[Part, ...]

    @cached_property
    def size(self) -> int:
        return sum(part.size for part in self.parts)

    @cached_property
    def slices(self) -> dict[str, slice]:
        """Where each part lies."""
        result, start = {}, 0
        for part in self.parts:
            result[part.key] = slice(start, start + part.size)
            start += part.size
        return result

    @cached_property
    def names(self) -> list[Name]:
        """A name for each entry."""
        result = []
        for part in self.parts:
            for i in range(part.size):
                plain = f"{part.key} {i}" if part.size > 1 else part.key
                result.append(part.names[i] if part.names else Name(plain, plain))
        return result

    def by_name(self, numbers: np.ndarray) -> dict[str, np.ndarray]:
        """The numbers of each part, as a dictionary."""
        return {key: numbers[where] for key, where in self.slices.items()}

    def markdown(self) -> str:
        """The table of index and meaning that the documentation shows."""
        rows = ["| index | part | meaning |", "| --- | --- | --- |"]
        for part in self.parts:
            where = self.slices[part.key]
            index = f"{where.start}" if part.size == 1 else f"{where.start} to {where.stop - 1}"
            rows.append(f"| {index} | `{part.key}` | {part.meaning} |")
        return "\n".join(rows)


@dataclass(frozen=True, eq=False)
class Option:
    """One rule that people play in different ways. Its value is a small whole number in the state."""

    key: str
    meaning: str
    values: Mapping[str, int] | None = None  # named values; None for a plain number
    low: int = 0
    high: int = 1

    def parse(self, text: str) -> int:
        """The number for what was written on the command line."""
        if self.values is not None:
            if text in self.values:
                return self.values[text]
            raise Problem(f"option {self.key} is {text!r}, but takes {', '.join(self.values)}")
        try:
            number = int(text)
        except ValueError:
            number = self.low - 1
        if not self.low <= number <= self.high:
            raise Problem(f"option {self.key} is {text!r}, but takes a whole number from {self.low} to {self.high}")
        return number

    def text(self, number: int) -> str:
        """A value as it is written on the command line."""
        if self.values is not None:
            for name, value in self.values.items():
                if value == number:
                    return name
        return str(number)


YES_NO = {"no": 0, "yes": 1}


@dataclass(frozen=True)
class Rules:
    """A complete set of rules: the preset it started from, and the value of every option."""

    preset: str
    values: dict[str, int]
    changed: tuple[str, ...] = ()  # options that differ from the preset, as `key=value`

    def __str__(self) -> str:
        return " ".join((self.preset, *self.changed))


@dataclass(frozen=True, eq=False)
class RuleBook:
    """All options of a game and its presets; the first preset is the default."""

    options: tuple[Option, ...]
    presets: Mapping[str, Mapping[str, str]]
    about: Mapping[str, str] = field(default_factory=dict)  # a line for each preset

    @cached_property
    def dtype(self) -> np.dtype:
        """The record that carries the rules inside the state."""
        return aligned([(option.key, np.int16) for option in self.options])

    def make(self, preset: str | None = None, changes: tuple[str, ...] | list[str] = ()) -> Rules:
        """The rules of a preset with some options changed, each written as `key=value`."""
        preset = preset or next(iter(self.presets))
        if preset not in self.presets:
            raise unknown("rules preset", preset, self.presets)
        by_key = {option.key: option for option in self.options}
        values = {key: by_key[key].parse(text) for key, text in self.presets[preset].items()}
        start = dict(values)
        for change in changes:
            key, equals, text = change.partition("=")
            if not equals:
                raise Problem(f"--set {change!r} should be option=value, as in --set rounds=1")
            if key not in by_key:
                raise unknown("option", key, by_key)
            values[key] = by_key[key].parse(text)
        changed = [f"{key}={by_key[key].text(values[key])}" for key in values if values[key] != start[key]]
        return Rules(preset, values, tuple(changed))

    def record(self, rules: Rules) -> tuple[int, ...]:
        return tuple(rules.values[option.key] for option in self.options)


@dataclass(frozen=True, eq=False)
class Policy:
    """A compiled way to play. `parameters(variant, weights)` makes the numbers that its kernel reads."""

    key: str
    choose: Callable
    parameters: Callable[[str, np.ndarray], np.ndarray]
    weights: int | None = 0  # how many weights a policy file for it must hold; None: `parameters` says if they fit
    features: str = ""  # a fingerprint of what these weights mean
    worlds: int = 0  # states of scratch space
    numbers: int = 0  # float64s of scratch space
    blind: bool = False  # the game's plainest player, the one of `playout`: a search need not hide the table from it
    under: Callable[[Rules], bool] | None = None  # the rules that it can play by; None: all
    only: str = ""  # these rules in words, as on the command line
    search: "Search | None" = None  # for a policy that tries actions out: what it starts from
    own_rules: bool = False  # its files play by the rules that they have learned alone

    def plays(self, rules: Rules) -> bool:
        """Whether it can play by these rules."""
        return self.under is None or self.under(rules)


@dataclass(frozen=True)
class Search:
    """How a search player searches, unless its name says otherwise: see search/pimc.py."""

    worlds: int  # guessed worlds for each decision
    playout: str  # the player that plays them out
    solve: int = 0  # worlds with at most so many decisions left are solved exactly
    adviser: str = ""  # a network that says which actions are worth trying
    trust: float = 0.0  # how far it is trusted


@dataclass(frozen=True, eq=False)
class LinearFeatures:
    """Features of actions for policies that are a softmax over their weighted sum: see kernel/linear.py.

    candidates(view, seat, numbers) writes at most `rows` rows and returns how many; 0 leaves the decision to the
    policy's own kernel and out of the learning.
    """

    policy: str  # the game's policy that plays by these features
    names: tuple[str, ...]
    rows: int
    candidates: Callable


@dataclass(frozen=True, eq=False)
class AfterStates:
    """Binary inputs of after-states, for value networks: see learn/positions.py.

    write(view, seat, action, active) lists the inputs that are 1 and returns how many; 0 when the action does not
    yet make an after-state. stage(view) tells decisions apart by when they are made, 1 to `stages`; -1: not used.
    """

    policy: str  # the game's policy that plays by such a network
    inputs: int
    hidden: int
    active: int  # at most so many inputs are 1
    stages: int
    write: Callable
    stage: Callable


@dataclass(frozen=True, eq=False)
class ActionValues:
    """Values of actions as a weighted sum of binary features, for learners of such values: see learn/q_learning.py.

    write(view, seat, params, action, active) lists the features that are 1 and returns how many; `params` are the
    numbers of the policy, so that its variants can mean other features. standing(state, seat) is what a seat has so
    far: the reward of a decision is what it gains until its next one.
    """

    learner: str  # what the learner is called; under given rules a game has one of that name
    policy: str  # the game's policy that plays by these values
    size: int
    first: int  # where the weights begin in the policy's numbers
    active: int  # at most so many features are 1
    write: Callable
    standing: Callable


@dataclass(frozen=True, eq=False)
class RoundValues:
    """Values of tables between rounds as a weighted sum of features, for learners of such: learn/round_values.py.

    moment(before, after) says whether a decision led to such a table; write(view, seat, params, active, amounts) then
    lists its features with their amounts and returns how many.
    """

    learner: str
    policy: str
    size: int
    first: int  # where the weights begin in the policy's numbers
    active: int  # at most so many features
    write: Callable
    moment: Callable


@dataclass(frozen=True)
class NamedPlayer:
    """A player that a name on the command line means. Under different rules it may mean different policies: the
    first of that name whose policy plays by the rules is taken."""

    name: str
    about: str
    policy: str
    file: Path | None = None  # where its weights are, for a policy that has weights
    under: Callable[[Rules], bool] | None = (
        None  # the rules that this file is meant for; None: all that the policy plays
    )
    only: str = ""  # these rules in words, as on the command line
    search: Search | None = None  # how it searches, where not as its policy does


@dataclass(frozen=True)
class Headline:
    """The figure that sums up a player, from the scores of a game."""

    name: str  # as in "points a game"
    higher_is_better: bool
    fair: float  # what each of equal players gets
    of: Callable[[np.ndarray], np.ndarray]  # scores [..., seats] -> figures [..., seats]
    digits: int = 3


def fingerprint(meanings: Sequence[str]) -> str:
    """A short hash of what each weight means, so that a file for other features is refused."""
    if not meanings:
        return ""
    return hashlib.sha256("\n".join(meanings).encode()).hexdigest()[:12]


@dataclass(frozen=True)
class Reader:
    """Who is told: the seat whose cards are open to it (None: every seat's), its language, the seats' names."""

    seat: int | None = None
    lang: str = "both"  # ja, en or both
    names: tuple[str, ...] = ("0", "1", "2", "3")
    width: int = 80  # columns of the screen

    def label(self, name: Name) -> str:
        """A short name; in both languages without the brackets that cost a narrow screen two columns."""
        return f"{name.ja} {name.en}" if self.lang == "both" and name.ja != name.en else name.text(self.lang)

    def say(self, ja: str, en: str) -> str:
        """A sentence."""
        return {"ja": ja, "en": en}.get(self.lang, f"{ja} / {en}" if ja != en else en)


@dataclass(frozen=True, eq=False)
class Telling:
    """How a game is told to a person at the table. What is left out is told by `show` and `action_name`.

    `before` and `after` are the true tables [1] around one decision: these leave out what the reader may not know.
    """

    screen: Callable[[np.ndarray, Reader], Any] | None = None  # (states[1], reader) -> the table, for rich to print
    story: Callable[..., list[str]] | None = None  # (before, after, action, reader) -> what happened, without who
    result: Callable[..., list[str]] | None = None  # the same arguments -> how the round ended, if it did
    unseen: Callable[..., list[tuple[str, list[str]]]] | None = None  # (states[1], reader) -> groups of cards
    rules: Callable[[Rules, Reader], list[str]] | None = None  # the rules in force, in a player's words
    callings: Callable[[int], list[str]] | None = None  # (action) -> what a person may type for it beside its names
    why_not: Callable[[np.ndarray, int, Reader], str] | None = None  # (states[1], action, …) -> why it is not legal
    advice: Callable[[np.ndarray, Reader], list[str]] | None = None  # what a hint says beside the values of the moves


@dataclass(frozen=True)
class RecordFormat:
    """A format in which other programs write down what was played."""

    name: str
    begins: Callable[[str], bool] | None = None  # whether a line begins a record; None: cannot be read
    read: Callable[[str, str], Any] | None = None  # (text, what to call it) -> what was played
    write: Callable[[Any], str] | None = None  # what was played -> text, lines and all; None: cannot be written
    suffixes: tuple[str, ...] = ()  # of files that are written in it


@dataclass(frozen=True, eq=False)
class Records:
    """Records of a game in the formats of other programs: see records/foreign.py."""

    formats: tuple[RecordFormat, ...]
    verify: Callable[[Any], list[Any]]  # what was played -> where the rules disagree: dataclasses that say it as text
    counts: Callable[[Any], dict[str, int]]  # what was played -> what is in it, for people
    note: Callable[..., Any]  # (states[1] as dealt, rules, name, players, actions) -> what was played


def plain_parameters(variant: str, weights: np.ndarray) -> np.ndarray:
    """For policies that have no variants."""
    if variant:
        raise Problem(f"this player takes no variant, but '/{variant}' was given")
    return np.ascontiguousarray(weights, np.float64)


@dataclass(frozen=True, eq=False)
class Game:
    """A game of the contract: its kernels, its tables, and how it is shown to people."""

    name: str
    title: Name
    seats: int
    folder: Path  # where its files (README, golden playthrough, policies) lie
    State: np.dtype  # has a field `rules` of the rule book's dtype
    deal: Callable
    to_move: Callable
    legal: Callable
    apply: Callable
    scores: Callable
    observe: Callable
    hide: Callable
    guess: Callable
    actions: Space
    observation: Space
    rulebook: RuleBook
    policies: tuple[Policy, ...]
    players: tuple[NamedPlayer, ...]
    headline: Headline
    longest: int  # no game of one round has more decisions
    sum_of_scores: float | None  # what the scores of all seats add up to, None when it varies
    layout: Callable[[np.ndarray, int], "Layout"]  # (states[1], seat) -> where every card is, for the checks
    rebuild: Callable[[np.ndarray, "Layout", list[int]], None]  # put other cards into the hidden slots
    allowed: Callable[[np.ndarray, int], bool]  # whether the hard facts allow what is in the hidden slots
    show: Callable[..., str]  # (states[1], seat or None, lang) -> the table as text
    action_name: Callable[..., str]  # (states[1], action, lang) -> text
    statistics: tuple[str, ...] = ()  # names of what `note` counts
    note: Callable | None = None  # kernel note(before, after, seat, counts, row): one decision's worth
    summary: Callable[[np.ndarray, int], dict[str, Any]] | None = None  # (counts, games) -> figures for people
    secret: Callable[[np.ndarray, int, int], bool] | None = None  # (states[1], seat that acted, action): not public
    unheard: bool = False  # nor is it public that a secret decision was asked for
    playout: Callable | None = None  # kernel playout(state, rng, mask) -> action; None: uniform over legal
    default_opponent: str = "random"
    hint_player: str = ""  # who plays on when a hint is asked for; "": the first of a common list
    variants: str = ""  # what may stand behind the slash of a player's name, in words
    linear: LinearFeatures | None = None  # for learners of linear policies
    after_states: AfterStates | None = None  # for learners of value networks
    action_values: tuple[ActionValues, ...] = ()  # for learners of the values of actions
    round_values: tuple[RoundValues, ...] = ()  # for learners of the values of tables between rounds
    telling: Telling = field(default_factory=Telling)
    records: Records | None = None  # for records of other programs
    headline_by_rules: Callable[[Rules], Headline] | None = None  # where the figure depends on the rules
    sum_by_rules: Callable[[Rules], float | None] | None = None  # where the sum of scores does
    rounds: Callable[[Rules], int] = lambda rules: 1  # how many rounds of at most `longest` decisions
    end_here: Callable | None = None  # kernel end_here(state): make this round the last, for hints and searches
    left: Callable | None = None  # kernel left(state): at most so many decisions until the round is over

    @cached_property
    def words(self) -> int:
        """The number of uint64 words in a mask of legal actions."""
        return (self.actions.size + 63) // 64

    @cached_property
    def worlds(self) -> int:
        """States of scratch space that any policy may need."""
        return max(1, *(policy.worlds for policy in self.policies))

    @cached_property
    def numbers(self) -> int:
        """float64s of scratch space that any policy may need."""
        return max(1, *(policy.numbers for policy in self.policies))

    def blank(self, rules: Rules | None = None) -> np.ndarray:
        """One empty table that knows its rules: what `deal` starts from."""
        state = np.zeros(1, self.State)
        state["rules"][0] = self.rulebook.record(rules or self.rulebook.make())
        return state

    def policy_index(self, key: str) -> int:
        for index, policy in enumerate(self.policies):
            if policy.key == key:
                return index
        raise unknown(f"policy of {self.name}", key, [policy.key for policy in self.policies])

    def policy(self, key: str) -> Policy:
        return self.policies[self.policy_index(key)]

    def playing(self, entries: Iterable[Any], rules: Rules) -> list[Any]:
        """Those of some entries (named players, values to learn) that play by these rules, as their policies do."""
        meant = [entry for entry in entries if getattr(entry, "under", None) is None or entry.under(rules)]
        return [entry for entry in meant if self.policy(entry.policy).plays(rules)]

    def rules_of(self, player: NamedPlayer) -> str:
        """The rules that a named player is for, in words; "": all."""
        return player.only or self.policy(player.policy).only

    def headline_under(self, rules: Rules) -> Headline:
        """The figure that sums up a player under these rules."""
        return self.headline_by_rules(rules) if self.headline_by_rules else self.headline

    def sum_under(self, rules: Rules) -> float | None:
        """What the scores of all seats add up to under these rules, None when it varies."""
        return self.sum_by_rules(rules) if self.sum_by_rules else self.sum_of_scores

    def decisions_at_most(self, rules: Rules) -> int:
        """No game under these rules has more decisions."""
        return self.longest * self.rounds(rules)


@dataclass(frozen=True)
class Layout:
    """Every card's slot at one table, and which slots a seat cannot see.

    Slots of one group are interchangeable (a hand is a set); the checks of conservation, of hidden cards and of the
    uniformity of `guess` are written on this.
    """

    cards: list[int]
    groups: list[str]
    hidden: list[bool]
