"""Deletes a bot with everything stored for it, perhaps a million messages: hidden at once, then deleted in parts."""

import logging

from django.contrib.admin import ModelAdmin
from django.db.models import QuerySet
from django.http import HttpRequest

from webchat.conversation.erasure import erase_conversations
from webchat.models import Bot

logger = logging.getLogger(__name__)

SECONDS = 8  # for one bot in one run of the task


def delete_bots_in_parts() -> None:
    """Periodic task: delete what is left of deleted bots in parts, each in a transaction of its own.

    Path not taken: Django's own deletion, which holds all their rows in memory and the write lock for minutes.
    """
    for bot in Bot.with_deleted.being_deleted():
        deleted = erase_conversations(bot.conversations.all(), SECONDS)
        logger.info("deleted conversations of a deleted bot conversations=%d", deleted)
        if not bot.conversations.exists():
            bot.delete()


def count_deletions(
    bots_admin: ModelAdmin, request: HttpRequest, bots: QuerySet[Bot] | list[Bot]
) -> tuple[list[str], dict[str, int], set[str], list[str]]:
    """Count what goes with the bots, as `ModelAdmin.get_deleted_objects` returns it, without reading any of it."""
    counts, lacking = {}, set()
    for relation in Bot._meta.related_objects:
        model, site = relation.related_model, bots_admin.admin_site
        number = model._default_manager.filter(**{f"{relation.field.name}__in": bots}).count()
        if number:
            counts[str(model._meta.verbose_name_plural)] = number
        if number and site.is_registered(model) and not site.get_model_admin(model).has_delete_permission(request):
            lacking.add(str(model._meta.verbose_name))
    return [], counts, lacking, []
