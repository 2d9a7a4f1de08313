"""What is typed at a table plays only what it names as a whole; a move that is not legal says which rule forbids it."""

import io
import random
from dataclasses import replace

import pytest
from rich.console import Console

from tefuda import games
from tefuda.contract import Words
from tefuda.errors import Problem
from tefuda.players.resolve import resolve
from tefuda.table.session import Session
from tefuda.terminal.commands import COMMANDS, plain, understand
from tefuda.terminal.play import _callings, _misnamed, _why_not, run

COMMAND_WORDS = {word for _, words, _, _ in COMMANDS for word in words}
SHORT = ["length=hand"]  # a whole match of mahjong has a thousand decisions


def begin(name, path, preset=None, changes=(), deal=1, seat=0, game=None) -> Session:
    game = game or games.find(name)
    changes = changes or (SHORT if name == "mahjong" else [])
    rules = game.rulebook.make(preset, list(changes))
    other = resolve(game, "random/always-stop" if name == "koikoi" else "random", rules)
    entrants = [None if place == seat else other for place in range(game.seats)]
    session = Session.start(game, entrants, path, rules, 1, deal)
    session.advance()
    return session


def meaning(session: Session, line: str, lang: str = "en", callings=None):
    """What a line means at the table of a session; `callings` spares to ask for them anew."""
    reader = session.reader(lang)
    return understand(
        line, *(callings or _callings(session, reader)), lambda action: _why_not(session, action, reader),
        lambda typed: _misnamed(session, typed, reader),
    )  # fmt: skip


def answer(session: Session, line: str, lang: str = "en", callings=None) -> str:
    """Why a line is no move."""
    with pytest.raises(Problem) as told:
        meaning(session, line, lang, callings)
    assert "\n" not in str(told.value)
    return str(told.value)


def decisions(name, folder, number, preset=None):
    """Sessions at some decisions of the person, in random play."""
    source = random.Random(f"{name} {preset}")
    for deal in range(number):
        session = begin(name, folder / f"{name}-{preset}-{deal}.json", preset, deal=deal, seat=deal % 2)
        for _ in range(source.randrange(8)):
            if not session.over and session.waiting:
                session.step(source.choice(session.view.legal))
        if not session.over:
            yield session, source


def whole(text: str) -> str:
    return plain(text).replace(" ", "").replace("-", "")


@pytest.mark.parametrize("name", games.names())
def test_no_part_of_a_name_plays_a_move(name, tmp_path):
    """Parts of the names of moves, legal or not: they play nothing unless they are a name of that move themselves."""
    tried = 0
    for session, source in decisions(name, tmp_path, 4):
        legal, _, others = callings = _callings(session, session.reader("en"))
        every = [each for names in (*legal.values(), *others.values()) for each in names]
        for text in source.sample(every, min(60, len(every))):
            begin_at = source.randrange(len(text))
            part = text[begin_at : begin_at + source.randrange(1, 4)]
            if plain(part) in COMMAND_WORDS or plain(part).lstrip("+-").isdigit():
                continue
            tried += 1
            try:
                meant = meaning(session, part, callings=callings)
            except Problem:
                continue
            assert isinstance(meant, int)
            assert whole(part) in {whole(each) for each in legal[meant]}, (part, legal[meant])
    assert tried > 8


@pytest.mark.parametrize("name", games.names())
def test_every_move_is_played_by_its_number_and_by_the_name_on_the_screen(name, tmp_path):
    for session, _ in decisions(name, tmp_path, 4):
        for lang in ("ja", "en", "both"):
            shown = [text.partition(" → ")[0] for _, text in session.choices(lang)]
            for number, action in enumerate(session.view.legal, start=1):
                assert meaning(session, str(number), lang) == action
                name = shown[number - 1]
                if shown.count(name) == 1:
                    assert meaning(session, name, lang) == action, name
                else:  # chaff of one month, all alike
                    assert str(number) in answer(session, name, lang)


@pytest.mark.parametrize(
    ("name", "preset"),
    [
        ("koikoi", None),
        ("tricks", "plain"),
        ("tricks", "usual"),
        ("saichugen", None),
        ("mahjong", None),
        ("leduc", None),
    ],
)
def test_every_move_that_is_not_legal_says_why(name, preset, tmp_path):
    """In words of the game: the plain answer, that it is not a legal move now, is for games that cannot tell."""
    asked = 0
    for session, _ in decisions(name, tmp_path, 8 if name == "leduc" else 4, preset):
        legal, callings = session.view.legal, _callings(session, session.reader("en"))
        for action, each in enumerate(session.game.spaces.actions.names):
            if action in legal:
                continue
            told = answer(session, each.en, callings=callings)
            assert "not a legal move" not in told, (each.en, told)
            assert "no move" not in told, (each.en, told)
            asked += 1
    assert asked > 1


@pytest.mark.parametrize("lang", ["ja", "en", "both"])
def test_an_answer_repeats_nothing_that_moves_the_cursor(lang, tmp_path):
    session = begin("kuhn", tmp_path / "game.json")
    told = answer(session, "\x1b[2J\x07bet\x1b[A" + 60 * "x", lang)
    assert told.isprintable()
    assert len(told) < 120


def test_a_suit_that_was_led_is_named(tmp_path):
    session = begin("tricks", tmp_path / "game.json", "plain", seat=2, deal=3)
    hand = session.view.observation["hand"]
    illegal = [card for card in range(52) if hand[card] and card not in session.view.legal]
    assert illegal
    led = {"♣": "clubs", "♦": "diamonds", "♠": "spades", "♥": "hearts"}
    told = answer(session, session.game.spaces.actions.names[illegal[0]].en)
    suit = next(
        symbol for symbol, word in led.items() if told.startswith(f"{word} were led: follow suit with {symbol}")
    )
    assert all(session.game.words.action_name(session.view.state, card).startswith(suit) for card in session.view.legal)
    assert "がリードされた" in answer(session, session.game.spaces.actions.names[illegal[0]].en, "ja")


def test_words_of_the_betting_mean_what_they_say(tmp_path):
    """`check` must not fold, and `call` must not check."""
    for name in ("kuhn", "leduc"):
        session = begin(name, tmp_path / f"{name}.json")
        assert answer(session, "call").endswith("check or bet")
        assert answer(session, "fold").endswith("check or bet")
        assert answer(session, "コール", "ja").endswith("チェックかベット")
        assert session.choices("en")[meaning(session, "bet") - session.view.legal[0]][1] == "bet"
        for deal in range(40):  # until the other answers a check with a bet
            session = begin(name, tmp_path / f"{name}-{deal}.json", deal=deal)
            session.step(meaning(session, "check"))
            if not session.over and any(text == "fold" for _, text in session.choices("en")):
                break
        assert answer(session, "check").startswith("there is a bet: call")
        assert answer(session, "bet").startswith("there is a bet: call")
        assert dict(session.choices("en"))[meaning(session, "fold")] == "fold"
        assert dict(session.choices("en"))[meaning(session, "call")] == "call"


def test_a_third_raise_is_refused_by_its_rule(tmp_path):
    game = games.find("leduc")
    other = resolve(game, "always-raise")
    session = Session.start(game, [None, other], tmp_path / "game.json", seed=1, deal=1)
    session.advance()
    session.step(meaning(session, "bet"))
    assert answer(session, "raise") == "a round has at most 2 raises, the bet among them"
    assert answer(session, "bet") == "there is a bet: call or fold"


def test_cards_of_koikoi_and_saichugen_are_called_as_players_call_them(tmp_path):
    session = begin("koikoi", tmp_path / "koikoi.json")
    pictures = {"crane": 0, "鶴": 0, "curtain": 8, "sake cup": 32, "盃": 32, "rain man": 40}
    for word, card in pictures.items():
        if card in session.view.legal:
            assert meaning(session, word) == card
        else:
            assert "is not in your hand" in answer(session, word)
    session = begin("saichugen", tmp_path / "saichugen.json")
    held = session.view.legal[0]
    letter, suit = held // 4, held % 4
    typed = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")[letter] + "CDHS"[suit]
    assert meaning(session, typed) == meaning(session, typed.lower()) == held


def test_a_game_that_cannot_tell_its_reasons_has_a_plain_one(tmp_path):
    """A game of a user's own, with nothing but the words that the contract asks for."""
    leduc = games.find("leduc")
    plainly = replace(leduc, words=Words(leduc.words.show, leduc.words.action_name))
    session = begin("leduc", tmp_path / "game.json", game=plainly)
    assert answer(session, "fold") == "'fold' is not a legal move now: choose 1 to 2"
    assert answer(session, "b") == "no move 'b': type a number (2?) or a whole name"
    assert answer(session, "tiger") == "no move 'tiger' (h for help)"
    console = Console(file=io.StringIO(), width=80, highlight=False)
    lines = iter(["fold", "?", "q"])
    run(session, "en", lambda prompt: next(lines), console, hint_worlds=20)
    assert "20 guessed worlds" in console.file.getvalue()
