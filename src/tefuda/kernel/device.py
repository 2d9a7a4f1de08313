"""Kernels on CUDA: each translated once, for one signature; finished ones are kept on disk as the CPU's are.

numba-cuda compiles a kernel of the CPU again when a CUDA kernel calls it, and keeps nothing between processes: a large
kernel would cost minutes at every start. Here finished kernels are kept as machine code for one kind of GPU.
"""

import os
import warnings
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from tefuda import outside
from tefuda.errors import Problem
from tefuda.kernel import cache
from tefuda.kernel.content import name_of, reached_from
from tefuda.kernel.watch import watch

SIMULATED = os.environ.get("NUMBA_ENABLE_CUDASIM") == "1"
THREADS = 128  # in a block


@lru_cache(maxsize=1)
def driver() -> Any:
    """Numba's CUDA module, or a Problem that says what is missing."""
    if not hasattr(np, "row_stack"):
        np.row_stack = np.vstack  # type: ignore[attr-defined]  # numba-cuda 0.30 asks for it, NumPy 2.5 dropped it
    try:
        from numba import cuda
    except ImportError as error:
        raise Problem(f"CUDA needs numba-cuda: pip install 'tefuda[gpu]' ({error})") from error
    if not SIMULATED and not cuda.is_available():
        raise Problem("no CUDA GPU was found on this machine: leave out --device cuda to run on the CPU")
    if not SIMULATED:
        _round_as_the_cpu()
    return cuda


def is_gpu(device: str) -> bool:
    """Whether a device is the GPU; a Problem at once where there is none."""
    if outside.device(device) == "cuda":
        driver()
    return device == "cuda"


def _round_as_the_cpu() -> None:
    """Let CUDA's compiler round each product before it is added to something, as the CPU does. Else a sum could differ
    in its last bit, and a player who compares sums could choose otherwise. numba-cuda has no option for this."""
    from numba.cuda.cudadrv import nvvm

    compile_ir = nvvm.compile_ir
    nvvm.compile_ir = lambda code, **options: compile_ir(code, **{"fma": False, **options})


def launchable(function: Callable[..., Any], linked: bool = False) -> Any:
    """A CUDA kernel, which is compiled when it is first launched, or loaded.

    Left to the linker, machine code of some kernels is three times as quick. But the linker joins products and sums,
    whatever the compiler was told. So it makes (`linked`) only kernels that weigh nothing by fractions.
    """
    if SIMULATED:
        return driver().jit(function)
    dispatcher = driver().jit(function) if linked else driver().jit(function, lto=False)
    dispatcher._cache = _kept_class()(dispatcher, linked)
    return dispatcher


def launch(kernel: Any, lanes: int, *arguments: Any) -> None:
    """Run a kernel with a thread for each lane; returns at once. With no lanes it is compiled all the same."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*Grid size")  # a small batch is no mistake
        kernel[max(1, (lanes + THREADS - 1) // THREADS), THREADS](*arguments)


def wait() -> None:
    """Until all launches are done."""
    driver().synchronize()


def one_signature(each: Any, types: Any) -> Any:
    """The type by which a kernel takes an argument: whole numbers are int64 or uint64. `types` are Numba's for the CPU,
    or numba-cuda's."""
    if isinstance(each, types.Literal) and not isinstance(each, types.Omitted):
        each = each.literal_type
    if isinstance(each, types.Integer):
        return types.uint64 if not each.signed and each.bitwidth == 64 else types.int64
    return each


def on_device(owner: Any) -> Any:
    """A CPU's kernel as CUDA's kernels call it."""
    options = {**owner.targetoptions, "device": True, "debug": False, "opt": True}
    options.pop("_nrt", None)  # CUDA counts no references
    return _device_class()(owner.py_func, options)


@lru_cache(maxsize=1)
def _device_class() -> Any:
    from numba.cuda import types
    from numba.cuda.dispatcher import CUDADispatcher

    class DeviceKernel(CUDADispatcher):
        """A function for use inside CUDA's kernels."""

        def get_call_template(self, args: Any, kws: Any) -> Any:
            _, folded = self.fold_argument_types(args, kws)
            return super().get_call_template(tuple(one_signature(each, types) for each in folded), {})

        def compile_device(self, args: Any, return_type: Any = None) -> Any:
            if args not in self.overloads:
                watch.translated()
            return super().compile_device(args, return_type)

    return DeviceKernel


@lru_cache(maxsize=1)
def _kept_class() -> Any:
    import numba_cuda
    from numba.cuda import serialize
    from numba.cuda.core.caching import NullCache
    from numba.cuda.dispatcher import _Kernel

    class Kept(NullCache):
        """Finished CUDA kernels in the cache on disk."""

        def __init__(self, dispatcher: Any, linked: bool) -> None:
            self.dispatcher, self.linked = dispatcher, linked

        def _name(self, sig: Any) -> str:
            function = self.dispatcher.py_func
            capability = driver().get_current_device().compute_capability
            maker = "by the linker" if self.linked else "not by the linker"
            machine = f"cuda {numba_cuda.__version__} {capability} without fma, {maker}"
            what = f"cuda.{function.__module__}.{function.__name__}"
            return cache.name_of(what, name_of(function), repr(sig), machine)

        def load_overload(self, sig: Any, target_context: Any) -> Any:
            stored = cache.load(self._name(sig))
            if stored is not None:
                try:
                    return _Kernel._rebuild(**stored)
                except Exception:  # a damaged file is compiled again, never a reason to stop
                    pass
            watch.begin(self.dispatcher.py_func, len(reached_from(self.dispatcher)), " for CUDA")
            return None

        def save_overload(self, sig: Any, data: Any) -> None:
            watch.end()
            parts = data._reduce_states()
            library = parts["codelibrary"]
            if library._linking_files:  # it calls code of files of numba-cuda's, which cannot be kept beside it
                return
            library.get_cubin()
            kept = library._llvm_strs, library._ptx_cache
            library._llvm_strs, library._ptx_cache = [], {}  # machine code is all that a later process needs
            try:
                cache.save(self._name(sig), parts, serialize.dumps)
            finally:
                library._llvm_strs, library._ptx_cache = kept

    return Kept
