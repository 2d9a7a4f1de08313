"""What a line typed at the table means: a command, or a move by its number or its name."""

import re
import unicodedata
from collections.abc import Callable

from tefuda.contract import Reader
from tefuda.errors import Problem

HINT, UNSEEN, UNDO, RULES, HELP, QUIT, REDRAW = "hint", "unseen", "undo", "rules", "help", "quit", "table"

# What is typed for each command, and what it does in both languages; an empty line draws the table again.
COMMANDS = (
    (
        HINT,
        ("?", "hint", "ヒント"),
        "それぞれの手の損得（もう一度で、さらに読む）",
        "what each move loses; again: search on",
    ),
    (UNSEEN, ("u", "unseen", "未見"), "まだ見えていない札", "the cards not yet seen"),
    (UNDO, ("z", "undo", "待った"), "自分の前の手に戻る", "take back to your previous decision"),
    (RULES, ("r", "rules", "規則"), "この対局の規則", "the rules in force"),
    (HELP, ("h", "help", "ヘルプ"), "この一覧", "this list"),
    (QUIT, ("q", "quit", "exit", "終了"), "保存してやめる", "save and leave"),
    (REDRAW, ("", "t", "table"), "場をもう一度見せる（Enter）", "draw the table again (Enter)"),
)
_MEANINGS = {word: command for command, words, _, _ in COMMANDS for word in words}
_LONGEST_QUOTED = 24  # characters of a line that an answer repeats
_MOST_REASONS = 3  # that are told together, where a word means several moves
_MOST_NEAR = 4  # numbers of moves that are named, where a word is a part of their names


def plain(text: str) -> str:
    """A text as it is compared: width and case do not matter, and one space is as good as two."""
    return re.sub(r"\s+", " ", unicodedata.normalize("NFKC", text)).strip().casefold()


def _joined(text: str) -> str:
    return re.sub(r"[\s-]", "", text)


def understand(
    line: str, callings: dict[int, list[str]], reader: Reader, others: dict[int, list[str]] | None = None,
    why_not: Callable[[int], str] = lambda action: "", misnamed: Callable[[str], str] = lambda typed: "",
) -> str | int:  # fmt: skip
    """The command or the action that a line means; what means neither is a Problem that says what would do.

    A move is meant by its number or by a whole name of it, never by a part. `callings` are the legal actions in the
    order of their numbers on the screen, with all that each may be called; `others` are those that are not legal now,
    and `why_not` says why. `misnamed` says why a word that is a move at other times is none now.
    """
    typed = plain(line)
    if typed in _MEANINGS:
        return _MEANINGS[typed]
    order = list(callings)
    quoted = _quoted(line.strip())
    if re.fullmatch(r"[+-]?\d+", typed):
        if len(typed) < 6 and 1 <= int(typed) <= len(order):
            return order[int(typed) - 1]
        raise Problem(reader.say(f"手は 1〜{len(order)}", f"no move {quoted}: choose 1 to {len(order)}"))
    if wrong := misnamed(typed):
        raise Problem(wrong)
    found = _called(typed, callings)
    if len(found) == 1:
        return found[0]
    if found:
        numbers = ", ".join(str(order.index(action) + 1) for action in found)
        raise Problem(reader.say(f"「{quoted}」は {numbers} のどれか", f"{quoted!r} could be {numbers}"))
    meant = _called(typed, others or {})
    reasons = dict.fromkeys(filter(None, map(why_not, meant)))
    if 1 <= len(reasons) <= _MOST_REASONS:
        raise Problem("; ".join(reasons))
    if meant:
        raise Problem(
            reader.say(
                f"「{quoted}」は今は出せない（手は 1〜{len(order)}）",
                f"{quoted!r} is not a legal move now: choose 1 to {len(order)}",
            )
        )
    raise Problem(_no_such_move(typed, quoted, callings, reader))


def _quoted(line: str) -> str:
    """A line as an answer repeats it: short, and without what would move the cursor."""
    shown = "".join(letter if letter.isprintable() else "?" for letter in line[:_LONGEST_QUOTED])
    return shown + "…" if len(line) > _LONGEST_QUOTED else shown


def _called(typed: str, callings: dict[int, list[str]]) -> list[int]:
    """The actions that are called so: by these letters, or by these words in another order."""
    whole, words = _joined(typed), sorted(typed.split(" "))
    return [
        action
        for action, names in callings.items()
        if whole and any(_joined(name) == whole or sorted(name.split(" ")) == words for name in map(plain, names))
    ]


def _no_such_move(typed: str, quoted: str, callings: dict[int, list[str]], reader: Reader) -> str:
    """The line for what is no move; where it is a part of names of moves, with their numbers."""
    part = _joined(typed)
    near = [
        number
        for number, names in enumerate(callings.values(), start=1)
        if part and any(part in _joined(plain(name)) for name in names)
    ]
    if not near:
        return reader.say(f"「{quoted}」という手はない（h 一覧）", f"no move {quoted!r} (h for help)")
    numbers = f" ({', '.join(map(str, near))}?)" if len(near) <= _MOST_NEAR else ""
    return reader.say(
        f"「{quoted}」という手はない：番号{numbers}か名の全体で",
        f"no move {quoted!r}: type a number{numbers} or a whole name",
    )
