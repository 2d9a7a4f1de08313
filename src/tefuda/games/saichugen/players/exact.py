"""The last turn of the game, computed: every own card against every pair of cards that the opponents may lay.

The belief is that of the hard facts: the opponents' hands are any of the unseen cards, and each lays any card of its
hand. Then every ordered pair of different unseen cards is equally likely, which is 42 pairs of seven cards.
"""

from tefuda.games.saichugen.rules import ROUNDS, SEATS, TURNS, finish_turn, scores, unseen
from tefuda.kernel.bits import ZERO, lowest, without_lowest
from tefuda.kernel.compile import kernel

WORLDS, NUMBERS = 1, SEATS  # scratch space


@kernel
def is_last_turn(view):
    return view.finished == ROUNDS - 1 and view.turn == TURNS - 1


@kernel
def total_at_end(view, seat, card, worlds, numbers):
    """What a card scores in the last turn, summed over all pairs of the opponents' cards.

    Overwrites worlds[0] and numbers[:3].
    """
    first = SEATS * int(view.turn)
    rest = unseen(view, seat)
    total = 0.0
    ones = rest
    while ones != ZERO:
        one = lowest(ones)
        ones = without_lowest(ones)
        twos = rest
        while twos != ZERO:
            two = lowest(twos)
            twos = without_lowest(twos)
            if one != two:
                worlds[0] = view
                worlds[0].table[first + seat] = card
                worlds[0].table[first + (seat + 1) % SEATS] = one
                worlds[0].table[first + (seat + 2) % SEATS] = two
                finish_turn(worlds[0])
                scores(worlds[0], numbers)
                total += numbers[seat]
    return total


@kernel
def best_at_end(view, seat, worlds, numbers):
    """The card that scores most in the last turn of the game, the lowest of several."""
    best, most = -1, 0.0
    cards = view.hand[seat]
    while cards != ZERO:
        card = lowest(cards)
        cards = without_lowest(cards)
        total = total_at_end(view, seat, card, worlds, numbers)
        if best < 0 or total > most:
            best, most = card, total
    return best
