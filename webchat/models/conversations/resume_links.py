"""Links in an e-mail that open a conversation on any device, once."""

import datetime
import secrets

from django.db import models, transaction
from django.utils import timezone

from webchat.encryption import hash_of
from webchat.models.bots import Surface
from webchat.models.conversations.conversation import Conversation

VALID_FOR = datetime.timedelta(days=7)


class ResumeLink(models.Model):
    """A link that opens a conversation. Only a hash of its token is stored, so the database alone opens nothing."""

    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="resume_links")
    token_hash = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(default=timezone.now)
    used_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.conversation} {self.created_at:%Y-%m-%d}"

    @classmethod
    def make(cls, conversation: Conversation) -> str:
        """Make a link and return its token."""
        token = secrets.token_urlsafe(24)
        cls.objects.create(conversation=conversation, token_hash=hash_of(token))
        return token

    @classmethod
    def valid(cls, token: str) -> "ResumeLink | None":
        """Return the link of this token if it still works; this uses nothing up."""
        return cls._unused().filter(token_hash=hash_of(token)).select_related("conversation__bot").first()

    @classmethod
    def already_open(cls, token: str, visitor: str | None) -> Conversation | None:
        """Return the conversation of this token, used or not, if the visitor's own browser shows it."""
        shown = Conversation.objects.filter(visitor=visitor, surface=Surface.CHAT, ended_at=None, is_present=True)
        return shown.filter(resume_links__token_hash=hash_of(token)).select_related("bot").first()

    @classmethod
    def _unused(cls) -> models.QuerySet:
        usable = Conversation.objects.filter(ended_at=None, bot__is_being_deleted=False)
        return cls.objects.filter(used_at=None, created_at__gt=timezone.now() - VALID_FOR, conversation__in=usable)

    def use(self, visitor: str) -> bool:
        """Open the conversation on the full page, once: if two people press at the same time, one gets it."""
        conversation = self.conversation
        with transaction.atomic():
            first = ResumeLink._unused().filter(pk=self.pk).update(used_at=timezone.now())
            is_there = (conversation.visitor, conversation.surface) == (visitor, Surface.CHAT)
            opened = bool(first) and (is_there or conversation.move(visitor, Surface.CHAT))
            if not opened:
                transaction.set_rollback(True)
        return opened
