"""SECRET_KEY is changed, with the former one among its fallbacks: nobody who was here before loses anything."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client

from tests.webchat.upstream_server import UpstreamServer
from tests.webchat.visitor import Visitor
from webchat.models import Bot

FORMER, PRESENT = "the former key, " * 4, "the present key, " * 4


@pytest.fixture
def upstream(settings: Any) -> Any:
    with UpstreamServer() as server:
        settings.CHAT_BASE_URL, settings.BOT_API_KEY = server.base_url, server.api_key
        yield server


@pytest.fixture
def bot(db: None, settings: Any) -> Bot:
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = FORMER, []
    bot = Bot.objects.create(slug="help", name="Ada", origins="https://www.example.com")
    bot.set_key("key-of-the-bot")
    bot.save()
    return bot


@pytest.fixture
def rotate(settings: Any) -> Callable[..., None]:
    def rotate(*, keep: bool = True) -> None:
        settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = PRESENT, [FORMER] if keep else []

    return rotate


def test_a_visitors_conversation_goes_on(bot: Bot, upstream: UpstreamServer, rotate: Callable[..., None]) -> None:
    visitor = Visitor()
    visitor.send("Before")
    rotate()
    assert [turn.message for turn in visitor.open().turns] == ["Before"]
    assert visitor.send("After").turns[-1].reply == "You said: After"
    assert upstream.requests[0].chat_id is None
    assert upstream.requests[1].chat_id


def test_a_conversation_in_a_frame_goes_on_by_its_token(
    bot: Bot, upstream: UpstreamServer, rotate: Callable[..., None]
) -> None:
    def page(token: str) -> str:
        return client.get("/embed/help/", headers={"Webchat-Session": token}).content.decode()

    client = Client()
    form = {"message": "Before", "key": "5f7d2a3e-33c5-4a0e-9a53-3c5b6a5e8a11"}
    token = client.post("/embed/help/messages", form, headers={"Sec-Fetch-Site": "same-origin"})["Webchat-Session"]
    assert "Before" in page(token)
    rotate()
    assert "Before" in page(token)
    rotate(keep=False)
    assert "Before" not in page(token)


def test_a_conversation_whose_first_answer_never_came_goes_on(
    bot: Bot, upstream: UpstreamServer, rotate: Callable[..., None]
) -> None:
    """Of such a browser only the page's own cookie is known."""
    visitor = Visitor()
    visitor.open()
    visitor.twin().post_message("Before")
    rotate()
    assert [turn.message for turn in visitor.open().turns] == ["Before"]


def test_the_owner_stays_signed_in(bot: Bot, rotate: Callable[..., None], client: Client) -> None:
    """And who was here in between, when the former key has gone."""
    client.force_login(User.objects.create_superuser("owner"))
    rotate()
    assert client.get("/admin/").status_code == 200
    rotate(keep=False)
    assert client.get("/admin/").status_code == 200


def test_sealed_keys_are_read_and_after_resealing_without_the_former_one(bot: Bot, rotate: Callable[..., None]) -> None:
    def key() -> str:
        return Bot.objects.get().upstream_key

    rotate()
    assert key() == "key-of-the-bot"
    call_command("reseal", verbosity=0)
    rotate(keep=False)
    assert key() == "key-of-the-bot"
