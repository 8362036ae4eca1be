"""Filters that format figures on the desk."""

import datetime

from django import template
from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.formats import date_format

from desk.statistics.charts import height_of_bars
from webchat.models import Turn

register = template.Library()


@register.filter
def share(part: int, whole: int) -> str:
    """Format a share in per cent."""
    return f"{100 * part / whole:.1f} %" if whole else "–"


@register.filter
def seconds(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f} s"


@register.filter
def figure(value: float | None, unit: str = "") -> str:
    if value is None:
        return "–"
    return f"{value} {unit}" if unit else intcomma(value)


@register.filter
def date_or_text(value: object) -> str:
    return date_format(value) if isinstance(value, datetime.date) else str(value)


@register.filter
def bars_height(rows: int) -> int:
    return height_of_bars(rows)


@register.filter
def reply_seconds(turn: Turn) -> float:
    return (turn.ended_at - turn.asked_at).total_seconds()
