"""The sign-in pages of portal and desk, and browsers with IP addresses of their own."""

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
    """Stands still: on a busy machine a delay is over, and a code of this half minute too old, before it is tried.

    `clock[0] += 60` lets a minute pass for the delays.
    """
    now = [time.time()]
    monkeypatch.setattr(attempts.time, "time", lambda: now[0])
    return now


@pytest.fixture
def few_attempts(monkeypatch: pytest.MonkeyPatch) -> None:
    """An address has used them up soon: each is a page, a hash and some statements."""
    monkeypatch.setattr(attempts, "PER_IP", 8)


@pytest.fixture
def owner(db: None) -> User:
    return User.objects.create_superuser("owner", "owner@example.com", PASSWORD)


@pytest.fixture
def customer(db: None) -> User:
    return User.objects.create_user("rosa", "rosa@example.com", PASSWORD)


def browser_at(ip: str) -> Client:
    return Client(enforce_csrf_checks=True, REMOTE_ADDR=ip)


def try_at(door: str, browser: Client, name: str, password: str = "wrong", **fields: str) -> Any:
    form = {"username": name, "password": password, "csrfmiddlewaretoken": token_of(browser, door), **fields}
    return browser.post(door, form)
