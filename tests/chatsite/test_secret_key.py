"""SECRET_KEY is changed, with the old one among its fallbacks: earlier visitors and owners lose nothing."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.conftest import KEY
from tests.webchat.visitor import Visitor
from webchat.models import Bot

FORMER, PRESENT = "the former key, " * 4, "the present key, " * 4


@pytest.fixture
def bot(db: None, settings: Any) -> Bot:
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = FORMER, []
    bot = Bot.objects.create(slug="help", name="Ada", origins="https://www.example.com")
    bot.set_key(KEY)
    bot.save()
    return bot


def rotate(settings: Any, *, keep: bool = True) -> None:
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = PRESENT, [FORMER] if keep else []


def test_a_visitors_conversation_continues(bot, upstream, settings):
    visitor, without_response = Visitor(), Visitor()
    visitor.send("Before")
    without_response.open()  # such a browser has only the page's own cookie
    without_response.twin().post_message("Before")
    rotate(settings)
    for each in (visitor, without_response):
        assert [turn.message for turn in each.open().turns] == ["Before"]
    assert visitor.send("After").turns[-1].reply == "You said: After"
    assert [request.chat_id is None for request in upstream.requests] == [True, True, False]


def test_the_owner_stays_signed_in(bot, settings, client):
    """Also somebody who came back under both keys, once the old key is gone."""
    client.force_login(User.objects.create_superuser("owner"))
    rotate(settings)
    assert client.get("/admin/").status_code == 200
    rotate(settings, keep=False)
    assert client.get("/admin/").status_code == 200
