"""Nothing that one system alone has is used without another way. Only Linux is at hand: the others are imitated."""

import ast
import errno
import importlib.util
import os
import sys
from types import ModuleType

import pytest

import tefuda
from tefuda.files import lock
from tefuda.kernel import threads

ROOT = tefuda.FOLDER.parents[1]
SOURCES = sorted(path for name in ("src", "benchmarks", "examples") for path in (ROOT / name).rglob("*.py"))
UNIX_MODULES = {"crypt", "fcntl", "grp", "posix", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty"}
UNIX_NAMES = {  # what `os` and `signal` have on some systems only
    "fork", "forkpty", "geteuid", "getuid", "killpg", "mkfifo", "nice", "sched_getaffinity", "sched_setaffinity",
    "setsid", "symlink", "symlink_to", "sysconf", "uname", "wait4", "SIGALRM", "SIGCHLD", "SIGHUP", "SIGKILL",
    "SIGPIPE", "SIGUSR1", "SIGUSR2", "SIGWINCH", "add_signal_handler",
}  # fmt: skip
GUARDED = {  # where such a name stands: how other systems do without it
    ("src/tefuda/kernel/threads.py", "sched_getaffinity"): "hasattr asks first",
    ("src/tefuda/kernel/threads.py", "sysconf"): "the list of its names is asked first",
    ("benchmarks/web.py", "sysconf"): "reached only where /proc is",
}


def parents(tree: ast.AST) -> dict[ast.AST, ast.AST]:
    return {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}


def is_guarded(node: ast.AST, above: dict[ast.AST, ast.AST]) -> bool:
    """Whether it stands in a `try`, in a `with suppress`, or behind a question for the system."""
    while node in above:
        node = above[node]
        if isinstance(node, ast.Try | ast.With) or (isinstance(node, ast.If) and "platform" in ast.dump(node.test)):
            return True
    return False


def test_what_unix_alone_has_is_guarded():
    wrong, found = [], set()
    for path in SOURCES:
        name, tree = path.relative_to(ROOT).as_posix(), ast.parse(path.read_text(encoding="utf-8"))
        above = parents(tree)
        for node in ast.walk(tree):
            imported = {each.name for each in node.names} if isinstance(node, ast.Import) else set()
            if imported & UNIX_MODULES and not is_guarded(node, above):
                wrong.append(f"{name}: import {imported}")
            if isinstance(node, ast.Attribute) and node.attr in UNIX_NAMES and isinstance(node.value, ast.Name):
                found.add((name, node.attr))
    assert wrong == []
    assert found == set(GUARDED)


def test_texts_are_read_and_written_as_utf_8():
    """Windows would take another encoding when none is named."""
    wrong, seen = [], 0
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or getattr(node.func, "attr", "") not in ("read_text", "write_text"):
                continue
            seen += 1
            if not any(keyword.arg == "encoding" for keyword in node.keywords):
                wrong.append(f"{path.name}:{node.lineno}")
    assert seen > 5
    assert wrong == []


def test_memory_that_is_unknown_refuses_nothing(monkeypatch):
    monkeypatch.delattr(os, "sysconf_names")
    assert threads.memory() >= 1 << 40


@pytest.fixture
def on_windows(monkeypatch):
    """The module of locks as Windows loads it, with an msvcrt that is made from what there is here."""
    fcntl = pytest.importorskip("fcntl")

    def locking(handle: int, mode: int, size: int) -> None:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise OSError(errno.EACCES, "another has it") from error

    msvcrt = ModuleType("msvcrt")
    msvcrt.locking, msvcrt.LK_NBLCK = locking, 2
    spec = importlib.util.spec_from_file_location("lock_on_windows", lock.__file__)
    module = importlib.util.module_from_spec(spec)
    with monkeypatch.context() as patched:
        patched.setitem(sys.modules, "msvcrt", msvcrt)
        patched.setattr(sys, "platform", "win32")
        spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("system", ["here", "windows"])
def test_one_process_works_in_a_folder(system, tmp_path, request):
    locks = lock if system == "here" else request.getfixturevalue("on_windows")
    handle = locks.keep_out_others(tmp_path, "table")
    with pytest.raises(tefuda.Problem, match="another table works in"):
        locks.keep_out_others(tmp_path, "table")
    os.close(handle)
    with locks.turn(tmp_path), pytest.raises(tefuda.Problem, match="another table"):
        locks.keep_out_others(tmp_path, "table")
    os.close(locks.keep_out_others(tmp_path, "table"))


def test_on_windows_a_turn_is_waited_for(on_windows, tmp_path, monkeypatch):
    handle = on_windows.keep_out_others(tmp_path, "table")
    waited = []

    def give_back(seconds: float) -> None:
        waited.append(seconds)
        os.close(handle)

    monkeypatch.setattr(on_windows.time, "sleep", give_back)
    with on_windows.turn(tmp_path):
        assert len(waited) == 1
