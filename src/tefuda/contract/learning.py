"""What a game gives to learners: features, after-states, values; for networks, what can be exchanged."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from tefuda.contract.players import fingerprint
from tefuda.contract.spaces import Space
from tefuda.errors import unknown


@dataclass(frozen=True, eq=False)
class LinearFeatures:
    """Features of actions for policies that are a softmax over their weighted sum: see engine/linear.py.

    candidates(view, seat, numbers) writes at most `rows` rows and returns how many. When it returns 0, the policy's
    own kernel decides, and nothing is learned from the decision.
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
    parameters of the policy, so that its variants can mean other features. The reward of a decision is what the seat's
    `scores` gain until its next one.
    """

    learner: str  # what the learner is called; under given rules a game has one of that name
    policy: str  # the game's policy that plays by these values
    size: int
    first: int  # where the weights begin in the policy's parameters
    active: int  # at most so many features are 1
    write: Callable
    above_mean: bool = False  # rewards count what a seat has above the mean of all seats


@dataclass(frozen=True, eq=False)
class RoundValues:
    """Values of tables between rounds as a weighted sum of features, for learners of such: learn/round_values.py.

    moment(before, after) says whether a decision led to such a table; write(view, seat, params, active, amounts) then
    lists its features with their amounts and returns how many.
    """

    learner: str
    policy: str
    size: int
    first: int  # where the weights begin in the policy's parameters
    active: int  # at most so many features
    write: Callable
    moment: Callable


@dataclass(frozen=True, eq=False)
class Ranking:
    """Candidates of a decision, each a list of features that are on; who ranks them takes the one whose weights add up
    to most: see learn/perceptron.py. A candidate has a code, a whole number from 0 on.

    candidates(view, seat, mask, work) lists the candidates of a decision and returns how many: their codes stand in
    `work` from `codes` on. features(view, seat, code, work, active) lists the features of one and returns how many.
    lessons(tables, actions, codes, mask) plays actions at tables[0] and writes for each the code of the one that was
    taken, or -1 where nothing is to be learned from the decision. sort(code) says to which of `sorts` a decision
    belongs by what was taken. alike(code, other) says whether two codes agree in what matters first.
    """

    learner: str  # what the learner is called
    policy: str  # the game's policy that plays by the weights
    size: int  # features
    largest: int  # weights are whole numbers, at most so large
    work: int  # int64s of scratch space
    codes: int
    active: int  # places for a list of features
    sorts: tuple[str, ...]
    candidates: Callable
    features: Callable
    lessons: Callable
    sort: Callable
    alike: Callable


@dataclass(frozen=True, eq=False)
class Sampled:
    """Positions that self-play gives by their numbers, each a list of features that are on and the class that came, for
    learners of sparse models: see learn/sampled.py.

    piece(game, player, opponent, seed, first, last) gives the positions of numbers first to last - 1: numbers
    [positions], rows [positions, most] with -1 behind the last feature, plain [positions, bytes], the same for networks
    (learn/classes.py), and came [positions]. lanes(game, player, opponent, number) does it on CUDA: its play(seed,
    first) launches so many numbers; rows, plain and came then lie on the GPU, with -1 in `came` where there is none,
    and positions() fetches them. Where there are several ways of exploring, both take one as their last
    argument.
    """

    learner: str  # what the learner is called
    policy: str  # the game's policy that plays by the weights
    size: int  # features
    largest: int  # weights are whole numbers, at most so large
    scale: int  # of a weight of one
    classes: tuple[str, ...]
    player: str  # who plays, unless another is asked for
    opponent: str
    piece: Callable
    lanes: Callable | None = None
    exploring: str = "random"  # how the action before a position is chosen
    ways: tuple[str, ...] = ("random",)  # of exploring; the usual one first
    most: int = 256  # features of a position
    steps: np.ndarray | None = None  # of each of the bytes, for networks
    network: str = ""  # the game's policy that plays by such a network

    def exploring_by(self, way: str) -> "Sampled":
        """The same with another way of exploring."""
        if way not in self.ways:
            raise unknown("way of exploring", way, self.ways)
        if way == self.exploring:
            return self
        lanes = partial(self.lanes, exploring=way) if self.lanes is not None else None
        return replace(self, exploring=way, piece=partial(self.piece, exploring=way), lanes=lanes)


@dataclass(frozen=True, eq=False)
class Symmetry:
    """What can be exchanged in a game and leaves it the same, as the three suits of mahjong: what is learned of one
    holds for all (learn/deep/symmetry.py). Each row says where the entries of one of them stand, all in the same order.
    Entries that are in no row stay where they are.
    """

    observation: np.ndarray  # [alike, entries]
    actions: np.ndarray  # [alike, entries]


@dataclass(frozen=True, eq=False)
class Insight:
    """What is hidden from a seat, as numbers for a critic of networks that learn: all hands, what comes next. The
    players that learn are told none of it.

    write(state, seat, out) writes all entries of `space`, for the seat that decides.
    """

    space: Space
    write: Callable


@dataclass(frozen=True)
class BetweenRounds:
    """Parts of the observation that tell how a match stands between two rounds, by their keys, for learners whose
    critic is told what is hidden: see learn/deep/credit.py."""

    parts: tuple[str, ...]  # all that tells how it stands
    rounds: tuple[str, ...]  # parts of which one at least changes with every round; they tell all seats the same


@dataclass(frozen=True, eq=False)
class Outcomes:
    """How games end for a seat, foretold when a round begins, for learners of such models: see learn/outcomes.py.

    moment(before, after) says whether a decision led to a new round. situation(state, seat) is then one of
    `situations`, write(state, seat, out) writes its amounts, and outcome(state, seat) says how a finished game ended
    for the seat: one of `classes`.
    """

    model: str  # what the model is called, and its learner
    classes: tuple[str, ...]
    amounts: tuple[str, ...]  # what each of them means; the last is 1
    situations: int
    moment: Callable
    situation: Callable
    write: Callable
    outcome: Callable

    @property
    def weights(self) -> int:
        """How many there are: [situations, classes, amounts]."""
        return self.situations * len(self.classes) * len(self.amounts)

    @property
    def features(self) -> str:
        """A fingerprint of what the weights mean."""
        return fingerprint([self.model, *self.classes, *self.amounts, str(self.situations)])


@dataclass(frozen=True, eq=False)
class Estimate:
    """Something hidden that a seat can estimate from what it sees: see learn/estimates.py.

    look(before, after, seat, situations, amounts, came) is told of a decision, by the whole tables before and behind
    it. It writes what `seat` could see before, a row for each thing to estimate, with what is true, and returns how
    many rows it has written.
    """

    name: str
    classes: tuple[str, ...]
    amounts: tuple[str, ...]  # what each of them means; the last is 1
    situations: int
    rows: int  # that `look` writes at most
    often: float  # the chance that a decision is looked at
    look: Callable


@dataclass(frozen=True, eq=False)
class Estimates:
    """A model of what is hidden, in parts. Its weights are those of the parts, one behind the other."""

    model: str
    parts: tuple[Estimate, ...]

    @property
    def weights(self) -> int:
        return sum(each.situations * len(each.classes) * len(each.amounts) for each in self.parts)

    @property
    def features(self) -> str:
        """A fingerprint of what the weights mean."""
        meanings = ((each.name, *each.classes, *each.amounts, str(each.situations)) for each in self.parts)
        return fingerprint([self.model, *(meaning for part in meanings for meaning in part)])


@dataclass(frozen=True, eq=False)
class Ends:
    """Results of rounds, kept as they came, for players that reckon with what may happen: see learn/ends.py.

    collect(game, rules, player, opponent, source, seed, first, last) plays games first to last - 1 and gives rows
    [results, 1 + size] of whole numbers: one of `situations`, then the result. The model keeps `rows` of each one.
    """

    model: str
    situations: int
    size: int  # numbers of a result
    rows: int
    sources: tuple[str, ...]  # ways to play, the usual one first
    collect: Callable

    @property
    def weights(self) -> int:
        """How many there are: [situations, rows, size]."""
        return self.situations * self.rows * self.size

    @property
    def features(self) -> str:
        """A fingerprint of what the numbers mean."""
        return fingerprint([self.model, str(self.situations), str(self.rows), str(self.size)])


@dataclass(frozen=True, eq=False)
class Learning:
    """What can be learned of a game, beside networks that learn from its observations, and what these are given."""

    linear: LinearFeatures | None = None  # for learners of linear policies
    after_states: AfterStates | None = None  # for learners of value networks
    action_values: tuple[ActionValues, ...] = ()  # for learners of the values of actions
    round_values: tuple[RoundValues, ...] = ()  # for learners of the values of tables between rounds
    outcomes: Outcomes | None = None  # for learners of how games end
    ranking: Ranking | None = None  # for learners that rank candidates
    sampled: Sampled | None = None  # for learners of sparse models
    estimates: Estimates | None = None  # for learners of what is hidden
    ends: Ends | None = None  # for players that reckon with results of rounds
    symmetry: Symmetry | None = None  # by which weights of a network are tied
    insight: Insight | None = None  # what a critic is told; None: what the other seats can know
    between: BetweenRounds | None = None  # how a match stands between two rounds, for learners with a critic
    # places(state, out): the place that each seat may expect, from the middle: with four seats 1.5 for the first, then
    # 0.5, -0.5, and -1.5 for the last. At the end it is the seat's place; those who are level can share theirs
    places: Callable | None = None

    def model(self, name: str) -> Outcomes | Estimates | Ends | None:
        """A model of the game by its name: something that foretells and does not play."""
        models = (self.outcomes, self.estimates, self.ends)
        return next((each for each in models if each and each.model == name), None)
