"""A bot for a mahjong server: it joins over TCP, is told what happens as lines of mjai, and answers each.

    python examples/mjai_bot.py localhost:11600 --player rule-based

A line is one event or an array of events, and the answer is one action. The server says hello first, and the bot joins
a room by its name. Without a server, `tefuda mjai` speaks the same over standard input and output.
"""

import argparse
import json
import socket
import sys

import tefuda
from tefuda.interop.mjai import Bot, lines_of, rehearse
from tefuda.players.resolve import resolve


def play(address: str, player: str, name: str, room: str) -> int:
    """Play one game at a server; how many actions were taken."""
    game = tefuda.game("mahjong")
    rules = game.rulebook.make()
    entrant = resolve(game, player, rules)
    rehearse(entrant, rules)  # all is compiled before the server waits for an answer
    bot, actions = Bot(entrant, rules), 0
    host, _, port = address.rpartition(":")
    with socket.create_connection((host, int(port))) as line, line.makefile("rw", encoding="utf-8") as server:
        for told in lines_of(server):
            event = json.loads(told)
            if isinstance(event, dict) and event["type"] == "hello":
                answer = {"type": "join", "name": name, "room": room}
            else:
                answer, wrong = bot.react(told)
                actions += answer["type"] != "none"
                for each in wrong:
                    print(each, file=sys.stderr)
            print(json.dumps(answer, separators=(",", ":")), file=server, flush=True)
    return actions


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("address", help="HOST:PORT of the server")
    parser.add_argument("--player", default="rule-based", help="a compiled player of `tefuda players mahjong`")
    parser.add_argument("--name", default="tefuda")
    parser.add_argument("--room", default="default")
    print(f"{play(**vars(parser.parse_args()))} actions taken")


if __name__ == "__main__":
    main()
