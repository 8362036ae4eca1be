"""What webchat's tests share: a bot, its upstream on loopback, and visitors with and without JavaScript."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.webchat.upstream_server import UpstreamServer
from tests.webchat.visitor import Visitor
from webchat import upstream as client_module
from webchat.models import Bot

KEY = "sk-a-key-that-nobody-may-see"
GREETING = "Hello! Ask me **anything**."
SUGGESTIONS = ("When are you open?", "Where do I find you?")
CONTACT = "owner@example.com"


@pytest.fixture(autouse=True)
def no_back_off() -> Iterator[None]:
    client_module.set_testing(True)
    yield
    client_module.set_testing(False)


@pytest.fixture
def upstream(settings: Any) -> Iterator[UpstreamServer]:
    """The service behind the site, which waits for it no longer than a test can."""
    with UpstreamServer(api_key=KEY) as server:
        settings.CHAT_BASE_URL, settings.BOT_API_KEY = server.base_url, KEY
        settings.CHAT_TIMEOUT, settings.CHAT_CONNECT_TIMEOUT = 10.0, 2.0
        yield server


@pytest.fixture
def bot(db: None) -> Bot:
    return Bot.objects.create(
        slug="help", name="Ada", greeting=GREETING, suggestions="\n".join(SUGGESTIONS), contact=CONTACT
    )


@pytest.fixture
def visitor(bot: Bot, upstream: UpstreamServer) -> Visitor:
    """A browser without JavaScript that has never been here."""
    return Visitor()


@pytest.fixture
def new_visitor(bot: Bot, upstream: UpstreamServer) -> Callable[[], Visitor]:
    return Visitor


@pytest.fixture
def bot_on_disk(database_on_disk: None, bot: Bot) -> Bot:
    """For visitors who do several things at once."""
    return bot
