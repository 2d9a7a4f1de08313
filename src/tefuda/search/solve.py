"""The exact end of a game whose cards all lie open: every line is tried, and each seat takes what is best for itself.

With more than two seats this is max^n (Luckhardt and Irani 1986). Where several actions are equally good for the seat
that decides, nobody can know which it takes: the others' values are then the mean over these actions.
"""

from typing import Any

from tefuda.kernel.bits import next_of_words
from tefuda.kernel.compile import kernel

SAME = 1e-9  # values that differ by less are equal


def numbers_for(seats: int, depth: int) -> int:
    """float64s of scratch space for a solver of so many decisions."""
    return seats + (depth + 1) * (seats + 3)


def solver_of(seats: int, to_move: Any, legal: Any, apply: Any, scores: Any) -> Any:
    """Make the kernel solve(worlds, numbers, mask) of a game.

    It solves worlds[0] and writes each seat's value to numbers[:seats]. It needs as many more worlds as there are
    decisions left, and numbers_for(seats, decisions left). It calls nothing but itself, but without recursion, which
    CUDA does not have: the line that is being tried lies in `worlds`, one table for each decision.
    """
    frame = seats + 3  # what is kept for each decision of the line
    NEXT, BEST, EQUAL, SUMS = 0, 1, 2, 3  # next action to try, best own value, actions that have it, their sums

    def open_frame(numbers, depth):
        at = seats + depth * frame
        numbers[at + NEXT] = 0.0
        numbers[at + EQUAL] = 0.0

    open_frame = kernel(open_frame)

    def take_in(numbers, depth, seat):
        """Count the values in numbers[:seats], which follow an action of `seat`, for the decision at `depth`."""
        at = seats + depth * frame
        own = numbers[seat]
        if numbers[at + EQUAL] == 0.0 or own > numbers[at + BEST] + SAME:
            numbers[at + BEST] = own
            numbers[at + EQUAL] = 1.0
            for each in range(seats):
                numbers[at + SUMS + each] = numbers[each]
        elif own >= numbers[at + BEST] - SAME:
            numbers[at + EQUAL] += 1.0
            for each in range(seats):
                numbers[at + SUMS + each] += numbers[each]

    take_in = kernel(take_in)

    def solve(worlds, numbers, mask):
        if to_move(worlds[0]) < 0:
            scores(worlds[0], numbers)
            return
        depth = 0
        open_frame(numbers, depth)
        while True:
            at = seats + depth * frame
            legal(worlds[depth], mask)
            action = next_of_words(mask, int(numbers[at + NEXT]))
            if action < 0:  # all were tried: this decision's values are known
                for each in range(seats):
                    numbers[each] = numbers[at + SUMS + each] / numbers[at + EQUAL]
                if depth == 0:
                    return
                depth -= 1
                take_in(numbers, depth, to_move(worlds[depth]))
                continue
            numbers[at + NEXT] = action + 1
            worlds[depth + 1] = worlds[depth]
            apply(worlds[depth + 1], action)
            if to_move(worlds[depth + 1]) < 0:
                scores(worlds[depth + 1], numbers)
                take_in(numbers, depth, to_move(worlds[depth]))
            else:
                depth += 1
                open_frame(numbers, depth)

    return kernel(solve)
