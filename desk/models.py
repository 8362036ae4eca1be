"""Daily counts (charts load as fast with a million turns as with ten), taught and tried answers, invitations."""

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from docbot.models import TaughtAnswer
from webchat.models import Bot, Surface, Turn
from webchat.models.team import Role


class Tally(models.Model):
    """The count of one kind of event for one bot, day and surface.

    `name` divides a measure further: an error code, a reply-time bucket (`desk.statistics.reply_times`), a rating.
    """

    class Measure(models.TextChoices):
        CONVERSATIONS = "conversations", _("conversations started")
        ANSWERED = "answered", _("messages answered")
        NOT_SURE = "not_sure", _("not sure")
        NOT_KNOWN = "not_known", _("didn’t know")
        FAILED = "failed", _("messages failed")
        PERSON = "person", _("Person")
        WAITING = "waiting", _("messages without an outcome yet")
        REPLY_TIME = "reply_time", _("reply times")
        FEEDBACK = "feedback", _("feedback")

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="tallies")
    day = models.DateField()
    surface = models.CharField(max_length=10, choices=Surface)
    measure = models.CharField(max_length=13, choices=Measure)
    name = models.CharField(max_length=64, blank=True)
    number = models.PositiveIntegerField()

    class Meta:
        verbose_name = _("insight")
        verbose_name_plural = _("insights")
        default_permissions = ("view",)
        constraints = [
            models.UniqueConstraint(fields=["day", "bot", "surface", "measure", "name"], name="one_tally_of_a_kind")
        ]

    def __str__(self) -> str:
        return f"{self.day} {self.measure} {self.name}: {self.number}"


class AskedQuestion(models.Model):
    """How often one question was asked on a day. The text stays in the turn; only a fingerprint is stored here.

    Only the most frequent ones of each bot and day are kept (`desk.statistics.counting.MOST_QUESTIONS`).
    """

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="+")
    day = models.DateField()
    surface = models.CharField(max_length=10, choices=Surface)
    fingerprint = models.CharField(max_length=32)
    number = models.PositiveIntegerField()
    failed = models.PositiveIntegerField()
    turn = models.ForeignKey(Turn, on_delete=models.SET_NULL, null=True, related_name="+")

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["day", "bot", "surface", "fingerprint"], name="one_question_a_day")
        ]

    def __str__(self) -> str:
        return f"{self.day} {self.fingerprint}: {self.number}"


class Watermark(models.Model):
    """The time up to which a task has processed changes."""

    name = models.CharField(max_length=40, primary_key=True)
    until = models.DateTimeField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.name} until {self.until:%Y-%m-%d %H:%M:%S}"


class TaughtTurn(models.Model):
    """A turn whose question is done: an answer was taught, or there was nothing to teach.

    While the answer is a draft, because it was taken back, its questions are open.
    """

    turn = models.OneToOneField(Turn, on_delete=models.CASCADE, related_name="taught_turn")
    taught_answer = models.ForeignKey(TaughtAnswer, on_delete=models.CASCADE, null=True, related_name="+")

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"turn {self.turn_id}"


class TaughtChange(models.Model):
    """Who taught, changed or took back an answer, and when."""

    class Kind(models.TextChoices):
        TAUGHT = "taught", pgettext_lazy("what became of an answer", "Taught")
        CHANGED = "changed", pgettext_lazy("what became of an answer", "Changed")
        TAKEN_BACK = "back", pgettext_lazy("what became of an answer", "Taken back")
        AGAIN = "again", pgettext_lazy("what became of an answer", "Taught again")

    taught_answer = models.ForeignKey(TaughtAnswer, on_delete=models.CASCADE, related_name="changes")
    kind = models.CharField(max_length=7, choices=Kind)
    author = models.CharField(max_length=150)
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        default_permissions = ()
        ordering = ["-made_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.made_at:%Y-%m-%d} {self.kind}"


class TriedBot(models.Model):
    """A bot that was asked a question in the set-up. What was said is not stored."""

    bot = models.OneToOneField(Bot, on_delete=models.CASCADE, related_name="tried")
    tried_at = models.DateTimeField(default=timezone.now)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"bot {self.bot_id}, {self.tried_at:%Y-%m-%d}"


class Invitation(models.Model):
    """A place in the team that somebody may take, once, with a link. Only a hash of the link is stored."""

    token_hash = models.CharField(max_length=64, unique=True)
    email = models.EmailField(blank=True)
    role = models.CharField(max_length=10, choices=Role)
    all_bots = models.BooleanField(default=False)
    bots = models.ManyToManyField(Bot, blank=True, related_name="+")
    invited_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    expires_at = models.DateTimeField()

    class Meta:
        verbose_name = _("invitation")
        default_permissions = ()
        ordering = ["expires_at"]

    def __str__(self) -> str:
        return self.email or "–"
