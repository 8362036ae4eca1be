"""A kiosk as its visitors and its owner see it, under a clock that the test moves."""

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
JUMP = 1  # seconds: Playwright stops a clock only at a moment that is still to come
PORTRAIT, LANDSCAPE = {"width": 1080, "height": 1920}, {"width": 1920, "height": 1080}
# Chromium says so of the visit's frame; docs/decisions/kiosk.md says why it is so.
SANDBOX = "both allow-scripts and allow-same-origin"


def kiosk_row(number: int = 1, bot: int = 1, token: str = TOKEN, **fields: object) -> dict[str, object]:
    """An enrolled kiosk as `loaddata` reads it."""
    row = {"name": "Lobby", "bot": bot, "token_hash": hashlib.sha256(token.encode()).hexdigest()}
    row |= {"idle_seconds": IDLE, "warning_seconds": WARNING}
    return {"model": "kiosk.device", "pk": number, "fields": row | fields}


def enrolled(browser: Browser, site: Site, token: str = TOKEN, **options: object) -> BrowserContext:
    """The browser of a kiosk. Without motion: what drifts is never still enough for Playwright to touch it."""
    options = {"viewport": PORTRAIT, "has_touch": True, "reduced_motion": "reduce"} | options
    context = browser.new_context(**options)
    context.set_default_timeout(PATIENCE * 1000)
    context.add_cookies([{"name": "kiosk", "value": token, "url": site.url}])
    return context


class KioskScreen:
    """The screen, and in `chat` the page of the present visit."""

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
        """Whatever comes of it."""
        page = context.new_page()
        page.clock.install()
        screen = cls(page)
        page.goto(f"{site.url}/kiosk/{bot}/")
        return screen

    @property
    def stands(self) -> str:
        return self.page.evaluate("document.documentElement.dataset.stands")

    def expect(self, stands: str) -> None:
        expect(self.root).to_have_attribute("data-stands", stands)

    def wait_for_visit(self) -> None:
        """Until the next visitor's page is there, behind the attract screen."""
        self.go_on()
        expect(self.frame.locator("html[data-live]")).to_be_attached()

    def begin(self) -> None:
        self.page.get_by_role("button", name="Touch to start").click()
        self.expect("visit")

    def touch(self, question: str) -> None:
        """A suggested question on the attract screen."""
        self.go_on()
        self.page.locator(".attract").get_by_role("button", name=question).click()

    def go_on(self) -> None:
        """The page's clock goes as ours does."""
        self.page.clock.resume()

    def pass_time(self, seconds: int) -> None:
        """On the page's clock, which then stands still; what is asked of the server is answered in real time."""
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
                    raise  # else so busy a machine that the moment had passed when it was named
        raise AssertionError("the clock can't be stopped")

    def everything(self) -> str:
        """All that the page holds, of whatever kind."""
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
