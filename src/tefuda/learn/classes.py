"""Networks that foretell a class from small whole numbers: each number is told as steps (n of its s inputs are 1).

The network is that of engine/network.py, learned in torch with Adam: rows in a new order each pass, a learning rate
that rises and falls. One row in `hold` is not learned from: there the loss is measured.
"""

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from tefuda.learn.deep.network import Shape, forward
from tefuda.learn.deep.torch import torch

HOLD = 50  # one row of so many is kept apart
RISE = 0.05  # of the run: the learning rate rises


def fit(
    numbers: Any, came: Any, steps: np.ndarray, classes: int, units: int, blocks: int, *, passes: float = 4.0,
    rate: float = 2e-3, batch: int = 8192, decay: float = 1e-5, seed: int = 1, begin_with: np.ndarray | None = None,
    say: Callable[..., None] = lambda *_: None,
) -> tuple[np.ndarray, list[dict[str, float]]]:  # fmt: skip
    """Learn from rows of whole numbers, numbers [rows, bytes] and came [rows], tensors on one device.

    `begin_with` are weights to go on from. Returns the weights, and the losses on the way: of rows learned from, and of
    rows kept apart.
    """
    device = numbers.device
    # The last output stands where networks that play have their value: it is a class here.
    shape = Shape(int(steps.sum()), units, blocks, classes - 1)
    flat = torch.tensor(shape.initial(seed) if begin_with is None else begin_with, device=device, requires_grad=True)
    which = torch.tensor(np.repeat(np.arange(len(steps)), steps), device=device)
    above = torch.tensor(np.concatenate([np.arange(each) for each in steps]), dtype=torch.uint8, device=device)
    optimizer = torch.optim.AdamW([flat], lr=rate, weight_decay=decay)
    precision = torch.bfloat16 if device.type == "cuda" else None
    order = torch.Generator(device=device).manual_seed(seed)
    rows = torch.arange(len(came), device=device)
    apart, learned = rows[rows % HOLD == 0], rows[rows % HOLD != 0]
    batch = min(batch, len(learned))

    def losses(chosen: Any, parts: Any) -> Any:
        inputs = (numbers[chosen][:, which] > above).to(precision or torch.float32)
        logits, last = forward(parts, inputs)
        outputs = torch.cat([logits, last[:, None]], dim=1).float()
        return torch.nn.functional.cross_entropy(outputs, came[chosen].long())

    def kept_apart() -> float:
        with torch.no_grad():
            parts = shape.parts(flat, precision)
            return sum(float(losses(some, parts)) * len(some) for some in apart.split(1 << 16)) / len(apart)

    lines: list[dict[str, float]] = []
    total, done = passes * len(learned), 0
    recent, mean, shown = torch.zeros((), device=device), 0, time.monotonic()
    while True:
        shuffled = learned[torch.randperm(len(learned), generator=order, device=device)]
        for some in shuffled.split(batch):
            part = done / total
            if part >= 1.0:
                lines.append({"rows": done, "learned": float(recent) / max(1, mean), "apart": kept_apart()})
                say(lines[-1])
                return flat.detach().cpu().numpy(), lines
            for group in optimizer.param_groups:
                group["lr"] = rate * (part / RISE if part < RISE else (1 - part) / (1 - RISE))
            loss = losses(some, shape.parts(flat, precision))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            recent, mean, done = recent + loss.detach(), mean + 1, done + len(some)
            if time.monotonic() - shown > 10.0:
                lines.append({"rows": done, "learned": float(recent) / mean, "apart": kept_apart()})
                say(lines[-1])
                recent, mean, shown = torch.zeros((), device=device), 0, time.monotonic()
