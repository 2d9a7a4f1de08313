"""Every command that prints results takes --json."""

from tefuda.cli import app
from tefuda.cli.new import new
from tefuda.cli.recording import records

PEOPLE_AND_PROGRAMS = {"play", "web", "mjai"}  # they talk with somebody, and have no result to print


def test_every_command_takes_json():
    commands = [*app.registered_commands, *records.registered_commands, *new.registered_commands]
    assert len(commands) >= 17
    without = {each.callback.__name__ for each in commands if "json" not in each.callback.__annotations__}
    assert without == PEOPLE_AND_PROGRAMS
