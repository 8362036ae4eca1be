"""Conversations: to whom they belong, how long they last, and which chatId goes upstream with each message."""

import datetime
import uuid
from collections.abc import Callable
from itertools import product
from unittest import mock

import pytest
from django.contrib.sessions.models import Session
from django.db import OperationalError, connection
from django.utils import timezone

from tests.conftest import KEY
from tests.webchat.pending import leave_pending
from tests.webchat.visitor import Page, Visitor, fields_of
from webchat.models import Bot, Conversation, Turn

ACTIONS = ("reply", "again")


def sent_chat_ids(upstream) -> list[str | None]:
    return [request.chat_id for request in upstream.requests]


SECOND_ANSWERS = {
    "the same one": ({"message": "Two", "chatId": "abc"}, "abc"),
    "a new one": ({"message": "Two", "chatId": "xyz"}, "xyz"),
    "none": ({"message": "Two"}, "abc"),
    "a refusal": ({"error": "BOT_DISABLED"}, "abc"),
}


@pytest.mark.parametrize(("answer", "third"), SECOND_ANSWERS.values(), ids=SECOND_ANSWERS)
def test_each_message_sends_the_latest_chat_id(answer, third, visitor, upstream):
    upstream.will_reply("One", chat_id="abc").will_answer(200, answer)
    for message in ("One", "Two", "Three"):
        visitor.send(message)
    assert sent_chat_ids(upstream)[:3] == [None, "abc", third]


def test_no_browser_ever_sees_the_chat_id_or_the_key(visitor, upstream):
    upstream.will_reply("One", chat_id="the-upstreams-own-key", times=2)
    pages = [visitor.send("One"), visitor.send_live("Two"), visitor.open(), visitor.open("/chat/help/transcript.html")]
    pages += [Page(visitor.client.get(f"/chat/help/transcript.{kind}")) for kind in ("txt", "json")]
    told = [page.response.content.decode() + str(page.response.headers) for page in pages]
    for text in (*told, str(visitor.client.cookies)):
        assert "the-upstreams-own-key" not in text
        assert KEY not in text


def test_a_conversation_that_the_upstream_has_ended_continues_as_a_new_one_with_a_notice(visitor, upstream):
    visitor.send("One")
    upstream.forget_chats()
    turn = visitor.send("Two").turns[-1]
    assert turn.reply == "You said: Two"
    assert turn.notice == "The earlier conversation had ended. This is a new one."
    _, second, third = upstream.requests
    assert [second.message, third.message] == ["Two", "Two"]
    assert (bool(second.chat_id), third.chat_id) == (True, None)
    visitor.send("Three")
    assert upstream.requests[-1].chat_id not in (None, second.chat_id)
    assert visitor.turns[-1].notice is None


@pytest.mark.parametrize("button", ["retry", "resend"])
def test_when_sending_again_fails_the_visitor_can_ask_again(button, visitor, upstream):
    visitor.send("One")
    upstream.forget_chats()
    upstream.will_refuse("CHAT_NOT_FOUND", status=404)
    upstream.will_close() if button == "resend" else upstream.will_refuse("BOT_UNAVAILABLE", times=3)
    assert visitor.send("Two").turns[-1].alert.controls == [button]
    dead = upstream.requests[1].chat_id
    assert Conversation.objects.get().chat_id == ""
    turn = visitor.press(button).turns[-1]
    assert (turn.reply, bool(turn.notice)) == ("You said: Two", True)
    assert [request.chat_id for request in upstream.requests].count(dead) == 1


@pytest.mark.parametrize("path", ["/chat/help/", "/embed/help/"])
def test_without_javascript_a_new_conversation_is_confirmed_on_a_page_which_keeps_the_draft(path, bot, upstream):
    visitor = Visitor(path)
    visitor.send("One")
    for confirmed, turns in ((False, ["One"]), (True, [])):
        page = visitor.press_other_button("/new", draft="Not\nfinished", ask="1")
        form, cancel = page.one("main//form"), page.one("button[@data-cancel]")
        answer = visitor.client.post(form.get("action") if confirmed else cancel.get("formaction"), fields_of(form))
        page = visitor.show(answer)
        assert [turn.message for turn in page.turns] == turns
        assert page.typed == "Not\nfinished"


def test_each_bot_has_its_own_conversation_and_a_new_one_is_empty_and_sends_no_chat_id(visitor, upstream):
    Bot.objects.create(slug="shop", name="Shop")
    visitor.send("One")
    shop = visitor.in_another_tab()
    shop.path = "/chat/shop/"
    assert shop.open().turns == []
    shop.send("Two")
    assert shop.begin_a_new_conversation().turns == []
    shop.send("Three")
    assert sent_chat_ids(upstream) == [None, None, None]
    assert [turn.message for turn in visitor.open().turns] == ["One"]
    assert Conversation.objects.filter(ended_at=None).count() == 2


def test_an_outdated_tab_catches_up_when_it_sends_unless_a_draft_would_be_lost(visitor):
    visitor.open()
    visitor.in_another_tab().send("One")
    assert "HX-Refresh" not in visitor.post_message("my draft", suggestion="When?").response
    other = visitor.in_another_tab()
    other.open()
    visitor.open()
    visitor.send("Two")
    assert other.post_message("Three").response["HX-Refresh"] == "true"
    assert "HX-Refresh" not in visitor.in_another_tab().post_message("Four").response


@pytest.mark.parametrize("action", ACTIONS)
def test_a_conversation_that_another_tab_has_ended_leaves_the_message_readable(action, visitor, upstream):
    if action == "again":
        upstream.will_close()
    fragment = visitor.send_live("Hello") if action == "again" else leave_pending(visitor)
    other = visitor.in_another_tab()
    other.open()
    other.begin_a_new_conversation()
    asked = len(upstream.requests)
    (form,) = fragment.all("*[@data-turn]//form[@hx-post]")
    page = visitor.submit_live(form)
    assert page.status == 404
    # It replaces only the waiting line or the alert, and offers a way to continue.
    key = fragment.turns[0].key
    assert page.response["HX-Retarget"] == f"#turn-{key} :is([data-waiting], [data-alert])"
    assert page.response["HX-Reswap"] == "outerHTML"
    assert page.one("*[@role='alert'][@data-alert]").get("data-code") == "CONVERSATION_ENDED"
    assert page.one("a").get("href") == "/chat/help/"
    assert len(upstream.requests) == asked


def test_a_reply_that_arrives_after_the_conversation_has_ended_is_not_continued(visitor, upstream):
    sent = leave_pending(visitor, "One")
    turn = Turn.objects.get()
    assert turn.claim()
    Conversation.objects.get().end()
    turn.store_reply("Too late", "late-chat")
    assert visitor.ask_for_the_reply(sent).status == 404
    visitor.open()
    visitor.send("Two")
    assert sent_chat_ids(upstream) == [None]


@pytest.mark.parametrize("step", ["the first reply", "a new chat"])
def test_a_chat_id_is_stored_at_the_second_try_when_the_database_goes_away_at_the_first(step, visitor, upstream):
    if step == "a new chat":
        upstream.will_reply("One", chat_id="old").will_refuse("CHAT_NOT_FOUND")
        visitor.send("One")
    upstream.will_reply("Hello", chat_id="new")
    breaks = ["reply = " if step == "the first reply" else '"started_over" = ']

    def break_once(execute: Callable, statement: str, *more: object) -> object:
        if breaks and statement.lstrip().startswith("UPDATE") and breaks[0] in statement:
            breaks.clear()
            raise OperationalError("the database went away")
        return execute(statement, *more)

    with connection.execute_wrapper(break_once), mock.patch.object(connection, "close"):
        visitor.send("Two")
    visitor.send("Three")
    assert (breaks, sent_chat_ids(upstream)[-1]) == ([], "new")


def turns_of_others(visitor: Visitor, new_visitor) -> list[str]:
    """Return keys of turns: a stranger's, an unknown one, one of an ended conversation, one of another bot."""
    Bot.objects.create(slug="shop", name="Shop")
    stranger = new_visitor()
    stranger.send("Secret")
    visitor.send("Old")
    old = visitor.turns[0].key
    visitor.begin_a_new_conversation()
    visitor.path = "/chat/shop/"
    visitor.open()
    visitor.send("At the shop")
    shop = visitor.turns[0].key
    visitor.path = "/chat/help/"
    return [stranger.turns[0].key, str(uuid.uuid4()), old, shop]


def test_a_strangers_an_unknown_and_an_expired_turn_get_the_same_answer(visitor, new_visitor, upstream):
    keys = turns_of_others(visitor, new_visitor)
    asked = len(upstream.requests)
    token = visitor.open().composer.xpath(".//input[@name='csrfmiddlewaretoken']/@value")[0]
    fields = {"csrfmiddlewaretoken": token, "failures": "0"}
    for action, headers in product(ACTIONS, ({}, {"HX-Request": "true"})):
        urls = [f"/chat/help/turns/{key}/{action}" for key in keys]
        answers = [visitor.client.post(url, fields, headers=headers) for url in urls]
        assert {answer.status_code for answer in answers} == {404}
        assert len({answer.content for answer in answers}) == 1
        assert b"Secret" not in answers[0].content
    assert len(upstream.requests) == asked


def test_after_the_session_expires_the_page_is_empty_and_an_open_one_says_that_a_new_one_has_begun(visitor, upstream):
    visitor.send("One")
    assert visitor.turns[0].notice is None
    Session.objects.update(expire_date=timezone.now() - datetime.timedelta(days=1))
    assert visitor.in_another_tab().open().turns == []
    (turn,) = visitor.send("Two").turns
    assert turn.reply == "You said: Two"
    assert turn.notice == "The earlier conversation had ended. This is a new one."
    assert sent_chat_ids(upstream) == [None, None]
    assert visitor.send("Three").turns[1].notice is None


@pytest.mark.parametrize("cookie", ["", "x", "x" * 32, "../../etc/passwd", "' OR 1=1 --", "0" * 4000])
def test_an_invented_session_shows_nobodys_conversation(cookie, visitor):
    visitor.client.cookies["sessionid"] = cookie
    assert visitor.open().turns == []
    assert visitor.send("Hello").turns[0].reply == "You said: Hello"
    assert visitor.client.cookies["sessionid"].value != cookie


def test_a_form_of_one_bot_sent_to_another_is_refused_with_the_text_kept(visitor, upstream):
    Bot.objects.create(slug="shop", name="Shop")
    key = visitor.open().composer.xpath(".//input[@name='key']/@value")[0]
    visitor.send("Hello")
    visitor.open("/chat/shop/")
    page = visitor.send("Hello", key=key)
    assert (page.status, page.typed) == (422, "Hello")
