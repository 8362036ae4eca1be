"""Page weight: bytes and requests of a first visit, as Chromium counts them."""

import gzip
import json
import re
import urllib.request
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.browser.chat_page import ChatPage
from tests.browser.conftest import CUSTOMERS
from tests.browser.states import say_much
from tests.browser.test_portal import sign_in
from tests.browser.waiting import wait_for_rest, wait_until
from webchat.appearance.color_palette import palettes

# Bytes, headers included. Django pads compressed pages with up to 100 random bytes, against BREACH.
LIMIT = 40_000 + 100
OWN_JAVASCRIPT = 12_000  # bytes, gzip


def load(visitor: BrowserContext, url: str) -> dict[str, int]:
    """Load the page; map URLs to bytes on the wire."""
    page = visitor.new_page()
    network = visitor.new_cdp_session(page)
    network.send("Network.enable")
    urls: dict[str, str] = {}
    weights: dict[str, int] = {}

    def requested(event: dict[str, Any]) -> None:
        urls[event["requestId"]] = event["request"]["url"]

    def finished(event: dict[str, Any]) -> None:
        weights[urls[event["requestId"]]] = event["encodedDataLength"]

    network.on("Network.requestWillBeSent", requested)
    network.on("Network.loadingFinished", finished)
    page.goto(url, wait_until="networkidle")
    assert len(weights) == len(urls)
    return weights


@pytest.mark.parametrize("path", ["/", "/embed/help/", "/chat/notified/"])
def test_the_page_with_everything_it_loads_keeps_its_budget(path, visitor, site):
    weights = load(visitor, site.url + path)
    assert len(weights) <= 6, weights
    assert sum(weights.values()) <= LIMIT, weights
    own = visitor.pages[0].locator("script[type=module]").evaluate_all("scripts => scripts.map(({ src }) => src)")
    assert 0 < sum(weight_of(url) for url in own) <= OWN_JAVASCRIPT


def weight_of(url: str) -> int:
    with urllib.request.urlopen(url) as answer:
        return len(gzip.compress(answer.read()))


def test_the_portal_keeps_its_budget(visitor, site):
    page = sign_in(visitor, site, CUSTOMERS[-1])
    conversation = page.locator("[data-conversation] a").first.get_attribute("href")
    with_people = "/portal/chat/notified/"
    for path, limit in (("/portal/", 33_500), (conversation, LIMIT), (with_people, LIMIT)):
        visitor.new_cdp_session(page).send("Network.clearBrowserCache")
        weights = load(visitor, site.url + path)
        assert len(weights) == 3, weights
        assert limit / 2 < sum(weights.values()) <= limit, weights


def test_the_first_paint_needs_only_the_page_itself_with_the_bots_own_colours(visitor, site):
    page = visitor.new_page()
    page.goto(f"{site.url}/chat/rose/")
    assert page.locator("link[rel=stylesheet], script:not([defer]):not([type=module])").count() == 0
    assert page.evaluate("getComputedStyle(document.querySelector('.top')).position") == "sticky"
    for scheme, palette in zip(("light", "dark"), palettes("#b3261e"), strict=True):
        page.emulate_media(color_scheme=scheme)
        send = page.locator(".send")
        assert as_hex(send.evaluate("send => getComputedStyle(send).backgroundColor")) == palette.accent


def as_hex(colour: str) -> str:
    return "#" + "".join(f"{int(channel):02x}" for channel in re.findall(r"\d+", colour))


def test_time_formats_are_created_before_the_reply_arrives(chat, upstream):
    count = (
        "Intl.DateTimeFormat = class extends Intl.DateTimeFormat { constructor(...of) { super(...of); made++; } }; null"
    )
    chat.page.evaluate(f"window.made = 0; {count}")
    answer_now = upstream.will_hold("At nine")
    chat.send("When?")
    wait_until(chat.page, "made === 2")
    answer_now.set()
    expect(chat.replies).to_have_count(1)
    assert chat.page.evaluate("made") == 2


def test_what_only_people_need_is_loaded_after_the_frame_that_shows_the_first_message(visitor, site, upstream):
    chat = ChatPage.open(visitor, f"{site.url}/chat/notified/")
    chat.page.evaluate("""() => {
      window.styles = () => document.querySelectorAll("link[rel=stylesheet]").length;
      document.addEventListener("webchat:drawn", () => requestAnimationFrame(() => (window.early = styles())));
    }""")
    chat.ask("When?")
    wait_until(chat.page, "styles() === 1")
    assert chat.page.evaluate("early") == 0


def test_neither_a_reply_nor_the_keyboard_help_recalculates_styles_of_earlier_turns(chat, upstream):
    say_much(chat, upstream, 20)
    chat.ask("Where?")  # reserves room for the replies
    assert most_restyled(chat, lambda: chat.ask("When?")) <= 60
    chat.page.keyboard.press("Escape")
    assert most_restyled(chat, lambda: chat.page.keyboard.press("Control+/")) <= 60
    expect(chat.dialog).to_be_visible()


def most_restyled(chat: ChatPage, act: Callable[[], None]) -> int:
    """Return the highest number of elements that Chromium restyled at once."""
    browser = chat.page.context.browser
    browser.start_tracing(page=chat.page, categories=["devtools.timeline"])
    act()
    wait_for_rest(chat.page)
    events = json.loads(browser.stop_tracing())["traceEvents"]
    return max(event["args"].get("elementCount", 0) for event in events if event["name"] == "UpdateLayoutTree")


def test_a_second_visit_loads_the_page_alone(visitor, site):
    load(visitor, site.url)
    weights = load(visitor, site.url)
    assert [url for url, weight in weights.items() if weight] == [f"{site.url}/"]
