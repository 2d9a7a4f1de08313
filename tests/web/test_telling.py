"""What a view is told depends on what it may know alone: tables that differ in hidden cards are told alike."""

import random
from dataclasses import replace

import numpy as np
import pytest

from tefuda.contract.scene import written
from tefuda.games import find
from tefuda.players.resolve import resolve
from tefuda.table.play import Play
from tefuda.table.scene import hidden_copy
from tefuda.web.telling import Telling, hears, place_of_turn, reader_of, turn_at


class Twin(Play):
    """The same game with other hidden cards."""

    def __init__(self, play: Play, world) -> None:
        super().__init__(play.game, play.rules, play.entrants, play.seed, play.deal)
        self.table = world


@pytest.mark.parametrize(
    ("name", "preset"), [("koikoi", "paper"), ("tricks", "hearts"), ("saichugen", "paper"), ("leduc", None)]
)
def test_two_tables_that_differ_in_hidden_cards_are_told_in_the_same_bytes(name, preset):
    game = find(name)
    rules = game.rulebook.make(preset)
    nobody = [None] * game.seats
    compared = 0
    for deal in range(20):
        play = Play(game, rules, nobody, 0, deal)
        seat, luck = deal % game.seats, random.Random(deal)
        for _ in range(luck.randrange(8)):
            if not play.over:
                play.take(luck.choice(play.table.legal))
        if play.over:
            continue
        twin = Twin(play, play.table.view(seat).guess(luck))
        readers = [Telling(reader_of(["person"] * game.seats, seat, seat)) for _ in range(2)]
        play.steps.clear()
        told = [one.whole(each, 0) for one, each in zip(readers, (play, twin), strict=True)]
        assert written(told[0]) == written(told[1])
        compared += 1
        while not play.over:
            seen = [hidden_copy(game, each.table.states, seat).tobytes() for each in (play, twin)]
            both = sorted(set(play.table.legal) & set(twin.table.legal))
            if seen[0] != seen[1] or play.asked != twin.asked or not both:
                break  # a card came to light
            if play.asked == seat:
                assert play.table.legal == twin.table.legal
            action = luck.choice(both)
            for each in (play, twin):
                each.take(action)
            if (
                hidden_copy(game, play.table.states, seat).tobytes()
                != hidden_copy(game, twin.table.states, seat).tobytes()
            ):
                break
            told = [one.news(each, len(each.steps)) for one, each in zip(readers, (play, twin), strict=True)]
            assert written(told[0]) == written(told[1])
            compared += 1
    assert compared > 15


def test_turns_count_what_a_view_hears():
    game = find("mahjong")
    rules = game.rulebook.make("hand")
    entrant = resolve(game, "rule-based", rules)
    play = Play(game, rules, [entrant] * 4, 0, 11)
    while not play.over:
        play.program_takes(play.ask())
    unheard = [step for step in play.steps if not hears(game, step, 0)]
    assert unheard
    assert turn_at(play, None, len(play.steps)) == len(play.steps)
    assert turn_at(play, 0, len(play.steps)) == len(play.steps) - len(unheard)
    for turn in (0, 1, 7, turn_at(play, 0, len(play.steps))):
        assert turn_at(play, 0, place_of_turn(play, 0, turn, len(play.steps))) == turn
    assert place_of_turn(play, 0, 10_000, len(play.steps)) is None
    told = Telling(reader_of(["person", *["rule-based"] * 3], 0, 0)).news(play, len(play.steps))
    assert [entry["turn"] for entry in told] == list(range(1, len(play.steps) - len(unheard) + 1))
    for entry in told:
        assert entry["scene"].turn == entry["turn"]


def test_what_is_told_step_by_step_is_what_is_told_at_once():
    """Whether a page hears of each decision at once or of all of them later, it has seen the same turns."""
    game = find("mahjong")
    rules = game.rulebook.make("hand")
    play = Play(game, rules, [resolve(game, "rule-based", rules)] * 4, 0, 5)
    slow = Telling(reader_of(["person", *["rule-based"] * 3], 0, 0))
    told = []
    while not play.over:
        play.program_takes(play.ask())
        told += slow.news(play, len(play.steps))
    quick = Telling(reader_of(["person", *["rule-based"] * 3], 0, 0)).news(play, len(play.steps))
    last = {entry["turn"]: replace(entry["scene"], said=()) for entry in told}
    assert last == {entry["turn"]: replace(entry["scene"], said=()) for entry in quick}
    said = [line for entry in told for line in entry["scene"].said]
    assert said == [line for entry in quick for line in entry["scene"].said]
    assert np.all(np.diff([entry["turn"] for entry in told]) >= 0)
