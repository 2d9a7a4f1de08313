"""The opening by han prediction (section 5.4): the candidate with the best Score, an expected final rank.

A model of han gives the chances of no win and of a win by 1, 2, 3 and 4 or more han for the hand that a candidate
leaves. Each outcome is worth the expected final rank that follows it; Score is their mean, and lower is better.
"""

import numpy as np

from tefuda.games.mahjong.paper.deal_ends import (
    HANS,
    WORK,
    go_on,
    penalty,
    rank_after,
    ranks_of_wins,
    score,
)
from tefuda.games.mahjong.paper.features import features
from tefuda.games.mahjong.paper.hands import CALLED_KAN, CHI_LOW, CODES, done_of
from tefuda.games.mahjong.paper.inputs import BYTES, exchange_suits, write_bytes
from tefuda.games.mahjong.paper.middle import SUMS
from tefuda.games.mahjong.paper.rest import NOW, SPACE, stand
from tefuda.games.mahjong.paper.standing import STANDING
from tefuda.games.mahjong.players.han import han_chances
from tefuda.games.mahjong.players.han_network import SPACE as NETWORK_SPACE
from tefuda.games.mahjong.players.han_network import chances_of_bytes
from tefuda.games.mahjong.state import wind_of
from tefuda.kernel.compile import kernel

CLASSES = HANS + 1
LARGEST = np.int64(1 << 40)  # no sum of weights is larger
LINEAR, NETWORK = 1.0, 2.0  # kinds of models of han: MCP or BCP, or a network
LOOKS = np.int64(3)  # of a network at a hand that can be left now
ASKED = BYTES + NETWORK_SPACE  # float64s of scratch space for a model

# The layout of `hopes`, float64s: what outcomes are worth, then chances.
RANKS = 0  # [HANS] the expected final rank after an own win
NO_WIN = RANKS + HANS  # without one
CHANCES = NO_WIN + 1  # [CLASSES]
HOPES = CHANCES + CLASSES


@kernel
def write_ranks(view, seat, weights, results, facts, hopes):
    """What wins and no win are worth, by the standing in `facts`. results: those of each wind behind those of the
    wind before, or none: then no points move without a win."""
    space = facts[SPACE : SPACE + WORK]
    standing = facts[NOW : NOW + STANDING]
    ranks_of_wins(weights, standing, view.rules, seat, space, hopes[RANKS : RANKS + HANS])
    if results.shape[0] == 0:
        stand(facts, seat, np.int64(0))
        over = go_on(space, view.rules, False, False, False)
        hopes[NO_WIN] = rank_after(weights, space, over, view.rules, seat, space)
        return
    of_wind = results.shape[0] // 4
    first = wind_of(view, seat) * of_wind
    hopes[NO_WIN] = penalty(weights, results[first : first + of_wind], standing, view.rules, seat, space)


@kernel
def score_of(work, active, model, looks, asked, hopes):
    """Score(x) of the candidate whose features were listed last. `model` is the kind of a model of han and, behind it,
    its parameters. A network looks at the hand `looks` times, with the suits exchanged. `asked` is scratch space."""
    chances = hopes[CHANCES : CHANCES + CLASSES]
    if model[0] == NETWORK:
        plain, space = asked[:BYTES].view(np.int64), asked[BYTES:ASKED].view(np.float32)
        write_bytes(work, plain)
        for each in range(CLASSES):
            chances[each] = 0.0
        for _ in range(looks):  # a hand is three hands, with the suits exchanged: their mean errs less
            chances_of_bytes(model[1:], plain, space)
            for each in range(CLASSES):
                chances[each] += space[each] / looks
            exchange_suits(plain)
    else:
        han_chances(model[1:], active, asked[:CLASSES].view(np.int64), chances)
    return score(chances, hopes[RANKS : RANKS + HANS], hopes[NO_WIN])


@kernel
def best_code(view, seat, model, number, best, margin, caution, work, active, rows, asked, hopes):
    """The candidate with the best Score, the first among equals; of those whose sum, by the policy, lacks at most
    `margin` to that of the best. A call must gain at least `caution`. Needs the policy's sums in `rows`."""
    chosen, least = work[CODES + best], 1e9
    for row in range(number):
        if rows[SUMS + row] < rows[SUMS + best] - margin:
            continue
        features(view, seat, work[CODES + row], work, active)
        rank = score_of(work, active, model, LOOKS, asked, hopes)
        if CHI_LOW <= done_of(work[CODES + row]) <= CALLED_KAN:
            rank += caution
        if rank < least:
            chosen, least = work[CODES + row], rank
    return chosen
