"""Tricks as data: who leads and wins, hands by suit with what is known of others', and why a card may not be played."""

import random

import pytest

from tefuda.contract import Reader
from tefuda.games.tricks import GAME
from tefuda.games.tricks.cards import LETTERS, RANKS
from tefuda.games.tricks.state import OVER
from tefuda.table.record import take
from tefuda.table.scene import said_of, scene_of, why_not
from tefuda.table.table import Table

pytestmark = pytest.mark.kernel

NAMES = ("ann", "bob", "cid", "dee")


def card(written: str) -> int:
    return RANKS * "cdsh".index(written[0]) + LETTERS.index(written[1:])


def played(preset: str, *changes: str, decisions: int = 0, deal: int = 1, seed: int = 1) -> Table:
    table, source = Table(GAME, GAME.rulebook.make(preset, list(changes)), seed, deal), random.Random(seed)
    for _ in range(decisions):
        table.apply(source.choice(table.legal))
    return table


def reason(table: Table, action: int) -> str:
    return why_not(GAME, table.view().state, action, Reader(table.to_move, "en", NAMES)).en


def test_the_trick_lies_before_those_who_played():
    table = played("hearts", decisions=4 * 3 + 2)
    scene = scene_of(GAME, table.states, Reader(0, "en", NAMES))
    state = table.states[0]
    laid = {zone.seat: [each.id for each in zone.cards] for zone in scene.zones_of("trick")}
    assert laid == {seat: [int(state.trick[seat])] if state.trick[seat] >= 0 else [] for seat in range(4)}
    suit = int(state.trick[state.lead]) // RANKS
    best = max(each for (each,) in filter(None, laid.values()) if each // RANKS == suit)
    marked = [each.id for zone in scene.zones_of("trick") for each in zone.cards if "winning" in each.marks]
    assert marked == [best]
    assert [seat for seat in range(4) if "leads" in scene.seats[seat].marks] == [int(state.lead)]
    out_of_play = [each.id for zone in scene.zones_of("played") for each in zone.cards]
    assert len(out_of_play) == 12


def test_a_card_that_was_passed_is_seen_in_the_other_hand():
    table = played("usual", "passing=left", decisions=12)
    given = [action for seat, action in table.history if seat == 2]
    scene = scene_of(GAME, table.states, Reader(2, "en", NAMES))
    known = [each.id for zone in scene.zones_of("hand", 3) for each in zone.cards]
    assert set(given) <= set(known) <= {*given, card("c2")}  # who leads has shown that it holds that card
    assert sum(zone.size for zone in scene.zones_of("hand", 3)) == 13
    note = next(note for note in scene.notes if note.key == "given")
    assert (note.seat, note.way, sorted(each.id for each in note.cards)) == (3, "to", sorted(given))
    assert sum(zone.backs for zone in scene.zones_of("hand", 0)) == 13


def test_cards_that_are_chosen_to_be_passed_are_marked_and_named_to_their_giver_alone():
    table = played("usual", "passing=left")
    chosen = table.legal[0]
    step = take(table, chosen)
    for seat in range(4):
        scene = scene_of(GAME, table.states, Reader(seat, "en", NAMES), [step])
        marked = [each.id for zone in scene.zones_of("hand") for each in zone.cards if "chosen" in each.marks]
        assert marked == ([chosen] if seat == 0 else [])
        assert scene.said[0].moved == ()
        told = [line.en for line in scene.said[0].lines]
        assert (told == ["passes three cards face down"]) == (seat != 0)


def test_a_trick_that_is_taken_goes_out_of_play():
    table = played("plain", decisions=3)
    before = [int(each) for each in table.states[0].trick if each >= 0]
    last = take(table, table.legal[0])
    moved = {each.card: each.target for each in said_of(GAME, last, Reader(0, "en", NAMES), moved=True).moved}
    assert set(moved) == {*before, last.action}
    assert all(target.startswith("played:") for target in moved.values())


@pytest.mark.slow
def test_why_a_card_may_not_be_played():
    table = played("hearts")
    assert table.legal == [card("c2")]
    held = next(each for each in range(52) if int(table.states[0].hand[table.to_move]) >> each & 1 and each)
    assert reason(table, held) == "♣2 leads the first trick"
    elsewhere = next(each for each in range(52) if not int(table.states[0].hand[table.to_move]) >> each & 1)
    assert "is not in your hand" in reason(table, elsewhere)
    reasons = set()
    for deal in range(30):
        table, source = played("hearts", deal=deal), random.Random(deal)
        while not table.over:
            seat, legal = table.to_move, table.legal
            for each in range(52):
                if int(table.states[0].hand[seat]) >> each & 1 and each not in legal:
                    told, state = reason(table, each), table.states[0]
                    reasons.add(told.partition(":")[0])
                    follows = state.laid and any(one // RANKS == int(state.trick[state.lead]) // RANKS for one in legal)
                    assert ("follow suit" in told) == bool(follows)
            table.apply(source.choice(legal))
    assert reasons == {
        "♣2 leads the first trick", "clubs were led", "diamonds were led", "spades were led", "hearts were led",
        "hearts are not broken", "no penalty cards in the first trick",
    }  # fmt: skip
    passing = played("usual", "passing=left", decisions=1)
    assert "is chosen already" in reason(passing, passing.history[0][1])
    over = played("plain")
    while not over.over:
        over.apply(over.legal[0])
    assert why_not(GAME, over.states, 0, Reader(0, "en", NAMES)).en == "the game is over"
    assert over.states[0].phase == OVER
