"""The style guide shows the real components in every state, to developers only."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.test import RequestFactory

from tests.webchat.visitor import Page
from webchat.conversation import style_guide
from webchat.conversation.request_context import RequestContext
from webchat.models import Turn
from webchat.upstream import failure_rules


@pytest.fixture
def guide(rf: RequestFactory) -> Page:
    request = rf.get("/styleguide/")
    request.user = AnonymousUser()
    request.webchat, request.session = RequestContext(), SessionStore()
    response = style_guide.styleguide(request)
    return Page(response.render())


def test_it_shows_every_alert_with_all_of_its_controls(guide):
    codes = {element.get("data-code") for element in guide.all("*[@data-alert]")}
    assert set(failure_rules.RULES) <= codes
    assert {"A_CODE_NOBODY_KNOWS", "MESSAGE_REQUIRED", "PAGE_EXPIRED", "CONVERSATION_ENDED"} <= codes
    assert {element.get("data-action") for element in guide.all("*[@data-action]")} == {
        "retry",
        "resend",
        "new",
        "contact",
    }


def test_it_shows_every_state_of_a_turn(guide):
    shown = {element.get("data-state") for element in guide.all("*[@data-turn]")}
    assert shown == {Turn.State.PENDING, Turn.State.ANSWERED, Turn.State.FAILED, Turn.State.PERSON}
    assert guide.all("*[@data-notice]")


def test_visitors_cannot_open_it(visitor):
    assert visitor.client.get("/styleguide/").status_code == 404
