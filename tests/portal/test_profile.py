"""A customer's profile: devices that are signed in, and all their data, to download or delete."""

import datetime
import json

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from docbot.models import Chat, Exchange, TrainedBot
from tests.portal.conftest import PAGE, customer, post, sign_in
from tests.portal.test_identity import post_identity
from tests.webchat.identity_provider import Website
from tests.webchat.visitor import Page
from webchat.handover import push_subscriptions
from webchat.models import Bot, Conversation, Customer, Detail, Entry, Feedback, Handover, PushSubscription, Turn

FIREFOX = "Mozilla/5.0 (Android 14; Mobile; rv:128.0) Gecko/128.0 Firefox/128.0"


@pytest.fixture
def phone(rosa) -> Client:
    """A second device of Rosa's."""
    client = Client(headers={"User-Agent": FIREFOX})
    sign_in(client, "rosa")
    return client


def export(client: Client) -> dict:
    return json.loads(client.get("/portal/profile/export").getvalue())


def test_a_customers_devices_are_listed_and_signed_out_by_their_owner_only(rosa, phone, stranger):
    page = rosa.open("/portal/profile")
    text = page.one("main").text_content()
    assert "Rosa" in text
    assert "rosa@example.com" in text
    assert [device.text_content() for device in page.all("li//bdi")][-1:] == ["Firefox · Android"]
    assert len(page.all("strong")) == 1, "only one of them is this device"
    there = Page(phone.get("/portal/profile"))
    assert there.all("li//bdi")[0].text_content() == "Firefox · Android", "and it stands first"
    form = page.one("li/form")
    assert post(stranger.client, form.get("action")).status_code == 404
    assert phone.get("/portal/").status_code == 200
    rosa.open(PAGE)
    rosa.send("Hello")
    PushSubscription.objects.keep(Conversation.objects.get(), "https://push.example/of-the-phone", "key", "secret")
    post(rosa.client, form.get("action"))
    assert phone.get("/portal/").status_code == 303
    assert not PushSubscription.objects.exists(), "it would tell a lost phone of replies"
    assert rosa.open("/portal/profile").status == 200


def test_signing_out_ends_notifications_there_until_they_are_asked_for_again(rosa, phone):
    Bot.objects.update(people_answer=True, notifies_visitors=True)
    rosa.open(PAGE)
    rosa.send("Hello")
    Conversation.objects.update(led_by="queue", led_since=timezone.now(), changes=1)
    conversation = Conversation.objects.get()
    for client, name in ((rosa.client, "desk"), (phone, "phone")):
        session = client.session
        session[push_subscriptions.BROWSER] = name
        session.save()
        PushSubscription.objects.keep(conversation, f"https://push.example/{name}", "key", "secret", browser=name)
    path = f"{PAGE}{conversation.public_id}/"
    assert len(Page(rosa.client.get(path)).all("*[@id='notify-said']")) == 1
    post(rosa.client, "/portal/sign-out")
    assert [each.url for each in PushSubscription.objects.all()] == ["https://push.example/phone"]
    sign_in(rosa.client, "rosa")
    assert Page(rosa.client.get(path)).all("*[@id='notify-said']") == []
    assert len(Page(phone.get(path)).all("*[@id='notify-said']")) == 1


def test_the_download_contains_all_of_ones_own_data_and_nothing_of_others(rosa, stranger, bot):
    rosa.send("My question")
    stranger.send("Another's question")
    mine = Conversation.objects.get(customer=customer("rosa"))
    Entry.objects.create(conversation=mine, kind="message", text="Grace's answer", name="Grace", after_turn=0)
    Entry.objects.create(conversation=mine, kind="note", text="Not for visitors", name="Grace", after_turn=0)
    Handover.objects.create(bot=bot, visitor=mine.visitor, email="r@example.com", message="Call me", surface="portal")
    Detail.objects.create(conversation=mine, kind="own", question="Order number", text="4711")
    agreed = {"consented_to": "Two years.", "consented_at": datetime.datetime(2026, 1, 2, tzinfo=datetime.UTC)}
    told = {"title": "The blue parcel", "page_url": "https://shop.example/", "reply_email": "r@example.com"}
    Conversation.objects.filter(pk=mine.pk).update(**agreed, **told)
    mine.turns.update(feedback=Feedback.DOWN, feedback_reason="Too short")
    Bot.objects.update(in_portal=False)
    data = export(rosa.client)
    assert (data["name"], data["email"]) == ("Rosa", "rosa@example.com")
    (conversation,) = data["conversations"]
    about = [conversation[name] for name in ("title", "page", "reply_email")]
    assert about == ["The blue parcel", "https://shop.example/", "r@example.com"]
    assert [(turn["feedback"], turn["reason"]) for turn in conversation["turns"]] == [("not helpful", "Too short")]
    assert conversation["consent"] == {"agreed_at": "2026-01-02T00:00:00+00:00", "text": "Two years."}
    assert [turn["message"] for turn in conversation["turns"]] == ["My question"]
    assert [entry["message"] for entry in conversation["team"]] == ["Grace's answer"]
    assert [request["message"] for request in data["requests"]] == ["Call me"]
    assert data["details"] == [{"bot": "Ada", "question": "Order number", "answer": "4711"}]
    assert "Another's" not in json.dumps(data)


@pytest.mark.parametrize("is_staff", [False, True])
def test_everything_is_deleted_after_a_confirmation_but_not_the_login_of_a_team_member(is_staff, rosa, stranger, bot):
    User.objects.filter(username="rosa").update(is_staff=is_staff)
    rosa.send("My question")
    stranger.send("Another's question")
    turn, chat = Turn.objects.first(), Chat.objects.create(trained_bot=TrainedBot.objects.create(slug="help"))
    Exchange.objects.create(chat=chat, created_at=turn.ended_at, message=turn.message, reply=turn.reply)
    visitor = customer("rosa").visitor
    Handover.objects.create(bot=bot, visitor=visitor, email="r@example.com", message="Call me", surface="portal")
    said = rosa.open("/portal/profile/erase").one("main").text_content()
    assert ("account" in said) == (not is_staff)
    assert Turn.objects.count() == 2
    response = post(rosa.client, "/portal/profile/erase")
    assert (response.status_code, response["Location"]) == (303, "/portal/erased")
    assert Page(rosa.client.get("/portal/erased")).status == 200
    assert [turn.message for turn in Turn.objects.all()] == ["Another's question"]
    assert not Handover.objects.exists()
    assert not Chat.objects.exists()
    assert User.objects.filter(username="rosa").exists() == is_staff
    assert rosa.client.get("/portal/").status_code == 303


def test_a_customer_identified_by_a_website_can_do_the_same(bot, upstream):
    Bot.objects.update(origins="https://shop.example.com")
    browser = Client()
    post_identity(browser, Website(bot).sign())
    assert "Rosa Meier" in browser.get("/portal/profile").content.decode()
    assert export(browser)["name"] == "Rosa Meier"
    browser.post("/portal/profile/erase")
    assert not Customer.objects.exists()
    assert browser.get("/portal/").status_code == 303
