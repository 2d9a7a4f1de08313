"""Scenes: plain data that has all that a reader may see of a table, and nothing more."""

import ast
import json
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import tefuda.games
from tefuda import games
from tefuda.conformance import CHECKS, check
from tefuda.conformance.scenes import scenes_are_whole
from tefuda.conformance.secrecy import seats_know_nothing_hidden
from tefuda.contract import Card, Name, Note, Reader, Scene, Seat, Shown, Words, Zone
from tefuda.contract.scene import CAPTURABLE, GONE, PLAYABLE, Move, data_of
from tefuda.table.record import take
from tefuda.table.scene import hidden_copy, illegal_moves, moves_of, said_of, scene_of, why_not
from tefuda.table.table import Table, legal_actions
from tests.pictures import PICTURES

pytestmark = pytest.mark.kernel

NAMES = games.names()
CALLED = (Name("あなた", "you"), Name("甲", "Ann"), Name("乙", "Bob"), Name("丙", "Cid"))
JSON_TYPES = (dict, list, str, int, float, bool, type(None))


def reader_of(game, seat):
    return Reader(seat, called=CALLED[: game.seats]).speaking("en")


def tables(name, number, seed=1, longest=70):
    """Tables somewhere in random play, under all presets."""
    game, source = games.find(name), random.Random(seed)
    presets = list(game.rulebook.presets)
    for place in range(number):
        table = Table(game, game.rulebook.make(presets[place % len(presets)]), seed, place)
        for _ in range(source.randrange(longest)):
            if not table.over:
                table.apply(source.choice(table.legal))
        yield table


def test_all_games_are_looked_at():
    assert {"koikoi", "kuhn", "mahjong", "saichugen", "tricks"} <= set(NAMES)


def test_no_game_imports_a_drawing_library():
    sources = sorted(Path(tefuda.games.__file__).parent.rglob("*.py"))
    assert len(sources) > 60
    for source in sources:
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            named = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            named += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not [name for name in named if name.partition(".")[0] == "rich"], source


# Every game


def words_of(value):
    """Every name in some data of a scene."""
    if isinstance(value, dict):
        if set(value) == {"ja", "en"}:
            yield value
        else:
            for each in value.values():
                yield from words_of(each)
    elif isinstance(value, list):
        for each in value:
            yield from words_of(each)


def only_plain(value) -> bool:
    if type(value) not in JSON_TYPES:
        return False
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return all(map(only_plain, inner))


@pytest.mark.parametrize("name", NAMES)
def test_a_scene_is_plain_data_with_names_in_both_languages(name):
    for table in tables(name, 6):
        for seat in (None, *range(table.game.seats)):
            scene = scene_of(table.game, table.states, reader_of(table.game, seat), turn=len(table.history))
            data = scene.data()
            assert only_plain(data)
            assert json.loads(json.dumps(data)) == data
            assert data["reader"] == seat
            assert data["turn"] == len(table.history)
            assert [each["name"]["ja"] for each in data["seats"]] == [each.ja for each in CALLED[: table.game.seats]]
            words = list(words_of(data))
            assert len(words) > 3
            assert all(word["ja"] and word["en"] for word in words)
            assert not any("あ" <= sign <= "龠" for word in words for sign in word["en"])


@pytest.mark.parametrize("name", NAMES)
def test_every_card_is_in_the_scene_once_and_what_is_hidden_is_a_back(name):
    looked = 0
    for table in tables(name, 12):
        if table.game.words.scene is None:
            pytest.skip("this game gives no scene of its own")
        for seat in range(table.game.seats):
            scene = scene_of(table.game, table.states, reader_of(table.game, seat))
            layout = table.game.checks.layout(table.states, seat)
            seen = [card for card, hidden in zip(layout.cards, layout.hidden, strict=True) if not hidden]
            shown = [card.id for zone in scene.zones for card in zone.cards if GONE not in card.marks]
            assert sorted(shown) == sorted(seen)
            assert sum(zone.size for zone in scene.zones) == len(layout.cards)
            looked += 1
    assert looked >= 12


@pytest.mark.parametrize("name", NAMES)
def test_guessed_hidden_cards_change_no_scene(name):
    """What a seat is shown is the same when all that it cannot see is dealt again."""
    changed = 0
    for table in tables(name, 10, seed=5):
        game = table.game
        for seat in range(game.seats):
            other = hidden_copy(game, table.states, seat)
            game.kernels.guess(other[0], seat, np.array([77 + changed], np.uint64))
            reader = reader_of(game, seat)
            assert scene_of(game, other, reader) == scene_of(game, table.states, reader)
            everything = reader_of(game, None)
            changed += scene_of(game, other, everything) != scene_of(game, table.states, everything)
    assert changed >= 5  # with all hands open, other cards do change the scene


@pytest.mark.parametrize("name", NAMES)
def test_the_moves_are_the_legal_actions_of_who_is_asked(name):
    for table in tables(name, 10, seed=9):
        game = table.game
        for seat in (None, *range(game.seats)):
            scene = scene_of(game, table.states, reader_of(game, seat))
            own = not table.over and seat in (None, table.to_move)
            assert [move.action for move in scene.moves] == (table.legal if own else [])
            assert scene.over == table.over
            for move in scene.moves:
                assert move.name.en == game.words.action_name(table.states, move.action, "en")
                assert move.name.ja == game.words.action_name(table.states, move.action, "ja")
                assert move.why_not is None
            marked = {(zone.place, card.id) for zone in scene.zones for card in zone.cards if PLAYABLE in card.marks}
            assert marked == {(move.place, card) for move in scene.moves if move.place for card in move.cards}


@pytest.mark.parametrize("name", NAMES)
def test_what_is_not_legal_has_a_reason(name):
    for table in tables(name, 4, seed=13):
        if table.over:
            continue
        game, reader = table.game, reader_of(table.game, table.to_move)
        found = illegal_moves(game, table.states, reader)
        assert {move.action for move in found} == set(range(game.spaces.actions.size)) - set(table.legal)
        assert all(move.why_not is not None and move.why_not.ja and move.why_not.en for move in found)
        others = reader_of(game, (table.to_move + 1) % game.seats)
        assert illegal_moves(game, table.states, others) == ()


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_what_moved_leads_from_the_scene_before_to_the_scene_after(name):
    """Cards that went from a zone are no longer there, and those that came are; with all hands open."""
    moved, source = 0, random.Random(8)
    for table in tables(name, 4, seed=21):
        game, everybody = table.game, reader_of(table.game, None)
        for _ in range(30):
            if game.words.scene is None or table.over:
                break
            before = lying(scene_of(game, table.states, everybody))
            said = said_of(game, take(table, source.choice(table.legal)), everybody, moved=True)
            if said.results:
                continue
            for each in said.moved:
                assert each.source != each.target
                if (each.source, each.card) in before:
                    before[each.source, each.card] -= 1
                before[each.target, each.card] += 1
                moved += 1
            assert +before == lying(scene_of(game, table.states, everybody))
    assert moved > 40 or name in ("kuhn", "leduc") or games.find(name).words.scene is None


def lying(scene: Scene) -> Counter:
    cards = ((zone.place, card) for zone in scene.zones for card in zone.cards if GONE not in card.marks)
    return Counter((place, card.id) for place, card in cards)


@pytest.mark.parametrize("name", NAMES)
def test_no_seat_is_told_of_a_card_that_it_cannot_see(name):
    """A card that moved is named only where the seat sees it before or after; the others are backs."""
    for table in tables(name, 6, seed=33):
        game = table.game
        if game.words.scene is None or table.over:
            continue
        step = take(table, table.legal[-1])
        for seat in range(game.seats):
            reader = reader_of(game, seat)
            said = said_of(game, step, reader, moved=True)
            seen = {card for states in (step.before, step.after) for _, card in lying(scene_of(game, states, reader))}
            if not said.results:
                assert {each.card for each in said.moved} <= seen | {None}


# A game without a scene of its own


@pytest.fixture
def plain_game():
    kuhn = games.find("kuhn")
    return replace(kuhn, words=replace(kuhn.words, scene=None))


def test_a_game_without_a_scene_has_a_table_for_nothing(plain_game):
    table = Table(plain_game, None, 1, 2)
    scene = scene_of(plain_game, table.states, reader_of(plain_game, 0), turn=0)
    assert [note.name.en for note in scene.notes] == plain_game.words.show(table.states, 0, "en").split("\n")
    assert [note.name.ja for note in scene.notes] == plain_game.words.show(table.states, 0, "ja").split("\n")
    assert [seat.points for seat in scene.seats] == [0, 0]
    assert scene.asked == 0
    assert [move.name.en for move in scene.moves] == ["check", "bet"]
    first = take(table, 1)
    last = take(table, 1)
    over = scene_of(plain_game, table.states, reader_of(plain_game, 1), [first, last], 2)
    assert over.over
    assert over.asked is None
    assert [seat.points for seat in over.seats] == table.scores.tolist()
    assert [(said.seat, [line.en for line in said.lines]) for said in over.said] == [(0, ["bet"]), (1, ["call"])]
    assert scenes_pass(plain_game)
    assert scene_of(plain_game, table.states, reader_of(plain_game, None)).data()["game"] == "kuhn"


# The checks of the contract


def scenes_pass(game, function=scenes_are_whole) -> bool:
    return check(game, checks={"scene": function}).passed


def spoiled(name, change):
    """A game whose scene is spoiled by a function of (scene, states, reader)."""
    game = games.find(name)

    def scene(states, reader):
        return change(game.words.scene(states, reader), states, reader)

    return replace(game, words=replace(game.words, scene=scene))


def without_last_card(scene, states, reader):
    zones = list(scene.zones)
    place = max(place for place, zone in enumerate(zones) if zone.cards)
    zones[place] = replace(zones[place], cards=zones[place].cards[:-1])
    return replace(scene, zones=tuple(zones))


SPOILED = {
    "a card is missing": without_last_card,
    "a card lies twice": lambda scene, states, reader: replace(
        scene, zones=(*scene.zones, replace(next(zone for zone in scene.zones if zone.cards), key="copy"))
    ),
    "a back is missing": lambda scene, states, reader: replace(
        scene, zones=tuple(replace(zone, backs=max(0, zone.backs - 1)) for zone in scene.zones)
    ),
    "no data": lambda scene, states, reader: replace(scene, notes=(Note(Name("数", "number"), value=np.int64(3)),)),
    "a mark that is not explained": lambda scene, states, reader: replace(scene, seats=(Seat(0, ("odd",)), Seat(0))),
    "one language": lambda scene, states, reader: replace(scene, title=(Note(Name("", "round")),)),
    "a seat too few": lambda scene, states, reader: replace(scene, seats=scene.seats[:1]),
    "two zones of one place": lambda scene, states, reader: replace(
        scene, zones=(*scene.zones, Zone("deck", Name("山", "deck")))
    ),
}


def test_the_check_passes_a_scene_that_is_whole():
    assert scenes_pass(games.find("koikoi"))


@pytest.mark.parametrize("fault", SPOILED)
def test_the_check_finds_a_scene_that_is_not_whole(fault):
    assert not scenes_pass(spoiled("koikoi", SPOILED[fault]))


def test_the_check_finds_moves_that_involve_cards_which_are_not_there():
    game = games.find("koikoi")

    def involves(states, action):
        return Move(action, ((action + 1) % 48,), f"hand:{int(states[0].seat)}")

    assert not scenes_pass(replace(game, words=replace(game.words, involves=involves)))


def test_the_check_finds_a_scene_that_tells_what_is_hidden():
    """A game whose `hide` keeps the other hand is found by the same check that looks at its other texts."""
    kuhn = games.find("kuhn")

    def hide(state, seat):
        if not (kuhn.kernels.to_move(state) < 0 and state.betting < 7):
            state.card[2] = -1

    leaking = replace(kuhn, kernels=replace(kuhn.kernels, hide=hide))
    assert scenes_pass(kuhn, seats_know_nothing_hidden)
    assert not scenes_pass(leaking, seats_know_nothing_hidden)
    assert scenes_are_whole in CHECKS.values()


def test_a_game_without_a_story_tells_the_cards_that_it_shows():
    """All are told a card that is turned for all; of one that a single seat sees, the others are told a back."""

    def shown(before, after, action):
        own = [int(before["card"][0, 0])]
        return [Shown("turned", None, [2]), Shown("received", 0, own, to=0), Shown("drawn", 1, [])]

    kuhn = games.find("kuhn")
    game = replace(kuhn, spaces=replace(kuhn.spaces, shown=shown), words=Words(kuhn.words.show, kuhn.words.action_name))
    step = take(Table(game, game.rulebook.make(), 1, 1), 1)
    names = kuhn.spaces.cards
    own = names[int(step.before["card"][0, 0])].en
    told = {seat: [line.en for line in said_of(game, step, reader_of(game, seat)).lines] for seat in (0, 1, None)}
    assert told[0] == told[None] == ["bet", f"turned: {names[2].en}", f"received: {own}"]
    assert told[1] == ["bet", f"turned: {names[2].en}", "received: face down"]


# Decks and pictures

NUMBERS = ("ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
RANKS = {"ace": "A", "jack": "J", "queen": "Q", "king": "K"}
FLOWERS = ("pine", "plum", "cherry", "wisteria", "iris", "peony", "clover", "pampas", "mum", "maple", "willow",
           "paulownia")  # fmt: skip
WINDS_AND_DRAGONS = ("east", "south", "west", "north", "white", "green", "red")
DECKS = {"koikoi": "hanafuda", "tricks": "cards", "saichugen": "cards", "kuhn": "cards", "leduc": "cards",
         "mahjong": "tiles"}  # fmt: skip


def picture_by_name(deck, name):
    """The picture that a card's English name tells; of flower cards its month alone."""
    if deck == "hanafuda":
        return f"{FLOWERS.index(name.split()[0]) + 1}-"
    if deck == "cards":
        rank, _, suit = name.partition(" of ")
        return (RANKS.get(rank) or str(NUMBERS.index(rank) + 1)) + (suit or "spades")[0].upper()
    if name in WINDS_AND_DRAGONS:
        return f"{WINDS_AND_DRAGONS.index(name) + 1}z"
    return name.replace("red 5", "0")


@pytest.mark.parametrize(("name", "size"), [
    ("koikoi", 48), ("tricks", 52), ("saichugen", 52), ("kuhn", 3), ("leduc", 6), ("mahjong", 37),
])  # fmt: skip
def test_every_card_has_its_picture(name, size):
    game, seen = games.find(name), {}
    for table in tables(name, 30, longest=40):
        scene = scene_of(game, table.states, reader_of(game, None))
        assert scene.deck == DECKS[name]
        for card in (card for zone in scene.zones for card in zone.cards):
            assert card.picture.startswith(picture_by_name(scene.deck, card.name.en)), card
            assert seen.setdefault(card.id, card.picture) == card.picture
    assert len(seen) == len(set(seen.values())) == size
    assert set(seen.values()) <= PICTURES[DECKS[name]]


# The data


def test_data_leaves_out_what_has_its_default_and_gives_words_their_names():
    card = Card(3, Name("札", "card"), Name("札", "card"), marks=(PLAYABLE,))
    zone = Zone("pile", Name("取り札", "pile"), 1, "ribbon", cards=(card,))
    move = Move(3, (3,), "hand:0", (4,), "field:1", name=Name("出す", "play", "出す play"))
    assert zone.place == "pile:1:ribbon"
    assert data_of(zone) == {
        "key": "pile", "name": {"ja": "取り札", "en": "pile"}, "seat": 1, "group": "ribbon",
        "cards": [{"id": 3, "name": {"ja": "札", "en": "card"}, "short": {"ja": "札", "en": "card"},
                   "marks": ["playable"]}],
    }  # fmt: skip
    assert data_of(move) == {
        "action": 3, "cards": [3], "place": "hand:0", "with": [4], "with_place": "field:1",
        "name": {"ja": "出す", "en": "play"},
    }  # fmt: skip
    scene = Scene(seats=(Seat(0), Seat(5)))
    assert scene.data() == {
        "turn": 0, "reader": None, "asked": None,
        "seats": [{"points": 0, "name": {"ja": "", "en": ""}}, {"points": 5, "name": {"ja": "", "en": ""}}],
    }  # fmt: skip


def test_a_reader_speaks_all_languages():
    reader = Reader(0, called=(Name("あなた", "you"), Name("相手", "other"))).speaking("ja")
    assert reader.names == ("あなた", "相手")
    assert reader.speaking("both").names == ("あなた you", "相手 other")
    told = reader.tell(lambda each: f"{each.names[0]} + {each.say('手', 'hand')}")
    assert (told.ja, told.en, told.both) == ("あなた + 手", "you + hand", "あなた you + 手 / hand")
    assert reader.speaking("both").label(told) == told.both
    plain = Reader(names=("ann", "bob"))
    assert plain.speaking("ja").names == ("ann", "bob")
    assert plain.title(1) == Name("bob", "bob")


def test_who_is_asked_is_not_told_where_nobody_hears_it():
    """In mahjong nobody knows who thinks about a call, and neither the scene nor its turn tells it."""
    game, found = games.find("mahjong"), 0
    for deal in range(30):
        table = Table(game, game.rulebook.make("hand"), 1, deal)
        while not table.over and found < 5:
            asked = table.to_move
            if game.spaces.secret(table.states, asked, 0):
                for seat in range(game.seats):
                    scene = scene_of(game, table.states, reader_of(game, seat))
                    assert scene.asked == (asked if seat == asked else None)
                found += 1
            table.apply(table.legal[-1])
    assert found == 5


def test_marks_on_what_a_move_would_take():
    game, seen = games.find("koikoi"), 0
    for table in tables("koikoi", 10):
        if table.over:
            continue
        scene = scene_of(game, table.states, reader_of(game, table.to_move))
        marked = {card.id for zone in scene.zones for card in zone.cards if CAPTURABLE in card.marks}
        taken = {card for move in scene.moves for card in move.with_}
        assert taken <= marked
        seen += len(taken)
    assert seen > 10


def test_reasons_fall_back_to_a_plain_one(plain_game):
    states = Table(plain_game, None, 1, 0).states
    assert why_not(plain_game, states, 0, reader_of(plain_game, 0)).en == "not a legal move now"
    assert [move.action for move in moves_of(plain_game, states, reader_of(plain_game, 0))] == legal_actions(
        plain_game, states
    )
