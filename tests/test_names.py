"""One meaning a word: the name of a class stands for one class in all sources."""

import ast
from collections import defaultdict

import tefuda

PARALLEL = {  # one of each module of a sort, which are read beside each other
    "Arguments": "of each learner",
    "Scale": "of each paper",
    "Yaku": "of Koi-Koi and of mahjong",
}
STILL_TWO = {  # a game's own word beside a word of the contract, of a learner, or of another page
    "Event", "Move", "Part", "Records", "Rows", "Standing", "Table",
}  # fmt: skip


def test_the_name_of_a_class_stands_for_one_class():
    places = defaultdict(list)
    for path in sorted(tefuda.FOLDER.rglob("*.py")):
        name = path.relative_to(tefuda.FOLDER).as_posix()
        if not name.startswith("templates/"):
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    places[node.name].append(f"{name}:{node.lineno}")
    assert len(places) > 250
    twice = {name: found for name, found in places.items() if len(found) > 1}
    assert {name: found for name, found in twice.items() if name not in PARALLEL.keys() | STILL_TWO} == {}
    assert PARALLEL.keys() | STILL_TWO <= twice.keys()
