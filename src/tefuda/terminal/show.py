"""The parts of the screen: rich draws them in colour, or plainly where there is none."""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from tefuda.contract import Game, Name, Reader, Rules, Said
from tefuda.errors import counted
from tefuda.table.evaluation import Values, unit_of
from tefuda.terminal.commands import COMMANDS
from tefuda.terminal.pieces import wrapped

ONE_LINE: Any = {"no_wrap": True, "overflow": "ellipsis"}  # for printing a heading: cut, not wrapped
WIDEST = 120  # a wider screen stays empty at the right: long lines are hard to read
RULES, DEAL, SEED = Name("規則", "rules"), Name("配り", "deal"), Name("種", "seed")
THEN, VALUE, LOSES, BEST = Name("以後", "then"), Name("見込み", "value"), Name("損", "loses"), Name("最善", "best")
MOST_LISTED = 4  # moves of a hint that are equal so far
UNSEEN = Name("まだ見えていない札", "cards not yet seen")


def width_of(console: Console) -> int:
    """The columns that are used."""
    return min(console.width, WIDEST)


def columns(*styles: str) -> Grid:
    """An empty grid with a column for each style: `>` sets it to the right, one without style is wrapped."""
    grid = Grid.grid(padding=(0, 2, 0, 0))
    for style in styles:
        side: Literal["left", "right"] = "right" if style.startswith(">") else "left"
        # `fold`, for with rich's `ellipsis` a line that ends in a space loses its last letter
        grid.add_column(style=style.lstrip(">"), justify=side, no_wrap=bool(style), overflow="fold")
    return grid


def heading(game: Game, rules: Rules, seed: int, deal: int, reader: Reader, more: str = "") -> Text:
    """One line above everything: what is played."""
    label = reader.label
    facts = [label(game.title), f"{label(RULES)} {rules}", f"{label(DEAL)} {deal}", f"{label(SEED)} {seed}"]
    line = " · ".join(facts + [more] * bool(more))
    return Text(line, "bold cyan")


def story(said: Sequence[Said], reader: Reader, first: int | None = None) -> Grid:
    """Some decisions in words, with a name where the seat changes; with `first`, numbered from there."""
    names = [reader.names[each.seat] for each in said if each.seat is not None]
    beside = max(map(cell_len, names), default=0) + 2  # columns that the lines cannot have
    beside += len(str(first + len(said))) + 2 if first is not None else 0
    grid = columns(">dim", "cyan", "") if first is not None else columns("cyan", "")

    def row(number: str, name: str, line: Name, style: str = "") -> None:
        text = Text(wrapped(reader.label(line), max(1, reader.width - beside)), style)
        grid.add_row(*([number] if first is not None else []), Text(name), text)

    before = None
    for position, each in enumerate(said):
        for index, line in enumerate(each.lines):
            number = str((first or 0) + position) if index == 0 else ""
            name = reader.names[each.seat] if index == 0 and each.seat not in (None, before) else ""
            row(number, name, line)
        before = each.seat if each.lines else before
        for line in each.results:
            row("", "", line, "bold")
            before = None
    return grid


def moves(choices: list[tuple[int, str]], reader: Reader) -> Grid:
    """The legal moves, numbered; side by side only when there are many."""
    longest = max(cell_len(name) for _, name in choices)
    across = 1 if len(choices) <= 9 else max(1, min(4, reader.width // (longest + 7)))
    rows = -(-len(choices) // across)
    grid = columns(*[">cyan", ""] * across)
    for row in range(rows):
        cells: list[RenderableType] = []
        for place in range(row, len(choices), rows):
            cells += [f"{place + 1:2}", Text(choices[place][1])]
        grid.add_row(*cells)
    return grid


def hints(
    game: Game, values: Values, choices: list[tuple[int, str]], reader: Reader, searches_on: bool = True
) -> Group:
    """Every move with its value and what it loses against the best, under its number in the list of moves."""
    label = reader.label
    numbers = {action: (place + 1, name) for place, (action, name) in enumerate(choices)}
    grid = columns(">cyan", "", ">", ">", ">")
    grid.add_row("", "", label(VALUE), f"{label(LOSES)} ± 95 %", "", style="dim")
    for rank, valued in enumerate(values):
        number, name = numbers[valued.action]
        loss = valued.loss.text(2, sign=False) if rank else label(BEST)
        row = f"{number:2}", Text(name), f"{valued.value.mean:+.2f}", loss, "=" if rank and valued.equal else ""
        grid.add_row(*row, style="bold" if valued.equal else "")
    unit = unit_of(game)
    what = label(Name(f"{unit.ja}（多いほどよい）", f"{unit.en}, more is better"))
    worlds = reader.label(Name(f"{values.worlds:,} 通りの世界", counted(values.worlds, "guessed world")))
    head = f"{what}; {worlds}; {label(THEN)} {values.player}"
    found = _told_apart(values, [numbers[valued.action][0] for valued in values.equals], searches_on, reader)
    return Group(Text(wrapped(head, reader.width), "dim"), grid, Text(wrapped(found, reader.width)))


def _told_apart(values: Values, best: list[int], searches_on: bool, reader: Reader) -> str:
    """Which moves are the best, as far as a hint can tell; `best` has their numbers."""
    if len(values) == 1:
        return reader.say("ほかに手はない", "there is no other move")
    more = Name("（? でさらに読む）", " (? searches on)") if searches_on else Name("", "")
    if len(best) == 1:
        return reader.say(f"最善は {best[0]}{more.ja}", f"{best[0]} is best{more.en}")
    ja = en = ", ".join(map(str, sorted(best)))
    if len(best) > MOST_LISTED:
        ja, en = f"最善と = の付いた手（{len(best)}手）", f"the best and those with = ({len(best)} moves)"
    if all(valued.loss.high == 0.0 for valued in values.equals):
        return reader.say(f"{ja} はどの世界でも同じ{more.ja}", f"{en} are equal in every world{more.en}")
    return reader.say(f"{ja} は差がわからない{more.ja}", f"{en} cannot be told apart: equal so far{more.en}")


def unseen(groups: list[tuple[str, list[str]]], reader: Reader) -> Group:
    """The cards not yet seen, group by group, side by side where there is room."""
    separator = "、" if reader.lang == "ja" else ", "
    entries = [(head, separator.join(cards)) for head, cards in groups]
    needed = max((cell_len(head) + cell_len(cards) + 4 for head, cards in entries), default=1)
    across = max(1, min(3, reader.width // needed))
    rows = -(-len(entries) // across)
    grid = columns(*["cyan", ""] * across)
    for row in range(rows):
        grid.add_row(*(Text(text) for place in range(row, len(entries), rows) for text in entries[place]))
    return Group(Text(reader.label(UNSEEN), "bold"), grid)


def rules_in_force(game: Game, rules: Rules, reader: Reader) -> Group:
    """The rules in a player's words where the game has such, else every option with its value."""
    head = Text(f"{reader.label(RULES)} {rules}", "bold")
    if game.words.rules:
        lines = game.words.rules(rules, reader)
        return Group(head, *(Text(wrapped(line, reader.width) if " · " in line else line) for line in lines))
    grid = columns("cyan", "bold", "")
    for option in game.rulebook.options:
        grid.add_row(option.key, option.text(rules.values[option.key]), Text(option.meaning))
    return Group(head, grid)


def help_page(reader: Reader, example: str) -> Grid:
    """The commands; `example` is a move that can be made now."""
    grid = columns("cyan", "")
    grid.add_row("1, 2, …", reader.say("その番号の手", "the move of that number"))
    by_name = reader.say(f"その名の手（「{example}」など）", f"the move of that name, as in: {example}")
    grid.add_row(reader.label(Name("札の名", "name")), by_name)
    for _, words, ja, en in COMMANDS:
        shown = [word for word in words if word and (word.isascii() or reader.lang != "en")]
        grid.add_row(" ".join(shown), reader.say(ja, en))
    return grid


def score_line(scores: np.ndarray, reader: Reader) -> str:
    """Every seat's points."""
    return "   ".join(
        f"{name} {score:+g}" for name, score in zip(reader.names, np.round(scores, 3).tolist(), strict=True)
    )
