"""The tables of actions and observations, and the kernel that fills an observation."""

import numpy as np

from tefuda.contract import Name, Part, Shown, Space, rules_part
from tefuda.games.mahjong import places, prospects, threats
from tefuda.games.mahjong.actions import FACES, kind_of_face, red_of_kind
from tefuda.games.mahjong.end import rank_of
from tefuda.games.mahjong.hand import CHI, CLOSED_KAN, PON, meld_copies, meld_kind, meld_type
from tefuda.games.mahjong.hiding import count_unseen, has_drawn
from tefuda.games.mahjong.options import OPTIONS
from tefuda.games.mahjong.places import write_places
from tefuda.games.mahjong.prospects import write_prospects
from tefuda.games.mahjong.state import (
    CLAIM,
    INDICATORS,
    OVER,
    ROB,
    SEATS,
    TSUMOGIRI_MARK,
    is_closed,
    is_furiten,
    left_in_wall,
    wind_of,
)
from tefuda.games.mahjong.threats import write_threats
from tefuda.games.mahjong.tiles import KIND_NAMES, KINDS, dora_of
from tefuda.kernel.bits import has
from tefuda.kernel.compile import kernel

FACE_NAMES = KIND_NAMES + tuple(Name(f"赤{KIND_NAMES[kind].ja}", f"red {KIND_NAMES[kind].en}") for kind in (4, 13, 22))
RELATIVE = (Name("自分", "self"), Name("下家", "next"), Name("対面", "across"), Name("上家", "before"))
_PLACES = (Name("下", "low"), Name("中", "middle"), Name("上", "high"))
_CHI_NAMES = tuple(
    Name(f"チー({place.ja}{'・赤' if red else ''})", f"chi ({place.en}{', red' if red else ''})")
    for place in _PLACES
    for red in (0, 1)
)

ACTIONS = Space(
    (
        Part(
            "discard", FACES, "discard this tile from the hand, not the one just drawn",
            tuple(Name(f"打{name.ja}", f"discard {name.en}") for name in FACE_NAMES),
        ),
        Part("tsumogiri", 1, "discard the tile just drawn", (Name("ツモ切り", "discard the draw"),)),
        Part("riichi", 1, "declare riichi; the discard is the next decision", (Name("リーチ", "riichi"),)),
        Part(
            "chi", 6, "claim a discard as the lowest, middle or highest tile of a run, without and with a red five of "
            "the own hand", _CHI_NAMES,
        ),
        Part(
            "pon", 2, "claim a discard for a triplet, without and with a red five of the own hand",
            (Name("ポン", "pon"), Name("ポン(赤)", "pon (red)")),
        ),
        Part("open_kan", 1, "claim a discard for a kan", (Name("大明槓", "open kan"),)),
        Part(
            "kan", KINDS, "a closed kan of this kind, or its fourth tile added to a pon",
            tuple(Name(f"槓{name.ja}", f"kan {name.en}") for name in KIND_NAMES),
        ),
        Part("tsumo", 1, "win with the tile just drawn", (Name("ツモ", "tsumo"),)),
        Part("ron", 1, "win with the tile of another", (Name("ロン", "ron"),)),
        Part("nine", 1, "abort the deal with nine terminals and honours", (Name("九種九牌", "nine terminals"),)),
        Part("pass", 1, "claim nothing", (Name("パス", "pass"),)),
    )
)  # fmt: skip

FADING = np.float32(0.8)  # a discard counts so much less for each that its seat has made since
SHANTEN = 7  # 0 to 6

OBSERVATION = Space(
    (
        Part("hand", 4 * KINDS, "kinds of which the own hand, with the tile just drawn, has at least 1, 2, 3, 4"),
        Part("red", 3, "red fives in the own hand"),
        Part("drawn", KINDS, "the tile that oneself has just drawn", KIND_NAMES),
        Part("melds", 4 * KINDS, "tiles in melds, in fours: own, next seat, across, before"),
        Part("meld_types", 4 * 3, "for each seat: number of chi, of pon and open kans, of closed kans, in fours"),
        Part("open_reds", 4, "red fives in the melds of each seat"),
        Part("river", 4 * KINDS, "discards of each seat, in fours; called ones too"),
        Part("from_hand", 4 * KINDS, "kinds that each seat has discarded from its hand, not just drawn"),
        Part("recent", 4 * KINDS, "how recent each seat's discards are: 1 for the last, a fifth less for each before"),
        Part("riichi_tile", 4 * KINDS, "the discard with which each seat has declared riichi"),
        Part("safe", 3 * KINDS, "kinds on which each other seat cannot win by ron now: discarded, or let pass"),
        Part("dora", KINDS, "how often each kind is dora"),
        Part("unseen", KINDS, "tiles of each kind that oneself cannot see, in fours"),
        Part("waits", KINDS, "kinds that complete the own hand"),
        Part("forbidden", KINDS, "kinds that may not be discarded after the call"),
        Part("asked", KINDS, "the tile of another that oneself, or somebody, is asked about"),
        Part("asked_red", 1, "1 when it is a red five"),
        Part("asked_from", 4, "whose tile it is"),
        Part("phase", 5, "own turn, discard after riichi, asked on a discard, asked on a kan, over"),
        Part("mover", 4, "who decides now; in the phases of being asked only whether it is oneself"),
        Part("shanten", SHANTEN, "shanten of the own hand without the tile just drawn, 0 to 6"),
        Part("furiten", 1, "1 when oneself cannot win by ron"),
        Part("riichi", 4, "1 for each seat in riichi, 2 for double riichi"),
        Part("ippatsu", 4, "1 for each seat whose win would be ippatsu"),
        Part("closed", 4, "1 for each seat that has called nothing"),
        Part("discards", 4, "number of discards of each seat, in twenties"),
        Part("points", 4, "points of each seat, in ten thousands"),
        Part("rank", 16, "the place of each seat, one by one"),
        Part("wind", 4, "the own wind"),
        Part("round", 4, "the round's wind"),
        Part("kyoku", 1, "deals of the match so far, repeats aside, in fours"),
        Part("honba", 1, "in fives"),
        Part("sticks", 1, "riichi sticks on the table, in fours"),
        Part("left", 1, "tiles left in the wall, in seventies"),
        Part("kans", 1, "kans of all seats, in fours"),
        *prospects.PARTS,
        *threats.PARTS,
        *places.PARTS,
        rules_part(OPTIONS),
    )
)


def _start(key: str) -> int:
    return OBSERVATION.slices[key].start


_RED, _DRAWN, _MELDS, _TYPES, _OPEN_REDS = map(_start, ("red", "drawn", "melds", "meld_types", "open_reds"))
_RIVER, _FROM_HAND, _RECENT, _RIICHI_TILE = map(_start, ("river", "from_hand", "recent", "riichi_tile"))
_SAFE, _DORA, _UNSEEN, _WAITS, _FORBIDDEN = map(_start, ("safe", "dora", "unseen", "waits", "forbidden"))
_ASKED, _ASKED_RED, _ASKED_FROM, _PHASE, _MOVER = map(_start, ("asked", "asked_red", "asked_from", "phase", "mover"))
_SHANTEN, _FURITEN, _RIICHI, _IPPATSU, _CLOSED = map(_start, ("shanten", "furiten", "riichi", "ippatsu", "closed"))
_DISCARDS, _POINTS, _RANK, _WIND, _ROUND = map(_start, ("discards", "points", "rank", "wind", "round"))
_KYOKU, _RULES = map(_start, ("kyoku", "rules"))
_PROSPECTS, _THREATS, _MATCH = map(_start, ("keeps", "danger", "gaps"))


@kernel
def observe_hand(state, seat, out):
    drawn = kind_of_face(np.int64(state.drawn)) if has_drawn(state, seat) else -1
    for kind in range(KINDS):
        held = np.int64(state.hand[seat, kind]) + (kind == drawn)
        for least in range(1, 5):
            out[(least - 1) * KINDS + kind] = held >= least
        out[_DRAWN + kind] = kind == drawn
        out[_WAITS + kind] = has(state.waits[seat], kind)
        out[_FORBIDDEN + kind] = has(state.forbidden, kind)
        out[_DORA + kind] = 0.0
    for suit in range(3):
        out[_RED + suit] = has(state.faces[seat], KINDS + suit)
    if drawn >= 0 and state.drawn >= KINDS:
        out[_RED + np.int64(state.drawn) - KINDS] = 1.0
    for i in range(np.int64(state.indicators)):
        out[_DORA + dora_of(kind_of_face(np.int64(state.wall[INDICATORS + i])))] += 1.0
    for shanten in range(SHANTEN):
        out[_SHANTEN + shanten] = state.far[seat] == shanten
    out[_FURITEN] = is_furiten(state, seat)


@kernel
def observe_seat(state, place, owner, out):
    """What is public of one seat, which sits `place` seats further."""
    row = place * KINDS
    for kind in range(KINDS):
        out[_MELDS + row + kind] = 0.0
        out[_RIVER + row + kind] = 0.0
        out[_FROM_HAND + row + kind] = 0.0
        out[_RIICHI_TILE + row + kind] = 0.0
        out[_RECENT + row + kind] = 0.0
        if place > 0:
            out[_SAFE + row - KINDS + kind] = has(state.thrown[owner] | state.missed[owner], kind)
    number = np.int64(state.discards[owner])
    recent = np.float32(1.0)
    for back in range(number):
        at = number - 1 - back
        tile = np.int64(state.river[owner, at]) % (2 * TSUMOGIRI_MARK)
        kind = kind_of_face(tile % TSUMOGIRI_MARK)
        out[_RIVER + row + kind] += 0.25
        if tile < TSUMOGIRI_MARK:
            out[_FROM_HAND + row + kind] = 1.0
        if at == state.riichi_at[owner]:
            out[_RIICHI_TILE + row + kind] = 1.0
        out[_RECENT + row + kind] = max(np.float32(out[_RECENT + row + kind]), recent)
        recent *= FADING
    runs, sets, closed_kans = 0, 0, 0
    for i in range(np.int64(state.meld_count[owner])):
        meld = np.int64(state.melds[owner, i])
        of, first = meld_type(meld), meld_kind(meld)
        for kind in range(first, first + 3 if of == CHI else first + 1):
            out[_MELDS + row + kind] += meld_copies(meld, kind) / 4.0
        runs += of == CHI
        sets += PON <= of < CLOSED_KAN
        closed_kans += of == CLOSED_KAN
    out[_TYPES + 3 * place] = runs / 4.0
    out[_TYPES + 3 * place + 1] = sets / 4.0
    out[_TYPES + 3 * place + 2] = closed_kans / 4.0
    out[_OPEN_REDS + place] = state.open_reds[owner]
    out[_RIICHI + place] = state.riichi[owner]
    out[_IPPATSU + place] = state.ippatsu[owner]
    out[_CLOSED + place] = is_closed(state, owner)
    out[_DISCARDS + place] = number / 20.0
    out[_POINTS + place] = state.points[owner] / 10000.0
    rank = rank_of(state, owner)
    for each in range(SEATS):
        out[_RANK + SEATS * place + each] = rank == each


@kernel
def observe_question(state, seat, out):
    """What is asked, and of whom; of those asked on a discard a seat knows itself alone."""
    asking = state.phase == CLAIM or state.phase == ROB
    kind = kind_of_face(np.int64(state.tile)) if asking else -1
    for each in range(KINDS):
        out[_ASKED + each] = each == kind
    out[_ASKED_RED] = asking and state.tile == red_of_kind(kind)
    for place in range(SEATS):
        out[_ASKED_FROM + place] = asking and (seat + place) % SEATS == state.discarder
        mover = state.phase != OVER and (seat + place) % SEATS == state.seat
        out[_MOVER + place] = mover and (place == 0 or not asking)
    for phase in range(5):
        out[_PHASE + phase] = state.phase == phase


@kernel
def observe(state, seat, out):
    observe_hand(state, seat, out)
    for place in range(SEATS):
        observe_seat(state, place, (seat + place) % SEATS, out)
    observe_question(state, seat, out)
    unseen = out[_UNSEEN : _UNSEEN + KINDS]
    count_unseen(state, seat, unseen)
    write_prospects(state, seat, unseen, out[_PROSPECTS : _PROSPECTS + prospects.SIZE])
    write_threats(state, seat, unseen, out[_THREATS : _THREATS + threats.SIZE])
    for kind in range(KINDS):
        unseen[kind] /= 4.0
    write_places(state, seat, out[_MATCH : _MATCH + places.SIZE])
    for wind in range(SEATS):
        out[_WIND + wind] = wind_of(state, seat) == wind
        out[_ROUND + wind] = np.int64(state.kyoku) // SEATS == wind
    out[_KYOKU] = state.kyoku / 4.0
    out[_KYOKU + 1] = state.honba / 5.0
    out[_KYOKU + 2] = state.sticks / 4.0
    out[_KYOKU + 3] = left_in_wall(state) / 70.0
    out[_KYOKU + 4] = state.kans / 4.0
    rules = state.rules
    out[_RULES] = rules.length / 10.0
    out[_RULES + 1] = rules.start / 10.0
    out[_RULES + 2] = rules.goal / 10.0
    out[_RULES + 3] = rules.uma / 10.0
    out[_RULES + 4] = rules.rounded / 10.0
    out[_RULES + 5] = rules.red / 10.0
    out[_RULES + 6] = rules.open_tanyao / 10.0
    out[_RULES + 7] = rules.ron / 10.0
    out[_RULES + 8] = rules.aborts / 10.0
    out[_RULES + 9] = rules.nagashi / 10.0
    out[_RULES + 10] = rules.swap_calls / 10.0
    out[_RULES + 11] = rules.rob_closed / 10.0
    out[_RULES + 12] = rules.bankruptcy / 10.0
    out[_RULES + 13] = rules.stop / 10.0
    out[_RULES + 14] = rules.extra / 10.0


PHASES = (
    Name("打牌", "discard"), Name("リーチ打牌", "discard for riichi"), Name("鳴き・ロン", "claim"),
    Name("槍槓", "rob the kan"), Name("終わり", "over"),
)  # fmt: skip


def shown(before: np.ndarray, after: np.ndarray, action: int) -> list[Shown]:
    """Dora indicators that were turned, and the tile that was drawn, which its seat alone sees."""
    if before["finished"][0] != after["finished"][0]:  # the next deal is told by what was dealt
        return []
    old, new, first = int(before["indicators"][0]), int(after["indicators"][0]), int(INDICATORS)
    found = [Shown("turned", None, after["wall"][0, first + old : first + new].tolist())] if new > old else []
    drew = (before["next"][0], before["kans"][0]) != (after["next"][0], after["kans"][0])
    if drew and after["drawn"][0] >= 0:
        seat = int(after["seat"][0])
        found.append(Shown("drawn", seat, [after["drawn"][0]], seat))
    return found
