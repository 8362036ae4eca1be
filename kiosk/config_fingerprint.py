"""A fingerprint of what a screen shows; when it changes, the screen reloads as soon as nobody uses it."""

import hashlib
from functools import cache
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage

from kiosk.models import Device

LENGTH = 16
DEVICE_FIELDS = (
    *("reloads", "name", "language", "languages", "prompt", "prompts", "idle_seconds"),
    *("warning_seconds", "sound", "keyboard", "speech"),
)
BOT_FIELDS = ("slug", "name", "contact", "language", "languages", "accent", "asks_for_proof", "takes_messages")


def fingerprint_of(device: Device) -> str:
    """Return the fingerprint of the site's files and of the settings of device and bot."""
    shown = [getattr(device, name) for name in DEVICE_FIELDS] + [getattr(device.bot, name) for name in BOT_FIELDS]
    shown += [_site_fingerprint(), device.bot.face.name, device.bot.logo.name, *device.bot.greetings]
    return hashlib.sha256(repr(shown).encode()).hexdigest()[:LENGTH]


@cache
def _site_fingerprint() -> str:
    """Return the fingerprint of the static files and templates that this process serves."""
    digest = hashlib.sha256(getattr(staticfiles_storage, "manifest_hash", "").encode())
    for folder in settings.TEMPLATES[0]["DIRS"]:
        for app in ("kiosk", "webchat"):
            for path in sorted((Path(folder) / app).rglob("*.html")):
                digest.update(path.read_bytes())
    return digest.hexdigest()
