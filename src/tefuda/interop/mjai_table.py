"""A table of the engine at which four mjai bots play: each is told what its seat may know, and answers every line.

    asks = [asking(Bot(entrant, rules)) for _ in range(4)]      # or whatever answers a line: a pipe, a socket
    match = MjaiTable(asks, rules, seed=1).run()

The engine is the judge: an answer that the rules do not allow ends the match with a Problem that names it. All bots
answer a discard at once, as at a server; whose answer counts, the engine decides.
"""

import json
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tefuda.contract import Rules
from tefuda.engine.single import legal_actions
from tefuda.errors import Problem
from tefuda.games.mahjong.actions import NINE, PASS, RON, TSUMO
from tefuda.games.mahjong.legal import STICK
from tefuda.games.mahjong.records import mjai, mjai_read, paifu
from tefuda.games.mahjong.records.checked import quoted
from tefuda.games.mahjong.records.paifu import Deal, Match
from tefuda.games.mahjong.records.recorder import Recorder
from tefuda.games.mahjong.records.replay import action_of
from tefuda.games.mahjong.state import CLAIM, HAND, ROB, SEATS
from tefuda.interop.following import GAME
from tefuda.interop.mjai import NONE, TYPES, Bot, answer
from tefuda.kernel.random import DEAL, stream

Ask = Callable[[str], str]  # a line of mjai -> the line that answers it


def asking(bot: Bot) -> Ask:
    """A bot of this process as one who is asked by lines. What it does not understand is a Problem."""

    def ask(line: str) -> str:
        action, wrong = bot.react(line)
        if wrong:
            raise Problem(f"the bot of seat {bot.seat} does not understand {line.strip()}: {wrong[0]}")
        return json.dumps(action, separators=(",", ":"))

    return ask


class MjaiTable:
    """One match between four bots."""

    def __init__(self, asks: Sequence[Ask], rules: Rules, seed: int = 0, deal: int = 0) -> None:
        self.asks, self.states = asks, GAME.blank(rules)
        GAME.kernels.deal(self.states[0], np.array([stream(seed, deal, 0, DEAL)], np.uint64))
        self.recorder = Recorder(self.states, rules)
        self.answers: list[dict[str, Any]] = [NONE] * SEATS  # to the last line, until the engine has asked for them
        self.before = self.states.copy()  # the table when these were given
        self.told = 0  # events of this deal
        self.accepted: set[int] = set()  # whose riichi was told as paid

    def run(self) -> Match:
        """Play the match."""
        self._tell([{"type": "start_game", "id": seat} for seat in range(SEATS)])
        deals = self.recorder.match.deals
        self._begin(deals[-1])
        while (seat := int(GAME.kernels.to_move(self.states[0]))) >= 0:
            number = len(deals)
            given, self.answers[seat] = self.answers[seat], NONE
            self.recorder.take(self._action(self.states, seat, given))
            if len(deals) > number or int(GAME.kernels.to_move(self.states[0])) < 0:
                self._end(deals[number - 1])
                if len(deals) > number:
                    self._begin(deals[-1])
            else:
                self._tell_new(deals[-1])
        self._tell_all({"type": "end_game", "scores": self.states["points"][0].tolist()})
        return self.recorder.match

    def _begin(self, deal: Deal) -> None:
        start = {"type": "start_kyoku", **mjai.start_of(deal)}
        hidden = [mjai.HIDDEN] * HAND
        self._tell([
            {**start, "tehais": [hand if owner == seat else hidden for owner, hand in enumerate(start["tehais"])]}
            for seat in range(SEATS)
        ])  # fmt: skip
        self.told, self.accepted = 0, set()
        self._tell_new(deal)

    def _tell_new(self, deal: Deal) -> None:
        """What has happened since the last line."""
        points = self.states["points"][0]
        for seat in range(SEATS):
            if points[seat] < deal.points[seat] and seat not in self.accepted:  # within a deal, only riichi is paid
                self.accepted.add(seat)
                deltas = [-STICK if each == seat else 0 for each in range(SEATS)]
                self._tell_all({"type": "reach_accepted", "actor": seat, "deltas": deltas, "scores": points.tolist()})
        for event in deal.events[self.told :]:
            told = mjai.event_of(event)
            hidden = {**told, "pai": mjai.HIDDEN} if event.type == paifu.DRAW else told
            self._tell([told if seat == event.seat else hidden for seat in range(SEATS)])
        self.told = len(deal.events)

    def _end(self, deal: Deal) -> None:
        for event in mjai.ending(deal, bool(self.recorder.match.rules.values["red"])):
            self._tell_all(event)
        self._tell_all({"type": "end_kyoku"})

    def _tell_all(self, event: dict[str, Any]) -> None:
        self._tell([event] * SEATS)

    def _tell(self, events: Sequence[dict[str, Any]]) -> None:
        """Tell each seat one event, and take all answers."""
        self._judge_unasked()
        for seat, event in enumerate(events):
            self.answers[seat] = self._answer(seat, self.asks[seat](json.dumps(event, separators=(",", ":"))))
        self.before = self.states.copy()

    def _answer(self, seat: int, line: str) -> dict[str, Any]:
        try:
            return mjai_read.event_from(mjai_read.parse(line))
        except Problem as problem:
            raise Problem(f"seat {seat} answers {quoted(line)}: {problem}") from None

    def _judge_unasked(self) -> None:
        """Answers that the engine did not ask for, since another went before: they must have been legal too."""
        for seat, given in enumerate(self.answers):
            if given["type"] == "none":
                continue
            twin = self.before.copy()
            while twin["phase"][0] in (CLAIM, ROB) and int(GAME.kernels.to_move(twin[0])) != seat:
                GAME.kernels.apply(twin[0], PASS)
            if int(GAME.kernels.to_move(twin[0])) != seat:
                raise _refused(seat, given, "it was not asked")
            self._action(twin, seat, given)

    def _action(self, states: np.ndarray, seat: int, given: dict[str, Any]) -> int:
        """The action that a seat's answer means; it must be legal, and written as the engine would write it."""
        try:
            action = _meant(given)
        except Problem as problem:
            raise _refused(seat, given, str(problem)) from None
        legal = legal_actions(GAME, states)
        if action not in legal:
            raise _refused(seat, given, f"it may take {', '.join(_written(states, seat, each) for each in legal)}")
        meant = answer(states, seat, action)
        if any(_sorted(given.get(key)) != _sorted(value) for key, value in meant.items()):
            raise _refused(seat, given, f"the engine writes it as {json.dumps(meant)}")
        return action


def _meant(given: dict[str, Any]) -> int:
    """The number of an action that was answered."""
    answered = given["type"]
    if answered in ("none", "ryukyoku"):
        return int(PASS if answered == "none" else NINE)
    if answered == "hora":
        missing = [key for key in ("actor", "target") if key not in given]
        if missing:
            raise Problem(f"it has no {missing[0]}")
        return int(TSUMO if given["actor"] == given["target"] else RON)
    if answered not in TYPES - {"tsumo"}:
        raise Problem(f"{answered} is no move")
    return int(action_of(mjai_read.move_of(answered, mjai_read.values_of(given))))


def _sorted(value: Any) -> Any:
    """Tiles that join a set have no order."""
    return sorted(value) if isinstance(value, list) else value


def _written(states: np.ndarray, seat: int, action: int) -> str:
    return json.dumps(answer(states, seat, action))


def _refused(seat: int, given: dict[str, Any], why: str) -> Problem:
    return Problem(f"seat {seat} answers {json.dumps(given)}, which is not legal: {why}")
