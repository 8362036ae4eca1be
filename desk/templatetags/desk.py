"""What the desk's templates call: figures as text, and facts for the inbox."""

import datetime
from dataclasses import replace
from typing import Any

from django import template
from django.contrib.humanize.templatetags.humanize import intcomma
from django.template import Context
from django.utils import timezone
from django.utils.formats import date_format, number_format
from django.utils.html import format_html
from django.utils.translation import gettext as _

from accounts.devices import device_name
from desk import failures, pages
from desk.cards import Card
from desk.inbox import listing
from desk.overview import badges, counts, to_do
from webchat.models import Conversation, Turn

register = template.Library()
register.filter(device_name)
register.filter("failure", failures.describe)
register.filter("problems", pages.problems_of)


@register.filter
def share(part: int, whole: int) -> str:
    """Format a share in per cent, with a decimal place where it needs one."""
    if not whole:
        return "–"
    percent = round(100 * part / whole, 1)
    # Translators: a share in per cent
    return _("%(number)s%%") % {"number": number_format(percent, 0 if percent.is_integer() else 1)}


@register.filter
def seconds(value: float | None) -> str:
    """Format a time in seconds, with no more digits than say something: 0.02 s, 1.3 s, 90 s."""
    if value is None:
        return "–"
    places = 0 if value >= 10 else 1 if value >= 1 else 2
    # Translators: seconds in short
    return _("%(number)s s") % {"number": number_format(round(value, places), places)}


@register.filter
def figure(value: float | None, unit: str = "") -> str:
    if value is None:
        return "–"
    return unit % {"number": number_format(value)} if unit else intcomma(value)


@register.filter
def date_or_text(value: object) -> str:
    return date_format(value) if isinstance(value, datetime.date) else str(value)


@register.filter
def reply_seconds(turn: Turn) -> float:
    return (turn.ended_at - turn.asked_at).total_seconds()


@register.filter
def visitor_name(conversation: Conversation) -> str:
    """Return the visitor's name if they have signed in, else “Visitor”."""
    return str(conversation.customer) if conversation.customer else _("Visitor")


@register.filter
def waited(since: datetime.datetime) -> str:
    """Return how long, in short and on one line: < 1 min, 3 min, 2 h, 1 d. No seconds: an open inbox renews it."""
    seconds = max(0, int((timezone.now() - since).total_seconds()))
    # Translators: days, hours and minutes in short, how long ago or how long somebody waits
    for size, words in ((86400, _("%(number)s d")), (3600, _("%(number)s h")), (60, _("%(number)s min"))):
        if seconds >= size:
            return (words % {"number": seconds // size}).replace(" ", "\u00a0")
    return "<\u00a0" + (_("%(number)s min") % {"number": 1}).replace(" ", "\u00a0")


@register.simple_tag
def choices_of(list_filter: Any, listed: Any) -> list[dict[str, Any]]:
    """Return what a filter of a list in Django's admin offers."""
    return list(list_filter.choices(listed))


@register.simple_tag(takes_context=True)
def inbox_unread(context: Context) -> int:
    """Return the count for the badge in the navigation."""
    return context["unread"] if "unread" in context else listing.unread(context["request"].user)


@register.inclusion_tag("desk/_badge.html", takes_context=True)
def badge(context: Context, entry: str) -> dict[str, badges.Badge | None]:
    """Show the badge beside an entry of the navigation."""
    return {"badge": badges.badge_of(context["request"].user, entry, context.get("open_counts", {}))}


@register.simple_tag(takes_context=True)
def current(context: Context, url: str, also: str = "") -> str:
    """Return the attribute that marks an entry of the navigation on its page and on those below it, or below `also`.

    `inside`: where the page belongs if its own address doesn't say so.
    """
    path = context.get("inside") or context["request"].path
    if path == url:
        return format_html(' aria-current="{}"', "page")
    is_below = path.startswith(url) or (also and path.startswith(also))
    return format_html(' aria-current="{}"', "true") if is_below else ""


@register.simple_tag(takes_context=True)
def unread_documents(context: Context) -> Card | None:
    """Return what the badge beside *Bots* counts: whose documents could not be read, with links to them."""
    request = context["request"]
    return to_do.documents_card(request, list(counts.trained_bots(request.user)))


@register.simple_tag(takes_context=True)
def current_alarms(context: Context) -> Card | None:
    """Return what the badge beside *Alarms* counts, with links to the remedies."""
    request = context["request"]
    card = to_do.alarm_card(request, to_do.current_alarms(request))
    return replace(card, links=[]) if card else None


@register.filter
def last_outcome(row: Conversation) -> str:
    """Return what became of the last message of a row of the inbox."""
    if row.last_outcome:
        return Turn.Outcome(row.last_outcome).label
    return Turn.State(row.last_state).label if row.last_state else ""
