"""A page of results as a value: what was found comes first, then tables and figures, and last how it was made.

`page.py` writes it for a browser, `markdown.py` for a repository, `printing.py` for the terminal.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tefuda.report.figures import Figure
from tefuda.report.tables import Compared, Comparison, Table


@dataclass(frozen=True)
class Section:
    """A heading and the paragraphs under it; without a title, paragraphs only. Names stand in `backticks`."""

    title: str
    text: str = ""


@dataclass(frozen=True, eq=False)
class Found:
    """What a page begins with: a few sentences and one figure."""

    text: str
    figure: Figure | None = None
    rows: Sequence[Compared] = ()  # the published figures that the sentences speak of, beside ours


Block = Section | Table | Comparison | Figure


@dataclass(frozen=True, eq=False)
class Document:
    """A page of results."""

    title: str
    about: str  # a line under the title: the paper, say
    found: Found
    blocks: Sequence[Block]
    made: Mapping[str, Any]  # what makes it again: deals, seed, commit, command
    link: str = ""  # where what `about` names is found

    @property
    def figures(self) -> list[Figure]:
        """All figures in the order of the page."""
        first = [] if self.found.figure is None else [self.found.figure]
        return first + [block for block in self.blocks if not isinstance(block, Section | Table | Comparison)]
