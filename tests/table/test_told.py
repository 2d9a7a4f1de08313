"""What a view tells beside numbers for networks: whole numbers, what was dealt, and all that happened."""

import random

import numpy as np
import pytest

import tefuda
from tefuda import games
from tefuda.games.koikoi.cards import cards_of
from tefuda.table.events import Event
from tefuda.table.table import Table

PLAYED = {
    "koikoi": ("nintendo", ["rounds=3"]), "tricks": ("usual", []), "saichugen": ("paper", []),
    "mahjong": ("tonpuu", []), "kuhn": ("standard", []), "leduc": ("standard", []),
}  # fmt: skip
ROUNDS = {"koikoi", "tricks", "saichugen", "mahjong"}


def tables(name: str, deal: int = 0, most: int = 400):
    """A table before each decision of a random game, and the generator that plays it."""
    game = games.find(name)
    preset, changes = PLAYED[name]
    table, chooser = Table(game, game.rulebook.make(preset, changes), 5, deal), random.Random(deal)
    while not table.over and len(table.history) < most:
        yield table
        table.apply(chooser.choice(table.legal))


def test_all_games_are_tried():
    assert set(PLAYED) == set(games.names())


@pytest.mark.parametrize("name", PLAYED)
def test_plain_numbers_are_those_of_the_hidden_state(name):
    game = games.find(name)
    for table in tables(name, most=40):
        for seat in range(game.seats):
            view = table.view(seat)
            for key, value in view.plain.items():
                true = view.state[0][key]
                if true.dtype == np.uint64:
                    masks = [sum(1 << card for card in cards) for cards in value] if true.shape else sum(
                        1 << card for card in value
                    )  # fmt: skip
                    assert np.array_equal(np.array(masks, np.uint64), true), key
                else:
                    assert np.array_equal(value, true), key
            assert not {"rules", "key", "shuffle"} & set(view.plain)
            assert not any(key.startswith("gap_") for key in view.plain)


def test_plain_numbers_show_nothing_hidden():
    table = tefuda.table("koikoi")
    view = table.view(0)
    assert view.plain["hand"] == [cards_of(table.states[0].hand[0]), []]
    assert set(view.plain["deck"]) == {255}
    assert view.plain["score"] == [0, 0]
    assert view.rules.values["rounds"] == 1


@pytest.mark.parametrize("name", PLAYED)
def test_what_was_dealt_is_the_table_at_the_beginning_of_the_round(name):
    game, seen = games.find(name), {}
    for table in tables(name):
        number = table.round
        for seat in range(game.seats):
            if (number, seat) not in seen:
                seen[number, seat] = game.plain(table.view(seat).state)
            assert table.view(seat).dealt == seen[number, seat]
    assert (max(number for number, _ in seen) > 0) == (name in ROUNDS)


@pytest.mark.parametrize("name", PLAYED)
def test_events_have_every_action_and_a_mark_for_every_round(name):
    game = games.find(name)
    *_, table = tables(name)
    for seat in range(game.seats):
        view = table.view(seat)
        told = [event for event in view.events if event.what == "action"]
        assert [(event.seat, event.action) for event in told] == view.history
        own = [action for who, action in table.history if who == seat]
        assert [event.action for event in told if event.seat == seat] == own
        rounds = [event.round for event in view.events if event.what == "round"]
        assert rounds == list(range(len(rounds)))
        assert len(rounds) in (table.round, table.round + 1)
        assert view.events[0] == Event(0, "round")
        assert [event.round for event in view.events] == sorted(event.round for event in view.events)


def test_cards_turned_from_the_deck_of_koikoi_are_told_to_both():
    for deal in range(3):
        *_, table = tables("koikoi", deal)
        first, second = (table.view(seat).events for seat in (0, 1))
        assert first == second
        turned = [event for event in first if event.what == "turned" and event.round == 0]
        again = tefuda.table("koikoi", "nintendo", ["rounds=3"], seed=5, deal=deal)
        deck = again.states[0].deck.tolist()[24:]
        assert [event.cards[0] for event in turned] == deck[: len(turned)]
        assert len(turned) >= 4
        piles = {event.action for event in first if event.what == "action"} - {48, 49}
        assert not piles & {None}


def test_a_passed_card_is_told_to_its_receiver_alone():
    table = next(iter(tables("tricks")))
    given = {}
    while table.view().plain["phase"] == 0:
        given.setdefault(table.to_move, []).append(table.legal[0])
        table.apply(table.legal[0])
    for seat in range(4):
        received = [event for event in table.view(seat).events if event.what == "received"]
        direction = table.view(seat).plain["direction"]
        for event in received:
            own = event.seat == seat
            assert event.cards == (tuple(sorted(given[(seat - direction) % 4])) if own else None)
            assert event.secret
        assert len(received) == 4
        assert [event.action for event in table.view(seat).events if event.what == "action" and event.seat == seat] == (
            given[seat]
        )


def test_cards_laid_face_down_are_turned_with_the_third():
    table = tefuda.table("saichugen")
    laid = [table.legal[0]]
    table.apply(laid[0])
    laid.append(table.legal[0])
    table.apply(laid[1])
    assert [event.action for event in table.view(2).events[1:]] == [None, None]
    table.apply(table.legal[0])
    turned = [event for event in table.view(2).events if event.what == "turned"]
    assert [(event.seat, event.cards) for event in turned] == [(0, (laid[0],)), (1, (laid[1],))]


def test_a_drawn_tile_is_told_to_its_seat_alone():
    drawn = 0
    for table in tables("mahjong", most=120):
        views = [table.view(seat) for seat in range(4)]
        seat = int(table.states[0].seat)
        last = [event for event in views[seat].events if event.what == "drawn"][-1:]
        if (
            last
            and table.states[0].drawn >= 0
            and table.states[0].phase == 0
            and last[0][:3] == (table.round, "drawn", seat)
        ):
            assert last[0].cards == (int(table.states[0].drawn),)
        for view in views:
            for event in view.events:
                if event.what == "drawn":
                    assert (event.cards is None) == (event.seat != view.seat)
                    drawn += 1
    assert drawn > 1000


def test_the_public_card_of_leduc_is_turned():
    table = tefuda.table("leduc")
    table.apply(1)
    table.apply(1)
    assert table.view(0).events[-1] == Event(0, "turned", None, None, (int(table.states[0].public),))


@pytest.mark.parametrize("name", PLAYED)
def test_a_guessed_table_has_what_its_guesser_was_told(name):
    game, generator = games.find(name), random.Random(1)
    for table in tables(name, most=60):
        view = table.view()
        world = view.guess(generator)
        there = world.view(view.seat)
        assert there.events == view.events
        assert there.history == view.history
        assert there.dealt == view.dealt
        assert world.history == view.history
        for other in set(range(game.seats)) - {view.seat}:
            if game.spaces.secret is None:
                assert world.view(other).history == table.view(other).history
            known = [event for event in world.view(other).events if event.secret and event.seat == view.seat]
            assert all(event.action is None and not event.cards for event in known)
        before = len(there.events)
        world.apply(world.legal[0])
        assert len(world.view(view.seat).events) > before


def test_a_view_keeps_what_it_knew():
    table = tefuda.table("koikoi")
    early = table.view()
    table.apply(table.legal[0])
    assert [event.what for event in early.events] == ["round"]
    assert early.history == []
    early.legal.clear()
    assert early.legal
    early.history.append((0, 0))
    assert table.view(0).history != early.history


def test_scores_of_a_view_are_those_of_the_table():
    for table in tables("koikoi", 1):
        assert table.view().scores == table.scores.tolist()


def test_the_observation_is_a_mapping_by_name():
    view = tefuda.table("koikoi").view()
    assert dict(view.observation).keys() == view.game.spaces.observation.slices.keys()
    assert len(view.observation) == len(view.game.spaces.observation.parts)
    with pytest.raises(KeyError):
        view.observation["nothing"]
    assert np.array_equal(np.concatenate(list(view.observation.values())), view.inputs)
