"""What the package says beside its results: one logger, `tefuda`, a line each on standard error.

A program that uses the package can silence it or send it elsewhere, as any logger:

    logging.getLogger("tefuda").setLevel(logging.WARNING)
"""

import logging
import sys


class _Lines(logging.Handler):
    """Writes to standard error as it is now: tests and programs may have replaced it."""

    def emit(self, entry: logging.LogRecord) -> None:
        print(f"tefuda: {entry.getMessage()}", file=sys.stderr, flush=True)


log = logging.getLogger("tefuda")
log.setLevel(logging.INFO)
log.propagate = False
log.addHandler(_Lines())
