"""The rules as a value: what a win is worth."""

from tefuda.contract import Option, RuleBook

WIN, STAKE = 0, 1  # values of the payoff

OPTIONS = (
    Option(
        "payoff",
        "`win`: 1 for each winner of the game, 0 for the others; `stake`: losers pay 2 between them and winners share "
        "it: +2 −1 −1 with one winner, +1 +1 −2 with two, nothing with three",
        {"win": WIN, "stake": STAKE},
    ),
)

RULEBOOK = RuleBook(
    OPTIONS,
    {"paper": {"payoff": "win"}, "stake": {"payoff": "stake"}},
    {
        "paper": "section 2 of the paper, judged by the share of games won",
        "stake": "the same game for a stake that sums to zero: what one wins others lose",
    },
)
