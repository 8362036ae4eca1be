"""Thumbs below a reply: each visitor's counts once, can be changed, and can't be given by anybody else."""

import pytest

from tests.webchat.visitor import Page, Visitor, fields_of
from webchat.models import Bot, Feedback, Turn


def press_thumb(visitor: Visitor, name: str, number: int = -1, **fields: str) -> Page:
    """Press a thumb below a reply, without JavaScript; `draft` and `reason` have been typed before."""
    button = visitor.page.all(f"button[@aria-label='{name}']")[number]
    url = button.get("formaction")
    if "reason" in fields:
        fields[f"reason-{url.split('/')[4]}"] = fields.pop("reason")
    return visitor.press_other_button(url, **{"feedback": button.get("value"), **fields})


def pressed_thumbs(page: Page) -> list[str]:
    return [button.get("aria-label") for button in page.all("button[@aria-pressed='true']")]


def test_a_thumb_is_kept_shown_after_a_reload_and_withdrawn_when_it_is_pressed_again(visitor):
    visitor.send("Hello")
    assert pressed_thumbs(visitor.page) == []
    assert pressed_thumbs(press_thumb(visitor, "Helpful")) == ["Helpful"]
    assert pressed_thumbs(visitor.open()) == ["Helpful"]
    assert Turn.objects.get().feedback == Feedback.UP
    assert Turn.objects.get().feedback_at
    press_thumb(visitor, "Not helpful", reason="Wrong")
    assert pressed_thumbs(press_thumb(visitor, "Not helpful")) == []
    turn = Turn.objects.get()
    assert (turn.feedback, turn.feedback_reason, turn.feedback_at) == (None, "", None)


def test_a_reason_can_be_given_and_is_thanked_for(visitor):
    visitor.send("Hello")
    press_thumb(visitor, "Not helpful")
    page = press_thumb(visitor, "Not helpful", feedback="down", reason="  Out of\u202e date  ")
    assert Turn.objects.get().feedback_reason == "Out of date"
    assert "Thank you for telling us." in page.one("*[@data-feedback]").text_content()
    assert pressed_thumbs(page) == ["Not helpful"]
    press_thumb(visitor, "Not helpful", feedback="down", reason="x" * 9000)
    assert Turn.objects.get().feedback_reason == "x" * 500


def test_the_text_in_the_message_box_is_kept(visitor):
    visitor.send("Hello")
    page = press_thumb(visitor, "Not helpful", draft="And on Sun")
    assert (pressed_thumbs(page), page.typed) == (["Not helpful"], "And on Sun")
    assert page.one("textarea[starts-with(@name, 'reason')]").get("form") == "composer"
    url = page.one("button[@aria-label='Helpful']").get("formaction")
    assert visitor.client.get(url)["Location"] == "/chat/help/"  # as a reload would


@pytest.mark.parametrize("button", ["", "/new", "/person"])
def test_without_javascript_a_typed_reason_is_stored_whatever_button_is_pressed(button, bot, visitor):
    Bot.objects.update(handover=True)
    for message in ("Hello", "And on Sundays?"):
        visitor.send(message)
        press_thumb(visitor, "Not helpful")
    reasons = {field.get("name"): f"Wrong {n}" for n, field in enumerate(visitor.page.all("textarea[@maxlength=500]"))}
    if button:
        visitor.press_other_button(button, "A draft", **reasons)
    else:
        visitor.send("Next", **reasons)
    rated = Turn.objects.filter(feedback=Feedback.DOWN).order_by("pk")
    assert list(rated.values_list("feedback_reason", flat=True)) == ["Wrong 0", "Wrong 1"]


def test_with_javascript_only_the_thumbs_are_replaced_and_announced(visitor):
    visitor.send("Hello")
    url = visitor.page.one("button[@aria-label='Not helpful']").get("hx-post")
    fields = fields_of(visitor.page.composer) | {"feedback": "down"}
    page = Page(visitor.client.post(url, fields, headers={"HX-Request": "true"}))
    assert page.response["Webchat-Fragment"] == "1"
    assert pressed_thumbs(page) == ["Not helpful"]
    assert page.one("details").get("open") is not None
    assert page.one("*[@hx-swap-oob='innerHTML:[data-states]']").text == "Thank you."
    assert not page.all("*[@data-turn]")


@pytest.mark.parametrize("feedback", ["sideways", "1", "UP", "<b>"])
def test_invalid_feedback_is_refused(feedback, visitor):
    visitor.send("Hello")
    assert press_thumb(visitor, "Helpful", feedback=feedback).status == 404
    assert Turn.objects.get().feedback is None


def test_a_stranger_cannot_rate_and_learns_nothing(visitor, new_visitor):
    visitor.send("Hello")
    stranger = new_visitor()
    stranger.send("I am somebody else")
    mine = visitor.page.one("button[@aria-label='Helpful']").get("hx-post")
    fields = fields_of(stranger.page.composer) | {"feedback": "down"}
    for url in (mine, mine.replace(mine.split("/")[4], "5f7d2a3e-33c5-4a0e-9a53-3c5b6a5e8a11")):
        assert stranger.client.post(url, fields).status_code == 404
    assert Turn.objects.filter(feedback__isnull=False).count() == 0


def test_after_two_thumbs_down_a_person_is_offered_once_and_only_if_there_is_one(visitor, bot):
    for message in ("One", "Two", "Three"):
        visitor.send(message)
    for number in (0, 1):
        press_thumb(visitor, "Not helpful", number)
    assert not visitor.page.all("*[@data-offer-person]")
    Bot.objects.update(handover=True)
    assert len(visitor.open().all("*[@data-offer-person]")) == 1
    assert visitor.page.all("*[@data-feedback]")[1].xpath(".//*[@data-offer-person]")
    assert not press_thumb(visitor, "Not helpful", 1).all("*[@data-offer-person]")
