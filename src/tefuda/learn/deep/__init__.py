"""What the learners of networks share; none of it knows a game.

torch is imported when it is first used (torch.py), and nothing else in the package needs it: what was learned plays
without it.
"""
