"""Alarms for the owner: at most one for each cause an hour, and one a day for budgets.

They are raised when an outcome is stored, or by a periodic task, and delivered by another task, so that no turn waits.
"""

import datetime
import logging
from collections.abc import Iterable

from django.conf import settings
from django.db import DatabaseError, transaction
from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet
from django.utils import timezone

from webchat.limits import budget
from webchat.models import Alarm, Bot, Channel, Delivery, Turn
from webchat.upstream import failure_rules

logger = logging.getLogger(__name__)

HOUR = datetime.timedelta(hours=1)
WEEK = datetime.timedelta(days=7)
NEAR = 0.8  # of the day's messages
LEAST_FAILURES = 5  # fewer say nothing
NEVER = datetime.datetime.min.replace(tzinfo=datetime.UTC)
DOWN = (Alarm.Cause.KEY_REFUSED, Alarm.Cause.BOT_DISABLED)  # the bot answers nobody
ONCE_A_DAY = (Alarm.Cause.BUDGET_NEAR, Alarm.Cause.BUDGET_SPENT)
# Codes that don't mean a fault of the bot, or have an alarm of their own.
NO_FAILURES = [code for code, rule in failure_rules.RULES.items() if rule.level < logging.WARNING or rule.alarm]


def raise_alarm_for(turn: Turn, code: str) -> None:
    """Raise the alarm for a failed turn's code, if it has one. Logs database errors instead of raising them."""
    cause = failure_rules.rule(code).alarm
    if cause:
        try:
            raise_alarm(turn.conversation.bot, cause, code=code)
        except DatabaseError as error:
            logger.error("no alarm cause=%s error=%s", cause, type(error).__name__)


def raise_alarm(bot: Bot, cause: str, **facts: object) -> None:
    """Queue an alarm for the owner; if the same alarm was raised recently, only count it."""
    now = timezone.now()
    since = timezone.localtime(now).replace(hour=0, minute=0, second=0, microsecond=0)
    since = since if cause in ONCE_A_DAY else now - HOUR
    with transaction.atomic():
        alarm = Alarm.objects.raise_or_count(bot, cause, since, facts)
        if alarm:
            Delivery.objects.bulk_create(
                Delivery(alarm=alarm, channel=channel, to_site=to_site) for channel, to_site in _channels(bot)
            )


def raise_due_alarms() -> None:
    """Periodic task: raise alarms for nearly used budgets and for bots with too many failures."""
    for bot in Bot.objects.exclude(daily_budget=None):
        used = budget.used_today(bot)
        told_today = Alarm.objects.filter(bot=bot, cause=Alarm.Cause.BUDGET_NEAR, raised_at__date=timezone.localdate())
        if NEAR * bot.daily_budget <= used < bot.daily_budget and not told_today.exists():
            raise_alarm(bot, Alarm.Cause.BUDGET_NEAR, used=used, budget=bot.daily_budget)
    for bot, failed, asked in _failing():
        raise_alarm(bot, Alarm.Cause.FAILURES, failed=failed, all=asked, minutes=settings.ALARM_MINUTES)


def current(alarms: QuerySet[Alarm]) -> list[Alarm]:
    """Return the last week's alarms whose cause seems to remain, newest first. Two statements.

    A bot that has given nobody a reply since the alarm is still down. Budgets are left out: the amount used says more.
    """
    now = timezone.now()
    lost = Delivery.objects.exclude(state=Delivery.State.SENT).filter(
        handover__bot=OuterRef("bot"), handover__done_at=None, tries__gt=0
    )
    may_be_current = (
        Q(cause__in=DOWN)
        | Q(cause=Alarm.Cause.FAILURES, raised_at__gt=now - HOUR)
        | Q(cause=Alarm.Cause.UNDELIVERED) & Exists(lost)
    )
    recent = alarms.filter(may_be_current, raised_at__gt=now - WEEK).select_related("bot").order_by("-raised_at")
    replied_at = _last_replies([alarm for alarm in recent if alarm.cause in DOWN])
    return [each for each in recent if each.cause not in DOWN or each.raised_at >= replied_at.get(each.bot_id, NEVER)]


def _last_replies(alarms: list[Alarm]) -> dict[int, datetime.datetime]:
    """Return when each bot last gave a reply, if it has since the first of its alarms."""
    if not alarms:
        return {}
    since, bots = min(alarm.raised_at for alarm in alarms), {alarm.bot_id for alarm in alarms}
    replies = Turn.objects.filter(state=Turn.State.ANSWERED, code="", created_at__gt=since, conversation__bot__in=bots)
    return dict(replies.order_by().values_list("conversation__bot").annotate(Max("created_at")))


def _failing() -> Iterable[tuple[Bot, int, int]]:
    """Return bots with their failures and messages within the window, unless the owner was told within the hour."""
    if not settings.ALARM_FAILURES:
        return
    now = timezone.now()
    since = now - datetime.timedelta(minutes=settings.ALARM_MINUTES)
    failed = Count("pk", filter=Q(state=Turn.State.FAILED) & ~Q(code__in=NO_FAILURES))
    ended = Turn.objects.filter(ended_at__gt=since).order_by().values("conversation__bot")
    for row in ended.annotate(failed=failed, asked=Count("pk")).filter(failed__gte=LEAST_FAILURES):
        told = Alarm.objects.filter(bot=row["conversation__bot"], cause=Alarm.Cause.FAILURES, raised_at__gt=now - HOUR)
        if row["failed"] * 100 >= settings.ALARM_FAILURES * row["asked"] and not told.exists():
            yield Bot.objects.get(pk=row["conversation__bot"]), row["failed"], row["asked"]


def _channels(bot: Bot) -> Iterable[tuple[str, bool]]:
    """Yield each channel on which the owner is told, and whether it leads to the site's recipient, not the bot's."""
    if bot.alarm_email:
        yield Channel.EMAIL, False
    if settings.ALARM_EMAIL and bot.alarm_email != settings.ALARM_EMAIL:
        yield Channel.EMAIL, True
    if bot.webhook_url:
        yield Channel.WEBHOOK, False
    if settings.ALARM_WEBHOOK_URL and bot.webhook_url != settings.ALARM_WEBHOOK_URL:
        yield Channel.WEBHOOK, True
