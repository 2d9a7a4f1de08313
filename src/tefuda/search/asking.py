"""What a compiled player does at a view: as it tells its chances, or as it is seen to play when it is asked often."""

from functools import partial
from typing import Any

import numpy as np

from tefuda.contract import Game, Policy
from tefuda.kernel.compile import kernel as counted_kernel
from tefuda.kernel.hashing import hash_of
from tefuda.kernel.random import CHECK, stream

kernel = partial(counted_kernel, counted=False)  # many arrays are handed on


def asking_of(game: Game, policy: Policy) -> Any:
    """The kernel ask(view, seat, params, mask, worlds, numbers, rng, asking, chances) of a policy; `asking` says how
    often it is asked for one decision where it does not tell its chances, and by which seed."""
    tell, choose = policy.chances, policy.choose
    if tell is not None:

        @kernel
        def told(view, seat, params, mask, worlds, numbers, rng, asking, chances):
            tell(view[0], seat, params, mask, worlds, numbers, chances)

        return told

    hashed = hash_of(game.State)

    @kernel
    def asked(view, seat, params, mask, worlds, numbers, rng, asking, chances):
        number = hashed(view[0])
        for sample in range(asking[0]):
            rng[0] = stream(np.uint64(asking[1]) ^ number, sample, seat, CHECK)
            chances[choose(view[0], seat, params, rng, mask, worlds, numbers)] += 1.0

    return asked
