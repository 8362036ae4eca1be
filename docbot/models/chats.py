"""The chat history."""

from __future__ import annotations

import secrets
from datetime import timedelta

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from docbot.models.bots import TrainedBot


def make_chat_id() -> str:
    return secrets.token_urlsafe(18)


class ChatQuerySet(models.QuerySet):
    def alive(self) -> ChatQuerySet:
        """Return the chats that can still be continued."""
        return self.filter(last_used_at__gte=timezone.now() - timedelta(days=settings.DOCBOT_CHAT_DAYS))


class Chat(models.Model):
    """A conversation between a client and one bot; `chat_id` is `chatId` on the wire."""

    chat_id = models.CharField(_("chat id"), max_length=64, unique=True, default=make_chat_id, editable=False)
    trained_bot = models.ForeignKey(TrainedBot, models.CASCADE, related_name="chats", verbose_name=_("trained bot"))
    created_at = models.DateTimeField(_("begun"), default=timezone.now, editable=False)
    last_used_at = models.DateTimeField(_("last message"), default=timezone.now, editable=False, db_index=True)

    objects = ChatQuerySet.as_manager()

    class Meta:
        ordering = ("-last_used_at", "-pk")
        verbose_name = _("chat")
        verbose_name_plural = _("chat history")

    def __str__(self) -> str:
        return self.chat_id


class Exchange(models.Model):
    """One message of a client and the bot's reply to it."""

    class Certainty(models.TextChoices):
        SURE = "sure", _("Answered")
        UNSURE = "unsure", _("Not sure")
        UNKNOWN = "unknown", _("Didn’t know")

    class Via(models.TextChoices):
        EXTRACTIVE = "extractive", _("Quoted from the documents")
        MODEL = "model", _("Written by the model")
        FALLBACK = "fallback", _("Quoted, because the model failed")

    chat = models.ForeignKey(Chat, models.CASCADE, related_name="exchanges", verbose_name=_("chat"))
    created_at = models.DateTimeField(_("time"), default=timezone.now, editable=False, db_index=True)
    message = models.TextField(_("message"))
    reply = models.TextField(_("reply"))
    certainty = models.CharField(_("outcome"), max_length=10, choices=Certainty)
    sources = models.JSONField(_("sources"), default=list)  # document_id, passage_id, title, heading, url
    milliseconds = models.PositiveIntegerField(_("milliseconds"), default=0)
    via = models.CharField(_("written by"), max_length=10, choices=Via, default=Via.EXTRACTIVE)

    class Meta:
        ordering = ("chat", "pk")
        verbose_name = _("exchange")
        verbose_name_plural = _("exchanges")

    def __str__(self) -> str:
        return f"{self.created_at:%Y-%m-%d %H:%M}"
