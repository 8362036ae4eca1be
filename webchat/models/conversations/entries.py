"""Entries: what is in a transcript besides the turns: what team members write, and who joined and left."""

import uuid
from typing import Self

from django.db import models
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from webchat.models.conversations.conversation import Conversation
from webchat.models.team import TeamMember


class EntryQuerySet(models.QuerySet):
    def add_entry(self, conversation: Conversation, kind: str, member: TeamMember | None, **more: object) -> "Entry":
        """Store an entry, within a transaction that holds the conversation's row, so that entries are in order."""
        last_turn = conversation.turns.aggregate(last=Max("pk"))["last"] or 0
        name = member.name if member else ""
        return self.create(
            conversation=conversation, kind=kind, team_member=member, name=name, after_turn=last_turn, **more
        )

    def with_a_person(self) -> Self:
        """Return those that say that a person was asked for or joined: each conversation with a person has one."""
        return self.filter(kind__in=[Entry.Kind.QUEUED, Entry.Kind.JOINED]).order_by()

    def up_to(self, last_turn: int) -> Self:
        """Return those that come no later than this turn: another turn, with more entries, may be stored meanwhile."""
        return self.filter(after_turn__lte=last_turn)

    def for_visitors(self) -> Self:
        return self.exclude(kind=Entry.Kind.NOTE).select_related("attachment", "team_member")


class Entry(models.Model):
    """A team member's message or note, or an event such as "Ada has joined".

    It comes after the turn `after_turn` and after the entries that were written before it: an order without clocks.
    """

    class Kind(models.TextChoices):
        MESSAGE = "message", _("message")
        NOTE = "note", _("internal note")
        QUEUED = "queued", _("asked for a person")
        LEFT = "left", _("stopped waiting")
        JOINED = "joined", _("joined")
        HANDED_OVER = "handed_over", _("handed over to a colleague")
        HANDED_BACK = "handed_back", _("handed back to the bot")
        CLOSED = "closed", pgettext_lazy("a conversation", "closed")

    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="entries")
    key = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(_("kind"), max_length=12, choices=Kind)
    team_member = models.ForeignKey(TeamMember, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    name = models.CharField(_("name"), max_length=80, blank=True)  # the team member’s, at that time
    text = models.TextField(_("text"), blank=True)
    after_turn = models.PositiveBigIntegerField(editable=False)
    created_at = models.DateTimeField(_("written"), default=timezone.now)

    objects = EntryQuerySet.as_manager()

    class Meta:
        verbose_name = _("entry")
        verbose_name_plural = _("entries")
        ordering = ["id"]
        indexes = [
            models.Index(fields=["conversation", "id"], name="entries_of_a_conversation"),
            models.Index(fields=["kind", "created_at"], name="entries_by_kind"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"

    @property
    def file(self) -> models.Model | None:
        """The attachment that came with this message."""
        return getattr(self, "attachment", None)
