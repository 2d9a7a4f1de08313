"""How a deal ended, as the engine has it: who won with what, and what each win brings to whom."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from tefuda.games.mahjong.legal import STICK
from tefuda.games.mahjong.payment import HONBA
from tefuda.games.mahjong.records import paifu
from tefuda.games.mahjong.records.paifu import Deal, Win
from tefuda.games.mahjong.score import YAKUMAN_POINTS, base_points, ron_points, tsumo_points
from tefuda.games.mahjong.state import EXHAUSTED, FOUR_RIICHI, NAGASHI, NINE_TERMINALS, SEATS, TRIPLE_RON, WON
from tefuda.games.mahjong.yaku import DAISANGEN, DAISUUSHII, YAKU, YAKUMAN, numbers_of

LIABLE_FOR = ((1 << int(DAISANGEN), 0), (1 << int(DAISUUSHII), 1))  # a yakuman, and the place of who is liable for it


def note_end(deal: Deal, before: Any, after: Any, tile: int) -> None:
    """Note in a deal how it ended: `before` and `after` are the states around its last decision, `tile` the last one
    that was drawn, discarded or added."""
    deal.ended = int(after.ended)
    deal.paid = tuple(after.paid.tolist())
    deal.ready = tuple(after.ready.tolist()) if deal.ended in (EXHAUSTED, NAGASHI) else ()
    deal.wins = []
    if deal.ended != WON:
        return
    winners = [seat for seat in after.winners.tolist() if seat >= 0]
    for number, seat in enumerate(winners):
        win = _win(number, seat, before, after, tile)
        paid = deal.paid if len(winners) == 1 else _share(win, deal, number, int(before.sticks))
        deal.wins.append(replace(win, paid=paid))


def _win(number: int, seat: int, before: Any, after: Any, tile: int) -> Win:
    yaku = int(after.win_yaku[number])
    liable = next((int(before.liable[seat, place]) for bit, place in LIABLE_FOR if yaku & bit), -1)
    return Win(
        seat, int(after.win_from), tile, (), yaku, int(after.win_han[number]), int(after.win_fu[number]),
        tuple(after.win_dora[number].tolist()), bool(before.riichi[seat]), liable,
    )  # fmt: skip


def _share(win: Win, deal: Deal, number: int, sticks: int) -> tuple[int, ...]:
    """What one of several wins on a discard brings: the first takes honba and sticks."""
    points = points_of(win, deal.kyoku % SEATS)
    honba = HONBA * deal.honba if number == 0 else 0
    paid = [0] * SEATS
    paid[win.seat] = points + honba + (STICK * sticks if number == 0 else 0)
    if win.liable in (-1, win.source):
        paid[win.source] = -points - honba
    else:
        paid[win.liable] = -points // 2 - honba
        paid[win.source] = -points // 2
    return tuple(paid)


def yakuman_in(win: Win) -> int:
    """How many yakuman a win has."""
    return (win.yaku & int(YAKUMAN)).bit_count()


def base_of(win: Win) -> int:
    """Points before the shares of who pays."""
    return YAKUMAN_POINTS * yakuman_in(win) or int(base_points(win.han, win.fu, False))


def shares_of(win: Win, dealer: int) -> tuple[int, int]:
    """What each of the others, and what the dealer pays for a win by tsumo."""
    base = base_of(win)
    double = int(tsumo_points(base, True))
    return (double if win.seat == dealer else int(tsumo_points(base, False))), double


def points_of(win: Win, dealer: int) -> int:
    """What a win is worth without honba and sticks."""
    if win.seat != win.source:
        return int(ron_points(base_of(win), win.seat == dealer))
    others, of_dealer = shares_of(win, dealer)
    return 3 * others if win.seat == dealer else 2 * others + of_dealer


LIMITS = ((2000, 1), (3000, 2), (4000, 3), (6000, 4), (8000, 5))  # base points from which on a limit holds


def limit_of(win: Win) -> int:
    """Which limit a win has reached: 0 none, 1 mangan, 2 haneman, 3 baiman, 4 sanbaiman, 5 yakuman."""
    base = base_of(win)
    return max((limit for least, limit in LIMITS if base >= least), default=0)


def riichi_paid(deal: Deal) -> list[int]:
    """The discards with which riichi was paid, by their number (from 0) among the events that are not dora: all that
    declared it, but one that was won on."""
    moves = [event for event in deal.events if event.type != paifu.DORA]
    won = len(moves) - 1 if deal.ended in (WON, TRIPLE_RON) else -1
    declared = (number + 1 for number, event in enumerate(moves) if event.type == paifu.RIICHI)
    return [number for number in declared if number != won]


def with_riichi(points: tuple[int, ...], seats: Iterable[int]) -> tuple[int, ...]:
    """Points after some seats have paid for riichi."""
    left = list(points)
    for seat in seats:
        left[seat] -= STICK
    return tuple(left)


def shown_at_draw(deal: Deal) -> list[int]:
    """Who shows its hand when nobody has won."""
    if deal.ended in (EXHAUSTED, NAGASHI):
        return [seat for seat in range(SEATS) if deal.ready[seat]]
    last = next(event.seat for event in reversed(deal.events) if event.type != paifu.DORA)
    if deal.ended == NINE_TERMINALS:
        return [last]
    if deal.ended == TRIPLE_RON:
        return [seat for seat in range(SEATS) if seat != last]
    return list(range(SEATS)) if deal.ended == FOUR_RIICHI else []


def yaku_of_win(win: Win, called: bool) -> tuple[list[tuple[int, int]], tuple[int, ...]]:
    """The yaku with their han, and the dora; with a yakuman nothing else counts."""
    worth = [(number, YAKU[number].open if called else YAKU[number].closed) for number in numbers_of(win.yaku)]
    return worth, (0, 0, 0) if yakuman_in(win) else win.dora
