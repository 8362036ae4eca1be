"""What a screen reader announces, word by word: everything once, no history, no countdowns."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.browser.chat_page import ChatPage
from tests.browser.screen_reader import LISTENER, heard
from tests.browser.states import RICH, fail

NOT_HEARD = (
    "We didn’t hear back from the bot. It may have got your message: if you send it again, it may get it twice.\n"
    "Send again"
)
RICH_READ_OUT = """Ada said: Our shop opens at 9 o’clock and closes at half past six. With a --flag, in short:
Come in
Ask for Ada
Tell her what you are looking for, and when you need it
Day, Opens, Closes, Remarks
Monday to Friday, 9:00, 18:30, Closed over lunch in August
Saturday, 10:00, 16:00, Deliveries at the side door
From the command line
Bash
curl --fail https://shop.example/hours?day=saturday&format=a-very-long-parameter-that-does-not-fit
Closed on holidays.
Write to shop@example.com
or see the hours."""


@pytest.fixture
def visitor(new_visitor: Callable[..., BrowserContext]) -> BrowserContext:
    visitor = new_visitor()
    visitor.add_init_script(LISTENER)
    return visitor


def polite(*words: str) -> list[tuple[str, str]]:
    return [("polite", each) for each in words]


def expect_to_hear(chat: ChatPage, *said: tuple[str, str]) -> None:
    """Expect exactly these announcements since the last call, in this order."""
    assert heard(chat.page, until=said[-1][1] if said else None) == list(said)


def test_each_message_and_reply_is_announced_and_history_is_not_repeated(chat, upstream):
    expect(
        chat.page.locator("[role=log][aria-live=polite][data-announcer]")
    ).to_be_empty()  # part of the page from the start
    upstream.will_reply(RICH)
    chat.ask("When do you open?")
    expect_to_hear(chat, *polite("Sending", "Ada is answering", RICH_READ_OUT))
    expect(chat.page.get_by_role("link", name="the hours", exact=True)).to_have_accessible_description(
        "opens in a new tab"
    )
    expect(chat.states).to_have_text("")
    expect(chat.page.get_by_role("log")).to_be_empty()
    expect_to_hear(chat)
    for _ in range(2):
        chat.ask("Hello")
        expect_to_hear(chat, *polite("Sending", "Ada is answering", "Ada said: You said: Hello"))
    upstream.will_refuse("BOT_DISABLED")
    fail(chat, "And now?")
    chat.page.reload()
    expect(chat.turns).to_have_count(4)
    chat.page.wait_for_timeout(500)
    expect_to_hear(chat)


def test_a_reply_after_a_reload_is_announced_once(chat, upstream):
    answer_now = chat.send_and_hold_reply(upstream, "Still there?", "Here it is")
    chat.page.reload()
    expect(chat.waiting).to_have_count(1)
    answer_now.set()
    expect(chat.replies).to_have_count(1)
    words = "Ada said: Here it is"
    said = heard(chat.page, until=words)
    assert said[-1:] == polite(words)
    assert said.count(("polite", words)) == 1


def test_a_wait_is_counted_down_and_announced_once_and_a_long_one_is_the_visitors_local_time(chat, upstream):
    upstream.will_refuse("RATE_LIMITED", status=429, retry_after=300)
    chat.page.clock.install()
    fail(chat, "Now?")
    [*_, (how, words)] = heard(chat.page)
    assert how == "assertive"
    assert " ".join(words.split()).startswith("The bot is very busy right now. Your message is kept. Try again in ")
    expect(chat.alert).to_contain_text("Try again in 5 minutes.")
    chat.page.clock.run_for(100 * 1000)
    expect(chat.alert).to_contain_text("Try again in 4 minutes.")
    chat.page.clock.run_for(150 * 1000)
    expect(chat.alert).to_contain_text(re.compile(r"Try again in [45]\d s\."))
    expect_to_hear(chat)
    chat.page.clock.run_for(60 * 1000)
    expect(chat.alert).not_to_contain_text("Try again in")
    expect(chat.control("retry")).to_be_visible()

    upstream.will_refuse("RATE_LIMITED", status=429, retry_after=2 * 3600)
    chat.send("And now?")
    at = re.compile(r"Your message is kept\.\s+Try again (on \w+ \d+ )?at \d+:\d\d [AP]M\.")
    expect(chat.alert.last).to_contain_text(at)
    expect(chat.control("retry").last).to_be_hidden()


def test_a_refusal_a_lost_message_and_a_failure_are_one_alert_each(chat, upstream, watch):
    watch.expect(r"net::ERR_|htmx:(sendError|afterRequest)")
    for _ in range(2):
        chat.page.evaluate("document.querySelector('[data-composer] [data-alert]')?.setAttribute('data-old', '')")
        chat.send("")
        expect(chat.page.locator("[data-composer] [data-alert]:not([data-old])")).to_be_visible()
        said = heard(chat.page, until="Type a message first.")
        assert [words for how, words in said if how == "assertive"] == ["Type a message first."]
        assert said[-1][0] == "assertive"
    expect(chat.box).to_have_attribute("aria-invalid", "true")
    expect(chat.box).to_have_accessible_description("Type a message first.")
    chat.expect_focus_in_box()
    chat.box.press("N")
    expect(chat.refusal).to_have_count(0)
    expect(chat.turns).to_have_count(0)
    chat.ask("Now with words")
    expect(chat.box).not_to_have_attribute("aria-invalid", "true")
    expect_to_hear(chat, *polite("Sending", "Ada is answering", "Ada said: You said: Now with words"))

    chat.page.route("**/messages", lambda route: route.abort())
    for _ in range(2):
        chat.send("Hello")
        chat.stop_button.click()
        expect(chat.box).to_have_value("Hello")
        expect(chat.send_button).to_be_enabled()
        words = "Your message couldn’t be sent. It is still here: check your connection and send again."
        expect_to_hear(chat, *polite("Sending"), ("assertive", words))
    chat.page.unroute_all()

    upstream.will_close(times=2)
    fail(chat, "Hello")
    expect_to_hear(chat, *polite("Sending", "Ada is answering"), ("assertive", NOT_HEARD))
    chat.control("resend").click()
    expect(chat.control("contact")).to_be_visible()
    expect_to_hear(chat, *polite("Ada is answering"), ("assertive", f"{NOT_HEARD}\nContact us"))


def test_going_offline_is_announced_and_afterwards_that_the_bot_is_still_answering(chat, visitor, upstream, watch):
    watch.expect(r"net::ERR_|htmx:(sendError|afterRequest)")
    answer_now = chat.send_and_hold_reply(upstream, "Into the tunnel", "At last")
    expect_to_hear(chat, *polite("Sending", "Ada is answering"))
    visitor.set_offline(True)
    expect(chat.page.locator("[data-offline]")).to_be_visible()
    (words,) = heard(chat.page)
    assert words[1].startswith("You are offline. What you type is kept")
    visitor.set_offline(False)
    expect_to_hear(chat, *polite("Ada is answering"))
    answer_now.set()
    expect(chat.replies).to_have_count(1)
    expect_to_hear(chat, *polite("Ada said: At last"))


def test_the_transcript_is_a_list_with_a_heading_for_each_speaker_and_copying_is_announced(new_visitor, site):
    visitor = new_visitor(permissions=["clipboard-read", "clipboard-write"])
    visitor.add_init_script(LISTENER)
    chat = ChatPage.open(visitor, site.url)
    chat.ask("Hello")
    expect_to_hear(chat, *polite("Sending", "Ada is answering", "Ada said: You said: Hello"))
    expect(chat.page.locator("main")).to_match_aria_snapshot("""
    - heading "Conversation" [level=2]
    - region "Greeting"
    - list "Conversation":
      - listitem:
        - article:
          - heading "You" [level=3]
          - text: Hello
        - article "Ada":
          - heading "Ada" [level=3]
          - paragraph: "You said: Hello"
    """)
    for _ in range(2):
        chat.page.get_by_role("button", name="Copy").click()
        expect_to_hear(chat, *polite("Copied"))
