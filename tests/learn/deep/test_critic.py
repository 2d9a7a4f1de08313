"""A critic that is told what is hidden: what it sees, how it begins, and that players are told nothing of it."""

from dataclasses import replace

import numpy as np
import pytest

from tefuda import games
from tefuda.engine.lanes import hidden_size
from tefuda.errors import Problem
from tefuda.learn.run import parse_arguments

torch = pytest.importorskip("torch")

from tefuda.learn.deep.network import NetworkShape, forward  # noqa: E402
from tefuda.learn.self_play import Arguments, SelfPlay  # noqa: E402

KUHN, MAHJONG = games.find("kuhn"), games.find("mahjong")
CPU = torch.device("cpu")
SMALL = Arguments(decisions=2048, units=8, blocks=1, lanes=16, steps=8, batch=64, rate=0.01, critic=8)


def learner(game=KUHN, rules=None, initial=None, **changes) -> SelfPlay:
    return SelfPlay(game, rules or [game.rulebook.make()], None, replace(SMALL, **changes), 3, CPU, 1, initial)


def test_a_critic_of_the_same_size_begins_as_the_value_of_the_network():
    own, critic = NetworkShape(5, 8, 2, 3), NetworkShape(9, 8, 2, 0)
    random = np.random.default_rng(1)
    flat = random.normal(size=own.size).astype(np.float32)
    seen = torch.from_numpy(random.normal(size=(6, 9)).astype(np.float32))
    _, value = forward(own.parts(torch.from_numpy(flat)), seen[:, :5])
    _, foreseen = forward(critic.parts(torch.from_numpy(critic.with_value_of(own, flat))), seen)
    torch.testing.assert_close(foreseen, value)


@pytest.mark.slow
def test_at_first_the_critic_may_learn_alone():
    shape = NetworkShape(KUHN.spaces.observation.size, 8, 1, KUHN.spaces.actions.size)
    initial = np.random.default_rng(2).normal(size=shape.size).astype(np.float32) * 0.3
    run = learner(initial=initial, settle=0.5)
    before = run.weights.detach().clone()
    while run.done_decisions < 1024:
        run.advance()
    now = run.weights.detach()
    assert torch.equal(now[: shape.size], before[: shape.size])
    assert not torch.equal(now[shape.size :], before[shape.size :])
    run.advance()
    assert not torch.equal(run.weights.detach()[: shape.size], before[: shape.size])


@pytest.mark.slow
def test_the_first_steps_of_a_network_that_waited_are_no_larger_than_others():
    """Steps of Adam have about the size of the rate, once its moments know the gradients. Moments that began at 0 long
    after the first step would make them half as large again, after thousands of steps several times as large."""
    shape = NetworkShape(KUHN.spaces.observation.size, 8, 1, KUHN.spaces.actions.size)
    initial = np.random.default_rng(2).normal(size=shape.size).astype(np.float32) * 0.3
    run = learner(
        initial=initial, settle=0.5, decisions=1 << 16, lanes=64, steps=32, batch=512, rate=0.001, rate_end=0.001
    )
    step, moved = run.step, []

    def measured() -> None:
        before = run.weights.detach()[: shape.size].clone()
        step()
        change = (run.weights.detach()[: shape.size] - before).abs()
        moved.append(float(change.sum() / (change > 0).sum().clamp(min=1)))  # some inputs are always 0

    run.step = measured
    while not run.done:
        run.advance()
    assert len(moved) == 128
    assert not any(moved[:64])
    assert 0.5e-3 < max(moved[64:94]) < 1.2e-3


@pytest.mark.parametrize("texts", [["settle=0.1"], ["settle=1", "critic=8"], ["settle=-0.1", "critic=8"]])
def test_settling_takes_a_critic(texts):
    with pytest.raises(Problem, match="settle lies from 0 to below 1"):
        parse_arguments(Arguments, texts).check()


@pytest.mark.slow
def test_advantages_are_measured_by_the_rules_of_each_table():
    """Bets nine times as large make advantages as large; scaled, they count as much as those of the small ones."""
    run = learner(rules=[KUHN.rulebook.make(changes=[f"bet={bet}"]) for bet in (1, 9)])
    run.advance()
    by_rules = run.credit.spread.view(-1, 2, KUHN.seats)
    small, large = by_rules[:, 0], by_rules[:, 1]
    assert (small == small[0, 0]).all()
    assert (large == large[0, 0]).all()
    assert large[0, 0] > 2 * small[0, 0]
    bets = run.actors.lanes.own[0]["rules"]["bet"]
    assert [1 + 8 * int(rule) for rule in run.credit.rule_of] == bets.tolist()
    advantage, counts = run.credit.advantage, run.credit.counts
    lanes = run.credit.rule_of == 1
    spread = (advantage[:, lanes].square().sum() / counts[:, lanes].sum()).sqrt()
    assert float(large[0, 0]) == pytest.approx(float(spread), rel=1e-4)


@pytest.mark.slow
def test_what_mahjong_tells_a_critic_is_written_beside_what_the_seat_sees():
    run = learner(MAHJONG, [MAHJONG.rulebook.make("hand")], lanes=4, steps=4)
    assert run.window.others.shape[2] == hidden_size(MAHJONG) == MAHJONG.learning.insight.space.size
    assert run.critic.inputs == MAHJONG.spaces.observation.size + hidden_size(MAHJONG)
    run.advance()
    states = run.actors.lanes.own[0]
    for lane in range(4):
        seat = MAHJONG.kernels.to_move(states[lane])
        insight, seen = np.zeros(hidden_size(MAHJONG), np.float32), np.zeros(run.shape.inputs, np.float32)
        MAHJONG.learning.insight.write(states[lane], seat, insight)
        MAHJONG.kernels.observe(states[lane], seat, seen)
        assert (run.window.others[0, lane].numpy() == insight).all()
        assert (run.window.observation[0, lane].numpy() == seen).all()
    assert run.result.shape == (run.shape.size,)


@pytest.mark.slow
def test_between_rounds_only_how_the_match_stands_foretells():
    """The kernel that gives credit is tested in engine/test_lanes.py; here, what it is given."""
    run = learner(MAHJONG, [MAHJONG.rulebook.make("tonpuu")], lanes=16, steps=256, decisions=100_000)
    told, slices = {int(at) for at in run.between.told}, MAHJONG.spaces.observation.slices
    assert told >= set(range(*slices["points"].indices(run.shape.inputs)))
    for key in ("hand", "drawn", "river", "wanted", "plans", "danger"):
        assert not told & set(range(*slices[key].indices(run.shape.inputs)))
    before = run._between_weights().detach().clone()
    run.advance()
    assert not torch.equal(run._between_weights().detach(), before)
    seen, new_round = run.window.observation, run.between.new_rounds(run.window.observation)
    dora = seen[..., slices["dora"]]  # a new round has other dora, but for chance
    assert new_round.sum() > run.window.ended.sum()
    assert (dora[1:] != dora[:-1]).any(dim=-1)[new_round].float().mean() > 0.8
    assert run.credit.begins.sum() > 4
