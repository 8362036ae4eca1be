"""A visitor and a team member, each in a browser of their own, on every surface, with and without JavaScript."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import APIResponse, Browser, BrowserContext, Frame, Page, Route, expect

from tests.browser.conftest import PASSWORD
from tests.browser.kiosk_screen import KioskScreen, enrolled, kiosk_row
from tests.browser.owner import logged_in, owner_row
from tests.browser.screen_reader import LISTENER, heard
from tests.browser.site import Site, account_row, bot_row
from tests.browser.test_accessibility import complaints
from tests.browser.watch import Watch
from tests.webchat.upstream_server import UpstreamServer

LIVE, PLAIN = True, False
JOURNEYS = {
    "chat": ("chat", LIVE),
    "chat without JavaScript": ("chat", PLAIN),
    "widget": ("embed", LIVE),
    "widget without JavaScript": ("embed", PLAIN),
    "portal": ("portal", LIVE),
    "portal without JavaScript": ("portal", PLAIN),
    "kiosk": ("kiosk", LIVE),
}


@pytest.fixture(scope="module")
def site(upstream_port: int, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """With a bot that people answer for, and an account for the inbox."""
    rows = [
        bot_row(1, "help", people_answer=True, handover=True, in_portal=True),
        kiosk_row(),
        owner_row(),
        *(account_row(100 + number, name, PASSWORD) for number, name in enumerate(("portal", "portal-plain"))),
    ]
    folder = tmp_path_factory.mktemp("people")
    with Site(folder, f"http://127.0.0.1:{upstream_port}", rows, MESSAGES_PER_MINUTE=1000) as site:
        yield site


@pytest.fixture
def inbox(browser: Browser, site: Site) -> Iterator[Page]:
    """The inbox of somebody who is there."""
    with logged_in(browser, site, "/admin/inbox/") as page:
        button = page.locator("#inbox-available")
        if button.get_attribute("aria-pressed") == "false":
            button.click()
        expect(page.locator("#inbox-available")).to_have_attribute("aria-pressed", "true")
        yield page
        page.locator("#inbox-available").click()
        expect(page.locator("#inbox-available")).to_have_attribute("aria-pressed", "false")


class Talk:
    """What the visitor sees and does, on whichever surface."""

    def __init__(self, page: Page | Frame, *, live: bool) -> None:
        self.page, self.live = page, live
        self.leader = page.locator("#leader")
        self.members = page.locator("[data-team-message]")
        self.events = page.locator("li.event")

    def look(self) -> None:
        """Without JavaScript one asks for what is new by a button."""
        if not self.live:
            self.page.get_by_role("button", name="Show new messages").click()

    def send(self, text: str) -> None:
        self.page.locator("#message").fill(text)
        self.page.locator("#send").click()
        expect(self.page.locator("[data-message]").last).to_have_text(text)


def open_surface(
    new_visitor: Callable[..., BrowserContext], browser: Browser, site: Site, surface: str, live: bool
) -> Talk:
    if surface == "kiosk":
        return begun_visit(browser, site)[1]
    visitor = new_visitor(java_script_enabled=live)
    visitor.add_init_script(LISTENER)
    page = visitor.new_page()
    if surface == "portal":
        page.goto(f"{site.url}/portal/sign-in")
        page.locator("[name=username]").fill("portal" if live else "portal-plain")
        page.locator("[name=password]").fill(PASSWORD)
        page.locator("[name=password]").press("Enter")
        page.wait_for_url(f"{site.url}/portal/**")
        page.goto(f"{site.url}/portal/chat/help/")
    else:
        page.goto(f"{site.url}/{surface}/help/")
    return Talk(page, live=live)


def begun_visit(browser: Browser, site: Site) -> tuple[KioskScreen, Talk]:
    """With the clock of the browser, which the tests of the kiosk alone hold still."""
    page = enrolled(browser, site).new_page()
    screen = KioskScreen(page)
    page.goto(f"{site.url}/kiosk/help/")
    expect(screen.frame.locator("html[data-live]")).to_be_attached()
    screen.begin()
    return screen, Talk(page.frames[-1], live=True)


@pytest.mark.parametrize(("surface", "live"), JOURNEYS.values(), ids=JOURNEYS)
def test_a_person_answers_in_the_same_transcript(
    surface: str,
    live: bool,
    browser: Browser,
    new_visitor: Callable[..., BrowserContext],
    site: Site,
    inbox: Page,
    upstream: UpstreamServer,
) -> None:
    talk = open_surface(new_visitor, browser, site, surface, live)
    talk.send(f"Hello from the {surface} {live}")
    expect(talk.page.locator("[data-reply]")).to_have_count(1)
    talk.page.locator(".top [data-person]").click()
    expect(talk.leader).to_contain_text("You are in the queue.")
    talk.send(f"Where is my order? {surface} {live}")
    inbox.locator(".inbox-row", has_text=f"Where is my order? {surface} {live}").locator("a").click()
    inbox.get_by_role("button", name="Claim").click()
    expect(inbox.locator("#inbox-head")).to_have_attribute("data-mine", "")
    inbox.locator("#inbox-text").fill("It is on its **way**.")
    inbox.locator("#inbox-send").click()
    expect(inbox.locator(".inbox-talk")).to_contain_text("It is on its way.")
    inbox.locator("#inbox-text").fill("A note for colleagues")
    inbox.locator("#inbox-note").click()
    expect(inbox.locator(".inbox-talk")).to_contain_text("A note for colleagues")
    talk.look()
    expect(talk.events.last).to_contain_text("has joined")
    expect(talk.members).to_have_text(["It is on its way."])
    if live and surface == "chat":
        said = [words for _, words in heard(talk.page, until="owner: It is on its way.")]
        assert [words for words in said if "joined" in words or "way" in words] == [
            "owner has joined.",
            "owner: It is on its way.",
        ]
    talk.send("Thank you!")
    talk.send("And when?")
    expect(inbox.get_by_text("And when?", exact=True).last).to_be_visible()
    inbox.get_by_role("button", name="Hand back").click()
    expect(inbox.get_by_role("button", name="Claim")).to_be_visible()
    talk.look()
    expect(talk.events.last).to_contain_text("has handed you back to Ada")
    assert len(upstream.requests) == 1
    talk.send("Thanks, bot")
    expect(talk.page.locator("[data-reply]")).to_have_count(2)
    assert "A note for colleagues" not in talk.page.content()
    assert upstream.requests[1].chat_id is not None


def test_an_answer_that_comes_too_late_shows_nothing_twice(
    browser: Browser, new_visitor: Callable[..., BrowserContext], site: Site, inbox: Page
) -> None:
    talk = open_surface(new_visitor, browser, site, "chat", LIVE)
    talk.page.locator(".top [data-person]").click()
    expect(talk.leader).to_contain_text("You are in the queue.")
    talk.send("Anybody?")
    inbox.locator(".inbox-row", has_text="Anybody?").locator("a").click()
    inbox.get_by_role("button", name="Claim").click()
    expect(talk.events.last).to_contain_text("has joined")
    held: list[tuple[Route, APIResponse]] = []
    talk.page.route("**/updates/**", lambda route: held.append((route, route.fetch())))
    inbox.locator("#inbox-text").fill("Here I am.")
    inbox.locator("#inbox-send").click()
    expect(inbox.locator("[data-team-message]")).to_have_text("Here I am.")
    while not held or held[-1][1].status != 200:
        for route, response in held:
            route.fulfill(response=response)
        held.clear()
        talk.page.wait_for_timeout(100)
    talk.send("Good")
    expect(talk.members).to_have_text("Here I am.")
    [(route, response)] = held
    with talk.page.expect_response("**/updates/**"):
        route.fulfill(response=response)
    talk.page.unroute_all()
    talk.send("Thanks")
    expect(talk.members).to_have_count(1)


def test_two_who_claim_at_once_learn_who_has_it(
    new_visitor: Callable[..., BrowserContext], browser: Browser, site: Site, inbox: Page, upstream: UpstreamServer
) -> None:
    talk = open_surface(new_visitor, browser, site, "chat", LIVE)
    talk.page.locator(".top [data-person]").click()
    expect(talk.leader).to_contain_text("You are in the queue.")
    talk.send("Who takes me?")
    inbox.locator(".inbox-row", has_text="Who takes me?").locator("a").click()
    with logged_in(browser, site, "/admin/inbox/") as second:
        second.locator(".inbox-row", has_text="Who takes me?").locator("a").click()
        expect(second.get_by_role("button", name="Claim")).to_be_visible()
        inbox.get_by_role("button", name="Claim").click()
        expect(inbox.locator("#inbox-head")).to_have_attribute("data-mine", "")
    expect(talk.events.last).to_contain_text("owner has joined")
    inbox.get_by_role("button", name="Close").click()
    expect(talk.events.last).to_contain_text("has closed this")


DRESSES = {
    "light": {"viewport": {"width": 1280, "height": 800}},
    "dark, on a phone": {"viewport": {"width": 360, "height": 640}, "has_touch": True, "color_scheme": "dark"},
    "Arabic": {"viewport": {"width": 360, "height": 640}, "locale": "ar"},
}


@pytest.mark.parametrize("dress", DRESSES)
def test_waiting_and_talking_everybody_can_use_the_page(
    dress: str, new_visitor: Callable[..., BrowserContext], site: Site, inbox: Page, upstream: UpstreamServer
) -> None:
    page = new_visitor(**DRESSES[dress]).new_page()
    page.goto(f"{site.url}/chat/help/")
    page.locator(".top [data-person]").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#leader")).to_have_attribute("data-leader", "queue")
    assert complaints(page) == []
    page.locator("#message").fill(f"Wer ist da? {dress}")
    page.locator("#send").click()
    inbox.locator(".inbox-row", has_text=f"Wer ist da? {dress}").locator("a").click()
    inbox.get_by_role("button", name="Claim").click()
    expect(inbox.locator("#inbox-head")).to_have_attribute("data-mine", "")
    inbox.locator("#inbox-text").fill("Hello")
    inbox.locator("#inbox-send").click()
    expect(page.locator("[data-team-message]")).to_have_text("Hello")
    assert complaints(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert complaints(inbox) == []
    inbox.get_by_role("button", name="Close").click()
    expect(page.locator("#leader")).to_have_attribute("data-leader", "bot")


def test_the_end_of_a_kiosks_visit_leaves_the_queue(
    browser: Browser, site: Site, inbox: Page, upstream: UpstreamServer
) -> None:
    screen, talk = begun_visit(browser, site)
    talk.page.locator(".top [data-person]").click()
    expect(talk.leader).to_have_attribute("data-leader", "queue")
    waiting = inbox.locator(".inbox-row[data-led-by=queue]", has_text="kiosk")
    expect(waiting).to_have_count(1)
    screen.finish.click()
    expect(waiting).to_have_count(0)


@pytest.fixture
def watch(site: Site) -> Iterator[Watch]:
    watch = Watch(site.url)
    yield watch
    watch.check()
