"""Why a kernel cannot be compiled, in one line: Numba says it in fifty."""

import re
from pathlib import Path

from numba.core.errors import NumbaError

from tefuda.errors import Problem

_PLACE = re.compile(r"^During: .* at (.+) \((\d+)\)$", re.MULTILINE)
_OURS = Path(__file__).parents[1]


def complaint(error: NumbaError) -> Problem:
    """The innermost reason, with the first place on the way out that is not ours."""
    lines = [line.strip() for line in str(error).splitlines()]
    told = [line for line in lines if line and not line.startswith("Failed in nopython mode")]
    reason = told[0] if told else type(error).__name__
    if reason.endswith(":") and len(told) > 1:  # what does not fit stands in the next line
        reason = f"{reason} {told[1].removeprefix('>>> ')}"
    places = [(Path(file), int(line)) for file, line in _PLACE.findall(str(error))]
    location = getattr(error, "loc", None)
    if location is not None:
        places.append((Path(location.filename), int(location.line)))
    theirs = [place for place in places if _OURS not in place[0].parents]
    where = f" ({'{}, line {}'.format(*(theirs or places)[0])})" if places else ""
    return Problem(f"a kernel cannot be compiled: {reason}{where}; NUMBA_DISABLE_JIT=1 runs it as plain Python")
