"""The queue: when a person can be offered, how long the wait usually is, and who leaves it."""

import datetime
import math
import statistics
import uuid
from collections.abc import Iterable

from django.db import transaction
from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from webchat.limits import rates
from webchat.models import Bot, Conversation, Entry, Leader, TeamMember

RECENT = datetime.timedelta(days=14)
FEWEST_WAITS = 5  # waits that an estimate needs
MOST_WAITS = 50
GONE_AFTER = datetime.timedelta(minutes=15)  # without a sign of the visitor's page


def has_people(bot: Bot) -> bool:
    """Return whether team members answer for this bot and at least one is there now."""
    return bot.people_answer and bot.is_open and TeamMember.objects.online(bot).exists()


def usual_wait(bot: Bot) -> int | None:
    """Return the minutes within which 80 % of recent visitors were answered; None if there were too few."""
    following = Entry.objects.filter(conversation=OuterRef("conversation"), pk__gt=OuterRef("pk")).order_by("pk")
    queued = Entry.objects.filter(
        conversation__bot=bot,
        created_at__gt=timezone.now() - RECENT,
        kind=Entry.Kind.QUEUED,
        name="",  # else put back by a team member
    ).annotate(next_kind=Subquery(following.values("kind")[:1]), ended_at=Subquery(following.values("created_at")[:1]))
    joined = queued.filter(next_kind=Entry.Kind.JOINED).order_by("-pk").values_list("created_at", "ended_at")
    waits = [(ended_at - began_at).total_seconds() / 60 for began_at, ended_at in joined[:MOST_WAITS]]
    if len(waits) < FEWEST_WAITS:
        return None
    return max(1, math.ceil(statistics.quantiles(waits, n=5)[-1]))


def has_waited_long(conversation: Conversation) -> bool:
    """Return whether the visitor has waited for a person longer than the bot's *Longest wait*."""
    since = conversation.waits_since
    return since is not None and timezone.now() - since > datetime.timedelta(minutes=conversation.bot.queue_minutes)


def join(
    visitor: str, bot: Bot, surface: str, public_id: uuid.UUID | None, limits: Iterable[rates.Limit]
) -> Conversation:
    """Put the visitor's conversation, or a new one, into the queue; pressing twice is the same as once.

    Raises rates.TooManyMessages, rates.TooManyConversations, and Conversation.DoesNotExist.
    """
    with transaction.atomic():
        rates.count_message(visitor, limits)
        conversation = Conversation.objects.open_or_begin(visitor, bot, surface, public_id)
        if conversation.is_new:
            rates.count_conversation(visitor)
        conversation.agree()
        conversation.join_queue()
        conversation.record_visit(has_read=False)
    conversation.refresh_from_db()
    return conversation


def remove_absent_visitors() -> None:
    """Periodic task: remove visitors from the queue who closed the page without leaving an e-mail address."""
    for conversation in out_of_reach(Conversation.objects.filter(led_by=Leader.QUEUE)):
        conversation.leave_queue()


def out_of_reach(conversations: QuerySet[Conversation]) -> QuerySet[Conversation]:
    """Return those whose visitor has closed the page, and would get an answer neither by e-mail nor by notification."""
    is_gone = Q(visitor_seen_at=None) | Q(visitor_seen_at__lt=timezone.now() - GONE_AFTER)
    return conversations.filter(is_gone, reply_email="", push_subscriptions=None)
