"""The real process: it says where it listens, survives kill −9 with every action, and tells mistakes in one line."""

import asyncio
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from websockets.sync.client import connect

import tefuda.web

KEPT = Path(__file__).parents[1] / "files" / "kept" / "games"


class Process:
    """`tefuda web` as a person starts it."""

    def __init__(self, folder, port: int = 0, game: str = "leduc") -> None:
        command = [sys.executable, "-m", "tefuda", "web", game, "--no-open", "--data", str(folder)]
        self.process = subprocess.Popen([*command, "--port", str(port)], stdout=subprocess.PIPE, text=True)
        self.base = self.process.stdout.readline().split()[2].rstrip("/")

    def post(self, path: str, body) -> dict:
        request = urllib.request.Request(
            self.base + path, json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=20) as answer:
            return json.load(answer)

    def get(self, path: str) -> dict:
        with urllib.request.urlopen(self.base + path, timeout=20) as answer:
            return json.load(answer)

    def sit(self, opened):
        return connect(self.base.replace("http", "ws", 1) + f"/ws/tables/{opened['table']}", origin=self.base)

    def end(self, how: int) -> int:
        os.kill(self.process.pid, how)
        code = self.process.wait(20)
        self.process.stdout.close()
        return code


def hello(socket, opened, seen=None):
    socket.send(json.dumps({"type": "hello", "key": opened["key"], "seen": seen}))
    return turns(socket)


def turns(socket):
    while (message := json.loads(socket.recv(20)))["type"] != "turns":
        pass
    return message


@pytest.mark.slow
def test_after_kill_9_every_table_goes_on_where_it_was(tmp_path):
    server = Process(tmp_path)
    tables = [server.post("/api/tables", {"game": "leduc", "seats": ["person", "honest"], "deal": n}) for n in range(5)]
    stood = []
    for opened in tables:
        with server.sit(opened) as socket:
            last = hello(socket, opened)["turns"][-1]
            move = {"type": "move", "turn": last["turn"], "action": last["scene"]["moves"][0]["action"]}
            socket.send(json.dumps(move))
            stood.append((last["turn"], turns(socket)))
    port = int(server.base.rpartition(":")[2])
    assert server.end(signal.SIGKILL) == -signal.SIGKILL
    server = Process(tmp_path, port)
    try:
        for opened, (seen, before) in zip(tables, stood, strict=True):
            with server.sit(opened) as socket:
                after = hello(socket, opened, seen)  # as the same tab does, which knows its last turn
                assert after["from"] == seen
                assert after["turns"][: len(before["turns"])] == before["turns"]
    finally:
        assert server.end(signal.SIGINT) in (0, 130)


@pytest.mark.full
def test_after_kill_9_a_review_goes_on_where_it_was(tmp_path):
    record = (KEPT / "koikoi-finished.json").read_text()
    server = Process(tmp_path, game="koikoi")
    asked = {"record": record, "name": "koikoi-finished.json", "judge": "champion"}  # it takes its time
    number = server.post("/api/reviews", asked)["review"]
    while not (before := server.get(f"/api/reviews/{number}"))["done"]:
        time.sleep(0.02)
    kept = sqlite3.connect(tmp_path / "tables.db")
    wanted = "SELECT json_array_length(value, '$.data.decisions') FROM kept WHERE kind = 'review'"
    while not (on_disk := kept.execute(wanted).fetchone()[0]):
        time.sleep(0.05)
    kept.close()
    assert before["state"] == "running"
    assert server.end(signal.SIGKILL) == -signal.SIGKILL
    server = Process(tmp_path, game="koikoi")  # nobody asks for the review again: it goes on by itself
    try:
        first = server.get(f"/api/reviews/{number}")
        assert first["done"] >= on_disk >= 1
        while (after := server.get(f"/api/reviews/{number}"))["state"] != "done":
            assert after["state"] in ("waiting", "running")
            time.sleep(0.1)
        assert after["done"] == after["of"] > before["done"]
        known = {each["turn"]: each for each in after["decisions"]}
        for each in first["decisions"]:  # with as many worlds nothing was judged anew
            now = known[each["turn"]]
            assert now["worlds"] > each["worlds"] or now["loss"][0] == each["loss"][0]
    finally:
        server.end(signal.SIGINT)


@pytest.mark.slow
def test_one_folder_has_one_server_and_a_port_in_use_is_told(tmp_path, tefuda):
    server = Process(tmp_path)
    try:
        port = server.base.rpartition(":")[2]
        done = tefuda("web", "leduc", "--no-open", "--port", "0", "--data", tmp_path)
        assert done.returncode == 2
        assert done.stderr.count("\n") == 1
        assert "another web table" in done.stderr
        done = tefuda("web", "leduc", "--no-open", "--port", port, "--data", tmp_path / "other")
        assert done.returncode == 2
        assert f"port {port}" in done.stderr
    finally:
        server.end(signal.SIGINT)


def test_mistakes_of_the_command_are_one_line(here, tmp_path):
    (tmp_path / "file").write_text("")
    for words, part in (
        (["nogame"], "unknown game"), (["leduc", "leduc"], "two games"), (["--token", "short"], "8 characters"),
        (["leduc", "--data", str(tmp_path / "file" / "below")], "cannot be kept"),
        (["leduc", "--host", "no.such.host.invalid"], "cannot listen"),
    ):  # fmt: skip
        done = here("web", *words, "--no-open", "--port", "0")
        assert done.returncode == 2, words
        assert part in done.stderr
        assert done.stderr.count("\n") == 1


def test_a_missing_extra_is_one_line(here, monkeypatch):
    monkeypatch.setattr(tefuda, "web", tefuda.web)  # so that the package of now is the one of later tests
    for name in [name for name in sys.modules if name.startswith("tefuda.web")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    done = here("web", "--no-open")
    assert done.returncode == 2
    assert "pip install 'tefuda[web]'" in done.stderr


async def play_until_killed(server, opened, answered: list[int]) -> None:
    """Move as fast as the server answers; what was answered is noted."""
    from websockets.asyncio.client import connect as connect_async
    from websockets.exceptions import ConnectionClosed

    address = server.base.replace("http", "ws", 1) + f"/ws/tables/{opened['table']}"
    try:
        async with connect_async(address, origin=server.base) as socket:
            await socket.send(json.dumps({"type": "hello", "key": opened["key"]}))
            sent = None
            async for content in socket:
                message = json.loads(content)
                if message["type"] != "turns" or not message["turns"]:
                    continue
                if sent is not None:
                    answered.append(sent)
                last = message["turns"][-1]
                if not last["scene"].get("moves"):
                    return
                sent = last["scene"]["moves"][0]["action"]
                await socket.send(json.dumps({"type": "move", "turn": last["turn"], "action": sent}))
    except (ConnectionClosed, OSError):
        return


@pytest.mark.slow
def test_what_was_answered_before_kill_9_is_there_afterwards(tmp_path):
    server = Process(tmp_path, game="koikoi")
    wanted = {"game": "koikoi", "seats": ["person", "rule-based"], "preset": "nintendo"}
    tables = [server.post("/api/tables", {**wanted, "deal": number}) for number in range(8)]
    answered: list[list[int]] = [[] for _ in tables]

    async def all_play() -> None:
        playing = [asyncio.create_task(play_until_killed(server, *each)) for each in zip(tables, answered, strict=True)]
        while sum(map(len, answered)) < 60:
            await asyncio.sleep(0.01)
        server.end(signal.SIGKILL)
        await asyncio.gather(*playing)

    with ThreadPoolExecutor(1) as apart:  # a browser of another test may have a loop in this thread
        apart.submit(asyncio.run, all_play()).result()
    server = Process(tmp_path, game="koikoi")
    try:
        for opened, known in zip(tables, answered, strict=True):
            request = urllib.request.Request(
                f"{server.base}/api/tables/{opened['table']}/record",
                headers={"Authorization": f"Bearer {opened['key']}"},
            )
            with urllib.request.urlopen(request, timeout=20) as answer:
                kept = [action for seat, action, _ in json.load(answer)["actions"] if seat == 0]
            assert kept[: len(known)] == known
            assert len(kept) <= len(known) + 1
    finally:
        server.end(signal.SIGINT)
