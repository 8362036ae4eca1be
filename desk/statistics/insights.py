"""The figures behind the desk's charts: a period's daily counts for one bot or all."""

import datetime
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cached_property

from django.db.models import Case, Max, Q, Sum, When
from django.utils import timezone

from desk.access import rights
from desk.models import AskedQuestion, Tally
from desk.statistics.reply_times import percentile
from webchat.models import Bot, Surface, Turn

Measure = Tally.Measure
# What a message is counted as: one of these.
MESSAGES = (
    Measure.ANSWERED,
    Measure.NOT_SURE,
    Measure.NOT_KNOWN,
    Measure.FAILED,
    Measure.PERSON,
    Measure.WAITING,
)
WEEKLY_FROM = 100  # days; more columns would be too narrow
LIST_LENGTH = 8  # questions in a list


def midnight(day: datetime.date) -> datetime.datetime:
    """Return when the day begins, in the site's time zone."""
    return timezone.make_aware(datetime.datetime.combine(day, datetime.time.min))


@dataclass(frozen=True)
class Selection:
    """The period, bot and surface that figures are shown for."""

    days: int
    bot: Bot | None = None
    surface: str = ""
    bots: tuple[int, ...] | None = None  # those that the account may see; None: all

    @cached_property
    def last(self) -> datetime.date:
        return timezone.localdate()

    @property
    def first(self) -> datetime.date:
        return self.last - datetime.timedelta(days=self.days - 1)

    @property
    def surface_name(self) -> str:
        return str(Surface(self.surface).label) if self.surface else ""

    @property
    def is_weekly(self) -> bool:
        return self.days >= WEEKLY_FROM

    def column_of(self, day: datetime.date) -> datetime.date:
        """Return the day or, for a long period, the Monday of its week."""
        return day - datetime.timedelta(days=day.weekday()) if self.is_weekly else day

    @cached_property
    def columns(self) -> list[datetime.date]:
        days = (self.first + datetime.timedelta(days=ago) for ago in range(self.days))
        return sorted({self.column_of(day) for day in days})

    @property
    def condition(self) -> Q:
        """Return the condition for rows of Tally and AskedQuestion."""
        condition = Q(day__gte=self.first, day__lte=self.last) & self.within()
        if self.bot:
            condition &= Q(bot=self.bot)
        return condition & Q(surface=self.surface) if self.surface else condition

    def covers(self, moment: str, to_conversation: str = "") -> Q:
        """Return the condition for what belongs to the conversations; the field `moment` says when it happened."""
        condition = Q(**{f"{moment}__gte": midnight(self.first)}) & self.within(to_conversation)
        if self.bot:
            condition &= Q(**{f"{to_conversation}bot": self.bot})
        return condition & Q(**{f"{to_conversation}surface": self.surface}) if self.surface else condition

    def within(self, path: str = "") -> Q:
        """Return the condition that the account may see the bot to which `path` leads."""
        return rights.not_deleted(f"{path}bot") if self.bots is None else Q(**{f"{path}bot__in": self.bots})


class Figures:
    """All figures of a selection, loaded with one query."""

    def __init__(self, selection: Selection) -> None:
        self.selection = selection
        self._by_column: dict[tuple[str, str], Counter] = defaultdict(Counter)
        # Of conversations the surface is of interest, of the rest what was counted.
        kind = Case(When(measure=Measure.CONVERSATIONS, then="surface"), default="name")
        tallies = Tally.objects.filter(selection.condition).order_by().annotate(kind=kind)
        rows = tallies.values_list("day", "measure", "kind").annotate(total=Sum("number"))
        for day, measure, name, total in rows.iterator():
            self._by_column[measure, name][selection.column_of(day)] += total

    def series(self, measure: str, name: str = "") -> list[int]:
        counted = self._by_column[measure, name]
        return [counted[column] for column in self.selection.columns]

    def names(self, measure: str) -> list[str]:
        """Return the names that occur for a measure, most frequent first."""
        totals = {name: sum(counted.values()) for (of, name), counted in self._by_column.items() if of == measure}
        return sorted((name for name, total in totals.items() if total), key=lambda name: (-totals[name], name))

    def total(self, measure: str, name: str | None = None) -> int:
        return sum(
            sum(counted.values())
            for (of, kind), counted in self._by_column.items()
            if of == measure and name in (None, kind)
        )

    def totals(self, measure: str) -> list[int]:
        """Return the measure's count for each column, whatever its name."""
        kinds = [self.series(measure, name) for name in self.names(measure)]
        return [sum(column) for column in zip(*kinds, strict=True)] or [0] * len(self.selection.columns)

    @property
    def messages(self) -> int:
        return sum(self.total(measure) for measure in MESSAGES)

    def reply_times(self, share: float) -> list[float | None]:
        """Return the percentile in seconds for each column."""
        buckets = [self._buckets(column) for column in self.selection.columns]
        return [None if (ms := percentile(each, share)) is None else ms / 1000 for each in buckets]

    def reply_time(self, share: float) -> float | None:
        """Return the percentile in seconds for the whole period."""
        all_of_them: Counter = Counter()
        for column in self.selection.columns:
            all_of_them.update(self._buckets(column))
        milliseconds = percentile(all_of_them, share)
        return None if milliseconds is None else milliseconds / 1000

    def _buckets(self, column: datetime.date) -> dict[int, int]:
        return self._histograms.get(column, {})

    @cached_property
    def _histograms(self) -> dict[datetime.date, dict[int, int]]:
        histograms: dict[datetime.date, dict[int, int]] = defaultdict(dict)
        for (measure, bucket), counted in self._by_column.items():
            if measure == Measure.REPLY_TIME:
                for column, number in counted.items():
                    histograms[column][int(bucket)] = number
        return histograms


def surfaces(figures: Figures) -> list[tuple[str, str]]:
    """Return names and labels of the surfaces that had conversations."""
    seen = figures.names(Measure.CONVERSATIONS)
    return [(name, str(label)) for name, label in Surface.choices if name in seen]


@dataclass(frozen=True)
class Question:
    text: str
    number: int
    failed: int
    conversation: int


def top_questions(selection: Selection) -> list[Question]:
    """Return the most asked questions, worded as they were asked last."""
    asked = AskedQuestion.objects.filter(selection.condition, turn__isnull=False).values("fingerprint").order_by()
    rows = list(
        asked.annotate(times=Sum("number"), fails=Sum("failed"), last=Max("turn")).order_by("-times", "-last")[
            :LIST_LENGTH
        ]
    )
    turns = Turn.objects.only("message", "conversation").in_bulk([row["last"] for row in rows])
    return [
        Question(turns[row["last"]].message, row["times"], row["fails"], turns[row["last"]].conversation_id)
        for row in rows
    ]


def failed_turns(selection: Selection) -> list[Turn]:
    """Return the latest failed turns."""
    turns = Turn.objects.filter(selection.covers("created_at", "conversation__"), state=Turn.State.FAILED)
    return list(turns.select_related("conversation__bot").order_by("-created_at")[:LIST_LENGTH])
