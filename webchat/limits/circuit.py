"""Is the upstream there? When it is not, turns fail at once instead of holding threads, and one at a time looks again.

The one that looks is a visitor's turn: asking costs the owner a message, so nothing is asked that nobody wants to know.
"""

import datetime
import logging
import random
from dataclasses import dataclass

from django.conf import settings
from django.utils import timezone

from webchat.models import GRACE, Circuit

logger = logging.getLogger(__name__)

FORGET_AFTER = datetime.timedelta(minutes=1)  # failures that are further apart are no failures in a row
FIRST_PAUSE = 5.0  # seconds, doubled after each probe in vain
LONGEST_PAUSE = 60.0


class Open(Exception):
    """Nobody is to ask the upstream now; `until` is when it may be tried."""

    def __init__(self, until: datetime.datetime) -> None:
        super().__init__("open")
        self.until = until


@dataclass(frozen=True)
class Passage:
    """A turn on its way to the upstream; it says afterwards how it went. `name` is what the log calls the upstream."""

    address: str
    name: str
    is_probe: bool = False
    after_failures: bool = False

    def answered(self) -> None:
        """With a reply or a refusal: whoever says no is there."""
        if self.is_probe or self.after_failures:
            Circuit.objects.close(self.address)
        if self.is_probe:
            logger.warning("the upstream is back bot=%s", self.name)

    def not_there(self) -> None:
        """No connection, no answer in time, or a gateway's word that nobody is behind it."""
        if self.is_probe:
            probes = Circuit.objects.values_list("probes", flat=True).get(address=self.address) + 1
            Circuit.objects.end_probe(self.address, failed=True, pause=_pause(probes))
        elif settings.CIRCUIT_FAILURES and Circuit.objects.note_failure(
            self.address, most=settings.CIRCUIT_FAILURES, forget_after=FORGET_AFTER, pause=_pause(0)
        ):
            logger.error("the upstream is down, nobody asks it for a while bot=%s", self.name)

    def not_asked(self) -> None:
        """Something else was in the way: the next one may look."""
        if self.is_probe:
            Circuit.objects.end_probe(self.address, failed=False, pause=0)


def enter(address: str, name: str) -> Passage:
    """Raises Open."""
    address = address[: Circuit._meta.get_field("address").max_length]
    state = Circuit.objects.of(address) if settings.CIRCUIT_FAILURES else None
    if state is None or state.open_until is None:
        return Passage(address, name, after_failures=bool(state and state.failures))
    # Whoever looks may die over it: after the longest time that an answer takes, another one does.
    if Circuit.objects.begin_probe(address, seconds=settings.CHAT_TIMEOUT + GRACE):
        return Passage(address, name, is_probe=True)
    soonest = timezone.now() + datetime.timedelta(seconds=1)
    raise Open(until=max(soonest, min(state.open_until, soonest + datetime.timedelta(seconds=FIRST_PAUSE))))


def _pause(probes: int) -> float:
    """Seconds, spread out so that upstreams that went down together are not looked at together."""
    return min(LONGEST_PAUSE, FIRST_PAUSE * 2**probes) * random.uniform(0.8, 1.2)  # noqa: S311 no secret
