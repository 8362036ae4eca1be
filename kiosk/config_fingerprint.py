"""A fingerprint of what a screen shows; when it changes, the screen reloads as soon as nobody uses it."""

import hashlib
from functools import cache
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage

from kiosk.models import Device

LENGTH = 16


def fingerprint_of(device: Device) -> str:
    """Return the fingerprint of the site's files and of the settings of device and bot."""
    bot = device.bot
    shown = (
        *(
            _site_fingerprint(),
            device.reloads,
            device.name,
            device.language,
            device.languages,
            device.prompt,
            device.idle_seconds,
        ),
        *(
            device.warning_seconds,
            device.sound,
            device.keyboard,
            device.speech,
            bot.slug,
            bot.name,
            bot.greeting,
            bot.suggestions,
            bot.contact,
        ),
        *(bot.language, bot.accent, bot.face.name, bot.logo.name, bot.asks_for_proof),
    )
    return hashlib.sha256(repr(shown).encode()).hexdigest()[:LENGTH]


@cache
def _site_fingerprint() -> str:
    """Return the fingerprint of the static files and templates that this process serves."""
    digest = hashlib.sha256(getattr(staticfiles_storage, "manifest_hash", "").encode())
    for folder in settings.TEMPLATES[0]["DIRS"]:
        for path in sorted((Path(folder) / "kiosk").rglob("*.html")) + sorted(
            (Path(folder) / "webchat").rglob("*.html")
        ):
            digest.update(path.read_bytes())
    return digest.hexdigest()
