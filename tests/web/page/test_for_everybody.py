"""Everybody can use the page: axe-core finds nothing, a phone never scrolls sideways, moves are announced."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.web.page.driving import END, Visitor

pytestmark = pytest.mark.full
GAMES = {"koikoi": "paper", "tricks": "usual", "saichugen": "paper", "mahjong": "hanchan", "kuhn": None, "leduc": None}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
TOO_WIDE = """() => {
    const outside = (box) => box.right > innerWidth + 1 || box.left < -1;
    const shown = [...document.querySelectorAll("#app *")].filter((each) => each.offsetParent !== null);
    const wide = shown.filter((each) => !each.closest(".scroll, .unseen, .bar__round"));
    const found = wide.filter((each) => outside(each.getBoundingClientRect()));
    return [document.documentElement.scrollWidth > innerWidth, found.slice(0, 3).map((each) => each.className)];
}"""
TRAVELS = """() => {
    const look = (node) => { window.travelled ||= node.className === "travel"; };
    new MutationObserver((all) => all.forEach((each) => each.addedNodes.forEach(look)))
        .observe(document.body, { childList: true });
}"""


def check(visitor: Visitor) -> None:
    """What axe-core finds in the page as it is."""
    visitor.page.wait_for_timeout(350)  # colours of hovering fade
    found = Axe().run(visitor.page)
    told = [(each["id"], [node["html"][:160] for node in each["nodes"][:3]]) for each in found.response["violations"]]
    assert told == []


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_before_the_table(visit, lang, theme):
    visitor = visit(settings={"theme": theme, "lang": lang})
    page = visitor.lobby().page
    check(visitor)
    page.click("#game-koikoi")
    page.locator(".options summary").click()
    check(visitor)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Settings" if lang == "en" else "設定").click()
    check(visitor)
    for screen in ("position", "results", "enter", "nowhere"):
        page.goto(f"{visitor.url}#/{screen}")
        page.wait_for_selector("main")
        check(visitor)


@pytest.mark.parametrize("game", GAMES)
def test_axe_finds_nothing_at_a_table(visit, game):
    visitor = visit()
    visitor.sit(game, GAMES[game])
    visitor.wait()
    check(visitor)
    visitor.page.keyboard.press("h")
    visitor.page.wait_for_selector(".bars__row")
    check(visitor)
    for key in ("g", "u", "l", "?"):
        visitor.page.keyboard.press(key)
        check(visitor)


def test_axe_finds_nothing_at_the_end_in_the_review_and_in_its_exercises(visit):
    visitor = visit(settings={"theme": "dark"})
    visitor.random.seed(3)
    visitor.sit("koikoi")
    visitor.play("mouse")
    page = visitor.page
    check(visitor)
    page.click(".end__skill button")
    page.wait_for_function("() => document.querySelector('.end__skill').textContent.includes('· Luck ')")
    assert re.search(r"Skill [−+±]?[\d.]+ · Luck [−+±]?[\d.]+", page.inner_text(".end__skill"))
    check(visitor)
    page.click(".end .button--main")
    page.wait_for_selector(".review__values .bars")
    check(visitor)
    page.locator("#threshold").fill("0")
    page.click("text=Retry my mistakes")
    page.wait_for_selector(".exercise")
    check(visitor)
    page.click("text=Show the values")
    page.wait_for_selector(".exercise .bars")
    check(visitor)


def test_axe_finds_nothing_while_watching_and_with_the_values_of_a_position(visit, server):
    visitor = visit()
    visitor.watch("koikoi")
    page = visitor.page
    page.click(".watch .button:has-text('Step')")
    check(visitor)
    page.goto(f"{server.url}#/position")
    page.wait_for_selector(".position__form")
    page.click("button[type=submit]")
    page.wait_for_selector(".bars__row")
    check(visitor)


def test_axe_finds_nothing_at_a_table_of_several_people(visit):
    visitor = visit(settings={"theme": "dark"})
    visitor.sit("kuhn", seats={1: "friend"})
    visitor.page.wait_for_selector(".together")
    check(visitor)


@pytest.mark.parametrize("game", GAMES)
def test_a_phone_upright_never_scrolls_sideways(visit, game):
    visitor = visit(**PHONE)
    page = visitor.lobby().page
    assert page.evaluate(TOO_WIDE) == [False, []]
    page.tap(f"#game-{game}")
    if GAMES[game]:
        page.locator(f"#preset-{GAMES[game]}").check(force=True)
    assert page.evaluate(TOO_WIDE) == [False, []]
    page.tap("#sit-down")
    for _ in range(4):
        if not visitor.wait():
            break
        assert page.evaluate(TOO_WIDE) == [False, []]
        for element in page.query_selector_all(".can-play"):
            box = element.bounding_box()
            assert min(box["width"], box["height"]) >= 24  # a finger finds it
        visitor.by_mouse()
    check(visitor)


def test_a_tap_selects_and_a_second_one_plays(visit):
    visitor = visit(**PHONE)
    visitor.sit("tricks", "plain")
    visitor.wait()
    turn, card = visitor.turn, visitor.page.locator(".can-play").first
    card.tap()
    visitor.page.wait_for_selector(".card.is-selected")
    assert visitor.turn == turn
    card.tap()
    visitor.page.wait_for_function("([turn]) => document.querySelector('.table').dataset.turn !== turn", arg=[turn])


def test_moves_are_announced_and_cards_have_names(visit):
    visitor = visit()
    visitor.sit("koikoi")
    visitor.wait()
    names = visitor.page.eval_on_selector_all(
        "button.card", "all => all.map((each) => each.getAttribute('aria-label'))"
    )
    assert names
    assert all(names)
    visitor.by_mouse()
    visitor.wait()
    assert visitor.page.inner_text("#live").strip()


def test_with_reduced_motion_nothing_travels(visit):
    visitor = visit(settings={"motion": True, "speed": "quick"}, reduced_motion="reduce")
    visitor.sit("koikoi")
    visitor.wait()
    visitor.page.evaluate(TRAVELS)
    visitor.by_mouse()
    visitor.wait()
    assert visitor.page.evaluate("window.travelled ?? false") is False


def test_cards_travel_and_arrive(visit):
    visitor = visit(settings={"motion": True, "speed": "quick"})
    visitor.sit("koikoi")
    visitor.wait()
    visitor.by_mouse()
    visitor.page.wait_for_selector(".travel", state="attached")
    visitor.wait()
    visitor.page.wait_for_selector(".travel", state="detached")
    hidden = visitor.page.eval_on_selector_all(
        ".card", "all => all.filter((each) => each.style.visibility === 'hidden').length"
    )
    assert hidden == 0
    assert visitor.page.query_selector(END) is None
