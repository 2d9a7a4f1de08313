"""A name for a kernel by its content: its code, and all that the code can reach.

Two kernels have the same name when they do the same: the same instructions on the same constants, calling kernels of
the same names. Where the source lies, its comments and its line numbers do not matter, nor does anything that the
kernel cannot reach. So compiled code can be kept under this name, on this machine or on another one.
"""

import builtins
import dis
import hashlib
import inspect
import threading
from functools import cache
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np


class Unnameable(TypeError):
    """A kernel uses something whose content has no name, or calls itself."""


class _Way(threading.local):
    """The functions on the way from a kernel to what it reaches, in this thread; none stands there twice."""

    def __init__(self) -> None:
        self.functions: list[FunctionType] = []


_way = _Way()


def name_of(function: Any) -> str:
    """The name of a kernel, compiled or plain, by its content."""
    return _name_of_function(getattr(function, "py_func", function))


def reached_from(function: Any) -> list[Any]:
    """All kernels that a kernel can call, directly or through others, each once; itself last."""
    found: dict[int, Any] = {}
    _collect(function, found)
    return list(found.values())


def _collect(function: Any, found: dict[int, Any]) -> None:
    if id(function) in found:
        return
    for value in _used_by(function.py_func).values():
        if hasattr(value, "py_func"):
            _collect(value, found)
    found[id(function)] = function


@cache
def _name_of_function(function: FunctionType) -> str:
    if function in _way.functions:
        raise Unnameable(f"{function.__module__}.{function.__qualname__} calls itself, directly or through others")
    _way.functions.append(function)
    try:
        return _name(function)
    finally:
        _way.functions.pop()


def _name(function: FunctionType) -> str:
    digest = hashlib.sha256(_code_bytes(function.__code__, function.__doc__))
    digest.update(_encode((function.__defaults__, tuple(sorted((function.__kwdefaults__ or {}).items())))))
    for name, value in sorted(_used_by(function).items()):
        digest.update(f"\n{name}=".encode())
        try:
            digest.update(_encode(value))
        except Unnameable as error:
            raise Unnameable(f"{function.__module__}.{function.__qualname__} uses {name}: {error}") from None
    return digest.hexdigest()[:24]


def _code_bytes(code: CodeType, docstring: str | None) -> bytes:
    """Instructions, names and constants, without the docstring and without places in the source."""
    constants = list(code.co_consts)
    if docstring is not None and constants and constants[0] == docstring:
        constants[0] = None
    rest = code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS)
    taken = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, rest)
    names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    parts = [code.co_code, repr((taken, names)).encode()]
    for constant in constants:
        parts.append(_code_bytes(constant, None) if isinstance(constant, CodeType) else _encode(constant))
    return b"\x00".join(parts)


@cache
def _used_by(function: FunctionType) -> dict[str, Any]:
    """What a function takes from outside: globals, attributes of modules, and what it closes over."""
    used: dict[str, Any] = {}
    for variable, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        used[f"closure {variable}"] = cell.cell_contents
    _add_globals(function.__code__, function.__globals__, used)
    return used


def _add_globals(code: CodeType, namespace: dict[str, Any], used: dict[str, Any]) -> None:
    module: Any = None  # the module that the instruction before has loaded
    path = ""
    for instruction in dis.get_instructions(code):
        if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            path = str(instruction.argval)
            value = namespace.get(path, getattr(builtins, path, None))
            module = value if isinstance(value, ModuleType) else None
            if module is None:
                used[path] = value
        elif module is not None and instruction.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            path = f"{path}.{instruction.argval}"
            value = getattr(module, str(instruction.argval), None)
            module = value if isinstance(value, ModuleType) else None
            if module is None:
                used[path] = value
        elif instruction.opname != "EXTENDED_ARG":
            module = None
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            _add_globals(constant, namespace, used)


def _encode(value: Any) -> bytes:
    """What a value is, as bytes that are the same in every process."""
    if value is None or value is ... or isinstance(value, bool | int | float | complex | str | bytes | slice):
        return f"{type(value).__name__} {value!r}".encode()
    if isinstance(value, np.generic):
        return f"{value.dtype} ".encode() + value.tobytes()
    if isinstance(value, np.ndarray):
        return f"{value.dtype} {value.shape} ".encode() + hashlib.sha256(np.ascontiguousarray(value).data).digest()
    if isinstance(value, np.dtype):
        return f"dtype {value.descr if value.names else value.str}".encode()
    if isinstance(value, tuple | list):
        return b"(" + b",".join(map(_encode, value)) + b")"
    if hasattr(value, "py_func"):
        return _name_of_function(value.py_func).encode()
    if hasattr(value, "_defn"):  # an intrinsic of Numba's
        return _name_of_function(value._defn).encode()
    if isinstance(value, FunctionType):
        own = value.__module__.partition(".")[0] not in ("numba", "numpy", "math")
        return _name_of_function(value).encode() if own else f"{value.__module__}.{value.__qualname__}".encode()
    if isinstance(value, type | BuiltinFunctionType | np.ufunc):
        return f"{getattr(value, '__module__', '')}.{value.__name__}".encode()
    if type(value).__module__.startswith(("numba.", "llvmlite.")):  # a type or a signature
        return repr(value).encode()
    raise Unnameable(f"{type(value).__name__} {value!r:.60}")
