"""Tables 6 and 7 of the mahjong paper: each new program against three of the earlier one, tonpuu on paired walls."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tefuda.arena.match import match
from tefuda.errors import Problem
from tefuda.files.policy import load_any, load_for
from tefuda.games.mahjong import GAME
from tefuda.games.mahjong.paper.penalty import of_deals
from tefuda.intervals import Interval, interval_of
from tefuda.log import log
from tefuda.papers.laboratory import EVALUATION, Laboratory, compared, measured
from tefuda.papers.mahjong.learned import OF_GAMES, People, learned_from, people_of
from tefuda.players.entrant import Entrant
from tefuda.players.identity import identity
from tefuda.players.resolve import resolve
from tefuda.records import foreign
from tefuda.report.report import Compared, Table

EARLIER = "policy-mc"
RULES = GAME.rulebook.make("tonpuu")
# Table 6: places 1 to 4, mean rank and its interval, games; table 7: deals won and dealt in, and those of the others.
PUBLISHED: dict[str, tuple[str, tuple[float, ...], str, int, tuple[float, ...]]] = {
    "mcp-tsumogiri": ("MCP vs tsumogiri", (0.185, 0.251, 0.282, 0.280), "2.65 ± 0.01", 30_505,
                      (0.193, 0.118, 0.217, 0.119)),
    "mcp": ("MCP", (0.180, 0.248, 0.292, 0.276), "2.67 ± 0.01", 62_742, (0.194, 0.114, 0.215, 0.120)),
    "bcp": ("BCP", (0.194, 0.253, 0.283, 0.270), "2.62 ± 0.01", 44_550, (0.201, 0.115, 0.214, 0.119)),
    "bcp+penalty-self": ("BCP + penalty (self-play)", (0.121, 0.179, 0.324, 0.375), "2.95 ± 0.05", 1_163,
                         (0.093, 0.114, 0.235, 0.110)),
    "bcp+penalty": ("BCP + penalty (human records)", (0.227, 0.244, 0.262, 0.264), "2.56 ± 0.04", 3_589,
                    (0.202, 0.123, 0.226, 0.123)),
    "bcp+penalty+search": ("BCP + penalty (human records) + search", (0.240, 0.244, 0.250, 0.265), "2.54 ± 0.02",
                           14_804, (0.195, 0.128, 0.220, 0.123)),
}  # fmt: skip
# Programs that rest on records of people: the paper's program that each is like.
OF_PEOPLE = {
    "bcp+penalty-human": "bcp+penalty", "bcp+penalty-human+search": "bcp+penalty+search",
    "mcp-tsumogiri-records": "mcp-tsumogiri", "mcp-records": "mcp", "bcp-records": "bcp",
    "bcp-records+penalty-self": "bcp+penalty-self", "bcp-records+penalty-human": "bcp+penalty",
    "bcp-records+penalty-human+search": "bcp+penalty+search",
}  # fmt: skip
WITH_PENALTY = ("bcp+penalty", "bcp+penalty+search")  # with records, also with a penalty from them
GOAL = "han-efr"  # the player that is to beat the earlier program
OURS_ALONE = ("network-efr", GOAL, "policy")  # players that the paper has not


# Why the paper's program may have lost: a program, and what it tries. Those without settings stand in table 6 too.
GUESSES = {
    "bcp+penalty": "as the paper has it",
    "mcp-tsumogiri": "opponents in the records never win: quick hands count for less than they should",
    "mcp": "opponents in the records attack, and never fold",
    "bcp+penalty/calls=0": "calls without a yaku are not understood: the policy decides on calls instead",
    "bcp+penalty/margin=10000": "openings lose efficiency: only what the policy finds nearly as good as its best",
    "bcp+penalty/calls=0+margin=10000": "both",
    "network-efr": "features that are not combined, in a network",
    "han-efr/depth=1": "the network, the penalty, and caution in calls, without a search",
    "han-efr": "the same with a search that counts draws too that change nothing",
}


@dataclass(frozen=True)
class Standing:
    """What games of one program against three others say."""

    rank: Interval
    places: list[float]  # shares of games
    own: dict[str, Any]  # the game's statistics
    others: dict[str, Any]
    games: int


def against_three(lab: Laboratory[Any], name: str | Entrant, opponent: str | Entrant, deals: int) -> Standing:
    """Play one against three of another in all seats. A finished match is a part, and so are the deals of an unfinished
    one."""
    player, other = (resolve(GAME, each, RULES) if isinstance(each, str) else each for each in (name, opponent))
    seed = lab.seed + EVALUATION
    part = f"tonpuu-{identity(player)[:12]}-{identity(other)[:12]}-{deals}-{seed}"

    def run() -> dict[str, Any]:
        unfinished = lab.work / f"{part}-unfinished.npz"
        found = match(GAME, [player, other], deals, seed, RULES, lab.threads, keep=unfinished)
        return {
            "ranks": ranks_of(found.scores, [sitting.index(player.name) for sitting in found.seating]),
            "rows": np.array(json.dumps([asdict(row)["more"] for row in found.rows])),
        }

    kept = lab.keep(part, run)
    own, others = json.loads(str(kept["rows"]))
    ranks = kept["ranks"]
    places = [float((ranks == place).mean()) for place in (1, 2, 3, 4)]
    return Standing(interval_of(ranks.mean(axis=1)), places, own, others, ranks.size)


def ranks_of(scores: np.ndarray, seats: list[int]) -> np.ndarray:
    """The final rank of one seat of each rotation: [deals, rotations], from scores [deals, rotations, seats]. Scores
    are with uma, so that no two of a game are equal."""
    own = np.stack([scores[:, rotation, seat] for rotation, seat in enumerate(seats)], axis=1)
    return 1 + (scores > own[:, :, None]).sum(axis=2)


def matches_of(records: Path) -> Iterator[Any]:
    """All matches of a file of records, as the game reads them; what cannot be read is left out."""
    for text in foreign.texts(records, GAME.name, lambda _: None):
        try:
            yield foreign.read(text)[1]
        except Problem as problem:
            log.warning(f"left out: {problem}")


def deals_of(records: Path) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """All deals of a file of records, each as it began and its actions; what cannot be played is left out."""
    assert GAME.records is not None
    assert GAME.records.decisions is not None
    for played in matches_of(records):
        try:
            yield from GAME.records.decisions(played)
        except Problem as problem:
            log.warning(f"left out: {problem}")


def human_results(records: Path) -> np.ndarray:
    """Results of deals of people, for a penalty."""
    results = of_deals(deals_of(records))
    if not results.size:
        raise Problem(f"{records} has no deals for a penalty")
    return results.ravel().astype(np.float64)


def of_people(lab: Laboratory[Any]) -> Iterator[tuple[Entrant, str | Entrant]]:
    """The programs that rest on records of people, where some are given, each with its opponent. Shipped ones with a
    penalty from the records, and the earlier program with a policy from them, sit with the shipped earlier program.
    Those that open by models from games of this policy sit with the earlier program of it."""
    people = people_of(lab)
    if people is None or lab.records is None:
        return
    results = human_results(lab.records)
    for name in WITH_PENALTY:
        if there(name):
            yield with_human_penalty(results, name), EARLIER
    earlier = people.earlier()
    yield earlier, EARLIER
    for model in OF_GAMES:
        yield people.program(model), earlier
    yield people.program("BCP", "+penalty-self", people.results), earlier
    for search in ("", "+search"):
        yield people.program("BCP", "+penalty-human", results, search), earlier


def with_human_penalty(results: np.ndarray, name: str) -> Entrant:
    """A shipped program with a penalty from records of people instead of its own."""
    named = next(each for each in GAME.players.named if each.name == name)
    assert named.file is not None
    card, weights = load_for(GAME, named.file)
    more = [load_any(GAME, path) for path in named.more[:-1]]
    policy = GAME.players.policy(named.policy)
    return Entrant(name.replace("penalty", "penalty-human"), policy, policy.parameters(card.variant, weights, *more,
                   results))  # fmt: skip


def there(name: str) -> bool:
    """Whether a player is shipped."""
    return any(each.name == name for each in GAME.players.named)


def walls_of(lab: Laboratory[Any], name: str) -> int:
    """How many walls a row has: fewer with settings, and where a search takes long; more where a goal is to be met."""
    if "/" in name:
        return lab.size.guesses
    if name == GOAL:
        return lab.size.goal
    return lab.size.searched if "search" in name else lab.size.programs


def programs(lab: Laboratory[Any]) -> None:
    """Tables 6 and 7."""
    lab.report.section(
        "The whole programs",
        f"One new program sits with three of the earlier one, our rendering of it: `{EARLIER}`, which opens by the "
        "one-player policy; the authors' own is not public. Both "
        "play the same middle and end game, with the same number of simulations. The published figures are those of "
        "the authors' programs; ours are other programs, made by the paper's plan. Published rows with a penalty from "
        "human records stand beside ours with a penalty from whole games of our own players.",
    )
    played = {
        name: against_three(lab, name, EARLIER, walls_of(lab, name))
        for name in (*PUBLISHED, *OURS_ALONE)
        if there(name)
    }
    for human, opponent in of_people(lab):
        played[human.name] = against_three(lab, human, opponent, walls_of(lab, human.name))
    again = lab.again
    rows = []
    for name, (_, _, rank, _, _) in PUBLISHED.items():
        what, found = f"{name}: mean rank", played.get(name)
        rows.append(
            Compared(what, rank, None)
            if found is None
            else compared(what, rank, found.rank, "", found.games, again, None, 2)
        )
    for name in played:
        if name not in PUBLISHED:
            target = (None, 2.45) if name == GOAL else None
            rows.append(
                compared(f"{name}: mean rank", "–", played[name].rank, "", played[name].games, again, target, 2)
            )
    lab.report.compare(rows, key="ranks", title="Table 6: mean rank against three of the earlier program")
    learned = with_whom(people_of(lab))
    lab.report.table(_places_table(played, learned))
    lab.report.table(_deals_table(played, learned))


def with_whom(people: People | None) -> str:
    """For the notes of both tables: whom programs that rest on records sit with, and what their models learned from."""
    if people is None:
        return ""
    return f"{learned_from(people, *OF_GAMES)} Programs that open by them sit with three `{people.earlier().name}`."


def _places_table(played: dict[str, Standing], learned: str = "") -> Table:
    rows: list[list[Any]] = []
    for name, found in played.items():
        rows.append([name, *(round(each, 3) for each in found.places), measured(found.rank), found.games])
        like = OF_PEOPLE.get(name, name)
        if like in PUBLISHED:
            published_as, places, rank, games, _ = PUBLISHED[like]
            rows.append([f"published: {published_as}", *places, rank, games])
    paired = "Games of four rotations on one wall are paired; intervals take the wall as their unit."
    return Table(
        "table-6", "Table 6: places", ("", "1st", "2nd", "3rd", "4th", "mean rank", "games"), rows,
        note=f"{paired} {learned}".strip(), digits=3,
    )  # fmt: skip


def _deals_table(played: dict[str, Standing], learned: str = "") -> Table:
    rows: list[list[Any]] = []
    for name, found in played.items():
        rates = [each[key] for each in (found.own, found.others) for key in ("won_deals_rate", "deal_in_rate")]
        rows.append([name, *(round(each, 3) for each in rates)])
        like = OF_PEOPLE.get(name, name)
        if like in PUBLISHED:
            rows.append([f"published: {PUBLISHED[like][0]}", *PUBLISHED[like][4]])
    return Table(
        "table-7", "Table 7: deals won and dealt in", ("", "won", "dealt in", "others: won", "others: dealt in"), rows,
        note=f"Shares of deals; those of the three others are their means. {learned}".strip(), digits=3,
    )  # fmt: skip


def middle_game(lab: Laboratory[Any]) -> None:
    """What the middle game brings: the earlier program against three of the one-player policy."""
    lab.report.section(
        "The middle game",
        f"`{EARLIER}` differs from `policy` in nothing but the middle game. It sits with three `policy`.",
    )
    found = against_three(lab, EARLIER, "policy", lab.size.programs)
    lab.report.compare(
        [compared(f"{EARLIER} against three policy: mean rank", "–", found.rank, "", found.games, lab.again,
                  (None, 2.5), 2)],
        key="middle", title="The middle game against none",
        note="The paper gives no such figure. 2.5 would be no gain.",
    )  # fmt: skip


def why_it_lost(lab: Laboratory[Any]) -> None:
    """The guesses at why the paper's program lost to its own baseline, each as a row."""
    lab.report.section(
        "Why the paper's program lost",
        "The paper's best program had a mean rank of 2.54 ± 0.02 against three of the earlier one. It names guesses: "
        "each is a row here. Those on the records that its models learned from have a table of their own, below. "
        "Random actions in the records make hands look worse: for that compare tables 8 and 9 too.",
    )
    rows: list[list[Any]] = []
    for name, guess in GUESSES.items():
        if there(name.partition("/")[0]):
            found = against_three(lab, name, EARLIER, walls_of(lab, name))
            rates = [found.own[key] for key in ("won_deals_rate", "deal_in_rate", "call_rate")]
            rows.append([name, guess, measured(found.rank), *(round(each, 3) for each in rates),
                         round(found.own["mean_win"]), found.games])  # fmt: skip
    lab.report.table(
        Table(
            "why", "Guesses, each as a row: one program against three policy-mc",
            ("", "what is tried", "mean rank", "deals won", "dealt in", "deals with calls", "points of a win", "games"),
            rows, digits=3,
        )
    )  # fmt: skip
