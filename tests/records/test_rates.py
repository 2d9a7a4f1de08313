"""`tefuda records rates`: what is counted in records, against a plain count of their events."""

import json
from pathlib import Path

import pytest

from tefuda.errors import Problem
from tefuda.games.mahjong.records import mjai, mjlog_write, paifu, tenhou6
from tefuda.games.mahjong.records.declared import whole
from tefuda.games.mahjong.records.paifu import Match
from tefuda.records.rates import ALL, rates
from tests.games.mahjong.recorded import composed, played

KEPT = Path(__file__).parents[1] / "files" / "kept" / "games"


@pytest.fixture(scope="module")
def match() -> Match:
    return played(1)


def plainly(match: Match, seat: int) -> dict[str, int]:
    """Counted by the events of a record, without the engine."""
    deals = match.deals
    return {
        "deals": len(deals),
        "won": sum(any(win.seat == seat for win in deal.wins) for deal in deals),
        "dealt in": sum(any(seat == win.source != win.seat for win in deal.wins) for deal in deals),
        "riichi": sum(any((event.type, event.seat) == (paifu.RIICHI, seat) for event in deal.events) for deal in deals),
        "called": sum(any(event.type in paifu.CALLS and event.seat == seat for event in deal.events) for deal in deals),
    }


def test_every_format_gives_the_counts_of_its_events(match, tmp_path):
    texts = {
        "a.mjai": mjai.write(match),
        "b.mjlog": mjlog_write.write(whole(match)),
        "c.json": tenhou6.write(whole(match)),
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        found = rates([tmp_path / name], by_name=True)
        assert (found.game, found.records, found.unreadable) == ("mahjong", 1, [])
        assert found.names == [ALL, "0", "1", "2", "3"], name
        for seat in range(4):
            expected, told = plainly(match, seat), found.summary(str(seat))
            figures = ("won_deals_rate", "deal_in_rate", "riichi_rate", "call_rate")
            assert told["deals"] == expected["deals"]
            assert [round(told[each] * told["deals"]) for each in figures] == list(expected.values())[1:], (name, seat)
        assert found.summary()["deals"] == 4 * len(match.deals)
        assert found.summary()["mean_rank"] == 2.5
    together = rates([tmp_path / name for name in texts], threads=1, chunk=1)
    assert (together.records, together.summary()["deals"]) == (3, 12 * len(match.deals))
    assert together.summary()["riichi_rate"] == found.summary()["riichi_rate"]


def test_the_command_tells_it_and_takes_our_own_records(here):
    for name in ("mahjong-finished", "koikoi-finished"):
        (here.folder / f"{name}.json").write_bytes((KEPT / f"{name}.json").read_bytes())
    done = here("records", "rates", "mahjong-finished.json", "--by-name", "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["game"], told["records"], told["unreadable"]) == ("mahjong", 1, [])
    assert told["players"][ALL]["deals"] == sum(each["deals"] for name, each in told["players"].items() if name != ALL)
    shown = here("records", "rates", "koikoi-finished.json").stdout
    assert "1 record" in shown
    assert "agari rate" in shown
    mixed = here("records", "rates", "mahjong-finished.json", "koikoi-finished.json")
    assert (mixed.returncode, mixed.stderr.count("\n")) == (2, 1)
    assert "count one game at a time" in mixed.stderr


def test_what_cannot_be_counted_is_named_beside_what_can(here):
    (here.folder / "many.tsv").write_text(f"7\t{composed()}\n8\t<mjloggm>\n", encoding="utf-8")
    done = here("records", "rates", "many.tsv", "--json")
    assert done.returncode == 2
    told = json.loads(done.stdout)
    assert (told["records"], told["players"][ALL]["deals"]) == (1, 4)
    assert told["unreadable"][0].startswith("many.tsv 8: ")
    assert done.stderr.count("\n") == 1
    (here.folder / "kuhn.json").write_bytes((KEPT / "kuhn-finished.json").read_bytes())
    nothing = here("records", "rates", "kuhn.json")
    assert (nothing.returncode, nothing.stdout) == (2, "")
    assert "counts nothing beside the scores" in nothing.stderr


def test_records_of_two_games_are_not_added():
    with pytest.raises(Problem, match="mahjong and of koikoi"):
        rates([KEPT / "mahjong-finished.json", KEPT / "koikoi-finished.json"])
