"""The champion that looks ahead: on Kuhn poker, where the right choices are known, with networks made by hand."""

import numpy as np
import pytest

from tefuda import games
from tefuda.arena.players import Entrant, resolve
from tefuda.arena.table import Table
from tefuda.errors import Problem
from tefuda.games.kuhn.rules import BET, BET_FIRST, CARDS, CHECKED_BET, PASS, START
from tefuda.kernel.network import numbers_of, size_of, variant_of
from tefuda.search.lookahead import HEADER, with_lookahead

pytestmark = pytest.mark.kernel

KUHN = with_lookahead(games.find("kuhn"), worlds=40, trust=0.0)
LOOKAHEAD = KUHN.policies[-1]
INPUTS, ACTIONS = KUHN.observation.size, KUHN.actions.size
UNITS = 2


def network(likings=(0.0, 0.0), value=0.0, goal="score", scale=1.0) -> np.ndarray:
    """A network that says the same of every table."""
    weights = np.zeros(size_of(INPUTS, UNITS, 0, ACTIONS + 1), np.float32)
    weights[-(ACTIONS + 1) :] = [*likings, value]
    return numbers_of(KUHN, variant_of(UNITS, 0, scale, goal), weights)


def choice(card: int, betting: int, numbers: np.ndarray, worlds: int = 40, trust: float = 0.0, seed: int = 1) -> int:
    """What is chosen with a card after some betting."""
    states = KUHN.blank()
    seat = 0 if betting in (START, CHECKED_BET) else 1
    states[0].card[seat] = card
    states[0].betting = betting
    KUHN.hide(states[0], seat)
    mask = np.zeros(KUHN.words, np.uint64)
    KUHN.legal(states[0], mask)
    params = np.concatenate([[worlds, trust], numbers])
    scratch = np.zeros(LOOKAHEAD.worlds, KUHN.State), np.zeros(LOOKAHEAD.numbers)
    return int(LOOKAHEAD.choose(states[0], seat, params, np.array([seed], np.uint64), mask, *scratch))


@pytest.mark.parametrize("betting", [BET_FIRST, CHECKED_BET])
def test_a_king_calls_and_a_jack_folds(betting):
    assert choice(2, betting, network()) == BET
    assert choice(0, betting, network()) == PASS


def test_what_the_network_likes_decides_where_it_is_trusted():
    likes_folding = network((3.0, 0.0))
    assert choice(2, BET_FIRST, likes_folding, trust=0.1) == BET
    assert choice(2, BET_FIRST, likes_folding, trust=2.0) == PASS  # a call gains 3 chips, and log(e**3) × 2 is 6


def test_actions_that_the_network_never_takes_are_not_tried():
    assert choice(2, BET_FIRST, network((9.0, 0.0))) == PASS


def test_the_value_of_the_next_own_decision_is_asked_for():
    """A first seat that checks is asked again only after check and bet: there the value counts, in its unit."""
    good, bad = network((-4.0, 0.0), value=5.0), network((-4.0, 0.0), value=-5.0)
    assert choice(1, START, good) == PASS  # the other bets nearly always, and being asked again is worth 5
    assert choice(1, START, bad) == BET
    assert choice(1, START, network((-4.0, 0.0), value=-0.5, scale=10.0)) == BET


def test_who_has_learned_to_win_is_shown_shares_of_the_win():
    """A call that is lost costs 2 chips instead of 1, but no more of the win: then both are alike, and the later of
    two equal actions is dropped; a king wins by the call alone."""
    assert choice(0, BET_FIRST, network((0.0, 0.01), goal="win"), trust=0.01) == BET
    assert choice(0, BET_FIRST, network((0.0, 0.01)), trust=0.01) == PASS
    assert choice(2, BET_FIRST, network(goal="win")) == BET


def test_hidden_cards_do_not_matter():
    numbers = network((0.5, 0.0), value=0.3)
    entrant = Entrant("lookahead", KUHN.policy_index("lookahead"), np.concatenate([[3, 0.1], numbers]))
    for deal in range(12):
        table = Table(KUHN, KUHN.rulebook.make(), 1, deal)
        chosen = set()
        for left in range(2):
            other = Table(KUHN, KUHN.rulebook.make(), 1, deal)
            unseen = [card for card in range(CARDS) if card != table.states[0].card[0]]
            other.states[0].card[1:] = unseen if left else unseen[::-1]
            chosen.add(other.ask(entrant))
        assert len(chosen) == 1


def test_the_same_seed_gives_the_same_choice():
    assert {choice(1, START, network(value=0.1), worlds=1, seed=5) for _ in range(5)} in ({PASS}, {BET})
    assert {choice(1, START, network((-1.0, 0.0), value=0.7), worlds=1, seed=seed) for seed in range(40)} == {PASS, BET}


def test_every_champion_looks_ahead():
    for name in ("koikoi", "saichugen", "tricks"):
        game = games.find(name)
        plain, ahead = resolve(game, "champion"), resolve(game, "champion+search/worlds=7+trust=0.25")
        assert ahead.params[:HEADER].tolist() == [7, 0.25]
        assert ahead.params[HEADER:].tobytes() == plain.params.tobytes()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("champion+search/worlds=0", "worlds is '0'"),
        ("champion+search/trust=-1", "trust is '-1'"),
        ("champion+search/trust=much", "trust is 'much'"),
        ("champion+search/solve=3", "unknown setting of a search player 'solve'"),
        ("champion+search/playout=rule-based", "rule-based cannot look ahead"),
    ],
)
def test_wrong_settings_are_told_in_one_line(name, said):
    with pytest.raises(Problem, match=said):
        resolve(games.find("koikoi"), name)
