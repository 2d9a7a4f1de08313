"""A table as a reader may see it: the scene that a game gives, with what all games share added to it.

Shared are the seats' names, who is asked, the moves, and what was just done. A game that gives no scene gets one from
its `show`, its scores and the names of its actions.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from tefuda.contract import Card, Game, Mark, Move, Moved, Name, Note, Reader, Said, Scene, Seat, Zone
from tefuda.contract.scene import CAPTURABLE, PLAYABLE, place_of
from tefuda.engine.single import legal_actions, single_of
from tefuda.table.record import Step

FACE_DOWN, NOT_NOW = Name("伏せて", "face down"), Name("今はできない", "not a legal move now")
POINTS = Name("得点", "points")
SHARED_MARKS = (Mark(PLAYABLE, Name("出せる", "can be played")), Mark(CAPTURABLE, Name("取れる", "can be taken")))
SCENES = 2048  # that are kept for the next decision: some at each of some hundred tables


def scene_of(
    game: Game, states: np.ndarray, reader: Reader, steps: Sequence[Step] = (), turn: int = 0, moved: bool = True
) -> Scene:
    """The scene of a table [1], true or hidden. `steps` are the decisions that are told as just done, with `moved` also
    which cards each of them moved."""
    seen = hidden_copy(game, states, reader.seat)
    told = _lying(game, seen, reader) if game.words.scene else _plain_scene(game, seen, reader)
    moves = moves_of(game, seen, reader)
    seats = tuple(_named(seat, reader.title(number)) for number, seat in enumerate(told.seats))
    return replace(
        told, game=game.name, turn=turn, reader=reader.seat, asked=_asked(game, seen, reader),
        over=int(single_of(game).to_move(seen)) < 0, seats=seats, zones=_marked(told.zones, moves), moves=moves,
        said=tuple(said_of(game, step, reader, moved) for step in steps), legend=_with_shared(told.legend),
    )  # fmt: skip


@lru_cache(maxsize=SCENES)
def _named(seat: Seat, name: Name) -> Seat:
    return replace(seat, name=name)


@lru_cache
def _with_shared(legend: tuple[Mark, ...]) -> tuple[Mark, ...]:
    """The marks of a game, and those of all games that it does not name itself."""
    return legend + tuple(mark for mark in SHARED_MARKS if mark.key not in {each.key for each in legend})


def _lying(game: Game, states: np.ndarray, reader: Reader) -> Scene:
    """What lies on a table, as the game tells it. The table after a decision is the one before the next, so it is kept
    for a while."""
    return _kept_lying(game, states.tobytes(), reader)


@lru_cache(maxsize=SCENES)
def _kept_lying(game: Game, content: bytes, reader: Reader) -> Scene:
    assert game.words.scene is not None
    return game.words.scene(np.frombuffer(bytearray(content), game.State), reader)


def hidden_copy(game: Game, states: np.ndarray, seat: int | None) -> np.ndarray:
    """A copy of a table without what a seat cannot know; without a seat, all of it."""
    single, seen = single_of(game), np.empty(1, game.State)
    if seat is None:
        single.copy(states, seen)
    else:
        single.look(states, seat, seen, np.empty(game.spaces.mask_words, np.uint64))
    return seen


def _asked(game: Game, seen: np.ndarray, reader: Reader) -> int | None:
    """Who decides now; None when nobody does, or when the reader may not know that somebody was asked."""
    seat, spaces = int(single_of(game).to_move(seen)), game.spaces
    if seat < 0:
        return None
    told = not spaces.unheard or reader.seat in (None, seat)
    if told or not any(spaces.secret(seen, seat, action) for action in range(spaces.actions.size) if spaces.secret):
        return seat
    return None


def _plain_scene(game: Game, seen: np.ndarray, reader: Reader) -> Scene:
    """The scene of a game that gives none: the table as text, and the scores."""
    scores = np.zeros(game.seats)
    single_of(game).scores(seen, scores)
    seats = tuple(Seat(int(score) if score == int(score) else round(float(score), 3)) for score in scores)
    lines = _lines(lambda told: game.words.show(seen, told.seat, told.lang).split("\n"), reader)
    return Scene(seats=seats, notes=tuple(map(Note, lines)), signed=True, points_name=POINTS)


def _lines(words: Callable[[Reader], list[str]], reader: Reader) -> tuple[Name, ...]:
    """Some lines in each language; where a language has more lines than another, all are one."""
    told = [words(reader.speaking(lang)) for lang in reader.languages]
    if len({len(lines) for lines in told}) > 1:
        told = [["\n".join(lines)] for lines in told]
    return tuple(Name(*line) for line in zip(*told, strict=True))


# The moves


def moves_of(game: Game, seen: np.ndarray, reader: Reader) -> tuple[Move, ...]:
    """The legal actions of the seat that is asked, where that is the reader; who sees all hands sees all moves."""
    if reader.seat not in (None, int(single_of(game).to_move(seen))):
        return ()
    return tuple(_move(game, seen, action, reader) for action in legal_actions(game, seen))


def illegal_moves(game: Game, states: np.ndarray, reader: Reader) -> tuple[Move, ...]:
    """All that the reader may not do now, each with the reason."""
    seen = hidden_copy(game, states, reader.seat)
    if reader.seat not in (None, int(single_of(game).to_move(seen))):
        return ()
    others = sorted(set(range(game.spaces.actions.size)) - set(legal_actions(game, seen)))
    return tuple(
        replace(_own_move(game, seen, action), name=game.spaces.actions.names[action], why_not=reason)
        for action in others
        for reason in [why_not(game, seen, action, reader)]
    )


def why_not(game: Game, seen: np.ndarray, action: int, reader: Reader) -> Name:
    """Why an action is not legal now: the game's own reason, where it has one."""
    told = game.words.why_not
    reason = reader.tell(lambda each: told(seen, action, each)) if told else NOT_NOW
    return reason if reason.en else NOT_NOW


def _move(game: Game, seen: np.ndarray, action: int, reader: Reader) -> Move:
    name = Name(*(game.words.action_name(seen, action, lang) for lang in reader.languages))
    return replace(_own_move(game, seen, action), name=name)


def _own_move(game: Game, seen: np.ndarray, action: int) -> Move:
    """An action with the cards that it involves, where the game tells them."""
    return game.words.involves(seen, action) if game.words.involves else Move(action)


def _marked(zones: Sequence[Zone], moves: Sequence[Move]) -> tuple[Zone, ...]:
    """The zones with marks on the cards that moves play or take; of equal ones the last is what is taken."""
    played = {(move.place, card) for move in moves for card in move.cards}
    taken = {(move.with_place, card) for move in moves for card in move.with_}
    places = {place for place, _ in played | taken}

    def marked(place: str, cards: Sequence[Card], number: int) -> Card:
        card, later = cards[number], cards[number + 1 :]
        more = [PLAYABLE] * ((place, card.id) in played)
        if (place, card.id) in taken and card.id not in [other.id for other in later]:
            more.append(CAPTURABLE)
        return replace(card, marks=tuple(dict.fromkeys([*card.marks, *more]))) if more else card

    return tuple(
        replace(zone, cards=tuple(marked(zone.place, zone.cards, i) for i in range(len(zone.cards))))
        if zone.place in places
        else zone
        for zone in zones
    )


# What was just done


def said_of(game: Game, step: Step, reader: Reader, moved: bool = False) -> Said:
    """What one decision did, as far as the reader may know; with `moved`, also which cards it moved."""
    lines = _lines(lambda told: _story(game, step, told), reader)
    results = _lines(lambda told: _results(game, step, told), reader)
    secret = step.secret and reader.seat not in (None, step.seat)
    seat = None if secret and game.spaces.unheard else step.seat  # nor is it told who was asked
    return Said(seat, lines, results, tuple(_moved(game, step, reader, bool(results))) if moved else ())


def _story(game: Game, step: Step, reader: Reader) -> list[str]:
    if game.words.story:
        return game.words.story(step.before, step.after, step.action, reader)
    if step.secret and reader.seat not in (None, step.seat):
        return [reader.label(FACE_DOWN), *_shown(game, step, reader)]
    return [game.words.action_name(step.before, step.action, reader.lang), *_shown(game, step, reader)]


def _shown(game: Game, step: Step, reader: Reader) -> Iterator[str]:
    """The cards that a decision brought to light, a line for each time; of what one seat is shown others see backs."""
    spaces = game.spaces
    for each in spaces.shown(step.before, step.after, step.action) if spaces.shown else []:
        names = [reader.label(spaces.cards[card]) if spaces.cards else str(card) for card in map(int, each.cards)]
        cards = ", ".join(names) if each.to is None or reader.seat in (None, each.to) else reader.label(FACE_DOWN)
        whose = "" if each.seat in (None, step.seat) else f"{reader.label(reader.title(each.seat))} "
        if names:
            yield f"{whose}{each.what}: {cards}"


def _results(game: Game, step: Step, reader: Reader) -> list[str]:
    return game.words.result(step.before, step.after, step.action, reader) if game.words.result else []


def _moved(game: Game, step: Step, reader: Reader, ended: bool) -> list[Moved]:
    """The cards that a decision moved. A game that does not tell them is asked for the scenes before and after; between
    two rounds, where all cards are dealt anew, nothing is told."""
    if game.words.moved:
        return game.words.moved(step.before, step.after, step.action, reader)
    if not game.words.scene or ended:
        return []
    everybody = _seeing_all(reader)
    before, after = (_zones(game, each, everybody) for each in (step.before, step.after))
    told = [_zones(game, hidden_copy(game, each, reader.seat), reader) for each in (step.before, step.after)]
    order = {place: number for number, place in enumerate(before)}
    moved = []
    for card, source, target in _differences(before, after):
        if any(place in zones and card in zones[place].ids for zones in told for place in (source, target)):
            moved.append((source, Moved(card, source, target)))
        else:
            moved.append((source, Moved(None, _as_told(source, told), _as_told(target, told))))
    moved.sort(key=lambda each: (not _is_of(before, each[0], step.seat), order.get(each[0], len(order))))
    return [each for _, each in moved]


def _zones(game: Game, states: np.ndarray, reader: Reader) -> dict[str, Zone]:
    """The zones of a table by the names of their places."""
    return {zone.place: zone for zone in _lying(game, states, reader).zones}


def _is_of(zones: dict[str, Zone], place: str, seat: int) -> bool:
    return place in zones and zones[place].seat == seat


def _as_told(place: str, told: Sequence[dict[str, Zone]]) -> str:
    """The place of a hidden card. The part of its zone is told only where the reader sees backs there: it may tell the
    suit of the card."""
    seen = [zones[place] for zones in told if place in zones]
    if not place or any(zone.backs for zone in seen):
        return place
    key, *rest = place.split(":")
    return place_of(key, int(rest[0])) if rest and rest[0].isdecimal() else key


@lru_cache(maxsize=SCENES)
def _seeing_all(reader: Reader) -> Reader:
    return replace(reader, seat=None)


def _differences(before: dict[str, Zone], after: dict[str, Zone]) -> Iterator[tuple[int, str, str]]:
    """Each card that lies in another zone than before; one that was a back comes from where a back is missing."""
    changed = {place for place in (*before, *after) if before.get(place) is not after.get(place)}
    lay, lie = (_places(zones, changed) for zones in (before, after))
    backs = Counter({place: zone.backs for place, zone in before.items() if place in changed})
    backs.subtract({place: zone.backs for place, zone in after.items() if place in changed})
    fewer, more = list((+backs).elements()), list((-backs).elements())
    for card in sorted(lay.keys() | lie.keys()):
        there, here = lay.get(card, []), lie.get(card, [])
        sources, targets = _without(there, here), _without(here, there)
        while sources or targets:
            source = sources.pop(0) if sources else fewer.pop(0) if fewer else ""
            target = targets.pop(0) if targets else more.pop(0) if more else ""
            yield card, source, target


def _places(zones: dict[str, Zone], places: set[str]) -> dict[int, list[str]]:
    """Where the cards of each id lie, in some zones; two equal cards of a zone give it twice."""
    found: dict[int, list[str]] = {}
    for place, zone in zones.items():
        if place in places:
            for card in zone.ids:
                found.setdefault(card, []).append(place)
    return found


def _without(some: Sequence[str], others: Sequence[str]) -> list[str]:
    """Some places less others, each as often as it is there."""
    rest = list(some)
    for each in others:
        if each in rest:
            rest.remove(each)
    return rest
