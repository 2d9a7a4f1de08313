"""The rules as a value: every option, and the presets."""

from tefuda.contract import YES_NO, Option, RuleBook, Rules
from tefuda.games.tricks.cards import HAND_OF, JACK_POINTS, POINTS_OF

# Values of the options that kernels compare with.
TRICKS, HEARTS_POINTS = 0, 1
OFF, LEFT, ACROSS, RIGHT, ROTATION = 0, 1, 2, 3, 4  # up to RIGHT also how many seats further the cards go
NO_MOON, OTHERS_UP, SELF_DOWN = 0, 1, 2
FULL, SMALL, TINY = 0, 1, 2  # packs: cards.py

MOST_DEALS = 40  # a match ends here at the latest; only with moon=self can it come so far

OPTIONS = (
    Option(
        "goal",
        "`tricks`: take many tricks; `hearts`: take few penalty points, with the restrictions of Hearts on what may "
        "be played. The next five options say nothing when the goal is tricks",
        {"tricks": TRICKS, "hearts": HEARTS_POINTS},
    ),
    Option(
        "moon",
        "who takes all 26 penalty points: `off`, gets 26; `others`, gets 0 and the others 26 each; `self`, gets -26",
        {"off": NO_MOON, "others": OTHERS_UP, "self": SELF_DOWN},
    ),
    Option("break_hearts", "hearts cannot be led before one was played (broken), unless there is nothing else", YES_NO),
    Option("queen_breaks", "the queen of spades, when played, breaks hearts too", YES_NO),
    Option("first_points", "penalty cards may be discarded in the first trick", YES_NO),
    Option("jack", "who takes the jack of diamonds gets 10 points less", YES_NO),
    Option(
        "passing",
        "three cards are passed before the play: `off`, to the `left` (the next seat), `across`, to the `right`, or in "
        "`rotation` from deal to deal: left, right, across, hold (none)",
        {"off": OFF, "left": LEFT, "across": ACROSS, "right": RIGHT, "rotation": ROTATION},
    ),
    Option(
        "target",
        "deals are played until somebody has so many points; 0: one deal",
        low=0,
        high=100,
        common=(0, 50, 100),
    ),
    Option(
        "pack",
        "`full`: 13 cards a hand; `small`: 3 cards a hand, of a pack of queens, kings and aces; `tiny`: 2 cards a "
        "hand, of kings and aces. In Hearts the lowest club leads, and penalty points are those of the pack",
        {"full": FULL, "small": SMALL, "tiny": TINY},
        common=(FULL,),
    ),
)

PLAIN = {
    "goal": "tricks", "moon": "off", "break_hearts": "yes", "queen_breaks": "no", "first_points": "no", "jack": "no",
    "passing": "off", "target": "0", "pack": "full",
}  # fmt: skip
PRESETS = {
    "plain": PLAIN,
    "hearts": PLAIN | {"goal": "hearts"},
    "hearts-as-run": PLAIN | {"goal": "hearts", "break_hearts": "no"},
    "usual": PLAIN | {"goal": "hearts", "moon": "others", "passing": "rotation", "target": "100"},
}


def rounds(rules: Rules) -> int:
    """At most so many deals: somebody has the target at the latest when the mean of all seats has."""
    target, pack = rules.values["target"], rules.values["pack"]
    if target == 0:
        return 1
    if rules.values["goal"] == TRICKS:
        shared = int(HAND_OF[pack])  # points that a deal gives to all seats together, at least
    elif rules.values["moon"] == SELF_DOWN:
        return MOST_DEALS
    else:
        shared = int(POINTS_OF[pack]) - (JACK_POINTS if rules.values["jack"] and pack == FULL else 0)
    return -(-4 * target // shared)


RULEBOOK = RuleBook(
    OPTIONS,
    PRESETS,
    {
        "plain": "section 4.1.1 of the paper: count the tricks, one deal",
        "hearts": "section 4.2.1 of the paper: no passing, no shooting the moon, one deal",
        "hearts-as-run": "the same with hearts led at any time, as the paper's figures say its program allowed",
        "usual": "Hearts as it is mostly played: passing in rotation, shooting the moon, until somebody has 100 points",
    },
    rounds=rounds,
)


def is_plain(rules: Rules) -> bool:
    """Whether tricks are counted."""
    return rules.values["goal"] == TRICKS


def is_moonless(rules: Rules) -> bool:
    """Whether it is Hearts in which nobody gains by taking all points. Those who have learned single deals of it play
    the better with passing, with the jack and in matches too."""
    return not is_plain(rules) and rules.values["moon"] == NO_MOON
