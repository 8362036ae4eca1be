"""Deletes conversations in batches, with the copies that our own upstream keeps of them."""

import math
import time

from django.conf import settings
from django.db.models import QuerySet
from django.utils.module_loading import import_string

from webchat.models import Conversation, Turn

BATCH = 500  # conversations per transaction, to keep the write lock short


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


def erase_copies(conversations: list[int]) -> None:
    """Delete the upstream's copies. Call it before the turns are deleted: it finds the copies by text and time."""
    said = Turn.objects.filter(conversation__in=conversations, state=Turn.State.ANSWERED, asked_at__isnull=False)
    copies = list(said.values_list("message", "reply", "asked_at", "ended_at"))
    for path in settings.CHAT_HISTORIES:
        import_string(path)(copies)
