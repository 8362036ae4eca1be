"""Alarms: the owner is told once about each cause, by every configured channel, without visitors' words."""

import datetime

import pytest
from django.db.models import F
from django.utils import timezone

from tests.conftest import KEY
from webchat.models import Alarm, Bot, Conversation, Delivery, Turn
from webchat.notifications import alarms, outbox

PRIVATE = "My private message 4711"


@pytest.fixture(autouse=True)
def alarm_recipient(settings, bot):
    settings.ALARM_EMAIL = "ops@example.com"
    settings.EMAIL_HOST = "in.memory"  # Django's tests keep e-mails in memory


def alarm_subjects(mailoutbox) -> list[str]:
    outbox.deliver_due()
    return [message.subject for message in mailoutbox]


@pytest.mark.parametrize(
    ("code", "cause"), [("INVALID_API_KEY", "Key or address refused"), ("BOT_DISABLED", "Switched off at its service")]
)
def test_what_only_the_owner_can_fix_is_reported_immediately_and_once_an_hour(
    code, cause, visitor, upstream, mailoutbox
):
    upstream.will_refuse(code, times=5)
    for _ in range(3):
        visitor.send_live(PRIVATE)
    assert mailoutbox == [], "a turn does not wait for a mail server"
    assert alarm_subjects(mailoutbox) == [f"Ada: {cause}"]
    Alarm.objects.update(raised_at=F("raised_at") - datetime.timedelta(hours=1))
    visitor.send_live(PRIVATE)
    assert alarm_subjects(mailoutbox) == [f"Ada: {cause}"] * 2
    assert "It has happened 2 more times since the last message about this." in mailoutbox[1].body
    for message in mailoutbox:
        assert PRIVATE not in message.body
        assert KEY not in message.body
        assert message.to == ["ops@example.com"]


def test_the_bots_own_recipient_is_told_too_but_nobody_twice(bot, mailoutbox, settings):
    bot.alarm_email = "ada@example.com"
    alarms.raise_alarm(bot, Alarm.Cause.BOT_DISABLED)
    bot.alarm_email = settings.ALARM_EMAIL
    alarms.raise_alarm(bot, Alarm.Cause.KEY_REFUSED, code="INVALID_API_KEY")
    assert [each.to_site for each in Delivery.objects.all()] == [False, True, False]


def test_a_budget_is_reported_at_80_percent_and_when_it_is_used_up_once_a_day(bot, visitor, mailoutbox):
    Bot.objects.update(daily_budget=5)
    for number in range(3):
        visitor.send_live(f"{number}")
    alarms.raise_due_alarms()
    assert alarm_subjects(mailoutbox) == []
    visitor.send_live("4")
    alarms.raise_due_alarms()
    alarms.raise_due_alarms()
    assert alarm_subjects(mailoutbox) == ["Ada: Budget nearly used up"]
    assert "4 of today’s 5 messages have been used." in mailoutbox[0].body
    for number in range(4):
        visitor.send_live(f"more {number}")
    alarms.raise_due_alarms()
    assert alarm_subjects(mailoutbox)[1:] == ["Ada: Budget used up"]


def make_turns(bot: Bot, failed: int, answered: int, code: str = "UNREACHABLE", minutes_ago: int = 1) -> None:
    conversation = Conversation.objects.create(bot=bot, visitor=str(timezone.now()))
    ended = timezone.now() - datetime.timedelta(minutes=minutes_ago)
    states = ["failed"] * failed + ["answered"] * answered
    codes = {"failed": code, "answered": ""}
    Turn.objects.bulk_create(
        Turn(conversation=conversation, state=state, ended_at=ended, code=codes[state]) for state in states
    )


FAILURES = {
    "every fourth": ({"failed": 5, "answered": 15}, True),
    "fewer": ({"failed": 5, "answered": 16}, False),
    "long ago": ({"failed": 9, "answered": 0, "minutes_ago": 16}, False),
    "spent budgets": ({"failed": 9, "answered": 0, "code": "BUDGET_SPENT"}, False),
}


@pytest.mark.parametrize(("ended", "is_told"), FAILURES.values(), ids=FAILURES)
def test_many_failures_are_reported(ended, is_told, bot, mailoutbox):
    make_turns(bot, **ended)
    alarms.raise_due_alarms()
    assert alarm_subjects(mailoutbox) == (["Ada: Many failures"] if is_told else [])
