"""A game can gain rule options: networks of before play on as they did, and those for other inputs are refused."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tefuda import games
from tefuda.contract import Game, Option, Part, RuleBook, Space, rules_part
from tefuda.engine.network import variant_of, with_network
from tefuda.engine.told import former_meaning_of, known_options, meaning_of, options_of
from tefuda.errors import Problem
from tefuda.files.policy import PolicyCard, load, load_for, save
from tefuda.players.resolve import resolve
from tefuda.table.table import Table
from tests.engine.small_game import CARD, SAID, small_game

UNITS = 6
BEFORE = small_game(["stake", "limit"])
WITH_ONE_MORE = small_game(["stake", "limit", "bonus"])


def saved(path: Path, game: Game = BEFORE, spoil: Callable[[np.ndarray], None] | None = None, **entries) -> Path:
    """A file with a network of one block for a game; `spoil` changes the first layer."""
    inputs, outputs = game.spaces.observation.size, game.spaces.actions.size + 1
    random = np.random.default_rng(4)
    first = random.normal(size=(inputs, UNITS)).astype(np.float32)
    if spoil is not None:
        spoil(first)
    rest = random.normal(size=UNITS + (UNITS + 1) * UNITS + (UNITS + 1) * outputs)
    policy = game.players.policy("network")
    card = PolicyCard(
        "small", "network", "usual", policy.features, 1, "", {}, variant=variant_of(UNITS, 1, 1.0, "score"),
        options=list(policy.options),
    )  # fmt: skip
    save(path, replace(card, **entries), np.concatenate([first.ravel(), rest]))
    return path


def as_before(path: Path, game: Game = BEFORE, spoil: Callable[[np.ndarray], None] | None = None) -> Path:
    """The same file as it was written before options stood apart."""
    return saved(path, game, spoil, options=None, features=former_meaning_of(game, len(options_of(game))))


def moves(game: Game, path: Path, **changes: int) -> list[int]:
    """What a network does in both seats of some deals."""
    rules = game.rulebook.make(None, [f"{key}={value}" for key, value in changes.items()])
    player = resolve(game, str(path))
    found = []
    for deal in range(40):
        table = Table(game, rules, 3, deal)
        while not table.over:
            action = table.ask(player)
            found.append(action)
            table.apply(action)
    assert {0, 1} == set(found)
    return found


@pytest.mark.kernel
@pytest.mark.parametrize("write", [saved, as_before])
def test_a_network_plays_on_as_before_when_its_game_gains_an_option(write, tmp_path):
    path = write(tmp_path / "policy.npz")
    assert moves(WITH_ONE_MORE, path) == moves(BEFORE, path)


def test_a_network_is_told_the_options_that_it_knows(tmp_path):
    """Moves depend on an option that it knows, before and after, and never on one that it does not know."""
    path = saved(tmp_path / "policy.npz")
    usual, other = moves(BEFORE, path), moves(BEFORE, path, stake=9)
    assert usual != other
    assert moves(WITH_ONE_MORE, path, stake=9) == other
    assert moves(WITH_ONE_MORE, path, bonus=9) == usual


def test_options_are_known_by_their_names_not_their_places(tmp_path):
    path = saved(tmp_path / "policy.npz")
    assert moves(small_game(["bonus", "limit", "stake"]), path, limit=9) == moves(BEFORE, path, limit=9)


def test_a_game_may_tell_its_first_option(tmp_path):
    without = small_game([])
    path = saved(tmp_path / "policy.npz", without)
    assert moves(BEFORE, path) == moves(without, path)


def test_an_option_that_has_gone_is_refused_unless_the_network_makes_nothing_of_it(tmp_path):
    now = small_game(["stake"])
    for write, name in ((saved, "limit"), (as_before, "number 2")):
        path = write(tmp_path / "policy.npz")
        with pytest.raises(Problem, match=f"learned with rule options that small has no more: {name}"):
            load_for(now, path)

        def folded(first: np.ndarray) -> None:
            first[CARD.size + 1] = 0.0  # the row of `limit`, as in networks that have learned by one set of rules

        path = write(tmp_path / "folded.npz", spoil=folded)
        assert moves(now, path) == moves(BEFORE, path)


@pytest.mark.parametrize(
    "now",
    [
        small_game(["stake", "limit"], (CARD, replace(SAID, meaning="what oneself has said"))),
        small_game(["stake", "limit"], (CARD, SAID, Part("more", 1, "something else"))),
        small_game(["stake", "limit"], (SAID, CARD)),
        small_game(["stake", "limit"], at=2),
        small_game(["stake", "limit"], version=2),
    ],
    ids=["another meaning", "another part", "another order", "the rules elsewhere", "another version"],
)
@pytest.mark.parametrize("write", [saved, as_before])
def test_a_network_for_other_inputs_is_refused(now, write, tmp_path):
    path = write(tmp_path / "policy.npz")
    with pytest.raises(Problem, match="was made for other features of network than this version has; train it again"):
        load_for(now, path)
    again = saved(tmp_path / "again.npz", now)  # and by itself the game is sound
    assert load_for(now, again)[0].features == meaning_of(now)


@pytest.mark.parametrize("options", [["stake", 3], "stake", {"stake": 1}, 5])
def test_options_that_are_no_names_are_refused(options, tmp_path):
    path = saved(tmp_path / "policy.npz", options=options)
    with pytest.raises(Problem, match="whose options are no names"):
        load_for(BEFORE, path)


def test_too_few_weights_for_the_options_are_told(tmp_path):
    path = saved(tmp_path / "policy.npz", options=["stake"] * 1000)
    with pytest.raises(Problem, match=r"policy\.npz: a network with .* inputs"):
        load_for(BEFORE, path)


def with_one_more(game: Game) -> Game:
    """A game of the package with one option more, as far as files go."""
    book = game.rulebook
    options = (*book.options, Option("more", "a rule that nobody has thought of yet", low=0, high=9))
    presets = {name: {**values, "more": "4"} for name, values in book.presets.items()}
    parts = tuple(rules_part(options, part.meaning) if part.rules else part for part in game.spaces.observation.parts)
    engine = replace(
        game,
        rulebook=RuleBook(options, presets, book.about, book.rounds),
        spaces=replace(game.spaces, observation=Space(parts)),
        players=replace(game.players, policies=tuple(each for each in game.players.policies if each.key != "network")),
    )
    return with_network(engine)


# The options that networks of the package were told before cards named them. New ones go behind them.
FIRST = {
    "koikoi": "rounds sake sake_after_koikoi sake_kasu extras akatan_aotan double_seven double_koikoi koikoi_points "
    "koikoi_limit teshi kuttsuki field exhausted next_dealer",
    "mahjong": "length start goal uma rounded red open_tanyao ron aborts nagashi swap_calls rob_closed bankruptcy stop "
    "extra",
    "saichugen": "payoff",
    "tricks": "goal moon break_hearts queen_breaks first_points jack passing target",
}


@pytest.mark.parametrize("name", FIRST)
def test_the_options_of_before_come_first(name):
    game = games.find(name)
    first = tuple(FIRST[name].split())
    assert options_of(game)[: len(first)] == first
    assert known_options(game, former_meaning_of(game, len(first)), None) == first


@pytest.mark.parametrize("name", ["koikoi", "saichugen", "tricks"])
def test_networks_of_the_package_would_stand_a_further_option(name):
    game = games.find(name)
    later = with_one_more(game)
    where = game.spaces.observation.rules
    assert where is not None
    files = [player.file for player in game.players.named if player.policy == "network" and player.file]
    assert files
    for file in files:
        card, stored = load(file)
        units = int(card.variant.split("+")[0].removeprefix("units="))
        weights = load_for(later, file)[1]
        more = len(weights) - len(stored)  # for the further option, and those that came since the file was written
        last = (where.stop + 1) * units
        assert more >= units
        assert not weights[last - more : last].any()
        assert np.array_equal(np.delete(weights, np.s_[last - more : last]), stored)
