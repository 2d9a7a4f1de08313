"""The shipped networks play as well as their games' pages say, give or take the luck of a few deals."""

import pytest

from tefuda import games
from tefuda.arena.match import match

CASES = [  # game, rules, player, its opponents, what it gets at least (in Hearts at most), deals
    ("koikoi", "nintendo rounds=1", "champion", "rule-based", 0.6, 2000),
    ("koikoi", "bonus rounds=1", "champion", "rule-based", 0.5, 2000),
    ("koikoi", "paper", "champion", "rule-based", 0.40, 1500),
    ("koikoi", "paper", "champion", "random/always-stop", 3.0, 1500),
    ("koikoi", "paper", "quick", "rule-based", 0.0, 1500),
    ("koikoi", "nintendo", "champion", "random/always-stop", 20.0, 60),
    ("tricks", "plain", "champion", "rule-based", 4.2, 500),
    ("tricks", "plain", "quick", "rule-based", 4.1, 500),
    ("tricks", "plain", "champion+search", "rule-based", 4.1, 40),
    ("tricks", "hearts", "champion", "rule-based", 2.95, 500),
    ("tricks", "hearts", "quick", "rule-based", 3.1, 500),
    ("tricks", "usual", "champion", "rule-based", -30.0, 40),
    ("tricks", "hearts jack=yes passing=left", "champion", "rule-based", -2.0, 200),
    ("koikoi", "nintendo rounds=6", "champion/points", "rule-based", 3.0, 300),
    ("saichugen", "paper", "champion", "random", 57.0, 500),
    ("saichugen", "stake", "champion", "S-base+3t+4r", 0.3, 500),
    ("saichugen", "stake", "champion+search", "S-base+3t+4r", 0.4, 200),
    ("saichugen", "paper", "exploiter", "random", 70.0, 500),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "preset", "player", "opponents", "bound", "deals"), CASES)
def test_networks_play_as_well_as_they_say(name, preset, player, opponents, bound, deals):
    game = games.find(name)
    name_of_rules, *changes = preset.split()
    rules = game.rulebook.make(name_of_rules, changes)
    mean = match(game, [player, opponents], deals, seed=41, rules=rules).rows[0].figure.mean
    assert mean > bound if game.scoring.headline_under(rules).higher_is_better else mean < bound


@pytest.mark.parametrize("name", ["koikoi", "tricks", "saichugen", "mahjong"])
def test_every_rule_option_has_a_champion(name):
    game = games.find(name)
    tried = 0
    for preset in game.rulebook.presets:
        for option in game.rulebook.options:
            for value in option.values or map(str, range(option.low, option.high + 1)):
                rules = game.rulebook.make(preset, [f"{option.key}={value}"])
                assert game.players.named_under("champion", rules), str(rules)
                tried += 1
    assert tried >= 4


@pytest.mark.slow
@pytest.mark.parametrize("name", ["koikoi", "tricks"])
def test_champions_sit_down_by_random_rules(name):
    game = games.find(name)
    rules = game.rulebook.random(8, 1)
    assert len({game.rulebook.row(each) for each in rules}) == 8
    for each in rules:
        match(game, ["champion", "random"], 1, seed=1, rules=each)
