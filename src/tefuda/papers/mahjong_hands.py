"""Tables 8 to 11 of the mahjong paper, on the hands of its figures 6 and 7.

The pictures of both figures are lost. Our hands fit what the text says of them. Figure 6: bamboos make a half flush,
78p and a pair of white dragons make a cheap hand; 5m, 7p, north and white are weighed. Figure 7: the hand is one from
ready in the first turn, with a pair of north, which is no yaku, and a 9s to discard.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tefuda.files.policy import load_any, load_for
from tefuda.games.mahjong import FOLDER, GAME, POLICY_FILE, SHARED
from tefuda.games.mahjong.actions import PASS, TSUMOGIRI
from tefuda.games.mahjong.notation import parse
from tefuda.games.mahjong.paper import hands, opening, rest
from tefuda.games.mahjong.paper.deal_ends import HANS
from tefuda.games.mahjong.paper.features import ACTIVE, features
from tefuda.games.mahjong.paper.hands import CALLED_PON, CODE, DISCARD, PASSED, list_candidates
from tefuda.games.mahjong.paper.standing import read_standing
from tefuda.games.mahjong.paper.trials import hans_won_after
from tefuda.games.mahjong.players import han
from tefuda.games.mahjong.players.policy import sum_of
from tefuda.games.mahjong.starting import start_deal, wall_of
from tefuda.games.mahjong.state import CLAIM
from tefuda.intervals import rate_interval
from tefuda.papers.laboratory import Laboratory, measured
from tefuda.papers.mahjong_learned import People, people_of
from tefuda.papers.mahjong_matches import there
from tefuda.players.entrant import Entrant
from tefuda.players.identity import identity
from tefuda.players.resolve import resolve
from tefuda.report.report import Table

OWN = 0
FIGURE_6, DRAW_6 = "5m78p12456889s55z", "4z"
FIGURE_7, GIVEN_7, DISCARD_7 = "234m567p23679s44z", "4z", "9s"
CHOICES = {"5m": "5m", "7p": "7p", "north": "4z", "white": "5z"}  # of figure 6
PUBLISHED_8 = {
    "5m": (0.353, 0.338, 0.221, 0.111), "7p": (0.294, 0.303, 0.240, 0.136),
    "north": (0.328, 0.285, 0.161, 0.079), "white": (0.173, 0.168, 0.149, 0.063),
}  # fmt: skip
PUBLISHED_9 = {
    "5m": (0.401, 0.373, 0.192, 0.117), "7p": (0.325, 0.323, 0.298, 0.203),
    "north": (0.405, 0.388, 0.241, 0.107), "white": (0.203, 0.201, 0.164, 0.080),
}  # fmt: skip
PUBLISHED_10 = {"5m": (3.889, -12_447), "7p": (3.797, -12_587), "north": (3.93, -12_326), "white": (3.94, -12_595)}
PUBLISHED_11 = {"pass": 0.821, "pon and 9s": 0.161}
LAST = (17_000, 31_000, 27_100, 24_900)  # points in the last deal: without a mangan the own seat stays last
HAN_COLUMNS = tuple(f"{number} han or more" for number in range(1, HANS + 1))
MODEL = "bcp"


def kind_of(text: str) -> int:
    return int(parse(text)[0]) // 4


def faces(text: str) -> list[int]:
    """The faces of some tiles, none of them red."""
    return [tile // 4 for tile in parse(text)]


def table_with(hand: str, draws: str, kyoku: int, points: Sequence[int], rules: str) -> np.ndarray:
    """A table at which a deal begins, and seat 0 has a hand; the tiles that are drawn first."""
    states = GAME.blank(GAME.rulebook.make(rules))
    GAME.kernels.deal(states[0], np.array([7], np.uint64))
    wall = wall_of(states, kyoku % 4, [faces(hand), [], [], []], faces(draws), indicators=faces("9p"))
    start_deal(states[0], kyoku, 0, 0, np.array(points, np.int64), wall)
    return states


def figure_6() -> np.ndarray:
    """Seat 0 deals, and has the hand of figure 6 with its draw, in its first turn."""
    return table_with(FIGURE_6, DRAW_6, 0, (25_000,) * 4, "hand")


def figure_6_last() -> np.ndarray:
    """The same in the last deal of a tonpuu game. The seat before deals, and has discarded what it drew."""
    states = table_with(FIGURE_6, f"9m{DRAW_6}", 3, LAST, "tonpuu")
    GAME.kernels.apply(states[0], TSUMOGIRI)
    while states[0].phase == CLAIM:
        GAME.kernels.apply(states[0], PASS)
    return states


def figure_7() -> np.ndarray:
    """Seat 0 is asked about north, the first discard of the seat before it, which deals."""
    states = table_with(FIGURE_7, GIVEN_7, 3, (25_000,) * 4, "hand")
    GAME.kernels.apply(states[0], TSUMOGIRI)
    return states


@dataclass(frozen=True)
class Weighed:
    """What the models say of one candidate."""

    chances: np.ndarray  # [HANS] of so many han or more
    score: float
    policy: int  # the one-player policy's sum


def weighed(states: np.ndarray, codes: Sequence[int], people: People | None = None) -> list[Weighed]:
    """What BCP, Score and the policy say of some candidates of seat 0: those that are shipped, or those that rest on
    records of people."""
    if people is None:
        card, weights = load_for(GAME, FOLDER / "policies" / f"{MODEL}.npz")
        params, policy_weights = han.parameters(card.variant, weights), load_for(GAME, POLICY_FILE)[1]
    else:
        params, policy_weights = people.player("BCP").params, people.weights
    model, rank = np.concatenate([[opening.LINEAR], params]), load_any(GAME, SHARED[0])
    view = states.copy()
    GAME.kernels.hide(view[0], OWN)
    mask, work = np.zeros(GAME.spaces.mask_words, np.uint64), np.zeros(hands.SIZE, np.int64)
    GAME.kernels.legal(view[0], mask)
    list_candidates(view[0], OWN, mask, work)
    active, asked = np.zeros(ACTIVE + 1, np.int64), np.zeros(opening.ASKED)
    facts, hopes = np.zeros(rest.FACTS), np.zeros(opening.HOPES)
    read_standing(view[0], facts[rest.NOW :])
    opening.write_ranks(view[0], OWN, rank, np.zeros(0), facts, hopes)
    whole, found = policy_weights.astype(np.int16), []
    for code in codes:
        features(view[0], OWN, code, work, active)
        score = float(opening.score_of(work, active, model, opening.LOOKS, asked, hopes))
        classes = hopes[opening.CHANCES : opening.CHANCES + opening.CLASSES]
        at_least = np.cumsum(classes[::-1])[::-1][1:].copy()
        found.append(Weighed(at_least, score, int(sum_of(whole, active))))
    return found


def beside(
    ours: dict[str, list[Any]], of_people: dict[str, list[Any]] | None, published: Mapping[str, tuple[float, ...]]
) -> list[list[Any]]:
    """Lines of a table: ours, those that rest on records of people where there are some, and the published ones."""
    rows: list[list[Any]] = []
    for name, found in ours.items():
        rows.append([name, *found])
        if of_people is not None:
            rows.append([f"{name}, from records", *of_people[name]])
        rows.append([f"published: {name}", *published[name]])
    return rows


def composed_hands(lab: Laboratory[Any]) -> None:
    """Tables 8 to 11."""
    lab.report.section(
        "The paper's examples",
        f"The pictures of figures 6 and 7 are lost; these hands are ours and fit the text. Figure 6: {FIGURE_6} and "
        f"{DRAW_6} just drawn, east 1, the first turn. Figure 7: {FIGURE_7}, and the seat before discards {GIVEN_7} in "
        "the first turn. Tiles are written as m (characters), p (circles), s (bamboos), z (4z north, 5z white).",
    )
    codes = [int(DISCARD) * CODE + kind_of(tile) for tile in CHOICES.values()]
    people = people_of(lab)
    if there(MODEL):
        _table_8(lab, codes, people)
    trials, rules = lab.size.trials, GAME.rulebook.make("hand")
    of_people = _trials(lab, people.policy) if people is not None else None
    lab.report.table(
        Table(
            "table-9", "Table 9: figure 6 played on, all by the policy", ("discard", *HAN_COLUMNS),
            beside(_trials(lab, resolve(GAME, "policy", rules)), of_people, PUBLISHED_9),
            note=f"{trials:,} trials for each discard, with other unseen tiles each; all discards meet the same ones.",
            digits=3,
        )
    )  # fmt: skip
    if there(MODEL):
        _tables_10_and_11(lab, codes, people)


def _trials(lab: Laboratory[Any], policy: Entrant) -> dict[str, list[Any]]:
    """How often each discard of figure 6 is won when all play a policy; a part."""
    actions, trials = (
        [(TSUMOGIRI if tile == DRAW_6 else faces(tile)[0], -1) for tile in CHOICES.values()],
        lab.size.trials,
    )

    def run() -> dict[str, Any]:
        return {"won": hans_won_after(GAME, figure_6(), actions, policy, lab.seed, trials, lab.threads)}

    won = lab.keep(f"trials-{identity(policy)[:12]}-{trials}-{lab.seed}", run)["won"]
    return {
        name: [measured(rate_interval(int((won[:, place] >= number).sum()), trials), 3)
               for number in range(1, HANS + 1)]
        for place, name in enumerate(CHOICES)
    }  # fmt: skip


def _table_8(lab: Laboratory[Any], codes: Sequence[int], people: People | None) -> None:
    def chances(of: People | None) -> dict[str, list[Any]]:
        return {name: each.chances.round(3).tolist()
                for name, each in zip(CHOICES, weighed(figure_6(), codes, of), strict=True)}  # fmt: skip

    lab.report.table(
        Table(
            "table-8", "Table 8: figure 6 by BCP", ("discard", *HAN_COLUMNS),
            beside(chances(None), chances(people) if people is not None else None, PUBLISHED_8), digits=3,
        )
    )  # fmt: skip


def _tables_10_and_11(lab: Laboratory[Any], codes: Sequence[int], people: People | None) -> None:
    teachers = [("", None), *([] if people is None else [(", from records", people)])]
    last: list[list[Any]] = []
    for which, of in teachers:
        for name, each in zip(CHOICES, weighed(figure_6_last(), codes, of), strict=True):
            published = PUBLISHED_10[name] if of is None else ("–", "–")
            last.append([f"{name}{which}", round(each.score, 3), published[0], each.policy, published[1]])
    lab.report.table(
        Table(
            "table-10", "Table 10: figure 6 in the last deal, last, with a mangan needed",
            ("discard", "Score of BCP", "published", "the policy's sum", "published"), last,
            note=f"Points {', '.join(f'{each:,}' for each in LAST)}, the own first. Score is an expected final rank: "
            "lower is better. The policy's sums have other scales.", digits=3,
        )
    )  # fmt: skip
    calls: list[list[Any]] = []
    asked = [int(PASSED) * CODE, int(CALLED_PON) * CODE + kind_of(DISCARD_7)]
    for which, of in teachers:
        for name, each in zip(PUBLISHED_11, weighed(figure_7(), asked, of), strict=True):
            calls.append([f"{name}{which}", round(float(each.chances[0]), 3), "–" if of else PUBLISHED_11[name]])
    lab.report.table(
        Table(
            "table-11", "Table 11: figure 7, a win by one han or more", ("action", "BCP", "published"), calls,
            note="North is no yaku here: after the pon the hand wins only by the last tile, a robbed kan or a tile "
            "after a kan.", digits=3,
        )
    )  # fmt: skip
