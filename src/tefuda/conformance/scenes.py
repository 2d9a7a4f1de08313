"""The check of scenes: every card of the table is in it once, as far as its reader can see, and every legal move."""

import json
from collections import Counter
from collections.abc import Iterator

from tefuda.conformance.study import Failed, Situation, Study
from tefuda.contract import Card, Name, Note, Reader, Scene
from tefuda.contract.scene import GONE
from tefuda.table.scene import scene_of


def scenes_are_whole(study: Study) -> str:
    """The scene of each seat, and of a reader who sees all hands, at tables of random play."""
    game, told = study.game, 0
    names = tuple(f"player {number}" for number in range(game.seats))
    for rules in study.rules:
        for situation in study.situations(rules, study.sizes.texts, 5000, ends=True):
            for seat in (None, *range(game.seats)):
                study.where = f"{situation.where}, the scene of {'all hands' if seat is None else f'seat {seat}'}"
                scene = scene_of(game, situation.states, Reader(seat, names=names))
                _says_all(study, scene)
                _has_all_moves(study, situation, scene)
                if game.words.scene and seat is not None:
                    _has_all_cards(study, situation, scene, seat)
                told += 1
    return f"{told:,} scenes" + ("" if game.words.scene else ", made from the table as text")


def _says_all(study: Study, scene: Scene) -> None:
    """It is plain data, places and marks have one meaning each, and whatever has a name has it in both languages."""
    try:
        json.dumps(scene.data())
    except TypeError as error:
        raise Failed(f"{study.where}: {error}") from error
    twice = [place for place, times in Counter(zone.place for zone in scene.zones).items() if times > 1]
    if twice:
        raise Failed(f"{study.where}: two zones are called {twice[0]}")
    if len(scene.seats) != study.game.seats:
        raise Failed(f"{study.where}: {len(scene.seats)} seats, but the game has {study.game.seats}")
    marks = {mark.key for mark in scene.legend}
    used = {mark for things in (_cards(scene), _notes(scene), scene.seats) for thing in things for mark in thing.marks}
    if used - marks:
        raise Failed(f"{study.where}: the legend does not tell what the mark {min(used - marks)!r} means")
    for what, name in _names(scene):
        if not (name.ja and name.en):
            raise Failed(f"{study.where}: {what} has no name in one of the languages: {name!r}")


def _notes(scene: Scene) -> Iterator[Note]:
    yield from (*scene.title, *scene.status, *scene.notes)
    yield from (note for seat in scene.seats for note in seat.notes)
    yield from (note for zone in scene.zones for note in zone.notes)
    yield from (note for move in scene.moves for note in move.notes)


def _cards(scene: Scene) -> Iterator[Card]:
    for zone in scene.zones:
        yield from zone.cards
    for note in _notes(scene):
        yield from (*note.cards, *note.missing)


def _names(scene: Scene) -> Iterator[tuple[str, Name]]:
    for card in _cards(scene):
        yield f"card {card.id}", card.name
        yield f"card {card.id}", card.short
    for zone in scene.zones:
        yield f"zone {zone.place}", zone.name
    for note in _notes(scene):
        yield f"a note about {note.key or 'the table'}", note.name
    for move in scene.moves:
        yield f"action {move.action}", move.name
    for mark in scene.legend:
        yield f"mark {mark.key}", mark.name


def _has_all_moves(study: Study, situation: Situation, scene: Scene) -> None:
    """Exactly the legal actions, for the seat that decides alone; the cards of a move lie where it says."""
    asked = situation.seat >= 0 and scene.reader in (None, situation.seat)
    legal, listed = study.legal(situation.states) if asked else [], [move.action for move in scene.moves]
    if listed != legal:
        raise Failed(f"{study.where}: the moves are {listed}, but legal are {legal}")
    lying = {zone.place: {card.id for card in zone.cards} for zone in scene.zones}
    for move in scene.moves:
        for place, cards in ((move.place, move.cards), (move.with_place, move.with_)):
            if place and not set(cards) <= lying.get(place, set()):
                raise Failed(f"{study.where}: {move.name.en} involves {list(cards)} at {place}, where they do not lie")


def _has_all_cards(study: Study, situation: Situation, scene: Scene, seat: int) -> None:
    """Each card that the seat can see once, and a back for each that it cannot see."""
    layout = study.game.checks.layout(situation.states, seat)
    seen = Counter(card for card, hidden in zip(layout.cards, layout.hidden, strict=True) if not hidden)
    shown = Counter(card.id for zone in scene.zones for card in zone.cards if GONE not in card.marks)
    if shown != seen:
        more, fewer = sorted((shown - seen).elements()), sorted((seen - shown).elements())
        raise Failed(f"{study.where}: the cards {more} are shown too often, and {fewer} are missing")
    backs = sum(zone.backs for zone in scene.zones)
    if backs != sum(layout.hidden):
        raise Failed(f"{study.where}: {backs} cards lie face down, but {sum(layout.hidden)} are hidden")
