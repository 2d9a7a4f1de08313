"""Draws cards.svg, a sheet of all cards and tiles of the table in the browser, by the browser itself.

Run it from the root of a checkout, `python docs/draw_cards.py`, when a drawing has changed. To try whether cards can be
told without their names, `python docs/draw_cards.py --shuffled sheet.png` writes the flower cards 40 pixels high in a
random order, and prints which is which.
"""

import argparse
import random
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Route, sync_playwright

from tefuda import Problem

ART = Path(__file__).parents[1] / "src" / "tefuda" / "web" / "static" / "art"
SHEET = Path(__file__).parent / "cards.svg"
DECKS = {"hanafuda": 12, "cards": 13, "tiles": 10}  # each with its columns on the sheet
HEIGHT, GAP, GROUND = 108, 6, "#3d5a4c"
SMALL = 40  # pixels: so high a card must be told from all others
HOST = "http://art.example/"
DRAW_ALL = """async ([decks, options]) => {
  const art = await import("/art.js");
  const drawn = (deck) => Object.fromEntries(
    art.pictures(deck).map((picture) => [picture, art.draw(deck, {picture}, options)]));
  return Object.fromEntries(decks.map((deck) => [deck, drawn(deck)]));
}"""
DRAW_BACKS = """async (decks) => {
  const art = await import("/art.js");
  return decks.flatMap((deck) => ["red", "black"].map((back) => art.back(deck, {back})));
}"""


def chromium() -> str | None:
    """The browser of the system."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def _serve(route: Route) -> None:
    """A file of the art, or an empty page; nothing else can be reached."""
    path = ART / route.request.url.removeprefix(HOST)
    if path.suffix == ".js" and path.is_file():
        route.fulfill(body=path.read_text(encoding="utf-8"), content_type="text/javascript; charset=utf-8")
    else:
        route.fulfill(body="<!doctype html><title>art</title>", content_type="text/html")


@contextmanager
def studio() -> Iterator[Page]:
    """A page of the browser that can load the art."""
    found = chromium()
    if found is None:
        raise Problem("there is no Chromium on PATH, which draws the cards")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found)
        yield page_of(browser)
        browser.close()


def page_of(browser: Browser) -> Page:
    """A page of a browser that can load the art."""
    page = browser.new_page()
    page.route("**/*", _serve)
    page.goto(HOST)
    return page


def drawings(page: Page, **options: Any) -> dict[str, dict[str, str]]:
    """All pictures of all decks by their names, as SVG text."""
    drawn: dict[str, dict[str, str]] = page.evaluate(DRAW_ALL, [list(DECKS), options])
    return drawn


def backs(page: Page) -> list[str]:
    """The backs of all decks, red and black."""
    drawn: list[str] = page.evaluate(DRAW_BACKS, [*DECKS, ""])
    return drawn


def _placed(cards: list[str], columns: int, top: float, height: float) -> tuple[list[str], float, float]:
    """Cards in rows below a line, and how wide and how high they are together."""
    placed, x, y, widest = [], float(GAP), top, 0.0
    for number, card in enumerate(cards):
        if number and number % columns == 0:
            x, y = float(GAP), y + height + GAP
        across, down = map(float, re.search(r'viewBox="0 0 (\S+) (\S+)"', card).groups())  # type: ignore[union-attr]
        width = round(height * across / down, 1)
        placed.append(card.replace("<svg ", f'<svg x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" ', 1))
        x += width + GAP
        widest = max(widest, x)
    return placed, widest, y + height + GAP


def sheet(rows: list[tuple[list[str], int]], height: float = HEIGHT) -> str:
    """Cards in rows of so many as one picture."""
    parts, wide, top = [], 0.0, float(GAP)
    for cards, columns in rows:
        placed, width, top = _placed(cards, columns, top, height)
        parts += placed
        wide = max(wide, width)
    size = f'width="{wide:g}" height="{top:g}" viewBox="0 0 {wide:g} {top:g}"'
    ground = f'<rect width="{wide:g}" height="{top:g}" fill="{GROUND}"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{ground}\n' + "\n".join(parts) + "\n</svg>\n"


def whole_sheet(page: Page) -> str:
    """All cards, tiles and backs."""
    drawn = drawings(page)
    rows = [(list(drawn[deck].values()), columns) for deck, columns in DECKS.items()]
    return sheet([*rows, (backs(page), 8)])


def shuffled(page: Page, path: Path, seed: int) -> list[str]:
    """The flower cards in a random order as a picture of pixels; the names of their pictures in this order."""
    cards = drawings(page)["hanafuda"]
    names = random.Random(seed).sample(list(cards), len(cards))
    page.set_content(f"<body style='margin:0'>{sheet([([cards[name] for name in names], 12)], SMALL)}")
    page.locator("svg").first.screenshot(path=path)
    return names


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shuffled", type=Path, metavar="FILE.png", help="write the flower cards in a random order")
    parser.add_argument("--seed", type=int, default=1, help="of the random order")
    arguments = parser.parse_args()
    with studio() as opened:
        if arguments.shuffled:
            for place, name in enumerate(shuffled(opened, arguments.shuffled, arguments.seed)):
                print(f"row {place // 12 + 1} column {place % 12 + 1:2}: {name}")
        else:
            SHEET.write_text(whole_sheet(opened), encoding="utf-8")
            print(f"{SHEET}: {SHEET.stat().st_size:,} bytes")
