"""The widget on a shop's page: its HTML, the browser that opens it, and the steps in the chat."""

import json
import time
import uuid
from pathlib import Path

import jwt
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from playwright.sync_api import BrowserContext, FrameLocator, Locator, Page, Playwright, expect

from tests.browser import chromium
from tests.browser.host_sites import RESOLVER_RULES, HostSites, SecureSite
from tests.browser.waiting import PATIENCE
from tests.webchat.identity_provider import pem

SHOP, MUSEUM, STRANGER = "shop.example", "museum.example", "stranger.example"
SHOPS_KEY = Ed25519PrivateKey.generate()


def identity_key_row() -> dict[str, object]:
    fields = {"bot": 1, "name": "shop", "algorithm": "EdDSA", "public_key": pem(SHOPS_KEY)}
    return {"model": "webchat.identitykey", "pk": 1, "fields": fields}


def identity(customer: str) -> str:
    """Return the identity token that the shop's server signs for a customer."""
    claims = {"sub": customer, "name": customer, "aud": "help", "exp": int(time.time()) + 300, "jti": uuid.uuid4().hex}
    return jwt.encode(claims, SHOPS_KEY, algorithm="EdDSA")


def page_with(site: SecureSite, *, bot: str = "help", attributes: str = "", body: str = "") -> str:
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>A shop</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<script src="{site.url}/embed.js" data-bot="{bot}" {attributes} async></script>'
        f'<body><main><h1>A shop</h1><a href="/second">Second page</a>{body}</main>'
    )


class Browsers:
    """Starts Chromium without third-party cookies and with a profile on disk, so that it can be restarted."""

    def __init__(self, playwright: Playwright, folder: Path) -> None:
        self._playwright = playwright
        self._folder = folder
        self._open: list[BrowserContext] = []

    def start(self) -> BrowserContext:
        profile = self._folder / "profile"
        if not profile.exists():
            (profile / "Default").mkdir(parents=True)
            blocked = {"block_third_party_cookies": True, "cookie_controls_mode": 1}
            (profile / "Default" / "Preferences").write_text(json.dumps({"profile": blocked}))
        context = self._playwright.chromium.launch_persistent_context(
            profile,
            **chromium.how(),
            args=[RESOLVER_RULES],
            ignore_https_errors=True,
            viewport={"width": 1280, "height": 800},
        )
        context.set_default_timeout(PATIENCE * 1000)
        self._open.append(context)
        return context

    def stop(self) -> None:
        for context in self._open:
            context.close()


def launcher(page: Page) -> Locator:
    return page.locator("webchat-launcher .launch")


def chat_in(page: Page) -> FrameLocator:
    return page.frame_locator("webchat-launcher iframe")


def resumed_in(page: Page) -> FrameLocator:
    """Return the chat once its script runs and shows the visitor's conversation."""
    chat = chat_in(page)
    expect(chat.locator(":root[data-live]:not([data-resuming])")).to_have_count(1)
    return chat


def send(page: Page, text: str) -> None:
    """Send with Enter, which only breaks the line until the frame's script runs."""
    chat = resumed_in(page)
    chat.locator("#message").fill(text)
    chat.locator("#message").press("Enter")


def ask(page: Page, text: str) -> None:
    chat = resumed_in(page)
    expected = chat.locator("[data-transcript] [data-reply]").count() + 1
    send(page, text)
    expect(chat.locator("[data-transcript] [data-reply]")).to_have_count(expected)


def shop_of(customer: str, site: SecureSite, hosts: HostSites, *, by_function: bool = False) -> None:
    """Return the shop's pages for the customer who is logged in, each with a new token."""
    token = identity(customer)
    function = f"<script>window.webchatIdentity = async () => {json.dumps(token)}</script>"
    page = page_with(site, attributes="" if by_function else f'data-identity="{token}"')
    hosts.pages = {(SHOP, "/"): (function * by_function + page, {}), (SHOP, "/nobody"): (page_with(site), {})}
