"""The rules as a value: every option, and the three presets."""

from tefuda.contract import YES_NO, Option, RuleBook, Rules

# Values of the options that kernels compare with.
WITH, INSTEAD, BOTH = 0, 1, 2
PLAY_ON, REDEAL, POINTS = 0, 1, 2
NEVER, FOUR, THREE = 0, 1, 2
WINNER, WINNER_OR_OTHER, ALTERNATE = 0, 1, 2
FULL, SMALL, TINY = 0, 1, 2  # packs: cards.py

_DEALT = {"play": PLAY_ON, "redeal": REDEAL, "points": POINTS}

OPTIONS = (
    Option("rounds", "rounds in a match", low=1, high=99, common=range(1, 13)),
    Option(
        "sake",
        "points for each of hanami-zake and tsukimi-zake; 0: these yaku are off",
        low=0,
        high=9,
        common=(0, 1, 3, 5),
    ),
    Option(
        "sake_after_koikoi",
        "their points once their holder has called koi-koi; 0: the same",
        low=0,
        high=9,
        common=(0, 3, 5),
    ),
    Option("sake_kasu", "the sake cup also counts as kasu", YES_NO),
    Option(
        "extras",
        "further animals beside inoshikacho, and ribbons beside akatan or aotan, count `with` tane and tan (which add "
        "up), `instead` of them (1 point each on the 5, and tane or tan is not counted), or `both`",
        {"with": WITH, "instead": INSTEAD, "both": BOTH},
    ),
    Option("akatan_aotan", "points more when akatan and aotan are both there", low=0, high=20, common=(0, 5, 10)),
    Option("double_seven", "points, with those for own koi-koi calls, are doubled at 7 or more", YES_NO),
    Option("double_koikoi", "points are doubled when the opponent has called koi-koi", YES_NO),
    Option(
        "koikoi_points",
        "own koi-koi calls: 1 point more for each up to three, from the fourth on the points times (calls - 2)",
        YES_NO,
    ),
    Option("koikoi_limit", "koi-koi calls in a round by both together; 0: no limit", low=0, high=16, common=range(4)),
    Option("teshi", "four of a month in a hand", _DEALT),
    Option("kuttsuki", "four pairs of months in a hand", _DEALT),
    Option(
        "field",
        "a field that is dealt again: `never`, with `four` of a month, or with `three` or more",
        {"never": NEVER, "four": FOUR, "three": THREE},
    ),
    Option(
        "exhausted", "what the dealer takes from the other when nobody wins the round", low=0, high=9, common=range(4)
    ),
    Option(
        "next_dealer",
        "who deals next: the `winner` (after a draw the same), `winner-or-other` (after a draw the other), or they "
        "`alternate`; a dealer who is paid for an exhausted round has won it",
        {"winner": WINNER, "winner-or-other": WINNER_OR_OTHER, "alternate": ALTERNATE},
    ),
    Option(
        "pack",
        "`full`: twelve months; `small`: three months, 2 cards a hand and 4 on the field, and 2 animals, 2 ribbons or "
        "3 chaff pay; `tiny`: two months, 1 card a hand and 4 on the field, and 2 of each pay",
        {"full": FULL, "small": SMALL, "tiny": TINY},
        common=(FULL,),
    ),
)

PRESETS = {
    "paper": {
        "rounds": "1", "sake": "0", "sake_after_koikoi": "0", "sake_kasu": "no", "extras": "with",
        "akatan_aotan": "0", "double_seven": "no", "double_koikoi": "no", "koikoi_points": "no", "koikoi_limit": "0",
        "teshi": "redeal", "kuttsuki": "play", "field": "never", "exhausted": "0", "next_dealer": "winner",
        "pack": "full",
    },
    "nintendo": {
        "rounds": "12", "sake": "5", "sake_after_koikoi": "0", "sake_kasu": "yes", "extras": "instead",
        "akatan_aotan": "0", "double_seven": "yes", "double_koikoi": "yes", "koikoi_points": "no",
        "koikoi_limit": "1", "teshi": "redeal", "kuttsuki": "redeal", "field": "three", "exhausted": "0",
        "next_dealer": "winner-or-other", "pack": "full",
    },
    "bonus": {
        "rounds": "8", "sake": "1", "sake_after_koikoi": "3", "sake_kasu": "yes", "extras": "with",
        "akatan_aotan": "10", "double_seven": "no", "double_koikoi": "no", "koikoi_points": "yes",
        "koikoi_limit": "0", "teshi": "redeal", "kuttsuki": "play", "field": "four", "exhausted": "1",
        "next_dealer": "winner", "pack": "full",
    },
}  # fmt: skip

RULEBOOK = RuleBook(
    OPTIONS,
    PRESETS,
    {
        "paper": "section 2 of the paper: ten yaku, no doubling, single rounds",
        "nintendo": "sake yaku, doubling at seven and after the opponent's koi-koi, one koi-koi a round, 12 rounds",
        "bonus": "all yaku add up, calls of koi-koi add and multiply, the dealer wins a drawn round, 8 rounds",
    },
    rounds=lambda rules: rules.values["rounds"],
)


def has_no_sake(rules: Rules) -> bool:
    """Whether the yaku of the sake cup are off. Whoever has learned by the paper's rules knows all other yaku. By such
    rules, whatever else they say, it plays better than those who have learned by `nintendo` and `bonus`."""
    return rules.values["sake"] == 0 and rules.values["pack"] == FULL


def is_papers(rules: Rules) -> bool:
    """Whether a round is played as in the paper; there may be any number of them."""
    return {**RULEBOOK.make("paper").values, "rounds": 0} == {**rules.values, "rounds": 0}
