"""Fixtures for kiosks: a bot, an enrolled device, and the device's browser."""

import pytest
from django.test import Client

from kiosk import devices
from kiosk.models import Device
from tests.kiosk.screen import Screen
from tests.webchat.upstream_server import UpstreamServer
from webchat.encryption import hash_of
from webchat.models import Bot

TOKEN = "token-of-the-kiosk"


@pytest.fixture
def bot(db: None) -> Bot:
    return Bot.objects.create(slug="help", name="Ada", greeting="Hello!", suggestions="When are you open?")


@pytest.fixture
def device(bot: Bot) -> Device:
    return Device.objects.create(name="Lobby", bot=bot, token_hash=hash_of(TOKEN))


def screen_with(token: str) -> Screen:
    """Return the browser of the device that was given this token."""
    client = Client(enforce_csrf_checks=True)
    client.cookies[devices.COOKIE] = token
    return Screen(client)


@pytest.fixture
def screen(device: Device, upstream: UpstreamServer) -> Screen:
    """The device's browser, before it opens a page."""
    return screen_with(TOKEN)
