"""The page in other languages: right to left in Arabic, and wide enough for every word."""

from collections.abc import Callable

import pytest
from django.conf import settings
from playwright.sync_api import BrowserContext, Locator, ViewportSize, expect

from tests.browser.chat_page import ChatPage
from tests.browser.screen_reader import LISTENER, heard
from tests.browser.site import Site

NewVisitor = Callable[..., BrowserContext]
PHONE: ViewportSize = {"width": 360, "height": 640}
NARROWEST: ViewportSize = {"width": 320, "height": 640}  # WCAG 2.2, 1.4.10

QUESTION = "متى تفتحون؟ أريد شراء iPhone 15."
REPLY = """نفتح في الساعة **9:00**، انظر [ساعات العمل](https://shop.example/hours).

1. تعال إلى المتجر
2. In English!

| اليوم | يفتح |
|---|---|
| الاثنين | 9:00 |

> مغلق في العطل."""
ENGLISH = "We open at nine, see [the hours](https://shop.example/hours).\n\n- one\n- two"

# Elements that leave the window, and words that are cut off.
MISFITS = """() => [...document.querySelectorAll("body *")].filter((element) => {
  const { left, right, width } = element.getBoundingClientRect();
  const hidden = element.closest(".unseen, .skip, .latest, .top .quiet span, pre, svg, [hidden]");
  if (hidden || !width || !element.checkVisibility({ visibilityProperty: true })) return false;
  const isCut = getComputedStyle(element).overflowX !== "visible" && element.scrollWidth > element.clientWidth + 1;
  return left < -1 || right > innerWidth + 1 || (isCut && element.localName !== "textarea");
}).map((element) => `${element.localName}.${element.className}: ${element.textContent.trim().slice(0, 40)}`)"""


def in_language(visitor: BrowserContext, site: Site, language: str) -> ChatPage:
    chat = ChatPage.open(visitor, f"{site.url}/chat/help/?lang={language}")
    chat.box = chat.page.locator("#message")  # in any language
    return chat


def middle(locator: Locator) -> float:
    """Return the middle in pixels from the window's left edge."""
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2


def start_of_text(locator: Locator) -> float:
    """Return the position of a text's first character in pixels from the window's left edge."""
    return locator.evaluate("""(element) => {
      const range = document.createRange();
      const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
      range.setStart(text, 0);
      range.setEnd(text, 1);
      return range.getBoundingClientRect().x;
    }""")


def misfits(chat: ChatPage) -> list[str]:
    chat.page.mouse.move(1, 1)
    return chat.page.evaluate(MISFITS)


@pytest.fixture
def arabic(new_visitor: NewVisitor, site: Site) -> ChatPage:
    """A phone in Arabic."""
    return in_language(new_visitor(viewport=PHONE), site, "ar")


def test_an_arabic_conversation_runs_right_to_left_and_english_in_it_left_to_right(arabic, upstream):
    half = arabic.page.viewport_size["width"] / 2
    assert middle(arabic.page.locator(".top .face")) > half > middle(arabic.page.locator(".menu summary"))
    assert middle(arabic.page.locator(".send")) < half
    upstream.will_reply(REPLY)
    arabic.ask(QUESTION)
    reply = arabic.replies.last
    window = reply.bounding_box()
    end = window["x"] + window["width"]
    assert arabic.messages.last.bounding_box()["x"] < half / 2, "the visitor's own stand at the end of the line"
    assert end - 30 < start_of_text(reply.locator("p").first) < end
    assert end - 60 < start_of_text(reply.locator("li").first) < end - 15, "room for the number"
    assert start_of_text(reply.locator("th").first) > start_of_text(reply.locator("th").last)
    assert misfits(arabic) == []

    upstream.will_reply(ENGLISH)
    arabic.ask("When do you open?")
    reply = arabic.replies.last
    start = reply.bounding_box()["x"]
    assert start_of_text(reply.locator("p")) < start + 5
    assert start + 15 < start_of_text(reply.locator("li").first) < start + 40


def test_alerts_and_announcements_are_arabic_and_the_box_follows_the_direction_of_its_text(arabic, upstream):
    direction = "e => getComputedStyle(e).direction"
    assert arabic.box.get_attribute("placeholder") == "رسالة إلى Ada"
    assert arabic.box.evaluate(direction) == "rtl"
    arabic.write("Hello")
    assert arabic.box.evaluate(direction) == "ltr"
    arabic.write("")
    assert arabic.box.evaluate(direction) == "rtl"

    upstream.will_reply("نعم").will_refuse("BOT_UNAVAILABLE", status=503, retry_after=300)
    arabic.page.add_init_script(LISTENER)
    arabic.page.reload()
    arabic.ask(QUESTION)
    assert ("polite", "رد Ada: نعم") in heard(arabic.page, until="رد Ada: نعم")
    arabic.send("ثم؟")
    expect(arabic.alert).to_contain_text("لا يستطيع البوت الرد الآن. رسالتك محفوظة. يمكن إعادة المحاولة بعد")


def test_every_language_fits_the_narrowest_screen(new_visitor, site, upstream):
    upstream.will_reply(ENGLISH).will_refuse("BOT_DISABLED")
    upstream.will_refuse("BOT_UNAVAILABLE", status=503, retry_after=3000)
    visitor = new_visitor(viewport=NARROWEST)
    chat = in_language(visitor, site, "en")
    chat.ask("1")
    for number in range(2):
        chat.send("Again")
        expect(chat.alert).to_have_count(number + 1)
    found = {}
    for language, _name in settings.LANGUAGES:
        chat.page.goto(f"{site.url}/chat/help/?lang={language}")
        found[language] = misfits(chat)
        chat.page.locator("[data-menu] summary").click()
        found[language] += misfits(chat)
        chat.page.locator("[data-confirm-new]").evaluate("dialog => dialog.showPopover()")
        found[language] += misfits(chat)
        chat.page.locator("[data-help]").evaluate("dialog => dialog.showPopover()")
        found[language] += misfits(chat)
    assert {language: cut for language, cut in found.items() if cut} == {}
