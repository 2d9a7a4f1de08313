"""The statistics of Koi-Koi, counted again through the table."""

from collections import Counter

import numpy as np
import pytest

from tefuda import games
from tefuda.arena.match import match
from tefuda.games.koikoi import cards, yaku
from tefuda.games.koikoi.state import AGARI
from tefuda.games.koikoi.state import KOIKOI as KOIKOI_CALL
from tefuda.players.resolve import resolve
from tefuda.table.table import Table

KOIKOI = games.find("koikoi")


def made_by_paper(pile: int) -> set[int]:
    """The yaku of a pile under the paper's rules, written down again from its section 2."""

    def held(mask) -> int:
        return bin(pile & int(mask)).count("1")

    brights, rain = held(cards.BRIGHTS), held(cards.mask_of(cards.RAIN_MAN))
    found = set()
    if brights == 5:
        found.add(yaku.GOKO)
    elif brights == 4:
        found.add(yaku.AME_SHIKO if rain else yaku.SHIKO)
    elif brights == 3 and not rain:
        found.add(yaku.SANKO)
    for which, mask in (
        (yaku.INOSHIKACHO, cards.BOAR_DEER_BUTTERFLIES), (yaku.AKATAN, cards.RED_POEMS),
        (yaku.AOTAN, cards.BLUE_RIBBONS),
    ):  # fmt: skip
        if held(mask) == 3:
            found.add(which)
    for which, mask, needed in (
        (yaku.TANE, cards.ANIMALS, 5), (yaku.TAN, cards.RIBBONS, 5), (yaku.KASU, cards.CHAFF, 10),
    ):  # fmt: skip
        if held(mask) >= needed:
            found.add(which)
    return found


def recount(names: list[str], deals: int, seed: int) -> dict[str, Counter]:
    """Play the deals of a match of single rounds at tables in Python, and count what became of each player."""
    counted = {name: Counter() for name in names}
    for deal in range(deals):
        for order in (names, names[::-1]):
            table = Table(KOIKOI, None, seed, deal)
            entrants = [resolve(KOIKOI, name) for name in order]
            while not table.over:
                table.apply(table.ask(entrants[table.to_move]))
            for seat, name in enumerate(order):
                calls = sum(event == (seat, KOIKOI_CALL) for event in table.history)
                paid = table.scores[seat]
                count = counted[name]
                count["rounds"] += 1
                count["calls"] += calls
                count["called"] += calls > 0
                if paid > 0:
                    count["won"] += 1
                    count["points"] += paid
                    count["called and won"] += calls > 0
                    count.update(made_by_paper(int(table.states[0].pile[seat])))
    return counted


def test_koikoi_statistics_agree_with_a_recount():
    names = ["rule-based/monte-carlo:30", "random/monte-carlo:30"]
    counted = recount(names, 60, 22)
    total: Counter = Counter()
    for row in match(KOIKOI, names, 60, seed=22).rows:
        count = counted[row.name]
        more = row.more
        assert more["rounds"] == count["rounds"] == 120
        assert more["agari_rate"] == count["won"] / 120 == row.win.mean
        assert more["points_per_agari"] == count["points"] / count["won"]
        assert more["koikoi_rate"] == count["called"] / 120
        assert more["koikoi_calls"] == count["calls"]
        assert more["koikoi_success"] == count["called and won"] / count["called"]
        frequencies = {f"{each.name.ja} {each.name.en}": count[which] / 120 for which, each in enumerate(yaku.YAKU)}
        assert more["yaku"] == frequencies
        total.update(count)
    assert total["called"] > 10
    assert sum(total[which] > 0 for which in range(len(yaku.YAKU))) >= 7  # rare ones may be missing


@pytest.mark.parametrize("preset", ["nintendo", "bonus"])
def test_presets_of_many_rounds(preset):
    """Statistics are of rounds, the headline figure of the whole match; a recount over the rounds of each."""
    chosen = KOIKOI.rulebook.make(preset)
    names = ["rule-based/monte-carlo:10", "random/monte-carlo:10"]
    deals, seed = 8, 23
    result = match(KOIKOI, names, deals, seed, chosen)
    counted = {name: Counter() for name in names}
    scores = {name: [] for name in names}
    for deal in range(deals):
        for order in (names, names[::-1]):
            table = Table(KOIKOI, chosen, seed, deal)
            entrants = [resolve(KOIKOI, name) for name in order]
            before = table.scores
            while not table.over:
                finished, calls = int(table.states[0].finished), table.states[0].calls.copy()
                seat = table.to_move
                action = table.ask(entrants[seat])
                calls[seat] += action == KOIKOI_CALL
                table.apply(action)
                if table.states[0].finished > finished:
                    gain, before = table.scores - before, table.scores
                    exhausted = preset == "bonus" and set(np.abs(gain)) == {1} and action < AGARI
                    for each, name in enumerate(order):
                        won = gain[each] > 0 and not (exhausted and table.states[0].yaku == 0)
                        points = int(gain[each]) if won else 0
                        counted[name].update(rounds=1, won=int(won), calls=int(calls[each]), points=points)
            for seat, name in enumerate(order):
                scores[name].append(table.scores[seat])
    for row in result.rows:
        assert row.more["rounds"] == counted[row.name]["rounds"] == 2 * deals * chosen.values["rounds"]
        assert row.more["agari_rate"] == counted[row.name]["won"] / row.more["rounds"]
        assert row.more["koikoi_calls"] == counted[row.name]["calls"]
        assert row.more["points_per_agari"] == pytest.approx(counted[row.name]["points"] / counted[row.name]["won"])
        assert row.figure.mean == pytest.approx(np.mean(scores[row.name]))
    assert result.rows[0].figure.mean == -result.rows[1].figure.mean > 0
