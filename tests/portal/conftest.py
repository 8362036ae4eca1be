"""Fixtures for the portal: bots, and customers who have signed in."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.conf import settings as site_settings
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client

from tests.portal.openid_provider import CLIENT, SECRET, OpenIDProvider
from tests.webchat.upstream_server import UpstreamServer
from tests.webchat.visitor import Visitor
from webchat.models import Bot, Customer

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
        app = {
            "provider_id": "oidc",
            "name": "Example",
            "client_id": CLIENT,
            "secret": SECRET,
            "settings": {"server_url": provider.issuer},
        }
        settings.SOCIALACCOUNT_PROVIDERS = {
            "openid_connect": site_settings.SOCIALACCOUNT_PROVIDERS["openid_connect"] | {"APPS": [app]}
        }
        yield provider


def sign_in(client: Client, name: str, password: str = PASSWORD, **fields: str) -> Any:
    form = {
        "username": name,
        "password": password,
        "csrfmiddlewaretoken": token_of(client, "/portal/sign-in"),
        **fields,
    }
    return client.post("/portal/sign-in", form)


def token_of(client: Client, path: str = "/portal/") -> str:
    """Return the client's CSRF token; the page is opened only if none has set it yet."""
    if "csrftoken" not in client.cookies:
        client.get(path)
    return client.cookies["csrftoken"].value if "csrftoken" in client.cookies else ""


def post(client: Client, path: str, form_on: str = "/portal/", **fields: str) -> Any:
    return client.post(path, {"csrfmiddlewaretoken": token_of(client, form_on), **fields})


def customer(name: str) -> Customer:
    return Customer.objects.of_account(User.objects.get(username=name))
