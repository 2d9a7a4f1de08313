"""Single deals of mahjong, each worth the expected final rank after it: what one player gains over another in a deal.

A deal begins where one began in a match of four `rule-based`, each deal of that match as likely. The player plays it
four times, once in each seat, against three of the other, by the same wall. What a deal is worth is the expected final
rank after it by the model `final-rank`; where the match is over, the rank. The ranks of all four add up to 10, so that
2.5 is level. Points are in thousands.

    python benchmarks/single_deals.py champion+search champion --deals 4000 --seed 2026
"""

import argparse
import json
import sys
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from tefuda import games
from tefuda.contract import Game, Rules
from tefuda.engine.loops import loops_of
from tefuda.engine.seated import TABLE, VIEW, scratch, seated
from tefuda.files import policy
from tefuda.games.mahjong import MODELS
from tefuda.games.mahjong.end import rank_of
from tefuda.games.mahjong.paper.standing import FEATURES, STANDING, balanced_place, read_standing
from tefuda.games.mahjong.state import OVER, SEATS
from tefuda.intervals import interval_of
from tefuda.kernel.compile import kernel
from tefuda.kernel.random import CHECK, PLAYER, below, stream
from tefuda.kernel.threads import chunks, cores, run_chunks
from tefuda.players.entrant import Entrant
from tefuda.players.resolve import resolve

LEVEL = 2.5
PIECE = 20  # deals that a core plays at once
OPENER, MEASURED, OTHER = 0, 1, 2  # who plays matches to where deals begin, who is measured, who sits around it
RANK, POINTS, DECISIONS, SIZE = 0, 1, 2, 3  # what is noted of a deal


def deals_of(game: Game) -> Any:
    """The kernel that plays single deals."""
    loops, to_move, apply = loops_of(game), game.kernels.to_move, game.kernels.apply
    begin, ask = loops.begin, loops.ask

    def find_opening(blank, seed, number, seats, seated, tables, opening, rngs, chance, mask, worlds, numbers):
        """Leave a table in opening [1] where a deal of a match begins."""
        begin(tables, blank, rngs, seed, number)
        chance[0] = stream(seed, number, 0, CHECK)
        opening[0] = tables[TABLE]
        deals = 1
        while True:
            seat = to_move(tables[TABLE])
            before = tables[TABLE].finished
            apply(tables[TABLE], ask(tables, seat, seats[seat], seated, rngs, mask, worlds, numbers))
            if to_move(tables[TABLE]) < 0:
                return
            if tables[TABLE].finished != before:
                deals += 1
                if below(chance, deals) == 0:
                    opening[0] = tables[TABLE]

    find_opening = kernel(find_opening)

    def worth(state, seat, weights, space):
        """The expected final rank of a seat when a deal is over."""
        if state.phase == OVER:
            return 1.0 + rank_of(state, seat)
        standing, amounts, out = space[:STANDING], space[STANDING : STANDING + FEATURES], space[STANDING + FEATURES :]
        read_standing(state, standing)
        return balanced_place(weights, standing, state.rules, seat, amounts, out)

    worth = kernel(worth)

    def play(blank, seed, first, last, seating, seated, scratch, opening, chance, weights, space, results):
        """Deals first to last - 1: results [deals, 4, SIZE] of the measured player in each seat."""
        tables, rngs, mask, worlds, numbers, _ = scratch
        for number in range(first, last):
            find_opening(
                blank, seed, number, seating[4], seated, tables, opening, rngs, chance, mask, worlds, numbers
            )
            for own in range(4):
                tables[TABLE] = opening[0]
                for seat in range(4):
                    rngs[seat] = stream(seed, number, seat, PLAYER)
                decisions = 0
                while True:
                    seat = to_move(tables[TABLE])
                    if seat < 0 or tables[TABLE].finished != opening[0].finished:
                        break
                    decisions += seat == own
                    apply(tables[TABLE], ask(tables, seat, seating[own, seat], seated, rngs, mask, worlds, numbers))
                noted = results[number - first, own]
                noted[RANK] = worth(tables[TABLE], own, weights, space)
                noted[POINTS] = (tables[TABLE].points[own] - opening[0].points[own]) / 1000.0
                noted[DECISIONS] = decisions

    return kernel(play)


def measure(
    game: Game, rules: Rules, names: Sequence[str], seed: int, first: int, last: int, threads: int
) -> np.ndarray:
    """[deals, seats, SIZE] of the first player among three of the second."""
    players = [resolve(game, name, rules) for name in ("rule-based", *names)]
    seating = np.full((SEATS + 1, SEATS), OTHER)
    seating[range(SEATS), range(SEATS)] = MEASURED
    seating[SEATS] = OPENER
    weights = policy.load_model(game, "final-rank", MODELS / "final-rank.npz")
    at_table, blank, play = seated(game, players), game.blank(rules), deals_of(game)

    def work(begin: int, end: int) -> np.ndarray:
        results = np.zeros((end - begin, SEATS, SIZE))
        space = np.zeros(STANDING + FEATURES + SEATS)
        opening, chance = np.zeros(1, game.State), np.zeros(1, np.uint64)
        play(blank, seed, begin, end, seating, at_table, scratch(game, players), opening, chance, weights, space, results)
        return results

    pieces = [(first + a, first + b) for a, b in chunks(last - first, PIECE)]
    return np.concatenate([found for _, _, found in run_chunks(work, pieces, threads)])


def told(results: np.ndarray, seconds: float) -> dict[str, Any]:
    """What came of some deals."""
    ranks, points = interval_of(results[:, :, RANK].mean(1) - LEVEL), interval_of(results[:, :, POINTS].mean(1))
    return {
        "deals": len(results), "rank": ranks.data(), "rank_text": ranks.text(4), "points": points.text(3),
        "changed": float((np.abs(results[:, :, RANK].mean(1) - LEVEL) > 1e-9).mean()),
        "milliseconds_a_decision": 1000.0 * seconds / results[:, :, DECISIONS].sum(),
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("player", help="who is measured")
    parser.add_argument("other", help="who sits in the three other seats")
    parser.add_argument("--rules", default="hanchan")
    parser.add_argument("--deals", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=cores())
    parser.add_argument("--seconds", type=float, default=0, help="stop after so many, whatever the deals; 0: never")
    parser.add_argument("--out", default="", help="a file that is written anew after every few deals")
    arguments = parser.parse_args()
    game = games.find("mahjong")
    rules = game.rulebook.make(arguments.rules)
    names, began, done = (arguments.player, arguments.other), time.time(), []
    measure(game, rules, names, arguments.seed, 0, 1, 1)  # compiles
    played = time.process_time()
    print(f"compiled in {time.time() - began:.1f} s", file=sys.stderr)
    for first, last in chunks(arguments.deals, PIECE * arguments.threads):
        done.append(measure(game, rules, names, arguments.seed, first, last, arguments.threads))
        result = {"player": names[0], "other": names[1], "rules": str(rules), "seed": arguments.seed}
        result |= told(np.concatenate(done), time.process_time() - played)
        if arguments.out:
            with open(arguments.out, "w") as file:
                json.dump(result, file)
        if 0 < arguments.seconds < time.time() - began:
            break
    print(json.dumps(result))


if __name__ == "__main__":
    main()
