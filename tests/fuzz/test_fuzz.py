"""Bad input of every kind ends in one line. The cases follow from a seed: a failure comes again.

`make full` runs all cases and prints their number; some of each kind run with the other tests.
"""

import inspect
import random
import subprocess
import sys
import time
from itertools import islice

import numpy as np
import pytest
import typer

import tefuda
from tefuda.cli import app
from tefuda.errors import Problem
from tefuda.table.review import Review
from tests.conftest import CASES
from tests.fuzz import good as good_inputs
from tests.fuzz import mutate
from tests.fuzz.cases import KINDS, calls
from tests.fuzz.guard import SECONDS, failures

PROCESSES = 50  # commands that are run as a person runs them
SEED = 2026


def long_work(progress, done):
    """Stands for Progress.update: work that is under way is meant, however long it would take."""
    if time.monotonic() - progress.began > 1:
        raise Problem("left out: it would take long")


whole_review = Review.run


def short_review(review):
    """Stands for Review.run, which several records tell nothing of until one is done."""
    began = time.monotonic()
    for judged in whole_review(review):
        yield judged
        if time.monotonic() - began > 1:
            raise Problem("left out: it would take long")


def left_out(*arguments, **named):
    raise Problem("left out: it takes minutes")


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    folder = tmp_path_factory.mktemp("fuzz")
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(folder)
        yield good_inputs.make(folder)


@pytest.fixture
def quick(good, monkeypatch):
    """The folder of good files, without what would take minutes when a bad input is good after all."""
    monkeypatch.chdir(good.folder)
    monkeypatch.setattr("tefuda.progress.Progress.update", long_work)
    monkeypatch.setattr(Review, "run", short_review)
    monkeypatch.setattr("tefuda.papers.laboratory.run", left_out)
    monkeypatch.setattr("tefuda.papers.demo.winner", left_out)
    monkeypatch.setattr("tefuda.conformance.check", left_out)
    monkeypatch.setattr("tefuda.templates.write_golden", left_out)  # first: it keeps the function that it imports
    monkeypatch.setattr("tefuda.conformance.write_golden", left_out)
    monkeypatch.setattr("tefuda.cli.benchmarks.load_source", left_out)
    monkeypatch.setattr("tefuda.web.starting.get_ready", left_out)  # all is checked by then, and it would serve
    monkeypatch.setattr("tefuda.kernel.cache.pack", left_out)
    monkeypatch.setattr("tefuda.kernel.cache.clear", left_out)
    monkeypatch.setattr("tefuda.kernel.cache.write", lambda name, content: True)
    return good


def run(kind: str, number: int, good, record_property) -> None:
    make = KINDS[kind][0]
    tried, wrong = failures(islice(make(good, random.Random(f"{SEED} {kind}")), number))
    record_property(CASES, tried)
    assert tried == number
    assert wrong == [], f"{len(wrong)} of {tried}:\n" + "\n".join(wrong[:40])


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_some_bad_inputs_end_in_one_line(kind, quick, record_property):
    run(kind, KINDS[kind][2], quick, record_property)


@pytest.mark.full
@pytest.mark.parametrize("kind", KINDS)
def test_bad_inputs_end_in_one_line(kind, quick, record_property):
    run(kind, KINDS[kind][1], quick, record_property)


def commands_of(command, path: tuple[str, ...] = ()):
    """Every command of the command line, with the words that lead to it."""
    if hasattr(command, "commands"):
        for name, each in command.commands.items():
            yield from commands_of(each, (*path, name))
    else:
        yield path, command


def test_every_command_with_every_option_is_tried():
    lines, without = [line.split() for line in good_inputs.COMMANDS], []
    found = list(commands_of(typer.main.get_command(app)))
    assert len(found) > 20
    for path, command in found:
        words = {word for line in lines if tuple(line[: len(path)]) == path for word in line}
        if not words:
            without.append(" ".join(path))
        for option in (each for each in command.params if each.opts[0].startswith("-") and each.name != "help"):
            if not words & {*option.opts, *option.secondary_opts}:
                without.append(f"{' '.join(path)} {option.opts[0]}")
    assert without == [], "without a good input, from which bad ones are made"


def test_every_function_with_every_argument_is_tried():
    tried = {function: set(arguments) for function, arguments in calls()}
    for name in set(tefuda.__all__) - {"FOLDER", "Problem", "__version__", "list_games"}:
        function = getattr(tefuda, name)
        named = [each.name for each in inspect.signature(function).parameters.values() if each.kind != each.VAR_KEYWORD]
        assert set(named) <= tried.get(function, set()), name


def test_there_are_enough_cases():
    assert PROCESSES + sum(number for _, number, _ in KINDS.values()) >= 2000


@pytest.mark.full
def test_bad_command_lines_end_in_one_line_for_a_person(good, record_property):
    """As processes of their own, with the outermost handler: exit code 0 or 2, and never a traceback."""
    source, wrong = random.Random(SEED), []
    lines = [
        line
        for line in good_inputs.COMMANDS
        if line.split()[0] not in ("demo", "reproduce", "bench", "check", "cache", "web")
    ]
    for number in range(PROCESSES):
        words = mutate.command(source, lines[number % len(lines)].split(), good.words)
        try:
            done = subprocess.run(
                [sys.executable, "-m", "tefuda", *words], cwd=good.folder, input=b"1\nh\nx\nq\n", capture_output=True,
                timeout=10 * SECONDS, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            wrong.append(f"{words}: it hangs")
            continue
        errors = done.stderr.decode(errors="replace")
        if done.returncode not in (0, 2) or "Traceback" in errors or (done.returncode == 2 and not errors.strip()):
            wrong.append(f"{words}: exit code {done.returncode}, {errors[-300:]}")
    record_property(CASES, PROCESSES)
    assert wrong == []


def test_what_may_not_come_is_noticed():
    """The guard itself: other exceptions, exit codes, hangs and memory."""
    from tests.fuzz import guard

    def fails() -> None:
        raise KeyError("x")

    def leaves() -> None:
        sys.exit(1)

    def fills() -> None:
        np.ones(1 << 29)  # 4 GiB

    cases = [guard.Case(call.__name__, call) for call in (fails, leaves, fills, left_out)]
    number, wrong = failures(iter(cases))
    assert number == 4
    assert [line.partition(":")[0] for line in wrong] == ["fails", "leaves", "fills"]
