"""The files of the page: the same words in both languages, none missing and none too many; small, and safe."""

import re
from pathlib import Path

STATIC = Path(__file__).parents[3] / "src" / "tefuda" / "web" / "static"
OWN = sorted(path for path in STATIC.rglob("*.js") if "art" not in path.relative_to(STATIC).parts)
ENTRY = re.compile(r'^  (\w+): "((?:[^"\\]|\\.)*)",$')


def words(lang: str) -> dict[str, str]:
    lines = (STATIC / "words" / f"{lang}.js").read_text().splitlines()
    found = [ENTRY.match(line) for line in lines if line.startswith("  ")]
    assert all(found)
    return {match[1]: match[2] for match in found if match}


def test_both_languages_say_the_same():
    japanese, english = words("ja"), words("en")
    assert list(japanese) == list(english) == sorted(english)
    for key, text in english.items():
        places = sorted(re.findall(r"\{\w+\}", text))
        assert sorted(re.findall(r"\{\w+\}", japanese[key])) == places, key
        assert min(len(japanese[key].strip()), len(text.strip())) > 0


def test_every_word_is_used_and_every_used_one_is_there():
    source = "\n".join(path.read_text() for path in OWN if path.parent.name != "words")
    known = set(words("en"))
    asked = set(re.findall(r'say\(\s*"(\w+)"', source))
    assert asked <= known
    quoted = set(re.findall(r'"(\w+)"', source))
    patterns = [re.compile(f"{start}\\w+") for start in re.findall(r"say\(`(\w+)\$", source)] + [
        re.compile(rf"{key}_\w+") for key in re.findall(r'options\("(\w+)"', source)
    ]
    assert [key for key in known if key not in quoted and not any(each.fullmatch(key) for each in patterns)] == []


def test_modules_are_read_in_one_sitting():
    assert [path.name for path in OWN if path.parent.name != "words" and len(path.read_text().splitlines()) > 300] == []


def test_nothing_is_written_into_the_page_that_its_policy_forbids():
    page = (STATIC / "index.html").read_text()
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\bstyle=|\bon\w+=", page)
    source = "\n".join(path.read_text() for path in OWN)
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|\beval\(|new Function|document\.write|setAttribute\(\"style", source
    )
    assert not re.search(r"https?://(?!www\.w3\.org)", source + page)


def test_the_page_asks_at_once_for_all_that_the_lobby_needs():
    needed: set[str] = set()

    def walk(path: Path) -> None:
        name = path.relative_to(STATIC).as_posix()
        if name not in needed:
            needed.add(name)
            for other in re.findall(r'from "(\.[^"]+)"', path.read_text()):
                walk((path.parent / other).resolve())

    walk(STATIC / "main.js")
    walk(STATIC / "lobby.js")
    told = re.findall(r'rel="modulepreload" href="([^"]+)"', (STATIC / "index.html").read_text())
    assert sorted(told) == sorted(needed - {"main.js"})


def test_no_game_is_named_in_the_code_of_the_page():
    source = "\n".join(path.read_text() for path in OWN if path.parent.name != "words").lower()
    assert [game for game in ("koikoi", "mahjong", "saichugen", "kuhn", "leduc") if game in source] == []
