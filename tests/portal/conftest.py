"""Fixtures for the portal: bots, customers who have signed in, and their lists of conversations."""

import datetime
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.conf import settings as site_settings
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.portal.openid_provider import CLIENT, SECRET, OpenIDProvider
from tests.webchat.upstream_server import UpstreamServer
from tests.webchat.visitor import Page, Visitor
from webchat.models import Bot, Conversation, Customer, Turn

PASSWORD = "a long pass phrase"
PAGE = "/portal/chat/help/"


@pytest.fixture
def bot(db: None) -> Bot:
    return Bot.objects.create(slug="help", name="Ada", greeting="Hello!", suggestions="When?", in_portal=True)


@pytest.fixture
def new_customer(bot: Bot, upstream: UpstreamServer) -> Callable[[str], Visitor]:
    """Return a browser in which this account has signed in, at a new conversation."""

    def customer(name: str) -> Visitor:
        if not User.objects.filter(username=name).exists():
            User.objects.create_user(name, f"{name}@example.com", PASSWORD, first_name=name.title())
        browser = Visitor(PAGE)
        assert sign_in(browser.client, name).status_code == 302
        return browser

    return customer


@pytest.fixture
def browser() -> Client:
    return Client(enforce_csrf_checks=True)


@pytest.fixture
def rosa(new_customer: Callable[[str], Visitor]) -> Visitor:
    return new_customer("rosa")


@pytest.fixture
def stranger(new_customer: Callable[[str], Visitor]) -> Visitor:
    return new_customer("eve")


@pytest.fixture
def provider(settings: Any, bot: object) -> Iterator[OpenIDProvider]:
    cache.clear()
    with OpenIDProvider() as provider:
        settings.OIDC_ISSUER, settings.OIDC_NAME = provider.issuer, "Example"
        app = {"provider_id": "oidc", "name": "Example", "client_id": CLIENT, "secret": SECRET}
        app["settings"] = {"server_url": provider.issuer}
        usual = site_settings.SOCIALACCOUNT_PROVIDERS["openid_connect"]
        settings.SOCIALACCOUNT_PROVIDERS = {"openid_connect": usual | {"APPS": [app]}}
        yield provider


def sign_in(client: Client, name: str, password: str = PASSWORD, **fields: str) -> Any:
    return post(client, "/portal/sign-in", "/portal/sign-in", username=name, password=password, **fields)


def token_of(client: Client, path: str = "/portal/") -> str:
    """Return the client's CSRF token; the page is opened only if none has set it yet."""
    if "csrftoken" not in client.cookies:
        client.get(path)
    return client.cookies["csrftoken"].value if "csrftoken" in client.cookies else ""


def post(client: Client, path: str, form_on: str = "/portal/", **fields: str) -> Any:
    return client.post(path, {"csrfmiddlewaretoken": token_of(client, form_on), **fields})


def customer(name: str) -> Customer:
    return Customer.objects.of_account(User.objects.get(username=name))


def listed(customer: Visitor, query: str = "") -> list[str]:
    """Return the titles on the list."""
    return titles(Page(customer.client.get(f"/portal/{query}")))


def titles(page: Page) -> list[str]:
    return [link.text_content() for link in page.all("li[@data-conversation]//div/a")]


def url_of(conversation: Conversation) -> str:
    return f"{PAGE}{conversation.public_id}/"


def make_conversations(name: str, count: int, bot: Bot) -> list[Conversation]:
    """Store this many conversations, the last one the newest, each with a message and its reply."""
    who, now = customer(name), timezone.now()
    ours = {"visitor": who.visitor, "customer": who, "bot": bot, "surface": "portal", "is_present": False}
    times = [now - datetime.timedelta(minutes=count - number) for number in range(count)]
    conversations = Conversation.objects.bulk_create(Conversation(**ours, last_at=at) for at in times)
    Turn.objects.bulk_create(
        Turn(conversation=each, message=f"Question {number}", reply=f"Answer {number}", state="answered", ended_at=now)
        for number, each in enumerate(conversations)
    )
    return conversations


def queries(customer: Visitor, path: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert customer.client.get(path).status_code == 200
    return len([each for each in captured if not re.match("BEGIN|COMMIT|SAVEPOINT|RELEASE", each["sql"])])
