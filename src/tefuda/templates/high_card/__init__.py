"""high_card: two seats hold some of twelve cards; one leads a card, the other answers, the higher one takes the trick.

A whole game in one file: change it piece by piece. `tefuda check path/to/high_card` says at each step whether it is
still sound. Cards: 0, the lowest, to 11. A set of cards is a uint64 with bit `card` set.
"""

from pathlib import Path

import numpy as np

from tefuda.contract import (
    Checks,
    Game,
    Headline,
    Kernels,
    Layout,
    Name,
    NamedPlayer,
    Option,
    Part,
    Players,
    Policy,
    RuleBook,
    Scoring,
    Shown,
    Space,
    Spaces,
    Words,
    plain_parameters,
    rules_part,
)
from tefuda.engine.loops import uniform
from tefuda.engine.network import with_network
from tefuda.kernel.bits import ZERO, bit, cards_of, count, has, lowest, nth
from tefuda.kernel.compile import kernel, record_type
from tefuda.kernel.random import below
from tefuda.search.pimc import with_pimc

SEATS, CARDS = 2, 12
MOST = 5  # cards of a hand, by any rules
DECK = np.uint64((1 << CARDS) - 1)
NAMES = tuple(Name(f"{card + 1}の札", f"card {card + 1}") for card in range(CARDS))
NOTHING = -1

# The rules are a value inside the state. An option is a rule that people play in different ways.
RULEBOOK = RuleBook(
    (Option("hand", "cards that each seat is dealt", low=2, high=MOST),),
    {"standard": {"hand": "4"}},
    {"standard": "four cards each"},
)

State = record_type(
    [
        ("hand", np.uint64, SEATS),  # hidden but the own one: cards in each hand
        ("left", np.uint64),  # hidden: cards that nobody was dealt
        ("played", np.uint64, SEATS),  # cards that each seat has played
        ("cards", np.int8, SEATS),  # number of cards in each hand
        ("tricks", np.int8, SEATS),  # tricks that each seat has taken
        ("led", np.int8),  # the card that waits for an answer, or -1
        ("seat", np.int8),  # who decides
        ("rules", RULEBOOK.dtype),
    ]
)


# The kernels: small functions that Numba compiles. They allocate nothing, raise nothing, and call kernels alone.


@kernel
def hide(state, seat):
    """Blank all that a seat cannot know."""
    state.hand[1 - seat] = ZERO
    state.left = ZERO


@kernel
def guess(state, seat, rng):
    """Deal what a seat cannot see again, each way alike.

    It is also called on tables that are not hidden: blanks are written, and never read.
    """
    other = 1 - seat
    unseen = DECK & ~(state.hand[seat] | state.played[0] | state.played[1])
    state.hand[other] = ZERO
    for _ in range(int(state.cards[other])):
        card = nth(unseen, below(rng, count(unseen)))
        state.hand[other] = state.hand[other] | bit(card)
        unseen = unseen & ~bit(card)
    state.left = unseen


@kernel
def deal(state, rng):
    """A fresh game; the rules are in the state already."""
    for seat in range(SEATS):
        state.hand[seat] = ZERO
        state.played[seat] = ZERO
        state.cards[seat] = state.rules.hand
        state.tricks[seat] = 0
    state.led = NOTHING
    state.seat = 0
    guess(state, 1, rng)  # cards for seat 0 from all, …
    guess(state, 0, rng)  # … then for seat 1 from the rest


@kernel
def to_move(state):
    """The seat that decides now, or -1 when it is over."""
    return int(state.seat) if state.cards[state.seat] > 0 else -1


@kernel
def legal(state, mask):
    """Which actions that seat may take: any card of its hand."""
    mask[0] = state.hand[state.seat]


@kernel
def apply(state, action):
    """One decision, and all that follows without a decision."""
    seat = int(state.seat)
    state.hand[seat] = state.hand[seat] & ~bit(action)
    state.played[seat] = state.played[seat] | bit(action)
    state.cards[seat] -= 1
    if state.led == NOTHING:
        state.led = action
        state.seat = 1 - seat
        return
    winner = seat if action > state.led else 1 - seat
    state.tricks[winner] += 1
    state.led = NOTHING
    state.seat = winner


@kernel
def scores(state, out):
    """What each seat has, at every moment."""
    out[0] = state.tricks[0] - state.tricks[1]
    out[1] = state.tricks[1] - state.tricks[0]  # -out[0] would show a draw as -0


# What can be done, and what can be known as numbers for a network

ACTIONS = Space((Part("card", CARDS, "play this card", NAMES),))
OBSERVATION = Space(
    (
        Part("hand", CARDS, "cards in the own hand", NAMES),
        Part("played", CARDS, "cards played by oneself", NAMES),
        Part("other_played", CARDS, "cards played by the other", NAMES),
        Part("led", CARDS, "the card that waits for an answer", NAMES),
        Part("own_turn", 1, "1 when oneself decides now"),
        Part("tricks", 2, "tricks of oneself and of the other, in fives"),
        rules_part(RULEBOOK.options),
    )
)
PLAYED, OTHER, LED, TURN, TRICKS, RULES = (
    OBSERVATION.slices[key].start for key in ("played", "other_played", "led", "own_turn", "tricks", "rules")
)


@kernel
def observe(state, seat, out):
    """What a seat can know. Every number is written: the array may hold anything before."""
    for card in range(CARDS):
        out[card] = has(state.hand[seat], card)
        out[PLAYED + card] = has(state.played[seat], card)
        out[OTHER + card] = has(state.played[1 - seat], card)
        out[LED + card] = state.led == card
    out[TURN] = to_move(state) == seat
    out[TRICKS] = state.tricks[seat] / 5.0
    out[TRICKS + 1] = state.tricks[1 - seat] / 5.0
    out[RULES] = state.rules.hand / 10.0


# Players: a policy is a kernel, and a named player names one. `uniform` is any legal action, all alike.


@kernel
def choose_any(view, seat, params, rng, mask, worlds, numbers):
    return uniform(view, rng, mask)


@kernel
def choose_low(view, seat, params, rng, mask, worlds, numbers):
    """Takes the trick as cheaply as it can, and plays its lowest card otherwise."""
    if view.led != NOTHING:
        higher = mask[0] & ~((bit(view.led) << np.uint64(1)) - np.uint64(1))
        if higher != ZERO:
            return lowest(higher)
    return lowest(mask[0])


POLICIES = (Policy("random", choose_any, plain_parameters, blind=True), Policy("low", choose_low, plain_parameters))
PLAYERS = (
    NamedPlayer("random", "any legal card, all alike", "random"),
    NamedPlayer("low", "takes a trick as cheaply as it can, and plays its lowest card otherwise", "low"),
)


# Words for people. `scene` would draw zones and cards: see games/kuhn/scene.py.


def action_name(states: np.ndarray, action: int, lang: str = "both") -> str:
    """What an action means at this table."""
    return NAMES[action].text(lang)


def show(states: np.ndarray, seat: int | None = None, lang: str = "both") -> str:
    """The table as one seat sees it, or everything when no seat is given."""
    state = states[0]
    lines = []
    for owner in range(SEATS):
        held = ", ".join(NAMES[card].text(lang) for card in cards_of(state.hand[owner]))
        seen = held if seat in (None, owner) else f"{int(state.cards[owner])} ×"
        lines.append(f"{owner}: {seen}  |  {int(state.tricks[owner])}")
    led = NAMES[int(state.led)].text(lang) if state.led != NOTHING else "–"
    return "\n".join([*lines, f"→ {led}"])


# For the checks: where every card is, and which of them a seat cannot see


def layout(states: np.ndarray, seat: int) -> Layout:
    state = states[0]
    slots = [(card, f"hand {owner}", owner != seat) for owner in range(SEATS) for card in cards_of(state.hand[owner])]
    slots += [(card, f"played {owner}", False) for owner in range(SEATS) for card in cards_of(state.played[owner])]
    slots += [(card, "left", True) for card in cards_of(state.left)]
    cards, groups, hidden = (list(each) for each in zip(*slots, strict=True))
    return Layout(cards, groups, hidden)


def rebuild(states: np.ndarray, seen: Layout, cards: list[int]) -> None:
    """Write other cards into the hidden slots, in the order of the layout."""
    there: dict[str, int] = {}
    for card, group in zip(cards, seen.groups, strict=True):
        there[group] = there.get(group, 0) | 1 << card
    state = states[0]
    for owner in range(SEATS):
        state.hand[owner] = there.get(f"hand {owner}", 0)
    state.left = there.get("left", 0)


# What seats are told. Each is told every action, unless the game says that it is secret. Here none is. A card laid face
# down would be: `hide` blanks it, `layout` says that it is hidden, and this goes into Spaces(…, secret=secret):
#
#     def secret(states: np.ndarray, seat: int, action: int) -> bool:
#         """Whether the other seats do not see the action that a seat takes at this table."""
#         return bool(states[0].phase == LAYING)
#
# With unheard=True the others are not even told that somebody was asked.


def shown(before: np.ndarray, after: np.ndarray, action: int) -> list[Shown]:
    """Cards that come to light beside those that are played: here there are none.

    Shown("turned", None, [card]) tells all seats a card that is nobody's; Shown("drawn", seat, [card], to=seat) tells a
    seat what it drew, and the others only that it drew.
    """
    return []


ENGINE = Game(
    name="high_card",
    title=Name("high_card", "high_card"),
    seats=SEATS,
    folder=Path(__file__).parent,
    State=State,
    kernels=Kernels(deal, to_move, legal, apply, scores, observe, hide, guess),
    spaces=Spaces(ACTIONS, OBSERVATION, cards=NAMES, shown=shown),
    rulebook=RULEBOOK,
    players=Players(POLICIES, PLAYERS, default_opponent="low"),
    scoring=Scoring(Headline("tricks more than the other"), total=0.0),
    words=Words(show=show, action_name=action_name),
    checks=Checks(layout, rebuild, longest=SEATS * MOST),  # decisions of a round, by whatever options
)

# `with_network` lets networks play: `tefuda train` can learn one. `with_pimc` adds the search player.
GAME = with_pimc(with_network(ENGINE), worlds=50, playout="low")
