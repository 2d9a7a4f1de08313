"""The conformance check catches a game that tells of a decision what its table hides."""

import dataclasses

import pytest

from tefuda.conformance import check
from tefuda.conformance.telling import tellings_keep_secrets
from tefuda.contract import Game, Moved, Shown
from tefuda.games.kuhn import GAME as KUHN
from tefuda.games.kuhn.rules import LEFT_OVER
from tefuda.games.saichugen import GAME as SAICHUGEN
from tefuda.games.tricks import GAME as TRICKS
from tests.conformance.breaking import broken, with_changes

pytestmark = pytest.mark.kernel


def told(game: Game) -> str:
    """What the check says; a failure begins with FAILED."""
    finding = check(game, checks={"telling": tellings_keep_secrets}).findings[0]
    return finding.detail if finding.passed else f"FAILED {finding.detail}"


@pytest.mark.parametrize("game", [pytest.param(TRICKS, marks=pytest.mark.slow), SAICHUGEN], ids=lambda game: game.name)
def test_a_hidden_decision_that_is_not_declared_secret_is_caught(game, tmp_path):
    detail = told(broken(game, tmp_path, "no-secret", secret=None))
    assert detail.startswith("FAILED")
    assert "the history tells" in detail
    assert "Spaces(secret=…) says which decisions are not public" in detail


def test_the_check_counts_public_decisions():
    assert " decisions were public, 0 secret; " in told(KUHN)


@pytest.mark.slow
def test_the_check_counts_public_and_secret_decisions():
    public, _, rest = told(TRICKS).partition(" decisions were public, ")
    assert int(public.replace(",", "")) > 0
    assert int(rest.partition(" secret; ")[0].replace(",", "")) > 0


def shows(*shown: tuple[int | None, int, int | None]):
    """Tells some cards of Kuhn poker after every decision: each with its owner, its place, and who sees it."""
    return lambda before, after, action: [
        Shown("turned", owner, [int(before["card"][0, place])], to) for owner, place, to in shown
    ]


LEAKING = {
    "a card that nobody sees, to all": shows((None, LEFT_OVER, None)),
    "a card that nobody sees, to one seat": shows((None, LEFT_OVER, 0)),
    "a card of one seat to all": shows((1, 1, None)),
    "a card of one seat to the other": shows((0, 0, 0), (1, 1, 0)),
}


@pytest.mark.parametrize("what", LEAKING)
def test_cards_that_are_shown_and_stay_hidden_are_caught(what, tmp_path):
    detail = told(broken(KUHN, tmp_path, "showing", shown=LEAKING[what]))
    assert detail.startswith("FAILED")
    assert "Shown('turned') tells" in detail
    assert "`to` of Shown names the one seat" in detail


def test_cards_that_are_shown_to_their_owners_are_allowed(tmp_path):
    assert not told(broken(KUHN, tmp_path, "fair", shown=shows((0, 0, 0), (1, 1, 1)))).startswith("FAILED")


@pytest.mark.slow
def test_passed_cards_that_all_are_told_are_caught(tmp_path):
    def to_all(before, after, action):
        return [dataclasses.replace(each, to=None) for each in TRICKS.spaces.shown(before, after, action)]

    detail = told(broken(TRICKS, tmp_path, "received-by-all", shown=to_all))
    assert detail.startswith("FAILED")


@pytest.mark.slow
def test_a_story_that_tells_what_is_passed_is_caught(tmp_path):
    def story(before, after, action, reader):
        return [TRICKS.words.action_name(before, action, reader.lang)]

    words = dataclasses.replace(TRICKS.words, story=story)
    assert told(broken(TRICKS, tmp_path, "telling-story", words=words)).startswith("FAILED")


def test_a_public_story_that_names_a_hidden_card_is_caught(tmp_path):
    def moved(before, after, action, reader):
        return [Moved(int(before["card"][0, LEFT_OVER]), "here", "there")]

    game = broken(KUHN, tmp_path, "moving")
    assert not told(game).startswith("FAILED")
    assert told(with_changes(game, {"moved": moved})).startswith("FAILED")
