"""Sending, and beginning anew: which keys and buttons do it, and what the visitor sees at once."""

import re
import time
from collections.abc import Callable

from playwright.sync_api import Locator, Route, expect

from tests.browser.chat_page import ChatPage
from tests.browser.waiting import wait_for_some
from tests.webchat.upstream_server import UpstreamServer

LIMIT = 4000
WAITS = "You can send this when the reply has arrived."


def test_shift_enter_breaks_the_line_and_enter_during_ime_input_picks_the_word(chat, visitor, upstream):
    chat.write("one")
    height = chat.box.bounding_box()["height"]
    chat.box.press("Shift+Enter")
    chat.box.type("two")
    expect(chat.box).to_have_value("one\ntwo")
    assert chat.box.bounding_box()["height"] > height
    chat.box.press("Enter")
    expect(chat.replies).to_have_text(["You said: one\ntwo"], use_inner_text=True)
    assert chat.box.bounding_box()["height"] == height

    keyboard = visitor.new_cdp_session(chat.page)
    chat.box.focus()
    keyboard.send("Input.imeSetComposition", {"text": "にほん", "selectionStart": 3, "selectionEnd": 3})
    keyboard.send("Input.dispatchKeyEvent", {"type": "rawKeyDown", "key": "Enter", "windowsVirtualKeyCode": 13})
    keyboard.send("Input.insertText", {"text": "日本"})
    expect(chat.box).to_have_value("日本")
    for event in ({"isComposing": True}, {"keyCode": 229}):  # Safari says the latter
        chat.box.dispatch_event("keydown", {"key": "Enter", **event})
    expect(chat.turns).to_have_count(1)
    chat.box.press("Enter")
    expect(chat.replies).to_have_count(2)
    assert upstream.messages == ["one\ntwo", "日本"]


def test_the_remaining_characters_are_shown_from_four_fifths_of_the_limit(chat, upstream):
    chat.write("x" * (LIMIT * 4 // 5 - 1))
    expect(chat.left).to_be_hidden()
    chat.write("x" * (LIMIT * 4 // 5))
    expect(chat.left).to_have_text("800 characters left")
    chat.write("😀" * (LIMIT - 1))
    expect(chat.left).to_have_text("1 character left")
    chat.write("x" * (LIMIT + 3))
    expect(chat.left).to_have_text("3 over the limit")
    chat.box.press("Enter")
    expect(chat.refusal).to_contain_text("3 characters longer than the limit of 4000")
    expect(chat.box).to_have_value("x" * (LIMIT + 3))
    chat.expect_focus_in_box()
    assert chat.box.evaluate("box => box.scrollTop + box.clientHeight >= box.scrollHeight - 1")  # where the caret is
    assert upstream.requests == []
    chat.write("x" * LIMIT)
    expect(chat.refusal).to_have_count(0)
    chat.ask("x" * LIMIT)
    assert [len(text) for text in upstream.messages] == [LIMIT]
    expect(chat.left).to_be_hidden()


def test_the_next_message_can_be_typed_during_a_reply_and_the_send_button_says_why_it_waits(chat, upstream):
    chat.page.clock.install()  # stop the clock: the button soon turns into "Stop waiting"
    chat.page.clock.pause_at(chat.page.evaluate("Date.now() / 1000") + 5)
    answer_now = chat.send_and_hold_reply(upstream, "One", "First")
    expect(chat.send_button).to_be_disabled()
    expect(chat.send_button).to_have_accessible_description(WAITS)
    chat.page.clock.resume()
    expect(chat.stop_button).to_be_enabled()
    chat.box.press_sequentially("Two, with more words")
    for _ in range(3):
        chat.box.press("ArrowLeft")
    chat.page.keyboard.press("Shift+ArrowLeft")
    chat.box.press("Enter")
    expect(chat.states).to_have_text(WAITS)
    expect(chat.box).to_have_value("Two, with more words")

    answer_now.set()
    expect(chat.replies).to_have_text(["First"])
    expect(chat.box).to_have_value("Two, with more words")
    chat.expect_focus_in_box()
    selection = chat.box.evaluate("box => [box.selectionStart, box.selectionEnd]")
    assert selection == [len("Two, with more w"), len("Two, with more wo")]
    expect(chat.send_button).to_be_enabled()
    expect(chat.send_button).not_to_have_accessible_description(WAITS)
    chat.box.press("Enter")
    expect(chat.replies).to_have_count(2)
    assert upstream.messages == ["One", "Two, with more words"]


def test_after_stop_waiting_the_reply_can_be_shown_later_and_the_next_message_sent(chat, upstream):
    answer_now = chat.send_and_hold_reply(upstream, "One", "First")
    chat.write("Two")
    chat.stop_button.click()
    expect(chat.waiting).to_have_count(0)
    expect(chat.states).to_have_text("You stopped waiting. The reply is kept.")
    expect(chat.box).to_have_value("Two")
    expect(chat.send_button).to_be_enabled()
    chat.page.reload()
    chat.stop_button.click()
    expect(chat.waiting).to_have_count(0)
    chat.box.press("Enter")
    expect(chat.waiting).to_have_count(1)
    answer_now.set()
    expect(chat.replies).to_have_count(1)
    chat.page.get_by_role("button", name="Show the reply").click()
    expect(chat.replies.first).to_have_text("First")
    expect(chat.replies).to_have_count(2)
    chat.expect_said("One", "Two")
    assert upstream.messages == ["One", "Two"]


def test_a_refused_message_returns_to_the_box_before_newer_text_and_a_valid_one_appears_at_once(chat, upstream):
    held: list[Route] = []
    chat.page.route("**/messages", lambda route: held.append(route))
    chat.send("x" * (LIMIT + 1))
    wait_for_some(chat.page, held)
    chat.box.press_sequentially("and this")
    chat.box.press("Home")
    held.pop().continue_()
    expect(chat.refusal).to_contain_text("longer than the limit")
    expect(chat.box).to_have_value("x" * (LIMIT + 1) + "\nand this")
    expect(chat.turns).to_have_count(0)
    chat.expect_focus_in_box()
    assert chat.box.evaluate("box => box.selectionStart") == LIMIT + 2
    assert upstream.requests == []

    chat.send("Is <b>this</b> safe?")
    chat.expect_said("Is <b>this</b> safe?")
    expect(chat.waiting).to_have_count(1)
    expect(chat.box).to_have_value("")
    wait_for_some(chat.page, held)
    held.pop().continue_()
    expect(chat.replies).to_have_count(1)
    chat.expect_said("Is <b>this</b> safe?")
    assert upstream.messages == ["Is <b>this</b> safe?"]


def test_pressing_enter_repeatedly_sends_one_message_and_no_empty_one(chat, upstream):
    answer_now = upstream.will_hold("Once")
    chat.write("Only once")
    for _ in range(10):
        chat.page.keyboard.press("Enter")
    upstream.wait_for_requests(1)
    chat.page.keyboard.press("Enter")
    answer_now.set()
    expect(chat.replies).to_have_text(["Once"])
    chat.page.reload()
    chat.expect_said("Only once")

    upstream.will_reply("At once")
    chat.write("Twice")
    # Both presses in one script, with the reply between them: Playwright isn't as quick as a finger.
    chat.page.evaluate(
        """async () => {
            const press = () => document.getElementById("message").dispatchEvent(
                new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
            const arrived = new Promise(done => document.addEventListener("webchat:arrived", done, { once: true }));
            press();
            await arrived;
            press();
        }"""
    )
    chat.expect_said("Only once", "Twice")
    chat.page.wait_for_timeout(300)
    expect(chat.page.locator("[data-alert]")).to_have_count(0)
    chat.page.wait_for_timeout(1000)
    chat.page.keyboard.press("Enter")  # later it counts
    expect(chat.page.locator("[data-alert]")).to_have_count(1)
    assert upstream.messages == ["Only once", "Twice"]


def test_the_bots_questions_about_the_visitor_are_filled_in_by_keyboard(visitor, site):
    chat = ChatPage.open(visitor, f"{site.url}/chat/asking/")
    email, fields = chat.page.get_by_label("Your e-mail address"), chat.page.locator("#composer-details input")
    height = "greeting => greeting.offsetHeight"
    before = chat.page.locator("[data-greeting]").evaluate(height)
    chat.send("When do you open?")
    expect(chat.refusal).to_have_text("Fill in “Your e-mail address” first.")
    assert chat.page.locator("[data-greeting]").evaluate(height) == before  # no layout shift
    expect(email).to_be_focused()
    chat.page.keyboard.type("jo@example.com\n")
    expect(chat.box).to_be_focused()
    chat.page.keyboard.press("Enter")
    chat.expect_said("When do you open?")
    expect(fields).to_have_count(0)


def test_after_too_many_messages_the_wait_is_counted_down_and_the_text_kept(chat, site, upstream):
    chat.page.clock.install()
    chat.ask("One")
    chat.ask("Two")
    if (left := 60 - time.time() % 60) < 4:
        chat.page.wait_for_timeout(left * 1000)  # of the next minute there is enough to count down
    next_minute = int(time.time()) // 60 + 1  # which counts for this one as well
    spent = f'used = 1000, "window" = {next_minute}'
    site.ask_database(f"UPDATE webchat_allowance SET {spent} WHERE name LIKE 'messages:%'")
    chat.send("Three")
    expect(chat.refusal).to_contain_text("You’ve sent a lot of messages. You can send this one in")
    expect(chat.box).to_have_value("Three")
    expect(chat.send_button).to_be_disabled()
    chat.page.clock.run_for(1000)
    expect(chat.refusal).to_have_text(re.compile(r"You can send this one in \d+ s\."))
    chat.write("Changed meanwhile")
    chat.page.clock.run_for(60_000)
    expect(chat.refusal).to_have_count(0)
    expect(chat.send_button).to_be_enabled()
    expect(chat.box).to_have_value("Changed meanwhile")
    assert len(upstream.requests) == 2


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
