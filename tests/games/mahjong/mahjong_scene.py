"""A table of mahjong composed for a test: hands and wall in notation, moves in words.

    scene = Scene({0: "123m456p789s1122z", 1: "…"}, draws="5m 1p", dora="9s")
    scene.play("0 5m", "1 ron")

A move is a seat and a tile (discarded from the hand), `*` (the tile just drawn), `riichi`, `chi 46m` (the own two
tiles), `pon`, `pon 05m`, `open kan`, `kan 5m`, `tsumo`, `ron`, `nine` or `pass`. Who is asked but not named passes.
"""

import numpy as np

from tefuda.games import find
from tefuda.games.mahjong import actions, rules
from tefuda.games.mahjong.actions import kind_of_face, red_of_kind
from tefuda.games.mahjong.notation import parse
from tefuda.games.mahjong.starting import start_deal, wall_of
from tefuda.games.mahjong.state import CLAIM, OVER, ROB
from tefuda.games.mahjong.tiles import KINDS, RED_FIVES
from tefuda.table.table import legal_actions

GAME = find("mahjong")
JUNK, MORE_JUNK, OTHER_JUNK = "258m147p369s1235z", "369m258p147s1235z", "147m369p258s2346z"  # far from ready
WORDS = {
    "*": actions.TSUMOGIRI, "riichi": actions.RIICHI, "tsumo": actions.TSUMO, "ron": actions.RON, "nine": actions.NINE,
    "pass": actions.PASS, "open kan": actions.OPEN_KAN, "pon": actions.PON,
}  # fmt: skip


def won_with(scene: "Scene", *numbers: int) -> bool:
    """Whether all of some yaku are the first winner's."""
    return all(int(scene.state.win_yaku[0]) >> number & 1 for number in numbers)


def faces(text: str) -> list[int]:
    """The faces of some tiles; spaces say nothing."""
    return [int(red_of_kind(tile // 4)) if tile in RED_FIVES else tile // 4 for tile in parse(text)]


class Scene:
    """One table."""

    def __init__(
        self, hands=None, draws="", rinshan="", dora="", ura="", kyoku=0, honba=0, sticks=0, points=(25000,) * 4,
        preset="hanchan", options=(),
    ) -> None:  # fmt: skip
        self.states = GAME.blank(GAME.rulebook.make(preset, options))
        self.state = self.states[0]
        GAME.kernels.deal(self.state, np.array([7], np.uint64))
        given = [faces((hands or {}).get(seat, "")) for seat in range(4)]
        assert all(len(hand) in (0, 13) for hand in given), [len(hand) for hand in given]
        wall = wall_of(self.states, kyoku % 4, given, faces(draws), faces(rinshan), faces(dora), faces(ura))
        start_deal(self.state, kyoku, honba, sticks, np.array(points, np.int64), wall)
        self.finished = int(self.state.finished)

    @property
    def asking(self) -> bool:
        return self.state.phase in (CLAIM, ROB)

    @property
    def legal(self) -> list[int]:
        return legal_actions(GAME, self.states)

    @property
    def over(self) -> bool:
        return bool(self.state.phase == OVER)

    @property
    def ended(self) -> bool:
        """Whether the deal is over."""
        return bool(self.state.finished != self.finished)

    def action(self, words: str) -> int:
        """The number of a move."""
        if words in WORDS:
            return WORDS[words]
        if words.startswith("chi "):
            own = faces(words[4:])
            kind = int(kind_of_face(int(self.state.tile)))
            place = kind - min(kind, *(int(kind_of_face(face)) for face in own))
            return actions.CHI + 2 * place + any(face >= KINDS for face in own)
        if words.startswith("pon "):
            return actions.PON + any(face >= KINDS for face in faces(words[4:]))
        if words.startswith("kan "):
            return actions.KAN + faces(words[4:])[0]
        return faces(words)[0]

    def may(self, words: str) -> bool:
        """Whether the seat to move may make a move."""
        return self.action(words) in self.legal

    def play(self, *moves: str) -> "Scene":
        for move in moves:
            seat, words = int(move[0]), move[2:]
            claims = words.split()[0] in ("chi", "pon", "open", "ron", "pass")
            while self.asking and not (claims and self.state.seat == seat) and not self.ended:
                GAME.kernels.apply(self.state, actions.PASS)
            assert not self.ended, f"{move}: the deal is over"
            assert int(GAME.kernels.to_move(self.state)) == seat, f"{move}: seat {int(self.state.seat)} is to move"
            action = self.action(words)
            assert action in self.legal, (
                f"{move}: legal are {[GAME.spaces.actions.names[each].en for each in self.legal]}"
            )
            GAME.kernels.apply(self.state, action)
        return self

    def pass_all(self) -> "Scene":
        """All who are still asked pass."""
        while self.asking and not self.ended:
            GAME.kernels.apply(self.state, actions.PASS)
        return self

    def discard_draws(self, left: int = 0) -> "Scene":
        """Everybody discards what was drawn, until so many tiles are left and the last of them is drawn."""
        while not self.ended and (self.asking or rules.left_in_wall(self.state) > left):
            GAME.kernels.apply(self.state, actions.PASS if self.asking else actions.TSUMOGIRI)
        return self

    @property
    def paid(self) -> list[int]:
        return [int(each) for each in self.state.paid]

    @property
    def points(self) -> list[int]:
        return [int(each) for each in self.state.points]

    @property
    def scores(self) -> list[float]:
        out = np.zeros(4)
        GAME.kernels.scores(self.state, out)
        return out.tolist()

    @property
    def winners(self) -> list[int]:
        return [int(seat) for seat in self.state.winners if seat >= 0]
