"""Checks of the places that seats may expect, where a game tells them: learners play for them."""

import numpy as np

from tefuda.conformance.study import Failed, Study

NEAR = 1e-6


def places_are_true(study: Study) -> str:
    """The best place is the largest number, all of them add up to 0, and at the end they follow the scores."""
    game, places = study.game, study.game.learning.places
    if places is None:
        return "none are told"
    looked, best = 0, (game.seats - 1) / 2
    reached, scores = np.zeros(game.seats), np.zeros(game.seats)
    for rules in study.rules:
        for situation in study.situations(rules, study.sizes.tables, 8000, ends=True):
            reached[:] = np.nan
            places(situation.states[0], reached)
            told = f"{situation.where}: expected places are {reached.tolist()}"
            if not (abs(reached.sum()) < NEAR and (np.abs(reached) < best + NEAR).all()):
                raise Failed(f"{told}, but they lie from {best:g} (the first) to {-best:g} (the last) around 0")
            if situation.seat < 0:
                game.kernels.scores(situation.states[0], scores)
                order = np.argsort(-scores)
                gaps = np.diff(scores[order]) < -NEAR
                if (np.diff(reached[order])[gaps] >= 0.0).any():
                    raise Failed(f"{told} at the end, but scores are {scores.tolist()}")
            looked += 1
    return f"{looked:,} tables"
