"""Reviews and games as one file: every module is in it, and all that a server would answer."""

import base64
import gzip
import json
import re
import shutil
from pathlib import Path

import pytest

from tefuda.players.resolve import resolve
from tefuda.records.played import played_in
from tefuda.table.review import Review
from tefuda.web import reviewer, standalone
from tests.web.test_reviews import ask, finished_table, whole

KEPT = Path(__file__).parents[1] / "files" / "kept" / "games"


@pytest.fixture(scope="module")
def review():
    played = played_in(KEPT / "koikoi-finished.json")
    found = Review(played, None, resolve(played.game, "random/always-stop", played.rules), worlds=32)
    for _ in found.run():
        pass
    return found


def canned(text: str) -> dict:
    packed = re.search(r'id="canned">([^<]+)<', text)[1]
    return json.loads(gzip.decompress(base64.b64decode(packed)))


def test_every_module_that_is_imported_is_in_the_page():
    modules = standalone._modules()
    imported = set()
    for url in modules.values():
        text = base64.b64decode(url.partition(",")[2]).decode()
        assert not re.search(r"""(from|import)\s*\(?\s*["']\.""", text)
        imported |= set(re.findall(r'(?:from\s*|import\s*\(?\s*)["\'](tefuda/[^"\']+)["\']', text))
    assert len(imported) > 20
    assert imported <= set(modules)


def test_a_page_loads_nothing_from_elsewhere(review):
    for text in (standalone.review_page(review), standalone.game_page(review.played)):
        assert not re.search(
            r"""(src|href)=["'](?!data:|#)""", re.sub(r"<style>.*?</style>", "", text, flags=re.DOTALL)
        )
        assert "@import" not in text
        assert text.count("</script>") == 3


def test_a_review_page_holds_all_decisions(review):
    found = canned(standalone.review_page(review))
    where = "/api/reviews/exported"
    assert len(found["answers"][where]["decisions"]) == len(review.turns)
    for turn in review.turns:
        scene = found["answers"][f"{where}/scenes/{turn}"]["scene"]
        assert scene["reader"] == review.seat
        hands = [zone for zone in scene["zones"] if zone["key"] == "hand" and zone["seat"] != review.seat]
        assert all("cards" not in zone for zone in hands)  # nothing that the seat could not know


def test_a_game_page_holds_every_view(review):
    (talk,) = canned(standalone.game_page(review.played))["sockets"].values()
    assert set(talk["views"]) == {"", "0", "1"}
    for entries in talk["views"].values():
        assert [each["place"] for each in entries] == list(range(len(review.played.steps) + 1))
    assert talk["result"]["scores"] == list(review.played.scores)


def test_the_server_gives_exports(serving, monkeypatch):
    monkeypatch.setattr(reviewer, "WORLDS", 4)
    served = serving()
    opened = finished_table(served)
    number = ask(served, table=opened["table"], key=opened["key"]).json()["review"]
    whole(served, number)
    answer = served.client.get(f"/api/exports/reviews/{number}")
    assert answer.status_code == 200
    assert 'filename="leduc-review.html"' in answer.headers["content-disposition"]
    assert answer.headers["content-security-policy"] == "sandbox"
    assert canned(answer.text)["answers"]["/api/reviews/exported"]["game"] == "leduc"
    where = f"/api/exports/tables/{opened['table']}"
    assert served.client.get(where).status_code == 401
    assert served.client.get(where, headers={"Authorization": f"Bearer {'x' * 22}"}).status_code == 404
    game = served.client.get(where, headers={"Authorization": f"Bearer {opened['key']}"})
    assert canned(game.text)["begin"] == "#/table/exported/exported"
    other = served.open(deal=9)
    going = served.client.get(
        f"/api/exports/tables/{other['table']}", headers={"Authorization": f"Bearer {other['key']}"}
    )
    assert going.status_code == 409


def test_the_command_line_writes_pages(here):
    shutil.copy(KEPT / "koikoi-finished.json", here.folder / "game.json")
    done = here("replay", "game.json", "--out", "game.html", "--json")
    assert json.loads(done.stdout)["decisions"] == 30
    told = here("review", "game.json", "--judge", "random/always-stop", "--worlds", 4, "--out", "review.html")
    assert "page: review.html" in told.stdout
    for name in ("game.html", "review.html"):
        assert canned((here.folder / name).read_text(encoding="utf-8"))["answers"]["/api/lobby"]["games"]
    (here.folder / "file").write_text("")
    refused = here("replay", "game.json", "--out", "file/game.html")
    assert (refused.returncode, len(refused.stderr.splitlines())) == (2, 1)
