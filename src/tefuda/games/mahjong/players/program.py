"""The paper's whole programs (sections 5.4 and 6): an opening, and the middle game that all of them share.

`policy-mc` opens by the one-player policy: the authors' earlier program. The others open by han prediction and expected
final rank (paper/opening.py), some with a penalty and a search. All win whenever they can. From the five conditions of
paper/middle.py on, all decide by simulations of the rest of the deal.
"""

from collections.abc import Callable

import numpy as np

from tefuda.errors import Problem, unknown
from tefuda.games.mahjong.actions import PASS, RON, TSUMO
from tefuda.games.mahjong.paper import hands, middle, opening, others, rest, standing
from tefuda.games.mahjong.paper.features import ACTIVE
from tefuda.games.mahjong.paper.hands import CODES, action_of, list_candidates
from tefuda.games.mahjong.paper.search import search
from tefuda.games.mahjong.players import han, han_network, policy
from tefuda.games.mahjong.state import DECLARED
from tefuda.kernel.bits import ZERO, has_word
from tefuda.kernel.compile import kernel

# Settings, by their places in the parameters: what they are unless a variant says otherwise, and at most.
SETTINGS = {
    "simulations": (64, 100_000),  # of each plan of a decision
    "folding": (0.5, 1),  # the share of the others who are not ready that fold against riichi, in simulations
    "depth": (1, 3),  # discards that the opening looks ahead; 1: no search
    "whole": (0, 1),  # 1: the search counts draws too that change nothing
    "calls": (1, 1),  # 1: the opening by han prediction decides on calls too; 0: the policy does
    "caution": (0, 4),  # what a call must gain in expected final rank: an open hand defends itself badly
    "margin": (-1, 1_000_000),  # what the policy's sum of a candidate may lack to the best; -1: anything
}
_SIMULATIONS, _FOLDING, _DEPTH, _WHOLE, _CALLS, _CAUTION, _MARGIN = range(len(SETTINGS))
OF_MODELS = ("units", "blocks")  # what a network's card says
WHOLE = ("simulations", "depth", "whole", "calls", "margin")  # settings that are whole numbers

# The layout of the parameters: settings, how many numbers of results and of a model of han there are, the models, the
# policy's weights; then results and the model of han, where there are such.
_RESULTS, _HAN = len(SETTINGS), len(SETTINGS) + 1
_RANK = _HAN + 1
_OTHERS = _RANK + standing.WEIGHTS
_POLICY = _OTHERS + others.WEIGHTS
_MORE = _POLICY + policy.PACKED

# Scratch space: whole numbers, then real ones.
_WORK = 0
_ACTIVE = _WORK + hands.SIZE
_ROWS = _ACTIVE + ACTIVE + 1
_FACTS = _ROWS + middle.ROWS_SIZE
_HOPES = _FACTS + middle.FACTS_SIZE
_SCORES = _HOPES + opening.HOPES
_ASKED = _SCORES + hands.ROWS
NUMBERS = _ASKED + opening.ASKED


def settings_of(variant: str) -> tuple[list[float], str]:
    """The settings that a variant has, in the order of SETTINGS, and what else it says."""
    found, rest_of = {key: float(usual) for key, (usual, _) in SETTINGS.items()}, []
    for part in filter(None, variant.split("+")):
        key, equals, value = part.partition("=")
        if key in SETTINGS:
            found[key] = _number(key, value)
        elif equals and key not in OF_MODELS:
            raise unknown("setting", part, [f"{each}={usual}" for each, (usual, _) in SETTINGS.items()])
        else:
            rest_of.append(part)
    return list(found.values()), "+".join(rest_of)


def _number(key: str, text: str) -> float:
    least, most = (1 if key in ("simulations", "depth") else 0), SETTINGS[key][1]
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not least <= number <= most or (key in WHOLE and number != int(number)):
        raise Problem(f"{key} is '{text}', but takes a {'whole ' * (key in WHOLE)}number from {least} to {most:,}")
    return number


def parameters(variant: str, weights: np.ndarray, rank: np.ndarray, of_others: np.ndarray) -> np.ndarray:
    """For an opening by the policy: its weights, and the models `final-rank` and `others`."""
    settings, more = settings_of(variant)
    return np.concatenate([settings, [0, 0], rank, of_others, policy.parameters(more, weights)])


def parameters_with_han(
    variant: str, weights: np.ndarray, of_policy: np.ndarray, rank: np.ndarray, of_others: np.ndarray,
    results: np.ndarray | None = None,
) -> np.ndarray:  # fmt: skip
    """For an opening by a model of han: its weights, those of the policy, the models, and results for a penalty."""
    settings, more = settings_of(variant)
    network = "units=" in more
    model = (han_network if network else han).parameters(more, weights)
    results = np.zeros(0) if results is None else results
    head = [*settings, len(results), len(model)]
    kind = [opening.NETWORK if network else opening.LINEAR]
    return np.concatenate([head, rank, of_others, policy.parameters("", of_policy), results, kind, model])


def named_settings(settings: str) -> Callable[..., np.ndarray]:
    """`parameters_with_han` with settings that a player's name stands for; its variant may change them."""

    def made(variant: str, *weights: np.ndarray) -> np.ndarray:
        return parameters_with_han("+".join(filter(None, (settings, variant))), *weights)

    return made


@kernel
def choose(view, seat, params, rng, mask, worlds, numbers):
    for action in (TSUMO, RON):
        if has_word(mask, action):
            return action
    claims = has_word(mask, PASS)
    if claims and mask[0] == ZERO:
        return PASS
    whole, facts, hopes = numbers[:_FACTS].view(np.int64), numbers[_FACTS:_HOPES], numbers[_HOPES:_SCORES]
    work, active, rows = whole[:_ACTIVE], whole[_ACTIVE:_ROWS], whole[_ROWS:]
    rank, of_others, weights = params[_RANK:_OTHERS], params[_OTHERS:_POLICY], params[_POLICY:_MORE].view(np.int16)
    number = list_candidates(view, seat, mask, work)
    best = np.int64(0)
    if number > 1:
        best = middle.weigh(view, seat, weights, number, work, active, rows)
    code = work[CODES + best]
    if view.riichi[seat] != 0 or view.phase == DECLARED or number == 1:
        return action_of(view, mask, code)
    by_han = params[_HAN] > 0.0 and (not claims or params[_CALLS] > 0.0)
    passes = claims and hands.done_of(code) == hands.PASSED
    if passes and not by_han:
        return PASS
    pressed = middle.is_pressed(view, seat, mask)
    if pressed and passes:
        return PASS
    middle.read_facts(view, seat, of_others, facts)
    facts[rest.FOLDS] = params[_FOLDING]
    if pressed or middle.is_dangerous(view, seat, code, rank, facts):
        if claims:
            middle.list_claim_plans(view, mask, best, work, rows)
        else:
            middle.list_turn_plans(view, mask, number, work, rows, facts)
        return middle.best_plan(view, seat, np.int64(params[_SIMULATIONS]), work, rows, facts, rank, rng)
    if by_han:
        last = _MORE + np.int64(params[_RESULTS])
        opening.write_ranks(view, seat, rank, params[_MORE:last], facts, hopes)
        depth, model = np.int64(params[_DEPTH]), params[last:]
        scores, asked = numbers[_SCORES:_ASKED], numbers[_ASKED:NUMBERS]
        found = np.int64(-1)
        if depth > 1 and not claims:
            found = search(
                view, seat, depth, params[_WHOLE] > 0.0, number, model, rank, work, active, asked, facts, hopes, scores
            )
        if found < 0:
            margin = opening.LARGEST if params[_MARGIN] < 0.0 else np.int64(params[_MARGIN])
            caution = params[_CAUTION]
            found = opening.best_code(
                view, seat, model, number, best, margin, caution, work, active, rows, asked, hopes
            )
        code = found
    return action_of(view, mask, code)
