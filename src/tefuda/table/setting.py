"""A position set up by hand: cards that a seat sees exchanged for cards that it has not seen.

A table that somebody puts together card by card is hardly ever one that a game can reach. An exchange keeps it one: a
card of the hand and a hidden card change their places in a guessed world, and the game itself says whether the hard
facts still hold. This is written on what every game tells the checks (`Checks`), so each game has it. Where a game
gives `exchange`, cards that lie open on the table can be exchanged too: the field of Koi-Koi, the dora of mahjong.
"""

import random

import numpy as np

from tefuda.contract import Game, Layout
from tefuda.engine.single import legal_actions
from tefuda.errors import Problem
from tefuda.table.table import Table, View

TRIES = 40  # guessed worlds in which an exchange is tried
SAMPLES = 3  # worlds, and cards that may come, by which it is found whether a card can go


def own_cards(view: View) -> list[int]:
    """The cards that only this seat sees: what can go."""
    layout, slots = _own_slots(view)
    return sorted(layout.cards[slot] for slot in slots)


def open_cards(view: View) -> list[int]:
    """The cards on the table that can go too, where the game lets open cards be exchanged."""
    exchange = view.game.checks.exchange
    if exchange is None:
        return []
    worlds, unseen = [_guessed(view, number) for number in range(SAMPLES)], unseen_cards(view)[:SAMPLES]
    layout = view.game.checks.layout(worlds[0], view.seat)
    shown = {card for card, hidden in zip(layout.cards, layout.hidden, strict=True) if not hidden}
    return [
        card for card in sorted(shown) if any(exchange(world.copy(), card, come) for world in worlds for come in unseen)
    ]


def unseen_cards(view: View) -> list[int]:
    """The cards that this seat cannot see, each kind once: what can come."""
    world = _guessed(view, 0)
    layout = view.game.checks.layout(world, view.seat)
    return sorted({card for card, hidden in zip(layout.cards, layout.hidden, strict=True) if hidden})


def exchanged(view: View, out: int, come: int) -> Table:
    """A table at which the seat of a view sees the card `come` instead of `out`, in its hand or on the table, and all
    else that it sees is as it was; a Problem says why there is none."""
    game, seat = view.game, view.seat
    if come not in unseen_cards(view):
        raise Problem(f"{_called(game, come)} cannot come: seat {seat} sees where it is")
    if out in own_cards(view):
        layout, slots = _own_slots(view)
        held = next(slot for slot in slots if layout.cards[slot] == out)
        tried = (_swapped(view, _guessed(view, number), held, come) for number in range(TRIES))
        world = next((each for each in tried if each is not None), None)
    elif out in open_cards(view):
        world = _laid(view, out, come, TRIES)
    else:
        raise Problem(f"{_called(game, out)} cannot be exchanged: it is not in the hand of seat {seat}")
    if world is None:
        raise Problem(
            f"{_called(game, come)} cannot come for {_called(game, out)}: the rules would not allow what was played "
            "before"
        )
    table = Table.of_world(view, world)
    table.told = table.told.of_world(seat, [])  # what was told before may not agree with the new card
    return table


def _guessed(view: View, number: int) -> np.ndarray:
    return view.guess(random.Random(number)).states


def _own_slots(view: View) -> tuple[Layout, list[int]]:
    """Where the cards lie that only this seat sees."""
    game, world = view.game, _guessed(view, 0)
    own = game.checks.layout(world, view.seat)
    others = [game.checks.layout(world, seat) for seat in range(game.seats) if seat != view.seat]
    slots = range(len(own.cards))
    return own, [slot for slot in slots if not own.hidden[slot] and all(other.hidden[slot] for other in others)]


def _swapped(view: View, world: np.ndarray, held: int, come: int) -> np.ndarray | None:
    """A guessed world in which the card of a slot of the hand is exchanged; None where the hard facts do not allow it.
    The change is made as somebody would guess it who sees neither of the two cards."""
    game, seat = view.game, view.seat
    own = game.checks.layout(world, seat)
    hidden = [slot for slot, card in enumerate(own.cards) if card == come and own.hidden[slot]]
    for other in (each for each in range(game.seats) if each != seat):
        theirs = game.checks.layout(world, other)
        for slot in hidden:
            if not theirs.hidden[slot]:
                continue
            cards = list(theirs.cards)
            cards[held], cards[slot] = cards[slot], cards[held]
            twin = world.copy()
            game.checks.rebuild(twin, theirs, cards)
            if _is_sound(game, world, twin, seat, cards):
                return twin
    return None


def _laid(view: View, out: int, come: int, tries: int) -> np.ndarray | None:
    """A guessed world with a card that lies open exchanged; None where no such world is found."""
    game = view.game
    for number in range(tries):
        world = _guessed(view, number)
        twin, cards = world.copy(), game.checks.layout(world, view.seat).cards
        fits = game.checks.exchange is not None and game.checks.exchange(twin, out, come)
        if fits and _is_sound(game, world, twin, view.seat, cards):
            return twin
    return None


def _is_sound(game: Game, world: np.ndarray, twin: np.ndarray, seat: int, cards: list[int]) -> bool:
    """Whether every card is there once, the same seat decides, and it has something to decide."""
    return (
        sorted(game.checks.layout(twin, seat).cards) == sorted(cards)
        and int(game.kernels.to_move(twin[0])) == int(game.kernels.to_move(world[0])) == seat
        and bool(legal_actions(game, twin))
        and all(game.checks.allowed(twin, each) for each in range(game.seats))
    )


def _called(game: Game, card: int) -> str:
    names = game.spaces.cards
    return names[card].en if 0 <= card < len(names) else f"card {card}"
