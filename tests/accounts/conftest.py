"""Sign-in pages of portal and desk, and browsers with different IP addresses."""

import time
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from accounts import attempts
from tests.portal.conftest import token_of

PASSWORD = "a long pass phrase"
PORTAL, DESK = "/portal/sign-in", "/admin/login/"


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Stop the clock: on a busy machine delays end, and one-time codes expire, before a test tries them.

    `clock[0] += 60` moves it on by a minute.
    """
    now = [time.time()]
    monkeypatch.setattr(attempts.time, "time", lambda: now[0])
    return now


@pytest.fixture
def few_attempts(monkeypatch: pytest.MonkeyPatch, clock_at_noon: None) -> None:
    """Allow each IP address few attempts: each costs a page, a password hash and some statements."""
    monkeypatch.setattr(attempts, "ATTEMPTS_PER_IP", 8)


@pytest.fixture
def owner(db: None) -> User:
    return User.objects.create_superuser("owner", "owner@example.com", PASSWORD)


@pytest.fixture
def customer(db: None) -> User:
    return User.objects.create_user("rosa", "rosa@example.com", PASSWORD)


def browser_at(ip: str) -> Client:
    return Client(enforce_csrf_checks=True, REMOTE_ADDR=ip)


def try_sign_in(page: str, browser: Client, name: str, password: str = "wrong", **fields: str) -> Any:
    form = {"username": name, "password": password, "csrfmiddlewaretoken": token_of(browser, page), **fields}
    return browser.post(page, form)
