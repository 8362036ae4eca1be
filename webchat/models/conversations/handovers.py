"""Visitors' requests for a person: stored first, before anybody is told."""

import uuid
from typing import Self

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from webchat.models.bots import Bot, Surface
from webchat.models.conversations.conversation import Conversation
from webchat.models.conversations.entries import Entry
from webchat.models.conversations.turns import Turn


class HandoverQuerySet(models.QuerySet):
    def of(self, visitor: str | None, slug: str, surface: str) -> Self:
        """Return the visitor's own requests: every look-up by a visitor starts here."""
        if visitor is None:
            return self.none()
        return self.filter(visitor=visitor, bot__slug=slug, surface=surface).select_related("bot")

    def open(self) -> Self:
        """Return the requests that somebody still has to answer."""
        return self.filter(done_at=None, is_suspect=False)

    def during(self, conversation: Conversation) -> Self:
        """Return the requests to show among the conversation's turns.

        Requests without a transcript belong to no conversation: they stand in the one that the visitor began last.
        """
        began_later = Conversation.objects.filter(
            visitor=conversation.visitor,
            bot=conversation.bot_id,
            started_at__gt=conversation.started_at,
            started_at__lte=models.OuterRef("created_at"),
        )
        own = models.Q(conversation=conversation) | models.Q(models.Q(conversation=None), ~models.Exists(began_later))
        return self.filter(own, created_at__gte=conversation.started_at).order_by("created_at")


class Handover(models.Model):
    """A visitor's request for a person. `key` comes with the form: sent twice, it is one request.

    The transcript isn't copied: it is read, up to `last_turn`, whenever somebody is told.
    """

    key = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="handovers", verbose_name=_("bot"))
    surface = models.CharField(_("place"), max_length=10, choices=Surface)
    visitor = models.CharField(_("visitor"), max_length=64, db_index=True)
    conversation = models.ForeignKey(
        Conversation, on_delete=models.CASCADE, null=True, blank=True, related_name="handovers"
    )
    # How far the conversation may be shown, as the visitor agreed; None: not at all.
    last_turn = models.ForeignKey(Turn, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    email = models.EmailField(_("e-mail address"))
    message = models.TextField(_("message"))
    language = models.CharField(_("language"), max_length=10, blank=True)
    is_suspect = models.BooleanField(_("spam"), default=False)  # a field that people can’t see was filled in
    created_at = models.DateTimeField(_("sent"), default=timezone.now)
    done_at = models.DateTimeField(_("done"), null=True, blank=True)

    objects = HandoverQuerySet.as_manager()

    class Meta:
        verbose_name = _("request for a person")
        verbose_name_plural = _("requests for a person")
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.bot} · {self.created_at:%Y-%m-%d %H:%M}"

    @property
    def transcript(self) -> models.QuerySet[Turn]:
        """Return the turns that may be shown."""
        if self.conversation_id is None or self.last_turn_id is None:
            return Turn.objects.none()
        return Turn.objects.filter(conversation=self.conversation_id, pk__lte=self.last_turn_id)

    @property
    def entries(self) -> models.QuerySet[Entry]:
        """Return what the team wrote until then, and who joined and left, if the turns may be shown."""
        shown = Entry.objects.for_visitors().filter(
            after_turn__lte=self.last_turn_id or 0, created_at__lt=self.created_at
        )
        return shown.filter(conversation=self.conversation_id) if self.last_turn_id else shown.none()
