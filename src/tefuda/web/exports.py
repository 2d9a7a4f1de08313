"""A review or a game as one file that opens without a server."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from tefuda.web.house import house_of
from tefuda.web.messages import Key
from tefuda.web.reviews import ReviewName, reviewer_of
from tefuda.web.security import bearer
from tefuda.web.sources import of_table
from tefuda.web.standalone import game_page, review_page

router = APIRouter()


@router.get("/api/exports/reviews/{number}")
async def review(request: Request, number: ReviewName) -> Response:
    """A review as one file, as far as it has come."""
    job = await reviewer_of(request).job(number)
    return _file(await house_of(request).think(review_page, job.review), f"{job.review.played.game.name}-review")


@router.get("/api/exports/tables/{table}")
async def game(request: Request, table: Key) -> Response:
    """A game that is over as one file, for who has a key of its table."""
    house = house_of(request)
    _, played, _ = await of_table(house, table, bearer(request.headers))
    return _file(await house.think(game_page, played), f"{played.game.name}-game")


def _file(text: str, name: str) -> Response:
    """A page to be kept. Should a browser show it here, it may run nothing."""
    headers = {
        "Content-Disposition": f'attachment; filename="{name}.html"', "Content-Security-Policy": "sandbox",
    }  # fmt: skip
    return Response(text, headers=headers, media_type="text/html; charset=utf-8")
