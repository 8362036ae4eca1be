"""Kiosk devices: screens that the owner has enrolled."""

import datetime
import secrets
from typing import Self

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from kiosk.transfer_codes import TransferCode
from webchat.appearance.texts import in_language
from webchat.encryption import hash_of
from webchat.models import Bot

CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # no letters that look alike
CODE_LENGTH = 8  # 40 bits, for an hour
CODE_LIFETIME = datetime.timedelta(hours=1)
AWAY_AFTER = datetime.timedelta(minutes=2)  # several heartbeats
LEAST_WARNING = 20  # seconds (WCAG 2.2.1)


__all__ = ["Device", "TransferCode"]


class DeviceQuerySet(models.QuerySet):
    def with_token(self, token: str) -> "Device | None":
        """Return the device that the token belongs to."""
        return self.filter(token_hash=hash_of(token)).select_related("bot").first() if token else None

    def enrol(self, code: str) -> tuple["Device", str] | None:
        """Enrol a device with its code, which works once; return the device and its token, or None."""
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
        """Make the screens reload once nobody uses them."""
        self.update(reloads=F("reloads") + 1)


class Device(models.Model):
    """A kiosk. `visit` counts its visitors; only the current one is answered."""

    class State(models.TextChoices):
        NOT_ENROLLED = "not_enrolled", _("No screen yet")
        AWAY = "away", _("Not responding")
        PAUSED = "paused", _("Paused")
        ONLINE = "online", _("Online")

    name = models.CharField(_("name"), max_length=80, help_text=_("Where it stands: “Lobby, left of the stairs”."))
    bot = models.ForeignKey(Bot, verbose_name=_("bot"), on_delete=models.CASCADE, related_name="kiosks")
    language = models.CharField(
        _("language"),
        max_length=10,
        blank=True,
        choices=settings.LANGUAGES,
        help_text=_("Leave blank for the bot’s own, else the browser’s."),
    )
    languages = models.CharField(_("languages"), max_length=100, blank=True)  # codes, with commas between them
    prompt = models.CharField(
        _("text on the start screen"),
        max_length=120,
        blank=True,
        help_text=_("Shown large while nobody is using the screen. Leave blank for “Ask me anything”."),
    )
    prompts = models.JSONField(default=dict, blank=True)  # by language
    idle_seconds = models.PositiveSmallIntegerField(
        _("seconds until the warning"),
        default=60,
        validators=[MinValueValidator(10), MaxValueValidator(3600)],
        help_text=_("Without activity; then the screen asks whether somebody is still there."),
    )
    warning_seconds = models.PositiveSmallIntegerField(
        _("length of the warning"),
        default=30,
        validators=[MinValueValidator(LEAST_WARNING), MaxValueValidator(600)],
        help_text=_("Seconds to count down; at least 20, so that everybody has time to react."),
    )
    sound = models.BooleanField(_("sound"), default=True, help_text=_("Play a sound with the warning."))
    messages_per_minute = models.PositiveSmallIntegerField(
        _("messages per minute"), default=0, help_text=_("From this screen. 0: no separate limit.")
    )
    keyboard = models.BooleanField(
        _("on-screen keyboard"),
        default=True,
        help_text=_("Visitors can switch it off. Untick this to start without it."),
    )
    speech = models.BooleanField(
        _("speech"),
        default=False,
        help_text=_(
            "Visitors can speak instead of typing and have replies read aloud, if the browser supports it. Some "
            "browsers send speech to their maker’s servers for transcription."
        ),
    )
    paused = models.BooleanField(
        _("paused"), default=False, help_text=_("The screen shows within seconds that it is out of use.")
    )

    token_hash = models.CharField(max_length=64, unique=True, null=True, editable=False)  # noqa: DJ001 - none is no value
    code_hash = models.CharField(max_length=64, unique=True, null=True, editable=False)  # noqa: DJ001 - the same
    code_until = models.DateTimeField(null=True, editable=False)
    enrolled_at = models.DateTimeField(_("enrolled"), null=True, editable=False)
    seen_at = models.DateTimeField(_("last seen"), null=True, editable=False)
    visit = models.PositiveBigIntegerField(default=0, editable=False)
    reloads = models.PositiveIntegerField(default=0, editable=False)

    objects = DeviceQuerySet.as_manager()

    class Meta:
        verbose_name = _("kiosk")
        verbose_name_plural = _("kiosks")
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
        """Return the state shown to the owner; AWAY means that heartbeats are missing."""
        if not self.is_enrolled:
            return self.State.NOT_ENROLLED
        if self.seen_at is None or self.seen_at < timezone.now() - AWAY_AFTER:
            return self.State.AWAY
        return self.State.PAUSED if self.paused else self.State.ONLINE

    @property
    def offered_languages(self) -> list[tuple[str, str]]:
        """Return codes and names of the languages to choose from, or nothing if there are fewer than two."""
        codes = self.languages.split(",")
        offered = [(code, name) for code, name in settings.LANGUAGES if code in codes]
        return offered if len(offered) > 1 else []

    @property
    def more_languages(self) -> list[str]:
        """Return the languages besides the default one that its visitors may read."""
        default = self.language or self.bot.language
        return sorted({*self.languages.split(","), *self.bot.more_languages} - {"", default})

    @property
    def prompt_text(self) -> str:
        """Return the owner's prompt in the page's language."""
        return in_language(self.prompt, self.prompts)

    def make_code(self) -> str:
        """Create a single-use enrolment code; a device enrolled earlier keeps working until the code is used."""
        code = "".join(secrets.choice(CODE_LETTERS) for _place in range(CODE_LENGTH))
        self.code_hash, self.code_until = hash_of(code), timezone.now() + CODE_LIFETIME
        self.save(update_fields=["code_hash", "code_until"])
        return f"{code[:4]} {code[4:]}"

    def unenrol(self) -> None:
        """End the enrolment: the browser is no longer this kiosk."""
        Device.objects.filter(pk=self.pk).update(token_hash=None, enrolled_at=None)

    def start_next_visit(self) -> None:
        Device.objects.filter(pk=self.pk).update(visit=F("visit") + 1)
        self.refresh_from_db(fields=["visit"])

    def record_heartbeat(self) -> Self:
        self.seen_at = timezone.now()
        Device.objects.filter(pk=self.pk).update(seen_at=self.seen_at)
        return self
