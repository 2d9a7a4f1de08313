"""The application: HTTP for the lobby, kept games and records; a WebSocket for each table; the files of the page."""

import contextlib
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, FastAPI, Query, Request, WebSocket
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from tefuda.log import log
from tefuda.version import __version__
from tefuda.web import exports, positions, refusals, results, reviews
from tefuda.web.connection import serve
from tefuda.web.house import House, house_of
from tefuda.web.lobby import guide_data, lobby_data
from tefuda.web.messages import Key, Keys, NewTable, Opened, Token
from tefuda.web.mine import mine_data, record_data
from tefuda.web.refusals import Refusal
from tefuda.web.reviewer import Reviewer
from tefuda.web.security import COOKIE, Door, Guard, bearer
from tefuda.web.static import StaticFiles

router = APIRouter()


def create_app(house: House, door: Door | None = None) -> FastAPI:
    """The application of a house."""
    door = door or Door()

    @contextlib.asynccontextmanager
    async def living(app: FastAPI) -> AsyncIterator[None]:
        app.state.reviewer.begin()
        yield
        app.state.reviewer.close()
        house.close()

    app = FastAPI(
        title="tefuda", version=__version__, docs_url=None, redoc_url=None, openapi_url="/api/openapi.json",
        lifespan=living,
    )  # fmt: skip
    app.state.reviewer = Reviewer(house)
    app.state.house, app.state.door, app.state.files = house, door, StaticFiles()
    for each in ROUTERS:
        app.include_router(each)
    app.add_api_route("/{name:path}", page_file, methods=["GET", "HEAD"], include_in_schema=False)
    app.add_exception_handler(Refusal, _refused)
    app.add_exception_handler(RequestValidationError, _not_valid)
    app.add_exception_handler(HTTPException, _other)
    app.add_exception_handler(Exception, _failed)
    app.add_middleware(Guard, door=door, limits=house.limits)
    return app


# What goes wrong, in one line


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refusal)
    return JSONResponse(error.data(), error.status)


async def _not_valid(request: Request, error: Exception) -> Response:
    return JSONResponse(Refusal(422, refusals.NOT_VALID).data(), 422)


async def _other(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JSONResponse(Refusal(error.status_code, refusals.NOT_FOUND).data(), error.status_code)


async def _failed(request: Request, error: Exception) -> Response:
    log.error(f"web: {request.method} {request.url.path}: {type(error).__name__}: {error}")
    return JSONResponse(Refusal(500, refusals.FAILED).data(), 500)


# Routes


@router.get("/api/lobby")
async def lobby(request: Request) -> dict[str, Any]:
    """Games, their rules and players, levels, today's deal."""
    return await house_of(request).think(lobby_data, house_of(request))


@router.get("/api/guide")
async def guide(
    request: Request, game: Annotated[str, Query(max_length=80)],
    rules: Annotated[str | None, Query(max_length=80)] = None,
    changed: Annotated[list[str] | None, Query(max_length=100)] = None,
) -> dict[str, Any]:  # fmt: skip
    """The rules in force, in a player's words; `changed` has options as `key=value`."""
    house = house_of(request)
    found = house.game(game)
    options = dict(each.partition("=")[::2] for each in changed or [])
    chosen = house.rules(found, rules, options)
    return guide_data(found, chosen.preset, chosen.changed)


@router.post("/api/enter")
async def enter(request: Request, given: Token) -> Response:
    """Show the token; the browser gets a cookie."""
    door: Door = request.app.state.door
    if door.token is not None and not door.is_token(given.token):
        raise Refusal(401, refusals.WRONG_TOKEN)
    answer = JSONResponse({"entered": True})
    if door.token is not None:
        answer.set_cookie(COOKIE, door.cookie, httponly=True, samesite="strict", path="/", max_age=30 * 24 * 3600)
    return answer


@router.post("/api/tables")
async def open_table(request: Request, wanted: NewTable) -> Opened:
    """A new table."""
    return await house_of(request).open(wanted)


@router.post("/api/mine")
async def mine(request: Request, given: Keys) -> list[dict[str, Any]]:
    """The games of this browser's keys: to go on with, and how they ended."""
    return mine_data(house_of(request), given.keys)


@router.get("/api/tables/{table}/record")
async def record(request: Request, table: Key) -> dict[str, Any]:
    """The game record, for who has a key of the table; of a secret deal only when the game is over."""
    house = house_of(request)
    return await house.think(record_data, house, table, bearer(request.headers))


@router.websocket("/ws/tables/{table}")
async def table_socket(socket: WebSocket, table: str) -> None:
    """One table, for one guest."""
    await serve(house_of(socket), socket, table)


ROUTERS = (router, reviews.router, positions.router, exports.router, results.router)


async def page_file(request: Request, name: str) -> Response:
    """A file of the page."""
    return request.app.state.files.answer(request, name)
