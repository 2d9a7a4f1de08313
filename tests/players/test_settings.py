"""A name can carry settings to a class of one's own, and its file can import its neighbours."""

import pytest

from tefuda import games
from tefuda.arena.match import match
from tefuda.errors import Problem
from tefuda.players.identity import identity
from tefuda.players.resolve import resolve

KUHN = games.find("kuhn")

OWN = '''
class Mine:
    """Takes what it was told to."""

    def __init__(self, worlds: int = 7, trust: float = 0.5, bold: bool = False, text: str = "a", plain=3, any=None):
        self.held = (worlds, trust, bold, text, plain, any)

    def act(self, view):
        return view.legal[-1 if self.held[2] else 0]


class Needing:
    def __init__(self, worlds: int):
        self.worlds = worlds

    def act(self, view):
        return view.legal[0]


class Taking:
    def __init__(self, **settings):
        self.held = settings

    def act(self, view):
        return view.legal[0]


class Annotated:
    def __init__(self, worlds: "int" = 1):
        self.held = worlds

    def act(self, view):
        return view.legal[0]


class Plain:
    def act(self, view):
        return view.legal[0]
'''


@pytest.fixture
def own(player_file):
    path = player_file(OWN)
    return lambda name: f"{path}:{name}"


@pytest.mark.parametrize(
    ("name", "held"),
    [
        ("Mine", (7, 0.5, False, "a", 3, None)), ("Mine/worlds=50", (50, 0.5, False, "a", 3, None)),
        ("Mine/worlds=50+trust=2", (50, 2.0, False, "a", 3, None)), ("Mine/bold=yes", (7, 0.5, True, "a", 3, None)),
        ("Mine/bold=True", (7, 0.5, True, "a", 3, None)), ("Mine/bold=False", (7, 0.5, False, "a", 3, None)),
        ("Mine/any=True", (7, 0.5, False, "a", 3, True)), ("Mine/text=True", (7, 0.5, False, "True", 3, None)),
        ("Mine/worlds=5+bold=no", (5, 0.5, False, "a", 3, None)),
        ("Mine/text=1", (7, 0.5, False, "1", 3, None)), ("Mine/plain=4", (7, 0.5, False, "a", 4, None)),
        ("Mine/trust=1e+2", (7, 100.0, False, "a", 3, None)), ("Mine/any=x", (7, 0.5, False, "a", 3, "x")),
        ("Mine/text=runs/a.npz+worlds=2", (2, 0.5, False, "runs/a.npz", 3, None)),
        ("Mine/text=other.py:Class", (7, 0.5, False, "other.py:Class", 3, None)),
        ("Taking/depth=2+how=far", {"depth": 2, "how": "far"}), ("Annotated/worlds=9", 9),
    ],
)  # fmt: skip
def test_settings_reach_the_class_with_their_types(name, held, own):
    made = resolve(KUHN, own(name)).maker()
    assert made.held == held
    if isinstance(held, tuple):
        assert [type(each) for each in made.held] == [type(each) for each in held]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Mine/world=3", "unknown setting of Mine 'world': did you mean 'worlds'?"),
        ("Mine/worlds=many", "worlds is 'many', but takes a whole number"),
        ("Mine/worlds=2.5", "worlds is '2.5', but takes a whole number"),
        ("Mine/trust=much", "trust is 'much', but takes a number"),
        ("Mine/bold=perhaps", "bold is 'perhaps', but takes yes or no"),
        ("Mine/worlds", "'worlds' should be setting=value"),
        ("Needing", "Needing needs the setting worlds: Needing/worlds=…"),
        ("Plain/worlds=3", "unknown setting of Plain 'worlds'"),
    ],
)
def test_wrong_settings_are_told_before_the_match(name, said, own):
    with pytest.raises(Problem) as caught:
        resolve(KUHN, own(name))
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_player_with_other_settings_is_another_player(own):
    result = match(KUHN, [own("Mine"), own("Mine/bold=yes")], 50, seed=27)
    expected = match(KUHN, ["always-pass", "always-bet"], 50, seed=27)
    assert [row.figure for row in result.rows] == [row.figure for row in expected.rows]
    assert [row.name for row in result.rows] == [own("Mine"), own("Mine/bold=yes")]
    assert identity(resolve(KUHN, own("Mine"))) != identity(resolve(KUHN, own("Mine/bold=yes")))


IMPORTING = "from helper import pick\n\n\nclass P:\n    def act(self, view):\n        return pick(view.legal)\n"


def write(folder, place: int) -> str:
    folder.mkdir()
    (folder / "helper.py").write_text(f"def pick(legal):\n    return legal[{place}]\n")
    (folder / "player.py").write_text(IMPORTING)
    return f"{folder / 'player.py'}:P"


def test_a_file_imports_its_neighbours_and_not_those_of_another(tmp_path):
    names = [write(tmp_path / "one", 0), write(tmp_path / "two", -1)]
    result = match(KUHN, names, 50, seed=27)
    expected = match(KUHN, ["always-pass", "always-bet"], 50, seed=27)
    assert [row.figure for row in result.rows] == [row.figure for row in expected.rows]


def test_a_changed_neighbour_is_another_player_and_is_read_again(tmp_path):
    name = write(tmp_path / "one", 0)
    before = identity(resolve(KUHN, name))
    assert identity(resolve(KUHN, name)) == before
    (tmp_path / "one" / "helper.py").write_text("def pick(legal):\n    return  legal[-1]  # another\n")
    assert identity(resolve(KUHN, name)) != before
    assert match(KUHN, [name, "random"], 30).rows[0].figure == match(KUHN, ["always-bet", "random"], 30).rows[0].figure


def test_a_neighbour_hides_nothing_that_is_installed(tmp_path):
    (tmp_path / "random.py").write_text("raise RuntimeError('not this one')\n")
    (tmp_path / "player.py").write_text(
        "import random\n\n\nclass P:\n    def act(self, view):\n        return random.Random(1).choice(view.legal)\n"
    )
    match(KUHN, [f"{tmp_path / 'player.py'}:P", "random"], 2)


# --- a path that is no player ---


def test_a_path_says_what_it_should_end_in(tmp_path):
    (tmp_path / "policy.npz").write_bytes(b"")
    (tmp_path / "note.txt").write_text("hello", encoding="utf-8")
    for name, said in [
        (tmp_path, f"{tmp_path} is a folder: its policy is {tmp_path / 'policy.npz'}"),
        (tmp_path / "policy", f"{tmp_path / 'policy'} is no player: its policy is {tmp_path / 'policy.npz'}"),
        (tmp_path / "note.txt", "is no player: a policy file ends in .npz"),
        (tmp_path / "nowhere", f"unknown player of kuhn '{tmp_path / 'nowhere'}': known are random"),
        ("nobody/x", "unknown player of kuhn 'nobody': known are random"),
    ]:
        with pytest.raises(Problem) as refused:
            resolve(KUHN, str(name))
        assert said in str(refused.value)
