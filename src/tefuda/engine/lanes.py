"""Many tables at once: the kernels of one lane, for all cores and for CUDA.

A lane is one table. Compiled players move on by themselves. Others, a network or a program, are asked from outside,
for all lanes together. Three ways to go on are built of the same parts:

    reach, look, take     the arena's: each lane plays one game, and is given the action that was chosen
    start, step           the learners': a lane goes on for ever, the next game is dealt when one is over. The learner
                          gives a logit for each action of the seat to move; the kernel draws an action by them.
    start, act            the vector environment's: the same, but the action itself is given

Rewards are what `scores` gains from one decision to the next; or (goal place) what the place gains that a seat may
expect; or (goal win) the share of the win, at the end alone.

Arrays go together, in tuples:
    own       states, rngs [lanes, seats], games [lanes] finished, luck [lanes, seats] random numbers for the learner,
              drawn once a game, first [lanes, seats + 1] the scores of the lane's first game and then a 1; whoever
              writes a 0 there gets those of the next game that ends
    setting   blanks, goals, scales [rules] (as many lanes in a row as there are seats play by the same rules, the
              next ones by the next), sitting [lanes, seats] (which player sits where), seated (the players, of whom
              those with the chooser 0 are asked from outside: engine/seated.py), seed, share (so many lanes in a row
              play the same deals: 1, or all seats for a measurement), counts (an array that nothing is counted in)
    sight     observation [lanes, …], allowed [lanes, actions], seat_of [lanes], asked_of [lanes] (which player): of
              the seat to move; others [lanes, …] what is hidden from it, for a critic, if there is place for that: the
              game's insight (contract/learning.py), or what the next seats can know, one after the other
    scratch   tables [2], mask, worlds, numbers, points [seats], before [seats]

Tables are played where they lie, in `states`: to copy each there and back takes a third of a step of Koi-Koi on CUDA.
"""

import math
from collections.abc import Sequence
from functools import cache, partial
from types import SimpleNamespace
from typing import Any

import numpy as np

from tefuda.contract import Game, Policy
from tefuda.engine.courses import OTHER, courses_of
from tefuda.engine.goals import WIN, goals_of
from tefuda.engine.loops import loops_of
from tefuda.engine.seated import Occupant, scratch_shapes
from tefuda.kernel.bits import has_word
from tefuda.kernel.compile import kernel as counted_kernel
from tefuda.kernel.powers import exp
from tefuda.kernel.random import LEARNER, drawn, stream, unit

# Dozens of arrays are handed on from kernel to kernel: counted, a step of Kuhn poker would take five times as long.
kernel = partial(counted_kernel, counted=False)
COPY = 0  # the place in `tables` for a hidden copy, or for the table before a decision


def lane_scratch_shapes(game: Game, players: Sequence[Occupant] = ()) -> list[tuple[int, Any]]:
    """The size and the type of each array of one lane's scratch space."""
    tables, _, mask, worlds, numbers, out = scratch_shapes(game, players)
    return [tables, mask, worlds, numbers, out, out]


def lane_scratch(game: Game, players: Sequence[Occupant] = ()) -> tuple[np.ndarray, ...]:
    """Scratch space for one core, which does one lane after another."""
    return tuple(np.zeros(size, dtype) for size, dtype in lane_scratch_shapes(game, players))


def hidden_size(game: Game) -> int:
    """How many numbers tell a critic what is hidden from a seat."""
    if game.learning.insight is not None:
        return game.learning.insight.space.size
    return (game.seats - 1) * game.spaces.observation.size


@cache
def lanes_of(game: Game, compiled_in: tuple[Policy, ...] | None = None) -> SimpleNamespace:
    """The kernels of one game. `compiled_in`: for CUDA, the policies that sit at the tables."""
    loops = loops_of(game, compiled_in)
    begin, tally_all, choose = loops.begin, loops.tally_all, loops.choose
    kernels = game.kernels
    to_move, legal, apply, scores, observe, hide = (
        kernels.to_move, kernels.legal, kernels.apply, kernels.scores, kernels.observe, kernels.hide,
    )  # fmt: skip
    seats, actions, inputs = game.seats, game.spaces.actions.size, game.spaces.observation.size
    progress, win_shares = goals_of(game).progress, goals_of(game).win_shares
    insight, insights = game.learning.insight, hidden_size(game)
    write_insight: Any = insight.write if insight is not None else None

    def ask(lane, seat, player, states, rngs, seated, scratch):
        """One decision of a compiled player, who sees a hidden copy only."""
        choosers, starts, params = seated
        tables, mask, worlds, numbers, _, _ = scratch
        tables[COPY] = states[lane]
        hide(tables[COPY], seat)
        legal(tables[COPY], mask)
        own = params[starts[player] : starts[player + 1]]
        return choose(choosers[player], tables[COPY], seat, own, rngs[lane, seat : seat + 1], mask, worlds, numbers)

    ask = kernel(ask, inline=True)

    def reach(lane, states, rngs, sitting, seated, counts, scratch):
        """Let compiled players move on; returns the seat that is asked from outside, or -1 when the game is over, and
        the number of decisions. counts [players, statistics] may have no rows."""
        choosers = seated[0]
        decisions = 0
        while True:
            seat = to_move(states[lane])
            if seat < 0 or choosers[sitting[lane, seat]] == 0:
                return seat, decisions
            apply(states[lane], ask(lane, seat, sitting[lane, seat], states, rngs, seated, scratch))
            tally_all(scratch[0][COPY], states[lane], sitting[lane], counts)
            decisions += 1

    def wait(lane, states, rngs, sitting, seated, counts, scratch):
        """The same where no compiled player is at the tables."""
        return to_move(states[lane]), 0

    # CUDA's compiler makes wrong code of a loop whose player is nobody, even where it is never entered
    reach = kernel(reach if compiled_in != () else wait)

    def go_on(lane, own, setting, scratch):
        """The same for a learner's lane: the seat that is asked."""
        _, _, _, sitting, seated, _, _, counts = setting
        seat, _ = reach(lane, own[0], own[1], sitting, seated, counts[:0], scratch)
        return seat

    go_on = kernel(go_on)

    def over(lane, own, points):
        """Count a game that is over."""
        states, _, games, _, first = own
        if first[lane, seats] == 0.0:
            scores(states[lane], points)
            for seat in range(seats):
                first[lane, seat] = points[seat]
            first[lane, seats] = 1.0
        games[lane] += 1

    over = kernel(over)

    def deal_next(lane, own, setting):
        """Deal a lane's next game."""
        states, rngs, games, luck, _ = own
        blanks, _, _, _, _, seed, share, _ = setting
        rule = lane // seats % blanks.shape[0]
        number = (games[lane] * states.shape[0] + lane) // share
        begin(states[lane : lane + 1], blanks[rule : rule + 1], rngs[lane], seed, number)
        for seat in range(seats):
            luck[lane, seat] = np.float64(stream(seed, number, seat, LEARNER) >> np.uint64(11)) / (1 << 53)

    deal_next = kernel(deal_next)

    def allow(state, allowed, mask):
        """Write what the seat to move may do."""
        legal(state, mask)
        for action in range(actions):
            allowed[action] = has_word(mask, action)

    allow = kernel(allow)

    def show_hidden(lane, seat, state, observation, others):
        """Write what the seat to move can know, and what is hidden from it, where there is place for that."""
        observe(state, seat, observation[lane])
        if others.shape[1] == insights:
            write_insight(state, seat, others[lane])

    def show_seats(lane, seat, state, observation, others):
        """The same where what the next seats can know stands for what is hidden."""
        for place in range(1 + others.shape[1] // inputs):  # one call for all: `observe` can be large
            told = observation[lane] if place == 0 else others[lane, (place - 1) * inputs : place * inputs]
            observe(state, (seat + place) % seats, told)

    show = kernel(show_seats if insight is None else show_hidden)

    def look(lane, seat, state, setting, sight, mask):
        """Write what the seat to move can know, what it may do, and who it is."""
        observation, allowed, seat_of, asked_of, others = sight
        show(lane, seat, state, observation, others)
        allow(state, allowed[lane], mask)
        seat_of[lane] = seat
        asked_of[lane] = setting[3][lane, seat]

    look = kernel(look)

    def start(lane, fresh, own, setting, sight, scratch):
        """Deal a lane's first game, or look at it as it stands, when a run goes on that was interrupted."""
        states, _, games, _, first = own
        if fresh:
            games[lane] = 0
            for place in range(seats + 1):
                first[lane, place] = 0.0
            deal_next(lane, own, setting)
        while True:  # until there is somebody to ask
            seat = go_on(lane, own, setting, scratch)
            if seat >= 0:
                break
            over(lane, own, scratch[4])
            deal_next(lane, own, setting)
        look(lane, seat, states[lane], setting, sight, scratch[1])

    start = kernel(start)

    def pick(logits, mask, weights, rng):
        """Draw an action by the softmax of the logits; returns it and the logarithm of its chance."""
        highest = -math.inf
        for action in range(actions):
            if has_word(mask, action):
                highest = max(highest, float(logits[action]))
        total = 0.0
        for action in range(actions):
            weights[action] = exp(logits[action] - highest) if has_word(mask, action) else 0.0
            total += weights[action]
        choice = drawn(weights, actions, unit(rng) * total)
        return choice, logits[choice] - highest - math.log(total)

    pick = kernel(pick)

    def pay(lane, goal, scale, state, is_over, before, points, rewards):
        """Write what each seat has gained since the table was as `before` tells."""
        progress(goal, state, points)
        if goal == WIN and is_over:
            win_shares(points)
        for each in range(seats):
            gained = points[each] - before[each]
            if goal == WIN:
                gained = points[each] if is_over else 0.0
            rewards[lane, each] = gained / scale

    pay = kernel(pay)

    def move_on(lane, choice, own, setting, ended, rewards, sight, scratch):
        """Take an action in a lane, and move it on. `ended` and `rewards` tell of this one, `sight` of the next."""
        states = own[0]
        blanks, goals, scales, _, _, _, _, _ = setting
        _, mask, _, _, points, before = scratch
        state = states[lane]
        rule = lane // seats % blanks.shape[0]
        progress(goals[rule], state, before)
        apply(state, choice)
        dealt = False
        while True:  # until there is somebody to ask; one call of `go_on` for all games, since it can be large
            seat = go_on(lane, own, setting, scratch)
            if not dealt:
                ended[lane] = seat < 0
                pay(lane, goals[rule], scales[rule], state, seat < 0, before, points, rewards)
            if seat >= 0:
                break
            over(lane, own, points)
            deal_next(lane, own, setting)
            dealt = True
        look(lane, seat, state, setting, sight, mask)

    move_on = kernel(move_on, inline=True)

    def step(lane, own, setting, logits, result, sight, scratch):
        """Draw an action, and move a lane on."""
        states, rngs, _, _, _ = own
        chosen, log_chance, ended, rewards = result
        _, mask, _, numbers, _, _ = scratch
        seat = to_move(states[lane])
        legal(states[lane], mask)
        choice, chance = pick(logits[lane], mask, numbers, rngs[lane, seat : seat + 1])
        chosen[lane], log_chance[lane] = choice, chance
        move_on(lane, choice, own, setting, ended, rewards, sight, scratch)

    step = kernel(step)

    def act(lane, own, setting, actions, result, sight, scratch):
        """Take the action that was chosen, and move a lane on."""
        ended, rewards = result
        move_on(lane, actions[lane], own, setting, ended, rewards, sight, scratch)

    act = kernel(act)

    def tell(lane, own, setting, answer, scratch):
        """What the compiled player would do where a lane stands, for a learner who imitates it."""
        states, rngs, _, _, _ = own
        answer[lane] = ask(lane, to_move(states[lane]), OTHER, states, rngs, setting[4], scratch)

    def say_nothing(lane, own, setting, answer, scratch):
        """The same where there is no compiled player."""
        answer[lane] = -1

    tell = kernel(tell if compiled_in != () else say_nothing)

    def start_some(first_lane, last_lane, fresh, own, setting, sight, scratch):
        for lane in range(first_lane, last_lane):
            start(lane, fresh, own, setting, sight, scratch)

    def step_some(first_lane, last_lane, own, setting, logits, result, sight, scratch):
        for lane in range(first_lane, last_lane):
            step(lane, own, setting, logits, result, sight, scratch)

    def act_some(first_lane, last_lane, own, setting, actions, result, sight, scratch):
        for lane in range(first_lane, last_lane):
            act(lane, own, setting, actions, result, sight, scratch)

    def tell_some(first_lane, last_lane, own, setting, answer, scratch):
        for lane in range(first_lane, last_lane):
            tell(lane, own, setting, answer, scratch)

    def begin_some(states, rngs, blank, seed, first_deal, share):
        """Deal each lane a game; so many lanes in a row (`share`) play the same deal."""
        for lane in range(states.shape[0]):
            begin(states[lane : lane + 1], blank, rngs[lane], seed, first_deal + lane // share)

    def reach_some(states, rngs, sitting, seated, counts, seat_of, scratch):
        """Let compiled players move on in all lanes; seat_of [lanes] gets who is asked. Returns the decisions."""
        total = 0
        for lane in range(states.shape[0]):
            seat_of[lane], decisions = reach(lane, states, rngs, sitting, seated, counts, scratch)
            total += decisions
        return total

    def look_some(states, lanes, seat_of, observations, masks, scratch):
        """What the seats that are asked in some lanes can know: observations [n, size], masks [n, actions]."""
        for i in range(lanes.shape[0]):
            observe(states[lanes[i]], seat_of[lanes[i]], observations[i])
            allow(states[lanes[i]], masks[i], scratch[1])

    def take_some(states, lanes, chosen, sitting, counts, scratch):
        """Take one action in each of some lanes."""
        before = scratch[0]
        for i in range(lanes.shape[0]):
            lane = lanes[i]
            before[COPY] = states[lane]
            apply(states[lane], chosen[i])
            tally_all(before[COPY], states[lane], sitting[lane], counts)

    def scores_some(states, out):
        for lane in range(states.shape[0]):
            scores(states[lane], out[lane])

    return SimpleNamespace(
        **vars(courses_of(seats)), start=start, step=step, act=act, tell=tell,
        start_some=kernel(start_some), step_some=kernel(step_some), act_some=kernel(act_some),
        tell_some=kernel(tell_some), begin_some=kernel(begin_some), reach_some=kernel(reach_some),
        look_some=kernel(look_some), take_some=kernel(take_some), scores_some=kernel(scores_some),
    )  # fmt: skip
