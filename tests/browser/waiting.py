"""Waiting for what a page's script knows; Playwright's own way needs eval, which the site's policy forbids."""

import time
from collections.abc import Sized

from playwright.sync_api import Error, Page

PATIENCE = 30  # seconds that a busy machine may need for what takes a fraction of one


def wait_until(page: Page, expression: str, seconds: float = PATIENCE) -> None:
    """Until the expression is true, also over a reload."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if page.evaluate(expression):
                return
        except Error:  # the page is just being loaded anew
            pass
        page.wait_for_timeout(20)
    raise AssertionError(f"never true: {expression}")


def wait_for_frames(page: Page) -> None:
    """Two: what a script has put off to the next frame is done and laid out, however long a busy machine takes."""
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))")


def wait_for_rest(page: Page) -> None:
    """Until the page scrolls no more and nothing glides; what turns without end is let be."""
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
    """Until what the browser tells of has come to so many: it tells of it a moment after the page has done it."""
    end = time.monotonic() + PATIENCE
    while len(collected) < count:
        assert time.monotonic() < end, f"{len(collected)} came, not {count}"
        page.wait_for_timeout(10)
