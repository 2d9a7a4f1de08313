"""What makes a player play as it does, as a short hash: a result names it, and stands as long as it stays the same."""

import hashlib
from collections.abc import Iterable

import numpy as np

from tefuda.players.entrant import Entrant


def identity(player: Entrant) -> str:
    """A short hash of a player's policy and parameters, or of the source and settings of a player of one's own."""
    if player.policy is None:
        return digest(player.content).hex()[:12]
    policy = player.policy
    playing = [policy.playing] if policy.search is not None else []
    meaning = policy.former or policy.features
    return digest([policy.key, meaning, *playing, np.array(player.params, np.float64).tobytes()]).hex()[:12]


def digest(parts: Iterable[str | bytes]) -> bytes:
    """A hash of several texts or bytes, which tells where one ends and the next begins."""
    found = hashlib.sha256()
    for part in parts:
        content = part.encode() if isinstance(part, str) else part
        found.update(len(content).to_bytes(8, "big") + content)
    return found.digest()
