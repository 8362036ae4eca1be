"""Starting a new conversation: confirmed first, forgotten for good, and unchanged if the visitor cancels."""

from collections.abc import Callable

from playwright.sync_api import Locator, expect

from tests.browser.chat_page import ChatPage
from tests.webchat.upstream_server import UpstreamServer


def start_anew(chat: ChatPage, upstream: UpstreamServer) -> None:
    chat.new_conversation.click()
    expect(chat.dialog).to_be_visible()
    chat.dialog.get_by_role("button", name="New conversation").click()
    expect(chat.turns).to_have_count(0)
    expect(chat.suggestions.first).to_be_visible()
    expect(chat.states).to_have_text("New conversation started")
    chat.expect_focus_in_box()
    chat.ask("Three")
    chat.expect_said("Three")
    assert upstream.requests[2].chat_id is None


KEEPING: list[Callable[[Locator], None]] = [
    lambda dialog: dialog.press("Escape"),
    lambda dialog: dialog.get_by_role("button", name="Keep this one").click(),
    lambda dialog: dialog.page.mouse.click(5, 300),  # beside it
]


def test_keeping_the_conversation_changes_nothing_and_a_new_one_remembers_nothing(chat, upstream):
    expect(chat.new_conversation).to_be_hidden()
    chat.ask("One")
    chat.write("a draft")
    for keep in KEEPING:
        chat.new_conversation.focus()
        chat.new_conversation.press("Enter")
        expect(chat.dialog).to_be_visible()
        expect(chat.dialog.locator(":focus")).to_have_count(1)
        keep(chat.dialog)
        expect(chat.dialog).to_be_hidden()
        expect(chat.new_conversation).to_be_focused()
        expect(chat.box).to_have_value("a draft")
    chat.page.reload()
    chat.expect_said("One")
    chat.ask("Two")
    assert upstream.requests[1].chat_id in upstream.bots[upstream.api_key].chats
    start_anew(chat, upstream)
