"""Naughty strings from end to end, on both databases: typed, stored, sent, answered, shown and saved."""

import json

import pytest

from webchat.models import Turn
from webchat.rendering.bot_text import without_invisible

TYPED = {
    "NUL": "before\0after",
    "controls": "bell\x07 escape\x1b[31m delete\x7f next\x85line",
    "right to left": "\u202egnp.exe\u202c \u2066isolated\u2069",
    "tags": "hi\U000e0068\U000e0069",
    "emoji": "👩‍👩‍👧‍👦 🏳️‍🌈 🇩🇪 ✊🏿",
    "astral": "𝒳𝕐𝖟 𠜎𠜱",
    "line ends": "one\r\ntwo\rthree\u2028four",
    "quotes": """'; DROP TABLE "webchat_turn"; -- \\' %s %(x)s {0} {{ x }} ${x}""",
    "markup": "<script>alert(1)</script> <img src=x onerror=y> &amp; ]]> <!-- -->",
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
def test_a_message_of_any_characters_is_stored_sent_and_shown_unchanged(typed, visitor, upstream):
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
