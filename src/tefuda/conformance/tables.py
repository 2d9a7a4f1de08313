"""Checks that kernels and tables agree: what is written where, and how everything is called."""

from collections import Counter
from collections.abc import Callable, Iterable

import numpy as np

from tefuda.conformance.study import Failed, Study
from tefuda.contract import Game, NamedPlayer, Rules, Space
from tefuda.errors import Problem, counted
from tefuda.kernel.random import DEAL, stream
from tefuda.players.resolve import resolve

GUARD = 8  # entries on both sides of an array that nobody may touch
MARK = 0x5A  # what every byte there is filled with


class Guarded:
    """An array in the middle of a larger one, where a kernel that writes too far is noticed.

    Compiled code does not check indices; uncompiled it stops by itself.
    """

    def __init__(self, size: int, dtype: np.dtype | type, shape: tuple[int, ...] | None = None) -> None:
        self.whole = np.zeros(size + 2 * GUARD, dtype)
        self.whole.view(np.uint8)[:] = MARK
        self.inside = self.whole[GUARD : GUARD + size].reshape(shape or (size,))

    def intact(self) -> bool:
        outside = self.whole[:GUARD].tobytes() + self.whole[-GUARD:].tobytes()
        return outside == bytes([MARK]) * len(outside)


def kernels_fill_their_arrays(study: Study) -> str:
    looked = 0
    for rules in study.rules:
        for situation in study.situations(rules, study.sizes.tables, 6000, ends=True):
            _arrays_of_one_table(study, situation.states, situation.where)
            looked += 1
        _records(study, rules)
    _statistics(study)
    return f"{looked:,} tables"


def _arrays_of_one_table(study: Study, states: np.ndarray, where: str) -> None:
    game = study.game
    for seat in range(game.seats):
        numbers = Guarded(game.spaces.observation.size, np.float32)
        numbers.inside[:] = np.nan
        game.kernels.observe(states[0], seat, numbers.inside)
        if not np.isfinite(numbers.inside).all():
            missing = np.flatnonzero(~np.isfinite(numbers.inside)).tolist()
            raise Failed(f"{where}, seat {seat}: observe leaves the numbers {missing} unwritten or not finite")
        if not numbers.intact():
            raise Failed(f"{where}, seat {seat}: observe writes outside its {game.spaces.observation.size} numbers")
    points = Guarded(game.seats, np.float64)
    points.inside[:] = np.nan
    game.kernels.scores(states[0], points.inside)
    if not np.isfinite(points.inside).all() or not points.intact():
        raise Failed(f"{where}: scores writes {points.inside.tolist()}, or outside its {game.seats} numbers")
    masks = []
    for filled in (0, 0xFF):
        words = Guarded(game.spaces.mask_words, np.uint64)
        words.inside.view(np.uint8)[:] = filled
        game.kernels.legal(states[0], words.inside)
        if not words.intact():
            raise Failed(f"{where}: legal writes outside its {game.spaces.mask_words} words")
        masks.append(words.inside.tobytes())
    if masks[0] != masks[1]:
        raise Failed(f"{where}: legal leaves some of its {game.spaces.mask_words} words as they were")


def _records(study: Study, rules: Rules) -> None:
    """Kernels that change a table, on a table between two others."""
    game = study.game
    guarded = Guarded(1, game.State)
    guarded.inside[:] = game.blank(rules)
    game.kernels.deal(guarded.inside[0], np.array([stream(study.seed, 0, 0, DEAL)], np.uint64))
    for situation, action in study.walk(rules, 0):
        if action < 0:
            break
        steps: dict[str, Callable] = {
            "hide": lambda state, seat=situation.seat: game.kernels.hide(state, seat),
            "guess": lambda state, seat=situation.seat: game.kernels.guess(state, seat, study.bits(0, 1)),
            "apply": lambda state, action=action: game.kernels.apply(state, action),
        }
        for name, step in steps.items():
            guarded.inside[:] = situation.states
            step(guarded.inside[0])
            if not guarded.intact():
                raise Failed(f"{situation.where}: {name} writes outside its table")


def _statistics(study: Study) -> None:
    """`tally` may add to the row that it is given, as far as the statistics have names."""
    game, tally = study.game, study.game.statistics.tally
    if tally is None:
        return
    names = len(game.statistics.names)
    for rules in study.rules:
        for deal in range(study.sizes.walks):
            before = study.dealt(rules, deal)
            for situation, _ in study.walk(rules, deal):
                for seat in range(game.seats):
                    counts = Guarded(game.seats * names, np.int64, (game.seats, names))
                    counts.inside[:] = 0
                    tally(before[0], situation.states[0], seat, counts.inside, seat)
                    others = np.delete(counts.inside, seat, axis=0)
                    if not counts.intact() or others.any():
                        raise Failed(f"{situation.where}: tally for seat {seat} writes outside its {names} counts")
                before = situation.states
    if game.statistics.summary:
        game.statistics.summary(np.zeros(names, np.int64), 0)
        game.statistics.summary(np.ones(names, np.int64), 1)


def tables_agree(study: Study) -> str:
    """Sizes, names and values that people and programs read."""
    game = study.game
    for title, space in (("actions", game.spaces.actions), ("observation", game.spaces.observation)):
        _space(title, space)
    for lang in ("ja", "en", "both"):
        _all_different(f"names of actions ({lang})", (name.text(lang) for name in game.spaces.actions.names))
    _names_at_tables(study)
    _readme(study)
    _rulebook(study)
    _rules_are_told(study)
    _all_different("players", (f"{player.name} {game.players.rules_of(player)}" for player in game.players.named))
    _all_different("policies", (policy.key for policy in game.players.policies))
    _players_are_found(game)
    if game.statistics.names and not game.statistics.tally:
        raise Failed("there are names of statistics, but no tally that counts them")
    _all_different("statistics", game.statistics.names)
    scores = np.arange(3.0 * 2 * game.seats).reshape(3, 2, game.seats)
    headlines = [game.scoring.headline_under(game.rulebook.make(preset)) for preset in game.rulebook.presets]
    for headline, some in ((headline, some) for headline in headlines for some in (scores, scores[0], scores[0, 0])):
        figures = np.asarray(headline.of(some))
        if figures.shape != some.shape or not np.isfinite(figures).all():
            raise Failed(f"headline.of scores {some.shape} gives {figures.shape}, or what is not a number")
    sizes = f"{game.spaces.actions.size} actions, {game.spaces.observation.size} numbers of observation"
    players, options = counted(len(game.players.named), "player"), counted(len(game.rulebook.options), "option")
    return f"{sizes}, {players}, {options}"


def _space(title: str, space: Space) -> None:
    _all_different(f"parts of the {title}", (part.key for part in space.parts))
    for part in space.parts:
        if part.size < 1 or (part.names and len(part.names) != part.size):
            raise Failed(f"{title}: part {part.key!r} has {part.size} entries and {len(part.names)} names")
    if space.size < 1 or space.size != len(space.names):
        raise Failed(f"{title}: {space.size} entries and {len(space.names)} names")


def _all_different(what: str, texts: Iterable[str]) -> None:
    twice = [text for text, times in Counter(texts).items() if times > 1]
    if twice:
        raise Failed(f"{what}: {', '.join(repr(text) for text in twice)} stands for several")


def _names_at_tables(study: Study) -> None:
    """At a table, two legal actions never have the same name."""
    game = study.game
    for rules in study.rules:
        for situation in study.situations(rules, study.sizes.tables, 7000):
            for lang in ("both", "ja", "en"):
                legal = study.legal(situation.states)
                texts = [game.words.action_name(situation.states, action, lang) for action in legal]
                _all_different(f"{situation.where}: legal actions ({lang})", texts)


def _readme(study: Study) -> None:
    """A README that shows the tables shows those of this version."""
    path = study.game.folder / "README.md"
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    if "| index | part | meaning |" in text:
        for title, space in (("actions", study.game.spaces.actions), ("observation", study.game.spaces.observation)):
            missing = [line for line in space.markdown().splitlines() if line not in text]
            if missing:
                raise Failed(f"{path}: the table of the {title} has no line {missing[0]!r}")


def _rulebook(study: Study) -> None:
    book = study.game.rulebook
    keys = [option.key for option in book.options]
    _all_different("options", keys)
    if not book.presets:
        raise Failed("the rule book has no preset, and so no default")
    for preset, values in book.presets.items():
        if set(values) != set(keys):
            raise Failed(f"preset {preset} sets {sorted(values)}, but the options are {sorted(keys)}")
    for rules in study.rules:
        record = study.game.blank(rules)["rules"][0]
        stored = {key: int(record[key]) for key in keys}
        if stored != rules.values:
            raise Failed(f"rules {rules}: the state keeps {stored}, not {rules.values}")
        if study.game.decisions_at_most(rules) < 1:
            raise Failed(f"rules {rules}: decisions_at_most is {study.game.decisions_at_most(rules)}")


def _rules_are_told(study: Study) -> None:
    """Where an observation tells the rules, each option has its entry, in the order of the rule book."""
    game, where = study.game, study.game.spaces.observation.rules
    if where is None:
        return
    options = game.rulebook.options
    if where.stop - where.start != len(options):
        raise Failed(f"observation: {where.stop - where.start} options are told, and there are {len(options)}")

    def told(rules: Rules) -> np.ndarray:
        out = np.zeros(game.spaces.observation.size, np.float32)
        game.kernels.observe(study.dealt(rules, 0)[0], 0, out)
        return out[where]

    usual = game.rulebook.make()
    for place, option in enumerate(options):
        values = option.values.values() if option.values is not None else (option.low, option.high)
        other = next((value for value in values if value != usual.values[option.key]), None)
        if other is None:
            continue
        rules = game.rulebook.make(None, [f"{option.key}={option.text(other)}"])
        changed = np.flatnonzero(told(rules) != told(usual)).tolist()
        if changed != [place]:
            raise Failed(f"rules {rules}: observation entries {changed} of the options change, and not {place} alone")


def _players_are_found(game: Game) -> None:
    """Every name means a player under each preset that it is for, and the default opponent under all.

    A player that does not search is the same under all rules, and is looked for once.
    """
    players, presets = game.players, list(map(game.rulebook.make, game.rulebook.presets))
    found: set[NamedPlayer] = set()
    for name in dict.fromkeys(player.name for player in players.named):
        named = [player for player in players.named if player.name == name]
        if not any(players.playing(named, rules) for rules in presets):
            _resolved(game, name, presets[0])  # which says why nobody is meant
        for rules in presets:
            for player in players.playing(named, rules)[:1]:
                if player not in found or players.policy(player.policy).search is not None:
                    _resolved(game, name, rules)
                    found.add(player)
    for rules in presets:
        _resolved(game, players.default_opponent, rules)


def _resolved(game: Game, name: str, rules: Rules) -> None:
    try:
        resolve(game, name, rules)
    except Problem as problem:
        raise Failed(f"player {name}: {problem}") from problem
