"""Any legal action in every lane, each lane by a stream of its own: to try an environment out, and to measure it."""

from tefuda.kernel.compile import kernel
from tefuda.kernel.random import CHECK, below, stream


@kernel
def start_streams(seed, streams):
    """A stream for each lane."""
    for lane in range(streams.shape[0]):
        streams[lane] = stream(seed, lane, 0, CHECK)


@kernel
def any_legal(masks, streams, actions):
    """Write any action of each mask [lanes, actions] to actions [lanes], by the lane's stream."""
    for lane in range(masks.shape[0]):
        legal = 0
        for action in range(masks.shape[1]):
            legal += masks[lane, action]
        left = below(streams[lane : lane + 1], legal)
        for action in range(masks.shape[1]):
            if masks[lane, action]:
                if left == 0:
                    actions[lane] = action
                    break
                left -= 1
