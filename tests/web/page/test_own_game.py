"""A game of the user's own, with no scene and no art, is played and reviewed in the browser.

It is the one test of the page that `make test` runs; `make full` runs the others.
"""

import subprocess
import sys

import pytest

from tests.web.page.driving import Server, Visitor

pytestmark = pytest.mark.slow


def test_a_game_of_ones_own_is_played_and_reviewed(browser, tmp_path):
    command = [sys.executable, "-m", "tefuda", "new", "game", "my_game"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    folder = next(path.parent for path in tmp_path.rglob("__init__.py"))
    server = Server([str(folder)], tmp_path / "tables")
    try:
        visitor = Visitor(browser, server.url)
        page = visitor.lobby().page
        page.click(".game")
        page.click("#sit-down")
        visitor.play("keyboard", most=2)
        visitor.play("mouse")
        page.click(".end .button--main")
        page.wait_for_selector(".review__board .table")
        page.wait_for_selector("progress", state="detached")
        assert page.locator(".figure dd").count() == 3
        assert visitor.trouble == []
        visitor.context.close()
    finally:
        server.stop()
