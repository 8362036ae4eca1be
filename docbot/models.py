"""Trained bots and what belongs to them: keys, documents with their passages, chats, and the runs that train them."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.db import models, transaction
from django.db.models import F, Q
from django.db.models.functions import Greatest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

# chat-api.md, section 8.
TRIAL_LENGTH = timedelta(days=14)
TRIAL_CREDITS = 200


class State(models.TextChoices):
    ONLINE = "online", _("Online")
    TRIAL_OVER = "trial_over", _("Offline: trial over")
    NO_CREDITS = "no_credits", _("Offline: no credits left")
    SWITCHED_OFF = "switched_off", _("Switched off")
    NOT_TRAINED = "not_trained", _("Not trained yet")


class TrainedBotQuerySet(models.QuerySet):
    def with_counts(self) -> TrainedBotQuerySet:
        """Adds document_count, passage_count and exchange_count, each by a query of its own inside the one."""

        def count(model: type[models.Model], path: str) -> models.Subquery:
            rows = model.objects.filter(**{path: models.OuterRef("pk")}).order_by().values(path)
            return models.functions.Coalesce(models.Subquery(rows.annotate(n=models.Count("pk")).values("n")), 0)

        return self.annotate(
            document_count=count(Document, "trained_bot"),
            passage_count=count(Passage, "document__trained_bot"),
            exchange_count=count(Exchange, "chat__trained_bot"),
        )


class TrainedBot(models.Model):
    """A bot trained on the owner's documents: the unit that owns keys, chats and credits (chat-api.md, section 2)."""

    slug = models.SlugField(_("slug"), unique=True, help_text=_("Its name in addresses and commands."))
    name = models.CharField(_("name"), max_length=100)
    language = models.CharField(
        _("language"), max_length=16, blank=True, help_text=_("Two letters, such as en. Empty: found in the documents.")
    )
    enabled = models.BooleanField(_("switched on"), default=True)
    trial_ends_at = models.DateTimeField(
        _("trial ends"), null=True, blank=True, help_text=_("From then on the bot is offline. Empty: no trial.")
    )
    credits = models.PositiveIntegerField(
        _("credits"), null=True, blank=True, help_text=_("Each reply costs one. Empty: unlimited.")
    )
    created_at = models.DateTimeField(_("made"), default=timezone.now, editable=False)

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
        """Where the files that were given in the dashboard stay, so that training can read them again."""
        return Path(settings.MEDIA_ROOT) / "docbot" / str(self.pk)

    @property
    def trial_is_over(self) -> bool:
        return self.trial_ends_at is not None and self.trial_ends_at <= timezone.now()

    @property
    def credits_left(self) -> int | None:
        """None: unlimited. A trial that is over leaves none (chat-api.md, section 3)."""
        return 0 if self.trial_is_over else self.credits

    @property
    def offline_reason(self) -> State | None:
        """Why the bot answers nobody, if its owner's settings are the cause."""
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

    def passages(self) -> models.QuerySet[Passage]:
        return Passage.objects.filter(document__trained_bot=self)

    def start_trial(self) -> None:
        self.trial_ends_at = timezone.now() + TRIAL_LENGTH
        self.credits = TRIAL_CREDITS
        self.save(update_fields=["trial_ends_at", "credits"])

    def end_trial(self) -> None:
        """The owner has decided to stay: neither an end nor a limit is left."""
        self.trial_ends_at = self.credits = None
        self.save(update_fields=["trial_ends_at", "credits"])

    def switch(self, on: bool) -> None:
        self.enabled = on
        self.save(update_fields=["enabled"])

    def spend_credit(self) -> bool:
        """Takes one credit if there is one, in one statement: however many ask at once, it never falls below zero."""
        if self.credits is None:
            return True
        return bool(
            TrainedBot.objects.filter(Q(credits__isnull=True) | Q(credits__gt=0), pk=self.pk).update(
                credits=F("credits") - 1
            )
        )


class ApiKeyQuerySet(models.QuerySet):
    def valid(self) -> ApiKeyQuerySet:
        return self.filter(revoked_at__isnull=True)


class ApiKey(models.Model):
    """What a client proves with that it may talk to the bot. Only its hash is kept: docbot.keys makes and finds it."""

    trained_bot = models.ForeignKey(TrainedBot, models.CASCADE, related_name="api_keys", verbose_name=_("trained bot"))
    name = models.CharField(_("name"), max_length=100, help_text=_("Who uses it: “website”, “Telegram bridge”."))
    # Plain SHA-256 is right here: a key has 256 random bits, so there is no list of likely keys to try, which is all
    # that a slow, salted hash protects from; and an unsalted one can be looked up by an index.
    digest = models.CharField(max_length=64, unique=True, editable=False)
    prefix = models.CharField(_("begins with"), max_length=16, editable=False)
    created_at = models.DateTimeField(_("made"), default=timezone.now, editable=False)
    last_used_at = models.DateTimeField(_("last used"), null=True, editable=False)
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True, editable=False)
    # Rate limit: the moment (in seconds) from which an evenly spread sender would be back within the limit.
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
        """For good: the next request with it is answered with INVALID_API_KEY."""
        self.revoked_at = timezone.now()
        self.save(update_fields=["revoked_at"])

    def use(self, per_minute: int) -> float:
        """Counts one request; 0, or the seconds to wait when there were more than `per_minute` (0: no limit).

        The generic cell rate algorithm, as one conditional update: `per_minute` requests in a row, then one each
        60 / per_minute seconds. Path not taken: a counter a minute lets twice the limit through where minutes meet.
        """
        now = timezone.now()
        rows = ApiKey.objects.filter(pk=self.pk)
        if not per_minute:
            # At most once a minute, so that a busy key doesn't write one row over and over.
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


class Document(models.Model):
    """One file or page that the bot was trained on, or that could not be read."""

    class Kind(models.TextChoices):
        FOLDER = "folder", _("Folder")
        WEBSITE = "website", _("Website")
        UPLOAD = "upload", _("Upload")

    trained_bot = models.ForeignKey(TrainedBot, models.CASCADE, related_name="documents", verbose_name=_("trained bot"))
    kind = models.CharField(_("kind"), max_length=10, choices=Kind)
    origin = models.CharField(
        _("origin"), max_length=2000, blank=True, help_text=_("The folder or start address that it was found below.")
    )
    location = models.CharField(
        _("location"), max_length=2000, help_text=_("Path below its folder, address of the page, or the upload's name.")
    )
    title = models.CharField(_("title"), max_length=500, blank=True)
    address = models.URLField(_("address"), max_length=2000, blank=True, help_text=_("What replies link to."))
    language = models.CharField(_("language"), max_length=16, blank=True)
    fingerprint = models.CharField(max_length=64, blank=True, editable=False)  # SHA-256 of the bytes
    etag = models.CharField(max_length=500, blank=True, editable=False)
    last_modified = models.CharField(max_length=100, blank=True, editable=False)  # the header as it came
    word_count = models.PositiveIntegerField(_("words"), default=0, editable=False)
    trained_at = models.DateTimeField(_("trained"), null=True, editable=False)
    problem = models.TextField(_("problem"), blank=True, help_text=_("Why it could not be read."))

    class Meta:
        ordering = ("location",)
        constraints = (
            models.UniqueConstraint(fields=("trained_bot", "location"), name="docbot_document_location_once"),
        )
        verbose_name = _("document")
        verbose_name_plural = _("documents")

    def __str__(self) -> str:
        return self.title or self.location


class Passage(models.Model):
    """What is found and quoted: some whole sentences of a document under one heading."""

    document = models.ForeignKey(Document, models.CASCADE, related_name="passages", verbose_name=_("document"))
    position = models.PositiveIntegerField(_("position"))
    heading = models.CharField(_("heading"), max_length=500, blank=True)
    text = models.TextField(_("text"))

    class Meta:
        ordering = ("document", "position")
        constraints = (models.UniqueConstraint(fields=("document", "position"), name="docbot_passage_position_once"),)
        verbose_name = _("passage")
        verbose_name_plural = _("passages")

    def __str__(self) -> str:
        return self.heading or self.text[:60]


def make_chat_id() -> str:
    return secrets.token_urlsafe(18)


class ChatQuerySet(models.QuerySet):
    def alive(self) -> ChatQuerySet:
        """Those that can still be continued."""
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


class ExchangeQuerySet(models.QuerySet):
    def unknown(self) -> ExchangeQuerySet:
        """The questions that the documents don't answer, as far as nobody has dealt with them."""
        return self.filter(certainty=Exchange.Certainty.UNKNOWN, done_at__isnull=True)

    def mark_done(self) -> int:
        return self.update(done_at=timezone.now())


class Exchange(models.Model):
    """One message of a client and the bot's reply to it."""

    class Certainty(models.TextChoices):
        SURE = "sure", _("Sure")
        UNSURE = "unsure", _("Not sure")
        UNKNOWN = "unknown", _("Did not know")

    class Via(models.TextChoices):
        EXTRACTIVE = "extractive", _("Quoted from the documents")
        MODEL = "model", _("Written by the model")
        FALLBACK = "fallback", _("Quoted, because the model failed")

    chat = models.ForeignKey(Chat, models.CASCADE, related_name="exchanges", verbose_name=_("chat"))
    created_at = models.DateTimeField(_("time"), default=timezone.now, editable=False, db_index=True)
    message = models.TextField(_("message"))
    reply = models.TextField(_("reply"))
    certainty = models.CharField(_("certainty"), max_length=10, choices=Certainty, db_index=True)
    sources = models.JSONField(_("sources"), default=list)  # document_id, passage_id, title, heading, address
    milliseconds = models.PositiveIntegerField(_("milliseconds"), default=0)
    via = models.CharField(_("made by"), max_length=10, choices=Via, default=Via.EXTRACTIVE)
    done_at = models.DateTimeField(_("done"), null=True, blank=True, editable=False)

    objects = ExchangeQuerySet.as_manager()

    class Meta:
        ordering = ("chat", "pk")
        verbose_name = _("exchange")
        verbose_name_plural = _("exchanges")

    def __str__(self) -> str:
        return f"{self.created_at:%Y-%m-%d %H:%M}"


class AlreadyTraining(Exception):
    """The bot is being trained by another process."""


class TrainingRunQuerySet(models.QuerySet):
    def begin(self, trained_bot: TrainedBot, given: Sequence[str] = ()) -> TrainingRun:
        """A new run of the bot, which at most one process trains; one whose process has died is closed before.

        `given` are the folders, files and addresses that it was asked to train on. Raises AlreadyTraining.
        """
        with transaction.atomic():
            running = self.select_for_update().filter(trained_bot=trained_bot, finished_at__isnull=True)
            for run in running:
                if not run.is_lost:
                    raise AlreadyTraining
                run.fail(str(_("The process that trained has gone.")))
            return self.create(trained_bot=trained_bot, given=list(given))


class TrainingRun(models.Model):
    """One training of a bot, as far as it has come; the dashboard shows it while another process works."""

    trained_bot = models.ForeignKey(TrainedBot, models.CASCADE, related_name="runs", verbose_name=_("trained bot"))
    given = models.JSONField(_("given"), default=list)
    started_at = models.DateTimeField(_("started"), default=timezone.now, editable=False)
    heartbeat = models.DateTimeField(_("last sign of life"), default=timezone.now, editable=False)
    finished_at = models.DateTimeField(_("finished"), null=True, editable=False)
    total = models.PositiveIntegerField(_("documents"), null=True)  # None: not known yet
    done = models.PositiveIntegerField(_("read"), default=0)
    current = models.CharField(_("reading"), max_length=500, blank=True)
    problems = models.JSONField(_("problems"), default=list)  # [location, reason] each
    failure = models.TextField(_("failure"), blank=True)  # why it ended before its end

    objects = TrainingRunQuerySet.as_manager()

    # A single giant file may be read for long; after this much silence the process counts as dead.
    LOST_AFTER = timedelta(minutes=2)

    class Meta:
        ordering = ("-started_at", "-pk")
        constraints = (
            models.UniqueConstraint(
                fields=("trained_bot",), condition=Q(finished_at__isnull=True), name="docbot_one_run_at_a_time"
            ),
        )
        verbose_name = _("training")
        verbose_name_plural = _("trainings")

    def __str__(self) -> str:
        return f"{self.started_at:%Y-%m-%d %H:%M}"

    @property
    def is_lost(self) -> bool:
        return self.finished_at is None and self.heartbeat < timezone.now() - self.LOST_AFTER

    @property
    def is_running(self) -> bool:
        return self.finished_at is None and not self.is_lost

    def report(self, done: int, total: int | None, current: str = "") -> None:
        """A sign of life with the progress; the caller decides how often (twice a second is plenty)."""
        self.done, self.total, self.current, self.heartbeat = done, total, current[:500], timezone.now()
        self.save(update_fields=["done", "total", "current", "heartbeat"])

    def finish(self, problems: Iterable[tuple[str, str]] = ()) -> None:
        self._close(problems=[list(problem) for problem in problems])

    def fail(self, reason: str) -> None:
        self._close(failure=reason)

    def _close(self, *, problems: Sequence[Sequence[str]] = (), failure: str = "") -> None:
        self.finished_at = self.heartbeat = timezone.now()
        self.problems, self.failure, self.current = list(problems), failure, ""
        self.save(update_fields=["finished_at", "heartbeat", "problems", "failure", "current"])
