"""A review as a page reads it: all that is known, and the table at each decision. Nothing here needs a server."""

from typing import Any

from tefuda.contract import Reader
from tefuda.contract.scene import data_of
from tefuda.players.entrant import Entrant
from tefuda.table.evaluation import unit_of
from tefuda.table.opinion import opinion_of
from tefuda.table.review import Review
from tefuda.table.scene import scene_of
from tefuda.table.table import View
from tefuda.web.telling import lines_in_both, reader_of


def told(value: Any) -> Any:
    """The data of a review as a page reads it: an interval is [mean, low, high]."""
    if isinstance(value, dict):
        if value.keys() == {"mean", "low", "high"}:
            return [value["mean"], value["low"], value["high"]]
        return {key: told(each) for key, each in value.items()}
    return [told(each) for each in value] if isinstance(value, list | tuple) else value


def review_data(review: Review) -> dict[str, Any]:
    """All that is known so far; the seats are called as people call them."""
    played = review.played
    more = {
        "players": data_of(reader_of(played.players, None, review.seat).called),
        "title": data_of(played.game.title), "steps": len(played.steps),
    }  # fmt: skip
    return {**told(review.data()), **more}


def scene_data(review: Review, data: dict[str, Any], turn: int) -> dict[str, Any]:
    """The table before a decision as the seat of a review saw it, with the values of its moves; behind the last
    decision of a finished game all hands are open. `data` is what `review_data` gave."""
    played = review.played
    over = turn == len(played.steps) and played.scores is not None
    reader = reader_of(played.players, None if over else review.seat, review.seat)
    before = [each for each in review.turns if each < turn]
    steps = played.steps[before[-1] if before else 0 : turn]
    own = turn < len(played.steps) and played.steps[turn].seat == review.seat
    decision = next((each for each in data["decisions"] if each["turn"] == turn), None)
    return {
        "turn": turn, "scene": scene_of(played.game, played.before(turn), reader, steps, turn).data(),
        "action": played.steps[turn].action if own else None, "values": decision["moves"] if decision else [],
        "decision": decision, "unit": data_of(unit_of(played.game)),
        "why": [*opinion_lines(played.views[turn], review.judge, reader), *advice_of(played.views[turn], reader)]
        if own
        else [],
    }  # fmt: skip


def opinion_lines(view: View, player: Entrant, reader: Reader) -> list[dict[str, str]]:
    """What a player would do, where it tells its chances."""
    opinion = opinion_of(view, player)
    return lines_in_both(lambda each: [opinion.line(each)], reader) if opinion else []


def advice_of(view: View, reader: Reader) -> list[dict[str, str]]:
    """What the game itself says beside the values of moves."""
    words = view.game.words.advice
    return lines_in_both(lambda each: words(view.state, each), reader) if words else []
