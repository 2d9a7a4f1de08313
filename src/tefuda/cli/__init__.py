"""The command line. Modules are loaded when a command needs them, so that `--help` answers at once."""

import sys

import typer

from tefuda.cli import cache, exploit, ladder, listing, playing, recording, working
from tefuda.errors import Problem

app = typer.Typer(
    name="tefuda",
    help="tefuda 手札: a laboratory for card and tile games of hidden information.\n\n"
    "Start with `tefuda games`, `tefuda play koikoi`, or `tefuda match koikoi rule-based random`.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
)
for module in (listing, playing, ladder, exploit, working, recording, cache):
    module.register(app)


def main() -> None:
    """Run the command line: a person's mistake is one line and exit code 2."""
    try:
        code = app(standalone_mode=False)
        if code == 130:
            print("tefuda: interrupted", file=sys.stderr)
        if isinstance(code, int):
            sys.exit(code)
    except Problem as problem:
        print(f"tefuda: {' '.join(str(problem).split())}", file=sys.stderr)  # one line, whatever was quoted in it
        sys.exit(2)
    except typer.Abort:
        sys.exit(130)
    except KeyboardInterrupt:
        print("tefuda: interrupted", file=sys.stderr)
        sys.exit(130)
    except BrokenPipeError:
        sys.exit(141)
    except OSError as error:
        print(f"tefuda: {error.strerror or error}{f': {error.filename}' if error.filename else ''}", file=sys.stderr)
        sys.exit(2)
    except Exception as error:
        if type(error).__module__.startswith(("click", "typer")) and hasattr(error, "format_message"):
            if error.format_message():  # without a command the help has been shown, and there is no more to say
                print(f"tefuda: {error.format_message()} (see `tefuda --help`)", file=sys.stderr)
            sys.exit(2)
        raise
