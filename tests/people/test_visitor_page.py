"""The page of the owner's website that a visitor of the widget is on, as the inbox shows it."""

import pytest

from tests.people.conftest import LIVE
from tests.webchat.visitor import Visitor, fields_of
from webchat.models import Bot, Conversation

PAGES = {
    "https://shop.example/parcels/": "https://shop.example/parcels/",
    "https://shop.example/reset?token=secret#more": "https://shop.example/reset",
    "https://www.shop.example/a%20b": "",
    "https://evil.example/": "",
    "http://shop.example/": "",
    "https://shop.example@evil.example/": "",
    "https://ada:secret@shop.example/": "",
    "javascript:alert(1)//shop.example": "",
    "https://[": "",
    f"https://shop.example/{'x' * 600}": f"https://shop.example/{'x' * 479}",
}


@pytest.fixture
def frame(bot: Bot, upstream) -> Visitor:
    Bot.objects.update(origins="https://shop.example")
    visitor = Visitor("/embed/help/")
    visitor.open()
    return visitor


def send(visitor: Visitor, page: str) -> None:
    fields = fields_of(visitor.page.composer) | {"message": "Hello"}
    url = visitor.page.composer.get("hx-post")
    visitor.client.post(url, fields, headers=LIVE["headers"] | {"Webchat-Page": page})


def test_only_allowed_pages_are_stored_without_what_may_be_secret(frame):
    for page, kept in PAGES.items():
        Conversation.objects.update(page_url="")
        send(frame, page)
        assert Conversation.objects.get().page_url == kept, page


def test_the_visitors_page_is_stored_for_the_widget_only(visitor):
    Bot.objects.update(origins="https://shop.example")
    visitor.open()
    send(visitor, "https://shop.example/")
    assert Conversation.objects.get().page_url == ""


def test_the_inbox_follows_the_visitor_to_another_page(frame, grace, admin_client):
    send(frame, "https://shop.example/parcels/")
    conversation = Conversation.objects.get()
    conversation.join_queue()
    session = frame.page.composer.find(".//input[@name='session']").get("value")
    headers = LIVE["headers"] | {"Webchat-Session": session}
    frame.client.get("/embed/help/", headers=headers)
    before = Conversation.objects.get().changes
    frame.client.get("/embed/help/", headers=headers | {"Webchat-Page": "https://shop.example/bill/"})
    seen = Conversation.objects.get()
    assert (seen.page_url, seen.changes) == ("https://shop.example/bill/", before + 1)
    facts = admin_client.get(f"/admin/inbox/{seen.public_id}/").content.decode()
    assert 'href="https://shop.example/bill/"' in facts
