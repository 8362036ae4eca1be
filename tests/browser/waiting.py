"""Waits for conditions in a page; Playwright's own way needs eval, which the site's policy forbids."""

import time
from collections.abc import Sized

from playwright.sync_api import Error, Page

PATIENCE = 30  # seconds that a busy machine may need
# For pages that ask for news every 2 seconds: each test would wait for most of them.
ASK_OFTEN = """{
  const wait = setTimeout;
  window.setTimeout = (act, time, ...rest) => wait(act, time === 2000 ? 300 : time, ...rest);
}"""
# After 10 seconds it gives up what never comes.
GIVE_UP_SOON = """document.addEventListener("htmx:configRequest", ({ detail }) => {
  if (detail.timeout === 10_000) detail.timeout = 1000;
})"""


def wait_until(page: Page, expression: str, seconds: float = PATIENCE) -> None:
    """Wait until the expression is true, across reloads."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if page.evaluate(expression):
                return
        except Error:  # the page is reloading
            pass
        page.wait_for_timeout(20)
    raise AssertionError(f"never true: {expression}")


def wait_for_frames(page: Page) -> None:
    """Wait for two frames: work that a script has deferred to the next frame is then done and laid out."""
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))")


def wait_for_rest(page: Page) -> None:
    """Wait until scrolling and animations have ended, except endless ones."""
    page.evaluate("""new Promise((done) => {
      let last, frames = 0;
      const glides = () => document.getAnimations().some(
        (each) => each.playState === "running" && each.effect.getComputedTiming().endTime !== Infinity);
      const look = () => {
        frames = scrollY === last && !glides() ? frames + 1 : 0;
        last = scrollY;
        if (frames < 10) requestAnimationFrame(look);
        else done();
      };
      look();
    })""")


def wait_for_some(page: Page, collected: Sized, count: int = 1) -> None:
    """Wait until that many events have been collected: the browser reports them a moment later."""
    end = time.monotonic() + PATIENCE
    while len(collected) < count:
        assert time.monotonic() < end, f"{len(collected)} came, not {count}"
        page.wait_for_timeout(10)
