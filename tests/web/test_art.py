"""The drawings of cards and tiles: whole, ours, safe on a page, and told apart without colours."""

import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tefuda.games.koikoi.cards import CARDS, KIND
from tests.pictures import PICTURES

ROOT = Path(__file__).parents[2]
ART = ROOT / "src" / "tefuda" / "web" / "static" / "art"
ELEMENTS = {"svg", "g", "path", "circle", "ellipse", "rect"}
ATTRIBUTES = {
    "aria-hidden", "viewBox", "stroke-linecap", "stroke-linejoin", "stroke", "stroke-width", "fill", "transform", "d",
    "x", "y", "width", "height", "rx", "ry", "cx", "cy", "r",
}  # fmt: skip
RATIOS = {"hanafuda": (66, 108), "cards": (70, 98), "tiles": (60, 80)}
COLOURS = re.compile(r' (?:fill|stroke)="#[0-9a-f]{6}"')
LARGEST = 150_000  # bytes of all files
SHORTS = (
    "1", "jack", "queen of hearts", "a very long name of a card", "麻雀牌", "龍" * 9, "extraordinarily",
    "W" * 12, "i" * 40,
)  # fmt: skip
NAMED = """async ([deck, card, options]) => (await import("/art.js")).draw(deck, card, options)"""


def drawing_script():
    spec = spec_from_file_location("draw_cards", ROOT / "docs" / "draw_cards.py")
    script = module_from_spec(spec)
    spec.loader.exec_module(script)
    return script


@pytest.fixture(scope="module")
def script():
    return drawing_script()


@pytest.fixture(scope="module")
def page(script, browser):
    opened = script.page_of(browser)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def drawn(script, page):
    return script.drawings(page)


def local(name):
    return name.rpartition("}")[2]


def test_the_art_is_small_and_asks_nobody():
    files = sorted(ART.rglob("*"))
    sources = [path for path in files if path.is_file()]
    assert len(sources) > 8
    assert {path.suffix for path in sources} == {".js"}
    assert sum(path.stat().st_size for path in sources) < LARGEST
    for path in sources:
        text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"https?:|url\(|style=|import\(|fetch|innerHTML", text), path
        assert len(text.splitlines()) < 300, path


def test_every_deck_has_all_its_pictures(drawn):
    assert {deck: set(cards) for deck, cards in drawn.items()} == PICTURES
    assert [len(cards) for cards in drawn.values()] == [48, 52, 37]


@pytest.mark.parametrize("deck", PICTURES)
def test_a_drawing_is_well_formed_and_has_shapes_alone(drawn, deck):
    for name, text in drawn[deck].items():
        root = ElementTree.fromstring(text)
        assert local(root.tag) == "svg"
        assert root.get("viewBox") == "0 0 {} {}".format(*RATIOS[deck])
        parts = list(root.iter())
        assert len(parts) > 5
        assert {local(part.tag) for part in parts} <= ELEMENTS, name
        assert {local(key) for part in parts for key in part.attrib} <= ATTRIBUTES, name
        assert not "".join(root.itertext()).strip(), name
        assert "NaN" not in text, name
        assert "undefined" not in text, name


@pytest.mark.parametrize("deck", PICTURES)
def test_drawings_differ_without_their_colours_too(drawn, deck):
    assert len(set(drawn[deck].values())) == len(PICTURES[deck])
    shapes = {COLOURS.sub("", text) for text in drawn[deck].values()}
    assert len(shapes) == len(PICTURES[deck])


def test_corner_signs_are_there_when_asked_for(script, page, drawn):
    signed = script.drawings(page, signs=True)
    corner = {name: "".join(ElementTree.fromstring(text).itertext()) for name, text in signed["hanafuda"].items()}
    assert corner == {name: name.partition("-")[0] for name in PICTURES["hanafuda"]}
    assert all("".join(ElementTree.fromstring(text).itertext()) == name for name, text in signed["tiles"].items())
    assert signed["cards"] == drawn["cards"]
    wind = page.evaluate(NAMED, ["tiles", {"picture": "1z", "short": {"ja": "東", "en": "E"}}, {"signs": True}])
    assert "".join(ElementTree.fromstring(wind).itertext()) == "E"


def test_the_sign_of_a_kind_agrees_with_the_game(script, page):
    """Cards of one kind have the same sign below the number of their month."""
    signed, signs = script.drawings(page, signs=True)["hanafuda"], {}
    for card in range(CARDS):
        sign = signed[f"{card // 4 + 1}-{card % 4 + 1}"].rpartition("</text>")[2]
        signs.setdefault(KIND[card], set()).add(sign)
    assert [len(found) for found in signs.values()] == [1, 1, 1, 1]
    assert len(set.union(*signs.values())) == 4


def test_four_colours_are_four(script, page, drawn):
    def colours(cards):
        return {suit: frozenset(re.findall(r'fill="(#[0-9a-f]{6})"', cards[f"A{suit}"])) for suit in "CDHS"}

    two, four = colours(drawn["cards"]), colours(script.drawings(page, four=True)["cards"])
    assert two["C"] == two["S"] != two["D"] == two["H"]
    assert len(set(four.values())) == 4


def test_backs_are_red_or_black_and_tell_no_card(script, page):
    backs = script.backs(page)
    assert len(backs) == len(set(backs)) == 2 * (len(PICTURES) + 1)
    for text in backs:
        assert not "".join(ElementTree.fromstring(text).itertext())


def test_a_title_names_the_image_and_is_only_text(page):
    title = '<script>alert("1")</script> & co'
    for deck, picture in (("hanafuda", "1-1"), ("cards", "QS"), ("tiles", "0p"), ("", "")):
        card = {"picture": picture, "short": {"en": "Q"}}
        root = ElementTree.fromstring(page.evaluate(NAMED, [deck, card, {"title": title}]))
        assert root.get("role") == "img"
        assert local(root[0].tag) == "title"
        assert root[0].text == title
        assert "script" not in {local(part.tag) for part in root.iter()}


@pytest.mark.parametrize(("deck", "picture"), [
    ("", ""), ("", "1-1"), ("cards", ""), ("cards", "1-1"), ("no deck", "QS"), ("constructor", "QS"), ("__proto__", ""),
    ("hanafuda", "toString"),
])  # fmt: skip
def test_a_card_without_a_picture_is_lettered(page, deck, picture):
    card = {"id": 1, "picture": picture, "name": {"ja": "赤い龍", "en": "red dragon"}, "style": "fire",
            "short": {"ja": "龍", "en": "dragon <1>"}}  # fmt: skip
    english = ElementTree.fromstring(page.evaluate(NAMED, [deck, card, {"colours": {"fire": "red"}}]))
    japanese = ElementTree.fromstring(page.evaluate(NAMED, [deck, card, {"language": "ja"}]))
    told = [part for part in english.iter() if local(part.tag) == "text"]
    assert [part.text for part in told] == ["dragon", "<1>"]
    assert [part.text for part in japanese.iter() if local(part.tag) == "text"] == ["龍"]
    black = [part.get("fill") for part in japanese.iter() if local(part.tag) == "text"]
    assert told[0].get("fill") not in black


def test_letters_stay_within_the_card(page):
    width = """async ([short]) => {
      const { draw } = await import("/art.js");
      document.body.innerHTML = draw("", {short: {en: short}});
      document.querySelector("svg").setAttribute("width", "70");
      const texts = [...document.querySelectorAll("text")].map((text) => text.getBBox());
      return [Math.min(...texts.map((box) => box.x)), Math.max(...texts.map((box) => box.x + box.width)),
        Math.min(...texts.map((box) => box.y)), Math.max(...texts.map((box) => box.y + box.height))];
    }"""
    for short in SHORTS:
        left, right, top, bottom = page.evaluate(width, [short])
        assert left >= 4, short
        assert right <= 66, short
        assert top >= 0, short
        assert bottom <= 98, short


@pytest.mark.slow
def test_the_sheet_of_the_documents_shows_the_art_as_it_is(script, page):
    told = (ROOT / "docs" / "cards.svg").read_text(encoding="utf-8")
    assert told == script.whole_sheet(page), "run python docs/draw_cards.py"
