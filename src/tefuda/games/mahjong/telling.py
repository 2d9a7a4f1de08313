"""What a person at the table is told: what happened, how a deal ended, unseen tiles, the rules in force."""

from types import SimpleNamespace
from typing import Any

import numpy as np

from tefuda.contract import Name, Reader, Rules, fields_of
from tefuda.games.mahjong import options
from tefuda.games.mahjong.actions import RON, TSUMO, TSUMOGIRI
from tefuda.games.mahjong.hand import MELD_NAMES, is_open, meld_type
from tefuda.games.mahjong.hiding import count_unseen
from tefuda.games.mahjong.layout import faces_of_meld
from tefuda.games.mahjong.state import (
    CLAIM,
    EXHAUSTED,
    FOUR_KANS,
    FOUR_RIICHI,
    FOUR_WINDS,
    INDICATORS,
    NAGASHI,
    NINE_TERMINALS,
    ROB,
    SEATS,
    TRIPLE_RON,
    URA_INDICATORS,
    WON,
    faces_of,
)
from tefuda.games.mahjong.text import action_name, code, faces_text, kyoku_name
from tefuda.games.mahjong.tiles import KIND_NAMES, KINDS
from tefuda.games.mahjong.yaku import LIMIT, YAKU, YAKUMAN, numbers_of
from tefuda.kernel.bits import count

NEW_DORA, URA = Name("新ドラ表示", "new dora indicator"), Name("裏ドラ表示", "ura indicators")
PAID, POINTS = Name("授受", "paid"), Name("持ち点", "points")
DORA_NAMES = (Name("ドラ", "dora"), Name("赤ドラ", "red fives"), Name("裏ドラ", "ura dora"))
READY = Name("聴牌", "ready")
ENDS = {
    EXHAUSTED: Name("荒牌流局", "the wall is exhausted"), NAGASHI: Name("流し満貫", "nagashi mangan"),
    NINE_TERMINALS: Name("九種九牌", "nine terminals and honours"), FOUR_WINDS: Name("四風連打", "four equal winds"),
    FOUR_RIICHI: Name("四家立直", "four riichi"), FOUR_KANS: Name("四開槓", "four kans"),
    TRIPLE_RON: Name("三家和", "triple ron"),
}  # fmt: skip
LIMITS = (  # the least han of each, and its name
    (LIMIT, Name("数え役満", "counted yakuman")), (11, Name("三倍満", "sanbaiman")), (8, Name("倍満", "baiman")),
    (6, Name("跳満", "haneman")), (5, Name("満貫", "mangan")),
)  # fmt: skip


# --- what happened ---


def story(before: np.ndarray, after: np.ndarray, action: int, reader: Reader) -> list[str]:
    """What one decision did. An answer to a question is told to who gave it, and its outcome when all is decided."""
    state, now = fields_of(before), fields_of(after)
    seat, lines = state.seat, []
    if state.phase not in (CLAIM, ROB):
        lines.append(action_name(before, action, reader.lang))
    elif reader.seat in (None, seat):
        lines.append(action_name(before, action, reader.lang))
        lines += _call_of_another(state, now, seat, reader)
    else:
        lines += _call_of_another(state, now, None, reader)
    if now.finished == state.finished:
        for i in range(state.indicators, now.indicators):
            lines.append(f"{reader.label(NEW_DORA)} {code(now.wall[INDICATORS + i], reader.lang)}")
    return lines


def _call_of_another(state: SimpleNamespace, now: SimpleNamespace, told: int | None, reader: Reader) -> list[str]:
    """The call that an answer has decided, with who made it, unless that was told already."""
    if now.finished != state.finished:
        return []
    for seat in range(SEATS):
        slot = now.meld_count[seat] - 1
        if slot < state.meld_count[seat] or seat == told:
            continue
        meld = now.melds[seat][slot]
        tiles = faces_text(faces_of_meld(meld, now.called[seat][slot]), reader.lang)
        return [f"{reader.names[seat]}: {reader.label(MELD_NAMES[int(meld_type(meld))])} {tiles}"]
    return []


# --- how a deal ended ---


def result(before: np.ndarray, after: np.ndarray, action: int, reader: Reader) -> list[str]:
    """How a deal ended: hands, yaku, han, fu, and what everybody paid; nothing when it goes on."""
    if after["finished"][0] == before["finished"][0]:
        return []
    state, now, lines = before[0], after[0], []
    if now.ended == WON:
        for number in range(sum(1 for seat in now.winners if seat >= 0)):
            lines += _win(before, after, number, action, reader)
    else:
        ready = [seat for seat in range(SEATS) if now.ready[seat]]
        lines.append(reader.label(ENDS[int(now.ended)]))
        for seat in ready:
            hand = faces_text(_hand_at_end(state, action, seat), reader.lang)
            lines.append(f"{reader.names[seat]}: {reader.label(READY)} {hand}{_melds(state, seat, reader.lang)}")
        if not ready and now.ended == EXHAUSTED:
            lines.append(reader.say("全員不聴", "nobody is ready"))
    head = kyoku_name(state, reader.lang)
    if any(now.paid):
        lines.append(_row(PAID, [f"{int(paid):+,}" for paid in now.paid], reader))
    return [f"{head}: {lines[0]}", *lines[1:], _row(POINTS, [f"{int(points):,}" for points in now.points], reader)]


def _row(head: Name, figures: list[str], reader: Reader) -> str:
    """A head and a figure of every seat."""
    pieces = [f"{name}: {figure}" for name, figure in zip(reader.names, figures, strict=True)]
    return "  ".join([reader.label(head), *pieces])


def _hand_at_end(state: Any, action: int, seat: int) -> list[int]:
    """The tiles of a seat when the last decision ended the deal."""
    faces = faces_of(state, seat)
    if state.phase in (CLAIM, ROB) or seat != state.seat:
        return faces
    if state.drawn >= 0:
        faces.append(int(state.drawn))
    if action <= TSUMOGIRI:
        faces.remove(int(state.drawn) if action == TSUMOGIRI else action)
    return faces


def _melds(state: Any, seat: int, lang: str) -> str:
    texts = [
        faces_text(faces_of_meld(int(state.melds[seat, i]), int(state.called[seat, i])), lang)
        for i in range(int(state.meld_count[seat]))
    ]
    return "".join(f" [{text}]" for text in texts)


def _win(before: np.ndarray, after: np.ndarray, number: int, action: int, reader: Reader) -> list[str]:
    """One win: who from whom, with which hand, its yaku, and what it is worth."""
    state, now = before[0], after[0]
    seat, giver = int(now.winners[number]), int(now.win_from)
    own = seat == giver
    tile = int(state.drawn) if own else int(state.tile)
    way = action_name(before, TSUMO if own else RON, reader.lang)
    way = reader.label(Name("ツモ", "tsumo")) if own else way
    head = f"{reader.names[seat]} {way}" + ("" if own else f" ← {reader.names[giver]}")
    hand = f"{faces_text(faces_of(state, seat), reader.lang)} + {code(tile, reader.lang)}"
    hand += _melds(state, seat, reader.lang)
    yaku = numbers_of(now.win_yaku[number])
    opened = any(is_open(int(meld)) for meld in state.melds[seat])
    pieces = [f"{reader.label(YAKU[each].name)} {_han_of(each, opened)}".rstrip() for each in yaku]
    lines = [head, hand]
    if state.riichi[seat]:
        ura = " ".join(code(int(state.wall[URA_INDICATORS + i]), reader.lang) for i in range(int(state.indicators)))
        lines.append(f"{reader.label(URA)} {ura}")
    yakuman = int(count(now.win_yaku[number] & YAKUMAN))
    if not yakuman:
        dora = zip(DORA_NAMES, now.win_dora[number], strict=True)
        pieces += [f"{reader.label(name)} {int(worth)}" for name, worth in dora if worth]
    return [*lines, ", ".join(pieces), _worth(now, number, yakuman, reader)]


def _han_of(yaku: int, opened: bool) -> str:
    worth = YAKU[yaku].open if opened else YAKU[yaku].closed
    return "" if worth == LIMIT else str(worth)


def _worth(now: Any, number: int, yakuman: int, reader: Reader) -> str:
    """4 han 30 fu, or the name of a limit."""
    han, fu = int(now.win_han[number]), int(now.win_fu[number])
    if yakuman:
        times = f" × {yakuman}" if yakuman > 1 else ""
        return reader.label(Name("役満", "yakuman")) + times
    least = reader.say(f"{han}翻{fu}符", f"{han} han {fu} fu")
    limit = next((name for needed, name in LIMITS if han >= needed), None)
    if limit is None and fu << (han + 2) > 2000:
        limit = LIMITS[-1][1]
    return f"{least}  {reader.label(limit)}" if limit else least


# --- the rest ---


def unseen(states: np.ndarray, reader: Reader) -> list[tuple[str, list[str]]]:
    """The tiles that a seat cannot see, by suit."""
    counts = np.zeros(KINDS)
    count_unseen(states[0], reader.seat or 0, counts)
    suits = (Name("萬子", "characters"), Name("筒子", "circles"), Name("索子", "bamboos"), Name("字牌", "honours"))
    groups = []
    for number, suit in enumerate(suits):
        kinds = range(9 * number, min(9 * number + 9, KINDS))
        names = [
            f"{KIND_NAMES[kind].ja if reader.lang == 'ja' else code(kind, 'en')}×{int(counts[kind])}"
            for kind in kinds
            if counts[kind]
        ]
        if names:
            groups.append((reader.label(suit), names))
    return groups


UMA_TEXT = {options.UMA_5_10: "5-10", options.UMA_10_20: "10-20", options.UMA_10_30: "10-30"}


def explain(chosen: Rules, reader: Reader) -> list[str]:
    """The rules in force, in a player's words."""
    is_set = chosen.values
    length, ron = is_set["length"], is_set["ron"]
    match = length != options.ONE_ROUND
    start, goal, uma = 100 * is_set["start"], 100 * is_set["goal"], UMA_TEXT.get(is_set["uma"], "")
    lines = []
    for so, ja, en in (
        (True, "四面子一雀頭（または七対子、国士無双）で、役があれば和了",
         "four sets and a pair, seven pairs or thirteen orphans win, if the hand has a yaku"),
        (length == options.HANCHAN, "東南戦", "the east and the south rounds"),
        (length == options.TONPUU, "東風戦", "the east round"),
        (not match, "一局だけ", "one deal"),
        (match, f"{start:,}点持ち {goal:,}点返し" + (f"、ウマ {uma}" if uma else ""),
         f"{start:,} points to begin with, counted from {goal:,}" + (f", uma {uma}" if uma else "")),
        (is_set["red"], "赤五が各色一枚", "one five of each suit is red, a dora"),
        (True, "喰いタンあり" if is_set["open_tanyao"] else "喰いタンなし",
         "all simples counts with called tiles" if is_set["open_tanyao"] else "all simples only in a closed hand"),
        (True, "リーチは門前の聴牌で、1,000点と山四枚が要る",
         "riichi: a closed ready hand, 1,000 points, four tiles left in the wall"),
        (True, "フリテン：自分の河にある待ち、同巡とリーチ後の見逃しではロンできない",
         "furiten: no ron when a wait lies in the own river, or was let pass since the last discard, or in riichi"),
        (not is_set["swap_calls"], "喰い替え禁止", "kuikae: no discard of the called tile, nor of the run's other end"),
        (ron == options.HEAD, "頭ハネ", "one discard, one winner: the nearest"),
        (ron == options.DOUBLE, "ダブロンあり、三家和は流局", "two may win on one discard, three abort the deal"),
        (ron == options.TRIPLE, "トリロンあり", "all who can win on one discard"),
        (is_set["aborts"], "途中流局あり（九種九牌、四風連打、四家立直、四開槓）",
         "aborts: nine terminals and honours, four winds, four riichi, four kans"),
        (is_set["nagashi"], "流し満貫あり", "nagashi mangan"),
        (is_set["rob_closed"], "国士無双は暗槓をロンできる", "thirteen orphans rob a closed kan"),
        (match and is_set["bankruptcy"], "トビ終了", "the match ends when somebody has less than nothing"),
        (match and is_set["stop"], "和了やめ・聴牌やめあり", "the last dealer who leads with the goal ends the match"),
        (match and is_set["extra"], f"{goal:,}点に届かなければ延長", f"an extra round while nobody has {goal:,}"),
    ):  # fmt: skip
        if so:
            lines.append(reader.say(ja, en))
    return lines
