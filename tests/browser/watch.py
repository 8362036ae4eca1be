"""Watches browsers during a test: their console messages, and the hosts that they contact."""

import os
import re
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Error, Request, WebError

# Chromium logs each 4xx and 5xx response; the page shows them to the visitor.
REFUSALS = re.compile(r"Failed to load resource: the server responded with a status of (403|404|422|429) ")


class Watch:
    def __init__(self, own_url: str) -> None:
        self.hosts = {urlsplit(own_url).netloc}
        self.complaints: list[str] = []
        self.foreign_requests: list[str] = []
        self._meant: list[re.Pattern[str]] = [REFUSALS]

    def also_at(self, url: str) -> None:
        """Allow requests to another site."""
        self.hosts.add(urlsplit(url).netloc)

    def expect(self, pattern: str) -> None:
        """Allow a console message that the test provokes, for example by cutting the network."""
        self._meant.append(re.compile(pattern))

    def look_at(self, context: BrowserContext) -> None:
        context.on("console", self._hear)
        context.on("weberror", self._note)
        context.on("request", self._see)

    def check(self) -> None:
        assert not self.complaints, self.complaints
        assert not self.foreign_requests, self.foreign_requests

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not any(meant.search(message.text) for meant in self._meant):
            self.complaints.append(f"{message.type}: {message.text}")

    def _note(self, error: WebError) -> None:
        self.complaints.append(f"uncaught: {error.error}")

    def _see(self, request: Request) -> None:
        url = urlsplit(request.url)
        if url.scheme != "data" and url.netloc not in self.hosts:
            self.foreign_requests.append(request.url)


SCHEMES = {
    "light": {"color_scheme": "light", "forced_colors": "none"},
    "dark": {"color_scheme": "dark", "forced_colors": "none"},
    "forced": {"color_scheme": "dark", "forced_colors": "active"},
}


def keep_pages(context: BrowserContext) -> None:
    """Save screenshots of the test's pages at its end in the folder that KEEP_PICTURES names."""
    if not (folder := os.environ.get("KEEP_PICTURES")):
        return
    test = re.sub(r"\W+", "-", os.environ["PYTEST_CURRENT_TEST"].rpartition("/")[2].rpartition(" ")[0])
    for number, page in enumerate(context.pages):
        for scheme, media in SCHEMES.items():
            page.emulate_media(**media, reduced_motion="reduce")
            page.wait_for_timeout(150)
            name = f"{test[:180]}-{number}-{scheme}.png"
            try:
                page.screenshot(path=Path(folder) / name)
            except Error as error:  # a page whose test ended while it was loading
                print(f"{name}: {error.message}")
