"""The kernels of a game."""

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType

from tefuda.contract.parts import filled


@dataclass(frozen=True, eq=False)
class Kernels:
    """Small functions on one state, which call nothing but other kernels. The rules are in the state.

    `scores` tells at every moment what each seat has so far. For a learner, the reward of a decision is what the scores
    gain until the next one. What is decided only at the end, as who wins, is 0 before it.

    `guess` is also called on tables that are not hidden, as in searches and when it deals: it takes nothing from what
    stands in the places of hidden cards.
    """

    deal: Callable  # deal(state, rng): a fresh game
    to_move: Callable  # to_move(state): the seat that decides now, or -1 when it is over
    legal: Callable  # legal(state, mask): which actions that seat may take, as bits of uint64 words
    apply: Callable  # apply(state, action): one decision, and all that follows without a decision
    scores: Callable  # scores(state, out): what each seat has, at every moment; at the end, what it got
    observe: Callable  # observe(state, seat, out): what that seat can know, as float32 numbers
    hide: Callable  # hide(state, seat): blank, in a copy, all that the seat cannot know
    guess: Callable  # guess(state, seat, rng): fill the blanks, uniformly over what the hard facts allow
    playout: Callable | None = None  # playout(state, rng, mask) -> action of the plainest player; None: uniform
    end_here: Callable | None = None  # end_here(state): make this round the last, for hints and searches
    left: Callable | None = None  # left(state): at most so many decisions until the round is over

    @classmethod
    def of(cls, *modules: ModuleType, **more: Callable) -> "Kernels":
        """The kernels that some modules have by these names, and others."""
        return filled(cls, modules, more)
