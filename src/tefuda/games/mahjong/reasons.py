"""Why something cannot be done now: furiten in its forms, no yaku, kuikae, riichi, kans and calls.

All of it is found from what the seat itself can see; `why_not` answers for one action, `notes` are for the screen.
"""

from typing import Any

import numpy as np

from tefuda.contract import Name, Reader
from tefuda.games.mahjong.actions import (
    CHI,
    KAN,
    NINE,
    OPEN_KAN,
    PON,
    RIICHI,
    RON,
    TSUMO,
    TSUMOGIRI,
    kind_of_face,
)
from tefuda.games.mahjong.calls import MOST_KANS, can_chi, can_open_kan, can_pon, four_kans, other_two, pon_of, run_fits
from tefuda.games.mahjong.hiding import count_unseen_kind
from tefuda.games.mahjong.legal import ORPHANS_FOR_ABORT, STICK, TILES_FOR_RIICHI, may_abort, ready_discards
from tefuda.games.mahjong.state import CLAIM, DECLARED, OVER, ROB, SEATS, is_closed, left_in_wall
from tefuda.games.mahjong.text import code
from tefuda.games.mahjong.tiles import HONOURS, kinds_of, mask_of
from tefuda.games.mahjong.win import NO_DORA, can_tsumo, value

ANY_CHI = -1  # no action: all of chi together


def tiles_text(kinds: Any, reader: Reader) -> str:
    """Some kinds one by one: 3m 6m."""
    return " ".join(code(kind, reader.lang) for kind in kinds_of(kinds))


def counted_text(state: Any, seat: int, kinds: Any, reader: Reader) -> str:
    """The same, each with how many of it the seat cannot see: 3m×2 6m×4."""
    counts = {kind: int(count_unseen_kind(state, seat, kind)) for kind in kinds_of(kinds)}
    return " ".join(f"{code(kind, reader.lang)}×{number}" for kind, number in counts.items())


def shanten_text(distance: int, reader: Reader) -> str:
    """How far a hand is."""
    if distance < 0:
        return reader.label(Name("和了形", "complete"))
    return reader.label(Name(f"{distance}向聴", f"{distance} from ready") if distance else Name("聴牌", "ready"))


def furiten(state: Any, seat: int, reader: Reader) -> str:
    """In which form a seat is furiten; "" when it is not."""
    own, passed = state.waits[seat] & state.thrown[seat], state.waits[seat] & state.missed[seat]
    if own:
        tiles = tiles_text(own, reader)
        return reader.say(f"フリテン：待ちの {tiles} を自分で捨てている", f"furiten: your own river has {tiles}")
    if passed and state.riichi[seat]:
        tiles = tiles_text(passed, reader)
        return reader.say(
            f"フリテン：リーチ後に {tiles} を見逃した",
            f"furiten for the rest of the deal: in riichi you let {tiles} pass",
        )
    if passed:
        tiles = tiles_text(passed, reader)
        return reader.say(
            f"同巡フリテン：{tiles} を見逃した", f"furiten until your next discard: you have let {tiles} pass"
        )
    return ""


def without_yaku(states: np.ndarray, seat: int) -> np.uint64:
    """The waits of a seat on which it could not win by ron now, since the hand would have no yaku."""
    asked = states.copy()
    asked[0].phase = CLAIM
    waits = kinds_of(asked[0].waits[seat])
    return mask_of(*(kind for kind in waits if value(asked[0], np.int64(seat), np.int64(kind), NO_DORA)[1] == 0))


def notes(states: np.ndarray, seat: int, reader: Reader) -> list[str]:
    """What a seat should know of its hand: what it waits for and what stands in its way."""
    state, lines = states[0], []
    turn = state.phase not in (CLAIM, ROB, OVER) and state.seat == seat
    if state.waits[seat] and state.phase != OVER:
        waits = counted_text(state, seat, state.waits[seat], reader)
        lines.append(reader.say(f"聴牌：{waits} 待ち", f"ready, waiting for {waits}"))
        lines += filter(None, [furiten(state, seat, reader)])
        lacking = without_yaku(states, seat)
        if lacking:
            tiles = tiles_text(lacking, reader)
            lines.append(reader.say(f"役なし：{tiles} ではロンできない", f"no yaku: no ron on {tiles}"))
        if turn and is_complete_without_yaku(state, seat):
            lines.append(reader.say("役なし：和了形だがツモれない", "no yaku: complete, but no tsumo"))
    if turn and any(state.hand[seat, kind] for kind in kinds_of(state.forbidden)):
        lines.append(_swap(state, reader))
    if turn and is_closed(state, seat) and not state.riichi[seat] and ready_discards(state, np.int64(seat)):
        lines += filter(None, [_riichi_condition(state, seat, reader)])
    return lines


def is_complete_without_yaku(state: Any, seat: int) -> bool:
    """Whether the tile just drawn completes the hand, which has no yaku."""
    if state.drawn < 0 or not int(state.waits[seat]) >> int(kind_of_face(int(state.drawn))) & 1:
        return False
    return not can_tsumo(state, np.int64(seat))


def why_not(states: np.ndarray, action: int, reader: Reader) -> str:
    """Why an action, or ANY_CHI, is not legal at this table for the seat to move; "" when there is nothing to say."""
    state, seat = states[0], int(states[0].seat)
    if state.phase == OVER:
        return reader.say("対局は終わった", "the game is over")
    if state.phase in (CLAIM, ROB):
        return _no_claim(state, seat, action, reader)
    if action == RIICHI:
        return _no_riichi(state, seat, reader)
    if state.phase == DECLARED:
        tiles = tiles_text(ready_discards(state, np.int64(seat)), reader)
        return reader.say(
            f"リーチの打牌：聴牌を保つのは {tiles}", f"riichi is declared: the hand stays ready after {tiles}"
        )
    if action < RIICHI:
        return _no_discard(state, seat, action, reader)
    if action == TSUMO:
        return _no_tsumo(state, seat, reader)
    if KAN <= action < TSUMO:
        return _no_kan(state, seat, int(action - KAN), reader)
    if action == NINE:
        return _no_abort(state, seat, reader)
    if action == RON:
        return reader.say("自分の番：ロンは他家の牌で", "it is your turn: ron is for the tile of another")
    return reader.say("自分の番：鳴ける牌はない", "it is your turn: there is no discard to claim")


# --- the own turn ---


def _swap(state: Any, reader: Reader) -> str:
    tiles = tiles_text(state.forbidden, reader)
    return reader.say(f"喰い替え：{tiles} は捨てられない", f"kuikae: after this call {tiles} cannot be discarded")


def _no_discard(state: Any, seat: int, action: int, reader: Reader) -> str:
    if action == TSUMOGIRI:
        return reader.say("鳴いた後は手牌から捨てる", "nothing was drawn after a call: discard from the hand")
    if state.riichi[seat]:
        return reader.say("リーチ後はツモ牌しか捨てられない", "in riichi only the tile just drawn can be discarded")
    if int(state.forbidden) >> int(kind_of_face(action)) & 1:
        return _swap(state, reader)
    return reader.say(
        f"手牌に {code(action, reader.lang)} はない", f"there is no {code(action, reader.lang)} in your hand"
    )


def _riichi_condition(state: Any, seat: int, reader: Reader) -> str:
    """Why a ready hand may not declare riichi."""
    if state.riichi[seat]:
        return reader.say("すでにリーチしている", "you are in riichi already")
    if not is_closed(state, seat):
        return reader.say("鳴いた手はリーチできない", "no riichi: the hand is open")
    if state.points[seat] < STICK:
        return reader.say(f"リーチには{STICK}点要る", f"no riichi: it takes {STICK:,} points")
    if left_in_wall(state) < TILES_FOR_RIICHI:
        return reader.say("山が四枚未満：リーチできない", "no riichi: fewer than four tiles are left in the wall")
    return ""


def _no_riichi(state: Any, seat: int, reader: Reader) -> str:
    if state.phase == DECLARED:
        return reader.say("宣言済み：打牌を選ぶ", "riichi is declared: choose the discard")
    return _riichi_condition(state, seat, reader) or reader.say(
        "どれを切っても聴牌しない", "no riichi: no discard leaves the hand ready"
    )


def _no_tsumo(state: Any, seat: int, reader: Reader) -> str:
    if state.drawn < 0:
        return reader.say("ツモっていない", "nothing was drawn")
    if is_complete_without_yaku(state, seat):
        return reader.say("役なし：和了形だがツモれない", "no yaku: complete, but no tsumo")
    return reader.say("和了形ではない", "no tsumo: the hand is not complete")


def _no_kan(state: Any, seat: int, kind: int, reader: Reader) -> str:
    name = code(kind, reader.lang)
    if state.drawn < 0:
        return reader.say("鳴いた直後は槓できない", "no kan right after a call")
    held = int(state.hand[seat, kind]) + (int(kind_of_face(int(state.drawn))) == kind)
    if held < 4 and (held == 0 or pon_of(state, np.int64(seat), np.int64(kind)) < 0):
        return reader.say(f"{name} は四枚ない", f"no kan: you have not four of {name}")
    return _wall_forbids_kan(state, reader) or reader.say(
        "リーチ後の槓は、ツモ牌で、待ちの変わらないものだけ",
        "in riichi a kan must be of the tile just drawn, and leave the waits as they are",
    )


def _wall_forbids_kan(state: Any, reader: Reader) -> str:
    if left_in_wall(state) == 0:
        return reader.say("山がない：槓できない", "no kan: the wall is empty")
    if state.kans >= MOST_KANS:
        return reader.say("槓は四つまで", "no kan: there are four already")
    return ""


def _no_abort(state: Any, seat: int, reader: Reader) -> str:
    if not state.rules.aborts:
        return reader.say("途中流局のない規則", "these rules have no aborts")
    if not state.untouched or state.discards[seat]:
        return reader.say("九種九牌は、鳴きのない第一巡だけ", "only in the first turn, before any call")
    assert not may_abort(state, np.int64(seat))
    number = ORPHANS_FOR_ABORT
    return reader.say(f"么九牌が{number}種ない", f"there are not {number} different terminals and honours")


# --- a discard or a kan of another ---


def _no_claim(state: Any, seat: int, action: int, reader: Reader) -> str:
    tile = code(int(state.tile), reader.lang)
    if action == RON:
        return _no_ron(state, seat, reader)
    if action == TSUMO:
        return reader.say("他家の牌：ツモではなくロン", "the tile is another's: that would be ron")
    if not (CHI <= action <= OPEN_KAN or KAN <= action < TSUMO or action == ANY_CHI):
        return reader.say(f"まず {tile} に答える", f"first answer to {tile}: claim it, or pass")
    if state.phase == ROB:
        return reader.say("槓の牌はロンだけ", "the tile of a kan can only be won on")
    if state.riichi[seat]:
        return reader.say("リーチ後は鳴けない", "no calls in riichi")
    if left_in_wall(state) == 0:
        return reader.say("河底牌は鳴けない", "the last discard can only be won on")
    if four_kans(state):
        return reader.say("四槓：ロンだけ", "after the fourth kan a discard can only be won on")
    if action < PON or action == ANY_CHI:
        return _no_chi(state, seat, int(action), reader)
    if not can_pon(state, seat):
        return reader.say(f"{tile} を二枚持っていない", f"you have not two of {tile}")
    if action < OPEN_KAN:
        return reader.say("その牌の組では鳴けない", "you have not these two tiles")
    if not can_open_kan(state, seat) and state.kans < MOST_KANS:
        return reader.say(f"{tile} を三枚持っていない", f"no kan: you have not three of {tile}")
    return _wall_forbids_kan(state, reader)


def _no_chi(state: Any, seat: int, action: int, reader: Reader) -> str:
    if seat != (int(state.discarder) + 1) % SEATS:
        return reader.say("チーは上家の牌だけ", "chi is for the discards of the seat before you alone")
    kind = int(kind_of_face(int(state.tile)))
    if kind >= HONOURS:
        return reader.say("字牌はチーできない", "no chi: winds and dragons make no runs")
    places = range(3) if action == ANY_CHI else [(action - int(CHI)) // 2]
    pairs = [[int(each) for each in other_two(kind, place)] for place in places if run_fits(kind, place)]
    if not pairs:
        return reader.say("順子にならない", "no run has this tile at that place")
    if any(all(state.hand[seat, each] for each in pair) for pair in pairs) and not any(
        can_chi(state, np.int64(seat), np.int64(place)) for place in places
    ):
        return reader.say("喰い替えになる：捨てる牌がない", "kuikae: nothing that may be discarded would be left")
    tiles = [" ".join(code(each, reader.lang) for each in pair) for pair in pairs]
    tile = code(int(state.tile), reader.lang)
    return reader.say(
        f"{tile} のチーには {'、'.join(tiles)} が要る", f"no chi: with {tile} it takes {' or '.join(tiles)}"
    )


def _no_ron(state: Any, seat: int, reader: Reader) -> str:
    tile, kind = code(int(state.tile), reader.lang), int(kind_of_face(int(state.tile)))
    waits = state.waits[seat]
    if not waits:
        return reader.say("聴牌していない", "no ron: the hand is not ready")
    if not int(waits) >> kind & 1:
        return reader.say(f"{tile} は待ちではない", f"no ron: you wait for {tiles_text(waits, reader)}")
    return furiten(state, seat, reader) or reader.say("役なし：ロンできない", "no ron: the hand would have no yaku")
