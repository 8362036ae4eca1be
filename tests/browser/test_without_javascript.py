"""The same page as plain HTML: forms, links and redirects do everything, only less smoothly."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.browser.chat_page import ChatPage


@pytest.fixture
def visitor(new_visitor: Callable[..., BrowserContext]) -> BrowserContext:
    return new_visitor(java_script_enabled=False)


def send(chat: ChatPage, text: str) -> None:
    chat.write(text)
    chat.send_button.click()


def test_a_conversation_works_without_javascript(chat, site, upstream):
    send(chat, "One\nand a half")
    chat.expect_said("One and a half")
    expect(chat.replies).to_have_text(["You said: One and a half"])
    expect(chat.box).to_have_value("")
    assert "/messages" not in chat.page.url
    places = [chat.page.locator(each).bounding_box()["x"] for each in ("[data-reply]", ".thumbs")]
    assert places[0] == places[1]  # no gap where scripts would show a button
    send(chat, "Two")
    chat.expect_said("One and a half", "Two")
    chat.page.reload()
    chat.expect_said("One and a half", "Two")
    chat.page.go_back()
    expect(chat.box).to_have_value("")  # what was sent isn't offered again
    assert upstream.messages == ["One\nand a half", "Two"]
    assert upstream.requests[1].chat_id in upstream.bots[upstream.api_key].chats


def test_the_page_works_when_htmx_does_not_load(new_visitor, site, upstream, watch):
    watch.expect(r"net::ERR_FAILED")
    visitor = new_visitor()
    visitor.route("**/htmx*.js", lambda route: route.abort())
    chat = ChatPage.open(visitor, site.url)
    chat.send("One")
    expect(chat.replies).to_have_text(["You said: One"])
    expect(chat.box).to_have_value("")
    send(chat, "Two")
    expect(chat.replies).to_have_text(["You said: One", "You said: Two"])
    chat.expect_said("One", "Two")
    assert upstream.messages == ["One", "Two"]
