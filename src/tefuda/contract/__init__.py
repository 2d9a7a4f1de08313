"""The contract: what a game gives, so that everything else can be written once for all games.

A game is one folder whose `__init__.py` has a `GAME`. A `Game` (game.py) is put together from these parts:

    State        the type of one table; a batch is an array of them
    kernels      the rules: small functions on one state, listed below (kernels.py)
    spaces       tables of actions and observations (spaces.py)
    rulebook     options and presets; the rules in force are a value inside the state (rules.py)
    players      policies, and players by name (players.py)
    scoring      the headline figure, by which players are compared (scoring.py)
    words        how a table is told to people, as text and as a scene (words.py, scene.py, names.py)
    checks       where every card is, for the checks of the contract (checks.py)
    statistics   what a match counts beside the scores; optional (statistics.py)
    learning     features for learners that are not networks, a symmetry for networks; optional (learning.py)
    records      game records in the formats of other programs; optional (records.py)
    chance       all deals of a small game with their chances; optional (chance.py)

The kernels call nothing but other kernels:

    deal(state, rng)              a fresh game; the rules are in the state already
    to_move(state)                the seat that decides now, or -1 when it is over
    legal(state, mask)            which actions that seat may take, as bits of uint64 words
    apply(state, action)          one decision, and all that follows without a decision
    scores(state, out)            what each seat has, at every moment; at the end, what it got. float64
    observe(state, seat, out)     what that seat can know, as float32 numbers
    hide(state, seat)             blank, in a copy, all that the seat cannot know
    guess(state, seat, rng)       fill the blanks, uniformly over what the hard facts allow

A policy is one more kernel: choose(view, seat, params, rng, mask, worlds, numbers) -> action.
`view` is a copy of the state that went through `hide`. `mask` holds its legal actions, and may be overwritten.
`params` are the policy's parameters. `worlds` (states) and `numbers` (float64) are scratch space, since kernels
allocate nothing. A policy that knows its chances can tell them by another kernel:
chances(view, seat, params, mask, worlds, numbers, out).
"""

from tefuda.contract.chance import Chance
from tefuda.contract.checks import Checks, Layout
from tefuda.contract.fields import fields_of
from tefuda.contract.game import Game
from tefuda.contract.kernels import Kernels
from tefuda.contract.learning import (
    ActionValues,
    AfterStates,
    BetweenRounds,
    Ends,
    Estimate,
    Estimates,
    Insight,
    Learning,
    LinearFeatures,
    Outcomes,
    Ranking,
    RoundValues,
    Sampled,
    Symmetry,
)
from tefuda.contract.names import Name, Reader, alike, of_each
from tefuda.contract.players import LEVELS, NamedPlayer, Players, Policy, Search, fingerprint, plain_parameters
from tefuda.contract.records import RecordFormat, Records
from tefuda.contract.rules import YES_NO, Option, RuleBook, Rules
from tefuda.contract.scene import Card, Mark, Move, Moved, Note, Said, Scene, Seat, Zone, place_of
from tefuda.contract.scoring import Headline, Scoring
from tefuda.contract.spaces import Observation, Part, Shown, Space, Spaces, rules_part
from tefuda.contract.statistics import Statistics
from tefuda.contract.words import Words

__all__ = [
    "LEVELS", "YES_NO", "ActionValues", "AfterStates", "BetweenRounds", "Card", "Chance", "Checks", "Ends", "Estimate",
    "Estimates", "Game", "Headline", "Insight", "Kernels", "Layout", "Learning", "LinearFeatures", "Mark", "Move",
    "Moved", "Name", "NamedPlayer", "Note", "Observation", "Option", "Outcomes", "Part", "Players", "Policy",
    "Ranking", "Reader", "RecordFormat", "Records", "RoundValues", "RuleBook", "Rules", "Said", "Sampled", "Scene",
    "Scoring", "Search", "Seat", "Shown", "Space", "Spaces", "Statistics", "Symmetry", "Words", "Zone", "alike",
    "fields_of", "fingerprint", "of_each", "place_of", "plain_parameters", "rules_part",
]  # fmt: skip
