"""The games that a browser's keys open, and their records."""

import dataclasses
from typing import Any

from tefuda.table.record import FORMAT, PERSON
from tefuda.web import refusals
from tefuda.web.house import House
from tefuda.web.messages import name_data
from tefuda.web.refusals import Refusal


def mine_data(house: House, keys: list[str]) -> list[dict[str, Any]]:
    """A row for each key that opens something, the last played first."""
    rows = []
    for key in dict.fromkeys(keys):
        found = house.store.table_of(key)
        kept = house.store.table(found[0]) if found else None
        if found is None or kept is None or kept.game not in house.games:
            continue
        over = kept.result is not None
        rows.append(
            {
                "table": kept.id, "key": key, "seat": found[1], "game": kept.game,
                "title": name_data(house.games[kept.game].title), "preset": kept.preset, "players": kept.players,
                "people": kept.players.count(PERSON), "practice": kept.practice, "over": over, "when": kept.changed,
                "deal": kept.deal if over or not kept.secret else None, "result": kept.result,
            }
        )  # fmt: skip
    return sorted(rows, key=lambda row: -row["when"])


def record_data(house: House, table: str, key: str) -> dict[str, Any]:
    """The record of a table as the file of a game record has it."""
    opens, _ = house.store.seat_of(table, key)
    kept = house.store.table(table) if opens else None
    if kept is None or kept.game not in house.games:
        raise Refusal(404, refusals.NO_TABLE)
    if kept.secret and kept.result is None:
        raise Refusal(403, refusals.SECRET)
    made = house.record(kept)
    told = dataclasses.asdict(made)
    actions = [[*move, name] for move, name in zip(made.actions, told.pop("names"), strict=True)]
    preset, options = told.pop("preset"), told.pop("options")
    return {"format": FORMAT, **told, "rules": {"preset": preset, **options}, "actions": actions}
