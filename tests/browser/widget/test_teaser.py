"""What the widget says beside its button: the page's teaser, and the owner's rules."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import MOVING
from tests.browser.host_sites import SecureSite
from tests.browser.widget.host_page import SHOP, chat_in, launcher, page_with


def says_what_is_seen(shop: Page, words: str) -> None:
    """Its accessible name begins with its visible text, for speech input (WCAG 2.5.3)."""
    expect(launcher(shop)).to_have_text(words)
    assert launcher(shop).get_attribute("aria-label").startswith(words)


def test_on_a_phone_the_teaser_is_above_the_button_and_the_chat_opens(new_visitor, hosts, chat_site):
    attributes = 'data-teaser="Can I help you find something?" data-teaser-after="0" data-label="Questions?"'
    hosts.pages = {(SHOP, "/"): (page_with(chat_site, attributes=attributes), {})}
    page = new_visitor(viewport={"width": 360, "height": 440}, has_touch=True, is_mobile=True, **MOVING).new_page()
    page.goto(hosts.origin(SHOP))
    teaser = page.locator("webchat-launcher .teaser")
    expect(teaser).to_be_in_viewport(ratio=1)
    expect(launcher(page)).to_be_in_viewport(ratio=1)
    teaser.evaluate("it => Promise.all(it.getAnimations().map((each) => each.finished))")  # the animation has ended
    above, button = teaser.bounding_box(), launcher(page).bounding_box()
    assert above["y"] + above["height"] <= button["y"]
    launcher(page).click()
    chat = chat_in(page)
    expect(chat.locator("#message")).to_be_focused()


def test_a_teaser_that_was_dismissed_stays_away(shop, hosts, chat_site):
    attributes = 'data-teaser="Questions?" data-teaser-after="0" data-label="Need help?"'
    hosts.pages[SHOP, "/teaser"] = (page_with(chat_site, attributes=attributes), {})
    shop.goto(hosts.origin(SHOP) + "/teaser")
    says_what_is_seen(shop, "Need help?")
    launcher(shop).click()
    says_what_is_seen(shop, "Need help?")
    launcher(shop).click()
    shop.reload()
    shop.get_by_role("button", name="Dismiss").click()
    shop.reload()
    expect(launcher(shop)).to_be_visible()
    shop.wait_for_timeout(100)
    expect(shop.get_by_text("Questions?")).to_be_hidden()


LONG = '<div style="height: 300vh"></div>'


@pytest.fixture
def rule(chat_site: SecureSite) -> Iterator[None]:
    """Return two rules: for a returning visitor's second page, and for scrolling down on the shop's pages."""
    columns = "bot_id, text, texts, page, visitors, seconds, scrolled"
    for values in (
        "(1, 'Looking for tools?', '{}', '/shop/*', '', 0, 50)",
        "(1, 'Welcome back', '{}', '', 'returning', 0, 0)",
    ):
        chat_site.ask_database(f"INSERT INTO webchat_teaserrule ({columns}) VALUES {values}")
    yield
    chat_site.ask_database("DELETE FROM webchat_teaserrule")


def stored(page: Page) -> str:
    return page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }])")


def test_a_teaser_rule_applies_once_to_each_visitor(new_visitor, hosts, chat_site, rule):
    hosts.pages = {(SHOP, path): (page_with(chat_site, body=LONG), {}) for path in ("/", "/shop/tools")}
    page = new_visitor().new_page()
    page.goto(hosts.origin(SHOP) + "/shop/tools")
    teaser = page.locator("webchat-launcher .teaser")
    expect(launcher(page)).to_be_visible()
    page.wait_for_timeout(500)
    expect(teaser).to_be_hidden()
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    expect(teaser).to_contain_text("Looking for tools?")
    page.reload()
    expect(launcher(page)).to_be_visible()
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    page.wait_for_timeout(1500)
    expect(teaser).to_be_hidden()

    later = page.context.new_page()  # another visit, in a new tab
    later.goto(hosts.origin(SHOP))
    expect(later.locator("webchat-launcher .teaser")).to_contain_text("Welcome back")
    later.get_by_role("button", name="Welcome back").click()
    expect(launcher(later)).to_have_attribute("aria-expanded", "true")
    expect(later.locator("webchat-launcher .teaser")).to_be_hidden()


def test_before_consent_nothing_is_stored_and_no_teaser_rule_applies(new_visitor, hosts, chat_site, rule):
    hosts.pages = {(SHOP, "/shop/saws"): (page_with(chat_site, attributes="data-consent"), {})}
    page = new_visitor().new_page()
    page.goto(hosts.origin(SHOP) + "/shop/saws")
    launcher(page).click()
    page.evaluate("Webchat.close()")
    page.wait_for_timeout(1500)
    expect(page.locator("webchat-launcher .teaser")).to_be_hidden()
    assert stored(page) == "[{},{}]"
    page.evaluate("Webchat.consent()")
    expect(page.locator("webchat-launcher .teaser")).to_contain_text("Looking for tools?")
    assert "rule" in stored(page)
