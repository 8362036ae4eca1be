"""Sending a message, with JavaScript and without: what is accepted, what is refused, and that no text is lost."""

import pytest
from django.db import connections

from tests.webchat.conftest import SUGGESTIONS
from tests.webchat.pending import leave_pending
from tests.webchat.visitor import Page, fields_of
from webchat.models import Turn

TOO_MUCH = 2_621_440  # bytes: Django's DATA_UPLOAD_MAX_MEMORY_SIZE


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("way", ["send", "post_message"])
def test_the_message_is_stored_before_it_is_sent_and_no_transaction_waits_for_the_reply(
    way, bot_on_disk, visitor, upstream
):
    stored: list[tuple[str, str]] = []

    def look(message: str, earlier: list[str]) -> str:
        """Read from the upstream's own thread, which sees only what is committed."""
        stored.extend(Turn.objects.values_list("message", "state"))
        Turn.objects.update(feedback_reason="written while the bot is asked")
        connections.close_all()
        return "Hi there"

    upstream.compose = look
    page = getattr(visitor, way)("Hello")
    assert stored == [("Hello", "asking")]
    assert page.turns[0].reply == "Hi there"
    assert Turn.objects.get().feedback_reason == "written while the bot is asked"


def test_a_suggested_question_is_a_message_and_the_draft_stays(visitor, upstream):
    page = visitor.send("a draft", suggestion=SUGGESTIONS[0])
    assert page.turns[0].message == SUGGESTIONS[0]
    assert page.typed == "a draft"
    assert len(upstream.requests) == 1


def test_the_same_form_sent_twice_counts_once_and_is_not_refused(visitor, settings, upstream):
    settings.MESSAGES_PER_MINUTE = 1
    visitor.open()
    assert [visitor.twin().send("Hello").status for _ in range(2)] == [200, 200]
    assert len(upstream.requests) == 1


@pytest.mark.parametrize("way", ["send", "send_live"])
def test_a_used_key_with_another_message_is_refused_with_the_text_kept_and_a_fresh_key(way, visitor, upstream):
    page = visitor.open()
    used = page.composer.xpath(".//input[@name='key']/@value")[0]
    visitor.send("Hello")
    refused = getattr(visitor, way)("Something else", key=used)
    assert (refused.status, refused.refusal.code, refused.typed) == (422, "KEY_USED", "Something else")
    fresh = refused.composer.xpath(".//input[@name='key']/@value")[0]
    assert fresh != used
    assert len(upstream.requests) == 1
    sent = visitor.send("Something else", key=fresh)
    assert [turn.message for turn in sent.turns] == ["Hello", "Something else"]


def test_another_visitors_key_is_refused_and_shows_nothing_of_theirs(visitor, new_visitor, upstream):
    key = visitor.open().composer.xpath(".//input[@name='key']/@value")[0]
    visitor.send("My secret")
    stranger = new_visitor().send("My secret", key=key)
    assert (stranger.status, stranger.turns) == (422, [])
    assert len(upstream.requests) == 1


def test_a_form_of_a_conversation_that_has_ended_is_refused_with_the_text_kept(visitor, upstream):
    stale = visitor.twin() if visitor.open() else None
    visitor.send("Hello")
    stale.client.cookies = visitor.client.cookies
    visitor.begin_a_new_conversation()
    page = stale.send("Hello")
    assert (page.status, page.typed) == (422, "Hello")
    assert stale.send("Hello").turns[0].reply == "You said: Hello"


REFUSED = {
    "empty": ("", "MESSAGE_REQUIRED"),
    "spaces": (" \t\n ", "MESSAGE_REQUIRED"),
    "no-break and ideographic spaces": ("\u00a0\u3000\u2003", "MESSAGE_REQUIRED"),
    "tag characters": ("\U000e0041\U000e0042", "MESSAGE_REQUIRED"),
    "bidirectional overrides": ("\u202e\u2066", "MESSAGE_REQUIRED"),
    "zero-width space and soft hyphen": ("\u200b\u00ad", "MESSAGE_REQUIRED"),
    "one too many": ("x" * 51, "MESSAGE_TOO_LONG"),
    "one line break too many": ("a" + "\r\n" * 49 + "b", "MESSAGE_TOO_LONG"),
}

TAKEN = {
    "emoji count once": ("😀" * 50, "😀" * 50),
    "line breaks count once": ("a" + "\r\n" * 48 + "b", "a" + "\n" * 48 + "b"),
    "characters that nobody sees": ("a\0b\x1b\u202ec\U000e0041d", "abcd"),
    "code": ("""'; DROP TABLE x; -- \\' %s {{ x }} <script>""", """'; DROP TABLE x; -- \\' %s {{ x }} <script>"""),
    "characters of Unicode's ends": ("a\uffffb\U0010ffffd", "a\uffffb\U0010ffffd"),
    "spaces around": ("  hello \n", "hello"),
}


def as_parsed(text: str) -> str:
    """Remove what an HTML parser changes in any text: line breaks, and NULs."""
    return text.replace("\r\n", "\n").replace("\N{REPLACEMENT CHARACTER}", "\0").strip("\0\n")


@pytest.mark.parametrize("way", ["send", "send_live"])
@pytest.mark.parametrize(("message", "code"), REFUSED.values(), ids=REFUSED)
def test_an_invalid_message_is_refused_with_the_text_kept(message, code, way, visitor, upstream, settings):
    settings.MESSAGE_MAX_LENGTH = 50
    page = getattr(visitor, way)(message)
    assert (page.status, page.refusal.code, page.refusal.controls) == (422, code, [])
    assert page.refusal.sentence
    assert as_parsed(page.typed) == as_parsed(message)
    assert page.one("textarea").get("aria-invalid") == "true"
    assert (upstream.requests, Turn.objects.count()) == ([], 0)


@pytest.mark.parametrize(("message", "sent"), TAKEN.values(), ids=TAKEN)
def test_a_valid_message_is_sent_as_it_was_meant(message, sent, visitor, upstream, settings):
    settings.MESSAGE_MAX_LENGTH = 50
    visitor.open()
    visitor.send(message)
    assert upstream.messages == [sent]
    assert [turn.message for turn in visitor.turns] == [sent]


@pytest.mark.parametrize("key", ["", "7", "x" * 36, "00000000-0000-0000-0000-00000000000g"])
def test_a_form_without_a_usable_key_is_refused_with_the_text_kept(key, visitor, upstream):
    page = visitor.send("Hello", key=key)
    assert (page.status, page.typed) == (422, "Hello")
    assert visitor.send("Hello").turns[0].reply


def test_a_body_too_large_to_be_read_is_explained_in_the_composer_or_on_a_page(visitor, upstream):
    page = visitor.post_message("x" * TOO_MUCH)
    assert (page.status, page.response["HX-Retarget"]) == (413, "#composer-refusal")
    assert page.one("*[@role='alert'][@data-alert]").get("data-code") == "MESSAGE_TOO_LONG"
    page = visitor.send("x" * TOO_MUCH)
    assert (page.status, page.one("main//a").get("href")) == (413, "/chat/help/")
    assert "too long" in page.one("main").text_content()
    assert upstream.requests == []


@pytest.mark.parametrize("way", ["send", "send_live"])
@pytest.mark.parametrize("token", ["", "x" * 64, "short"])
def test_on_an_expired_page_the_text_is_kept_beside_a_fresh_token(token, way, visitor, upstream):
    refused: Page = getattr(visitor, way)("Hello", csrfmiddlewaretoken=token)
    assert (refused.status, refused.refusal.code, refused.typed) == (403, "PAGE_EXPIRED", "Hello")
    assert upstream.requests == []
    visitor.page = refused
    assert visitor.send("Hello").turns[0].reply == "You said: Hello"


@pytest.mark.parametrize("action", ["new", "turns/5f7d2a3e-33c5-4a0e-9a53-3c5b6a5e8a11/again"])
def test_a_forged_request_and_one_from_another_site_change_nothing(action, visitor):
    visitor.send("Hello")
    assert visitor.client.post(f"/chat/help/{action}").status_code == 403
    fields, origin = fields_of(visitor.page.composer) | {"message": "Hello"}, {"Origin": "https://evil.example"}
    for url in (action, "messages"):
        assert visitor.client.post(f"/chat/help/{url}", fields, headers=origin).status_code == 403
    assert len(visitor.open().turns) == 1


def test_a_visitor_who_stops_waiting_gets_the_turn_immediately_and_the_bot_is_asked_once(visitor, upstream):
    page = leave_pending(visitor, "Hello")
    waiting, key = page.one("form[@data-waiting]"), str(Turn.objects.get().key)
    stopped = visitor.post_message("Hello", key=key, after="", stop="1")
    assert stopped.one("form[@data-stopped]").get("hx-post") == waiting.get("hx-post")
    assert visitor.submit_live(waiting, {"stop": "1"}).one("form[@data-stopped]") is not None
    assert upstream.requests == []
    upstream.will_reply("Later")
    assert visitor.submit_live(stopped.one("form[@data-stopped]")).turns[-1].reply == "Later"
    assert visitor.submit_live(waiting, {"stop": "1"}).turns[-1].reply == "Later"
    assert upstream.messages == ["Hello"]
