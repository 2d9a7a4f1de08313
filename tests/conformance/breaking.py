"""Breaks games on purpose, and tells which checks fail then."""

import dataclasses
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tefuda.conformance import CHECKS, check, deals, guessing, places, play, scenes, secrecy, study, tables
from tefuda.contract import Game, Statistics
from tefuda.kernel.compile import COMPILED

NAME = {function: name for name, function in CHECKS.items()}
NEEDS_LOOPS = (play.same_bytes, play.players_are_legal, secrecy.players_know_nothing_hidden)
# Less than a check of a game usually tries: what is broken here is found sooner.
SMALL = dataclasses.replace(
    study.QUICK, settings=1, many_settings=2, decisions=5000, walks=3, tables=8, texts=2, choices=100
)


def broken(game: Game, folder: Path, what: str, **changes) -> Game:
    """A game with some parts replaced, and a name and folder of its own: compiled code is kept under them."""
    golden = game.folder / "golden.txt"
    if golden.is_file():
        shutil.copy(golden, folder)
    unlearned = tuple(
        player for player in game.players.named if player.file is None
    )  # files are for the true game only
    plain = dataclasses.replace(
        game,
        name=f"{game.name}-{what}",
        folder=folder,
        players=dataclasses.replace(game.players, named=unlearned, default_opponent=unlearned[0].name),
        statistics=Statistics(),
    )
    return with_changes(plain, changes)


def with_changes(game: Game, changes: dict[str, object]) -> Game:
    """A game with some fields changed, each in the part of the contract that has it."""
    for key, value in changes.items():
        owners = [
            part.name
            for part in dataclasses.fields(game)
            if dataclasses.is_dataclass(getattr(game, part.name)) and key in vars(getattr(game, part.name))
        ]
        if owners:
            value, key = dataclasses.replace(getattr(game, owners[0]), **{key: value}), owners[0]
        game = dataclasses.replace(game, **{key: value})
    return game


def failing(game: Game, *functions: Callable, patience: float = 300.0) -> set[Callable]:
    """Which checks fail; without any named, all but those for which all loops would be compiled."""
    chosen = functions or tuple(each for each in NAME if not COMPILED or each not in NEEDS_LOOPS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(study, "QUICK", SMALL)
        report = check(game, checks={NAME[each]: each for each in chosen}, patience=patience)
    assert report.findings
    for finding in report.failures:
        print(finding.name, finding.detail, sep="\n    ")
    return {CHECKS[finding.name] for finding in report.failures}


KEEPS, TAKES, UNIFORM = (
    guessing.guesses_keep_what_was_seen, guessing.guesses_take_nothing_hidden, guessing.guesses_are_uniform,
)  # fmt: skip
SEATS_KNOW, PLAYERS_KNOW = secrecy.seats_know_nothing_hidden, secrecy.players_know_nothing_hidden
FILLS, AGREE = tables.kernels_fill_their_arrays, tables.tables_agree
LISTED, SCENES, PLACES = deals.deals_are_listed, scenes.scenes_are_whole, places.places_are_true
