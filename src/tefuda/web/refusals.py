"""Why something is refused, in both languages: each line says what was wrong and what would be right."""

from typing import Any

from tefuda.contract import Name
from tefuda.errors import Problem
from tefuda.web.messages import name_data


class Refusal(Exception):
    """A request that is not served: its status, and why."""

    def __init__(self, status: int, why: Name) -> None:
        super().__init__(why.en)
        self.status, self.why = status, why

    def data(self) -> dict[str, Any]:
        """For JSON."""
        return {"why": name_data(self.why)}


def of_problem(problem: Problem) -> Name:
    """A line that stands in English alone, of rules or names that do not fit."""
    line = " ".join(str(problem).split())
    return Name(f"できません：{line}", line)


RULES_CHANGED = Name(
    "この遊びの規則が変わったので、この対局は続けられません",
    "the rules of this game have changed: this table cannot go on",
)
NOT_FOUND = Name("見つかりません", "there is no such thing here")
NO_TABLE = Name("その対局はないか、鍵が合いません", "there is no such table, or the key does not fit")
NOT_UNDERSTOOD = Name("読めないメッセージです", "this message cannot be read")
HELLO_FIRST = Name("最初に hello が必要です", "the first message must be hello")
TOO_LATE = Name("読み込みが遅すぎました", "nothing was said for too long")
NO_REVIEW = Name("その検討はありません", "there is no such review")
NO_POSITION = Name("その局面はありません", "there is no such position")
TABLE_OR_RECORD = Name(
    "table と key、または record のどちらかを送ってください", "name either a table with its key, or a record"
)
ONE_POSITION = Name(
    "game、review、record、table、position のどれか一つを送ってください",
    "name one of: a game with its deal, a review, a record, a table, a position",
)
NOT_YOUR_TURN = Name("あなたの番ではありません", "it is not your turn")
NOT_LEGAL = Name("今はできない手です", "this is not a legal move now")
ONLY_WATCHING = Name("観戦中です", "you are watching: this is for who sits at the table")
ONLY_FOR_WATCHING = Name("観戦のときだけできます", "this is possible only where no person sits at the table")
NO_TAKING_BACK = Name("この対局では待ったはできません", "moves can be taken back in practice games alone")
NOTHING_TO_TAKE_BACK = Name("戻せる手がありません", "there is nothing to take back")
NO_HINTS = Name("人と遊ぶ対局ではヒントは出せません", "there are no hints at a table of several people")
NO_CHOICE_TOGETHER = Name(
    "人と遊ぶ対局では、配りは秘密で、待ったもできません",
    "a table of several people has a secret deal and no taking back: leave out deal and practice",
)
NOT_OVER = Name("対局が終わってからできます", "this is possible once the game is over")
SECRET = Name("対局が終わるまで秘密です", "this is secret until the game is over")
OVER = Name("対局は終わりました", "the game is over")
NO_SEAT = Name("その席はありません", "there is no such seat")
YOU_LEFT = Name("席をはずしています。「戻る」で戻れます", "a program plays for you: sit down again first")
UNKNOWN_GAME = Name("その遊びはありません", "there is no such game here: see the lobby")
UNKNOWN_PLAYER = Name("その名前の相手はいません", "there is no player of this name: see the lobby")
OTHER_RULES = Name("その相手はこの規則では遊べません", "this player does not play by these rules")
TOO_MANY = Name("多すぎます。少し待ってください", "that is too much at once: wait a little")
TOO_LARGE = Name("大きすぎます", "this is too large")
FULL = Name("満席です", "the house is full: no more tables or connections now")
NOT_JSON = Name("JSON が必要です", "the body must be JSON (Content-Type: application/json)")
NOT_VALID = Name("値が正しくありません", "a value is not as it should be")
WRONG_HOST = Name("この名前ではつながりません", "this server does not answer to that host name")
WRONG_ORIGIN = Name("ほかのページからは使えません", "another page may not use this server")
TOKEN_NEEDED = Name("合い言葉が必要です", "a token is needed: open the link that `tefuda web` printed")
WRONG_TOKEN = Name("合い言葉が違います", "this is not the token: open the link that `tefuda web` printed")
NOT_KEPT = Name(
    "保存できなかったので、手は取り消されました", "the move could not be kept, so it was not taken: is the disk full?"
)
FAILED = Name("サーバーでまちがいが起きました", "something went wrong in the server; nothing was changed")
AN_ERROR_OF_A_PROGRAM = Name("相手のプログラムが失敗しました", "the program in this seat failed")
