"""A visitor's conversation with a person on any surface, and how it begins."""

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Frame, Locator, Page, expect

from tests.browser.kiosk_screen import KioskScreen, enrolled
from tests.browser.screen_reader import LISTENER
from tests.browser.site import Site


class Talk:
    def __init__(self, page: Page | Frame, *, live: bool) -> None:
        self.page, self.live = page, live
        self.leader = page.locator("#leader")
        self.members = page.locator("[data-team-message]")
        self.events = page.locator("li.event")

    def look(self) -> None:
        """Look for news; without JavaScript a button does that."""
        if not self.live:
            self.page.get_by_role("button", name="Show new messages").click()

    def send(self, text: str) -> None:
        self.page.locator("#message").fill(text)
        self.page.locator("#send").click()
        expect(self.page.locator("[data-message]").last).to_have_text(text)


def open_surface(
    new_visitor: Callable[..., BrowserContext], browser: Browser, site: Site, surface: str, live: bool
) -> Talk:
    if surface == "kiosk":
        return begun_visit(browser, site)[1] if live else begun_plain_visit(browser, site)
    visitor = new_visitor(java_script_enabled=live)
    visitor.add_init_script(LISTENER)
    page = visitor.new_page()
    page.goto(f"{site.url}/{surface}/help/")
    return Talk(page, live=live)


def begun_visit(browser: Browser, site: Site) -> tuple[KioskScreen, Talk]:
    """Begin a kiosk visit with the browser's real clock."""
    page = enrolled(browser, site).new_page()
    screen = KioskScreen(page)
    page.goto(f"{site.url}/kiosk/help/")
    expect(screen.frame.locator("html[data-live]")).to_be_attached()
    screen.begin()
    return screen, Talk(page.frames[-1], live=True)


def begun_plain_visit(browser: Browser, site: Site) -> Talk:
    """Begin a kiosk visit without JavaScript."""
    page = enrolled(browser, site, java_script_enabled=False).new_page()
    page.goto(f"{site.url}/kiosk/help/")
    page.wait_for_url("**/plain")
    page.get_by_role("button", name="Touch to start").click()
    return Talk(page, live=False)


def meet(talk: Talk, inbox: Page, greeting: str) -> None:
    """Let the visitor ask for a person, who claims the conversation."""
    talk.send(greeting)
    expect(talk.page.locator("[data-reply]")).to_have_count(1)
    talk.page.locator(".top [data-person]").click()
    expect(talk.leader).to_contain_text("You are in the queue.")
    inbox.locator(".inbox-row", has_text=greeting).locator("a").click()
    inbox.get_by_role("button", name="Claim").click()
    expect(inbox.locator("#inbox-head")).to_have_attribute("data-mine", "")
    talk.look()
    expect(talk.leader).to_contain_text("You are talking to")


def send_file(talk: Talk, file: dict[str, object] | Path) -> None:
    expect(talk.page.locator("[data-attach]")).to_be_visible(visible=talk.live)
    talk.page.locator("#file").set_input_files(file)
    if not talk.live:
        talk.page.get_by_role("button", name="Send file").click()


def is_drawn(image: Locator) -> None:
    """Return whether the picture has loaded."""
    expect(image).to_be_visible()
    expect(image).to_have_js_property("complete", True)
    assert image.evaluate("image => image.naturalWidth") > 0
