"""Fixtures for files: a bot that accepts them, and a visitor who talks to Grace, a team member."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from kiosk import devices
from kiosk.models import Device
from tests.attachments.files import picture, upload
from tests.people.conftest import make_member
from tests.webchat.upstream_server import UpstreamServer
from tests.webchat.visitor import Page, Visitor, fields_of
from webchat.encryption import hash_of
from webchat.models import Bot, Conversation, TeamMember


@pytest.fixture(autouse=True)
def media(settings: Any, tmp_path: Path) -> Path:
    settings.MEDIA_ROOT = tmp_path / "media"
    return settings.MEDIA_ROOT


@pytest.fixture
def bot(db: None) -> Bot:
    return Bot.objects.create(
        slug="help", name="Ada", people_answer=True, takes_files=True, handover=True, in_portal=True
    )


@pytest.fixture
def grace(db: None) -> TeamMember:
    return make_member("Grace")


@pytest.fixture
def inbox(grace: TeamMember) -> Client:
    client = Client()
    client.force_login(grace.user)
    return client


@pytest.fixture
def visitor(bot: Bot, grace: TeamMember, upstream: UpstreamServer) -> Iterator[Visitor]:
    """A visitor who talks to Grace; the test fails if more than their first message was sent upstream."""
    visitor = Visitor()
    visitor.send_live("Hello")
    Conversation.objects.get().claim(grace)
    visitor.open()
    yield visitor
    assert [request.message for request in upstream.requests] == ["Hello"]


@pytest.fixture
def conversation(visitor: Visitor) -> Conversation:
    return Conversation.objects.get()


def url_of_files(visitor: Visitor) -> str:
    return visitor.page.one("*[@id='leader']").get("data-send-file")


def send_file(visitor: Visitor, file: object = None, message: str = "", **headers: str) -> Page:
    """Choose a file and press "Send file"; pass `HX-Request` to send it as the page's script does."""
    fields = fields_of(visitor.page.composer) | {"message": message}
    fields.pop("file", None)  # the last field of the form, as in the page
    fields["file"] = upload(picture()) if file is None else file
    response = visitor.client.post(url_of_files(visitor), fields, headers=headers)
    if response.status_code == 303:
        response = visitor.client.get(response["Location"])
    page = Page(response)
    if not headers:
        visitor.page = page
    return page


@pytest.fixture
def kiosk_visitor(bot: Bot, upstream: UpstreamServer) -> Visitor:
    """A visitor at a kiosk in the lobby, whose visit has begun."""
    Device.objects.create(name="Lobby", bot=bot, token_hash=hash_of("token"))
    visitor = Visitor("/kiosk/visit/help/")
    visitor.client.cookies[devices.COOKIE] = "token"
    csrf = Page(visitor.client.get("/kiosk/help/")).one("*[@data-csrf]").get("data-csrf")
    visitor.client.post("/kiosk/help/visit", headers={"X-CSRFToken": csrf})
    return visitor
