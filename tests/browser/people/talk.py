"""A visitor's conversation with a person on any surface, and how it begins."""

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Frame, Locator, Page, expect

from tests.attachments.files import picture
from tests.browser.kiosk_screen import KioskScreen, enrolled
from tests.browser.screen_reader import LISTENER
from tests.browser.site import Site

PHOTO = {"name": "leak.jpg", "mimeType": "image/jpeg", "buffer": picture("JPEG", (1200, 900))}


class Talk:
    def __init__(self, page: Page | Frame) -> None:
        self.page = page
        self.leader = page.locator("#leader")
        self.members = page.locator("[data-team-message]")
        self.events = page.locator("li.event")

    def send(self, text: str) -> None:
        self.page.locator("#message").fill(text)
        self.page.locator("#send").click()
        expect(self.page.locator("[data-message]").last).to_have_text(text)


def open_surface(new_visitor: Callable[..., BrowserContext], browser: Browser, site: Site, surface: str) -> Talk:
    if surface == "kiosk":
        return begun_visit(browser, site)[1]
    visitor = new_visitor()
    visitor.add_init_script(LISTENER)
    page = visitor.new_page()
    page.goto(f"{site.url}/{surface}/help/")
    return Talk(page)


def begun_visit(browser: Browser, site: Site) -> tuple[KioskScreen, Talk]:
    """Begin a kiosk visit with the browser's real clock."""
    page = enrolled(browser, site).new_page()
    screen = KioskScreen(page)
    page.goto(f"{site.url}/kiosk/help/")
    expect(screen.frame.locator("html[data-live]")).to_be_attached()
    screen.begin()
    return screen, Talk(page.frames[-1])


def say_from(inbox: Page, text: str) -> None:
    inbox.locator("#inbox-text").fill(text)
    inbox.locator("#inbox-send").click()


def meet(talk: Talk, inbox: Page, greeting: str) -> None:
    """Let the visitor ask for a person, who claims the conversation."""
    talk.send(greeting)
    expect(talk.page.locator("[data-reply]")).to_have_count(1)
    talk.page.locator(".top [data-person]").click()
    expect(talk.leader).to_contain_text("You are in the queue.")
    inbox.locator(".inbox-row", has_text=greeting).locator("a").click()
    inbox.get_by_role("button", name="Claim").click()
    expect(inbox.locator("#inbox-head")).to_have_attribute("data-mine", "")
    expect(talk.leader).to_contain_text("You are talking to")


def send_file(talk: Talk, file: dict[str, object] | Path) -> None:
    expect(talk.page.locator("[data-attach]")).to_be_visible()
    talk.page.locator("#file").set_input_files(file)


def is_drawn(image: Locator) -> None:
    """Expect that the picture has loaded."""
    expect(image).to_be_visible()
    expect(image).to_have_js_property("complete", True)
    assert image.evaluate("image => image.naturalWidth") > 0
