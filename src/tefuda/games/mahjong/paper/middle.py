"""The middle game, which all players of the paper's section 6 share, and when it begins (section 5.4).

The opening of a deal ends for a decision where one of these holds:

    1. riichi can be declared
    2. another seat is in riichi
    3. what the one-player policy would discard is won on with more than 2 %
    4. it makes the expected final rank worse by more than 0.01
    5. at most 16 tiles are left to be drawn

From then on a decision is the best of a few plans by the mean expected final rank over a fixed number of simulations
(rest.py): to attack with one of the policy's first choices, with riichi and without, to be careful, or to fold.
"""

import numpy as np

from tefuda.games.mahjong.actions import PASS, RIICHI
from tefuda.games.mahjong.paper import quantities as of
from tefuda.games.mahjong.paper.deal_ends import rank_after
from tefuda.games.mahjong.paper.features import features
from tefuda.games.mahjong.paper.hands import (
    CALLED_KAN,
    CALLED_PON,
    CHI_LOW,
    CODE,
    CODES,
    DISCARD,
    NUMBER,
    OWN_KAN,
    PASSED,
    ROWS,
    WORDS,
    action_of,
    done_of,
    kind_of_code,
    lay_out,
)
from tefuda.games.mahjong.paper.others import TYPICAL
from tefuda.games.mahjong.paper.rest import (
    ATTACK,
    CAREFUL,
    FACTS,
    FOLD,
    NOW,
    POINTS,
    READY,
    RISK,
    SPACE,
    WAITS,
    WINS,
    list_tiles,
    look_around,
    rank_of_win,
    shuffle,
    simulate,
    stand,
)
from tefuda.games.mahjong.paper.standing import read_standing
from tefuda.games.mahjong.players.policy import sum_of
from tefuda.games.mahjong.shanten import shanten_packed, useful_packed
from tefuda.games.mahjong.state import SEATS, left_in_wall
from tefuda.games.mahjong.tiles import KINDS, TILES
from tefuda.kernel.bits import has_word
from tefuda.kernel.compile import kernel
from tefuda.kernel.random import draw

DEAL_IN = 0.02  # condition 3
WORSE = 0.01  # condition 4
LATE = 16  # tiles, condition 5
CHOICES = 3  # of the policy that are tried

# The layout of `rows`, int64s of a decision: the policy's sums and the shanten that each candidate leaves; plans; the
# unseen tiles.
SUMS = 0
FARS = SUMS + ROWS
LISTED = FARS + ROWS  # plans
PLANS = LISTED + 1  # [MOST_PLANS, PLAN]
PLAN, MOST_PLANS = 4, 8  # an action, a candidate, how it goes on, whether with riichi
UNSEEN_TILES = PLANS + PLAN * MOST_PLANS
ROWS_SIZE = UNSEEN_TILES + TILES
TOTALS = FACTS  # behind the facts: sums of ranks of the plans
FACTS_SIZE = FACTS + MOST_PLANS


@kernel
def weigh(view, seat, weights, number, work, active, rows):
    """Write the policy's sum and the shanten of each candidate; returns the place of the best."""
    best = np.int64(0)
    for row in range(number):
        features(view, seat, work[CODES + row], work, active)
        rows[SUMS + row] = sum_of(weights, active)
        rows[FARS + row] = work[of.SHANTEN]
        if rows[SUMS + row] > rows[SUMS + best]:
            best = np.int64(row)
    return best


@kernel
def discards(code):
    """Whether a candidate ends in a discard."""
    done = done_of(code)
    return done == DISCARD or CHI_LOW <= done <= CALLED_PON


@kernel
def is_pressed(view, seat, mask):
    """Conditions 1, 2 and 5."""
    if has_word(mask, RIICHI) or left_in_wall(view) <= LATE:
        return True
    for further in range(1, SEATS):  # noqa: SIM110 - kernels have no generators
        if view.riichi[(seat + further) % SEATS] != 0:
            return True
    return False


@kernel
def is_dangerous(view, seat, code, weights, facts):
    """Conditions 3 and 4, of what the policy chooses. Needs the facts."""
    if not discards(code):
        return False
    kind, chance, worse = kind_of_code(code), 0.0, 0.0
    for other in range(1, SEATS):
        here = facts[READY + other] * facts[WAITS + other * KINDS + kind]
        chance += here
        if here * (SEATS - 1) > WORSE:
            base, before = 0.0, 0.0
            for each in range(POINTS):
                base += (facts[WINS + other * POINTS + each] - before) * TYPICAL[each]
                before = facts[WINS + other * POINTS + each]
            lost = rank_of_win(facts, weights, view.rules, seat, base, (seat + other) % SEATS, seat, np.int64(0))
            worse += here * (lost - rank_now(view, seat, weights, facts))
    return chance > DEAL_IN or worse > WORSE


@kernel
def rank_now(view, seat, weights, facts):
    """The expected final rank if this deal began now."""
    stand(facts, seat, np.int64(0))
    return rank_after(weights, facts[SPACE:], False, view.rules, seat, facts[SPACE:])


@kernel
def read_facts(view, seat, others_weights, facts):
    """Write what all simulations of a decision share."""
    read_standing(view, facts[NOW:])
    look_around(view, seat, others_weights, facts)


@kernel
def mean_rank(view, seat, code, plan, declares, simulations, start, work, tiles, facts, weights, rng):
    """The mean expected final rank of a plan that begins with a candidate, over simulations of the rest of the deal.

    Equal starts give equal luck. Leaves `rng` anywhere.
    """
    lay_out(view, seat, code, work)
    words = work[WORDS], work[WORDS + 1], work[WORDS + 2], work[WORDS + 3]
    man, pin, sou, honours = words
    far = shanten_packed(man, pin, sou, honours, work[NUMBER])
    useful = useful_packed(man, pin, sou, honours, work[NUMBER])
    done, discard, first, left = done_of(code), np.int64(-1), np.int64(1), left_in_wall(view)
    if discards(code):
        discard = kind_of_code(code)
    elif done == PASSED:
        first = (np.int64(view.discarder) + 1 - seat + SEATS) % SEATS
    elif done in (OWN_KAN, CALLED_KAN):
        first = np.int64(0)
    number = list_tiles(work, tiles)
    rng[0] = start
    total = 0.0
    for _ in range(simulations):
        key = draw(rng)
        shuffle(tiles, number, rng)
        total += simulate(
            view, seat, plan, declares, discard, first, left, far, useful, work, tiles, number - 1, facts, weights, key
        )
    return total / simulations


@kernel
def best_below(number, rows, work, most, ready_only):
    """The candidate with the highest sum below `most` (a place, or -1 for none); the first among equals."""
    best = np.int64(-1)
    for row in range(number):
        if ready_only and (rows[FARS + row] != 0 or done_of(work[CODES + row]) != DISCARD):
            continue
        if most >= 0:
            one, other = rows[SUMS + row], rows[SUMS + most]
            if one > other or (one == other and row <= most):
                continue
        if best < 0 or rows[SUMS + row] > rows[SUMS + best]:
            best = np.int64(row)
    return best


@kernel
def safest_row(number, work, rows, facts):
    """The discard that is least likely to be won on, the policy's first choice among equals; or -1."""
    best = np.int64(-1)
    for row in range(number):
        code = work[CODES + row]
        if done_of(code) != DISCARD:
            continue
        if best >= 0:
            risk, least = facts[RISK + kind_of_code(code)], facts[RISK + kind_of_code(work[CODES + best])]
            if risk > least or (risk == least and rows[SUMS + row] <= rows[SUMS + best]):
                continue
        best = np.int64(row)
    return best


@kernel
def add_plan(rows, action, code, plan, declares):
    """List a plan: what is done now, by which candidate, and how it goes on."""
    place = PLANS + PLAN * rows[LISTED]
    rows[place], rows[place + 1], rows[place + 2], rows[place + 3] = action, code, plan, declares
    rows[LISTED] += 1


@kernel
def list_turn_plans(view, mask, number, work, rows, facts):
    """The plans of the own turn."""
    rows[LISTED] = 0
    if has_word(mask, RIICHI):
        row = best_below(number, rows, work, np.int64(-1), True)
        if row >= 0:
            add_plan(rows, RIICHI, work[CODES + row], ATTACK, 1)
    row = np.int64(-1)
    for choice in range(CHOICES):
        row = best_below(number, rows, work, row, False)
        if row < 0:
            break
        code = work[CODES + row]
        add_plan(rows, action_of(view, mask, code), code, ATTACK, 0)
        if choice == 0:
            add_plan(rows, action_of(view, mask, code), code, CAREFUL, 0)
    row = safest_row(number, work, rows, facts)
    if row >= 0:
        code = work[CODES + row]
        add_plan(rows, action_of(view, mask, code), code, FOLD, 0)


@kernel
def list_claim_plans(view, mask, best, work, rows):
    """The plans for a discard that the policy would call."""
    rows[LISTED] = 0
    code, passes = work[CODES + best], np.int64(PASSED) * CODE
    for plan in (ATTACK, CAREFUL):
        add_plan(rows, action_of(view, mask, code), code, plan, 0)
        add_plan(rows, PASS, passes, plan, 0)
    add_plan(rows, PASS, passes, FOLD, 0)


@kernel
def best_plan(view, seat, simulations, work, rows, facts, weights, rng):
    """The action of the best plan. After a share of the simulations the worse half of the plans is dropped, then half
    of the rest, until one is left; there are `simulations` for each plan in all."""
    tiles, totals = rows[UNSEEN_TILES:], facts[TOTALS : TOTALS + MOST_PLANS]
    left = rows[LISTED]
    for place in range(left):
        totals[place] = 0.0
    phases = 0
    while (1 << phases) < left:
        phases += 1
    budget, kept = simulations * left // max(1, phases), rng[0]
    while left > 1:
        number = max(np.int64(1), budget // left)
        start = draw(rng)
        kept = rng[0]
        for place in range(left):
            each = rows[PLANS + PLAN * place : PLANS + PLAN * (place + 1)]
            totals[place] += number * mean_rank(
                view, seat, each[1], each[2], each[3] != 0, number, start, work, tiles, facts, weights, rng
            )
        rng[0] = kept
        for _ in range(left // 2):
            worst = 0
            for place in range(left):
                if totals[place] >= totals[worst]:
                    worst = place
            left -= 1
            for place in range(worst, left):
                totals[place] = totals[place + 1]
                for i in range(PLAN):
                    rows[PLANS + PLAN * place + i] = rows[PLANS + PLAN * (place + 1) + i]
    return rows[PLANS]
