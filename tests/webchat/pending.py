"""Turns that nobody is asking yet, or that another process is asking."""

import datetime
from collections.abc import Iterator
from contextlib import contextmanager

from django.utils import timezone

from tests.webchat.visitor import Page, Visitor
from webchat.models import Bot, Circuit, Turn


@contextmanager
def messages_stay_pending() -> Iterator[None]:
    """Leave every message sent within the block stored and pending."""
    urls = {bot.upstream_url for bot in Bot.objects.all()}
    now = timezone.now()
    for upstream_url in urls:  # while the circuit is open, nothing is sent
        Circuit.objects.create(upstream_url=upstream_url, open_until=now + datetime.timedelta(hours=1))
    before = list(Turn.objects.values_list("pk", flat=True))
    yield
    Circuit.objects.filter(upstream_url__in=urls).delete()
    never_asked = {"state": Turn.State.PENDING, "code": "", "attempt": 0, "failures": 0}
    never_asked |= {"asked_at": None, "ended_at": None, "not_before": None}
    Turn.objects.exclude(pk__in=before).update(**never_asked)


def leave_pending(visitor: Visitor, message: str = "Hello") -> Page:
    """Leave a stored message that nobody asks for, and return the visitor's page, opened again."""
    with messages_stay_pending():
        visitor.send_live(message)
    return visitor.open()


def leave_asked(visitor: Visitor, message: str = "Hello") -> Page:
    """Leave a message that another process has just claimed, and return the visitor's page."""
    page = leave_pending(visitor, message)
    asked = Turn.objects.filter(state=Turn.State.PENDING)
    asked.update(state=Turn.State.ASKING, asked_at=timezone.now(), attempt=1)
    return page
