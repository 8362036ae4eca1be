"""What the desk counts, so that its pictures are drawn as fast at a million turns as at ten."""

from django.db import models

from webchat.models import Bot, Surface, Turn


class Tally(models.Model):
    """How many of one kind there were for one bot on one day on one surface.

    `name` tells the kinds of one measure apart: a code, a bucket of reply times (`desk.reply_times`), a thumb.
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
    """How often one question was asked on a day. Its text stays in its turn: here is what tells it from others.

    Of each bot's day only the most asked ones are kept (`desk.counting.MOST_QUESTIONS`).
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
    """Up to when something has been looked at."""

    name = models.CharField(max_length=40, primary_key=True)
    until = models.DateTimeField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.name} until {self.until:%Y-%m-%d %H:%M:%S}"
