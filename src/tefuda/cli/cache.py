"""`tefuda cache`, and `tefuda cache pack | unpack | clear`: compiled code on disk."""

from pathlib import Path
from typing import Annotated

import typer

from tefuda.cli.common import Json, print_json

MEBIBYTE = 1 << 20

cache = typer.Typer(invoke_without_command=True)


def register(app: typer.Typer) -> None:
    cache.callback()(show)
    cache.command()(pack)
    cache.command()(unpack)
    cache.command()(clear)
    app.add_typer(cache, name="cache")


def show(context: typer.Context, json: Json = False) -> None:
    """Compiled code on disk: where it is, how many files there are, and how large they are.

    tefuda compiles a function when it is first used and keeps it here; later runs load it. The folder can be removed
    at any time. The variable TEFUDA_CACHE names another one.

    Examples:

    `tefuda cache`

    `tefuda cache pack compiled.tar.xz`, and on a machine of the same kind `tefuda cache unpack compiled.tar.xz`
    """
    if context.invoked_subcommand is not None:
        return
    from tefuda.kernel import cache as kept

    files = kept.files()
    size = sum(path.stat().st_size for path in files)
    if json:
        print_json({"folder": str(kept.folder()), "files": len(files), "bytes": size})
    else:
        print(f"{kept.folder()}: {_count(len(files))}, {size / MEBIBYTE:.1f} MiB")


def pack(file: Annotated[Path, typer.Argument(help="the archive to write, as in compiled.tar.xz")]) -> None:
    """Put all compiled code into one archive, for a machine of the same kind.

    The same kind: the same processor and GPU, and the same versions of Python, NumPy and Numba. Elsewhere the files do
    no harm and are not used.

    Example: `tefuda cache pack compiled.tar.xz`
    """
    from tefuda.errors import Problem
    from tefuda.kernel import cache as kept

    if not kept.files():
        raise Problem(f"there is no compiled code in {kept.folder()} yet: play a match first")
    number = kept.pack(file)
    print(f"{file}: {_count(number)}, {file.stat().st_size / MEBIBYTE:.1f} MiB")


def unpack(file: Annotated[Path, typer.Argument(help="an archive that `tefuda cache pack` has written")]) -> None:
    """Take compiled code out of an archive. It will be run: unpack only what you or somebody you trust has packed.

    Example: `tefuda cache unpack compiled.tar.xz`
    """
    from tefuda.errors import Problem
    from tefuda.kernel import cache as kept

    if kept.folder() != kept.wanted():
        raise Problem(f"cannot write to {kept.wanted()}: name another folder by TEFUDA_CACHE")
    print(f"{kept.folder()}: {_count(kept.unpack(file))} unpacked")


def clear() -> None:
    """Remove all compiled code; what is used again will be compiled again.

    Example: `tefuda cache clear`
    """
    from tefuda.kernel import cache as kept

    print(f"{kept.folder()}: {_count(kept.clear())} removed")


def _count(number: int) -> str:
    return f"{number:,} file{'' if number == 1 else 's'}"
