"""Counts of what somebody has done within a window of time."""

from django.db import models


class Allowance(models.Model):
    """How much of one limit is used within a window of time; `webchat.limits` counts with conditional statements."""

    name = models.CharField(max_length=100, primary_key=True)
    window = models.BigIntegerField()  # its number since the epoch
    used = models.PositiveIntegerField(default=0)
    ends_at = models.DateTimeField(null=True)  # of the window; None in rows of an older version

    def __str__(self) -> str:
        return self.name
