"""A visitor and a team member send each other files, each in a browser of their own, with and without JavaScript."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, expect

from tests.attachments.files import HTML, PDF, large_picture, picture
from tests.browser.conftest import PASSWORD
from tests.browser.kiosk_screen import kiosk_row
from tests.browser.owner import PHONE, logged_in, owner_row
from tests.browser.screen_reader import heard
from tests.browser.site import Site, account_row, bot_row
from tests.browser.test_accessibility import NETWORK_GONE, complaints
from tests.browser.test_people import JOURNEYS, Talk, open_surface
from tests.browser.watch import Watch
from tests.webchat.upstream_server import UpstreamServer

PHOTO = {"name": "leak.jpg", "mimeType": "image/jpeg", "buffer": picture("JPEG", (1200, 900))}
OFFER = {"name": "offer.pdf", "mimeType": "application/pdf", "buffer": PDF}
BAD = {"name": "photo.png", "mimeType": "image/png", "buffer": HTML}
TOO_LARGE = {"name": "film.png", "mimeType": "image/png", "buffer": bytes(11 * 1024 * 1024)}


@pytest.fixture(scope="module")
def site(upstream_port: int, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """With a bot that people answer for and that takes files, and an account for the inbox."""
    rows = [
        bot_row(1, "help", people_answer=True, takes_files=True, in_portal=True),
        kiosk_row(),
        owner_row(),
        *(account_row(100 + number, name, PASSWORD) for number, name in enumerate(("portal", "portal-plain"))),
    ]
    folder = tmp_path_factory.mktemp("files")
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


def meet(talk: Talk, inbox: Page, greeting: str) -> None:
    """The visitor asks for a person, who claims the conversation."""
    talk.send(greeting)
    expect(talk.page.locator("[data-reply]")).to_have_count(1)
    talk.page.locator(".top [data-person]").click()
    expect(talk.leader).to_contain_text("You are in the queue.")
    inbox.locator(".inbox-row", has_text=greeting).locator("a").click()
    inbox.get_by_role("button", name="Claim").click()
    expect(inbox.locator("#inbox-head")).to_have_attribute("data-mine", "")
    talk.look()
    expect(talk.leader).to_contain_text("answers you")


def send_file(talk: Talk, file: dict[str, object]) -> None:
    expect(talk.page.locator("[data-attach]")).to_be_visible(visible=talk.live)
    talk.page.locator("#file").set_input_files(file)
    if not talk.live:
        talk.page.get_by_role("button", name="Send file").click()


def is_drawn(image: Locator) -> None:
    """The picture has come, and it is one."""
    expect(image).to_be_visible()
    expect(image).to_have_js_property("complete", True)
    assert image.evaluate("image => image.naturalWidth") > 0


@pytest.mark.parametrize(("surface", "live"), JOURNEYS.values(), ids=JOURNEYS)
def test_files_go_both_ways(
    surface: str,
    live: bool,
    browser: Browser,
    new_visitor: Callable[..., BrowserContext],
    site: Site,
    inbox: Page,
    upstream: UpstreamServer,
    tmp_path: Path,
) -> None:
    talk = open_surface(new_visitor, browser, site, surface, live)
    expect(talk.page.locator(".attach, .clip").locator("visible=true")).to_have_count(0)
    meet(talk, inbox, f"Files on the {surface} {live}")
    figures = talk.page.locator("[data-transcript] figure")
    if surface != "kiosk":
        talk.page.locator("#message").fill("Not finished")
        send_file(talk, PHOTO)
        expect(figures).to_have_count(1)
        is_drawn(figures.locator("img"))
        expect(talk.page.locator("#message")).to_have_value("Not finished")
        expect(inbox.locator(".inbox-transcript [data-message]").last).to_have_text("leak.jpg")
        is_drawn(inbox.locator(".inbox-transcript figure img"))
    else:
        assert talk.page.locator("input[type=file]").count() == 0
    if live and surface == "chat":
        said = heard(talk.page, until="You sent a picture: leak.jpg")
        assert [words for _, words in said].count("You sent a picture: leak.jpg") == 1
    inbox.locator("#inbox-text").fill("Our **offer**")
    inbox.locator("#inbox-file").set_input_files(OFFER)
    inbox.locator("#inbox-send").click()
    expect(inbox.locator(".inbox-transcript figure").last).to_contain_text("offer.pdf")
    expect(inbox.locator("#inbox-file")).to_have_value("")
    talk.look()
    expect(talk.members).to_have_text(["Our offer"])
    expect(figures.last).to_contain_text("offer.pdf")
    if live and surface == "chat":
        said = [words for _, words in heard(talk.page, until="owner sent a file: offer.pdf")]
        assert said[-2:] == ["owner: Our offer", "owner sent a file: offer.pdf"]
    if surface == "kiosk":
        expect(figures.last.locator("a, button")).to_have_count(0)
    else:
        page = talk.page if isinstance(talk.page, Page) else talk.page.page
        with page.expect_download() as download:
            figures.last.locator("figcaption").locator("a, button").click()
        download.value.save_as(tmp_path / "got.pdf")
        assert (tmp_path / "got.pdf").read_bytes() == PDF
    inbox.get_by_role("button", name="Hand back").click()
    expect(inbox.get_by_role("button", name="Claim")).to_be_visible()
    assert len(upstream.requests) == 1


@pytest.mark.parametrize("live", [True, False], ids=["with JavaScript", "without"])
def test_what_is_refused_is_said_and_the_text_stays(
    live: bool, browser: Browser, new_visitor: Callable[..., BrowserContext], site: Site, inbox: Page, watch: Watch
) -> None:
    watch.expect(NETWORK_GONE)
    watch.expect(r"htmx:responseError|status of 413")
    talk = open_surface(new_visitor, browser, site, "chat", live)
    meet(talk, inbox, f"Refusals {live}")
    talk.page.locator("#message").fill("Not finished")
    alert = talk.page.locator("#composer-refusal [role=alert]")
    send_file(talk, BAD)
    expect(alert).to_contain_text("PDF that can be read")
    expect(talk.page.locator("#message")).to_have_value("Not finished")
    if live:
        send_file(talk, TOO_LARGE)
        expect(alert).to_contain_text("at most 10 MB")
        talk.page.route("**/send-file/**", lambda route: route.abort())
        send_file(talk, PHOTO)
        expect(alert).to_contain_text("couldn’t be sent")
        talk.page.unroute("**/send-file/**")
        send_file(talk, PHOTO)
        expect(alert).to_have_count(0)
        expect(talk.page.locator("figure")).to_have_count(1)
        expect(talk.page.locator("#message")).to_have_value("Not finished")
    inbox.get_by_role("button", name="Hand back").click()
    expect(inbox.get_by_role("button", name="Claim")).to_be_visible()


def test_while_a_file_is_on_its_way_one_goes_on_talking(
    browser: Browser, new_visitor: Callable[..., BrowserContext], site: Site, inbox: Page
) -> None:
    talk = open_surface(new_visitor, browser, site, "chat", True)
    meet(talk, inbox, "A slow connection")
    held: list[Route] = []
    talk.page.route("**/send-file/**", lambda route: held.append(route))
    send_file(talk, PHOTO | {"buffer": large_picture()})
    expect(talk.page.get_by_text("Sending the file …")).to_be_visible()
    expect(talk.page.locator("[data-attach]")).to_have_attribute("aria-disabled", "true")
    talk.send("It takes a while")
    inbox.locator("#inbox-text").fill("No hurry")
    inbox.locator("#inbox-send").click()
    expect(talk.members).to_have_text(["No hurry"])
    held[0].continue_()
    expect(talk.page.locator("figure")).to_have_count(1)
    expect(talk.page.get_by_text("Sending the file …")).to_be_hidden()
    expect(talk.page.locator("[data-message]")).to_have_text(["A slow connection", "It takes a while", "leak.webp"])
    inbox.get_by_role("button", name="Hand back").click()
    expect(inbox.get_by_role("button", name="Claim")).to_be_visible()


def test_in_a_frame_that_was_loaded_again_the_person_is_still_there(
    browser: Browser, new_visitor: Callable[..., BrowserContext], site: Site, inbox: Page
) -> None:
    talk = open_surface(new_visitor, browser, site, "embed", True)
    meet(talk, inbox, "Loaded again")
    talk.page.goto(f"{site.url}/embed/help/")
    expect(talk.leader).to_contain_text("answers you")
    send_file(talk, PHOTO)
    is_drawn(talk.page.locator("figure img"))
    inbox.get_by_role("button", name="Hand back").click()
    expect(talk.events.last).to_contain_text("has handed you back to Ada")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_both_pages_with_files_are_accessible_and_fit_a_phone(
    scheme: str, browser: Browser, new_visitor: Callable[..., BrowserContext], site: Site, inbox: Page
) -> None:
    talk = open_surface(new_visitor, browser, site, "chat", True)
    meet(talk, inbox, f"Looks {scheme}")
    send_file(talk, PHOTO)
    expect(talk.page.locator("figure")).to_have_count(1)
    inbox.locator("#inbox-file").set_input_files(OFFER)
    inbox.locator("#inbox-send").click()
    expect(talk.page.locator("figure")).to_have_count(2)
    expect(inbox.locator(".inbox-transcript figure")).to_have_count(2)
    for page in (talk.page, inbox):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        page.set_viewport_size(PHONE)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert complaints(talk.page) == []
    with talk.page.expect_file_chooser():
        talk.page.locator("[data-attach]").click()
    inbox.set_viewport_size({"width": 1280, "height": 800})
    inbox.get_by_role("button", name="Hand back").click()
    expect(inbox.get_by_role("button", name="Claim")).to_be_visible()
