"""The code of one kernel in LLVM's language: how it is linked, and how it is kept on disk for other processes.

A kernel that other kernels call is only translated. Translating takes longer than all the rest of compiling, so that
a translation is kept: a process that compiles one more player of a game reads the game's kernels instead of translating
them again. A translation names those that it calls, and is of use only with them.
"""

import contextlib
import zlib
from typing import Any, NamedTuple

import llvmlite.binding as llvm
from numba.core.codegen import JITCodeLibrary

from tefuda.kernel import cache
from tefuda.kernel.watch import watch

PACKED = 1  # how hard zlib tries: translations are read more often than written


class Library(JITCodeLibrary):
    """Code of one kernel. Inside another kernel it stays as it was translated; `finalize` is for entries."""

    kept: tuple[str, str] | None = None  # the name under which it is kept, and the symbol by which others call it

    def add_linking_library(self, library: Any) -> None:
        if not isinstance(library, Library):
            library._ensure_finalized()
        self._linking_libraries.append(library)

    def _reached(self, found: dict[int, Any]) -> None:
        for library in self._linking_libraries:
            if id(library) not in found:
                found[id(library)] = library
                self._reload_init.update(library._reload_init)
                if isinstance(library, Library):
                    library._reached(found)

    def _get_module_for_linking(self) -> Any:
        if self._finalized:
            return super()._get_module_for_linking()
        if self._shared_module is None:
            self._shared_module = self._final_module.clone()
            for function in self._shared_module.functions:
                if not function.is_declaration and function.linkage.name == "external":
                    function.linkage = "linkonce_odr"
        return self._shared_module

    def finalize(self) -> None:
        watch.linking()
        self._raise_if_finalized()
        own = {function.name for function in self._final_module.functions if not function.is_declaration}
        found: dict[int, Any] = {}
        self._reached(found)
        for library in found.values():
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        for function in self._final_module.functions:
            # Nobody outside may take these for theirs: a kernel of another game can have the same symbol.
            if not function.is_declaration and function.name not in own:
                function.linkage = "internal"
        self._optimize_final_module()
        self._final_module.verify()
        self._finalize_final_module()


class Translation(NamedTuple):
    """What other kernels need to know of a kernel that they call."""

    library: Library
    fndesc: Any  # its symbol and its types, as Numba describes a function
    signature: Any
    environment: Any  # held here, since Numba finds it by its name only while somebody holds it


_here: dict[str, Translation] = {}  # what this process has translated or read


def keep(name: str, result: Any) -> Translation:
    """Keep the translation of a kernel on disk, unless it calls something that is not kept."""
    library, fndesc = result.library, result.fndesc
    fndesc.typemap = fndesc.calltypes = None  # as Numba does: they are not needed any more, and cannot be written
    called, module = [], library._final_module.clone()
    for other in library._linking_libraries:
        if isinstance(other, Library):
            called.append(other.kept)
        else:  # a function of Numba's own, which goes into the file
            module.link_in(other._get_module_for_linking(), preserve=True)
    environment = result.environment
    if None not in called and (environment is None or environment.can_cache()):
        library.kept = name, fndesc.mangled_name
        code = zlib.compress(module.as_bitcode(), PACKED)
        cache.save(
            f"{cache.TRANSLATED}/{name}", (code, called, fndesc, result.signature, environment, [*library._reload_init])
        )
    _here[name] = Translation(library, fndesc, result.signature, environment)
    return _here[name]


def find(name: str, codegen: Any) -> Translation | None:
    """The translation of a kernel, with all that it calls, or None where something of it is missing or does not fit."""
    if name in _here:
        return _here[name]
    stored = cache.load(f"{cache.TRANSLATED}/{name}")
    if stored is None:
        return None
    with contextlib.suppress(Exception):  # what is something else is translated again, never a reason to stop
        code, called, fndesc, signature, environment, begin = stored
        others = []
        for other, symbol in called:
            found = find(other, codegen)
            if found is None or found.library.kept != (other, symbol):  # another process has written it since
                return None
            others.append(found.library)
        for function in begin:
            function()
        library = Library(codegen, fndesc.qualname)
        library._final_module = llvm.parse_bitcode(zlib.decompress(code))
        library._linking_libraries = others
        library._reload_init.update(begin)
        library.kept = name, fndesc.mangled_name
        _here[name] = Translation(library, fndesc, signature, environment)
        return _here[name]
    return None
