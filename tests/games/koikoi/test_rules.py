"""The rules of Koi-Koi: the engine beside the witness, many random games, and what holds at any table."""

import math
import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tefuda.engine.loops import loops_of
from tefuda.engine.seated import scratch, seated
from tefuda.games.koikoi import GAME
from tefuda.games.koikoi.cards import cards_of
from tefuda.games.koikoi.options import RULEBOOK
from tefuda.games.koikoi.state import AGARI, CALL, DRAWN, HAND, KOIKOI, MATCH, OVER
from tefuda.kernel.compile import COMPILED
from tefuda.players.resolve import resolve
from tests.games.koikoi import witness_koikoi as witness
from tests.games.koikoi.engine_table import (
    NUMBER,
    all_cards,
    any_action,
    any_rules,
    both,
    both_by,
    dealt,
    final_scores,
    legal_actions,
    members,
    pack,
    seeds,
    walk,
)

PHASES = {
    witness.PLAY: HAND,
    witness.TAKE: MATCH,
    witness.TAKE_FOR_DRAWN: DRAWN,
    witness.CALL: CALL,
    witness.OVER: OVER,
}
CHOICE = {**dict(enumerate(witness.DECK)), AGARI: witness.AGARI, KOIKOI: witness.KOIKOI}
ACTION = {choice: action for action, choice in CHOICE.items()}
kernel_test = pytest.mark.kernel
examples = settings(max_examples=40 if COMPILED else 8, deadline=None, derandomize=True, database=None)


# --- in step with the witness ---

# What should come up in the matches that are compared, since a comparison is worth no more than that.
LAST, LIMIT, DRAW, FOUR = "agari by the last card", "agari by the limit", "nobody wins", "four calls"
DEALT, DEALER = "dealt yaku", "dealer takes it"
THREE = "three at once"  # three of a month lie on the field only when they were dealt there


class Companion:
    """The witness beside a table of the engine: it gets the engine's cards and its decisions."""

    def __init__(self, states: np.ndarray, agreed: witness.Rules):
        self.states, self.agreed = states, agreed
        self.events: Counter[str] = Counter()
        self.match = witness.Match(agreed, self.deal)

    def deal(self, number: int):
        """The cards of the engine's current round."""
        state = self.states[0]
        assert state.finished == number
        cards = [witness.DECK[card] for card in state.deck[: len(pack(state))]]
        assert len(set(cards)) == len(pack(state))
        self.played: list[set[int]] = [set(), set()]  # what the engine's table remembers beside the cards
        self.passed: list[set[int]] = [set(), set()]
        hand, field = witness.PACKS[self.agreed.pack][1:3]
        return cards[:hand], cards[hand : 2 * hand], cards[2 * hand :][:field], cards[2 * hand + field :]

    def choose(self, action: int) -> None:
        match, choice = self.match, CHOICE[action]
        seat, phase, rounds = match.seat, match.phase, len(match.outcomes)
        cards_left = len(match.hands[seat])
        self.events[phase] += 1
        if phase == witness.PLAY:
            fitting = match.fitting(choice)
            self.events[THREE] += len(fitting) == 3
            self.played[seat].add(action)
            if not fitting:
                self.passed[seat] |= {4 * (other.month - 1) for other in match.field}
        match.choose(choice)
        if len(match.outcomes) > rounds:
            self.note_outcome(match.outcomes[-1], phase, cards_left)

    def note_outcome(self, outcome: witness.Outcome, phase: str, cards_left: int) -> None:
        self.events[FOUR] += max(outcome.calls) >= 4
        if outcome.winner is None:
            self.events[DRAW] += 1
        elif not outcome.yaku:
            self.events[DEALER] += 1
        elif outcome.yaku[0] in ("four of a month dealt", "four pairs dealt"):
            self.events[DEALT] += 1
        elif phase != witness.CALL:  # agari without a choice
            last = cards_left == 0 or (phase == witness.PLAY and cards_left == 1)
            self.events[LAST if last else LIMIT] += 1

    def account(self) -> dict:
        """All that both keep, as the witness has it."""
        match = self.match
        last = match.outcomes[-1] if match.outcomes else witness.Outcome(None, 0, (), (0, 0))
        return {
            "to move": -1 if match.phase == witness.OVER else match.seat,
            "legal": sorted(ACTION[choice] for choice in match.choices()),
            "phase": PHASES[match.phase],
            "hands": [{NUMBER[card] for card in hand} for hand in match.hands],
            "cards": [len(hand) for hand in match.hands],
            "piles": [{NUMBER[card] for card in pile} for pile in match.piles],
            "field": {NUMBER[card] for card in match.field},
            "waiting": NUMBER[match.waiting] if match.waiting else -1,
            "deck": [NUMBER[card] for card in reversed(match.deck)],
            "points": match.points,
            "calls": match.calls,
            "turn": match.turn,
            "dealer": match.dealer,
            "rounds": len(match.outcomes),
            "played": self.played,
            "passed": self.passed,
            "scores": match.scores,
            "winner": -1 if last.winner is None else last.winner,
            "paid": last.paid,
            "yaku": {witness.YAKU.index(name) for name in last.yaku},
            "called": list(last.calls),
        }

    def engine_account(self) -> dict:
        """The same, as the engine has it."""
        state = self.states[0]
        return {
            "to move": int(GAME.kernels.to_move(state)),
            "legal": legal_actions(self.states),
            "phase": int(state.phase),
            "hands": [set(cards_of(hand)) for hand in state.hand],
            "cards": state.cards.tolist(),
            "piles": [set(cards_of(pile)) for pile in state.pile],
            "field": set(cards_of(state.field)),
            "waiting": int(state.card),
            "deck": state.deck[state.next : len(pack(state))].tolist(),
            "points": state.points.tolist(),
            "calls": state.calls.tolist(),
            "turn": int(state.turn),
            "dealer": int(state.dealer),
            "rounds": int(state.finished),
            "played": [set(cards_of(played)) for played in state.played],
            "passed": [set(members(passed)) for passed in state.passed],
            "scores": final_scores(self.states),
            "winner": int(state.won),
            "paid": int(state.paid),
            "yaku": set(members(state.yaku)),
            "called": state.called.tolist(),
        }


def in_step(blank, agreed, seed: int, koikoi: float, most: int) -> Counter[str]:
    """A match, or its first `most` decisions, on the engine and on the witness; gives what came up."""
    states = dealt(blank, seed)
    companion = Companion(states, agreed)
    chance = random.Random(seed)
    history: list[int] = []
    while True:
        ours, theirs = companion.engine_account(), companion.account()
        if ours != theirs:
            wrong = {key: (ours[key], theirs[key]) for key in ours if ours[key] != theirs[key]}
            pytest.fail(f"after {history} of deal {seed} the engine and the witness differ: {wrong}")
        if not ours["legal"] or len(history) == most:
            return companion.events
        history.append(any_action(states, chance, koikoi))
        GAME.kernels.apply(states[0], history[-1])
        companion.choose(history[-1])


IN_STEP = [
    # preset, changed options, how often koi-koi is called, what must have come up
    ("paper", ["rounds=6"], 0.7, [LAST, DRAW, THREE]),
    ("paper", ["rounds=6"], 1.0, [LAST, DRAW, THREE]),
    ("nintendo", [], 0.7, [LIMIT, DRAW]),
    ("bonus", [], 1.0, [LAST, DEALER, FOUR, THREE]),
    ("bonus", ["next_dealer=winner-or-other"], 0.9, [DEALER]),
    ("paper", ["rounds=6", "koikoi_limit=3", "next_dealer=alternate"], 0.9, [LIMIT]),
    ("paper", ["rounds=90", "teshi=points", "kuttsuki=points", "field=four"], 0.2, [DEALT]),
    ("nintendo", ["rounds=90", "teshi=points", "kuttsuki=points", "next_dealer=alternate"], 0.2, [DEALT]),
    ("nintendo", ["extras=both", "exhausted=2", "koikoi_limit=0", "field=never"], 0.8, [DEALER]),
    ("nintendo", ["koikoi_limit=2", "extras=with", "koikoi_points=yes", "teshi=play"], 0.9, [LIMIT]),
    ("bonus", ["sake=5", "sake_after_koikoi=2", "next_dealer=winner-or-other", "exhausted=0"], 0.8, [DRAW]),
    ("bonus", ["double_seven=yes", "double_koikoi=yes", "extras=instead", "kuttsuki=redeal"], 1.0, [FOUR]),
    ("paper", ["rounds=90", "pack=small"], 0.7, [LAST, THREE]),
]
DECISIONS = 2_000 if COMPILED else 150  # at least so many for each line


@pytest.mark.slow
@kernel_test
@pytest.mark.parametrize(("preset", "changes", "koikoi", "required"), IN_STEP)
def test_engine_and_witness_stay_in_step(preset, changes, koikoi, required):
    """The same decisions lead to the same table, every time."""
    blank, agreed = both(preset, changes)
    events: Counter[str] = Counter()
    seed = 0
    while sum(events[phase] for phase in PHASES) < DECISIONS:
        events += in_step(blank, agreed, seed, koikoi, most=10**6 if COMPILED else DECISIONS)
        seed += 1
    if COMPILED:
        needed = [*required, witness.PLAY, witness.TAKE, witness.TAKE_FOR_DRAWN, witness.CALL]
        assert min(events[event] for event in needed) > 0, events


@pytest.mark.full
@settings(max_examples=1000, deadline=None, derandomize=True, database=None)
@given(any_rules(), seeds, st.sampled_from([0.2, 0.7, 1.0]))
def test_engine_and_witness_stay_in_step_under_any_rules(chosen, seed, koikoi):
    in_step(*both_by(chosen), seed, koikoi, most=10**6)


# --- many random games ---

ENGINE_GAMES = 1_000_000 if COMPILED else 300
WITNESS_GAMES = 60_000 if COMPILED else 2_000


@pytest.fixture(scope="module")
def random_results():
    """The first seat's points in random games with agari at every chance: the engine's and the witness's."""
    players = [resolve(GAME, "random/always-stop")]
    results = np.zeros((ENGINE_GAMES, 1, 2))
    decisions = loops_of(GAME).play_deals(
        GAME.blank(RULEBOOK.make("paper")), 1, 0, ENGINE_GAMES, np.array([[0, 0]]),
        seated(GAME, players), scratch(GAME, players), results, np.zeros((0, 1), np.int64),
    )  # fmt: skip
    assert (results.sum(axis=2) == 0).all()
    assert 8 * ENGINE_GAMES < decisions < GAME.checks.longest * ENGINE_GAMES
    return results[:, 0, 0], np.array(witness.random_games(WITNESS_GAMES, seed=1))


def distance(first: np.ndarray, second: np.ndarray) -> float:
    """How many standard errors two means are apart."""
    error = math.sqrt(first.var() / len(first) + second.var() / len(second))
    return abs(first.mean() - second.mean()) / error


@pytest.mark.slow
def test_random_games_agree_in_the_mean(random_results):
    engine, plain = random_results
    assert distance(engine, plain) < 4


@pytest.mark.slow
def test_random_games_agree_in_the_rates_of_draws_and_wins(random_results):
    engine, plain = random_results
    for outcome in (lambda points: points == 0, lambda points: points > 0, lambda points: points >= 7):
        assert distance(outcome(engine), outcome(plain)) < 4


@pytest.mark.slow
def test_random_games_agree_in_every_result(random_results):
    """The first seat's points one by one, as far as they are frequent enough to compare."""
    engine, plain = random_results
    values = [value for value in range(-30, 31) if (plain == value).sum() >= 30 and (engine == value).any()]
    assert len(values) >= (15 if COMPILED else 5)
    for value in values:
        assert distance(engine == value, plain == value) < 4.5, value


@pytest.mark.slow
@kernel_test
@examples
@given(any_rules(), seeds)
def test_cards_are_conserved(chosen, seed):
    for states in walk(GAME.blank(chosen), seed):
        state = states[0]
        assert sorted(all_cards(state)) == pack(state)
        assert [len(cards_of(hand)) for hand in state.hand] == state.cards.tolist()
        assert sorted(GAME.checks.layout(states, 0).cards) == pack(state)


@kernel_test
@examples
@given(any_rules(), seeds, st.sampled_from([0.0, 0.5, 1.0]))
def test_rounds_end_and_the_scores_sum_to_zero(chosen, seed, koikoi):
    in_round, rounds, before = 0, 0, [0, 0]
    for states in walk(GAME.blank(chosen), seed, koikoi):
        state = states[0]
        scores = final_scores(states)
        assert sum(scores) == 0
        assert 0 <= state.turn <= 16
        if state.finished > rounds:  # the round's payment is what the scores have moved by
            winner = int(state.won)
            gained = [now - then for now, then in zip(scores, before, strict=True)]
            assert gained == ([0, 0] if winner < 0 else [state.paid, -state.paid][:: 1 - 2 * winner])
            in_round, rounds, before = 0, rounds + 1, scores
        else:
            assert scores == before
            in_round += 1
        assert state.finished == rounds
        assert in_round <= GAME.checks.longest
    assert rounds == chosen.values["rounds"]
    assert GAME.kernels.to_move(states[0]) == -1
    assert legal_actions(states) == []


@kernel_test
@examples
@given(st.sampled_from(["winner", "winner-or-other", "alternate"]), seeds, st.sampled_from([0.0, 1.0]))
def test_the_next_dealer_is_the_one_whom_the_option_names(next_dealer, seed, koikoi):
    chosen = RULEBOOK.make("paper", ["rounds=8" if COMPILED else "rounds=3", f"next_dealer={next_dealer}"])
    dealer, rounds = 0, 0
    for states in walk(GAME.blank(chosen), seed, koikoi):
        state = states[0]
        if state.finished > rounds and GAME.kernels.to_move(state) >= 0:
            rounds += 1
            if next_dealer == "alternate":
                dealer = 1 - dealer
            elif state.won >= 0:
                dealer = int(state.won)
            elif next_dealer == "winner-or-other":
                dealer = 1 - dealer
            assert GAME.kernels.to_move(state) == dealer
        assert state.dealer == dealer
    assert rounds == chosen.values["rounds"] - 1


@kernel_test
@examples
@given(seeds, st.sampled_from(["paper", "nintendo"]))
def test_the_cards_of_a_round_depend_on_its_number_alone(seed, preset):
    """However the rounds before were played."""
    blank = GAME.blank(RULEBOOK.make(preset, ["rounds=3"]))
    seen = []
    for koikoi in (0.0, 1.0):
        decks = {}
        for states in walk(blank, seed, koikoi):
            decks[int(states[0].finished)] = states[0].deck.tolist()
        seen.append(decks)
    assert seen[0][0] == seen[1][0]
    assert seen[0][2] == seen[1][2]
    assert seen[0][0] != seen[0][1] != seen[0][2]
