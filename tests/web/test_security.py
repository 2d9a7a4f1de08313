"""Who gets in: hosts, origins, the token, keys, names of players, sizes, floods, headers."""

import json
import sqlite3

import pytest
from starlette.websockets import WebSocketDisconnect

from tefuda.web.security import Door
from tests.web.conftest import HOST, ORIGIN, Page

TOKEN = "a-token-of-the-house"
TABLE = {"game": "leduc", "seats": ["person", "honest"]}


def test_another_host_name_is_refused(serving):
    """A name that was bent to this address (DNS rebinding) comes with its own Host header."""
    client = serving().client
    for host in ("evil.example", "evil.example:8377", "127.0.0.1.evil.example", "", "[", "192.168.7.7"):
        answer = client.get("/api/lobby", headers={"host": host, "origin": f"http://{host}"})
        assert answer.status_code in (403, 421), host
        assert "why" in answer.json()
    for host in (HOST, "localhost:8377", "[::1]:8377"):
        assert client.get("/api/lobby", headers={"host": host, "origin": f"http://{host}"}).status_code == 200


def test_another_page_is_refused(serving):
    served = serving()
    for origin in ("http://evil.example", "null", "http://127.0.0.1:1", "https://evil.example:8377", "file://"):
        assert served.client.post("/api/tables", json=TABLE, headers={"origin": origin}).status_code == 403
        opened = served.open()
        with (
            pytest.raises(WebSocketDisconnect),
            served.client.websocket_connect(f"ws://{HOST}/ws/tables/{opened['table']}", headers={"origin": origin}),
        ):
            pass
    client = served.client
    client.headers.pop("origin")
    with pytest.raises(WebSocketDisconnect), client.websocket_connect(f"ws://{HOST}/ws/tables/{opened['table']}"):
        pass
    assert client.get("/api/lobby", headers={"sec-fetch-site": "cross-site"}).status_code == 403


def test_a_form_of_another_page_is_refused(serving):
    client = serving().client
    body = json.dumps(TABLE)
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
        answer = client.post("/api/tables", content=body, headers={"content-type": kind})
        assert answer.status_code == 415


def test_elsewhere_a_token_is_needed(serving):
    served = serving(door=Door("0.0.0.0", TOKEN))
    client = served.client
    for path in ("/api/lobby", "/api/openapi.json"):
        assert client.get(path).status_code == 401
    assert client.post("/api/tables", json=TABLE).status_code == 401
    assert client.post("/api/mine", json={"keys": []}).status_code == 401
    assert client.get("/").status_code == 200
    assert client.post("/api/enter", json={"token": "wrong"}).status_code == 401
    assert client.get("/api/lobby", headers={"cookie": "tefuda=wrong"}).status_code == 401
    entered = client.post("/api/enter", json={"token": TOKEN})
    cookie = entered.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert TOKEN not in cookie
    opened = served.open()  # the client has its cookie now
    client.cookies.clear()
    assert client.get("/api/lobby", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 200
    with served.sit(opened) as socket:  # who was invited needs the key of the seat alone
        page = Page(socket, opened["key"])
        assert page.until("turns")
    assert (
        client.get("/api/lobby", headers={"host": "evil.example", "origin": "http://evil.example"}).status_code == 421
    )
    assert client.get("/", headers={"host": "192.168.7.7", "origin": "http://192.168.7.7"}).status_code == 200


def test_every_answer_has_the_headers(serving):
    client = serving().client
    for path in ("/", "/api/lobby", "/nothing/here", "/api/tables/x/record"):
        headers = client.get(path).headers
        policy = dict(part.strip().partition(" ")[::2] for part in headers["content-security-policy"].split(";"))
        assert policy["default-src"] == "'none'"
        assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
        assert policy["frame-ancestors"] == policy["base-uri"] == policy["form-action"] == "'none'"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "access-control-allow-origin" not in headers
    assert client.get("/api/lobby").headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "name",
    ["own.py:Player", "policy.npz", "/etc/passwd", "../own.py:X", "pimc/worlds=1000000", "nobody", "champion.npz"],
)
def test_players_come_from_the_list_alone(serving, tmp_path, name, monkeypatch):
    monkeypatch.chdir(tmp_path)
    mark = tmp_path / "ran"
    (tmp_path / "own.py").write_text(f"open({str(mark)!r}, 'w')\nclass Player:\n    def act(self, view): return 0\n")
    served = serving()
    answer = served.client.post("/api/tables", json={"game": "leduc", "seats": ["person", name]})
    assert answer.status_code == 404
    assert "player" in answer.json()["why"]["en"]
    opened = served.open()
    with served.sit(opened) as socket:
        page = Page(socket, opened["key"])
        page.until("turns")
        page.say(type="hint", turn=page.turn, adviser=name)
        assert page.until("refused")
    assert not mark.exists()


@pytest.mark.parametrize("game", ["own.py", "/tmp", "koikoi", "../leduc", "tefuda.games.kuhn"])
def test_games_come_from_the_list_alone(serving, game):
    answer = serving().client.post("/api/tables", json={"game": game, "seats": ["person", "honest"]})
    assert answer.status_code == 404


@pytest.mark.parametrize(
    "path",
    ["/../store.py", "/..%2fstore.py", "/%2e%2e%2fstore.py", "/....//store.py", "//etc/passwd", "/.hidden", "/a%00b"],
)
def test_no_path_leads_out_of_the_files_of_the_page(serving, path):
    answer = serving().client.get(path)
    assert answer.status_code in (400, 404)
    assert b"SQLite" not in answer.content


def test_keys_are_kept_as_hashes_alone(serving):
    served = serving()
    opened = served.open()
    content = b"".join(path.read_bytes() for path in served.house.store.path.parent.iterdir())
    assert opened["table"].encode() in content
    assert opened["key"].encode() not in content
    assert len(opened["key"]) >= 22  # 128 bits
    assert served.house.store.path.stat().st_mode & 0o077 == 0


def test_large_bodies_and_messages_are_refused(serving):
    served = serving()
    large = {"game": "leduc", "seats": ["person", "x" * 100_000]}
    assert served.client.post("/api/tables", json=large).status_code == 413
    assert served.client.post("/api/mine", json={"keys": ["A" * 22] * 1000}).status_code == 422
    opened = served.open()
    with served.sit(opened) as socket:
        page = Page(socket, opened["key"])
        page.until("turns")
        page.say(type="move", turn=0, action=0, more="x" * 9000)
        assert page.until("refused")["why"]["en"] == "this message cannot be read"


def test_a_flood_is_answered_not_served(serving):
    served = serving(messages=(1.0, 5.0), wrong=50)
    opened = served.open(deal=1)
    with served.sit(opened) as socket:
        page = Page(socket, opened["key"])
        page.until("turns")
        for _ in range(30):
            page.say(type="unseen", turn=0)
        kinds = [page.next()["type"] for _ in range(6)]
        assert kinds.count("unseen") == 5
        assert "refused" in kinds
        for _ in range(60):
            page.say(type="unseen", turn=0)
        assert page.until("gone")


def test_too_many_requests_are_refused(serving):
    client = serving(requests=(0.1, 5.0)).client
    codes = [client.get("/api/guide?game=leduc").status_code for _ in range(8)]
    assert codes == [200] * 5 + [429] * 3
    assert client.get("/").status_code == 200


def test_the_house_is_full_at_some_time(serving):
    served = serving(tables=2, connections=2, per_seat=1)
    opened = served.open()
    served.open()
    assert served.client.post("/api/tables", json=TABLE).status_code == 503
    with served.sit(opened) as socket:
        Page(socket, opened["key"]).until("turns")
        with served.sit(opened) as other:
            assert Page(other, opened["key"]).next()["type"] == "gone"
        with served.sit(opened), pytest.raises(WebSocketDisconnect), served.sit(opened):
            pass


def test_a_move_that_cannot_be_kept_is_not_taken(serving, monkeypatch):
    served = serving()
    opened = served.open(deal=1)
    with served.sit(opened) as socket:
        page = Page(socket, opened["key"])
        page.until("turns")
        scene, write = page.scene, served.house.store.write

        async def full(*statements):
            raise sqlite3.OperationalError("database or disk is full")

        monkeypatch.setattr(served.house.store, "write", full)
        action = page.scene["moves"][0]["action"]
        page.move(action)
        assert "disk" in page.until("refused")["why"]["en"]
        monkeypatch.setattr(served.house.store, "write", write)
        page.say(type="look", seat=0)
        page.until("turns")
        assert page.scene["moves"] == scene["moves"]
        page.move(action)
        page.until("turns")
        assert page.turn > 0


def test_files_of_the_page_are_packed_and_sent_once(serving):
    client = serving().client
    first = client.get("/", headers=ORIGIN)
    tag = first.headers["etag"]
    assert first.headers["cache-control"] == "no-cache"
    again = client.get("/", headers={"if-none-match": tag})
    assert again.status_code == 304
    assert again.content == b""
