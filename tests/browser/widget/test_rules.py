"""The owner's rules for when the widget speaks up by itself."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.host_sites import HostSites, SecureSite
from tests.browser.widget.host_page import SHOP, Browsers, launcher, page_with

LONG = '<div style="height: 300vh"></div>'


@pytest.fixture
def rule(chat_site: SecureSite) -> Iterator[None]:
    """One for the returning visitor's second page, one for who scrolls down on the pages of the shop."""
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


def test_the_widget_speaks_up_once_to_each_visitor_on_the_owners_occasions(
    browsers: Browsers, hosts: HostSites, chat_site: SecureSite, rule: None
) -> None:
    hosts.pages = {(SHOP, path): (page_with(chat_site, body=LONG), {}) for path in ("/", "/shop/tools")}
    page = browsers.start().new_page()
    page.goto(hosts.origin(SHOP) + "/shop/tools")
    teaser = page.locator("webchat-launcher .teaser")
    expect(launcher(page)).to_be_visible()
    page.wait_for_timeout(1500)
    expect(teaser).to_be_hidden()
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    expect(teaser).to_contain_text("Looking for tools?")
    page.reload()
    page.wait_for_timeout(1500)
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    page.wait_for_timeout(1500)
    expect(teaser).to_be_hidden()

    later = page.context.new_page()  # another visit: its own tab
    later.goto(hosts.origin(SHOP))
    expect(later.locator("webchat-launcher .teaser")).to_contain_text("Welcome back")
    later.get_by_role("button", name="Welcome back").click()
    expect(launcher(later)).to_have_attribute("aria-expanded", "true")
    expect(later.locator("webchat-launcher .teaser")).to_be_hidden()


def test_before_the_visitor_has_agreed_nothing_is_kept_and_no_rule_is_followed(
    browsers: Browsers, hosts: HostSites, chat_site: SecureSite, rule: None
) -> None:
    hosts.pages = {(SHOP, "/shop/saws"): (page_with(chat_site, attributes="data-consent"), {})}
    page = browsers.start().new_page()
    page.goto(hosts.origin(SHOP) + "/shop/saws")
    launcher(page).click()
    page.evaluate("Webchat.close()")
    page.wait_for_timeout(1500)
    expect(page.locator("webchat-launcher .teaser")).to_be_hidden()
    assert stored(page) == "[{},{}]"
    page.evaluate("Webchat.consent()")
    expect(page.locator("webchat-launcher .teaser")).to_contain_text("Looking for tools?")
    assert "rule" in stored(page)
