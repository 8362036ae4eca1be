"""Deletes conversations in batches, with the copies that our own upstream keeps of them."""

import datetime
import math
import time
from collections.abc import Iterable

from django.conf import settings
from django.db.models import QuerySet
from django.db.models.signals import pre_delete
from django.dispatch import receiver
from django.utils.module_loading import import_string

from webchat.models import GRACE, Conversation, Customer, Turn

BATCH = 500  # conversations per transaction, to keep the write lock short
Copy = tuple[str, str | None, datetime.datetime, datetime.datetime]  # message, reply if known, between these moments


def erase_conversations(conversations: QuerySet[Conversation], seconds: float = math.inf) -> int:
    """Delete the conversations, or as many as time allows, and return their number.

    When interrupted, finished batches stay deleted.
    """
    deleted, end = 0, time.monotonic() + seconds
    while time.monotonic() < end and (
        batch := list(conversations.order_by("started_at").values_list("pk", flat=True)[:BATCH])
    ):
        erase_copies(batch)
        Conversation.objects.filter(pk__in=batch).delete()
        deleted += len(batch)
    return deleted


def erase_customer(customer: Customer) -> None:
    """Delete a customer, with their conversations, and their account unless it is a team member's.

    The account of a former member stays, too: with it would go what the audit trail says that they did.
    """
    if customer.has_own_account:
        customer.user.delete()
    else:
        customer.delete()


def erase_copies(conversations: list[int]) -> None:
    """Delete the upstream's copies. Call it before the turns are deleted: it finds the copies by text and time."""
    erase_copies_of(Turn.objects.filter(conversation__in=conversations, asked_at__isnull=False))


def erase_copies_of(turns: Iterable[Turn]) -> None:
    copies = [_copy_of(turn) for turn in turns]
    for path in settings.CHAT_HISTORIES:
        import_string(path)(copies)


def _copy_of(turn: Turn) -> Copy:
    """Return how to find the upstream's copy: of a reply that never arrived here, only the time is known."""
    reply = turn.reply or turn.late_reply
    until = turn.asked_at + datetime.timedelta(seconds=settings.CHAT_TIMEOUT + GRACE)
    if turn.attempt <= 1 and reply:
        return turn.message, reply, turn.asked_at, turn.ended_at or until
    return turn.message, None, turn.created_at, until


@receiver(pre_delete, sender=Customer)
def _erase_copies_of(instance: Customer, **_more: object) -> None:
    """Delete the copies of conversations that go with their customer, or with the customer's account."""
    erase_copies(list(instance.conversations.values_list("pk", flat=True)))
