"""E-mails to visitors who have left: the answer, with a link that opens the conversation once, on any device."""

import datetime
import re
import uuid
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.db import connection
from django.utils import timezone

from tests.people.conftest import join, say
from tests.webchat.concurrency import run_in_background
from tests.webchat.visitor import Visitor
from webchat.models import Conversation, Customer, Delivery, Entry, ResumeLink
from webchat.notifications import outbox, replies

SITE = "https://chat.example.com"
LONG_AGO = datetime.timedelta(minutes=5)


@pytest.fixture(autouse=True)
def mail_server(settings: Any) -> None:
    settings.EMAIL_HOST, settings.SITE_URL = "mail.example.com", SITE


@pytest.fixture
def conversation(visitor, grace) -> Conversation:
    """A conversation led by Grace, whose visitor has given an e-mail address and left the page."""
    visitor.send("Where is my order?")
    join(visitor)
    visitor.submit(visitor.page.one("form[@id='reply-email']"), {"email": "jo@example.com"})
    conversation = Conversation.objects.get()
    conversation.claim(grace)
    return conversation


def leave() -> None:
    Conversation.objects.update(visitor_seen_at=timezone.now() - LONG_AGO)
    Entry.objects.update(created_at=timezone.now() - LONG_AGO)


def deliver() -> list[Any]:
    replies.mail_replies()
    outbox.deliver_due()
    return mail.outbox


def link_in(message: Any) -> str:
    return re.search(rf"{SITE}(/resume/\S+)", message.body)[1]


def test_each_answer_is_mailed_once_with_a_link_and_its_text_is_not_in_the_subject(conversation, grace):
    say(conversation, grace, "It is **on its way**.\n\n<b>Tomorrow</b>")
    say(conversation, grace, "Sorry for the delay.")
    leave()
    (message,) = deliver()
    assert message.to == ["jo@example.com"]
    assert message.subject == "Grace from Ada has answered you"
    assert "It is on its way." in message.body
    assert "Sorry for the delay." in message.body
    page = message.alternatives[0].content
    assert "<strong>on its way</strong>" in page
    assert "<b>" not in page
    assert link_in(message) in page
    deliver()
    assert len(mail.outbox) == 1
    say(conversation, grace, "Two")
    leave()
    _, second = deliver()
    assert "Two" in second.body
    assert "Sorry" not in second.body


NOT_MAILED = {
    "the visitor is there": lambda: Conversation.objects.update(visitor_seen_at=timezone.now()),
    "it has been read": lambda: Conversation.objects.update(visitor_read_to=Entry.objects.last().pk),
    "no e-mail address was left": lambda: Conversation.objects.update(reply_email=""),
    "it was written just now": lambda: Entry.objects.update(created_at=timezone.now()),
    "the conversation has ended": lambda: Conversation.objects.get().end(),
    "it is a note": lambda: Entry.objects.filter(kind="message").update(kind="note"),
}


@pytest.mark.parametrize("happens", NOT_MAILED.values(), ids=NOT_MAILED)
def test_a_reply_is_not_mailed_when(happens, conversation, grace):
    say(conversation, grace, "One")
    leave()
    happens()
    assert deliver() == []


def test_the_email_is_in_the_visitors_language(visitor, grace):
    visitor.client.cookies["language"] = "de"
    join(visitor)
    visitor.submit(visitor.page.one("form[@id='reply-email']"), {"email": "jo@example.com"})
    conversation = Conversation.objects.get()
    conversation.claim(grace)
    say(conversation, grace, "Hallo")
    leave()
    assert deliver()[0].subject == "Grace von Ada hat Ihnen geantwortet"


def test_only_the_button_opens_the_conversation_and_only_once(conversation, grace, upstream):
    say(conversation, grace, "It is on its way.")
    leave()
    link = link_in(deliver()[0])
    assert link.rpartition("/")[2] not in str([*ResumeLink.objects.values(), *Delivery.objects.values()])
    phone = Visitor("/chat/help/")
    for _ in range(3):  # as mail scanners do
        assert phone.client.get(link).status_code == 200
        assert phone.client.head(link).status_code == 200
    page = phone.open(link)
    assert page.response["Referrer-Policy"] == "same-origin", "else browsers send `Origin: null` with the button"
    page = phone.submit(page.one("form"))
    assert [turn.message for turn in page.turns] == ["Where is my order?"]
    assert page.all("*[@data-kind='message']")
    assert Conversation.objects.get().led_by == "person"
    phone.send("Thank you")
    assert len(upstream.requests) == 1
    assert phone.client.get(link)["Location"] == "/chat/help/", "where it was opened, it leads there again"
    other = Visitor()
    assert other.client.get(link).status_code == 404
    assert other.open().turns == []


@pytest.mark.parametrize("statements", [1, 2])
def test_the_button_pressed_twice_at_once_opens_the_conversation(statements, database_on_disk, conversation, grace):
    """The second press comes after the first has looked its link up, with so many statements."""
    say(conversation, grace, "It is on its way.")
    leave()
    phone = Visitor()
    phone.open(link_in(deliver()[0]))
    second, seen = phone.twin(), []

    def press(button: Visitor) -> list[str]:
        page = button.submit(button.page.one("form"))
        return [turn.message for turn in button.follow(page.response).turns]

    def press_meanwhile(execute: Callable, sql: str, *more: Any) -> Any:
        result = execute(sql, *more)
        if "webchat_resumelink" in sql:
            seen.append(sql)
            if len(seen) == statements:
                assert run_in_background(partial(press, second))() == ["Where is my order?"]
        return result

    with connection.execute_wrapper(press_meanwhile):
        assert press(phone) == ["Where is my order?"]


def test_a_visitor_who_has_signed_in_meanwhile_finds_it_in_the_portal(conversation, grace):
    conversation.give_to(Customer.objects.of_account(User.objects.create_user("jo")))
    say(conversation, grace, "It is on its way.")
    leave()
    (message,) = deliver()
    assert f"{SITE}/portal/chat/help/{conversation.public_id}/" in message.body
    assert "after you have signed in" in message.body
    assert not ResumeLink.objects.exists()


def test_a_link_opens_a_conversation_that_an_identified_visitor_has_archived(conversation, grace, bot):
    conversation.give_to_and_show(Customer.objects.vouched_for(bot, "7", "Jo", ""))
    say(conversation, grace, "It is on its way.")
    Conversation.objects.get().archive()
    leave()
    phone = Visitor()
    page = phone.submit(phone.open(link_in(deliver()[0])).one("form"))
    assert [turn.message for turn in page.turns] == ["Where is my order?"]


def spoil(link: str, what: str) -> str:
    if what == "too old":
        ResumeLink.objects.update(created_at=timezone.now() - datetime.timedelta(days=8))
    if what == "of a conversation that has ended":
        Conversation.objects.get().end()
    if what == "of a bot that is being deleted":
        Conversation.objects.get().bot.begin_deletion()
    return link if what != "made up" else f"/resume/{uuid.uuid4()}"


@pytest.mark.parametrize(
    "what", ["too old", "of a conversation that has ended", "of a bot that is being deleted", "made up"]
)
def test_a_link_does_not_work_when_it_is(what, conversation, grace):
    say(conversation, grace, "Hello")
    leave()
    stranger = Visitor()
    stranger.open()
    link = spoil(link_in(deliver()[0]), what)
    form = {"csrfmiddlewaretoken": stranger.client.cookies["csrftoken"].value}
    for answer in (stranger.client.get(link), stranger.client.post(link, form)):
        assert answer.status_code == 404
        assert "This link no longer works" in answer.content.decode()


def test_without_a_mail_server_no_email_address_is_asked_for(visitor, grace, settings):
    settings.EMAIL_HOST = ""
    assert join(visitor).all("form[@id='reply-email']") == []
