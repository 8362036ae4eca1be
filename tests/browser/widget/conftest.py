"""Widget fixtures: other people's websites over TLS, the chat site, and browsers."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright

from tests.browser.host_sites import HostSites, SecureSite
from tests.browser.site import bot_row
from tests.browser.waiting import PATIENCE
from tests.browser.watch import keep_pages
from tests.browser.widget.host_page import MUSEUM, SHOP, STRANGER, Browsers, identity_key_row, page_with
from tests.webchat.certificates import Authority
from tests.webchat.upstream_server import UpstreamServer

package = pytest.fixture(scope="package")


@package
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority"))


@package
def hosts(authority: Authority) -> Iterator[HostSites]:
    with HostSites(authority, SHOP, MUSEUM, STRANGER) as hosts:
        yield hosts


@package
def chat_site(
    authority: Authority, hosts: HostSites, upstream_port: int, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[SecureSite]:
    allowed = f"{hosts.origin(SHOP)}\n{hosts.origin(MUSEUM)}"
    bots = [
        bot_row(1, "help", origins=allowed, in_portal=True),
        bot_row(2, "nowhere"),
        bot_row(4, "shared", origins=allowed, shares_text=True),
        bot_row(5, "placed", origins=allowed, tells_page=True),
        bot_row(6, "asking", origins=allowed, asks_details="before", asks_email="required", consent="I agree."),
        identity_key_row(),
    ]
    folder = tmp_path_factory.mktemp("chat-site")
    with SecureSite(folder, f"http://127.0.0.1:{upstream_port}", bots, authority) as site:
        yield site


@pytest.fixture
def new_visitor(browser: Browser) -> Iterator[Callable[..., BrowserContext]]:
    contexts = []

    def visitor(**options: object) -> BrowserContext:
        usual = {"viewport": {"width": 1280, "height": 800}, "ignore_https_errors": True, "reduced_motion": "reduce"}
        contexts.append(browser.new_context(**usual | options))
        contexts[-1].set_default_timeout(PATIENCE * 1000)
        return contexts[-1]

    yield visitor
    for context in contexts:
        keep_pages(context)
        context.close()


@pytest.fixture
def browsers(playwright: Playwright, tmp_path: Path) -> Iterator[Browsers]:
    browsers = Browsers(playwright, tmp_path)
    yield browsers
    browsers.stop()


@pytest.fixture
def shop(
    new_visitor: Callable[..., BrowserContext], hosts: HostSites, chat_site: SecureSite, upstream: UpstreamServer
) -> Page:
    """Return the shop's home page with the widget, in a new browser."""
    hosts.pages = {(SHOP, "/"): (page_with(chat_site), {}), (SHOP, "/second"): (page_with(chat_site), {})}
    page = new_visitor().new_page()
    page.goto(hosts.origin(SHOP))
    return page
