"""Statistics of the conversations that people answered: how many, how long visitors waited, and who answered."""

import datetime
import statistics
from collections import Counter
from dataclasses import dataclass

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from desk.statistics.insights import Selection
from webchat.models import Conversation, Entry

Kind = Entry.Kind


def head() -> tuple[str, ...]:
    """Return the names of the columns of the figures' rows."""
    return (
        _("Day"),
        _("Asked for a person"),
        _("Answered"),
        _("Median wait (s)"),
        _("Conversations without a person"),
    )


@dataclass(frozen=True)
class PeopleFigures:
    """The figures of a period.

    `median_wait` in seconds, None if nobody waited; `answered_by`: conversations by name.
    """

    asked: int
    answered: int
    median_wait: float | None
    answered_by: list[tuple[str, int]]
    alone: int
    conversations: int
    rows: list[tuple[object, ...]]


def figures_for(selection: Selection) -> PeopleFigures:
    """Return the figures with three statements, whatever the period."""
    asked: Counter = Counter()
    answered: Counter = Counter()
    waits: dict[datetime.date, list[float]] = {}
    by_name: dict[str, set[int]] = {}
    waiting: dict[int, datetime.datetime] = {}
    entries = Entry.objects.filter(_within(selection, "created_at", "conversation__"))
    entries = entries.filter(kind__in=[Kind.QUEUED, Kind.JOINED, Kind.HANDED_OVER, Kind.LEFT]).order_by("pk")
    entries = entries.exclude(~Q(name=""), kind=Kind.QUEUED)  # put back by a team member: nobody asked again
    for conversation, kind, name, at in entries.values_list("conversation", "kind", "name", "created_at").iterator():
        day = timezone.localdate(at)
        began = waiting.pop(conversation, None)
        if kind == Kind.QUEUED:
            asked[day] += 1
            waiting[conversation] = at
        elif kind in (Kind.JOINED, Kind.HANDED_OVER):
            by_name.setdefault(name, set()).add(conversation)
            if began is not None:
                answered[day] += 1
                waits.setdefault(day, []).append((at - began).total_seconds())
    begun, with_people = _conversations(selection)
    every_wait = [wait for waits_of_day in waits.values() for wait in waits_of_day]
    days = [selection.first + datetime.timedelta(days=ago) for ago in range(selection.days)]
    return PeopleFigures(
        asked=asked.total(),
        answered=answered.total(),
        median_wait=statistics.median(every_wait) if every_wait else None,
        answered_by=sorted(((name, len(ones)) for name, ones in by_name.items()), key=lambda one: (-one[1], one[0])),
        alone=begun.total() - with_people.total(),
        conversations=begun.total(),
        rows=[(day, asked[day], answered[day], _median(waits.get(day)), begun[day] - with_people[day]) for day in days],
    )


def _conversations(selection: Selection) -> tuple[Counter, Counter]:
    """Return those begun on each day, and those of them in which a person was asked for or joined."""
    of_period = Conversation.objects.filter(_within(selection, "started_at", "")).order_by()
    counted = [
        Counter(timezone.localdate(at) for at in rows.values_list("started_at", flat=True).iterator())
        for rows in (
            of_period,
            of_period.filter(
                pk__in=Entry.objects.filter(kind__in=[Kind.QUEUED, Kind.JOINED]).order_by().values("conversation")
            ),
        )
    ]
    return counted[0], counted[1]


def _within(selection: Selection, at: str, to_conversation: str) -> Q:
    begin = timezone.make_aware(datetime.datetime.combine(selection.first, datetime.time.min))
    condition = Q(**{f"{at}__gte": begin}) & selection.within(to_conversation)
    if selection.bot:
        condition &= Q(**{f"{to_conversation}bot": selection.bot})
    if selection.surface:
        condition &= Q(**{f"{to_conversation}surface": selection.surface})
    return condition


def _median(waits: list[float] | None) -> float | None:
    return round(statistics.median(waits), 1) if waits else None
