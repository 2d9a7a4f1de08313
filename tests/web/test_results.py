"""Results for a page: ladders and best responses as tables, and pages of commands that may run nothing."""

import json

import pytest

import tefuda
from tefuda.web import results


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "results" / "paper").mkdir(parents=True)
    (tmp_path / "secret.html").write_text("secret")
    return tmp_path / "results"


def test_the_shipped_ladders_and_best_responses_are_told(serving, folder):
    found = serving().client.get("/api/results").json()
    shipped = sorted((results.DOCS / "ladder").glob("*.json"))
    told = {(each["game"], each["rules"]): each for each in found["ladders"] if "rating" in each["rows"][0]}
    assert len(shipped) >= 3
    for path in shipped:
        ladder = json.loads(path.read_text(encoding="utf-8"))
        rows = told[ladder["game"], ladder["rules"]]["rows"]
        assert [row["player"] for row in rows] == [each["name"] for each in ladder["players"]]
        assert rows[0]["rating"] == [ladder["players"][0]["rating"][key] for key in ("mean", "low", "high")]
    gains = [each for each in found["ladders"] if "gain" in each["rows"][0]]
    assert {"player", "gain", "deals"} == set(gains[0]["rows"][0])
    assert sum(len(each["rows"]) for each in gains) == len(list((results.DOCS / "exploit").glob("*/result.json")))


def test_a_ladder_of_one_s_own_stands_in_place_of_the_shipped_one(serving, folder):
    tefuda.ladder("kuhn", ["random", "always-bet"], deals=4, slow_deals=2, out=folder / "ladder")
    found = serving().client.get("/api/results").json()["ladders"]
    (kuhn,) = [each for each in found if each["game"] == "kuhn" and "rating" in each["rows"][0]]
    assert {row["player"] for row in kuhn["rows"]} == {"random", "always-bet"}
    (folder / "ladder" / "broken.json").write_text('{"format": "tefuda ladder 1"}')
    (folder / "ladder" / "other.json").write_text("[1]")
    assert serving(folder=folder / "x").client.get("/api/results").json()["ladders"] == found


def test_pages_have_the_look_of_the_table_and_may_run_nothing(serving, folder):
    text = "<!DOCTYPE html><html><head><title>A &amp; B</title></head><body><h1>x</h1><script>1</script></body></html>"
    (folder / "paper" / "index.html").write_text(text)
    (folder / "paper" / "figure.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    client = serving().client
    page = {"title": "A & B", "href": "/results/paper/index.html"}
    assert client.get("/api/results").json()["pages"] == client.get("/api/lobby").json()["results"] == [page]
    answer = client.get(page["href"])
    assert answer.status_code == 200
    assert 'class="house"' in answer.text
    assert "script-src" not in answer.headers["content-security-policy"]
    assert answer.headers["content-security-policy"].startswith("default-src 'none'")
    assert client.get("/results/paper/figure.svg").headers["content-type"] == "image/svg+xml"


@pytest.mark.parametrize(
    "name", ["../secret.html", "%2e%2e/secret.html", "none.html", "paper/policy.npz", ".hidden/x.html", "paper"]
)
def test_what_is_no_result_is_not_found(serving, folder, name):
    (folder / "paper" / "policy.npz").write_bytes(b"x")
    (folder / ".hidden").mkdir()
    (folder / ".hidden" / "x.html").write_text("x")
    answer = serving().client.get(f"/results/{name}")
    assert answer.status_code == 404
    assert "secret" not in answer.text
