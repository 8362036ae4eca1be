"""Whose conversation it is: the session's cookie, its life, and forgetting."""

import datetime
import hashlib

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import connection
from django.http import HttpRequest
from django.middleware.csrf import CsrfViewMiddleware
from django.test import RequestFactory
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from chatsite.sessions import SessionStore
from tests.webchat.visitor import Visitor
from webchat.conversation import visitor_session
from webchat.conversation.request_context import RequestContext
from webchat.models import Conversation


def test_the_first_message_makes_the_session_and_its_cookie(visitor):
    visitor.open()
    visitor.send("Hello")
    cookie = visitor.client.cookies["sessionid"]
    assert cookie["httponly"]
    assert (cookie["samesite"], cookie["path"], cookie["domain"]) == ("Lax", "/", "")
    assert int(cookie["max-age"]) == 14 * 24 * 60 * 60
    assert Session.objects.get().session_key == cookie.value


def test_the_database_knows_the_visitor_only_by_a_hash(visitor):
    visitor.send("Hello")
    key = visitor.client.cookies["sessionid"].value
    conversation = Conversation.objects.get()
    assert conversation.visitor == hashlib.sha256(key.encode()).hexdigest()
    assert key not in str(vars(conversation))


def test_the_csrf_cookie_is_out_of_reach_for_scripts(visitor):
    visitor.open()
    cookie = visitor.client.cookies["csrftoken"]
    assert (bool(cookie["httponly"]), cookie["samesite"]) == (True, "Lax")


def test_the_session_lives_on_while_it_is_used(visitor, monkeypatch):
    visitor.send("Hello")
    first = Session.objects.get().expire_date
    next_week = timezone.now() + datetime.timedelta(days=7)
    monkeypatch.setattr(timezone, "now", lambda: next_week)
    visitor.open()
    assert Session.objects.get().expire_date == first
    visitor.send("Hello again")
    assert Session.objects.get().expire_date >= first + datetime.timedelta(days=6)
    assert len(visitor.turns) == 2


def writes_of_sessions(queries: CaptureQueriesContext) -> list[str]:
    words = [query["sql"].split()[:3] for query in queries.captured_queries if "django_session" in query["sql"]]
    return [kind[0] for kind in words if kind[0] != "SELECT"]


def test_a_session_that_begins_is_written_once(visitor):
    visitor.open()
    with CaptureQueriesContext(connection) as queries:
        visitor.send_live("Hello")
    assert writes_of_sessions(queries) == ["INSERT"]


def test_what_changes_after_it_was_written_is_written_too(db):
    session = SessionStore()
    session["a"] = 1
    session.create()
    session["a"] = 2
    session.save()
    session["inner"] = {"b": 1}
    session.save()
    session["inner"]["b"] = 2
    session.save()
    with CaptureQueriesContext(connection) as queries:
        session.save()
    assert writes_of_sessions(queries) == []
    assert dict(SessionStore(session.session_key).items()) == {"a": 2, "inner": {"b": 2}}


def test_a_session_that_gets_another_key_keeps_what_was_written_before(db):
    session = SessionStore()
    session["a"] = 1
    session.create()
    before = session.session_key
    session.cycle_key()
    assert session.session_key != before
    assert dict(SessionStore(session.session_key).items()) == {"a": 1}


def test_the_session_is_written_once_a_day_at_most(visitor):
    visitor.send("Hello")
    before = Session.objects.get().expire_date
    visitor.send("Hello again")
    assert Session.objects.get().expire_date == before


def test_a_browser_whose_first_answer_was_cut_off_finds_its_message(visitor):
    """The session's cookie was in that answer."""
    visitor.open()
    visitor.twin().send("Hello")
    assert "sessionid" not in visitor.client.cookies
    assert [turn.message for turn in visitor.open().turns] == ["Hello"]
    assert visitor.client.cookies["sessionid"].value == Session.objects.get().session_key


def test_another_browser_finds_nothing_by_the_same_way(visitor, new_visitor):
    visitor.send("Hello")
    stranger = new_visitor()
    stranger.open()
    assert stranger.open().turns == []
    assert "sessionid" not in stranger.client.cookies


def test_the_sessions_key_can_not_be_worked_out_from_the_csrf_cookie(visitor, settings):
    visitor.open()
    twin = visitor.twin()
    visitor.send("Hello")
    settings.SECRET_KEY = "another one, of another site, that nobody knows"
    settings.SECRET_KEY_FALLBACKS = []
    twin.send("Hello", key="5f7d2a3e-33c5-4a0e-9a53-3c5b6a5e8a11")
    assert twin.client.cookies["sessionid"].value != visitor.client.cookies["sessionid"].value


def test_an_owner_at_the_desk_who_sends_a_message_stays_logged_in(visitor):
    owner = User.objects.create_superuser("owner", password="x")
    visitor.client.force_login(owner)
    assert visitor.send("Hello").turns[0].reply
    assert visitor.send("Again").turns[-1].message == "Again"
    assert visitor.client.get("/admin/").status_code == 200


# --- Forgetting -------------------------------------------------------------------------------------------------------


@pytest.fixture
def request_of_a_visitor(visitor: Visitor) -> HttpRequest:
    """What a view gets of the visitor's next request."""
    visitor.send("Hello")
    request = RequestFactory().post("/")
    request.webchat = RequestContext()
    request.COOKIES = {name: cookie.value for name, cookie in visitor.client.cookies.items()}
    request.session = visitor_session.SessionStore(request.COOKIES["sessionid"])
    CsrfViewMiddleware(lambda request: None).process_request(request)
    return request


def test_after_forgetting_the_next_message_is_a_strangers(request_of_a_visitor):
    request = request_of_a_visitor
    before = visitor_session.visitor_of(request)
    assert before == Conversation.objects.get().visitor
    visitor_session.forget(request)
    assert visitor_session.visitor_of(request) is None
    assert visitor_session.visitor_who_sends(request) != before


def test_forgetting_leaves_no_session_and_a_fresh_token(request_of_a_visitor):
    request = request_of_a_visitor
    token = request.META["CSRF_COOKIE"]
    visitor_session.forget(request)
    assert Session.objects.count() == 0
    assert request.META["CSRF_COOKIE"] != token
    assert request.META["CSRF_COOKIE_NEEDS_UPDATE"]


def test_what_was_forgotten_is_not_found_by_the_old_cookies(visitor, request_of_a_visitor):
    visitor_session.forget(request_of_a_visitor)
    assert visitor.open().turns == []


# --- Signing in -------------------------------------------------------------------------------------------------------


def test_whoever_signs_in_keeps_the_conversation_though_the_sessions_key_changes(visitor):
    visitor.send("Hello")
    before = visitor.client.cookies["sessionid"].value
    User.objects.create_superuser("owner", password="x")
    assert visitor.client.login(username="owner", password="x")
    assert visitor.client.cookies["sessionid"].value != before
    assert [turn.message for turn in visitor.open().turns] == ["Hello"]
    visitor.send("Again")
    assert Conversation.objects.count() == 1


def test_signing_out_forgets_the_conversation(visitor):
    visitor.send("Hello")
    visitor.client.force_login(User.objects.create_superuser("owner", password="x"))
    visitor.client.logout()
    assert visitor.open().turns == []
