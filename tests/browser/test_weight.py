"""Page weight: bytes and requests of a first visit, as Chromium counts them."""

import gzip
import urllib.request
from typing import Any

import pytest
from playwright.sync_api import BrowserContext

from tests.browser.conftest import CUSTOMERS
from tests.browser.test_portal import sign_in

# Bytes, headers included. Django pads compressed pages with up to 100 random bytes, against BREACH.
LIMIT = 40_000 + 100
OWN_JAVASCRIPT = 12_000  # bytes, gzip


def load(visitor: BrowserContext, url: str) -> dict[str, int]:
    """Load the page; map URLs to bytes on the wire."""
    page = visitor.new_page()
    network = visitor.new_cdp_session(page)
    network.send("Network.enable")
    urls: dict[str, str] = {}
    weights: dict[str, int] = {}

    def requested(event: dict[str, Any]) -> None:
        urls[event["requestId"]] = event["request"]["url"]

    def finished(event: dict[str, Any]) -> None:
        weights[urls[event["requestId"]]] = event["encodedDataLength"]

    network.on("Network.requestWillBeSent", requested)
    network.on("Network.loadingFinished", finished)
    page.goto(url, wait_until="networkidle")
    assert len(weights) == len(urls)
    return weights


@pytest.mark.parametrize("path", ["/", "/embed/help/", "/chat/notified/"])
def test_the_page_with_everything_it_loads_keeps_its_budget(path, visitor, site):
    weights = load(visitor, site.url + path)
    assert len(weights) <= 6, weights
    assert sum(weights.values()) <= LIMIT, weights
    own = visitor.pages[0].locator("script[type=module]").evaluate_all("scripts => scripts.map(({ src }) => src)")
    assert 0 < sum(weight_of(url) for url in own) <= OWN_JAVASCRIPT


def weight_of(url: str) -> int:
    with urllib.request.urlopen(url) as answer:
        return len(gzip.compress(answer.read()))


def test_the_portal_keeps_its_budget(visitor, site):
    page = sign_in(visitor, site, CUSTOMERS[-1])
    conversation = page.locator("[data-conversation] a").first.get_attribute("href")
    with_people = "/portal/chat/notified/"
    for path, limit in (("/portal/", 33_500), (conversation, LIMIT), (with_people, LIMIT)):
        visitor.new_cdp_session(page).send("Network.clearBrowserCache")
        weights = load(visitor, site.url + path)
        assert len(weights) == 3, weights
        assert limit / 2 < sum(weights.values()) <= limit, weights


def test_the_first_paint_needs_only_the_page_itself(visitor, site):
    page = visitor.new_page()
    page.goto(f"{site.url}/chat/rose/")
    assert page.locator("link[rel=stylesheet], script:not([defer]):not([type=module])").count() == 0
    assert page.evaluate("getComputedStyle(document.querySelector('.top')).position") == "sticky"


def test_a_second_visit_loads_the_page_alone(visitor, site):
    load(visitor, site.url)
    weights = load(visitor, site.url)
    assert [url for url, weight in weights.items() if weight] == [f"{site.url}/"]
