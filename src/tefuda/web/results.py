"""Results: ladders and best responses as tables to sort, and the pages that commands have written, in the look of the
table. Shown is what the documentation ships, and what lies in the folder of results where the server was started."""

import mimetypes
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from tefuda import games
from tefuda.contract import Name
from tefuda.errors import Problem
from tefuda.files.whole import read_json
from tefuda.report.index import RESULTS
from tefuda.sources import FOLDER as PACKAGE
from tefuda.web import refusals
from tefuda.web.house import house_of
from tefuda.web.messages import name_data
from tefuda.web.refusals import Refusal

router = APIRouter()
DOCS = PACKAGE.parents[1] / "docs"  # of a checkout; an installed package has none
LADDER = "tefuda ladder 1"
SHOWN = (".html", ".svg", ".png")  # of the folder of results
MOST_FILE = 32 << 20  # bytes
MOST_PAGES = 200
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'none'"
RESPONSES = Name("最適応答が得るもの", "what best responses gain")
LOOK = """<style>
:root { --paper: #f7f2e8; --ink: #2b2622; --muted: #63594f; --rule: #dcd2c1; --shade: #ece4d5; --good: #1f6b4a;
  --bad: #b0351e; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #1b1916; --ink: #f2ebde; --muted: #bdb2a3; --rule: #413a32; --shade: #2f2b26; --good: #7fcfa6;
    --bad: #f08a72; }
}
h1, h2 { font-family: "Hiragino Mincho ProN", "Noto Serif JP", "Noto Serif CJK JP", "Yu Mincho", Georgia, serif; }
.house { margin: -2.5rem calc(50% - 50vw) 2rem; padding: .9rem 1.25rem; background: #113226; }
.house a { color: #f6f0e2; font-weight: 600; text-decoration: none; margin-right: 1.5rem; }
.house a:focus-visible { outline: 2px solid #e7b84b; outline-offset: 3px; }
</style>
"""
BAR = (
    '<nav class="house" aria-label="tefuda"><a href="/#/">札 tefuda</a>'
    '<a href="/#/results">結果 <span lang="en">results</span></a></nav>\n'
)


@router.get("/api/results")
async def all_results(request: Request) -> dict[str, Any]:
    """Tables of ladders and best responses, and the pages that were written."""
    return await house_of(request).think(results_data)


@router.get("/results/{name:path}", include_in_schema=False)
async def page(request: Request, name: str) -> Response:
    """A page of the folder of results, or a figure of it."""
    return await house_of(request).think(file_of, name)


def results_data() -> dict[str, Any]:
    """All that there is to show."""
    return {"ladders": [*_ladders(), *_responses()], "pages": pages()}


def _files(pattern: str) -> Iterator[Any]:
    """The files of results that can be read, each as JSON: shipped ones first."""
    for folder in (DOCS, RESULTS):
        for depth in ("*", "*/*"):
            for path in sorted(folder.glob(f"{depth}/{pattern}")) if folder.is_dir() else ():
                try:
                    yield read_json(path, "result")
                except (Problem, OSError):
                    continue


def _title(value: dict[str, Any]) -> Name:
    """The game and the rules of a result."""
    name = str(value["game"])
    title = games.find(name).title if name in games.names() else Name(name, name)
    return Name(f"{title.ja} {value['rules']}", f"{title.en}, {value['rules']}")


def _triple(value: dict[str, Any]) -> list[float]:
    return [float(value[key]) for key in ("mean", "low", "high")]


def _ladders() -> Iterator[dict[str, Any]]:
    """Every ladder, the best player first; of two of the same game and rules the one of this folder."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for value in _files("*.json"):
        if not isinstance(value, dict) or value.get("format") != LADDER:
            continue
        try:
            rows = [
                {
                    "place": place, "player": str(each["name"]), "rating": _triple(each["rating"]),
                    "against all": _triple(each["against_all"]),
                }
                for place, each in enumerate(value["players"], start=1)
            ]  # fmt: skip
            made = {"game": value["game"], "rules": value["rules"], "title": name_data(_title(value))}
            found[str(value["game"]), str(value["rules"])] = made | {"figure": str(value["figure"]), "rows": rows}
        except (KeyError, TypeError, ValueError):
            continue
    yield from found.values()


def _responses() -> Iterator[dict[str, Any]]:
    """What a learned best response gains against each player: a table for each game and rules."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for value in _files("result.json"):
        try:
            row = {"player": str(value["player"]), "gain": _triple(value["gain"]), "deals": int(value["deals"])}
            title = _title(value)
            key = str(value["game"]), str(value["rules"])
            told = Name(f"{title.ja}：{RESPONSES.ja}", f"{title.en}: {RESPONSES.en}")
            made = {"game": key[0], "rules": key[1], "title": name_data(told), "figure": str(value["figure"])}
        except (KeyError, TypeError, ValueError):
            continue
        found.setdefault(key, made | {"rows": []})["rows"].append(row)
    yield from found.values()


def pages() -> list[dict[str, str]]:
    """The pages that lie in the folder of results, the one that leads to all first."""
    found: list[dict[str, str]] = []
    if RESULTS.is_dir():
        for pattern in ("*.html", "*/*.html", "*/*/*.html"):
            for path in sorted(RESULTS.glob(pattern))[: MOST_PAGES - len(found)]:
                name = path.relative_to(RESULTS).as_posix()
                if not any(part.startswith(".") for part in Path(name).parts):
                    found.append({"title": _title_of(path), "href": f"/results/{name}"})
    return found


def _title_of(path: Path) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            match = re.search(r"<title>(.*?)</title>", file.read(4096), re.DOTALL)
    except OSError:
        match = None
    return unescape(match[1]).strip()[:200] if match else path.stem


def file_of(name: str) -> Response:
    """A file of the folder of results; a page gets the look of the table. It may run nothing."""
    folder = RESULTS.resolve()
    try:
        path = (folder / name).resolve()
        fits = (
            path.is_relative_to(folder)
            and path.suffix in SHOWN
            and not any(part.startswith(".") for part in path.relative_to(folder).parts)
        )
        if not fits or path.stat().st_size > MOST_FILE:
            raise Refusal(404, refusals.NOT_FOUND)
        content = path.read_bytes()
    except (OSError, ValueError):
        raise Refusal(404, refusals.NOT_FOUND) from None
    media_type = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    if path.suffix == ".html":
        text = content.decode("utf-8", "replace").replace("</head>", f"{LOOK}</head>", 1)
        content = re.sub(r"(<body[^>]*>)", lambda found: found[1] + BAR, text, count=1).encode()
        media_type = "text/html; charset=utf-8"
    return Response(
        content, headers={"Content-Security-Policy": POLICY, "Cache-Control": "no-cache"}, media_type=media_type
    )
