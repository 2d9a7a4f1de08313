"""`tefuda exact | solve`: small games, which can be written out whole."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tefuda.cli import completing
from tefuda.cli.common import Changes, GameName, Json, Preset, Seed, Threads, console, print_json, table
from tefuda.outside import MOST_ITERATIONS, MOST_SAMPLES

if TYPE_CHECKING:
    from tefuda.arena.exact import Exact


def register(app: typer.Typer) -> None:
    app.command()(exact)
    app.command()(solve)


def exact(
    game: GameName,
    player: Annotated[
        str, typer.Argument(help="a compiled player, or a policy file", autocompletion=completing.players)
    ],
    rules: Preset = None,
    changes: Changes = None,
    samples: Annotated[
        int,
        typer.Option(
            min=1, max=MOST_SAMPLES, help="decisions in each information set of a player that does not tell its chances"
        ),
    ] = 200,
    seats: Annotated[
        list[int] | None,
        typer.Option("--seat", help="a seat of the best response, again for each; all unless given"),
    ] = None,
    seed: Seed = 1,
    threads: Threads = None,
    json: Json = False,
) -> None:
    """Value a player of a small game exactly: what it gets in each seat, and how far it can be exploited.

    All deals and all ways to play them are gone through, and no game is played. A player's exploitability is what a
    best response gains over it against itself, as a mean over the seats. It is 0 in an equilibrium. Koi-Koi and
    trick-taking have small packs for this; where no seat differs from another, --seat 0 saves the others' time. It
    takes seconds against rules and solutions, and half an hour against a network in trick-taking.

    Examples:

    `tefuda exact kuhn always-bet`

    `tefuda exact leduc equilibrium --json`

    `tefuda exact koikoi rule-based/always-stop --set pack=small --samples 1`

    `tefuda exact tricks rule-based --set pack=small --seat 0`
    """
    from tefuda.arena.exact import exact as value
    from tefuda.games import find

    found = find(game)
    result = value(found, player, found.rulebook.make(rules, changes), samples, seed, seats or None, threads)
    if json:
        print_json(result.data())
    else:
        _print(result)


def solve(
    game: GameName,
    iterations: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=MOST_ITERATIONS,
            help="the more, the nearer to an equilibrium; 1000 unless given, 200 of the small packs, or 2,000,000 "
            "where deals are sampled",
        ),
    ] = None,
    out: Annotated[Path, typer.Option(help="folder for the policy")] = Path("results/solve"),
    rules: Preset = None,
    changes: Changes = None,
    seed: Seed = 1,
    threads: Threads = None,
    json: Json = False,
) -> None:
    """Solve a small game, and keep the solution as a policy file.

    Kuhn and Leduc poker are written out whole and solved by CFR+. The small packs of Koi-Koi and trick-taking are
    written out by what their seats are shown, without deals that differ from others in names alone. Where that is too
    much too, CFR samples deals for two seats, by --seed. For more than two seats nothing promises an equilibrium.

    Examples:

    `tefuda solve leduc --iterations 2000 --out results/leduc`

    `tefuda match leduc results/leduc/policy.npz random`

    `tefuda solve koikoi --set pack=small --iterations 100 --out results/small`
    """
    from tefuda.files.policy import POLICY_FILE
    from tefuda.games import find
    from tefuda.learn.equilibrium import solve as run

    found = find(game)
    result = run(found, found.rulebook.make(rules, changes), iterations, out, seed, threads)
    if json:
        print_json({"file": str(out / POLICY_FILE), **result.data()})
    else:
        _print(result)
        console().print(f"policy: {out / POLICY_FILE}", soft_wrap=True)


def _print(result: "Exact") -> None:
    screen, found = console(), result.found
    rows = [
        [str(seat), _signed(value), _signed(response), f"{gain:.3g}"]
        for seat, value, response, gain in zip(result.seats, found.values, found.responses, found.gains, strict=True)
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
