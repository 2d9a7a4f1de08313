"""Koi-Koi in plain Python, written from the rules as people state them: the witness for the engine's rules.

It knows nothing of the package: cards are objects, hands and piles are lists, chance is `random.Random`.
A match is played by asking `choices()` and answering with `choose`; a choice is a card, AGARI or KOIKOI.
"""

import random
from collections import Counter
from dataclasses import dataclass

# --- the cards ---

# The pictures of each month, the most precious first; the rest of its four cards is chaff.
PICTURES = (
    ("pine", ("bright", "crane"), ("ribbon", "red poem ribbon")),
    ("plum", ("animal", "warbler"), ("ribbon", "red poem ribbon")),
    ("cherry", ("bright", "curtain"), ("ribbon", "red poem ribbon")),
    ("wisteria", ("animal", "cuckoo"), ("ribbon", "ribbon")),
    ("iris", ("animal", "bridge"), ("ribbon", "ribbon")),
    ("peony", ("animal", "butterflies"), ("ribbon", "blue ribbon")),
    ("clover", ("animal", "boar"), ("ribbon", "ribbon")),
    ("pampas", ("bright", "moon"), ("animal", "geese")),
    ("mum", ("animal", "sake cup"), ("ribbon", "blue ribbon")),
    ("maple", ("animal", "deer"), ("ribbon", "blue ribbon")),
    ("willow", ("bright", "rain man"), ("animal", "swallow"), ("ribbon", "ribbon")),
    ("paulownia", ("bright", "phoenix")),
)


class Card:
    """One card; there is one object for each of the 48, so that cards are equal when they are the same."""

    __slots__ = ("kind", "month", "name")

    def __init__(self, month: int, kind: str, name: str):
        self.month = month  # 1 to 12
        self.kind = kind  # bright, animal, ribbon or chaff
        self.name = name

    def __repr__(self) -> str:
        return self.name


def _make_deck() -> list[Card]:
    cards = []
    for month, (flower, *pictures) in enumerate(PICTURES, start=1):
        for kind, picture in pictures:
            cards.append(Card(month, kind, f"{flower} {picture}"))
        for number in range(1, 5 - len(pictures)):
            cards.append(Card(month, "chaff", f"{flower} chaff {number}"))
    return cards


DECK = _make_deck()
CARD = {card.name: card for card in DECK}

RAIN_MAN = CARD["willow rain man"]
SAKE_CUP = CARD["mum sake cup"]
BOAR_DEER_BUTTERFLIES = {CARD["clover boar"], CARD["maple deer"], CARD["peony butterflies"]}
RED_POEMS = {card for card in DECK if card.name.endswith("red poem ribbon")}
BLUE_RIBBONS = {card for card in DECK if card.name.endswith("blue ribbon")}
FLOWER_VIEWING = {CARD["cherry curtain"], SAKE_CUP}
MOON_VIEWING = {CARD["pampas moon"], SAKE_CUP}


# --- the rules as people agree on them ---


@dataclass(frozen=True)
class Rules:
    """All that is played in different ways, in the words of the options; the defaults are the paper's."""

    rounds: int = 1
    sake: int = 0
    sake_after_koikoi: int = 0
    sake_kasu: bool = False
    extras: str = "with"  # with, instead, both
    akatan_aotan: int = 0
    double_seven: bool = False
    double_koikoi: bool = False
    koikoi_points: bool = False
    koikoi_limit: int = 0
    teshi: str = "redeal"  # play, redeal, points
    kuttsuki: str = "play"  # play, redeal, points
    field: str = "never"  # never, four, three
    exhausted: int = 0
    next_dealer: str = "winner"  # winner, winner-or-other, alternate
    pack: str = "full"  # full, small, tiny


# Of each pack: its months, cards in a hand and on the field, and how many animals, ribbons and chaff make a yaku.
PACKS = {"full": (12, 8, 8, 5, 5, 10), "small": (3, 2, 4, 2, 2, 3), "tiny": (2, 1, 4, 2, 2, 2)}


PAPER = Rules()
NINTENDO = Rules(
    rounds=12, sake=5, sake_kasu=True, extras="instead", double_seven=True, double_koikoi=True,
    koikoi_limit=1, kuttsuki="redeal", field="three", next_dealer="winner-or-other",
)  # fmt: skip
BONUS = Rules(
    rounds=8, sake=1, sake_after_koikoi=3, sake_kasu=True, akatan_aotan=10, koikoi_points=True,
    field="four", exhausted=1,
)  # fmt: skip
PRESETS = {"paper": PAPER, "nintendo": NINTENDO, "bonus": BONUS}


def rules_of(texts: dict[str, str]) -> Rules:
    """Rules from options as they are written on the command line: numbers, yes or no, and words."""
    values = {}
    for key, text in texts.items():
        if text in ("yes", "no"):
            values[key] = text == "yes"
        else:
            values[key] = int(text) if text.isdecimal() else text
    return Rules(**values)


# --- what a pile is worth ---

YAKU = (
    "five brights", "four brights", "rainy four brights", "three brights", "boar-deer-butterflies",
    "red poems", "blue ribbons", "animals", "ribbons", "chaff", "flower viewing", "moon viewing",
    "red and blue together", "four of a month dealt", "four pairs dealt",
)  # fmt: skip


def score(pile, calls: int, rules: Rules) -> dict[str, int]:
    """The points of every yaku in a pile whose holder has called koi-koi `calls` times."""
    pile = set(pile)
    animals_needed, ribbons_needed, chaff_needed = PACKS[rules.pack][3:]
    cards: dict[str, list[Card]] = {"bright": [], "animal": [], "ribbon": [], "chaff": []}
    for card in pile:
        cards[card.kind].append(card)
    points = {}

    # Only the best of the bright yaku counts; the rain man spoils three brights and cheapens four.
    brights = len(cards["bright"])
    if brights == 5:
        points["five brights"] = 10
    elif brights == 4 and RAIN_MAN not in pile:
        points["four brights"] = 8
    elif brights == 4:
        points["rainy four brights"] = 7
    elif brights == 3 and RAIN_MAN not in pile:
        points["three brights"] = 5

    animals = len(cards["animal"])
    boar = pile >= BOAR_DEER_BUTTERFLIES
    if boar:
        points["boar-deer-butterflies"] = 5
        if rules.extras != "with":
            points["boar-deer-butterflies"] += animals - 3
    if animals >= animals_needed and not (boar and rules.extras == "instead"):
        points["animals"] = 1 + animals - animals_needed

    ribbons = len(cards["ribbon"])
    red, blue = pile >= RED_POEMS, pile >= BLUE_RIBBONS
    if red:
        points["red poems"] = 5
    if blue:
        points["blue ribbons"] = 5
    if rules.extras != "with":  # a further ribbon counts once, also beside both
        if red and blue:
            points["red poems"] += ribbons - 6
        elif red:
            points["red poems"] += ribbons - 3
        elif blue:
            points["blue ribbons"] += ribbons - 3
    if ribbons >= ribbons_needed and not ((red or blue) and rules.extras == "instead"):
        points["ribbons"] = 1 + ribbons - ribbons_needed
    if red and blue and rules.akatan_aotan > 0:
        points["red and blue together"] = rules.akatan_aotan

    chaff = len(cards["chaff"])
    if rules.sake_kasu and SAKE_CUP in pile:
        chaff += 1
    if chaff >= chaff_needed:
        points["chaff"] = 1 + chaff - chaff_needed

    if rules.sake > 0:
        sake = rules.sake
        if calls > 0 and rules.sake_after_koikoi > 0:
            sake = rules.sake_after_koikoi
        if pile >= FLOWER_VIEWING:
            points["flower viewing"] = sake
        if pile >= MOON_VIEWING:
            points["moon viewing"] = sake
    return points


def payment(points: int, own_calls: int, other_calls: int, rules: Rules) -> int:
    """What the winner gets for yaku points: first the own calls of koi-koi count, then the doublings."""
    if rules.koikoi_points:
        if own_calls >= 4:
            points *= own_calls - 2
        else:
            points += own_calls
    paid = points
    if rules.double_seven and points >= 7:
        paid *= 2
    if rules.double_koikoi and other_calls > 0:
        paid *= 2
    return paid


# --- the deal ---

DEALT_POINTS = 6  # for four of a month or four pairs in a dealt hand


def months_held(cards) -> list[int]:
    """How many cards of each month there are, without those that are not there."""
    return list(Counter(card.month for card in cards).values())


def has_teshi(hand) -> bool:
    return 4 in months_held(hand)


def has_kuttsuki(hand) -> bool:
    return months_held(hand) == [2, 2, 2, 2]


def paid_at_once(hand, rules: Rules) -> str | None:
    """The yaku that a dealt hand wins with, if any."""
    if rules.teshi == "points" and has_teshi(hand):
        return "four of a month dealt"
    if rules.kuttsuki == "points" and has_kuttsuki(hand):
        return "four pairs dealt"
    return None


def must_redeal(first_hand, second_hand, field, rules: Rules) -> bool:
    """Whether the rules want these cards dealt again; so too when both hands would win at once."""
    for hand in (first_hand, second_hand):
        if rules.teshi == "redeal" and has_teshi(hand):
            return True
        if rules.kuttsuki == "redeal" and has_kuttsuki(hand):
            return True
    if paid_at_once(first_hand, rules) and paid_at_once(second_hand, rules):
        return True
    if rules.field == "never":
        return False
    return max(months_held(field)) >= (4 if rules.field == "four" else 3)


def shuffled_deal(rng: random.Random, rules: Rules):
    """Two hands, the field and the rest of the deck, dealt until the rules are content."""
    months, hand, field = PACKS[rules.pack][:3]
    cards = [card for card in DECK if card.month <= months]
    while True:
        rng.shuffle(cards)
        first, second, laid = hand, 2 * hand, 2 * hand + field  # where each part ends
        dealt = cards[:first], cards[first:second], cards[second:laid], cards[laid:]
        if not must_redeal(*dealt[:3], rules):
            return dealt


# --- the play ---

AGARI, KOIKOI = "agari", "koi-koi"
PLAY, TAKE, TAKE_FOR_DRAWN, CALL, OVER = "play", "take", "take for drawn", "call", "over"


@dataclass(frozen=True)
class Outcome:
    """How a round ended."""

    winner: int | None
    paid: int
    yaku: tuple[str, ...]
    calls: tuple[int, int]


class Match:
    """A match, decision by decision. `deal(number)` gives the cards of a round, as `shuffled_deal` does."""

    def __init__(self, rules: Rules, deal):
        self.rules = rules
        self.deal = deal
        self.scores = [0, 0]
        self.dealer = 0
        self.outcomes: list[Outcome] = []  # of the rounds that are over
        self.begin_round()

    def begin_round(self) -> None:
        first_hand, second_hand, field, deck = self.deal(len(self.outcomes))
        self.hands = [list(first_hand), list(second_hand)]
        self.field = list(field)
        self.deck = list(reversed(deck))  # the next card is the last, where `pop` takes it
        self.piles: list[list[Card]] = [[], []]
        self.points = [0, 0]  # of the yaku that each seat has shown
        self.calls = [0, 0]
        self.turn = 0
        self.seat = self.dealer
        self.phase = PLAY
        self.waiting: Card | None = None  # played or drawn, and two cards of the field fit
        self.shown: str | None = None  # a yaku that was dealt
        for seat in (0, 1):
            yaku = paid_at_once(self.hands[seat], self.rules)
            if yaku:
                self.seat, self.phase, self.shown = seat, CALL, yaku

    def choices(self) -> list:
        """What the seat in turn may choose."""
        if self.phase == PLAY:
            return self.hands[self.seat]
        if self.phase == CALL:
            return [AGARI] if self.shown else [AGARI, KOIKOI]
        if self.phase == OVER:
            return []
        return self.fitting(self.waiting)

    def choose(self, choice) -> None:
        """One decision, and everything up to the next."""
        if self.phase == PLAY:
            self.hands[self.seat].remove(choice)
            if self.lay(choice, TAKE):
                self.draw()
        elif self.phase == TAKE:
            self.capture(self.waiting, [choice])
            self.draw()
        elif self.phase == TAKE_FOR_DRAWN:
            self.capture(self.waiting, [choice])
            self.end_turn()
        elif choice == AGARI:
            self.win()
        else:
            self.calls[self.seat] += 1
            # The call itself may change what the yaku are worth, and only more than that is a new chance.
            self.points[self.seat] = self.worth(self.seat)
            self.pass_turn()

    def fitting(self, card: Card) -> list[Card]:
        """The cards of the field of a card's month."""
        return [other for other in self.field if other.month == card.month]

    def worth(self, seat: int) -> int:
        """The yaku points of a seat's pile."""
        return sum(score(self.piles[seat], self.calls[seat], self.rules).values())

    def lay(self, card: Card, phase_of_choice: str) -> bool:
        """Lay a card on the field and take what it takes; False when its owner must choose between two."""
        fitting = self.fitting(card)
        if len(fitting) == 2:
            self.waiting, self.phase = card, phase_of_choice
            return False
        if fitting:
            self.capture(card, fitting)
        else:
            self.field.append(card)
        return True

    def capture(self, card: Card, taken: list[Card]) -> None:
        for other in taken:
            self.field.remove(other)
        self.piles[self.seat] += [card, *taken]
        self.waiting = None

    def draw(self) -> None:
        """Turn up the next card of the deck."""
        if self.lay(self.deck.pop(), TAKE_FOR_DRAWN):
            self.end_turn()

    def end_turn(self) -> None:
        """Agari or koi-koi when the points rose in this turn."""
        points = self.worth(self.seat)
        if points <= self.points[self.seat]:
            self.pass_turn()
            return
        self.points[self.seat] = points
        limit = self.rules.koikoi_limit
        if not self.hands[self.seat] or (limit and sum(self.calls) >= limit):
            self.win()
        else:
            self.phase = CALL

    def pass_turn(self) -> None:
        self.turn += 1
        self.seat = 1 - self.seat
        self.phase = PLAY
        if not self.hands[self.seat]:
            if self.rules.exhausted:  # then the dealer counts as the winner of the round
                self.end_round(self.dealer, self.rules.exhausted, ())
            else:
                self.end_round(None, 0, ())

    def win(self) -> None:
        """The seat in turn takes its points."""
        if self.shown:
            self.end_round(self.seat, DEALT_POINTS, (self.shown,))
            return
        own, other = self.calls[self.seat], self.calls[1 - self.seat]
        yaku = score(self.piles[self.seat], own, self.rules)
        paid = payment(sum(yaku.values()), own, other, self.rules)
        self.end_round(self.seat, paid, tuple(yaku))

    def end_round(self, winner: int | None, paid: int, yaku: tuple[str, ...]) -> None:
        if winner is not None:
            self.scores[winner] += paid
            self.scores[1 - winner] -= paid
        self.outcomes.append(Outcome(winner, paid, yaku, (self.calls[0], self.calls[1])))
        if len(self.outcomes) == self.rules.rounds:
            self.phase = OVER
            return
        if self.rules.next_dealer == "alternate":
            self.dealer = 1 - self.dealer
        elif winner is not None:
            self.dealer = winner
        elif self.rules.next_dealer == "winner-or-other":
            self.dealer = 1 - self.dealer
        self.begin_round()


# --- random play ---


def play_random_game(rng: random.Random, rules: Rules = PAPER) -> int:
    """The first seat's points when both play and take any card, all alike, and stop when they can."""
    match = Match(rules, lambda number: shuffled_deal(rng, rules))
    while match.phase != OVER:
        if match.phase == CALL:
            match.choose(AGARI)
        else:
            match.choose(rng.choice(match.choices()))
    return match.scores[0]


def random_games(number: int, seed: int, rules: Rules = PAPER) -> list[int]:
    """The first seat's points in many random games."""
    rng = random.Random(seed)
    return [play_random_game(rng, rules) for _ in range(number)]
