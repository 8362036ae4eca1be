"""Deletes conversations in batches, with the copies that our own upstream keeps of them."""

from django.conf import settings
from django.db.models import QuerySet
from django.utils.module_loading import import_string

from webchat.models import Conversation, Turn

BATCH = 500  # conversations per transaction, to keep the write lock short


def erase_conversations(conversations: QuerySet[Conversation]) -> int:
    """Delete the conversations and return their number; when interrupted, finished batches stay deleted."""
    deleted = 0
    while batch := list(conversations.order_by("started_at").values_list("pk", flat=True)[:BATCH]):
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
