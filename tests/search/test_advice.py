"""Searches that a network advises: on Kuhn poker, where the right choices are known, with networks made by hand."""

import gc
import math

import numpy as np
import pytest
from numba import types
from numba.core.dispatcher import Dispatcher

from tefuda import games
from tefuda.engine.network import parameters_of, size_of, variant_of
from tefuda.errors import Problem
from tefuda.games.kuhn.rules import BET, BET_FIRST, CARDS, CHECKED_BET, PASS, START
from tefuda.players.entrant import Entrant
from tefuda.players.resolve import resolve
from tefuda.search import pimc
from tefuda.search.pimc import HEADER
from tefuda.table.table import Table

pytestmark = pytest.mark.kernel

KUHN = games.find("kuhn")
RANDOM = resolve(KUHN, "random")
PIMC = pimc.policy_with(KUHN, RANDOM.policy, advised=True)
INPUTS, ACTIONS = KUHN.spaces.observation.size, KUHN.spaces.actions.size
UNITS = 2


def network(likings=(0.0, 0.0), value: float = 0.0, scale: float = 1.0, goal: str = "score") -> np.ndarray:
    """A network that says the same of every table."""
    weights = np.zeros(size_of(INPUTS, UNITS, 0, ACTIONS + 1), np.float32)
    weights[-(ACTIONS + 1) :] = (*likings, value)
    return parameters_of(KUHN, variant_of(UNITS, 0, scale, goal), weights)


def params(advice: np.ndarray, worlds: int, trust: float, *more: float) -> np.ndarray:
    """The numbers of a search; `more` are close and ahead."""
    return np.concatenate([[worlds, 0, len(more), 0, trust, len(advice)], more, advice, RANDOM.params])


def choice(
    card: int, betting: int, advice: np.ndarray, worlds: int = 200, trust: float = 0.0, seed: int = 1, more=()
) -> int:
    """What is chosen with a card after some betting."""
    states = KUHN.blank()
    seat = 0 if betting in (START, CHECKED_BET) else 1
    states[0].card[seat] = card
    states[0].betting = betting
    KUHN.kernels.hide(states[0], seat)
    mask = np.zeros(KUHN.spaces.mask_words, np.uint64)
    KUHN.kernels.legal(states[0], mask)
    scratch = np.zeros(PIMC.worlds, KUHN.State), np.zeros(PIMC.numbers)
    rng = np.array([seed], np.uint64)
    return int(PIMC.choose(states[0], seat, params(advice, worlds, trust, *more), rng, mask, *scratch))


@pytest.mark.parametrize("betting", [BET_FIRST, CHECKED_BET])
@pytest.mark.parametrize("advice", [np.zeros(0), network()])
def test_a_king_calls_and_a_jack_folds_with_and_without_advice(betting, advice):
    assert choice(2, betting, advice) == BET
    assert choice(0, betting, advice) == PASS


def test_what_the_adviser_likes_decides_where_it_is_trusted():
    likes_folding = network((3.0, 0.0))
    assert choice(2, BET_FIRST, likes_folding, trust=0.9) == BET  # a call gains 3 chips, and log(e**3) × 0.9 is 2.7
    assert choice(2, BET_FIRST, likes_folding, trust=1.1) == PASS


def test_actions_that_the_adviser_hardly_ever_takes_are_not_tried():
    rare = math.log(0.01)
    assert choice(2, BET_FIRST, network((0.0, rare + 0.1))) == BET
    assert choice(2, BET_FIRST, network((0.0, rare - 0.1))) == PASS


def test_only_close_actions_are_tried():
    """The adviser folds twice as often as it calls, though a king that calls gains three chips."""
    folds = network((math.log(2), 0.0))
    assert choice(2, BET_FIRST, folds, more=(0.49, 0)) == BET
    assert choice(2, BET_FIRST, folds, more=(0.51, 0)) == PASS
    assert choice(2, BET_FIRST, folds, more=(1.0, 0)) == PASS


@pytest.mark.parametrize(("value", "chosen"), [(0.8, BET), (1.2, PASS), (-5.0, BET)])
def test_looking_ahead_takes_what_the_adviser_foretells(value, chosen):
    """A queen against `random`. To bet brings 1/2 chip: it folds or calls as often, and wins as often as it loses. To
    check brings nothing when it checks too; when it bets, what the adviser foretells of the decision that comes."""
    assert choice(1, START, network(value=value), worlds=2000, more=(0.01, 1)) == chosen
    assert choice(1, START, network(value=value / 4, scale=4.0), worlds=2000, more=(0.01, 1)) == chosen


def test_looking_ahead_counts_what_the_adviser_plays_for():
    """For the win alone a bet of a queen brings a quarter, where it folds: two chips are worth no more than one."""
    for value, chosen in ((0.4, BET), (0.6, PASS)):
        assert choice(1, START, network(value=value, goal="win"), worlds=2000, more=(0.01, 1)) == chosen
    assert choice(1, START, network(value=0.6), worlds=2000, more=(0.01, 1)) == BET


def test_looking_far_ahead_plays_to_the_end():
    """Nobody decides three times, so that the adviser foretells nothing."""
    wrong = network(value=50.0)
    for card, betting in ((2, BET_FIRST), (0, BET_FIRST), (1, START)):
        found = {choice(card, betting, wrong, seed=seed, more=(0.01, 3)) for seed in range(5)}
        assert found == {choice(card, betting, wrong, seed=seed) for seed in range(5)}


def test_equal_likings_change_nothing():
    """A network without a preference leaves every choice as it was, luck included."""
    for seed in range(30):
        found = {choice(1, START, advice, worlds=3, trust=5.0, seed=seed) for advice in (np.zeros(0), network())}
        assert len(found) == 1
    assert {choice(1, START, network(), worlds=1, seed=seed) for seed in range(40)} == {PASS, BET}


@pytest.mark.parametrize("more", [(), (0.3, 0), (0.01, 1)])
def test_hidden_cards_do_not_matter(more):
    entrant = Entrant("advised", PIMC, params(network((0.5, 0.0)), 3, 0.1, *more))
    for deal in range(12):
        table = Table(KUHN, KUHN.rulebook.make(), 1, deal)
        chosen = set()
        for left in range(2):
            other = Table(KUHN, KUHN.rulebook.make(), 1, deal)
            unseen = [card for card in range(CARDS) if card != table.states[0].card[0]]
            other.states[0].card[1:] = unseen if left else unseen[::-1]
            chosen.add(other.ask(entrant))
        assert len(chosen) == 1


def test_every_champion_searches_by_all_its_rules():
    for name in ("koikoi", "saichugen", "tricks"):
        game = games.find(name)
        for preset in game.rulebook.presets:
            rules = game.rulebook.make(preset)
            champion, search = (
                resolve(game, "champion", rules),
                resolve(game, "champion+search/worlds=7+trust=0.25", rules),
            )
            worlds, _, more, _, trust, size = search.params[:HEADER]
            assert (worlds, trust, size) == (7, 0.25, len(champion.params))
            advice = search.params[HEADER + int(more) :][: len(champion.params)]
            assert advice.tobytes() == champion.params.tobytes()
            assert game.players.policy(search.policy.playing).search is None


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("champion+search/worlds=0", "worlds is '0'"),
        ("champion+search/trust=-1", "trust is '-1'"),
        ("champion+search/trust=much", "trust is 'much'"),
        ("champion+search/close=1.5", "close is '1.5'"),
        ("champion+search/ahead=-1", "ahead is '-1'"),
        ("champion+search/hope=3", "unknown setting of a search player 'hope'"),
        ("champion+search/playout=pimc", "pimc cannot play worlds out"),
        ("pimc/trust=0.1", "unknown setting of a search player 'trust'"),
    ],
)
def test_wrong_settings_are_told_in_one_line(name, said):
    with pytest.raises(Problem, match=said):
        resolve(games.find("koikoi"), name)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(PIMC.choose, "overloads"), reason="only compiled kernels have types")
def test_no_kernel_returns_an_array():
    """CUDA's compiler refuses such kernels; on a CPU nobody would notice."""
    choice(1, START, network())
    # by its type: to ask an object itself fails where it stands for another that is gone
    kernels = [each for each in gc.get_objects() if issubclass(type(each), Dispatcher) and "tefuda" in each.__module__]
    compiled = [(each, found.signature) for each in kernels for found in each.overloads.values()]
    assert any(each is PIMC.choose for each, _ in compiled)
    assert not [each.__qualname__ for each, found in compiled if isinstance(found.return_type, types.Array)]
