"""Daily counts, so that charts load as fast with a million turns as with ten; and which questions are done."""

from django.db import models

from docbot.models import TaughtAnswer
from webchat.models import Bot, Surface, Turn


class Tally(models.Model):
    """The count of one kind of event for one bot, day and surface.

    `name` divides a measure further: an error code, a reply-time bucket (`desk.statistics.reply_times`), a rating.
    """

    class Measure(models.TextChoices):
        CONVERSATIONS = "conversations", "conversations begun"
        ANSWERED = "answered", "messages answered"
        FAILED = "failed", "messages failed"
        WAITING = "waiting", "messages without an outcome yet"
        REPLY_TIME = "reply_time", "reply times"
        FEEDBACK = "feedback", "feedback"

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="tallies")
    day = models.DateField()
    surface = models.CharField(max_length=10, choices=Surface)
    measure = models.CharField(max_length=13, choices=Measure)
    name = models.CharField(max_length=64, blank=True)
    number = models.PositiveIntegerField()

    class Meta:
        verbose_name = "insight"
        verbose_name_plural = "insights"
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

    When the answer is taken back, its questions are open again.
    """

    turn = models.OneToOneField(Turn, on_delete=models.CASCADE, related_name="taught_turn")
    taught_answer = models.ForeignKey(TaughtAnswer, on_delete=models.CASCADE, null=True, related_name="+")

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"turn {self.turn_id}"
