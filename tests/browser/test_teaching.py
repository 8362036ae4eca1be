"""The owner teaches an answer: a visitor asks what nobody knows, and then gets to know it."""

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.browser.owner import PHONE, logged_in, owner_row
from tests.browser.site import Site, bot_row
from tests.browser.test_desk import OPTIONS
from tests.browser.waiting import PATIENCE, wait_until

ASKED = "Do you sell umbrellas for dachshunds?"
TRAINED_WITHIN = 90  # seconds, in which a busy machine starts a process that trains


@pytest.fixture(scope="module")
def own_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    rows = [owner_row(), bot_row(7, "shop")]
    with Site(tmp_path_factory.mktemp("teach-site"), "docbot://in-process", rows, WEB_PROCESSES=1) as site:
        yield site


def ask(browser: Browser, site: Site, message: str) -> Page:
    """A new visitor's page, with the reply."""
    visitor = browser.new_context().new_page()
    visitor.set_default_timeout(PATIENCE * 1000)
    visitor.goto(f"{site.url}/chat/shop/")
    visitor.get_by_label("Message", exact=True).fill(message)
    visitor.keyboard.press("Enter")
    expect(visitor.locator("[data-turn][data-state=answered]")).to_have_count(1)
    return visitor


def wait_for_training(desk: Page) -> None:
    """The list is loaded again until it says that nothing is being trained."""
    wait_until(
        desk,
        "fetch(location.href).then((page) => page.text()).then((text) => !text.includes('being trained'))",
        TRAINED_WITHIN,
    )


@pytest.mark.timeout(300)  # two visitors, a trial and a training, on a busy machine
def test_what_is_taught_is_answered_until_it_is_taken_back(browser: Browser, own_site: Site):
    visitor = ask(browser, own_site, ASKED)
    expect(visitor.locator("[data-reply]")).not_to_contain_text("raincoats")

    with logged_in(browser, own_site, "/admin/teach/?bot=shop") as desk:
        assert not Axe().run(desk, options=OPTIONS).response["violations"]
        desk.locator("[data-to-teach]").get_by_role("link", name=ASKED).click()
        desk.get_by_label("Other ways to ask it").fill("Have you got dog umbrellas?")
        desk.get_by_role("textbox", name="Answer").fill("We sell **raincoats** for dogs, but no umbrellas.")
        desk.get_by_role("button", name="Try it").click()
        expect(desk.locator("[data-trial] [role=status]")).to_contain_text(
            "2 of 2 ways to ask this get the new answer."
        )
        expect(desk.locator("[data-after]").first).to_contain_text("raincoats")
        assert not Axe().run(desk, options=OPTIONS).response["violations"]
        desk.set_viewport_size(PHONE)
        assert desk.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        desk.get_by_role("button", name="Save and teach").click()
        expect(desk.locator("[data-taught]")).to_contain_text(ASKED)
        wait_for_training(desk)

        visitor = ask(browser, own_site, "have you got a dog umbrella")
        expect(visitor.locator("[data-reply]")).to_contain_text("We sell raincoats for dogs, but no umbrellas.")
        expect(visitor.locator("[data-reply]")).to_contain_text("Answered by the team")

        desk.get_by_role("button", name=f"Take back: {ASKED}").click()
        expect(desk.locator("[data-to-teach]")).to_contain_text(ASKED)
        expect(desk.locator("[data-taught]")).to_have_count(0)
