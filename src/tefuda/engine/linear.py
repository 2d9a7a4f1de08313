"""Softmax policies over a weighted sum of features, for kernels.

Candidates lie in one flat array of numbers, a row for each: [action, feature 0, feature 1, …]; behind all rows is
place for one probability a row. Several candidates may mean the same action: a policy over pairs of cards, say, is
asked for the first card, and its probability is the sum over the pairs that begin with it.
"""

import math

from tefuda.kernel.compile import kernel
from tefuda.kernel.powers import exp
from tefuda.kernel.random import drawn, unit


@kernel
def to_chances(logits):
    """Turn logits into chances that add up to 1, in place."""
    highest = -math.inf
    for i in range(logits.shape[0]):
        highest = max(highest, logits[i])
    normaliser = 0.0
    for i in range(logits.shape[0]):
        logits[i] = exp(logits[i] - highest)
        normaliser += logits[i]
    for i in range(logits.shape[0]):
        logits[i] /= normaliser


@kernel
def class_chances(weights, amounts, out):
    """The chance of each class, by its row of weights: [classes, amounts], one row behind the other."""
    size = amounts.shape[0]
    for each in range(out.shape[0]):
        total = 0.0
        for i in range(size):
            total += weights[each * size + i] * amounts[i]
        out[each] = total
    to_chances(out)


@kernel
def softmax(numbers, rows, most_rows, features, weights):
    """Write the probability of every candidate behind the rows (temperature 1)."""
    stride = features + 1
    start = most_rows * stride
    for row in range(rows):
        total = 0.0
        for i in range(features):
            total += weights[i] * numbers[row * stride + 1 + i]
        numbers[start + row] = total
    to_chances(numbers[start : start + rows])


@kernel
def sample(numbers, rows, most_rows, features, rng):
    """Draw a candidate by its probability; returns its action."""
    stride = features + 1
    start = most_rows * stride
    row = drawn(numbers[start : start + rows], rows, unit(rng))
    return int(numbers[row * stride])


@kernel
def add_log_gradient(numbers, rows, most_rows, features, action, gradient):
    """Add the gradient of log P(action): the mean features of its candidates minus the mean features of all."""
    stride = features + 1
    start = most_rows * stride
    share = 0.0
    for row in range(rows):
        if int(numbers[row * stride]) == action:
            share += numbers[start + row]
    for row in range(rows):
        weight = -numbers[start + row]
        if int(numbers[row * stride]) == action:
            weight += numbers[start + row] / share
        for i in range(features):
            gradient[i] += weight * numbers[row * stride + 1 + i]
