"""Which enrolled device a request comes from: a long-lived cookie, of which the site keeps only a hash."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from kiosk.models import Device

COOKIE = f"{settings.COOKIE_PREFIX}kiosk"
LASTS = 400 * 24 * 60 * 60  # seconds: the longest that browsers keep any; each heartbeat renews it


def device_of(request: HttpRequest) -> Device | None:
    return Device.objects.with_token(request.COOKIES.get(COOKIE, ""))


def permissions(device: Device) -> list[str]:
    """What a page of this device may use of the machine."""
    return ["microphone"] if device.speech else []


def remember(response: HttpResponse, token: str) -> None:
    """Makes the browser the device whose token it is."""
    response.set_cookie(COOKIE, token, max_age=LASTS, secure=settings.HTTPS, httponly=True, samesite="Lax")
