"""Mutated records and mjai lines: a clear line or an answer comes back, never anything else."""

import random
import resource
import signal
from collections import Counter
from collections.abc import Callable

import pytest

from tefuda.errors import Problem
from tefuda.games.mahjong.options import RULEBOOK
from tefuda.games.mahjong.records import declared, mjai, mjai_read, mjlog, mjlog_write, tenhou6, tenhou6_read
from tefuda.games.mahjong.records.paifu import Match
from tefuda.interop.mjai import Bot
from tefuda.players.resolve import resolve
from tests.games.mahjong.mahjong_scene import GAME
from tests.games.mahjong.recorded import stacked
from tests.games.mahjong.records.mutated import mutated

MOST_SECONDS, MOST_MEMORY = 10, 2_000_000  # of one case, and kilobytes of all
FORMATS = {
    "mjlog": (mjlog_write.write, mjlog.read),
    "mjai": (mjai.write, mjai_read.read),
    "tenhou6": (tenhou6.write, tenhou6_read.read),
}
FEW, MANY = 40, 700


@pytest.fixture(scope="module")
def matches() -> list[Match]:
    return [stacked(number) for number in (43, 45, 78)]


def guarded(case: Callable[[], str]) -> str:
    """What comes of a case; one that hangs fails."""

    def hang(*_: object) -> None:
        raise TimeoutError(f"it took more than {MOST_SECONDS} s")

    before = signal.signal(signal.SIGALRM, hang)
    signal.alarm(MOST_SECONDS)
    try:
        return case()
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def of_record(text: str, read: Callable[[str, str], Match]) -> str:
    """How the verification of a record ends."""
    try:
        found = declared.verify(read(text, "mutated"))
    except Problem as problem:
        assert_clear(str(problem))
        return "refused"
    for each in found:
        assert_clear(str(each))
    return "disagrees" if found else "agrees"


def assert_clear(line: str) -> None:
    assert "\n" not in line
    assert len(line) < 1000
    assert not any(word in line for word in ("Error", "NoneType", "index out", "Traceback", "<class"))


def peak() -> int:
    """Kilobytes that this process has had at most; tests before may have taken more than these do."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def records(matches: list[Match], name: str, cases: int) -> Counter:
    write, read = FORMATS[name]
    texts = [write(match) for match in matches]
    before = peak() + 1
    ends: Counter = Counter()
    for number in range(cases):
        luck = random.Random(f"{name} {number}")
        text = mutated(luck.choice(texts), luck)
        ends[guarded(lambda text=text: of_record(text, read))] += 1
    assert peak() < max(before, MOST_MEMORY)
    return ends


def lines(matches: list[Match], cases: int) -> Counter:
    """A bot that is told a deal with some mutated lines."""
    entrant = resolve(GAME, "tsumogiri")
    ends: Counter = Counter()
    for number in range(cases):
        luck = random.Random(number)
        told = mjai.write(luck.choice(matches)).splitlines()[:200]
        bot = Bot(entrant, RULEBOOK.make("tonpuu"), seat=luck.randrange(4))
        for place in [luck.randrange(len(told)) for _ in range(luck.choice((1, 2, 5)))]:
            told[place] = mutated(told[place] + "\n", luck)

        def answer(bot: Bot = bot, told: list[str] = told) -> str:
            said = []
            for line in told:
                action, wrong = bot.react(line)
                assert isinstance(action["type"], str)
                said += wrong
            for each in said:
                assert_clear(each)
            return "complains" if said else "goes along"

        ends[guarded(answer)] += 1
    return ends


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMATS)
def test_a_mutated_record_is_read_or_refused(matches, name):
    assert records(matches, name, FEW).total() == FEW


@pytest.mark.slow
def test_a_bot_answers_mutated_lines(matches):
    assert lines(matches, FEW).total() == FEW


@pytest.mark.full
def test_many_mutations_are_read_or_refused(matches, capsys):
    for name in FORMATS:
        ends = records(matches, name, MANY)
        assert ends["refused"] > MANY // 4
        assert ends["disagrees"] > 0
        with capsys.disabled():
            print(f"\n{name}: {MANY} mutated records: {dict(ends)}")
    ends = lines(matches, MANY)
    assert ends["complains"] > MANY // 2
    assert ends["goes along"] > 0  # as where a line of another seat's draw was changed
    with capsys.disabled():
        print(f"\nmjai bot: {MANY} deals with mutated lines: {dict(ends)}")
