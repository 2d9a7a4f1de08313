"""Exported reviews and games open from a file, in a browser that has no network."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tefuda.players.resolve import resolve
from tefuda.records.played import played_in
from tefuda.table.review import Review
from tefuda.web import standalone

KEPT = Path(__file__).parents[2] / "files" / "kept" / "games"


@pytest.mark.full
def test_the_pages_open_without_a_server(browser: Browser, tmp_path: Path) -> None:
    played = played_in(KEPT / "koikoi-finished.json")
    review = Review(played, None, resolve(played.game, "random/always-stop", played.rules), worlds=32)
    for _ in review.run():
        pass
    standalone.write_review(tmp_path / "review.html", review)
    standalone.write_game(tmp_path / "game.html", played)
    context = browser.new_context(offline=True, locale="en-US")
    page, troubles = context.new_page(), []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("request", lambda request: troubles.append(request.url) if request.url.startswith("http") else None)
    page.goto((tmp_path / "review.html").as_uri())
    page.wait_for_selector(".review .card")
    assert "−17.0\n" in page.locator(".figures").inner_text()  # the result
    page.goto((tmp_path / "game.html").as_uri())
    page.wait_for_selector(".watch button")
    for _ in range(3):
        page.locator(".watch button").first.click()
        page.wait_for_timeout(700)
    assert page.locator(".card").count() > 10
    context.close()
    assert troubles == []
