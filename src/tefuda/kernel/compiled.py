"""How kernels are compiled: each once, for one signature, and optimised once for each way in.

Numba optimises a function together with all that it calls, and does so again for every function on the way: most of
the time goes into work that the next caller does again. Here a kernel that another kernel calls is only translated.
All that an entry (a kernel that Python calls, or whose address is taken) can reach is optimised together, once.

A kernel has one signature: whole numbers are int64 or uint64, whatever width a field or a literal has at the call.
"""

import contextlib
import gc
from collections.abc import Iterator
from typing import Any

from numba.core import compiler, dispatcher, types
from numba.core.compiler_lock import global_compiler_lock
from numba.core.errors import NumbaError
from numba.core.registry import CPUDispatcher
from numba.core.runtime import rtsys
from numba.core.typing import make_concrete_template

from tefuda.kernel import cache, library
from tefuda.kernel.complaint import complaint, placed
from tefuda.kernel.content import name_of, reached_from
from tefuda.kernel.device import on_device, one_signature
from tefuda.kernel.library import Library, Translation
from tefuda.kernel.watch import watch


def canonical(each: types.Type) -> types.Type:
    """The type by which a kernel takes an argument on the CPU."""
    return one_signature(each, types)


class _Compiler(dispatcher._FunctionCompiler):
    """Compiles a kernel as an entry, or for use inside other kernels only."""

    inner = False

    def _compile_core(self, args: Any, return_type: Any) -> Any:
        flags = compiler.Flags()
        self.targetdescr.options.parse_as_flags(flags, self.targetoptions)
        flags.no_cfunc_wrapper = True
        if self.inner:
            flags.no_cpython_wrapper = flags.no_compile = True
        # Symbols are told apart by content: code of two processes can meet in a third that loads both.
        content = f"__{name_of(self.py_func)}"
        if not self.py_func.__qualname__.endswith(content):
            self.py_func.__qualname__ += content
        context = self.targetdescr.target_context
        library = Library(context.codegen(), self.py_func.__qualname__)
        library.enable_object_caching()
        try:
            return compiler.compile_extra(
                self.targetdescr.typing_context, context, self.py_func, args=args, return_type=return_type, flags=flags,
                locals=self.locals, library=library, pipeline_class=self.pipeline_class,
            )  # fmt: skip
        except Exception as error:
            told = placed(error, self.py_func)
            if told is error:
                raise
            raise told from error


class _InnerCompiler(_Compiler):
    inner = True


@contextlib.contextmanager
def _without_collecting() -> Iterator[None]:
    """Compiling makes millions of small objects that stay: to look for garbage among them, again and again, is work."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


class Kernel(CPUDispatcher):
    """A function that is compiled when it is first called."""

    def __init__(self, py_func: Any, locals: Any = None, targetoptions: Any = None, **more: Any) -> None:
        super().__init__(py_func, locals=locals, targetoptions=targetoptions, **more)
        parts = (py_func, self.targetdescr, self.targetoptions, self.locals, compiler.Compiler)
        self._compiler = _Compiler(*parts)
        self._inner_compiler = _InnerCompiler(*parts)
        self._inner: dict[tuple[Any, ...], tuple[object, Translation]] = {}
        self._cache = _Kept(self)
        self._on_device: Any = None
        self._known: set[tuple[Any, ...]] = set()  # types of calls from Python that are taken as others

    def compile(self, sig: Any) -> Any:
        """Compile an entry, or load it; the types of a call from Python are made canonical."""
        given = tuple(sig.args) if hasattr(sig, "args") else tuple(sig)
        wanted = tuple(map(canonical, given))
        try:
            with _without_collecting():
                entry = super().compile(wanted)
        except BaseException as error:
            watch.end()
            if isinstance(error, NumbaError):
                raise complaint(error) from error
            raise
        if given != wanted and given not in self._known:
            self._insert([each._code for each in given], entry, False)
            self._known.add(given)
        return entry

    def address(self, *args: Any) -> int:
        """Where the machine code for some types of arguments lies, for calls through a pointer."""
        wanted = tuple(map(canonical, args))
        self.compile(wanted)
        result = self.overloads[wanted]
        return result.library.get_pointer_to_function(result.fndesc.llvm_func_name)

    # What Numba asks when another kernel calls this one.

    def get_call_template(self, args: Any, kws: Any) -> Any:
        pysig, folded = self._compiler.fold_argument_types(args, kws)
        wanted = tuple(map(canonical, folded))
        if wanted not in self._inner:
            with global_compiler_lock:
                self._translate(wanted)
        signature = self._inner[wanted][1].signature
        name = self.py_func.__name__
        return make_concrete_template(f"CallTemplate({name})", key=name, signatures=[signature]), pysig, wanted, {}

    def _translate(self, args: tuple[Any, ...]) -> None:
        name = self._cache.name(args, self.targetctx)
        found = library.find(name, self.targetctx.codegen())
        if found is None:
            found = library.keep(name, self._inner_compiler.compile(args, None))
        mark = object()  # by which the target finds the function: it has no address of its own
        self.targetctx.insert_user_function(mark, found.fndesc, [found.library])
        self._inner[args] = (mark, found)
        watch.translated()

    @property
    def _CUDATypingContext__dispatcher(self) -> Any:
        """The same kernel on CUDA: numba-cuda looks for it under this name."""
        if self._on_device is None:
            self._on_device = on_device(self)
        return self._on_device

    def get_overload(self, sig: Any) -> Any:
        args = tuple(sig.args) if hasattr(sig, "args") else tuple(sig)
        return self._inner[tuple(map(canonical, args))][0]


_here: dict[str, Any] = {}  # what this process has compiled or loaded: the same code is never there twice


class _Kept(dispatcher.NullCache):
    """Finished entries of a kernel, in the cache on disk."""

    def __init__(self, owner: Kernel) -> None:
        self.owner = owner

    @property
    def cache_path(self) -> str:
        return str(cache.folder())

    def name(self, sig: Any, context: Any) -> str:
        function = self.owner.py_func
        machine = repr(context.codegen().magic_tuple())
        if not self.owner.targetoptions.get("_nrt", True):
            machine += " uncounted"
        return cache.name_of(f"{function.__module__}.{function.__name__}", name_of(function), repr(sig), machine)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        name = self.name(sig, target_context)
        if name in _here:
            return _here[name]
        stored = cache.load(name)
        if stored is not None:
            rtsys.initialize(
                target_context
            )  # all that finished code asks for; what compiling needs takes half a second
            try:
                _here[name] = compiler.CompileResult._rebuild(target_context, *stored)
                return _here[name]
            except Exception:  # a damaged file is compiled again, never a reason to stop
                pass
        new = [each for each in reached_from(self.owner) if not getattr(each, "_inner", None)]
        watch.begin(self.owner.py_func, len(new))
        return None

    def save_overload(self, sig: Any, cres: Any) -> None:
        watch.end()
        name = self.name(sig, self.owner.targetctx)
        _here[name] = cres._replace(metadata=None)  # Numba notes there, once, how long compiling took
        cache.save(name, cres._reduce())
