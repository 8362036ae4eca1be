"""Sessions: the cookie, how long it lasts, and how a conversation is forgotten."""

import datetime
import time
from http.cookies import SimpleCookie

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.utils import timezone

from chatsite.sessions import SessionStore
from tests.webchat.visitor import Visitor
from webchat.models import Conversation


def test_the_first_message_creates_the_session_of_which_only_a_hash_is_stored_with_it(visitor):
    visitor.open()
    for name in ("csrftoken", "start"):
        cookie = visitor.client.cookies[name]
        assert (bool(cookie["httponly"]), cookie["samesite"], cookie["path"]) == (True, "Lax", "/")
    assert visitor.client.cookies["start"].value not in visitor.page.response.content.decode()
    visitor.send("Hello")
    cookie = visitor.client.cookies["sessionid"]
    assert cookie["httponly"]
    assert (cookie["samesite"], cookie["path"], cookie["domain"]) == ("Lax", "/", "")
    assert int(cookie["max-age"]) == 14 * 24 * 60 * 60
    assert Session.objects.get().session_key == cookie.value
    conversation = Conversation.objects.get()
    assert len(conversation.visitor) == 64
    assert cookie.value not in str(vars(conversation))
    assert not visitor.client.cookies["start"].value
    visitor.open()
    assert not visitor.client.cookies["start"].value


def test_a_session_lasts_as_long_as_it_is_used(visitor, monkeypatch):
    visitor.send("Hello")
    first = Session.objects.get().expire_date
    next_week = timezone.now() + datetime.timedelta(days=7)
    monkeypatch.setattr(timezone, "now", lambda: next_week)
    visitor.open()
    assert Session.objects.get().expire_date == first
    visitor.send("Hello again")
    assert Session.objects.get().expire_date >= first + datetime.timedelta(days=6)
    assert len(visitor.turns) == 2


def test_a_change_after_the_session_was_written_is_written_too(db):
    session = SessionStore()
    session["a"] = 1
    session.create()
    session["a"] = 2
    session.save()
    session["inner"] = {"b": 1}
    session.save()
    session["inner"]["b"] = 2
    session.save()
    assert dict(SessionStore(session.session_key).items()) == {"a": 2, "inner": {"b": 2}}


def test_a_browser_whose_first_response_was_lost_finds_its_message(visitor):
    """That response carried the session's cookie."""
    visitor.open()
    visitor.twin().send("Hello")
    assert "sessionid" not in visitor.client.cookies
    assert [turn.message for turn in visitor.open().turns] == ["Hello"]
    assert visitor.client.cookies["sessionid"].value == Session.objects.get().session_key


def replay(new_visitor, **cookies: str) -> Visitor:
    """Return another person's browser with copied cookies."""
    thief = new_visitor()
    thief.client.cookies = SimpleCookie(cookies)
    thief.open()
    return thief


def test_the_token_in_the_page_opens_no_conversation(visitor, new_visitor):
    token = visitor.open().one("form[@data-composer]//input[@name='csrfmiddlewaretoken']").get("value")
    secret = visitor.client.cookies["csrftoken"].value
    visitor.send("My secret")
    for stolen in (token, secret):
        thief = replay(new_visitor, csrftoken=stolen)
        assert (thief.turns, "sessionid" in thief.client.cookies) == ([], False)
        thief.send("Hello")
        assert [turn.message for turn in thief.turns] == ["Hello"]
    assert Conversation.objects.values("visitor").distinct().count() == 3


def half_an_hour_passes(visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 30 * 60 + 1)


def its_session_ends(visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    Session.objects.all().delete()


def its_visitor_signs_in_and_out(visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    visitor.client.force_login(User.objects.create_superuser("owner", password="x"))
    visitor.client.logout()


@pytest.mark.parametrize("happens", [half_an_hour_passes, its_session_ends, its_visitor_signs_in_and_out])
def test_a_start_cookie_opens_no_conversation_after(happens, visitor, new_visitor, monkeypatch):
    visitor.open()
    start = visitor.client.cookies["start"].value
    visitor.send("My secret")
    happens(visitor, monkeypatch)
    thief = replay(new_visitor, start=start)
    assert (thief.turns, "sessionid" in thief.client.cookies) == ([], False)
    thief.send("Hello")
    assert [turn.message for turn in thief.turns] == ["Hello"]


@pytest.mark.parametrize("start", ["", "a:b:c", "x" * 5000, "visitor:1wQ9zF:" + "A" * 43])
def test_a_forged_start_cookie_is_ignored(start, new_visitor):
    for message in ("One", "Two"):
        stranger = replay(new_visitor, start=start)
        stranger.send(message)
        assert [turn.message for turn in stranger.turns] == [message]


def test_an_owner_at_the_desk_who_sends_a_message_stays_logged_in(visitor):
    visitor.client.force_login(User.objects.create_superuser("owner", password="x"))
    assert visitor.send("Hello").turns[0].reply
    assert visitor.send("Again").turns[-1].message == "Again"
    assert visitor.client.get("/admin/").status_code == 200


def test_signing_in_keeps_the_conversation_though_the_sessions_key_changes(visitor):
    visitor.send("Hello")
    before = visitor.client.cookies["sessionid"].value
    User.objects.create_superuser("owner", password="x")
    assert visitor.client.login(username="owner", password="x")
    assert visitor.client.cookies["sessionid"].value != before
    assert [turn.message for turn in visitor.open().turns] == ["Hello"]
    visitor.send("Again")
    assert Conversation.objects.count() == 1
