"""What a line typed at the table means: a command, or a move by its number or a part of its name."""

import re
import unicodedata

from tefuda.contract import Game, Reader
from tefuda.errors import Problem

HINT, UNSEEN, UNDO, RULES, HELP, QUIT, REDRAW = "hint", "unseen", "undo", "rules", "help", "quit", "table"

# What is typed for each command, and what it does in both languages; an empty line draws the table again.
COMMANDS = (
    (HINT, ("?", "hint", "ヒント"), "それぞれの手の見込み", "what each move is worth"),
    (UNSEEN, ("u", "unseen", "未見"), "まだ見えていない札", "the cards not yet seen"),
    (UNDO, ("z", "undo", "待った"), "自分の前の手に戻る", "take back to your previous decision"),
    (RULES, ("r", "rules", "規則"), "この対局の規則", "the rules in force"),
    (HELP, ("h", "help", "ヘルプ"), "この一覧", "this list"),
    (QUIT, ("q", "quit", "終了"), "保存してやめる", "save and leave"),
    (REDRAW, ("", "t", "table"), "場をもう一度見せる（Enter）", "draw the table again (Enter)"),
)
_MEANINGS = {word: command for command, words, _, _ in COMMANDS for word in words}


def plain(text: str) -> str:
    """A text as it is compared: width and case do not matter, and one space is as good as two."""
    return re.sub(r"\s+", " ", unicodedata.normalize("NFKC", text)).strip().casefold()


def _joined(text: str) -> str:
    return re.sub(r"[\s-]", "", text)


def understand(line: str, game: Game, choices: list[tuple[int, str]], reader: Reader, names: dict[int, list[str]]):
    """The command or the action that a line means; a line that means neither is a Problem that says what would do.

    `choices` are the actions as they are numbered on the screen, `names` the ways to call each of them.
    """
    typed = plain(line)
    if typed in _MEANINGS:
        return _MEANINGS[typed]
    count = len(choices)
    if re.fullmatch(r"[+-]?\d+", typed):
        if 1 <= int(typed) <= count:
            return choices[int(typed) - 1][0]
        raise Problem(reader.say(f"{typed} 番の手はありません（1〜{count}）", f"there is no move {typed}: 1 to {count}"))
    found = _matches(typed, names)
    if len(found) == 1:
        return found[0]
    if found:
        order = [action for action, _ in choices]
        numbers = ", ".join(str(order.index(action) + 1) for action in found)
        raise Problem(
            reader.say(f"「{line.strip()}」に合う手は {numbers}", f"{line.strip()!r} could be {numbers}: type one of them")
        )
    raise Problem(
        reader.say(f"「{line.strip()}」は手でも命令でもありません（h で一覧）", f"no move or command {line.strip()!r}: h lists them")
    )


def _matches(typed: str, names: dict[int, list[str]]) -> list[int]:
    """The actions with this very name; else those with this part in their name; else with all of its words."""
    whole, words = _joined(typed), [_joined(word) for word in typed.split(" ")]
    tests = (
        lambda name: name == whole,
        lambda name: whole in name,
        lambda name: all(word in name for word in words),
    )
    for test in tests:
        found = [action for action, calls in names.items() if any(test(_joined(plain(call))) for call in calls)]
        if found:
            return found
    return []
