"""Write Tenhou's mjlog XML 2.3: the tags of a deal as statements, and a match as text.

The replay writes what it has played in the same way, and compares it with what a record states.
"""

from collections.abc import Iterable, Iterator
from html import escape
from typing import Any
from urllib.parse import quote

from tefuda.errors import Problem
from tefuda.games.mahjong.options import HANCHAN
from tefuda.games.mahjong.records import mjlog, paifu
from tefuda.games.mahjong.records.holding import Holding, Meld, held_at_end, numbered, with_dora
from tefuda.games.mahjong.records.outcome import (
    limit_of,
    points_of,
    riichi_paid,
    shown_at_draw,
    with_riichi,
    yaku_of_win,
    yakuman_in,
)
from tefuda.games.mahjong.records.packed import pack
from tefuda.games.mahjong.records.paifu import Deal, Match, Statement, Win
from tefuda.games.mahjong.state import SEATS
from tefuda.games.mahjong.yaku import numbers_of

DORA, URA, RED = 52, 53, 54  # the yaku numbers of dora
TYPES = {end: name for name, end in mjlog.ENDS.items()}
DRAWS, DISCARDS = "TUVW", "DEFG"
NO_DICE = (0, 0)  # nobody has thrown them


def joined(values: Iterable[Any]) -> str:
    return ",".join(map(str, values))


def hundreds(points: Iterable[int]) -> Iterator[int]:
    return (each // 100 for each in points)


def in_pairs(first: Iterable[Any], second: Iterable[Any]) -> str:
    return joined(each for pair in zip(first, second, strict=True) for each in pair)


def statements(deal: Deal, holding: Holding, moves: bool = False) -> Iterator[Statement]:
    """The tags of a deal that has numbers, but for the end of the match; `holding` is who held what when it ended.
    Draws and discards are left out where they are not asked for: their tags say no more than the events."""
    numbers = deal.numbers
    assert numbers is not None
    yield Statement(0, "INIT", {
        "seed": joined((deal.kyoku, deal.honba, deal.sticks, *NO_DICE, numbers.indicators[0])),
        "ten": joined(hundreds(deal.points)), "oya": str(deal.kyoku % SEATS),
        **{f"hai{seat}": joined(numbers.hands[seat]) for seat in range(SEATS)},
    })  # fmt: skip
    paid, seats = riichi_paid(deal), []
    move, place = -1, 0
    for place, event, own in with_dora(deal):
        seat = event.seat
        move += event.type != paifu.DORA
        if event.type in (paifu.DRAW, paifu.DISCARD):
            if moves:
                yield Statement(place, f"{(DRAWS if event.type == paifu.DRAW else DISCARDS)[seat]}{own[0]}", {})
            if move in paid:
                seats.append(seat)
                ten = joined(hundreds(with_riichi(deal.points, seats)))
                yield Statement(place, "REACH", {"who": str(seat), "ten": ten, "step": "2"})
        elif event.type == paifu.RIICHI:
            yield Statement(place, "REACH", {"who": str(seat), "step": "1"})
        elif event.type == paifu.DORA:
            yield Statement(place, "DORA", {"hai": str(own[0])})
        else:
            meld = holding.added_to(seat, own[0]) if event.type == paifu.ADDED_KAN else Meld(event, own)
            yield Statement(place, "N", {"who": str(seat), "m": str(pack(meld))})
    yield from _end(deal, holding, place, seats)


def _end(deal: Deal, holding: Holding, place: int, riichi: list[int]) -> Iterator[Statement]:
    points, sticks = with_riichi(deal.points, riichi), deal.sticks + len(riichi)
    for win in deal.wins:
        tags = {"ba": joined((deal.honba, sticks)), **_win(deal, win, holding)}
        tags["sc"] = in_pairs(hundreds(points), hundreds(win.paid))
        yield Statement(place, "AGARI", tags)
        points, sticks = tuple(map(sum, zip(points, win.paid, strict=True))), 0
    if not deal.wins:
        assert deal.ended is not None
        ending = TYPES[deal.ended]
        tags = {"type": ending} if ending else {}
        tags |= {"ba": joined((deal.honba, sticks)), "sc": in_pairs(hundreds(points), hundreds(deal.paid))}
        tags |= {f"hai{seat}": joined(sorted(holding.hands[seat])) for seat in shown_at_draw(deal)}
        yield Statement(place, "RYUUKYOKU", tags)


def _win(deal: Deal, win: Win, holding: Holding) -> dict[str, str]:
    numbers = deal.numbers
    assert numbers is not None
    last = next(own[0] for event, own in zip(reversed(deal.events), reversed(numbers.events), strict=True)
                if event.type != paifu.DORA)  # fmt: skip
    tags = {"hai": joined(sorted(holding.hands[win.seat] | {last}))}
    if holding.melds[win.seat]:
        tags["m"] = joined(pack(meld) for meld in reversed(holding.melds[win.seat]))
    tags["machi"] = str(last)
    tags["ten"] = joined((win.fu, points_of(win, deal.kyoku % SEATS), limit_of(win)))
    if yakuman_in(win):
        tags["yakuman"] = joined(numbers_of(win.yaku))
    else:
        tags["yaku"] = joined(_yaku(win, is_open(holding.melds[win.seat])))
    tags["doraHai"] = joined(numbers.indicators)
    if win.riichi:
        tags["doraHaiUra"] = joined(numbers.ura)
    tags |= {"who": str(win.seat), "fromWho": str(win.source)}
    return tags | ({"paoWho": str(win.liable)} if win.liable >= 0 else {})


def is_open(melds: Iterable[Meld]) -> bool:
    return any(meld.event.type in paifu.CALLS for meld in melds)


def _yaku(win: Win, called: bool) -> Iterator[int]:
    """Numbers and han, dora last; in riichi the ura are told even where there are none."""
    worth, (dora, red, ura) = yaku_of_win(win, called)
    for number, han in (*worth, (DORA, dora), (RED, red)):
        if han:
            yield from (number, han)
    if win.riichi:
        yield from (URA, ura)


def write(match: Match) -> str:
    """A match as one line of mjlog."""
    rules = match.rules
    flags = mjlog.HANCHAN if rules.values["length"] == HANCHAN else 0
    flags |= (0 if rules.values["red"] else mjlog.NO_RED) | (0 if rules.values["open_tanyao"] else mjlog.NO_OPEN_TANYAO)
    if mjlog.rules_of(flags, bool(rules.values["rounded"])).values != rules.values:
        raise Problem(f"{match.name}: mjlog can tell Tenhou's rules only, but these are {rules}")
    names = "".join(f' n{seat}="{quote(name)}"' for seat, name in enumerate(match.players))
    tags = [f'<mjloggm ver="2.3"><GO type="{flags | 1}" lobby="0"/><UN{names}/><TAIKYOKU oya="0"/>']
    for deal in match.deals:
        deal.numbers = deal.numbers or numbered(deal, bool(rules.values["red"]))
        stated = list(statements(deal, held_at_end(deal, deal.numbers), moves=True))
        if deal is match.deals[-1] and match.points is not None and match.scores is not None:
            scores = (f"{score:.1f}" for score in match.scores)
            stated[-1].fields["owari"] = in_pairs(hundreds(match.points), scores)
        tags += map(tag_of, stated)
    return "".join(tags) + "</mjloggm>\n"


def tag_of(statement: Statement) -> str:
    fields = "".join(f' {key}="{escape(value)}"' for key, value in statement.fields.items())
    return f"<{statement.name}{fields}/>"


def same(tag: str, key: str, mine: str, theirs: str) -> bool:
    """Whether two values of an attribute say the same."""
    try:
        return canonical(tag, key, mine) == canonical(tag, key, theirs)
    except ValueError:  # theirs is not even of the right form
        return False


def canonical(tag: str, key: str, text: str) -> Any:
    """The value of an attribute without what says nothing: the order of tiles and yaku, the dice."""
    if (tag, key) == ("RYUUKYOKU", "type"):
        return text
    found = mjlog.numbers(text)
    if (tag, key) == ("INIT", "seed"):
        return [*found[:3], *found[5:]]
    if key == "yaku":
        return sorted(zip(found[::2], found[1::2], strict=True))
    if key == "yakuman" or (tag in ("INIT", "RYUUKYOKU") and key.startswith("hai")):
        return sorted(found)
    return found
