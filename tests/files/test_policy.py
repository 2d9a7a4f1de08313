"""Policy files: what is written is read again, and whatever else lies there is refused in one clear line."""

import io
import json
import random
import zipfile
from dataclasses import asdict, replace

import numpy as np
import pytest

from tefuda import games
from tefuda.arena.match import match
from tefuda.errors import Problem
from tefuda.files import policy
from tefuda.files.policy import PolicyCard, load, load_for, save
from tefuda.games.koikoi import decision
from tefuda.players.resolve import resolve

KOIKOI = games.find("koikoi")
KUHN = games.find("kuhn")
LINEAR = KOIKOI.players.policies[KOIKOI.players.index("pg-linear")]
CARD = PolicyCard(
    game="koikoi", policy="pg-linear", rules="paper", features=LINEAR.features, seed=3, commit="abc1234",
    arguments={"step": 0.5, "opponent": "random"}, about="花札 for a test",
    strength=[{"opponent": "random", "figure": "points a game", "mean": 1.5, "low": 1.25, "high": 1.75, "deals": 10,
               "rotations": 2, "seed": 4}],
)  # fmt: skip
WEIGHTS = np.linspace(-2, 2, 36)


@pytest.fixture
def path(tmp_path):
    """A policy file that is fine."""
    save(tmp_path / "policy.npz", CARD, WEIGHTS)
    return tmp_path / "policy.npz"


def refused(path, game=KOIKOI) -> str:
    """The one line that says why a file is refused, by `resolve` as by `load_for`."""
    with pytest.raises(Problem) as caught:
        load_for(game, path)
    line = str(caught.value)
    assert "\n" not in line
    assert str(path) in line
    with pytest.raises(Problem) as again:
        resolve(game, str(path))
    assert str(again.value) == line
    return line


def write_archive(path, **arrays) -> None:
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)
    path.write_bytes(buffer.getvalue())


# --- what is written is read ---


def test_a_round_trip(path):
    card, weights = load(path)
    assert card == CARD
    assert weights.dtype == np.float64
    assert np.array_equal(weights, WEIGHTS.astype(np.float32))
    assert load_for(KOIKOI, path)[0] == CARD
    assert [each.name for each in path.parent.iterdir()] == ["policy.npz"]  # nothing beside it


def test_a_file_becomes_a_player_with_variants(path):
    entrant = resolve(KOIKOI, str(path))
    assert entrant.form == "compiled"
    assert entrant.about == "花札 for a test"
    assert np.array_equal(entrant.params[2:], WEIGHTS.astype(np.float32))
    stopping = resolve(KOIKOI, f"{path}/always-stop")
    assert stopping.params[0] == decision.ALWAYS_STOP
    with pytest.raises(Problem, match="unknown koi-koi decision 'sometimes'"):
        resolve(KOIKOI, f"{path}/sometimes")
    assert match(KOIKOI, [f"{path}/always-stop", "random"], 3).rows[0].more["koikoi_calls"] == 0


@pytest.mark.parametrize("name", ["koikoi", "tricks", "saichugen"])
def test_files_that_come_with_the_game_are_fine(name):
    game = games.find(name)
    files = {player.file for player in game.players.named if player.file}
    assert files == set((game.folder / "policies").glob("*.npz"))  # none that nobody plays
    for file in files:
        card, weights = load_for(game, file)
        assert card.game == name
        assert card.commit
        assert card.arguments
        assert card.strength
        assert np.abs(weights).max() > 0


def test_a_file_that_was_written_anew_is_read_anew(path):
    _, weights = load(path)
    weights[:] = 7.0  # whoever has read it may change what it was given
    assert load(path)[1].tolist() == np.float32(WEIGHTS).tolist()
    save(path, replace(CARD, about="another"), -WEIGHTS)  # as long as the first one
    card, weights = load(path)
    assert (card.about, weights.tolist()) == ("another", np.float32(-WEIGHTS).tolist())


def test_a_player_of_a_file_is_made_once(path):
    """A large network takes a third of a second. It is made anew where its file was written anew."""
    first, another = resolve(KOIKOI, str(path)), resolve(KOIKOI, f"{path}/always-stop")
    assert resolve(KOIKOI, str(path)).params is first.params
    assert another.params is not first.params
    save(path, replace(CARD, about="another"), -WEIGHTS)
    second = resolve(KOIKOI, str(path))
    assert (second.about, second.params[2:].tolist()) == ("another", np.float32(-WEIGHTS).tolist())
    assert first.params[2:].tolist() == np.float32(WEIGHTS).tolist()


def test_writing_replaces_the_whole_file(path):
    save(path, replace(CARD, seed=99), WEIGHTS * 2)
    card, weights = load(path)
    assert card.seed == 99
    assert weights[-1] == 4
    assert [each.name for each in path.parent.iterdir()] == ["policy.npz"]


def test_a_folder_is_made_when_it_is_missing(tmp_path):
    save(tmp_path / "new" / "folder" / "policy.npz", CARD, WEIGHTS)
    assert load(tmp_path / "new" / "folder" / "policy.npz")[0] == CARD


def test_what_cannot_be_written_is_told_and_leaves_nothing(tmp_path):
    (tmp_path / "file").write_text("in the way")
    for place in (tmp_path / "file" / "policy.npz", "/proc/nowhere/policy.npz"):
        with pytest.raises(Problem, match="cannot write"):
            save(place, CARD, WEIGHTS)
    assert [each.name for each in tmp_path.iterdir()] == ["file"]
    (tmp_path / "folder.npz").mkdir()
    with pytest.raises(Problem, match="cannot write"):
        save(tmp_path / "folder.npz", CARD, WEIGHTS)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["file", "folder.npz"]


# --- what is no policy file ---


def test_a_missing_file_is_told(tmp_path):
    assert refused(tmp_path / "nowhere.npz") == f"no policy file {tmp_path / 'nowhere.npz'}"


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9, 0.99])
def test_a_truncated_file_is_told(share, path):
    whole = path.read_bytes()
    path.write_bytes(whole[: int(share * len(whole))])
    assert f"{path} is not a policy file of tefuda, or it is damaged (it is damaged or another kind" in refused(path)


def test_a_text_file_is_told(path):
    path.write_text("weights = 1, 2, 3\n")
    assert "not a policy file" in refused(path)


def test_a_folder_is_told(tmp_path):
    (tmp_path / "folder.npz").mkdir()
    assert "not a policy file" in refused(tmp_path / "folder.npz")


def test_a_plain_array_with_the_name_of_an_archive_is_told(path):
    with path.open("wb") as file:
        np.save(file, WEIGHTS)
    assert "not a policy file" in refused(path)


@pytest.mark.parametrize(
    "arrays",
    [
        {"data": np.zeros(36)}, {"weights": WEIGHTS}, {"card": np.array(json.dumps(asdict(CARD)))},
        {"card": np.array("no JSON"), "weights": WEIGHTS}, {"card": np.array("[1, 2]"), "weights": WEIGHTS},
        {"card": np.array('"text"'), "weights": WEIGHTS}, {"card": np.zeros(3), "weights": WEIGHTS},
        {"card": np.array(json.dumps(asdict(CARD))), "weights": np.array(["a"] * 36)},
    ],
    ids=["another array", "no card", "no weights", "a card of text", "a card of a list", "a card of a string",
         "a card of numbers", "weights of text"],
)  # fmt: skip
def test_a_foreign_archive_is_told(arrays, path):
    write_archive(path, **arrays)
    assert "policy file" in refused(path)


def test_an_archive_with_pickled_objects_is_not_opened(path):
    write_archive(path, card=np.array(json.dumps(asdict(CARD))), weights=np.array([{"a": 1}], object))
    assert "not a policy file" in refused(path)


def test_another_archive_of_the_kind_is_told(path):
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("card.npy", "not an array")
        archive.writestr("weights.npy", "not an array")
    assert "not a policy file" in refused(path)


@pytest.mark.slow
def test_damage_anywhere_is_a_clear_line_or_harmless(path):
    """One byte changed, at every place of the file: never a traceback, and never other weights in silence."""
    whole = path.read_bytes()
    chooser = random.Random(1)
    told = 0
    for place in range(len(whole)):
        damaged = bytearray(whole)
        damaged[place] ^= chooser.randrange(1, 256)
        path.write_bytes(bytes(damaged))
        try:
            card, weights = load_for(KOIKOI, path)
        except Problem:
            told += 1
        else:
            assert np.array_equal(weights, WEIGHTS.astype(np.float32))
            assert card == CARD
    assert told > len(whole) / 3


# --- policy files that do not fit ---


def test_a_policy_for_another_game_is_told(path, tmp_path):
    assert refused(path, KUHN).endswith("is a policy for koikoi, not for kuhn")
    other = tmp_path / "kuhn.npz"
    save(other, PolicyCard("kuhn", "table", "standard", "", 1, "", {}), np.full(12, 0.5))
    assert refused(other).endswith("is a policy for kuhn, not for koikoi")
    assert load_for(KUHN, other)[1].tolist() == [0.5] * 12


@pytest.mark.parametrize("weights", [WEIGHTS[:35], np.zeros(37), np.zeros(0)])
def test_a_wrong_number_of_weights_is_told(weights, path):
    save(path, CARD, weights)
    assert "weights, but pg-linear of koikoi takes 36" in refused(path)


@pytest.mark.parametrize("weights", [np.zeros((6, 6)), np.array(1.0)])
def test_weights_that_are_no_row_are_told(weights, path):
    save(path, CARD, weights)
    assert "weights are not one row of numbers" in refused(path)


@pytest.mark.parametrize("features", ["", "0123456789ab", LINEAR.features.upper()])
def test_weights_for_other_features_are_told(features, path):
    save(path, replace(CARD, features=features), WEIGHTS)
    assert "was made for other features of pg-linear" in refused(path)


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf])
def test_weights_that_are_no_numbers_are_told(wrong, path):
    weights = WEIGHTS.copy()
    weights[7] = wrong
    save(path, CARD, weights)
    assert "weights that are not numbers" in refused(path)


def test_a_policy_that_the_game_does_not_have_is_told(path):
    save(path, replace(CARD, policy="pg-liner"), WEIGHTS)
    with pytest.raises(Problem, match=r"unknown policy of koikoi 'pg-liner': did you mean 'pg-linear'\?"):
        load_for(KOIKOI, path)


def test_chances_that_are_none_are_told(tmp_path):
    """A table of Kuhn poker holds chances; other numbers have the right form and no meaning."""
    path = tmp_path / "kuhn.npz"
    save(path, PolicyCard("kuhn", "table", "standard", "", 1, "", {}), np.full(12, 1.5))
    with pytest.raises(Problem, match="12 rows, each of a chance from 0 to 1"):
        resolve(KUHN, str(path))


@pytest.mark.parametrize(
    "change",
    [
        lambda card: card.update(format="tefuda policy 2"), lambda card: card.pop("format"),
        lambda card: card.pop("game"), lambda card: card.update(colour="red"),
    ],
    ids=["a later format", "no format", "no game", "an unknown entry"],
)  # fmt: skip
def test_a_card_of_another_form_is_told(change, path):
    card = asdict(CARD)
    change(card)
    write_archive(path, card=np.array(json.dumps(card)), weights=WEIGHTS.astype(np.float32))
    assert "policy" in refused(path)


# --- tefuda show ---


@pytest.mark.slow
def test_show_prints_the_card(path, tefuda):
    shown = tefuda("show", path)
    assert shown.returncode == 0, shown.stderr
    for text in ("koikoi", "pg-linear", "paper", "abc1234", "36", "花札 for a test"):
        assert text in shown.stdout
    assert "+1.500 ± 0.250 points a game against random" in shown.stdout
    assert shown.stderr == ""


def test_show_tells_by_which_rules_a_strength_was_measured(path, here):
    (measured,) = CARD.strength
    save(path, replace(CARD, strength=[measured, measured | {"rules": "nintendo"}]), WEIGHTS)
    shown = here("show", path, COLUMNS="200").stdout
    assert "points a game against random (10 deals, seed 4)" in shown  # a file of before
    assert "points a game against random by nintendo (10 deals, seed 4)" in shown


def test_show_prints_weights_by_their_names(path, here):
    shown = here("show", path, "--weights", COLUMNS="200")
    assert shown.returncode == 0, shown.stderr
    assert KOIKOI.learning.linear.names[0] in shown.stdout
    assert "-2.000" in shown.stdout
    assert "+2.000" in shown.stdout


def test_show_prints_json(path, here):
    value = json.loads(here("show", path, "--json").stdout)
    assert value.pop("weights") == 36
    assert value == asdict(CARD)
    value = json.loads(here("show", path, "--weights", "--json").stdout)
    assert value["weights"] == WEIGHTS.astype(np.float32).tolist()


def test_show_says_what_is_wrong_with_a_file(path, here):
    path.write_bytes(path.read_bytes()[:100])
    shown = here("show", path)
    assert shown.returncode == 2
    assert shown.stdout == ""
    assert shown.stderr.startswith("tefuda: ")
    assert "damaged" in shown.stderr
    assert len(shown.stderr.splitlines()) == 1


def test_the_format_is_named():
    assert policy.FORMAT == "tefuda policy 1" == CARD.format
