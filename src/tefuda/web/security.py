"""Who gets in, and how much: hosts, origins, the token, headers of every answer, sizes, floods.

A page of another site can make a browser send requests here. So a request must name this server as its host, which a
name that was bent to this address does not (DNS rebinding), and must come from a page of this server (Origin).
"""

import asyncio
import hmac
import ipaddress
import secrets
import socket
import time
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tefuda.contract import Name
from tefuda.web import refusals
from tefuda.web.refusals import Refusal

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY", "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=()",
}  # fmt: skip
COOKIE = "tefuda"
LOOPBACK = ("localhost", "127.0.0.1", "::1")
OPEN_PATHS = (  # these ask for no token, or for a seat's key, or have names that nobody can guess
    "/api/enter", "/api/guide", "/ws/tables/", "/api/tables/", "/api/reviews", "/api/reviews/", "/ws/reviews/",
    "/api/exports/",
)  # fmt: skip
LARGE_PATHS = ("/api/reviews", "/api/positions")  # records may be dropped here
MOST_REMEMBERED = 10_000  # addresses whose requests are counted


@dataclass(frozen=True)
class Limits:
    """How much one server serves."""

    tables: int = 100_000  # that are kept
    connections: int = 1_000  # at once
    per_seat: int = 8  # connections of one seat or watcher's key
    body: int = 64 << 10  # bytes of a request
    large_body: int = 8 << 20  # bytes of a dropped record
    slowest_body: float = 30.0  # seconds in which a request must have come
    message: int = 8 << 10  # bytes of a message
    messages: tuple[float, float] = (20.0, 40.0)  # a second, and at once, from one connection
    requests: tuple[float, float] = (50.0, 400.0)  # a second, and at once, from one address
    hints: int = 32  # under way at once
    asked: tuple[float, float] = (3.0, 10.0)  # hints and new tables a second, and at once, that one connection asks for
    silence: float = 15.0  # seconds in which a connection must say hello
    wrong: int = 200  # refused messages after which a connection is closed


class Bucket:
    """A flood is what comes faster than `rate` a second, after `burst` at once."""

    def __init__(self, rate: float, burst: float) -> None:
        self.rate, self.burst, self.left, self.then = rate, burst, burst, time.monotonic()

    def take(self) -> bool:
        """Whether one more may come."""
        now = time.monotonic()
        self.left, self.then = min(self.burst, self.left + (now - self.then) * self.rate), now
        if self.left < 1.0:
            return False
        self.left -= 1.0
        return True


@dataclass
class Door:
    """Which hosts are ours, and which token is asked for."""

    host: str = "127.0.0.1"
    token: str | None = None  # None: only who is on this machine can come
    names: set[str] = field(default_factory=set)  # further names of this machine

    def __post_init__(self) -> None:
        self._secret = secrets.token_bytes(32)  # cookies of an earlier start are void
        self.names |= {*LOOPBACK, self.host.lower(), socket.gethostname().lower()}

    @property
    def cookie(self) -> str:
        """What a browser is given that has shown the token."""
        return hmac.new(self._secret, (self.token or "").encode(), sha256).hexdigest()

    def is_token(self, given: str) -> bool:
        return self.token is not None and hmac.compare_digest(given.encode(), self.token.encode())

    def knows_host(self, header: str) -> bool:
        """Whether a Host header names this machine. With a token any address of figures does: only names can be bent
        to another address."""
        try:
            name = (urlsplit(f"//{header}").hostname or "").lower()
        except ValueError:
            return False
        if name in self.names:
            return True
        return self.token is not None and _is_address(name)

    def lets_in(self, headers: Headers, cookie: str | None) -> bool:
        """Whether a request has shown the token, where there is one."""
        if self.token is None:
            return True
        if cookie is not None and hmac.compare_digest(cookie.encode(), self.cookie.encode()):
            return True
        scheme, _, given = headers.get("authorization", "").partition(" ")
        return scheme.lower() == "bearer" and self.is_token(given.strip())


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def same_origin(origin: str | None, host: str) -> bool:
    """Whether a page of this very server asks."""
    if origin is None:
        return False
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and parts.netloc.lower() == host.lower()


class Guard:
    """Stands before the application: refuses what may not come in, and puts the headers on every answer."""

    def __init__(self, app: ASGIApp, door: Door, limits: Limits) -> None:
        self.app, self.door, self.limits = app, door, limits
        self.buckets: OrderedDict[str, Bucket] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._http(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._websocket(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"]

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(raw=message["headers"])
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if path.startswith("/api/"):
                    headers.setdefault("Cache-Control", "no-store")
                message["headers"] = headers.raw
            await send(message)

        try:
            self._admit(scope)
            if scope["method"] not in ("GET", "HEAD"):
                receive = await asyncio.wait_for(self._body(scope, receive), self.limits.slowest_body)
        except (Refusal, TimeoutError) as error:
            refusal = error if isinstance(error, Refusal) else Refusal(408, refusals.TOO_LATE)
            answer = JSONResponse(refusal.data(), refusal.status, {"Connection": "close"})
            await answer(scope, receive, send_with_headers)
            return
        await self.app(scope, receive, send_with_headers)

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        try:
            self._admit(scope)
            if not same_origin(headers.get("origin"), headers.get("host", "")):
                raise Refusal(403, refusals.WRONG_ORIGIN)
        except Refusal:
            await receive()
            await send({"type": "websocket.close", "code": 1008})
            return
        await self.app(scope, receive, send)

    def _admit(self, scope: Scope) -> None:
        """Refuse strangers, and who asks too often."""
        headers, path = Headers(scope=scope), scope["path"]
        if not self.door.knows_host(headers.get("host", "")):
            raise Refusal(421, refusals.WRONG_HOST)
        origin = headers.get("origin")
        if origin is not None and not same_origin(origin, headers.get("host", "")):
            raise Refusal(403, refusals.WRONG_ORIGIN)
        if headers.get("sec-fetch-site", "none") not in ("same-origin", "none") and path.startswith(("/api/", "/ws/")):
            raise Refusal(403, refusals.WRONG_ORIGIN)
        if path.startswith(("/api/", "/ws/")):
            if not self._bucket(scope).take():
                raise Refusal(429, refusals.TOO_MANY)
            if not self._is_open(path) and not self.door.lets_in(headers, cookie_of(headers)):
                raise Refusal(401, refusals.TOKEN_NEEDED)

    @staticmethod
    def _is_open(path: str) -> bool:
        return any(path == each or (each.endswith("/") and path.startswith(each)) for each in OPEN_PATHS)

    def _bucket(self, scope: Scope) -> Bucket:
        address = scope["client"][0] if scope.get("client") else ""
        bucket = self.buckets.pop(address, None) or Bucket(*self.limits.requests)
        self.buckets[address] = bucket
        if len(self.buckets) > MOST_REMEMBERED:
            self.buckets.popitem(last=False)
        return bucket

    async def _body(self, scope: Scope, receive: Receive) -> Receive:
        """Read the body, as far as it is not too large, before anybody else does."""
        headers = Headers(scope=scope)
        most = self.limits.large_body if scope["path"].startswith(LARGE_PATHS) else self.limits.body
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length[:20]) > most:
            raise Refusal(413, refusals.TOO_LARGE)
        parts, size, more = [], 0, True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                break
            parts.append(message.get("body", b""))
            size += len(parts[-1])
            more = message.get("more_body", False)
            if size > most:
                raise Refusal(413, refusals.TOO_LARGE)
        if size and headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            raise Refusal(415, refusals.NOT_JSON)
        return _once(b"".join(parts), receive)


def _once(body: bytes, receive: Receive) -> Receive:
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


def cookie_of(headers: Headers) -> str | None:
    """What a browser that has shown the token sends."""
    found: Iterable[str] = headers.get("cookie", "").split(";")
    for each in found:
        name, _, value = each.strip().partition("=")
        if name == COOKIE:
            return value
    return None


def bearer(headers: Headers) -> str:
    """The key that a request shows."""
    scheme, _, given = headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not given.strip():
        raise Refusal(401, Name("鍵が必要です", "a key is needed: Authorization: Bearer KEY"))
    return given.strip()
