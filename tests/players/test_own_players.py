"""Players of one's own, in all three forms: they play as compiled ones do, and their mistakes are told."""

import numpy as np
import pytest

from tefuda import games
from tefuda.arena.match import match
from tefuda.errors import Problem
from tefuda.players.resolve import resolve
from tefuda.table.table import Table

KOIKOI = games.find("koikoi")
KUHN = games.find("kuhn")
OWN = '''
import numpy as np


class First:
    """Takes the first legal action."""

    def act(self, view):
        return view.legal[0]


class FirstByName:
    def act(self, view):
        return list(view.legal_names)[0]


class FirstNumber:
    """Answers with a number of NumPy's."""

    def act(self, view):
        return np.int64(view.legal[0])


class FirstOfBatch:
    """The same for many tables at once."""

    def choose(self, observations, masks):
        return masks.argmax(axis=1)


class LastOfBatch:
    def choose(self, observations, masks):
        return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)


class Rolling:
    """Uses the random numbers of its seat."""

    def act(self, view):
        return view.random.choice(view.legal)


class Forgetful:
    """Takes the first legal action in its first decision, then the last: remembers nothing of other games."""

    def __init__(self):
        self.asked = 0

    def act(self, view):
        self.asked += 1
        return view.legal[0] if self.asked == 1 else view.legal[-1]


class Raising:
    def act(self, view):
        raise KeyError("no idea")


class Unmakeable:
    def __init__(self):
        raise RuntimeError("no room")

    def act(self, view):
        return view.legal[0]


class Actless:
    def decide(self, view):
        return 0


class Answering:
    answer = None

    def act(self, view):
        return self.answer(view)


class Outside(Answering):
    answer = staticmethod(lambda view: 49)


class NotInHand(Answering):
    answer = staticmethod(lambda view: next(card for card in range(48) if card not in view.legal))


class TooLarge(Answering):
    answer = staticmethod(lambda view: 1000)


class Negative(Answering):
    answer = staticmethod(lambda view: -1)


class Wordy(Answering):
    answer = staticmethod(lambda view: "the red one")


class Silent(Answering):
    answer = staticmethod(lambda view: None)


class Fractional(Answering):
    answer = staticmethod(lambda view: float(view.legal[0]))


class Truthful(Answering):
    answer = staticmethod(lambda view: True)


class ListOfBatch:
    def choose(self, observations, masks):
        return [int(mask.argmax()) for mask in masks]


class IllegalOfBatch:
    def choose(self, observations, masks):
        return masks.argmin(axis=1)


class ShortOfBatch:
    def choose(self, observations, masks):
        return masks.argmax(axis=1)[:-1]


class RealOfBatch:
    def choose(self, observations, masks):
        return masks.argmax(axis=1) + 0.0


class RaisingOfBatch:
    def choose(self, observations, masks):
        raise ValueError("no network")


class HugeOfBatch:
    def choose(self, observations, masks):
        return np.full(len(masks), 10**6)


NotAClass = 3
'''


@pytest.fixture
def own(player_file):
    """own(name) is the name of a player of one's own."""
    path = player_file(OWN)
    return lambda name: f"{path}:{name}"


def without_names(result) -> list[dict]:
    """All that a match says of its players, but for their names."""
    return [{key: value for key, value in row.items() if key != "name"} for row in result.data()["players"]]


# --- three forms of a player ---


@pytest.mark.parametrize("name", ["First", "FirstByName", "FirstNumber", "FirstOfBatch"])
def test_python_and_batch_players_play_like_the_compiled_one(name, own):
    """In Kuhn poker the first legal action is always the pass; the opponent's chances come from its own stream."""
    compiled = match(KUHN, ["always-pass", "random"], 130, seed=9)
    outside = match(KUHN, [own(name), "random"], 130, seed=9)
    assert without_names(outside) == without_names(compiled)
    assert outside.decisions == compiled.decisions
    swapped = match(KUHN, ["random", own(name)], 130, seed=9)
    assert without_names(swapped) == without_names(compiled)[::-1]


def test_a_batch_player_reads_observations_as_the_compiled_one_reads_the_table(player_file, tmp_path):
    """Twelve decisions from a policy file, and the same twelve from the observation's information set."""
    from tefuda.files.policy import PolicyCard, save

    table = [0, 1, 1, 0, 1, 1, 1, 0, 1, 0, 0, 1]
    path = tmp_path / "table.npz"
    save(path, PolicyCard("kuhn", "table", "standard", "", 0, "", {}), np.array(table))
    text = f"""
import numpy as np

class Reading:
    def choose(self, observations, masks):
        return np.array({table})[observations[:, :12].argmax(axis=1)]

class ReadingAlone:
    def act(self, view):
        return {table}[int(view.observation["information_set"].argmax())]
"""
    reading = player_file(text, "reading.py")
    compiled = match(KUHN, [str(path), "random"], 110, seed=10)
    for name in ("Reading", "ReadingAlone"):
        assert without_names(match(KUHN, [f"{reading}:{name}", "random"], 110, seed=10)) == without_names(compiled)


@pytest.mark.slow
def test_forms_agree_in_koikoi_statistics_included(own):
    """The Python form, one table after another, and the batch form, many tables at once; 120 deals are two pieces."""
    opponent = "rule-based/monte-carlo:10"
    expected = match(KOIKOI, [own("First"), opponent], 110, seed=11)
    batch = match(KOIKOI, [own("FirstOfBatch"), opponent], 110, seed=11)
    assert without_names(batch) == without_names(expected)
    assert batch.decisions == expected.decisions
    assert expected.data()["players"][0]["rounds"] == 220
    pair = match(KOIKOI, [own("First"), own("FirstOfBatch")], 10, seed=11)
    assert (pair.rows[0].figure.low, pair.rows[0].figure.high) == (0, 0)
    assert pair.rotations == 2


def test_two_batch_players_are_each_asked_for_their_own_seats(own):
    result = match(KUHN, [own("FirstOfBatch"), own("LastOfBatch")], 60, seed=12)
    assert without_names(result) == without_names(match(KUHN, ["always-pass", "always-bet"], 60, seed=12))


def test_every_seat_of_every_game_gets_a_fresh_player(own):
    result = match(KUHN, [own("Forgetful"), "always-bet"], 40, seed=13)
    # as the first seat it passes, then calls the bet; as the second it passes at once, folding to the bet
    scores = [4 if card > other else -4 for card, other in dealt(40, 13)]
    assert result.rows[0].seats[0].mean == pytest.approx(np.mean(scores) / 2)
    assert result.rows[0].seats[1].mean == -1


def dealt(deals: int, seed: int) -> list[tuple[int, int]]:
    """The cards of Kuhn poker that the first and the second seat are dealt."""
    return [tuple(int(card) for card in Table(KUHN, None, seed, deal).states[0].card[:2]) for deal in range(deals)]


def test_random_numbers_of_a_python_player_come_from_seed_deal_and_seat(own):
    one = match(KUHN, [own("Rolling"), "always-bet"], 60, seed=14)
    assert match(KUHN, [own("Rolling"), "always-bet"], 60, seed=14).rows == one.rows
    assert match(KUHN, [own("Rolling"), "always-bet"], 60, seed=15).rows != one.rows
    rolled = {Table(KUHN, None, 14, deal).randoms[seat].random() for deal in range(10) for seat in (0, 1)}
    assert len(rolled) == 20


# --- players of one's own: mistakes ---


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Outside", "illegal move 49 (koi-koi)"), ("NotInHand", "illegal move"), ("TooLarge", "illegal move 1000"),
        ("Negative", "illegal move -1"), ("Wordy", "illegal move 'the red one'"), ("Silent", "illegal move None"),
        ("Fractional", "illegal move"), ("Truthful", "illegal move True"), ("Raising", "raised KeyError: 'no idea'"),
    ],
)  # fmt: skip
def test_a_wrong_answer_names_player_deal_seat_move_and_legal_moves(name, said, own):
    with pytest.raises(Problem) as caught:
        match(KOIKOI, [own(name), "random"], 3, seed=24)
    line = str(caught.value)
    assert line.startswith(f"player {own(name)}, deal 0, seat 0: {said}")
    assert "\n" not in line
    if "illegal" in said:
        table = Table(KOIKOI, None, 24, 0)
        legal = ", ".join(f"{action} ({KOIKOI.spaces.actions.names[action].en})" for action in table.legal)
        assert line.endswith(f"legal are {legal}")
        assert len(table.legal) == 8


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("IllegalOfBatch", "illegal move 0 (pine crane): legal are"), ("HugeOfBatch", "illegal move 1000000"),
        ("ShortOfBatch", "one for each row"), ("RealOfBatch", "whole numbers"),
        ("RaisingOfBatch", "raised ValueError: no network"),
    ],
)  # fmt: skip
def test_a_wrong_batch_answer_is_told(name, said, own):
    with pytest.raises(Problem) as caught:
        match(KOIKOI, [own(name), "random"], 3, seed=25)
    assert own(name) in str(caught.value)
    assert said in str(caught.value)


def test_a_list_will_do_as_a_batch_answer(own):
    listed, array = (match(KUHN, [own(name), "random"], 20, seed=26) for name in ("ListOfBatch", "FirstOfBatch"))
    assert without_names(listed) == without_names(array)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Frist", "did you mean 'First'?"), ("NotAClass", "unknown class"), ("Actless", "no method act(self, view)"),
        ("", "unknown class"),
    ],
)  # fmt: skip
def test_a_class_that_cannot_play_is_refused(name, said, own):
    with pytest.raises(Problem) as caught:
        resolve(KOIKOI, own(name))
    assert said in str(caught.value)


def test_a_player_that_cannot_be_made_is_told(own):
    with pytest.raises(Problem, match="could not be made: RuntimeError: no room"):
        match(KOIKOI, [own("Unmakeable"), "random"], 1)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("class Broken:\n    def act(self, view)\n        return 0\n", "SyntaxError"),
        ("import no_such_module\n", "no_such_module"),
        ("1 / 0\n", "ZeroDivisionError"),
        ("import sys\nsys.exit(3)\n", "SystemExit"),
    ],
)
def test_a_file_that_cannot_be_loaded_is_told(text, said, player_file):
    path = player_file(text, "broken.py")
    with pytest.raises(Problem) as caught:
        resolve(KOIKOI, f"{path}:Broken")
    assert str(path) in str(caught.value)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_told(tmp_path):
    with pytest.raises(Problem, match=r"no file .*nowhere\.py: .*path/to/file\.py:ClassName"):
        resolve(KOIKOI, f"{tmp_path}/nowhere.py:First")


def test_two_files_of_one_name_are_two_players(tmp_path):
    names = []
    for folder, which in (("one", 0), ("two", -1)):
        (tmp_path / folder).mkdir()
        path = tmp_path / folder / "player.py"
        path.write_text(f"class Mine:\n    def act(self, view):\n        return view.legal[{which}]\n")
        names.append(f"{path}:Mine")
    result = match(KUHN, names, 50, seed=27)
    assert without_names(result) == without_names(match(KUHN, ["always-pass", "always-bet"], 50, seed=27))
