"""Buttons on a page that is out of date: what was typed stays, the visitor is told, and the next try succeeds."""

import pytest

from tests.webchat.visitor import Page, Visitor, fields_of
from webchat.models import Bot, Conversation, Detail, Feedback, Turn

BUTTONS = {"feedback": {"feedback": "up"}, "details": {"detail-own-0": "Springfield"}, "/new": {"ask": "1"}}


@pytest.fixture
def visitor(bot: Bot, visitor: Visitor) -> Visitor:
    """Return a visitor with a reply that can be rated, who is asked for their town."""
    Bot.objects.update(asks_details="after", own_details="Your town", handover=True)
    visitor.send("Hello")
    return visitor


def press_live(visitor: Visitor, url: str, **fields: str) -> Page:
    """Press a button of the composer, with JavaScript."""
    button = visitor.page.all(f"button[contains(@hx-post, '{url}')]")[0]
    sent = fields_of(visitor.page.composer) | fields
    return Page(visitor.client.post(button.get("hx-post"), sent, headers={"HX-Request": "true"}))


def assert_is_told_above_the_message_box(page: Page, code: str) -> None:
    assert page.one("*[@data-alert]").get("data-code") == code
    assert (page.response["HX-Retarget"], page.response["HX-Reswap"]) == ("#composer-refusal", "innerHTML")
    assert page.response["Webchat-Fragment"] == "1"


@pytest.mark.parametrize("url", BUTTONS)
def test_without_javascript_an_expired_page_keeps_what_was_typed(url, visitor):
    visitor.client.cookies["csrftoken"] = "x" * 32  # as after a sign-in in another tab
    page = visitor.press_other_button(url, "A draft", **BUTTONS[url])
    assert (page.status, page.refusal.code, page.typed) == (403, "PAGE_EXPIRED", "A draft")
    if url == "details":
        assert page.one("input[@name='detail-own-0']").get("value") == "Springfield"


@pytest.mark.parametrize("url", ["feedback", "details"])
def test_with_javascript_the_next_try_on_an_expired_page_succeeds(url, visitor):
    visitor.client.cookies["csrftoken"] = "x" * 32
    refused = press_live(visitor, url, **BUTTONS[url])
    assert refused.status == 403
    assert_is_told_above_the_message_box(refused, "PAGE_EXPIRED")
    token = refused.one("input[@hx-swap-oob='outerHTML:[name=csrfmiddlewaretoken]']").get("value")
    assert press_live(visitor, url, csrfmiddlewaretoken=token, **BUTTONS[url]).status == 200
    assert Detail.objects.exists() if url == "details" else Turn.objects.get().feedback == Feedback.UP


def test_without_javascript_a_thumb_in_a_conversation_that_has_ended_keeps_the_draft(visitor):
    Conversation.objects.get().end()
    page = visitor.press_other_button("feedback", "A draft", feedback="up")
    assert (page.status, page.one("textarea").text) == (404, "A draft")
    assert page.one("h1").text == "This conversation has ended."


def test_with_javascript_a_thumb_in_a_conversation_that_has_ended_says_so(visitor):
    Conversation.objects.get().end()
    page = press_live(visitor, "feedback", feedback="up")
    assert page.status == 404
    assert_is_told_above_the_message_box(page, "CONVERSATION_ENDED")


def test_the_text_of_a_request_stays_if_the_owner_takes_no_more_of_them(visitor):
    form = visitor.open("/chat/help/person").one("form[@class='handover']")
    Bot.objects.update(handover=False)
    page = visitor.submit(form, {"email": "jo@example.com", "message": "My lamp is broken"})
    assert (page.status, page.refusal.code, page.typed) == (422, "NOBODY_THERE", "My lamp is broken")


@pytest.fixture
def frame(bot: Bot) -> Visitor:
    """Return a visitor with a conversation in a widget, whose bot is then renamed."""
    Bot.objects.update(people_answer=True)
    frame = Visitor("/embed/help/")
    frame.send("Hello")
    Bot.objects.update(slug="shop")
    return frame


def test_an_open_widget_says_above_the_message_box_that_its_bot_has_gone_and_stops_asking_for_news(frame):
    Conversation.objects.get().notify_pages()  # as when a person has written
    updates = frame.page.one("*[@id='leader']").get("data-updates")
    gone = Page(frame.client.get(updates, headers={"HX-Request": "true"}))
    assert gone.status == 410  # after a 404 the page would load again, and the conversation be out of sight
    assert_is_told_above_the_message_box(gone, "BOT_GONE")
    assert gone.one("*[@data-alert]").text_content().strip() == "This chat isn’t available at the moment."
    leader = gone.one("*[@id='leader']")
    assert leader.get("hx-swap-oob") == "true"
    assert "data-updates" not in leader.attrib
    assert_is_told_above_the_message_box(frame.post_message("Still there?"), "BOT_GONE")


def test_without_javascript_the_widget_of_a_bot_that_has_gone_shows_a_sentence_without_a_way_out(frame):
    page = frame.send("Still there?")
    assert (page.status, page.one("h1").text) == (404, "There is nothing here")
    assert page.one("main/p[1]").text == "The address may be mistyped, or the page has been deleted."
    assert "frame-ancestors *" in page.response["Content-Security-Policy"]
    assert "X-Frame-Options" not in page.response
    assert page.all("a") == []


def test_the_websites_that_show_a_widget_may_show_its_error_pages_too(bot, client):
    Bot.objects.update(origins="https://shop.example")
    gone = Page(client.get("/embed/help/files/5f7d2a3e-33c5-4a0e-9a53-3c5b6a5e8a11"))
    assert gone.status == 404
    assert "frame-ancestors https://shop.example" in gone.response["Content-Security-Policy"]
    assert gone.one("a").get("href") == "/embed/help/"
