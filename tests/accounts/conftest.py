"""The sign-in pages of portal and desk, and browsers with IP addresses of their own."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.portal.conftest import token_of

PASSWORD = "a long pass phrase"
PORTAL, DESK = "/portal/sign-in", "/admin/login/"


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
