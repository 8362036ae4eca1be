"""How much may be sent: messages a minute for a visitor, messages a day to a bot; counted in the database.

Each count is one conditional UPDATE, so that any number of processes share it and none goes over.
"""

import datetime

from django.conf import settings
from django.db.models import Case, F, PositiveIntegerField, Q, Value, When
from django.utils import timezone

from webchat.models import Allowance, Bot

MINUTE = 60  # seconds


class TooManyMessages(Exception):
    """The visitor's minute is used up; `wait` is how many seconds are left of it."""

    def __init__(self, wait: int) -> None:
        super().__init__(f"wait {wait} s")
        self.wait = wait


class BudgetSpent(Exception):
    """The bot's day is used up; `until` is when the next one begins. `is_first`: the first message refused today."""

    def __init__(self, until: datetime.datetime, *, is_first: bool) -> None:
        super().__init__(f"until {until:%H:%M}")
        self.until = until
        self.is_first = is_first


def count_message(visitor: str) -> None:
    """Raises TooManyMessages."""
    if not settings.MESSAGES_PER_MINUTE:
        return
    window, into_the_minute = divmod(int(timezone.now().timestamp()), MINUTE)
    if not _spend(f"messages:{visitor}", window, settings.MESSAGES_PER_MINUTE):
        raise TooManyMessages(wait=MINUTE - into_the_minute)


def count_attempt(name: str, limit: int, window: int) -> int:
    """Counts one of `limit` attempts within `window` seconds: 0, or how many seconds are left when none is."""
    number, into_the_window = divmod(int(timezone.now().timestamp()), window)
    return 0 if _spend(name, number, limit) else window - into_the_window


def reserve(bot: Bot) -> datetime.date:
    """Takes one message out of the bot's day, before it is sent; gives that day. Raises BudgetSpent."""
    today = timezone.localdate()
    if bot.daily_budget is None or _spend(_budget_name(bot), today.toordinal(), bot.daily_budget):
        return today
    midnight = datetime.datetime.combine(today + datetime.timedelta(days=1), datetime.time.min)
    is_first = _spend(f"{_budget_name(bot)}:told", today.toordinal(), 1)
    raise BudgetSpent(until=timezone.make_aware(midnight), is_first=is_first)


def give_back(bot: Bot, day: datetime.date) -> None:
    """Nothing was sent after all of what was reserved on that day."""
    if bot.daily_budget is not None:
        day_of_bot = Allowance.objects.filter(name=_budget_name(bot), window=day.toordinal(), used__gt=0)
        day_of_bot.update(used=F("used") - 1)


def _budget_name(bot: Bot) -> str:
    return f"budget:{bot.pk}"


def _spend(name: str, window: int, limit: int) -> bool:
    if _spend_from_row(name, window, limit):
        return True
    # No row yet, or nothing left: only in the first case does the second try find something to take from.
    Allowance.objects.bulk_create([Allowance(name=name, window=window, used=0)], ignore_conflicts=True)
    return _spend_from_row(name, window, limit)


def _spend_from_row(name: str, window: int, limit: int) -> bool:
    same_window = Q(window=window)
    row = Allowance.objects.filter(~same_window | Q(used__lt=limit), name=name)
    used = Case(When(same_window, then=F("used") + 1), default=Value(1), output_field=PositiveIntegerField())
    return bool(row.update(used=used, window=window))


def used_today(bot: Bot) -> int:
    """Of the bot's budget."""
    today = Allowance.objects.filter(name=_budget_name(bot), window=timezone.localdate().toordinal())
    return today.values_list("used", flat=True).first() or 0
