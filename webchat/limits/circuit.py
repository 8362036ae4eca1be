"""Circuit breaker: while an upstream is down, turns fail at once instead of occupying threads; one at a time probes it.

The probe is a visitor's turn: a message may cost the owner money, so the site sends none of its own.
"""

import datetime
import logging
import random
from dataclasses import dataclass

from django.conf import settings
from django.utils import timezone

from webchat.models import GRACE, Circuit, Conversation, Turn, hot_queries
from webchat.models.circuits import URL_LENGTH

logger = logging.getLogger(__name__)

WINDOW = datetime.timedelta(minutes=1)  # in which failures count
FIRST_PAUSE = 5.0  # seconds, doubled after each probe that failed
LONGEST_PAUSE = 60.0


class CircuitOpen(Exception):
    """The upstream isn't asked at the moment; `until` is when to try again."""

    def __init__(self, until: datetime.datetime) -> None:
        super().__init__("open")
        self.until = until


@dataclass(frozen=True)
class Call:
    """A turn's call of the upstream. One of the `record_…` methods says how it went."""

    conversation: Conversation
    upstream_url: str
    is_probe: bool = False

    def record_answer(self) -> None:
        """Record a reply or a refusal: either shows that the upstream is up."""
        if self.is_probe:
            Circuit.objects.close(self.upstream_url)
            logger.warning("the upstream is back bot=%s", self.conversation.bot.slug)

    def record_no_answer(self) -> None:
        """Record an outage: no connection, no answer in time, or a gateway reports one."""
        if self.is_probe:
            probes = Circuit.objects.values_list("probes", flat=True).get(upstream_url=self.upstream_url) + 1
            Circuit.objects.end_probe(self.upstream_url, failed=True, pause=_pause(probes))
        elif self._is_down() and Circuit.objects.open(self.upstream_url, pause=_pause(0)):
            logger.error("the upstream is down and won't be asked for a while bot=%s", self.conversation.bot.slug)

    def _is_down(self) -> bool:
        """Return whether several visitors failed within the last minute, and at least as many as got a reply.

        So one visitor whose messages get no answer doesn't make the bot unavailable to everybody.
        """
        if not settings.CIRCUIT_FAILURES:
            return False
        failed = Circuit.objects.record_failure(self.upstream_url, self.conversation.visitor, within=WINDOW)
        if failed < settings.CIRCUIT_FAILURES:
            return False
        ended = Turn.objects.filter(ended_at__gt=timezone.now() - WINDOW, state=Turn.State.ANSWERED)
        return failed >= ended.filter(conversation__bot__base_url=self.conversation.bot.base_url).count()

    def record_not_sent(self) -> None:
        """Record that the upstream wasn't asked, for another reason: the next turn may probe it."""
        if self.is_probe:
            Circuit.objects.end_probe(self.upstream_url, failed=False, pause=0)


def start_call(conversation: Conversation) -> Call:
    """Return the call that a turn may make. Raises CircuitOpen if it may make none."""
    upstream_url = conversation.bot.upstream_url[:URL_LENGTH]
    if not settings.CIRCUIT_FAILURES or hot_queries.first_row(hot_queries.CIRCUIT_IS_OPEN, [upstream_url]) is None:
        return Call(conversation, upstream_url)
    # The probe's worker may die, so after the longest time that an answer can take, another turn probes.
    if Circuit.objects.begin_probe(upstream_url, seconds=settings.CHAT_TIMEOUT + GRACE):
        return Call(conversation, upstream_url, is_probe=True)
    open_until = Circuit.objects.values_list("open_until", flat=True).filter(upstream_url=upstream_url).first()
    if open_until is None:  # another turn's probe has closed it meanwhile
        return Call(conversation, upstream_url)
    soonest = timezone.now() + datetime.timedelta(seconds=1)
    raise CircuitOpen(until=max(soonest, min(open_until, soonest + datetime.timedelta(seconds=FIRST_PAUSE))))


def _pause(probes: int) -> float:
    """Return the seconds until the next probe, with jitter so that upstreams don't all get their probes at once."""
    return min(LONGEST_PAUSE, FIRST_PAUSE * 2**probes) * random.uniform(0.8, 1.2)  # noqa: S311 no secret
