"""The search player against exact expectations, and in matches."""

import random
from itertools import combinations

import numpy as np
import pytest

from tefuda import games
from tefuda.arena.match import match
from tefuda.contract import Game
from tefuda.games.tricks import GAME
from tefuda.games.tricks.cards import CARDS, card_of, cards_of, mask_of
from tefuda.kernel.compile import COMPILED
from tefuda.kernel.random import CHECK, DEAL, stream
from tefuda.players.entrant import Entrant
from tefuda.players.resolve import resolve
from tefuda.search.pimc import DEPTH, WORLD
from tefuda.table.table import legal_actions
from tests.search.searching import HEARTS_RULES, PLAIN, SEARCHED, Asked, dealt, play_until, solved

pytestmark = pytest.mark.kernel
KUHN = games.find("kuhn")
slow_uncompiled = pytest.mark.skipif(not COMPILED, reason="too slow uncompiled")


def rng_of(number: int) -> np.ndarray:
    return np.array([stream(1, number, 0, CHECK)], np.uint64)


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


# ── the search player: what it does ──


def search(game: Game = GAME, worlds: int = 1, solve: int = 0, playout: str = "random") -> Entrant:
    return resolve(game, f"pimc/worlds={worlds}+solve={solve}+playout={playout}")


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


@pytest.mark.slow
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


@pytest.mark.slow
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


OWN = "class Mine:\n    def act(self, view):\n        return view.legal[0]\n"


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
    assert resolve(GAME, f"{player_file(OWN)}:Mine").policy is None
