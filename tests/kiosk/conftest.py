"""Fixtures for kiosks: a bot, an enrolled device, and the device's browser."""

import uuid

import pytest
from django.http import HttpResponse
from django.test import Client
from lxml import html

from kiosk import devices
from kiosk.models import Device
from tests.webchat.upstream_server import UpstreamServer
from webchat.encryption import hash_of
from webchat.models import Bot

TOKEN = "token-of-the-kiosk"


class Screen:
    """A kiosk's browser as the server sees it: the requests of the screen, and of the visit in its frame."""

    def __init__(self, client: Client, bot: str = "help") -> None:
        self.client = client
        self.bot = bot
        self.csrf = ""

    def open(self) -> HttpResponse:
        """Open the page that frames the visits."""
        response = self.client.get(f"/kiosk/{self.bot}/")
        found = html.fromstring(response.content).find(".//*[@data-csrf]")
        self.csrf = found.get("data-csrf") if found is not None else ""
        return response

    def next_visit(self) -> HttpResponse:
        response = self.client.post(f"/kiosk/{self.bot}/visit", headers={"X-CSRFToken": self.csrf})
        self.csrf = response.json().get("csrf", "") if response.status_code == 200 else ""
        return response

    def page(self, **headers: str) -> HttpResponse:
        """Open the visit's page, in the frame."""
        return self.client.get(f"/kiosk/visit/{self.bot}/", headers=headers)

    def send(self, text: str, *, live: bool = False) -> HttpResponse:
        """Send a message: `live` as the page's script does, else as without JavaScript."""
        fields = {"message": text, "key": str(uuid.uuid4()), "after": "", "csrfmiddlewaretoken": self.csrf}
        headers = {"HX-Request": "true"} if live else {}
        return self.client.post(f"/kiosk/visit/{self.bot}/messages", fields, headers=headers)

    def pulse(self) -> HttpResponse:
        return self.client.get(f"/kiosk/{self.bot}/pulse")

    def messages(self) -> list[str]:
        """Return the messages on the visit's page."""
        tree = html.fromstring(self.page().content)
        return [each.text_content() for each in tree.xpath("//*[@data-message]") if each.text_content()]


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
