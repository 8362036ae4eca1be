"""When each periodic task is due next."""

import datetime

from django.db import models
from django.utils import timezone

SKEW = datetime.timedelta(minutes=5)  # by which the clocks of two machines may differ


class PeriodicTaskQuerySet(models.QuerySet):
    def claim(self, name: str, every: datetime.timedelta) -> bool:
        """Claim a due task: True for one caller only, across all processes and machines.

        A task due later than its interval allows is due now: the clock was wrong when it ran last.
        """
        now = timezone.now()
        row = self.filter(name=name)
        if not row.exists():
            self.bulk_create([PeriodicTask(name=name, due_at=now)], ignore_conflicts=True)
        return bool(row.exclude(due_at__gt=now, due_at__lte=now + every + SKEW).update(due_at=now + every))


class PeriodicTask(models.Model):
    """A task that runs at intervals, named by the dotted path of its function."""

    name = models.CharField(max_length=200, primary_key=True)
    due_at = models.DateTimeField()

    objects = PeriodicTaskQuerySet.as_manager()

    def __str__(self) -> str:
        return self.name
