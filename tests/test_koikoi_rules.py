"""The rules of Koi-Koi: the engine beside the witness, many random games, and what holds at any table."""

import math
import random
from collections import Counter
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
import witness_koikoi as witness
from hypothesis import given, settings
from hypothesis import strategies as st

from tefuda.engine.loops import loops_of
from tefuda.games.koikoi import GAME, rules, yaku
from tefuda.games.koikoi.cards import CARDS, cards_of, mask_of
from tefuda.games.koikoi.options import RULEBOOK
from tefuda.kernel.compile import COMPILED, hash_of_sources, kernel
from tefuda.kernel.random import CHECK, DEAL, stream

HERE = hash_of_sources(Path(__file__).parent)  # kernels of the tests are compiled again when the tests change
PHASES = {
    witness.PLAY: rules.HAND,
    witness.TAKE: rules.MATCH,
    witness.TAKE_FOR_DRAWN: rules.DRAWN,
    witness.CALL: rules.CALL,
    witness.OVER: rules.OVER,
}
NUMBER = {card: number for number, card in enumerate(witness.DECK)}  # the engine's number of each card
CHOICE = {**dict(enumerate(witness.DECK)), rules.AGARI: witness.AGARI, rules.KOIKOI: witness.KOIKOI}
ACTION = {choice: action for action, choice in CHOICE.items()}

kernel_test = pytest.mark.kernel
examples = settings(max_examples=40 if COMPILED else 8, deadline=None, derandomize=True, database=None)


# --- a table of the engine, spoken to from Python ---


def both(preset: str, changes=()):
    """The same rules for the engine, as an empty table, and for the witness."""
    chosen = RULEBOOK.make(preset, changes)
    texts = {option.key: option.text(chosen.values[option.key]) for option in RULEBOOK.options}
    return GAME.blank(chosen), witness.rules_of(texts)


def dealt(blank: np.ndarray, seed: int) -> np.ndarray:
    """A fresh table."""
    states = blank.copy()
    GAME.kernels.deal(states[0], np.array([stream(seed, 0, 0, DEAL)], np.uint64))
    return states


def members(mask) -> list[int]:
    return [index for index in range(64) if int(mask) >> index & 1]


def legal_actions(states: np.ndarray) -> list[int]:
    mask = np.zeros(GAME.spaces.mask_words, np.uint64)
    GAME.kernels.legal(states[0], mask)
    return members(mask[0])


def any_action(states: np.ndarray, chance: random.Random, koikoi: float = 0.7) -> int:
    """A random decision that calls koi-koi rather often, so that long rounds come up."""
    actions = legal_actions(states)
    if rules.KOIKOI in actions:
        return rules.KOIKOI if chance.random() < koikoi else rules.AGARI
    return chance.choice(actions)


def walk(blank: np.ndarray, seed: int, koikoi: float = 0.7):
    """The table before and after every decision of a random match; it is the same array all the time."""
    states = dealt(blank, seed)
    chance = random.Random(seed)
    yield states
    while GAME.kernels.to_move(states[0]) >= 0:
        GAME.kernels.apply(states[0], any_action(states, chance, koikoi))
        yield states


def final_scores(states: np.ndarray) -> list[float]:
    out = np.zeros(2)
    GAME.kernels.scores(states[0], out)
    return out.tolist()


# --- in step with the witness ---

# What should come up in the matches that are compared, since a comparison is worth no more than that.
LAST, LIMIT, DRAW, FOUR = "agari by the last card", "agari by the limit", "nobody wins", "four calls"
DEALT, DEALER = "dealt yaku", "dealer takes it"
THREE = "three at once"  # three of a month lie on the field only when they were dealt there


class Companion:
    """The witness beside a table of the engine: it gets the engine's cards and its decisions."""

    def __init__(self, states: np.ndarray, agreed: witness.Rules):
        self.states = states
        self.events: Counter[str] = Counter()
        self.match = witness.Match(agreed, self.deal)

    def deal(self, number: int):
        """The cards of the engine's current round."""
        state = self.states[0]
        assert state.finished == number
        cards = [witness.DECK[card] for card in state.deck]
        assert len(set(cards)) == 48
        self.played: list[set[int]] = [set(), set()]  # what the engine's table remembers beside the cards
        self.passed: list[set[int]] = [set(), set()]
        return cards[:8], cards[8:16], cards[16:24], cards[24:]

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
            "deck": state.deck[state.next :].tolist(),
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
]
DECISIONS = 2_000 if COMPILED else 150  # at least so many for each line


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


# --- many random games ---

ENGINE_GAMES = 1_000_000 if COMPILED else 300
WITNESS_GAMES = 120_000 if COMPILED else 2_000


@pytest.fixture(scope="module")
def random_results():
    """The first seat's points in random games with agari at every chance: the engine's and the witness's."""
    policy = GAME.players.policies[GAME.players.index("random")]
    params = policy.parameters("always-stop", np.zeros(0))
    results = np.zeros((ENGINE_GAMES, 1, 2))
    decisions = loops_of(GAME).play_deals(
        GAME.blank(RULEBOOK.make("paper")), 1, 0, ENGINE_GAMES, np.array([[0, 0]]),
        np.array([GAME.players.index("random")]), np.array([0, len(params)]), params, results,
        np.zeros((0, 1), np.int64),
    )  # fmt: skip
    assert (results.sum(axis=2) == 0).all()
    assert 8 * ENGINE_GAMES < decisions < GAME.checks.longest * ENGINE_GAMES
    return results[:, 0, 0], np.array(witness.random_games(WITNESS_GAMES, seed=1))


def distance(first: np.ndarray, second: np.ndarray) -> float:
    """How many standard errors two means are apart."""
    error = math.sqrt(first.var() / len(first) + second.var() / len(second))
    return abs(first.mean() - second.mean()) / error


def test_random_games_agree_in_the_mean(random_results):
    engine, plain = random_results
    assert distance(engine, plain) < 4


def test_random_games_agree_in_the_rates_of_draws_and_wins(random_results):
    engine, plain = random_results
    for outcome in (lambda points: points == 0, lambda points: points > 0, lambda points: points >= 7):
        assert distance(outcome(engine), outcome(plain)) < 4


def test_random_games_agree_in_every_result(random_results):
    """The first seat's points one by one, as far as they are frequent enough to compare."""
    engine, plain = random_results
    values = [value for value in range(-30, 31) if (plain == value).sum() >= 30 and (engine == value).any()]
    assert len(values) >= (15 if COMPILED else 5)
    for value in values:
        assert distance(engine == value, plain == value) < 4.5, value


# --- what must hold at any table ---


def any_rules(most_rounds: int = 3):
    """Any value of any option; matches stay short."""
    values = {}
    for option in RULEBOOK.options:
        if option.values is not None:
            values[option.key] = st.sampled_from(list(option.values))
        else:
            highest = most_rounds if option.key == "rounds" else option.high
            values[option.key] = st.integers(option.low, highest).map(str)
    return st.fixed_dictionaries(values).map(
        lambda texts: RULEBOOK.make("paper", [f"{key}={text}" for key, text in texts.items()])
    )


seeds = st.integers(0, 2**32 - 1)


def all_cards(state) -> list[int]:
    """Every card of a table, from wherever it lies."""
    found = [card for mask in (*state.hand, *state.pile, state.field) for card in cards_of(mask)]
    return found + ([int(state.card)] if state.card >= 0 else []) + state.deck[state.next :].tolist()


@kernel_test
@examples
@given(any_rules(), seeds)
def test_cards_are_conserved(chosen, seed):
    for states in walk(GAME.blank(chosen), seed):
        state = states[0]
        assert sorted(all_cards(state)) == list(range(CARDS))
        assert [len(cards_of(hand)) for hand in state.hand] == state.cards.tolist()
        assert sorted(GAME.checks.layout(states, 0).cards) == list(range(CARDS))


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


# --- what a seat cannot know ---


def hidden(states: np.ndarray, seat: int) -> np.ndarray:
    """A seat's view."""
    view = states.copy()
    GAME.kernels.hide(view[0], seat)
    return view


def contents(states: np.ndarray) -> list[bytes]:
    """Every byte of a table, field by field: the gaps between the fields mean nothing."""
    return [states[name].tobytes() for name in GAME.State.names]


def observation(states: np.ndarray, seat: int) -> list[float]:
    out = np.zeros(GAME.spaces.observation.size, np.float32)
    GAME.kernels.observe(states[0], seat, out)
    return out.tolist()


def swap_what_is_hidden(states: np.ndarray, seat: int, chance: random.Random) -> np.ndarray:
    """Another table that looks the same to a seat: other cards in the other hand and the deck, other keys."""
    swapped = states.copy()
    state = swapped[0]
    visible = {card for mask in (state.hand[seat], *state.pile, state.field) for card in cards_of(mask)}
    unseen = [card for card in range(CARDS) if card not in visible and card != state.card]
    chance.shuffle(unseen)
    held = int(state.cards[1 - seat])
    state.hand[1 - seat] = mask_of(*unseen[:held])
    state.deck[state.next :] = unseen[held:]
    state.deck[: state.next] = [chance.randrange(CARDS) for _ in range(state.next)]
    state.key[0] = chance.getrandbits(64)
    state.shuffle[0] = chance.getrandbits(64)
    return swapped


@kernel_test
@examples
@given(any_rules(most_rounds=2), seeds)
def test_hide_removes_all_that_a_seat_cannot_see(chosen, seed):
    chance = random.Random(seed)
    for states in walk(GAME.blank(chosen), seed):
        for seat in (0, 1):
            view = hidden(states, seat)
            assert view[0].hand[1 - seat] == 0
            assert view[0].key[0] == 0
            assert view[0].shuffle[0] == 0
            assert set(view[0].deck.tolist()) == {rules.UNKNOWN}
            assert contents(view) == contents(hidden(swap_what_is_hidden(states, seat, chance), seat))


@kernel_test
@examples
@given(any_rules(most_rounds=2), seeds)
def test_a_view_still_shows_all_that_a_seat_can_see(chosen, seed):
    """The observation and the legal actions are those of the table, and so is every visible field."""
    for states in walk(GAME.blank(chosen), seed):
        for seat in (0, 1):
            view = hidden(states, seat)
            assert observation(view, seat) == observation(states, seat)
            assert view[0].hand[seat] == states[0].hand[seat]
            for name in GAME.State.names:
                if name not in ("hand", "key", "shuffle", "deck"):
                    assert view[name].tobytes() == states[name].tobytes(), name
            if GAME.kernels.to_move(states[0]) == seat:
                assert legal_actions(view) == legal_actions(states)


def dealt_hand(state, seat: int) -> list[witness.Card]:
    """The cards that a seat was dealt in this round."""
    return [witness.DECK[card] for card in cards_of(state.hand[seat] | state.played[seat])]


@kernel_test
@examples
@given(any_rules(most_rounds=2), seeds)
def test_guess_fills_the_blanks_and_nothing_else(chosen, seed):
    chance = random.Random(seed)
    texts = {option.key: option.text(chosen.values[option.key]) for option in RULEBOOK.options}
    agreed = witness.rules_of(texts)
    for states in walk(GAME.blank(chosen), seed):
        if GAME.kernels.to_move(states[0]) < 0:
            return
        for seat in (0, 1):
            assert GAME.checks.allowed(states, seat)  # what is really there must be possible
            view = hidden(states, seat)
            guessed = view.copy()
            GAME.kernels.guess(guessed[0], seat, np.array([chance.getrandbits(64)], np.uint64))
            assert contents(hidden(guessed, seat)) == contents(view)
            assert sorted(all_cards(guessed[0])) == list(range(CARDS))
            assert len(cards_of(guessed[0].hand[1 - seat])) == states[0].cards[1 - seat]
            assert GAME.checks.allowed(guessed, seat)
            if states[0].turn > 0:  # then no hand has ended or repeated the deal
                hand = dealt_hand(guessed[0], 1 - seat)
                assert agreed.teshi == "play" or not witness.has_teshi(hand)
                assert agreed.kuttsuki == "play" or not witness.has_kuttsuki(hand)


@kernel_test
@examples
@given(any_rules(most_rounds=2), seeds)
def test_a_guessed_table_can_be_played_to_its_end(chosen, seed):
    chance = random.Random(seed)
    for number, states in enumerate(walk(GAME.blank(chosen), seed)):
        seat = GAME.kernels.to_move(states[0])
        if seat >= 0 and number % 7 == 0:
            world = hidden(states, seat)
            GAME.kernels.guess(world[0], seat, np.array([chance.getrandbits(64)], np.uint64))
            while GAME.kernels.to_move(world[0]) >= 0:
                GAME.kernels.apply(world[0], any_action(world, chance))
            assert sum(final_scores(world)) == 0
            assert sorted(all_cards(world[0])) == list(range(CARDS))


def _guess_many(view, seat, rng, number, world, in_hand, drawn_next):
    """Count, over many guesses, which cards the other holds and which comes next from the deck."""
    for _ in range(number):
        world[0] = view[0]
        rules.guess(world[0], seat, rng)
        for card in range(CARDS):
            if (world[0].hand[1 - seat] >> np.uint64(card)) & np.uint64(1) != np.uint64(0):
                in_hand[card] += 1
        drawn_next[world[0].deck[world[0].next]] += 1


guess_many = kernel(_guess_many, HERE)


@kernel_test
@pytest.mark.parametrize("decisions", [0, 3, 9])
def test_guess_is_uniform(decisions):
    """Every unseen card is as often in the other hand as any other, and as often the next of the deck."""
    number = 100_000 if COMPILED else 400
    blank = GAME.blank(RULEBOOK.make("paper", ["teshi=play"]))
    states = next(islice(walk(blank, 5, koikoi=1.0), decisions, None))
    seat = int(GAME.kernels.to_move(states[0]))
    view = hidden(states, seat)
    in_hand, drawn_next = np.zeros((2, CARDS), np.int64)
    rng = np.array([stream(3, decisions, 0, CHECK)], np.uint64)
    guess_many(view, seat, rng, number, view.copy(), in_hand, drawn_next)
    unseen = cards_of(rules.unseen(view[0], seat))
    share = int(view[0].cards[1 - seat]) / len(unseen)
    freedom = len(unseen) - 1
    for counts, part in ((in_hand, share), (drawn_next, 1 / len(unseen))):
        assert counts.sum() == counts[unseen].sum()
        assert counts.sum() == pytest.approx(number * part * len(unseen))
        # Drawn without putting back, the counts hang together; this factor makes it a chi-square.
        variance = number * part * (1 - part) * len(unseen) / freedom
        chi_square = ((counts[unseen] - number * part) ** 2 / variance).sum()
        assert abs(chi_square - freedom) < 4 * math.sqrt(2 * freedom)


# --- the deal ---


def _deal_many(blank, table, seed, hands, fields, phases, seats, places):
    """Many first deals: the sets, the phase, who is to move, and where in the deck each card came to lie."""
    rng = np.zeros(1, np.uint64)
    for i in range(hands.shape[0]):
        table[0] = blank[0]
        rng[0] = stream(seed, i, 0, DEAL)
        rules.deal(table[0], rng)
        hands[i, 0] = table[0].hand[0]
        hands[i, 1] = table[0].hand[1]
        fields[i] = table[0].field
        phases[i] = table[0].phase
        seats[i] = table[0].seat
        for place in range(CARDS):
            places[place, table[0].deck[place]] += 1


deal_many = kernel(_deal_many, HERE)


def many_deals(number: int, changes):
    """Many deals under the paper's rules with changes: hands, fields, phases, seats, places, the rules."""
    blank, agreed = both("paper", changes)
    hands, fields = np.zeros((number, 2), np.uint64), np.zeros(number, np.uint64)
    phases, seats = np.zeros((2, number), np.int64)
    places = np.zeros((CARDS, CARDS), np.int64)
    deal_many(blank, blank.copy(), 17, hands, fields, phases, seats, places)
    return hands, fields, phases, seats, places, agreed


def cards_in(masks: np.ndarray) -> list[list[witness.Card]]:
    """Sets of the engine as cards of the witness."""
    return [[card for card in witness.DECK if mask >> NUMBER[card] & 1] for mask in masks.tolist()]


def test_every_card_comes_to_every_place():
    number = 200_000 if COMPILED else 500
    places = many_deals(number, ["teshi=play"])[4]
    expected = number / CARDS
    for place in range(rules.TURNED):
        chi_square = ((places[place] - expected) ** 2 / expected).sum()
        assert chi_square < CARDS - 1 + 4.5 * math.sqrt(2 * (CARDS - 1)), place
    assert (places.sum(axis=0) == number).all()


def sets_without_three_of_a_month(size: int) -> int:
    """How many sets of so many cards there are: the product of (1 + 4x + 6x²) over the months."""
    ways = [1] + [0] * size
    for _ in range(12):
        one_less, two_less = [0, *ways], [0, 0, *ways]
        ways = [ways[n] + 4 * one_less[n] + 6 * two_less[n] for n in range(size + 1)]
    return ways[size]


def test_rare_deals_are_as_frequent_as_they_should_be():
    """Without redeals: four of a month or four pairs in a hand, three or four of a month on the field."""
    number = 50_000 if COMPILED else 500
    hands, fields, *_ = many_deals(number, ["teshi=play"])
    first, second, field = cards_in(hands[:, 0]), cards_in(hands[:, 1]), cards_in(fields)
    sets = math.comb(48, 8)
    four = (12 * math.comb(44, 4) - math.comb(12, 2)) / sets
    pairs = math.comb(12, 4) * 6**4 / sets
    three = 1 - sets_without_three_of_a_month(8) / sets
    for probability, happened in (
        (four, map(witness.has_teshi, first)),
        (four, map(witness.has_teshi, second)),
        (four, map(witness.has_teshi, field)),
        (pairs, map(witness.has_kuttsuki, first)),
        (pairs, map(witness.has_kuttsuki, second)),
        (three, (max(witness.months_held(cards)) >= 3 for cards in field)),
    ):
        error = math.sqrt(probability * (1 - probability) / number)
        assert abs(sum(happened) / number - probability) < 4 * error


@kernel_test
@pytest.mark.parametrize(
    "changes",
    [
        ["teshi=redeal"],
        ["teshi=play", "kuttsuki=redeal"],
        ["teshi=play", "field=four"],
        ["teshi=play", "field=three"],
        ["teshi=points", "kuttsuki=points"],
        ["teshi=points", "kuttsuki=redeal", "field=three"],
        ["teshi=redeal", "kuttsuki=points", "field=four"],
    ],
)
def test_deals_hold_to_the_options(changes):
    """What the rules deal again never comes, all else does, and a hand that is paid comes to its call."""
    number = 12_000 if COMPILED else 300
    hands, fields, phases, seats, _, agreed = many_deals(number, changes)
    cards = cards_in(hands[:, 0]), cards_in(hands[:, 1]), cards_in(fields)
    seen: Counter[str] = Counter()
    for first, second, field, phase, seat in zip(*cards, phases, seats, strict=True):
        assert not witness.must_redeal(first, second, field, agreed)
        holders = [owner for owner, hand in enumerate((first, second)) if witness.paid_at_once(hand, agreed)]
        assert phase == (rules.CALL if holders else rules.HAND)
        assert seat == (holders[0] if holders else 0)
        seen["teshi"] += witness.has_teshi(first) or witness.has_teshi(second)
        seen["kuttsuki"] += witness.has_kuttsuki(first) or witness.has_kuttsuki(second)
        seen["field of three"] += max(witness.months_held(field)) == 3
        seen["field of four"] += max(witness.months_held(field)) == 4
    if COMPILED:
        for event, comes in (
            ("teshi", agreed.teshi != "redeal"),
            ("kuttsuki", agreed.kuttsuki != "redeal"),
            ("field of three", agreed.field != "three"),
            ("field of four", agreed.field == "never"),
        ):
            assert seen[event] > 15 if comes else seen[event] == 0, seen


@pytest.mark.skipif(not COMPILED, reason="so rare a deal needs more deals than uncompiled code can make")
def test_two_hands_that_would_both_be_paid_are_dealt_again():
    """It would come up once in 40,000 deals."""
    hands = many_deals(500_000, ["teshi=points"])[0]
    teshi = np.zeros(hands.shape, bool)
    for month in range(12):
        teshi |= (hands >> np.uint64(4 * month)) & np.uint64(15) == 15
    assert teshi.any(axis=0).all()
    assert not teshi.all(axis=1).any()


def tables_with_a_dealt_yaku(changes, most: int):
    """Fresh tables at which somebody was dealt what is paid."""
    blank = GAME.blank(RULEBOOK.make("paper", changes))
    found = 0
    for seed in range(20_000):
        states = dealt(blank, seed)
        if states[0].phase == rules.CALL:
            yield states
            found += 1
            if found == most:
                return
    pytest.fail(f"only {found} such deals")


@kernel_test
@pytest.mark.parametrize(("option", "which"), [("teshi", yaku.TESHI), ("kuttsuki", yaku.KUTTSUKI)])
def test_a_dealt_yaku_pays_six_points(option, which):
    """Its holder can only take them; they are neither doubled nor raised, and the holder deals next."""
    changes = ["teshi=play", f"{option}=points", "rounds=2", "double_seven=yes", "koikoi_points=yes"]
    holders = set()
    for states in tables_with_a_dealt_yaku(changes, 12 if COMPILED else 2):
        holder = int(GAME.kernels.to_move(states[0]))
        holders.add(holder)
        hand = dealt_hand(states[0], holder)
        assert witness.has_teshi(hand) if option == "teshi" else witness.has_kuttsuki(hand)
        assert legal_actions(states) == [rules.AGARI]
        GAME.kernels.apply(states[0], rules.AGARI)
        assert final_scores(states) == ([6, -6] if holder == 0 else [-6, 6])
        assert (states[0].won, states[0].paid, states[0].yaku) == (holder, 6, 1 << which)
        assert states[0].dealer == holder
        assert states[0].finished == 1
    assert holders == {0, 1} or not COMPILED


@kernel_test
@pytest.mark.parametrize("option", ["teshi", "kuttsuki"])
def test_the_other_seat_guesses_the_yaku_that_it_was_told_of(option):
    """Who is not in turn sees that the other was dealt a yaku: every guess must give it one."""
    chance = random.Random(1)
    for states in tables_with_a_dealt_yaku(["teshi=play", f"{option}=points"], 3 if COMPILED else 1):
        holder = int(GAME.kernels.to_move(states[0]))
        seat = 1 - holder
        assert GAME.checks.allowed(states, seat)
        world = hidden(states, seat)
        GAME.kernels.guess(world[0], seat, np.array([chance.getrandbits(64)], np.uint64))
        hand = dealt_hand(world[0], holder)
        assert witness.has_teshi(hand) if option == "teshi" else witness.has_kuttsuki(hand)
