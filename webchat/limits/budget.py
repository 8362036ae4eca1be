"""A bot's daily budget of messages: reserved before a message is sent, returned if it wasn't."""

import datetime

from django.db.models import CharField, F, OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Cast, Coalesce, Concat
from django.utils import timezone

from webchat.limits.rates import Limit, spend, today_and_midnight
from webchat.models import Allowance, Bot

_BUDGET = "budget:"  # before the bot's number


class BudgetSpent(Exception):
    """The bot's budget is used up until `until`. `is_first`: the first message refused today."""

    def __init__(self, until: datetime.datetime, *, is_first: bool) -> None:
        super().__init__(f"until {until:%H:%M}")
        self.until = until
        self.is_first = is_first


def reserve(bot: Bot) -> datetime.date:
    """Take one message out of the bot's daily budget before it is sent; return the day. Raises BudgetSpent."""
    today, midnight = today_and_midnight()
    if not spend([Limit(_budget_name(bot), bot.daily_budget)], today.toordinal(), midnight):
        told = Limit(f"{_budget_name(bot)}:told", 1)
        raise BudgetSpent(until=midnight, is_first=spend([told], today.toordinal(), midnight))
    return today


def give_back(bot: Bot, day: datetime.date) -> None:
    """Return one reserved message that wasn't sent to that day's budget."""
    day_of_bot = Allowance.objects.filter(name=_budget_name(bot), window=day.toordinal(), used__gt=0)
    day_of_bot.update(used=F("used") - 1)


def used_today(bot: Bot) -> int:
    """Return how many messages of the bot's budget are used today."""
    today = Allowance.objects.filter(name=_budget_name(bot), window=timezone.localdate().toordinal())
    return today.values_list("used", flat=True).first() or 0


def with_used_today(bots: QuerySet[Bot]) -> QuerySet[Bot]:
    """Annotate `used_today`, as `used_today` above returns it."""
    name = Concat(Value(_BUDGET), Cast(OuterRef("pk"), CharField()))
    today = Allowance.objects.filter(name=name, window=timezone.localdate().toordinal())
    return bots.annotate(used_today=Coalesce(Subquery(today.values("used")[:1]), 0))


def _budget_name(bot: Bot) -> str:
    return f"{_BUDGET}{bot.pk}"
