"""Many tables at once for learners whose networks decide: the kernels of one lane, for all cores and for CUDA.

A lane is one table that goes on for ever: when a game is over the next is dealt. All lanes move in step. In each step
whoever learns has said how much it likes the actions (logits) of the seat to move in every lane; the kernel draws
one, applies it, lets compiled opponents play on, deals anew when it must, and writes what the next seat can know.

Rewards are what `scores` gains from one decision to the next, or (goal win) the share of the win at the end alone.

Arrays go together, in tuples:
    own       states, rngs [lanes, seats], games [lanes] finished, luck [lanes, seats] drawn once a game for whatever
              a learner wants of it, first [lanes, seats + 1] the scores of the lane's first game and then a 1
    setting   blanks, goals, scales [rules] (as many lanes in a row as there are seats play by the same rules, the
              next ones by the next), versus [lanes] (0: the learner plays all seats; 1: opponents play all but the
              seat i modulo their number), params of a compiled opponent, seed, share (so many lanes in a row play the
              same deals: 1, or all seats for a measurement)
    sight     observation [lanes, …], allowed [lanes, actions], seat_of [lanes], asked_of [lanes]: of the seat to move;
              others [lanes, …] what the next seats can know, one after the other, as many as there is place for
    scratch   views [1], mask, worlds, numbers, points [seats], before [seats]

Tables are played where they lie, in `states`: to copy each there and back takes a third of a step of Koi-Koi on CUDA.
"""

import math
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from tefuda.contract import Game
from tefuda.engine.loops import loops_of
from tefuda.kernel.bits import has_word
from tefuda.kernel.compile import kernel
from tefuda.kernel.random import LEARNER, stream, unit

LEARNS, OTHER = 0, 1  # who decides in a seat: the learner, or its opponent


@cache
def lanes_of(game: Game, opponent: str = "") -> SimpleNamespace:
    """The kernels of one game with a compiled opponent, named by its policy, or none: then all are asked from outside.

    Only that one policy is compiled in: for CUDA all of them together take minutes.
    """
    loops = loops_of(game)
    key = f"{loops.key}:lanes:{opponent}"
    begin = loops.begin
    kernels = game.kernels
    to_move, legal, apply, scores, observe, hide = (
        kernels.to_move, kernels.legal, kernels.apply, kernels.scores, kernels.observe, kernels.hide,
    )  # fmt: skip
    State, seats, actions, words, inputs = (
        game.State, game.seats, game.spaces.actions.size, game.spaces.mask_words, game.spaces.observation.size,
    )  # fmt: skip
    policy = game.players.policy(opponent) if opponent else None
    worlds_needed, numbers_needed = (max(1, policy.worlds), max(1, policy.numbers)) if policy else (1, 1)
    choose: Any = policy.choose if policy else None

    def asked(lane, seat, versus):
        """Who decides in a seat."""
        return OTHER if versus[lane] != 0 and seat != lane % seats else LEARNS

    asked = kernel(asked, inline=True)

    def reach(lane, own, setting, scratch):
        """Let a compiled opponent play on; returns the seat that is asked from outside, or -1 when it is over."""
        states, rngs, _, _, _ = own
        views, mask, worlds, numbers, _, _ = scratch
        while True:
            seat = to_move(states[lane])
            if seat < 0 or asked(lane, seat, setting[3]) == LEARNS:
                return seat
            views[0] = states[lane]
            hide(views[0], seat)
            legal(views[0], mask)
            action = choose(views[0], seat, setting[4], rngs[lane, seat : seat + 1], mask, worlds, numbers)
            apply(states[lane], action)

    def never(lane, own, setting, scratch):
        """The same where there is no compiled opponent."""
        return to_move(own[0][lane])

    reach = kernel(reach if policy else never)

    def win_shares(points):
        """Turn scores into shares of the win, less what each of equal players gets."""
        best, winners = points[0], 0
        for seat in range(seats):
            best = max(best, points[seat])
        for seat in range(seats):
            if points[seat] == best:
                winners += 1
        for seat in range(seats):
            points[seat] = (1.0 / winners if points[seat] == best else 0.0) - 1.0 / seats

    win_shares = kernel(win_shares)

    def over(lane, own, points):
        """Count a game that is over."""
        states, _, games, _, first = own
        if games[lane] == 0:
            scores(states[lane], points)
            for seat in range(seats):
                first[lane, seat] = points[seat]
            first[lane, seats] = 1.0
        games[lane] += 1

    over = kernel(over)

    def next_game(lane, own, setting, scratch):
        """Deal until there is somebody to ask; returns that seat."""
        states, rngs, games, luck, _ = own
        blanks, _, _, _, _, seed, share = setting
        rule = lane // seats % blanks.shape[0]
        while True:
            number = (games[lane] * states.shape[0] + lane) // share
            begin(states[lane : lane + 1], blanks[rule : rule + 1], rngs[lane], seed, number)
            for seat in range(seats):
                luck[lane, seat] = np.float64(stream(seed, number, seat, LEARNER) >> np.uint64(11)) / (1 << 53)
            seat = reach(lane, own, setting, scratch)
            if seat >= 0:
                return seat
            over(lane, own, scratch[4])

    next_game = kernel(next_game)

    def look(lane, seat, state, setting, sight, mask):
        """Write what the seat to move can know, what it may do, and who it is."""
        observation, allowed, seat_of, asked_of, others = sight
        observe(state, seat, observation[lane])
        for place in range(others.shape[1] // inputs):
            observe(state, (seat + 1 + place) % seats, others[lane, place * inputs : (place + 1) * inputs])
        legal(state, mask)
        for action in range(actions):
            allowed[lane, action] = has_word(mask, action)
        seat_of[lane] = seat
        asked_of[lane] = asked(lane, seat, setting[3])

    look = kernel(look)

    def start(lane, fresh, own, setting, sight, scratch):
        """Deal a lane's first game, or look at it as it stands, when a run goes on that was interrupted."""
        states, _, games, _, first = own
        if fresh:
            games[lane] = 0
            for place in range(seats + 1):
                first[lane, place] = 0.0
            seat = next_game(lane, own, setting, scratch)
        else:
            seat = to_move(states[lane])
        look(lane, seat, states[lane], setting, sight, scratch[1])

    start = kernel(start)

    def pick(liking, mask, rng):
        """Draw an action by the softmax of the logits; returns it and the logarithm of its chance."""
        highest = -math.inf
        for action in range(actions):
            if has_word(mask, action):
                highest = max(highest, float(liking[action]))
        total = 0.0
        for action in range(actions):
            if has_word(mask, action):
                total += math.exp(liking[action] - highest)
        rest = unit(rng) * total
        choice = -1
        for action in range(actions):
            if has_word(mask, action):
                choice = action
                rest -= math.exp(liking[action] - highest)
                if rest < 0.0:
                    break
        return choice, liking[choice] - highest - math.log(total)

    pick = kernel(pick)

    def step(lane, own, setting, logits, result, sight, scratch):
        """Draw an action, and move a lane on to the next decision; `sight` is of that one, `result` of this."""
        states, rngs, _, _, _ = own
        blanks, goals, scales, _, _, _, _ = setting
        chosen, log_chance, ended, rewards = result
        _, mask, _, _, points, before = scratch
        state = states[lane]
        seat = to_move(state)
        rule = lane // seats % blanks.shape[0]
        legal(state, mask)
        choice, chance = pick(logits[lane], mask, rngs[lane, seat : seat + 1])
        chosen[lane], log_chance[lane] = choice, chance
        scores(state, before)
        apply(state, choice)
        seat = reach(lane, own, setting, scratch)
        scores(state, points)
        ended[lane] = seat < 0
        if goals[rule] != 0:
            if seat < 0:
                win_shares(points)
            for each in range(seats):
                rewards[lane, each] = points[each] / scales[rule] if seat < 0 else 0.0
        else:
            for each in range(seats):
                rewards[lane, each] = (points[each] - before[each]) / scales[rule]
        if seat < 0:
            over(lane, own, points)
            seat = next_game(lane, own, setting, scratch)
        look(lane, seat, state, setting, sight, mask)

    step = kernel(step)

    def tell(lane, own, setting, answer, scratch):
        """What the compiled player would do where a lane stands, for a learner who imitates it."""
        states, rngs, _, _, _ = own
        views, mask, worlds, numbers, _, _ = scratch
        seat = to_move(states[lane])
        views[0] = states[lane]
        hide(views[0], seat)
        legal(views[0], mask)
        answer[lane] = choose(views[0], seat, setting[4], rngs[lane, seat : seat + 1], mask, worlds, numbers)

    def silent(lane, own, setting, answer, scratch):
        """The same where there is no compiled player."""
        answer[lane] = -1

    tell = kernel(tell if policy else silent)

    def judge(lane, fade, story, judgement, ahead, gain, pending, known):
        """Walk a lane backwards: by how much each decision went better than was foretold (Schulman et al. 2016).

        A seat's decisions are a story of their own: what follows one is the seat's next, or the end of the game. The
        last of each seat in the window is not judged, for what follows it is not known yet.
        """
        values, seat_of, asked_of, ended, rewards = story  # [steps, lanes], rewards [steps, lanes, seats]
        advantage, target, counts = judgement
        for seat in range(seats):
            known[seat], ahead[seat], gain[seat], pending[seat] = 0.0, 0.0, 0.0, 0.0
        steps = ended.shape[0]
        for back in range(steps):
            at = steps - 1 - back
            for seat in range(seats):
                if ended[at, lane]:
                    known[seat], ahead[seat], gain[seat], pending[seat] = 1.0, 0.0, 0.0, 0.0
                pending[seat] += rewards[at, lane, seat]
            seat = int(seat_of[at, lane])
            advantage[at, lane], target[at, lane], counts[at, lane] = 0.0, 0.0, 0.0
            if asked_of[at, lane] != LEARNS:
                continue
            value = values[at, lane]
            if known[seat] != 0.0:
                gain[seat] = pending[seat] + ahead[seat] - value + fade * gain[seat]
                advantage[at, lane], target[at, lane], counts[at, lane] = gain[seat], gain[seat] + value, 1.0
            else:
                known[seat], gain[seat] = 1.0, 0.0
            ahead[seat], pending[seat] = value, 0.0

    judge = kernel(judge)

    def follow(lane, story, link, pending, after):
        """Walk a lane backwards: what each decision led to. `link` gets the step of the seat's next decision, -1 when
        the game was over before it and -2 when the window was; and the reward until then."""
        seat_of, ended, rewards = story
        next_at, reward = link
        steps = ended.shape[0]
        for seat in range(seats):
            after[seat], pending[seat] = -2.0, 0.0
        for back in range(steps):
            at = steps - 1 - back
            for seat in range(seats):
                if ended[at, lane]:
                    after[seat], pending[seat] = -1.0, 0.0
                pending[seat] += rewards[at, lane, seat]
            seat = int(seat_of[at, lane])
            next_at[at, lane] = int(after[seat])
            reward[at, lane] = pending[seat]
            after[seat], pending[seat] = at, 0.0

    follow = kernel(follow)

    def scratch_space():
        """That of one core."""
        return (
            np.empty(1, State), np.empty(words, np.uint64), np.empty(worlds_needed, State),
            np.empty(numbers_needed, np.float64), np.empty(seats, np.float64), np.empty(seats, np.float64),
        )  # fmt: skip

    scratch_space = kernel(scratch_space)

    def start_some(first_lane, last_lane, fresh, own, setting, sight):
        scratch = scratch_space()
        for lane in range(first_lane, last_lane):
            start(lane, fresh, own, setting, sight, scratch)

    def step_some(first_lane, last_lane, own, setting, logits, result, sight):
        scratch = scratch_space()
        for lane in range(first_lane, last_lane):
            step(lane, own, setting, logits, result, sight, scratch)

    def tell_some(first_lane, last_lane, own, setting, answer):
        scratch = scratch_space()
        for lane in range(first_lane, last_lane):
            tell(lane, own, setting, answer, scratch)

    def judge_some(first_lane, last_lane, fade, story, judgement):
        places = np.empty((4, seats), np.float64)
        for lane in range(first_lane, last_lane):
            judge(lane, fade, story, judgement, places[0], places[1], places[2], places[3])

    def follow_some(first_lane, last_lane, story, link):
        places = np.empty((2, seats), np.float64)
        for lane in range(first_lane, last_lane):
            follow(lane, story, link, places[0], places[1])

    scratch = (
        (1, State), (words, np.uint64), (worlds_needed, State), (numbers_needed, np.float64), (seats, np.float64),
        (seats, np.float64),
    )  # fmt: skip
    return SimpleNamespace(
        key=key, scratch=scratch, start=start, step=step, tell=tell, judge=judge,
        follow=follow, start_some=kernel(start_some), step_some=kernel(step_some),
        tell_some=kernel(tell_some),
        judge_some=kernel(judge_some), follow_some=kernel(follow_some),
    )  # fmt: skip
