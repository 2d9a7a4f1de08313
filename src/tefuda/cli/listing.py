"""`tefuda games | players | rules | show`: what there is."""

from pathlib import Path
from typing import Annotated

import typer

from tefuda.cli.common import GameName, Json, console, print_json, table
from tefuda.errors import counted


def register(app: typer.Typer) -> None:
    app.command()(games)
    app.command()(players)
    app.command()(rules)
    app.command()(show)


def games(json: Json = False) -> None:
    """List the games.

    Example: `tefuda games --json`
    """
    from tefuda import games as registry

    found = [registry.find(name) for name in registry.names()]
    if json:
        print_json(
            [
                {
                    "name": game.name, "ja": game.title.ja, "en": game.title.en, "seats": game.seats,
                    "presets": list(game.rulebook.presets),
                    "players": list(dict.fromkeys(player.name for player in game.players.named)),
                    "actions": game.spaces.actions.size, "observation": game.spaces.observation.size,
                    "figure": game.scoring.headline.name,
                }
                for game in found
            ]
        )  # fmt: skip
        return
    rows = [
        [game.name, str(game.title), str(game.seats), ", ".join(game.rulebook.presets),
         str(len({player.name for player in game.players.named}))]
        for game in found
    ]  # fmt: skip
    console().print(table("Games", ["name", "title", "seats", "rules", "players"], rows, {2, 4}))


def players(game: GameName, json: Json = False) -> None:
    """List the players of a game.

    Example: `tefuda players koikoi`
    """
    from tefuda.games import find

    found = find(game)
    only = found.players.rules_of
    if json:
        print_json(
            [{"name": player.name, "rules": only(player), "about": player.about} for player in found.players.named]
        )
        return
    some = any(map(only, found.players.named))  # players that not all rules have
    rows = [[player.name, *([only(player)] if some else []), player.about] for player in found.players.named]
    screen = console()
    screen.print(table(f"Players of {found.title}", ["name", *(["rules"] if some else []), "what it is"], rows))
    if found.players.variants:
        screen.print(f"Variants: {found.players.variants}", soft_wrap=True)
    screen.print(
        "Wherever a player is named, a policy file (path/to/policy.npz) or a class of your own "
        "(path/to/file.py:ClassName) will do too.",
        soft_wrap=True,
    )


def rules(game: GameName, json: Json = False) -> None:
    """Show the options of a game's rules and what its presets make of them.

    Example: `tefuda rules koikoi`, then `tefuda match koikoi rule-based random --rules nintendo --set rounds=1`
    """
    from rich.text import Text

    from tefuda.games import find

    found = find(game)
    book = found.rulebook
    presets = {name: book.make(name) for name in book.presets}
    if json:
        print_json(
            {
                "game": found.name,
                "options": [
                    {
                        "name": option.key, "meaning": option.meaning,
                        "values": list(option.values) if option.values else [option.low, option.high],
                    }
                    for option in book.options
                ],
                "presets": {
                    name: {option.key: option.text(made.values[option.key]) for option in book.options}
                    for name, made in presets.items()
                },
            }
        )  # fmt: skip
        return
    screen = console()
    rows = []
    for option in book.options:
        takes = ", ".join(option.values) if option.values else f"{option.low} to {option.high}"
        rows.append([option.key, *(option.text(made.values[option.key]) for made in presets.values()), takes])
    columns = ["option", *presets, "takes"]
    screen.print(table(f"Rules of {found.title}; the default is {next(iter(presets))}", columns, rows))
    for option in book.options:
        screen.print(Text.assemble((option.key, "bold"), f": {option.meaning}"))
    screen.print()
    for name, about in book.about.items():
        screen.print(Text.assemble((name, "bold"), f": {about}"))


def show(
    policy: Annotated[Path, typer.Argument(help="a policy file (.npz)")],
    weights: Annotated[bool, typer.Option(help="print the weights by their meaning too")] = False,
    json: Json = False,
) -> None:
    """Print the card of a policy: its game, rules, features, seed, commit, arguments and strength.

    Example: `tefuda show results/train/policy.npz`
    """
    from dataclasses import asdict

    from tefuda.files.policy import load

    card, numbers = load(policy)
    if json:
        print_json({**asdict(card), "weights": numbers.tolist() if weights else len(numbers)})
        return
    screen = console()
    rows = [[key, str(value)] for key, value in asdict(card).items() if key != "strength"]
    rows += [["strength", _strength(each)] for each in card.strength]
    rows.append(["weights", str(len(numbers))])
    screen.print(table(str(policy), ["entry", "value"], rows))
    if weights:
        from tefuda.games import find

        linear = find(card.game).learning.linear
        names = linear.names if linear is not None and linear.policy == card.policy else ()
        if len(names) != len(numbers):
            screen.print("The weights of this policy have no names.")
            return
        named = [[name, f"{number:+.3f}"] for name, number in zip(names, numbers, strict=True)]
        screen.print(table("Weights", ["feature", "weight"], named, {1}))


def _strength(each: dict) -> str:
    """A measured result; files of before do not name the rules by which it was measured."""
    by = f" by {each['rules']}" if "rules" in each else ""
    return (
        f"{each['mean']:+.3f} ± {(each['high'] - each['low']) / 2:.3f} {each['figure']} against {each['opponent']}{by} "
        f"({counted(each['deals'], 'deal')}, seed {each['seed']})"
    )
