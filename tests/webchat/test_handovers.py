"""Requests for a person: the form, what is stored, and what is refused without losing any text."""

import datetime

import pytest
from django.utils import timezone

from tests.webchat.visitor import Page, Visitor
from webchat.models import Bot, Channel, Conversation, Delivery, Handover, Turn

LIVE = {"HX-Request": "true"}
EMAIL, MESSAGE = "jo@example.com", "Please call me."


@pytest.fixture(autouse=True)
def with_people(bot: Bot) -> None:
    Bot.objects.update(handover=True, handover_email="team@example.com")


def request_person(visitor: Visitor, *, open_form: bool = True, **fields: str) -> Page:
    """Open the form, fill it in and send it, without JavaScript."""
    if open_form:
        visitor.open("/chat/help/person")
    form = visitor.page.one("form[contains(@class, 'handover')]")
    return visitor.submit(form, {"email": EMAIL, "message": MESSAGE, **fields})


def mistakes(page: Page) -> list[str]:
    return [" ".join(each.text_content().split()) for each in page.all("form//*[@role='alert']")]


def test_a_request_is_stored_together_with_its_deliveries(visitor):
    page = request_person(visitor)
    assert page.one("h1").text == "Your request has been sent"
    assert EMAIL in page.one("*[@data-asked]").text_content()
    handover = Handover.objects.get()
    assert (handover.email, handover.message, handover.surface, handover.language) == (EMAIL, MESSAGE, "chat", "en")
    assert [(each.channel, each.state) for each in Delivery.objects.all()] == [(Channel.EMAIL, "waiting")]


def test_the_link_to_a_person_is_at_the_top_and_in_alerts_and_nowhere_if_the_bot_offers_none(visitor, upstream):
    assert visitor.open().one("header//button[@data-action='contact']").get("formaction") == "/chat/help/person"
    upstream.will_refuse("BOT_DISABLED")
    button = visitor.send("Hello").one("*[@data-alert]//button[@data-action='contact']")
    assert (button.get("formaction"), button.get("hx-post")) == ("/chat/help/person", "/chat/help/person")
    Bot.objects.update(handover=False)
    assert visitor.open("/chat/help/person").status == 404
    assert not visitor.open().all("*[contains(@formaction, '/person')]")


REFUSED = {
    "no e-mail address given": ({"email": ""}, "Enter your e-mail address, so that we can answer."),
    "not an e-mail address": ({"email": "jo@"}, "This is not an e-mail address. Enter one such as name@example.com."),
    "two e-mail addresses": ({"email": "jo@example.com, al@example.com"}, "This is not an e-mail address."),
    "no message": ({"message": "   "}, "Tell us what it is about."),
    "too long": ({"message": "x" * 4001}, "This message is 1 character longer than the limit of 4000."),
}


@pytest.mark.parametrize(("fields", "sentence"), REFUSED.values(), ids=REFUSED)
def test_mistakes_are_named_beside_their_field_and_everything_typed_is_kept(fields, sentence, visitor):
    page = request_person(visitor, **fields)
    assert page.status == 422
    assert mistakes(page)[0].startswith(sentence)
    assert page.typed == fields.get("message", MESSAGE)
    assert page.one("input[@name='email']").get("value") == fields.get("email", EMAIL)
    field = page.one(f"*[@name='{next(iter(fields))}']")
    assert field.get("aria-invalid") == "true"
    assert page.one(f"*[@id='{field.get('aria-describedby')}']").text.startswith(sentence)
    assert Handover.objects.count() == 0
    assert request_person(visitor, open_form=False).one("*[@data-asked]") is not None


def test_on_an_expired_page_the_text_stays_in_the_form(visitor):
    page = request_person(visitor, csrfmiddlewaretoken="x" * 64)
    assert page.status == 403
    assert mistakes(page) == ["This page has expired, or cookies are blocked. Send your message again."]
    assert page.typed == MESSAGE
    assert request_person(visitor, open_form=False).one("*[@data-asked]") is not None


def test_a_visitor_can_send_only_so_many_requests_an_hour(visitor, new_visitor, settings):
    settings.REQUESTS_PER_HOUR = 2
    request_person(visitor)
    request_person(visitor, message="Two")
    page = request_person(visitor, message="Three")
    assert (page.status, page.typed) == (422, "Three")
    assert mistakes(page) == ["You’ve sent a lot of requests. Wait an hour before you send another one."]
    assert request_person(new_visitor()).status == 200
    Handover.objects.update(created_at=timezone.now() - datetime.timedelta(hours=1))
    assert request_person(visitor, open_form=False, message="Three").status == 200


def test_a_request_from_a_program_is_kept_but_nobody_is_told(visitor):
    assert request_person(visitor, website="https://spam.example").one("*[@data-asked]") is not None
    assert Handover.objects.get().is_suspect
    assert Delivery.objects.count() == 0


def test_the_same_form_sent_twice_is_one_request_and_with_another_text_refused_with_a_fresh_key(visitor):
    form = visitor.open("/chat/help/person").one("form[contains(@class, 'handover')]")
    for _ in range(2):
        assert visitor.submit(form, {"email": EMAIL, "message": MESSAGE}).one("*[@data-asked]") is not None
    assert (Handover.objects.count(), Delivery.objects.count()) == (1, 1)
    page = visitor.submit(form, {"email": EMAIL, "message": "Something else"})
    assert (page.status, mistakes(page)) == (422, ["This page was out of date. Send your message again."])
    assert page.one("form//input[@name='key']").get("value") != form.xpath(".//input[@name='key']")[0].get("value")
    assert request_person(visitor, open_form=False, message="Something else").one("*[@data-asked]") is not None
    assert Handover.objects.count() == 2


def test_the_conversation_is_attached_only_with_consent_and_only_up_to_then(visitor):
    visitor.send("Secret one")
    request_person(visitor)
    request_person(visitor, message="With it", transcript="1")
    visitor.open()
    visitor.send("Secret two")
    without, with_it = Handover.objects.order_by("created_at")
    assert list(without.transcript) == []
    assert [turn.message for turn in with_it.transcript] == ["Secret one"]


def test_the_form_contains_what_the_visitor_has_already_written(visitor):
    assert visitor.open("/chat/help/person").one("textarea[@name='message']").text.strip() == ""
    for message, proposed in (("Where is it?", "Where is it?"), ("I want to talk to a person", "Where is it?")):
        visitor.open()
        visitor.send(message)
        form = visitor.open("/chat/help/person")
        assert form.one("textarea[@name='message']").text.strip() == proposed
    Conversation.objects.update(reply_email="jo@example.com")
    assert visitor.open("/chat/help/person").one("input[@name='email']").get("value") == "jo@example.com"


def test_a_stranger_cannot_see_whether_a_request_exists(visitor, new_visitor):
    request_person(visitor)
    stranger = new_visitor()
    stranger.send("I am somebody else")
    key = Handover.objects.get().key
    for url in (f"/chat/help/person/{key}", "/chat/help/person/5f7d2a3e-33c5-4a0e-9a53-3c5b6a5e8a11"):
        assert stranger.open(url).status == 404
    assert visitor.open(f"/chat/help/person/{key}").status == 200


def test_with_javascript_form_refusal_and_thanks_are_fragments(visitor):
    visitor.open()
    form = Page(visitor.client.get("/chat/help/person", headers=LIVE))
    assert form.response["Webchat-Fragment"] == "1"
    refused = visitor.submit_live(form.one("form"), {"email": "jo", "message": MESSAGE})
    assert (refused.status, len(mistakes(refused))) == (422, 1)
    thanks = visitor.submit_live(refused.one("form"), {"email": EMAIL, "message": MESSAGE})
    assert EMAIL in thanks.one("*[@data-asked]").text_content()
    assert not thanks.all("html")


def test_in_a_frame_without_cookies_the_form_carries_the_session(bot):
    visitor = Visitor("/embed/help/")
    visitor.send("Hello")
    page = visitor.press_other_button("/person")
    assert page.one("input[@name='transcript']") is not None
    page = request_person(visitor, open_form=False, transcript="1")
    assert EMAIL in page.one("*[@data-asked]").text_content()
    assert [turn.message for turn in Handover.objects.get().transcript] == ["Hello"]
    assert not visitor.client.cookies
    back = visitor.submit(page.one("form[@id='back']"))
    assert back.turns[0].message == "Hello"


@pytest.mark.parametrize("place", ["/embed/help/", "/chat/help/"])
def test_a_request_may_be_the_first_thing_that_a_visitor_sends(place, bot):
    """In a frame nothing is stored yet; elsewhere the session may end while the form is filled in."""
    visitor = Visitor(place)
    visitor.open()
    visitor.press_other_button("/person")
    visitor.client.cookies["sessionid"] = "x" * 32
    assert EMAIL in request_person(visitor, open_form=False).one("*[@data-asked]").text_content()


@pytest.mark.parametrize(
    ("zone", "words"),
    [
        ("America/New_York", "Nobody is available right now. Opens again: Monday, 9 a.m. (America/New_York)"),
        ("Europe/Berlin", "Somebody is available until 5 p.m."),
    ],
)
def test_hours_and_what_happens_next_are_in_the_bots_time_zone(zone, words, visitor, monkeypatch):
    monday = datetime.datetime(2026, 11, 23, 9, 30, tzinfo=datetime.UTC)
    monkeypatch.setattr(timezone, "now", lambda: monday)
    Bot.objects.update(hours="Mon-Fri 9-17", time_zone=zone, handover_next="Ms Meier calls you back.")
    text = " ".join(visitor.open("/chat/help/person").one("*[@class='people small']").text_content().split())
    assert words in text
    assert "Ms Meier calls you back." in text


def test_a_request_is_deleted_with_its_conversation(visitor):
    visitor.send("Hello")
    request_person(visitor, transcript="1")
    Turn.objects.get().conversation.delete()
    assert Handover.objects.count() == Delivery.objects.count() == 0
