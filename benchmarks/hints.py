"""Speed of hints: guessed worlds a second, and values a second, which are moves tried in a world and played to the end.

Beside each game stand its plain random playouts of the same run. A hint is slower by what its player thinks, by hiding
the table from it at every decision, and by guessing the worlds.
"""

from measure import Rate, core_counts, playouts, rate

from tefuda import games
from tefuda.contract import Game, Rules
from tefuda.table.evaluation import Evaluation
from tefuda.table.session import hint_player_of
from tefuda.table.table import Table, View

ONE_ROUND = {"koikoi": "paper", "tricks": "hearts", "saichugen": "paper", "mahjong": "hand"}  # rules of single rounds


def run(device: str, seconds: float, threads: int | None) -> list[Rate]:
    """All measurements; hints run on the CPU, whatever the device."""
    rows = []
    for name, preset in ONE_ROUND.items():
        game = games.find(name)
        rows += hints(game, game.rulebook.make(preset), seconds, threads)
    return rows


def hints(game: Game, rules: Rules, seconds: float, threads: int | None) -> list[Rate]:
    """One game: a hint at its first decision that has a choice."""
    baseline = Rate(f"{game.name}: random playouts, one core", playouts(game, rules, seconds)[0], "games")
    view, player, rows = _first_choice(game, rules), hint_player_of(game, rules), [baseline]
    moves = len(view.legal)
    for count, where in core_counts(threads):

        def work(first: int, last: int, count: int = count) -> None:
            Evaluation(view, player, first, count, this_round=True).more(last - first)

        worlds, _ = rate(work, seconds, 8)
        what = f"{game.name}: hint, {moves} moves, then {player.name}, {where}"
        rows += [Rate(what, worlds, "worlds"), Rate(what, moves * worlds, "values").against(baseline)]
    return rows


def _first_choice(game: Game, rules: Rules) -> View:
    table = Table(game, rules, 1, 1)
    while len(table.legal) < 2:
        table.apply(table.legal[0])
    return table.view()
