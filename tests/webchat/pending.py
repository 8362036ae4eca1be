"""Turns as they stand in the database while nobody asks for them, or while another process does."""

import datetime
from collections.abc import Iterator
from contextlib import contextmanager

from django.utils import timezone

from tests.webchat.visitor import Page, Visitor
from webchat.models import Bot, Circuit, Turn


@contextmanager
def workers_die_before_they_ask() -> Iterator[None]:
    """What is sent meanwhile is stored, and then stands there as pending."""
    urls = {bot.upstream_url for bot in Bot.objects.all()}
    now = timezone.now()
    for upstream_url in urls:  # nothing is sent while the circuit is open
        Circuit.objects.create(upstream_url=upstream_url, open_until=now + datetime.timedelta(hours=1))
    before = list(Turn.objects.values_list("pk", flat=True))
    yield
    Circuit.objects.filter(upstream_url__in=urls).delete()
    never_asked = {"state": Turn.State.PENDING, "code": "", "attempt": 0, "failures": 0}
    never_asked |= {"asked_at": None, "ended_at": None, "not_before": None}
    Turn.objects.exclude(pk__in=before).update(**never_asked)


def leave_pending(visitor: Visitor, message: str = "Hello") -> Page:
    """The visitor's page, opened anew, with a message that is stored and that nobody asks for."""
    with workers_die_before_they_ask():
        visitor.send_live(message)
    return visitor.open()


def leave_asked(visitor: Visitor, message: str = "Hello") -> Page:
    """The same, but another process has claimed it just now."""
    page = leave_pending(visitor, message)
    asked = Turn.objects.filter(state=Turn.State.PENDING)
    asked.update(state=Turn.State.ASKING, asked_at=timezone.now(), attempt=1)
    return page
