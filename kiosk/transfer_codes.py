"""Short-lived, single-use codes that move a kiosk's conversation to a phone."""

import datetime
import secrets

from django.db import models, transaction
from django.utils import timezone

from webchat.encryption import hash_of
from webchat.models import Conversation, Surface

LIFETIME = datetime.timedelta(minutes=2)


class TransferCodeQuerySet(models.QuerySet):
    def make(self, conversation: Conversation) -> str:
        """Create a code for the conversation; delete its earlier codes and expired ones."""
        now = timezone.now()
        self.filter(models.Q(conversation=conversation, taken_at=None) | models.Q(until__lt=now - LIFETIME)).delete()
        code = secrets.token_urlsafe(16)
        self.create(conversation=conversation, code_hash=hash_of(code), until=now + LIFETIME)
        return code

    def with_code(self, code: str) -> "TransferCode | None":
        """Return the row of a code that is unused and not expired, if its conversation is open."""
        valid = self.filter(taken_at=None, until__gt=timezone.now(), conversation__ended_at=None)
        return valid.filter(code_hash=hash_of(code)).select_related("conversation__bot").first()

    def taken_by(self, visitor: str | None, code: str) -> Conversation | None:
        """Return the conversation that this visitor has taken with the code already: a button may be pressed twice."""
        taken = self.filter(code_hash=hash_of(code), conversation__visitor=visitor, conversation__ended_at=None)
        found = taken.exclude(taken_at=None).select_related("conversation__bot").first() if visitor else None
        return found and found.conversation


class TransferCode(models.Model):
    """A code for one phone, of which only the hash is stored."""

    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="transfer_codes")
    code_hash = models.CharField(max_length=64, unique=True)
    until = models.DateTimeField()
    taken_at = models.DateTimeField(null=True)

    objects = TransferCodeQuerySet.as_manager()

    def __str__(self) -> str:
        return f"until {self.until:%H:%M:%S}"

    def take(self, visitor: str) -> bool:
        """Move the conversation to the phone's visitor; of two concurrent phones, one gets it."""
        now = timezone.now()
        with transaction.atomic():
            first = TransferCode.objects.filter(pk=self.pk, taken_at=None, until__gt=now).update(taken_at=now)
            moved = bool(first) and self.conversation.move(visitor, Surface.CHAT)
            if not moved:
                transaction.set_rollback(True)
        return moved
