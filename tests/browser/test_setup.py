"""A new owner's way from the first start to a page that answers from their own documents, without a terminal."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.browser.owner import PHONE
from tests.browser.site import Site
from tests.browser.test_accessibility import OPTIONS
from tests.browser.waiting import PATIENCE
from tests.browser.watch import Watch

MOST_CLICKS = 25
HOURS = """# Bella's bakery

## When are we open?

Monday to Friday from 6:30 to 18:00, on Saturdays from 7:00 to 14:00.

## Where do we stand?

At Market Street 12, beside the old fountain.
"""


@pytest.fixture(scope="module")
def new_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """As after the first `make run`: with the manual's bot and nobody who can log in."""
    rows = [{"model": "auth.group", "pk": 1, "fields": {"name": "Nobody yet"}}]
    with Site(tmp_path_factory.mktemp("new-site"), "docbot://in-process", rows, WEB_PROCESSES=1) as site:
        yield site


class Stranger:
    """Whoever has just started the site, and each of their clicks."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.clicks = 0
        self.complaints: list[str] = []

    def click(self, role: str, name: str) -> None:
        self.page.get_by_role(role, name=name, exact=True).click()
        self.clicks += 1

    def look_at(self, step: str) -> None:
        """What a screen reader, a keyboard or a phone would stumble over there."""
        expect(self.page.locator("[aria-current=step]")).to_contain_text(step)
        self.complain(step)

    def complain(self, step: str) -> None:
        for rule in Axe().run(self.page, options=OPTIONS).response["violations"]:
            self.complaints += [f"{step} {rule['id']}: {node['html'][:120]}" for node in rule["nodes"]]
        self.page.set_viewport_size(PHONE)
        if self.page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            self.complaints.append(f"{step} is wider than a phone")
        self.page.set_viewport_size({"width": 1280, "height": 800})


@pytest.fixture
def stranger(browser: Browser, new_site: Site) -> Iterator[Stranger]:
    watch = Watch(new_site.url)
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.set_default_timeout(PATIENCE * 1000)
    watch.look_at(context)
    yield Stranger(context.new_page())
    context.close()
    watch.check()


def test_a_stranger_sets_everything_up_in_the_browser(stranger: Stranger, new_site: Site, tmp_path: Path) -> None:
    page = stranger.page
    page.goto(re.search(r"Set it up: +(\S+)", new_site.log.read_text())[1])
    stranger.complain("Your login")
    page.get_by_label("User name").fill("olivia")
    page.get_by_label("Password").fill("correct horse battery")
    stranger.click("button", "Make my login")
    expect(page.locator("[aria-current=step]")).to_be_visible()
    first_step = page.url
    page.goto(f"{new_site.url}/admin/")
    expect(page.get_by_text("This site’s manual is all that Help can answer from.")).to_be_visible()
    expect(page.get_by_role("link", name="Open the page")).to_have_attribute("href", re.compile("/chat/help/$"))
    stranger.complain("The overview of a fresh site")
    page.goto(first_step)

    stranger.look_at("What it answers from")
    (tmp_path / "hours.md").write_text(HOURS)
    page.locator("input[type=file]").set_input_files(tmp_path / "hours.md")
    stranger.click("button", "Upload and train")
    expect(page.get_by_role("heading", name=re.compile("Training"))).to_be_visible()
    page.get_by_label("Website").fill("https://bakery.example/")
    expect(page.get_by_role("heading", name="Trained just now")).to_be_visible(timeout=60_000)
    expect(page.get_by_label("Website")).to_have_value("https://bakery.example/")
    page.get_by_label("Website").fill("")
    stranger.look_at("What it answers from")
    stranger.click("link", "Continue")

    stranger.look_at("Name and look")
    expect(page.locator("[name=suggestions]")).to_have_value("When are we open?\nWhere do we stand?")
    page.get_by_label("Name", exact=True).fill("Bella")
    page.locator("[name=accent]").fill("#b3261e")
    expect(page.get_by_text("#b3261e as entered")).to_be_visible()
    preview = page.frame_locator("iframe[name=preview]")
    expect(preview.get_by_role("heading", name="Bella")).to_be_visible()
    stranger.click("button", "Save and continue")

    stranger.look_at("Try it")
    stranger.click("button", "When are we open?")
    expect(page.locator("[data-reply]")).to_contain_text("6:30")
    stranger.look_at("Try it")
    stranger.click("link", "Continue")

    stranger.look_at("Put it to use")
    page.get_by_label("Addresses of your websites").fill("https://bakery.example")
    stranger.click("button", "Save")
    expect(page.get_by_text("Those websites can show the chat now.")).to_be_visible()
    stranger.click("link", "Open it")
    stranger.click("link", "Done")
    expect(page).to_have_url(f"{new_site.url}/admin/")
    assert stranger.clicks <= MOST_CLICKS
    assert not stranger.complaints, "\n".join(stranger.complaints)

    visitor = page.context.new_page()
    visitor.goto(new_site.url)
    expect(visitor.get_by_role("button", name="When are we open?")).to_be_visible()
    expect(visitor.get_by_text("Bella").first).to_be_visible()
    assert "manual" not in visitor.locator("main").inner_text()


def test_the_link_is_printed_no_more_when_somebody_has_a_login(new_site: Site) -> None:
    new_site.ask_database(
        "INSERT INTO auth_user (username, password, is_staff, is_active, is_superuser, first_name, last_name, email,"
        " date_joined) VALUES ('otto', '', true, true, false, '', '', '', '2026-01-02')"
    )
    before = new_site.log.read_text().count("Set it up:")
    new_site.go_down()
    new_site.come_back()
    assert new_site.log.read_text().count("Set it up:") == before
    assert f"{new_site.url}/admin/" in new_site.log.read_text()
