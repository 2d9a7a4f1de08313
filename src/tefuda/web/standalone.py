"""One HTML file that opens without a server: the modules of the page, and all that a server would answer.

A browser does not load modules from files. So each module stands in the page as a data URL, by a name that an import
map knows. What the page would ask a server for stands there too, packed; static/standalone.js answers with it. The
page runs the same code as ever. Nothing here needs the packages of the server.
"""

import base64
import gzip
import json
import posixpath
import re
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from tefuda.contract import Game, Name
from tefuda.contract.scene import data_of
from tefuda.errors import Problem
from tefuda.files.whole import write_bytes
from tefuda.table.played import Played
from tefuda.table.review import Review
from tefuda.version import __version__
from tefuda.web.reviewed import review_data, scene_data
from tefuda.web.telling import Telling, places_of, reader_of, result_lines

FOLDER = Path(__file__).parent / "static"
EXPORTED = "exported"  # the name of what is exported, in its own page
PREFIX = "tefuda/"  # of the names of modules
MOST_SCENES = 2500  # of a game; one with more is shown with all hands open alone
NO_SERVER = Name("このページにはサーバーがありません", "this page has no server: it holds one game")
_IMPORT = re.compile(r"""(\bfrom\s*|\bimport\s*\(?\s*)(["'])(\.{1,2}/[^"']+)\2""")
_STYLE = re.compile(r'<link rel="stylesheet" href="([^"]+)">')
_ICON = re.compile(r'<link rel="icon" href="([^"]+)"[^>]*>')
_AHEAD = re.compile(r'\s*<link rel="(?:modulepreload|manifest|preload)"[^>]*>')  # asked for early, of a server
_MAIN = re.compile(r'<script type="module" src="main.js"></script>')
NOT_HERE = 'a[href="#/"], a[href^="/api/"] { display: none !important; }'  # what only a server can do


def write_review(path: Path, review: Review) -> None:
    """Write a review as one page."""
    write_bytes(path, review_page(review).encode(), "--out")


def write_game(path: Path, played: Played) -> None:
    """Write a game as one page."""
    write_bytes(path, game_page(played).encode(), "--out")


def review_page(review: Review) -> str:
    """A review with the tables of all its decisions."""
    played, data = review.played, review_data(review)
    where = f"/api/reviews/{EXPORTED}"
    data |= {"review": EXPORTED, "state": "done"}
    turns = [*review.turns, len(played.steps)]
    answers = {where: data} | {f"{where}/scenes/{turn}": scene_data(review, data, turn) for turn in turns}
    sockets = {f"/ws/reviews/{EXPORTED}": {"messages": [{"type": "review", **data}]}}
    return html_of(played.game, f"#/review/{EXPORTED}", answers, sockets)


def game_page(played: Played) -> str:
    """A game to be watched decision by decision, with all hands open or as one seat saw it."""
    game, many = played.game, len(played.steps) * (played.game.seats + 1)
    seats: list[int | None] = [None, *(range(game.seats) if many <= MOST_SCENES else ())]
    options = {option.key: option.text(played.rules.values[option.key]) for option in game.rulebook.options}
    talk: dict[str, Any] = {
        "about": {
            "table": EXPORTED, "game": game.name, "preset": played.rules.preset, "options": options,
            "practice": False, "secret": False, "deal": played.record.deal if played.record else None,
            "seats": [
                {"seat": seat, "who": "program", "name": name, "here": True} for seat, name in enumerate(played.players)
            ],
        },
        "views": {"" if seat is None else str(seat): _entries(played, seat) for seat in seats},
    }  # fmt: skip
    if played.scores is not None:
        scores = np.array(played.scores)
        talk["result"] = {
            "scores": list(played.scores), "places": places_of(game, played.rules, scores),
            "lines": result_lines(played, reader_of(played.players, None, None)), "deal": talk["about"]["deal"],
        }  # fmt: skip
    return html_of(game, f"#/table/{EXPORTED}/{EXPORTED}", {}, {f"/ws/tables/{EXPORTED}": talk})


def _entries(played: Played, seat: int | None) -> list[dict[str, Any]]:
    """All turns of a game for one view, each with the number of decisions that were taken then."""
    telling = Telling(reader_of(played.players, seat, None))
    found = [{"place": 0, **telling.whole(played, 0)}]
    for place in range(1, len(played.steps) + 1):
        found += [{"place": place, **entry} for entry in telling.news(played, place)]
    return data_of(found)


def html_of(game: Game, begin: str, answers: dict[str, Any], sockets: dict[str, Any]) -> str:
    """The page of the server with everything inside. `begin` is the screen that it shows."""
    deck = next((each["scene"].get("deck", "") for each in answers.values() if "scene" in each), "")
    deck = deck or next(
        (talk["views"][""][0]["scene"].get("deck", "") for talk in sockets.values() if "views" in talk), ""
    )
    shown = {"name": game.name, "title": data_of(game.title), "seats": game.seats, "deck": deck}
    lists: dict[str, list[Any]] = {"presets": [], "options": [], "players": [], "levels": [], "advisers": []}
    lobby = {"version": __version__, "games": [shown | lists], "today": {"deal": 0}, "results": []}
    canned = {
        "begin": begin, "why": data_of(NO_SERVER), "sockets": sockets,
        "answers": {"/api/lobby": lobby, "/api/guide": {"lines": []}} | answers,
    }  # fmt: skip
    packed = base64.b64encode(gzip.compress(json.dumps(canned, ensure_ascii=False).encode(), mtime=0)).decode()
    imports = json.dumps({"imports": _modules()})
    scripts = (
        f'<script type="text/plain" id="canned">{packed}</script>\n<script type="importmap">{imports}</script>\n'
        f'<script type="module">import "{PREFIX}standalone.js"; import "{PREFIX}main.js";</script>'
    )
    text = _read("index.html")
    for pattern in (_STYLE, _ICON, _MAIN):
        if not pattern.search(text):
            raise Problem(f"the page cannot be exported: its index.html has nothing like {pattern.pattern}")
    text = _AHEAD.sub("", text)
    text = _STYLE.sub(lambda found: f"<style>{_read(found[1])}</style>", text)
    text = _ICON.sub(lambda found: f'<link rel="icon" href="{_data_url("image/svg+xml", _read(found[1]))}">', text)
    text = text.replace("</head>", f"<style>{NOT_HERE}</style>\n</head>")
    title = escape(f"{game.title.en} · tefuda")
    text = re.sub("<title>.*?</title>", lambda _: f"<title>{title}</title>", text)
    return _MAIN.sub(lambda _: "", text).replace("</body>", f"{scripts}\n</body>")


def _read(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def _modules() -> dict[str, str]:
    """Every module of the page as a data URL, by its name; their imports name each other so."""
    found = {}
    for path in sorted(FOLDER.rglob("*.js")):
        name = path.relative_to(FOLDER).as_posix()

        def named(match: re.Match[str], where: str = posixpath.dirname(name)) -> str:
            target = posixpath.normpath(posixpath.join(where, match[3]))
            return f"{match[1]}{match[2]}{PREFIX}{target}{match[2]}"

        text = _IMPORT.sub(named, path.read_text(encoding="utf-8"))
        found[PREFIX + name] = _data_url("text/javascript", text)
    return found


def _data_url(media_type: str, text: str) -> str:
    return f"data:{media_type};base64,{base64.b64encode(text.encode()).decode()}"
