"""An owner's rules as visitors see them: switched off, closed, business hours, privacy note, consent."""

import datetime

import pytest
from django.contrib.sessions.models import Session
from django.utils import timezone

from tests.webchat.pending import leave_pending
from tests.webchat.visitor import Visitor
from webchat.models import Bot, Conversation, Turn

MONDAY = datetime.datetime(2026, 11, 23, 9, 30, tzinfo=datetime.UTC)
WAYS = pytest.mark.parametrize("way", ["send", "send_live"])
SHUT = {
    "switched off": ({"switched_on": False}, "SWITCHED_OFF", "switched off"),
    "closed by the owner": ({"closed": True, "answers_when_closed": False, "hours": "Mon 12-13"}, "CLOSED", "closed"),
    "outside of hours": ({"hours": "Mon 12-13", "answers_when_closed": False}, "CLOSED", "closed"),
}
shut = pytest.mark.parametrize(("rule", "code", "word"), SHUT.values(), ids=SHUT)


@pytest.fixture(autouse=True)
def clock_on_monday_morning(monkeypatch):
    monkeypatch.setattr(timezone, "now", lambda: MONDAY)


def notice(visitor: Visitor) -> str:
    found = visitor.page.all("*[@data-closed]")
    return " ".join(found[0].text_content().split()) if found else ""


@shut
def test_a_bot_that_takes_no_messages_says_so_and_shows_neither_composer_nor_questions(rule, code, word, visitor):
    Bot.objects.update(**rule)
    page = visitor.open()
    assert f"This chat is {word} at the moment." in notice(visitor)
    assert ("again" in notice(visitor)) == ("hours" in rule and "closed" not in rule), "only hours say when it opens"
    assert page.composer.get("hidden") is not None
    assert not page.all("*[@data-suggestions]")
    assert page.one("a[@class='skip']").get("href") == "#closed"
    assert page.one("*[@data-closed]//*[@data-action='contact']").get("href") == "mailto:owner@example.com"


@shut
@WAYS
def test_a_message_from_a_page_opened_before_is_refused_and_kept(rule, code, word, way, visitor, upstream):
    visitor.open()
    Bot.objects.update(**rule)
    page = getattr(visitor, way)("Is anybody there?")
    assert (page.status, page.typed, page.refusal.code) == (422, "Is anybody there?", code)
    assert page.composer.get("hidden") is None
    assert word in page.refusal.sentence
    assert upstream.requests == []
    assert Turn.objects.count() == Conversation.objects.count() == Session.objects.count() == 0


@shut
def test_a_pending_message_is_not_sent_and_can_be_tried_again(rule, code, word, visitor, upstream):
    sent = leave_pending(visitor)
    Bot.objects.update(**rule)
    turn = visitor.ask_for_the_reply(sent).turns[0]
    assert (turn.alert.code, turn.alert.controls, turn.message) == (code, ["retry", "contact"], "Hello")
    assert upstream.requests == []
    Bot.objects.update(switched_on=True, closed=False, hours="")
    visitor.open()
    assert visitor.press("retry").turns[0].reply == "You said: Hello"


def test_outside_its_hours_the_bot_answers_if_the_owner_likes_and_shows_the_notice(visitor):
    Bot.objects.update(hours="Mon-Fri 9-10", time_zone="Europe/Berlin", closed_notice="We are **asleep**.")
    visitor.open()  # 10:30 in Berlin
    assert "We are asleep." in notice(visitor)
    assert "Opens again: Tuesday, 9 a.m. (Europe/Berlin)" in notice(visitor)
    assert visitor.send("Hello").turns[0].reply == "You said: Hello"
    Bot.objects.update(hours="Mon-Fri 10-11", handover=True)
    visitor.open()
    assert notice(visitor) == ""


def test_on_a_holiday_it_is_closed_and_says_when_it_opens_again(visitor):
    Bot.objects.update(
        holidays="2026-11-20 – 2026-12-04", hours="Mon-Fri 9-17", answers_when_closed=False, handover=True
    )
    visitor.open()
    assert "Opens again: Monday, December 7, 9 a.m." in notice(visitor)
    week = visitor.open("/chat/help/person").one("dl[@class='week']")
    assert "November 20 – December 4 closed" in " ".join(week.text_content().split())


def test_unreadable_hours_lock_nobody_out(visitor):
    Bot.objects.update(hours="whenever", time_zone="Mars/Base", answers_when_closed=False)
    assert visitor.send("Hello").turns[0].reply


@pytest.fixture
def asking(bot: Bot) -> Bot:
    Bot.objects.update(consent="I *agree*.")
    return bot


def consent_value(visitor: Visitor) -> str:
    return (visitor.page or visitor.open()).one("input[@data-consent]").get("value")


@WAYS
def test_without_consent_nothing_is_stored_or_sent_and_the_text_is_kept(way, asking, visitor, upstream):
    page = getattr(visitor, way)("Hello")
    assert (page.status, page.typed, page.refusal.code) == (422, "Hello", "CONSENT_MISSING")
    assert page.one("input[@data-consent]").get("aria-invalid") == "true"
    assert page.one("textarea").get("aria-invalid") is None
    assert upstream.requests == []
    assert Conversation.objects.count() == Session.objects.count() == 0


def test_consent_is_asked_for_once_and_stored_with_the_conversation(asking, visitor):
    refused = visitor.send("x" * 4001, consent=consent_value(visitor))
    assert refused.one("input[@data-consent]").get("checked") is not None
    assert visitor.open().one("*[@id='composer-consent']//em").text == "agree"
    page = visitor.send("Hello", consent=consent_value(visitor))
    assert page.turns[0].reply
    assert not page.all("input[@data-consent]")
    conversation = Conversation.objects.get()
    assert (conversation.consented_to, conversation.consented_at) == ("I *agree*.", MONDAY)
    assert visitor.send("And again").turns[1].reply
    assert len(visitor.post_message("And live").one("*[@id='composer-consent'][@hx-swap-oob]")) == 0


def test_consent_is_not_asked_for_again_in_a_new_conversation(asking, visitor):
    visitor.send("Hello", consent=consent_value(visitor))
    visitor.begin_a_new_conversation()
    assert visitor.send("Hello again").turns[0].reply
    assert Conversation.objects.exclude(consented_at=None).count() == 2


def test_consent_to_an_older_text_is_not_consent_to_the_new_one(asking, visitor):
    old = consent_value(visitor)
    visitor.send("Hello", consent=old)
    Bot.objects.update(consent="I agree to more.")
    page = visitor.send("Hello", consent=old)
    assert (page.refusal.code, page.typed) == ("CONSENT_MISSING", "Hello")
    assert "I agree to more." in page.one("*[@id='composer-consent']").text_content()
    assert page.one("input[@data-consent]").get("checked") is None
    assert visitor.send("Hello", consent=consent_value(visitor)).turns[1].reply
