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


def test_a_whole_conversation(chat, site, upstream):
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


def test_a_reply_that_is_awaited_elsewhere_can_be_shown_when_it_is_there(chat, visitor, site, upstream):
    send(chat, "Before")
    answer_now = upstream.will_hold("At last")
    chat.write("Take your time")
    chat.send_button.click(no_wait_after=True)
    upstream.wait_for_requests(2)
    other = ChatPage.open(visitor, site.url)
    other.expect_said("Before", "Take your time")
    answer_now.set()
    expect(chat.replies.last).to_have_text("At last")
    other.waiting.get_by_role("button", name="Show the reply").click()
    expect(other.replies.last).to_have_text("At last")
    assert upstream.messages == ["Before", "Take your time"]


def test_a_step_back_and_another_message_are_two_messages(chat, upstream):
    send(chat, "One")
    expect(chat.replies).to_have_count(1)
    chat.page.go_back()
    send(chat, "Two")
    expect(chat.refusal.or_(chat.messages.filter(has_text="Two"))).to_have_count(1)
    if chat.refusal.count():  # the back/forward cache shows the page with its old key
        expect(chat.refusal).to_contain_text("Send your message again.")
        expect(chat.box).to_have_value("Two")
        chat.send_button.click()
    chat.expect_said("One", "Two")
    assert upstream.messages == ["One", "Two"]


@pytest.mark.parametrize("missing", ["**/htmx*.js", "**/*.js"], ids=["htmx", "all"])
def test_the_page_works_when_its_scripts_do_not_load(new_visitor, site, upstream, watch, missing):
    watch.expect(r"net::ERR_FAILED")
    visitor = new_visitor()
    visitor.route(missing, lambda route: route.abort())
    chat = ChatPage.open(visitor, site.url)
    chat.send("One") if "htmx" in missing else send(chat, "One")  # without our script Enter breaks the line
    expect(chat.replies).to_have_text(["You said: One"])
    expect(chat.box).to_have_value("")
    send(chat, "Two")
    expect(chat.replies).to_have_text(["You said: One", "You said: Two"])
    chat.expect_said("One", "Two")
    assert upstream.messages == ["One", "Two"]
