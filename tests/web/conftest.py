"""A house with its application, and guests who speak with it as a page does."""

import json
import signal
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright
from starlette.testclient import TestClient

from tefuda.games import find
from tefuda.web.app import create_app
from tefuda.web.house import House
from tefuda.web.security import Door, Limits
from tefuda.web.store import Store
from tests.web.page.driving import chromium

LONGEST = 60  # seconds of a test
HOST = "127.0.0.1:8377"
ORIGIN = {"origin": f"http://{HOST}"}


class Page:
    """One page at a table: it keeps all that it was told."""

    def __init__(self, socket: Any, key: str, seen: int | None = None) -> None:
        self.socket, self.all, self.turn, self.scene = socket, [], 0, {}
        self.say(type="hello", key=key, seen=seen)

    def say(self, **message: Any) -> None:
        self.socket.send_text(json.dumps(message))

    def next(self) -> dict[str, Any]:
        """The next message."""
        message = json.loads(self.socket.receive_text())
        self.all.append(message)
        if message["type"] == "turns" and message["turns"]:
            self.turn, self.scene = message["turns"][-1]["turn"], message["turns"][-1]["scene"]
        return message

    def until(self, *kinds: str) -> dict[str, Any]:
        """The next message of one of these kinds."""
        while (message := self.next())["type"] not in kinds:
            pass
        return message

    def last(self, kind: str) -> dict[str, Any]:
        """The last message of a kind that was told already."""
        return next(message for message in reversed(self.all) if message["type"] == kind)

    def move(self, action: int) -> None:
        self.say(type="move", turn=self.turn, action=action)


class Served:
    """A server without a process of its own."""

    def __init__(self, house: House, door: Door) -> None:
        self.house = house
        self.client = TestClient(create_app(house, door), base_url=f"http://{HOST}", headers=ORIGIN)

    def open(self, game: str = "leduc", seats: list[str] | None = None, **more: Any) -> dict[str, Any]:
        """A new table."""
        answer = self.client.post("/api/tables", json={"game": game, "seats": seats or ["person", "honest"], **more})
        assert answer.status_code == 200, answer.text
        return answer.json()

    def sit(self, opened: dict[str, Any], key: str | None = None) -> Any:
        """A connection to a table, to be used by `with`."""
        return self.client.websocket_connect(f"ws://{HOST}/ws/tables/{opened['table']}", headers=ORIGIN)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One for all tests of a process: two would stand in each other's way. Without one these tests are left out."""
    if chromium() is None:
        pytest.skip("there is no Chromium on PATH")  # tests/conftest.py says so loudly
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture
def serving(tmp_path) -> Iterator[Any]:
    """serving(game, …, token=…) starts one; all are ended at the end."""
    started = []

    def too_long(*_: Any) -> None:
        raise TimeoutError("a page waits for a message that does not come")

    signal.signal(signal.SIGALRM, too_long)
    signal.alarm(LONGEST)

    def start(*names: str, door: Door | None = None, folder: Any = None, **limits: Any) -> Served:
        store = Store(folder or tmp_path / "data")
        served = Served(House([find(name) for name in names or ("leduc",)], store, Limits(**limits)), door or Door())
        served.client.__enter__()
        started.append(served)
        return served

    yield start
    signal.alarm(0)
    for served in started:
        served.client.__exit__(None, None, None)


def finish(page: Page) -> dict[str, Any]:
    """Take the first legal move until the game is over; its result."""
    while True:
        if page.scene.get("moves") and not page.scene.get("over"):
            page.move(page.scene["moves"][0]["action"])
        message = page.until("turns", "result")
        if message["type"] == "result":
            return message
