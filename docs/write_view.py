"""Writes docs/view.md: all that a player of one's own is given, with the card numbers and fields of each game.

What it says of games comes from their tables and from the comments behind the fields of their states; a test compares
the page with what this would write. Run it by `python docs/write_view.py` after such a change.
"""

import re
from pathlib import Path

from tefuda import games
from tefuda.contract import Game

PAGE = Path(__file__).parent / "view.md"

# Everything that a view has, in the order in which one needs it.
VIEW = {
    "legal": "the actions that may be taken now: a list of numbers",
    "legal_names": "the same by name, as a dictionary from names to numbers; `act` may return a name too: see "
    "[Names of actions](#names-of-actions)",
    "seat": "the own seat, from 0",
    "plain": "all that the seat can know as whole numbers: a dictionary by the names of the fields below. A set of "
    "cards is a list of card numbers. What is hidden is blank: an empty list, -1 or 255. Where a field has an entry "
    'for each seat, `view.plain["score"][view.seat]` is the own one',
    "dealt": "the same dictionary of the table as this round was dealt: the own first hand, the first field. None in a "
    "guessed table for seats other than the guesser's",
    "events": "all that happened, as this seat was told it: see [Events](#events)",
    "history": "the actions among the events: pairs of a seat and an action, None where the action was not public",
    "round": "how many rounds of this game are over",
    "scores": "what each seat has so far",
    "rules": "the rules: `view.rules.values` has the value of each option, `view.rules.preset` the name of the preset",
    "observation": "what a network is given: float32 numbers by name, scaled; the game's README has the table",
    "inputs": "the same numbers in one array",
    "state": "the state itself in an array [1], without what the seat cannot know",
    "game": "the game of the contract: `view.game.spaces.cards[number]` is the name of a card in both languages",
    "random": "a `random.Random` of this seat and deal alone: with it a match plays alike every time",
    "guess": "`view.guess()` is a whole table that agrees with all that the seat knows, with its events and history",
    "show": "`view.show()` is the table as text; `view.show(\"en\")` in English, `view.show(\"ja\")` in Japanese",
}  # fmt: skip

EVENT = {
    "round": "the round that it belongs to, from 0",
    "what": "`round`: a round was dealt; `action`; or what the game says of cards: `drawn`, `turned`, `received`",
    "seat": "whose action or cards; None: nobody's",
    "action": "the action; None where it was not public",
    "cards": "the numbers of the cards; None where this seat may not see them",
    "secret": "whether it was told to one seat alone",
}

TABLE = {
    "to_move": "the seat that decides now, or -1",
    "over": "whether the game is over",
    "legal": "the actions that may be taken now",
    "apply": "`table.apply(action)` takes one, by its number or its name",
    "scores": "what each seat has",
    "view": "`table.view(seat)` is what a seat may know; without an argument, the seat to move",
    "ask": "`table.ask(player)` is what a player would do: a name, a class or an object",
    "copy": "`table.copy()` is another table in the same situation",
    "show": "`table.show()` is the whole table as text; `table.show(seat, lang)` is what a seat sees of it, as in "
    '`table.show(0, "en")`',
}

LIVES = """\
| you give | what plays |
| --- | --- |
| a class with `act(self, view)` | a new object for each seat of each game: it remembers nothing of other games |
| a class with `choose(self, observations, masks)` | one object for the whole match |
| an object, from Python | this object, in all its seats and games, for as long as you keep it |

A view belongs to one decision. It is a copy: what you write into it changes nothing.

`choose` gets a row for each table that waits. With a third argument, `choose(self, observations, masks, lanes)`, it is
told which game each row belongs to: `lanes["deal"]`, `lanes["rotation"]` and `lanes["seat"]` have a number for each
row. The same three numbers come again at the next decision of that seat in that game.

At the table (`tefuda play`) a class gives one object for each seat. When a move is taken back or a game is resumed,
new objects are made and asked again for all decisions so far. An object that you gave yourself is asked again.

## Names of actions
An answer is a whole number of any integer type, or a name. So is what `table.apply` takes. The name may be Japanese,
English, or both as `legal_names` has it; the English name of a card, as an error lists it, will do too. Anything else
is refused, and so is a name that several legal actions have.

## Settings
`mine.py:Mine/worlds=5+greedy=no` calls `Mine(worlds=5, greedy=False)`: settings stand behind a slash, with a plus
between them. A truth value is `yes` or `no`, or `True` or `False`.
"""

_FIELD = re.compile(r'^        \("(\w+)", [^#\n]*\),\s*# (.*)$', re.MULTILINE)
SHOWN = {
    "koikoi": "`turned`: the card that a seat has turned up from the deck",
    "tricks": "`received`: the cards that were passed to a seat, told to it alone",
    "saichugen": "`turned`: the cards of the first two seats, once the third has laid its own",
    "mahjong": "`drawn`: the tile that a seat has drawn, told to it alone (the dealer's first one is in `dealt`); "
    "`turned`: a further dora indicator",
    "leduc": "`turned`: the public card",
}


def fields(game: Game) -> dict[str, str]:
    """The fields of a game's state that `plain` has, each with the comment that stands behind it."""
    sources = [path.read_text(encoding="utf-8") for path in sorted(game.folder.glob("*.py"))]
    text = next(each for each in sources if "State = record_type(" in each)
    body = text[text.index("State = record_type(") :]
    found = dict(_FIELD.findall(body[: body.index("\n)\n")]))
    return {name: found[name] for name in game.plain(game.blank())}


def section(game: Game) -> str:
    """What is to be known of one game."""
    cards = ", ".join(f"{number} {name.en}" for number, name in enumerate(game.spaces.cards))
    rows = "\n".join(f"| `{name}` | {meaning} |" for name, meaning in fields(game).items())
    shown = f"\n\nEvents beside rounds and actions: {SHOWN[game.name]}." if game.spaces.shown else ""
    return f"""\
## {game.title.en}
Cards: {cards}.

Actions:

{game.spaces.actions.markdown()}

Fields of `view.plain`:

| field | meaning |
| --- | --- |
{rows}{shown}
"""


def text() -> str:
    """The whole page."""
    attributes = "\n".join(f"| `{name}` | {meaning} |" for name, meaning in VIEW.items())
    table = "\n".join(f"| `{name}` | {meaning} |" for name, meaning in TABLE.items())
    event = "\n".join(f"| `{name}` | {meaning} |" for name, meaning in EVENT.items())
    sections = "\n".join(section(games.find(name)) for name in games.names())
    return f"""\
# What a player of your own is given
`act(self, view)` gets a view: all that its seat may know, and nothing else.

| | |
| --- | --- |
{attributes}

## Events
`view.events` is a list. Each event has these parts:

| part | meaning |
| --- | --- |
{event}

## Tables
`view.guess()` and `tefuda.table(game, seed=…, deal=…)` give a table, which you can play on:

| | |
| --- | --- |
{table}

## What lives how long
{LIVES}
{sections}"""


if __name__ == "__main__":
    PAGE.write_text(text(), encoding="utf-8")
