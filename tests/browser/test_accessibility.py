"""axe finds no fault in any state of the page, in every theme: WCAG 2.2 AA and best practices."""

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.chat_page import ChatPage
from tests.browser.site import Site
from tests.browser.states import RICH, walk
from tests.browser.watch import Watch
from tests.webchat.upstream_server import UpstreamServer

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
OPTIONS = {"runOnly": RULES, "resultTypes": ["violations"]}
NETWORK_GONE = r"net::ERR_|htmx:(sendError|afterRequest)"

PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True}
DESK = {"viewport": {"width": 1280, "height": 800}}
DRESSES: dict[str, dict[str, object]] = {
    "light": DESK,
    "dark, on a phone, Arabic": PHONE | {"color_scheme": "dark", "locale": "ar"},
}


def complaints(page: Page) -> list[str]:
    found = Axe().run(page, options=OPTIONS).response["violations"]
    return [f"{rule['id']}: {node['failureSummary']} {node['html'][:120]}" for rule in found for node in rule["nodes"]]


@pytest.mark.parametrize("dress", DRESSES)
def test_axe_finds_nothing_in_any_state_of_the_page(
    new_visitor: Callable[..., BrowserContext], site: Site, upstream: UpstreamServer, watch: Watch, dress: str
) -> None:
    watch.expect(NETWORK_GONE)
    chat = ChatPage.open(new_visitor(reduced_motion="reduce", **DRESSES[dress]), site.url)
    found = {state: complaints(chat.page) for state in walk(chat, upstream)}
    assert len(found) >= 9
    assert not {state: each for state, each in found.items() if each}


def open_not_found(page: Page, site: Site) -> None:
    page.goto(f"{site.url}/nowhere")


def open_confirmation(page: Page, site: Site) -> None:
    page.goto(f"{site.url}/chat/help/new")


def open_too_long(page: Page, site: Site) -> None:
    page.goto(site.url)
    page.locator("[data-composer]").evaluate(
        """form => {
          const field = Object.assign(document.createElement("input"), { type: "hidden", name: "message" });
          field.value = "x".repeat(4_000_000);
          form.append(field);
          form.submit();
        }"""
    )
    page.wait_for_url("**/messages")


def open_expired(page: Page, site: Site) -> None:
    """Cookies were cleared while the page for a new conversation stood there."""
    open_confirmation(page, site)
    page.context.clear_cookies()
    page.locator("[data-confirm]").click()


PAGES = {
    "There is nothing here": open_not_found,
    "Start a new conversation?": open_confirmation,
    "Too long": open_too_long,
    "This page has expired": open_expired,
}


def test_axe_finds_nothing_on_the_pages_beside_the_chat(visitor: BrowserContext, site: Site, watch: Watch) -> None:
    watch.expect("413")
    page = visitor.new_page()
    for scheme, (heading, open_it) in zip(("light", "dark") * 2, PAGES.items(), strict=True):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        open_it(page, site)
        expect(page.get_by_role("heading").first).to_have_text(heading)
        page.wait_for_load_state()
        assert complaints(page) == [], heading


def test_axe_finds_nothing_on_the_page_without_javascript(
    visitor: BrowserContext, site: Site, upstream: UpstreamServer, watch: Watch
) -> None:
    watch.expect("net::ERR_FAILED")
    visitor.route("**/*.js", lambda route: route.abort())  # axe itself needs a page in which scripts may run
    chat = ChatPage.open(visitor, site.url)
    upstream.will_reply(RICH).will_refuse("BOT_DISABLED")
    for text, outcome in {"When do you open?": chat.replies, "And then?": chat.alert, "": chat.refusal}.items():
        chat.write(text)
        chat.send_button.click()
        expect(outcome).to_have_count(1)
    for outcome in (chat.replies, chat.alert, chat.refusal):
        expect(outcome).to_have_count(1)
    chat.page.wait_for_load_state()
    assert complaints(chat.page) == []
