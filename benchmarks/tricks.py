"""Speed of trick-taking and Hearts through the contract, beside OpenSpiel's Hearts.

OpenSpiel is measured twice: played through its Python interface, and by itself, in C++ alone, where one simulation of
its search bot makes many random rollouts of the same deal.
"""

import random
import time

from measure import Rate, core_counts, matches, matches_on_cuda, playouts, playouts_on_cuda, rate

from tefuda.errors import Problem
from tefuda.games.tricks import GAME
from tefuda.learn.q_learning import Arguments, QLearning
from tefuda.players.resolve import resolve
from tefuda.table.table import Table

HEARTS = GAME.rulebook.make("hearts")
PLAIN = GAME.rulebook.make("plain")
ROLLOUTS = 20_000  # of OpenSpiel in one call
DECISIONS = 52  # of a deal without passing
CUDA_DEALS = 1 << 22  # of plain playouts in one launch
CUDA_MATCH_DEALS = 1 << 18


def run(device: str, seconds: float, threads: int | None) -> list[Rate]:
    """All measurements; OpenSpiel through Python is the baseline, where it is installed."""
    rows = open_spiel(seconds)
    baseline = rows[0] if rows else None

    def add(what: str, figure: float, unit: str) -> Rate:
        found = Rate(what, figure, unit)
        rows.append(found.against(baseline) if baseline and unit == "decisions" else found)
        return found

    for rules in (HEARTS, PLAIN):
        games, decisions = playouts(GAME, rules, seconds)
        first = add(f"random playouts, {rules}, one core", decisions, "decisions")
        add(f"random playouts, {rules}, one core", games, "games")
        baseline = baseline or first
    for name in ("random", "rule-based", "q-linear", "q-linear-averaged"):
        for count, where in core_counts(threads):
            games, decisions = matches(GAME, HEARTS, name, seconds, count)
            add(f"{name}, hearts, {where}", decisions, "decisions")
            add(f"{name}, hearts, {where}", games, "games")
    for rules in (PLAIN, HEARTS):
        rows.append(training(rules))
        rows.append(searching(rules, seconds))
    if device == "cuda":
        for rules in (HEARTS, PLAIN):
            games, decisions = playouts_on_cuda(GAME, rules, seconds, CUDA_DEALS)
            add(f"random playouts, {rules}, GPU", decisions, "decisions")
            add(f"random playouts, {rules}, GPU", games, "games")
        base = add("random, hearts, one core", matches(GAME, HEARTS, "random", seconds, 1)[0], "games")
        names = (
            ("random", CUDA_MATCH_DEALS), ("rule-based", CUDA_MATCH_DEALS), ("q-linear", CUDA_MATCH_DEALS),
            ("q-linear-averaged", CUDA_MATCH_DEALS // 4), ("pimc/worlds=10", CUDA_MATCH_DEALS // 32),
        )  # fmt: skip
        rows += matches_on_cuda(GAME, HEARTS, names, seconds, base)
    return rows


def open_spiel(seconds: float) -> list[Rate]:
    """Hearts without passing, at random, by OpenSpiel: through Python, then in C++ alone."""
    try:
        import pyspiel
    except ImportError:
        return []
    game = pyspiel.load_game("hearts(pass_cards=false)")
    luck = random.Random(1)

    def dealt():
        state = game.new_initial_state()
        state.apply_action(0)  # the direction of the pass that is not made
        while state.is_chance_node():
            state.apply_action(luck.choice(state.legal_actions()))
        return state

    start = dealt()

    def through_python(first: int, last: int) -> int:
        for _ in range(first, last):
            state = start.clone()
            while not state.is_terminal():
                state.apply_action(luck.choice(state.legal_actions()))
        return DECISIONS * (last - first)

    python = Rate("OpenSpiel through Python, hearts", rate(through_python, seconds, 20)[1], "decisions")
    evaluator = pyspiel.RandomRolloutEvaluator(ROLLOUTS, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, 1, 1000, False, 1, False)

    def alone(first: int, last: int) -> int:
        for _ in range(first, last):
            bot.step(start)
        return ROLLOUTS * DECISIONS * (last - first)

    return [python, Rate("OpenSpiel in C++ alone, hearts", rate(alone, seconds, 1)[1], "decisions").against(python)]


def training(rules) -> Rate:
    """Self-play by Q-learning as in the paper."""
    learner = QLearning(GAME, rules, Arguments(), 1)
    learner.advance(200)
    began = time.perf_counter()
    learner.advance(10_000)
    return Rate(f"Q-learning by self-play, {rules}, one core", 10_000 / (time.perf_counter() - began), "games")


def searching(rules, seconds: float) -> Rate:
    """Decisions of the search player as it is by default, at every table of some games with more than one choice."""
    player, other = resolve(GAME, "pimc", rules), resolve(GAME, "rule-based", rules)
    spent, made, deal = 0.0, 0, 0
    while spent < seconds:
        table = Table(GAME, rules, 1, deal)
        deal += 1
        while not table.over:
            if len(table.legal) > 1 and table.to_move == 0:
                began = time.perf_counter()
                action = table.ask(player)
                spent += time.perf_counter() - began if deal > 1 else 0.0  # the first deal warms up
                made += deal > 1
            else:
                action = table.ask(other)
            table.apply(action)
    if not made:
        raise Problem("no decision was measured: give --seconds more")
    return Rate(f"pimc, {rules}, one core", made / spent, "decisions of choice")
