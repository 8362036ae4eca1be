"""Finds the Chromium that the browser tests drive, or installs one: `python -m tests.browser.chromium`."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Browser, Playwright, sync_playwright

SHELL = "chromium-headless-shell"  # Chromium without windows: a page takes a third less processor time
NAMES = (SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MISSING = "The browser's tests need Chromium and what drives it. Install both: apt-get install chromium libatomic1"
TRY = "--try"
LEAN = Path(__file__).with_suffix(".sh")


def works() -> bool:
    """Return whether Chromium starts; tried in another process, whose errors are not shown."""
    return _run(sys.executable, "-m", "tests.browser.chromium", TRY)


def find_on_machine() -> str | None:
    own = os.environ.get("CHROMIUM")
    found = (path for path in ([own] if own else map(shutil.which, NAMES)) if path and os.access(path, os.X_OK))
    return next(found, None)


def launch(playwright: Playwright, *arguments: str) -> Browser:
    """Start Chromium headless and, as Playwright does, without a sandbox: it opens only our own pages."""
    return playwright.chromium.launch(args=arguments, **how())


def how() -> dict[str, object]:
    """Return Playwright's launch options; none where its own Chromium is used."""
    found = find_on_machine()
    return {"executable_path": LEAN, "env": {**os.environ, "CHROMIUM": found}} if found else {}


def may_install_packages() -> bool:
    return bool(shutil.which("apt-get")) and os.geteuid() == 0


def install() -> None:
    """Install Debian's packages as root, else Playwright's Chromium. Errors are ignored: `works` decides."""
    if may_install_packages():
        _run("apt-get", "update")
        # Playwright's driver needs libatomic1, which a minimal Debian lacks.
        _apt_install(SHELL, "libatomic1", "fonts-noto-core", "fonts-noto-cjk")
        if not works():
            _apt_install("chromium", "libatomic1", "fonts-noto-core", "fonts-noto-cjk")
    if not works():
        _run(sys.executable, "-m", "playwright", "install", "chromium")


def _apt_install(*packages: str) -> None:
    _run("apt-get", "install", "-y", "--no-install-recommends", "--no-remove", *packages)


def _run(*command: str) -> bool:
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return subprocess.run(command, **quiet, check=False).returncode == 0


if __name__ == "__main__":
    if sys.argv[1:] == [TRY]:
        with sync_playwright() as playwright:
            launch(playwright).close()
    elif (may_install_packages() and not shutil.which(SHELL) and not os.environ.get("CHROMIUM")) or not works():
        print("Installing Chromium for the browser's tests …", flush=True)
        install()
        if not works():
            sys.exit(MISSING)
