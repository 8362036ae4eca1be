"""A visitor and a team member, each in their own browser, talk and send files on every surface."""

import uuid
from collections.abc import Iterator

import pytest
from playwright.sync_api import APIResponse, Browser, Page, Route, expect

from tests.attachments.files import HTML, PDF, large_picture, picture
from tests.browser.axe import complaints
from tests.browser.conftest import MOVING
from tests.browser.kiosk_screen import SMALLER, kiosk_row
from tests.browser.owner import PHONE, logged_in, owner_row
from tests.browser.screen_reader import heard
from tests.browser.site import Site, bot_row, free_port
from tests.browser.talk import Talk, begun_visit, is_drawn, meet, open_surface, send_file
from tests.browser.test_accessibility import DRESSES, NETWORK_GONE
from tests.browser.test_comfort import HIDE
from tests.browser.waiting import wait_for_rest, wait_for_some
from tests.browser.watch import Watch

LIVE, PLAIN = True, False
# tests/people and tests/attachments have every surface without a browser; the widget with JavaScript is below.
JOURNEYS = {
    "chat": ("chat", LIVE),
    "widget without JavaScript": ("embed", PLAIN),
    "kiosk": ("kiosk", LIVE),
    "kiosk without JavaScript": ("kiosk", PLAIN),
}
# Where what is said stands.
PLACES = "[...document.querySelectorAll('.said .text')].map((each) => each.getBoundingClientRect().top)"
# Pixels by which the first message could be scrolled out of the window.
ROOM_TO_SPARE = """document.scrollingElement.scrollHeight - innerHeight - scrollY
 - document.querySelector("[data-message]").getBoundingClientRect().top"""
PHOTO = {"name": "leak.jpg", "mimeType": "image/jpeg", "buffer": picture("JPEG", (1200, 900))}
OFFER = {"name": "offer.pdf", "mimeType": "application/pdf", "buffer": PDF}
BAD = {"name": "photo.png", "mimeType": "image/png", "buffer": HTML}


@pytest.fixture(scope="module")
def site(upstream_port: int, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site with a bot that accepts files and whose visitors may ask for a person, and an account for the inbox."""
    rows = [bot_row(1, "help", people_answer=True, handover=True, takes_files=True), kiosk_row(), owner_row()]
    rows.append(bot_row(2, "alone"))
    folder = tmp_path_factory.mktemp("people")
    port = free_port()
    mails = {"EMAIL_URL": "smtp://127.0.0.1:9", "SITE_URL": f"http://127.0.0.1:{port}", "PORT": port}
    with Site(folder, f"http://127.0.0.1:{upstream_port}", rows, MESSAGES_PER_MINUTE=1000, **mails) as site:
        yield site


@pytest.fixture
def inbox(browser: Browser, site: Site) -> Iterator[Page]:
    """Yield the inbox of an available team member."""
    with logged_in(browser, site, "/admin/inbox/") as page:
        page.locator("#inbox-available").click()
        expect(page.locator("#inbox-available")).to_have_attribute("aria-pressed", "true")
        yield page
        page.locator("#inbox-away").click()
        expect(page.locator("#inbox-away")).to_have_attribute("aria-pressed", "true")


@pytest.mark.parametrize(("surface", "live"), JOURNEYS.values(), ids=JOURNEYS)
def test_a_person_answers_in_the_same_transcript_and_files_go_both_ways(
    surface, live, browser, new_visitor, site, inbox, upstream, tmp_path
):
    talk = open_surface(new_visitor, browser, site, surface, live)
    expect(talk.page.locator(".attach, .clip").locator("visible=true")).to_have_count(0)
    meet(talk, inbox, f"Hello from the {surface} {live}")
    figures = talk.page.locator("[data-transcript] figure")
    if surface == "kiosk":
        assert talk.page.locator("input[type=file]").count() == 0
    else:
        send_file(talk, PHOTO)
        expect(figures).to_have_count(1)
        is_drawn(figures.locator("img"))
        expect(inbox.locator(".inbox-transcript [data-message]").last).to_have_text("leak.jpg")
        is_drawn(inbox.locator(".inbox-transcript figure img"))
        expect(inbox.locator(".inbox-transcript figure")).to_be_in_viewport(ratio=0.9)
    inbox.locator("#inbox-text").fill("Our **offer**")
    inbox.locator("#inbox-file").set_input_files(OFFER)
    inbox.locator("#inbox-send").click()
    expect(inbox.locator(".inbox-transcript figure").last).to_contain_text("offer.pdf")
    expect(inbox.locator(".inbox-transcript figure").last).to_be_in_viewport(ratio=0.9)
    expect(inbox.locator("#inbox-file")).to_have_value("")
    talk.look()
    expect(talk.members).to_have_text(["Our offer"])
    expect(talk.members).to_have_css("border-top-width", "1px")  # unlike the bot's
    expect(figures.last).to_contain_text("offer.pdf")
    if surface == "chat":
        said = [words for _, words in heard(talk.page, until="owner sent a file: offer.pdf")]
        assert any(words.startswith("You have asked for a person. You are in the queue.") for words in said)
        assert said.count("owner has joined.") == said.count("You sent a picture: leak.jpg") == 1
        assert said[-2:] == ["owner: Our offer", "owner sent a file: offer.pdf"]
    if surface == "kiosk":
        expect(figures.last.locator("a, button")).to_have_count(0)
    else:
        page = talk.page if isinstance(talk.page, Page) else talk.page.page
        with page.expect_download() as download:
            figures.last.locator("figcaption").locator("a, button").click()
        download.value.save_as(tmp_path / "got.pdf")
        assert (tmp_path / "got.pdf").read_bytes() == PDF
    talk.send("And when?")
    expect(inbox.get_by_text("And when?", exact=True).last).to_be_visible()
    if surface == "chat":
        assert {words for _, words in heard(talk.page)} == {"Sending"}, "the bot isn't said to be answering"
    inbox.get_by_role("button", name="Hand back").click()
    expect(inbox.get_by_role("button", name="Claim")).to_be_visible()
    talk.look()
    expect(talk.events.last).to_contain_text("has handed you back to Ada")
    talk.send("Thanks, bot")
    expect(talk.page.locator("[data-reply]")).to_have_count(2)


def test_when_a_person_joins_nothing_moves_and_who_has_sent_is_not_said_to_be_typing(browser, new_visitor, site, inbox):
    talk = open_surface(new_visitor, browser, site, "embed", LIVE)
    talk.page.emulate_media(**MOVING)
    talk.page.evaluate(
        "window.moved = 0; new PerformanceObserver((list) => (moved += list.getEntries().length))"
        ".observe({ type: 'layout-shift' })"
    )
    talk.page.locator(".top [data-person]").click()
    expect(talk.leader).to_contain_text("You are in the queue.")
    expect(talk.page.locator("#message")).to_be_focused()
    wait_for_rest(talk.page)
    top = talk.page.locator(".top").bounding_box()
    assert talk.events.first.bounding_box()["y"] >= top["y"] + top["height"]
    assert talk.page.evaluate("moved") == 0
    talk.send("Hello from somebody who looks closely")
    bottom, box = talk.page.locator(".bottom"), talk.page.locator("#message")
    before, left = bottom.bounding_box(), box.bounding_box()["x"]
    inbox.locator(".inbox-row", has_text="looks closely").locator("a").click()
    inbox.get_by_role("button", name="Claim").click()
    expect(talk.leader).to_contain_text("You are talking to")
    assert bottom.bounding_box() == before
    expect(talk.page.locator("[data-attach]")).to_be_visible()
    assert box.bounding_box()["x"] == left  # the text that is being typed stays where it is
    expect(talk.page.get_by_role("button", name="Edit and send again")).to_have_count(0)
    inbox.locator("#inbox-text").press_sequentially("Of course.")
    expect(talk.leader.locator("[data-typing]")).to_be_attached()
    inbox.wait_for_timeout(4100)  # a repeated announcement would come now
    assert [words for _, words in heard(talk.page)].count("owner is typing") == 1
    told: list[str] = []
    inbox.on("request", lambda request: told.append(request.url))
    inbox.locator("#inbox-send").click()
    expect(talk.members).to_have_text(["Of course."])
    expect(talk.leader.locator("[data-typing]")).to_have_count(0)
    expect(inbox.locator("#inbox-text")).to_have_value("")
    assert not [url for url in told if "typing" in url]
    inbox.locator("#inbox-text").fill("And this.")
    inbox.locator("#inbox-send").click()
    expect(talk.members).to_have_count(2)
    first = talk.page.locator(".turn[data-kind=message]").first
    actions, words = first.locator(".under").bounding_box(), first.bounding_box()
    held: list[Route] = []
    talk.page.route("**/messages", lambda route: held.append(route), times=1)
    for said in ("One", "Two"):  # whoever writes faster than the line is
        box.press_sequentially(said)
        box.press("Enter")
    expect(box).to_have_value("Two")
    held[0].continue_()
    expect(talk.page.locator("[data-message]").last).to_have_text("Two")
    expect(box).to_have_value("")
    assert actions["y"] + actions["height"] <= words["y"] + words["height"]  # beside them, not over the next ones
    wait_for_rest(talk.page)
    before = talk.page.evaluate(PLACES)
    inbox.get_by_role("button", name="Hand back").click()
    for leads, pressed in (("bot", None), ("queue", ".top [data-person]"), ("bot", "#leave-queue")):
        if pressed:
            # `click` would scroll to what sticks to the window
            talk.page.locator(pressed).evaluate("button => button.focus({ preventScroll: true })")
            talk.page.keyboard.press("Enter")
        expect(talk.leader).to_have_attribute("data-leader", leads)
        expect(box).to_be_focused()
        expect(talk.page.get_by_role("button", name="Ask Ada")).to_be_visible(visible=leads == "bot")
        wait_for_rest(talk.page)
        assert talk.page.evaluate(PLACES) == before


def test_waiting_talking_and_with_files_everybody_can_use_both_pages(new_visitor, site, inbox, upstream):
    dress = DRESSES["dark, on a phone, Arabic"]
    talk = Talk(new_visitor(**dress).new_page(), live=True)
    page = talk.page
    page.goto(f"{site.url}/chat/help/")
    page.locator(".top [data-person]").focus()
    page.keyboard.press("Enter")
    expect(talk.leader).to_have_attribute("data-leader", "queue")
    page.locator("#message").fill("Wer ist da?")
    page.locator("#send").click()
    inbox.locator(".inbox-row", has_text="Wer ist da?").locator("a").click()
    inbox.get_by_role("button", name="Claim").click()
    expect(inbox.locator("#inbox-head")).to_have_attribute("data-mine", "")
    inbox.locator("#inbox-text").fill("Hello")
    inbox.locator("#inbox-file").set_input_files(OFFER)
    inbox.locator("#inbox-send").click()
    expect(talk.members).to_have_text("Hello")
    send_file(talk, PHOTO)
    expect(page.locator("figure")).to_have_count(2)
    expect(inbox.locator(".inbox-transcript figure")).to_have_count(2)
    inbox.emulate_media(color_scheme="dark")
    inbox.set_viewport_size(PHONE)
    fits = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    assert page.evaluate(fits)
    assert inbox.evaluate(fits)
    inbox.set_viewport_size({"width": 1280, "height": 800})
    assert complaints(page) + complaints(inbox) == []
    with page.expect_file_chooser():
        page.locator("[data-attach]").click()
    inbox.get_by_role("button", name="Close").click()
    expect(talk.leader).to_have_attribute("data-leader", "bot")


def say_from(inbox: Page, text: str) -> None:
    inbox.locator("#inbox-text").fill(text)
    inbox.locator("#inbox-send").click()


def test_an_answer_that_comes_too_late_shows_nothing_twice_and_when_the_machine_is_back_one_goes_on(
    browser, new_visitor, site, inbox, watch
):
    """While it is down, the proxy answers instead."""
    watch.expect("502")
    talk = open_surface(new_visitor, browser, site, "chat", LIVE)
    page = talk.page
    meet(talk, inbox, "Anybody?")
    held: list[tuple[Route, APIResponse]] = []
    page.route("**/updates/**", lambda route: held.append((route, route.fetch())))
    say_from(inbox, "Here I am.")
    expect(inbox.locator("[data-team-message]")).to_have_text("Here I am.")
    while not held or held[-1][1].status != 200:
        for route, response in held:
            route.fulfill(response=response)
        held.clear()
        page.wait_for_timeout(100)
    talk.send("Good")
    expect(talk.members).to_have_text("Here I am.")
    [(route, response)] = held
    with page.expect_response("**/updates/**"):
        route.fulfill(response=response)
    page.unroute_all()
    talk.send("Thanks")
    expect(talk.members).to_have_count(1)

    page.route("**/*", lambda route: route.fulfill(status=502, body="<h1>Bad Gateway</h1>"))
    page.route("**/messages", lambda route: route.fetch() and route.fulfill(status=502), times=1)
    with page.expect_response(lambda response: "/updates/" in response.url and response.status == 502):
        pass
    page.locator("#message").fill("Are you still there?")
    page.locator("#send").click()
    page.locator("#message").type("Hello?")
    page.get_by_role("button", name="Stop waiting").click()
    expect(page.locator("#composer-refusal")).to_contain_text("couldn’t be sent")
    expect(page.locator("#message")).to_have_value("Are you still there?\nHello?")
    expect(talk.leader).to_contain_text("You are talking to")
    page.unroute_all()
    expect(page.locator("[data-message]").last).to_have_text("Are you still there?")
    expect(page.locator("#composer-refusal")).to_be_empty()
    expect(page.locator("#message")).to_have_value("Hello?")
    say_from(inbox, "Back again")
    expect(talk.members).to_have_text(["Here I am.", "Back again"])
    page.locator("#send").click()
    expect(page.locator("[data-message]").last).to_have_text("Hello?")
    assert site.ask_database("SELECT count(*) FROM webchat_turn WHERE message LIKE 'Are you still%'") == [(1,)]


def test_a_poll_without_an_answer_and_a_message_that_is_sent_again_hold_up_no_news(
    browser, new_visitor, site, inbox, watch
):
    watch.expect("htmx:(timeout|sendError|afterRequest)|net::ERR_FAILED")
    talk = open_surface(new_visitor, browser, site, "chat", LIVE)
    meet(talk, inbox, "Is this on?")
    held: list[Route] = []
    with talk.page.expect_request("**/updates/**"):
        talk.page.route("**/updates/**", lambda route: held.append(route), times=1)
    say_from(inbox, "It is.")
    expect(talk.members).to_have_text(["It is."])
    talk.page.route("**/messages", lambda route: route.abort())
    talk.page.locator("#message").fill("Lost")
    talk.page.locator("#message").press("Enter")
    say_from(inbox, "One more thing")
    expect(talk.page.locator("[data-state=sending] ~ li [data-team-message]")).to_have_text("One more thing")


def test_news_that_comes_while_a_button_is_being_answered_leaves_the_button_in_place(browser, new_visitor, site, inbox):
    talk = open_surface(new_visitor, browser, site, "chat", LIVE)
    talk.send("Anybody there?")
    talk.page.get_by_role("button", name="Talk to a person").click()
    held: list[Route] = []
    talk.page.route("**/person/leave", lambda route: held.append(route))
    talk.page.locator("#leave-queue").click()
    wait_for_some(talk.page, held)
    site.ask_database("UPDATE webchat_conversation SET changes = changes + 1 WHERE led_by = 'queue'")
    with talk.page.expect_response(lambda response: "/updates/" in response.url and response.status == 200):
        pass
    held[0].continue_()
    expect(talk.page.locator("#leader")).to_have_attribute("data-leader", "bot")


def test_a_screen_reader_tells_whoever_waits_that_everyone_is_still_busy(browser, new_visitor, site, inbox):
    talk = open_surface(new_visitor, browser, site, "chat", LIVE)
    talk.page.locator(".top [data-person]").click()
    expect(talk.leader).to_contain_text("You are in the queue.")
    long_ago = "led_since = '2026-01-02 03:04:05', changes = changes + 1"
    site.ask_database(f"UPDATE webchat_conversation SET {long_ago} WHERE led_by = 'queue'")
    busy = "Everyone is still busy. You keep your place while this page is open."
    expect(talk.leader).to_contain_text(busy)
    assert ("polite", busy) in heard(talk.page, until=busy)
    talk.page.locator("#leave-queue").click()
    expect(talk.leader).to_have_attribute("data-leader", "bot")


def test_what_is_refused_is_said_the_text_stays_and_while_a_file_is_on_its_way_one_goes_on_talking(
    browser, new_visitor, site, inbox, watch, tmp_path
):
    watch.expect(NETWORK_GONE)
    watch.expect(r"htmx:responseError|status of 413")
    talk = open_surface(new_visitor, browser, site, "chat", LIVE)
    page = talk.page
    meet(talk, inbox, "Refusals")
    page.locator("#message").fill("Not finished")
    alert = page.locator("#composer-refusal [role=alert]")
    send_file(talk, BAD)
    expect(alert).to_contain_text("PDF that can be read")
    too_large = tmp_path / "film.png"
    too_large.write_bytes(bytes(11 * 1024 * 1024))
    send_file(talk, too_large)
    expect(alert).to_contain_text("The limit is 10 MB")
    page.route("**/send-file/**", lambda route: route.abort())
    send_file(talk, PHOTO)
    expect(alert).to_contain_text("couldn’t be sent")
    page.unroute("**/send-file/**")
    page.set_viewport_size(PHONE)
    wait_for_rest(page)  # whoever is at the end stays there when the window gets smaller
    page.evaluate("scrollTo(0, 0)")
    expect(talk.events.last).not_to_be_in_viewport()
    send_file(talk, PHOTO)
    expect(alert).to_have_count(0)
    expect(page.locator("figure")).to_be_in_viewport(ratio=0.5)
    expect(page.locator("#message")).to_have_value("Not finished")

    held: list[Route] = []
    page.route("**/send-file/**", lambda route: held.append(route))
    (photo := tmp_path / PHOTO["name"]).write_bytes(large_picture())
    send_file(talk, photo)
    expect(page.get_by_text("Sending the file…")).to_be_visible()
    expect(page.locator("[data-attach]")).to_have_attribute("aria-disabled", "true")
    talk.send("It takes a while")
    say_from(inbox, "No hurry")
    expect(talk.members).to_have_text(["No hurry"])
    held[0].continue_()
    expect(page.locator("figure")).to_have_count(2)
    expect(page.get_by_text("Sending the file…")).to_be_hidden()
    expect(page.locator("[data-message]")).to_have_text(["Refusals", "leak.jpg", "It takes a while", "leak.webp"])


@pytest.mark.parametrize("surface", ["chat", "embed"])
def test_without_javascript_a_file_that_is_too_large_is_refused_and_the_text_stays(
    browser, new_visitor, site, inbox, watch, tmp_path, surface
):
    watch.expect("status of 413")
    talk = open_surface(new_visitor, browser, site, surface, PLAIN)
    meet(talk, inbox, f"Too large in the {surface}")
    talk.page.locator("#message").fill("Not finished")
    (film := tmp_path / "film.png").write_bytes(bytes(11 * 1024 * 1024))
    send_file(talk, film)
    expect(talk.page.locator("#composer-refusal [role=alert]")).to_contain_text("The limit is 10 MB")
    expect(talk.page.locator("#message")).to_have_value("Not finished")


def test_in_a_frame_that_was_loaded_again_the_person_is_still_there(browser, new_visitor, site, inbox):
    talk = open_surface(new_visitor, browser, site, "embed", True)
    meet(talk, inbox, "Loaded again")
    talk.page.goto(f"{site.url}/embed/help/")
    expect(talk.leader).to_contain_text("You are talking to")
    expect(talk.page.get_by_text("Leaving? Get the answer by e-mail").locator("visible=true")).to_have_count(1)
    send_file(talk, PHOTO)
    is_drawn(talk.page.locator("figure img"))
    talk.page.evaluate("document.documentElement.style.display = 'none'")  # as when the widget's window is closed
    say_from(inbox, "Are you there?")
    expect(talk.members).to_have_count(1)
    for _ in range(2):  # one may be under way
        with inbox.expect_response("**/updates/**"):
            pass
    expect(inbox.get_by_text("Seen by the visitor")).to_have_count(0)
    talk.page.evaluate("document.documentElement.style.display = ''")
    expect(inbox.get_by_text("Seen by the visitor")).to_be_visible()
    inbox.get_by_role("button", name="Hand back").click()


def joined_uninvited(talk: Talk, site: Site, inbox: Page) -> None:
    """Send a message to the bot that offers no person, and have somebody join."""
    talk.page.goto(f"{site.url}/embed/alone/")
    talk.send("Hello")
    expect(talk.page.locator("[data-reply]")).to_have_count(1)
    conversations = "SELECT public_id FROM webchat_conversation WHERE bot_id = 2 ORDER BY id"
    name = site.ask_database(conversations)[-1][0]
    inbox.goto(f"{site.url}/admin/inbox/{uuid.UUID(str(name))}/")
    inbox.get_by_role("button", name="Claim").click()
    expect(inbox.locator("#inbox-head")).to_have_attribute("data-mine", "")
    talk.send("Is somebody there?")
    expect(talk.leader).to_contain_text("You are talking to")


def test_what_somebody_writes_appears_by_itself_in_a_widget_whose_bot_offers_no_person(new_visitor, site, inbox):
    talk = Talk(new_visitor().new_page(), live=True)
    joined_uninvited(talk, site, inbox)
    for number, words in enumerate(("I am.", "How can I help?"), start=1):
        say_from(inbox, words)
        expect(talk.members).to_have_count(number)
    talk.page.get_by_text("Leaving? Get the answer by e-mail").locator("visible=true").click()
    talk.page.get_by_label("Your e-mail address").fill("jo@example.com")
    say_from(inbox, "Take your time.")
    expect(talk.members).to_have_count(3)
    expect(talk.page.get_by_label("Your e-mail address")).to_have_value("jo@example.com")
    talk.send("Thank you")
    expect(talk.page.locator("[data-message]")).to_have_count(3)
    inbox.get_by_role("button", name="Hand back").click()
    expect(talk.leader).to_have_attribute("data-leader", "bot")


def test_that_widget_shows_the_new_conversation_that_another_tab_has_begun(new_visitor, site, inbox, watch):
    watch.expect("Response Status Error Code 404")
    visitor = new_visitor()
    talk = Talk(visitor.new_page(), live=True)
    joined_uninvited(talk, site, inbox)
    tab = visitor.new_page()
    tab.goto(f"{site.url}/embed/alone/")
    expect(tab.locator("#leader")).to_contain_text("You are talking to")
    tab.get_by_label("Menu").first.click()
    tab.locator(".top [data-new-conversation]").click()
    tab.locator("[data-confirm]").click()
    expect(talk.page.locator("[data-message]")).to_have_count(0)
    expect(talk.leader).to_have_attribute("data-leader", "bot")


def test_who_leaves_an_address_sees_the_conversation_and_keeps_the_text_of_the_form(
    new_visitor, browser, site, inbox, upstream
):
    talk = open_surface(new_visitor, browser, site, "chat", LIVE)
    talk.page.set_viewport_size({"width": 360, "height": 640})
    talk.send("A question")
    expect(talk.page.locator("[data-reply]")).to_have_count(1)
    talk.page.locator(".top [data-person]").click()
    expect(talk.leader).to_contain_text("You are in the queue.")
    expect(talk.page.get_by_text("Leaving? Get the answer by e-mail").locator("visible=true")).to_have_count(1)
    assert talk.page.evaluate(ROOM_TO_SPARE) < 0
    talk.page.get_by_text("Leaving? Get the answer by e-mail").locator("visible=true").click()
    talk.page.locator("#reply-email-field").fill("jo")
    talk.page.locator("#reply-email-field").press("Enter")
    expect(talk.page.locator("#reply-email-wrong")).to_be_visible()  # in the page's words, not in the browser's
    expect(talk.page.locator("#reply-email-field")).to_be_focused()
    talk.page.keyboard.press("End")
    talk.page.keyboard.type("@example")
    expect(talk.events.last).to_be_in_viewport()
    waits = "led_since = '2026-01-01 00:00:00', changes = changes + 1"
    site.ask_database(f"UPDATE webchat_conversation SET {waits} WHERE led_by = 'queue'")
    expect(talk.leader).to_contain_text("Everyone is still busy.")
    talk.page.keyboard.type(".com")
    talk.page.keyboard.press("Enter")
    expect(talk.page.locator("#reply-email summary")).to_contain_text("the answer goes to jo@example.com")
    expect(talk.page.locator("#reply-email summary")).to_be_focused()
    with talk.page.expect_response(lambda response: "/updates/" in response.url and response.status == 200):
        site.ask_database("UPDATE webchat_conversation SET changes = changes + 1 WHERE led_by = 'queue'")
    expect(talk.page.locator("#reply-email summary")).to_be_focused()  # after any news
    expect(talk.events.last).to_be_in_viewport()
    talk.leader.locator("[data-action=contact]").click()
    talk.page.locator("#handover-message").fill("Not finished")
    inbox.locator(".inbox-row", has_text="A question").locator("a").click()
    inbox.get_by_role("button", name="Claim").click()
    expect(talk.leader).to_contain_text("You are talking to")
    expect(talk.page.locator("#handover-message")).to_have_value("Not finished")
    inbox.get_by_role("button", name="Hand back").click()
    expect(talk.leader).to_have_attribute("data-leader", "bot")


def test_a_tab_whose_conversation_was_put_away_in_another_one_no_longer_says_that_it_waits(
    new_visitor, browser, site, inbox, watch
):
    watch.expect("Response Status Error Code 404")
    talk = open_surface(new_visitor, browser, site, "chat", LIVE)
    talk.page.locator(".top [data-person]").click()
    expect(talk.leader).to_have_attribute("data-leader", "queue")
    talk.page.locator("#message").fill("Not finished")
    other = talk.page.context.new_page()
    other.goto(f"{site.url}/chat/help/new")
    other.get_by_role("button", name="New conversation").click()
    expect(talk.leader).to_have_attribute("data-leader", "bot")
    expect(talk.page.locator("#message")).to_have_value("Not finished")


def test_who_joins_while_the_bot_leads_and_what_another_tab_sends_is_seen_when_the_visitor_moves(
    new_visitor, browser, site, inbox, upstream
):
    talk = open_surface(new_visitor, browser, site, "chat", LIVE)
    talk.send("I only read")
    expect(talk.page.locator("[data-reply]")).to_have_count(1)
    inbox.goto(f"{site.url}/admin/inbox/?show=all")
    inbox.locator(".inbox-row", has_text="I only read").locator("a").click()
    inbox.get_by_role("button", name="Claim").click()
    expect(inbox.locator("#inbox-head")).to_have_attribute("data-mine", "")
    expect(talk.events).to_have_count(0)
    talk.page.locator("#message").press_sequentially("W")
    expect(talk.events).to_have_text(["owner has joined."])
    inbox.get_by_role("button", name="Hand back").click()
    expect(talk.leader).to_have_attribute("data-leader", "bot")
    other = Talk(talk.page.context.new_page(), live=LIVE)
    other.page.goto(f"{site.url}/chat/help/")
    other.send("In another tab")
    expect(other.page.locator("[data-reply]")).to_have_count(2)
    talk.page.evaluate(HIDE, True)
    talk.page.evaluate(HIDE, False)
    expect(talk.page.locator("[data-message]")).to_have_text(["I only read", "In another tab"])


def test_who_asks_for_a_person_while_the_bot_is_answering_sees_nothing_twice(
    new_visitor, browser, site, inbox, upstream
):
    talk = open_surface(new_visitor, browser, site, "chat", LIVE)
    talk.send("First")
    expect(talk.page.locator("[data-reply]")).to_have_count(1)
    let_go = upstream.will_hold("Late")
    talk.send("Second")
    talk.page.locator(".top [data-person]").click()
    expect(talk.leader).to_have_attribute("data-leader", "queue")
    expect(talk.page.locator("[data-message]")).to_have_text(["First", "Second"])
    let_go.set()
    expect(talk.page.locator("[data-reply]")).to_have_text(["You said: First", "Late"])
    expect(talk.page.locator("[data-message]")).to_have_text(["First", "Second"])
    expect(talk.events).to_have_count(1)


def test_the_end_of_a_kiosks_visit_leaves_the_queue(browser, site, inbox, upstream):
    screen, talk = begun_visit(browser, site)
    ask, size = talk.page.locator(".top [data-person]"), talk.page.locator("[data-text-size]")
    for shape in ({"width": 800, "height": 600}, SMALLER):
        screen.page.set_viewport_size(shape)
        before = size.bounding_box()
        ask.click()
        expect(talk.leader).to_have_attribute("data-leader", "queue")
        expect(ask).to_be_hidden()
        assert size.bounding_box() == before  # nothing comes to be under the finger
        talk.page.locator("#leave-queue").click()
        expect(talk.leader).to_have_attribute("data-leader", "bot")
    ask.click()
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
