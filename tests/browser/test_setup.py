"""A new owner's way from the first start to a page that answers from their own documents, without a terminal."""

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.axe import complaints
from tests.browser.chat_page import ChatPage
from tests.browser.own_website import ACCENT, OwnWebsite
from tests.browser.owner import DESK, PHONE
from tests.browser.site import Site
from tests.browser.waiting import PATIENCE, wait_until
from tests.browser.watch import Watch
from tests.browser.widget.host_page import ask, chat_in, launcher

MOST_CLICKS = 25
MOST_SECONDS = 5 * 60
DELIVERY = "Which places do you deliver to?"
HOURS = """# Bella's bakery

## When are we open?

Monday to Friday from 6:30 to 18:00, on Saturdays from 7:00 to 14:00.

## Where do we stand?

At Market Street 12, beside the old fountain.
"""


class NewSite(Site):
    """Begins with an empty data folder, by the two commands of `make run`."""

    def _prepare(self, bots: list[dict[str, object]]) -> None:
        self._manage("prepare", self.folder / "var")


@pytest.fixture
def new_site(tmp_path: Path) -> Iterator[Site]:
    """A site as after the first `make run`: the manual's bot and no account. It may read websites on loopback."""
    with NewSite(tmp_path, "docbot://in-process", [], WEB_PROCESSES=1, DOCBOT_ALLOW_PRIVATE=1) as site:
        yield site


@pytest.fixture
def website() -> Iterator[OwnWebsite]:
    with OwnWebsite() as website:
        yield website


class Stranger:
    """Somebody who has just started the site, and goes by clicks and typing; a click into a field counts, too."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.clicks = 0
        self.complaints: list[str] = []

    def click(self, role: str, name: str) -> None:
        self.page.get_by_role(role, name=name, exact=True).click()
        self.clicks += 1

    def open_beside(self, name: str) -> Page:
        """Follow a link that opens in another tab."""
        with self.page.expect_popup() as opened:
            self.click("link", name)
        return opened.value

    def type(self, label: str, text: str) -> None:
        """Type in place of what the field holds."""
        self.page.get_by_label(label, exact=True).click()
        self.clicks += 1
        self.page.keyboard.press("Control+A")
        self.page.keyboard.type(text)

    def choose(self, *files: Path) -> None:
        with self.page.expect_file_chooser() as chooser:
            self.page.locator("input[type=file]").click()
        chooser.value.set_files(files)
        self.clicks += 3  # the button, and in the browser's dialog the files and "Open"

    def copied(self) -> str:
        """Return what the stranger would paste elsewhere."""
        return self.page.evaluate("navigator.clipboard.readText()")

    def look_at(self, step: str) -> None:
        """Check the page with axe and at a phone's width."""
        expect(self.page.locator("[aria-current=step]")).to_contain_text(step)
        self.complain(step, self.page)

    def complain(self, step: str, page: Page) -> None:
        self.complaints += [f"{step} {each}" for each in complaints(page)]
        page.set_viewport_size(PHONE)
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            self.complaints.append(f"{step} is wider than a phone")
        page.set_viewport_size(DESK)


@pytest.fixture
def stranger(browser: Browser, new_site: Site, website: OwnWebsite) -> Iterator[Stranger]:
    watch = Watch(desk_of(new_site))
    watch.also_at(website.url)
    context = browser.new_context(viewport=DESK, permissions=["clipboard-read", "clipboard-write"])
    context.set_default_timeout(PATIENCE * 1000)
    watch.look_at(context)
    yield Stranger(context.new_page())
    context.close()
    watch.check()


def desk_of(site: Site) -> str:
    """Return the site's URL in the link that its start prints."""
    return site.url.replace("127.0.0.1", "localhost")


def create_login(stranger: Stranger, site: Site) -> None:
    page = stranger.page
    page.goto(re.search(r"Set it up: +(\S+)", site.log.read_text())[1])
    stranger.complain("Your login", page)
    stranger.type("User name", "olivia")
    stranger.type("Password", "correct horse battery")
    stranger.click("button", "Create my login")
    expect(page.locator("[aria-current=step]")).to_be_visible()


def look_at_the_overview(stranger: Stranger, site: Site) -> None:
    """In another tab: it is no part of the way."""
    page = stranger.page.context.new_page()
    page.goto(f"{desk_of(site)}/admin/")
    expect(page.get_by_text("This site’s manual is all that Help can answer from.")).to_be_visible()
    expect(page.get_by_role("link", name="Open the page")).to_have_attribute("href", re.compile("/chat/help/$"))
    stranger.complain("The overview of a fresh site", page)
    page.close()


def train(stranger: Stranger, website: OwnWebsite, document: Path) -> None:
    page = stranger.page
    document.write_text(HOURS)
    film = document.with_suffix(".exe")
    film.touch()
    stranger.choose(document, film)
    stranger.click("button", "Upload and train")
    expect(page.get_by_role("heading", name=re.compile("Training"))).to_be_visible()
    wait_until(page, "performance.getEntriesByType('navigation')[0].type === 'reload'", 60)
    expect(page.get_by_role("heading", name="Trained just now")).to_be_visible()
    expect(page.get_by_text(f"“{film.name}”: files of this kind can’t be read.")).to_be_visible()
    stranger.type("Website", website.url)
    with page.expect_navigation():  # not before the site has said that the login is still there
        stranger.click("button", "Read it and train")
    page.get_by_label("Address").fill("bots.example.com")
    expect(page.get_by_text(re.compile(r"3 documents"))).to_be_visible(timeout=60_000)
    expect(page.get_by_label("Address")).to_have_value("bots.example.com")
    stranger.look_at("What it answers from")
    stranger.click("link", "Continue")


def choose_name_and_look(stranger: Stranger) -> None:
    page = stranger.page
    stranger.look_at("Name and look")
    expect(page.locator("[name=suggestions]")).to_have_value("When are we open?\nWhere do we stand?")
    stranger.click("button", "Use them")
    expect(page.get_by_text("The website’s colour and icon are used now.")).to_be_visible()
    expect(page.locator("[name=accent]")).to_have_value(ACCENT)
    stranger.type("Name", "Bella")
    preview = page.frame_locator("iframe[name=preview]")
    expect(preview.get_by_role("heading", name="Bella")).to_be_visible()
    stranger.click("button", "Save and continue")


def try_it(stranger: Stranger) -> None:
    page = stranger.page
    preview = page.frame_locator("aside iframe")
    expect(preview.get_by_role("heading", name="Bella")).to_be_visible()
    stranger.click("button", "When are we open?")
    expect(page.locator("[data-reply]")).to_contain_text("6:30")
    stranger.type("Message", DELIVERY)
    stranger.click("button", "Ask")
    expect(page.locator("[data-reply]")).to_contain_text("Kennington")
    stranger.look_at("Try it")
    stranger.click("link", "Continue")


def put_it_to_use(stranger: Stranger, site: Site, website: OwnWebsite) -> ChatPage:
    """Return the page as a visitor opens it."""
    page = stranger.page
    stranger.look_at("Put it to use")
    expect(page.get_by_label("Addresses of your websites")).to_have_value(website.url)
    stranger.click("button", "Save")
    expect(page.get_by_text("Those websites can show the chat now.")).to_be_visible()
    page.locator("[data-copy=copy-snippet]").click()
    stranger.clicks += 1
    website.snippet = stranger.copied()
    check = stranger.open_beside("Check that it works there")
    expect(check.locator("[data-finding=FINE]")).to_be_visible()
    visitor = ChatPage(stranger.open_beside("Open it"))
    stranger.click("button", "Done")
    expect(page).to_have_url(f"{desk_of(site)}/admin/")
    return visitor


def talk_to_the_bot(visitor: ChatPage) -> None:
    expect(visitor.page.get_by_text("Bella").first).to_be_visible()
    assert "manual" not in visitor.page.locator("main").inner_text()
    visitor.page.get_by_role("button", name="When are we open?").click()
    expect(visitor.replies).to_contain_text("6:30")


def ask_on_the_website(browser: Browser, website: OwnWebsite) -> None:
    """As a visitor who has never been there."""
    context = browser.new_context(viewport=DESK)
    page = context.new_page()
    page.goto(website.url)
    launcher(page).click()
    ask(page, DELIVERY)
    expect(chat_in(page).locator("[data-reply]")).to_contain_text("Kennington")
    context.close()


@pytest.mark.timeout(MOST_SECONDS + 120)
def test_a_newcomer_sets_up_a_site_that_answers_visitors(browser, stranger, new_site, website, tmp_path):
    started = time.monotonic()
    create_login(stranger, new_site)
    look_at_the_overview(stranger, new_site)
    train(stranger, website, tmp_path / "hours.md")
    choose_name_and_look(stranger)
    try_it(stranger)
    visitor = put_it_to_use(stranger, new_site, website)
    talk_to_the_bot(visitor)
    ask_on_the_website(browser, website)
    seconds = time.monotonic() - started
    assert stranger.clicks <= MOST_CLICKS
    assert seconds <= MOST_SECONDS
    assert not stranger.complaints, "\n".join(stranger.complaints)
