"""Best responses over all deals: beside games written out whole, and beside a plain search with lists."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

import tefuda
from tefuda import games
from tefuda.contract import Chance
from tefuda.errors import Problem
from tefuda.players.resolve import resolve
from tefuda.search import response
from tefuda.search.exact import chances_of, exploited
from tefuda.search.response import Opposition
from tefuda.search.tree import write_out

NEAR = 1e-9


def opposition(game, name: str, rules, samples: int = 1) -> Opposition:
    player = resolve(game, name, rules)
    return Opposition(game, rules, player.policy, player.params, samples, 1)


@pytest.mark.kernel
@pytest.mark.parametrize("player", ["random", "equilibrium/0.1", "always-pass"])
def test_players_are_valued_as_in_a_game_that_is_written_out(player, monkeypatch):
    monkeypatch.setattr(response, "AT_ONCE", 1)  # one information set at a time
    kuhn = games.find("kuhn")
    rules = kuhn.rulebook.make()
    tree, entrant = write_out(kuhn, rules), resolve(kuhn, player)
    expected = exploited(tree, chances_of(tree, entrant.policy, entrant.params))
    found = opposition(kuhn, player, rules)
    best = [found.response(seat, 1) for seat in (0, 1)]
    assert [each.itself for each in best] == pytest.approx(expected.values, abs=NEAR)
    assert [each.value for each in best] == pytest.approx(expected.responses, abs=NEAR)
    assert 0 < sum(each.information_sets for each in best) <= tree.sets


@pytest.mark.slow
def test_a_player_that_is_asked_is_known_as_well_as_one_that_tells_its_chances():
    """Leduc's `honest` draws no lots: one decision shows its chances."""
    leduc = games.find("leduc")
    told = leduc.players.policy("honest")
    asked = tefuda.contract.Policy("asked", told.choose, told.parameters, numbers=told.numbers)
    rules, params = leduc.rulebook.make(), told.parameters("", np.zeros(0))
    tree = write_out(leduc, rules)
    expected = exploited(tree, chances_of(tree, told, params))
    found = Opposition(leduc, rules, asked, params, 1, 1)
    assert [found.response(seat).value for seat in (0, 1)] == pytest.approx(expected.responses, abs=NEAR)


def test_games_that_do_not_list_their_deals_are_told():
    tricks = games.find("tricks")
    with pytest.raises(Problem, match="tricks cannot be solved exactly: it does not list its deals by the rules plain"):
        opposition(tricks, "random", tricks.rulebook.make())
    with pytest.raises(Problem, match="seat is 4"):
        tefuda.exact("tricks", "random", changes=["pack=tiny"], seats=[4])


@pytest.mark.slow
@pytest.mark.parametrize("player", ["random", "rule-based"])
def test_deals_that_differ_in_names_alone_can_be_left_out(player):
    """Against a player who plays alike whatever the suits are called: by a fifth of the tables, and by all of them."""
    tricks = games.find("tricks")
    few = opposition(tricks, player, tricks.rulebook.make("plain", ["pack=tiny"]))
    assert few.policy.alike
    found = few.response(2)
    few.policy = replace(few.policy, alike=False)
    whole = few.response(2)
    assert 5 * found.tables < whole.tables
    assert (found.itself, found.value) == pytest.approx((whole.itself, whole.value), abs=NEAR)
    assert found.itself == pytest.approx(0.5, abs=NEAR)  # two tricks, four seats that mean the same


# --- tricks with two cards a hand, by a plain search over what all can see ---

CARDS = [(suit, rank) for suit in range(4) for rank in (11, 12)]  # kings and aces


def legal(hand: frozenset, trick: list) -> list:
    following = [card for card in hand if trick and card[0] == trick[0][1][0]]
    return following or list(hand)


def best(seat: int, worlds: list, lead: int, trick: list, taken: int, respond: bool) -> Fraction:
    """What a seat gets against random others: `worlds` are the hands that agree with what it has seen, weighted."""
    if len(trick) == 4:
        lead = max((card for card in trick if card[1][0] == trick[0][1][0]), key=lambda each: each[1][1])[0]
        taken, trick = taken + (lead == seat), []
    if not worlds[0][0][lead] and not trick:
        return taken * sum(weight for _, weight in worlds)
    mover = (lead + len(trick)) % 4
    after: dict = {}
    for hands, weight in worlds:
        cards = legal(hands[mover], trick)
        share = weight if mover == seat and respond else weight / len(cards)
        for card in cards:
            left = tuple(hand - {card} for hand in hands)
            after.setdefault(card, []).append((left, share))
    values = [best(seat, each, lead, [*trick, (mover, card)], taken, respond) for card, each in after.items()]
    return max(values) if mover == seat and respond else sum(values)


def all_hands(cards: list, seats: int) -> list[tuple]:
    if seats == 0:
        return [()]
    return [
        (frozenset(hand), *rest)
        for hand in combinations(cards, 2)
        for rest in all_hands([card for card in cards if card not in hand], seats - 1)
    ]


@pytest.mark.slow
def test_four_seats_are_valued_as_by_a_plain_search():
    tricks = games.find("tricks")
    rules = tricks.rulebook.make("plain", ["pack=tiny"])
    found, deals, lead = opposition(tricks, "random", rules), all_hands(CARDS, 4), 1
    parts = list(tricks.chance.parts(tricks.blank(rules)))
    assert [len(tables) for _, tables in parts] == 4 * [len(deals)]
    assert sum(chances.sum() for chances, _ in parts) == pytest.approx(1)
    chances, tables = parts[lead]
    found.chance = Chance(lambda blank: (4 * chances, tables))  # the deals in which seat 1 leads
    for seat in (0, 1, 3):
        by_hand: dict = {}
        for hands in deals:
            by_hand.setdefault(hands[seat], []).append((hands, Fraction(1, len(deals))))
        alone = sum(best(seat, worlds, lead, [], 0, respond=False) for worlds in by_hand.values())
        expected = sum(best(seat, worlds, lead, [], 0, respond=True) for worlds in by_hand.values())
        one = found.response(seat, 1)
        assert one.itself == pytest.approx(float(alone), abs=NEAR)
        assert one.value == pytest.approx(float(expected), abs=NEAR)
