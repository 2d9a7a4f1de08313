"""What the others hold, estimated from what a seat sees: whether they are ready, what they wait for, what they win.

The earlier program of the paper's authors has such models of opponents, learned from records; its middle game rests on
them (section 5.4). Ours are softmax regressions (learn/estimates.py) on few amounts, each for some situations:

    readiness   by melds and by the part of the deal; one in riichi is ready, and needs no estimate
    waits       of one who is ready, for each kind that it could win on: by riichi, by the sort of kind and its suji
    points      of a win, by riichi or the number of melds
    progress    of one who is not ready: whether its next discard makes it so, by melds and by the part of the deal

An estimate is a function of the view: all that it reads is open on the table, or in the own hand.
"""

import numpy as np

from tefuda.engine.linear import class_chances
from tefuda.games.mahjong.actions import kind_of_face
from tefuda.games.mahjong.hand import meld_copies, meld_kind
from tefuda.games.mahjong.hiding import has_drawn
from tefuda.games.mahjong.players.efficient import tiles_of, with_tiles
from tefuda.games.mahjong.score import base_points
from tefuda.games.mahjong.shanten import pack
from tefuda.games.mahjong.state import (
    CALLED_MARK,
    INDICATORS,
    RIVER,
    SEATS,
    TSUMOGIRI_MARK,
    WON,
    dealer_of,
    wind_of,
)
from tefuda.games.mahjong.tiles import HONOURS, KINDS, WINDS, dora_of
from tefuda.kernel.bits import count, has
from tefuda.kernel.compile import kernel
from tefuda.kernel.powers import exp

TURNS = 18  # discards of a seat in a deal, about

_ALL, _ALL_HONOURS = np.int64(0o444444444), np.int64(0o4444444)  # four of each kind of a suit, packed

READY = ("not ready", "ready")
READINESS = (
    "turn", "turn squared", "share of draws discarded at once, of the last five", "inner tiles among the first six",
    "calls", "1",
)  # fmt: skip
PARTS_OF_DEAL = 3
READINESS_SITUATIONS = 5 * PARTS_OF_DEAL

WAITS = ("no", "yes")
WAIT_AMOUNTS = ("unseen", "ways to wait for it", "dora", "next to dora", "turn", "kinds that are safe", "1")
SORTS = 13  # 1 9, 2 8, 3 7 (each without and with suji), 4 5 6 (without, half, whole suji), honours by 1 to 4 unseen
WAIT_SITUATIONS = 2 * SORTS

BASES = (320, 640, 1280, 2000, 3000, 4000, 1 << 20)  # base points at most, of each class of wins
TYPICAL = (250, 500, 980, 2000, 3000, 4000, 8000)  # base points of each class, about: what it is reckoned as
POINTS = ("1,000", "2,000", "3,900", "mangan", "haneman", "baiman", "more")
POINTS_AMOUNTS = ("dora in melds", "honours in melds", "melds of one suit", "dealer", "turn", "1")
POINTS_SITUATIONS = 6  # riichi, or 0 to 4 melds without it
IN_RIICHI = np.int64(0)  # the situation of points for a hand in riichi

PROGRESS = ("stays", "becomes ready")


# --- readiness ---


@kernel
def readiness_situation(view, other):
    """Which situation of readiness another seat is in; -1 in riichi, where there is nothing to estimate."""
    if view.riichi[other] != 0:
        return -1
    turns = np.int64(view.discards[other])
    part = 0 if turns < 6 else 1 if turns < 12 else PARTS_OF_DEAL - 1
    return np.int64(view.meld_count[other]) * PARTS_OF_DEAL + part


@kernel
def write_readiness(view, other, out):
    """The amounts that tell whether another seat is ready."""
    turns = np.int64(view.discards[other])
    at_once, last, inner, first = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    for place in range(RIVER):
        if place >= turns:
            break
        tile = np.int64(view.river[other, place])
        kind = kind_of_face(tile % TSUMOGIRI_MARK)
        if place >= turns - 5:
            last += 1
            at_once += (tile // TSUMOGIRI_MARK) % 2
        if place < 6:
            first += 1
            inner += kind < HONOURS and 2 <= kind % 9 <= 6
    out[0] = turns / TURNS
    out[1] = out[0] * out[0]
    out[2] = at_once / last if last > 0 else 0.0
    out[3] = inner / first if first > 0 else 0.0
    out[4] = np.int64(view.meld_count[other]) / 4.0
    out[5] = 1.0


@kernel
def look_at_readiness(before, after, seat, situations, amounts, came):
    rows = 0
    for further in range(1, SEATS):
        other = (seat + further) % SEATS
        situation = readiness_situation(before, other)
        if situation >= 0:
            situations[rows] = situation
            write_readiness(before, other, amounts[rows])
            came[rows] = before.far[other] <= 0
            rows += 1
    return rows


# --- waits ---


@kernel
def suji_of(safe, kind):
    """How many of the two-sided waits for a number tile are ruled out by safe tiles, and how many there are."""
    place, out, of = kind % 9, 0, 0
    if place >= 3:
        of += 1
        out += has(safe, kind - 3)
    if place <= 5:
        of += 1
        out += has(safe, kind + 3)
    return out, of


@kernel
def sort_of(safe, kind, unseen):
    """The sort of a kind, 0 to SORTS - 1."""
    if kind >= HONOURS:
        return 9 + min(max(unseen, 1), 4) - 1
    out, of = suji_of(safe, kind)
    place = min(kind % 9, 8 - kind % 9)
    if place >= 3:
        return 6 + out
    return 2 * place + (out == of)


@kernel
def unseen_words(view, seat):
    """The tiles that a seat cannot see, as four packed suits."""
    man, pin, sou, honours = pack(view.hand[seat])
    words = _ALL - man, _ALL - pin, _ALL - sou, _ALL_HONOURS - honours
    if has_drawn(view, seat):
        words = with_tiles(words, kind_of_face(np.int64(view.drawn)), np.int64(-1))
    for i in range(np.int64(view.indicators)):
        words = with_tiles(words, kind_of_face(np.int64(view.wall[INDICATORS + i])), np.int64(-1))
    for owner in range(SEATS):
        for i in range(np.int64(view.meld_count[owner])):
            meld = np.int64(view.melds[owner, i])
            for kind in range(meld_kind(meld), min(meld_kind(meld) + 3, KINDS)):
                words = with_tiles(words, kind, -np.int64(meld_copies(meld, kind)))
        for i in range(np.int64(view.discards[owner])):
            tile = np.int64(view.river[owner, i])
            if tile < CALLED_MARK:
                words = with_tiles(words, kind_of_face(tile % TSUMOGIRI_MARK), np.int64(-1))
    return words


@kernel
def ways_to_wait(words, safe, kind):
    """The combinations of unseen tiles that wait for a kind: two neighbours, the two around it, one or two of it."""
    unseen = tiles_of(words, kind)
    ways = unseen + unseen * (unseen - 1) // 2
    if kind >= HONOURS:
        return ways
    place = kind % 9
    below = tiles_of(words, kind - 1) if place >= 1 else 0
    above = tiles_of(words, kind + 1) if place <= 7 else 0
    if place >= 2 and (place == 2 or not has(safe, kind - 3)):
        ways += below * tiles_of(words, kind - 2) * (1 if place == 2 else 2)
    if place <= 6 and (place == 6 or not has(safe, kind + 3)):
        ways += above * tiles_of(words, kind + 2) * (1 if place == 6 else 2)
    return ways + below * above


@kernel
def safe_from(view, other):
    """Kinds that another seat cannot win on from us: it has discarded them, or let them pass."""
    return view.thrown[other] | view.missed[other]


@kernel
def write_wait(view, words, other, kind, out):
    """The amounts that tell whether another seat, if it is ready, waits for a kind; returns the situation. `words` are
    the unseen tiles."""
    safe = safe_from(view, other)
    unseen = tiles_of(words, kind)
    dora = near = False
    for i in range(np.int64(view.indicators)):
        each = dora_of(kind_of_face(np.int64(view.wall[INDICATORS + i])))
        dora = dora or each == kind
        near = near or (kind < HONOURS and each < HONOURS and each // 9 == kind // 9 and 0 < abs(each - kind) <= 2)
    out[0] = unseen / 4.0
    out[1] = ways_to_wait(words, safe, kind) / 40.0
    out[2] = dora
    out[3] = near
    out[4] = np.int64(view.discards[other]) / TURNS
    out[5] = count(safe) / KINDS
    out[6] = 1.0
    return (view.riichi[other] != 0) * SORTS + sort_of(safe, kind, unseen)


@kernel
def look_at_waits(before, after, seat, situations, amounts, came):
    rows = 0
    words = unseen_words(before, seat)
    for further in range(1, SEATS):
        other = (seat + further) % SEATS
        if before.far[other] > 0:
            continue
        safe = safe_from(before, other)
        for kind in range(KINDS):
            if not has(safe, kind):
                situations[rows] = write_wait(before, words, other, kind, amounts[rows])
                came[rows] = has(before.waits[other], kind)
                rows += 1
    return rows


# --- points ---


@kernel
def points_situation(view, other):
    return 0 if view.riichi[other] != 0 else 1 + np.int64(view.meld_count[other])


@kernel
def write_points(view, other, out):
    """The amounts that tell what another seat wins, if it wins."""
    dora, honours, suit, one = np.int64(view.open_reds[other]), np.int64(0), np.int64(-1), True
    melds = np.int64(view.meld_count[other])
    for i in range(melds):
        meld = np.int64(view.melds[other, i])
        kind = meld_kind(meld)
        for place in range(np.int64(view.indicators)):
            dora += meld_copies(meld, dora_of(kind_of_face(np.int64(view.wall[INDICATORS + place]))))
        if kind >= HONOURS:
            round_wind, own_wind = WINDS + np.int64(view.kyoku) // 4, WINDS + wind_of(view, other)
            dragon = kind >= WINDS + SEATS
            honours += dragon or kind == round_wind
            honours += kind == own_wind
        else:
            if suit >= 0 and suit != kind // 9:
                one = False
            suit = kind // 9
    out[0] = min(dora / 3.0, 2.0)
    out[1] = min(honours / 2.0, 1.5)
    out[2] = one and melds >= 2
    out[3] = other == dealer_of(view)
    out[4] = np.int64(view.discards[other]) / TURNS
    out[5] = 1.0


@kernel
def look_at_points(before, after, seat, situations, amounts, came):
    """A row for each winner of a deal that has just ended."""
    if before.finished == after.finished or after.ended != WON:
        return 0
    rows = 0
    for number in range(3):
        winner = np.int64(after.winners[number])
        if winner < 0:
            break
        situations[rows] = points_situation(before, winner)
        write_points(before, winner, amounts[rows])
        came[rows] = class_of(np.int64(after.win_han[number]), np.int64(after.win_fu[number]))
        rows += 1
    return rows


@kernel
def class_of(han, fu):
    """The class of a win by its han and fu."""
    base = base_points(han, fu, False)
    each = 0
    while base > BASES[each]:
        each += 1
    return each


# --- progress ---


@kernel
def progress_situation(view, other):
    """Which situation of progress a seat is in that is not in riichi: as of readiness."""
    return max(readiness_situation(view, other), 0)


@kernel
def look_at_progress(before, after, seat, situations, amounts, came):
    """A row for a discard of one who was not ready."""
    discarded = after.finished == before.finished and after.discards[seat] == before.discards[seat] + 1
    if not discarded or before.far[seat] <= 0:
        return 0
    situations[0] = progress_situation(before, seat)
    write_readiness(before, seat, amounts[0])
    came[0] = after.far[seat] <= 0
    return 1


# --- what the models say ---


@kernel
def chance_of_yes(weights, first, situation, amounts, size):
    """The chance of the second of two classes; the weights of the part begin at `first`."""
    at = first + situation * 2 * size
    total = 0.0
    for i in range(size):
        total += (weights[at + size + i] - weights[at + i]) * amounts[i]
    return 1.0 / (1.0 + exp(-total))


READINESS_WEIGHTS = READINESS_SITUATIONS * len(READY) * len(READINESS)
WAIT_WEIGHTS = WAIT_SITUATIONS * len(WAITS) * len(WAIT_AMOUNTS)
POINTS_WEIGHTS = POINTS_SITUATIONS * len(POINTS) * len(POINTS_AMOUNTS)
PROGRESS_WEIGHTS = READINESS_SITUATIONS * len(PROGRESS) * len(READINESS)
WEIGHTS = READINESS_WEIGHTS + WAIT_WEIGHTS + POINTS_WEIGHTS + PROGRESS_WEIGHTS
MOST_AMOUNTS = max(len(READINESS), len(WAIT_AMOUNTS), len(POINTS_AMOUNTS))


@kernel
def chance_ready(weights, view, other, amounts):
    """The chance that another seat is ready."""
    situation = readiness_situation(view, other)
    if situation < 0:
        return 1.0
    write_readiness(view, other, amounts)
    return chance_of_yes(weights, 0, situation, amounts, len(READINESS))


@kernel
def chance_of_progress(weights, view, other, amounts):
    """The chance that another seat that is not ready becomes so with its next discard."""
    write_readiness(view, other, amounts)
    first = READINESS_WEIGHTS + WAIT_WEIGHTS + POINTS_WEIGHTS
    return chance_of_yes(weights, first, progress_situation(view, other), amounts, len(READINESS))


@kernel
def chance_to_wait(weights, view, words, other, kind, amounts):
    """The chance that another seat, if it is ready, waits for a kind that it could win on; `words`: unseen tiles."""
    if has(safe_from(view, other), kind):
        return 0.0
    situation = write_wait(view, words, other, kind, amounts)
    return chance_of_yes(weights, READINESS_WEIGHTS, situation, amounts, len(WAIT_AMOUNTS))


@kernel
def chances_of_points(weights, view, other, situation, amounts, out):
    """The chance of each class of points, if another seat wins in a situation of points; out [classes of points]."""
    write_points(view, other, amounts)
    size, classes = len(POINTS_AMOUNTS), len(POINTS)
    at = READINESS_WEIGHTS + WAIT_WEIGHTS + situation * classes * size
    class_chances(weights[at:], amounts[:size], out[:classes])
