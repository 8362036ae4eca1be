"""Alarms about a bot, with a count of the repeats that were not sent."""

import datetime

from django.db import IntegrityError, models, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from webchat.models.bots import Bot


class AlarmQuerySet(models.QuerySet):
    def raise_or_count(
        self, bot: Bot, cause: str, since: datetime.datetime, facts: dict[str, object]
    ) -> "Alarm | None":
        """Create and return an alarm; if one was raised since then, count this one there and return None.

        Of several concurrent calls one creates the alarm: its number within the cause is unique.
        """
        of_cause = self.filter(bot=bot, cause=cause)
        recent = of_cause.filter(raised_at__gt=since)
        if recent.update(held_back=F("held_back") + 1):
            return None
        last = of_cause.order_by("number").last()
        number, earlier = (last.number + 1, last.held_back) if last else (1, 0)
        try:
            with transaction.atomic():
                return self.create(bot=bot, cause=cause, number=number, held_back_before=earlier, facts=facts)
        except IntegrityError:
            recent.update(held_back=F("held_back") + 1)
            return None


class Alarm(models.Model):
    """One alarm. Its facts are numbers and codes, never a message or a key."""

    class Cause(models.TextChoices):
        KEY_REFUSED = "key_refused", _("key or address refused")
        BOT_DISABLED = "bot_disabled", _("switched off at its service")
        BUDGET_NEAR = "budget_near", _("budget nearly used up")
        BUDGET_SPENT = "budget_spent", _("budget used up")
        FAILURES = "failures", _("many failures")
        UNDELIVERED = "undelivered", _("a request for a person could not be delivered")

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="alarms", verbose_name=_("bot"))
    cause = models.CharField(_("cause"), max_length=20, choices=Cause)
    number = models.PositiveIntegerField()
    raised_at = models.DateTimeField(_("time"), default=timezone.now)
    facts = models.JSONField(default=dict)
    held_back = models.PositiveIntegerField(_("happened again"), default=0)
    held_back_before = models.PositiveIntegerField(default=0)  # after the alarm before this one

    objects = AlarmQuerySet.as_manager()

    class Meta:
        verbose_name = _("alarm")
        verbose_name_plural = _("alarms")
        ordering = ["-raised_at"]
        constraints = [models.UniqueConstraint(fields=["bot", "cause", "number"], name="alarms_in_their_order")]

    def __str__(self) -> str:
        return _("%(label)s: %(text)s") % {"label": self.bot, "text": self.get_cause_display()}
