# ruff: noqa: E402 — what follows importorskip is imported late
"""OpenSpiel: its own tests and algorithms run on our games, and what they find agrees with what we find."""

import importlib
import random
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import tefuda

pyspiel = pytest.importorskip("pyspiel")
from absl import flags
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import cfr, exploitability, generate_playthrough, ismcts

from tefuda.interop import openspiel
from tefuda.interop.openspiel.bots import PlayoutEvaluator
from tefuda.search.exact import exploited
from tefuda.search.tree import END, write_out
from tests.search.witness_spiel import THEIRS

GAMES = {  # with rules that make short games
    "koikoi": "tefuda_koikoi(changes=rounds:2,rules=nintendo)",
    "kuhn": "tefuda_kuhn",
    "leduc": "tefuda_leduc",
    "mahjong": "tefuda_mahjong(rules=hand)",
    "saichugen": "tefuda_saichugen",
    "tricks": "tefuda_tricks(changes=passing:left,rules=hearts)",
}
SMALL = ("kuhn", "leduc")
PLAYTHROUGHS = Path(__file__).parent / "playthroughs"

flags.FLAGS.mark_as_parsed()  # OpenSpiel's playthroughs ask for flags of a command line that is not here


def dealt(name: str, luck: random.Random):
    state = pyspiel.load_game(GAMES[name]).new_initial_state()
    while state.is_chance_node():
        state.apply_action(luck.choice(state.chance_outcomes())[0])
    return state


def test_every_game_is_known():
    assert sorted(GAMES) == tefuda.list_games()
    assert {openspiel.known_as(name) for name in GAMES} <= set(pyspiel.registered_names())


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(GAMES))
def test_openspiels_own_test_passes(name):
    """Actions, observations, returns, histories, copies and serialisation, at every state of random games."""
    pyspiel.random_sim_test(pyspiel.load_game(GAMES[name]), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("name", SMALL)
def test_a_playthrough_is_as_it_was_written(name):
    """`generate_playthrough` of OpenSpiel writes these files; a change is read as a difference."""
    expected, actual = generate_playthrough.replay(str(PLAYTHROUGHS / f"{GAMES[name]}.txt"))
    assert expected.count("State") >= 4
    assert actual.split("\n") == expected.split("\n")


@pytest.mark.slow
def test_a_playthrough_of_a_large_game_can_be_played_again(tmp_path):
    text = generate_playthrough.playthrough(GAMES["koikoi"], None, None, seed=3)
    (tmp_path / "koikoi.txt").write_text(text, encoding="utf-8")
    expected, actual = generate_playthrough.replay(str(tmp_path / "koikoi.txt"))
    assert actual.split("\n") == expected.split("\n")
    assert expected.count("# State") > 20


def test_a_game_is_that_of_a_table():
    """Chance draws the number of a deal digit by digit."""
    state = pyspiel.load_game("tefuda_tricks(rules=hearts,seed=9)").new_initial_state()
    for digit in (0, 2, 5):
        state.apply_action(digit)
    table, luck = tefuda.table("tricks", "hearts", seed=9, deal=2 * 1024 + 5), random.Random(1)
    while not table.over:
        view = table.view()
        assert (state.current_player(), state.legal_actions()) == (view.seat, view.legal)
        np.testing.assert_array_equal(state.observation_tensor(view.seat), view.inputs)
        assert view.show("en") in state.observation_string(view.seat)
        action = luck.choice(view.legal)
        table.apply(action)
        state.apply_action(action)
    assert state.is_terminal()
    assert state.returns() == table.scores.tolist()


# --- information states ---


@cache
def ways(name: str) -> tuple:
    """Our tree of a small game, and for each of its positions the state of OpenSpiel."""
    game = tefuda.game(name)
    tree = write_out(game, game.rulebook.make())
    theirs = pyspiel.load_game(GAMES[name])
    states: list = []
    for position, (parent, action) in enumerate(zip(tree.parent.tolist(), tree.action.tolist(), strict=True)):
        state = theirs.new_initial_state() if parent == END else states[parent].clone()
        state.apply_action(position if parent == END else action)
        states.append(state)
    return tree, states


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_information_states_are_the_information_sets_of_our_tree(name):
    tree, states = ways(name)
    named: dict[int, set[str]] = {}
    tensors: dict[int, set[tuple]] = {}
    for number, state in zip(tree.information_set.tolist(), states, strict=True):
        if number != END:
            named.setdefault(number, set()).add(state.information_state_string())
            tensors.setdefault(number, set()).add(tuple(state.information_state_tensor()))
    counts = []
    for found in (named, tensors):
        assert all(len(each) == 1 for each in found.values())
        counts.append(len({each for alike in found.values() for each in alike}))
    # the numbers tell no suits, which change nothing in Leduc
    assert counts == [tree.sets, {"kuhn": 12, "leduc": 288}[name]]


@pytest.mark.parametrize("name", sorted(GAMES))
def test_a_resampled_state_looks_the_same_to_its_seat_and_not_to_others(name):
    luck, changed = random.Random(4), 0
    state = dealt(name, luck)
    for _ in range(12):
        if state.is_terminal():
            state = dealt(name, luck)
        seat = state.current_player()
        other = state.resample_from_infostate(seat, luck.random)
        assert other.information_state_string(seat) == state.information_state_string(seat)
        assert other.information_state_tensor(seat) == state.information_state_tensor(seat)
        assert other.legal_actions() == state.legal_actions()
        changed += str(other) != str(state)
        action = luck.choice(state.legal_actions())
        state.apply_action(action)
        other.apply_action(action)
        again = other.get_game().deserialize_state(other.serialize()) if name in SMALL else other.clone()
        assert again.information_state_string(seat) == other.information_state_string(seat)
    assert changed > 2


# --- its algorithms ---


@pytest.mark.slow
@pytest.mark.parametrize(("name", "iterations"), [("kuhn", 25), ("leduc", 2)])
def test_cfr_of_openspiel_finds_the_same_on_our_game_and_on_its_own(name, iterations):
    """Its CFR on our game, its CFR on its own, and our exact value of what it found."""
    gaps = []
    for title in (GAMES[name], THEIRS[name]):
        game = pyspiel.load_game(title)
        solver = cfr.CFRSolver(game)
        for _ in range(iterations):
            solver.evaluate_and_update_policy()
        gaps.append(exploitability.exploitability(game, solver.average_policy()))
        if title == GAMES[name]:
            tree, states = ways(name)
            chances = np.zeros(tree.legal.shape)
            for number, position in enumerate(tree.one_position):
                for action, chance in solver.average_policy().action_probabilities(states[position]).items():
                    chances[number, action] = chance
            gaps.append(exploited(tree, chances).exploitability)
    assert gaps == pytest.approx([gaps[0]] * 3)
    assert 0 < gaps[0] < 3


@pytest.mark.slow
@pytest.mark.parametrize(("name", "simulations"), [("koikoi", 20), ("mahjong", 3), ("saichugen", 20), ("tricks", 20)])
def test_ismcts_of_openspiel_plays_our_games(name, simulations):
    luck = np.random.RandomState(2)
    state = dealt(name, random.Random(3))
    bot = ismcts.ISMCTSBot(state.get_game(), PlayoutEvaluator(1, luck), 2.0, simulations, random_state=luck)
    for _ in range(6):
        action = bot.step(state)
        assert action in state.legal_actions()
        state.apply_action(action)


@pytest.fixture
def nfsp():
    """OpenSpiel's NFSP, which needs torch and dm-tree."""
    pytest.importorskip("torch")
    pytest.importorskip("tree")
    return importlib.import_module("open_spiel.python.pytorch.nfsp")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["leduc", "koikoi", "tricks"])
def test_nfsp_of_openspiel_learns_on_our_games(name, nfsp):
    env = rl_environment.Environment(pyspiel.load_game(GAMES[name]))
    env.seed(1)
    size, actions = env.observation_spec()["info_state"][0], env.action_spec()["num_actions"]
    agents = [
        nfsp.NFSP(seat, size, actions, [16], 1000, 0.5, batch_size=8, min_buffer_size_to_learn=8, learn_every=4,
                  replay_buffer_capacity=1000)
        for seat in range(env.num_players)
    ]  # fmt: skip
    for _ in range({"leduc": 30, "koikoi": 8, "tricks": 2}[name]):
        step = env.reset()
        while not step.last():
            seat = step.observations["current_player"]
            step = env.step([agents[seat].step(step).action])
        for agent in agents:
            agent.step(step)
    assert any(loss is not None for agent in agents for loss in agent.loss)


# --- its bots at our tables ---


@pytest.mark.slow
@pytest.mark.parametrize("name", ["koikoi", "kuhn", "saichugen", "tricks"])
def test_its_search_sits_at_our_tables_by_name(name):
    seats = tefuda.game(name).seats
    players = ["openspiel:ismcts/simulations=8+rollouts=2", *["random"] * (seats - 1)]
    one, two = (tefuda.match(name, players, deals=1, seed=3, threads=1).data() for _ in range(2))
    assert {**one, "seconds": 0} == {**two, "seconds": 0}
    assert one["players"][0]["name"] == players[0]


@pytest.mark.slow
def test_its_search_wins():
    """In Leduc 200 simulations win chips from whoever plays anything."""
    result = tefuda.match("leduc", ["openspiel:ismcts/simulations=60", "random"], deals=60, seed=1)
    assert result.rows[0].figure.mean > 0.3


@pytest.mark.slow
def test_its_cfr_plays_what_it_has_found():
    result = tefuda.match("kuhn", ["openspiel:cfr/iterations=100", "always-bet"], deals=100, seed=1)
    gains = tefuda.exact("kuhn", "always-bet").found.gains  # of a best response
    assert 0 < result.rows[0].figure.mean < max(gains)


@pytest.mark.parametrize(
    ("game", "name", "line"),
    [
        ("kuhn", "openspiel:ismct", "unknown bot of OpenSpiel 'ismct': did you mean 'ismcts'"),
        ("kuhn", "openspiel:ismcts/worlds=3", "unknown setting of Ismcts 'worlds'"),
        ("kuhn", "openspiel:ismcts/simulations=0", "simulations is 0, but takes a whole number from 1"),
        ("tricks", "openspiel:cfr", "openspiel:cfr cannot play tricks"),
        ("kuhn", "openspeil:ismcts", "unknown player of kuhn 'openspeil:ismcts'"),
    ],
)
def test_a_bot_that_is_not_there_is_a_problem(game, name, line):
    with pytest.raises(tefuda.Problem, match=line):
        tefuda.match(game, [name, *["random"] * (tefuda.game(game).seats - 1)], deals=1, threads=1)


def test_without_openspiel_its_bots_are_one_line():
    code = "import sys; sys.modules['pyspiel'] = None\nimport tefuda\ntefuda.match('kuhn', ['openspiel:cfr', 'random'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "pip install 'tefuda[openspiel]'" in done.stderr.splitlines()[-1]


# --- our players at its games ---


@pytest.mark.parametrize(
    "title",
    [
        "kuhn_poker", "leduc_poker", "hearts", "hearts(pass_cards=false,qs_breaks_hearts=false,jd_bonus=true)",
        "hearts(must_break_hearts=false,no_pts_on_first_trick=false)", *GAMES.values(),
    ],
)  # fmt: skip
def test_our_table_follows_their_game(title):
    game, luck = pyspiel.load_game(title), random.Random(5)
    guest = openspiel.bot(game, 0, "random")
    decisions = 0
    for _ in range(3):
        state = game.new_initial_state()
        while not state.is_terminal():
            if not state.is_chance_node():
                table = guest.table_of(state)
                assert table.to_move == state.current_player()
                legal = sorted(map(guest.followed.theirs, table.legal))
                assert legal == state.legal_actions()
                decisions += 1
                assert guest.step(state) in legal
            state.apply_action(luck.choice(state.legal_actions()))
    assert decisions > 5


def test_what_is_hidden_from_a_seat_changes_nothing():
    """Two states that differ in hidden cards alone get the same answer."""
    game, luck = pyspiel.load_game("leduc_poker"), random.Random(6)
    answers = []
    for public in (4, 5):
        state = game.new_initial_state()
        for action in (0, public - 2, 1):  # the other's card differs
            state.apply_action(action)
        guest = openspiel.bot(game, 1, "honest")
        assert guest.table_of(state).view(0).legal == state.legal_actions()
        answers.append(openspiel.bot(game, 0, "honest").table_of(state).view(0).inputs.tolist())
    assert answers[0] == answers[1]
    assert luck.random() < 1


@pytest.mark.slow
def test_our_equilibrium_gets_the_value_of_its_kuhn_poker():
    game, luck = pyspiel.load_game("kuhn_poker"), np.random.RandomState(7)
    bots = [openspiel.bot(game, 0, "equilibrium"), openspiel.bot(game, 1, "equilibrium")]
    total, games = np.zeros(2), 1500
    for _ in range(games):
        state = game.new_initial_state()
        for bot in bots:
            bot.restart()
        while not state.is_terminal():
            chance = state.is_chance_node()
            state.apply_action(
                int(luck.choice(state.legal_actions())) if chance else bots[state.current_player()].step(state)
            )
        total += state.returns()
    assert abs(total[0] / games + 1 / 18) < 0.12  # the second seat wins 1/18 chip a game; four standard errors


@pytest.mark.slow
def test_our_hearts_champion_beats_chance_at_its_table():
    game, luck = pyspiel.load_game("hearts(pass_cards=false,qs_breaks_hearts=false)"), random.Random(8)
    champion, got = openspiel.bot(game, 0, "rule-based"), []
    for _ in range(12):
        state = game.new_initial_state()
        champion.restart()
        while not state.is_terminal():
            ours = state.current_player() == 0 and not state.is_chance_node()
            state.apply_action(champion.step(state) if ours else luck.choice(state.legal_actions()))
        got.append(state.returns())
    points = np.array(got).mean(axis=0)
    assert points[0] > points[1:].max()


@pytest.mark.parametrize(
    ("title", "line"),
    [
        ("tic_tac_toe", "unknown game of OpenSpiel that our players play 'tic_tac_toe'"),
        ("kuhn_poker(players=3)", "with two players"),
        ("hearts(can_lead_any_club=true)", "our Hearts has no can_lead_any_club"),
    ],
)
def test_a_game_that_we_do_not_play_is_a_problem(title, line):
    with pytest.raises(tefuda.Problem, match=line):
        openspiel.bot(pyspiel.load_game(title), 0, "random")
