"""How a review reads as text. The command that shows one is tested in cli/test_review.py."""

from types import SimpleNamespace

import pytest

from tefuda.contract import Reader
from tefuda.terminal import review


@pytest.mark.parametrize(
    ("number", "en", "ja"),
    [(0, "no mistakes: ", "悪手なし："), (1, "1 mistake: ", "悪手 1："), (12, "12 mistakes: ", "悪手 12：")],
)
def test_mistakes_are_counted_in_words(number, en, ja):
    reviewed = SimpleNamespace(threshold=0.2, mistakes=lambda: [None] * number)
    assert review._heading(reviewed, Reader(0, lang="en")).startswith(en)
    assert review._heading(reviewed, Reader(0, lang="ja")).startswith(ja)
