"""Draws the pictures of docs/pages/: every game at the table in the browser, on a desktop and on a phone.

Run it from the root of a checkout, `python docs/draw_pages.py`, when the page has changed; `python docs/draw_pages.py
koikoi` draws one game. A browser drives the page of a server of its own, with numbered deals and set moves.
"""

import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from draw_cards import chromium
from playwright.sync_api import Browser, Page, sync_playwright

from tefuda import Problem

FOLDER = Path(__file__).parent / "pages"
SCREENS = {
    "desktop": {"viewport": {"width": 1920, "height": 1080}},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "device_scale_factor": 2},
}
TABLES = {  # of each picture: the game, its rules, how many moves were made, and the language
    "koikoi": ("koikoi", "paper", 4, "en"), "hearts": ("tricks", "usual", 12, "en"),
    "tricks": ("tricks", "plain", 5, "ja"), "saichugen": ("saichugen", "paper", 5, "ja"),
    "mahjong": ("mahjong", "hanchan", 9, "ja"), "kuhn": ("kuhn", "standard", 0, "en"),
    "leduc": ("leduc", "standard", 1, "en"),
}  # fmt: skip
DEAL, QUALITY, PATIENCE = 20, 86, 60_000
SETTINGS = '{"speed": "instant", "motion": false, "theme": "light", "lang": "LANG"}'


@contextmanager
def served() -> Iterator[str]:
    """The address of a server with all games."""
    with tempfile.TemporaryDirectory() as data:
        command = [sys.executable, "-u", "-m", "tefuda", "web", "--no-open", "--port", "0", "--data", data]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        try:
            lines = (re.search(r"http://[\w.:]+/", line) for line in process.stdout)
            found = next(filter(None, lines), None)
            if found is None:
                raise Problem("the server did not start")
            yield found[0]
        finally:
            process.terminate()
            process.wait()


def opened(browser: Browser, screen: str, lang: str) -> Page:
    context = browser.new_context(**SCREENS[screen])  # type: ignore[arg-type]
    text = SETTINGS.replace("LANG", lang)
    context.add_init_script(f"localStorage.setItem('tefuda.settings', {text!r})")
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    return page


def sit(page: Page, url: str, game: str, preset: str) -> None:
    page.goto(url)
    page.click(f"#game-{game}")
    if page.query_selector(f"#preset-{preset}"):
        page.locator(f"#preset-{preset}").check(force=True)
    page.fill("#deal-number", str(DEAL))
    page.click("#sit-down")


def move(page: Page, chance: random.Random) -> None:
    """Some move that can be made."""
    turn = page.get_attribute(".table", "data-turn")
    waiting = page.query_selector(".zone--waiting") is not None
    cards = page.query_selector_all("button.can-take" if waiting else "button.can-play")
    chance.choice(cards or page.query_selector_all(".prompt__moves button")).click()
    page.wait_for_function("([turn]) => document.querySelector('.table').dataset.turn !== turn", arg=[turn])
    page.wait_for_selector(".felt.is-free, .end")


def save(page: Page, name: str) -> None:
    page.wait_for_timeout(400)
    page.screenshot(path=FOLDER / f"{name}.jpg", quality=QUALITY, type="jpeg")


def draw_table(browser: Browser, url: str, name: str, screen: str) -> None:
    """A table after some moves; on a desktop with a hint beside it."""
    game, preset, moves, lang = TABLES[name]
    page, chance = opened(browser, screen, lang), random.Random(moves)
    sit(page, url, game, preset)
    page.wait_for_selector(".felt.is-free")
    for _ in range(moves):
        if page.query_selector(".end"):
            break
        move(page, chance)
    if screen == "desktop" and page.query_selector(".felt.is-free"):
        page.keyboard.press("h")
        page.wait_for_selector(".bars__row")
        page.wait_for_timeout(2500)
    save(page, f"{name}-{screen}")
    page.context.close()


def draw_lobby_and_review(browser: Browser, url: str, screen: str) -> None:
    """The lobby, and the review of a game that chance has played."""
    page, chance = opened(browser, screen, "en"), random.Random(3)
    page.goto(url)
    page.wait_for_selector(".game")
    save(page, f"lobby-{screen}")
    sit(page, url, "koikoi", "paper")
    page.wait_for_selector(".felt.is-free")
    while not page.query_selector(".end"):
        move(page, chance)
    save(page, f"end-{screen}")
    page.click(".end .button--main")
    page.wait_for_selector(".review__board .table")
    page.wait_for_selector("progress", state="detached")
    if page.query_selector(".mistake"):
        page.click(".mistake")
    page.evaluate("scrollTo(0, 0)")
    save(page, f"review-{screen}")
    page.context.close()


def main() -> None:
    names, found = sys.argv[1:] or [*TABLES, "lobby"], chromium()
    if found is None:
        raise Problem("there is no Chromium on PATH, which draws the pages")
    FOLDER.mkdir(exist_ok=True)
    with served() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        for name in names:
            for screen in SCREENS:
                if name == "lobby":
                    draw_lobby_and_review(browser, url, screen)
                else:
                    draw_table(browser, url, name, screen)
                print(f"{name} {screen}", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
