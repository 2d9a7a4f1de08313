"""A game written out by what its seats are shown, for CFR+: some million positions, which compiled code writes.

It is smaller than search/tree.py would write it, in three ways. Of all deals that differ in names alone, as far as the
game says that these mean the same (`Chance.alike`), there is one, with the chance of them all. An information set is
a view, renamed in the same way; so a seat forgets what its view does not tell. And a position at which nothing can be
chosen is none.

Actions are numbers from 0 here: how many names of legal actions come before that of one. Actions that have one name
are one: whoever takes it takes each of them as often. So what lies hidden, which had its part in the names of the deal,
is not betrayed by them.
"""

from dataclasses import dataclass
from functools import cache, partial
from types import SimpleNamespace

import numpy as np

from tefuda.contract import Game, Rules
from tefuda.engine.solution import namesakes, rank_of, reader_of, renamer_of
from tefuda.kernel.bits import count_words, next_of_words
from tefuda.kernel.compile import kernel as counted_kernel
from tefuda.kernel.hashing import hash_of
from tefuda.search.response import MOST_DEALS
from tefuda.search.tree import END, WrittenOut, listed

kernel = partial(counted_kernel, counted=False)  # many arrays are handed on

MOST = 30_000_000  # positions that are written out at most


@dataclass(frozen=True, eq=False)
class Views(WrittenOut):
    """A game whose information sets are views."""

    hashes: np.ndarray  # [information sets] of the views, sorted


def deals_of(game: Game, rules: Rules) -> tuple[np.ndarray, np.ndarray]:
    """One deal of all that differ in names alone: chances [deals], tables [deals]."""
    kernels, scratch = _kernels_of(game), _scratch(game)
    found: list[tuple[np.ndarray, ...]] = []
    for chances, tables in listed(game, rules, MOST_DEALS).in_parts(game.blank(rules)):
        numbers = np.zeros(len(tables), np.uint64)
        kernels.rename_all(tables, numbers, scratch)
        found.append(_one_of_each(np.asarray(chances, np.float64), tables, numbers))
    chances, tables, _ = _one_of_each(*(np.concatenate(each) for each in zip(*found, strict=True)))
    return chances, tables


def write_views(game: Game, rules: Rules, most: int = MOST) -> Views | None:
    """Play every deal in every way; None where that is too much."""
    kernels, scratch = _kernels_of(game), _scratch(game)
    chances, tables = deals_of(game, rules)
    scores = np.zeros((len(tables), game.seats))
    over = np.zeros(len(tables), bool)
    kernels.settle_all(tables, over, scores, scratch)
    levels = [slice(0, len(tables))]
    parents, actions, shares = [np.full(len(tables), END)], [np.zeros(len(tables), np.int64)], [np.ones(len(tables))]
    seats: list[np.ndarray] = []
    numbers: list[np.ndarray] = []
    widths: list[np.ndarray] = []
    won = [scores]
    while len(tables):
        deciding = np.flatnonzero(~over)
        tables, first = tables[deciding], levels[-1].start
        here = np.zeros((4, len(tables)), np.int64)  # seats, hashes, legal actions, and as many as have other names
        kernels.read_all(tables, here, scratch)
        every = np.full((4, len(over)), END)
        every[:, deciding] = here
        seats, numbers, widths = [*seats, every[0]], [*numbers, every[1]], [*widths, every[3]]
        following = int(here[2].sum())
        if levels[-1].stop + following > most:
            return None
        after, over = np.zeros(following, game.State), np.zeros(following, bool)
        scores, ranks, share = np.zeros((following, game.seats)), np.zeros(following, np.int64), np.zeros(following)
        kernels.follow_all(tables, np.cumsum(here[2]) - here[2], after, over, scores, ranks, share, scratch)
        if following:
            levels.append(slice(levels[-1].stop, levels[-1].stop + following))
            parents.append(np.repeat(first + deciding, here[2]))
            actions, shares, won = [*actions, ranks], [*shares, share], [*won, scores]
        tables = after
    deciding = (seat := np.concatenate(seats)) != END
    hashes, one, sets = np.unique(np.concatenate(numbers)[deciding], return_index=True, return_inverse=True)
    information_set = np.full(len(seat), END)
    information_set[deciding] = sets
    width = np.concatenate(widths)[deciding][one]
    legal = np.arange(width.max(initial=1)) < width[:, None]
    return Views(
        game, rules, levels, chances, np.concatenate(parents), np.concatenate(actions), seat, information_set,
        np.concatenate(won), legal, np.concatenate(shares), hashes,
    )  # fmt: skip


def _one_of_each(chances: np.ndarray, tables: np.ndarray, numbers: np.ndarray) -> tuple[np.ndarray, ...]:
    """Deals with the same number become one."""
    found, first, which = np.unique(numbers, return_index=True, return_inverse=True)
    return np.bincount(which, chances), tables[first], found


def _scratch(game: Game) -> tuple[np.ndarray, ...]:
    words, actions = game.spaces.mask_words, game.spaces.actions.size
    return (
        np.zeros(1, game.State), np.zeros((1, words), np.uint64), np.zeros(actions), np.zeros(game.seats),
    )  # fmt: skip


@cache
def _kernels_of(game: Game) -> SimpleNamespace:
    to_move, legal, apply, scores, hide = (
        game.kernels.to_move, game.kernels.legal, game.kernels.apply, game.kernels.scores, game.kernels.hide,
    )  # fmt: skip
    hashed, read, rename = hash_of(game.State), reader_of(game), renamer_of(game)

    @kernel
    def rename_all(tables, numbers, scratch):
        for i in range(tables.shape[0]):
            rename(tables[i], scratch[2])
            numbers[i] = hashed(tables[i])

    @kernel
    def settle(table, won, scratch):
        """Play on until somebody has a choice; returns whether nobody ever has, with the scores."""
        masks, total = scratch[1], scratch[3]
        while to_move(table) >= 0:
            legal(table, masks[0])
            if count_words(masks[0]) > 1:
                return False
            apply(table, next_of_words(masks[0], 0))
        scores(table, total)
        for seat in range(total.shape[0]):
            won[seat] = total[seat]
        return True

    @kernel
    def settle_all(tables, over, won, scratch):
        for i in range(tables.shape[0]):
            over[i] = settle(tables[i], won[i], scratch)

    @kernel
    def look(table, scratch):
        """The hash of the view of the seat to move; its legal actions and their names lie in scratch space."""
        view, masks = scratch[0], scratch[1]
        view[0] = table
        hide(view[0], to_move(table))
        legal(view[0], masks[0])
        return read(view, scratch[2])

    @kernel
    def read_all(tables, found, scratch):
        mask, names = scratch[1][0], scratch[2]
        for i in range(tables.shape[0]):
            found[0, i], found[1, i], found[2, i] = to_move(tables[i]), look(tables[i], scratch), count_words(mask)
            action = next_of_words(mask, 0)
            while action >= 0:
                found[3, i] = max(found[3, i], rank_of(mask, names, action) + 1)
                action = next_of_words(mask, action + 1)

    @kernel
    def follow_all(tables, starts, after, over, won, ranks, share, scratch):
        """Take every legal action at every table, lowest first."""
        masks, names = scratch[1], scratch[2]
        for i in range(tables.shape[0]):
            look(tables[i], scratch)
            place, action = starts[i], next_of_words(masks[0], 0)
            while action >= 0:
                ranks[place] = rank_of(masks[0], names, action)
                share[place] = 1.0 / namesakes(masks[0], names, action)
                after[place] = tables[i]
                apply(after[place], action)
                place, action = place + 1, next_of_words(masks[0], action + 1)
        for i in range(after.shape[0]):
            over[i] = settle(after[i], won[i], scratch)

    return SimpleNamespace(
        rename_all=rename_all, settle_all=settle_all, read_all=read_all, follow_all=follow_all,
    )  # fmt: skip
