"""The rules as a value: every option, and the presets."""

from tefuda.contract import YES_NO, Option, RuleBook, Rules

# Values of the options that kernels compare with.
ONE_ROUND, TONPUU, HANCHAN = 0, 1, 2  # tonpuu and hanchan: also the number of winds that are played
NO_UMA, UMA_5_10, UMA_10_20, UMA_10_30 = 0, 1, 2, 3
HEAD, DOUBLE, TRIPLE = 0, 1, 2

MOST_ROUNDS = 64  # a match ends here at the latest, though a dealer might repeat for ever

OPTIONS = (
    Option(
        "length",
        "`hanchan`: the east and the south rounds; `tonpuu`: the east round; `hand`: one deal, and nobody gets the "
        "riichi sticks that are left",
        {"hand": ONE_ROUND, "tonpuu": TONPUU, "hanchan": HANCHAN},
    ),
    Option("start", "points at the start, in hundreds", low=100, high=400, common=(250, 300)),
    Option("goal", "points that somebody must have for the match to end, in hundreds; also what uma is counted from",
           low=100, high=400, common=(250, 300)),
    Option(
        "uma",
        "thousands of points that the last two pay to the first two; the first gets the oka (what all start with less "
        "than the goal) besides",
        {"none": NO_UMA, "5-10": UMA_5_10, "10-20": UMA_10_20, "10-30": UMA_10_30},
    ),
    Option("rounded", "the final points are rounded to thousands; the first gets the rest", YES_NO),
    Option("red", "one five of each suit is red, a dora", YES_NO),
    Option("open_tanyao", "all simples (tanyao) counts with called tiles too", YES_NO),
    Option(
        "ron",
        "several claim one discard: `head`, the nearest wins; `double`, two win and three abort; `triple`, all win",
        {"head": HEAD, "double": DOUBLE, "triple": TRIPLE},
    ),
    Option("aborts", "nine terminals, four winds, four riichi and four kans end a deal without a winner", YES_NO),
    Option("nagashi", "only terminals and honours discarded, none of them called: a mangan at the draw", YES_NO),
    Option("swap_calls", "after a call the same tile, or that of the other end of the run, may be discarded", YES_NO),
    Option("rob_closed", "thirteen orphans win on the tile of a closed kan", YES_NO),
    Option("bankruptcy", "the match ends when somebody has less than nothing", YES_NO),
    Option("stop", "the match ends when the last dealer wins or is ready, leads, and has the goal", YES_NO),
    Option("extra", "nobody has the goal after the last round: one more wind is played until somebody has", YES_NO),
)  # fmt: skip

TENHOU = {
    "length": "hanchan", "start": "250", "goal": "300", "uma": "10-20", "rounded": "no", "red": "yes",
    "open_tanyao": "yes", "ron": "double", "aborts": "yes", "nagashi": "yes", "swap_calls": "no", "rob_closed": "no",
    "bankruptcy": "yes", "stop": "yes", "extra": "yes",
}  # fmt: skip
PRESETS = {
    "hanchan": TENHOU,
    "tonpuu": TENHOU | {"length": "tonpuu"},
    "hand": TENHOU | {"length": "hand", "goal": "250", "uma": "none"},
}


def rounds(rules: Rules) -> int:
    """At most so many deals."""
    return 1 if rules.values["length"] == ONE_ROUND else MOST_ROUNDS


RULEBOOK = RuleBook(
    OPTIONS,
    PRESETS,
    {
        "hanchan": "Tenhou's rules: the east and the south rounds, red fives, open tanyao",
        "tonpuu": "the same, the east round only",
        "hand": "one deal of the same; its score is what was won or lost, in thousands",
    },
    rounds=rounds,
)
