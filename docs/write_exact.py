"""Writes docs/exact/README.md: how far players of small games can be exploited exactly, beside what `exploit` finds.

It runs the commands that the page shows, one after the other, and keeps what they print in docs/exact/GAME.json.
Interrupted, it goes on; commands whose results are there are not run again. Run it by `python docs/write_exact.py`, or
`python docs/write_exact.py kuhn leduc` for some of the games, or with `page` to write the page alone.
"""

import json
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "exact"
RUNS = "results/exact"
SEED = 7
DEALS = 20_000  # that measure a learned best response


@dataclass(frozen=True)
class Small:
    """A small game, its players and how long the learners learn."""

    key: str
    title: str
    words: str  # the game and its rules on the command line
    players: tuple[str, ...]  # those that have a name
    solve: str  # how `solve` is told
    learned: int  # decisions of self-play and of NFSP
    response: int  # decisions of the best response
    value: str = ""  # further words of `exact`
    seats: str = ""  # further words of it for networks: the seats in which they are valued

    def run(self, name: str) -> str:
        return f"{RUNS}/{self.key}-{name}"


GAMES = (
    Small("kuhn", "Kuhn poker, chips a game", "kuhn", ("random", "always-bet"), "--iterations 20", 200_000, 200_000),
    Small("leduc", "Leduc poker, chips a game", "leduc", ("random", "honest"), "--iterations 20", 400_000, 400_000),
    Small(
        "koikoi", "Koi-Koi with three months and 2 cards a hand, points a game", "koikoi --set pack=small",
        ("rule-based/always-stop",), "--iterations 20", 500_000, 500_000, "--samples 1",
    ),
    Small(
        "tricks", "Trick-taking with 3 cards a hand, tricks a game", "tricks --set pack=small",
        ("rule-based",), "--iterations 20", 500_000, 500_000, "", "--seat 0",
    ),
)  # fmt: skip
LEARNERS = ("self-play", "nfsp")
NAMES = {"self-play": "self-play", "nfsp": "NFSP", "solve": "CFR+"}


def commands(game: Small) -> dict[str, dict[str, str]]:
    """For each player, by name: the commands that make it, value it and exploit it. `solve` values what it makes."""
    name, _, rules = game.words.partition(" ")
    found = {player: _measured(game, name, rules, player) for player in game.players}
    for learner in LEARNERS:
        made = f"train {name} {learner} {rules} --arg decisions={game.learned} --deals 0 --seed {SEED}"
        found[learner] = {
            "train": f"{made} --out {game.run(learner)}",
            **_measured(game, name, rules, f"{game.run(learner)}/policy.npz", game.seats),
        }
    made = f"solve {name} {rules} {game.solve} --out {game.run('solve')}"
    found["solve"] = {**_measured(game, name, rules, f"{game.run('solve')}/policy.npz"), "exact": made}
    return {
        player: {step: " ".join(command.split()) for step, command in each.items()} for player, each in found.items()
    }


def _measured(game: Small, name: str, rules: str, player: str, seats: str = "") -> dict[str, str]:
    learning = f"--arg decisions={game.response} --deals {DEALS} --seed {SEED} --out {RUNS}/exploit"
    return {
        "exact": f"exact {name} {player} {rules} {game.value} {seats}",
        "exploit": f"exploit {name} {player} {rules} {learning}",
    }


def run(command: str) -> dict:
    """What a command prints with --json."""
    print("tefuda", command, flush=True)
    done = subprocess.run([sys.executable, "-m", "tefuda", *shlex.split(command), "--json"], capture_output=True)
    if done.returncode:
        raise SystemExit(done.stderr.decode())
    return json.loads(done.stdout)


def kept_of(game: Small) -> dict:
    """What commands of a game have printed so far."""
    path = FOLDER / f"{game.key}.json"
    return json.loads(path.read_text()) if path.exists() else {}


def fill(game: Small) -> None:
    """Run what has not been run yet, and keep it."""
    kept = kept_of(game)
    for player in commands(game).values():
        if all(command in kept for command in player.values()):
            continue
        for command in player.values():
            makes = command.startswith(("train", "solve"))
            if command not in kept or (makes and not (Path(command.split()[-1]) / "policy.npz").exists()):  # elsewhere
                kept[command] = run(command)
                (FOLDER / f"{game.key}.json").write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n")


def row(game: Small, player: str, kept: dict) -> str | None:
    """A line of a game's table; None where something is missing."""
    shown = commands(game)[player]
    if shown["exact"] not in kept:
        return None
    exact = kept[shown["exact"]]
    truth = exact["exploitability"]
    estimate = "about " if exact["samples"] > 1 else ""
    gains = ", ".join(f"{gain:.4f}" for gain in exact["gains"])
    name = f"`{player}`" if player in game.players else NAMES[player]
    if shown["exploit"] not in kept:
        return f"| {name} | {estimate}{truth:.4f} | {gains} | | |"
    found = kept[shown["exploit"]]["gain"]
    half = (found["high"] - found["low"]) / 2
    share = f"{max(0.0, 100 * found['mean'] / truth):.0f} %" if truth > 3 * half else "too little to tell"
    return f"| {name} | {estimate}{truth:.4f} | {gains} | {found['mean']:+.4f} ± {half:.4f} | {share} |"


def page() -> str:
    """The whole page."""
    lines = [TOP.strip(), ""]
    commits = set()
    for game in GAMES:
        kept = kept_of(game)
        commits |= {each["commit"] for each in kept.values() if "commit" in each}
        rows = [line for player in commands(game) if (line := row(game, player, kept))]
        if not rows:
            continue
        lines += [
            f"## {game.title}", "",
            "| player | exploitability, exact | gain in each seat valued | `exploit` finds | share of the truth |",
            "| --- | ---: | --- | ---: | ---: |", *rows, "",
        ]  # fmt: skip
        made = [command for shown in commands(game).values() for command in shown.values() if command in kept]
        lines += [*(f"    tefuda {' '.join(command.split())}" for command in made), ""]
    lines.append(
        f"Commits of the runs: {', '.join(sorted(commits))}. What each command printed stands beside this page."
    )
    return "\n".join(lines) + "\n"


TOP = """
<!-- made by docs/write_exact.py -->
# Exact exploitability, and what a learned best response finds of it

`tefuda exploit` learns a best response; what it gains is a lower bound. In small games `tefuda exact` knows the \
truth. Against players that follow plain rules, or none, a short run of `exploit` finds all of it in Kuhn poker, four \
fifths in Leduc poker, about half in small Koi-Koi and nearly all in small trick-taking. Against learned players it \
finds three quarters or all of it in Kuhn poker, and from a quarter down to nothing elsewhere: NFSP can be exploited \
by 0.65 chips a game in Leduc poker, and `exploit` loses to it. CFR+ can be exploited the least in every game: in \
small trick-taking, with four seats, by 0.0015 tricks a game after 20 iterations.

How much it finds does not follow from how far a player can be exploited: in Leduc poker self-play can be exploited \
further than `honest`, and `exploit` finds a quarter of that and four fifths of the other. So a gain of nothing does \
not say that a player is strong. These are runs of one seed and of one short length; the response to self-play in \
trick-taking was still getting better when its run ended. Longer runs were not tried here.

## What was done
Each player sits in all seats. `exact` goes through all deals and gives what a best response would gain in each seat; \
their mean is the exploitability. `exploit` learns from as many decisions as its command says, and is measured on \
20,000 deals in every seat; its interval is of 95 %. The share is what it gains of the truth, and 0 % where it loses; \
it is told where the truth is more than three times as large as half the interval. Learners learned from as few \
decisions as `exploit`: they are here to be measured, not to be strong. CFR+ stopped after 20 iterations, which leaves \
something to find in Leduc poker, and little elsewhere.

Koi-Koi and trick-taking are played with their small packs: \
[Koi-Koi](../../src/tefuda/games/koikoi/README.md), [trick-taking](../../src/tefuda/games/tricks/README.md). There \
CFR+ goes through all deals that differ in more than names, and takes a view for an information set. A view does not \
tell everything that its seat has seen, and with four seats CFR+ has no promise to come near an equilibrium at all. \
What it has reached is what `exact` says: its best response remembers all that it has seen.

The leader of a trick-taking deal is drawn, and players see seats from their own, so that all four seats gain the \
same, as the rows of `rule-based` and CFR+ show. Networks are valued in one of them. They play as they are, drawing \
lots, so that each of the 2,180,981,760 tables of the game is come to.
"""


if __name__ == "__main__":
    wanted = sys.argv[1:] or [game.key for game in GAMES]
    for small in GAMES:
        if small.key in wanted:
            fill(small)
    (FOLDER / "README.md").write_text(page())
