"""What a screen reader is told: each reply once and as a whole, nothing at a reload, each state in its own words."""

import threading

from playwright.sync_api import expect

from tests.browser.chat_page import ChatPage
from tests.browser.waiting import wait_for_frames, wait_until
from tests.webchat.upstream_server import UpstreamServer

LISTEN = """
window.said = [];
for (const [name, region] of [["log", "[data-announcer]"], ["status", "[data-states]"]]) {
  const element = document.querySelector(region);
  new MutationObserver((changes) => {
    const added = changes.flatMap((change) => [...change.addedNodes]).map((node) => node.textContent.trim());
    said.push(...added.filter(Boolean).map((text) => [name, text]));
  }).observe(element, { childList: true, subtree: true, characterData: true });
}
"""


def said(chat: ChatPage, region: str) -> list[str]:
    return [text for name, text in chat.page.evaluate("said") if name == region]


def test_a_reply_is_said_exactly_once(chat: ChatPage, upstream: UpstreamServer) -> None:
    upstream.will_reply("First **paragraph**.\n\nSecond.")
    chat.page.evaluate(LISTEN)
    chat.ask("Hello")
    wait_until(chat.page, "said.some(([name]) => name === 'log')")
    expect(chat.page.get_by_role("log")).to_have_text("")
    assert said(chat, "log") == ["Ada said: First paragraph.\nSecond."]
    chat.ask("Again")
    wait_until(chat.page, "said.filter(([name]) => name === 'log').length > 1")
    wait_for_frames(chat.page)
    assert said(chat, "log")[1:] == ["Ada said: You said: Again"]


def test_a_reload_says_nothing(chat: ChatPage) -> None:
    chat.ask("Hello")
    chat.page.add_init_script(f"addEventListener('DOMContentLoaded', () => {{ {LISTEN} }}, {{ once: true }})")
    chat.page.reload()
    chat.expect_said("Hello")
    chat.page.wait_for_timeout(500)
    assert chat.page.evaluate("said") == []


def test_sending_and_waiting_are_said_and_then_silent(chat: ChatPage, upstream: UpstreamServer) -> None:
    answer_now = threading.Event()
    upstream.will_reply("Done", once=answer_now)
    chat.page.evaluate(LISTEN)
    chat.send("Hello")
    chat.wait_until_asked(upstream)
    expect(chat.states).to_have_text("Ada is answering")
    answer_now.set()
    expect(chat.replies).to_have_text(["Done"])
    expect(chat.states).to_have_text("")
    assert said(chat, "status") == ["Sending", "Ada is answering"]


def test_an_alert_is_one_alert(chat: ChatPage, upstream: UpstreamServer) -> None:
    upstream.will_refuse("BOT_DISABLED")
    chat.page.evaluate(LISTEN)
    chat.send("Hello")
    expect(chat.page.get_by_role("alert")).to_have_count(1)
    assert said(chat, "log") == []


def test_the_regions_are_there_before_anything_is_said(chat: ChatPage) -> None:
    expect(chat.page.locator("[role=log][aria-live=polite][data-announcer]")).to_have_text("")
    expect(chat.page.get_by_role("heading", level=2, name="Conversation")).to_have_count(1)
    expect(chat.page.get_by_role("list", name="Conversation")).to_have_count(1)
