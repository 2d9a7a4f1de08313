"""What a player can play for: the score, the win, or the place. Networks learn to reach one of them: network.py."""

from functools import cache
from types import SimpleNamespace

from tefuda.contract import Game
from tefuda.kernel.compile import kernel

GOALS = {"score": 0, "win": 1, "place": 2}  # what a network has learned to reach, and what its value foretells
WIN, PLACE = GOALS["win"], GOALS["place"]


@cache
def goals_of(game: Game) -> SimpleNamespace:
    """The kernels that tell what the seats of a game have reached."""
    seats, scores = game.seats, game.kernels.scores
    places = game.learning.places or scores  # a game that tells no expected places is never played for them

    def win_shares(points):
        """Turn scores into shares of the win, less what each of equal players gets."""
        best, winners = points[0], 0
        for seat in range(seats):
            best = max(best, points[seat])
        for seat in range(seats):
            if points[seat] == best:
                winners += 1
        for seat in range(seats):
            points[seat] = (1.0 / winners if points[seat] == best else 0.0) - 1.0 / seats

    win_shares = kernel(win_shares)

    def progress(goal, state, points):
        """What each seat has reached, by a goal."""
        if goal == PLACE:
            places(state, points)
        else:
            scores(state, points)

    progress = kernel(progress)

    def reached(goal, state, over, points):
        """The same, where the win counts at the end alone."""
        progress(goal, state, points)
        if goal == WIN:
            win_shares(points)
            if not over:
                for seat in range(seats):
                    points[seat] = 0.0

    return SimpleNamespace(win_shares=win_shares, progress=progress, reached=kernel(reached))
