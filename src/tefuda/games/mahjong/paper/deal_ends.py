"""What the end of a deal makes of a match: own wins by han, and the results of deals that one does not win.

A result is a row of whole numbers, told from a seat that did not win: what the seats win and lose (the own one first,
then in turn) in hundreds, without honba and sticks; who declared riichi; who won, from whom; whether the dealer
repeats. Taken into a standing from which nobody has declared riichi yet, it gives the standing before the next deal.

Score(x) of the paper (section 5.4) is a mean of expected final ranks: of own wins by their chances, and of the penalty
by the chance of no win. Lower is better. We read 1 − P(1|x) as the chance of no win.
"""

import numpy as np

from tefuda.games.mahjong.end import ends_match, place_by, repeats
from tefuda.games.mahjong.legal import STICK
from tefuda.games.mahjong.options import ONE_ROUND
from tefuda.games.mahjong.paper.standing import FEATURES, HONBA, KYOKU, STANDING, STICKS, balanced_place
from tefuda.games.mahjong.payment import HONBA as HONBA_POINTS
from tefuda.games.mahjong.payment import NOTEN
from tefuda.games.mahjong.score import base_points, ron_points, tsumo_points
from tefuda.games.mahjong.state import EXHAUSTED, NAGASHI, SEATS, TRIPLE_RON, WON
from tefuda.kernel.bits import count
from tefuda.kernel.compile import kernel

# Places in a result, behind the four changes. Seats are counted from the own one: 0 is oneself.
RIICHI = 4  # bits of those who declared it
WINNER = 5  # who takes honba and sticks, or -1
GIVER = 6  # who discarded the winning tile; the winner itself by its own draw
STAYS = 7  # 1: the dealer repeats
ABORTED = 8  # 1: nobody won, and the wall was not exhausted
RESULT = 9  # numbers of a result

FU = 30  # of every own win, as the paper has it: the most frequent
HANS = 4  # classes of wins: 1, 2, 3, and 4 or more han
MANGAN_HAN = 5  # what four or more han are paid as: most such hands are a mangan or more
WORK = STANDING + FEATURES + SEATS  # float64s of scratch space: a standing, amounts, chances


@kernel
def write_result(before, after, seat, out):
    """The result of a deal for a seat that has not won; returns False and writes nothing for a winner.

    `before` is the table before the last decision of the deal, `after` the table behind it, where the next deal may
    have begun already.
    """
    for number in range(3):
        if after.ended == WON and after.winners[number] == seat:
            return False
    stands = after.ended != WON and after.ended != TRIPLE_RON  # a riichi declared with the last discard
    riichi = np.int64(0)
    for further in range(SEATS):
        other = (seat + further) % SEATS
        out[further] = np.int64(after.paid[other]) // 100
        if before.riichi[other] != 0 and (stands or before.declaring != other):
            riichi |= np.int64(1) << further
    out[RIICHI] = riichi
    out[WINNER] = -1
    out[GIVER] = -1
    out[STAYS] = repeats(after, np.int64(before.kyoku) % SEATS)
    out[ABORTED] = after.ended != WON and after.ended != EXHAUSTED and after.ended != NAGASHI
    if after.ended == WON:
        out[WINNER] = (np.int64(after.winners[0]) - seat + SEATS) % SEATS
        out[GIVER] = (np.int64(after.win_from) - seat + SEATS) % SEATS
        sticks = np.int64(before.sticks)
        add_extras(out, np.int64(out[WINNER]), np.int64(out[GIVER]), -np.int64(before.honba), -sticks, 0, 100)
    return True


@kernel
def add_extras(points, winner, giver, honba, sticks, first, unit):
    """The winner takes honba and sticks; points[(first + seat) % 4] are those of `seat`, in units of so many points."""
    points[(first + winner) % SEATS] += (STICK * sticks + HONBA_POINTS * honba) // unit
    if giver != winner:
        points[(first + giver) % SEATS] -= HONBA_POINTS * honba // unit
        return
    for further in range(1, SEATS):
        points[(first + winner + further) % SEATS] -= HONBA_POINTS * honba // (SEATS - 1) // unit


@kernel
def go_on(standing, rules, stays, won, aborted):
    """Move a standing that was paid on to the next deal; returns whether the match is over instead."""
    kyoku = np.int64(standing[KYOKU])
    if rules.length == ONE_ROUND or ends_match(standing, kyoku, rules, stays, aborted):
        return True
    standing[HONBA] = 0 if won and not stays else standing[HONBA] + 1
    standing[KYOKU] = kyoku if stays else kyoku + 1
    return False


@kernel
def take_result(standing, result, rules, seat):
    """Take a result into a standing, in place; returns whether the match is over."""
    sticks = np.int64(standing[STICKS])
    for further in range(SEATS):
        other = (seat + further) % SEATS
        standing[other] += 100 * np.int64(result[further])
        if (np.int64(result[RIICHI]) >> further) & 1:
            standing[other] -= STICK
            sticks += 1
    winner = np.int64(result[WINNER])
    if winner >= 0:
        add_extras(standing, winner, np.int64(result[GIVER]), np.int64(standing[HONBA]), sticks, seat, 1)
        sticks = np.int64(0)
    standing[STICKS] = sticks
    return go_on(standing, rules, result[STAYS] != 0, winner >= 0, result[ABORTED] != 0)


@kernel
def take_base(standing, base, winner, giver, rules):
    """Take a win of so many base points into a standing, in place: `giver` discarded, or is the winner itself; returns
    whether the match is over."""
    dealer = np.int64(standing[KYOKU]) % SEATS
    for other in range(SEATS):
        if other == winner or (giver != winner and giver != other):
            continue
        points = ron_points(base, winner == dealer)
        if giver == winner:
            points = tsumo_points(base, winner == dealer or other == dealer)
        standing[other] -= points
        standing[winner] += points
    further = (giver - winner + SEATS) % SEATS
    add_extras(standing, 0, further, np.int64(standing[HONBA]), np.int64(standing[STICKS]), winner, 1)
    standing[STICKS] = 0
    return go_on(standing, rules, winner == dealer, True, False)


@kernel
def take_win(standing, han, giver, rules, seat):
    """Take an own win into a standing, in place: `han` is its class, `giver` who discarded, or the seat itself; returns
    whether the match is over."""
    return take_base(standing, base_points(MANGAN_HAN if han >= HANS else han, FU, False), seat, giver, rules)


@kernel
def take_draw(standing, ready, rules):
    """Take an exhausted wall into a standing, in place: `ready` has a bit for each seat that is; returns whether the
    match is over."""
    number = count(np.uint64(ready))
    if 0 < number < SEATS:
        for seat in range(SEATS):
            if (ready >> seat) & 1:
                standing[seat] += NOTEN // number
            else:
                standing[seat] -= NOTEN // (SEATS - number)
    stays = (ready >> (np.int64(standing[KYOKU]) % SEATS)) & 1 != 0
    return go_on(standing, rules, stays, False, False)


@kernel
def rank_after(weights, standing, over, rules, seat, work):
    """The final rank when the match is over, else the expected one; from 1. The sticks of the last deal go to the first
    and change no place."""
    if over:
        return place_by(standing, seat) + 1.0
    return balanced_place(weights, standing, rules, seat, work[STANDING:], work[STANDING + FEATURES :])


@kernel
def ranks_of_wins(weights, standing, rules, seat, work, out):
    """The expected final rank after an own win of each class, out [HANS]. A draw and a discard of each of the others
    are as likely as each other, as in the paper."""
    for han in range(1, HANS + 1):
        total = 0.0
        for giver in range(SEATS):
            for i in range(STANDING):
                work[i] = standing[i]
            over = take_win(work, han, giver, rules, seat)
            total += rank_after(weights, work, over, rules, seat, work)
        out[han - 1] = total / SEATS


@kernel
def penalty(weights, results, standing, rules, seat, work):
    """The expected final rank when a deal is not won: the mean over results of deals whose loser sat where this seat
    sits. They lie one behind the other, RESULT numbers each."""
    total, number = 0.0, results.shape[0] // RESULT
    for row in range(number):
        for i in range(STANDING):
            work[i] = standing[i]
        over = take_result(work, results[row * RESULT : (row + 1) * RESULT], rules, seat)
        total += rank_after(weights, work, over, rules, seat, work)
    return total / number


@kernel
def score(chances, ranks, penalty):
    """Score(x): chances [HANS + 1] of no win and of a win of each class, ranks [HANS] after these wins."""
    total = chances[0] * penalty
    for han in range(HANS):
        total += chances[han + 1] * ranks[han]
    return total
