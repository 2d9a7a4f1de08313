"""tefuda (手札, "the hand you hold"): a laboratory for card and tile games of hidden information."""

from pathlib import Path

FOLDER = Path(__file__).parent
__version__ = "0.1.0"
