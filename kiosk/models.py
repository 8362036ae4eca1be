"""The device: a screen that the owner has enrolled; its state changes only in methods named for what happens."""

import datetime
import hashlib
import secrets
from typing import Self

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F
from django.urls import reverse
from django.utils import timezone

from kiosk.transfer_codes import Ticket
from webchat.models import Bot

CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # none that is read as another
CODE_LENGTH = 8  # 40 bits, for an hour
CODE_LASTS = datetime.timedelta(hours=1)
AWAY_AFTER = datetime.timedelta(minutes=2)  # several heartbeats
LEAST_WARNING = 20  # seconds: who needs longer to read or to reach the screen must have them (WCAG 2.2.1)


__all__ = ["Device", "Ticket"]


def hash_of(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


class DeviceQuerySet(models.QuerySet):
    def with_token(self, token: str) -> "Device | None":
        """The device whose cookie this is."""
        return self.filter(token_hash=hash_of(token)).select_related("bot").first() if token else None

    def enrol(self, code: str) -> tuple["Device", str] | None:
        """The device that the owner has made this code for, and its token; of two who type it in, one has it."""
        token = secrets.token_urlsafe(32)
        typed = "".join(letter for letter in code.upper() if letter.isalnum())
        now = timezone.now()
        row = self.filter(code_hash=hash_of(typed), code_until__gt=now)
        pk = row.values_list("pk", flat=True).first()
        enrolled = row.filter(pk=pk).update(
            token_hash=hash_of(token),
            code_hash=None,
            code_until=None,
            enrolled_at=now,
            seen_at=now,
            visit=F("visit") + 1,
        )
        return (self.select_related("bot").get(pk=pk), token) if enrolled else None

    def reload(self) -> None:
        """Once nobody uses them."""
        self.update(reloads=F("reloads") + 1)


class Device(models.Model):
    """A kiosk. Its visitors come one after the other: `visit` counts them, and only the present one is answered."""

    class State(models.TextChoices):
        NOT_ENROLLED = "not_enrolled", "not enrolled"
        AWAY = "away", "away"
        PAUSED = "paused", "paused"
        THERE = "there", "there"

    name = models.CharField(max_length=80, help_text="Where it stands: “Lobby, left of the stairs”.")
    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="kiosks")
    language = models.CharField(
        max_length=10, blank=True, choices=settings.LANGUAGES, help_text="Blank: the bot’s own, else the browser’s."
    )
    languages = models.CharField(max_length=100, blank=True)  # codes, with commas between them
    prompt = models.CharField(
        max_length=120, blank=True, help_text="Large on the screen while nobody uses it. Blank: “Ask me anything”."
    )
    idle_seconds = models.PositiveSmallIntegerField(
        "idle after",
        default=60,
        validators=[MinValueValidator(10), MaxValueValidator(3600)],
        help_text="Seconds without a sign of the visitor, until the screen asks whether somebody is still there.",
    )
    warning_seconds = models.PositiveSmallIntegerField(
        "warning of",
        default=30,
        validators=[MinValueValidator(LEAST_WARNING), MaxValueValidator(600)],
        help_text=f"Seconds that are counted down then; at least {LEAST_WARNING}, so that everybody has time to react.",
    )
    sound = models.BooleanField(default=True, help_text="The warning is heard, too.")
    messages_per_minute = models.PositiveSmallIntegerField(
        "messages a minute", default=0, help_text="From this screen. 0: no limit of its own."
    )
    keyboard = models.BooleanField(
        "on-screen keyboard", default=True, help_text="Visitors can switch it off, and here it is off from the start."
    )
    speech = models.BooleanField(
        default=False,
        help_text="Speak instead of typing, and have replies read aloud, where the browser can. Some browsers have "
        "what is said written down by their maker’s servers.",
    )
    paused = models.BooleanField(default=False, help_text="The screen says that it takes a break, within seconds.")

    token_hash = models.CharField(max_length=64, unique=True, null=True, editable=False)  # noqa: DJ001 - none is no value
    code_hash = models.CharField(max_length=64, unique=True, null=True, editable=False)  # noqa: DJ001 - the same
    code_until = models.DateTimeField(null=True, editable=False)
    enrolled_at = models.DateTimeField("enrolled", null=True, editable=False)
    seen_at = models.DateTimeField("last seen", null=True, editable=False)
    visit = models.PositiveBigIntegerField(default=0, editable=False)
    reloads = models.PositiveIntegerField(default=0, editable=False)

    objects = DeviceQuerySet.as_manager()

    class Meta:
        verbose_name = "kiosk"
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("device:screen", args=[self.bot.slug])

    @property
    def is_enrolled(self) -> bool:
        return self.token_hash is not None

    @property
    def state(self) -> State:
        """As the owner sees it; away is a screen that is silent for longer than a working one is."""
        if not self.is_enrolled:
            return self.State.NOT_ENROLLED
        if self.seen_at is None or self.seen_at < timezone.now() - AWAY_AFTER:
            return self.State.AWAY
        return self.State.PAUSED if self.paused else self.State.THERE

    @property
    def offered_languages(self) -> list[tuple[str, str]]:
        """Codes and names, in the order of the settings; none if there is nothing to choose."""
        codes = self.languages.split(",")
        offered = [(code, name) for code, name in settings.LANGUAGES if code in codes]
        return offered if len(offered) > 1 else []

    def make_code(self) -> str:
        """For whoever stands before the screen, once; the device that had been enrolled goes on until then."""
        code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
        self.code_hash, self.code_until = hash_of(code), timezone.now() + CODE_LASTS
        self.save(update_fields=["code_hash", "code_until"])
        return f"{code[:4]} {code[4:]}"

    def unenrol(self) -> None:
        """The browser that was this kiosk is none any more."""
        Device.objects.filter(pk=self.pk).update(token_hash=None, enrolled_at=None, visit=F("visit") + 1)

    def start_next_visit(self) -> None:
        Device.objects.filter(pk=self.pk).update(visit=F("visit") + 1)
        self.refresh_from_db(fields=["visit"])

    def record_heartbeat(self) -> Self:
        self.seen_at = timezone.now()
        Device.objects.filter(pk=self.pk).update(seen_at=self.seen_at)
        return self
