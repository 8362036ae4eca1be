"""A browser's way to the provider and back."""

from typing import Any
from urllib.parse import urlsplit

import requests
from django.test import Client

from tests.portal.conftest import PAGE, token_of
from tests.webchat.visitor import Page

LOGIN, CALLBACK = "/portal/openid/oidc/login/", "/portal/openid/oidc/login/callback/"


def provider_url(browser: Client, **fields: str) -> str:
    """Press the button and return the provider's URL."""
    form = {"csrfmiddlewaretoken": token_of(browser, "/portal/sign-in") or token_of(browser, PAGE), **fields}
    page = Page(browser.post(LOGIN, form))
    (link,) = page.all("a[contains(@class, 'strong')]")
    assert page.one("meta[@http-equiv='refresh']").get("content") == f"0;url={link.get('href')}"
    return link.get("href")


def callback_url(there: str) -> str:
    """Return the URL to which the provider sends the browser back."""
    parts = urlsplit(requests.get(there, allow_redirects=False, timeout=5).headers["Location"])
    return f"{parts.path}?{parts.query}"


def sign_in_at_provider(browser: Client, **fields: str) -> Any:
    """Go to the provider and back."""
    return browser.get(callback_url(provider_url(browser, **fields)))
