"""The plainest players: any legal action, and always the tile just drawn."""

from tefuda.games.mahjong.actions import PASS, TSUMOGIRI
from tefuda.kernel.bits import count_words, has_word, next_of_words, nth_of_words
from tefuda.kernel.compile import kernel
from tefuda.kernel.random import below


@kernel
def choose_any(view, seat, params, rng, mask, worlds, numbers):
    """Any legal action, all alike."""
    return nth_of_words(mask, below(rng, count_words(mask)))


@kernel
def choose_the_draw(view, seat, params, rng, mask, worlds, numbers):
    """Discard what was drawn, claim nothing, win never."""
    if has_word(mask, TSUMOGIRI):
        return TSUMOGIRI
    return PASS if has_word(mask, PASS) else next_of_words(mask, 0)
