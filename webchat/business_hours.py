"""Business hours: lines such as `Mon-Fri 9:00-17:00`, in a time zone of their own."""

import datetime
import functools
import re
import zoneinfo
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from django.utils import timezone
from django.utils.dates import WEEKDAYS
from django.utils.formats import date_format, time_format
from django.utils.translation import gettext as _

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_LINE = re.compile(r"(?P<days>[^\d]+?)[:\s]\s*(?P<times>\d.*)")
_TIMES = re.compile(r"(\d{1,2})(?:[:.](\d{2}))?-(\d{1,2})(?:[:.](\d{2}))?")
_HOLIDAY = re.compile(r"(\d{4}-\d\d-\d\d)(?:\s*[-–—]\s*(\d{4}-\d\d-\d\d))?(?:\s+(\d.*))?")
_DAY = datetime.timedelta(days=1)
_DAYS_AHEAD = 400  # in which the next opening is looked for
_SOON = datetime.timedelta(days=60)


class Span(NamedTuple):
    """From one minute of a weekday (0: Monday) to another; past 24:00 it is on the next day."""

    day: int
    start: int
    end: int

    @property
    def times(self) -> tuple[str, str]:
        """Return from and to as owners write them; a day ends at 24:00."""
        end = self.end if self.end <= 24 * 60 else self.end - 24 * 60
        return f"{self.start // 60}:{self.start % 60:02}", f"{end // 60}:{end % 60:02}"


class Holiday(NamedTuple):
    """Days with hours of their own, from and to in minutes; closed if there are none."""

    first: datetime.date
    last: datetime.date
    times: tuple[tuple[int, int], ...] = ()

    @property
    def spans(self) -> list[Span]:
        return [Span(self.first.weekday(), start, end) for start, end in self.times]


def parse(text: str) -> list[Span]:
    """Parse lines such as `Mon-Fri 9:00-12:00, 13:00-17:00`; raise ValueError with the first invalid one."""
    spans = [span for line in text.splitlines() if line.strip() for span in _read(line.strip())]
    return sorted(set(spans))


def write(spans: Iterable[Span]) -> str:
    """Return the lines that `parse` reads as these spans; days with the same times share a line."""
    known = sorted(set(spans))
    of_days: dict[str, list[int]] = {}
    for day in range(7):
        times = ["-".join(span.times) for span in known if span.day == day]
        if times:
            of_days.setdefault(", ".join(times), []).append(day)
    return "\n".join(f"{_written_days(days)} {times}" for times, days in of_days.items())


def parse_holidays(text: str) -> list[Holiday]:
    """Parse lines such as `2026-12-24 – 2027-01-01` or `2026-12-31 9:00-12:00`.

    Raises ValueError with the first invalid one.
    """
    return sorted({_read_holiday(line.strip()) for line in text.splitlines() if line.strip()})


def write_holidays(holidays: Iterable[Holiday]) -> str:
    """Return the lines that `parse_holidays` reads as these holidays; the same days share a line."""
    times: dict[tuple[datetime.date, datetime.date], list[str]] = {}
    for holiday in sorted(set(holidays)):
        times.setdefault(holiday[:2], []).extend("-".join(span.times) for span in holiday.spans)
    days = {(first, last): str(first) if first == last else f"{first} – {last}" for first, last in times}
    return "\n".join(f"{days[each]} {', '.join(of_them)}".rstrip() for each, of_them in times.items())


def zone(name: str) -> zoneinfo.ZoneInfo:
    """Return the time zone. Raises ValueError for an unknown name."""
    try:
        return zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, OSError) as error:
        raise ValueError(name) from error


@dataclass(frozen=True)
class Hours:
    """Weekly hours and holidays; without any span, always open."""

    spans: list[Span]
    zone: zoneinfo.ZoneInfo
    holidays: list[Holiday] = field(default_factory=list)

    @property
    def is_limited(self) -> bool:
        return bool(self.spans or self.holidays)

    def is_open(self, now: datetime.datetime) -> bool:
        return not self.is_limited or any(start <= now < end for start, end in self._spans_near(now, 2))

    def opens_at(self, now: datetime.datetime) -> datetime.datetime | None:
        """Return the next opening, in the zone; None if there are no hours."""
        if not self.is_limited:
            return None
        return next((start for start, _end in self._spans_near(now, _DAYS_AHEAD) if start > now), None)

    def closes_at(self, now: datetime.datetime) -> datetime.datetime | None:
        """Return the end of the present span, or of those that follow it without a gap."""
        end = None
        for begins, ends in self._spans_near(now, 9) if self.is_limited else ():
            if begins <= (end or now) < ends:
                end = ends
        return end

    def closing_time(self, now: datetime.datetime) -> str:
        """Return today's closing time for visitors; "" if it is closed, or open for longer than a day."""
        end = self.closes_at(now)
        return "" if end is None or end - now > _DAY else time_format(end.time(), "TIME_FORMAT")

    def next_opening(self, now: datetime.datetime) -> str:
        """Return weekday and time of the next opening for visitors, with its date if it is not within a week.

        "" if there is none.
        """
        at = self.opens_at(now)
        if at is None:
            return ""
        is_near = at.date() - now.astimezone(self.zone).date() < 7 * _DAY
        date = [] if is_near else [date_format(at.date(), "MONTH_DAY_FORMAT")]
        return _listed([str(WEEKDAYS[at.weekday()]), *date, time_format(at.time(), "TIME_FORMAT")])

    @property
    def week(self) -> list[tuple[str, str]]:
        """Return days and times for visitors; neighbouring days with the same times share a line."""
        lines: list[tuple[list[int], list[Span]]] = []
        for day in range(7):
            spans = [span for span in self.spans if span.day == day]
            same = lines and [span[1:] for span in lines[-1][1]] == [span[1:] for span in spans]
            if same:
                lines[-1][0].append(day)
            else:
                lines.append(([day], spans))
        return [(_days(days), _listed([_times(span) for span in spans])) for days, spans in lines if spans]

    @property
    def upcoming_holidays(self) -> list[tuple[str, str]]:
        """Return the holidays of the coming weeks for visitors, each with its hours, or "" when closed."""
        today = timezone.localdate(timezone=self.zone)
        near = [holiday for holiday in self.holidays if holiday.last >= today and holiday.first <= today + _SOON]
        return [(_dates(holiday), _listed([_times(span) for span in holiday.spans])) for holiday in near]

    def _spans_near(self, now: datetime.datetime, ahead: int) -> Iterator[tuple[datetime.datetime, datetime.datetime]]:
        """Yield the spans from yesterday on as moments, by wall-clock time across clock changes."""
        today = now.astimezone(self.zone).date()
        for number in range(-1, ahead):
            day = today + number * _DAY
            for span in self._spans_of(day):
                yield self._moment(day, span.start), self._moment(day, span.end)

    def _spans_of(self, day: datetime.date) -> list[Span]:
        holidays = [holiday for holiday in self.holidays if holiday.first <= day <= holiday.last]
        if holidays:  # the shortest: a single day may be an exception within some weeks
            return min(holidays, key=lambda holiday: holiday.last - holiday.first).spans
        whole_day = Span(day.weekday(), 0, 24 * 60)
        return [span for span in self.spans if span.day == day.weekday()] if self.spans else [whole_day]

    def _moment(self, day: datetime.date, minute: int) -> datetime.datetime:
        days, of_day = divmod(minute, 24 * 60)
        at = datetime.time(of_day // 60, of_day % 60)
        return datetime.datetime.combine(day + days * _DAY, at, tzinfo=self.zone)


def _read(line: str) -> list[Span]:
    match = _LINE.fullmatch(re.sub(r"\s*[-–—]\s*", "-", line.lower()))
    try:
        if match is None:
            raise ValueError
        days = [day for part in match["days"].split(",") for day in _days_in(part.strip())]
        times = [_times_in(part.strip()) for part in match["times"].split(",")]
    except ValueError:
        raise ValueError(line) from None
    return [Span(day, start, end) for day in days for start, end in times]


def _read_holiday(line: str) -> Holiday:
    match = _HOLIDAY.fullmatch(line)
    try:
        if match is None:
            raise ValueError
        first, last = (datetime.date.fromisoformat(day) for day in (match[1], match[2] or match[1]))
        times = re.sub(r"\s*[-–—]\s*", "-", match[3] or "")
        spans = sorted(_times_in(part.strip()) for part in times.split(",") if times)
        if first > last:
            raise ValueError
    except ValueError:
        raise ValueError(line) from None
    return Holiday(first, last, tuple(spans))


def _days_in(part: str) -> list[int]:
    if part in ("daily", "every day"):
        return list(range(7))
    first, _, last = part.partition("-")
    start, end = _day(first), _day(last or first)
    return [(start + number) % 7 for number in range((end - start) % 7 + 1)]


def _day(word: str) -> int:
    names = [name.lower() for name in DAYS]
    found = [number for number, name in enumerate(names) if len(word) >= 3 and name.startswith(word.rstrip("."))]
    if len(found) != 1:
        raise ValueError(word)
    return found[0]


def _times_in(part: str) -> tuple[int, int]:
    match = _TIMES.fullmatch(part)
    if not match:
        raise ValueError(part)
    hours = [int(match[1]), int(match[3])]
    minutes = [int(match[2] or 0), int(match[4] or 0)]
    start, end = (60 * hour + minute for hour, minute in zip(hours, minutes, strict=True))
    if max(minutes) > 59 or start >= 24 * 60 or end > 24 * 60 or start == end:
        raise ValueError(part)
    return start, end if end > start else end + 24 * 60


def _written_days(days: list[int]) -> str:
    names = [DAYS[day][:3] for day in days]
    is_run = len(days) > 2 and days == list(range(days[0], days[-1] + 1))
    return f"{names[0]}-{names[-1]}" if is_run else ", ".join(names)


def _days(days: list[int]) -> str:
    first, last = WEEKDAYS[days[0]], WEEKDAYS[days[-1]]
    return str(first) if len(days) == 1 else f"{first} – {last}"


def _dates(holiday: Holiday) -> str:
    first, last = (date_format(day, "MONTH_DAY_FORMAT") for day in (holiday.first, holiday.last))
    return first if holiday.first == holiday.last else f"{first} – {last}"


def _times(span: Span) -> str:
    start, end = (
        time_format(datetime.time(minute // 60 % 24, minute % 60), "TIME_FORMAT") for minute in (span.start, span.end)
    )
    return f"{start} – {end}"


def _listed(parts: list[str]) -> str:
    """Return the parts with the page's own comma between them; "" for none."""
    return functools.reduce(lambda before, part: _("{before}, {part}").format(before=before, part=part), parts or [""])
