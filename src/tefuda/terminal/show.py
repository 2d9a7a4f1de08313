"""The parts of the screen, made from a session or a record: rich draws them in colour, or plainly where there is none."""

from collections.abc import Sequence

from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from tefuda.contract import Game, Name, Reader, Rules
from tefuda.records.game import Step
from tefuda.search.evaluate import Valued
from tefuda.terminal.commands import COMMANDS

WIDEST = 120  # wider screens are left empty at the right: long lines are hard to read
RULES, DEAL, SEED = Name("規則", "rules"), Name("配り", "deal"), Name("種", "seed")
SCORE, HIDDEN = Name("得点", "score"), Name("伏せて", "face down")


def width_of(console: Console) -> int:
    return min(console.width, WIDEST)


def heading(game: Game, rules: Rules, seed: int, deal: int, reader: Reader, more: str = "") -> Text:
    """One line above everything: what is played."""
    label = reader.label
    facts = [label(game.title), f"{label(RULES)} {rules}", f"{label(DEAL)} {deal}", f"{label(SEED)} {seed}", more]
    return Text(" · ".join(fact for fact in facts if fact), "reverse", overflow="ellipsis", no_wrap=True)


def table(game: Game, states, reader: Reader) -> RenderableType:
    """The table as the reader sees it."""
    if game.telling.screen:
        return game.telling.screen(states, reader)
    return Text(game.show(states, reader.seat, reader.lang))


def lines_of(game: Game, step: Step, reader: Reader) -> list[str]:
    """What one decision did, as far as the reader may know."""
    if game.telling.story:
        return game.telling.story(step.before, step.after, step.action, reader)
    if step.secret and reader.seat not in (None, step.seat):
        return [reader.label(HIDDEN)]
    return [game.action_name(step.before, step.action, reader.lang)]


def results_of(game: Game, step: Step, reader: Reader) -> list[str]:
    """How a decision ended a round, where it did."""
    return game.telling.result(step.before, step.after, step.action, reader) if game.telling.result else []


def story(game: Game, steps: Sequence[Step], reader: Reader, first: int | None = None) -> Grid:
    """Some decisions in words, a name for each change of the seat; with `first`, numbered from there."""
    grid = Grid.grid(padding=(0, 2, 0, 0))
    if first is not None:
        grid.add_column(justify="right", style="dim", no_wrap=True)
    grid.add_column(no_wrap=True)
    grid.add_column()

    def row(number: str, name: str, text: Text) -> None:
        grid.add_row(*([number] if first is not None else []), Text(name, "cyan"), text)

    before = None
    for position, step in enumerate(steps):
        for index, line in enumerate(lines_of(game, step, reader)):
            named = index == 0 and step.seat != before
            row(str((first or 0) + position) if index == 0 else "", reader.names[step.seat] if named else "", Text(line))
        before = step.seat
        for line in results_of(game, step, reader):
            row("", "", Text(line, "bold"))
            before = None
    return grid


def moves(choices: list[tuple[int, str]], reader: Reader) -> Grid:
    """The legal moves, numbered; side by side only when there are many."""
    longest = max(cell_len(name) for _, name in choices)
    columns = 1 if len(choices) <= 9 else max(1, min(4, reader.width // (longest + 7)))
    rows = -(-len(choices) // columns)
    grid = Grid.grid(padding=(0, 2, 0, 0))
    for _ in range(columns):
        grid.add_column(justify="right", style="cyan", no_wrap=True)
        grid.add_column()
    for row in range(rows):
        cells: list[str] = []
        for place in range(row, len(choices), rows):
            cells += [f"{place + 1:2}", Text(choices[place][1])]
        grid.add_row(*cells)
    return grid


def hints(values: list[Valued], choices: list[tuple[int, str]], digits: int, reader: Reader, player: str) -> Group:
    """Every move with its value and interval, best first, under its number in the list of moves."""
    numbers = {action: (place + 1, name) for place, (action, name) in enumerate(choices)}
    grid = Grid.grid(padding=(0, 2, 0, 0))
    grid.add_column(justify="right", style="cyan", no_wrap=True)
    grid.add_column()
    grid.add_column(justify="right", no_wrap=True)
    for rank, valued in enumerate(values):
        number, name = numbers[valued.action]
        grid.add_row(f"{number:2}", Text(name), Text(valued.value.text(digits)), style="bold" if rank == 0 else "")
    caption = reader.say(
        f"最後の得点の見込み（95 % 区間）。後は全員が {player} として打つ",
        f"expected final score, 95 % interval, when all play on as {player}",
    )
    return Group(Text(caption, "dim"), grid)


def unseen(groups: list[tuple[str, list[str]]], reader: Reader) -> Group:
    """The cards not yet seen, group by group, in columns."""
    separator = "、" if reader.lang == "ja" else ", "
    entries = [(head, separator.join(cards)) for head, cards in groups]
    needed = max((cell_len(head) + cell_len(cards) + 4 for head, cards in entries), default=1)
    columns = max(1, min(3, reader.width // needed))
    rows = -(-len(entries) // columns)
    grid = Grid.grid(padding=(0, 2, 0, 0))
    for _ in range(columns):
        grid.add_column(no_wrap=True, style="cyan")
        grid.add_column()
    for row in range(rows):
        grid.add_row(*(Text(text) for place in range(row, len(entries), rows) for text in entries[place]))
    return Group(Text(reader.say("まだ見えていない札", "cards not yet seen"), "bold"), grid)


def rules_in_force(game: Game, rules: Rules, reader: Reader) -> Group:
    """The rules in a player's words where the game has such, else every option with its value."""
    head = Text(f"{reader.label(RULES)} {rules}", "bold")
    if game.telling.rules:
        return Group(head, *(Text(line) for line in game.telling.rules(rules, reader)))
    grid = Grid.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True, style="cyan")
    grid.add_column(no_wrap=True)
    grid.add_column(style="dim")
    for option in game.rulebook.options:
        grid.add_row(option.key, option.text(rules.values[option.key]), Text(option.meaning))
    return Group(head, grid)


def help_page(reader: Reader) -> Group:
    """The commands."""
    grid = Grid.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True, style="cyan")
    grid.add_column()
    grid.add_row("1, 2, …", reader.say("その番号の手", "the move of that number"))
    grid.add_row(
        reader.say("札の名前", "a name"), reader.say("名前の一部でもよい", "of a card or move, or a part that only it has")
    )
    for _, words, ja, en in COMMANDS:
        shown = [word for word in words if word.isascii() or reader.lang != "en"]
        grid.add_row(" ".join(word for word in shown if word), reader.say(ja, en))
    return Group(grid)


def score_line(scores, digits: int, reader: Reader) -> str:
    """Every seat's points."""
    return "   ".join(
        f"{name} {float(score):+.{0 if float(score).is_integer() else digits}f}"
        for name, score in zip(reader.names, scores, strict=True)
    )
