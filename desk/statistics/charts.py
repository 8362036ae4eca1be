"""Charts as SVG, each with the same figures as a table."""

import datetime
import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib.humanize.templatetags.humanize import intcomma
from django.template.loader import render_to_string
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from desk.statistics.insights import Figures, Measure, surfaces

WIDTH, HEIGHT = 560, 260
LEFT, TOP, RIGHT, BOTTOM = 44, 12, 548, 196  # of the plot
MOST_DATES, LETTER = 6, 8  # dates below a plot; width of a letter
NAMES, BAR = 180, 34  # x of the bars; height of a bar with its gap
Series = list[tuple[str, list[float | None]]]

# Distinguishable with colour blindness and in greyscale; contrast at least 3:1 (WCAG 1.4.11).
LIGHT = {
    "--text": "#1f2430",
    "--soft": "#5b6270",
    "--line": "#dfe2e8",
    "--ground": "#ffffff",
    "--one": "#2f5bd0",
    "--two": "#c2410c",
    "--three": "#0f766e",
    "--four": "#7e22ce",
    "--good": "#1a7f4b",
}
DARK = {
    "--text": "#e9ebf0",
    "--soft": "#a8aebb",
    "--line": "#343945",
    "--ground": "#1b1f27",
    "--one": "#86a5ff",
    "--two": "#ff9d6b",
    "--three": "#4fd1c5",
    "--four": "#d5a6ff",
    "--good": "#5cc98e",
}
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif"


@dataclass(frozen=True)
class Chart:
    """A chart: its name in URLs, its title, and how its figures are read and drawn."""

    name: str
    title: Any
    kind: str  # "stacked", "line" or "bars"
    read: Callable[[Figures], Series]
    titles: tuple[Any, Any] = ("", "")  # where it shows days, and weeks
    colours: tuple[str, ...] = ("--one", "--two", "--three", "--four")
    unit: Any = ""  # as a sentence with `%(number)s`

    @property
    def daily_title(self) -> Any:
        return self.titles[0]

    @property
    def weekly_title(self) -> Any:
        return self.titles[1]

    def table(self, figures: Figures) -> tuple[list[str], list[list[object]]]:
        """Return the table's header and a row for each day, week or code."""
        series = self.read(figures)
        if self.kind == "bars":
            return [gettext("Code"), gettext("Messages")], [[name, values[0]] for name, values in series]
        head = [
            # Translators: the first column of a table: the Monday of each week
            gettext("Week from") if figures.selection.is_weekly else gettext("Day"),
            *(name for name, _row in series),
        ]
        columns = figures.selection.columns
        return head, [[day, *(values[at] for _name, values in series)] for at, day in enumerate(columns)]


def _messages(figures: Figures) -> Series:
    series = [(gettext("Answered"), figures.series(Measure.ANSWERED)), (gettext("Failed"), figures.failed)]
    waiting = figures.series(Measure.WAITING)
    return [*series, (gettext("Without an outcome"), waiting)] if any(waiting) else series


def _conversations(figures: Figures) -> Series:
    found = [(label, figures.series(Measure.CONVERSATIONS, name)) for name, label in surfaces(figures)]
    return [(capfirst(label), values) for label, values in found] or [
        (gettext("Conversations"), [0] * len(figures.failed))
    ]


def _failures(figures: Figures) -> Series:
    return [(code or "UNKNOWN", [figures.total(Measure.FAILED, code)]) for code in figures.names(Measure.FAILED)][:12]


def _reply_times(figures: Figures) -> Series:
    rounded = [[None if value is None else round(value, 2) for value in figures.reply_times(p)] for p in (0.5, 0.95)]
    return [(gettext("Median (p50)"), rounded[0]), (gettext("95 % within (p95)"), rounded[1])]


def _feedback(figures: Figures) -> Series:
    return [
        (gettext("Helpful"), figures.series(Measure.FEEDBACK, "1")),
        (gettext("Not helpful"), figures.series(Measure.FEEDBACK, "-1")),
    ]


CHARTS = {
    chart.name: chart
    for chart in (
        Chart(
            "messages",
            _("Messages"),
            "stacked",
            _messages,
            (_("Messages a day"), _("Messages a week")),
            ("--one", "--two", "--soft"),
        ),
        Chart(
            "conversations",
            _("Conversations"),
            "stacked",
            _conversations,
            (_("Conversations a day"), _("Conversations a week")),
        ),
        Chart(
            "reply-times",
            _("Reply time"),
            "line",
            _reply_times,
            (_("Reply time a day"), _("Reply time a week")),
            ("--one", "--two"),
            unit=_("%(number)s s"),
        ),
        Chart("failures", _("Failed, by code"), "bars", _failures, colours=("--two",)),
        Chart(
            "feedback",
            _("Feedback"),
            "stacked",
            _feedback,
            (_("Feedback a day"), _("Feedback a week")),
            ("--good", "--two"),
        ),
    )
}


def svg(chart: Chart, figures: Figures) -> str:
    """Render the chart for an `img`; it adapts to light and dark mode by itself."""
    series = chart.read(figures)
    drawn = _bars(chart, series) if chart.kind == "bars" else _columns(chart, series, figures.selection.columns)
    colours = {"light": _css(LIGHT), "dark": _css(DARK), "font": FONT}
    return render_to_string("desk/chart.svg", {"width": WIDTH, **drawn, **colours})


def height_of_bars(rows: int) -> int:
    return max(120, 60 + BAR * rows)


def _bars(chart: Chart, series: Series) -> dict[str, Any]:
    """Lay out horizontal bars, one for each code."""
    most = max((values[0] for _name, values in series), default=0) or 1
    colour = f"var({chart.colours[0]})"
    length = (RIGHT - 50 - NAMES) / most
    bars = [
        {"name": name, "y": 30 + BAR * at, "length": _round(length * value), "value": value}
        for at, (name, (value,)) in enumerate(series)
    ]
    return {"bars": bars, "bars_start": NAMES, "colour": colour, "height": height_of_bars(len(series))}


def _with_unit(chart: Chart, number: str) -> str:
    return chart.unit % {"number": number} if chart.unit else number


def _columns(chart: Chart, series: Series, days: list[datetime.date]) -> dict[str, Any]:
    """Lay out days from left to right as stacked boxes or lines."""
    stacked = chart.kind == "stacked"
    colours = [f"var({colour})" for colour in chart.colours]
    columns = list(zip(*(values for _name, values in series), strict=True))
    most = max(sum(column) if stacked else max((v for v in column if v is not None), default=0) for column in columns)
    ticks = _ticks(most, whole=not chart.unit)
    width = (RIGHT - LEFT) / len(days)

    def x(at: float) -> float:
        return _round(LEFT + width * at)

    def y(value: float) -> float:
        return _round(BOTTOM - (BOTTOM - TOP) * value / ticks[-1])

    boxes = [
        {"x": x(at + 0.1), "y": y(end), "height": _round(y(start) - y(end)), "colour": colour}
        for at, column in enumerate(columns if stacked else [])
        for colour, (start, end) in zip(colours, itertools.pairwise([0, *itertools.accumulate(column)]), strict=False)
        if end > start
    ]
    lines = [
        {"colour": colour, "points": [(x(at + 0.5), y(value)) for at, value in part]}
        for colour, (_name, values) in zip(colours, [] if stacked else series, strict=False)
        for known, part in itertools.groupby(enumerate(values), lambda one: one[1] is not None)
        if known
    ]
    dates = [date_format(day, "MONTH_DAY_FORMAT") for day in days]
    most_dates = min(MOST_DATES, (RIGHT - LEFT) // (LETTER * max(map(len, dates)) + LETTER))
    every = math.ceil(len(days) / most_dates)
    legend = zip(colours, (name for name, _values in series), strict=False) if len(series) > 1 else []
    return {
        "height": HEIGHT,
        "ticks": [{"y": y(tick), "label": _with_unit(chart, intcomma(f"{tick:.10g}"))} for tick in ticks],
        "plot": {"left": LEFT, "right": RIGHT, "labels": BOTTOM + 20, "legend": HEIGHT - 14},
        "dates": [{"x": x(at + 0.5), "label": date} for at, date in enumerate(dates) if at % every == 0],
        "boxes": boxes,
        "box_width": _round(width * 0.8),
        "lines": lines,
        "legend": [
            {"x": x(at * len(days) / max(len(series), 3)), "colour": c, "name": name}
            for at, (c, name) in enumerate(legend)
        ],
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
    return round(value, 1)


def _css(colours: dict[str, str]) -> str:
    return ";".join(f"{name}:{value}" for name, value in colours.items())
