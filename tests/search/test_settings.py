"""Names and settings of search players."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tefuda import games
from tefuda.arena.match import match
from tefuda.contract import Game, NamedPlayer
from tefuda.errors import Problem
from tefuda.files import policy
from tefuda.games.tricks import GAME
from tefuda.players.resolve import resolve
from tefuda.search.pimc import HEADER
from tests.search.searching import HEARTS_RULES, PLAIN

pytestmark = pytest.mark.kernel
KUHN = games.find("kuhn")


def saved_policy(folder: Path, key: str, variant: str = "") -> Path:
    found = GAME.players.policies[GAME.players.index(key)]
    card = policy.PolicyCard("tricks", key, "plain", found.features, 1, "", {}, variant=variant)
    path = folder / f"{key}.npz"
    policy.save(path, card, np.arange(found.weights) / found.weights)
    return path


def with_learned(folder: Path) -> Game:
    """The game with players of one name for two sets of rules."""
    named = [NamedPlayer("q", key, key, saved_policy(folder, key)) for key in ("q-tricks", "q-hearts")]
    return replace(GAME, players=replace(GAME.players, named=(*GAME.players.named, *named)))


@pytest.mark.parametrize(
    ("name", "worlds", "solve", "playout"),
    [
        ("pimc", 100, 8, "rule-based"), ("pimc/worlds=20", 20, 8, "rule-based"), ("pimc/solve=0", 100, 0, "rule-based"),
        ("pimc/solve=4+worlds=20", 20, 4, "rule-based"), ("pimc/playout=random", 100, 8, "random"),
        ("pimc/worlds=20+solve=4+playout=q/before+softmax=0.5", 20, 4, "q/before+softmax=0.5"),
        ("pimc/solve=16+playout=q", 100, 16, "q"),
    ],
)  # fmt: skip
def test_settings_in_the_name(name, worlds, solve, playout, tmp_path):
    game = with_learned(tmp_path)
    for chosen in (PLAIN, HEARTS_RULES):
        entrant, inner = resolve(game, name, chosen), resolve(game, playout, chosen)
        assert entrant.plays_by("pimc")
        assert entrant.policy.playing == inner.policy.key
        assert entrant.form == "compiled"
        assert entrant.params[:3].tolist() == [worlds, solve, 0]
        assert entrant.params[3] == (inner.name == "random")
        assert entrant.params[HEADER:].tolist() == inner.params.tolist()


def test_games_without_a_solver_search_without_one():
    entrant = resolve(KUHN, "pimc")
    assert entrant.params[:3].tolist() == [50, 0, 0]
    assert entrant.policy.playing == "random"
    assert resolve(KUHN, "pimc/worlds=3+playout=equilibrium/0.2").params[HEADER:].tolist() == (
        resolve(KUHN, "equilibrium/0.2").params.tolist()
    )


OWN = "class Mine:\n    def act(self, view):\n        return view.legal[0]\n"


@pytest.mark.parametrize(
    ("game", "name", "said"),
    [
        (GAME, "pimc/world=20", "unknown setting of a search player 'world': did you mean 'worlds'"),
        (GAME, "pimc/20", "unknown setting of a search player '20'"),
        (GAME, "pimc/worlds=0", "worlds is '0', but takes a whole number from 1 to 1,000,000"),
        (GAME, "pimc/worlds=-5", "worlds is '-5'"),
        (GAME, "pimc/worlds=1.5", "worlds is '1.5'"),
        (GAME, "pimc/worlds", "worlds is ''"),
        (GAME, "pimc/solve=-1", "solve is '-1', but takes a whole number from 0 to 16"),
        (GAME, "pimc/solve=17", "solve is '17', but takes a whole number from 0 to 16"),
        (KUHN, "pimc/solve=2", "kuhn has no exact solver"),
        (games.find("koikoi"), "pimc/solve=1", "koikoi has no exact solver"),
        (GAME, "pimc/playout=pimc", "pimc cannot play worlds out"),
        (GAME, "pimc/worlds=2+playout=pimc/worlds=2", "pimc/worlds=2 cannot play worlds out"),
        (GAME, "pimc/playout=nobody", "unknown player of tricks 'nobody'"),
        (GAME, "pimc/playout=random/after", "takes no variant"),
        (GAME, "pimc/playout=random+worlds=3", "unknown player of tricks 'random+worlds=3'"),
    ],
)
def test_wrong_settings_are_told_in_one_line(game, name, said):
    with pytest.raises(Problem) as caught:
        resolve(game, name)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


# A name with a file in it is taken for that file alone: `resolve` looks for .npz and .py: before all else.
def test_a_player_of_ones_own_cannot_play_worlds_out(player_file):
    with pytest.raises(Problem, match="Mine cannot play worlds out"):
        resolve(GAME, f"pimc/playout={player_file(OWN)}:Mine")


# A name with a file in it is taken for that file alone: `resolve` looks for .npz and .py: before all else.
def test_a_policy_file_can_play_worlds_out(tmp_path):
    path = saved_policy(tmp_path, "q-tricks")
    entrant = resolve(GAME, f"pimc/worlds=7+playout={path}/before", PLAIN)
    assert entrant.params[:3].tolist() == [7, 8, 0]
    assert entrant.policy.playing == "q-tricks"
    assert entrant.params[HEADER:].tolist() == resolve(GAME, f"{path}/before", PLAIN).params.tolist()


# `playout=` with nothing behind it is taken for no setting at all.
def test_an_empty_playout_is_told():
    with pytest.raises(Problem):
        resolve(GAME, "pimc/playout=")


def test_one_name_means_what_fits_the_rules(tmp_path):
    game = with_learned(tmp_path)
    for chosen, key in ((PLAIN, "q-tricks"), (HEARTS_RULES, "q-hearts"), (None, "q-tricks")):
        entrant = resolve(game, "q", chosen)
        assert entrant.plays_by(key)
        assert len(entrant.params) == 2 + entrant.policy.weights
    only = replace(
        GAME, players=replace(GAME.players, named=(NamedPlayer("q", "", "q-hearts", tmp_path / "q-hearts.npz"),))
    )
    with pytest.raises(Problem, match=r"^q plays tricks with goal=hearts only, but the rules are plain$"):
        resolve(only, "q", PLAIN)


def test_a_named_player_keeps_the_variant_of_its_file(tmp_path):
    path = saved_policy(tmp_path, "q-hearts", "before")
    game = replace(GAME, players=replace(GAME.players, named=(NamedPlayer("q", "", "q-hearts", path),)))
    assert resolve(game, "q", HEARTS_RULES).params[:2].tolist() == [0, 1]
    assert resolve(game, "q/softmax=2", HEARTS_RULES).params[:2].tolist() == [2, 1]


def test_a_policy_file_for_other_rules_is_told(tmp_path):
    hearts, tricks = saved_policy(tmp_path, "q-hearts", "before"), saved_policy(tmp_path, "q-tricks")
    with pytest.raises(Problem, match=r"q-hearts\.npz plays tricks with goal=hearts only, but the rules are plain$"):
        resolve(GAME, str(hearts))
    with pytest.raises(Problem, match=r"goal=tricks only, but the rules are hearts moon=others$"):
        resolve(GAME, str(tricks), GAME.rulebook.make("hearts", ["moon=others"]))
    assert resolve(GAME, str(hearts), HEARTS_RULES).params[:2].tolist() == [0, 1]
    assert resolve(GAME, f"{tricks}/softmax=2", PLAIN).params[:2].tolist() == [2, 0]
    with pytest.raises(Problem, match="goal=hearts only"):
        match(GAME, [str(hearts), "random"], 1)
