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
from tefuda.games.mahjong.actions import PASS, PON, TSUMOGIRI
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
from tefuda.kernel.threads import chunks
from tefuda.papers.laboratory import Laboratory, measured
from tefuda.papers.mahjong.learned import People, learned_from, people_of
from tefuda.papers.mahjong.matches import there
from tefuda.players.entrant import Entrant
from tefuda.players.identity import identity
from tefuda.players.resolve import resolve
from tefuda.report.report import Measured, Table

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
ABOUT = (
    f"The pictures of figures 6 and 7 are lost; these hands are ours and fit the text. Figure 6: {FIGURE_6} and "
    f"{DRAW_6} just drawn, east 1, the first turn. Figure 7: {FIGURE_7}, and the seat before discards {GIVEN_7} in the "
    "first turn."
)
LAST = (17_000, 31_000, 27_100, 24_900)  # points in the last deal: without a mangan the own seat stays last
HAN_COLUMNS = tuple(f"{number} han or more" for number in range(1, HANS + 1))
MODEL = "bcp"
PIECE = 2_000  # trials of a part: of all discards of figure 6, some ten seconds on two cores


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
    ours: Mapping[str, list[Any]], of_people: Mapping[str, list[Any]] | None,
    published: Mapping[str, tuple[float, ...]],
) -> list[list[Any]]:  # fmt: skip
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
        f"{ABOUT} Tiles are written as m (characters), p (circles), s (bamboos), z (4z north, 5z white).",
    )
    people = people_of(lab)
    if there(MODEL):
        _table_8(lab, people)
    trials, rules = lab.size.trials, GAME.rulebook.make("hand")
    policy = resolve(GAME, "policy", rules)
    ours = _trials(lab, policy)
    of_people = _trials(lab, people.policy) if people is not None else None
    lab.report.table(
        Table(
            "table-9", "Table 9: figure 6 played on, all by the policy", ("discard", *HAN_COLUMNS),
            beside(_chosen(ours), _chosen(of_people) if of_people is not None else None, PUBLISHED_9),
            note=f"{trials:,} trials for each discard, with other unseen tiles each; all discards meet the same ones. "
            + best_of_all(ours, of_people), digits=3,
        )
    )  # fmt: skip
    if there(MODEL):
        _table_10(lab, people)
        _table_11(lab, policy, people)


def discards_of_figure_6() -> dict[str, str]:
    """Every discard of figure 6: its name, and the tile."""
    names = {tile: name for name, tile in CHOICES.items()}
    tiles = dict.fromkeys(notated(face) for face in faces(FIGURE_6 + DRAW_6))
    return {names.get(tile, tile): tile for tile in tiles}


def notated(kind: int) -> str:
    return f"{kind % 9 + 1}{'mpsz'[kind // 9]}"


def _chosen(found: Mapping[str, list[Any]]) -> dict[str, list[Any]]:
    """Of all discards those that the paper weighs."""
    return {name: found[name] for name in CHOICES}


def best_of_all(ours: Mapping[str, list[Any]], of_people: Mapping[str, list[Any]] | None) -> str:
    """The best of all discards at each number of han."""

    def told(found: Mapping[str, list[Any]]) -> str:
        rates = {name: [float(getattr(cell, "mean", cell)) for cell in cells] for name, cells in found.items()}
        best = [max(rates, key=lambda name, place=place: rates[name][place]) for place in range(HANS)]  # type: ignore[misc]
        return ", ".join(f"{name} ({rates[name][place]:.3f})" for place, name in enumerate(best))

    text = f"The best of all {len(ours)} discards at 1, 2, 3 and 4 han: {told(ours)}"
    return f"{text}." if of_people is None else f"{text}; from records: {told(of_people)}."


def _trials(lab: Laboratory[Any], policy: Entrant) -> dict[str, list[Measured]]:
    """How often each discard of figure 6 is won when all play a policy; a part."""
    discards = discards_of_figure_6()
    actions = [(TSUMOGIRI if tile == DRAW_6 else faces(tile)[0], -1) for tile in discards.values()]
    won = _won(lab, "figure-6", figure_6(), actions, policy)
    return {
        name: [measured(rate_interval(int((won[:, place] >= number).sum()), len(won)), 3)
               for number in range(1, HANS + 1)]
        for place, name in enumerate(discards)
    }  # fmt: skip


def _won(
    lab: Laboratory[Any], which: str, table: np.ndarray, actions: Sequence[tuple[int, int]], policy: Entrant
) -> np.ndarray:
    """By how many han each action is won when all play a policy [trials, actions]. Each PIECE of trials is a part."""
    parts = []
    for first, last in chunks(lab.size.trials, PIECE):

        def run(first: int = first, last: int = last) -> dict[str, Any]:
            return {"won": hans_won_after(GAME, table, actions, policy, lab.seed, last - first, lab.threads, first)}

        parts.append(lab.keep(f"trials-{which}-{identity(policy)[:12]}-{first}-{last}-{lab.seed}", run)["won"])
    return np.concatenate(parts)


def _table_8(lab: Laboratory[Any], people: People | None) -> None:
    discards = discards_of_figure_6()
    codes = [int(DISCARD) * CODE + kind_of(tile) for tile in discards.values()]

    def chances(of: People | None) -> dict[str, list[Any]]:
        found = weighed(figure_6(), codes, of)
        return {name: each.chances.round(3).tolist() for name, each in zip(discards, found, strict=True)}

    ours, of_people = chances(None), chances(people) if people is not None else None
    lab.report.table(
        Table(
            "table-8", "Table 8: figure 6 by BCP", ("discard", *HAN_COLUMNS),
            beside(_chosen(ours), _chosen(of_people) if of_people is not None else None, PUBLISHED_8),
            note=" ".join(filter(None, (best_of_all(ours, of_people), learned_from(people, "BCP")))), digits=3,
        )
    )  # fmt: skip


def _table_10(lab: Laboratory[Any], people: People | None) -> None:
    codes = [int(DISCARD) * CODE + kind_of(tile) for tile in CHOICES.values()]
    last: list[list[Any]] = []
    for which, of in teachers(people):
        for name, each in zip(CHOICES, weighed(figure_6_last(), codes, of), strict=True):
            score, policy = PUBLISHED_10[name]
            last.append([f"{name}{which}", round(each.score, 3), score, each.policy, policy])
    lab.report.table(
        Table(
            "table-10", "Table 10: figure 6 in the last deal, last, with a mangan needed",
            ("discard", "Score of BCP", "published", "the policy's sum", "published"), last,
            note=f"Points {', '.join(f'{each:,}' for each in LAST)}, the own first. Score is an expected final rank: "
            f"lower is better. The policy's sums have other scales. {learned_from(people, 'BCP')}".strip(), digits=3,
        )
    )  # fmt: skip


def _table_11(lab: Laboratory[Any], policy: Entrant, people: People | None) -> None:
    asked = [int(PASSED) * CODE, int(CALLED_PON) * CODE + kind_of(DISCARD_7)]
    actions = [(PASS, -1), (PON, faces(DISCARD_7)[0])]
    calls: list[list[Any]] = []
    for which, of in teachers(people):
        won = _won(lab, "figure-7", figure_7(), actions, policy if of is None else of.policy)
        for place, (name, each) in enumerate(zip(PUBLISHED_11, weighed(figure_7(), asked, of), strict=True)):
            rate = rate_interval(int((won[:, place] > 0).sum()), len(won))
            calls.append([f"{name}{which}", round(float(each.chances[0]), 3), measured(rate, 3), PUBLISHED_11[name]])
    lab.report.table(
        Table(
            "table-11", "Table 11: figure 7, a win by one han or more",
            ("action", "BCP", "won in trials", "published, BCP"), calls,
            note=f"{lab.size.trials:,} trials: all play on by the policy. North is no yaku here: after the pon "
            "the hand has to become another one with a yaku, a half flush say, or to win by the last tile or after "
            f"a kan. {learned_from(people, 'BCP')}".strip(), digits=3,
        )
    )  # fmt: skip


def teachers(people: People | None) -> list[tuple[str, People | None]]:
    """Whose models are asked: the shipped ones, and those of records; with what is put behind a name."""
    return [("", None), *([] if people is None else [(", from records", people)])]
