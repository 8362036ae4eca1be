"""Deletes conversations past their bot's retention period."""

import datetime
import logging

from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from webchat.conversation.erasure import erase_conversations
from webchat.models import Bot, Conversation, Entry, Turn

logger = logging.getLogger(__name__)


def delete_expired() -> None:
    """Periodic task: delete conversations that are older than their bot's setting allows."""
    for bot in Bot.objects.exclude(retention_days=None):
        deleted = erase_conversations(_too_old(bot))
        if deleted:
            logger.info("deleted expired conversations bot=%s conversations=%d", bot.slug, deleted)


def _too_old(bot: Bot) -> QuerySet[Conversation]:
    """Return conversations without any message since the limit, of the visitor or the team."""
    limit = timezone.now() - datetime.timedelta(days=bot.retention_days)
    turns, entries = (
        each.filter(conversation=OuterRef("pk"), created_at__gte=limit) for each in (Turn.objects, Entry.objects)
    )
    return Conversation.objects.filter(~Exists(turns), ~Exists(entries), bot=bot, started_at__lt=limit)
