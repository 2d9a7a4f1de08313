"""Speed of riichi mahjong through the contract, beside RiichiEnv, an engine in Rust, and `mahjong`, plain Python.

Each part has baselines of the same run: random hanchan and their steps, shanten, the score of a win, and `policy` for
players of the mahjong paper that simulate nothing. RiichiEnv is called through Python, as its users do, without its
log; shanten and scores of this engine are called in a loop inside of a kernel, as its players do. All get the same
hands, and must give the same results.
"""

import random

import numpy as np
from measure import Rate, core_counts, matches, matches_on_cuda, playouts, playouts_on_cuda, rate
from peers import riichienv_steps

from tefuda.errors import Problem
from tefuda.games.mahjong import GAME, POLICY_FILE
from tefuda.games.mahjong.hand import SLOTS
from tefuda.games.mahjong.score import RIICHI, ron_points, score
from tefuda.games.mahjong.shanten import shanten
from tefuda.games.mahjong.tiles import COPIES, HONOURS, KINDS, RED_FIVES, TILES
from tefuda.kernel.compile import kernel

HANCHAN, HAND = GAME.rulebook.make("hanchan"), GAME.rulebook.make("hand")
HANDS = 2000  # different hands for shanten and for scores
CUDA_HANCHAN, CUDA_DEALS = 1 << 18, 1 << 21  # of random play in one launch
CUDA_MATCH_DEALS = 1 << 14


def run(device: str, seconds: float, threads: int | None) -> list[Rate]:
    """All measurements; RiichiEnv is the baseline, where it is installed."""
    rows = random_play(seconds) + hands(seconds)
    for name in ("random", "tsumogiri", "shanten", "rule-based"):
        for count, where in core_counts(threads):
            games, decisions = matches(GAME, HANCHAN, name, seconds, count)
            rows.append(Rate(f"{name}, hanchan, {where}", decisions, "decisions"))
            rows.append(Rate(f"{name}, hanchan, {where}", games, "games"))
    rows += without_simulation(seconds, threads)
    if device == "cuda":
        games, decisions = playouts_on_cuda(GAME, HANCHAN, seconds, CUDA_HANCHAN)
        rows.append(against(rows, Rate("random hanchan, GPU", games, "hanchan")))
        rows.append(against(rows, Rate("random hanchan, GPU", decisions, "steps")))
        games, decisions = playouts_on_cuda(GAME, HAND, seconds, CUDA_DEALS)
        rows.append(Rate("random single deals, GPU", games, "deals"))
        rows.append(against(rows, Rate("random single deals, GPU", decisions, "steps")))
        base = Rate("random, one deal, one core", matches(GAME, HAND, "random", seconds, 1)[0], "games")
        names = [(name, CUDA_MATCH_DEALS) for name in ("random", "shanten", "rule-based")]
        rows += [base, *matches_on_cuda(GAME, HAND, names, seconds, base)]
    return rows


def without_simulation(seconds: float, threads: int | None) -> list[Rate]:
    """Players of the mahjong paper that simulate nothing, and the champion: four of a kind, tonpuu."""
    rules, rows = GAME.rulebook.make("tonpuu"), []
    files = {name: str(POLICY_FILE.parent / f"{name}.npz") for name in ("mcp", "bcp", "han-network")}
    for count, where in core_counts(threads):
        base = None
        for name, seated in {"policy": "policy", **files, "champion": "champion"}.items():
            games, _ = matches(GAME, rules, seated, seconds, count)
            row = Rate(f"{name}, tonpuu, {where}", games, "games")
            base = base or row
            rows.append(row if row is base else row.against(base))
    return rows


def against(rows: list[Rate], row: Rate) -> Rate:
    """A row with its ratio to RiichiEnv's of the same unit, where there is one."""
    baseline = next((each for each in rows if each.unit == row.unit and each.what.startswith("RiichiEnv")), None)
    return row.against(baseline) if baseline else row


# --- random hanchan ---


def random_play(seconds: float) -> list[Rate]:
    """Random hanchan on one core, and their steps: one question to a seat is one step."""
    rows = riichienv_play(seconds)
    games, decisions = playouts(GAME, HANCHAN, seconds)
    for figure, unit in ((games, "hanchan"), (decisions, "steps")):
        rows.append(against(rows, Rate("random hanchan, one core", figure, unit)))
    return rows


def riichienv_play(seconds: float) -> list[Rate]:
    try:
        games, steps = rate(riichienv_steps(False), seconds, 2)
    except ImportError:
        return []
    return [Rate("RiichiEnv through Python, random", games, "hanchan"),
            Rate("RiichiEnv through Python, random", steps, "steps")]  # fmt: skip


# --- shanten and scores ---


def random_hands(size: int) -> list[list[int]]:
    """Hands of so many tiles."""
    luck = random.Random(2)
    return [luck.sample(range(TILES), size) for _ in range(HANDS)]


def winning_hands() -> list[tuple[list[int], int]]:
    """Closed complete hands of 14 tiles with the winning one: four sets and a pair, or seven pairs now and then."""
    luck = random.Random(3)
    found = []
    while len(found) < HANDS:
        if luck.random() < 0.05:
            kinds = [kind for kind in luck.sample(range(KINDS), 7) for _ in range(2)]
        else:
            kinds = [luck.randrange(KINDS)] * 2
            for number in range(4):  # two runs at least: four triplets are counted twice by some
                first = HONOURS // 3 * luck.randrange(3) + luck.randrange(7)
                run = number < 2 or luck.random() < 0.5
                kinds += [first, first + 1, first + 2] if run else [luck.randrange(KINDS)] * 3
        if max(kinds.count(kind) for kind in kinds) <= COPIES:
            copies = {kind: luck.sample(range(COPIES), COPIES) for kind in kinds}
            tiles = [COPIES * kind + copies[kind].pop() for kind in kinds]
            found.append((tiles, luck.choice(tiles)))
    return found


def counts_of(many: list[list[int]]) -> np.ndarray:
    """[hands, kinds]"""
    counts = np.zeros((len(many), KINDS), np.int8)
    for row, tiles in enumerate(many):
        for tile in tiles:
            counts[row, tile // COPIES] += 1
    return counts


@kernel
def all_shanten(counts, first, last):
    """The sum of the shanten of hands first to last - 1, round and round."""
    total = 0
    for number in range(first, last):
        total += shanten(counts[number % HANDS], 0)
    return total


@kernel
def all_scores(counts, melds, winning, reds, first, last):
    """The same of what a ron of a dealer in riichi brings."""
    total = 0
    for number in range(first, last):
        row = number % HANDS
        _, _, _, base = score(counts[row], melds, winning[row], RIICHI, 0, 0, reds[row])
        total += ron_points(base, True)
    return total


def hands(seconds: float) -> list[Rate]:
    """Shanten and scores a second, of the same hands everywhere."""
    rows: list[Rate] = []
    drawn, won = random_hands(14), winning_hands()
    counts, full = counts_of(drawn), counts_of([tiles for tiles, _ in won])
    melds, winning = np.zeros(SLOTS, np.int16), np.array([tile // COPIES for _, tile in won])
    reds = np.array([sum(tile in RED_FIVES for tile in tiles) for tiles, _ in won])
    sums = {"shanten": all_shanten(counts, 0, HANDS), "scores": all_scores(full, melds, winning, reds, 0, HANDS)}
    for what, unit, work, size in (*riichienv_hands(drawn, won), *mahjong_hands(counts, won)):
        if work(0, HANDS) != sums[unit]:
            raise Problem(f"{what} and this engine differ in the {unit} of the same hands")
        rows.append(Rate(what, rate(work, seconds, size)[0], unit))
    for what, unit, work in (
        ("shanten in a kernel", "shanten", lambda a, b: all_shanten(counts, a, b)),
        ("scores in a kernel", "scores", lambda a, b: all_scores(full, melds, winning, reds, a, b)),
    ):
        figure = rate(work, seconds, 100_000)[0]
        others = {other.what.partition(" ")[0].rstrip(","): other for other in rows if other.unit == unit}
        beside = [Rate(f"{what}, beside {name}", figure, unit).against(other) for name, other in others.items()]
        rows += beside or [Rate(what, figure, unit)]
    return rows


def riichienv_hands(drawn, won):
    try:
        from riichienv import EAST, calculate_shanten
        from riichienv._riichienv import Conditions, HandEvaluator
    except ImportError:
        return []
    riichi = Conditions(riichi=True, player_wind=EAST, round_wind=EAST)

    def far(first: int, last: int) -> int:
        return sum(calculate_shanten(drawn[number % HANDS]) for number in range(first, last))

    def worth(first: int, last: int) -> int:
        total = 0
        for number in range(first, last):
            tiles, tile = won[number % HANDS]
            total += HandEvaluator(tiles, []).calc(tile, [], [], riichi).ron_agari
        return total

    return [("RiichiEnv through Python", "shanten", far, 1000), ("RiichiEnv through Python", "scores", worth, 1000)]


def mahjong_hands(counts: np.ndarray, won):
    try:
        from mahjong.hand_calculating.hand import HandCalculator
        from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
        from mahjong.shanten import Shanten
    except ImportError:
        return []
    drawn = counts.tolist()
    options = OptionalRules(has_open_tanyao=True, has_aka_dora=True, has_double_yakuman=False)
    riichi = HandConfig(is_riichi=True, player_wind=27, round_wind=27, options=options)

    def far(first: int, last: int) -> int:
        return sum(Shanten.calculate_shanten(drawn[number % HANDS]) for number in range(first, last))

    def worth(first: int, last: int) -> int:
        total = 0
        for number in range(first, last):
            tiles, tile = won[number % HANDS]
            total += HandCalculator.estimate_hand_value(tiles, tile, config=riichi).cost["main"]
        return total

    return [("mahjong, plain Python", "shanten", far, 100), ("mahjong, plain Python", "scores", worth, 100)]
