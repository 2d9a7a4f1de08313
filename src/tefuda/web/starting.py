"""Starting the server: games are found and compiled, then it listens, and the page is opened."""

import contextlib
import gc
import secrets
import socket
import sys
import threading
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from random import Random

import uvicorn

from tefuda import games as registry
from tefuda.contract import Game
from tefuda.engine.seated import seated
from tefuda.errors import Problem
from tefuda.log import log
from tefuda.players.resolve import resolve
from tefuda.progress import Progress
from tefuda.table.evaluation import Evaluation
from tefuda.table.opinion import opinion_of
from tefuda.table.play import Play
from tefuda.table.scene import illegal_moves
from tefuda.web.app import create_app
from tefuda.web.house import House
from tefuda.web.lobby import advisers
from tefuda.web.security import LOOPBACK, Door
from tefuda.web.store import Store
from tefuda.web.telling import Telling, places_of, reader_of, result_lines

ENDING = 3  # seconds that connections have to end when the server ends
REHEARSED = 60  # decisions by each preset that are told before anybody sits down
SOME = 10  # one of so many is asked about further
WAITING = 2048  # connections that wait to be accepted
TURN = 0.0005  # seconds after which a thread that waits is let in: the writer of the file waits after each statement


def found_games(wanted: Sequence[str]) -> tuple[list[Game], dict[str, str]]:
    """The games that are offered, and the paths of those of one's own; all that come with the package, if none is
    named."""
    games: list[Game] = []
    sources: dict[str, str] = {}
    for name in wanted or registry.names():
        game = registry.find(name)
        if game.name in {each.name for each in games}:
            raise Problem(f"two games are called {game.name}: offer one of them")
        games.append(game)
        if name not in registry.names():
            sources[game.name] = name
    return games, sources


def get_ready(games: Sequence[Game]) -> None:
    """Compile all that tables of these games will call, so that nobody waits for it later."""
    players = [(game, player) for game in games for player in game.players.named]
    with Progress("getting the tables ready", len(players) + len(games), "players and games") as progress:
        for done, (game, player) in enumerate(players, start=1):
            fitting = [
                rules
                for rules in map(game.rulebook.make, game.rulebook.presets)
                if player in game.players.playing([player], rules)
            ]
            if fitting:
                seated(game, [resolve(game, player.name, fitting[0])])
            progress.update(done)
        for done, game in enumerate(games, start=len(players) + 1):
            rehearse(game)
            progress.update(done)


def rehearse(game: Game) -> None:
    """Play and tell some games as tables do, at random, so that much happens in them, with hints and reasons."""
    for deal, preset in enumerate(game.rulebook.presets):
        rules = game.rulebook.make(preset)
        quick = resolve(game, advisers(game, rules)[0], rules)
        play = Play(game, rules, [quick] * game.seats, 0, deal)
        Evaluation(play.table.view(), quick, 0, 1, this_round=True).more(1)
        opinion_of(play.table.view(), quick)
        play.ask()
        _rehearse_words(play, Random(deal))
        _tell_all(play)


def _rehearse_words(play: Play, luck: Random) -> None:
    """What is said at each decision of a game."""
    words, names = play.game.words, [""] * play.game.seats
    while not play.over and len(play.steps) < REHEARSED:
        view = play.table.view()
        if len(play.steps) % SOME == 0:
            reader = reader_of(names, view.seat, None)
            illegal_moves(play.game, view.state, reader)
            for tell in (words.advice, words.unseen):
                if tell is not None:
                    tell(view.state, reader)
        play.take(luck.choice(view.legal))
    places_of(play.game, play.rules, play.table.scores)


def _tell_all(play: Play) -> None:
    """What pages are told of a game: who sits at it, and who watches."""
    for view in (0, None):
        telling = Telling(reader_of([""] * play.game.seats, view, None))
        telling.whole(play, 0)
        telling.news(play, len(play.steps))
    result_lines(play, telling.reader)


def tune_python() -> None:
    """What was loaded so far stays, so that nobody looks through it again; scenes are many small objects without
    cycles, for which Python would look after every few hundred. Threads take turns more often than usual."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    sys.setswitchinterval(TURN)


def listening_socket(host: str, port: int) -> socket.socket:
    """A socket that listens; with port 0 the system chooses one."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        found = socket.create_server((host, port), family=family, backlog=WAITING)
    except OSError as error:
        raise Problem(f"cannot listen on {host}, port {port}: {error.strerror or error}") from None
    found.set_inheritable(True)
    return found


def serve(wanted: Sequence[str], host: str, port: int, token: str | None, data: Path, opens: bool) -> None:
    """Run the server until it is interrupted."""
    games, sources = found_games(wanted)
    if host not in LOOPBACK and token is None:
        token = secrets.token_urlsafe(16)
    with listening_socket(host, port) as listening, contextlib.closing(Store(data)) as store:
        get_ready(games)
        tune_python()
        house = House(games, store, sources=sources)
        link = link_to(host, listening.getsockname()[1], token)
        print(f"tefuda web: {link}  (Ctrl-C ends it; games are kept in {data})", flush=True)
        if opens:
            threading.Timer(0.3, webbrowser.open, [link]).start()
        config = uvicorn.Config(
            create_app(house, Door(host, token)), log_level="warning", access_log=False, server_header=False,
            date_header=False, ws_max_size=house.limits.message, ws_max_queue=16,
            ws_per_message_deflate=host not in LOOPBACK,
            timeout_graceful_shutdown=ENDING, lifespan="on", ws="websockets-sansio",
        )  # fmt: skip
        uvicorn.Server(config).run(sockets=[listening])
    log.info("tefuda web has ended")
    sys.stdout.flush()


def link_to(host: str, port: int, token: str | None) -> str:
    """The link that opens the page. The token stands behind `#`, so that it reaches no log."""
    name = {"0.0.0.0": socket.gethostname(), "::": socket.gethostname()}.get(host, host)
    name = f"[{name}]" if ":" in name else name
    return f"http://{name}:{port}/" + (f"#/enter/{token}" if token else "")
