"""Checks of play: games end, cards and points are conserved, and the same seed gives the same games."""

from collections import Counter
from functools import cache
from typing import Any

import numpy as np

from tefuda.arena.games import PlayedDeals, Seating
from tefuda.arena.games import play as play_deals
from tefuda.conformance.study import Failed, Study, differing
from tefuda.contract import Game, Rules
from tefuda.errors import counted
from tefuda.kernel.bits import ZERO, count_words, nth_of_words
from tefuda.kernel.compile import kernel
from tefuda.kernel.random import CHECK, DEAL, below, stream
from tefuda.kernel.threads import chunks, run_chunks
from tefuda.table.table import Table

# What the loop below can find wrong at a decision.
FINE, WRONG_SEAT, TOO_LONG, NO_ACTION, BEYOND = range(5)
FAULTS = {
    WRONG_SEAT: "to_move gave {}, which is neither a seat nor -1",
    TOO_LONG: "still going after {} decisions, the most that decisions_at_most allows",
    NO_ACTION: "nothing is legal, but the game is not over",
    BEYOND: "legal sets bit {}, and there is no such action",
}


@cache
def watched_play_of(game: Game) -> Any:
    """The loop of uniformly random play that looks at every decision."""
    deal, to_move, legal, apply, scores = (
        game.kernels.deal,
        game.kernels.to_move,
        game.kernels.legal,
        game.kernels.apply,
        game.kernels.scores,
    )
    State, seats, words, size = game.State, game.seats, game.spaces.mask_words, game.spaces.actions.size

    def watched_play(blank, seed, first, last, longest, budget, results, finals, fault):
        """Play deals first to last - 1, or `budget` decisions; returns finished games and decisions.

        results [deals, seats] and finals [deals] get the scores and the last tables of finished games;
        fault [4] gets what was wrong, its deal, its decision (from 1) and the number that was wrong.
        """
        tables = np.empty(1, State)
        mask = np.empty(words, np.uint64)
        rng = np.empty(1, np.uint64)
        total = 0
        for number in range(first, last):
            tables[0] = blank[0]
            rng[0] = stream(seed, number, 0, DEAL)
            deal(tables[0], rng)
            rng[0] = stream(seed, number, 0, CHECK)
            decisions = 0
            fault[1] = number
            while True:
                seat = to_move(tables[0])
                fault[2] = decisions + 1
                if seat == -1:
                    break
                if seat < 0 or seat >= seats:
                    fault[0], fault[3] = WRONG_SEAT, seat
                    return number - first, total
                if decisions >= longest:
                    fault[0], fault[3] = TOO_LONG, decisions
                    return number - first, total
                if total >= budget:
                    return number - first, total
                for word in range(words):
                    mask[word] = ~ZERO  # what legal does not write stays wrong
                legal(tables[0], mask)
                if count_words(mask) == 0:
                    fault[0] = NO_ACTION
                    return number - first, total
                for action in range(size, 64 * words):
                    if (mask[action // 64] >> np.uint64(action % 64)) & np.uint64(1) != ZERO:
                        fault[0], fault[3] = BEYOND, action
                        return number - first, total
                apply(tables[0], nth_of_words(mask, below(rng, count_words(mask))))
                decisions += 1
                total += 1
            scores(tables[0], results[number - first])
            finals[number - first] = tables[0]
        return last - first, total

    return kernel(watched_play)


class WatchedGames:
    """Games of random play under one set of rules."""

    def __init__(self, study: Study, rules: Rules) -> None:
        game, most = study.game, study.sizes.decisions
        self.longest = game.decisions_at_most(rules)
        deals = max(1, most // 2)
        if game.State.itemsize * deals > 1 << 27:  # the last tables of all games should not fill the memory
            deals = max(1, (1 << 27) // game.State.itemsize)
        self.results = np.full((deals, game.seats), np.nan)
        self.finals = np.zeros(deals, game.State)
        self.fault = np.zeros(4, np.int64)
        study.where = f"rules {rules}, seed {study.seed}, random play from deal 0"
        finished, decisions = watched_play_of(game)(
            game.blank(rules), study.seed, 0, deals, self.longest, most, self.results, self.finals, self.fault
        )
        self.finished, self.decisions = int(finished), int(decisions)


def games_end(study: Study) -> str:
    games = decisions = 0
    for rules in study.many_rules:
        played = WatchedGames(study, rules)
        fault, deal, number, wrong = (int(each) for each in played.fault)
        if fault != FINE:
            text = FAULTS[fault].format(wrong)
            raise Failed(f"rules {rules}, seed {study.seed}, deal {deal}, decision {number}: {text}")
        games += played.finished
        decisions += played.decisions
    if games == 0:
        raise Failed(f"no game came to its end within {decisions:,} decisions")
    return f"{games:,} games, {decisions:,} decisions, {counted(len(study.many_rules), 'set')} of rules"


def scores_add_up(study: Study) -> str:
    games = 0
    sums: set[float | None] = set()
    for rules in study.many_rules:
        declared = study.game.scoring.total_under(rules)
        sums.add(declared)
        played = WatchedGames(study, rules)
        results = played.results[: played.finished]
        wrong = ~np.isfinite(results).all(axis=1)
        if declared is not None:
            wrong |= ~(np.abs(results.sum(axis=1) - declared) < 1e-6)
        if wrong.any():
            deal = int(np.flatnonzero(wrong)[0])
            expected = "numbers" if declared is None else f"a sum of {declared:g}"
            where = f"rules {rules}, seed {study.seed}, deal {deal}, at the end"
            raise Failed(f"{where}: scores are {results[deal].tolist()}, expected {expected}")
        games += played.finished
    said = sorted("any sum" if each is None else f"sum {each:g}" for each in sums)
    return f"{games:,} games, {', '.join(said)}"


def cards_are_conserved(study: Study) -> str:
    """At every decision of some games, for every seat, and after every legal action."""
    game = study.game
    looked = 0
    for rules in study.rules:
        for deal in range(study.sizes.walks):
            cards = sorted(game.checks.layout(study.dealt(rules, deal), 0).cards)
            for situation, _ in study.walk(rules, deal):
                for seat in range(game.seats):
                    _same_cards(study, situation.states, seat, cards, situation.where)
                    looked += 1
                if deal > 0 or situation.seat < 0:
                    continue
                for action in study.legal(situation.states):
                    after = situation.states.copy()
                    game.kernels.apply(after[0], action)
                    _same_cards(study, after, situation.seat, cards, f"{situation.where}, after action {action}")
                    looked += 1
    return f"{looked:,} tables"


def _same_cards(study: Study, states: np.ndarray, seat: int, cards: list[int], where: str) -> None:
    layout = study.game.checks.layout(states, seat)
    if not len(layout.cards) == len(layout.groups) == len(layout.hidden):
        raise Failed(f"{where}: the layout has {len(layout.cards)} cards, {len(layout.groups)} groups and "
                     f"{len(layout.hidden)} flags")  # fmt: skip
    if sorted(layout.cards) != cards:
        before, now = Counter(cards), Counter(layout.cards)
        lost, found = sorted((before - now).elements()), sorted((now - before).elements())
        raise Failed(f"{where}: cards {lost} are lost and {found} are too many, as the layout of seat {seat} has it")


def same_bytes(study: Study) -> str:
    """Random play twice, a match in pieces on one thread and two, and table by table in Python."""
    game, seed = study.game, study.seed
    for rules in study.rules:
        first, again = WatchedGames(study, rules), WatchedGames(study, rules)
        if first.fault[0] != FINE:  # a match might never come back
            raise Failed(f"rules {rules}: not tried, since random games do not end as they should")
        same = first.finals.tobytes() == again.finals.tobytes()
        for deal in range(0 if same else first.finished):
            if text := differing(first.finals[deal : deal + 1], again.finals[deal : deal + 1]):
                raise Failed(f"rules {rules}, seed {seed}, deal {deal}, at the end of a second run: {text}")
    rules = study.rules[0]
    entrants = study.entrants[: game.seats]
    sitting = np.array([[seat % len(entrants) for seat in range(game.seats)]])
    seating = Seating(entrants, sitting)
    deals = max(2, min(study.sizes.walks * 8, study.sizes.choices // 4))
    whole = play_deals(game, rules, seating, seed, 0, deals)
    for size, threads in ((1, 1), (max(1, deals // 3), 2)):

        def work(begin: int, end: int) -> PlayedDeals:
            with np.errstate(over="ignore"):  # threads do not inherit this from kernel/compile.py
                return play_deals(game, rules, seating, seed, begin, end)

        pieces = [played for _, _, played in run_chunks(work, chunks(deals, size), threads)]
        scores = np.concatenate([played.scores for played in pieces])
        counts = sum(played.counts for played in pieces)
        where = f"rules {rules}, seed {seed}, pieces of {size} deals on {threads} threads"
        _same_results(where, whole, PlayedDeals(scores, np.asarray(counts), sum(played.decisions for played in pieces)))
    for deal in range(min(deals, study.sizes.walks)):
        study.where = f"rules {rules}, seed {seed}, deal {deal}, a table in Python"
        table = Table(game, rules, seed, deal)
        while not table.over:
            table.apply(table.ask(entrants[sitting[0, table.to_move]]))
        if table.scores.tobytes() != whole.scores[deal, 0].tobytes():
            raise Failed(f"{study.where}: scores {table.scores.tolist()}, in the compiled loop "
                         f"{whole.scores[deal, 0].tolist()}")  # fmt: skip
    return f"random play under {counted(len(study.rules), 'set')} of rules, a match of {deals} deals cut and on threads"


def _same_results(where: str, one: PlayedDeals, two: PlayedDeals) -> None:
    for deal in range(len(one.scores)):
        if one.scores[deal].tobytes() != two.scores[deal].tobytes():
            texts = f"{one.scores[deal].tolist()} and {two.scores[deal].tolist()}"
            raise Failed(f"{where}, deal {deal}: scores in one piece and in pieces are {texts}")
    if one.decisions != two.decisions or one.counts.tobytes() != two.counts.tobytes():
        raise Failed(f"{where}: the same scores, but other statistics or another number of decisions")


def streams_differ(study: Study) -> str:
    """Equal deals of neighbours may be no more frequent than equal deals of any two: see kernel/random.py."""
    game, seed, deals = study.game, study.seed, study.sizes.deals
    rules = study.rules[0]

    def layouts(of_seed: int) -> list[tuple]:
        found = []
        for deal in range(deals + 1):
            states = game.blank(rules)
            game.kernels.deal(states[0], np.array([stream(of_seed, deal, 0, DEAL)], np.uint64))
            layout = game.checks.layout(states, 0)
            found.append((tuple(layout.cards), tuple(layout.groups)))
        return found

    own, following = layouts(seed), layouts(seed + 1)
    often = Counter(own + following)
    total = len(own) + len(following)
    if len(often) == 1:
        raise Failed(f"rules {rules}, seeds {seed} and {seed + 1}: all {total} deals are the same")
    chance = sum(times * (times - 1) for times in often.values()) / (total * (total - 1))
    limit = deals * chance + 6 * (deals * chance) ** 0.5 + 1
    pairs = {
        f"deals d of seeds {seed} and {seed + 1}": (own[:-1], following[:-1]),
        f"deals d and d + 1 of seed {seed}": (own[:-1], own[1:]),
        f"deal d + 1 of seed {seed} and deal d of seed {seed + 1}": (own[1:], following[:-1]),
        f"deal d of seed {seed} and deal d + 1 of seed {seed + 1}": (own[:-1], following[1:]),
    }
    for text, (one, two) in pairs.items():
        equal = sum(left == right for left, right in zip(one, two, strict=True))
        if equal > limit:
            raise Failed(f"rules {rules}, {text}: {equal} of {deals} are equal, by chance {deals * chance:.1f}")
    return f"{deals} deals of seeds {seed} and {seed + 1}; any two are equal by a chance of {chance:.3g}"


SLOW = 5  # a player that takes milliseconds for a decision is asked so many times less


def players_are_legal(study: Study) -> str:
    game = study.game
    asked = 0
    for rules in study.rules:
        for entrant in study.entrants:
            left, deal = study.sizes.choices // (SLOW if entrant.slow else 1), 0
            while left > 0:
                table = Table(game, rules, study.seed, deal)
                while not table.over and left > 0:
                    where = f"rules {rules}, seed {study.seed}, deal {deal}, decision {len(table.history) + 1}"
                    study.where = f"{where}, player {entrant.name}"
                    action, legal = table.ask(entrant), table.legal
                    if action not in legal:
                        raise Failed(f"{study.where}: chose {action}, and legal are {legal}")
                    table.apply(action)
                    left -= 1
                    asked += 1
                deal += 1
    if not study.entrants:
        raise Failed("the game has no players")
    names = ", ".join(entrant.name for entrant in study.entrants)
    return f"{asked:,} decisions of {names}"
