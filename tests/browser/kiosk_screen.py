"""A page object for a kiosk, with a clock that the test moves."""

import hashlib
import json
import time
from typing import Self

from playwright.sync_api import Browser, BrowserContext, Error, Page, Request, expect

from tests.browser.chat_page import ChatPage
from tests.browser.site import Site
from tests.browser.waiting import PATIENCE

TOKEN = "token-of-the-kiosk"
IDLE, WARNING = 30, 20  # seconds
JUMP = 1  # seconds: Playwright can stop a clock only at a future moment
PORTRAIT, LANDSCAPE = {"width": 1080, "height": 1920}, {"width": 1920, "height": 1080}
SMALLER = {"width": 540, "height": 960}  # where the size is not looked at: Chromium paints each pixel
# Chromium's warning about the visit's frame; docs/decisions/kiosk.md gives the reason for it.
SANDBOX = "both allow-scripts and allow-same-origin"


def kiosk_row(number: int = 1, bot: int = 1, token: str = TOKEN, **fields: object) -> dict[str, object]:
    """Return an enrolled kiosk in `loaddata`'s format."""
    row = {"name": "Lobby", "bot": bot, "token_hash": hashlib.sha256(token.encode()).hexdigest()}
    row |= {"idle_seconds": IDLE, "warning_seconds": WARNING}
    return {"model": "kiosk.device", "pk": number, "fields": row | fields}


def enrolled(browser: Browser, site: Site, token: str = TOKEN, **options: object) -> BrowserContext:
    """Return a kiosk's browser, with reduced motion: Playwright clicks only what stands still."""
    options = {"viewport": SMALLER, "has_touch": True, "reduced_motion": "reduce"} | options
    context = browser.new_context(**options)
    context.set_default_timeout(PATIENCE * 1000)
    context.add_cookies([{"name": "kiosk", "value": token, "url": site.url}])
    return context


class KioskScreen:
    """A kiosk's screen; `chat` is the page of the current visit, in its frame."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.frame = page.frame_locator("iframe")
        self.chat = ChatPage(self.frame)  # type: ignore[arg-type] - finds what is in a frame as it does in a page
        self.root = page.locator("html")
        self.count = page.locator("[data-count]")
        self.finish = self.frame.get_by_role("button", name="Finish")
        self._under_way: set[Request] = set()
        page.on("request", self._note)
        for end in ("requestfinished", "requestfailed"):
            page.on(end, self._forget)

    @classmethod
    def open(cls, context: BrowserContext, site: Site, bot: str = "help") -> Self:
        screen = cls.switch_on(context, site, bot)
        screen.expect("attract")
        screen.wait_for_visit()
        return screen

    @classmethod
    def switch_on(cls, context: BrowserContext, site: Site, bot: str = "help") -> Self:
        """Open the screen without waiting for the attract screen."""
        page = context.new_page()
        page.clock.install()
        screen = cls(page)
        page.goto(f"{site.url}/kiosk/{bot}/")
        return screen

    @property
    def active_screen(self) -> str:
        return self.page.evaluate("document.documentElement.dataset.activeScreen")

    def expect(self, active_screen: str) -> None:
        expect(self.root).to_have_attribute("data-active-screen", active_screen)

    def wait_for_visit(self) -> None:
        """Wait until the next visit's page has loaded behind the attract screen."""
        self.run_clock()
        expect(self.frame.locator("html[data-live]")).to_be_attached()

    def begin(self) -> None:
        self.page.get_by_role("button", name="Touch to start").click()
        self.expect("visit")

    def touch(self, question: str) -> None:
        """Touch a suggested question on the attract screen."""
        self.run_clock()
        self.page.locator(".attract").get_by_role("button", name=question).click()

    def run_clock(self) -> None:
        """Let the page's clock run."""
        self.page.clock.resume()

    def pass_time(self, seconds: int) -> None:
        """Move the page's clock, then stop it; requests to the server still take real time."""
        self._stop_the_clock()
        for _ in range(seconds - JUMP):
            self.page.clock.run_for(1000)
            while self._under_way:
                self.page.wait_for_timeout(5)

    def _stop_the_clock(self) -> None:
        for _ in range(10):
            try:
                return self.page.clock.pause_at(self.page.evaluate("Date.now() / 1000") + JUMP)
            except Error as error:
                if "to the past" not in str(error):
                    raise  # on a busy machine the moment may already have passed
        raise AssertionError("the clock can't be stopped")

    def everything(self) -> str:
        """Return everything that the page holds: HTML, values, storage."""
        script = """() => {
          const of = (page) => [page.documentElement.outerHTML, page.URL, page.title, page.defaultView.name,
            [...page.querySelectorAll("input, textarea")].map((field) => field.value),
            JSON.stringify(page.defaultView.history.state)];
          const frames = [...document.querySelectorAll("iframe")].map((frame) => frame.contentDocument);
          if (!frames.every((page) => page?.documentElement)) return null; // one is just being loaded
          const kept = [{ ...localStorage }, { ...sessionStorage }, document.cookie];
          return JSON.stringify([...[document, ...frames].map(of), kept]);
        }"""
        end = time.monotonic() + 10
        while (found := self.page.evaluate(script)) is None and time.monotonic() < end:
            self.page.wait_for_timeout(20)
        assert found is not None, "a frame is being loaded for ever"
        return found

    def cookies(self) -> str:
        return json.dumps(self.page.context.cookies())

    def _note(self, request: Request) -> None:
        if request.resource_type == "fetch":
            self._under_way.add(request)

    def _forget(self, request: Request) -> None:
        self._under_way.discard(request)
