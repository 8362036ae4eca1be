"""axe finds no violation in any state of the page, in every theme: WCAG 2.2 AA and best practices."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import complaints
from tests.browser.chat_page import ChatPage
from tests.browser.site import Site
from tests.browser.states import RICH, walk

NETWORK_GONE = r"net::ERR_|htmx:(sendError|afterRequest)"

PHONE = {"viewport": {"width": 320, "height": 640}, "has_touch": True, "is_mobile": True}
DESK = {"viewport": {"width": 1280, "height": 800}}
DRESSES: dict[str, dict[str, object]] = {
    "light": DESK,
    "dark, on a phone, Arabic": PHONE | {"color_scheme": "dark", "locale": "ar"},
}

# Elements wider than the window: a reader would have to scroll in two directions (WCAG 1.4.10). Tables and
# code may, within a part of the page that scrolls by itself.
BEYOND = """() => {
  const scrolls = (element) => element.closest("pre, [data-reply] > div");
  const wide = [...document.body.querySelectorAll("*")].filter((element) => {
    const { left, right, width, height } = element.getBoundingClientRect();
    const shown = width > 1 && height > 1 && element.checkVisibility() && !element.closest(".skip, .unseen");
    return shown && (left < -1 || right > innerWidth + 1) && !(scrolls(element) && scrolls(element) !== element);
  });
  const page = document.scrollingElement.scrollWidth > innerWidth ? ["page"] : [];
  return [...wide.map((element) => element.outerHTML.slice(0, 100)), ...page];
}"""

# Targets of a pointer that are smaller than so many pixels (WCAG 2.5.8 and 2.5.5); links within a text are exempt.
MOUSE, FINGER = 24, 44
SMALL = """(least) => [...document.querySelectorAll("a, button, input, textarea, summary, select, label")]
  .filter((element) => element.checkVisibility() && !element.matches("[data-quiet]"))
  .filter((element) => !element.closest(".unseen, .skip, .text"))
  .filter((element) => {
    const { width, height } = (element.closest("label") ?? element).getBoundingClientRect();
    return width < least || height < least;
  })
  .map((element) => element.outerHTML.slice(0, 100))"""


@pytest.mark.parametrize("dress", DRESSES)
def test_axe_finds_nothing_in_any_state_and_everything_fits(new_visitor, site, upstream, watch, dress):
    watch.expect(NETWORK_GONE)
    chat = ChatPage.open(new_visitor(**DRESSES[dress]), site.url)
    least = FINGER if "has_touch" in DRESSES[dress] else MOUSE

    def wrong() -> list[str]:
        return complaints(chat.page) + chat.page.evaluate(BEYOND) + chat.page.evaluate(SMALL, least)

    found = {state: wrong() for state in walk(chat, upstream)}
    assert len(found) >= 9
    chat.page.goto(f"{site.url}/chat/rose/")
    found["a long name"] = wrong()
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
    page.wait_for_url("**/messages#person")


def open_expired(page: Page, site: Site) -> None:
    """Open the page that is shown after cookies were cleared while somebody was about to sign in."""
    page.goto(f"{site.url}/portal/sign-in")
    page.context.clear_cookies()
    page.locator("form", has=page.locator("[name=password]")).evaluate("form => form.submit()")


PAGES = {
    "There is nothing here": open_not_found,
    "Start a new conversation?": open_confirmation,
    "Too long": open_too_long,
    "This page has expired": open_expired,
}


def test_axe_finds_nothing_on_the_pages_beside_the_chat(visitor, site, watch):
    watch.expect("413")
    page = visitor.new_page()
    for scheme, (heading, open_it) in zip(("light", "dark") * 2, PAGES.items(), strict=True):
        page.emulate_media(color_scheme=scheme)
        open_it(page, site)
        expect(page.get_by_role("heading").first).to_have_text(heading)
        page.wait_for_load_state()
        assert complaints(page) + page.evaluate(BEYOND) == [], heading


def test_axe_finds_nothing_on_the_page_without_javascript(visitor, site, upstream, watch):
    watch.expect("net::ERR_FAILED")
    visitor.route("**/*.js", lambda route: route.abort())  # axe needs a page that may run scripts
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
