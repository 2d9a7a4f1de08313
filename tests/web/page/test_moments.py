"""What may happen at a table: hints, reviews, reloads, a server that dies, two people, doubled clicks."""

import json
import re

import pytest

from tests.web.page.driving import END, FREE, PATIENCE, Server, Visitor

pytestmark = pytest.mark.full
QUESTION = {  # somebody has made something, is near to more, and may stop or go on
    "reader": 0, "asked": 0, "seats": [{"points": 0, "name": {"ja": "あなた", "en": "you"}}],
    "zones": [
        {
            "key": "pile", "seat": 0, "name": {"ja": "札", "en": "pile"},
            "notes": [
                {"name": {"ja": "カス", "en": "chaff"}, "points": 1},
                {"name": {"ja": "青短", "en": "blue ribbons"}, "has": 2, "needs": 3},
            ],
        }
    ],
    "moves": [
        {
            "action": 48, "name": {"ja": "あがり", "en": "stop"},
            "notes": [{"name": {"ja": "役", "en": "yaku"}, "points": 4}],
        },
        {"action": 49, "name": {"ja": "こいこい", "en": "go on"}},
    ],
}  # fmt: skip
ASK = """async (scene) => {
    const { promptElement } = await import("/prompt.js");
    const { Moves } = await import("/scene.js");
    const table = { scene, hints: {}, info: {}, input: {} };
    return promptElement(table, new Moves(scene), true).innerText;
}"""


def test_a_hint_has_a_bar_for_each_move_and_says_what_is_equal(visit):
    visitor = visit()
    visitor.sit("koikoi")
    visitor.wait()
    page = visitor.page
    page.keyboard.press("h")
    page.wait_for_selector(".bars__row")
    page.wait_for_function(
        "() => document.querySelector('.hint').innerText.includes('guessed worlds,')"
    )  # it has ended
    moves = visitor.scenes()[-1]["moves"]
    assert len(page.query_selector_all(".bars__row")) == len(moves)
    told = [message for message in visitor.received if message["type"] == "hint"][-1]
    equal = [each for each in told["values"] if each["equal"]]
    assert len(page.query_selector_all(".bars__row.is-equal")) == len(equal) >= 1
    assert len(page.query_selector_all(".card__hint")) == len(moves)
    names = {move["action"]: move["name"]["en"] for move in moves}
    best = min(told["values"], key=lambda each: each["loss"][0])
    page.locator(".bars__move").first.click()  # a move can be played from the list
    page.wait_for_selector(FREE)
    sent = [message for message in visitor.sent if message["type"] == "move"]
    assert names[sent[-1]["action"]] == names[best["action"]]


def test_a_doubled_click_sends_one_move(visit):
    visitor = visit()
    visitor.sit("tricks", "plain")
    visitor.wait()
    visitor.page.evaluate("const card = document.querySelector('.can-play'); card.click(); card.click(); card.click()")
    visitor.wait()
    assert len([message for message in visitor.sent if message["type"] == "move"]) == 1


def test_a_card_that_cannot_be_played_says_why(visit):
    visitor = visit()
    visitor.sit("tricks", "hearts", deal=3)
    visitor.wait()
    for _ in range(12):
        if visitor.page.query_selector(".zone--own button.card:not(.can-play)"):
            break
        visitor.by_mouse()
        visitor.wait()
    visitor.page.click(".zone--own button.card:not(.can-play)")
    visitor.page.wait_for_selector(".toast")
    assert re.search(r"leads|follow|broken|first trick", visitor.page.inner_text(".toast"))


def test_what_a_card_would_take_is_shown_before_it_is_played(visit):
    visitor = visit()
    visitor.sit("koikoi")
    visitor.wait()
    takes = next(move for move in visitor.scenes()[-1]["moves"] if move.get("with"))
    visitor.page.hover(f'.card[data-place="{takes["place"]}"][data-card="{takes["cards"][0]}"]')
    shown = visitor.page.eval_on_selector_all(".card.is-target", "all => all.map((each) => Number(each.dataset.card))")
    assert sorted(shown) == sorted(takes["with"])
    assert takes["name"]["en"] in visitor.page.inner_text(".prompt__preview")


def test_a_card_is_played_by_dragging_it_to_the_middle(visit):
    visitor = visit()
    visitor.sit("tricks", "plain")
    visitor.wait()
    turn, page = visitor.turn, visitor.page
    card, middle = page.locator(".can-play").first.bounding_box(), page.locator(".tricks").bounding_box()
    page.mouse.move(card["x"] + card["width"] / 2, card["y"] + card["height"] / 2)
    page.mouse.down()
    page.mouse.move(middle["x"] + middle["width"] / 2, middle["y"] + middle["height"] / 2, steps=8)
    page.mouse.up()
    page.wait_for_function("([turn]) => document.querySelector('.table').dataset.turn !== turn", arg=[turn])
    assert len([message for message in visitor.sent if message["type"] == "move"]) == 1


def test_a_move_is_taken_back(visit):
    visitor = visit()
    visitor.sit("koikoi")
    visitor.wait()
    before, first = visitor.turn, visitor.scenes()[-1]["zones"]
    visitor.by_mouse()
    visitor.wait()
    visitor.page.keyboard.press("b")
    visitor.page.wait_for_function("([turn]) => document.querySelector('.table').dataset.turn === turn", arg=[before])
    visitor.wait()
    assert visitor.scenes()[-1]["zones"] == first


def test_the_same_deal_again_as_another_seat(visit):
    visitor = visit()
    visitor.sit("kuhn", deal=11)
    visitor.play("mouse")
    old = visitor.key
    visitor.page.click("text=Same deal, next seat")
    visitor.page.wait_for_function("([id]) => !location.hash.includes(id)", arg=[old[0]])
    visitor.page.wait_for_selector(END, state="detached")  # of the game before
    visitor.wait()
    last = [message for message in visitor.received if message["type"] == "turns"][-1]
    assert last["deal"] == 11
    assert visitor.scenes()[-1]["reader"] == 1


def test_a_reload_in_the_middle_goes_on_where_it_was(visit):
    visitor = visit()
    visitor.sit("saichugen")
    visitor.play("keyboard", most=3)
    visitor.wait()
    turn, hand = (
        visitor.turn,
        visitor.page.eval_on_selector_all(".zone--own.zone--hand .card", "all => all.map((each) => each.title)"),
    )
    visitor.page.reload()
    visitor.wait()
    assert visitor.turn == turn
    assert (
        visitor.page.eval_on_selector_all(".zone--own.zone--hand .card", "all => all.map((each) => each.title)") == hand
    )
    assert len(visitor.page.query_selector_all(".log__entry")) >= 3  # what happened is told again
    visitor.play("mouse")
    assert visitor.page.query_selector(END)


def test_a_game_that_was_left_is_offered_in_the_lobby(visit):
    visitor = visit()
    visitor.sit("koikoi")
    visitor.play("mouse", most=1)
    table, _ = visitor.key
    page = visitor.lobby().page
    page.click(f'.kept__game[href*="{table}"]')
    assert visitor.wait()


def test_the_server_dies_and_comes_back(browser, tmp_path):
    server = Server(["koikoi"], tmp_path)
    try:
        visitor = Visitor(browser, server.url)
        visitor.sit("koikoi")
        visitor.play("mouse", most=2)
        visitor.wait()
        turn = visitor.turn
        server.kill()
        visitor.page.wait_for_selector(".notice:not([hidden])")
        assert "connection is lost" in visitor.page.inner_text(".notice")
        server.start()
        visitor.page.wait_for_selector(".notice", state="hidden", timeout=PATIENCE)
        visitor.wait()
        assert visitor.turn == turn
        visitor.play("mouse")
        assert visitor.page.query_selector(END)
    finally:
        server.stop()


def test_two_people_at_one_table(visit):
    first, second = visit(), visit()
    first.sit("koikoi", seats={1: "friend"})
    first.page.wait_for_selector(".together")
    first.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    first.page.click(".together .button:has-text('seat 2')")
    link = first.page.evaluate("navigator.clipboard.readText()")
    second.page.goto(link)
    second.page.wait_for_selector(".table")
    for _ in range(60):
        first.page.wait_for_selector(f"{FREE}, {END}, .felt")
        both = [each for each in (first, second) if each.page.query_selector(FREE)]
        if first.page.query_selector(END) and second.page.query_selector(END):
            break
        if both:
            both[0].by_mouse()
        first.page.wait_for_timeout(50)
    assert first.page.query_selector(END)
    assert second.page.query_selector(END)
    for visitor, other in ((first, 1), (second, 0)):
        scenes = visitor.scenes()
        assert {scene["reader"] for scene in scenes} == {1 - other}
        hands = [zone for scene in scenes if not scene.get("over") for zone in scene["zones"] if zone["key"] == "hand"]
        assert all(not zone.get("cards") for zone in hands if zone["seat"] == other)
        secret = [message for message in visitor.received if message["type"] == "turns" and not message["over"]]
        assert all("deal" not in message for message in secret)  # the deal is told when it is over


def test_watching_programs_step_by_step_and_running(visit):
    visitor = visit()
    visitor.watch("koikoi")
    page = visitor.page
    hands = page.query_selector_all(".zone--hand .card:not(.card--back)")
    assert len(hands) == 16  # both hands lie open
    turn = visitor.turn
    page.click(".watch .button:has-text('Step')")
    page.wait_for_function("([turn]) => document.querySelector('.table').dataset.turn !== turn", arg=[turn])
    page.select_option(".watch select", "0")
    page.wait_for_selector(".card--back[data-place='hand:1']")
    page.click(".watch .button:has-text('Run')")
    page.wait_for_selector(END)


def test_the_link_of_a_deal_opens_it_for_everybody(visit, server):
    hands = []
    for visitor in (visit(), visit()):
        page = visitor.page
        page.goto(f"{server.url}#/deal/koikoi/bonus/777")
        page.wait_for_selector("#sit-down")
        assert page.input_value("#deal-number") == "777"
        assert page.is_checked("#preset-bonus")
        page.click("#sit-down")
        visitor.wait()
        hands.append(page.eval_on_selector_all(".zone--own .card", "all => all.map((each) => each.title)"))
    assert hands[0] == hands[1] != []


def test_a_seat_that_nobody_knows_leads_back_to_the_lobby(visit, server):
    visitor = visit()
    visitor.page.goto(f"{server.url}#/table/{'a' * 22}/{'b' * 22}")
    visitor.page.click(".stage__gone a")
    visitor.page.wait_for_selector(".game")


def test_a_question_tells_what_is_made_what_is_near_and_what_stopping_pays(visit):
    told = visit().lobby().page.evaluate(ASK, QUESTION)
    assert "chaff +1" in told
    assert "blue ribbons 2/3" in told
    assert "stop yaku +4" in told
    assert "go on" in told


def test_a_token_opens_the_lobby_and_an_invited_person_needs_none(browser, tmp_path):
    server = Server(["kuhn"], tmp_path, more=("--token", "open-sesame-1"))
    try:
        host, guest = Visitor(browser, server.url), Visitor(browser, server.url)
        host.page.goto(server.url)
        host.page.fill("#token", "wrong-token-1")
        host.page.click("button[type=submit]")
        host.page.wait_for_selector(".notice")
        host.page.goto(f"{server.url}#/enter/open-sesame-1")
        host.page.wait_for_selector(".game")
        host.sit("kuhn", seats={1: "friend"})
        host.page.wait_for_selector(".together")
        kept = host.page.evaluate("sessionStorage.getItem(Object.keys(sessionStorage)[0])")
        guest.page.goto(f"{server.url}#/table/{host.key[0]}/{json.loads(kept)[0]['key']}")
        guest.page.wait_for_selector(".table")
        assert "#/table/" in guest.page.url
        host.page.wait_for_selector(".together .is-here >> nth=1")
    finally:
        server.stop()
