"""Tells the owner when something is wrong: once for each cause and hour, and of budgets once a day.

Raised where the outcome is stored, or by a periodic task; delivered by another task, so that no turn waits for it.
"""

import datetime
import logging
from collections.abc import Iterable

from django.conf import settings
from django.db import DatabaseError, transaction
from django.db.models import Count, Q
from django.utils import timezone

from webchat.limits import budget
from webchat.models import Alarm, Bot, Cause, Channel, Delivery, Turn
from webchat.upstream import failure_rules

logger = logging.getLogger(__name__)

HOUR = datetime.timedelta(hours=1)
NEAR = 0.8  # of the day's messages
LEAST_FAILURES = 5  # fewer are no rate
ONCE_A_DAY = (Cause.BUDGET_NEAR, Cause.BUDGET_SPENT)
# What fails without anything being wrong with the bot, or has an alarm of its own.
NO_FAILURES = [code for code, rule in failure_rules.RULES.items() if rule.level < logging.WARNING or rule.alarm]


def note(turn: Turn, code: str) -> None:
    """A turn has failed with this code, which is stored already. A database that fails here takes nothing back."""
    cause = failure_rules.rule(code).alarm
    if cause:
        try:
            sound(turn.conversation.bot, cause, code=code)
        except DatabaseError as error:
            logger.error("no alarm cause=%s error=%s", cause, type(error).__name__)


def sound(bot: Bot, cause: str, **facts: object) -> None:
    """Puts down that the owner has to be told, unless it was told of the same lately: then it is counted."""
    now = timezone.now()
    since = timezone.localtime(now).replace(hour=0, minute=0, second=0, microsecond=0)
    since = since if cause in ONCE_A_DAY else now - HOUR
    with transaction.atomic():
        alarm = Alarm.objects.sound(bot, cause, since, facts)
        if alarm:
            Delivery.objects.bulk_create(
                Delivery(alarm=alarm, channel=channel, to_site=to_site) for channel, to_site in _ways(bot)
            )


def look() -> None:
    """Periodic task: budgets that are nearly used up, and bots whose messages fail too often."""
    for bot in Bot.objects.exclude(daily_budget=None):
        used = budget.used_today(bot)
        told_today = Alarm.objects.filter(bot=bot, cause=Cause.BUDGET_NEAR, raised_at__date=timezone.localdate())
        if NEAR * bot.daily_budget <= used < bot.daily_budget and not told_today.exists():
            sound(bot, Cause.BUDGET_NEAR, used=used, budget=bot.daily_budget)
    for bot, failed, asked in _failing():
        sound(bot, Cause.FAILURES, failed=failed, all=asked, minutes=settings.ALARM_MINUTES)


def _failing() -> Iterable[tuple[Bot, int, int]]:
    """Bots with their failures and messages within the window, unless the owner was told within the hour."""
    if not settings.ALARM_FAILURES:
        return
    now = timezone.now()
    since = now - datetime.timedelta(minutes=settings.ALARM_MINUTES)
    failed = Count("pk", filter=Q(state=Turn.State.FAILED) & ~Q(code__in=NO_FAILURES))
    ended = Turn.objects.filter(ended_at__gt=since).order_by().values("conversation__bot")
    for row in ended.annotate(failed=failed, asked=Count("pk")).filter(failed__gte=LEAST_FAILURES):
        told = Alarm.objects.filter(bot=row["conversation__bot"], cause=Cause.FAILURES, raised_at__gt=now - HOUR)
        if row["failed"] * 100 >= settings.ALARM_FAILURES * row["asked"] and not told.exists():
            yield Bot.objects.get(pk=row["conversation__bot"]), row["failed"], row["asked"]


def _ways(bot: Bot) -> Iterable[tuple[str, bool]]:
    """How the owner is told: channel, and whether by the site's own address."""
    if bot.alarm_email:
        yield Channel.EMAIL, False
    if settings.ALARM_EMAIL and bot.alarm_email != settings.ALARM_EMAIL:
        yield Channel.EMAIL, True
    if bot.webhook_url:
        yield Channel.WEBHOOK, False
    if settings.ALARM_WEBHOOK_URL and bot.webhook_url != settings.ALARM_WEBHOOK_URL:
        yield Channel.WEBHOOK, True
