"""Speed of Saichugen through the contract, beside a plain-Python implementation that shares no code with it."""

import random
import time

from measure import Rate, core_counts, matches, matches_on_cuda, playouts, playouts_on_cuda, rate

from tefuda.errors import Problem
from tefuda.games.saichugen import GAME
from tefuda.players.resolve import resolve
from tefuda.table.table import Table

RULES = GAME.rulebook.make()
STRATEGY = "S-base+3t+4r"
LEARNED = tuple(player.name for player in GAME.players.named if player.name == "learned")  # where there is one
CUDA_DEALS = 1 << 23  # of plain playouts in one launch
CUDA_MATCH_DEALS = 1 << 20


def run(device: str, seconds: float, threads: int | None) -> list[Rate]:
    """All measurements; the plain-Python random games are the baseline."""

    def plain(first: int, last: int) -> None:
        for deal in range(first, last):
            plain_game(random.Random(deal))

    baseline = Rate("plain Python", rate(plain, seconds, 50)[0], "games")
    games, decisions = playouts(GAME, RULES, seconds)
    rows = [baseline, Rate("random playouts, one core", games, "games").against(baseline)]
    rows.append(Rate("random playouts, one core", decisions, "decisions"))
    for name in ("random", STRATEGY, f"{STRATEGY}/end=exact", *LEARNED):
        for count, where in core_counts(threads):
            games, decisions = matches(GAME, RULES, name, seconds, count)
            rows.append(Rate(f"{name}, {where}", games, "games").against(baseline))
            if name == "random":
                rows.append(Rate(f"{name}, {where}", decisions, "decisions"))
    rows.append(searching(seconds))
    if device == "cuda":
        games, decisions = playouts_on_cuda(GAME, RULES, seconds, CUDA_DEALS)
        rows.append(Rate("random playouts, GPU", games, "games").against(baseline))
        rows.append(Rate("random playouts, GPU", decisions, "decisions"))
        names = (
            ("random", CUDA_MATCH_DEALS), (STRATEGY, CUDA_MATCH_DEALS),
            *((name, CUDA_MATCH_DEALS // 16) for name in LEARNED), ("pimc/worlds=10", CUDA_MATCH_DEALS // 64),
        )  # fmt: skip
        rows += matches_on_cuda(GAME, RULES, names, seconds, baseline)
    return rows


def plain_game(luck: random.Random) -> list[int]:
    """A game of three random players; the seats that win it. A card is a pair of its number and its suit."""
    pack = [(number, suit) for number in range(1, 14) for suit in range(4)]
    luck.shuffle(pack)
    hands = [pack[17 * seat : 17 * seat + 17] for seat in range(3)]
    totals = [0, 0, 0]
    for _ in range(5):
        points = [0, 0, 0]
        for _ in range(3):
            laid = [hand.pop(luck.randrange(len(hand))) for hand in hands]
            middle = sorted(laid)[1]
            points[laid.index(middle)] += middle[0]
        kept = sorted(points)[1]
        for seat in range(3):
            if points[seat] == kept:
                totals[seat] += kept
    wins = sorted(totals)[1]
    return [seat for seat in range(3) if totals[seat] == wins]


def searching(seconds: float) -> Rate:
    """Decisions of the search player as it is by default, at every table of its seat."""
    player, other = resolve(GAME, "pimc", RULES), resolve(GAME, "random", RULES)
    spent, made, deal = 0.0, 0, 0
    while spent < seconds:
        table = Table(GAME, RULES, 1, deal)
        deal += 1
        while not table.over:
            if table.to_move == 0:
                began = time.perf_counter()
                action = table.ask(player)
                spent += time.perf_counter() - began if deal > 1 else 0.0  # the first deal warms up
                made += deal > 1
            else:
                action = table.ask(other)
            table.apply(action)
    if not made:
        raise Problem("no decision was measured: give --seconds more")
    return Rate("pimc, one core", made / spent, "decisions")
