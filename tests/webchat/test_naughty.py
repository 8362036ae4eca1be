"""Naughty strings all the way, on both databases: typed, stored, sent, answered, shown and saved."""

import json

import pytest

from webchat.models import Turn
from webchat.rendering.bot_text import without_invisible

TYPED = {
    "NUL": "before\0after",
    "controls": "bell\x07 escape\x1b[31m delete\x7f next\x85line",
    "right to left": "\u202egnp.exe\u202c \u2066isolated\u2069",
    "tags": "hi\U000e0068\U000e0069",
    "Arabic": "مرحبا بالعالم",
    "emoji": "👩‍👩‍👧‍👦 🏳️‍🌈 🇩🇪 ✊🏿",
    "combining": "Z̷̢̛͓̦͕̈́̀̕a̴̡̛l̵̢g̶̡o",
    "case": "İstanbul ıI ß ẞ ﬁ Ω",
    "astral": "𝒳𝕐𝖟 𠜎𠜱",
    "spaces": "a\u00a0b\u2003c\u200bd\ufeffe",
    "line ends": "one\r\ntwo\rthree\u2028four",
    "quotes": """'; DROP TABLE "webchat_turn"; -- \\' %s %(x)s {0} {{ x }} ${x}""",
    "markup": "<script>alert(1)</script> <img src=x onerror=y> &amp; ]]> <!-- -->",
    "JSON": '{"message": "x\\u0000"}\\',
    "formula": "=1+1",
    "as long as allowed": "Ä" * 4000,
    "noncharacters": "a\uffffb\ufdd0c\U0010ffffd",
}


def strings_of(value: object) -> list[str]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [string for each in value for string in strings_of(each)]
    return [value] if isinstance(value, str) else []


@pytest.mark.parametrize("typed", TYPED.values(), ids=TYPED)
def test_a_message_of_any_characters_comes_through_the_whole_way(typed, visitor, upstream):
    meant = without_invisible(typed).strip()
    page = visitor.send(typed)
    assert page.status == 200
    assert Turn.objects.get().message == meant
    assert upstream.requests[0].message == meant
    assert visitor.open().turns[0].state == "answered"
    taken = {kind: visitor.client.get(f"/chat/help/transcript.{kind}") for kind in ("txt", "html", "json")}
    assert {response.status_code for response in taken.values()} == {200}
    assert meant in strings_of(json.loads(taken["json"].content))
    assert "<script>alert" not in taken["html"].content.decode()


ANSWERED = {
    "NUL": "before\0after",
    "lone surrogate": "before\ud800after",
    "controls": "\x07\x1b[31mred",
    "noncharacters": "a\uffffb\U0010ffff",
    "long": "word " * 40_000,
    "right to left": "\u202egnp.exe",
}


@pytest.mark.parametrize("said", ANSWERED.values(), ids=ANSWERED)
def test_a_reply_of_any_characters_is_stored_and_shown(said, visitor, upstream):
    upstream.will_answer(200, json.dumps({"success": True, "chatId": "c", "message": said}))
    turn = visitor.send("Hello").turns[0]
    assert turn.reply
    assert "\0" not in turn.reply
    for kind in ("txt", "html", "json"):
        assert visitor.client.get(f"/chat/help/transcript.{kind}").status_code == 200


IDS = ["c\0d", "\ud800", "x" * 1024, "x" * 1025, "💬" * 300, " ", "\n", "../..", "'\"", 7, -1, 1e300, 10**400]


@pytest.mark.parametrize("chat_id", IDS, ids=lambda each: ascii(each)[:20])
def test_a_chat_id_of_any_characters_goes_on_or_is_dropped(chat_id, visitor, upstream):
    upstream.will_answer(200, json.dumps({"success": True, "chatId": chat_id, "message": "Hi"}))
    assert visitor.send("Hello").turns[0].reply == "Hi"
    upstream.will_reply("Still here")
    assert visitor.send("And now?").turns[1].reply == "Still here"
