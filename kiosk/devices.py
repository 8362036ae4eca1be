"""Identifies enrolled devices by a long-lived cookie, of which the site stores only a hash."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from kiosk.models import Device
from webchat import languages

COOKIE = f"{settings.COOKIE_PREFIX}kiosk"
COOKIE_SECONDS = 400 * 24 * 60 * 60  # the longest that browsers allow; each heartbeat renews it


def device_of(request: HttpRequest) -> Device | None:
    return Device.objects.with_token(request.COOKIES.get(COOKIE, ""))


def permissions(device: Device) -> list[str]:
    """Return the browser permissions that this device's pages need."""
    return ["microphone"] if device.speech else []


def activate_language(request: HttpRequest, device: Device) -> None:
    """Activate the language of the screen, which may still have the last visitor's cookie."""
    request.webchat.language = device.language
    languages.activate_language(request, device.bot, reads_cookie=False)


def set_cookie(response: HttpResponse, token: str) -> None:
    """Set the cookie that makes the browser this device."""
    response.set_cookie(COOKIE, token, max_age=COOKIE_SECONDS, secure=settings.HTTPS, httponly=True, samesite="Lax")
