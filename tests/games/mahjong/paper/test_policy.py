"""The paper's one-player policy: its candidates, what it learns from, and how it plays."""

from dataclasses import replace

import numpy as np
import pytest

from tefuda.errors import Problem
from tefuda.games.mahjong import actions
from tefuda.games.mahjong.paper import groups, hands
from tefuda.games.mahjong.paper.features import ACTIVE, features
from tefuda.games.mahjong.paper.lessons import SORTS, alike, sort
from tefuda.games.mahjong.players import policy
from tefuda.games.mahjong.records import paifu
from tefuda.games.mahjong.records.decisions import decisions
from tefuda.games.mahjong.records.declared import played as noted
from tefuda.games.mahjong.records.paifu import Deal, Match
from tefuda.kernel.random import CHECK, DEAL, stream
from tefuda.learn.lessons import codes_of, from_players
from tefuda.players.resolve import resolve
from tefuda.table.table import legal_actions
from tests.games.mahjong.mahjong_scene import GAME
from tests.games.mahjong.paper.witness_features import kind_of
from tests.games.mahjong.recorded import eager, played

RANKING = GAME.learning.ranking
assert RANKING is not None


def teachers(deal: Deal) -> set[int]:
    """Who is learned from, as the paper says: who declared riichi first, else who won."""
    riichi = [event.seat for event in deal.events if event.type == paifu.RIICHI]
    return {riichi[0]} if riichi else {win.seat for win in deal.wins}


def discards_of(deal: Deal, seat: int) -> list[int]:
    """The kinds that a seat has discarded after a draw, until its riichi and with the tile that declared it."""
    found, drawn, declared = [], False, False
    for event in deal.events:
        if event.seat != seat:
            continue
        if event.type == paifu.DRAW:
            drawn = True
        elif event.type in (paifu.CHI, paifu.PON):
            drawn = False
        elif event.type == paifu.RIICHI:
            declared = True
        elif event.type == paifu.DISCARD:
            if drawn:
                found.append(kind_of(event.tile))
            if declared:
                break
    return found


def calls_of(deal: Deal, seat: int) -> list[tuple[int, int]]:
    """The calls of a seat with the kind discarded after each; 0 after a kan."""
    found = []
    for place, event in enumerate(deal.events):
        if event.seat != seat:
            continue
        if event.type == paifu.OPEN_KAN:
            found.append((int(hands.CALLED_KAN), 0))
        elif event.type in (paifu.CHI, paifu.PON):
            after = next(each for each in deal.events[place + 1 :] if each.type == paifu.DISCARD)
            lowest = min(kind_of(face) for face in (event.tile, *event.own))
            chi = int(hands.CHI_LOW) + kind_of(event.tile) - lowest
            found.append((chi if event.type == paifu.CHI else int(hands.CALLED_PON), kind_of(after.tile)))
    return found


def lessons_of(match: Match) -> list[tuple[Deal, list[int]]]:
    """Each deal with the codes that it teaches."""
    tables = list(decisions(match))
    assert len(tables) == len(match.deals)
    found = []
    for deal, (start, taken) in zip(match.deals, tables, strict=True):
        codes = codes_of(GAME, RANKING, start, taken)
        found.append((deal, [code for code in codes.tolist() if code >= 0]))
    return found


@pytest.mark.slow
def test_a_record_teaches_what_its_teachers_did():
    """Discards and calls by an independent reading of the record; a few are left out where a win was possible."""
    rules = GAME.rulebook.make("tonpuu")
    found = from_players(GAME, RANKING, rules, resolve(GAME, "rule-based", rules), 20, 8, 1)
    taught, calls, passes, left_out = 0, 0, 0, 0
    for table in range(found.number):
        first, last = found.firsts[table], found.firsts[table + 1]
        start = found.starts[table : table + 1].copy()
        match = noted(start, rules, f"game {table}", ("", "", "", ""), found.actions[first:last].tolist())
        deals = lessons_of(match)
        whole = found.codes[first:last]
        assert whole[whole >= 0].tolist() == [code for _, codes in deals for code in codes]
        for deal, codes in deals:
            done = [divmod(code, 64) for code in codes]
            taught += len(codes)
            passes += sum(what == hands.PASSED for what, _ in done)
            if len(teachers(deal)) != 1:
                assert teachers(deal) or codes == []
                continue
            (seat,) = teachers(deal)
            discards = [kind for what, kind in done if what == hands.DISCARD]
            assert is_part(discards, discards_of(deal, seat))
            left_out += len(discards_of(deal, seat)) - len(discards)
            made = [each for each in done if hands.CHI_LOW <= each[0] <= hands.CALLED_KAN]
            assert made == calls_of(deal, seat)
            calls += len(made)
    assert taught > 150
    assert calls > 5
    assert passes > 20
    assert left_out < 10


def is_part(some: list, whole: list) -> bool:
    """Whether a list comes from another by leaving some out."""
    rest = iter(whole)
    return all(each in rest for each in some)


def test_sorts_of_decisions():
    discard, passed, pon = 4, 64 * int(hands.PASSED), 64 * int(hands.CALLED_PON) + 7
    kan, own = 64 * int(hands.CALLED_KAN), 64 * int(hands.OWN_KAN) + 31
    assert [SORTS[sort(code)] for code in (discard, own, pon, kan, passed)] == [
        "discards", "discards", "calls", "calls", "declined calls",
    ]  # fmt: skip
    assert alike(pon, pon + 1)
    assert not alike(pon, kan)
    assert not alike(discard, discard + 1)


def test_a_damaged_record_is_told():
    match = played(1)
    broken = replace(match.deals[0], events=match.deals[0].events[:-3])
    with pytest.raises(Problem, match=r"deal 1: .*records verify"):
        list(decisions(replace(match, deals=[broken])))


class Walk:
    """A game in which calls are frequent, decision by decision."""

    def __init__(self, seed: int) -> None:
        self.states = GAME.blank(GAME.rulebook.make("tonpuu"))
        GAME.kernels.deal(self.states[0], np.array([stream(seed, 0, 0, DEAL)], np.uint64))
        self.bits = np.array([stream(seed, 0, 0, CHECK)], np.uint64)
        self.mask, self.work = np.zeros(2, np.uint64), np.zeros(hands.SIZE, np.int64)

    def view(self) -> tuple[np.ndarray, int]:
        seat = int(GAME.kernels.to_move(self.states[0]))
        view = self.states.copy()
        GAME.kernels.hide(view[0], seat)
        GAME.kernels.legal(view[0], self.mask)
        return view, seat

    def codes(self, view: np.ndarray, seat: int) -> list[int]:
        rows = int(hands.list_candidates(view[0], seat, self.mask, self.work))
        return self.work[hands.CODES : hands.CODES + rows].tolist()

    def features(self, view: np.ndarray, seat: int, code: int) -> list[int]:
        active = np.zeros(ACTIVE + 1, np.int64)
        number = int(features(view[0], seat, code, self.work, active))
        return active[:number].tolist()

    def go(self) -> bool:
        GAME.kernels.apply(self.states[0], eager(legal_actions(GAME, self.states), self.bits))
        return int(GAME.kernels.to_move(self.states[0])) >= 0


@pytest.mark.slow
def test_a_call_with_a_discard_is_valued_as_the_discard_after_the_call():
    """What is listed for a call with its discard is what is listed for that discard when the call was made."""
    compared = 0
    for seed in range(4):
        walk = Walk(seed)
        for _ in range(300):
            view, seat = walk.view()
            legal = legal_actions(GAME, walk.states)
            calls = [action for action in legal if actions.CHI <= action < actions.OPEN_KAN]
            if calls and walk.states[0].phase != 3:
                codes = [code for code in walk.codes(view, seat) if hands.CHI_LOW <= code // 64 <= hands.CALLED_PON]
                code = codes[len(codes) // 2]
                wanted = walk.features(view, seat, code)
                after = walk.states.copy()
                GAME.kernels.apply(after[0], int(hands.action_of(view[0], walk.mask, code)))
                if int(GAME.kernels.to_move(after[0])) == seat and after[0].meld_count[seat] > view[0].meld_count[seat]:
                    GAME.kernels.hide(after[0], seat)
                    assert walk.features(after, seat, code % 64) == wanted
                    compared += 1
            if not walk.go():
                break
    assert compared > 20


@pytest.mark.slow
def test_it_takes_wins_and_riichi_always_and_legal_actions_only():
    """With any weights."""
    rng = np.random.default_rng(5)
    weights = policy.parameters("", rng.integers(-policy.LARGEST, policy.LARGEST, groups.SIZE))
    numbers, bits = np.zeros(policy.NUMBERS), np.ones(1, np.uint64)
    met: set[int] = set()
    for seed in range(30):
        walk = Walk(seed)
        while len(met) < 3:
            view, seat = walk.view()
            legal = legal_actions(GAME, walk.states)
            action = int(policy.choose(view[0], seat, weights, bits, walk.mask, view, numbers))
            assert action in legal
            always = [each for each in (actions.TSUMO, actions.RON, actions.RIICHI) if each in legal]
            if always:
                assert action == always[0]
            met |= set(always)
            if not walk.go():
                break
    assert met == {actions.TSUMO, actions.RON, actions.RIICHI}


def test_it_takes_the_first_of_the_candidates_with_the_largest_sum():
    """By sums made here, and with weights so small that many sums are equal."""
    rng = np.random.default_rng(6)
    whole = rng.integers(0, 2, groups.SIZE) * (rng.integers(0, 40, groups.SIZE) == 0)
    weights = policy.parameters("", whole)
    numbers, bits = np.zeros(policy.NUMBERS), np.ones(1, np.uint64)
    walk, ties = Walk(9), 0
    for _ in range(120):
        view, seat = walk.view()
        mask = walk.mask.copy()
        legal = legal_actions(GAME, walk.states)
        if len(legal) > 1 and not {actions.TSUMO, actions.RON, actions.RIICHI} & set(legal):
            codes = walk.codes(view, seat)
            sums = [int(whole[walk.features(view, seat, code)].sum()) for code in codes]
            best = codes[sums.index(max(sums))]
            ties += sums.count(max(sums)) > 1
            chosen = int(policy.choose(view[0], seat, weights, bits, walk.mask, view, numbers))
            assert chosen == int(hands.action_of(view[0], mask, best))
        if not walk.go():
            break
    assert ties > 5


def test_weights_that_are_too_large_are_refused():
    with pytest.raises(Problem, match="whole numbers"):
        policy.parameters("", np.full(groups.SIZE, 40_000.0))
