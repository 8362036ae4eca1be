"""Details that a bot asks of visitors: when it asks, what is stored, and who sees it."""

import json

import pytest
from django.core.management import call_command

from tests.webchat.visitor import Page
from webchat.models import Bot, BotWords, Conversation, Customer, Delivery, Detail, Handover
from webchat.notifications import payloads

FIELDS = {"detail-name": "Jo", "detail-email": "jo@example.com", "detail-own-0": "4711"}


@pytest.fixture
def asking(bot: Bot) -> Bot:
    """A bot that asks before the first message for an optional name, an e-mail address and an order number."""
    asks = {"asks_details": "before", "asks_name": "optional", "asks_email": "required"}
    Bot.objects.update(**asks, own_details="Order number *\n", details_purpose="So that we can write to you.")
    bot.refresh_from_db()
    return bot


def stored_details() -> list[str]:
    return [str(detail) for detail in Detail.objects.all()]


def labels(page: Page) -> list[str]:
    return [" ".join(each.text_content().split()) for each in page.all("div[@id='composer-details']//label")]


def test_the_details_are_asked_above_the_message_box_with_their_purpose(asking, visitor):
    page = visitor.open()
    assert labels(page) == ["Your name (optional)", "Your e-mail address", "Order number"]
    assert page.one("div[@id='composer-details']//legend").text_content().strip() == "So that we can write to you."
    BotWords.objects.create(bot=asking, language="de", own_details="Bestellnummer *", details_purpose="Für Rückfragen.")
    Bot.objects.update(languages="de")
    visitor.client.defaults["HTTP_ACCEPT_LANGUAGE"] = "de"
    assert labels(visitor.open())[-1] == "Bestellnummer"


@pytest.mark.parametrize("way", ["send", "send_live"])
@pytest.mark.parametrize(
    ("missing", "sentence"),
    [
        ({"detail-email": ""}, "Fill in “Your e-mail address” first."),
        ({"detail-own-0": "  "}, "Fill in “Order number” first."),
        ({"detail-email": "jo"}, "This is not an e-mail address. Enter one such as name@example.com."),
    ],
)
def test_without_required_details_nothing_is_stored_and_everything_typed_is_kept(
    way, missing, sentence, asking, visitor, upstream
):
    page = getattr(visitor, way)("Hello", **FIELDS | missing)
    assert (page.status, page.typed, page.refusal.code) == (422, "Hello", "DETAILS_MISSING")
    assert page.refusal.sentence == sentence
    assert [field.get("name") for field in page.all("input[@aria-invalid]")] == list(missing)
    assert page.one("input[@name='detail-name']").get("value") == "Jo"
    assert page.one("textarea[@name='message']").get("aria-invalid") is None
    assert upstream.requests == []
    assert Conversation.objects.count() == Detail.objects.count() == 0


@pytest.mark.parametrize("way", ["send", "send_live"])
def test_details_are_stored_with_the_first_message_asked_once_and_never_sent_upstream(way, asking, visitor, upstream):
    page = getattr(visitor, way)("Hello", **FIELDS)
    assert page.turns[0].reply
    assert labels(page) == labels(visitor.open()) == []
    assert stored_details() == ["Name: Jo", "E-mail address: jo@example.com", "Order number: 4711"]
    assert "jo@example.com" not in str(upstream.requests[0])
    assert upstream.requests[0].message == "Hello"
    assert visitor.send("And again").turns[1].reply


def test_after_the_first_reply_details_can_be_given_with_the_draft_kept_or_skipped(asking, visitor):
    Bot.objects.update(asks_details="after")
    assert labels(visitor.send("Hello")) == ["Your name", "Your e-mail address", "Order number"]
    url = "/chat/help/details"
    page = visitor.press_other_button(url, "A draft", **{"detail-email": "jo"})
    assert (page.status, page.refusal.code, page.typed) == (422, "DETAILS_MISSING", "A draft")
    page = visitor.press_other_button(url, "A draft", **{"detail-email": "jo@example.com"})
    assert (page.status, labels(page), page.typed) == (200, [], "A draft")
    assert stored_details() == ["E-mail address: jo@example.com"]
    visitor.begin_a_new_conversation()
    assert len(labels(visitor.send("Hello again"))) == 3
    assert labels(visitor.send("And on Sunday?")) == []


def test_known_visitors_and_those_at_a_kiosk_are_not_asked(asking, client):
    assert labels(Page(client.get("/embed/help/")))
    customer = Customer.objects.create(bot=asking, subject="42", name="Rosa")
    session = client.session
    session["seen"], session["visitor"] = "today", customer.visitor
    session.save()
    assert labels(Page(client.get("/chat/help/"))) == []


def test_a_form_can_replace_the_chat(asking, visitor, upstream, admin_client):
    Bot.objects.update(asks_details="instead", handover=True)
    page = visitor.open()
    form = page.one("form[@class='handover']")
    assert page.composer.get("hidden") is not None
    fields = {"email": "jo@example.com", "message": "Where is it?"}
    assert visitor.submit(form, fields | {"detail-own-0": ""}).status == 422
    assert not Handover.objects.exists()
    visitor.open()
    assert visitor.submit(visitor.page.one("form[@class='handover']"), fields | {"detail-own-0": "4711"}).status == 200
    handover = Handover.objects.get(message="Where is it?")
    assert [str(detail) for detail in handover.details.all()] == stored_details() == ["Order number: 4711"]
    visitor.open()
    assert visitor.send("Hello").refusal.code == "CLOSED"
    assert upstream.requests == []
    assert "Order number: 4711" in admin_client.get(f"/admin/webchat/handover/{handover.pk}/change/").content.decode()
    told = {"question": "Order number", "answer": "4711"}
    assert json.loads(payloads.body(Delivery(handover=handover)))["details"] == [told]
    assert "Order number: 4711" in payloads.email(Delivery(handover=handover), "ops@example.com").body


def test_the_team_reads_the_details_and_exports_and_erasure_include_them(asking, visitor, admin_client, capsys):
    visitor.send("Hello", **FIELDS)
    conversation = Conversation.objects.get()
    assert "4711" in admin_client.get(f"/admin/webchat/conversation/{conversation.pk}/change/").content.decode()
    call_command("visitor", "export", str(conversation.public_id))
    assert json.loads(capsys.readouterr().out)["conversations"][0]["details"][2]["answer"] == "4711"
    call_command("visitor", "export", "Jo@Example.com")
    given = json.loads(capsys.readouterr().out)
    assert given["conversations"] == []  # anybody can enter an e-mail address
    assert {each["conversation"] for each in given["details"]} == {str(conversation.public_id)}
    call_command("visitor", "erase", "jo@example.com", "--yes")
    assert not Detail.objects.exists()
    assert Conversation.objects.exists()
