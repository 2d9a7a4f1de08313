"""Tables over the WebSocket: moves, repeated moves, reconnecting, taking back, several people, watching."""

from tests.web.conftest import Page


def test_a_game_is_played_to_its_result(serving):
    served = serving()
    opened = served.open(deal=5)
    with served.sit(opened) as socket:
        page = Page(socket, opened["key"])
        first = page.next()
        assert first["from"] is None
        assert first["deal"] == 5
        while not page.all[-1].get("over"):
            page.move(page.scene["moves"][0]["action"])
            page.until("turns")
        result = page.next()
    assert result["type"] == "result"
    assert sum(result["scores"]) == 0
    assert sorted(result["places"]) in ([1, 2], [1, 1])
