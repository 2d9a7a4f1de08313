"""A browser, and a server with all games. Without a browser these tests are left out, and that is said loudly."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.web.page.driving import Server, Visitor, chromium

GAMES = ["koikoi", "tricks", "saichugen", "mahjong", "kuhn", "leduc"]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if chromium() is None:
        pytest.skip("there is no Chromium on PATH")  # tests/conftest.py says so loudly
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def server(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    started = Server(GAMES, tmp_path_factory.mktemp("tables"))
    yield started
    started.stop()


@pytest.fixture
def visit(browser: Browser, server: Server) -> Iterator[Callable[..., Visitor]]:
    """Open the page in a tab of its own; at the end no tab may have met an error."""
    visitors: list[Visitor] = []

    def opened(url: str | None = None, **how: Any) -> Visitor:
        visitors.append(Visitor(browser, url or server.url, **how))
        return visitors[-1]

    yield opened
    trouble = [line for visitor in visitors for line in visitor.trouble]
    for visitor in visitors:
        visitor.context.close()
    assert trouble == []
