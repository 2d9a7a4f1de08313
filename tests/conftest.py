"""What the tests share: the command line, run as a person runs it, in an empty folder."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

# Networks as small as those of the tests take longer on two threads, many times longer where other tests use the
# other core; and sums are made in one order. torch and NumPy read this when they are first imported.
for library in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[library] = "1"

NO_BROWSER = "there is no Chromium on PATH"  # why a test of the web page is left out
CASES = "fuzzed cases"  # the name under which a test tells how many it has tried


LONGEST = (
    "conformance/test_conformance.py", "papers/mahjong/test_mahjong.py", "web/page/test_moments.py",
    "web/page/test_for_everybody.py", "games/mahjong/paper/test_han.py", "cli/test_command_line.py",
    "interop/test_openspiel.py", "interop/test_vector.py", "interop/test_gymnasium.py", "learn/test_ends.py",
    "games/mahjong/paper/test_features.py", "games/mahjong/paper/test_opening.py", "learn/deep/test_deep_kuhn.py",
    "learn/test_estimates.py", "cli/test_review.py", "conformance/test_broken_koikoi.py", "web/test_process.py",
)  # fmt: skip


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The files that take longest come first: no worker is left with one of them when the others are done."""
    first = {str(Path(__file__).parent / name): place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: first.get(str(item.path), len(first)))


def without_announcement(text: str) -> str:
    """Standard error without the line that a first run prints while it compiles."""
    return re.sub(r"^tefuda: compiling for this machine.*\n", "", text, count=1, flags=re.MULTILINE)


@pytest.fixture
def tefuda(tmp_path):
    """tefuda(argument, …) runs the command line in a folder of its own and gives what came out."""
    folder = tmp_path / "working"
    folder.mkdir(exist_ok=True)

    def run(*arguments, timeout: float = 300, **environment: str) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [sys.executable, "-m", "tefuda", *map(str, arguments)],
            cwd=folder, env={**os.environ, **environment}, capture_output=True, text=True, timeout=timeout, check=False,
        )  # fmt: skip
        done.stderr = without_announcement(done.stderr)
        return done

    run.folder = folder  # type: ignore[attr-defined]
    return run


@pytest.fixture
def here(tmp_path, monkeypatch, capsys):
    """The same as `tefuda` without a process of its own: much quicker."""
    folder = tmp_path / "working"
    folder.mkdir(exist_ok=True)
    monkeypatch.chdir(folder)

    def run(*arguments, **environment: str) -> subprocess.CompletedProcess[str]:
        from tefuda.cli import main

        capsys.readouterr()
        with monkeypatch.context() as patched:
            patched.setattr(sys, "argv", ["tefuda", *map(str, arguments)])
            for key, value in environment.items():
                patched.setenv(key, value)
            try:
                main()
                code = 0
            except SystemExit as left:
                code = left.code
        output, errors = capsys.readouterr()
        return subprocess.CompletedProcess(arguments, code, output, without_announcement(errors))

    run.folder = folder  # type: ignore[attr-defined]
    return run


@pytest.fixture
def player_file(tmp_path):
    """player_file(text) writes a file with players of one's own and gives its path."""

    def write(text: str, name: str = "own.py") -> Path:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


def pytest_terminal_summary(terminalreporter):
    """How many bad inputs the fuzzers have tried, also where they ran in other processes; and loudly, that tests of the
    page were left out."""
    passed = [*terminalreporter.getreports("passed"), *terminalreporter.getreports("failed")]
    tried = [number for report in passed for name, number in report.user_properties if name == CASES]
    if tried:
        terminalreporter.write_line(f"fuzzers: {sum(tried):,} cases of {len(tried)} kinds")
    left_out = [report for report in terminalreporter.getreports("skipped") if NO_BROWSER in str(report.longrepr)]
    if left_out:
        told = (
            f"NO BROWSER: {len(left_out)} tests of the web page were left out. Install chromium, so that it is on PATH."
        )
        terminalreporter.write_line("!" * len(told), red=True, bold=True)
        terminalreporter.write_line(told, red=True, bold=True)
        terminalreporter.write_line("!" * len(told), red=True, bold=True)


# A shell that runs the tests in the background ignores Ctrl-C, and programs started here would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
