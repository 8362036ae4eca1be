"""Today's figures beside those of the same weekday a week ago, from the daily counts."""

import datetime
from dataclasses import dataclass

from django.db.models import Count, Q
from django.http import HttpRequest

from desk.statistics.insights import MESSAGES, Figures, Measure, Selection, midnight
from webchat.models import Conversation, Entry

WEEK = 7  # days


@dataclass(frozen=True)
class Day:
    """`alone`: conversations in which nobody asked for a person and none joined. `reply_time`: seconds, the median."""

    date: datetime.date
    messages: int
    conversations: int
    alone: int
    reply_time: float | None


def days(request: HttpRequest, bots: tuple[int, ...] | None = None) -> tuple[Day, Day] | None:
    """Return today and the same weekday a week ago; None for accounts that may not see figures. Two statements."""
    if not request.user.has_perm("desk.view_tally"):
        return None
    selection = Selection(days=WEEK + 1, bots=bots)
    figures = Figures(selection)
    messages = [figures.totals(measure) for measure in MESSAGES]
    begun = [figures.series(Measure.CONVERSATIONS, surface) for surface in figures.names(Measure.CONVERSATIONS)]
    times = figures.reply_times(0.5)
    with_people = _with_people(selection)
    today, before = (
        Day(
            date=date,
            messages=sum(series[place] for series in messages),
            conversations=(conversations := sum(series[place] for series in begun)),
            alone=max(0, conversations - with_people[place]),
            reply_time=times[place],
        )
        for date, place in ((selection.last, -1), (selection.first, 0))
    )
    return today, before


def _with_people(selection: Selection) -> dict[int, int]:
    """Count the conversations begun today (-1) and a week ago (0) in which a person was asked for or joined.

    Found by the entries of the week, which are few.
    """
    a_week_ago, the_next_day = midnight(selection.first), midnight(selection.first + datetime.timedelta(days=1))
    entries = Entry.objects.with_a_person().filter(created_at__gte=a_week_ago).values("conversation")
    counted = Conversation.objects.filter(selection.within(), pk__in=entries).aggregate(
        today=Count("pk", filter=Q(started_at__gte=midnight(selection.last))),
        before=Count("pk", filter=Q(started_at__gte=a_week_ago, started_at__lt=the_next_day)),
    )
    return {-1: counted["today"], 0: counted["before"]}
