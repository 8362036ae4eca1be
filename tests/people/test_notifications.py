"""Push notifications to a visitor: a person has answered; encrypted, without the text, once, and only on request."""

import datetime
import uuid
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.core.management import call_command
from django.utils import timezone

from outbound import sockets
from tests.people.conftest import join, say
from tests.people.push_service import PushService
from tests.webchat.certificates import Authority
from tests.webchat.visitor import Visitor
from webchat.conversation.visitor_session import start_session_as
from webchat.models import Alarm, Attempt, Bot, Conversation, Delivery, Entry, PushKey, PushSubscription
from webchat.notifications import alarms, outbox, replies, web_push
from webchat.notifications.web_push import encode


@pytest.fixture
def service(tmp_path, monkeypatch, settings) -> Iterator[PushService]:
    authority = Authority(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    settings.PUSH_ALLOW_PRIVATE = True
    sockets.tls_context.cache_clear()
    with PushService(authority.server_context()) as service:
        yield service
    sockets.tls_context.cache_clear()


@pytest.fixture
def conversation(bot, visitor, grace, service) -> Conversation:
    """A conversation led by Grace, whose visitor has asked for a notification and then looked away."""
    Bot.objects.update(notifies_visitors=True)
    visitor.send("Where is my order?")
    join(visitor)
    assert visitor.page.one("form[@id='notify']").get("data-key") == web_push.public_key()
    ask(visitor, **service.subscription)
    conversation = Conversation.objects.get()
    conversation.claim(grace)
    return conversation


def ask(visitor: Visitor, **fields: str) -> None:
    visitor.submit(visitor.page.one("form[@id='notify']"), fields)


def deliver() -> None:
    Entry.objects.update(created_at=timezone.now() - datetime.timedelta(seconds=6))
    Delivery.objects.update(next_at=timezone.now())
    replies.push_replies()
    outbox.deliver_due()


def test_the_browser_shows_who_replied_and_nothing_of_the_reply(conversation, grace, service, visitor):
    assert visitor.page.one("*[@id='notify-said']").text == "You will get a notification when somebody answers."
    say(conversation, grace, "It is on its way.")
    say(conversation, grace, "Tomorrow.")
    deliver()
    deliver()
    (shown,) = service.shown_notifications(web_push.public_key())
    assert shown == {"title": "Ada", "body": "You have a reply", "lang": "en", "dir": "ltr", "url": "/chat/help/"}
    assert [each.went_to for each in Attempt.objects.all()] == [service.url.split("/")[2]]
    say(conversation, grace, "Or on Monday.")
    deliver()
    conversation.write_note(grace, uuid.uuid4(), "For the team")
    deliver()
    assert len(service.requests) == 2


OVER = {
    "it has been read": lambda: Conversation.objects.update(visitor_read_to=Entry.objects.last().pk),
    "the conversation has ended": lambda: Conversation.objects.get().end(),
    "the conversation has moved to another browser": lambda: Conversation.objects.get().move("another", "chat"),
    "the owner has turned it off": lambda: Bot.objects.update(notifies_visitors=False),
}


@pytest.mark.parametrize("tried", [False, True])
@pytest.mark.parametrize("happens", OVER.values(), ids=OVER)
def test_nothing_is_sent_for_the_first_time_or_again_when(happens, tried, conversation, grace, service):
    service.status = 503
    say(conversation, grace, "One")
    if tried:
        deliver()
        assert Attempt.objects.get().outcome == "status 503"
    happens()
    deliver()
    assert len(service.requests) == tried
    assert not Delivery.objects.exists()


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_accepts_no_more_is_forgotten(conversation, grace, service, status):
    service.status = status
    say(conversation, grace, "One")
    deliver()
    assert not PushSubscription.objects.exists()
    assert not Delivery.objects.exists()


def test_a_visitor_can_turn_it_off_and_it_is_deleted_with_the_conversation(conversation, visitor, service):
    ask(visitor, stop="1")
    assert not PushSubscription.objects.exists()
    for number in range(7):
        ask(visitor, **service.subscription | {"url": f"https://push.example/{number}"})
    assert {each.url[-1] for each in PushSubscription.objects.all()} == set("23456")
    Conversation.objects.all().delete()
    assert not PushSubscription.objects.exists()


def test_each_of_a_visitors_browsers_has_its_own_setting(conversation, service, visitor, settings):
    phone = Visitor()  # has opened the conversation with a link
    phone.client.cookies[settings.SESSION_COOKIE_NAME] = start_session_as(conversation.visitor).session_key
    assert phone.open().all("*[@id='notify-said']") == []
    ask(phone, **service.subscription | {"url": "https://push.example/phone"})
    assert len(phone.page.all("*[@id='notify-said']")) == 1
    ask(phone, stop="1")
    assert [each.url for each in PushSubscription.objects.all()] == [service.url]
    assert len(visitor.open().all("*[@id='notify-said']")) == 1


def test_a_notification_opens_the_page_on_which_it_was_requested(conversation, grace, service, visitor):
    visitor.client.defaults["HTTP_HX_CURRENT_URL"] = "https://testserver/?lang=en"
    ask(visitor, stop="1")
    ask(visitor, **service.subscription)
    say(conversation, grace, "It is on its way.")
    deliver()
    assert service.shown_notifications(web_push.public_key())[0]["url"] == "/"


def test_the_next_visitor_of_a_browser_replaces_the_notifications_of_the_last(conversation, grace, service):
    """As in a portal on a shared computer."""
    theirs = Conversation.objects.create(visitor="the next one", bot=conversation.bot)
    PushSubscription.objects.keep(theirs, **service.subscription)
    assert PushSubscription.objects.get().conversation == theirs


def test_a_push_service_without_answer_is_asked_once_a_round_and_after_the_alarms(
    conversation, grace, service, settings, mailoutbox, monkeypatch
):
    """The URLs come from strangers. A refusal concerns one browser; others at the same service are still notified."""
    settings.ALARM_EMAIL, settings.EMAIL_HOST = "ops@example.com", "in.memory"
    PushSubscription.objects.all().delete()
    for number, host in enumerate(["silent.example", "choosy.example"] * 2):
        address = {"url": f"https://{host}/{number}"}
        PushSubscription.objects.keep(conversation, **service.subscription | address)
    said = {"silent.example": "no answer in time", "choosy.example": "status 400"}
    asked = []

    def post(url: str, *rest: object) -> str:
        asked.append((urlsplit(url).netloc, len(mailoutbox)))
        return said[urlsplit(url).netloc]

    monkeypatch.setattr(web_push, "post", post)
    say(conversation, grace, "One")
    replies.push_replies()
    alarms.raise_alarm(conversation.bot, Alarm.Cause.BOT_DISABLED)
    deliver()
    assert asked == [("silent.example", 1), ("choosy.example", 1), ("choosy.example", 1)]


WRONG: dict[str, dict[str, Any]] = {
    "not https": {"url": "http://push.example/1"},
    "with a user": {"url": "https://a:b@push.example/1"},
    "very long": {"url": "https://push.example/" + "x" * 1000},
    "not a point on the curve": {"public_key": encode(b"\4" + b"\1" * 64)},
    "not base64": {"public_key": "!"},
    "a short secret": {"auth_secret": encode(b"short")},
    "nothing": {"url": ""},
}


def test_an_invalid_subscription_is_refused(conversation, visitor, service):
    PushSubscription.objects.all().delete()
    for what, wrong in WRONG.items():
        ask(visitor, **service.subscription | wrong)
        assert visitor.page.status == 422, what
        refusal = visitor.page.one("*[@id='composer-refusal']").text_content()
        assert refusal.strip() == "Your browser blocks notifications from this page."
        assert not PushSubscription.objects.exists()


def test_a_url_in_a_private_network_gets_nothing(conversation, grace, service, settings):
    settings.PUSH_ALLOW_PRIVATE = False
    say(conversation, grace, "One")
    deliver()
    assert service.requests == []
    assert Delivery.objects.get().tries == 1


def test_notifications_are_offered_on_page_and_portal_only_if_the_owner_wants_it(bot, visitor, grace):
    join(visitor)
    assert visitor.page.all("form[@id='notify']") == []
    token = visitor.page.one("form[@data-composer]//input[@name='csrfmiddlewaretoken']").get("value")
    answer = visitor.client.post("/chat/help/person/notify", {"stop": "1", "csrfmiddlewaretoken": token})
    assert answer.status_code == 303  # back to the page, without the form
    Bot.objects.update(notifies_visitors=True)
    frame = Visitor("/embed/help/")
    join(frame)
    assert frame.page.all("*[@data-leader='queue']")
    assert frame.page.all("form[@id='notify']") == []


def test_the_push_key_is_encrypted_and_survives_resealing_and_is_replaced_when_unreadable(conversation, settings):
    before = web_push.public_key()
    assert web_push.public_key() == before
    assert "PRIVATE KEY" not in PushKey.objects.get().sealed_pem
    settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], "another"
    call_command("reseal", verbosity=0)
    settings.SECRET_KEY_FALLBACKS = []
    assert web_push.public_key() == before
    settings.SECRET_KEY = "a third one"
    assert web_push.public_key() != before
    assert not PushSubscription.objects.exists()  # useless without the former key
