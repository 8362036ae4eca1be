"""The style guide shows the real components in every state, to developers only."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.test import RequestFactory
from django.utils import translation

from tests.webchat.visitor import Page
from webchat.conversation import style_guide
from webchat.conversation.request_context import RequestContext
from webchat.upstream import failure_rules


def open_guide(rf: RequestFactory, query: str = "") -> Page:
    request = rf.get(f"/styleguide/{query}")
    request.user = AnonymousUser()
    request.webchat, request.session = RequestContext(), SessionStore()
    return Page(style_guide.styleguide(request))


@pytest.fixture
def guide(rf: RequestFactory, db: None) -> Page:
    return open_guide(rf)


def test_the_style_guide_shows_every_alert_with_all_of_its_controls(guide):
    codes = {element.get("data-code") for element in guide.all("*[@data-alert]")}
    assert set(failure_rules.RULES) <= codes
    assert {"A_CODE_NOBODY_KNOWS", "MESSAGE_REQUIRED", "PAGE_EXPIRED", "CONVERSATION_ENDED"} <= codes
    assert {element.get("data-action") for element in guide.all("*[@data-action]")} == {
        "retry",
        "resend",
        "new",
        "contact",
    }


def test_the_style_guide_is_in_any_language(rf, db):
    with translation.override("en"):
        page = open_guide(rf, "?lang=ar").tree
    assert (page.get("lang"), page.get("dir")) == ("ar", "rtl")


def test_visitors_cannot_open_the_style_guide(visitor):
    assert visitor.client.get("/styleguide/").status_code == 404
