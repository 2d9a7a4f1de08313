"""A browser, and a server with all games. Without a browser these tests are left out, and that is said loudly."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.web.page.driving import Server, Visitor, chromium

GAMES = ["koikoi", "tricks", "saichugen", "mahjong", "kuhn", "leduc"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Without a browser nothing of this folder can be tried."""
    here = [item for item in items if Path(__file__).parent in item.path.parents]
    if here and chromium() is None:
        told = f"NO BROWSER: {len(here)} tests of the page are left out. Install chromium, so that it is on PATH."
        print(f"\n{'!' * len(told)}\n{told}\n{'!' * len(told)}", file=sys.__stderr__)
        for item in here:
            if "browser" in getattr(item, "fixturenames", ()):
                item.add_marker(pytest.mark.skip(reason=told))


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
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
