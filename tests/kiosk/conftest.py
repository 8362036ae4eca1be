"""Fixtures for kiosks: a bot, an enrolled device, and the device's browser."""

from collections.abc import Callable

import pytest
from django.test import Client

from kiosk import devices
from kiosk.models import Device, hash_of
from tests.kiosk.screen import Screen
from tests.webchat.upstream_server import UpstreamServer
from webchat.models import Bot

TOKEN = "token-of-the-kiosk"


@pytest.fixture
def bot(db: None) -> Bot:
    return Bot.objects.create(slug="help", name="Ada", greeting="Hello!", suggestions="When are you open?")


@pytest.fixture
def device(bot: Bot) -> Device:
    return Device.objects.create(name="Lobby", bot=bot, token_hash=hash_of(TOKEN))


@pytest.fixture
def screen(device: Device, upstream: UpstreamServer) -> Screen:
    """The device's browser, before it opens a page."""
    client = Client(enforce_csrf_checks=True)
    client.cookies[devices.COOKIE] = TOKEN
    return Screen(client)


@pytest.fixture
def another_screen(device: Device, bot: Bot) -> Callable[[], Screen]:
    """Enrol a second kiosk of the same bot and return its browser."""

    def make() -> Screen:
        Device.objects.create(name="Shop", bot=bot, token_hash=hash_of("token-of-another"))
        client = Client(enforce_csrf_checks=True)
        client.cookies[devices.COOKIE] = "token-of-another"
        return Screen(client)

    return make
