"""`tefuda exact | solve`: small games, which can be written out whole."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tefuda.cli.common import Changes, GameName, Json, Preset, Seed, console, print_json, table
from tefuda.outside import MOST_ITERATIONS, MOST_SAMPLES

if TYPE_CHECKING:
    from tefuda.arena.exact import Exact


def register(app: typer.Typer) -> None:
    app.command()(exact)
    app.command()(solve)


def exact(
    game: GameName,
    player: Annotated[str, typer.Argument(help="a compiled player, or a policy file")],
    rules: Preset = None,
    changes: Changes = None,
    samples: Annotated[
        int,
        typer.Option(
            min=1, max=MOST_SAMPLES, help="decisions in each information set of a player that does not tell its chances"
        ),
    ] = 200,
    seed: Seed = 1,
    json: Json = False,
) -> None:
    """Value a player of a small game exactly: what it gets in each seat, and how far it can be exploited.

    All deals and all ways to play them are written out, and no game is played. A player's exploitability is what a
    best response gains over it against itself, as a mean over the seats. It is 0 in an equilibrium.

    Examples:

    `tefuda exact kuhn always-bet`

    `tefuda exact leduc equilibrium --json`
    """
    from tefuda.arena.exact import exact as value
    from tefuda.games import find

    found = find(game)
    result = value(found, player, found.rulebook.make(rules, changes), samples, seed)
    if json:
        print_json(result.data())
    else:
        _print(result)


def solve(
    game: GameName,
    iterations: Annotated[
        int, typer.Option(min=1, max=MOST_ITERATIONS, help="the more, the nearer to an equilibrium")
    ] = 1000,
    out: Annotated[Path, typer.Option(help="folder for the policy")] = Path("results/solve"),
    rules: Preset = None,
    changes: Changes = None,
    json: Json = False,
) -> None:
    """Solve a small game for two by CFR+, and keep the solution as a policy file.

    Examples:

    `tefuda solve leduc --iterations 2000 --out results/leduc`

    `tefuda match leduc results/leduc/policy.npz random`
    """
    from tefuda.games import find
    from tefuda.learn.equilibrium import POLICY
    from tefuda.learn.equilibrium import solve as run

    found = find(game)
    result = run(found, found.rulebook.make(rules, changes), iterations, out)
    if json:
        print_json({"file": str(out / POLICY), "iterations": iterations, **result.data()})
    else:
        _print(result)
        console().print(f"policy: {out / POLICY}", soft_wrap=True)


def _print(result: "Exact") -> None:
    screen, found = console(), result.found
    rows = [
        [str(seat), _signed(value), _signed(response), f"{gain:.3g}"]
        for seat, (value, response, gain) in enumerate(zip(found.values, found.responses, found.gains, strict=True))
    ]
    heading = f"{result.player} in all seats of {result.game}, rules {result.rules}: scores a game"
    screen.print(table(heading, ["seat", "its score", "a best response's", "gain"], rows, {0, 1, 2, 3}))
    screen.print(f"Exploitability: {found.exploitability:.3g}, the mean of the gains.", soft_wrap=True)
    if result.samples:
        known = f"The chances of {result.player} are estimated from {result.samples:,} decisions in each"
    else:
        known = "Exact"
    size = f"{result.information_sets:,} information sets, {result.positions:,} positions"
    screen.print(f"{known}: {size}.", soft_wrap=True)


def _signed(score: float) -> str:
    return f"{round(score, 6) + 0.0:+.6f}"  # + 0.0, for there is no -0
