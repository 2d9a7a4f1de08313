"""Tables 6 to 11 of the mahjong paper: ranks from scores, composed hands, a penalty from records."""

import numpy as np
import pytest

from tefuda import papers
from tefuda.errors import Problem
from tefuda.files.policy import load_any, load_for
from tefuda.games.mahjong import FOLDER, MODELS, POLICY_FILE
from tefuda.games.mahjong.paper import penalty
from tefuda.games.mahjong.paper.deal_ends import RESULT
from tefuda.games.mahjong.paper.trials import hans_won_after
from tefuda.papers import mahjong
from tefuda.papers.laboratory import Laboratory
from tefuda.papers.mahjong import hands, learned, matches
from tefuda.players.resolve import resolve
from tefuda.table.table import Table, legal_actions

GAME = matches.GAME
RESULTS = MODELS / "penalty-self.npz"


def test_ranks_are_counted_from_the_best_score():
    scores = np.array([[[5.0, 9, -3, -11], [1, 2, 3, 4]], [[-1, -2, 3, 0], [4, 3, 2, 1]]])
    assert matches.ranks_of(scores, [0, 2]).tolist() == [[2, 2], [3, 3]]


def test_published_places_add_up_to_about_one():
    assert len(matches.PUBLISHED) == 6
    for _, places, rank, games, rates in matches.PUBLISHED.values():
        assert sum(places) == pytest.approx(1.0, abs=0.005)
        mean = sum(place * share for place, share in enumerate(places, start=1))
        assert mean == pytest.approx(float(rank.split()[0]), abs=0.03)
        assert games > 1_000
        assert len(rates) == 4


def tiles(states: np.ndarray) -> list[int]:
    """All tiles of seat 0, the drawn one too."""
    found = [kind for kind, held in enumerate(states[0].hand[0].tolist()) for _ in range(held)]
    return sorted([*found, int(states[0].drawn)] if states[0].drawn >= 0 else found)


@pytest.mark.parametrize("states", [hands.figure_6(), hands.figure_6_last()])
def test_the_hand_of_figure_6_can_discard_what_the_text_weighs(states):
    assert int(states[0].seat) == 0
    assert tiles(states) == sorted(hands.faces(hands.FIGURE_6 + hands.DRAW_6))
    names = {GAME.spaces.actions.names[action].en for action in legal_actions(GAME, states)}
    assert {"discard 5m", "discard 7p", "discard white", "discard the draw"} <= names


def test_in_the_last_deal_only_a_mangan_leaves_the_last_place():
    own, *others = hands.LAST
    assert sum(hands.LAST) == 100_000
    assert own < min(others)
    assert own + 3_900 < min(others) - 3_900  # three han from the third
    assert own + 8_000 > min(others)


def test_in_figure_7_north_can_be_called_and_is_no_yaku():
    states = hands.figure_7()
    assert int(states[0].far[0]) == 1
    assert [GAME.spaces.actions.names[action].en for action in legal_actions(GAME, states)] == ["pon", "pass"]
    assert (0 - int(states[0].kyoku)) % 4 != 3  # not the own wind


def test_trials_play_a_decision_on():
    policy = resolve(GAME, "shanten", GAME.rulebook.make("hand"))
    states = hands.figure_6()
    actions = [(hands.faces("5m")[0], -1), (hands.faces("5z")[0], -1)]
    won = hans_won_after(GAME, states, actions, policy, 3, 60, 1)
    assert won.shape == (60, 2)
    assert set(np.unique(won)) <= {0, 1, 2, 3, 4}
    assert 0 < (won > 0).sum() < 120
    assert np.array_equal(won[:20], hans_won_after(GAME, states, actions, policy, 3, 20, 2))
    assert np.array_equal(won[35:], hans_won_after(GAME, states, actions, policy, 3, 25, 1, 35))


@pytest.mark.slow
def test_composed_hands_are_weighed_and_played_on(tmp_path, monkeypatch):
    monkeypatch.setitem(mahjong.SCALES, "quick", mahjong.Scale(trials=150))
    monkeypatch.setitem(mahjong.PAPER.experiments, "quick", (mahjong.composed_hands,))
    report = papers.reproduce("mahjong", "quick", tmp_path / "report", 1, 1)
    blocks = {getattr(block, "key", ""): block for block in report.blocks}
    for key in ("table-8", "table-9"):
        names = [row[0] for row in blocks[key].rows]
        assert names == [each for name in hands.CHOICES for each in (name, f"published: {name}")]
        assert "The best of all 12 discards at 1, 2, 3 and 4 han: " in blocks[key].note
    passed, called = blocks["table-11"].rows
    assert passed[2].mean > 0.5  # without the pon it declares riichi
    assert called[2].high < called[1] < passed[1]  # with it there is no yaku, and BCP does not know


def test_the_best_of_all_discards_is_named_for_each_number_of_han():
    ours, of_people = {"a": [0.3, 0.2, 0.1, 0.0], "b": [0.2, 0.3, 0.0, 0.1]}, {"a": [0.1] * 4, "b": [0.2] * 4}
    best = "The best of all 2 discards at 1, 2, 3 and 4 han: a (0.300), b (0.300), a (0.100), b (0.100)"
    assert hands.best_of_all(ours, None) == f"{best}."
    assert hands.best_of_all(ours, of_people).startswith(f"{best}; from records: b (0.200), ")


def test_results_of_written_deals_are_those_of_the_games():
    rules = GAME.rulebook.make("hand")
    player = resolve(GAME, "shanten", rules)
    deals = []
    for number in range(40):
        table = Table(GAME, rules, seed=2, deal=number)
        start, taken = table.states.copy(), []
        while not table.over:
            taken.append(int(table.ask(player)))
            table.apply(taken[-1])
        deals.append((start, np.array(taken, np.int16)))
    found = penalty.of_deals(iter(deals))
    assert found.shape[0] == 4
    assert found.shape[2] == RESULT
    assert 5 < found.shape[1] <= penalty.ROWS
    east = penalty.collect(GAME, rules, player, player, penalty.GAMES, 2, 0, 40)
    assert found[0].tolist() == east[east[:, 0] == 0][: found.shape[1], 1:].tolist()


def people() -> learned.People:
    """As if models had learned from records: these are the shipped ones."""
    policy = resolve(GAME, "policy", GAME.rulebook.make("hand"))
    models = {name: load_for(GAME, FOLDER / "policies" / f"{file}.npz")[1] for name, file in
              (("MCP vs tsumogiri", "mcp-tsumogiri"), ("MCP", "mcp"), ("BCP", "bcp"))}  # fmt: skip
    weights = load_for(GAME, POLICY_FILE)[1]
    return learned.People(policy, weights, models, dict.fromkeys(models, 1_000), load_any(GAME, RESULTS))


def test_programs_of_records_sit_with_the_earlier_program_of_the_same_records(monkeypatch, tmp_path):
    monkeypatch.setattr(matches, "people_of", lambda lab: people())
    monkeypatch.setattr(matches, "human_results", lambda records: load_any(GAME, RESULTS))
    found = {
        player.name: getattr(opponent, "name", opponent) for player, opponent in matches.of_people(laboratory(tmp_path))
    }
    assert found == {
        "bcp+penalty-human": "policy-mc", "bcp+penalty-human+search": "policy-mc", "policy-mc-records": "policy-mc",
        **dict.fromkeys(
            ("mcp-tsumogiri-records", "mcp-records", "bcp-records", "bcp-records+penalty-self",
             "bcp-records+penalty-human", "bcp-records+penalty-human+search"), "policy-mc-records",
        ),
    }  # fmt: skip
    assert set(found) - {"policy-mc-records"} == set(matches.OF_PEOPLE)


def test_programs_of_the_shipped_models_play_as_the_shipped_programs():
    program, shipped = people().program("BCP", "+penalty-self", people().results), resolve(GAME, "bcp+penalty-self")
    assert program.name == "bcp-records+penalty-self"
    assert program.params.tobytes() == shipped.params.tobytes()
    searching = people().program("BCP", "+penalty-human", people().results, "+search")
    assert searching.policy is resolve(GAME, "bcp+penalty+search").policy


def test_parts_of_other_records_have_other_names(tmp_path):
    names = set()
    for text, passes, seed in (("a", 1, 1), ("b", 1, 1), ("a", 2, 1), ("a", 1, 2), ("a", 1, 1)):
        lab = laboratory(tmp_path, text, mahjong.Scale(passes=passes), seed)
        names.add(learned.content_of(lab))
    assert len(names) == 4


def laboratory(tmp_path, text: str = "", size: mahjong.Scale | None = None, seed: int = 1) -> Laboratory:
    records = tmp_path / "records.tsv"
    records.write_text(text)
    return Laboratory(GAME, None, size or mahjong.Scale(), seed, tmp_path, 1, records)


def test_records_are_refused_where_they_are_of_no_use(tmp_path):
    with pytest.raises(Problem, match="uses no records"):
        papers.reproduce("koikoi", "headline", tmp_path / "report", 1, 1, records=tmp_path / "records")
    with pytest.raises(Problem, match="no file"):
        papers.reproduce("mahjong", "headline", tmp_path / "report", 1, 1, records=tmp_path / "records")
