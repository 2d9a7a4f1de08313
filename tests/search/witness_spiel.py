"""OpenSpiel beside a game that was written out whole: every position of ours with the state of theirs."""

from functools import cache

import numpy as np
import pyspiel

from tefuda import games
from tefuda.search.tree import END, Tree, write_out

THEIRS = {"kuhn": "kuhn_poker", "leduc": "leduc_poker"}


@cache
def tree_of(name: str) -> Tree:
    game = games.find(name)
    return write_out(game, game.rulebook.make())


def cards_of(name: str, view: np.void) -> tuple[list[int], list[int]]:
    """The cards that OpenSpiel deals at first, and those that it deals later."""
    if name == "kuhn":
        return view["card"][:2].tolist(), []
    return view["hand"].tolist(), [int(view["public"])]


class Pairs:
    """Every position with their state, in our order; their names of our information sets."""

    def __init__(self, name: str) -> None:
        self.tree = tree = tree_of(name)
        self.game = pyspiel.load_game(THEIRS[name])
        chance = tree.game.chance
        assert chance is not None
        _, tables = chance.deals(tree.game.blank(tree.rules))
        self.states: list = []
        later: list[list[int]] = []  # cards still to be dealt, for each position
        for position, (parent, action) in enumerate(zip(tree.parent.tolist(), tree.action.tolist(), strict=True)):
            if parent == END:
                state = self.game.new_initial_state()
                first, rest = cards_of(name, tables[position])
                for card in first:
                    state.apply_action(card)
            else:
                state, rest = self.states[parent].clone(), later[parent]
                state.apply_action(action)
                if state.is_chance_node():
                    state.apply_action(rest[0])
                    rest = rest[1:]
            self.states.append(state)
            later.append(rest)

    def named(self, chances: np.ndarray) -> dict[str, list[tuple[int, float]]]:
        """Play as OpenSpiel writes it: chances of actions by the names of its information states."""
        found = {}
        for number, position in enumerate(self.tree.one_position):
            state = self.states[position]
            found[state.information_state_string()] = [
                (action, float(chances[number, action])) for action in state.legal_actions()
            ]
        return found


@cache
def pairs_of(name: str) -> Pairs:
    return Pairs(name)
