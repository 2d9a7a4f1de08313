"""The yaku, by Tenhou's own numbers: a set of yaku is a uint64 with bit `number` set, as in Tenhou's records."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from tefuda.contract import Name
from tefuda.kernel.bits import count
from tefuda.kernel.compile import kernel

LIMIT = 13  # the han of a yakuman


@dataclass(frozen=True)
class Yaku:
    """A yaku and what it is worth in a closed and in an open hand; 0: not there then."""

    name: Name
    closed: int
    open: int


def _yaku(ja: str, en: str, closed: int, open_: int) -> Yaku:
    return Yaku(Name(ja, en), closed, open_)


YAKU = (
    _yaku("門前清自摸和", "fully concealed hand", 1, 0),
    _yaku("立直", "riichi", 1, 0),
    _yaku("一発", "ippatsu", 1, 0),
    _yaku("槍槓", "robbing a kan", 1, 1),
    _yaku("嶺上開花", "after a kan", 1, 1),
    _yaku("海底摸月", "under the sea", 1, 1),
    _yaku("河底撈魚", "under the river", 1, 1),
    _yaku("平和", "pinfu", 1, 0),
    _yaku("断幺九", "all simples", 1, 1),
    _yaku("一盃口", "pure double sequence", 1, 0),
    _yaku("自風 東", "seat wind east", 1, 1),
    _yaku("自風 南", "seat wind south", 1, 1),
    _yaku("自風 西", "seat wind west", 1, 1),
    _yaku("自風 北", "seat wind north", 1, 1),
    _yaku("場風 東", "round wind east", 1, 1),
    _yaku("場風 南", "round wind south", 1, 1),
    _yaku("場風 西", "round wind west", 1, 1),
    _yaku("場風 北", "round wind north", 1, 1),
    _yaku("役牌 白", "white dragon", 1, 1),
    _yaku("役牌 發", "green dragon", 1, 1),
    _yaku("役牌 中", "red dragon", 1, 1),
    _yaku("両立直", "double riichi", 2, 0),
    _yaku("七対子", "seven pairs", 2, 0),
    _yaku("混全帯幺九", "half outside hand", 2, 1),
    _yaku("一気通貫", "pure straight", 2, 1),
    _yaku("三色同順", "mixed triple sequence", 2, 1),
    _yaku("三色同刻", "triple triplets", 2, 2),
    _yaku("三槓子", "three kans", 2, 2),
    _yaku("対々和", "all triplets", 2, 2),
    _yaku("三暗刻", "three concealed triplets", 2, 2),
    _yaku("小三元", "little three dragons", 2, 2),
    _yaku("混老頭", "all terminals and honours", 2, 2),
    _yaku("二盃口", "twice pure double sequence", 3, 0),
    _yaku("純全帯幺九", "fully outside hand", 3, 2),
    _yaku("混一色", "half flush", 3, 2),
    _yaku("清一色", "full flush", 6, 5),
    _yaku("人和", "blessing of man", 0, 0),  # not played: it is here to keep Tenhou's numbers
    _yaku("天和", "blessing of heaven", LIMIT, 0),
    _yaku("地和", "blessing of earth", LIMIT, 0),
    _yaku("大三元", "big three dragons", LIMIT, LIMIT),
    _yaku("四暗刻", "four concealed triplets", LIMIT, 0),
    _yaku("四暗刻単騎", "four concealed triplets, single wait", LIMIT, 0),
    _yaku("字一色", "all honours", LIMIT, LIMIT),
    _yaku("緑一色", "all green", LIMIT, LIMIT),
    _yaku("清老頭", "all terminals", LIMIT, LIMIT),
    _yaku("九蓮宝燈", "nine gates", LIMIT, 0),
    _yaku("純正九蓮宝燈", "true nine gates", LIMIT, 0),
    _yaku("国士無双", "thirteen orphans", LIMIT, 0),
    _yaku("国士無双１３面", "thirteen orphans, thirteen waits", LIMIT, 0),
    _yaku("大四喜", "big four winds", LIMIT, LIMIT),
    _yaku("小四喜", "little four winds", LIMIT, LIMIT),
    _yaku("四槓子", "four kans", LIMIT, LIMIT),
)
(
    MENZEN_TSUMO, RIICHI, IPPATSU, CHANKAN, RINSHAN, HAITEI, HOUTEI, PINFU, TANYAO, IIPEIKOU, SEAT_EAST, SEAT_SOUTH,
    SEAT_WEST, SEAT_NORTH, ROUND_EAST, ROUND_SOUTH, ROUND_WEST, ROUND_NORTH, HAKU, HATSU, CHUN, DOUBLE_RIICHI,
    CHIITOITSU, CHANTA, ITTSUU, SANSHOKU_DOUJUN, SANSHOKU_DOUKOU, SANKANTSU, TOITOI, SANANKOU, SHOUSANGEN, HONROUTOU,
    RYANPEIKOU, JUNCHAN, HONITSU, CHINITSU, RENHOU, TENHOU, CHIHOU, DAISANGEN, SUUANKOU, SUUANKOU_TANKI, TSUUIISOU,
    RYUUIISOU, CHINROUTOU, CHUUREN, JUNSEI_CHUUREN, KOKUSHI, KOKUSHI_13, DAISUUSHII, SHOUSUUSHII, SUUKANTSU,
) = np.arange(52)  # fmt: skip  # not plain ints, for which `bit` would be compiled 52 times


def yaku_of(*numbers: int) -> np.uint64:
    """The set of some yaku."""
    return np.uint64(sum(1 << number for number in numbers))


def numbers_of(yaku: Any) -> list[int]:
    """The numbers of a set of yaku, lowest first."""
    return [number for number in range(len(YAKU)) if int(yaku) >> number & 1]


YAKUMAN = yaku_of(*(number for number, yaku in enumerate(YAKU) if yaku.closed == LIMIT))


def _with_bit(place: int, open_: bool) -> np.uint64:
    """The yaku below yakuman in whose han a bit is set, so that han are counted without a look at each yaku."""
    worth = [yaku.open if open_ else yaku.closed for yaku in YAKU]
    return yaku_of(*(number for number, han in enumerate(worth) if han < LIMIT and han >> place & 1))


_CLOSED_1, _CLOSED_2, _CLOSED_4 = (_with_bit(place, False) for place in range(3))
_OPEN_1, _OPEN_2, _OPEN_4 = (_with_bit(place, True) for place in range(3))


@kernel
def han_of(yaku, is_open):
    """The han of a set of yaku without yakuman. Yaku that only a closed hand has are worth nothing in an open one."""
    if is_open:
        return count(yaku & _OPEN_1) + 2 * count(yaku & _OPEN_2) + 4 * count(yaku & _OPEN_4)
    return count(yaku & _CLOSED_1) + 2 * count(yaku & _CLOSED_2) + 4 * count(yaku & _CLOSED_4)
