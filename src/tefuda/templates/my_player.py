"""A player of your own. Try it with

tefuda match GAME my_player.py:MyPlayer random --deals 20
tefuda match GAME my_player.py:MyPlayer/worlds=20 my_player.py:MyPlayer --deals 20
tefuda play GAME my_player.py:MyPlayer

docs/view.md says all that `view` has.
"""

from typing import Any


class MyPlayer:
    """Tries each legal action in some guessed worlds, plays them to their end by chance, and takes the best."""

    def __init__(self, worlds: int = 5) -> None:
        self.worlds = worlds  # a setting: MyPlayer/worlds=20

    def act(self, view: Any) -> int:
        """The action to take: one of `view.legal`."""
        if len(view.legal) == 1:
            return view.legal[0]
        totals = dict.fromkeys(view.legal, 0.0)
        for _ in range(self.worlds):
            world = view.guess()  # a whole table that agrees with all that this seat knows
            for action in totals:
                totals[action] += self.played_out(world.copy(), action, view)
        return max(totals, key=lambda action: totals[action])

    def played_out(self, table: Any, action: int, view: Any) -> float:
        """What this seat gets when it takes an action and all play on by chance."""
        table.apply(action)
        while not table.over:
            table.apply(view.random.choice(table.legal))
        return table.scores[view.seat]
