"""What a player sees: a view shows nothing hidden, is a copy, and guesses whole tables."""

import random
from dataclasses import replace

import numpy as np
import pytest

from tefuda import games
from tefuda.errors import Problem
from tefuda.games.koikoi import cards
from tefuda.games.koikoi.state import UNKNOWN
from tefuda.players import asking
from tefuda.players.resolve import resolve
from tefuda.table.table import Table

KOIKOI = games.find("koikoi")
KUHN = games.find("kuhn")


def tables_of_a_game(seed: int, deal: int, preset: str = "paper", changes=()):
    """A table of Koi-Koi before every decision of a game by random players."""
    table = Table(KOIKOI, KOIKOI.rulebook.make(preset, list(changes)), seed, deal)
    chooser = random.Random(1000 * seed + deal)
    while not table.over:
        yield table
        table.apply(chooser.choice(table.legal))


def test_a_view_shows_nothing_that_is_hidden():
    looked = 0
    for deal in range(4):
        for table in tables_of_a_game(1, deal, "nintendo", ["rounds=2"]):
            for seat in (0, 1):
                view = table.view(seat)
                state, true = view.state[0], table.states[0]
                assert state.hand[1 - seat] == 0
                assert state.hand[seat] == true.hand[seat]
                assert set(state.deck.tolist()) == {UNKNOWN}
                assert (state.key[0], state.shuffle[0]) == (0, 0)
                for shown in ("pile", "field", "played", "cards", "calls", "phase", "seat", "card", "score"):
                    assert np.array_equal(state[shown], true[shown])
                looked += 1
            assert table.view().seat == table.to_move
            assert table.view().legal == table.legal
            assert table.states[0].hand[1 - table.to_move] != 0 or table.states[0].cards[1 - table.to_move] == 0
    assert looked > 200


def test_a_view_is_a_copy():
    table = Table(KOIKOI, None, 2, 0)
    before = table.states.tobytes()
    view = table.view()
    view.state["hand"] = 0
    view.history.append((0, 0))
    guessed = view.guess(random.Random(1))
    assert table.states.tobytes() == before
    assert table.history == []
    assert guessed.states.tobytes() != before
    assert guessed.states[0].hand[0] == table.states[0].hand[0]  # what was written into the view is not guessed from


def test_the_history_of_a_view_is_public():
    table = Table(KOIKOI, None, 3, 0)
    taken = []
    while not table.over:
        assert table.view(0).history == table.view(1).history == taken
        seat, action = table.to_move, table.legal[-1]
        table.apply(action)
        taken.append((seat, action))
    assert len(taken) > 8


def test_a_secret_action_is_in_the_history_of_its_own_seat_alone():
    secretive = replace(KUHN, spaces=replace(KUHN.spaces, secret=lambda states, seat, action: seat == 1))
    table = Table(secretive, None, 4, 0)
    table.apply(0)
    table.apply(1)
    assert table.view(0).history == [(0, 0), (1, None)]
    assert table.view(1).history == [(0, 0), (1, 1)]


def test_the_observation_has_the_names_of_the_table_and_equals_that_of_the_true_table():
    for table in tables_of_a_game(5, 0):
        for seat in (0, 1):
            observation = table.view(seat).observation
            sizes = {key: len(numbers) for key, numbers in observation.items()}
            assert list(sizes.items()) == [(part.key, part.size) for part in KOIKOI.spaces.observation.parts]
            numbers = np.full(KOIKOI.spaces.observation.size, np.nan, np.float32)
            KOIKOI.kernels.observe(table.states[0], seat, numbers)
            assert np.array_equal(np.concatenate(list(observation.values())), numbers)
            assert np.flatnonzero(observation["hand"]).tolist() == cards.cards_of(table.states[0].hand[seat])


def test_a_guess_is_a_whole_table_that_agrees_with_all_that_was_seen():
    generator = random.Random(6)
    hands, guesses = set(), 0
    for table in tables_of_a_game(6, 1):
        view = table.view()
        for _ in range(3):
            guessed = view.guess(generator)
            state = guessed.states[0]
            seat = view.seat
            assert guessed.to_move == seat
            assert guessed.legal == view.legal
            again = guessed.view(seat)
            assert again.state.tobytes() == view.state.tobytes()
            unseen = cards.cards_of(state.hand[1 - seat]) + state.deck[int(state.next) :].tolist()
            seen = cards.cards_of(state.hand[seat] | state.pile[0] | state.pile[1] | state.field)
            seen += [int(state.card)] if state.card >= 0 else []
            assert sorted(unseen + seen) == list(range(48))
            assert len(cards.cards_of(state.hand[1 - seat])) == state.cards[1 - seat]
            hands.add(int(state.hand[1 - seat]))
            while not guessed.over:
                guessed.apply(generator.choice(guessed.legal))
            assert guessed.scores.sum() == 0
            guesses += 1
    assert guesses > 20
    assert len(hands) > guesses / 2
    view = Table(KOIKOI, None, 6, 2).view()
    assert view.guess(random.Random(1)).states.tobytes() == view.guess(random.Random(1)).states.tobytes()
    assert view.guess().states.tobytes() != view.guess().states.tobytes()  # by the seat's own numbers, which go on


def test_an_illegal_move_at_a_table_names_it_and_the_legal_ones():
    table = Table(KUHN, None, 7, 0)
    for action in (2, -1, "bets"):
        with pytest.raises(Problem, match=r"illegal move .*legal are 0 \(pass\), 1 \(bet\)"):
            table.apply(action)
    assert table.history == []


def test_a_copy_of_a_table_goes_its_own_way():
    table = Table(KOIKOI, None, 8, 0)
    rule_based = resolve(KOIKOI, "random/always-stop")
    for _ in range(3):
        table.apply(table.ask(rule_based))
    twin = table.copy()
    assert table.randoms[0].random() == twin.randoms[0].random()
    while not table.over:
        table.apply(table.ask(rule_based))
    assert len(twin.history) == 3
    while not twin.over:
        twin.apply(twin.ask(rule_based))
    assert twin.history == table.history
    assert np.array_equal(twin.scores, table.scores)


def test_names_of_legal_actions_are_their_own():
    for table in tables_of_a_game(9, 0):
        assert sorted(table.view().legal_names.values()) == table.legal


@pytest.mark.slow
def test_each_name_of_an_action_is_taken_at_every_table_of_every_game():
    """Japanese, English and both, and those that an error lists; none means two legal actions."""
    for name in games.names():
        game = games.find(name)
        table, chooser, seen = Table(game, None, 11, 0), random.Random(12), 0
        while not table.over and seen < 60:
            legal, seen = table.legal, seen + 1
            for action in legal:
                listed = game.spaces.actions.names[action]
                here = [game.words.action_name(table.states, action, lang) for lang in ("ja", "en", "both")]
                for said in {listed.en, listed.ja, *here}:
                    assert asking.named(game, table.view().state, legal, said) == action, (name, said)
                    assert asking.named(game, table.states, legal, said) == action, (name, said)
            table.apply(chooser.choice(legal))
        assert seen > 1


def test_an_action_is_taken_by_its_name():
    by_name = Table(KUHN, None, 7, 0)
    for said in ("bet", "コール"):
        by_name.apply(said)
    assert by_name.history == [(0, 1), (1, 1)]
    with pytest.raises(Problem, match=r"^the game is over: no action can be taken$"):
        by_name.apply(0)
    assert by_name.history == [(0, 1), (1, 1)]


def test_a_name_that_two_actions_have_is_refused():
    words = replace(KUHN.words, action_name=lambda states, action, lang="both": "move")
    table = Table(replace(KUHN, words=words), None, 7, 0)
    with pytest.raises(Problem, match=r"illegal move 'move': legal are 0 \(pass\), 1 \(bet\)"):
        table.apply("move")
    table.apply("bet")
    assert table.history == [(0, 1)]


def test_a_table_is_shown_to_a_seat_in_a_language():
    table = Table(KOIKOI, None, 13, 0)
    assert table.show(0, "en") == table.view(0).show("en") != table.view(0).show("ja")
    assert len({table.show(), table.show(0), table.show(1), table.show(lang="en")}) == 4
    for work, line in (
        (lambda: table.show("en"), "'en' is no seat: the language comes second, as in table.show(0, 'en')"),
        (lambda: table.show(9), "seat is 9, but takes a whole number from 0 to 1"),
        (lambda: table.show(-1), "seat is -1, but takes a whole number from 0 to 1"),
        (lambda: table.show(0, "fr"), "unknown language 'fr': known are ja, en, both"),
        (lambda: table.view().show("fr"), "unknown language 'fr': known are ja, en, both"),
        (lambda: table.view().show(3), "a language is given as a text, not as 3"),
    ):
        with pytest.raises(Problem) as caught:
            work()
        assert str(caught.value) == line


def test_a_table_and_a_view_tell_who_is_to_move():
    table = Table(KUHN, None, 7, 3)
    assert repr(table) == "<table of kuhn, rules standard, seed 7, deal 3: seat 0 to move>"
    assert repr(table.view(1)) == "<view of kuhn, rules standard, seed 7, deal 3: seat 1, seat 0 to move>"
    table.apply("bet")
    table.apply(0)
    assert repr(table) == "<table of kuhn, rules standard, seed 7, deal 3: the game is over>"
    assert repr(table.view(0)).endswith("seat 0, the game is over>")
