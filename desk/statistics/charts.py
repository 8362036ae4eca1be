"""Charts as SVG, each with the same figures as a table."""

import datetime
import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.contrib.humanize.templatetags.humanize import intcomma
from django.template.loader import render_to_string
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from desk import failures
from desk.statistics.insights import Figures, Measure, surfaces

HEIGHT = 180
TOP, BOTTOM = 20, 140  # of the plot, in pixels
LEFT = 6  # of the plot, in per cent: horizontal positions are, so that a chart fits any screen
MOST_DATES = 6  # below a plot; every second one is left out where it is narrow
MOST_CODES = 12
GAP = 1  # pixel between stacked boxes, whose colours may be alike
BAR = 40  # height of a bar with its cause above it

# Each colour means one thing in all charts and legends (`static/desk/style/insights.css`): blue what was answered,
# amber and brown what the bot wasn't sure of or didn't know, red what failed, teal what went to a person, green and
# pink what visitors thought of it, violet where it was: its shades are told apart by lightness.
# The contrast with the ground is at least 3:1 (WCAG 1.4.11).
LIGHT = {
    "--text": "#1f2430",
    "--soft": "#5b6270",
    "--line": "#dfe2e8",
    "--answered": "#2f5bd0",
    "--not-sure": "#b7791f",
    "--not-known": "#7a4a06",
    "--failed": "#b3261e",
    "--person": "#0e7490",
    "--waiting": "#7a8290",
    "--helpful": "#1a7f4b",
    "--not-helpful": "#be185d",
    "--chat": "#3a1463",
    "--embed": "#682dac",
    "--kiosk": "#885acb",
    "--portal": "#a584dc",
}
DARK = {
    "--text": "#e9ebf0",
    "--soft": "#a8aebb",
    "--line": "#343945",
    "--answered": "#86a5ff",
    "--not-sure": "#b5791c",
    "--not-known": "#f0cd84",
    "--failed": "#ff8a80",
    "--person": "#5cc8de",
    "--waiting": "#a8aebb",
    "--helpful": "#5cc98e",
    "--not-helpful": "#f9a8d4",
    "--chat": "#ede1ff",
    "--embed": "#c7aff5",
    "--kiosk": "#a17adf",
    "--portal": "#7f51c1",
}
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif"


class Row(NamedTuple):
    """One series of values, day by day. `means`: the name of its colour."""

    label: str
    values: list[float | None]
    means: str
    is_dashed: bool = False
    code: str = ""


@dataclass(frozen=True)
class Chart:
    """A chart: its name in URLs, its title, and how its figures are read and drawn."""

    name: str
    title: Any
    kind: str  # "stacked", "line" or "bars"
    read: Callable[[Figures], list[Row]]
    per_day: Any = ""  # its title where it shows days
    per_week: Any = ""
    unit: Any = ""  # as a sentence with `%(number)s`

    def table(self, figures: Figures) -> tuple[list[str], list[list[object]]]:
        """Return the table's header and a row for each day, week or cause."""
        series = self.read(figures)
        if self.kind == "bars":
            head = [capfirst(gettext("cause")), gettext("Code"), gettext("Messages")]
            return head, [[each.label, each.code, each.values[0]] for each in series]
        head = [
            # Translators: the first column of a table: the Monday of each week
            gettext("Week starting") if figures.selection.is_weekly else gettext("Day"),
            *(each.label for each in series),
        ]
        columns = figures.selection.columns
        return head, [[day, *(each.values[at] for each in series)] for at, day in enumerate(columns)]


def _messages(figures: Figures) -> list[Row]:
    """Return a row for each outcome: those that every site has, and the others where they occur."""
    outcomes = (
        (Measure.ANSWERED, gettext("Answered"), "answered"),
        (Measure.NOT_SURE, gettext("Not sure"), "not-sure"),
        (Measure.NOT_KNOWN, gettext("Didn’t know"), "not-known"),
        (Measure.FAILED, gettext("Failed"), "failed"),
        (Measure.PERSON, gettext("Person"), "person"),
        (Measure.WAITING, gettext("Without an outcome"), "waiting"),
    )
    always = (Measure.ANSWERED, Measure.FAILED)
    rows = [(measure, Row(label, figures.totals(measure), means)) for measure, label, means in outcomes]
    return [row for measure, row in rows if measure in always or any(row.values)]


def _conversations(figures: Figures) -> list[Row]:
    return [
        Row(capfirst(label), figures.series(Measure.CONVERSATIONS, name), name) for name, label in surfaces(figures)
    ] or [Row(gettext("Conversations"), [0] * len(figures.selection.columns), "chat")]


def _failures(figures: Figures) -> list[Row]:
    codes = figures.names(Measure.FAILED)[:MOST_CODES]
    return [Row(failures.cause_of(code), [figures.total(Measure.FAILED, code)], "failed", code=code) for code in codes]


def _reply_times(figures: Figures) -> list[Row]:
    half, most = (
        [None if value is None else round(value, 2) for value in figures.reply_times(share)] for share in (0.5, 0.95)
    )
    return [
        Row(gettext("Half within"), half, "answered"),
        Row(gettext("95% within"), most, "answered", is_dashed=True),
    ]


def _feedback(figures: Figures) -> list[Row]:
    return [
        Row(gettext("Helpful"), figures.series(Measure.FEEDBACK, "1"), "helpful"),
        Row(gettext("Not helpful"), figures.series(Measure.FEEDBACK, "-1"), "not-helpful"),
    ]


CHARTS = {
    chart.name: chart
    for chart in (
        Chart("messages", _("Messages"), "stacked", _messages, _("Messages per day"), _("Messages per week")),
        Chart(
            "conversations",
            _("Conversations"),
            "stacked",
            _conversations,
            _("Conversations per day"),
            _("Conversations per week"),
        ),
        Chart(
            "reply-times",
            _("Reply time"),
            "line",
            _reply_times,
            _("Reply time per day"),
            _("Reply time per week"),
            unit=_("%(number)s s"),
        ),
        Chart("failures", _("Failed, by cause"), "bars", _failures),
        Chart("feedback", _("Feedback"), "stacked", _feedback, _("Feedback per day"), _("Feedback per week")),
    )
}


def svg(chart: Chart, figures: Figures) -> str:
    """Render the chart for an `img`; it adapts to its width and to light and dark mode by itself."""
    rows = chart.read(figures)
    drawn = _bars(rows) if chart.kind == "bars" else _columns(chart, rows, figures.selection.columns)
    return render_to_string("desk/chart.svg", {**drawn, "light": _css(LIGHT), "dark": _css(DARK), "font": FONT})


def height_of_bars(rows: int) -> int:
    return BAR * rows + 8


def _bars(rows: list[Row]) -> dict[str, Any]:
    """Lay out horizontal bars, one for each cause, below its name."""
    most = max((row.values[0] for row in rows), default=0) or 1
    bars = [
        {"name": row.label, "y": BAR * at, "length": _round(85 * row.values[0] / most), "value": row.values[0]}
        for at, row in enumerate(rows)
    ]
    return {"bars": bars, "height": height_of_bars(len(rows))}


def _with_unit(chart: Chart, number: str) -> str:
    return chart.unit % {"number": number} if chart.unit else number


def _columns(chart: Chart, rows: list[Row], days: list[datetime.date]) -> dict[str, Any]:
    """Lay out days from left to right as stacked boxes or lines."""
    stacked = chart.kind == "stacked"
    columns = list(zip(*(row.values for row in rows), strict=True))
    most = max(sum(column) if stacked else max((v for v in column if v is not None), default=0) for column in columns)
    ticks = _ticks(most, whole=not chart.unit)
    width = (100 - LEFT) / len(days)

    def x(at: float) -> float:
        return _round(LEFT + width * at)

    def y(value: float) -> float:
        return _round(BOTTOM - (BOTTOM - TOP) * value / ticks[-1])

    def height(start: float, end: float) -> float:
        return max(_round(y(start) - y(end) - (GAP if start else 0)), 0.5)

    boxes = [
        {"x": x(at + 0.1), "y": y(end), "height": height(start, end), "means": row.means}
        for at, column in enumerate(columns if stacked else [])
        for row, (start, end) in zip(rows, itertools.pairwise([0, *itertools.accumulate(column)]), strict=True)
        if end > start
    ]
    lines = [
        {"means": row.means, "is_dashed": row.is_dashed, "points": [(x(at + 0.5), y(value)) for at, value in part]}
        for row in ([] if stacked else rows)
        for known, part in itertools.groupby(enumerate(row.values), lambda one: one[1] is not None)
        if known
    ]
    every = math.ceil(len(days) / MOST_DATES)
    dates = [(at, date_format(day, "MONTH_DAY_FORMAT")) for at, day in enumerate(days) if at % every == every // 2]
    return {
        "height": HEIGHT,
        "below": BOTTOM + 22,
        "ticks": [{"y": y(tick), "label": _with_unit(chart, intcomma(f"{tick:.10g}"))} for tick in ticks],
        "dates": [{"x": x(at + 0.5), "label": date, "is_second": n % 2} for n, (at, date) in enumerate(dates)],
        "boxes": boxes,
        "box_width": _round(width * 0.8),
        "lines": [line | {"parts": list(itertools.pairwise(line["points"]))} for line in lines],
    }


def _ticks(most: float, *, whole: bool) -> list[float]:
    """Return about five round tick values from 0 to at least `most`."""
    least = (most or 1) / 4
    power = 10.0 ** math.floor(math.log10(least))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= least)
    if whole:
        step = max(step, 1)
    return [step * number for number in range(math.ceil((most or 1) / step) + 1)]


def _round(value: float) -> float:
    return round(value, 2)


def _css(colours: dict[str, str]) -> str:
    return ";".join(f"{name}:{value}" for name, value in colours.items())
