"""Play a record through the engine, and report each disagreement.

Records carry no walls: a wall is built that gives the recorded hands, draws and indicators. Then every recorded action
must be legal and every draw the engine's, and every deal must begin as the one before has left it. What the engine has
played is written down anew in the format of the record, and everything that the record states must be the same.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from tefuda.errors import Problem
from tefuda.games.mahjong import actions, rules
from tefuda.games.mahjong.options import RULEBOOK
from tefuda.games.mahjong.records import paifu
from tefuda.games.mahjong.records.follow import (
    DRAWN_TWICE,
    ENDED_BEFORE,
    ILLEGAL,
    NOT_DRAWN,
    WRONG_SEAT,
    WRONG_TILE,
    follow,
    rows,
)
from tefuda.games.mahjong.records.holding import KIND, Misfit, held_at_end, numbered, turned_by_kans
from tefuda.games.mahjong.records.outcome import note_end
from tefuda.games.mahjong.records.paifu import Deal, Event, Match
from tefuda.games.mahjong.records.shapes import first_misfit
from tefuda.games.mahjong.records.stated import differences, is_complete
from tefuda.games.mahjong.spaces import ACTIONS
from tefuda.games.mahjong.starting import wall_of
from tefuda.games.mahjong.state import NINE_TERMINALS, OVER, SEATS, TRIPLE_RON, State
from tefuda.games.mahjong.text import face_text
from tefuda.games.mahjong.tiles import KINDS

CHI, PON, OPEN_KAN, KAN, RIICHI, TSUMOGIRI, TSUMO, NINE = (  # plain numbers: this is Python, not a kernel
    int(each)
    for each in (
        actions.CHI, actions.PON, actions.OPEN_KAN, actions.KAN, actions.RIICHI, actions.TSUMOGIRI, actions.TSUMO,
        actions.NINE,
    )
)  # fmt: skip
ENDS = (
    "not yet", "won", "exhausted", "nagashi mangan", "nine terminals", "four winds", "four riichi", "four kans",
    "triple ron",
)  # fmt: skip


@dataclass(frozen=True)
class Disagreement:
    """Where record and engine differ: the match, the deal (from 1), the event in it (from 1; 0: its beginning)."""

    match: str
    deal: int
    event: int
    text: str

    def __str__(self) -> str:
        return f"{self.match}, deal {self.deal}, event {self.event}: {self.text}"


def wall_of_deal(states: np.ndarray, deal: Deal) -> np.ndarray:
    """A wall that gives what a recorded deal has shown."""
    draws: list[int] = []
    replacements: list[int] = []
    after_kan = False
    for event in deal.events:
        if event.type in paifu.KANS:
            after_kan = True
        elif event.type == paifu.DRAW:
            (replacements if after_kan else draws).append(event.tile)
            after_kan = False
    return wall_of(states, deal.kyoku % SEATS, deal.hands, draws, replacements, deal.indicators, deal.ura)


def action_of(event: Event) -> int:
    """The number of a recorded action."""
    if event.type == paifu.DISCARD:
        return TSUMOGIRI if event.tsumogiri else event.tile
    if event.type == paifu.RIICHI:
        return RIICHI
    if event.type in (paifu.CLOSED_KAN, paifu.ADDED_KAN):
        return KAN + KIND[event.tile]
    if event.type == paifu.OPEN_KAN:
        return OPEN_KAN
    red = any(face >= KINDS for face in event.own)
    if event.type == paifu.PON:
        return PON + red
    kind = KIND[event.tile]
    place = kind - min(kind, *(KIND[face] for face in event.own))
    return CHI + 2 * place + red


def told(fault: int, seat: int, value: int) -> str:
    """What the engine did not go along with, in words."""
    if fault == ILLEGAL:
        return f"{ACTIONS.names[value].en} of seat {seat} is not legal"
    if fault == WRONG_SEAT:
        return f"with the engine it is seat {seat} that is to act"
    if fault == WRONG_TILE:
        return f"the engine has drawn {face_text(value) if value >= 0 else 'nothing'}"
    if fault in (NOT_DRAWN, DRAWN_TWICE):
        return f"seat {seat} {'draws twice' if fault == DRAWN_TWICE else 'has drawn no tile before'}"
    return f"the engine has ended the deal ({ENDS[value]})" if fault == ENDED_BEFORE else "the engine goes on"


class Replay:
    """One match on one table. `ours` becomes the match as the engine has played it, as far as it went along."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.ours = replace(match, deals=[], points=None, scores=None)
        self.states, self.before = np.zeros(1, State), np.zeros(1, State)
        self.states["rules"][0] = RULEBOOK.row(match.rules)
        self.state = self.states[0]
        self.mask = np.zeros(2, np.uint64)
        self.fault = np.zeros(4, np.int64)
        self.along = True  # whether the engine went along with the last deal, and so knows what follows
        rules.deal(self.state, np.zeros(1, np.uint64))

    def run(self) -> Iterator[Disagreement]:
        """All disagreements of the match."""
        for number, deal in enumerate(self.match.deals, start=1):
            if self.state.phase == OVER:
                yield Disagreement(self.match.name, number, 0, "the engine has ended the match, the record goes on")
                return
            for event, text in self.deal(deal):
                yield Disagreement(self.match.name, number, event, text)
        for text in self.final():
            yield Disagreement(self.match.name, len(self.match.deals), 0, text)

    def deal(self, deal: Deal) -> Iterator[tuple[int, str]]:
        """All disagreements of a deal, each with its event."""
        if self.along:
            yield from ((0, text) for text in self.beginning(deal))
        try:
            found = first_misfit(deal) or self.play(deal)
        except Problem as problem:
            found = 0, str(problem)
        self.along = not found
        if found:
            yield found
            return
        ours = replace(deal, wins=[], ended=None)
        self.ours.deals.append(ours)
        note_end(ours, self.before[0], self.state, last_move(deal).tile)
        if deal.ended is not None and deal.ended != ours.ended:
            yield len(deal.events), f"the deal has ended by {ENDS[ours.ended or 0]}, recorded {ENDS[deal.ended]}"
            return
        winners = [win.seat for win in deal.wins], [win.seat for win in ours.wins]
        if winners[0] != winners[1]:
            yield len(deal.events), f"the winners are {winners[1]}, recorded {winners[0]}"
            return
        if deal.stated is None:
            return
        for text in self.indicators(deal, ours):
            yield len(deal.events), text
            return
        try:
            ours.numbers = deal.numbers or numbered(deal, bool(self.match.rules.values["red"]))
            holding = held_at_end(deal, ours.numbers)
        except Misfit as misfit:
            yield misfit.event, str(misfit)
            return
        yield from differences(self.match.format, ours, holding, deal.stated)

    def beginning(self, deal: Deal) -> Iterator[str]:
        """The state that the engine brought about is the one that the next deal begins with."""
        state = self.state
        ours = (int(state.kyoku), int(state.honba), int(state.sticks), tuple(state.points.tolist()))
        theirs = (deal.kyoku, deal.honba, deal.sticks, deal.points)
        if ours != theirs:
            yield f"kyoku, honba, sticks and points are {ours}, recorded {theirs}"

    def play(self, deal: Deal) -> tuple[int, str] | None:
        """Play one deal; returns what the engine did not go along with, and at which event."""
        events, places = [], []  # without indicators: which are open is compared when the deal is over
        for place, event in enumerate(deal.events, start=1):
            if event.type != paifu.DORA:
                action = -1 if event.type == paifu.DRAW else action_of(event)
                events.append((event.seat, action, event.tile))
                places.append(place)
        if not events:
            return 0, "nothing was drawn or discarded"
        places.append(len(deal.events) + 1)
        ron = sum(1 << win.seat for win in deal.wins if win.seat != win.source)
        if deal.ended == TRIPLE_RON:
            ron = (1 << SEATS) - 1
        last = NINE if deal.ended == NINE_TERMINALS else -1
        if deal.wins and not ron:
            last = TSUMO
        points = np.array(deal.points, np.int64)
        wall = wall_of_deal(self.states, deal)
        arguments = (deal.kyoku, deal.honba, deal.sticks, points, wall, rows(events), ron, last)
        if follow(self.state, self.before, *arguments, self.mask, self.fault):
            return None
        fault, number, seat, value = self.fault.tolist()
        what = "the end"
        if number < len(events):
            event = deal.events[places[number] - 1]
            what = f"{paifu.EVENT_NAMES[event.type]} of seat {event.seat}"
        return places[number], f"{what}: {told(fault, seat, value)}"

    def indicators(self, deal: Deal, ours: Deal) -> Iterator[str]:
        """Each kan turns an indicator; who wins in riichi looks at as many below them."""
        number = 1 + len(turned_by_kans([event for event in deal.events if event.type != paifu.DORA]))
        if len(deal.indicators) != number:
            yield f"{number} dora indicators are open, recorded {len(deal.indicators)}"
        elif any(win.riichi for win in ours.wins) and len(deal.ura) != number:
            yield f"{number} ura indicators are looked at, recorded {len(deal.ura)}"

    def final(self) -> Iterator[str]:
        """Whether record and engine ended the match together, and with which points."""
        match, ours, state = self.match, self.ours, self.state
        if state.phase != OVER or not self.along:
            if match.points is not None and self.along:
                yield "the match has ended, the engine goes on"
            return
        out = np.zeros(SEATS)
        rules.scores(state, out)
        ours.points, ours.scores = tuple(state.points.tolist()), tuple(out.tolist())
        if match.points is None and is_complete(match.format):
            yield f"the match is over with {ours.points}, but no end of it is recorded"
        if match.points is not None and match.points != ours.points:
            yield f"the final points are {ours.points}, recorded {match.points}"
        if match.scores is not None and np.abs(out - match.scores).max() > 0.05:
            yield f"the final scores are {ours.scores}, recorded {match.scores}"


def last_move(deal: Deal) -> Event:
    """The last event that is no indicator."""
    return next(event for event in reversed(deal.events) if event.type != paifu.DORA)


def verify(match: Match) -> list[Disagreement]:
    """All disagreements of one match with the engine."""
    return list(Replay(match).run())


def replayed(match: Match) -> Match:
    """The match as the engine plays it, with all that every format tells; a Problem where they disagree."""
    replay = Replay(match)
    for disagreement in replay.run():
        raise Problem(f"it disagrees with the rules, so that it cannot be written: {disagreement}")
    return replay.ours
