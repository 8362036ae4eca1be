"""Deletes conversations for good, in batches, and the copies that an upstream of our own keeps of them."""

from django.conf import settings
from django.db.models import QuerySet
from django.utils.module_loading import import_string

from webchat.models import Conversation, Turn

BATCH = 500  # conversations in a transaction: nobody's message waits for long


def erase_conversations(conversations: QuerySet[Conversation]) -> int:
    """How many there were. What has been deleted when this is broken off stays so."""
    deleted = 0
    while batch := list(conversations.order_by("started_at").values_list("pk", flat=True)[:BATCH]):
        erase_copies(batch)
        Conversation.objects.filter(pk__in=batch).delete()
        deleted += len(batch)
    return deleted


def erase_copies(conversations: list[int]) -> None:
    """Before the turns themselves are gone: by what was said when, the copies are found."""
    said = Turn.objects.filter(conversation__in=conversations, state=Turn.State.ANSWERED, asked_at__isnull=False)
    copies = list(said.values_list("message", "reply", "asked_at", "ended_at"))
    for path in settings.CHAT_HISTORIES:
        import_string(path)(copies)
