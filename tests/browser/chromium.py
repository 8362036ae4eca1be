"""Finds the Chromium that the browser tests drive, or installs one: `python -m tests.browser.chromium`."""

import os
import shutil
import subprocess
import sys

from playwright.sync_api import Browser, Playwright, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MISSING = "No Chromium for the browser's tests. Install it: apt-get install chromium"


def find() -> str | None:
    """The path of a Chromium that is there already: the machine's, else Playwright's own."""
    if path := find_on_machine():
        return path
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if os.path.exists(path) else None


def find_on_machine() -> str | None:
    own = os.environ.get("CHROMIUM")
    found = (path for path in ([own] if own else map(shutil.which, NAMES)) if path and os.access(path, os.X_OK))
    return next(found, None)


def launch(playwright: Playwright) -> Browser:
    """Without a window and, as is Playwright's way, without a sandbox: only our own pages are opened."""
    return playwright.chromium.launch(executable_path=find_on_machine())  # None: Playwright's own


def install() -> None:
    """Debian's package where we may, else Playwright's own; silent about what doesn't work, `find` decides."""
    if shutil.which("apt-get") and os.geteuid() == 0:
        _try("apt-get", "update")
        _try("apt-get", "install", "-y", "--no-install-recommends", "chromium", "fonts-noto-core", "fonts-noto-cjk")
    if find() is None:
        _try(sys.executable, "-m", "playwright", "install", "chromium")


def _try(*command: str) -> None:
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)


if __name__ == "__main__":
    if find() is None:
        print("Installing Chromium for the browser's tests …", flush=True)
        install()
    if find() is None:
        sys.exit(MISSING)
