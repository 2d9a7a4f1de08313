"""Our games in OpenSpiel, its bots at our tables, and our players at its games.

import pyspiel
import tefuda.interop.openspiel                                # tells OpenSpiel of our games

game = pyspiel.load_game("tefuda_koikoi(rules=nintendo)")
tefuda.match("koikoi", ["openspiel:ismcts/simulations=100", "rule-based"], deals=10)

bot = tefuda.interop.openspiel.bot(pyspiel.load_game("hearts"), 0, "champion")    # a pyspiel.Bot
"""

from tefuda import games
from tefuda.interop.openspiel.delegates import bot
from tefuda.interop.openspiel.game import known_as, pyspiel, register

__all__ = ["bot", "known_as"]

for _name in games.names():
    if known_as(_name) not in pyspiel.registered_names():
        register(_name)
