"""Trained bots with their states and credits, and their API keys."""

from __future__ import annotations

import shutil
from datetime import timedelta
from functools import partial
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.db import models, transaction
from django.db.models import F, Q
from django.db.models.functions import Coalesce, Greatest
from django.db.models.signals import post_delete
from django.dispatch import receiver
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class State(models.TextChoices):
    ONLINE = "online", _("Online")
    TRIAL_OVER = "trial_over", _("Offline: trial over")
    NO_CREDITS = "no_credits", _("Offline: no replies left")
    SWITCHED_OFF = "switched_off", _("Switched off")
    NOT_TRAINED = "not_trained", _("Not trained yet")


class ReadsAgain(models.TextChoices):
    """How often its websites and folders are read again without anybody asking for it."""

    NEVER = "", _("Only when I ask for it")
    DAILY = "daily", _("Every day")
    WEEKLY = "weekly", _("Every week")


def count(rows: models.QuerySet, path: str) -> Coalesce:
    """Return the number of rows whose field `path` is the row that this annotates."""
    grouped = rows.filter(**{path: models.OuterRef("pk")}).order_by().values(path)
    return Coalesce(models.Subquery(grouped.annotate(number=models.Count("pk")).values("number")), 0)


class TrainedBotQuerySet(models.QuerySet):
    def with_counts(self) -> TrainedBotQuerySet:
        """Annotate document_count, passage_count, exchange_count and trained_at, each by a subquery.

        The documents are those that the bot answers from: no unreadable file, and none of a taught answer.
        """
        documents, passages, exchanges = (
            apps.get_model("docbot", name).objects.all() for name in ("Document", "Passage", "Exchange")
        )
        trained = documents.filter(trained_bot=models.OuterRef("pk"), trained_at__isnull=False)
        return self.annotate(
            document_count=count(documents.filter(taught_answer=None, trained_at__isnull=False), "trained_bot"),
            passage_count=count(passages, "document__trained_bot"),
            exchange_count=count(exchanges, "chat__trained_bot"),
            trained_at=models.Subquery(trained.order_by("-trained_at").values("trained_at")[:1]),
        )


class TrainedBot(models.Model):
    """A bot trained on the owner's documents: the unit that owns keys, chats and credits (chat-api.md, section 2)."""

    slug = models.SlugField(_("short name"), unique=True, help_text=_("Its name in addresses and commands."))
    name = models.CharField(_("name"), max_length=100)
    language = models.CharField(_("language"), max_length=16, blank=True)
    enabled = models.BooleanField(_("switched on"), default=True)
    trial_ends_at = models.DateTimeField(
        _("trial ends"),
        null=True,
        blank=True,
        help_text=_("From then on the bot is offline. Leave blank for no trial."),
    )
    credits = models.PositiveIntegerField(
        _("replies left"), null=True, blank=True, help_text=_("Each reply uses one. Leave blank for no limit.")
    )
    reads_again = models.CharField(_("read again"), max_length=6, blank=True, choices=ReadsAgain)
    read_again_at = models.DateTimeField(null=True, editable=False)  # when that was started last
    model_url = models.CharField(
        _("address of the language model"),
        max_length=500,
        blank=True,
        help_text=_("Of an OpenAI-compatible server; it usually ends in /v1. Leave blank for the site’s own setting."),
    )
    model_name = models.CharField(_("model"), max_length=200, blank=True, help_text=_("As its server lists it."))
    sealed_model_key = models.TextField(_("key"), blank=True, editable=False)
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)

    objects = TrainedBotQuerySet.as_manager()

    class Meta:
        ordering = ("name", "pk")
        verbose_name = _("trained bot")
        verbose_name_plural = _("trained bots")

    def __str__(self) -> str:
        return self.name

    @property
    def index_folder(self) -> Path:
        """Where training keeps the index, which can be rebuilt from the passages at any time."""
        return Path(settings.DATA_DIR) / "docbot" / str(self.pk)

    @property
    def upload_folder(self) -> Path:
        """Where files uploaded in the dashboard are kept, so that training can read them again."""
        return Path(settings.MEDIA_ROOT) / "docbot" / str(self.pk)

    @property
    def trial_is_over(self) -> bool:
        return self.trial_ends_at is not None and self.trial_ends_at <= timezone.now()

    @property
    def credits_left(self) -> int | None:
        """Return the credits left: None if unlimited, 0 after the trial (chat-api.md, section 3)."""
        return 0 if self.trial_is_over else self.credits

    @property
    def offline_reason(self) -> State | None:
        """Return why the owner's settings keep the bot offline, or None."""
        if not self.enabled:
            return State.SWITCHED_OFF
        if self.trial_is_over:
            return State.TRIAL_OVER
        if self.credits == 0:
            return State.NO_CREDITS
        return None

    @property
    def state(self) -> State:
        trained = self.passage_count if hasattr(self, "passage_count") else self.passages().exists()
        return self.offline_reason or (State.ONLINE if trained else State.NOT_TRAINED)

    def passages(self) -> models.QuerySet:
        return apps.get_model("docbot", "Passage").objects.filter(document__trained_bot=self)

    def spend_credit(self) -> bool:
        """Take one credit if there is one; a single statement, so that concurrent requests can't go below zero."""
        if self.credits is None:
            return True
        return bool(
            TrainedBot.objects.filter(Q(credits__isnull=True) | Q(credits__gt=0), pk=self.pk).update(
                credits=F("credits") - 1
            )
        )


@receiver(post_delete, sender=TrainedBot)
def _delete_folders(instance: TrainedBot, **_more: object) -> None:
    for folder in (instance.index_folder, instance.upload_folder):
        transaction.on_commit(partial(shutil.rmtree, folder, ignore_errors=True))


class ApiKeyQuerySet(models.QuerySet):
    def valid(self) -> ApiKeyQuerySet:
        return self.filter(revoked_at__isnull=True)


class ApiKey(models.Model):
    """A client's key to the bot. Only its hash is stored; docbot.endpoint.keys issues and finds keys."""

    trained_bot = models.ForeignKey(TrainedBot, models.CASCADE, related_name="api_keys", verbose_name=_("trained bot"))
    name = models.CharField(_("name"), max_length=100, help_text=_("Who uses it: “website”, “Telegram bridge”."))
    # Plain SHA-256 suffices: a key has 256 random bits, so a slow, salted hash would add nothing, and an unsalted one
    # can be looked up by an index.
    digest = models.CharField(max_length=64, unique=True, editable=False)
    prefix = models.CharField(_("begins with"), max_length=16, editable=False)
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)
    last_used_at = models.DateTimeField(_("last used"), null=True, editable=False)
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True, editable=False)
    # Rate limit: the theoretical arrival time (GCRA) of the next request, in seconds.
    due = models.FloatField(default=0, editable=False)

    objects = ApiKeyQuerySet.as_manager()

    LAST_USED_EVERY = timedelta(minutes=1)

    class Meta:
        ordering = ("-created_at", "-pk")
        verbose_name = _("API key")
        verbose_name_plural = _("API keys")

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"

    def revoke(self) -> None:
        """Revoke the key for good: requests with it now fail with INVALID_API_KEY."""
        self.revoked_at = timezone.now()
        self.save(update_fields=["revoked_at"])

    def use(self, per_minute: int) -> float:
        """Count one request (generic cell rate algorithm); return 0, or the seconds to wait. 0 per minute: no limit."""
        now = timezone.now()
        rows = ApiKey.objects.filter(pk=self.pk)
        if not per_minute:
            # At most once a minute, to spare a busy key's row.
            if self.last_used_at is None or self.last_used_at <= now - self.LAST_USED_EVERY:
                rows.update(last_used_at=now)
            return 0.0
        step = 60 / per_minute
        latest = now.timestamp() + 60 - step
        # Half a millisecond of slack: sums of steps are floats.
        admitted = rows.filter(due__lte=latest + 0.0005).update(
            due=Greatest(F("due"), models.Value(now.timestamp())) + step, last_used_at=now
        )
        return 0.0 if admitted else max(self.due - latest, step)
