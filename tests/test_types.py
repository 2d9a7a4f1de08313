"""Every function outside kernels says the types of what it takes and gives."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import tefuda

MAKERS = {"kernel", "launchable", "intrinsic"}  # what these are given is compiled, and Numba finds the types


def is_compiled(function: ast.FunctionDef, given: set[str]) -> bool:
    """Whether a function is a kernel: decorated as one, or handed to a maker by its name."""
    decorators = {each.id for each in function.decorator_list if isinstance(each, ast.Name)}
    return bool(decorators & MAKERS) or function.name in given


def handed_over(node: ast.AST) -> set[str]:
    """The names that are given to makers somewhere in a piece of code, also through a table of functions."""
    found = set()
    for call in ast.walk(node):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in MAKERS:
            found |= {name.id for argument in call.args for name in ast.walk(argument) if isinstance(name, ast.Name)}
    return found


def untyped(node: ast.AST, given: set[str]) -> Iterator[ast.FunctionDef]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef):
            if is_compiled(child, given):
                continue
            taken = child.args
            plain = [*taken.posonlyargs, *taken.args, *taken.kwonlyargs, *filter(None, (taken.vararg, taken.kwarg))]
            missing = [each.arg for each in plain if each.annotation is None and each.arg not in ("self", "cls")]
            if missing or child.returns is None:
                yield child
            yield from untyped(child, given | handed_over(child))
        else:
            yield from untyped(child, given)


@pytest.mark.slow
def test_every_function_outside_kernels_is_typed():
    found = []
    files = sorted(Path(tefuda.FOLDER).rglob("*.py"))
    assert len(files) > 200
    for path in files:
        tree = ast.parse(path.read_text())
        found += [f"{path}:{each.lineno} {each.name}" for each in untyped(tree, handed_over(tree))]
    assert not found, "\n".join(found)
