"""Which upstreams are down, as all processes see it."""

import datetime

from django.db import models
from django.db.models import Case, F, Q, Value, When
from django.utils import timezone

from webchat.models import hot_queries


class CircuitQuerySet(models.QuerySet):
    def of(self, address: str) -> "Circuit | None":
        """None for one that has never failed."""
        return next(iter(self.raw(hot_queries.CIRCUIT, [address])), None)

    def note_failure(self, address: str, *, most: int, forget_after: datetime.timedelta, pause: float) -> bool:
        """One more in a row; True when it is the one that opens the circuit, for `pause` seconds."""
        now = timezone.now()
        self.bulk_create([Circuit(address=address, last_failure_at=now)], ignore_conflicts=True)
        recent = Q(last_failure_at__gt=now - forget_after)
        closed = self.filter(address=address, open_until=None)
        failures = Case(When(recent, then=F("failures") + 1), default=Value(1))
        closed.update(failures=failures, last_failure_at=now)
        open_until = now + datetime.timedelta(seconds=pause)
        return bool(closed.filter(failures__gte=most).update(open_until=open_until, probes=0))

    def begin_probe(self, address: str, *, seconds: float) -> bool:
        """True for one caller only, once the circuit has been open long enough; the next `seconds` are its own."""
        now = timezone.now()
        due = self.filter(address=address, open_until__lte=now)
        return bool(due.update(open_until=now + datetime.timedelta(seconds=seconds)))

    def end_probe(self, address: str, *, failed: bool, pause: float) -> None:
        """Still down, or nothing was sent after all: the circuit stays open, and another one may look."""
        open_until = timezone.now() + datetime.timedelta(seconds=pause)
        probes = F("probes") + 1 if failed else F("probes")
        self.filter(address=address, open_until__isnull=False).update(open_until=open_until, probes=probes)

    def close(self, address: str) -> None:
        self.filter(address=address).update(failures=0, open_until=None, probes=0)


class Circuit(models.Model):
    """How often in a row an upstream was not there, and, if that was too often, until when nobody asks it."""

    address = models.CharField(max_length=255, primary_key=True)
    failures = models.PositiveIntegerField(default=0)
    probes = models.PositiveIntegerField(default=0)  # in vain, since it is open
    last_failure_at = models.DateTimeField(default=timezone.now)
    open_until = models.DateTimeField(null=True)

    objects = CircuitQuerySet.as_manager()

    def __str__(self) -> str:
        return self.address
