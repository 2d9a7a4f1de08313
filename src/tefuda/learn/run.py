"""Training runs: progress, checkpoints, and going on where an interrupted run stopped, with the same result."""

import json
import time
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from tefuda import outside
from tefuda.errors import Problem, quoted, unknown
from tefuda.files.archive import read_archive, write_archive
from tefuda.files.whole import write_bytes
from tefuda.players.identity import digest
from tefuda.progress import Progress

EVERY = 5.0  # seconds between checkpoints
# Arguments that older runs do not name, with the value that changes nothing for them.
LATER = {"symmetric": True, "actors": 1, "settle": 0.0, "exploring": "random", "squares": 0.0, "reopen": 0.0}
MOST_WHOLE = 10**15  # of an argument that counts work


class Resumable(Protocol):
    """Work under way whose state can be stored, and that goes on from a stored state to the same end."""

    @property
    def done(self) -> bool: ...
    def state(self) -> dict[str, np.ndarray]: ...
    def restore(self, state: dict[str, np.ndarray]) -> None: ...


def parse_arguments(arguments: type, texts: list[str]) -> Any:
    """Arguments of a type, made from `key=value` texts; an unknown key is an error. The type can have `MOST`: the most
    of those arguments that count from 0 on and take memory."""
    known, most = {each.name: each for each in fields(arguments)}, getattr(arguments, "MOST", {})
    values: dict[str, Any] = {}
    for text in outside.texts("arguments", texts):
        key, value = outside.setting("--arg", text, "episodes=1000")
        if key not in known:
            raise unknown("argument", key, known)
        values[key] = _convert(key, value, known[key].default, most.get(key))
    return arguments(**values)


def _convert(key: str, text: str, default: Any, most: int | None) -> Any:
    try:
        if isinstance(default, bool):
            return {"yes": True, "no": False}[text]
        if isinstance(default, tuple):
            return tuple(int(each) for each in text.split(","))
        if isinstance(default, int):
            bounds = (-MOST_WHOLE, MOST_WHOLE) if most is None else (0, most)
            return outside.whole(f"argument {key}", int(text), *bounds)
        return type(default)(text)
    except (ValueError, KeyError):
        takes = "yes or no" if isinstance(default, bool) else f"a value like {default!r}"
        raise Problem(f"argument {key} is {quoted(text)}, but takes {takes}") from None


def run(
    learning: Resumable, advance: Callable[[], float], total: float, unit: str, folder: Path, identity: dict[str, Any],
    every: float | None = None, note: Callable[[], str] = str,
) -> None:  # fmt: skip
    """Go on to the end, from the checkpoint in the folder where there is one.

    `advance` makes a step of well under a second and returns how much is done. `note` says what the line of progress
    ends in. A checkpoint is written `every` so many seconds. `identity` says which run this is: a checkpoint of
    another run in the same folder is refused, not overwritten.
    """
    checkpoint = folder / "checkpoint.npz"
    goes_on = _resume(learning, checkpoint, identity)
    saved = time.monotonic()
    try:
        with Progress("training", total, unit) as progress:
            while not learning.done:
                done = advance()
                if goes_on:
                    progress.goes_on_from(done)
                    goes_on = False
                progress.update(done)
                progress.note = note()
                if time.monotonic() - saved > (EVERY if every is None else every):
                    _store(learning, checkpoint, identity)
                    saved = time.monotonic()
    except KeyboardInterrupt:
        _store(learning, checkpoint, identity)
        raise
    _store(learning, checkpoint, identity)


def _store(learning: Resumable, checkpoint: Path, identity: dict[str, Any]) -> None:
    arrays: dict[str, Any] = {"identity": np.array(json.dumps(identity, sort_keys=True)), **learning.state()}
    write_archive(checkpoint, {**arrays, "digest": np.array(digest_of(arrays))})


def digest_of(arrays: dict[str, np.ndarray]) -> str:
    """A hash of the arrays of a checkpoint: kernels trust what a checkpoint restores."""
    parts = (
        (key, str(array.dtype), str(array.shape), np.ascontiguousarray(array).tobytes())
        for key, array in arrays.items()
    )
    return digest(part for each in parts for part in each).hex()


def prepare(folder: Path, identity: dict[str, Any]) -> dict[str, np.ndarray] | None:
    """Look into the folder of a run before any work: it can be written, and holds no other run.

    Returns the state to go on from, if there is one.
    """
    write_bytes(folder / ".writable", b"")
    (folder / ".writable").unlink()
    checkpoint = folder / "checkpoint.npz"
    if not checkpoint.exists():
        return None
    try:
        state = read_archive(checkpoint)
        written = state.pop("digest", None)  # a checkpoint of before had none
        if written is not None and str(written) != digest_of(state):
            raise _damaged(checkpoint)
        stored = outside.json_value(str(state.pop("identity")))
        if not isinstance(stored, dict):
            raise _damaged(checkpoint)
    except (Problem, KeyError, ValueError) as error:
        raise _damaged(checkpoint) from error
    wanted = json.loads(json.dumps(identity))
    stored = {**{key: value for key, value in LATER.items() if key in wanted}, **stored}
    if stored != wanted:
        differs = [key for key in wanted if stored.get(key) != wanted[key]]
        raise Problem(f"{folder} holds another run ({', '.join(differs)} differ); choose another --out")
    return state


def _damaged(checkpoint: Path) -> Problem:
    return Problem(f"{checkpoint} is damaged; remove it to begin anew, or choose another --out")


def fits(state: dict[str, np.ndarray], fresh: dict[str, np.ndarray]) -> bool:
    """Whether the arrays of a checkpoint have the types and sizes of a new run's. What is empty at first may grow."""
    return all(
        state[key].dtype == array.dtype and (state[key].shape == array.shape or array.size == 0)
        for key, array in fresh.items()
        if key in state
    )


def _resume(learning: Resumable, checkpoint: Path, identity: dict[str, Any]) -> bool:
    """Restore what a checkpoint holds; returns whether there is one."""
    state = prepare(checkpoint.parent, identity)
    if state is None:
        return False
    if not fits(state, learning.state()):
        raise _damaged(checkpoint)
    try:
        learning.restore(state)
    except (KeyError, ValueError, TypeError, IndexError, RuntimeError) as error:  # arrays of other sizes
        raise _damaged(checkpoint) from error
    return True
