"""Signing in with OpenID Connect, at a real provider on loopback."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
import requests
from django.conf import settings as site_settings
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client

from tests.portal.conftest import PAGE, PASSWORD
from tests.portal.openid_provider import CLIENT, SECRET, OpenIDProvider
from tests.webchat.visitor import Visitor
from webchat.models import Conversation, Person


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


@pytest.fixture
def browser() -> Client:
    return Client(enforce_csrf_checks=True)


def go_through(browser: Client, path: str = "/portal/openid/oidc/login/") -> Any:
    """To the provider and back, as a browser is redirected."""
    there = browser.get(path)["Location"]
    back = requests.get(there, allow_redirects=False, timeout=5).headers["Location"]
    parts = urlsplit(back)
    return browser.get(f"{parts.path}?{parts.query}")


def test_one_signs_in_where_one_is_known_already(provider, browser):
    page = browser.get("/portal/sign-in").content.decode()
    assert "Continue with Example" in page
    assert go_through(browser)["Location"] == "/portal/"
    assert "Rosa Meier" in browser.get("/portal/").content.decode()
    assert {"/.well-known/openid-configuration", "/token", "/userinfo"} <= set(provider.asked)


def test_one_comes_back_to_the_page_that_was_asked_for(provider, browser):
    assert go_through(browser, f"/portal/openid/oidc/login/?next={PAGE}")["Location"] == PAGE


def test_on_another_device_it_is_the_same_person(provider, browser, upstream):
    go_through(browser)
    first = Visitor(PAGE)
    first.client.cookies = browser.cookies
    first.send("Hello")
    other = Client(enforce_csrf_checks=True)
    go_through(other)
    assert "Hello" in other.get("/portal/").content.decode()
    assert User.objects.count() == Person.objects.count() == 1


def test_what_was_said_before_signing_in_there_can_be_taken_along(provider, upstream):
    visitor = Visitor()
    visitor.send("Hello before")
    go_through(visitor.client)
    assert "Hello before" in visitor.open("/portal/").one("form[@data-question]").text_content()
    assert Conversation.objects.get().person is None


def test_somebody_with_the_address_of_an_account_is_somebody_else(provider, browser):
    account = User.objects.create_user("rosa", "rosa@example.com", PASSWORD)
    provider.person["email_verified"] = True
    go_through(browser)
    assert browser.get("/portal/").wsgi_request.user != account
    assert not browser.get("/portal/").wsgi_request.user.is_staff


def test_whoever_signs_in_there_can_not_ask_for_a_password_here(provider, browser):
    go_through(browser)
    assert not User.objects.get().has_usable_password()


@pytest.mark.parametrize("error", ["access_denied", "server_error", "<script>alert(1)</script>"])
def test_whoever_changes_their_mind_is_not_signed_in(error, provider, browser):
    provider.will_refuse(error)
    response = go_through(browser)
    if response.status_code == 302:
        response = browser.get(response["Location"])
    assert response.status_code < 500
    assert error not in response.content.decode()
    assert browser.get("/portal/").status_code == 303


@pytest.mark.parametrize(
    "changes",
    [{"iss": "https://evil.example"}, {"aud": "another client"}, {"exp": 0}],
    ids=["issuer", "audience", "old"],
)
def test_a_token_for_somebody_else_signs_nobody_in(changes, provider, browser):
    provider.id_token_changes = changes
    assert go_through(browser).status_code < 500
    assert browser.get("/portal/").status_code == 303


def test_an_answer_that_nobody_asked_for_signs_nobody_in(provider, browser):
    """Login CSRF: the code of somebody else in a victim's browser."""
    attacker = Client()
    there = attacker.get("/portal/openid/oidc/login/")["Location"]
    back = urlsplit(requests.get(there, allow_redirects=False, timeout=5).headers["Location"])
    assert browser.get(f"{back.path}?{back.query}").status_code < 500
    assert browser.get("/portal/").status_code == 303


def test_a_provider_that_is_away_is_no_error_of_ours(provider, browser, settings):
    app = settings.SOCIALACCOUNT_PROVIDERS["openid_connect"]["APPS"][0]
    app["settings"] = {"server_url": "http://127.0.0.1:9"}
    response = browser.get("/portal/openid/oidc/login/")
    assert response.status_code < 500


def test_without_a_provider_there_is_no_such_address(browser, bot):
    assert browser.get("/portal/openid/oidc/login/").status_code == 404
