"""Rate limits: how much a visitor, an IP address or a kiosk may send, counted in the database.

One statement counts a message in all of these at once, or in none, so that any number of processes share the counts
and none goes over. What can't be counted isn't sent: errors of the database are raised.
"""

import datetime
import math
from collections.abc import Iterable
from dataclasses import dataclass

from django.conf import settings
from django.db import connection
from django.http import HttpRequest
from django.utils import timezone

from webchat.limits.client_ip import origin_of
from webchat.models import Allowance

MINUTE = 60  # seconds
# A known visitor has a limit of their own. A program that keeps no cookies is a new visitor with each message.
COST_OF_A_NEW_VISITOR = 10  # messages from the IP address


class TooManyMessages(Exception):
    """A minute's messages are used up; `wait` is how many seconds are left of it. `is_own`: by this visitor alone?"""

    def __init__(self, wait: int, *, is_own: bool = True) -> None:
        super().__init__(f"wait {wait} s")
        self.wait = wait
        self.is_own = is_own


class TooManyConversations(Exception):
    """The visitor has begun as many as a day allows; `wait` is how many seconds are left of it."""

    def __init__(self, wait: int) -> None:
        super().__init__(f"wait {wait} s")
        self.wait = wait


@dataclass(frozen=True, order=True)
class Limit:
    """At most `most` messages a minute for `name`; this message counts as `cost`. 0: no limit.

    A surface adds its own in `request.webchat.limits`, such as a kiosk's.
    """

    name: str
    most: int
    cost: int = 1


def shared_limits(request: HttpRequest, cost: int = 1) -> list[Limit]:
    """Return the limits that a visitor shares with others: the IP address's, and the surface's (such as a kiosk's)."""
    origin = origin_of(request)
    if origin is None:
        return request.webchat.limits
    return [Limit(f"from:{origin}", settings.ADDRESS_MESSAGES_PER_MINUTE, cost), *request.webchat.limits]


def count_if_new(request: HttpRequest, visitor: str | None) -> list[Limit]:
    """Count the message of a new visitor (None); return the limits in which a known one's is still to be counted.

    Before anything is stored: a program without cookies is a new visitor each time. A new visitor's message costs more,
    so that an office behind one IP address isn't locked out. Raises TooManyMessages.
    """
    if visitor is not None:
        return shared_limits(request)
    count_message(None, shared_limits(request, COST_OF_A_NEW_VISITOR))
    return []


def count_message(visitor: str | None, limits: Iterable[Limit] = ()) -> None:
    """Count a message for the visitor and in the other limits. Raises TooManyMessages; roll the transaction back then.

    `visitor` is None for somebody who isn't known yet.
    """
    own = Limit(f"messages:{visitor}", settings.MESSAGES_PER_MINUTE if visitor else 0)
    counted = {limit.name: limit for limit in sorted([own, *limits]) if limit.most}
    window, into_the_minute = divmod(int(timezone.now().timestamp()), MINUTE)
    wait = MINUTE - into_the_minute
    if not spend(counted.values(), window, timezone.now() + datetime.timedelta(seconds=wait)):
        is_own = own.name in counted and bool(_spent(own, window))
        raise TooManyMessages(wait, is_own=is_own)


def count_conversation(visitor: str) -> None:
    """Count a new conversation. Raises TooManyConversations."""
    today, midnight = today_and_midnight()
    limit = Limit(f"conversations:{visitor}", settings.CONVERSATIONS_PER_DAY)
    if limit.most and not spend([limit], today.toordinal(), midnight):
        raise TooManyConversations(math.ceil((midnight - timezone.now()).total_seconds()))


def count_attempt(name: str, limit: int, window: int) -> int:
    """Count one of `limit` attempts within `window` seconds; return 0, or the seconds left if none is."""
    number, into_the_window = divmod(int(timezone.now().timestamp()), window)
    left = window - into_the_window
    return 0 if spend([Limit(name, limit)], number, timezone.now() + datetime.timedelta(seconds=left)) else left


def today_and_midnight() -> tuple[datetime.date, datetime.datetime]:
    """Return today and when it ends."""
    today = timezone.localdate()
    midnight = datetime.datetime.combine(today + datetime.timedelta(days=1), datetime.time.min)
    return today, timezone.make_aware(midnight)


def _spent(limit: Limit, window: int) -> bool:
    rows = Allowance.objects.filter(name=limit.name, window__in=(window, window + 1))
    return rows.filter(used__gt=limit.most - limit.cost).exists()


def spend(limits: Iterable[Limit], window: int, ends_at: datetime.datetime) -> bool:
    """Count in each of the limits; return False if one of them is used up; the others may still have been counted.

    If another machine, whose clock is ahead, has begun the next window, it is used; otherwise the two machines would
    keep restarting it. A window still further ahead comes from a clock that was wrong.
    """
    limits = list(limits)  # always in the same order, so that no two of these statements deadlock
    if not limits:
        return True
    goes_on = 'webchat_allowance."window" IN (excluded."window", excluded."window" + 1)'
    new = ", ".join(["(%s, %s, %s, %s)"] * len(limits))
    most = " ".join(["WHEN %s THEN %s"] * len(limits))
    moment = connection.ops.adapt_datetimefield_value(ends_at)
    # Path not taken: an update, and an insert where there was no row, are three statements, and can't be counted in
    # several rows at once without a savepoint.
    statement = f"""
        INSERT INTO webchat_allowance (name, "window", used, ends_at) VALUES {new} ON CONFLICT (name) DO UPDATE SET
            used = CASE WHEN {goes_on} THEN webchat_allowance.used + excluded.used ELSE excluded.used END,
            "window" = CASE WHEN {goes_on} THEN webchat_allowance."window" ELSE excluded."window" END,
            ends_at = CASE WHEN {goes_on} THEN webchat_allowance.ends_at ELSE excluded.ends_at END
        WHERE NOT ({goes_on}) OR webchat_allowance.used + excluded.used <= CASE webchat_allowance.name {most} END
    """  # noqa: S608 - every value is a parameter
    values = [value for limit in limits for value in (limit.name, window, limit.cost, moment)]
    bounds = [value for limit in limits for value in (limit.name, limit.most)]
    with connection.cursor() as cursor:
        cursor.execute(statement, [*values, *bounds])
        return cursor.rowcount == len(limits)
