"""What networks are told beyond the cards, against the same said in plain words; that none of it needs a hidden card
is tested with all other observations (conformance)."""

from itertools import permutations

import pytest

from tefuda.games.koikoi import GAME as KOIKOI
from tefuda.games.koikoi import cards as flowers
from tefuda.games.koikoi.state import CALL, DRAWN, MATCH
from tefuda.games.saichugen import GAME as SAICHUGEN
from tefuda.games.saichugen import rules as saichugen
from tefuda.games.tricks import GAME as TRICKS
from tefuda.games.tricks.cards import HEARTS, QUEEN_OF_SPADES
from tefuda.games.tricks.state import PLAY
from tefuda.players.resolve import resolve
from tefuda.table.table import Table, legal_actions
from tests.games.koikoi import witness_koikoi as witness


def tables(game, preset: str, deals: int):
    """Tables before every decision of some games of random players."""
    chosen = game.rulebook.make(preset)
    player = resolve(game, "random", chosen)
    for deal in range(deals):
        table = Table(game, chosen, 31, deal)
        while not table.over:
            yield table, chosen
            table.apply(table.ask(player))


# --- Koi-Koi ---

KINDS = (
    (set(flowers.cards_of(flowers.BRIGHTS)) - {flowers.RAIN_MAN}, 3),
    (set(flowers.cards_of(flowers.RED_POEMS)), 3),
    (set(flowers.cards_of(flowers.BLUE_RIBBONS)), 3),
    (set(flowers.cards_of(flowers.BOAR_DEER_BUTTERFLIES)), 3),
    (set(flowers.cards_of(flowers.ANIMALS)), 5),
    (set(flowers.cards_of(flowers.RIBBONS)), 5),
    (set(flowers.cards_of(flowers.CHAFF)), 10),
)


def nearness(pile: set, other: set) -> list[float]:
    """1 for each yaku that is there, half of it for each card that is missing, 0 where it cannot be had."""
    found = []
    for yaku, needed in KINDS:
        missing = max(0, needed - len(pile & yaku))
        found.append(0.5**missing if missing == 0 or len(yaku - other) >= needed else 0.0)
    return found


class Prospects:
    """What a seat of a Koi-Koi table could come to know by thinking."""

    def __init__(self, state, seat: int, rules) -> None:
        self.rules = witness.PRESETS[rules.preset]
        self.calls = [int(state.calls[seat]), int(state.calls[1 - seat])]
        self.piles = [set(flowers.cards_of(state.pile[owner])) for owner in (seat, 1 - seat)]
        self.hand, self.field = (set(flowers.cards_of(mask)) for mask in (state.hand[seat], state.field))
        self.waiting = {int(state.card)} if state.card >= 0 else set()
        self.unseen = set(range(48)) - self.hand - self.field - self.waiting - self.piles[0] - self.piles[1]
        self.decides = state.phase in (MATCH, DRAWN) and state.seat == seat

    def points(self, owner: int, pile: set) -> int:
        deck = witness.DECK
        return sum(witness.score([deck[card] for card in pile], self.calls[owner], self.rules).values())

    def gain(self, owner: int, captures: list[set]) -> tuple[float, float]:
        """The most points, in tens, and the largest step towards yaku that one of some captures brings."""
        pile, other = self.piles[owner], self.piles[1 - owner]
        points, near = self.points(owner, pile), sum(nearness(pile, other))
        gains = [self.points(owner, pile | taken) - points for taken in captures]
        steps = [sum(nearness(pile | taken, other)) - near for taken in captures]
        return max([0, *gains]) / 10, max([0.0, *steps])

    def captures(self, card: int) -> list[set]:
        """What a card of the hand can capture, or what taking a field card with the waiting one does."""
        fitting = {each for each in self.field if each // 4 == card // 4}
        if card in self.field:
            return [self.waiting | {card}] if self.decides and self.waiting <= self._month(card) else []
        if card not in self.hand or not fitting:
            return []
        return [{card, each} for each in fitting] if len(fitting) == 2 else [{card} | fitting]

    def others(self, card: int) -> list[set]:
        """What the other could capture by this card, which lies on the field or is given to it."""
        fitting = self.field & self._month(card)
        if card not in self.field and (card not in self.hand or fitting):
            return []
        taken = fitting if len(fitting) == 3 else {card}
        return [taken | {partner} for partner in self.unseen & self._month(card)]

    @staticmethod
    def _month(card: int) -> set:
        return set(range(card // 4 * 4, card // 4 * 4 + 4))


@pytest.mark.slow
@pytest.mark.kernel
@pytest.mark.parametrize("preset", ["paper", "bonus"])
def test_koikoi_prospects_are_those_of_plain_words(preset):
    met = set()
    for table, rules in tables(KOIKOI, preset, 6 if preset == "paper" else 1):
        state = table.states[0]
        for seat in (0, 1):
            seen, told = Prospects(state, seat, rules), table.view(seat).observation
            for card in range(48):
                own, other = seen.gain(0, seen.captures(card)), seen.gain(1, seen.others(card))
                assert told["fits"][card] == bool(seen.captures(card))
                assert (told["gain"][card], told["nearer"][card]) == pytest.approx(own)
                assert (told["other_gain"][card], told["other_nearer"][card]) == pytest.approx(other)
                met |= {("own", own[0] > 0), ("other", other[0] > 0), ("phase", int(state.phase))}
            assert told["near"].tolist() == nearness(*seen.piles)
            assert told["other_near"].tolist() == nearness(seen.piles[1], seen.piles[0])
    assert {("own", True), ("other", True), ("phase", MATCH), ("phase", DRAWN)} <= met
    assert preset == "paper" or ("phase", CALL) in met


# --- Saichugen ---


@pytest.mark.slow
@pytest.mark.kernel
def test_saichugen_prospects_are_those_of_plain_words():
    for table, _ in tables(SAICHUGEN, "paper", 2):
        state = table.states[0]
        for seat in range(3):
            told = table.view(seat).observation
            hand = [card for card in range(52) if told["hand"][card]]
            known = {
                *hand,
                *(card for card in range(52) if told["laid"][card] or told["played"].reshape(3, 52)[:, card].any()),
            }
            unseen = set(range(52)) - known
            for card in range(52):
                if card not in hand:
                    assert not any(told[part][card] for part in ("below", "scores", "round_aim", "game_aim"))
                    continue
                pairs = list(permutations(unseen, 2))
                between = sum(min(pair) < card < max(pair) for pair in pairs)
                assert told["below"][card] == pytest.approx(sum(other < card for other in unseen) / len(unseen))
                assert told["scores"][card] == pytest.approx(between / len(pairs))
                for part, standing in (("round_aim", state.points), ("game_aim", state.points + state.total)):
                    own = int(standing[seat]) + saichugen.number_of(card)
                    others = [
                        int((state.points if part == "round_aim" else state.total)[(seat + n) % 3]) for n in (1, 2)
                    ]
                    assert told[part][card] == (sorted([own, *others])[1] == own)
            for part, numbers in (("exact_points", state.points), ("exact_total", state.total)):
                places = told[part].reshape(3, -1)
                assert [row.nonzero()[0].tolist() for row in places] == [
                    [int(numbers[(seat + n) % 3])] for n in range(3)
                ]


# --- tricks and Hearts ---


@pytest.mark.slow
@pytest.mark.kernel
@pytest.mark.parametrize("preset", ["plain", "hearts", "usual"])
def test_trick_prospects_are_those_of_plain_words(preset):
    met = set()
    for number, (table, _) in enumerate(tables(TRICKS, preset, 3)):
        if number > 150:
            break
        state = table.states[0]
        for seat in range(4):
            told = table.view(seat).observation
            hand = {card for card in range(52) if told["hand"][card]}
            others = (
                set(range(52)) - hand - {card for card in range(52) if told["played"].reshape(4, 52)[:, card].any()}
            )
            laid = [int(card) for card in state.trick if card >= 0]
            best = max((card for card in laid if card // 13 == state.trick[state.lead] // 13), default=-1)
            may_play = set(legal_actions(TRICKS, table.states)) if table.to_move == seat else set()
            for card in range(52):
                suit = {other for other in others if other // 13 == card // 13}
                higher, lower = {other for other in suit if other > card}, {other for other in suit if other < card}
                takes = state.phase == PLAY and (not laid or (card > best and card // 13 == best // 13))
                expected = (card in may_play, takes, len(higher) / 13, len(lower) / 13, not higher)
                found = tuple(told[part][card] for part in ("playable", "takes", "above", "below", "master"))
                assert found == pytest.approx([float(each) for each in expected] if card in hand else [0.0] * 5)
                met.add((card in hand, takes, not higher))
            penalty = sum(13 if card == QUEEN_OF_SPADES else card // 13 == HEARTS for card in laid)
            assert told["on_table"][0] == pytest.approx(penalty / 26)
            assert told["last"][0] == (len(laid) == 3)
    assert {(True, takes, master) for takes in (True, False) for master in (True, False)} <= met
