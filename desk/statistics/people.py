"""Statistics of the conversations that people answered: how many, how long visitors waited, and who answered."""

import datetime
import statistics
from collections import Counter
from dataclasses import dataclass, field

from django.db.models import Q, QuerySet
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


@dataclass
class Answers:
    """Who asked for a person and was answered, on which day; the waits in seconds, and whose conversations."""

    asked: Counter = field(default_factory=Counter)
    answered: Counter = field(default_factory=Counter)
    waits: dict[datetime.date, list[float]] = field(default_factory=dict)
    by_name: dict[str, set[int]] = field(default_factory=dict)


def figures_for(selection: Selection, begun: int) -> PeopleFigures:
    """Return the figures with two statements, whatever the period. `begun`: how many conversations it had."""
    answers = _answers(selection)
    every_wait = [wait for waits_of_day in answers.waits.values() for wait in waits_of_day]
    with_people = _with_people(_begun(selection)).count()
    by_name = ((name, len(ones)) for name, ones in answers.by_name.items())
    return PeopleFigures(
        asked=answers.asked.total(),
        answered=answers.answered.total(),
        median_wait=statistics.median(every_wait) if every_wait else None,
        answered_by=sorted(by_name, key=lambda one: (-one[1], one[0])),
        alone=max(0, begun - with_people),
        conversations=begun,
    )


def rows_for(selection: Selection) -> list[tuple[object, ...]]:
    """Return the figures of each day."""
    answers = _answers(selection)
    conversations = _begun(selection)
    begun, with_people = _by_day(conversations), _by_day(_with_people(conversations))
    days = [selection.first + datetime.timedelta(days=ago) for ago in range(selection.days)]
    return [
        (day, answers.asked[day], answers.answered[day], _median(answers.waits.get(day)), begun[day] - with_people[day])
        for day in days
    ]


def _answers(selection: Selection) -> Answers:
    answers = Answers()
    waiting: dict[int, datetime.datetime] = {}
    entries = Entry.objects.filter(selection.covers("created_at", "conversation__"))
    entries = entries.filter(kind__in=[Kind.QUEUED, Kind.JOINED, Kind.HANDED_OVER, Kind.LEFT]).order_by("pk")
    entries = entries.exclude(~Q(name=""), kind=Kind.QUEUED)  # put back by a team member: nobody asked again
    for conversation, kind, name, at in entries.values_list("conversation", "kind", "name", "created_at").iterator():
        day = timezone.localdate(at)
        began = waiting.pop(conversation, None)
        if kind == Kind.QUEUED:
            answers.asked[day] += 1
            waiting[conversation] = at
        elif kind in (Kind.JOINED, Kind.HANDED_OVER):
            answers.by_name.setdefault(name, set()).add(conversation)
            if began is not None:
                answers.answered[day] += 1
                answers.waits.setdefault(day, []).append((at - began).total_seconds())
    return answers


def _begun(selection: Selection) -> QuerySet[Conversation]:
    return Conversation.objects.filter(selection.covers("started_at")).order_by()


def _with_people(conversations: QuerySet[Conversation]) -> QuerySet[Conversation]:
    """Return those in which a person was asked for or joined."""
    return conversations.filter(pk__in=Entry.objects.with_a_person().values("conversation"))


def _by_day(conversations: QuerySet[Conversation]) -> Counter:
    return Counter(timezone.localdate(at) for at in conversations.values_list("started_at", flat=True).iterator())


def _median(waits: list[float] | None) -> float | None:
    return round(statistics.median(waits), 1) if waits else None
