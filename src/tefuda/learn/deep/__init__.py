"""Learners whose players are networks, with torch: none of them knows a game.

No kernel is compiled in this folder, so that a change here compiles no game anew; what they need of the games is in
learn/lanes.py. Nothing else in the package needs torch: what is learned here plays without it.
"""
