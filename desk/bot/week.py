"""Form fields for business hours (a grid of the week) and holidays (rows of dates), stored as text in the bot."""

import re
from dataclasses import dataclass
from itertools import count, takewhile
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext_lazy as _

from webchat import business_hours
from webchat.business_hours import DAYS, Holiday, Span

PAIRS = 2  # of times that a day shows at first: a break at noon needs two
MOST_PAIRS = 12
SPARE_ROWS = 5  # for more holidays, in a part that can be opened
HOLIDAYS_IN_SIGHT = 5  # upcoming ones; all others are in the part that can be opened
MOST_HOLIDAYS = 100
BOXES = ("first", "last", "from", "to")  # of a holiday
EMPTY = ("",) * len(BOXES)

TWELVE_HOURS = re.compile(r"(\d{1,2})(?:[:.](\d{2}))? ?([ap])\.?m\.?", re.IGNORECASE)
# As written in French, Portuguese and Spanish, Dutch, German, Japanese and Chinese.
WITH_A_WORD = re.compile(r"(\d{1,2})(?:[:.](\d{2}))? ?(?:h|uhr|uur|u|時|点)(?: ?(\d{2}))?分?", re.IGNORECASE)


@dataclass
class WeekTimes:
    """The times of a week as typed into the boxes: for each day its pairs of from and to."""

    days: list[list[tuple[str, str]]]
    same_until_friday: bool = False  # Monday's apply to the other weekdays


class WeekWidget(forms.Widget):
    """Boxes for the times of each day; when both pairs are used, a third one can be opened."""

    def render(self, name: str, value: Any, attrs: dict[str, Any] | None = None, renderer: object = None) -> str:
        times = value if isinstance(value, WeekTimes) else _times_of(value or "")
        days = [_day(*numbered) for numbered in enumerate(times.days)]
        attrs = attrs or {}
        context = {"name": name, "id": attrs.get("id", ""), "described_by": attrs.get("aria-describedby", "")}
        return render_to_string("desk/_week.html", context | {"days": days, "same": times.same_until_friday})

    def value_from_datadict(self, data: Any, files: Any, name: str) -> WeekTimes:
        days = []
        for day in range(len(DAYS)):
            boxes = [f"{name}-{day}-{pair}" for pair in range(MOST_PAIRS)]
            pairs = [(_typed(data, f"{box}-from"), _typed(data, f"{box}-to")) for box in boxes]
            days.append([pair for pair in pairs if any(pair)])
        return WeekTimes(days, same_until_friday=bool(data.get(f"{name}-same")))

    def id_for_label(self, id_: str) -> str:
        return f"{id_}-0-0-from"


class WeekField(forms.Field):
    """Cleans the boxes into the text that `business_hours` reads."""

    widget = WeekWidget

    def clean(self, value: WeekTimes) -> str:
        spans, errors = [], []
        for day, pairs in enumerate(value.days):
            if value.same_until_friday and 0 < day < 5:
                spans += [span._replace(day=day) for span in spans if span.day == 0]
                continue
            for number, pair in enumerate(pairs):
                try:
                    spans += _read(day, number, *pair)
                except ValidationError as error:
                    errors.append(error)
        if errors:
            raise ValidationError(errors)
        return business_hours.write(spans)

    def has_changed(self, initial: str | None, data: WeekTimes) -> bool:
        try:
            return self.clean(data) != business_hours.write(_spans(initial or ""))
        except ValidationError:
            return True


class HolidaysWidget(forms.Widget):
    """Rows of a first and a last day, and from when to when it is open then."""

    def render(self, name: str, value: Any, attrs: dict[str, Any] | None = None, renderer: object = None) -> str:
        in_sight, others = (value, []) if isinstance(value, list) else _in_sight_and_others(_rows_of(value or ""))
        attrs = attrs or {}
        context = {"name": name, "id": attrs.get("id", ""), "described_by": attrs.get("aria-describedby", "")}
        context["rows_in_sight"] = len(in_sight) + 1
        rows = [*in_sight, EMPTY, *others, *[EMPTY] * SPARE_ROWS]
        context["rows"] = [dict(zip(BOXES, row, strict=True), is_wrong=_is_wrong_row(row)) for row in rows]
        return render_to_string("desk/_holidays.html", context)

    def value_from_datadict(self, data: Any, files: Any, name: str) -> list[tuple[str, ...]]:
        numbers = takewhile(lambda row: f"{name}-{row}-first" in data, count())
        rows = (tuple(_typed(data, f"{name}-{row}-{box}") for box in BOXES) for row in numbers)
        return [row for row in rows if any(row)]

    def id_for_label(self, id_: str) -> str:
        return f"{id_}-0-first"


class HolidaysField(forms.Field):
    """Cleans the rows into the text that `business_hours` reads."""

    widget = HolidaysWidget

    def clean(self, value: list[tuple[str, ...]]) -> str:
        if len(value) > MOST_HOLIDAYS:
            sentence = _("At most %(most)d holidays can be saved. Empty the rows of past ones.")
            raise ValidationError(sentence, params={"most": MOST_HOLIDAYS})
        holidays, errors = [], []
        for number, row in enumerate(value):
            try:
                holidays += _read_holiday(number, *row)
            except ValidationError as error:
                errors.append(error)
        if errors:
            raise ValidationError(errors)
        return business_hours.write_holidays(holidays)

    def has_changed(self, initial: str | None, data: list[tuple[str, ...]]) -> bool:
        try:
            return self.clean(data) != business_hours.write_holidays(_holidays(initial or ""))
        except ValidationError:
            return True


def _typed(data: Any, box: str) -> str:
    """Return what was typed into a box, and 6:30 pm, 18h30 or 18.30 Uhr as 18:30."""
    typed = data.get(box, "").strip()
    if with_a_word := WITH_A_WORD.fullmatch(typed):
        return f"{with_a_word[1]}:{with_a_word[2] or with_a_word[3] or '00'}"
    match = TWELVE_HOURS.fullmatch(typed)
    if not match or not 1 <= int(match[1]) <= 12:
        return typed
    return f"{int(match[1]) % 12 + 12 * (match[3].lower() == 'p')}:{match[2] or '00'}"


def _read_holiday(number: int, first: str, last: str, start: str, end: str) -> list[Holiday]:
    times = f" {start}-{end}" if start or end else ""
    try:
        return business_hours.parse_holidays(f"{first} – {last or first}{times}")
    except ValueError as error:
        sentence = _("“%(day)s” can’t be read. Write a day, the last one if there are several, and both times or none.")
        typed = {"day": " ".join((first, last, start, end)).strip(), "box": f"{number}-first"}
        raise ValidationError(sentence, params=typed) from error


def _is_wrong_row(row: tuple[str, ...]) -> bool:
    try:
        return any(row) and not _read_holiday(0, *row)
    except ValidationError:
        return True


def _holidays(text: str) -> list[Holiday]:
    try:
        return business_hours.parse_holidays(text)
    except ValueError:  # not saved by the form
        return []


def _rows_of(text: str) -> list[tuple[str, ...]]:
    """Return a row for each; a holiday with several times has one for each of them."""
    return [
        (str(holiday.first), str(holiday.last) if holiday.last != holiday.first else "", *times)
        for holiday in _holidays(text)
        for times in ([span.times for span in holiday.spans] or [("", "")])
    ]


def _in_sight_and_others(rows: list[tuple[str, ...]]) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    today = str(timezone.localdate())
    coming = [row for row in rows if max(row[:2]) >= today]
    past = [row for row in rows if max(row[:2]) < today]
    return coming[:HOLIDAYS_IN_SIGHT], [*coming[HOLIDAYS_IN_SIGHT:], *past]


def _read(day: int, number: int, start: str, end: str) -> list[Span]:
    try:
        return business_hours.parse(f"{DAYS[day]} {start}-{end}")
    except ValueError as error:
        sentence = _("%(day)s: “%(start)s” to “%(end)s” can’t be read. Write both times, such as 9:00 and 17:30.")
        typed = {"day": WEEKDAYS[day], "start": start, "end": end, "box": f"{day}-{number}-from"}
        raise ValidationError(sentence, params=typed) from error


def _is_wrong_pair(start: str, end: str) -> bool:
    try:
        return bool(start or end) and not _read(0, 0, start, end)
    except ValidationError:
        return True


def _spans(text: str) -> list[Span]:
    try:
        return business_hours.parse(text)
    except ValueError:  # not saved by the form: then it is always open
        return []


def _times_of(text: str) -> WeekTimes:
    spans = _spans(text)
    return WeekTimes([[span.times for span in spans if span.day == day] for day in range(len(DAYS))])


def _day(number: int, used: list[tuple[str, str]]) -> dict[str, Any]:
    """Return what the template shows of a day; the pair after the visible ones is in a part that can be opened."""
    in_sight = max(PAIRS, len(used))
    number_of_pairs = min(max(PAIRS, len(used) + 1), MOST_PAIRS)
    pairs = [*used, *[("", "")] * (number_of_pairs - len(used))]
    pairs = [(*pair, _is_wrong_pair(*pair)) for pair in pairs]
    return {"name": WEEKDAYS[number], "number": number, "pairs": pairs, "pairs_in_sight": in_sight}
