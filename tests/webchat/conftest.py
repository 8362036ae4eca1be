"""Fixtures for webchat: a bot, and visitors with and without JavaScript."""

from collections.abc import Callable

import pytest

from tests.webchat.upstream_server import UpstreamServer
from tests.webchat.visitor import Visitor
from webchat.models import Bot
from webchat.upstream.client import UpstreamClient, UpstreamError

GREETING = "Hello! Ask me **anything**."
SUGGESTIONS = ("When are you open?", "Where do I find you?")
CONTACT = "owner@example.com"


def error_of(client: UpstreamClient) -> UpstreamError:
    with pytest.raises(UpstreamError) as raised:
        client.ask("Hi")
    return raised.value


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
    """The bot in a database on disk, for visitors who do several things at once."""
    return bot
