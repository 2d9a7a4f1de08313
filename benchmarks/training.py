"""How quickly networks learn by self-play, beside the same network that only plays, one table at a time.

A decision counts once it was played and learned from: forward for playing, then forward and backward in every epoch.
The baseline of each network is that very network as the arena plays it: in kernels, on one core, table after table.
Between the two stands self-play in lanes without learning. On the CPU the network is the learner's default; on CUDA it
is that of the champions, 3 blocks of 512 units in half precision.
"""

from measure import Rate, rate

from tefuda.arena.games import play, seat_players
from tefuda.contract import Game, Rules
from tefuda.engine.network import NAME, packed
from tefuda.games import find
from tefuda.kernel.threads import cores
from tefuda.learn.deep.acting import Networks
from tefuda.learn.deep.torch import chosen_device, torch
from tefuda.learn.self_play import Arguments, SelfPlay
from tefuda.players.entrant import Entrant

GAMES = (("koikoi", "paper"), ("tricks", "hearts"), ("saichugen", "stake"))
SMALL = Arguments()
LARGE = Arguments(units=512, blocks=3, lanes=16_384, steps=64, batch=32_768, epochs=1, precision="half")


def run(device: str, seconds: float, threads: int | None) -> list[Rate]:
    """All measurements."""
    count = threads or cores()
    torch.set_num_threads(count)
    rows = measured("cpu", "one core" if count == 1 else f"{count} cores", SMALL, seconds, count)
    return rows + (measured("cuda", "GPU", LARGE, seconds, count) if device == "cuda" else [])


def measured(device: str, where: str, arguments: Arguments, seconds: float, threads: int) -> list[Rate]:
    """One network in every game."""
    rows = []
    for name, preset in GAMES:
        game = find(name)
        rules = game.rulebook.make(preset)
        learner = SelfPlay(game, [rules], None, arguments, 1, chosen_device(device), threads)
        alone = one_by_one(game, rules, learner, seconds)
        title = f"{name} {preset}, {arguments.blocks} × {arguments.units}"  # blocks and their units
        baseline = Rate(f"{title}, playing alone, one core", alone, "decisions")
        rows.append(baseline)
        for what, work in (("playing in lanes", play_window), ("playing and learning", SelfPlay.advance)):
            found = Rate(f"{title}, {what}, {where}", windows(learner, work, seconds), "decisions")
            rows.append(found.against(baseline))
    return rows


def one_by_one(game: Game, rules: Rules, learner: SelfPlay, seconds: float) -> float:
    """Decisions a second of the learner's network in all seats of a match."""
    header = [learner.shape.units, learner.shape.blocks, 1.0, learner.scale, 0]
    entrant = Entrant(NAME, game.players.policy(NAME), packed(header, learner.result))
    seating = seat_players(game, [entrant] * game.seats)
    return rate(lambda first, last: play(game, rules, seating, 1, first, last).decisions, seconds, 5)[1]


def windows(learner: SelfPlay, work, seconds: float) -> float:
    """Decisions a second of one window after another."""

    def some(first: int, last: int) -> None:
        for _ in range(first, last):
            work(learner)
        if learner.machine.device.type == "cuda":
            torch.cuda.synchronize()

    return rate(some, seconds, 1)[0] * learner.window.steps * learner.window.lanes


def play_window(learner: SelfPlay) -> None:
    """What `advance` plays, without what it learns."""
    with torch.no_grad():
        learner.actors.play(Networks(learner.weights.detach()))
        learner.window.go_on()
