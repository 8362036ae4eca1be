"""The use of the bots' daily budgets, with a forecast for today."""

import datetime
from dataclasses import dataclass

from django.db.models import Sum
from django.utils import timezone

from desk.models import Tally
from desk.statistics.insights import Measure, Selection
from webchat.limits import budget
from webchat.models import Bot
from webchat.upstream.failure_rules import BUDGET_SPENT

SENT = (Measure.ANSWERED, Measure.NOT_SURE, Measure.NOT_KNOWN, Measure.FAILED)  # to the bot's service


@dataclass(frozen=True)
class UsedToday:
    """What is used of a bot's budget for today."""

    bot: Bot
    used: int

    @property
    def left(self) -> int:
        return max(0, self.bot.daily_budget - self.used)

    @property
    def share(self) -> int:
        """Return the used share in per cent."""
        return min(100, round(100 * self.used / self.bot.daily_budget))

    @property
    def gone_at(self) -> datetime.datetime | None:
        """Return when today's budget runs out at the current rate, or None if it lasts."""
        now = timezone.localtime()
        midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
        if not self.used or not self.left:
            return None
        end = now + (now - midnight) * (self.left / self.used)
        return end if end < midnight + datetime.timedelta(days=1) else None


@dataclass(frozen=True)
class Budget(UsedToday):
    days_gone: int  # days of the period on which the budget ran out
    usual: float  # average messages a day in the period

    @property
    def days_left(self) -> float:
        """Return how many average days the rest of today's budget would cover."""
        return self.left / self.usual if self.usual else float("inf")


def budgets_for(selection: Selection) -> list[Budget]:
    """Return the budgets of the selected bots that have one."""
    bots = [selection.bot] if selection.bot else Bot.objects.all()
    if selection.bots is not None:
        bots = [bot for bot in bots if bot.pk in selection.bots]
    return [_budget(bot, selection) for bot in bots if bot.daily_budget]


def _budget(bot: Bot, selection: Selection) -> Budget:
    tallies = Tally.objects.filter(bot=bot, day__gte=selection.first, day__lte=selection.last)
    sent = tallies.filter(measure__in=SENT).exclude(name=BUDGET_SPENT)
    return Budget(
        bot=bot,
        used=budget.used_today(bot),
        days_gone=tallies.filter(name=BUDGET_SPENT).values("day").distinct().count(),
        usual=(sent.aggregate(total=Sum("number"))["total"] or 0) / selection.days,
    )
