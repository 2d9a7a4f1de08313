"""A server with all games, and tabs of the browser that look at it."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.web.page.driving import Server, Visitor

GAMES = ["koikoi", "tricks", "saichugen", "mahjong", "kuhn", "leduc"]


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
