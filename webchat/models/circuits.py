"""Which upstreams are down, as all processes see it."""

import datetime

from django.db import models, transaction
from django.db.models import F
from django.utils import timezone

URL_LENGTH = 255
NAME_LENGTH = 8  # of a visitor's hash: enough to tell visitors of one minute apart, too short to identify anybody


class CircuitQuerySet(models.QuerySet):
    def record_failure(self, upstream_url: str, visitor: str, *, within: datetime.timedelta) -> int:
        """Record that a visitor's turn failed; return for how many visitors turns have failed `within` this time.

        0 if the circuit is already open.
        """
        now = timezone.now()
        since = (now - within).timestamp()
        with transaction.atomic():
            circuit, _ = self.select_for_update().get_or_create(upstream_url=upstream_url)
            if circuit.open_until:
                return 0
            lately = {name: at for name, at in circuit.failed.items() if at > since}
            circuit.failed = lately | {visitor[:NAME_LENGTH]: now.timestamp()}
            circuit.last_failure_at = now
            circuit.save()
        return len(circuit.failed)

    def open(self, upstream_url: str, *, pause: float) -> bool:
        """Open the circuit for `pause` seconds; True for one caller only."""
        open_until = timezone.now() + datetime.timedelta(seconds=pause)
        return bool(
            self.filter(upstream_url=upstream_url, open_until=None).update(open_until=open_until, failed={}, probes=0)
        )

    def begin_probe(self, upstream_url: str, *, seconds: float) -> bool:
        """Start a probe of at most `seconds` once the circuit has been open long enough; True for one caller only."""
        now = timezone.now()
        due = self.filter(upstream_url=upstream_url, open_until__lte=now)
        return bool(due.update(open_until=now + datetime.timedelta(seconds=seconds)))

    def end_probe(self, upstream_url: str, *, failed: bool, pause: float) -> None:
        """Keep the circuit open after a failed probe, or one that sent nothing; another visitor's turn may probe."""
        open_until = timezone.now() + datetime.timedelta(seconds=pause)
        probes = F("probes") + 1 if failed else F("probes")
        self.filter(upstream_url=upstream_url, open_until__isnull=False).update(open_until=open_until, probes=probes)

    def close(self, upstream_url: str) -> None:
        self.filter(upstream_url=upstream_url).update(open_until=None, probes=0)


class Circuit(models.Model):
    """One upstream: which visitors' turns it left unanswered lately and, after too many, until when it isn't asked."""

    upstream_url = models.CharField(max_length=URL_LENGTH, primary_key=True, db_column="address")
    failed = models.JSONField(default=dict)  # time by beginning of the visitor's hash
    probes = models.PositiveIntegerField(default=0)  # that have failed since it opened
    last_failure_at = models.DateTimeField(default=timezone.now)
    open_until = models.DateTimeField(null=True)

    objects = CircuitQuerySet.as_manager()

    def __str__(self) -> str:
        return self.upstream_url
