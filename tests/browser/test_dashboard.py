"""The owner's way in the dashboard: a bot is made, trained on an upload, tried, given a key, and its chats are read."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests
from playwright.sync_api import Browser, Page, expect

from tests.browser.owner import PHONE, logged_in, owner_row
from tests.browser.site import Site

GUIDE = """# The garden

## Watering

The roses are watered in the evening, the tomatoes in the morning.

## Opening hours

The garden is open from May to October, every day from eight to eight.
"""
PAGES = ("Settings", "Documents", "Try it", "Keys", "Chat history", "Unanswered")


@pytest.fixture(scope="module")
def own_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The site as `make run` serves it, its endpoint in its own process, and one owner who may log in."""
    with Site(tmp_path_factory.mktemp("own-site"), "docbot://in-process", [owner_row()], WEB_PROCESSES=1) as site:
        yield site


@pytest.fixture
def desk(browser: Browser, own_site: Site) -> Iterator[Page]:
    with logged_in(browser, own_site, "/admin/docbot/trainedbot/") as page:
        yield page


def test_a_bot_is_made_trained_tried_and_used(desk: Page, own_site: Site, tmp_path: Path):
    guide = tmp_path / "garden.md"
    guide.write_text(GUIDE)

    desk.get_by_role("link", name="Add trained bot").click()
    desk.get_by_label("Name").fill("Garden guide")
    desk.get_by_role("button", name="Save", exact=True).click()

    expect(desk.locator("h1")).to_have_text("Garden guide")
    expect(desk.locator("[data-state=not_trained]")).to_be_visible()
    desk.get_by_label("Upload files").set_input_files(guide)
    desk.get_by_role("button", name="Upload and train").click()
    expect(desk.locator("#training")).to_contain_text("Trained just now", timeout=60_000)
    expect(desk.locator("#result_list")).to_contain_text("The garden")
    expect(desk.locator("[data-state=online]")).to_be_visible()

    desk.get_by_role("link", name="Try it").click()
    desk.get_by_label("What would it reply?").fill("When are the roses watered?")
    desk.get_by_role("button", name="Ask").click()
    expect(desk.locator("[data-reply]")).to_contain_text("in the evening")
    expect(desk.locator(".hits > li").first).to_contain_text("Watering")

    desk.get_by_role("link", name="Keys", exact=True).click()
    desk.get_by_label("Make a key").fill("website")
    desk.get_by_role("button", name="Make a key").click()
    key = desk.locator("[data-plain-key]").input_value()
    for message in ("When are the roses watered?", "Zymurgy quokka phlogiston?"):
        answer = requests.post(
            f"{own_site.url}/api/public/chat", json={"message": message}, headers={"X-BOT-API-KEY": key}, timeout=10
        ).json()
        assert answer["success"], answer

    desk.locator(".tabs").get_by_role("link", name="Unanswered").click()
    expect(desk.locator("#result_list")).to_contain_text("quokka")
    expect(desk.locator("#result_list")).not_to_contain_text("roses")
    desk.locator("#result_list").get_by_role("link", name="Chat", exact=True).click()
    expect(desk.locator(".transcript .said")).to_have_text("Zymurgy quokka phlogiston?")


def test_every_page_of_a_bot_fits_a_phone(desk: Page):
    desk.set_viewport_size(PHONE)
    desk.get_by_role("link", name=re.compile("^Help")).first.click()
    for name in PAGES:
        desk.locator(".tabs").get_by_role("link", name=name, exact=True).click()
        expect(desk.locator(".tabs.inner [aria-current=page]")).to_have_text(name)
        assert desk.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
