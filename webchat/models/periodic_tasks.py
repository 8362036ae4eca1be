"""What the site does by itself from time to time, and when next."""

import datetime

from django.db import models
from django.utils import timezone

SKEW = datetime.timedelta(minutes=5)  # by which the clocks of two machines may differ


class ChoreQuerySet(models.QuerySet):
    def claim(self, name: str, every: datetime.timedelta) -> bool:
        """True for one caller only, once the chore is due: of all processes on all machines one does it.

        Due is also what would be due later than it can be: then the clock was wrong when it was done last.
        """
        now = timezone.now()
        row = self.filter(name=name)
        if not row.exists():
            self.bulk_create([Chore(name=name, due_at=now)], ignore_conflicts=True)
        return bool(row.exclude(due_at__gt=now, due_at__lte=now + every + SKEW).update(due_at=now + every))


class Chore(models.Model):
    """A piece of work that comes round again; its name is the function that does it."""

    name = models.CharField(max_length=200, primary_key=True)
    due_at = models.DateTimeField()

    objects = ChoreQuerySet.as_manager()

    def __str__(self) -> str:
        return self.name
