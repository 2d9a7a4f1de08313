"""A game is reviewed, mistakes are tried again, a position is asked about and shared."""

import re

import httpx
import pytest

from tests.web.page.driving import Visitor

pytestmark = pytest.mark.full


def reviewed(visitor: Visitor) -> None:
    """Play badly and look at it."""
    visitor.random.seed(3)
    visitor.sit("koikoi")
    visitor.play("mouse")
    visitor.page.click(".end .button--main")
    visitor.page.wait_for_selector(".review__board .table")
    visitor.page.wait_for_selector("progress", state="detached")


def test_a_review_tells_skill_and_luck_and_mistakes_can_be_tried_again(visit):
    visitor = visit()
    reviewed(visitor)
    page = visitor.page
    figures = [float(text.replace("−", "-").split()[0]) for text in page.locator(".figure dd").all_inner_texts()]
    result, skill, luck = figures
    assert skill + luck == pytest.approx(result, abs=0.02)
    assert "quick" in page.inner_text(".review__head")  # the judge is named
    slider = page.locator("#threshold")
    slider.fill("0")
    page.wait_for_function("() => document.querySelector('.review__mistakes output').textContent.startsWith('0.00')")
    page.wait_for_timeout(300)
    many = page.locator(".mistake").count()
    assert many >= 1
    slider.focus()
    page.keyboard.press("End")
    page.wait_for_function("() => document.querySelectorAll('.mistake').length === 0")
    page.keyboard.press("Home")
    page.wait_for_function("([many]) => document.querySelectorAll('.mistake').length === many", arg=[many])
    for _ in range(many):
        assert page.locator(".mistake small").first.inner_text().startswith("between")
    page.click("text=Retry my mistakes")
    for number in range(many):
        page.wait_for_selector(f"text=Mistake {number + 1} of {many}")
        page.click("text=Show the values")
        page.wait_for_selector(".exercise .bars")
        page.click("text=Next one")
    page.wait_for_selector(f"text=0 of {many} found")


def test_an_exercise_knows_a_good_move(visit):
    visitor = visit()
    reviewed(visitor)
    page = visitor.page
    page.locator("#threshold").fill("0")
    page.wait_for_selector(".mistake")
    page.click("text=Retry my mistakes")
    page.wait_for_selector(".exercise")
    done = [message for message in visitor.received if message["type"] == "review"][-1]
    worst = max(
        (each for each in done["decisions"] if not each["forced"] and each["loss"][1] > 0),
        key=lambda each: each["loss"][0],
    )
    good = next(each for each in worst["moves"] if each["equal"])
    card = page.locator(f'.review__board .card.can-play[data-card="{good["action"]}"]')
    (card if card.count() else page.locator(f'.review__board [data-action="{good["action"]}"]')).first.click()
    if page.query_selector("dialog[open]"):
        page.click(".chooser .button")
    page.wait_for_selector(".exercise__right")


def test_a_position_streams_values_and_its_link_opens_it_again(visit, server):
    visitor = visit()
    page = visitor.page
    page.goto(f"{server.url}#/position")
    page.wait_for_selector(".position__form")
    page.select_option(".position__form select", "tricks")
    page.click("button[type=submit]")
    page.wait_for_selector(".bars__row")
    page.locator(".review__board .can-play").first.click()  # play on
    page.wait_for_selector("text=One back")
    names = page.locator(".zone--own .card").evaluate_all("all => all.map((each) => each.title)")
    link = page.url
    assert re.search(r"#/position/[\w-]+$", link)
    other = visit()
    other.page.goto(link)
    other.page.wait_for_selector(".bars__row")
    assert other.page.locator(".zone--own .card").evaluate_all("all => all.map((each) => each.title)") == names


def test_a_record_that_is_no_record_is_refused_in_words(visit, tmp_path):
    visitor = visit()
    page = visitor.lobby().page
    (tmp_path / "bad.json").write_text("this is no game")
    page.set_input_files("#record-file", tmp_path / "bad.json")
    page.wait_for_selector(".toast")
    visitor.trouble.clear()  # the browser notes the refusal


def test_a_record_that_is_dropped_is_reviewed(visit, server, tmp_path):
    visitor = visit()
    visitor.sit("kuhn", deal=4)
    visitor.play("mouse")
    table, key = visitor.key
    answer = httpx.get(f"{server.url}api/tables/{table}/record", headers={"Authorization": f"Bearer {key}"})
    (tmp_path / "game.json").write_text(answer.text)
    page = visitor.lobby().page
    page.set_input_files("#record-file", tmp_path / "game.json")
    page.wait_for_selector(".review__board .table")
    page.wait_for_selector("progress", state="detached")
    assert page.locator(".figure dd").count() == 3


def test_a_game_is_saved_as_one_file_that_opens_without_a_server(visit, tmp_path):
    visitor = visit()
    visitor.sit("kuhn", deal=4)
    visitor.play("mouse")
    with visitor.page.expect_download() as download:
        visitor.page.click("text=Save as one file")
    download.value.save_as(tmp_path / "game.html")
    assert "<html" in (tmp_path / "game.html").read_text()
