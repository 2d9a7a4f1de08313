"""A server in a process of its own, and somebody who sits before its page: by mouse, or by keyboard alone."""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

PATIENCE = 60_000  # milliseconds: a busy machine is slow, not wrong
FREE, END = ".felt.is-free", ".end"
MOVED = "([turn]) => document.querySelector('.end') || document.querySelector('dialog[open]') \
    || document.querySelector('.table')?.dataset.turn !== turn"
QUICK = {"lang": "en", "speed": "instant", "motion": False}


def chromium() -> str | None:
    """The browser of the system."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


class Server:
    """`tefuda web` as a user starts it."""

    def __init__(self, games: list[str], data: Path, port: int = 0, more: tuple[str, ...] = ()) -> None:
        self.games, self.data, self.port, self.more = games, data, port, more
        self.start()

    def start(self) -> None:
        """Start it; after the first time on the same port."""
        command = [sys.executable, "-m", "tefuda", "web", *self.games, "--no-open", "--port", str(self.port)]
        self.process = subprocess.Popen(
            [*command, "--data", str(self.data), *self.more],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )  # fmt: skip
        assert self.process.stdout is not None
        said = []
        for line in self.process.stdout:
            said.append(line)
            found = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
            if found:
                self.port = int(found[1])
                return
        raise AssertionError("the server did not start:\n" + "".join(said))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def kill(self) -> None:
        """End it as a power cut would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait()


class Visitor:
    """A browser tab, and all that it was sent."""

    def __init__(self, browser: Browser, url: str, settings: dict[str, Any] | None = None, **how: Any) -> None:
        self.url, self.random = url, random.Random(7)
        self.context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **how})
        self.context.add_init_script(
            f"localStorage.getItem('tefuda.settings') ?? localStorage.setItem('tefuda.settings', "
            f"{json.dumps(json.dumps({**QUICK, **(settings or {})}))})"
        )
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.received: list[dict[str, Any]] = []
        self.sent: list[dict[str, Any]] = []
        self.asked: list[str] = []
        self.trouble: list[str] = []
        self.page.on("websocket", self._listen)
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("pageerror", lambda error: self.trouble.append(str(error)))
        self.page.on("console", lambda said: said.type == "error" and self.trouble.append(said.text))

    def _listen(self, socket: Any) -> None:
        socket.on("framereceived", lambda frame: self.received.append(json.loads(frame)))
        socket.on("framesent", lambda frame: self.sent.append(json.loads(frame)))

    # Screens

    def lobby(self) -> "Visitor":
        self.page.goto(self.url)
        self.page.wait_for_selector(".game")
        return self

    def watch(self, game: str) -> None:
        """From the lobby to a table at which programs play."""
        page = self.lobby().page
        page.click(f"#game-{game}")
        page.click("text=I only watch")
        page.click("#sit-down")
        page.wait_for_selector(".watch")

    def sit(self, game: str, preset: str | None = None, deal: int = 5, seats: dict[int, str] | None = None) -> None:
        """From the lobby to a table."""
        page = self.lobby().page
        page.click(f"#game-{game}")
        if preset:
            page.locator(f"#preset-{preset}").check(force=True)
        for seat, who in (seats or {}).items():
            page.select_option(f"#seat-{seat}", who)
        page.fill("#deal-number", str(deal))
        page.click("#sit-down")
        page.wait_for_selector(".table")

    def wait(self) -> bool:
        """Wait until something can be done; False when the game is over."""
        self.page.wait_for_selector(f"{FREE}, {END}")
        return self.page.query_selector(END) is None

    @property
    def turn(self) -> str:
        return self.page.get_attribute(".table", "data-turn") or ""

    @property
    def key(self) -> tuple[str, str]:
        """The table and the key of its address."""
        found = re.search(r"#/table/([\w-]+)/([\w-]+)", self.page.url)
        assert found
        return found[1], found[2]

    # Moves

    def play(self, by: str, most: int = 400) -> None:
        """Move until the game is over, or so many times."""
        for _ in range(most):
            if not self.wait():
                return
            self.by_mouse() if by == "mouse" else self.by_keyboard()

    def by_mouse(self) -> None:
        """One move with the mouse."""
        page, turn = self.page, self.turn
        waiting = page.query_selector(".zone--waiting") is not None
        cards = page.query_selector_all("button.can-take" if waiting else "button.can-play")
        self.random.choice(cards or page.query_selector_all(".prompt__moves button")).click()
        self._done(turn, lambda: page.click(".chooser .button"))

    def by_keyboard(self) -> None:
        """One move by keys: arrows choose, Enter plays. Enter on a card that can be taken chooses who takes it."""
        page, turn = self.page, self.turn
        for _ in range(self.random.randint(1, 5)):
            page.keyboard.press("ArrowRight")
        chosen = "document.activeElement.matches('.can-play, .can-take, .prompt__moves button')"
        assert page.evaluate(chosen), page.evaluate("document.activeElement.outerHTML.slice(0, 200)")
        for _ in range(3):
            page.keyboard.press("Enter")
            page.wait_for_timeout(60)
            if page.query_selector("dialog[open]") or self.turn != turn or not page.query_selector(FREE):
                break
        self._done(turn, lambda: page.keyboard.press("1"))

    def _done(self, turn: str, choose: Any) -> None:
        """Wait for the answer to a move; where it is asked which one, choose."""
        self.page.wait_for_function(MOVED, arg=[turn])
        if self.page.query_selector("dialog[open]"):
            choose()
            self.page.wait_for_function(MOVED.replace("|| document.querySelector('dialog[open]')", ""), arg=[turn])

    def scenes(self) -> list[dict[str, Any]]:
        """Every scene that this tab has received."""
        turns = [message for message in self.received if message["type"] == "turns"]
        return [entry["scene"] for message in turns for entry in message["turns"] if entry["scene"]]
