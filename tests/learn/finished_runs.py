"""What runs of learners leave in their folders, compared."""

import numpy as np

from tefuda.files import policy


def stopped_at(out) -> int:
    with np.load(out / "checkpoint.npz") as archive:
        return int(archive["episode"])


def same_results(one, other) -> None:
    """The policy (weights and card), the curve and the last checkpoint of two runs are the same."""
    assert (one / "curve.csv").read_bytes() == (other / "curve.csv").read_bytes()
    (card, weights), (other_card, other_weights) = policy.load(one / "policy.npz"), policy.load(other / "policy.npz")
    assert np.array_equal(weights, other_weights)
    assert card == other_card
    with np.load(one / "checkpoint.npz") as kept, np.load(other / "checkpoint.npz") as other_kept:
        assert set(kept.files) == set(other_kept.files)
        for key in kept.files:
            assert np.array_equal(kept[key], other_kept[key]), key
