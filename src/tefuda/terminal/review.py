"""A review as text: what was lost where, and how much of the result was luck."""

from rich.console import Group, RenderableType
from rich.text import Text

from tefuda.contract import Name, Reader
from tefuda.errors import counted
from tefuda.intervals import Interval
from tefuda.table.judging import FRESH, Judged
from tefuda.table.review import Review
from tefuda.terminal.pieces import wrapped
from tefuda.terminal.show import LOSES, THEN, columns

MOVE, PLAYED, BETTER = Name("手", "move"), Name("指した手", "played"), Name("より良い手", "better")
NO_MISTAKES = Name("悪手なし", "no mistakes")
SKILL, LUCK, RESULT = Name("実力", "skill"), Name("運", "luck"), Name("結果", "result")
ROUND, EXPECTED = Name("局", "round"), Name("結果の見込み", "expected result")
FORCED, THE_BEST = Name("この一手", "the only move"), Name("最善手", "the best")
LEVELS = "▁▂▃▄▅▆▇█"


def shown(review: Review, reader: Reader, every: bool = False) -> Group:
    """The result with its parts, the rounds where there are several, and the mistakes; or `every` decision."""
    parts: list[RenderableType] = [Text(wrapped(_judge(review, reader), reader.width), "dim"), _parts(review, reader)]
    if review.judged:
        parts.append(Text(f"{reader.label(EXPECTED)} {_curve(review, reader.width // 2)}"))
    rounds = review.data()["rounds"]
    if len(rounds) > 1:
        parts += [Text(""), _rounds(rounds, reader)]
    listed = sorted(review.judged.values(), key=lambda judged: judged.turn) if every else review.mistakes()
    parts += [Text(""), Text(_heading(review, reader), "bold")]
    if listed:
        parts.append(_decisions(listed, reader))
    return Group(*parts)


def _judge(review: Review, reader: Reader) -> str:
    judged = len(review.judged)
    head = f"{reader.label(review.unit)}; {reader.label(THEN)} {review.judge.name}"
    ja = (
        f"{judged}/{len(review.turns)} 手を、各手 {review.worlds:,} 通りまでの世界と、その {FRESH} 倍の新しい世界で判定"
    )
    en = (
        f"{judged} of {len(review.turns)} decisions judged, each in up to {review.worlds:,} guessed worlds "
        f"and {FRESH} times as many fresh ones"
    )
    return f"{head}; {reader.say(ja, en)}"


def _parts(review: Review, reader: Reader) -> RenderableType:
    grid = columns("", ">bold", "")
    grid.add_row(reader.label(SKILL), _number(review.skill), reader.say("自分の手で損した分", "lost at own decisions"))
    grid.add_row(reader.label(LUCK), _number(review.luck), reader.say("残り", "the rest"))
    told = (
        "" if review.played.scores is not None else reader.say("見込み（途中まで）", "expected: the game is not over")
    )
    grid.add_row(reader.label(RESULT), f"{review.result:+.2f}       ", told)
    return grid


def _number(value: Interval) -> str:
    return f"{value.mean:+.2f} ± {(value.high - value.low) / 2:.2f}"


def _curve(review: Review, most: int) -> str:
    """The curve in one line; of more decisions than there is room for, some evenly."""
    values = [value for _, value in review.curve]
    if len(values) > most:
        values = [values[place * (len(values) - 1) // (most - 1)] for place in range(most)]
    low, high = min(values), max(values)
    height = (high - low) or 1.0
    line = "".join(LEVELS[int((value - low) / height * (len(LEVELS) - 1) + 0.5)] for value in values)
    return f"{low:+.1f} {line} {high:+.1f}"


def _rounds(rounds: list[dict], reader: Reader) -> RenderableType:
    grid = columns(">cyan", ">", ">", ">")
    grid.add_row(*(reader.label(name) for name in (ROUND, RESULT, SKILL, LUCK)), style="dim")
    for number, each in enumerate(rounds, start=1):
        brought, skill = each["result"], each["skill"]
        rest = ("", "") if brought is None else (f"{brought:+.2f}", f"{brought - skill:+.2f}")
        grid.add_row(str(number), rest[0], f"{skill:+.2f}", rest[1])
    return grid


def _heading(review: Review, reader: Reader) -> str:
    threshold, number = review.threshold or 0.0, len(review.mistakes())
    found = Name(f"悪手 {number}", counted(number, "mistake")) if number else NO_MISTAKES
    ja = f"{found.ja}：区間の全体が {threshold:g} を超える損"
    return reader.say(ja, f"{found.en}: a loss whose whole interval lies above {threshold:g}")


def _decisions(listed: list[Judged], reader: Reader) -> RenderableType:
    grid = columns(">cyan", ">", "", "")
    head = (reader.label(MOVE), f"{reader.label(LOSES)} ± 95 %", reader.label(PLAYED), reader.label(BETTER))
    grid.add_row(*head, style="dim")
    for judged in listed:
        better = reader.label(
            FORCED if judged.forced else THE_BEST if judged.best == judged.action else judged.best_name
        )
        loss = "" if judged.best == judged.action else judged.loss.text(2, sign=False)
        grid.add_row(str(judged.turn + 1), loss, Text(reader.label(judged.name)), Text(better))
    return grid
