"""Saved conversations: complete, unaltered, harmless wherever they are opened, and only the visitor's own."""

import datetime
import json

import pytest

from tests.webchat.pending import leave_pending
from tests.webchat.visitor import Page, Visitor
from webchat.models import Conversation, Turn

SENT = "2026-03-01T23:05:00+00:00"
KINDS = {"txt": "text/plain", "html": "text/html", "json": "application/json"}
HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "{{ bot.sealed_key }} {% debug %}",
    'a"; filename="evil.exe',
    '=HYPERLINK("https://evil.example")',
]


@pytest.fixture
def kept(visitor: Visitor, upstream) -> Visitor:
    """A visitor with one reply, one refusal and one pending message."""
    upstream.will_reply("We open at **nine**, says `--help`.").will_refuse("BOT_DISABLED")
    visitor.send("When do you open?\nAnd close?")
    visitor.send("And now?")
    leave_pending(visitor, "Still there?")
    Turn.objects.update(created_at=datetime.datetime.fromisoformat(SENT))
    return visitor


def download(visitor: Visitor, kind: str) -> str:
    response = visitor.client.get(f"/chat/help/transcript.{kind}")
    assert response.status_code == 200
    return response.content.decode()


def test_a_saved_conversation_is_a_download_for_its_visitor_alone_without_key_chat_id_and_code(kept, new_visitor):
    secrets = (Conversation.objects.exclude(chat_id="").get().chat_id, "BOT_DISABLED", "sk-")
    for kind, content_type in KINDS.items():
        response = kept.client.get(f"/chat/help/transcript.{kind}")
        assert response["Content-Type"] == f"{content_type}; charset=utf-8"
        assert response["Content-Disposition"] == f'attachment; filename="help.{kind}"'
        assert response["Cache-Control"] == "no-store, private"
        assert response["X-Content-Type-Options"] == "nosniff"
        assert [secret for secret in secrets if secret in response.content.decode()] == []
    kept.open()
    kept.begin_a_new_conversation()
    for kind in KINDS:
        for other in (new_visitor(), kept):
            assert "When do you open?" not in download(other, kind)


def test_as_text_and_as_a_page_it_says_who_wrote_what_and_when(kept):
    when = "March 1, 2026, 11:05 p.m. UTC"
    assert download(kept, "txt") == (
        f"Ada\n\nYou, {when}\nWhen do you open?\nAnd close?\n\nAda\nWe open at nine, says --help.\n\n"
        f"You, {when}\nAnd now?\n\n– This chat is offline.\n\nYou, {when}\nStill there?\n"
    )
    page = Page(kept.client.get("/chat/help/transcript.html"))
    assert [heading.text_content().split()[0] for heading in page.all("h3")] == ["You", "Ada", "You", "You"]
    assert page.one("h1").text_content() == "Ada"
    assert page.one("strong").text == "nine"
    assert {(time.get("datetime"), time.text) for time in page.all("time")} == {(SENT, "11:05 p.m.")}
    assert [day.text for day in page.all("div[@class='day']")] == ["March 1, 2026 (UTC)"]
    assert page.one("em").text == "This chat is offline."
    assert not page.all("*[self::script or self::link or @src]")


def test_as_data_it_has_the_fields_of_each_turn(kept):
    data = json.loads(download(kept, "json"))
    assert (data["bot"], [turn["state"] for turn in data["turns"]]) == ("Ada", ["answered", "failed", "pending"])
    first, second, _ = data["turns"]
    assert (first["sent_at"], first["message"]) == (SENT, "When do you open?\nAnd close?")
    assert first["reply"] == "We open at **nine**, says `--help`."
    assert datetime.datetime.fromisoformat(first["answered_at"]).tzinfo
    assert (second["reply"], second["answered_at"]) == (None, None)
    assert datetime.datetime.fromisoformat(data["exported_at"]).tzinfo


@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_text_stays_text(hostile, visitor, upstream, bot):
    bot.name = hostile[:80]
    bot.save()
    upstream.will_reply(hostile)
    visitor.send(hostile)
    saved = {kind: visitor.client.get(f"/chat/help/transcript.{kind}") for kind in KINDS}
    for kind, response in saved.items():
        assert response["Content-Disposition"] == f'attachment; filename="help.{kind}"'
    data = json.loads(saved["json"].content)
    assert (data["bot"], data["turns"][0]["message"], data["turns"][0]["reply"]) == (bot.name, hostile, hostile)
    assert saved["txt"].content.decode().count(hostile) >= 2
    page = Page(saved["html"])
    assert page.all("p")[0].text_content() == hostile
    assert page.one("h1").text_content() == bot.name
    assert not page.all("*[self::script or self::img]")


def test_characters_that_steer_a_terminal_or_turn_text_around_are_left_out(visitor, upstream):
    upstream.will_reply("red \x1b[31m and \u202eback\u202c, with\ttab\r\nand line")
    visitor.send("Hello \x1b]0;title\x07")
    text = download(visitor, "txt")
    assert "red [31m and back, with tab\nand line" in text
    assert "Hello ]0;title" in text
