"""Chooses the language of a kiosk's screen."""

from django.http import HttpRequest
from django.utils import translation

from kiosk.models import Device
from webchat import languages
from webchat.models import Bot


def activate_language(request: HttpRequest, bot: Bot, device: Device | None = None) -> None:
    """Activate the language that the visitor chose, else the device's, the bot's or the browser's."""
    chosen = languages.requested_language(request) or (device and device.language) or languages.of_bot(bot)
    if chosen:
        translation.activate(chosen)
        request.LANGUAGE_CODE = chosen
