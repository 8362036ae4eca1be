"""The same page as plain HTML: forms, links and redirects do everything, only less smoothly."""

import threading
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.browser.chat_page import ChatPage
from tests.browser.site import CONTACT, SUGGESTIONS, Site
from tests.browser.watch import Watch
from tests.webchat.upstream_server import UpstreamServer


def messages_of(upstream: UpstreamServer) -> list[str | None]:
    return [request.message for request in upstream.requests]


@pytest.fixture
def visitor(new_visitor: Callable[..., BrowserContext]) -> BrowserContext:
    return new_visitor(java_script_enabled=False)


def send(chat: ChatPage, text: str) -> None:
    chat.write(text)
    chat.send_button.click()


def test_a_whole_conversation(chat: ChatPage, site: Site, upstream: UpstreamServer) -> None:
    send(chat, "One\nand a half")
    chat.expect_said("One and a half")
    expect(chat.replies).to_have_text(["You said: One and a half"])
    expect(chat.box).to_have_value("")
    assert "/messages" not in chat.page.url
    send(chat, "Two")
    chat.expect_said("One and a half", "Two")
    chat.page.reload()
    chat.expect_said("One and a half", "Two")
    assert messages_of(upstream) == ["One\nand a half", "Two"]
    assert upstream.requests[1].chat_id in upstream.bots[upstream.api_key].chats


def test_a_suggested_question_keeps_the_draft(chat: ChatPage, upstream: UpstreamServer) -> None:
    chat.write("a draft")
    chat.suggestions.last.click()
    chat.expect_said(SUGGESTIONS[-1])
    expect(chat.replies).to_have_count(1)
    expect(chat.box).to_have_value("a draft")
    assert messages_of(upstream) == [SUGGESTIONS[-1]]


def test_what_is_refused_stays_in_the_box(chat: ChatPage, upstream: UpstreamServer) -> None:
    send(chat, "  ")
    expect(chat.refusal).to_have_text("Type a message first.")
    send(chat, "x" * 4001)
    expect(chat.refusal).to_contain_text("1 character longer than the limit of 4000")
    expect(chat.box).to_have_value("x" * 4001)
    assert upstream.requests == []


def test_a_new_conversation_is_confirmed_on_a_page_of_its_own(chat: ChatPage, upstream: UpstreamServer) -> None:
    expect(chat.new_conversation).to_be_hidden()
    send(chat, "One")
    chat.new_conversation.click()
    expect(chat.page.get_by_role("heading")).to_have_text("Start a new conversation?")
    chat.page.get_by_role("link", name="Keep this one").click()
    chat.expect_said("One")
    chat.new_conversation.click()
    chat.page.get_by_role("button", name="New conversation").click()
    expect(chat.turns).to_have_count(0)
    expect(chat.suggestions.first).to_be_visible()
    send(chat, "Two")
    chat.expect_said("Two")
    assert [request.chat_id for request in upstream.requests] == [None, None]


def test_an_alert_and_try_again(chat: ChatPage, upstream: UpstreamServer) -> None:
    upstream.will_answer(500, times=2)
    send(chat, "Hello?")
    expect(chat.alert).to_contain_text("The bot can’t answer right now. Your message is kept.")
    expect(chat.control("contact")).to_have_count(0)
    chat.control("retry").click()
    expect(chat.control("contact")).to_have_attribute("href", f"mailto:{CONTACT}")
    chat.control("retry").click()
    expect(chat.replies).to_have_text(["You said: Hello?"])
    expect(chat.alert).to_have_count(0)
    chat.expect_said("Hello?")
    assert len(upstream.requests) == 3


def test_a_reply_that_is_awaited_elsewhere_can_be_shown_when_it_is_there(
    chat: ChatPage, visitor: BrowserContext, site: Site, upstream: UpstreamServer
) -> None:
    send(chat, "Before")
    answer_now = threading.Event()
    upstream.will_reply("At last", once=answer_now)
    chat.write("Take your time")
    chat.send_button.click(no_wait_after=True)
    upstream.wait_for_requests(2)
    other = ChatPage.open(visitor, site.url)
    other.expect_said("Before", "Take your time")
    show = other.waiting.get_by_role("button", name="Show the reply")
    show.click()
    expect(other.waiting).to_have_count(1)
    answer_now.set()
    expect(chat.replies.last).to_have_text("At last")
    show.click()
    expect(other.replies.last).to_have_text("At last")
    assert messages_of(upstream) == ["Before", "Take your time"]


def test_a_step_back_and_another_message_are_two_messages(chat: ChatPage, upstream: UpstreamServer) -> None:
    send(chat, "One")
    expect(chat.replies).to_have_count(1)
    chat.page.go_back()
    send(chat, "Two")
    expect(chat.refusal.or_(chat.messages.filter(has_text="Two"))).to_have_count(1)
    if chat.refusal.count():  # the page came out of the browser's memory, with its old key
        expect(chat.refusal).to_contain_text("Send your message again.")
        expect(chat.box).to_have_value("Two")
        chat.send_button.click()
    chat.expect_said("One", "Two")
    assert messages_of(upstream) == ["One", "Two"]


@pytest.mark.parametrize("missing", ["**/htmx*.js", "**/*.js"], ids=["htmx", "all"])
def test_the_page_works_when_its_scripts_do_not_load(
    new_visitor: Callable[..., BrowserContext], site: Site, upstream: UpstreamServer, watch: Watch, missing: str
) -> None:
    watch.expect(r"net::ERR_FAILED")
    visitor = new_visitor()
    visitor.route(missing, lambda route: route.abort())
    chat = ChatPage.open(visitor, site.url)
    chat.send("One") if "htmx" in missing else send(chat, "One")  # Enter breaks the line without our own script
    expect(chat.replies).to_have_text(["You said: One"])
    expect(chat.box).to_have_value("")
    send(chat, "Two")
    expect(chat.replies).to_have_text(["You said: One", "You said: Two"])
    chat.expect_said("One", "Two")
    assert messages_of(upstream) == ["One", "Two"]
