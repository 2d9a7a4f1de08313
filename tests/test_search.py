"""The exact solver against plain recursion on other people's tables; the search player against exact expectations."""

import math
import random
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from tefuda import games
from tefuda.arena.match import match
from tefuda.contract import Game, NamedPlayer, Policy, plain_parameters
from tefuda.engine.loops import key_of, loops_of
from tefuda.errors import Problem
from tefuda.files import policy
from tefuda.games.tricks import GAME, rules
from tefuda.games.tricks.cards import CARDS, CLUBS, DIAMONDS, HEARTS, SPADES, card_of, cards_of, mask_of
from tefuda.kernel.bits import ZERO, count, nth
from tefuda.kernel.compile import COMPILED, hash_of_sources, kernel
from tefuda.kernel.random import CHECK, DEAL, below, stream
from tefuda.players.resolve import OUTSIDE, Entrant, resolve
from tefuda.search.pimc import DEPTH, HEADER, LINE, SOLVED, VIEW, WORLD, with_pimc
from tefuda.search.solve import numbers_for, solver_of
from tefuda.table.table import legal_actions

pytestmark = pytest.mark.kernel

HERE = hash_of_sources(Path(__file__).parent)  # kernels of the tests are compiled again when the tests change
KUHN = games.find("kuhn")
SEARCHED = [name for name in games.names() if any(each.key == "pimc" for each in games.find(name).players.policies)]
ENDINGS = 100 if COMPILED else 8  # of each set of rules
slow_uncompiled = pytest.mark.skipif(not COMPILED, reason="too slow uncompiled")


def rng_of(number: int) -> np.ndarray:
    return np.array([stream(1, number, 0, CHECK)], np.uint64)


def dealt(preset: str = "plain", *changes: str, deal: int = 0) -> np.ndarray:
    states = GAME.blank(GAME.rulebook.make(preset, changes))
    GAME.kernels.deal(states[0], np.array([stream(2, deal, 0, DEAL)], np.uint64))
    return states


def play_until(states: np.ndarray, left: int, source: random.Random) -> None:
    """Random cards until so many decisions are left; one seat plays high, so that the moon stays possible."""
    high = source.randrange(8)
    while GAME.kernels.left(states[0]) > left:
        legal = legal_actions(GAME, states)
        high_card = max(legal, key=lambda card: card % 13)
        GAME.kernels.apply(states[0], high_card if states[0].seat == high else source.choice(legal))


def cards(words: str) -> list[int]:
    """Cards from a text such as `c2 sQ h10`."""
    return [card_of("cdsh".index(word[0]), word[1:]) for word in words.split()]


def table_of(preset: str, *hands: str, lead: int = 0) -> np.ndarray:
    """A table at the start of a trick: some cards in the hands, the others played by whoever is short."""
    states = dealt(preset)
    state = states[0]
    held = [cards(hand) for hand in hands]
    rest = [card for card in range(CARDS) if not any(card in hand for hand in held)]
    for seat in range(4):
        played = [rest.pop() for _ in range(13 - len(held[seat]))]
        state.hand[seat], state.played[seat] = mask_of(*held[seat]), mask_of(*played)
    state.lead = state.seat = lead
    state.number = 13 - len(held[0])
    state.broken = 1
    return states


# ── the solver against plain recursion ──


def max_n(position, all_equals: bool = True) -> list[Fraction]:
    """What each seat gets when all take what is best for themselves; the mean over equally good actions."""
    if position.over:
        return [Fraction(score) for score in position.scores]
    lines = [max_n(position.after(action), all_equals) for action in position.legal]
    best = max(line[position.seat] for line in lines)
    good = [line for line in lines if line[position.seat] == best][: None if all_equals else 1]
    return [sum(column, Fraction(0)) / len(good) for column in zip(*good, strict=True)]


class Ending:
    """The end of a deal in sets and lists, after the first trick."""

    def __init__(self, state: np.ndarray) -> None:
        self.options = {key: int(state.rules[key]) for key in state.rules.dtype.names if not key.startswith("gap")}
        self.hands = [frozenset(cards_of(hand)) for hand in state.hand]
        self.lead = int(state.lead)
        order = [(self.lead + place) % 4 for place in range(int(state.laid))]
        self.trick = [int(state.trick[seat]) for seat in order]
        self.broken = bool(state.broken)
        self.points, self.tricks, self.jack = state.points.tolist(), state.tricks.tolist(), int(state.jack)

    @property
    def hearts(self) -> bool:
        return self.options["goal"] == 1

    @property
    def over(self) -> bool:
        return not any(self.hands)

    @property
    def seat(self) -> int:
        return (self.lead + len(self.trick)) % 4

    @property
    def legal(self) -> list[int]:
        hand = self.hands[self.seat]
        if self.trick:
            wanted = [card for card in hand if card // 13 == self.trick[0] // 13]
        else:
            wanted = [card for card in hand if card // 13 != HEARTS] if self.hearts and not self.broken else []
        return sorted(wanted or hand)

    def after(self, card: int) -> "Ending":
        twin = Ending.__new__(Ending)
        twin.__dict__.update(
            {key: list(value) if isinstance(value, list) else value for key, value in vars(self).items()}
        )
        twin.hands[self.seat] = self.hands[self.seat] - {card}
        twin.trick.append(card)
        queen = card_of(SPADES, "Q")
        twin.broken = self.broken or card // 13 == HEARTS or (self.options["queen_breaks"] == 1 and card == queen)
        if len(twin.trick) == 4:
            _, place = max(
                (each % 13, place) for place, each in enumerate(twin.trick) if each // 13 == twin.trick[0] // 13
            )
            winner = (self.lead + place) % 4
            twin.tricks[winner] += 1
            twin.points[winner] += sum((each // 13 == HEARTS) + 13 * (each == queen) for each in twin.trick)
            if card_of(DIAMONDS, "J") in twin.trick:
                twin.jack = winner
            twin.lead, twin.trick = winner, []
        return twin

    @property
    def scores(self) -> list[int]:
        if not self.hearts:
            return self.tricks
        points = list(self.points)
        if 26 in points and self.options["moon"] > 0:
            shooter = points.index(26)
            if self.options["moon"] == 1:
                points = [0 if seat == shooter else 26 for seat in range(4)]
            else:
                points[shooter] = -26
        if self.options["jack"] and self.jack >= 0:
            points[self.jack] -= 10
        return [-number for number in points]


class Spiel:
    """A state of OpenSpiel; scores = returns - `shift`."""

    def __init__(self, state, shift: int) -> None:
        self.state, self.shift = state, shift

    over = property(lambda self: self.state.is_terminal())
    seat = property(lambda self: self.state.current_player())
    legal = property(lambda self: self.state.legal_actions())
    scores = property(lambda self: [int(score) - self.shift for score in self.state.returns()])

    def after(self, action: int) -> "Spiel":
        return Spiel(self.state.child(action), self.shift)


def solver(game: Game):
    return solver_of(
        f"{key_of(game)}:tests",
        game.seats,
        game.kernels.to_move,
        game.kernels.legal,
        game.kernels.apply,
        game.kernels.scores,
    )


SOLVE, SOLVE_KUHN = solver(GAME), solver(KUHN)


def solved(states: np.ndarray, game: Game = GAME, solve=SOLVE, left: int | None = None) -> np.ndarray:
    """A table's values, with exactly the scratch space that is declared, between areas that must stay as they are."""
    left = int(game.kernels.left(states[0])) if left is None else left
    needed = numbers_for(game.seats, left)
    worlds = np.zeros(left + 1 + 4, game.State)
    worlds.view(np.uint8)[:] = 0xA5
    numbers = np.full(needed + 8, 1e300)
    mask = np.full(3, 12345, np.uint64)
    worlds[2], guard = states[0], worlds.copy()
    solve(worlds[2 : 2 + left + 1], numbers[4 : 4 + needed], mask[1:2])
    outside = [0, 1, *range(left + 3, left + 5)]
    assert worlds[outside].tobytes() == guard[outside].tobytes()
    assert worlds[2].tobytes() == states[0].tobytes()
    assert set(numbers[:4]) | set(numbers[4 + needed :]) == {1e300}
    assert mask[[0, 2]].tolist() == [12345, 12345]
    return numbers[4 : 4 + game.seats].copy()


@pytest.mark.parametrize(
    "chosen",
    [
        ("plain", "target=50"), ("hearts",), ("hearts", "moon=others"), ("hearts", "moon=self", "jack=yes"),
        ("hearts", "queen_breaks=yes", "moon=others"), ("hearts-as-run",),
    ],
)  # fmt: skip
def test_solve_is_max_n_with_means_over_equals(chosen):
    """Endings of 4 to 11 decisions; half of those in Hearts have all points at one seat, where the moon is near."""
    source, shared, moons = random.Random(1), 0, 0
    for deal in range(ENDINGS):
        states = dealt(*chosen, deal=deal)
        play_until(states, source.randint(4, 11 if COMPILED else 6), source)
        state = states[0]
        GAME.kernels.end_here(state)
        if deal % 2:
            total, seat = int(state.points.sum()), source.randrange(4)
            state.points[:] = 0
            state.points[seat] = total
        expected = max_n(Ending(state))
        assert solved(states) == pytest.approx([float(value) for value in expected], abs=1e-9)
        shared += expected != max_n(Ending(state), all_equals=False)
        moons += min(expected) <= -26 or max(expected) >= 26
    if COMPILED:
        assert shared > 0  # where several actions are best, it matters which
        assert moons > 0 or "moon" not in str(chosen)


SPIEL_SUITS = (CLUBS, DIAMONDS, HEARTS, SPADES)  # OpenSpiel: card = 4 * rank + suit, suits C D H S
TO_SPIEL = [4 * (card % 13) + SPIEL_SUITS.index(card // 13) for card in range(CARDS)]


def test_solve_agrees_with_recursion_on_open_spiels_hearts():
    """OpenSpiel's own states tell what is legal, who is next and what the end pays; it always scores the moon."""
    pyspiel = pytest.importorskip("pyspiel")
    game = pyspiel.load_game("hearts(pass_cards=false,qs_breaks_hearts=false)")
    source = random.Random(2)
    for deal in range(ENDINGS):
        states = dealt("hearts", "moon=others", deal=deal)
        theirs = game.new_initial_state()
        theirs.apply_action(0)
        hands = [[TO_SPIEL[card] for card in cards_of(hand)] for hand in states[0].hand]
        for number in range(13):
            for seat in range(4):
                theirs.apply_action(hands[seat][number])
        left = source.randint(4, 11 if COMPILED else 6)
        high = source.randrange(8)
        while GAME.kernels.left(states[0]) > left:
            legal = legal_actions(GAME, states)
            seat = int(states[0].seat)
            card = max(legal, key=lambda card: card % 13) if seat == high else source.choice(legal)
            GAME.kernels.apply(states[0], card)
            theirs.apply_action(TO_SPIEL[card])
        expected = [float(value) for value in max_n(Spiel(theirs, 26))]
        assert solved(states) == pytest.approx(expected, abs=1e-9)


def test_solve_agrees_with_recursion_on_open_spiels_kuhn_poker():
    """With open cards; the solver needs no `left`, and all 30 tables of the game are tried."""
    pyspiel = pytest.importorskip("pyspiel")
    game = pyspiel.load_game("kuhn_poker")
    tried = 0
    for first in range(3):
        for second in {0, 1, 2} - {first}:
            theirs = game.new_initial_state()
            theirs.apply_action(first)
            theirs.apply_action(second)
            states = KUHN.blank()
            states[0].card[:] = (first, second, 3 - first - second)
            waiting = [(states, theirs)]
            while waiting:
                ours, spiel = waiting.pop()
                expected = [float(value) for value in max_n(Spiel(spiel, 0))]
                assert solved(ours, KUHN, SOLVE_KUHN, 3) == pytest.approx(expected, abs=1e-9)
                tried += 1
                for action in spiel.legal_actions():
                    after = ours.copy()
                    KUHN.kernels.apply(after[0], action)
                    waiting.append((after, spiel.child(action)))
    assert tried == 6 * 9


def test_solve_writes_the_scores_of_a_table_that_is_over():
    states = dealt("hearts", deal=3)
    play_until(states, 0, random.Random(3))
    assert GAME.kernels.to_move(states[0]) == -1
    assert solved(states, left=0).tolist() == (-states[0].score).tolist()
    assert sum(solved(states, left=0)) == -26


@slow_uncompiled
def test_solve_reaches_the_declared_depth():
    """16 decisions, the most that a search asks for, fit into their scratch space; the values add up."""
    for deal in range(3):
        states = dealt("plain", deal=deal)
        play_until(states, DEPTH, random.Random(deal))
        assert solved(states).sum() == pytest.approx(13)


# ── the search player: what it does ──


def search(game: Game = GAME, worlds: int = 1, solve: int = 0, playout: str = "random") -> Entrant:
    return resolve(game, f"pimc/worlds={worlds}+solve={solve}+playout={playout}")


class Asked:
    """One decision of a search player, and what it leaves in its scratch space."""

    def __init__(self, states: np.ndarray, entrant: Entrant, number: int = 0, game: Game = GAME) -> None:
        tables = np.zeros(2, game.State)
        tables[0] = states[0]
        seat = int(game.kernels.to_move(states[0]))
        self.rngs = np.array([stream(3, number, each, CHECK) for each in range(game.seats)], np.uint64)
        others = np.delete(self.rngs, seat)
        worlds = np.zeros(game.worlds + 2, game.State)
        worlds.view(np.uint8)[:] = 0xA5
        guard = worlds.copy()
        numbers = np.zeros(game.numbers + 4)
        numbers[game.numbers :] = 1e300
        mask = np.zeros(game.spaces.mask_words, np.uint64)
        self.before = self.rngs[seat]
        self.action = int(
            loops_of(game).ask(
                tables, seat, 0, np.array([entrant.kind]), np.array([0, len(entrant.params)]), entrant.params,
                self.rngs, mask, worlds[1 : 1 + game.worlds], numbers[: game.numbers],
            )
        )  # fmt: skip
        assert tables[0].tobytes() == states[0].tobytes()
        assert np.delete(self.rngs, seat).tolist() == others.tolist()
        assert worlds[[0, -1]].tobytes() == guard[[0, -1]].tobytes()
        assert set(numbers[game.numbers :]) == {1e300}
        assert self.action in legal_actions(game, states)
        self.drew = self.rngs[seat] != self.before
        self.worlds, self.numbers = worlds[1 : 1 + game.worlds], numbers[: game.numbers]
        self.untouched = worlds.tobytes() == guard.tobytes()


def test_the_only_legal_action_is_taken_without_a_search():
    states = table_of("plain", "c2 c3", "c9 d3", "c4 c5", "d9 d2")
    GAME.kernels.apply(states[0], cards("c2")[0])
    asked = Asked(states, search(worlds=1000, solve=16))
    assert asked.action == cards("c9")[0]
    assert not asked.drew
    assert asked.untouched
    states = dealt("hearts")  # the two of clubs
    asked = Asked(states, search(worlds=1000))
    assert asked.action == 0
    assert not asked.drew


def test_the_same_seed_gives_the_same_action():
    states = dealt("plain")
    play_until(states, 20, random.Random(4))
    entrant = search(worlds=1)
    actions = []
    for number in range(30):
        one, two = Asked(states, entrant, number), Asked(states, entrant, number)
        assert one.action == two.action
        assert one.rngs.tolist() == two.rngs.tolist()
        actions.append(one.action)
    assert len(set(actions)) > 1 or len(legal_actions(GAME, states)) == 1


def positions(game: Game, preset: str | None, number: int, source: random.Random):
    """Tables in the middle of random games, in all parts of them, where there is something to choose."""
    chosen = game.rulebook.make(preset)
    found, deal = 0, 0
    while found < number:
        states = game.blank(chosen)
        game.kernels.deal(states[0], np.array([stream(4, deal, 0, DEAL)], np.uint64))
        deal += 1
        for _ in range(source.randrange(game.checks.longest)):
            before = states.copy()
            game.kernels.apply(states[0], source.choice(legal_actions(game, states)))
            if game.kernels.to_move(states[0]) < 0:
                states = before
                break
        if len(legal_actions(game, states)) > 1:
            found += 1
            yield states


@pytest.mark.parametrize(
    ("name", "preset"),
    [("tricks", "plain"), ("tricks", "hearts"), ("tricks", "usual"), ("kuhn", None), ("koikoi", None)],
)
def test_hidden_cards_do_not_matter(name, preset):
    """Any other table that looks the same to the seat gives the same decision, by the same random numbers."""
    if name == "koikoi" and not COMPILED:
        pytest.skip("too slow uncompiled")
    game = games.find(name)
    source, swapped = random.Random(5), 0
    for number, states in enumerate(positions(game, preset, 12 if COMPILED else 2, source)):
        seat = int(game.kernels.to_move(states[0]))
        entrant = search(game, worlds=2)
        asked = Asked(states, entrant, number, game)
        for world in range(3):
            other = states.copy()
            game.kernels.hide(other[0], seat)
            game.kernels.guess(other[0], seat, rng_of(world))
            swapped += other.tobytes() != states.tobytes()
            again = Asked(other, entrant, number, game)
            assert again.action == asked.action
            assert again.rngs.tolist() == asked.rngs.tolist()
    assert swapped > 0


def arrangements(states: np.ndarray, seat: int) -> list[np.ndarray]:
    """All tables that agree with what a seat knows, by trying everything."""
    state = states[0]
    others = [other for other in range(4) if other != seat]
    sizes = [len(cards_of(state.hand[other])) for other in others]
    unseen = [card for other in others for card in cards_of(state.hand[other])]
    found = []
    for first in combinations(unseen, sizes[0]):
        rest = [card for card in unseen if card not in first]
        for second in combinations(rest, sizes[1]):
            hands = (first, second, [card for card in rest if card not in second])
            masks = [mask_of(*hand) for hand in hands]
            if all(mask & state.excluded[other] == 0 for mask, other in zip(masks, others, strict=True)):
                table = states.copy()
                for mask, other in zip(masks, others, strict=True):
                    table[0].hand[other] = mask
                found.append(table)
    return found


def with_voids(preset: str, left: int, most: int, number: int, source: random.Random):
    """Late tables with something to choose, where seats have shown some of the suits that they lack."""
    deal = 0
    while number > 0:
        states = dealt(preset, deal=deal)
        deal += 1
        play_until(states, left - source.randrange(4), source)
        state = states[0]
        if len(legal_actions(GAME, states)) < 2:
            continue
        for seat in range(4):
            for suit in range(4):
                whole = mask_of(*range(13 * suit, 13 * suit + 13))
                if state.hand[seat] & whole == 0 and source.random() < 0.5:
                    state.excluded[seat] |= whole
        found = arrangements(states, int(state.seat))
        if 1 < len(found) <= most and state.excluded.any():
            number -= 1
            yield states, int(state.seat), found


@slow_uncompiled
@pytest.mark.parametrize("preset", ["plain", "hearts"])
def test_guessed_worlds_respect_what_was_seen_and_leave_nothing_out(preset):
    """With one world a decision, the guess lies in the scratch space: together they are all arrangements, no other."""
    source = random.Random(6)
    for states, _, found in with_voids(preset, 12, 20, 8, source):
        allowed = {tuple(table[0].hand.tolist()) for table in found}
        seen = set()
        for number in range(400):
            world = Asked(states, search(worlds=1, solve=4), number).worlds[WORLD]
            seen.add(tuple(world.hand.tolist()))
            for key in ("played", "excluded", "trick", "lead", "seat", "score", "points", "tricks", "broken"):
                assert world[key].tolist() == states[0][key].tolist()
        assert seen == allowed


def values_of_actions(states: np.ndarray, seat: int) -> dict[int, float]:
    """What each action gives a seat at an open table that is then solved."""
    found = {}
    for action in legal_actions(GAME, states):
        after = states.copy()
        GAME.kernels.apply(after[0], action)
        found[action] = float(
            solved(after, left=int(GAME.kernels.left(after[0])) if GAME.kernels.to_move(after[0]) >= 0 else 0)[seat]
        )
    return found


@slow_uncompiled
@pytest.mark.parametrize("preset", ["plain", "hearts"])
def test_the_best_mean_over_all_arrangements_is_taken(preset):
    """Exactly the best where one is better than noise allows to confuse, else one that is as good up to noise."""
    source, clear, worlds = random.Random(7), 0, 600
    for states, seat, found in with_voids(preset, 12, 60, 30, source):
        table = [values_of_actions(each, seat) for each in found]
        legal = list(table[0])
        values = np.array([[each[action] for action in legal] for each in table])
        means = values.mean(axis=0)
        best = int(means.argmax())
        noise = 5 * (values - values[:, [best]]).std(axis=0) / worlds**0.5 + 1e-9
        possible = {
            action for action, gap, bound in zip(legal, means[best] - means, noise, strict=True) if gap <= bound
        }
        clear += len(possible) == 1
        assert Asked(states, search(worlds=worlds, solve=12), deal_number(states)).action in possible
    assert clear >= 5


def deal_number(states: np.ndarray) -> int:
    return int(states[0].key[0]) % 1000


@slow_uncompiled
@pytest.mark.parametrize("preset", ["plain", "hearts"])
def test_when_all_cards_are_known_the_solvers_best_is_taken(preset):
    """Each seat has shown to lack all that it lacks."""
    source, tried = random.Random(8), 0
    for deal in range(60):
        states = dealt(preset, deal=deal)
        play_until(states, source.randint(6, 12), source)
        states[0].excluded[:] = ~states[0].hand
        values = values_of_actions(states, int(states[0].seat))
        action = Asked(states, search(worlds=1, solve=DEPTH), tried).action
        assert values[action] == pytest.approx(max(values.values()), abs=1e-9)
        tried += max(values.values()) > min(values.values()) + 1e-9
    assert tried > 10


@pytest.mark.parametrize(
    ("preset", "hands", "laid", "best"),
    [
        # the last of a trick: the seven takes it now, and takes nothing later
        ("plain", ("c3 c8", "c5 c9", "c6 c10", "c2 c7"), "c3 c5 c6", "c7"),
        # the two loses the lead to somebody, and the queen is then discarded or ducked; the queen takes itself
        ("hearts", ("sQ c2", "s3 c3", "s4 c4", "s5 c5"), "", "c2"),
        # the highest diamond takes all that is thrown upon it; the lowest club gives the lead away for good
        ("hearts", ("dA c2", "c3 h3", "c4 h4", "c5 h5"), "", "c2"),
    ],
)
@pytest.mark.parametrize("solve", [0, 4, 8])
def test_a_clearly_best_card_is_taken(preset, hands, laid, best, solve):
    for number in range(10 if COMPILED else 2):
        states = table_of(preset, *hands)
        for card in cards(laid):
            GAME.kernels.apply(states[0], card)
        assert Asked(states, search(worlds=60 if COMPILED else 25, solve=solve), number).action == cards(best)[0]


@pytest.mark.parametrize(("card", "betting", "best"), [(2, 2, 1), (0, 2, 0), (2, 3, 1), (0, 3, 0)])
def test_in_kuhn_poker_a_king_calls_and_a_jack_folds(card, betting, best):
    for number in range(10):
        states = KUHN.blank()
        states[0].betting = betting
        seat = int(KUHN.kernels.to_move(states[0]))
        states[0].card[seat] = card
        KUHN.kernels.guess(states[0], seat, rng_of(number))
        for playout in ("random", "always-bet", "always-pass"):
            entrant = resolve(KUHN, f"pimc/worlds=1+playout={playout}")
            assert Asked(states, entrant, number, KUHN).action == best


# ── the search player: what it shows to the players of its worlds ──

CALLS, SAW_CARDS, SAW_KEY, WRONG_SEAT, WRONG_MASK, GOES_ON, LEAST, LENGTH, NUMBER, LUCK, OTHER_LUCK = range(11)


@kernel
def spying(view, seat, params, rng, mask, worlds, numbers):
    """Any legal card; what it was shown is noted in its scratch space."""
    if numbers[CALLS] == 0.0:
        numbers[LEAST] = 1000.0
    numbers[CALLS] += 1.0
    for other in range(4):
        if other != seat and view.hand[other] & ~rules.known(view, seat, other) != ZERO:
            numbers[SAW_CARDS] += 1.0
    if view.key[0] != ZERO:
        numbers[SAW_KEY] += 1.0
    if rules.to_move(view) != seat:
        numbers[WRONG_SEAT] += 1.0
    if mask[0] != rules.playable(view):
        numbers[WRONG_MASK] += 1.0
    if view.rules.target != 0:
        numbers[GOES_ON] += 1.0
    left = rules.left(view)
    numbers[LEAST] = min(numbers[LEAST], left)
    numbers[LENGTH] = params.shape[0]
    numbers[NUMBER] = params[1]
    if left == params[0]:  # the first decision after an action that is tried
        luck = np.float64(rng[0] >> np.uint64(11))
        if numbers[LUCK] != 0.0 and numbers[LUCK] != luck:
            numbers[OTHER_LUCK] += 1.0
        numbers[LUCK] = luck
    return nth(mask[0], below(rng, count(mask[0])))


FEWER = replace(GAME.players, policies=GAME.players.policies[:2], named=GAME.players.named[:2])
PLAIN_GAME = replace(GAME, name=f"spied-{HERE}", players=FEWER).with_more(
    (Policy("spy", spying, plain_parameters, weights=2, numbers=11),), (NamedPlayer("spy", "", "spy"),)
)
SPIED = with_pimc(PLAIN_GAME, worlds=5, playout="spy")


def spy_notes(states: np.ndarray, worlds: int, solve: int, number: int = 0) -> tuple[np.ndarray, Asked]:
    left = int(GAME.kernels.left(states[0]))
    spy, kind = SPIED.players.index("spy"), SPIED.players.index("pimc")
    entrant = Entrant("spied", kind, np.array([worlds, solve, spy, 0, 0, 0, left - 1, 2.25]))
    asked = Asked(states, entrant, number, SPIED)
    start = SPIED.players.policies[kind].numbers - PLAIN_GAME.numbers
    return asked.numbers[start : start + 11], asked


def halvings(actions: int, worlds: int) -> list[tuple[int, int]]:
    """Worlds and actions of each phase: an equal share of all playouts, for ever fewer actions, until one is left."""
    share = worlds * actions // math.ceil(math.log2(actions))
    found = []
    while actions > 1:
        found.append((max(1, share // actions), actions))
        actions = math.ceil(actions / 2)
    return found


def test_halving_spends_what_was_given_and_no_more():
    assert halvings(2, 10) == [(10, 2)]
    assert halvings(8, 30) == [(10, 8), (20, 4), (40, 2)]
    for actions in range(2, 53):
        spent = sum(worlds * tried for worlds, tried in halvings(actions, 100))
        assert 0.9 * 100 * actions <= spent <= 100 * actions


@pytest.mark.parametrize("preset", ["plain", "hearts", "usual"])
def test_the_players_of_guessed_worlds_see_what_their_seat_can_know(preset):
    """Their own view, mask, numbers and luck; and so many decisions as lie before the part that is solved."""
    source = random.Random(9)
    for number in range(12 if COMPILED else 2):
        states = dealt(preset, deal=number)
        decisions = source.randint(9, 50 if COMPILED else 14)
        if preset == "usual" and number % 2 and COMPILED:
            decisions = source.randint(53, 64)  # while cards are passed
        play_until(states, decisions, source)
        left, legal = int(GAME.kernels.left(states[0])), legal_actions(GAME, states)
        if len(legal) < 2:
            continue
        for solve in (0, 3, 5) if left < 30 else (0,):
            notes, asked = spy_notes(states, 2, solve, number)
            assert notes[[SAW_CARDS, SAW_KEY, WRONG_SEAT, WRONG_MASK, GOES_ON]].tolist() == [0] * 5
            phases = halvings(len(legal), 2)
            assert notes[CALLS] == sum(worlds * tried for worlds, tried in phases) * max(0, left - 1 - solve)
            assert notes[LEAST] == solve + 1
            assert notes[[LENGTH, NUMBER]].tolist() == [2, 2.25]
            if solve == 0:
                line = asked.worlds[LINE]
                assert line.phase == rules.OVER
                assert line.finished == states[0].finished + 1
                assert (line.score - states[0].score).sum() == line.paid.sum()
            if left - 1 > solve:
                # every world has a luck of its own, the same for all actions
                assert notes[OTHER_LUCK] == sum(worlds for worlds, _ in phases) - 1


def test_a_search_by_usual_rules_does_not_look_beyond_the_deal():
    """What a deal decides does not depend on the target, unless the target is reached: here the searches agree."""
    source = random.Random(10)
    for number in range(8 if COMPILED else 2):
        states = dealt("usual", deal=number)
        play_until(states, source.randint(12, 45 if COMPILED else 16), source)
        alone = states.copy()
        alone[0].rules.target = 0
        entrant = resolve(GAME, "pimc/worlds=3+solve=4+playout=rule-based", GAME.rulebook.make("usual"))
        assert Asked(states, entrant, number).action == Asked(alone, entrant, number).action


def test_scratch_space_is_as_declared():
    """A guess, a line, a view, what the solver needs, and what the playing policies need."""
    for name in SEARCHED:
        game = games.find(name)
        searching = game.players.policies[game.players.index("pimc")]
        depth = DEPTH if game.kernels.left is not None else 0
        others = [each for each in game.players.policies if each.search is None]
        assert (WORLD, LINE, VIEW, SOLVED) == (0, 1, 2, 3)
        assert searching.worlds >= 3 + depth + 1 + max(each.worlds for each in others)
        assert searching.numbers >= (
            2 * game.spaces.actions.size + numbers_for(game.seats, depth) + max(each.numbers for each in others)
        )


# ── names and settings ──


def saved_policy(folder: Path, key: str, variant: str = "") -> Path:
    found = GAME.players.policies[GAME.players.index(key)]
    card = policy.Card("tricks", key, "plain", found.features, 1, "", {}, variant=variant)
    path = folder / f"{key}.npz"
    policy.save(path, card, np.arange(found.weights) / found.weights)
    return path


def with_learned(folder: Path) -> Game:
    """The game with players of one name for two sets of rules."""
    named = [NamedPlayer("q", key, key, saved_policy(folder, key)) for key in ("q-tricks", "q-hearts")]
    return replace(GAME, players=replace(GAME.players, named=(*GAME.players.named, *named)))


PLAIN, HEARTS_RULES = GAME.rulebook.make("plain"), GAME.rulebook.make("hearts")


@pytest.mark.parametrize(
    ("name", "worlds", "solve", "playout"),
    [
        ("pimc", 100, 8, "rule-based"), ("pimc/worlds=20", 20, 8, "rule-based"), ("pimc/solve=0", 100, 0, "rule-based"),
        ("pimc/solve=4+worlds=20", 20, 4, "rule-based"), ("pimc/playout=random", 100, 8, "random"),
        ("pimc/worlds=20+solve=4+playout=q/before+softmax=0.5", 20, 4, "q/before+softmax=0.5"),
        ("pimc/solve=16+playout=q", 100, 16, "q"),
    ],
)  # fmt: skip
def test_settings_in_the_name(name, worlds, solve, playout, tmp_path):
    game = with_learned(tmp_path)
    for chosen in (PLAIN, HEARTS_RULES):
        entrant, inner = resolve(game, name, chosen), resolve(game, playout, chosen)
        assert game.players.policies[entrant.kind].key == "pimc"
        assert entrant.form == "compiled"
        assert entrant.params[:3].tolist() == [worlds, solve, inner.kind]
        assert entrant.params[3] == (inner.name == "random")
        assert entrant.params[HEADER:].tolist() == inner.params.tolist()


def test_games_without_a_solver_search_without_one():
    entrant = resolve(KUHN, "pimc")
    assert entrant.params[:3].tolist() == [50, 0, KUHN.players.index("random")]
    assert resolve(KUHN, "pimc/worlds=3+playout=equilibrium/0.2").params[HEADER:].tolist() == (
        resolve(KUHN, "equilibrium/0.2").params.tolist()
    )


OWN = "class Mine:\n    def act(self, view):\n        return view.legal[0]\n"


@pytest.mark.parametrize(
    ("game", "name", "said"),
    [
        (GAME, "pimc/world=20", "unknown setting of a search player 'world': did you mean 'worlds'"),
        (GAME, "pimc/20", "unknown setting of a search player '20'"),
        (GAME, "pimc/worlds=0", "worlds is '0', but takes a whole number from 1 to 1,000,000"),
        (GAME, "pimc/worlds=-5", "worlds is '-5'"),
        (GAME, "pimc/worlds=1.5", "worlds is '1.5'"),
        (GAME, "pimc/worlds", "worlds is ''"),
        (GAME, "pimc/solve=-1", "solve is '-1', but takes a whole number from 0 to 16"),
        (GAME, "pimc/solve=17", "solve is '17', but takes a whole number from 0 to 16"),
        (KUHN, "pimc/solve=2", "kuhn has no exact solver"),
        (games.find("koikoi"), "pimc/solve=1", "koikoi has no exact solver"),
        (GAME, "pimc/playout=pimc", "pimc cannot play worlds out"),
        (GAME, "pimc/worlds=2+playout=pimc/worlds=2", "pimc/worlds=2 cannot play worlds out"),
        (GAME, "pimc/playout=nobody", "unknown player of tricks 'nobody'"),
        (GAME, "pimc/playout=random/after", "takes no variant"),
        (GAME, "pimc/playout=random+worlds=3", "unknown player of tricks 'random+worlds=3'"),
    ],
)
def test_wrong_settings_are_told_in_one_line(game, name, said):
    with pytest.raises(Problem) as caught:
        resolve(game, name)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


# A name with a file in it is taken for that file alone: `resolve` looks for .npz and .py: before all else.
def test_a_player_of_ones_own_cannot_play_worlds_out(player_file):
    with pytest.raises(Problem, match="Mine cannot play worlds out"):
        resolve(GAME, f"pimc/playout={player_file(OWN)}:Mine")


# A name with a file in it is taken for that file alone: `resolve` looks for .npz and .py: before all else.
def test_a_policy_file_can_play_worlds_out(tmp_path):
    path = saved_policy(tmp_path, "q-tricks")
    entrant = resolve(GAME, f"pimc/worlds=7+playout={path}/before", PLAIN)
    assert entrant.params[:3].tolist() == [7, 8, GAME.players.index("q-tricks")]
    assert entrant.params[HEADER:].tolist() == resolve(GAME, f"{path}/before", PLAIN).params.tolist()


# `playout=` with nothing behind it is taken for no setting at all.
def test_an_empty_playout_is_told():
    with pytest.raises(Problem):
        resolve(GAME, "pimc/playout=")


def test_one_name_means_what_fits_the_rules(tmp_path):
    game = with_learned(tmp_path)
    for chosen, key in ((PLAIN, "q-tricks"), (HEARTS_RULES, "q-hearts"), (None, "q-tricks")):
        entrant = resolve(game, "q", chosen)
        assert game.players.policies[entrant.kind].key == key
        assert len(entrant.params) == 2 + game.players.policies[entrant.kind].weights
    only = replace(
        GAME, players=replace(GAME.players, named=(NamedPlayer("q", "", "q-hearts", tmp_path / "q-hearts.npz"),))
    )
    with pytest.raises(Problem, match=r"^q plays tricks with goal=hearts only, but the rules are plain$"):
        resolve(only, "q", PLAIN)


def test_a_named_player_keeps_the_variant_of_its_file(tmp_path):
    path = saved_policy(tmp_path, "q-hearts", "before")
    game = replace(GAME, players=replace(GAME.players, named=(NamedPlayer("q", "", "q-hearts", path),)))
    assert resolve(game, "q", HEARTS_RULES).params[:2].tolist() == [0, 1]
    assert resolve(game, "q/softmax=2", HEARTS_RULES).params[:2].tolist() == [2, 1]


def test_a_policy_file_for_other_rules_is_told(tmp_path):
    hearts, tricks = saved_policy(tmp_path, "q-hearts", "before"), saved_policy(tmp_path, "q-tricks")
    with pytest.raises(Problem, match=r"q-hearts\.npz plays tricks with goal=hearts only, but the rules are plain$"):
        resolve(GAME, str(hearts))
    with pytest.raises(Problem, match=r"goal=tricks only, but the rules are hearts moon=others$"):
        resolve(GAME, str(tricks), GAME.rulebook.make("hearts", ["moon=others"]))
    assert resolve(GAME, str(hearts), HEARTS_RULES).params[:2].tolist() == [0, 1]
    assert resolve(GAME, f"{tricks}/softmax=2", PLAIN).params[:2].tolist() == [2, 0]
    with pytest.raises(Problem, match="goal=hearts only"):
        match(GAME, [str(hearts), "random"], 1)


# ── the search player in matches ──


def test_most_games_are_searched():
    assert set(games.names()) - set(SEARCHED) == {"mahjong"}


@pytest.mark.parametrize("name", SEARCHED)
def test_it_plays_every_game(name):
    game = games.find(name)
    for preset in list(game.rulebook.presets)[: None if COMPILED else 1]:
        if not COMPILED and name != "kuhn":
            continue
        result = match(game, ["pimc/worlds=2", game.players.default_opponent], 2, 1, game.rulebook.make(preset), 1)
        assert result.deals == 2
        assert result.rows[0].name == "pimc/worlds=2"


@slow_uncompiled
def test_it_is_stronger_than_who_plays_its_worlds_out():
    """Against three of the players who play its worlds out; the whole 95 % interval lies above an equal share."""
    plain = match(GAME, ["pimc/worlds=10+solve=4+playout=rule-based", "rule-based"], 40, 1, PLAIN).rows[0].figure
    assert plain.low > 13 / 4
    hearts = (
        match(GAME, ["pimc/worlds=10+solve=4+playout=rule-based", "rule-based"], 40, 1, HEARTS_RULES).rows[0].figure
    )
    assert hearts.high < 26 / 4
    by_random = match(GAME, ["pimc/worlds=10+solve=0+playout=random", "random"], 40, 1, PLAIN).rows[0].figure
    assert by_random.low > 13 / 4


def test_outside_players_are_not_compiled(player_file):
    assert resolve(GAME, f"{player_file(OWN)}:Mine").kind == OUTSIDE
