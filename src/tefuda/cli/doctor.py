"""`tefuda doctor`: what is installed, compiled and seen here, and what to do about what is missing."""

import importlib.util
import os
import platform
import sys
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

import typer

from tefuda.cli.common import Json, console, print_json, table
from tefuda.errors import Problem
from tefuda.version import __version__

GOOD, OPTIONAL, WRONG = "good", "optional", "wrong"  # whether something needs attention
NEEDED = ("numpy", "numba", "typer", "rich")
EXTRAS = {  # an extra: the packages that it brings, with the names by which Python imports them, and what for
    "report": ({"matplotlib": "matplotlib"}, "figures of `tefuda reproduce`"),
    "train": ({"torch": "torch"}, "learning networks"),
    "frame": ({"polars": "polars"}, "data frames of results"),
    "web": ({"fastapi": "fastapi", "uvicorn": "uvicorn", "websockets": "websockets"}, "the table in the browser"),
    "environments": ({"gymnasium": "gymnasium", "pettingzoo": "pettingzoo"}, "environments for other learners"),
    "openspiel": ({"open_spiel": "pyspiel"}, "our games in OpenSpiel, its bots at our tables"),
    "ray": ({"ray": "ray"}, "matches, reviews and learning on a cluster"),
    "gpu": ({"numba-cuda": "numba_cuda"}, "games and learning on an NVIDIA GPU"),
}
LEAST_PYTHON = (3, 11)


@dataclass(frozen=True)
class Inspection:
    """One thing that was looked at."""

    what: str
    state: str  # good, optional (not there, and not needed) or wrong
    found: str
    do: str = ""  # what to do about it


def register(app: typer.Typer) -> None:
    app.command()(doctor)


def doctor(json: Json = False) -> None:
    """What is installed, compiled and seen on this machine, and what to do about what is missing.

    Exit code 1 when something is wrong; what is only optional is not.

    Examples:

    `tefuda doctor`

    `tefuda doctor --json`
    """
    found = findings()
    if json:
        print_json({"findings": [vars(each) for each in found], "wrong": sum(each.state == WRONG for each in found)})
    else:
        rows = [[each.what, each.state, each.found, each.do] for each in found]
        console().print(table("tefuda doctor", ["what", "", "found", "what to do"], rows))
    if any(each.state == WRONG for each in found):
        raise typer.Exit(1)


def findings() -> list[Inspection]:
    """All that is looked at, in the order in which it matters."""
    return [_ourselves(), _python(), *map(_needed, NEEDED), *_compiled(), _work(), *map(_extra, EXTRAS), _gpu()]


def _ourselves() -> Inspection:
    from tefuda.sources import FOLDER

    return Inspection("tefuda", GOOD, f"{__version__} in {FOLDER}")


def _python() -> Inspection:
    fits = sys.version_info >= LEAST_PYTHON
    told = f"{platform.python_version()} on {platform.system()} {platform.machine()}"
    return Inspection("Python", GOOD if fits else WRONG, told, "" if fits else "tefuda needs Python 3.11 or later")


def _needed(package: str) -> Inspection:
    number = _version(package)
    return Inspection(
        package, GOOD if number else WRONG, number or "not installed", "" if number else "pip install tefuda"
    )


def _compiled() -> list[Inspection]:
    """The cache, and whether kernels are compiled at all."""
    from tefuda.kernel import cache
    from tefuda.kernel.compile import COMPILED

    files = cache.files()
    size = sum(path.stat().st_size for path in files) / (1 << 20)
    kept = Inspection("compiled code", GOOD, f"{len(files):,} files, {size:.1f} MiB in {cache.folder()}")
    if cache.folder() != cache.wanted():
        told = f"{cache.wanted()} cannot be written to"
        kept = Inspection(
            "compiled code", WRONG, told, "name another folder by TEFUDA_CACHE, or each start compiles again"
        )
    elif not files:
        kept = Inspection(
            "compiled code", GOOD, f"none yet in {cache.folder()}", "the first match compiles its game, once"
        )
    if COMPILED:
        return [kept]
    return [kept, Inspection("compiling", WRONG, "NUMBA_DISABLE_JIT is set", "unset it, unless you debug kernels")]


def _work() -> Inspection:
    from tefuda.kernel.threads import cores, memory

    total = os.cpu_count() or 1
    of = f" of {total}" if total != cores() else ""
    return Inspection("cores", GOOD, f"{cores()}{of}, {memory() / (1 << 30):.1f} GiB of memory")


def _extra(name: str) -> Inspection:
    packages, what_for = EXTRAS[name]
    here = {package: _version(package) for package, module in packages.items() if importlib.util.find_spec(module)}
    told = ", ".join(f"{package} {number or '?'}" for package, number in here.items())
    missing = [package for package in packages if package not in here]
    if not missing:
        return Inspection(f"extra {name}", GOOD, told)
    lacking = f"{', '.join(missing)} not installed"
    return Inspection(f"extra {name}", OPTIONAL, lacking, f"for {what_for}: pip install 'tefuda[{name}]'")


def _gpu() -> Inspection:
    """The GPU as Numba's CUDA sees it."""
    from tefuda.kernel.device import driver

    try:
        card = driver().get_current_device()
    except Problem as problem:
        return Inspection("GPU", OPTIONAL, "none is seen", str(problem).partition(":")[0])
    except Exception as error:  # whatever the driver of the machine says
        return Inspection("GPU", OPTIONAL, "not usable", f"{type(error).__name__}: {error}".splitlines()[0])
    name = card.name.decode() if isinstance(card.name, bytes) else str(card.name)
    return Inspection("GPU", GOOD, f"{name}, compute capability {'.'.join(map(str, card.compute_capability))}")


def _version(package: str) -> str:
    """The installed version; "" for a package that is not there."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
