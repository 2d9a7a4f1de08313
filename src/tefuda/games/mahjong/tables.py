"""Small tables for shanten: a suit is one of 180 classes, and suits are put together by looking up two classes.

What a suit can give to a hand is ten numbers: how many tiles it lacks to hold 0 to 4 melds, and 0 to 4 melds and a
pair, if no kind is used five times. Only 126 such lists occur, and putting suits together makes 180 and no more. So:

    STEPS   reads a suit as an automaton does, the smallest there is: from three kinds at once (the first 512 entries)
            to a row, from a row and the count of the next kind to the next row, and at the end to a class
    HONOUR_CLASSES  the class of the honours, by how many kinds are there once, twice and three times at least
    MERGED  the class of two classes together: the row of the larger one begins at its entry in STARTS, the smaller one
            is the column. Classes are in the order of the fewest tiles that make them, so that a row can end where
            both together would be more than 14 tiles.
    LACKS   how many tiles a class lacks to hold 0 to 4 melds and a pair
    SETS_LACK  the same without the pair

All of it is 54 KB: it stays in a core's nearest cache, and in the 64 KB that CUDA has for constants, where each
mention of a table in a kernel is a copy of its own. So exactly one kernel mentions each table, once.
"""

import hashlib
import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from tefuda.kernel import cache
from tefuda.log import log

MELDS = 5  # 0 to 4
COPIES = 5  # a kind is there 0 to 4 times
SUIT, HONOUR = 9, 7  # kinds
HAND = 14  # tiles
AT_ONCE = 3  # kinds that the automaton reads at once at the start
BITS = 3  # of a count in a packed suit
HONOUR_KINDS = 8  # so many values of how many honours are there: 0 to 7


def _shapes(kinds: int, runs: bool) -> list[set[tuple[int, ...]]]:
    """The counts that are exactly 0 to 4 melds, and then those that are 0 to 4 melds and a pair."""
    melds = [tuple(3 if kind == at else 0 for kind in range(kinds)) for at in range(kinds)]
    if runs:
        melds += [tuple(int(at <= kind < at + 3) for kind in range(kinds)) for at in range(kinds - 2)]
    pairs = [tuple(2 if kind == at else 0 for kind in range(kinds)) for at in range(kinds)]

    def more(shapes: Any, pieces: Any) -> Any:
        sums = {tuple(map(sum, zip(shape, piece, strict=True))) for shape in shapes for piece in pieces}
        return {shape for shape in sums if max(shape) < COPIES}

    plain = [{(0,) * kinds}]
    while len(plain) < MELDS:
        plain.append(more(plain[-1], melds))
    return plain + [more(shapes, pairs) for shapes in plain]


def _lacks(kinds: int, runs: bool) -> np.ndarray:
    """How many tiles every suit lacks for each of the ten shapes: [5 ** kinds, 10], the first kind slowest."""
    lacks = np.full((2 * MELDS, *(COPIES,) * kinds), 99, np.int8)
    for wanted, shapes in zip(lacks, _shapes(kinds, runs), strict=True):
        wanted[tuple(np.array(sorted(shapes)).T)] = 0
        for kind in range(kinds):  # kind by kind: what is there in excess costs nothing, what is missing one each
            by_count = np.moveaxis(wanted, kind, 0)
            for here in range(1, COPIES):
                np.minimum(by_count[here], by_count[here - 1], out=by_count[here])
            for here in range(COPIES - 2, -1, -1):
                np.minimum(by_count[here], by_count[here + 1] + 1, out=by_count[here])
    return lacks.reshape(2 * MELDS, -1).T


def _code(lists: np.ndarray) -> np.ndarray:
    """Ten numbers of at most 14 as one, so that equal lists are found quickly."""
    code = np.zeros(lists.shape[:-1], np.int64)
    for place in range(2 * MELDS):
        code = code * 16 + lists[..., place]
    return code


def _together(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """What suits lack together: the best way to share out the melds, and who has the pair."""
    result = np.full(np.broadcast(one, other).shape, 99, np.int8)
    for mine in range(MELDS):
        for yours in range(MELDS - mine):
            plain, paired = mine + yours, MELDS + mine + yours
            for place, lacks in (
                (plain, one[..., mine] + other[..., yours]),
                (paired, one[..., mine] + other[..., MELDS + yours]),
                (paired, one[..., MELDS + mine] + other[..., yours]),
            ):
                np.minimum(result[..., place], lacks, out=result[..., place])
    return result


def _automaton(classes: np.ndarray) -> np.ndarray:
    """STEPS, from the class of every suit: suits that no further kind can tell apart share a row."""
    layers = []  # from the last kind to the first: the rows of each, as numbers of rows of the layer behind
    numbers = classes
    for _ in range(SUIT - AT_ONCE):
        rows = numbers.reshape(-1, COPIES)
        size = int(rows.max()) + 1
        code = np.zeros(len(rows), np.int64)
        for column in rows.T:
            code = code * size + column
        _, first, numbers = np.unique(code, return_index=True, return_inverse=True)
        layers.append(rows[first])
    layers.reverse()
    starts = np.cumsum([1 << BITS * AT_ONCE, *(layer.size for layer in layers)])  # where the rows of each layer begin
    steps = np.zeros(starts[-1], np.uint16)
    for index, number in np.ndenumerate(numbers.reshape((COPIES,) * AT_ONCE)):
        steps[sum(here << BITS * place for place, here in enumerate(index))] = starts[0] + COPIES * number
    for start, behind, layer in zip(starts[:-2], starts[1:-1], layers[:-1], strict=True):
        steps[start:behind] = (behind + COPIES * layer).ravel()
    steps[starts[-2] :] = layers[-1].ravel()
    return steps


def _honours(classes: np.ndarray) -> np.ndarray:
    """HONOUR_CLASSES, from the class of all honours: [once at least, twice at least, three times at least]."""
    result = np.zeros((HONOUR_KINDS, HONOUR_KINDS, MELDS), np.uint8)
    there = np.indices((COPIES,) * HONOUR).reshape(HONOUR, -1)
    once, twice, thrice = ((there >= least).sum(axis=0) for least in (1, 2, 3))
    few = thrice < MELDS
    result[once[few], twice[few], thrice[few]] = classes[few]
    return result.ravel()


def _fewest(codes: np.ndarray, tiles: np.ndarray, lists: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Every list that occurs in a hand, once, and the fewest tiles that make it, in the order of the tiles."""
    order = np.lexsort((tiles, codes))
    order = order[tiles[order] <= HAND]
    kept = order[np.unique(codes[order], return_index=True)[1]]
    kept = kept[np.argsort(tiles[kept], kind="stable")]
    return lists[kept], tiles[kept]


def _numbers(lists: np.ndarray, sought: np.ndarray) -> np.ndarray:
    """The class of each list sought; 0 for lists that no hand has."""
    codes, wanted = _code(lists), _code(sought)
    order = np.argsort(codes)
    found = order[np.minimum(np.searchsorted(codes[order], wanted), len(codes) - 1)]
    return np.where(codes[found] == wanted, found, 0)


def make() -> dict[str, np.ndarray]:
    """All tables by name."""
    suits, honours = _lacks(SUIT, True), _lacks(HONOUR, False)
    lists = np.concatenate([suits, honours])
    tiles = np.concatenate([np.indices((COPIES,) * kinds).reshape(kinds, -1).sum(axis=0) for kinds in (SUIT, HONOUR)])
    lists, tiles = _fewest(_code(lists), tiles, lists)
    known = 0
    while known < len(lists):  # put classes together until there are no new ones
        known = len(lists)
        pairs, sums = _together(lists[:, None], lists[None, :]), tiles[:, None] + tiles[None, :]
        both = np.concatenate([lists, pairs.reshape(-1, 2 * MELDS)])
        lists, tiles = _fewest(_code(both), np.concatenate([tiles, sums.ravel()]), both)
    pairs, sums = _numbers(lists, _together(lists[:, None], lists[None, :])), tiles[:, None] + tiles[None, :]
    together = np.tril(sums <= HAND)  # the smaller class is the column; classes with more tiles come later
    widths = together.sum(axis=1)
    return {
        "steps": _automaton(_numbers(lists, suits)),
        "honours": _honours(_numbers(lists, honours)),
        "starts": (np.cumsum(widths) - widths).astype(np.uint16),
        "merged": pairs[together].astype(np.uint8),
        "lacks": lists[:, MELDS:].astype(np.uint8).ravel(),
        "sets_lack": lists[:, :MELDS].astype(np.uint8).ravel(),
    }


def load(folder: Path) -> dict[str, np.ndarray]:
    """The tables from a folder, made and put there if they are missing or damaged."""
    path = folder / f"mahjong-tables-{hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:12]}.npz"
    try:
        with np.load(path) as stored:
            return dict(stored)
    except (OSError, ValueError, EOFError):
        log.info("making mahjong's tables (once, two seconds) …")
    tables = make()
    try:  # under another name first: another process may read at any time
        with tempfile.NamedTemporaryFile(dir=folder, suffix=".npz", delete=False) as file:
            np.savez_compressed(file, allow_pickle=False, **tables)
        os.replace(file.name, path)
    except OSError:
        pass  # a full disk costs the next start two seconds, not this run its result
    return tables


_TABLES = load(cache.folder().parent)
STEPS, HONOUR_CLASSES, STARTS, MERGED, LACKS, SETS_LACK = (
    _TABLES[name] for name in ("steps", "honours", "starts", "merged", "lacks", "sets_lack")
)
