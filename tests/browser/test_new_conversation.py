"""Starting a new conversation: confirmed first, forgotten for good, and unchanged if the visitor cancels."""

from collections.abc import Callable

from playwright.sync_api import Locator, Route, expect

from tests.browser.chat_page import ChatPage
from tests.browser.waiting import wait_for_some
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


# Playwright touches no page that is being left, so the page presses its own Enter.
PRESS_ENTER_ON_LEAVING = """() => addEventListener("submit", ({ target }) => {
  const enter = new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true });
  if (target.matches("[data-begin]")) setTimeout(() => document.getElementById("message").dispatchEvent(enter), 50);
})"""


def test_enter_while_a_new_conversation_loads_sends_nothing_and_the_text_is_kept(chat, upstream):
    chat.ask("One")
    chat.write("Two")
    chat.page.evaluate(PRESS_ENTER_ON_LEAVING)
    held: list[Route] = []
    chat.page.route("**/new", lambda route: held.append(route))
    chat.new_conversation.click()
    chat.dialog.get_by_role("button", name="New conversation").click(no_wait_after=True)
    wait_for_some(chat.page, held)
    chat.page.wait_for_timeout(200)
    held[0].continue_()
    expect(chat.states).to_have_text("New conversation started")
    expect(chat.box).to_have_value("Two")
    assert upstream.messages == ["One"]
