"""Circuit breaker: while an upstream is down, turns fail at once instead of holding threads; one at a time probes it.

The probe is a visitor's turn: each message costs the owner something, so the site sends none of its own.
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

LATELY = datetime.timedelta(minutes=1)
FIRST_PAUSE = 5.0  # seconds, doubled after each probe that failed
LONGEST_PAUSE = 60.0


class Open(Exception):
    """Nobody may ask the upstream now; `until` is when it may be tried again."""

    def __init__(self, until: datetime.datetime) -> None:
        super().__init__("open")
        self.until = until


@dataclass(frozen=True)
class Passage:
    """A turn on its way to the upstream; it reports afterwards how it went."""

    conversation: Conversation
    upstream_url: str
    is_probe: bool = False

    def answered(self) -> None:
        """Record a reply or a refusal: either shows that the upstream is there."""
        if self.is_probe:
            Circuit.objects.close(self.upstream_url)
            logger.warning("the upstream is back bot=%s", self.conversation.bot.slug)

    def not_there(self) -> None:
        """Record that nobody answered: no connection, no answer in time, or a gateway says so."""
        if self.is_probe:
            probes = Circuit.objects.values_list("probes", flat=True).get(upstream_url=self.upstream_url) + 1
            Circuit.objects.end_probe(self.upstream_url, failed=True, pause=_pause(probes))
        elif self._is_down() and Circuit.objects.open(self.upstream_url, pause=_pause(0)):
            logger.error("the upstream is down, nobody asks it for a while bot=%s", self.conversation.bot.slug)

    def _is_down(self) -> bool:
        """Return whether several visitors failed within the last minute, and at least as many as got a reply.

        One visitor whose messages get no answer doesn't close the bot to all others.
        """
        if not settings.CIRCUIT_FAILURES:
            return False
        failed = Circuit.objects.note_failure(self.upstream_url, self.conversation.visitor, within=LATELY)
        if failed < settings.CIRCUIT_FAILURES:
            return False
        ended = Turn.objects.filter(ended_at__gt=timezone.now() - LATELY, state=Turn.State.ANSWERED)
        return failed >= ended.filter(conversation__bot__base_url=self.conversation.bot.base_url).count()

    def not_asked(self) -> None:
        """Record that something else went wrong before the upstream was asked: the next turn may probe."""
        if self.is_probe:
            Circuit.objects.end_probe(self.upstream_url, failed=False, pause=0)


def enter(conversation: Conversation) -> Passage:
    """Let the turn pass, or raise Open."""
    upstream_url = conversation.bot.upstream_url[:URL_LENGTH]
    if not settings.CIRCUIT_FAILURES or hot_queries.first_row(hot_queries.IS_OPEN, [upstream_url]) is None:
        return Passage(conversation, upstream_url)
    # The probe's worker may die, so after the longest time that an answer can take, another turn probes.
    if Circuit.objects.begin_probe(upstream_url, seconds=settings.CHAT_TIMEOUT + GRACE):
        return Passage(conversation, upstream_url, is_probe=True)
    soonest = timezone.now() + datetime.timedelta(seconds=1)
    open_until = Circuit.objects.values_list("open_until", flat=True).filter(upstream_url=upstream_url).first()
    raise Open(until=max(soonest, min(open_until or soonest, soonest + datetime.timedelta(seconds=FIRST_PAUSE))))


def _pause(probes: int) -> float:
    """Return the seconds until the next probe, with jitter so that upstreams don't all get their probes at once."""
    return min(LONGEST_PAUSE, FIRST_PAUSE * 2**probes) * random.uniform(0.8, 1.2)  # noqa: S311 no secret
