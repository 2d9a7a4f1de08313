"""The example of a bot at a mahjong server. RiichiEnv keeps the table behind the server, and knows what is legal."""

import json
import random
import socket
import subprocess
import sys

import pytest

import tefuda

ROOT = tefuda.FOLDER.parents[1]


def served(line: socket.socket, seat: int) -> tuple[list[str], list[int]]:
    """Play a hand with the bot on the line in one seat and random moves in the others: its actions, and the scores."""
    from riichienv import GameRule, RiichiEnv

    luck, taken = random.Random(5), []
    with line, line.makefile("rw", encoding="utf-8") as bot:

        def ask(told) -> dict:
            print(json.dumps(told), file=bot, flush=True)
            return json.loads(bot.readline())

        joined = ask({"type": "hello", "protocol": "mjsonp", "protocol_version": 3})
        assert joined == {"type": "join", "name": "tefuda", "room": "ours"}
        table = RiichiEnv("4p-red-single", seed=3, rule=GameRule.default_tenhou())
        seen = table.reset()
        while not table.done():
            moves = {}
            for each, view in seen.items():
                if each != seat:
                    moves[each] = luck.choice(view.legal_actions())
                    continue
                events = [json.loads(event) for event in view.new_events()]
                answer = ask([{**event, "id": seat} if event["type"] == "start_game" else event for event in events])
                moves[each] = view.select_action_from_mjai(answer)
                assert moves[each] is not None, f"{answer} is not legal"
                taken.append(answer["type"])
            seen = table.step(moves)
        return taken, list(table.scores())


@pytest.mark.slow
def test_a_bot_plays_at_a_server():
    pytest.importorskip("riichienv")
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(120)
        address = f"127.0.0.1:{server.getsockname()[1]}"
        script = [sys.executable, str(ROOT / "examples" / "mjai_bot.py"), address, "--player", "shanten"]
        bot = subprocess.Popen([*script, "--room", "ours"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        taken, scores = served(server.accept()[0], seat=1)
    told, wrong = bot.communicate(timeout=60)
    assert (bot.returncode, wrong) == (0, "")
    assert "dahai" in taken
    assert told == f"{sum(each != 'none' for each in taken)} actions taken\n"
    assert sum(scores) <= 100_000
