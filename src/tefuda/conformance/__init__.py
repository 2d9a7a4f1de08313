"""The conformance check: what every game of the contract must do, with no knowledge of any game.

    from tefuda.conformance import check
    print(check(tefuda.game("koikoi")))

A check is a function of a `Study` (the game, the seed, how much to try) that returns a line on what it tried,
or raises `Failed` with the rules, seed, deal and decision at which something differed. All presets of the
rules are tried, and some random settings of all options.
"""

import contextvars
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tefuda import outside
from tefuda.conformance import deals, golden, guessing, places, play, scenes, secrecy, tables, telling
from tefuda.conformance.golden import write_golden
from tefuda.conformance.study import Failed, Study
from tefuda.contract import Game
from tefuda.errors import Problem
from tefuda.games import find, names
from tefuda.kernel.complaint import CannotCompile

__all__ = ["CHECKS", "Failed", "Finding", "Findings", "Study", "check", "check_all", "write_golden"]

PATIENCE = 300.0  # seconds at one place after which a check is taken to hang; a first run also compiles in this time
LOOKS = 20  # how often in this time it is seen whether the check went on

Check = Callable[[Study], str]

CHECKS: dict[str, Check] = {
    "games end in time, and there is a legal action until then": play.games_end,
    "every card is somewhere, and only once": play.cards_are_conserved,
    "scores add up as declared": play.scores_add_up,
    "expected places add up to 0, and follow the scores at the end": places.places_are_true,
    "same seed, same bytes, however the work is cut": play.same_bytes,
    "neighbouring seeds and deals have nothing in common": play.streams_differ,
    "hidden cards change nothing that a seat is given": secrecy.seats_know_nothing_hidden,
    "what is told of a decision names nothing that stays hidden": telling.tellings_keep_secrets,
    "a scene has every card once, and every legal move": scenes.scenes_are_whole,
    "hidden cards change no player's choice": secrecy.players_know_nothing_hidden,
    "a guess keeps all that was seen": guessing.guesses_keep_what_was_seen,
    "a guess takes nothing from the true cards": guessing.guesses_take_nothing_hidden,
    "a guess can be played on to its end": guessing.guesses_can_be_played_on,
    "guesses are uniform over what the hard facts allow": guessing.guesses_are_uniform,
    "the list of deals is complete, and information sets have their numbers": deals.deals_are_listed,
    "players take legal actions only": play.players_are_legal,
    "kernels fill their arrays and write nowhere else": tables.kernels_fill_their_arrays,
    "tables of actions, observations, rules and players agree": tables.tables_agree,
    "the golden playthrough is unchanged": golden.is_unchanged,
}


@dataclass(frozen=True)
class Finding:
    """The result of one check: what was tried, or what went wrong and where."""

    name: str
    passed: bool
    detail: str
    seconds: float = 0.0
    last: bool = False  # the other checks would come to the same end, and are left out


@dataclass(frozen=True)
class Findings:
    """All findings about one game."""

    game: str
    seed: int
    findings: list[Finding] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        return bool(self.findings) and all(finding.passed for finding in self.findings)

    @property
    def failures(self) -> list[Finding]:
        return [finding for finding in self.findings if not finding.passed]

    def __str__(self) -> str:
        lines = []
        for finding in self.findings:
            mark = "ok  " if finding.passed else "FAIL"
            lines.append(f"{mark} {self.game}: {finding.name} ({finding.seconds:.1f} s)")
            lines.extend(f"         {line}" for line in finding.detail.splitlines())
        return "\n".join(lines)


def check(
    game: Game,
    seed: int = 1,
    thorough: bool = False,
    checks: dict[str, Check] = CHECKS,
    patience: float = PATIENCE,
) -> Findings:
    """Run the checks on one game, up to one that hangs or cannot be compiled: the rest would too, and is left out."""
    report = Findings(game.name, outside.experiment_seed(seed))
    study = Study(game, seed, thorough)
    for name, function in checks.items():
        finding = _finding(name, function, study, patience)
        report.findings.append(finding)
        if finding.last:
            break
    return report


def check_all(seed: int = 1, thorough: bool = False) -> list[Findings]:
    """Check every game that comes with the package. Finding no game is an error: nothing would be tested."""
    found = names()
    if not found:
        raise Problem("no game was found, so nothing was checked")
    return [check(find(name), seed, thorough) for name in found]


def _finding(name: str, function: Check, study: Study, patience: float) -> Finding:
    """Run one check beside the main thread, which gives up waiting when a kernel never returns."""
    result: dict[str, Any] = {}

    def work() -> None:
        try:
            result["passed"], result["detail"] = True, function(study)
        except Failed as failure:
            result["passed"], result["detail"] = False, str(failure)
        except CannotCompile as problem:
            result["passed"], result["detail"], result["last"] = False, f"{problem}; no other check was tried", True
        except Problem as problem:
            result["passed"], result["detail"] = False, f"{study.where}: {problem}"
        except Exception as error:
            place = traceback.extract_tb(error.__traceback__)[-1]
            text = f"raised {type(error).__name__}: {error} ({place.filename}, line {place.lineno})"
            result["passed"], result["detail"] = False, f"{study.where}: {text}"

    started = time.monotonic()
    inherited = contextvars.copy_context()  # NumPy's error settings among others
    thread = threading.Thread(target=inherited.run, args=(work,), daemon=True)  # a hanging kernel may not keep us
    thread.start()
    place, arrived = study.where, started
    while thread.is_alive() and time.monotonic() - arrived < patience:
        thread.join(patience / LOOKS)
        if study.where != place:  # a check that goes on may take as long as it needs, as on a busy machine
            place, arrived = study.where, time.monotonic()
    seconds = time.monotonic() - started
    if thread.is_alive():
        return Finding(name, False, f"{study.where}: did not return within {patience:g} seconds", seconds, last=True)
    return Finding(name, result["passed"], result["detail"], seconds, result.get("last", False))
