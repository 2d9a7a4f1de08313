"""The command line. Modules are loaded when a command needs them, so that `--help` answers at once."""

import io
import sys

import typer

from tefuda import outside
from tefuda.cli import (
    cache,
    demo,
    doctor,
    exact,
    exploit,
    hinting,
    ladder,
    listing,
    new,
    playing,
    positions,
    recording,
    reviewing,
    web,
    working,
)
from tefuda.cli.common import json_apart
from tefuda.errors import Problem
from tefuda.log import log

MOST_WORD = 100_000  # characters of one argument

app = typer.Typer(
    name="tefuda",
    help="tefuda 手札: a laboratory for card and tile games of hidden information.\n\n"
    "Start with `tefuda demo`, `tefuda play koikoi`, or `tefuda match koikoi rule-based random`.",
    no_args_is_help=True,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
)
for module in (
    demo, listing, playing, web, hinting, reviewing, ladder, exploit, exact, working, positions, recording, new, cache,
    doctor,
):  # fmt: skip
    module.register(app)


def main() -> None:
    """Run the command line: a person's mistake is one line and exit code 2."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.errors == "strict":
            stream.reconfigure(errors="replace")  # a terminal that knows no Japanese shows ? for it
    try:
        for word in sys.argv[1:]:
            outside.text("an argument", word, MOST_WORD)
        with json_apart("--json" in sys.argv[1:]):
            code = app(prog_name="tefuda", standalone_mode=False)
        if code == 130:
            log.error("interrupted")
        if isinstance(code, int):
            sys.exit(code)
    except Problem as problem:
        log.error(" ".join(str(problem).split()))  # one line, whatever was quoted in it
        sys.exit(problem.code)
    except typer.Abort:
        sys.exit(130)
    except KeyboardInterrupt:
        log.error("interrupted")
        sys.exit(130)
    except BrokenPipeError:
        sys.exit(141)
    except OSError as error:
        log.error(f"{error.strerror or error}{f': {error.filename}' if error.filename else ''}")
        sys.exit(2)
    except Exception as error:
        if type(error).__module__.startswith(("click", "typer")) and hasattr(error, "format_message"):
            if error.format_message():  # without a command the help has been shown, and there is no more to say
                context = getattr(error, "ctx", None)
                log.error(f"{error.format_message()} (see `{context.command_path if context else 'tefuda'} --help`)")
            sys.exit(2)
        raise
