"""Deletes conversations past their bot's retention period."""

import datetime
import logging

from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from desk.privacy.erasure import erase_conversations
from webchat.models import Bot, Conversation, Turn

logger = logging.getLogger(__name__)


def delete_old() -> None:
    """Periodic task: delete conversations that are older than their bot's setting allows."""
    for bot in Bot.objects.exclude(retention_days=None):
        deleted = erase_conversations(_too_old(bot))
        if deleted:
            logger.info("deleted expired conversations bot=%s conversations=%d", bot.slug, deleted)


def _too_old(bot: Bot) -> QuerySet[Conversation]:
    """Return conversations without any turn since the limit."""
    limit = timezone.now() - datetime.timedelta(days=bot.retention_days)
    recent = Turn.objects.filter(conversation=OuterRef("pk"), created_at__gte=limit)
    return Conversation.objects.filter(~Exists(recent), bot=bot, started_at__lt=limit)
