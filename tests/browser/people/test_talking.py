"""A visitor and a team member, each in their own browser, talk and send files on every surface."""

import pytest
from playwright.sync_api import Page, Route, expect

from tests.attachments.files import HTML, PDF, large_picture
from tests.browser.axe import complaints
from tests.browser.conftest import MOVING
from tests.browser.owner import PHONE
from tests.browser.people.talk import PHOTO, Talk, begun_visit, is_drawn, meet, open_surface, say_from, send_file
from tests.browser.screen_reader import LISTENER, heard
from tests.browser.test_accessibility import DRESSES, NETWORK_GONE
from tests.browser.waiting import wait_for_rest

# The top of each message.
PLACES = "[...document.querySelectorAll('.said .text')].map((each) => each.getBoundingClientRect().top)"
# Pixels by which the first message could be scrolled out of the window.
ROOM_TO_SPARE = """document.scrollingElement.scrollHeight - innerHeight - scrollY
 - document.querySelector("[data-message]").getBoundingClientRect().top"""
OFFER = {"name": "offer.pdf", "mimeType": "application/pdf", "buffer": PDF}
BAD = {"name": "photo.png", "mimeType": "image/png", "buffer": HTML}


@pytest.mark.parametrize("surface", ["chat", "kiosk"])  # tests/people and tests/attachments have all without JavaScript
def test_a_person_answers_and_files_go_both_ways(surface, browser, new_visitor, site, inbox, upstream, tmp_path):
    inbox.add_init_script(LISTENER)
    inbox.reload()
    talk = open_surface(new_visitor, browser, site, surface)
    expect(talk.page.locator(".attach, .clip").locator("visible=true")).to_have_count(0)
    meet(talk, inbox, f"Hello from the {surface}")
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
    assert ("polite", "Visitor: And when?") in heard(inbox, until="Visitor: And when?")
    if surface == "chat":
        assert {words for _, words in heard(talk.page)} == {"Sending"}, "the bot isn't said to be answering"
    inbox.get_by_role("button", name="Hand back").click()
    expect(inbox.get_by_role("button", name="Claim")).to_be_visible()
    expect(talk.events.last).to_contain_text("has handed you back to Ada")
    talk.send("Thanks, bot")
    expect(talk.page.locator("[data-reply]")).to_have_count(2)


def send_two_at_once(talk: Talk) -> None:
    """Send a message, and another one before the first has its response."""
    box = talk.page.locator("#message")
    held: list[Route] = []
    talk.page.route("**/messages", lambda route: held.append(route), times=1)
    for text in ("One", "Two"):
        box.press_sequentially(text)
        box.press("Enter")
    expect(box).to_have_value("Two\n")
    held[0].continue_()
    expect(talk.page.locator("[data-message]").last).to_have_text("Two")
    expect(box).to_have_value("")


def hand_back_and_queue_again(talk: Talk, inbox: Page) -> None:
    """The person hands back, the visitor asks for a person again and goes back to the bot: nothing moves."""
    wait_for_rest(talk.page)
    before = talk.page.evaluate(PLACES)
    inbox.get_by_role("button", name="Hand back").click()
    for leads, pressed in (("bot", None), ("queue", ".top [data-person]"), ("bot", "#leave-queue")):
        if pressed:
            # `click` would scroll to what sticks to the window
            talk.page.locator(pressed).evaluate("button => button.focus({ preventScroll: true })")
            talk.page.keyboard.press("Enter")
        expect(talk.leader).to_have_attribute("data-leader", leads)
        expect(talk.page.locator("#message")).to_be_focused()
        expect(talk.page.get_by_role("button", name="Ask Ada")).to_be_visible(visible=leads == "bot")
        wait_for_rest(talk.page)
        assert talk.page.evaluate(PLACES) == before


def hand_back_a_long_answer(talk: Talk, inbox: Page) -> None:
    """It leaves no room below it."""
    talk.page.locator(".top [data-person]").click()
    expect(talk.leader).to_have_attribute("data-leader", "queue")
    inbox.get_by_role("button", name="Claim").click()
    say_from(inbox, "\n\n".join(["A long answer."] * 20))
    expect(talk.members).to_have_count(3)
    talk.page.evaluate("scrollTo(0, document.scrollingElement.scrollHeight)")
    wait_for_rest(talk.page)
    before = talk.page.evaluate(PLACES)
    inbox.get_by_role("button", name="Hand back").click()
    expect(talk.leader).to_have_attribute("data-leader", "bot")
    wait_for_rest(talk.page)
    assert talk.page.evaluate(PLACES) == before


def test_nothing_moves_when_a_person_joins_and_typing_ends_with_the_message(browser, new_visitor, site, inbox):
    talk = open_surface(new_visitor, browser, site, "embed")
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
    requested: list[str] = []
    inbox.on("request", lambda request: requested.append(request.url))
    inbox.locator("#inbox-send").click()
    expect(talk.members).to_have_text(["Of course."])
    expect(talk.leader.locator("[data-typing]")).to_have_count(0)
    expect(inbox.locator("#inbox-text")).to_have_value("")
    assert not [url for url in requested if "typing" in url]
    say_from(inbox, "And this.")
    expect(talk.members).to_have_count(2)
    first = talk.page.locator(".turn[data-kind=message]").first
    actions, words = first.locator(".under").bounding_box(), first.bounding_box()
    send_two_at_once(talk)
    wait_for_rest(talk.page)
    expect(talk.members.first).to_be_in_viewport(ratio=1)  # what they answer
    assert actions["y"] + actions["height"] <= words["y"] + words["height"]  # beside them, not over the next ones
    hand_back_and_queue_again(talk, inbox)
    hand_back_a_long_answer(talk, inbox)


def test_axe_finds_nothing_on_either_page_and_both_fit_a_phone(new_visitor, site, inbox, upstream):
    dress = DRESSES["dark, on a phone, Arabic"]
    talk = Talk(new_visitor(**dress).new_page())
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
    for picture in (page.locator("figure img"), inbox.locator(".inbox-transcript figure img")):
        expect(picture).to_have_css("background-color", "oklch(0.964 0.005 265)")  # light, also on a dark page
    inbox.set_viewport_size({"width": 1280, "height": 800})
    assert complaints(page) + complaints(inbox) == []
    with page.expect_file_chooser():
        page.locator("[data-attach]").click()
    inbox.get_by_role("button", name="Close").click()
    expect(talk.leader).to_have_attribute("data-leader", "bot")


def test_a_refused_file_leaves_the_text_and_an_upload_does_not_block_the_conversation(talk, inbox, watch, tmp_path):
    watch.expect(NETWORK_GONE)
    watch.expect(r"htmx:responseError|status of 413")
    page = talk.page
    meet(talk, inbox, "Refusals")
    page.locator("#message").fill("Not finished")
    alert = page.locator("#composer-refusal [role=alert]")
    send_file(talk, BAD)
    expect(alert).to_contain_text("We can’t open this file.")
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


def test_a_visitor_who_leaves_an_email_address_sees_the_conversation_and_keeps_typed_text(talk, site, inbox):
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
    busy = "Everyone is still busy. You keep your place while this page is open."
    assert ("polite", busy) in heard(talk.page, until=busy)
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


def test_the_end_of_a_kiosk_visit_leaves_the_queue(browser, site, inbox, upstream):
    screen, talk = begun_visit(browser, site)
    size = talk.page.locator("[data-text-size]")
    before = size.bounding_box()
    talk.page.locator(".top [data-person]").click()
    expect(talk.leader).to_have_attribute("data-leader", "queue")
    assert size.bounding_box() == before  # nothing comes to be under the finger
    waiting = inbox.locator(".inbox-row[data-led-by=queue]", has_text="kiosk")
    expect(waiting).to_have_count(1)
    screen.finish.click()
    expect(waiting).to_have_count(0)
