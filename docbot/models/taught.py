"""Answers that the owner's team has taught: each is trained as a document of its own."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from docbot.models.bots import TrainedBot


class TaughtAnswerQuerySet(models.QuerySet):
    def current(self) -> TaughtAnswerQuerySet:
        """Return those that the bot is to answer with: no drafts, and none that has ended."""
        return self.filter(Q(valid_until=None) | Q(valid_until__gte=timezone.localdate()), is_draft=False)


class TaughtAnswer(models.Model):
    """An answer with the question it is for and other ways to ask it; training makes a document of it."""

    trained_bot = models.ForeignKey(
        TrainedBot, models.CASCADE, related_name="taught_answers", verbose_name=_("trained bot")
    )
    question = models.CharField(_("question"), max_length=300)
    paraphrases = models.JSONField(_("other ways to ask it"), default=list, blank=True)
    text = models.TextField(_("answer"), help_text=_("Markdown."))
    author = models.CharField(_("author"), max_length=150)
    taught_at = models.DateTimeField(_("taught"), default=timezone.now, editable=False)
    is_draft = models.BooleanField(_("draft"), default=False, editable=False)
    valid_until = models.DateField(
        _("valid until"), null=True, blank=True, help_text=_("The last day. Leave blank for no end.")
    )

    objects = TaughtAnswerQuerySet.as_manager()

    class Meta:
        ordering = ("-taught_at", "-pk")
        default_permissions = ()
        verbose_name = _("taught answer")
        verbose_name_plural = _("taught answers")

    def __str__(self) -> str:
        return f"{self.taught_at:%Y-%m-%d} {self.pk}"

    @property
    def phrasings(self) -> list[str]:
        """All ways to ask it, each once."""
        spaced = (" ".join(one.split()) for one in (self.question, *self.paraphrases))
        return list({one.casefold(): one for one in spaced if one}.values())

    @property
    def has_ended(self) -> bool:
        return self.valid_until is not None and self.valid_until < timezone.localdate()
