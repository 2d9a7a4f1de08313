"""Checks of secrecy: other cards in the slots that a seat cannot see must change nothing for that seat."""

import json

import numpy as np

from tefuda.conformance.study import Failed, Situation, Study, differing
from tefuda.contract import Reader
from tefuda.engine.loops import loops_of
from tefuda.engine.seated import scratch
from tefuda.players.entrant import Entrant
from tefuda.table.scene import scene_of
from tefuda.table.table import seated_alone

LANGUAGES = ("both", "ja", "en")
LEAST = 3  # comparisons below which nothing can be said to have been tested


def seats_know_nothing_hidden(study: Study) -> str:
    """`hide`, `observe`, `legal` and all text: at the true table, an exchanged one and a hidden copy."""
    game = study.game
    source = study.source(1)
    compared = 0
    for rules in study.rules:
        texts = study.sizes.texts  # slow to make
        for situation in study.situations(rules, study.sizes.tables, 1000, ends=True):
            for seat in range(game.seats):
                swapped = study.rearranged(situation.states, seat, source)
                if swapped is None:
                    continue
                _compare(study, situation, seat, swapped)
                if texts > 0:
                    _compare_texts(study, situation, seat, swapped, LANGUAGES[texts % len(LANGUAGES)])
                    texts -= 1
                compared += 1
    if compared < LEAST:
        raise Failed(f"only {compared} tables had hidden cards that could be exchanged: nothing was tested")
    return f"{compared:,} tables with other hidden cards, all seats"


def _compare(study: Study, situation: Situation, seat: int, swapped: np.ndarray) -> None:
    game, states = study.game, situation.states
    where = f"{situation.where}, seen by seat {seat}"
    hidden = study.hidden(states, seat)
    if text := differing(hidden, study.hidden(swapped, seat)):
        raise Failed(f"{where}: hide leaves what the seat cannot know, after other hidden cards {text}")
    if text := differing(hidden, study.hidden(hidden, seat)):
        raise Failed(f"{where}: hide of a hidden copy changes it again, {text}")
    tables = {"with other hidden cards": swapped, "of the hidden copy": hidden}
    for name, other in tables.items():
        _same_numbers(study, f"{where}: the observation {name}", states, other, seat)
        if int(game.kernels.to_move(states[0])) != int(game.kernels.to_move(other[0])):
            raise Failed(f"{where}: to_move {name} is another seat")
        if situation.seat == seat and study.legal(states) != study.legal(other):
            raise Failed(f"{where}: legal are {study.legal(states)}, and {name} {study.legal(other)}")


def _compare_texts(study: Study, situation: Situation, seat: int, swapped: np.ndarray, lang: str) -> None:
    true = _told(study, situation.states, seat, lang)
    for name, other in (
        ("with other hidden cards", swapped),
        ("of the hidden copy", study.hidden(swapped, seat)),
    ):
        for key, text in _told(study, other, seat, lang).items():
            if text != true[key]:
                pairs = zip(true[key].splitlines(), text.splitlines(), strict=False)
                lines = next(((one, two) for one, two in pairs if one != two), ("more lines", "fewer lines"))
                where = f"{situation.where}, seen by seat {seat}"
                raise Failed(f"{where}: {key} ({lang}) {name} is another text\n{lines[0]}\n{lines[1]}")


def _same_numbers(study: Study, where: str, one: np.ndarray, two: np.ndarray, seat: int) -> None:
    first, second = study.observed(one, seat), study.observed(two, seat)
    if first.tobytes() != second.tobytes():
        index = next(i for i in range(len(first)) if first[i].tobytes() != second[i].tobytes())
        part = next(
            key for key, part in study.game.spaces.observation.slices.items() if part.start <= index < part.stop
        )
        name = study.game.spaces.observation.names[index].en
        raise Failed(f"{where} differs at {index} ({part}: {name}): {first[index]} and {second[index]}")


def _told(study: Study, states: np.ndarray, seat: int, lang: str) -> dict[str, str]:
    """All that the game says to a seat about a table."""
    game = study.game
    texts = {"show": game.words.show(states, seat, lang)}
    reader = Reader(seat, lang, tuple(f"player {number}" for number in range(game.seats)))
    texts["scene"] = json.dumps(scene_of(game, states, reader).data(), ensure_ascii=False, indent=0)
    if game.words.unseen:
        texts["unseen"] = repr(game.words.unseen(states, reader))
    return texts


def players_know_nothing_hidden(study: Study) -> str:
    """Every player at the true table and an exchanged one, with the same random numbers."""
    game = study.game
    source = study.source(2)
    compared = 0
    for rules in study.rules:
        for situation in study.situations(rules, study.sizes.tables, 2000):
            swapped = study.rearranged(situation.states, situation.seat, source)
            if swapped is None:
                continue
            for entrant in study.entrants:
                study.where = f"{situation.where}, player {entrant.name}"
                choices = [_choice(study, situation, entrant, table) for table in (situation.states, swapped)]
                if choices[0] != choices[1]:
                    names = [game.spaces.actions.names[choice].en for choice in choices]
                    raise Failed(f"{study.where}: takes {names[0]}, and with other hidden cards {names[1]}")
            compared += 1
    if compared < LEAST or not study.entrants:
        raise Failed(f"{len(study.entrants)} players at {compared} tables: nothing was tested")
    return f"{len(study.entrants)} players at {compared:,} tables with other hidden cards"


def _choice(study: Study, situation: Situation, entrant: Entrant, states: np.ndarray) -> int:
    """What a player does; what it may not read before writing it, it finds filled with the true table."""
    game = study.game
    tables, rngs, mask, worlds, numbers, _ = scratch(game, [entrant])
    tables[:], worlds[:] = states[0], states[0]
    rngs[:] = study.bits(situation.deal, situation.number)
    numbers[:] = np.resize(np.frombuffer(states.tobytes(), np.uint8), numbers.shape)
    ask = loops_of(game).ask
    return int(ask(tables, situation.seat, 0, seated_alone(game, entrant), rngs, mask, worlds, numbers))
