"""Documents that a bot was trained on, their passages, and training runs."""

from __future__ import annotations

import platform
from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.db import models, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import get_language_info
from django.utils.translation import gettext_lazy as _

from docbot.models.bots import TrainedBot
from docbot.models.taught import TaughtAnswer


def language_name(code: str) -> str:
    """Return the language's name in the reader's language; the code if Django doesn't know it."""
    if code == "no":
        return str(_("Norwegian"))  # which Django doesn't translate
    try:
        return get_language_info("zh-hans" if code == "zh" else code)["name_translated"]
    except KeyError:
        return code


class Document(models.Model):
    """One file or page that the bot was trained on, or that could not be read."""

    class Kind(models.TextChoices):
        FOLDER = "folder", _("Folder")
        WEBSITE = "website", _("Website")
        UPLOAD = "upload", _("Upload")
        TAUGHT = "taught", _("Taught")

    trained_bot = models.ForeignKey(TrainedBot, models.CASCADE, related_name="documents", verbose_name=_("trained bot"))
    kind = models.CharField(_("kind"), max_length=10, choices=Kind)
    taught_answer = models.OneToOneField(
        TaughtAnswer, models.CASCADE, null=True, blank=True, editable=False, related_name="document"
    )
    origin = models.CharField(_("origin"), max_length=2000, blank=True)  # the folder or URL that it was found below
    location = models.CharField(_("location"), max_length=2000)  # the file's path or the page's URL
    title = models.CharField(_("title"), max_length=500, blank=True)
    url = models.URLField(_("address"), max_length=2000, blank=True)  # what replies link to
    language = models.CharField(_("language"), max_length=16, blank=True)
    fingerprint = models.CharField(max_length=64, blank=True, editable=False)  # SHA-256 of the bytes
    word_count = models.PositiveIntegerField(_("words"), default=0, editable=False)
    trained_at = models.DateTimeField(_("trained"), null=True, editable=False)
    problem = models.TextField(_("problem"), blank=True)  # why it could not be read

    class Meta:
        ordering = ("location",)
        constraints = (
            models.UniqueConstraint(fields=("trained_bot", "location"), name="docbot_document_location_once"),
        )
        verbose_name = _("document")
        verbose_name_plural = _("documents")

    def __str__(self) -> str:
        is_file = self.kind in (self.Kind.UPLOAD, self.Kind.FOLDER)
        return self.title or (Path(self.location).name if is_file else self.location)

    def forget(self) -> None:
        """Delete the document, with its file if uploaded; the answer becomes a draft if it was taught."""
        TaughtAnswer.objects.filter(document=self).update(is_draft=True)
        file = Path(self.location)
        if self.kind == self.Kind.UPLOAD and file.is_relative_to(self.trained_bot.upload_folder):
            file.unlink(missing_ok=True)
        self.delete()


class Passage(models.Model):
    """The unit of search and quotation: whole sentences of a document under one heading."""

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


class AlreadyTraining(Exception):
    """The bot is being trained by another process."""


class TrainingStopped(KeyboardInterrupt):
    """Stop was pressed in the dashboard; handled like Ctrl+C in a terminal."""


class TrainingRunQuerySet(models.QuerySet):
    def begin(self, trained_bot: TrainedBot) -> TrainingRun:
        """Create a run, after closing one whose process has died. Raises AlreadyTraining if another is running."""
        with transaction.atomic():
            running = self.select_for_update().filter(trained_bot=trained_bot, finished_at__isnull=True)
            for run in running:
                if not run.is_lost:
                    raise AlreadyTraining
                run.fail(str(_("The training process ended unexpectedly.")))
            return self.create(trained_bot=trained_bot, machine=this_machine())


def this_machine() -> str:
    return f"{platform.node()}:{settings.DATA_DIR}"[-200:]


class TrainingRun(models.Model):
    """One training of a bot with its progress, which the dashboard shows."""

    trained_bot = models.ForeignKey(TrainedBot, models.CASCADE, related_name="runs", verbose_name=_("trained bot"))
    machine = models.CharField(max_length=200, blank=True, editable=False)  # whose process it is
    started_at = models.DateTimeField(_("started"), default=timezone.now, editable=False)
    heartbeat = models.DateTimeField(_("last heard from"), default=timezone.now, editable=False)
    finished_at = models.DateTimeField(_("finished"), null=True, editable=False)
    total = models.PositiveIntegerField(_("documents"), null=True)  # None: not known yet
    done = models.PositiveIntegerField(_("read"), default=0)
    current = models.CharField(_("reading"), max_length=500, blank=True)
    problems = models.JSONField(_("problems"), default=list)  # [location, reason] each
    changes = models.JSONField(_("changes"), default=list)  # {"what", "number", "locations"} each, the first of them
    failure = models.TextField(_("failure"), blank=True)  # why it ended early
    stop_asked = models.BooleanField(default=False, editable=False)

    objects = TrainingRunQuerySet.as_manager()

    # A single huge file takes long to read; after this time without a heartbeat the process counts as dead.
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
        """Store the progress and a heartbeat. Raises TrainingStopped if a stop was requested."""
        self.done, self.total, self.current, self.heartbeat = done, total, current[:500], timezone.now()
        fields = {"done": done, "total": total, "current": self.current, "heartbeat": self.heartbeat}
        if not TrainingRun.objects.filter(pk=self.pk, stop_asked=False).update(**fields):
            raise TrainingStopped

    def stop(self) -> None:
        """Ask the training process to end at its next heartbeat; what it has read is kept."""
        TrainingRun.objects.filter(pk=self.pk, finished_at__isnull=True).update(stop_asked=True)

    def finish(
        self,
        problems: Iterable[tuple[str, str]] = (),
        changes: Iterable[dict[str, object]] = (),
        failure: str = "",
    ) -> None:
        self.finished_at = self.heartbeat = timezone.now()
        self.problems, self.changes, self.failure, self.current = list(problems), list(changes), failure, ""
        self.save(update_fields=["finished_at", "heartbeat", "problems", "changes", "failure", "current"])

    def fail(self, reason: str) -> None:
        self.finish(failure=reason)
