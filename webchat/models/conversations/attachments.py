"""Attachments: the files that a visitor and a person send each other, deleted with their conversation."""

import uuid
from functools import partial

from django.db import models, transaction
from django.db.models import Q
from django.db.models.signals import post_delete
from django.dispatch import receiver
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from webchat.models.conversations.conversation import Conversation
from webchat.models.conversations.entries import Entry
from webchat.models.conversations.turns import Turn

FOLDER = "attachments"  # within MEDIA_ROOT
SHOWN_HEIGHT = 320  # CSS pixels, at most


class Attachment(models.Model):
    """A picture or PDF that came with a visitor's turn or a team member's entry. `key` names it in URLs."""

    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="attachments")
    turn = models.OneToOneField(Turn, on_delete=models.CASCADE, null=True, blank=True, related_name="attachment")
    entry = models.OneToOneField(Entry, on_delete=models.CASCADE, null=True, blank=True, related_name="attachment")
    key = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    name = models.CharField(_("name"), max_length=100)  # the visitor’s or team member’s own, cleaned
    content_type = models.CharField(_("content type"), max_length=40)
    size = models.PositiveIntegerField(_("size"))  # bytes
    width = models.PositiveSmallIntegerField(null=True, blank=True)
    height = models.PositiveSmallIntegerField(null=True, blank=True)
    file = models.FileField(upload_to=FOLDER)  # stored under a random name
    created_at = models.DateTimeField(_("sent"), default=timezone.now)

    class Meta:
        verbose_name = _("attachment")
        verbose_name_plural = _("attachments")
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(turn=None, entry__isnull=False) | Q(turn__isnull=False, entry=None),
                name="an_attachment_has_one_place",
            )
        ]

    def __str__(self) -> str:
        return f"{self.key}"

    @property
    def is_picture(self) -> bool:
        return self.content_type.startswith("image/")

    @property
    def shown_size(self) -> tuple[int, int]:
        """Return a picture's width and height on the page, which keeps its place until it has loaded."""
        scale = min(1, SHOWN_HEIGHT / self.height)
        return max(1, round(self.width * scale)), max(1, round(self.height * scale))


@receiver(post_delete, sender=Attachment)
def delete_file(instance: Attachment, **_more: object) -> None:
    """Delete the file once its row is gone for good, however it was deleted."""
    transaction.on_commit(partial(instance.file.storage.delete, instance.file.name))
