"""torch, which is imported at its first use: it takes seconds, and whoever does not learn networks can do without."""

import importlib
from collections.abc import Callable
from functools import cache
from typing import Any

from tefuda.errors import Problem
from tefuda.kernel.device import is_gpu


@cache
def _module() -> Any:
    try:
        return importlib.import_module("torch")
    except ImportError as error:
        raise Problem(f"this needs torch: pip install 'tefuda[train]' ({error})") from error


class _Torch:
    """Stands for the module torch: each of its names is looked up there."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # Python and its tools ask every object for these
            raise AttributeError(name)
        return getattr(_module(), name)


torch: Any = _Torch()


def chosen_device(name: str) -> Any:
    """A torch device, or why there is none."""
    if is_gpu(name) and not torch.cuda.is_available():
        raise Problem("torch has no CUDA here: leave out --device cuda to learn on the CPU")
    return torch.device(name)


def as_graph(work: Callable[[], None], device: Any, changed: list[Any]) -> Callable[[], None]:
    """On CUDA, record what `work` does to its tensors as a graph: played again, it costs the CPU next to nothing.

    `work` reads and writes the same tensors each time and asks for no value; `changed` are those whose contents it
    changes, which recording leaves as they were.
    """
    if device.type != "cuda":
        return work
    before = [tensor.detach().clone() for tensor in changed]
    aside = torch.cuda.Stream()
    aside.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(aside):
        for _ in range(3):  # libraries choose and load what they need before anything can be recorded
            work()
    torch.cuda.current_stream().wait_stream(aside)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        work()
    with torch.no_grad():
        for tensor, saved in zip(changed, before, strict=True):
            tensor.copy_(saved)
    return graph.replay
