"""Networks that play in kernels: they say what matrices say, choose by it, and refuse whatever does not fit."""

import io
import json
from dataclasses import asdict

import numpy as np
import pytest

from tefuda import games
from tefuda.arena.match import match
from tefuda.engine import network
from tefuda.engine.network import (
    HEADER,
    LARGEST_INPUT,
    MOST_BLOCKS,
    MOST_UNITS,
    TOO_LARGE,
    forward,
    largest_answer,
    meaning_of,
    packed,
    scratch_of,
    size_of,
    softmax_of,
    variant_of,
)
from tefuda.errors import Problem
from tefuda.files.policy import PolicyCard, load, save
from tefuda.kernel.random import drawn, unit
from tefuda.players.resolve import resolve
from tefuda.table.table import Table

KUHN, KOIKOI = games.find("kuhn"), games.find("koikoi")
SHAPES = [(5, 1, 0, 3), (29, 16, 0, 3), (7, 8, 1, 2), (29, 33, 2, 3), (12, 20, 8, 6), (3, MOST_UNITS, 1, 50)]
INPUTS, ACTIONS = KUHN.spaces.observation.size, KUHN.spaces.actions.size
UNITS, BLOCKS = 8, 1
SIZE = size_of(INPUTS, UNITS, BLOCKS, ACTIONS + 1)
VARIANT = variant_of(UNITS, BLOCKS, 1.5, "score")


def weights_of(shape, seed=1) -> np.ndarray:
    """Weights of which about as many are negative as not, so that relu matters everywhere."""
    inputs, units, blocks, outputs = shape
    size = size_of(inputs, units, blocks, outputs)
    return (np.random.default_rng(seed).normal(size=size) / np.sqrt(units)).astype(np.float32)


def in_matrices(shape, weights, observation) -> np.ndarray:
    """The network written down again: h = x W + b; h = h + relu(h) W + b; result = relu(h) W + b."""
    _, units, blocks, outputs = shape
    rest = weights.astype(np.float64)

    def layer(source, size):
        nonlocal rest
        matrix, bias = rest[: len(source) * size].reshape(len(source), size), rest[len(source) * size :][:size]
        rest = rest[(len(source) + 1) * size :]
        return source @ matrix + bias

    hidden = layer(observation, units)
    for _ in range(blocks):
        hidden = hidden + layer(np.maximum(hidden, 0), units)
    result = layer(np.maximum(hidden, 0), outputs)
    assert len(rest) == 0
    return result


def observations(random, inputs) -> list[np.ndarray]:
    """All zero, one number, some, all; also negative ones."""
    dense = random.normal(size=inputs)
    sparse = np.where(random.random(inputs) < 0.3, dense, 0.0)
    single = np.zeros(inputs)
    single[random.integers(inputs)] = 1.0
    return [each.astype(np.float32) for each in (np.zeros(inputs), single, sparse, dense)]


def asked(params, shape, observation) -> np.ndarray:
    inputs, _, _, outputs = shape
    space = np.full(scratch_of(inputs, outputs), np.nan).view(np.float32)
    space[outputs : outputs + inputs] = observation
    forward(params, inputs, outputs, space)
    return space[:outputs].copy()


def params_of(shape, weights, temperature=1.0) -> np.ndarray:
    return packed([shape[1], shape[2], temperature, 1.0, 0], weights)


def card(**changes) -> PolicyCard:
    entries = {
        "game": "kuhn", "policy": "network", "rules": "standard", "features": meaning_of(KUHN), "seed": 1,
        "commit": "abc1234", "arguments": {}, "variant": VARIANT, **changes,
    }  # fmt: skip
    return PolicyCard(**entries)


@pytest.fixture
def file(tmp_path):
    """file(weights, **card entries) writes a policy file."""

    def write(weights=None, half=True, **changes):
        path = tmp_path / "policy.npz"
        shape = (INPUTS, UNITS, BLOCKS, ACTIONS + 1)
        save(path, card(**changes), weights_of(shape) if weights is None else weights, half)
        return path

    return write


# --- what a network says ---


@pytest.mark.kernel
@pytest.mark.parametrize("shape", SHAPES)
def test_a_network_says_what_matrices_say(shape):
    random, weights = np.random.default_rng(2), weights_of(shape)
    params = params_of(shape, weights)
    for observation in observations(random, shape[0]):
        expected = in_matrices(shape, weights, observation)
        np.testing.assert_allclose(asked(params, shape, observation), expected, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("shape", SHAPES)
def test_torch_says_the_same(shape):
    torch = pytest.importorskip("torch")
    from tefuda.learn.deep.network import NetworkShape
    from tefuda.learn.deep.network import forward as by_torch

    inputs, units, blocks, outputs = shape
    weights = weights_of(shape)
    there = NetworkShape(inputs, units, blocks, outputs - 1)
    assert there.size == len(weights)
    rows = np.array(observations(np.random.default_rng(2), inputs))
    logits, values = by_torch(there.parts(torch.from_numpy(weights)), torch.from_numpy(rows))
    here = np.array([asked(params_of(shape, weights), shape, row) for row in rows])
    np.testing.assert_allclose(logits.numpy(), here[:, :-1], rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(values.numpy(), here[:, -1], rtol=1e-4, atol=1e-4)


@pytest.mark.kernel
def test_numbers_are_packed_two_to_a_place():
    for count in (6, 7):
        weights = np.arange(1, count + 1, dtype=np.float32) / 3
        params = packed([4, 0, 1.0, 2.5, 1], weights)
        assert params.dtype == np.float64
        assert params[:HEADER].tolist() == [4, 0, 1.0, 2.5, 1]
        assert len(params) == HEADER + (count + 1) // 2
        assert np.array_equal(params[HEADER:].view(np.float32)[:count], weights)
    copied = np.concatenate([[3.0], params]).astype(np.float64)[1:]  # as a search player carries them
    assert copied.tobytes() == params.tobytes()


@pytest.mark.kernel
def test_scratch_space_is_large_enough_for_the_largest_network():
    for inputs, outputs in ((1, 2), (30, 3), (301, 50)):
        space = np.zeros(scratch_of(inputs, outputs)).view(np.float32)
        assert inputs + 2 * MOST_UNITS + outputs <= len(space) <= inputs + 2 * MOST_UNITS + outputs + 1


# --- choosing ---


def mask_of(actions) -> np.ndarray:
    mask = np.zeros(2, np.uint64)
    for action in actions:
        mask[action // 64] |= np.uint64(1) << np.uint64(action % 64)
    return mask


@pytest.mark.kernel
@pytest.mark.parametrize("temperature", [0.01, 0.5, 1.0, 7.0])
def test_chances_are_the_softmax_of_legal_logits(temperature):
    logits = np.random.default_rng(4).normal(size=70).astype(np.float32)
    legal = [3, 17, 40, 63, 64, 69]
    chances = logits.copy()
    best = softmax_of(chances, 70, temperature, mask_of(legal))
    weights = np.exp((logits[legal].astype(np.float64) - logits[legal].max()) / temperature)
    np.testing.assert_allclose(chances[legal], weights / weights.sum(), rtol=1e-4, atol=1e-7)
    assert chances.sum() == pytest.approx(1.0, abs=1e-5)
    assert set(np.flatnonzero(chances)) <= set(legal)
    assert best == legal[int(np.argmax(logits[legal]))]


@pytest.mark.kernel
def test_temperature_zero_is_the_best_alone():
    logits = np.array([9.0, 2.0, 5.0, 5.0], np.float32)
    chances = logits.copy()
    assert softmax_of(chances, 4, 0.0, mask_of([1, 2, 3])) == 2
    assert chances.tolist() == [0.0, 0.0, 1.0, 0.0]


@pytest.mark.kernel
def test_logits_beyond_all_bounds_still_give_chances():
    for numbers in ([1e30, -1e30, 0.0], [-1e30, -1e30, -1e30], [80.0, -80.0, 79.0]):
        chances = np.array(numbers, np.float32)
        softmax_of(chances, 3, 1e-3, mask_of([0, 1, 2]))
        assert np.isfinite(chances).all()
        assert chances.sum() == pytest.approx(1.0)


@pytest.mark.kernel
def test_actions_are_drawn_by_their_chances():
    chances, rng = np.array([0.0, 0.5, 0.0, 0.2, 0.3, 0.0], np.float32), np.array([7], np.uint64)
    counts = np.bincount([drawn(chances, 6, unit(rng)) for _ in range(4000)], minlength=6) / 4000
    np.testing.assert_allclose(counts, chances, atol=0.03)
    assert set(np.flatnonzero(counts)) == {1, 3, 4}


@pytest.mark.kernel
def test_a_network_at_the_table_chooses_by_what_it_says(file):
    path = file()
    entrant, greedy = resolve(KUHN, str(path)), resolve(KUHN, f"{path}/temperature=0")
    shape, weights = (INPUTS, UNITS, BLOCKS, ACTIONS + 1), load(path)[1].astype(np.float32)
    bets = told = decisions = 0.0
    for deal in range(300):
        table = Table(KUHN, None, 5, deal)
        while not table.over:
            observation = np.concatenate(list(table.view().observation.values()))
            logits = in_matrices(shape, weights, observation)[:ACTIONS]
            assert table.ask(greedy) == int(np.argmax(logits))
            action = table.ask(entrant)
            bets, told = bets + action, told + np.exp(logits[1]) / np.exp(logits).sum()
            decisions += 1
            table.apply(action)
    assert bets / decisions == pytest.approx(told / decisions, abs=0.06)
    assert 0.1 < bets / decisions < 0.9


@pytest.mark.kernel
def test_a_network_never_takes_an_illegal_action(tmp_path):
    """Most actions of Koi-Koi are illegal at any moment; a table refuses such."""
    inputs, outputs = KOIKOI.spaces.observation.size, KOIKOI.spaces.actions.size + 1
    saved = card(game="koikoi", rules=str(KOIKOI.rulebook.make()), features=meaning_of(KOIKOI))
    save(tmp_path / "policy.npz", saved, 3 * weights_of((inputs, UNITS, BLOCKS, outputs)), half=True)
    choose, numbers = KOIKOI.players.policy("network").choose, np.zeros(scratch_of(inputs, outputs))
    mask, worlds = np.zeros(KOIKOI.spaces.mask_words, np.uint64), np.zeros(1, KOIKOI.State)
    for temperature in ("0", "1", "100"):
        params = resolve(KOIKOI, f"{tmp_path / 'policy.npz'}/temperature={temperature}").params
        for deal in range(4):
            table = Table(KOIKOI, None, 1, deal)
            while not table.over:
                seat, view = table.to_move, table.view().state
                KOIKOI.kernels.legal(view[0], mask)
                table.apply(choose(view[0], seat, params, table.rngs[seat : seat + 1], mask, worlds, numbers))


# --- files and variants ---


def test_a_file_in_half_precision_plays(file):
    path = file()
    with np.load(path) as archive:
        assert archive["weights"].dtype == np.float16
    result = match(KUHN, [str(path), "random"], 20)
    assert np.isfinite(result.rows[0].figure.mean)
    exact = resolve(KUHN, str(file(half=False))).params[HEADER:].view(np.float32)[:SIZE]
    rounded = resolve(KUHN, str(file(half=True))).params[HEADER:].view(np.float32)[:SIZE]
    np.testing.assert_allclose(rounded, exact, rtol=1e-3, atol=1e-4)
    assert not np.array_equal(rounded, exact)


def test_a_variant_names_the_shape_and_the_name_of_a_player_the_temperature(file):
    path = file()
    assert resolve(KUHN, str(path)).params[:HEADER].tolist() == [UNITS, BLOCKS, 1.0, 1.5, 0]
    assert resolve(KUHN, f"{path}/temperature=0.25").params[network.TEMPERATURE] == 0.25
    best = file(variant=f"{VARIANT}+temperature=0")
    assert resolve(KUHN, str(best)).params[network.TEMPERATURE] == 0
    assert resolve(KUHN, f"{best}/temperature=2").params[network.TEMPERATURE] == 2
    assert resolve(KUHN, str(file(variant=variant_of(UNITS, BLOCKS, 0.5, "win")))).params[network.GOAL] == 1


@pytest.mark.parametrize(
    ("variant", "line"),
    [
        ("heat=1", "unknown setting of a network 'heat'"),
        ("temperature", "unknown setting of a network 'temperature'"),
        ("temperature=hot", "a network takes a number"),
        ("temperature=", "a network takes a number"),
        ("temperature=-1", "temperature is -1, but takes 0"),
        ("temperature=nan", "temperature is nan"),
        ("temperature=101", "temperature is 101"),
    ],
)
def test_settings_that_are_wrong_get_one_clear_line(file, variant, line):
    with pytest.raises(Problem) as caught:
        resolve(KUHN, f"{file()}/{variant}")
    assert line in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({"variant": variant_of(UNITS + 1, BLOCKS, 1, "score")}, "a network of 1 blocks of 9 units has"),
        ({"variant": variant_of(UNITS, BLOCKS + 1, 1, "score")}, "a network of 2 blocks of 8 units has"),
        ({"variant": variant_of(MOST_UNITS + 1, 0, 1, "score")}, "networks have up to 1024 units"),
        ({"variant": variant_of(UNITS, MOST_BLOCKS + 1, 1, "score")}, "networks have up to 1024 units"),
        ({"variant": variant_of(UNITS, BLOCKS, 0, "score")}, "networks have up to"),
        ({"variant": variant_of(UNITS, BLOCKS, 1, "fame")}, "networks have up to"),
        ({"variant": ""}, "networks have up to"),
        ({"weights": np.zeros(SIZE - 1)}, f"has {SIZE} weights, not {SIZE - 1}"),
        ({"weights": np.full(SIZE, np.nan)}, "weights that are not numbers"),
        ({"weights": np.full(SIZE, 1e9)}, "weights that are not numbers"),  # too large for half precision
        ({"features": "0123456789ab"}, "was made for other features of network"),
        ({"game": "koikoi"}, "is a policy for koikoi, not for kuhn"),
        ({"policy": "tree"}, "unknown policy of kuhn 'tree'"),
        ({"rules": "standard bet=2"}, "has learned by the rules standard bet=2, but the rules are standard"),
    ],
)
@pytest.mark.filterwarnings("ignore:overflow")
def test_files_that_do_not_fit_get_one_clear_line(file, changes, line):
    path = file(**changes)
    with pytest.raises(Problem) as caught:
        resolve(KUHN, str(path))
    assert line in str(caught.value)
    assert "\n" not in str(caught.value)


def test_damaged_files_get_one_clear_line(file):
    path = file()
    whole = path.read_bytes()
    for content in (b"", b"no archive", whole[: len(whole) // 2], whole[:-30]):
        path.write_bytes(content)
        with pytest.raises(Problem, match="is not a policy file of tefuda, or it is damaged"):
            resolve(KUHN, str(path))
    buffer = io.BytesIO()
    np.savez_compressed(buffer, card=np.array(json.dumps(asdict(card()))), weights=np.array(["a", "b"]))
    path.write_bytes(buffer.getvalue())
    with pytest.raises(Problem, match="weights are not one row of numbers"):
        resolve(KUHN, str(path))


@pytest.mark.parametrize("shape", SHAPES)
def test_no_answer_is_larger_than_the_largest(shape):
    random, weights = np.random.default_rng(2), weights_of(shape)
    largest = largest_answer(weights, *shape)
    for observation in observations(random, shape[0]):
        assert np.abs(in_matrices(shape, weights, LARGEST_INPUT * np.clip(observation, -1, 1))).max() <= largest
    assert largest_answer(np.full(len(weights), 1e38), *shape) > TOO_LARGE


def test_weights_whose_answers_would_be_no_numbers_are_told(file):
    """Finite weights, which overflow in the second layer: nothing would be the likeliest action."""
    with pytest.raises(Problem, match="so large that its answers would be no numbers"):
        resolve(KUHN, str(file(np.full(SIZE, 1e25), half=False)))


def test_a_network_plays_by_all_rules_that_it_has_learned_and_no_others(file):
    path = file(rules="standard; standard bet=2")
    for changes in ((), ("bet=2",)):
        assert resolve(KUHN, str(path), KUHN.rulebook.make(changes=changes)).form == "compiled"
    with pytest.raises(Problem, match="but the rules are standard bet=3"):
        resolve(KUHN, str(path), KUHN.rulebook.make(changes=("bet=3",)))


@pytest.mark.parametrize("name", games.names())
def test_every_game_has_networks_and_says_what_goes_into_them(name):
    game = games.find(name)
    policy = game.players.policy(network.NAME)
    assert policy.features == meaning_of(game)
    assert policy.numbers == scratch_of(game.spaces.observation.size, game.spaces.actions.size + 1)
    assert policy.own_rules
    others = {meaning_of(games.find(each)) for each in games.names() if each != name}
    assert meaning_of(game) not in others
